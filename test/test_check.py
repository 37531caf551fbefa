# SPDX-License-Identifier: GPL-2.0-only
"""`relnet check` finds the bugs that are planted in a user's protocol, and passes the protocol without them."""

import json
import os
import resource
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import relnet
from relnet import build
from relnet.binding import user_code
from relnet.catalog.lookup import choices
from relnet.checking import checks, fuzzing, searching

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parent / "planted" / "planted.cc"
PROCESSOR_TIME = 60.0
"""Limit for finding a bug [s]."""


@pytest.fixture(scope="session")
def planted(tmp_path_factory):
    """Compile the protocol with a bug, as a user would, and return the path of the library."""
    folder = tmp_path_factory.mktemp("planted")
    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"

    def compile_one(bug):
        library = folder / f"lib{bug.lower()}.so"
        if not library.exists():
            words = [compiler, f"-DPLANTED={bug}", str(SOURCE), "-o", str(library), *build.compiler_flags(), "-O0"]
            ended = subprocess.run(words, capture_output=True, text=True, check=False)
            assert ended.returncode == 0, ended.stderr[-4000:]
        return library

    return compile_one


@pytest.mark.parametrize(
    ("bug", "sentence"),
    [
        ("WINDOW", "A message was reported as delivered before it was."),
        ("WRAP", "A message was delivered twice."),
        ("FALSE_ACK", "A message was reported as delivered before it was."),
        ("NO_REACK", "From here, the requests can no longer all be completed."),
    ],
)
def test_a_planted_bug_is_found_with_a_short_counterexample(bug, sentence, planted, cache, process):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = process("check", planted(bug))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ended.status == 3, ended.out + ended.err
    lines = ended.out.splitlines()
    assert lines[0].startswith("search   broken") and sentence in lines
    assert lines[-2] == f"planted: a promise is broken: {sentence}"
    spent = sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))
    assert spent < PROCESSOR_TIME
    steps = [line for line in lines if line.partition("  ")[0].isdigit() and "eer" in line and line.endswith(".")]
    assert 0 < len(steps) <= 10
    # The last line repeats it.
    again = process(*shlex.split(lines[-1])[1:])
    assert again.status == 3 and sentence in again.out


def test_the_protocol_without_a_bug_passes(planted, cache, process):
    ended = process("check", planted("NONE"), "--minutes", "0.4", "--json")
    assert ended.status == 0, ended.out + ended.err
    found = json.loads(ended.out)
    assert (found["verdict"], found["names"], found["sentence"], found["commands"]) == ("kept", ["planted"], "", [])
    assert [stage["name"] for stage in found["stages"]] == ["search", "runs", "fuzz", "torture", "live"]
    search = found["stages"][0]["text"]
    assert "numbers were used again" in search and "up to " in search


def test_a_wrap_beyond_all_searches_is_seen_in_a_long_run(planted, cache, process):
    """The numbers of a byte are no parameter, so a search does not reach the wrap; a run stands still there."""
    ended = process("check", planted("BYTE_WRAP"), "--minutes", "0.5")
    lines = ended.out.splitlines()
    assert ended.status in (3, 4), ended.out + ended.err
    assert "no number was used again, so a wrap is outside of them" in lines[0]
    assert "Messages=600" in lines[-1] or "Messages=" in lines[-2]


@pytest.mark.parametrize(
    ("bug", "sentence", "last"),
    [
        ("STRANGER", "A core accepts a frame of a peer that does not exist.", "from peer "),
        ("KIND", "", "DATA "),
    ],
)
def test_random_events_find_what_no_network_does(bug, sentence, last, planted, cache, monkeypatch):
    """No run and no search has a frame of a stranger, or of an unknown kind."""
    monkeypatch.setattr(user_code, "_libraries", [])
    relnet.load(planted(bug))
    told = fuzzing.fuzz("planted", {"Window": 4}, 1, 0.5)
    assert sentence in told.sentence and told.sentence and last in told.path[-1], told
    assert bool(told.crash) == (bug == "KIND")


def test_random_events_at_a_protocol_without_a_bug(planted, cache, monkeypatch):
    monkeypatch.setattr(user_code, "_libraries", [])
    relnet.load(planted("NONE"))
    told = fuzzing.fuzz("planted", {"Window": 2, "Modulus": 4}, 1, 0.2)
    assert (told.sentence, told.path, told.refusal) == ("", (), "") and told.sequences >= 1 and told.events >= 100
    assert fuzzing.fuzz("tcp", {}, 1, 0.1).refusal == "tcp has no cores."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["check", "tcp", "protocol=irn"], "protocol= cannot be given, since the target has this protocol: tcp."),
        (["check", "csma", "network=csma"], "network= cannot be given, since the target has this network: csma."),
        (["check", "nosuch"], "There is no protocol, network or library 'nosuch'; `relnet matrix` lists all "),
        (["torture", "protocol=nosuch"], "There is no protocol 'nosuch'; `relnet protocols` lists all "),
    ],
)
def test_contradictions_and_unknown_names_are_refused(words, sentence, cache, command):
    ended = command(*words)
    assert ended.status == 2 and ended.out == "" and ended.err.startswith(f"relnet: {sentence}"), ended.err


def test_a_search_with_an_incomplete_encoding_is_refused(planted, cache, monkeypatch):
    monkeypatch.setattr(user_code, "_libraries", [])
    relnet.load(planted("FORGETFUL"))
    for threads in (1, 3):
        found = relnet.explore("planted", threads=threads, cache=False)
        assert (found.outcome, found.judgement) == ("violated", "broken")
        assert found.sentence == (
            "Encode leaves out state, so the search is not valid: two cores with equal encodings act differently when "
            "peer 1 receives DATA 0 from peer 0: one sends ACK 1 to peer 0; the other delivers message 0 of peer 0, "
            "sends ACK 1 to peer 0."
        )
        assert found.chart() == found.sentence


def test_a_broken_promise_leads_to_its_moment(planted, cache, command):
    """The run prints the command of the trace, which marks the violation."""
    given = ("network=csma", "protocol=planted", "nodes=2", "messages=30", "loss=0.1")
    ended = command("--load", planted("WINDOW"), "run", "reliability", *given)
    assert ended.status == 3
    reason = next(line for line in ended.out.splitlines() if line.startswith("VerdictReason")).split(maxsplit=1)[1]
    words = shlex.split(ended.err.splitlines()[-1].partition("This shows the violation: ")[2])
    assert words[:2] == ["relnet", "--load"] and words[-2:] == ["--around", "violation"]
    shown = command(*words[1:])
    assert shown.status == 0 and f">>> {reason}" in shown.out and "DATA " in shown.out


def test_random_events_take_parameters_as_runs_do():
    """Names in small letters, and values of Python: ns-3 itself reads neither."""
    found = checks.Check(("p0",))
    clock = checks._Clock(30)
    clock.begin("fuzz")
    given = {"protocol.dither": False, "protocol.nackPeriod": "1ms"}
    (stage,) = checks._fuzz(found, ["p0"], given, 1, clock)
    assert (stage.judgement, found.sentence) == ("kept", "")


def test_random_events_end_after_real_time(tmp_path, monkeypatch):
    """They counted processor time, so that beside other work they took several times their share of the check."""

    class Sleepy:
        refusal = ""
        steps = 0

        def __init__(self, *_):
            self.path = []

        def step(self):
            time.sleep(0.001)
            Sleepy.steps += 1
            assert Sleepy.steps < 2000, "the time has been over for long"

    monkeypatch.setattr(fuzzing, "_Sequence", Sleepy)
    told = fuzzing.random_events("any", {}, 1, 0.3, str(tmp_path / "record"))
    assert told["sequences"] > 1 and "sentence" not in told


def test_the_loaded_protocols_of_relnet_pass():
    """A name instead of a library; no sockets for a search."""
    found = relnet.check("idempotent", minutes=0.05, network="csma")
    assert found.verdict == "kept", found
    found = relnet.check("p0", minutes=0.05, network="csma", **{"protocol.Dither": False})
    assert found.verdict == "kept" and "1 pairs" in found.stages[1].text, found
    found = relnet.check("tcp", minutes=0.02, network="csma")
    assert (found.stages[0].judgement, found.verdict) == ("left out", "kept"), found
    assert "sockets" in found.stages[0].text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("idempotens",), "There is no protocol, network or library 'idempotens'; did you mean idempotent?"),
        (("idempotent", "network=lan"), "There is no network 'lan'"),
        (("idempotent", "protocol.Tables=1"), "reliability has no parameter 'protocol.Tables'"),
        (("missing.so",), "does not exist."),
    ],
)
def test_what_cannot_be_checked_is_refused(words, sentence, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ended = command("check", *words)
    assert (ended.status, ended.out) == (2, "") and sentence in ended.err


def test_searches_grow():
    """The smallest come first; windows and numbers become small, and no parameter leaves its range."""
    (irn,) = (one for one in choices("protocols") if one.name == "irn")
    rungs = list(searching.ladder(irn.parameters, {}))
    assert rungs[0] == searching.Rung("0>1", "loss=1,timeout=2")
    assert {rung.own.get("Modulus") for rung in rungs} >= {None, 3, 4, 6}
    assert {rung.own.get("Window") for rung in rungs} >= {None, 1, 2, 3}
    counts = [rung.messages.count(">") for rung in rungs]
    assert counts[0] == 1 and max(counts) <= 8
    fixed = list(searching.ladder(irn.parameters, {"Window": 2}))
    assert {rung.own["Window"] for rung in fixed} == {2}


def test_each_stage_has_its_share(monkeypatch):
    """A stage that takes longer, as on a loaded machine, takes nothing from later ones."""
    now = [100.0]
    monkeypatch.setattr(checks.time, "monotonic", lambda: now[0])
    clock = checks._Clock(60)
    for stage, left in {"search": 24, "runs": 18, "fuzz": 6, "torture": 9, "live": 3}.items():
        clock.begin(stage)
        assert clock.left == pytest.approx(left), stage
        now[0] += 60
        assert clock.left < 0
    clock = checks._Clock(60)
    for stage, left in {"search": 24, "runs": 42, "fuzz": 48, "torture": 57}.items():
        clock.begin(stage)
        assert clock.left == pytest.approx(left), f"{stage} has what is left by those before"


def test_stages_without_time_are_named():
    """A busy machine may not reach them, and the verdict would promise more than was done."""
    stages = [checks.Stage("search", "kept", "13 searches", 9), checks.Stage("fuzz", "left out", checks._NO_TIME, 0)]
    told = str(checks.Check(("mine",), stages)).splitlines()[-1]
    assert told == "mine: no bug was found, but there was no time for fuzz; --minutes gives more"
    assert str(checks.Check(("mine",), stages[:1])).endswith("mine: no bug was found")
