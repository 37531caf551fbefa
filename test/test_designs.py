# SPDX-License-Identifier: GPL-2.0-only
"""MPI's six designs over the transports of InfiniBand, in the scenario `reliability` and in the matrix."""

from __future__ import annotations

from pathlib import Path

import pytest

import relnet
from relnet.errors import RelnetError
from relnet.runs.verdicts import KEPT, judge

DESIGNS = ("rc-native", "rc-reliable", "uc-native", "uc-reliable", "ud-native", "ud-reliable")
SIZES = (0, 8, 8191, 8192, 65536, 1 << 20, 4 << 20)
LINK = 1000
"""Data rate of a 4X SDR link [MB/s]."""


def run(design, **parameters):
    """The results of a design over InfiniBand."""
    given = {"network": "infiniband", "protocol": "mpi", "protocol.Design": design, "nodes": 2, "messages": 10}
    return relnet.run("reliability", **given | parameters)


def events(found):
    """The events of the protocol."""
    return found.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


@pytest.mark.parametrize("pattern", ["ping-pong", "stream", "uniform"])
@pytest.mark.parametrize("design", DESIGNS)
def test_calm_runs_are_exact_and_wait_for_no_timer(design, pattern):
    for size in SIZES:
        found = run(design, pattern=pattern, size=size, nodes=4 if pattern == "uniform" else 2)
        assert (found.Outcome, found.Verdict) == ("exact", "completed"), (size, found.VerdictReason)
        assert (found.TimerWait, found.FramesRepeated, found.FramesLost, found.FramesInFlight) == (0, 0, 0, 0), size
        assert events(found)[["retransmitted", "data-nack", "duplicate"]].sum() == 0, size


def test_repeats_are_counted_whatever_they_acknowledge():
    """A repeat has a newer acknowledgement in its header than the first transmission."""
    given = {"network": "switch", "protocol": "mpi", "nodes": 4, "size": 1000, "messages": 50, "loss": 0.05}
    found = relnet.run("reliability", **given, **{"protocol.Timeout": 2_000_000})
    assert found.FramesRepeated == events(found)["retransmitted"] > 0


@pytest.mark.parametrize("design", DESIGNS)
def test_designs_keep_their_promises_when_links_lose_packets(design):
    """RC's adapters and the software of the others repeat; native UC and UD lose messages."""
    lossy = {"network.PacketLoss": 0.01, "network.AckTimeout": 1000000, "pattern": "uniform", "nodes": 4}
    for size, messages in ((0, 200), (5000, 50), (100000, 20)):
        found = run(design, size=size, messages=messages, **lossy)
        assert judge(found) == KEPT, (size, found.VerdictReason)
        assert found.FramesInFlight == 0 and found.FramesLost == found.FrameCopies - found.FramesArrived, size
        if design in ("uc-native", "ud-native"):
            assert "complete" not in found.Promise and "reported" not in found.Promise
            assert found.Lost > 0, size
        else:
            assert "reported" in found.Promise and found.Delivered == 4 * messages, (size, found.VerdictReason)


@pytest.mark.parametrize("design", ["rc-native", "rc-reliable"])
def test_exhausted_retries_of_rc_are_a_failed_result(design):
    """RETRY_EXC_ERR ends the messages of both ends, and nothing hangs."""
    for size in (100, 100000):
        found = run(design, size=size, pattern="exchange", **{"network.PacketLoss": 0.9, "network.AckTimeout": 10000})
        assert (found.Verdict, found.Outcome, judge(found)) == ("failed", "gives up", KEPT), found.VerdictReason
        assert events(found)["peer-lost"] > 0 and found.Stuck == found.Lost == 0


def test_latency_is_that_of_the_adapters_and_the_hosts():
    """A frame of 8 bytes has 28 of a header; the hosts post it, and poll and copy it."""
    processors = 0.30 + 0.33 + 2 * 0.005
    for design in DESIGNS:
        found = run(design, pattern="ping-pong", size=8, messages=200)
        assert found.LatencyProcessors == pytest.approx(processors, abs=0.01), design
        assert found.LatencyMedian == pytest.approx(4.13, abs=0.15), design
    # A write of a large message is not copied; its packets cross the link at the rate of the link.
    small, large = (run("rc-native", pattern="ping-pong", size=size).LatencyMedian for size in (1 << 20, 4 << 20))
    packets = (4 << 20) / 2048 - (1 << 20) / 2048
    assert large - small == pytest.approx(packets * (2048 + 26 + 60) / 1000, rel=0.01)


@pytest.mark.parametrize("design", DESIGNS)
def test_stream_of_large_messages_fills_the_link(design):
    found = run(design, pattern="stream", size=1 << 20, messages=30)
    assert found.Goodput > 0.9 * LINK * 2048 / 2082


def test_each_design_uses_its_transport():
    """UD's datagrams are copied and cut by software, RC and UC write; only UC and UD lose what a link loses."""
    frames = {design: run(design, pattern="stream", size=1 << 20).FramesPerMessage for design in DESIGNS}
    assert max(frames[one] for one in DESIGNS if not one.startswith("ud")) < 10 < 500 < frames["ud-native"]
    with pytest.raises(RelnetError, match=r"made for the transport RC, and network\.Transport selects another"):
        run("rc-native", **{"network.Transport": "UD"})
    with pytest.raises(RelnetError, match="ud-native or ud-reliable sends them as datagrams"):
        run("uc-native", network="csma")
    run("uc-native", **{"network.Transport": "UC"})


def test_matrix_has_a_row_for_each_design():
    pairs = relnet.matrix(nodes=2).query("protocol == 'mpi'")
    over = pairs[pairs.network == "infiniband"]
    assert tuple(over.design) == DESIGNS and over.exists.all()
    refused = pairs[(pairs.network == "csma") & ~pairs.exists]
    assert set(refused.design) == set(DESIGNS[:4]) and refused.reason.str.contains("network=infiniband").all()
    assert "mpi rc-native" in repr(relnet.matrix(nodes=2))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("size", [0, 64, 100000])
def test_message_to_oneself(design, size, tmp_path):
    path = Path(tmp_path) / "self.goal"
    rank = f"rank 0 {{\nl1: send {size}b to 0 tag 1\nl2: recv {size}b from 0 tag 1\n}}\n"
    for nodes, rest in ((2, "rank 1 {\n}\n"), (1, "")):
        path.write_text(f"num_ranks {nodes}\n{rank}{rest}")
        found = run(design, pattern="goal", nodes=nodes, **{"pattern.File": str(path)})
        assert (found.Outcome, found.Verdict, found.Delivered) == ("exact", "completed", 1), found.VerdictReason


def test_one_node_without_a_peer_is_refused_with_a_sentence():
    for pattern in (choice.name for choice in relnet.describe("reliability").parts[2].choices if choice.name != "goal"):
        with pytest.raises(RelnetError, match="needs at least 2 nodes"):
            run("rc-native", nodes=1, pattern=pattern)


def test_matrix_takes_names_of_networks_and_protocols():
    """Lists of names select the pairs, spelled in any way that parameters are; an unknown name is refused."""
    pairs = relnet.matrix(network="csma,wormhole", Protocol=["irn", "roce"], nodes=2)
    assert sorted(zip(pairs["network"], pairs["protocol"], strict=True)) == [
        ("csma", "irn"),
        ("csma", "roce"),
        ("wormhole", "irn"),
        ("wormhole", "roce"),
    ]
    with pytest.raises(relnet.RelnetError, match="There is no protocol 'irm'"):
        relnet.matrix(protocol="irm")
    ordered = relnet.matrix(network="fabric", protocol="uet", **{"protocol.Mode": "rod"})
    assert ordered["exists"].tolist() == [True]
