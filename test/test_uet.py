# SPDX-License-Identifier: GPL-2.0-only
"""Ultra Ethernet's delivery modes over all networks, under loss, trimming and spraying."""

import pytest

import relnet

CALM = {"protocol": "uet", "nodes": 4, "size": 3000, "messages": 20}
TRIMMING = {"network.Admission": "trim", "network.TrimThreshold": 20_000}


def events(run):
    """The counts of the protocol by name."""
    return run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


@pytest.mark.parametrize("mode", ["rud", "rod", "rudi"])
def test_every_network_of_the_matrix_delivers_everything_once(mode):
    pairs = [pair for pair in relnet.matrix(nodes=4).itertuples() if pair.protocol == "uet"]
    assert len(pairs) > 5
    for pair in pairs:
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        run = relnet.run("reliability", network=pair.network, **CALM, **{"protocol.Mode": mode})
        assert (run.Verdict, run.Delivered, run.Lost) == ("completed", 80, 0), (pair, run.VerdictReason)
        assert mode == "rudi" or run.Duplicates == 0
        assert mode != "rod" or run.Outcome == "exact"


@pytest.mark.parametrize("mode", ["rud", "rod", "rudi"])
@pytest.mark.parametrize("size", [0, 1, 1025, 1 << 22])
def test_messages_of_any_size(mode, size):
    settings = {"protocol.Mode": mode, "loss": 0.001}
    run = relnet.run("reliability", network="csma", protocol="uet", size=size, nodes=2, messages=2, **settings)
    assert (run.Delivered, run.Lost) == (4, 0)


def test_order_costs_repeats():
    repeats = {}
    for mode in ("rud", "rod"):
        run = relnet.run(
            "reliability",
            network="csma",
            protocol="uet",
            size=100_000,
            nodes=2,
            messages=50,
            loss=0.01,
            **{"protocol.Mode": mode},
        )
        assert run.Verdict == "completed"
        repeats[mode] = events(run)["repeat"]
    assert repeats["rod"] > 2 * repeats["rud"] > 0


@pytest.mark.parametrize("loss", [0, 0.01, 0.05])
@pytest.mark.parametrize("trimming", [{}, TRIMMING], ids=["drop", "trim"])
def test_an_incast_completes(loss, trimming):
    settings = {"network.Paths": 64, "network.HostsPerLeaf": 4, "network.Spines": 2, **trimming}
    run = relnet.run(
        "reliability",
        network="fabric",
        protocol="uet",
        pattern="hot-spot",
        nodes=8,
        size=50_000,
        messages=4,
        loss=loss,
        **settings,
        **{"network.Buffer": 60_000, "protocol.Retries": 14},
    )
    assert (run.Verdict, run.Delivered, run.Duplicates) == ("completed", run.Posted, 0)
    assert bool(trimming) == bool(events(run)["trimmed"])


def test_mode_needs_a_name():
    with pytest.raises(relnet.RelnetError, match="Mode"):
        relnet.run("reliability", protocol="uet", **{"protocol.Mode": "rc"})


def test_window_is_below_half_of_the_numbers():
    with pytest.raises(relnet.RelnetError, match="half of Modulus"):
        relnet.explore("uet", **{"protocol.Modulus": 4, "protocol.Mpr": 2})
