# SPDX-License-Identifier: GPL-2.0-only
"""MRC over all networks, under loss, trimming and failures of planes."""

import pytest

import relnet
from relnet import plots

CALM = {"protocol": "mrc", "nodes": 4, "size": 3000, "messages": 20}
TRIMMING = {"network.Admission": "trim", "network.TrimThreshold": 20_000}


def events(run):
    """The counts of the protocol by name."""
    return run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


def test_every_network_of_the_matrix_delivers_everything_once_and_in_order():
    pairs = [pair for pair in relnet.matrix(nodes=4).itertuples() if pair.protocol == "mrc"]
    assert len(pairs) > 5
    for pair in pairs:
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        run = relnet.run("reliability", network=pair.network, **CALM)
        assert (run.Verdict, run.Outcome, run.Delivered) == ("completed", "exact", 80), (pair, run.VerdictReason)


@pytest.mark.parametrize("size", [0, 1, 1025, 1 << 22])
def test_messages_of_any_size(size):
    run = relnet.run("reliability", network="csma", protocol="mrc", size=size, nodes=2, messages=2, loss=0.001)
    assert (run.Delivered, run.Lost) == (4, 0)


@pytest.mark.parametrize("loss", [0, 0.01, 0.05])
@pytest.mark.parametrize("trimming", [{}, TRIMMING], ids=["drop", "trim"])
def test_an_incast_completes(loss, trimming):
    settings = {"network.Paths": 64, "network.Planes": 2, "network.HostsPerLeaf": 4, "network.Spines": 2, **trimming}
    run = relnet.run(
        "reliability",
        network="fabric",
        protocol="mrc",
        pattern="hot-spot",
        nodes=8,
        size=50_000,
        messages=4,
        loss=loss,
        **settings,
        **{"network.Buffer": 60_000, "protocol.Retries": 14},
    )
    assert (run.Verdict, run.Outcome, run.Delivered) == ("completed", "exact", run.Posted)
    assert bool(trimming) == bool(events(run)["trimmed"])


def test_a_plane_has_to_be_left():
    with pytest.raises(relnet.RelnetError, match="DeniedPlanes"):
        relnet.run("reliability", network="fabric", **CALM, **{"protocol.DeniedPlanes": 1})


def test_a_queue_pair_knows_the_planes_of_its_paths():
    planes = {"network.Planes": 4, "network.Paths": 4, "protocol.DeniedPlanes": 1}
    flows = {"network": "fabric", "protocol": "mrc", "workload": "permutation", "nodes": 4, "size": 100_000}
    with pytest.raises(relnet.RelnetError, match="path values of each plane"):
        relnet.run("fabric", **flows, **planes)
    run = relnet.run("fabric", **flows, queuepairs=1, **planes)
    ports = run.attrs["tables"]["Ports"].set_index("port")["frames"]
    assert run.Verdict == "completed"
    assert ports[ports.index.str.contains("@0")].sum() == 0 < ports[ports.index.str.contains("@1")].sum()


def test_window_is_below_half_of_the_numbers():
    with pytest.raises(relnet.RelnetError, match="half of Modulus"):
        relnet.explore("mrc", **{"protocol.Modulus": 4, "protocol.Mpr": 2})


def test_states_of_paths_are_in_a_trace_and_its_figures():
    recording = relnet.trace(
        "reliability",
        limit=1_000_000,
        network="fabric",
        protocol="mrc",
        pattern="stream",
        nodes=2,
        size=1_000_000,
        messages=2,
        **{"network.HostRate": "25Gbps", "network.Planes": 4, "network.Paths": 32, "network.Convergence": "1s"},
        **{"network.Faults": "50us host0@1 down", "protocol.Rto": "100us", "protocol.ProbeInterval": "50us"},
    )
    paths = recording.paths
    bad = paths[(paths["node"] == 0) & (paths["state"] == "assumed bad")]
    assert set(bad["peer"]) == {1}
    # Plane 1 of four has the paths 8 to 15.
    assert set(bad["path"]) and set(bad["path"]) <= set(range(8, 16))
    slices = [event for event in recording.perfetto()["traceEvents"] if event.get("cat") == "path"]
    assert sum(event["name"] == "assumed bad" for event in slices) == (paths["state"] == "assumed bad").sum()
    drawn = {states.get_label(): len(states.get_paths()) for states in plots.path_states(recording, 0, 1).collections}
    assert drawn["assumed bad"] == len(bad)
