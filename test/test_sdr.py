# SPDX-License-Identifier: GPL-2.0-only
"""SDR over all networks, and its schemes on a long link."""

import pytest

import relnet

SCHEMES = ("selective-repeat", "xor", "mds")
CALM = {"nodes": 4, "size": 3000, "messages": 20}
LONG = {"network": "fabric", "nodes": 2, "network.Delay": "6250us", "protocol": "sdr", "pattern": "stream"}


def events(run):
    """The counts of the protocol by name."""
    return run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


def test_every_network_of_the_matrix_delivers_each_message_once():
    pairs = [pair for pair in relnet.matrix(nodes=4).itertuples() if pair.protocol == "sdr"]
    assert len(pairs) > 5
    for pair in pairs:
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        for loss in (0, 0.02):
            run = relnet.run("reliability", network=pair.network, protocol="sdr", loss=loss, **CALM)
            assert run.Outcome in ("exact", "reorders"), (pair, loss)
            assert (run.Verdict, run.Delivered) == ("completed", 80), (pair, run.VerdictReason)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", [0, 1, 1025, 1 << 22])
def test_messages_of_any_size(scheme, size):
    given = {"protocol.Scheme": scheme, "size": size, "nodes": 2, "messages": 2, "loss": 0.001}
    run = relnet.run("reliability", network="csma", protocol="sdr", **given)
    assert run.Delivered == 4
    assert run.Outcome in ("exact", "reorders")


def test_parity_saves_round_trips_on_a_long_link():
    runs = {
        scheme: relnet.run("reliability", size=1 << 20, messages=20, loss=0.01, **LONG, **{"protocol.Scheme": scheme})
        for scheme in SCHEMES
    }
    assert all(run.Delivered == 20 for run in runs.values())
    assert runs["mds"].Latency < 0.6 * runs["selective-repeat"].Latency
    assert events(runs["mds"])["repeat"] == 0 < events(runs["mds"])["recovered"]


def test_parity_is_at_most_data():
    with pytest.raises(relnet.RelnetError, match="at most Data"):
        relnet.run("reliability", protocol="sdr", **{"protocol.Data": 2, "protocol.Parity": 3})


def test_requests_are_below_half_of_the_numbers():
    with pytest.raises(relnet.RelnetError, match="half of Modulus"):
        relnet.explore("sdr", **{"protocol.Modulus": 4, "protocol.Requests": 2})
