# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of frames and messages over ports, links and net devices."""

import itertools
import json
import re
import resource
import struct
import xml.etree.ElementTree as xml

import pandas
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

import relnet
from relnet import plots
from relnet.studies import recording

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
        # Padding of its short frames, which ns-3's metadata did not know, ended the run.
        ("pcode", {"nodes": 3, "rounds": 2, "system": "p0"}, "REGULAR"),
        ("mpi-osu", {"sizes": "64", "windows": 1}, "EAGER"),
        ("reliability", {"protocol": "tcp", "nodes": 2, "messages": 2}, "TCP"),
    ],
)
def test_every_kind_of_scenario_is_recorded(scenario, given, label):
    """Ports, links of MPI, and net devices under sockets; recording does not change results."""
    recorded = relnet.trace(scenario, limit=3000, **given)
    assert (recorded.frames["outcome"] == "arrived").any()
    assert recorded.frames["label"].str.startswith(label).any()
    pd.testing.assert_series_equal(relnet.run(scenario, cache=False, **given), recorded.results, check_names=False)


@pytest.mark.parametrize("transport", ["RC", "UC"])
def test_a_write_arrives_when_its_data_are_in_memory(transport):
    """Not when its rank polls for the FIN behind it; the first message has no other traffic beside it."""
    frames = relnet.trace("mpi-osu", transport=transport, sizes="20000", windows=1, limit=100).frames
    write, fin = (frames[frames["label"].str.startswith(kind)].iloc[0] for kind in ("RDMA_DATA", "FIN"))
    assert write["ended"] < fin["ended"]


def test_limit_and_window(lossy):
    few = relnet.trace("reliability", limit=20, **LOSSY)
    assert few.truncated and "Recording ended after 20 events" in few.summary
    assert len(few.frames) + len(few.messages) < 20 < len(few.events), "the ends of what has begun"
    late = relnet.trace("reliability", begin="100us", end=0.0002, **LOSSY)
    begun = late.events[late.events["Event"].isin(["post", "send"])]
    assert begun["Time"].between(100_000, 200_000).all() and len(begun)
    with pytest.raises(relnet.RelnetError, match="begin is '-1s'"):
        relnet.trace("reliability", begin="-1s")


def test_a_window_invents_no_losses(cache):
    """Frames that arrived after the window counted as lost, and numbers began at 0."""
    given = {"network": "csma", "protocol": "idempotent", "nodes": 3, "messages": 20}
    whole = relnet.trace("reliability", **given).frames
    part = relnet.trace("reliability", begin="2ms", end="3ms", **given)
    assert len(part.frames) and set(part.frames["outcome"]) == {"arrived"} and "lost" not in part.text()
    same = whole[whole["number"].isin(part.frames["number"])]
    assert part.frames.to_dict("records") == same.to_dict("records")
    accepted = part.messages[part.messages["outcome"] == "delivered"]
    assert part.messages["number"].min() > 0 and accepted["delivered"].notna().all()


def test_frames_at_the_end_of_a_run_are_in_flight(cache):
    """They counted as lost, such as the last FINs of TCP."""
    ended = relnet.trace("reliability", network="switch", protocol="tcp", nodes=2, messages=5, size=64)
    line = next(line for line in str(ended).splitlines() if "SYN|ACK" in line)
    assert line.endswith("|  +23.320"), "a label has a bar, too"
    assert "lost" not in ended.summary
    times = {0: ("send", 0), 1: ("arrive", 30), 2: ("send", 60), 3: ("send", 75), 4: ("end", 100)}
    numbers = [0, 0, 1, 2, -1]
    rows = [(1000 * time, kind, 0, 1, number) for (kind, time), number in zip(times.values(), numbers, strict=True)]
    events = pandas.DataFrame(rows, columns=["Time", "Event", "Node", "Peer", "Number"])
    made = recording.Trace(events.assign(Bytes=9, Label="MSG", Detail=""), ended.results, 99, ended._parts, 1e9)
    assert list(made.frames["outcome"]) == ["arrived", "lost", "in flight"], "the longest flight took 30 us"


def test_a_frame_stands_below_the_post_that_caused_it(cache):
    free = {"network": "csma", "protocol": "none", "nodes": 2, "messages": 1, "loss": 1.0, "host": "free"}
    lines = relnet.trace("reliability", **free).text(width=120).splitlines()
    places = {word: next(i for i, line in enumerate(lines) if word in line) for word in ("posts", "lost")}
    assert places["posts"] < places["lost"]


def test_delivered_messages_show_the_parts_of_their_latency(lossy):
    """As the results have them: their sums are latencies, and their means the parts of the run."""
    messages = lossy.messages
    for part in recording.PARTS:
        assert messages[part].mean() == pytest.approx(lossy.results[f"Latency{part.capitalize()}"], abs=1e-3)
    sums = messages[list(recording.PARTS)].sum(axis=1)
    assert sums.mean() == pytest.approx(lossy.results["Latency"], abs=1e-3)
    assert (sums >= messages["delivered"] - messages["posted"] - 1e-6).all()
    line = next(line for line in lossy.text(1000).splitlines() if "delivers message 0" in line)
    parts = {word: float(number) for word, number in re.findall(r"(\w+) ([0-9.]+)", line.partition(": ")[2])}
    first = messages[messages["number"] == 0].iloc[0]
    told = {part: time for part, time in parts.items() if part in recording.PARTS}
    assert told == pytest.approx({part: first[part] for part in told}, abs=1e-3) and len(told) > 1
    assert f"after {sums[first.name]:.3f}: " in line


def test_a_chart_is_centred_on_the_violation(lossy, command, monkeypatch):
    """On the post of a message that was never delivered, or on a wrong delivery."""
    number = len(lossy.messages) // 2
    lost = f"Message {number} (request 3, 9 bytes) from peer 0 to peer 1 was never delivered, at 999 ns."
    for reason, time in (
        (lost, lossy.messages["posted"][number]),
        ("Message 1 from peer 0 was delivered twice, at 70000 ns; no frame is in flight.", 70.0),
    ):
        monkeypatch.setitem(lossy.results, "VerdictReason", reason)
        assert recording._violation(lossy) == time
    middle = lossy.frames["sent"].median()
    monkeypatch.setattr(lossy, "centre", middle)
    lines = lossy.text(first=10, width=120).splitlines()
    assert "earlier lines" in lines[1] and "more lines" in lines[-1]
    place = next(place for place, line in enumerate(lines) if ">>> Message 1 from peer 0" in line)
    stamps = [float(line.split()[0]) for line in lines[2:place] + lines[place + 1 : -1]]
    assert len(stamps) == 10 and stamps[4] < middle <= stamps[5] + 1e-3
    assert place == 2 + sum(stamp < middle for stamp in stamps)
    marks = [event for event in lossy.perfetto()["traceEvents"] if event.get("cat") == "violation"]
    assert [(mark["ts"], mark["s"], mark["name"]) for mark in marks] == [(middle, "g", lossy.results["VerdictReason"])]
    monkeypatch.setitem(lossy.results, "VerdictReason", "Nothing can happen any more.")
    monkeypatch.setitem(lossy.results, "Verdict", "deadlock")
    assert recording._violation(lossy) == lossy.events["Time"].max() / 1e3
    monkeypatch.setitem(lossy.results, "Verdict", "violated")
    assert plots.svg(plots.sequence(lossy, 10)).startswith(b"<?xml")
    told = command("trace", "reliability", "network=csma", "nodes=2", "messages=2", "--around", "violation")
    assert told.status == 2 and "The run has no violation" in told.err


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


def test_labels_of_one_moment_do_not_overlap(cache):
    """Four nodes send six messages each: all arrows of a node began at one point, and labels lay on each other."""
    busy = relnet.trace("reliability", network="switch", protocol="idempotent", nodes=4, messages=6, host="free")
    figure = plots.sequence(busy, 60)
    FigureCanvasAgg(figure).draw()
    texts = [text for text in figure.axes[0].texts if re.match("MSG|post", text.get_text())]
    told = [text.get_text() for text in texts]
    assert len(told) == 4 + 4 * 6 and told.count("MSG 3") == 4 and "post 6 to 11" in told
    boxes = [text.get_window_extent() for text in texts]
    for one, other in itertools.combinations(range(len(boxes)), 2):
        assert not boxes[one].overlaps(boxes[other]), (told[one], told[other])


def test_events_of_one_moment_have_a_short_label():
    assert plots._ranges([0, 1, 2, 5, 6, -1]) == " 0 to 2, 5, 6" and plots._ranges([-1]) == ""
    assert plots._ranges([3, 5, 7, 9, 11]) == " 3, 5, ... 11 (5)" and plots._ranges([-1, -1]) == " (2)"


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


def test_a_deadlock_is_marked_at_the_end(command, cache):
    words = ["network=csma", "protocol=credits", "nodes=2", "pattern=stream", "messages=100", "loss=0.05"]
    told = command("trace", "reliability", *words, "--around", "violation")
    assert told.status == 0, told.err
    assert "  >>> Nothing can happen any more: " in told.out.splitlines()[-2]


def test_an_empty_chart_states_its_reason(command, cache):
    words = ["trace", "reliability", "network=csma", "protocol=none", "nodes=2", "messages=1"]
    absent = command(*words, "--nodes", "5,9")
    assert absent.status == 2
    assert absent.err == "relnet: No message or frame of nodes 5, 9 was recorded, but those of nodes 0, 1 were.\n"
    assert command(*words, "--begin", "50s").out.startswith("Nothing was recorded between begin and end.\n")


def test_ascii_trace(command, cache, tmp_path):
    words = ["trace", "reliability", "protocol=tcp", "nodes=2", "messages=2", "--ascii", tmp_path / "trace.tr"]
    for network in ("csma", "myrinet", "wifi"):
        told = command(*words, f"network={network}")
        assert told.status == 0, told.err
        lines = (tmp_path / "trace.tr").read_text().splitlines()
        assert {line[0] for line in lines} >= {"+", "r"}, network
        assert any("TcpHeader" in line for line in lines), network
    none = command("trace", "idempotent", "nodes=16", "benchmark=add", "--ascii", tmp_path / "none.tr")
    assert none.status == 2 and "sent nothing over net devices that can be captured" in none.err
    assert not (tmp_path / "none.tr").exists()
    told = command(*words[:-1], tmp_path, "network=csma")
    assert told.status == 2 and str(tmp_path) in told.err, "a folder is refused before the run"


def test_an_ascii_trace_for_which_there_is_no_room_is_not_called_empty(process, cache, tmp_path):
    """A limit of the size of files stands for the full disk."""
    told = process(
        *("trace", "reliability", "network=csma", "protocol=tcp", "nodes=2", "messages=2"),
        *("--ascii", tmp_path / "trace.tr"),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    assert told.status == 2 and "trace.tr cannot be written: File too large." in told.err
    assert not (tmp_path / "trace.tr").exists()


def test_pcap_traces(command, cache, tmp_path):
    words = ["trace", "reliability", "network=csma", "protocol=tcp", "nodes=2", "messages=2"]
    told = command(*words, "--pcap", tmp_path / "pcap")
    assert told.status == 0, told.err
    files = sorted((tmp_path / "pcap").iterdir())
    assert [file.name for file in files] == ["trace-0-0.pcap", "trace-1-0.pcap"]
    magic, _, _, _, _, _, link = struct.unpack("<IHHiIII", files[0].read_bytes()[:24])
    assert magic in (0xA1B2C3D4, 0xA1B23C4D) and link == 1, "Ethernet"
    none = command("trace", "idempotent", "nodes=16", "benchmark=add", "--pcap", tmp_path / "none")
    assert none.status == 2 and "sent nothing over net devices that can be captured" in none.err
