# SPDX-License-Identifier: GPL-2.0-only
"""RoCE and IRN over all networks, under loss and reordering."""

import os
import resource
import shutil
import struct
import subprocess
from collections import Counter

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


SEND_FIRST, SEND_LAST, ACKNOWLEDGE = 0x00, 0x03, 0x11
"""Opcodes of RoCEv2."""

CAPTURED = {"network": "fabric", "nodes": 2, "messages": 20, "size": 10_001, "loss": 0.02}


def read_pcap(path, dissect):
    """Packets of a pcap file with times in nanoseconds, dissected into dictionaries; the format of libpcap."""
    data = path.read_bytes()
    magic, _, _, _, _, _, link = struct.unpack_from("<IHHiIII", data)
    assert (magic, link) == (0xA1B23C4D, 1), "nanoseconds, Ethernet"
    place, packets = 24, []
    while place < len(data):
        seconds, nanoseconds, kept, length = struct.unpack_from("<IIII", data, place)
        assert kept == length
        packets.append(dissect(data[place + 16 : place + 16 + length]) | {"time": seconds + nanoseconds * 1e-9})
        place += 16 + length
    return packets


def dissect_datagram(packet, expected_port):
    """Fields of a packet by the layouts of Ethernet, IPv4 and UDP, to an expected port."""
    assert packet[12:14] == bytes.fromhex("0800"), "IPv4"
    header = packet[14:34]
    words = sum(struct.unpack(">10H", header))
    assert (words & 0xFFFF) + (words >> 16) == 0xFFFF, "checksum of IPv4"
    assert struct.unpack_from(">H", header, 2)[0] == len(packet) - 14, "length of IPv4"
    source_port, port, length, _ = struct.unpack_from(">4H", packet, 34)
    assert (header[9], port, length) == (17, expected_port, len(packet) - 34), "UDP to the protocol's port"
    return {"source": header[12:16], "ecn": header[1] & 3, "dscp": header[1] >> 2, "source_port": source_port}


def dissect(packet):
    """Fields of a packet of RoCEv2, by the layouts of InfiniBand's headers."""
    opcode, pad, _, pair, number = struct.unpack_from(">BBHII", packet, 42)
    return dissect_datagram(packet, 4791) | {
        "opcode": opcode,
        "pad": pad >> 4 & 3,
        "pair": pair & 0xFFFFFF,
        "psn": number & 0xFFFFFF,
        "syndrome": packet[54] if opcode == ACKNOWLEDGE else None,
        "bytes": len(packet) - 54,
    }


@pytest.mark.parametrize("protocol", [*PROTOCOLS, "uet", "mrc"])
def test_a_capture_that_cannot_be_written_is_refused(tmp_path, protocol):
    """In a sentence, before the run, which a full path of a folder or a missing folder would have ended."""
    for path in (tmp_path, tmp_path / "none" / "run.pcap"):
        with pytest.raises(relnet.RelnetError, match="Pcap cannot be written"):
            relnet.run("reliability", cache=False, protocol=protocol, **CAPTURED, **{"protocol.Pcap": str(path)})
    assert list(tmp_path.iterdir()) == []
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(relnet.RelnetError, match="Pcap cannot be written"):
        relnet.run("reliability", protocol=protocol, **CAPTURED, **{"protocol.Pcap": str(tmp_path / "pipe")})


def test_a_capture_for_which_the_disk_is_too_small_ends_in_a_sentence(process, cache, tmp_path):
    """A limit of the size of files stands for the full disk."""
    path = tmp_path / "run.pcap"
    words = [f"{name}={value}" for name, value in CAPTURED.items()]
    # Python ignores SIGXFSZ, so that a write beyond the limit is an error.
    done = process(
        "run",
        "reliability",
        "protocol=roce",
        f"protocol.Pcap={path}",
        *words,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert done.status == 1
    assert f"Pcap {path} cannot be written any more; the disk may be full." in done.err


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_capture_is_one_of_rocev2(tmp_path, protocol):
    path = tmp_path / "run.pcap"
    run = relnet.run("reliability", cache=False, protocol=protocol, **CAPTURED, **{"protocol.Pcap": str(path)})
    assert run.Outcome == "exact"
    packets = read_pcap(path, dissect)
    kinds = Counter(packet["opcode"] for packet in packets)
    # Messages of three packets of 4096 bytes, each last one with three bytes of padding and immediate data.
    assert kinds[SEND_FIRST] >= 40 and kinds[SEND_LAST] >= 40
    last = next(packet for packet in packets if packet["opcode"] == SEND_LAST)
    extension = 16 if protocol == "irn" else 0
    assert (last["pad"], last["bytes"]) == (3, 4 + extension + 10_001 - 2 * 4096 + 3 + 4)
    for source in {packet["source"] for packet in packets}:
        sent = [packet for packet in packets if packet["source"] == source]
        data = {packet["psn"] for packet in sent if packet["opcode"] != ACKNOWLEDGE}
        assert len(data) == 60, "numbers of all packets"
        assert max(data) - min(data) == 59 or max(data) == 0xFFFFFF
    syndromes = Counter(packet["syndrome"] for packet in packets if packet["opcode"] == ACKNOWLEDGE)
    assert set(syndromes) == {0x1F, 0x60}, "ACKs, and NAKs after losses"
    assert {packet["ecn"] for packet in packets} == {2}, "ECT(0), no congestion"
    times = [packet["time"] for packet in packets]
    assert times == sorted(times)


def test_marks_are_in_the_capture(tmp_path):
    path = tmp_path / "marks.pcap"
    # A frame has one switch that can mark it.
    marks = {"network.Topology": "switch", "network.Ecn": "step", "network.EcnLow": 10_000, "protocol.Pcap": str(path)}
    run = relnet.run(
        "fabric", cache=False, protocol="irn", nodes=8, workload="incast", senders=7, size=700_000, **marks
    )
    marked = sum(packet["ecn"] == 3 for packet in read_pcap(path, dissect))
    assert marked == run.Marks > 0


@pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed (Debian package tshark)")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_wireshark_reads_the_capture(tmp_path, protocol):
    path = tmp_path / "run.pcap"
    relnet.run("reliability", cache=False, protocol=protocol, **CAPTURED, **{"protocol.Pcap": str(path)})
    fields = ["infiniband.bth.opcode", "infiniband.bth.psn", "infiniband.aeth.syndrome", "ip.dsfield.ecn"]
    options = [word for field in fields for word in ("-e", field)]
    told = subprocess.run(
        ["tshark", "-r", path, "-T", "fields", *options], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split("\t") for line in told.splitlines()]
    packets = read_pcap(path, dissect)
    assert [int(row[0], 0) for row in rows] == [packet["opcode"] for packet in packets]
    assert [int(row[1], 0) for row in rows] == [packet["psn"] for packet in packets]
    assert [int(row[3], 0) for row in rows] == [packet["ecn"] for packet in packets]
    syndromes = [int(row[2], 0) if row[2] else None for row in rows]
    assert syndromes == [packet["syndrome"] for packet in packets]
