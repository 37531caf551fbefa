# SPDX-License-Identifier: GPL-2.0-only
"""Captures of Ultra Ethernet and MRC: bytes by their places in the headers, compared with what the run counted."""

import shutil
import struct
import subprocess
from collections import Counter

import pytest
from test_roce import dissect_datagram, read_pcap

import relnet

UET_PORT, MRC_PORT = 4793, 4791
RUD, ROD, RUDI, RUDI_RESPONSE, UUD, ACK, ACK_CC, NACK, CONTROL = 2, 3, 4, 5, 6, 7, 8, 10, 11
"""Types of packets of Ultra Ethernet."""

SYN, RETX = 0x04, 0x10
"""Flags of its requests."""

FIRST, MIDDLE, LAST_IMMEDIATE, SACK, MRC_NACK, PROBE = 0xC6, 0xC7, 0xC9, 0xDC, 0xDD, 0xDE
"""Opcodes of MRC."""

TRANSPORT = 42
"""Place of the transport header after Ethernet, IPv4 and UDP."""

SIZE = 10_001
"""Messages of three packets of at most 4096 bytes."""

LOSSY = {"network": "fabric", "nodes": 2, "messages": 20, "size": SIZE, "loss": 0.02}
TRIMMING = {
    "network": "fabric",
    "nodes": 8,
    "pattern": "hot-spot",
    "size": 100_000,
    "messages": 5,
    "network.Admission": "trim",
    "network.Buffer": 60_000,
    "network.TrimThreshold": 20_000,
}


def dissect_uet(packet):
    """Fields of a packet of Ultra Ethernet, by the layout of its headers."""
    (prologue,) = struct.unpack_from(">H", packet, TRANSPORT)
    fields = dissect_datagram(packet, UET_PORT) | {
        "type": prologue >> 11,
        "next": prologue >> 7 & 0xF,
        "flags": prologue & 0x7F,
        "bytes": len(packet) - TRANSPORT,
    }
    if fields["type"] in (RUD, ROD):
        names = ("clear", "psn", "spdcid", "dpdcid", "operation", "ses_flags", "message")
        fields |= zip(names, struct.unpack_from(">hIHHBBH", packet, TRANSPORT + 2), strict=True)
        if not fields["ses_flags"] & 1:
            names = ("payload", "offset", "length")
            fields |= zip(names, struct.unpack_from(">III", packet, TRANSPORT + 12 + 20), strict=True)
    elif fields["type"] in (ACK, ACK_CC):
        names = ("ack_offset", "cack", "spdcid", "dpdcid")
        fields |= zip(names, struct.unpack_from(">hIHH", packet, TRANSPORT + 2), strict=True)
    elif fields["type"] == NACK:
        fields |= zip(("code", "psn"), struct.unpack_from(">BxI", packet, TRANSPORT + 2), strict=True)
    elif fields["type"] == CONTROL:
        (fields["psn"],) = struct.unpack_from(">I", packet, TRANSPORT + 4)
    return fields


def dissect_mrc(packet):
    """Fields of a packet of MRC, by the layout of its headers."""
    opcode, number = struct.unpack_from(">B7xI", packet, TRANSPORT)
    fields = dissect_datagram(packet, MRC_PORT) | {
        "opcode": opcode,
        "rtx": number >> 29 & 1,
        "psn": number & 0xFFFFFF,
        "bytes": len(packet) - TRANSPORT,
    }
    place = TRANSPORT + 12
    if opcode < SACK:
        names = ("rqmsn", "msn", "address", "length")
        fields |= zip(names, struct.unpack_from(">HHQ4xI", packet, place), strict=True)
    elif opcode == SACK:
        names = ("flags", "ack_offset", "path", "cack")
        fields |= zip(names, struct.unpack_from(">HhI4xI", packet, place), strict=True)
    elif opcode == MRC_NACK:
        fields |= zip(("code", "path", "nack_psn"), struct.unpack_from(">2xBxI4xI", packet, place), strict=True)
    return fields


def capture(path, dissect, **parameters):
    """A run, the counts of its protocol, and the packets in its capture."""
    run = relnet.run("reliability", cache=False, **parameters, **{"protocol.Pcap": str(path)})
    assert run.Verdict == "completed", run.VerdictReason
    events = run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]
    return events, read_pcap(path, dissect)


def by_source(packets):
    """Packets by the address of their sender."""
    return {
        source: [one for one in packets if one["source"] == source] for source in {one["source"] for one in packets}
    }


@pytest.mark.parametrize("mode", ["rud", "rod"])
def test_requests_and_answers_of_a_pdc(tmp_path, mode):
    events, packets = capture(tmp_path / "uet.pcap", dissect_uet, protocol="uet", **LOSSY, **{"protocol.Mode": mode})
    request = {"rud": RUD, "rod": ROD}[mode]
    kinds = Counter(packet["type"] for packet in packets)
    assert set(kinds) <= {request, ACK, ACK_CC, NACK, CONTROL}
    assert kinds[ACK] > 0
    assert bool(kinds[ACK_CC]) == (mode == "rud"), "only RUD keeps what comes after a gap"
    codes = {packet["code"] for packet in packets if packet["type"] == NACK}
    assert codes == (set() if mode == "rud" else {0x0D}), "ROD_OOO after a loss"
    assert 0 < sum(bool(one["flags"] & RETX) for one in packets if one["type"] == request) <= events["repeat"]
    sent = {source: [one for one in of if one["type"] == request] for source, of in by_source(packets).items()}
    assert len(sent) == 2
    for source, requests in sent.items():
        numbers = {one["psn"] for one in requests}
        assert len(numbers) == 60 and max(numbers) - min(numbers) == 59, "three packets of 20 messages"
        # With SYN, the PSN without its offset is the first one of the PDC.
        opening = [one for one in requests if one["flags"] & SYN]
        assert opening and {one["psn"] - (one["dpdcid"] & 0xFFF) for one in opening} == {min(numbers)}
        answers = [one for one in packets if one["type"] in (ACK, ACK_CC) and one["source"] != source]
        closing = {one["psn"] for one in packets if one["type"] == CONTROL and one["source"] == source}
        assert {one["cack"] + one["ack_offset"] for one in answers} <= numbers | closing
        # The answer to CLOSE may come after the end of the run.
        assert max(one["cack"] for one in answers) in (max(numbers), max(numbers | closing))
        for one in requests:
            index = (one["psn"] - min(numbers)) % 3
            assert one["ses_flags"] == [0x05, 0x00, 0x02][index], "SOM with header data, and EOM"
            assert one["message"] == one["psn"] - index & 0xFFFF
            payload = [4096, 4096, SIZE - 2 * 4096][index]
            assert one["bytes"] == 12 + (32 if index else 44) + payload
            if index:
                length = SIZE if index == 2 else 0
                assert (one["payload"], one["offset"], one["length"]) == (payload, 4096 * index, length)
    times = [packet["time"] for packet in packets]
    assert times == sorted(times)


def test_modes_without_a_pdc(tmp_path):
    parameters = LOSSY | {"size": 1000, "loss": 0}
    for mode, expected in (("rudi", {RUDI: 40, RUDI_RESPONSE: 40}), ("uud", {UUD: 40})):
        path = tmp_path / f"{mode}.pcap"
        _, packets = capture(path, dissect_uet, protocol="uet", **parameters, **{"protocol.Mode": mode})
        assert Counter(packet["type"] for packet in packets) == expected
        headers = {RUDI: 6 + 44 + 1000, RUDI_RESPONSE: 6 + 12, UUD: 4 + 44 + 1000}
        assert all(packet["bytes"] == headers[packet["type"]] for packet in packets)


def test_trimmed_packets_of_uet_have_their_code_point_and_a_nack(tmp_path):
    events, packets = capture(tmp_path / "trim.pcap", dissect_uet, protocol="uet", **TRIMMING)
    trimmed = [packet for packet in packets if packet["dscp"] in (59, 63)]
    assert len(trimmed) == events["trimmed"] > 0
    assert {packet["bytes"] for packet in trimmed} <= {12 + 44, 12 + 32}, "headers alone"
    nacks = [packet for packet in packets if packet["type"] == NACK]
    # TRIMMED, or TRIMMED_LASTHOP, by the code point.
    refused = {(packet["psn"], 2 if packet["dscp"] == 59 else 1) for packet in trimmed}
    assert nacks and {(packet["psn"], packet["code"]) for packet in nacks} <= refused
    # Answers have class 1, and other requests class 0.
    assert {packet["dscp"] for packet in packets if packet["type"] in (ACK, ACK_CC, NACK)} == {8}
    assert {packet["dscp"] for packet in packets if packet["type"] == RUD} <= {0, 59, 63}


def test_writes_and_sacks_of_mrc(tmp_path):
    events, packets = capture(tmp_path / "mrc.pcap", dissect_mrc, protocol="mrc", **LOSSY)
    kinds = Counter(packet["opcode"] for packet in packets)
    assert set(kinds) <= {FIRST, MIDDLE, LAST_IMMEDIATE, SACK, PROBE}
    writes = [packet for packet in packets if packet["opcode"] < SACK]
    assert 0 < sum(packet["rtx"] for packet in writes) <= events["repeat"]
    for source, of in by_source(writes).items():
        numbers = {one["psn"] for one in of}
        assert len(numbers) == 60
        for one in of:
            index = (one["psn"] - min(numbers)) % 3
            assert one["opcode"] == [FIRST, MIDDLE, LAST_IMMEDIATE][index]
            assert one["rqmsn"] == one["msn"] == one["psn"] // 3
            assert (one["address"], one["length"]) == (4096 * index, SIZE if index == 2 else 0)
            # The last packet has immediate data, and three bytes of padding.
            payload = 4096 if index < 2 else 4 + SIZE - 2 * 4096 + 3
            assert one["bytes"] == 12 + 4 + 16 + payload + 4
        sacks = [one for one in packets if one["opcode"] == SACK and one["source"] != source]
        assert {one["psn"] == one["cack"] for one in sacks} == {True}
        assert {one["cack"] + one["ack_offset"] & 0xFFFFFF for one in sacks if not one["flags"] & 2} <= numbers
        assert max(one["cack"] + 1 & 0xFFFFFF for one in sacks) == max(numbers) + 1
        assert {one["path"] for one in sacks} <= {one["source_port"] for one in of}, "entropy values return"


def test_trimmed_packets_of_mrc_have_their_code_point_and_a_nack(tmp_path):
    events, packets = capture(tmp_path / "trim.pcap", dissect_mrc, protocol="mrc", **TRIMMING)
    trimmed = [packet for packet in packets if packet["dscp"] in (59, 63)]
    assert len(trimmed) == events["trimmed"] > 0
    assert all(packet["bytes"] <= 12 + 4 + 16 + 4 + 4 for packet in trimmed)
    nacks = [packet for packet in packets if packet["opcode"] == MRC_NACK]
    # TRIMMED, or TRIMMED_LASTHOP, by the code point.
    refused = {(packet["psn"], 2 if packet["dscp"] == 59 else 1) for packet in trimmed}
    assert nacks and {(packet["psn"], packet["code"]) for packet in nacks} <= refused
    assert all(packet["psn"] == packet["nack_psn"] for packet in nacks)


@pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed (Debian package tshark)")
@pytest.mark.parametrize(("protocol", "dissect"), [("uet", dissect_uet), ("mrc", dissect_mrc)])
def test_wireshark_reads_the_captures(tmp_path, protocol, dissect):
    path = tmp_path / "run.pcap"
    _, packets = capture(path, dissect, protocol=protocol, **LOSSY)
    fields = ["udp.dstport", "udp.srcport", "ip.dsfield.dscp", "ip.checksum.status"]
    options = ["-o", "ip.check_checksum:TRUE"]
    if protocol == "mrc":
        # The base transport header; tshark does not know the opcodes, which are those of manufacturers.
        fields += ["infiniband.bth.opcode", "infiniband.bth.psn"]
    options += [word for field in fields for word in ("-e", field)]
    told = subprocess.run(
        ["tshark", "-r", path, "-T", "fields", *options], capture_output=True, text=True, check=True
    ).stdout
    rows = [[int(value, 0) for value in line.split("\t")] for line in told.splitlines()]
    port = {"uet": UET_PORT, "mrc": MRC_PORT}[protocol]
    # 1: the checksum of IPv4 is good.
    expected = [[port, packet["source_port"], packet["dscp"], 1] for packet in packets]
    if protocol == "mrc":
        expected = [[*row, packet["opcode"], packet["psn"]] for row, packet in zip(expected, packets, strict=True)]
    assert rows == expected
