# SPDX-License-Identifier: GPL-2.0-only
"""RoCE and IRN over all networks, under loss and reordering."""

import pytest

import relnet

PROTOCOLS = ("roce", "irn")
CALM = {"nodes": 4, "size": 3000, "messages": 20}


def events(run):
    """The counts of the protocol by name."""
    return run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_network_of_the_matrix_delivers_exactly(protocol):
    pairs = [pair for pair in relnet.matrix(nodes=4).itertuples() if pair.protocol == protocol]
    assert len(pairs) > 5
    for pair in pairs:
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        run = relnet.run("reliability", network=pair.network, protocol=protocol, **CALM)
        assert (run.Outcome, run.Verdict, run.Delivered) == ("exact", "completed", 80), (pair, run.VerdictReason)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("size", [0, 1, 1025, 1 << 22])
def test_messages_of_any_size(protocol, size):
    run = relnet.run("reliability", network="csma", protocol=protocol, size=size, nodes=2, messages=2, loss=0.001)
    assert (run.Outcome, run.Delivered) == ("exact", 4)


def test_irn_repeats_fewer_packets_than_go_back_n():
    repeats = {}
    for protocol in PROTOCOLS:
        run = relnet.run(
            "reliability", network="csma", protocol=protocol, size=100_000, nodes=2, messages=50, loss=0.01
        )
        assert run.Outcome == "exact"
        repeats[protocol] = events(run)["repeat"]
    assert repeats["roce"] > 5 * repeats["irn"] > 0


def test_congestion_control_needs_a_name():
    with pytest.raises(relnet.RelnetError, match="CongestionControl"):
        relnet.run("reliability", protocol="irn", **{"protocol.CongestionControl": "bbr"})


def test_window_is_below_half_of_the_numbers():
    with pytest.raises(relnet.RelnetError, match="half of Modulus"):
        relnet.explore("roce", **{"protocol.Modulus": 4, "protocol.Window": 2})
