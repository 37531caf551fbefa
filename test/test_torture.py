# SPDX-License-Identifier: GPL-2.0-only
"""Torture tests: reproducible by seed, with shrunk findings."""

import random
import shlex
import threading

import pytest

from relnet.catalog.lookup import describe
from relnet.errors import RelnetError, RunError
from relnet.runs.verdicts import UNDECIDED
from relnet.studies import torture
from relnet.studies.torture import Case, Finding

GOOD = {"Verdict": "completed", "Outcome": "exact", "Promise": "complete", "VerdictReason": "", "Time": 100.0,
        "Latency": 1.0, "LatencyMedian": 1.0, "Tick": 0.001, "Delivered": 5}  # fmt: skip
BAD = {**GOOD, "Verdict": "violated", "Outcome": "loses", "VerdictReason": "Message 1 is missing."}


def test_what_is_drawn_depends_on_the_seed_alone():
    scenario = describe("reliability")

    def cases(seed):
        draw = random.Random(seed)
        return [torture.draw_case(draw, scenario) for _ in range(20)]

    assert cases(1) == cases(1) != cases(2)
    for case in cases(3):
        faults = torture.draw_faults(random.Random(1), GOOD, case.settings["Nodes"])
        command = Case({**case.settings, **faults}, case.seed).task().command
        assert shlex.split(command)[:3] == ["relnet", "run", "reliability"]


def test_outages_last_longer_than_a_message():
    """Even if the run without faults measured no time: outages of a nanosecond would never let it end."""
    calm = {**GOOD, "Time": 0.0, "Latency": 5.0}
    drawn = [torture.draw_faults(random.Random(seed), calm, 4) for seed in range(100)]
    outages = [faults[name] for faults in drawn for name in ("LinkDownTime", "NodeDownTime") if name in faults]
    assert len(outages) > 20 and set(outages) == {"5000ns"}


def test_probabilities_of_faults_are_small():
    """With a probability of 1 nothing arrives, which is not a finding."""
    parts = describe("reliability").parts
    several = [one for part in parts for choice in part.choices for one in choice.parameters]
    faults = {one.name: one for one in several if (one.kind, one.default) == ("double", 0) and (one.maximum or 2) <= 1}
    assert {"SwitchCorruption", "CrcMiss", "Corruption", "LinkFailureRate"} <= set(faults)
    draw = random.Random(1)
    assert all(0 < torture._vary(draw, one) <= 0.1 for one in faults.values() for _ in range(20))
    # Per link and cycle, and per character.
    rare = [one for one in several if one.unit == "1/cycle" or (one.name, one.maximum) == ("Corruption", 0.1)]
    assert len(rare) >= 3
    assert all(0 < torture._vary(draw, one) <= 1e-4 for one in rare for _ in range(20))
    # With the largest message, a frame of 131,000 bits on four links has to arrive now and then.
    bits = next(one for one in several if one.name == "BitErrors")
    assert all(0 < torture._vary(draw, bits) < 2e-6 for _ in range(20))


def test_finding_is_shrunk_to_what_it_needs():
    """The artificial defect needs a loss of at least 0.1 and three messages."""

    def run(case):
        lost = case.settings.get("Loss", 0) >= 0.1 and case.settings["Messages"] >= 3
        return BAD if lost else GOOD

    settings = {"Network": "csma", "Protocol": "tcp", "Pattern": "bursty", "Nodes": 8, "Size": 999, "Messages": 30,
                "Loss": 0.3, "Duplication": 0.5, "protocol.X": 1}  # fmt: skip
    finding = torture.examine(Case(settings, 77), run)
    assert finding == Finding(Case(settings, 77), "violated, loses", "Message 1 is missing.")
    small = torture.shrink(finding, run)
    wanted = {"Network": "csma", "Protocol": "tcp", "Nodes": 2, "Size": 0, "Messages": 3, "Loss": 0.3}
    assert (dict(small.case.settings), small.case.seed) == (wanted, 1)


def test_shrinking_keeps_the_parts_of_a_fault_together():
    """A node that fails is repaired in the shrunk case too, and both times go if neither matters."""

    def run(case):
        return BAD if case.settings.get("NodeUpTime") or case.settings.get("Loss") else GOOD

    outage = {"NodeUpTime": "36ns", "NodeDownTime": "12ns"}
    base = {"Network": "wormhole", "Protocol": "sdr", "Nodes": 2, "Size": 0, "Messages": 1}
    finding = torture.examine(Case({**base, **outage}, 1), run)
    assert torture.shrink(finding, run).case.settings == {**base, **outage}
    finding = torture.examine(Case({**base, **outage, "Loss": 0.3}, 1), run)
    assert torture.shrink(finding, run).case.settings == {**base, "Loss": 0.3}


def test_shrinking_keeps_the_kind_of_a_finding():
    """A smaller case with another failure is rejected."""

    def run(case):
        if case.settings["Messages"] < 5:
            raise RunError("The process ended by signal 11.")
        return BAD

    finding = torture.examine(Case({"Messages": 10, "Network": "csma", "Protocol": "tcp"}, 1), run)
    assert torture.shrink(finding, run).case.settings["Messages"] == 5


def test_refusals_and_reported_failures_are_no_findings():
    def told(case):
        return {**GOOD, "Verdict": "failed", "Outcome": "gives up", "Promise": "reported, once"}

    def refused(case):
        raise RunError(
            "The run failed: The protocol refuses a message of 2474 bytes from peer 0 to peer 1; "
            "its largest message has 8 bytes."
        )

    def refused_broadcast(case):
        raise RunError("The run failed: The protocol refuses messages from peer 0 to all others.")

    case = Case({}, 1)
    assert torture.examine(case, told) is None
    assert torture.examine(case, refused) is None
    assert torture.examine(case, refused_broadcast) is None
    assert torture.examine(case, lambda case: None) is None


def test_findings_are_printed_once_with_their_command(capsys):
    """The first run, without faults, breaks a promise."""
    calls = []

    def run(case):
        calls.append(case)
        return BAD

    assert torture.torture(0, 1, run, jobs=1) == 3
    told = capsys.readouterr().out
    assert told.count("relnet run reliability") == 1 and "violated, loses: Message 1 is missing." in told
    (moment,) = [line for line in told.splitlines() if "relnet trace reliability" in line]
    assert moment.endswith("--around violation")
    assert torture.torture(0, 1, lambda case: GOOD, jobs=1) == 0


def test_progress_is_reported(capsys, monkeypatch):
    """At the beginning, at intervals, and at the end, also after an interruption."""
    seen = []
    reported = threading.Event()

    class Told(torture.Tally):
        def report(self):
            told = super().report()
            reported.set()
            return told

    def run(case):
        seen.append(case)
        # The first report may have been made before this run.
        for _ in range(2):
            reported.clear()
            assert reported.wait(60)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return BAD

    monkeypatch.setattr(torture, "Tally", Told)
    monkeypatch.setattr(torture, "_REPORT_TIME", 0.001)
    with pytest.raises(KeyboardInterrupt):
        torture.torture(5, 1, run, jobs=1)
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("relnet: cases drawn with seed 1 for 5 min; limits: 10 s for a run")
    first = seen[0].settings
    running = f"running, {first['Pattern']} by {first['Protocol']} over {first['Network']} for "
    assert any(f"1 runs of 1 cases drawn, 0 of them refused or cut short; 0 findings; {running}" in one for one in told)
    assert any("1 finding; shrinking a finding (violated, loses), " in one for one in told)
    assert told[-1].startswith("3 runs of 1 cases drawn, 0 of them refused or cut short; 1 finding; ")
    assert told[-1].endswith(" cases a minute")


def test_progress_names_the_default_pattern():
    """A shrunk case may not state its pattern."""
    tally = torture.Tally(lambda case: GOOD, 60)
    tally(Case({"Network": "csma", "Protocol": "tcp"}, 1))
    assert f", {describe('reliability').parameter('Pattern').default} by tcp over csma for " in tally.report()


def test_protocols_without_their_dither_meet_no_periodic_loss(monkeypatch):
    """They stay in step with it, which the documentation states."""
    faults = set()
    for dither in (True, False):
        calm = Case({"Network": "csma", "Protocol": "pcode", "Nodes": 2, "protocol.Dither": dither}, 1)
        monkeypatch.setattr(torture, "draw_case", lambda draw, scenario, aim, calm=calm: calm)
        seen = []
        tally = torture.Tally(lambda case, seen=seen: seen.append(case) or GOOD, 60)
        for seed in range(50):
            torture._draw_one(random.Random(seed), describe("reliability"), tally)
        faults |= {(dither, "LossPeriod" in one.settings) for one in seen}
    assert faults == {(True, True), (True, False), (False, False)}


def test_shrinking_ends_in_time():
    """The smallest finding so far is returned."""
    finding = Finding(Case({"Messages": 10, "Network": "csma", "Protocol": "tcp"}, 1), "violated, loses", "")
    assert torture.shrink(finding, lambda case: BAD, longest=0) == finding
    assert torture.shrink(finding, lambda case: BAD).case.settings["Messages"] == 1


def test_exit_status_of_the_findings(monkeypatch):
    """A run without a result counts most, then a broken promise, then an undecided run."""
    stuck = {**GOOD, "Verdict": "undecided", "Outcome": "undecided", "Delivered": 7}
    monkeypatch.setattr(torture, "shrink", lambda finding, run, **_: finding)

    def crash(case):
        raise RunError("The process ended by signal 11.")

    assert [torture.torture(0, 1, run, jobs=1) for run in (lambda case: stuck, lambda case: BAD, crash)] == [4, 3, 1]


def test_command_line_for_no_time(command):
    ended = command("torture", "--minutes", "0")
    assert ended.status == 0 and "; 0 findings" in ended.err
    assert "has to be a number" in command("torture", "--minutes", "x").err


STUCK = {**GOOD, "Verdict": "undecided", "Outcome": "undecided", "VerdictReason": "The run reached TimeLimit.",
         "Posted": 9, "Delivered": 7, "Pending": 2, "FramesRepeated": 500}  # fmt: skip
CASE = Case({"Network": "myrinet", "Protocol": "p1", "TimeLimit": "74ms"}, 1)


def by_limit(**results):
    """A run by its limit; any longer one is the last, and a result of None was cut short."""

    def run(case):
        limit = case.settings["TimeLimit"]
        assert limit in ("37ms", "74ms", "1110ms", "2220ms", "74000ms", "2220000ms")
        return results.get(f"of_{limit}", results["longer"])

    return run


def test_a_slow_run_is_no_finding():
    """A run that reached its limit counts only if much longer ones run to their limits without a delivery."""
    wanted = Finding(CASE, "undecided, undecided", "The run reached TimeLimit.", UNDECIDED)
    assert torture.examine(CASE, by_limit(longer=STUCK)) == wanted
    assert torture.examine(CASE, by_limit(of_74ms=STUCK, longer={**STUCK, "Delivered": 8})) is None
    assert torture.examine(CASE, by_limit(of_74ms=STUCK, longer=GOOD)) is None
    assert torture.examine(CASE, lambda case: {**STUCK, "Promise": "ordered, intact"}) is None


def test_a_run_whose_longer_one_was_cut_short_counts_if_it_repeats_in_vain():
    """Outages of some microseconds take the time of the machine while a timeout of seconds is awaited."""
    wanted = Finding(CASE, "undecided, undecided", "The run reached TimeLimit.", UNDECIDED)
    half = {**STUCK, "FramesRepeated": 300}
    assert torture.examine(CASE, by_limit(of_37ms=half, of_74ms=STUCK, longer=None)) == wanted
    for few in ({**half, "FramesRepeated": 301}, {**half, "Delivered": 6}, None):
        assert torture.examine(CASE, by_limit(of_37ms=few, of_74ms=STUCK, longer=None)) is None
    everything = {**STUCK, "Posted": 7}
    assert torture.examine(CASE, by_limit(of_37ms=half, of_74ms=everything, longer=None)) is None
    # Of the runs that ended, the longest decides.
    ended = {**STUCK, "FramesRepeated": 510}
    assert torture.examine(CASE, by_limit(of_74ms=STUCK, of_1110ms=STUCK, of_2220ms=ended, longer=None)) is None
    assert torture.examine(CASE, by_limit(of_74ms=STUCK, of_1110ms=half, of_2220ms=ended, longer=None)) == wanted


def test_protocols_of_paper_3_keep_their_stagger():
    """Without it their NACKs may stay in step, which the documentation states."""
    scenario = describe("reliability")
    draw = random.Random(1)
    drawn = [torture.draw_case(draw, scenario) for _ in range(300)]
    staggered = [one for one in drawn if one.settings["Protocol"] in ("p0", "p1", "pcode")]
    assert staggered and all("protocol.NackStagger" in one.settings for one in staggered)
    assert all("protocol.NackStagger" in smaller.settings for smaller in torture._smaller(staggered[0]))


def test_parameters_of_all_cases():
    """Names are checked, and a shrunk case keeps what was given."""
    aim = torture.make_aim({"protocol": "irn,roce", "network": "csma", "protocol.Window": 4})
    assert (aim.protocols, aim.networks, dict(aim.fixed)) == (("irn", "roce"), ("csma",), {"protocol.Window": 4})
    draw = random.Random(1)
    cases = [torture.draw_case(draw, describe("reliability"), aim) for _ in range(20)]
    assert {case.settings["Protocol"] for case in cases} == {"irn", "roce"}
    assert {(case.settings["Network"], case.settings["protocol.Window"]) for case in cases} == {("csma", 4)}
    finding = Finding(cases[0], "violated, loses", "")
    assert torture.shrink(finding, lambda case: BAD, fixed=aim.fixed).case.settings["protocol.Window"] == 4
    for given in ({"protocol": "irm"}, {"network": "csma,lan"}, {"protocol": "irn", "protocol.Windows": 4}):
        with pytest.raises(RelnetError):
            torture.make_aim(given)


def test_own_protocols_come_first():
    aim = torture.Aim(own={"protocol": frozenset(["irn"])})
    draw = random.Random(1)
    drawn = [torture.draw_case(draw, describe("reliability"), aim).settings["Protocol"] for _ in range(100)]
    assert 60 < drawn.count("irn") < 100


def test_cases_beyond_meaning_are_not_drawn():
    """A lifetime of one cycle, or what the scenario sets by its own."""
    draw = random.Random(1)
    names = {name for _ in range(2000) for name in torture.draw_case(draw, describe("reliability")).settings}
    assert not names & {"network.TimeToLive", "pattern.Size", "pattern.Rounds"}
    drawn = [torture.draw_case(draw, describe("reliability")).settings for _ in range(2000)]
    assert {one["protocol.Mtu"] for one in drawn if "protocol.Mtu" in one} == {64, 256, 1024}
    # Without any delivery by the bare network, a broken promise is no finding.
    case = Case({"Network": "wormhole", "Protocol": "irn", "Nodes": 2, "network.Router": "lossy"}, 1)
    bare = {**GOOD, "Delivered": 0}
    assert torture._is_undeliverable(case, lambda case: bare)
    assert not torture._is_undeliverable(case, lambda case: {**bare, "Delivered": 2})
    assert not torture._is_undeliverable(Case({"Network": "csma", "Nodes": 2}, 1), lambda case: bare)


def test_failures_of_one_cause_are_one_finding():
    """30 messages, each of which is named, and one reason."""
    tally = torture.Tally(lambda case: GOOD, 60)
    settings = {"Network": "csma", "Protocol": "irn"}
    findings = [Finding(Case(settings, 1), "violated, loses", f"Message {number} is missing.") for number in range(30)]
    assert [tally.add(finding) for finding in findings] == [True] + [False] * 29
    assert tally.add(Finding(Case(settings, 1), "violated, duplicates", "Message 1 was delivered twice."))
    assert tally.add(Finding(Case({**settings, "Network": "switch"}, 1), "violated, loses", "Message 1 is missing."))
    assert "3 findings, and 29 more like them" in str(tally)


def test_a_run_without_progress_is_undecided(capsys):
    def run(case):
        raise RunError("The run did not end within 60 s, without progress in the last half.")

    assert torture.torture(0, 1, run, jobs=1) == 4
    assert "endless: The run did not end" in capsys.readouterr().out


def test_a_slow_protocol_waits_for_the_others():
    tally = torture.Tally(lambda case: GOOD, 60)
    tally._spent.update(tcp=100.0, irn=1.0, roce=1.0, p0=1.0)
    assert tally.is_slow("tcp") and not tally.is_slow("irn")
    alone = torture.Tally(lambda case: GOOD, 60)
    alone._spent.update(tcp=100.0)
    assert not alone.is_slow("tcp")


def test_a_slow_run_is_cut_short():
    settings = {"Network": "csma", "Protocol": "irn", "Nodes": 8, "Messages": 1_000_000, "Loss": 0.1}
    run = torture.Runner(longest=1.5, endless=60.0)
    assert run(Case({**settings, "TimeLimit": "100000s"}, 1)) is None
    assert run.cut == 1
