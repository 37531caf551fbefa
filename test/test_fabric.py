# SPDX-License-Identifier: GPL-2.0-only
"""The scenario `fabric`: flows, their completion times and slowdowns."""

import pytest

import relnet
from relnet import plots

SMALL = {"nodes": 16, "workload": "alistorage", "flows": 300, "load": 0.5}


@pytest.mark.parametrize("protocol", ["irn", "roce", "idempotent", "parastation2", "tcp"])
def test_any_protocol_delivers_all_flows(protocol):
    run = relnet.run("fabric", protocol=protocol, **SMALL)
    assert (run.Verdict, run.Delivered, run.Pending) == ("completed", 300, 0), run.VerdictReason
    assert 0.99 < run.SlowdownLeast <= run.SlowdownMedian <= run.Slowdown99 <= run.SlowdownWorst


def test_a_run_without_congestion_control_and_loss_still_ends():
    run = relnet.run("fabric", protocol="irn", loss=0.01, **SMALL)
    assert (run.Verdict, run.Delivered) == ("completed", 300)
    assert run.Repeats >= run.attrs["tables"]["Losses"]["count"].sum() * 0.1 > 0


def test_a_flow_of_short_packets_is_not_stalled():
    """Its frames are the 3000 packets of the protocol, and not the few that the network would need."""
    flow = {"nodes": 2, "workload": "fixed", "flows": 1, "size": 3000}
    run = relnet.run("fabric", protocol="irn", stallframes=100, **flow, **{"protocol.Mtu": 1})
    assert (run.Verdict, run.Packets) == ("completed", 3000), run.VerdictReason


def test_the_same_seed_gives_the_same_flows_to_each_protocol():
    tables = [
        relnet.run("fabric", protocol=protocol, details=True, **SMALL).attrs["tables"]["Flows"]
        for protocol in ("irn", "roce")
    ]
    columns = ["from", "to", "bytes", "start", "ideal"]
    sizes = [table[columns[:-1]].sort_values("start", ignore_index=True) for table in tables]
    assert sizes[0].equals(sizes[1])
    assert (tables[0]["slowdown"] >= 1).all()


def test_sizes_have_rows_for_all_flows():
    run = relnet.run("fabric", **SMALL)
    table = run.attrs["tables"]["SlowdownBySize"]
    assert table["flows"].sum() == 300
    assert (table["slowdownMedian"] <= table["slowdown99"]).all()


def test_plots_of_flows():
    runs = {name: relnet.run("fabric", protocol=name, details=True, **SMALL) for name in ("irn", "roce")}
    assert len(plots.completion(runs).axes[0].lines) == 2
    assert len(plots.slowdown_by_size(runs).axes[0].lines) == 2
    with pytest.raises(relnet.RelnetError, match="has no table Flows"):
        plots.completion({"irn": relnet.run("fabric", **SMALL)})


def test_a_heat_map_shows_the_longest_queues():
    incast = {"nodes": 16, "workload": "incast", "senders": 12, "size": 2_000_000}
    run = relnet.run("fabric", queueinterval="2us", **incast)
    axes = plots.queues(run, ports=3).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert len(names) == 3
    # Each sample is in the map: the largest value is that of the table.
    table = run.attrs["tables"]["QueueLengths"]
    assert axes.images[0].get_array().max() == pytest.approx(table["bytes"].max() / 1000)
    assert names[0] == table.loc[table["bytes"].idxmax(), "port"]
    assert 0 < run.Fairness <= 1
    with pytest.raises(relnet.RelnetError, match="queueinterval"):
        plots.queues(relnet.run("fabric", **incast))


ALL_REDUCE = "num_ranks 8\n" + "".join(
    f"rank {rank} {{\nl1: coll allreduce 200000b 0 0 -1 cpu 1 nic 1\n}}\n" for rank in range(8)
)


@pytest.mark.parametrize("loss", [0.001, 0.01])
@pytest.mark.parametrize("protocol", ["irn", "roce", "tcp", "idempotent", "parastation2", "vmmc2"])
def test_an_all_reduce_with_losses_ends_and_each_message_arrives_once(tmp_path, protocol, loss):
    """astra-network-ns3 12, SimAI 119 and 184: any loss hangs, or ends the run early."""
    path = tmp_path / "allreduce.goal"
    path.write_text(ALL_REDUCE)
    pattern = {"pattern": "goal", "pattern.File": str(path)}
    run = relnet.run("reliability", network="fabric", protocol=protocol, nodes=8, loss=loss, **pattern)
    assert (run.Outcome, run.Verdict) == ("exact", "completed"), run.VerdictReason


@pytest.mark.parametrize("protocol", ["irn", "roce"])
def test_a_loss_of_one_percent_costs_less_than_half_of_the_traffic(protocol):
    """SimAI 119: a run with errors takes much longer. Hops are its work, whatever the machine."""
    hops = [relnet.run("fabric", protocol=protocol, loss=loss, **SMALL).Hops for loss in (0, 0.01)]
    assert hops[0] < hops[1] < 1.5 * hops[0]


def test_go_back_n_ends_in_an_incast_that_overflows():
    """astra-sim 366: continuous drops, and no completion at many ranks."""
    run = relnet.run(
        "fabric", protocol="roce", nodes=64, workload="incast", senders=63, size=6_300_000, **{"network.Buffer": 50_000}
    )
    assert run.Verdict in ("completed", "failed") and run.Drops > 1000
    assert (run.Delivered + run.GivenUp, run.Pending) == (63, 0)
    assert len(run.attrs["tables"]["Unfinished"]) == run.GivenUp


def test_unfinished_flows_are_listed():
    """astra-sim 92, 172: unfinished streams without a name."""
    run = relnet.run("fabric", timelimit="30us", **SMALL)
    assert run.Verdict == "undecided"
    listed = run.attrs["tables"]["Unfinished"]
    assert len(listed) == run.Pending > 0
    assert list(listed.columns) == ["from", "to", "bytes", "start"]


def test_more_than_127_flows_of_a_host():
    """ns3-rdma 30: a crash above 127 flows."""
    run = relnet.run("fabric", nodes=4, workload="fixed", size=2000, flows=4000, load=2, queuepairs=256)
    assert (run.Verdict, run.Delivered) == ("completed", 4000)


def test_wrong_parameters_are_refused():
    with pytest.raises(relnet.RelnetError, match="has to be fabric"):
        relnet.run("fabric", network="csma")
    with pytest.raises(relnet.RelnetError, match="Senders has to be below Nodes"):
        relnet.run("fabric", workload="incast", senders=16)
    with pytest.raises(relnet.RelnetError, match="Workload"):
        relnet.run("fabric", workload="web")
