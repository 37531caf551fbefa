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


def test_wrong_parameters_are_refused():
    with pytest.raises(relnet.RelnetError, match="has to be fabric"):
        relnet.run("fabric", network="csma")
    with pytest.raises(relnet.RelnetError, match="Senders has to be below Nodes"):
        relnet.run("fabric", workload="incast", senders=16)
    with pytest.raises(relnet.RelnetError, match="Workload"):
        relnet.run("fabric", workload="web")
