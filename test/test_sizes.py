# SPDX-License-Identifier: GPL-2.0-only
"""Sizes of messages: what a pair of network and protocol takes, as `describe` and `matrix` state it, and as it runs."""

import any_size
import pytest

import relnet
from relnet.runs.pair_grid import PAIR_COLUMNS, matrix_text


@pytest.fixture(scope="module")
def pairs():
    """The valid pairs with two nodes."""
    return {(pair.network, pair.protocol): pair for pair in any_size.select({})}


def test_matrix_has_sizes(pairs):
    """A valid pair has an MTU and a largest message; the segmenting layer divides those of protocols without one."""
    assert all(pair.mtu > 0 and pair.largest == 64 << 20 for pair in pairs.values())
    csma = pairs["csma", "none"]
    assert csma.layered and csma.whole == csma.mtu < 1500
    assert pairs["csma", "idempotent"].whole < csma.whole
    assert not pairs["csma", "tcp"].layered and pairs["csma", "tcp"].mtu == 1500
    assert pairs["csma", "udp"].layered and 60_000 < pairs["csma", "udp"].whole < 65_508
    assert not pairs["infiniband", "mpi"].layered


def test_grid_of_sizes():
    """The grid of `relnet matrix` has one text for each kind of limit, and says what it means."""
    rows = [
        ("a", "p", "", True, "", 1500, 1400, 1000, True),
        ("a", "q", "", True, "", 1500, 2000, 2000, False),
        ("a", "r", "", True, "", 20, 8, 8, False),
        ("b", "p", "", True, "", 1500, 1400, 2000, True),
        ("b", "q", "", False, "It needs a.", None, None, None, None),
        ("b", "r", "", False, "It needs a.", None, None, None, None),
    ]
    assert all(len(row) == 3 + len(PAIR_COLUMNS) for row in rows)
    grid = matrix_text(rows).partition("Largest message")[2].splitlines()
    assert [line.split() for line in grid[2:5]] == [["p", "1400..1000", "1400"], ["q", "any", "-"], ["r", "<=8", "-"]]
    assert [line.split(":")[0].strip() for line in grid[5:9]] == ["N", "any", "N..M", "<=N"]


def test_description_has_sizes():
    """`relnet describe` states the sizes of a pair, or why there are none."""
    told = relnet.describe("reliability", network="csma", protocol="idempotent")
    assert "0 to 67108864 bytes" in told.sizes and "segmenting layer" in told.sizes
    assert f"Sizes of messages: {told.sizes}" in str(told)
    assert "divides" in relnet.describe("reliability", network="csma", protocol="tcp").sizes
    refused = relnet.describe("reliability", network="myrinet", protocol="p0").sizes
    assert refused.startswith("none. ") and "broadcast" in refused
    assert relnet.describe("reliability", network="csma").sizes == ""


@pytest.mark.parametrize(
    ("given", "allowed"), [({"size": "65MiB"}, "67108864"), ({"size": 1000, "network.Mtu": 20}, "8 bytes")]
)
def test_refused_size_names_the_allowed_ones(given, allowed):
    """A size that a pair cannot take is refused in one sentence, which names the largest."""
    with pytest.raises(relnet.RelnetError) as error:
        relnet.run("reliability", network="wormhole", protocol="idempotent", nodes=2, messages=1, **given)
    assert allowed in str(error.value)


@pytest.mark.parametrize("network", ["csma", "infiniband", "loopback", "myrinet", "segment", "switch", "wormhole"])
def test_small_and_segmented(pairs, network):
    """Nothing, and a message that just needs a segment, arrive by every protocol."""
    for pair in pairs.values():
        if pair.network == network:
            assert any_size.measure(pair, any_size.sizes(pair, ("0", "EDGE+1")))[1:] == ([], [])


@pytest.mark.parametrize(
    ("network", "protocol"),
    [
        ("csma", "none"),
        ("switch", "tcp"),
        ("infiniband", "mpi"),
        ("wormhole", "idempotent"),
        ("myrinet", "parastation2"),
    ],
)
def test_four_mebibytes(pairs, network, protocol):
    """A message of 4 MiB arrives."""
    count, broken, lossy = any_size.measure(pairs[network, protocol], [4 << 20])
    assert (count, broken, lossy) == (1, [], [])


def test_losses_of_udp_are_plain(pairs):
    """UDP overruns the receive ring of a host with 4 MiB: the run says that this is allowed, and where it was lost."""
    _, broken, (sentence,) = any_size.measure(pairs["infiniband", "udp"], [4 << 20])
    assert broken == []
    assert "udp promises no delivery" in sentence and "host receive ring of node 1" in sentence
