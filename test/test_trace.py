# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of frames and messages over ports, links and net devices."""

import json
import struct
import xml.etree.ElementTree as xml

import pytest

import relnet
from relnet import plots

LOSSY = {"host": "free", "network": "csma", "protocol": "idempotent", "nodes": 3, "messages": 4, "loss": 0.2}


@pytest.fixture(scope="module")
def lossy():
    return relnet.trace("reliability", frametime="5us", **LOSSY)


def test_recording_agrees_with_the_results(lossy):
    """Each frame is recorded once, each loss is one of the fault plan, and each message is delivered once."""
    results = lossy.results
    faults = results.attrs["tables"]["Faults"].set_index("Event")["Count"]
    counts = lossy.frames["outcome"].value_counts()
    assert len(lossy.frames) == results["Frames"]
    assert counts["lost"] == faults["lost"] > 0 and counts.sum() == counts["lost"] + counts["arrived"]
    assert lossy.frames["repeated"].any()
    assert len(lossy.messages) == results["Posted"] == lossy.messages["delivered"].notna().sum()
    assert set(lossy.messages["outcome"]) == {"delivered"}
    assert (lossy.messages["delivered"] <= lossy.messages["ended"]).all()


def test_recording_changes_no_result(lossy):
    plain = relnet.run("reliability", cache=False, frametime="5us", **LOSSY)
    assert plain.to_dict() == lossy.results.to_dict()
    assert "RecordedEvents" not in plain.attrs["tables"] and "RecordedEvents" not in lossy.results.attrs["tables"]


def test_every_lost_message_is_sent_again(lossy):
    for one in lossy.frames[lossy.frames["outcome"] == "lost"].itertuples():
        if one.label.startswith("MSG"):
            same = lossy.frames[
                (lossy.frames["source"] == one.source)
                & (lossy.frames["destination"] == one.destination)
                & (lossy.frames["label"] == one.label)
            ]
            others = same[same["number"] != one.number]
            again = others["repeated"] & (others["sent"] > one.sent)
            # A copy needs no successor if another one arrived: only its acknowledgement was late.
            assert (again | (others["outcome"] == "arrived")).any()


@pytest.mark.parametrize(
    ("scenario", "given", "label"),
    [
        ("idempotent", {"benchmark": "add", "nodes": 16, "loss": 0.02}, "MSG"),
        ("parastation2", {"size": 64, "rounds": 3}, "DATA"),
        ("eqa", {"nodes": 3, "rounds": 2}, "DATA"),
        ("pcode", {"nodes": 3, "rounds": 2}, "REGULAR"),
        ("pcode", {"nodes": 3, "rounds": 2, "system": "tcp"}, "TCP"),
        ("mpi-osu", {"sizes": "64", "windows": 1}, "EAGER"),
        ("reliability", {"protocol": "tcp", "nodes": 2, "messages": 2}, "TCP"),
    ],
)
def test_every_kind_of_scenario_is_recorded(scenario, given, label):
    """Ports, links of MPI, and net devices under sockets; recording does not change results."""
    recorded = relnet.trace(scenario, limit=3000, **given)
    assert (recorded.frames["outcome"] == "arrived").any()
    assert recorded.frames["label"].str.startswith(label).any()
    assert relnet.run(scenario, cache=False, **given).to_dict() == recorded.results.to_dict()


@pytest.mark.parametrize("transport", ["RC", "UC"])
def test_a_write_arrives_when_its_data_are_in_memory(transport):
    """Not when its rank polls for the FIN behind it; the first message has no other traffic beside it."""
    frames = relnet.trace("mpi-osu", transport=transport, sizes="20000", windows=1, limit=100).frames
    write, fin = (frames[frames["label"].str.startswith(kind)].iloc[0] for kind in ("RDMA_DATA", "FIN"))
    assert write["ended"] < fin["ended"]


def test_limit_and_window(lossy):
    few = relnet.trace("reliability", limit=20, **LOSSY)
    assert len(few.events) == 20 and few.truncated and "Recording ended after 20 events" in few.summary
    late = relnet.trace("reliability", begin="100us", end=0.0002, **LOSSY)
    assert late.events["Time"].between(100_000, 200_000).all() and len(late.events)
    with pytest.raises(relnet.RelnetError, match="begin is '-1s'"):
        relnet.trace("reliability", begin="-1s")


def test_chart_of_text(lossy):
    lines = lossy.text(first=1000, width=120).splitlines()
    assert lines[0].split() == ["us", "node", "0", "node", "1", "node", "2"]
    assert any("MSG 0" in line and ">|" in line for line in lines)
    assert any("x" in line and line.endswith("lost") for line in lines)
    assert any("again" in line for line in lines) and any("delivers message 0" in line for line in lines)
    assert len(lossy.text(first=5).splitlines()) == 7
    narrow = lossy.text(first=1000, width=50)
    assert "0 --> 1  MSG 0" in narrow
    only = lossy.text(first=1000, nodes=[0], width=50)
    assert "1 --> 2" not in only and "0 --> 1" in only


def test_figures(lossy):
    for figure in (plots.sequence(lossy), plots.sequence(lossy, 5, [0]), plots.timeline(lossy)):
        assert plots.svg(figure).startswith(b"<?xml")
    assert lossy._repr_html_().startswith('<img src="data:image/svg')


def check_trace_events(told):
    """Check against the trace event format: phases and their members, and no overlap on a line."""
    assert set(told) <= {"traceEvents", "displayTimeUnit", "otherData"} and told["displayTimeUnit"] in ("ms", "ns")
    ends, order = {}, []
    for event in told["traceEvents"]:
        assert isinstance(event["name"], str) and type(event["pid"]) is int and type(event["tid"]) is int
        assert isinstance(event["ts"], int | float) and event["ts"] >= 0
        phase = event["ph"]
        if phase == "M":
            assert event["name"] in ("process_name", "thread_name") and isinstance(event["args"]["name"], str)
            continue
        order.append(event["ts"])
        if phase == "X":
            assert event["dur"] >= 0
            place = event["pid"], event["tid"]
            assert event["ts"] >= ends.get(place, 0) - 1e-9, "what is on a line does not overlap"
            ends[place] = event["ts"] + event["dur"]
        elif phase == "i":
            assert event["s"] in "gpt"
        else:
            assert phase == "C" and all(isinstance(value, int) for value in event["args"].values())
    assert order == sorted(order)


def test_trace_for_perfetto(lossy):
    told = json.loads(json.dumps(lossy.perfetto(), allow_nan=False, default=int))
    check_trace_events(told)
    names = {event["args"]["name"] for event in told["traceEvents"] if event["ph"] == "M"}
    lines = {"node 0", "node 0: messages", "0 to 1", "host 0: instructions"}
    assert {"nodes", "links", "hosts"} | lines <= names
    for kind, count in (("frame", len(lossy.frames)), ("message", len(lossy.messages))):
        assert sum(event["ph"] == "X" and event["cat"] == kind for event in told["traceEvents"]) == count


@pytest.mark.parametrize("network", ["csma", "wormhole", "infiniband"])
def test_animation_for_netanim(network):
    """Elements and attributes as in ns-3's animation-interface.cc, and each arrived frame, in order."""
    recorded = relnet.trace("reliability", **LOSSY | {"network": network})
    told = xml.fromstring(recorded.netanim())
    assert told.attrib == {"ver": "netanim-3.109", "filetype": "animation"}
    nodes, packets = told.findall("node"), told.findall("p")
    assert [node.get("id") for node in nodes] == ["0", "1", "2"] and len(told) == len(nodes) + len(packets)
    assert all(list(node.attrib) == ["id", "sysId", "locX", "locY"] for node in nodes)
    assert all(list(one.attrib) == ["fId", "fbTx", "lbTx", "meta-info", "tId", "fbRx", "lbRx"] for one in packets)
    arrived = recorded.frames[recorded.frames["outcome"] == "arrived"]
    drawn = [(int(one.get("fId")), int(one.get("tId"))) for one in packets]
    assert sorted(drawn) == sorted(zip(arrived["source"], arrived["destination"], strict=True)) and len(drawn) > 10
    times = [(float(one.get("fbTx")), float(one.get("fbRx"))) for one in packets]
    assert all(begin < end for begin, end in times) and times == sorted(times, key=lambda one: one[0])
    assert any(one.get("meta-info").endswith(" again") for one in packets)


def test_command_writes_what_the_endings_say(command, cache, tmp_path):
    words = ["trace", "reliability", *(f"{name}={value}" for name, value in LOSSY.items()), "--first", "10"]
    files = [tmp_path / f"chart.{ending}" for ending in ("svg", "png", "txt", "json", "csv", "xml")]
    told = command(*words, *(word for file in files for word in ("--out", file)))
    assert told.status == 0 and told.err == "" and "arrived" in told.out.splitlines()[-1]
    assert [file.read_bytes()[:5] for file in files[:2]] == [b"<?xml", b"\x89PNG\r"]
    assert "node 0" in files[2].read_text() and files[4].read_text().startswith("Time,Event,Node,Peer,")
    check_trace_events(json.loads(files[3].read_text()))
    assert xml.fromstring(files[5].read_text()).tag == "anim"
    refused = command(*words, "--out", "chart.doc")
    assert refused.status == 2 and "has to end in one of .txt, .svg, .png, .json, .xml, .csv" in refused.err


def test_pcap_traces(command, cache, tmp_path):
    words = ["trace", "reliability", "network=csma", "protocol=tcp", "nodes=2", "messages=2"]
    told = command(*words, "--pcap", tmp_path / "pcap")
    assert told.status == 0, told.err
    files = sorted((tmp_path / "pcap").iterdir())
    assert [file.name for file in files] == ["trace-0-0.pcap", "trace-1-0.pcap"]
    magic, _, _, _, _, _, link = struct.unpack("<IHHiIII", files[0].read_bytes()[:24])
    assert magic in (0xA1B2C3D4, 0xA1B23C4D) and link == 1, "Ethernet"
    none = command("trace", "idempotent", "nodes=16", "benchmark=add", "--pcap", tmp_path / "none")
    assert none.status == 2 and "sent nothing over net devices" in none.err
