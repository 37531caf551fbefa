# SPDX-License-Identifier: GPL-2.0-only
"""
Torture tests: runs with random networks, protocols, patterns, faults, parameters and seeds.

A run that breaks a promise, crashes or does not end is shrunk: parameters return to their defaults and numbers become
smaller while the same failure occurs. The result is one command.
"""

from __future__ import annotations

import math
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from relnet.catalog.lookup import describe
from relnet.catalog.parameters import Parameter
from relnet.catalog.scenario import Choice, Scenario
from relnet.errors import RelnetError, RunError
from relnet.processes import pool
from relnet.records.tasks import Task
from relnet.runs.single import make_task
from relnet.runs.verdicts import BROKEN, UNDECIDED, exit_status, judge
from relnet.studies.fault_matrix import CALM_LIMIT, IN_STEP, REFUSAL, SCENARIO, STAGGERED, time_limit

_LONGEST = 60.0
"""Time limit of a run [s]."""
_SHRINKS = 150
"""Maximum number of runs to shrink a finding."""
_SHRINK_TIME = 300.0
"""Time limit for shrinking a finding [s]."""
_REPORT_TIME = 10.0
"""Time between two progress reports [s]."""
_LONGER = 30
"""A run that reached its time limit is repeated with this multiple of it before it is reported as undecided."""
_CRASHES = ("crash", "endless")
"""Kinds of runs without a result."""
_CHANCE = 0.15
"""Probability that a parameter of a part is drawn rather than left at its default."""
_LEFT_ALONE = {
    "Variant": "of the idempotent protocol other than sound is wrong, as its paper proves",
    "LiteralDiscard": "lets a group of a protocol of paper 3 deadlock",
    "DrainTime": "has to exceed the lifetime of any packet in the network",
    "SequenceBits": "can be too few for the window, as searches show",
    "Timeout": "of a tick makes a run endless",
    "Window": "of a pattern with several messages in flight is drawn as Messages",
    "Radius": "of a wireless network can put its stations out of each other's range",
    "Interval": "of a pattern stretches a run without bound",
    "SourceBusy": "drop loses all but the first of the packets that a node posts at once, also of each repetition",
}
"""Parameters that are not drawn, since with a random value a run may fail as their documentation says."""
_PATTERNS_WITHOUT = {"goal"}
"""Patterns that need a file."""


@dataclass(frozen=True)
class Case:
    """
    A random run.

    Attributes
    ----------
    settings : mapping of str to object
        Parameters of `reliability`.
    seed : int
        Seed.
    """

    settings: Mapping[str, Any]
    seed: int

    def task(self) -> Task:
        """Make the task; raises RelnetError if parameters are not allowed."""
        return make_task(*describe(SCENARIO).bind(self.settings), self.seed)


@dataclass(frozen=True)
class Finding:
    """
    A failure.

    Attributes
    ----------
    case : Case
        The run.
    kind : str
        Kind of the failure, which shrinking preserves.
    reason : str
        Description, one sentence.
    judgement : str
        Whether it breaks the promise, or is undecided.
    """

    case: Case
    kind: str
    reason: str
    judgement: str = BROKEN


Execute = Callable[[Case], Mapping[str, Any] | None]
"""Runs a case and returns its results; None if it is refused or cut short; raises RunError if it fails."""


class _Tally:
    """Counts of cases and findings, and the current activity."""

    def __init__(self, run: Execute, minutes: float) -> None:
        self._run = run
        self._begin = self._since = time.monotonic()
        self._minutes = minutes
        self._case: Case | None = None
        self.drawn = self.refused = self.runs = self.again = 0
        self.findings: set[tuple[str, str, str]] = set()
        self.judgements: set[str] = set()
        self.doing = "running"

    def __call__(self, case: Case) -> Mapping[str, Any] | None:
        """Run a case."""
        self._case, self._since = case, time.monotonic()
        self.runs += 1
        return self._run(case)

    def report(self) -> str:
        """Progress, in one line."""
        now = time.monotonic()
        running = ""
        if self._case:
            pattern, protocol, network = (
                self._case.settings.get(name, describe(SCENARIO).parameter(name).default)
                for name in ("Pattern", "Protocol", "Network")
            )
            running = f", {pattern} by {protocol} over {network}"
        spent = f"{(now - self._begin) / 60:.1f} of {self._minutes:g} min"
        return f"relnet: {spent}, {self}; {self.doing}{running} for {now - self._since:.0f} s"

    def is_over(self) -> bool:
        """Whether the time has elapsed."""
        return time.monotonic() >= self._begin + 60 * self._minutes

    def __str__(self) -> str:
        again = f", and {self.again} more like them" if self.again else ""
        drawn = f"{self.runs} runs of {self.drawn} cases drawn, {self.refused} of them refused or cut short"
        return f"{drawn}; {len(self.findings)} finding{'' if len(self.findings) == 1 else 's'}{again}"


def execute(case: Case) -> Mapping[str, Any] | None:
    """Run a case in a child, up to a time limit; a run that still makes progress then gives no result."""
    read, write = os.pipe()
    timer = threading.Timer(_LONGEST, os.write, (write, b"c"))
    timer.start()
    reached, since = 0.0, time.monotonic()

    def note(done: float, total: float, unit: str) -> None:
        nonlocal reached, since
        if done > reached:
            reached, since = done, time.monotonic()

    try:
        return pool.run_task(case.task(), note, cancel=read).results
    except RunError as error:
        if "was cancelled" not in str(error):
            raise
        if time.monotonic() - since < _LONGEST / 2:
            return None
        raise RunError(f"The run did not end within {_LONGEST:g} s, without progress in the last half.") from None
    except RelnetError:
        return None
    finally:
        timer.cancel()
        timer.join()
        os.close(read)
        os.close(write)


def examine(case: Case, run: Execute) -> Finding | None:
    """Run a case; return a finding if it fails."""
    try:
        results = run(case)
    except RunError as error:
        text = str(error.args[0])
        if REFUSAL in text:
            return None
        return Finding(case, "endless" if text.startswith("The run did not end") else "crash", text)
    return None if results is None else _examine_results(case, results, run)


def _examine_results(case: Case, results: Mapping[str, Any], run: Execute) -> Finding | None:
    """Return a finding if the results of a run break a promise, or a much longer run is undecided, too."""
    judgement = judge(results)
    if judgement not in (BROKEN, UNDECIDED) or (
        # A protocol that loses messages may leave a pattern waiting, while links fail and are repaired for ever.
        judgement == UNDECIDED and (not _is_reliable(results["Promise"]) or _goes_on(case, results, run))
    ):
        return None
    return Finding(case, f"{results['Verdict']}, {results['Outcome']}", results["VerdictReason"], judgement)


def _is_reliable(promise: str) -> bool:
    """Whether each message is delivered, or reported as failed."""
    return not {"complete", "reported"}.isdisjoint(promise.split(", "))


def _goes_on(case: Case, results: Mapping[str, Any], run: Execute) -> bool:
    """
    Whether a run that reached its time limit ends, or at least delivers more, with a longer limit.

    Timeouts grow with each loss, and bursts and outages may exceed any fixed limit.
    """
    parameter = describe(SCENARIO).parameter("TimeLimit")
    limit = parameter.number(parameter.parse(case.settings["TimeLimit"]))
    try:
        later = run(Case({**case.settings, "TimeLimit": f"{round(1000 * _LONGER * limit)}ms"}, case.seed))
    except RunError:
        return False
    if later is None or judge(later) == BROKEN:
        return False
    return judge(later) != UNDECIDED or later["Delivered"] > results["Delivered"]


def _vary(draw: random.Random, parameter: Parameter) -> Any:
    """Draw a value near the default of a parameter; None if its kind is not drawn."""
    if parameter.kind == "bool":
        return not parameter.default
    if parameter.kind == "enum":
        return draw.choice(parameter.choices)
    if (
        parameter.kind == "double"
        and parameter.default == 0
        and parameter.maximum is not None
        and parameter.maximum <= 1
    ):
        # Probability of a fault: with 1, nothing arrives. A frame has some thousand characters and cycles.
        rare = parameter.maximum < 1 or parameter.unit == "1/cycle"
        return draw.choice([0.001, 0.01, 0.1]) * (0.001 if rare else 1)
    if parameter.kind in ("uint", "int", "double"):
        value = parameter.default * 2 ** draw.uniform(-3, 3) or draw.choice([1, 2, 4])
        if value > 2**53:
            return None
        value = max(value, parameter.minimum if parameter.minimum is not None else value)
        value = min(value, parameter.maximum if parameter.maximum is not None else value)
        return value if parameter.kind == "double" else round(value)
    return None


def _varied(draw: random.Random, prefix: str, choice: Choice) -> Iterator[tuple[str, Any]]:
    for parameter in choice.parameters:
        if draw.random() >= _CHANCE or parameter.name in _LEFT_ALONE:
            continue
        value = _vary(draw, parameter)
        if value is not None:
            yield f"{prefix}.{parameter.name}", value


def draw_case(draw: random.Random, scenario: Scenario) -> Case:
    """Draw a run without faults."""
    choices = {part.prefix: part.choices for part in scenario.parts}
    network = draw.choice(choices["network"])
    protocol = draw.choice(choices["protocol"])
    pattern = draw.choice([one for one in choices["pattern"] if one.name not in _PATTERNS_WITHOUT])
    settings: dict[str, Any] = {
        "Network": network.name,
        "Protocol": protocol.name,
        "Pattern": pattern.name,
        "Nodes": 2 if network.name == "point-to-point" else draw.choice([2, 3, 4, 5, 8]),
        "Size": round(2 ** draw.uniform(0, 14)) - 1,
        "Messages": draw.choice([1, 2, 5, 10, 30]),
        "EmulateBroadcast": True,
    }
    settings |= STAGGERED.get(protocol.name, {})
    if draw.random() < 0.5:
        settings["StaleTimers"] = True
    for prefix, choice in (("network", network), ("protocol", protocol), ("pattern", pattern)):
        settings |= _varied(draw, prefix, choice)
    return Case(settings, draw.randint(1, 2**31))


def draw_faults(draw: random.Random, calm: Mapping[str, Any], nodes: int) -> dict[str, Any]:
    """Draw faults, scaled by the run without faults."""
    # Without a delivery, latency and time are NaN.
    latency, time = (calm[name] if math.isfinite(calm[name]) else 0.0 for name in ("Latency", "Time"))
    latency = max(latency, calm["Tick"])

    def ticks() -> int:
        return max(1, round(draw.choice([0.1, 1, 3]) * latency / calm["Tick"]))

    def duration(share: float) -> str:
        # The time of a run without a measured round is 0.
        return f"{max(1, round(1000 * share * max(time, 10 * latency)))}ns"

    kinds: list[Callable[[], dict[str, Any]]] = [
        lambda: {"Loss": draw.choice([0.01, 0.1, 0.3, 0.6])},
        lambda: {"LossPeriod": draw.randint(2, 12)},
        lambda: {"Corruption": draw.choice([0.02, 0.2])},
        lambda: {"BurstBegin": draw.choice([0.01, 0.1]), "BurstEnd": draw.choice([0.1, 0.5])},
        lambda: {"Duplication": draw.choice([0.05, 0.3, 0.9]), "ReorderBound": ticks()},
        lambda: {"Reordering": draw.choice([0.05, 0.3, 0.9]), "ReorderBound": ticks()},
        lambda: {"LinkUpTime": duration(0.3), "LinkDownTime": duration(0.1)},
        lambda: {"NodeUpTime": duration(0.3), "NodeDownTime": duration(0.1)},
        lambda: {
            "SlowReceivers": draw.randint(1, nodes),
            "SlowTime": f"{max(1, round(1000 * latency))}ns",
            "SlowQueue": draw.choice([1, 4, 16]),
        },
    ]
    faults: dict[str, Any] = {}
    for make in draw.sample(kinds, draw.randint(1, 4)):
        faults |= make()
    return faults


def shrink(finding: Finding, run: Execute, most: int = _SHRINKS, longest: float = _SHRINK_TIME) -> Finding:
    """
    Shrink a finding.

    Parameters
    ----------
    finding : Finding
        The finding.
    run : callable
        Runs a case.
    most : int
        Maximum number of runs.
    longest : float
        Time after which no further run begins [s].

    Returns
    -------
    Finding
        The same failure with fewer parameters and smaller numbers.
    """
    best = finding
    left = most
    end = time.monotonic() + longest
    progress = True
    while progress and left > 0:
        progress = False
        for smaller in list(_smaller(best.case)):
            if left == 0 or time.monotonic() >= end:
                break
            left -= 1
            found = examine(smaller, run)
            if found is not None and found.kind == best.kind:
                best, progress = found, True
                break
    return best


def _smaller(case: Case) -> Iterator[Case]:
    """Simpler cases: first with one parameter fewer, then with a smaller number."""
    kept = ("Network", "Protocol", "TimeLimit", *STAGGERED.get(case.settings["Protocol"], ()))
    for name in case.settings:
        if name not in kept:
            rest = {key: value for key, value in case.settings.items() if key != name}
            if name not in ("Messages", "Nodes", "Size"):
                yield Case(rest, case.seed)
    for name, least in (("Messages", 1), ("Nodes", 2), ("Size", 0)):
        value = case.settings.get(name, least)
        for smaller in dict.fromkeys((least, value // 2, value - 1)):
            if least <= smaller < value:
                yield Case({**case.settings, name: smaller}, case.seed)
    if case.seed > 1:
        yield Case(case.settings, 1)


def torture(minutes: float, seed: int = 1, run: Execute = execute) -> int:
    """
    Run random cases for a given time, and print each failure with the command that repeats it.

    Parameters
    ----------
    minutes : float
        Duration [min]. At least one case is run, and a run or a shrinking that has begun is completed.
    seed : int
        Seed of the cases.
    run : callable
        Runs a case.

    Returns
    -------
    int
        0; 1 after a run without a result, 3 after a broken promise, 4 after an undecided run.
    """
    scenario = describe(SCENARIO)
    draw = random.Random(seed)
    tally = _Tally(run, minutes)
    print(
        f"relnet: cases drawn with seed {seed} for {minutes:g} min; limits: {_LONGEST:g} s for a run, "
        f"{_SHRINK_TIME:g} s for shrinking a finding",
        file=sys.stderr,
        flush=True,
    )
    over = threading.Event()

    def report() -> None:
        while not over.wait(_REPORT_TIME):
            print(tally.report(), file=sys.stderr, flush=True)

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        going = True
        while going:
            tally.doing = "running"
            finding = _draw_one(draw, scenario, tally)
            going = not tally.is_over()
            if finding is None:
                continue
            key = (finding.kind, finding.case.settings["Protocol"], finding.case.settings["Network"])
            if key in tally.findings:
                tally.again += 1
                continue
            tally.findings.add(key)
            if finding.kind not in _CRASHES:
                tally.judgements.add(finding.judgement)
            tally.doing = f"shrinking a finding ({finding.kind})"
            finding = shrink(finding, tally)
            print(f"{finding.kind}: {finding.reason}\n    {finding.case.task().command}", flush=True)
    finally:
        over.set()
        reporter.join()
        print(tally, file=sys.stderr)
    return exit_status(tally.judgements, failed=any(kind in _CRASHES for kind, _, _ in tally.findings))


def _draw_one(draw: random.Random, scenario: Scenario, run: _Tally) -> Finding | None:
    """Draw a case, and run it without faults and with faults."""
    run.drawn += 1
    calm = draw_case(draw, scenario)
    calm = Case({**calm.settings, "TimeLimit": CALM_LIMIT}, calm.seed)
    try:
        results = run(calm)
    except RunError:
        return examine(calm, run)
    if results is None:
        run.refused += 1
        return None
    if judge(results) == BROKEN:
        return _examine_results(calm, results, run)
    limit = time_limit(calm.settings["Protocol"], results["Time"], results["LatencyMedian"])
    faults = draw_faults(draw, results, calm.settings["Nodes"])
    # Four more than in the fault matrix, whose period they pass; a random one may stay in step with them, and with
    # any protocol whose cure for it is off.
    in_step = calm.settings["Protocol"] in IN_STEP | {"parastation2", "vmmc2", "sbcast", "ppbcast"}
    if in_step or not calm.settings.get("protocol.Dither", True):
        faults.pop("LossPeriod", None)
    return examine(Case({**calm.settings, **faults, "TimeLimit": limit}, calm.seed), run)
