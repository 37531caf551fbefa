# SPDX-License-Identifier: GPL-2.0-only
"""The exhaustive search from Python and from the command line."""

from __future__ import annotations

import json
import shlex
import xml.dom.minidom

import pytest

import relnet
from relnet import cli, papers
from relnet.catalog import lookup
from relnet.experiments.definitions import Scale
from relnet.runs.single import run_record

_LIVELOCK = {
    "peers": 3,
    "messages": "1>0,2>0",
    "faults": "loss,collide",
    "capacity": 1,
    "fair": True,
    "ReceiveTable": 1,
}


def test_threads_and_bounds_of_a_sound_search():
    alone = relnet.explore("idempotent", threads=1, cache=False)
    together = relnet.explore("idempotent", threads=3, cache=False)
    assert (alone.outcome, alone.sentence, alone.path) == ("sound", "", ())
    assert (alone.states, alone.transitions, alone.memory) == (together.states, together.transitions, together.memory)
    assert alone.chart() == ""
    assert 0 < alone.omission < 1e-9
    assert relnet.explore("idempotent", states=100, cache=False).outcome == "gave up"
    assert not alone.reused and alone.bounds == (
        "2 peers, messages 2 of 4 bytes, faults loss, 2 frames in flight from one to another; no number was used "
        "again, so a wrap is outside of them"
    )


def test_bounds_are_printed_and_the_command_repeats_the_search(command):
    words = ["explore", "irn", "protocol.Modulus=3", "protocol.Window=1", "--messages", "4", "--faults", "loss"]
    ended = command(*words)
    bounds = "2 peers, messages 4 of 4 bytes, faults loss, 2 frames in flight from one to another, Modulus=3, Window=1"
    assert f"Bounds: {bounds}; numbers were used again" in ended.out.splitlines()
    found = relnet.explore("irn", messages=4, faults="loss", Modulus=3, Window=1)
    assert found.reused and shlex.split(found.command(["relnet"]))[1:] == words


def test_livelock_as_a_chart():
    found = relnet.explore("idempotent", **_LIVELOCK)
    assert found.outcome == "livelock"
    repeated = [step for step in found.path if step.repeats]
    assert repeated and repeated == list(found.path[-len(repeated) :])
    lost = "sends CONF 0 to peer 0 (lost)"
    assert any(lost in step.text for step in repeated)
    chart = found.chart()
    assert "<---------------------- MSG 0 -------------------------|" in chart
    assert sum(line.count("*  |") for line in chart.splitlines()) == len(repeated)
    drawn = xml.dom.minidom.parseString(found.svg())
    lines = [line for line in drawn.getElementsByTagName("line") if line.getAttribute("marker-end")]
    assert len(lines) == sum(arrow.arrived for arrow in found.arrows)
    assert relnet.explore("idempotent", **(_LIVELOCK | {"ReceiveTable": 2})).outcome == "sound"


@pytest.mark.parametrize("protocol", [choice.name for choice in lookup.choices("protocols")])
def test_every_protocol_over_frames_has_cores(protocol):
    given = {"messages": "1", "faults": "loss=1,timeout=1", "capacity": 1}
    if protocol in ("tcp", "udp"):
        with pytest.raises(relnet.RelnetError, match="sockets"):
            relnet.explore(protocol, **given)
        return
    found = relnet.explore(protocol, **given)
    assert found.outcome == "safe", found.chart()
    assert found.states > 3


_LITERAL = {"peers": 3, "messages": "0>1,0>2", "faults": "loss=1,collide", "capacity": 1}
_LITERAL |= {"Dither": False, "SendBuffer": 1, "LiteralDiscard": True}


def test_what_was_asked_is_told():
    """B-08: no search with limited timeouts finds P1 with the literal discard rule sound."""
    limited = relnet.explore("p1", **(_LITERAL | {"faults": "loss=1,collide,timeout=3"}))
    assert (limited.outcome, limited.asked) == ("safe", "each step; not an end, as timeouts are limited")
    assert (
        relnet.explore("idempotent", bits=True, memory=1).asked == "each step; not an end, as states are marked in bits"
    )
    sound = relnet.explore("p0", Dither=False)
    assert (sound.outcome, sound.asked) == ("sound", "each step, an end from each state")
    asked = relnet.explore("p0", Dither=False, faults="patient", fair=True).asked
    assert asked == "each step, an end from each state, cycles without an end"


@pytest.mark.parametrize(("states", "steps"), [(10_000_000, 4), (400_000, 5)])
def test_literal_discard_gets_stuck(states, steps):
    """B-08: by a short path, even if the search gives up before it has visited all states."""
    found = relnet.explore("p1", states=states, threads=2, **_LITERAL)
    assert (found.outcome, len(found.path), found.states > states) == ("stuck", steps, states < 1_000_000)
    assert any(step.text == "REGULAR 1 from peer 0 to peer 2 is lost." for step in found.path)
    again = relnet.explore("p1", states=states, threads=1, **_LITERAL)
    assert again.path == found.path
    rest = relnet.explore("p1", states=300_000, threads=2, **(_LITERAL | {"LiteralDiscard": False}))
    assert rest.outcome == "gave up"


def test_patient_timers():
    """If timers may always fire too early, their frames can displace all others for ever."""
    given = {"messages": "1", "capacity": 1, "fair": True}
    assert relnet.explore("sbcast", faults="loss", **given).outcome == "livelock"
    eager = relnet.explore("sbcast", faults="loss", **(given | {"fair": False}))
    patient = relnet.explore("sbcast", faults="loss,patient", **given)
    assert (patient.outcome, eager.outcome) == ("sound", "sound")
    assert patient.states < eager.states


_SEARCHES = [
    pytest.param(point.parameters, id=" ".join(f"{name}={value}" for name, value in point.parameters.items()))
    for paper in papers.modelled()
    for one in paper.experiments
    if one.key == "searches"
    for point in one.points(Scale("quick", 1))
    if point.parameters.get("symmetry", True)
]


@pytest.mark.parametrize("reduced", _SEARCHES)
def test_reductions_and_threads_change_no_outcome(reduced):
    """Each search of the report, with and without reductions: equal outcomes and equally short counterexamples."""
    shared = dict(reduced) | {"threads": 3}
    whole = dict(reduced) | {"symmetry": False}
    (_, _, few), (_, _, all_states), (_, _, together) = (
        run_record("explore", dict(given)) for given in (reduced, whole, shared)
    )
    # Threads that find a state at once may both store it for a while.
    measured = {"SearchTime", "Memory"}
    assert all(few.results[name] == together.results[name] for name in few.results if name not in measured)
    assert few.tables == together.tables
    assert few.results["Outcome"] == all_states.results["Outcome"] not in ("none", "gave up")
    assert 0 < few.results["StatesSeen"] <= all_states.results["StatesSeen"]
    lengths = [[table.rows for table in record.tables if table.name == "Path"] for record in (few, all_states)]
    assert lengths[0] == lengths[1]


def test_methods():
    given = {"messages": "3", "SendTable": 2}
    every = relnet.explore("idempotent", symmetry=False, **given)
    alike = relnet.explore("idempotent", **given)
    bits = relnet.explore("idempotent", symmetry=False, bits=True, memory=1, **given)
    assert (every.outcome, alike.outcome, bits.outcome) == ("sound", "sound", "safe")
    assert alike.states < every.states / 3
    assert (bits.states, bits.transitions) == (every.states, every.transitions)
    assert 0 < bits.omission < 1e-3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"faults": "storm"}, "Faults has storm"),
        ({"faults": "loss=1024"}, "N below 1024"),
        ({"messages": "0>2"}, "peers below 2"),
        ({"messages": "65"}, "1 to 64"),
        ({"fair": True, "faults": "timeout=2"}, "leave timeout out"),
        ({"fair": True, "bits": True}, "leave out Bits"),
        ({"memory": "much"}, "MemoryLimit is 'much'"),
    ],
)
def test_what_is_refused(given, words):
    with pytest.raises(relnet.RelnetError, match=words):
        relnet.explore("idempotent", **given)


def test_a_bound_is_given_once(command):
    ended = command("explore", "p0", "messages=1", "--messages", "0>1")
    assert ended.status == 2 and "messages is given twice: as messages= and as --messages." in ended.err


def test_command_line(capsys, tmp_path):
    target = tmp_path / "deep" / "chart.svg"
    words = ["explore", "idempotent", "ReceiveTable=1", "--peers", "3", "--messages", "1>0,2>0", "--fair"]
    words += ["--faults", "loss,collide", "--capacity", "1", "--no-symmetry", "--memory", "1"]
    assert cli.main([*words, "--svg", str(target)]) == 3
    shown = capsys.readouterr().out
    assert "(* repeats for ever)" in shown and "livelock: " in shown and "states/s" in shown
    assert target.read_text().startswith("<svg")
    assert cli.main([*words, "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["outcome"] == "livelock" and told["path"][0]["text"].startswith("Peer ")


@pytest.mark.parametrize("faults", ["loss=1,loss=2", "loss,loss=2", "reorder,reorder"])
def test_a_fault_is_named_once(faults, cache, command):
    """The last one counted, so that a search with one loss claimed to have two, or any number."""
    ended = command("explore", "idempotent", "--faults", faults)
    assert (ended.status, ended.err) == (2, f"relnet: Faults has {faults.partition(',')[0].partition('=')[0]} twice.\n")
