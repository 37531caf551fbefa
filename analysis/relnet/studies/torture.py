# SPDX-License-Identifier: GPL-2.0-only
"""
Torture tests: runs with random networks, protocols, patterns, faults, parameters and seeds.

A run that breaks a promise, crashes or does not end is shrunk: parameters return to their defaults and numbers become
smaller while the same failure occurs. The result is one command.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from relnet.catalog.lookup import choices, describe, loaded_names
from relnet.catalog.parameters import Parameter
from relnet.catalog.scenario import Choice, Scenario
from relnet.errors import RelnetError, RunError
from relnet.names import select
from relnet.processes import pool
from relnet.records.tasks import Task
from relnet.runs.single import make_task
from relnet.runs.verdicts import BROKEN, UNDECIDED, cause, exit_status, judge
from relnet.studies.fault_matrix import CALM_LIMIT, IN_STEP, REFUSAL, SCENARIO, STAGGERED, time_limit

_LONGEST = 10.0
"""Time limit of a run that makes progress [s]."""
_ENDLESS = 60.0
"""Time limit of a run that has made no progress in the second half of its time [s]."""
_SHRINKS = 150
"""Maximum number of runs to shrink a finding."""
_SHRINK_TIME = 300.0
"""Time limit for shrinking a finding [s]."""
_REPORT_TIME = 10.0
"""Time between two progress reports [s]."""
_LONGER = (30, 1_000, 30_000)
"""A run that reached its time limit is repeated with these multiples of it before it is reported as undecided."""
_TRIES = 100
"""A run without progress whose longer repetition was cut short is reported if its second half has at least this many
repetitions of each message in flight; with fewer, faults may have lost all of them."""
_LONGEST_LIMIT = 1e8
"""Largest of these limits, in simulated time [s]."""
_CRASH, _ENDLESS_KIND = "crash", "endless"
"""Kinds of runs without a result."""
_CHANCE = 0.15
"""Probability that a parameter of a part is drawn rather than left at its default."""
_RARE = 1e-3
"""Factor of probabilities per character or cycle, of which a frame has some thousands, ..."""
_RARER = {"1/bit": 1e-5}
"""... and of those per bit, of which a frame has up to 131,000 on each of several links."""
_OWN_CHANCE = 0.75
"""Probability that a network or protocol of a loaded library is drawn rather than any."""
_MOST_SHARES = 2
"""A protocol that takes more than this multiple of its share of the time ..."""
_FREE_TIME = 20.0
"""... and more than this [s] is left out, until the others have caught up."""
_IN_STEP = IN_STEP | {"parastation2", "vmmc2", "sbcast", "ppbcast", "roce", "irn", "sdr"}
"""Protocols that may stay in step with periodic losses: six more than in the fault matrix, whose period they pass."""
_FAULT_PARTS = (
    {"BurstBegin", "BurstEnd"},
    {"LinkUpTime", "LinkDownTime"},
    {"NodeUpTime", "NodeDownTime"},
    {"SlowReceivers", "SlowTime", "SlowQueue"},
)
"""Parameters of one fault: without the time of its repair, for instance, a node would be down for long."""
_LEAST_PERIOD = 3
"""Least period of losses: with 2, one of two frames that alternate, such as data and answer, is always lost."""
_LEFT_ALONE = {
    "protocol.Variant": "of the idempotent protocol other than sound is wrong, as its paper proves",
    "protocol.LiteralDiscard": "lets a group of a protocol of paper 3 deadlock",
    "protocol.DrainTime": "has to exceed the lifetime of any packet in the network",
    "protocol.SequenceBits": "can be too few for the window, as searches show",
    "protocol.Timeout": "of a tick makes a run endless",
    "pattern.Window": "of a pattern with several messages in flight is drawn as Messages",
    "network.Radius": "of a wireless network can put its stations out of each other's range",
    "network.TimeToLive": "of fewer cycles than a path takes lets no packet arrive",
    "pattern.Interval": "of a pattern stretches a run without bound",
    "network.CrcMiss": "lets corrupted frames pass, which no protocol without a checksum of its own can notice",
    "protocol.BdpFlowControl": "off makes windows of 2048 packets, and of irn's timeouts minutes on a slow network",
    "network.InjectionPorts": "above one lets a node send several packets at once, of which lossy routers in a fixed "
    "order of service drop the same one at each repetition",
    "network.SourceBusy": "drop loses all but the first of the packets that a node posts at once, also of each "
    "repetition",
}
"""Parameters that are not drawn, since with a random value a run may fail as their documentation says."""
_DRAWN = {"protocol.Mtu": (64, 256, 1024)}
"""Values of parameters whose default, 0, stands for a value that depends on the network. With packets of one byte a
message takes longer than a case is given."""
_PATTERNS_WITHOUT = {"goal"}
"""Patterns that need a file."""


@dataclass(frozen=True)
class Aim:
    """
    What cases have in common.

    Attributes
    ----------
    networks, protocols : tuple of str
        Names to draw from; all if empty.
    own : mapping of str to frozenset of str
        Names in loaded libraries by `network` and `protocol`, which are drawn more often.
    fixed : mapping of str to object
        Parameters of all cases.
    """

    networks: tuple[str, ...] = ()
    protocols: tuple[str, ...] = ()
    own: Mapping[str, frozenset[str]] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)


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

    @property
    def key(self) -> tuple[str, str, str]:
        """Protocol, network and cause; findings with the same key are one."""
        settings = self.case.settings
        return settings.get("Protocol", ""), settings.get("Network", ""), cause(self.reason)

    @property
    def crashed(self) -> bool:
        """Whether the run has no result since it failed."""
        return self.kind == _CRASH

    @property
    def text(self) -> str:
        """The failure, and the commands that repeat it and show its moment."""
        task = self.case.task()
        told = f"{self.kind}: {self.reason}\n    {task.command}"
        return told if self.crashed or self.judgement == UNDECIDED else f"{told}\n    {task.moment}"


Execute = Callable[[Case], Mapping[str, Any] | None]
"""Runs a case and returns its results; None if it is refused or cut short; raises RunError if it fails."""


class Runner:
    """
    Runs cases in children; several threads may use it.

    Parameters
    ----------
    longest : float
        Time after which a run that makes progress is cut short [s].
    endless : float
        Time after which one without progress in the second half of its time is endless [s].

    Attributes
    ----------
    cut : int
        Number of runs that were cut short.
    """

    def __init__(self, longest: float = _LONGEST, endless: float = _ENDLESS) -> None:
        self.longest = longest
        self.endless = endless
        self._lock = threading.Lock()
        self._running: set[int] = set()
        self._cancelled = False
        self.cut = 0

    def __call__(self, case: Case) -> Mapping[str, Any] | None:
        """Run a case; no result if it is refused or cut short."""
        read, write = os.pipe()
        begin = last = time.monotonic()
        reached = 0.0

        def note(done: float, total: float, unit: str) -> None:
            nonlocal reached, last
            now = time.monotonic()
            if done > reached:
                reached, last = done, now
            if now - begin > (self.longest if last - begin > (now - begin) / 2 else self.endless):
                os.write(write, b"c")

        with self._lock:
            self._running.add(write)
            if self._cancelled:
                os.write(write, b"c")
        try:
            return pool.run_task(case.task(), note, cancel=read).results
        except RunError as error:
            if "was cancelled" not in str(error):
                raise
            if self._cancelled or last - begin > self.longest / 2:
                with self._lock:
                    self.cut += 1
                return None
            raise RunError(
                f"The run did not end within {self.endless:g} s, without progress in the last half."
            ) from None
        except RelnetError:
            return None
        finally:
            with self._lock:
                self._running.discard(write)
            os.close(read)
            os.close(write)

    def cancel(self) -> None:
        """Cut all runs short."""
        with self._lock:
            self._cancelled = True
            for write in self._running:
                os.write(write, b"c")


class Tally:
    """Counts of cases and findings, and the current activities of all threads."""

    def __init__(self, run: Execute, seconds: float) -> None:
        self._run = run
        self._begin = time.monotonic()
        self._seconds = seconds
        self._lock = threading.Lock()
        self._doing: dict[int, tuple[str, Case, float]] = {}
        self._spent: dict[str, float] = defaultdict(float)
        self.drawn = self.refused = self.skipped = self.runs = self.again = 0
        self.findings: dict[tuple[str, str, str], Finding] = {}
        self.doing = "running"

    def __call__(self, case: Case) -> Mapping[str, Any] | None:
        """Run a case."""
        thread, begin = threading.get_ident(), time.monotonic()
        protocol = case.settings.get("Protocol", "")
        with self._lock:
            self._doing[thread] = (self.doing, case, begin)
            self.runs += 1
        try:
            return self._run(case)
        finally:
            with self._lock:
                self._spent[protocol] += time.monotonic() - begin

    def draw(self) -> int | None:
        """Count a case; returns its number, or None if the time is over and one case has been drawn."""
        with self._lock:
            if self.drawn and self.is_over():
                return None
            self.drawn += 1
            return self.drawn

    def is_slow(self, protocol: str) -> bool:
        """Whether a protocol has taken more than its share of the time, so that the others come first."""
        with self._lock:
            spent = self._spent[protocol]
            share = sum(self._spent.values()) / len(self._spent)
        return spent > max(_FREE_TIME, _MOST_SHARES * share)

    def count(self, name: str) -> None:
        """Count a case that is `refused` or `skipped`."""
        with self._lock:
            setattr(self, name, getattr(self, name) + 1)

    def add(self, finding: Finding) -> bool:
        """Add a finding; false if one like it is known."""
        with self._lock:
            if finding.key in self.findings:
                self.again += 1
                return False
            self.findings[finding.key] = finding
            return True

    def report(self) -> str:
        """Progress, in one line."""
        now = time.monotonic()
        with self._lock:
            oldest = min(self._doing.values(), key=lambda one: one[2], default=None)
        running = self.doing
        if oldest:
            doing, case, since = oldest
            pattern, protocol, network = (
                case.settings.get(name, describe(SCENARIO).parameter(name).default)
                for name in ("Pattern", "Protocol", "Network")
            )
            running = f"{doing}, {pattern} by {protocol} over {network} for {now - since:.0f} s"
        return f"relnet: {(now - self._begin) / 60:.1f} of {self._seconds / 60:g} min, {self}; {running}"

    def is_over(self) -> bool:
        """Whether the time has elapsed."""
        return time.monotonic() >= self._begin + self._seconds

    def stop(self) -> None:
        """Let the time be over."""
        self._seconds = 0.0

    @property
    def rate(self) -> float:
        """Cases a minute."""
        return 60 * (self.drawn - self.skipped) / max(time.monotonic() - self._begin, 1e-3)

    def __str__(self) -> str:
        again = f", and {self.again} more like them" if self.again else ""
        slow = f", {self.skipped} left out since their protocol is slow" if self.skipped else ""
        drawn = f"{self.runs} runs of {self.drawn} cases drawn, {self.refused} of them refused or cut short{slow}"
        return f"{drawn}; {len(self.findings)} finding{'' if len(self.findings) == 1 else 's'}{again}"


def examine(case: Case, run: Execute) -> Finding | None:
    """Run a case; return a finding if it fails."""
    try:
        results = run(case)
    except RunError as error:
        text = str(error.args[0])
        if REFUSAL in text:
            return None
        if text.startswith("The run did not end"):
            return Finding(case, _ENDLESS_KIND, text, UNDECIDED)
        return Finding(case, _CRASH, text)
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

    Timeouts may double with each loss, so that they, like bursts and outages, exceed any fixed limit. A run that waits
    for a timer takes no time, one with outages does. A longer run that is cut short, as on a busy machine, tells
    nothing: then the second half of the longest run that ended counts.
    """
    parameter = describe(SCENARIO).parameter("TimeLimit")
    limit = parameter.number(parameter.parse(case.settings["TimeLimit"]))

    def run_for(seconds: float) -> Mapping[str, Any] | None:
        return run(Case({**case.settings, "TimeLimit": f"{round(1000 * seconds)}ms"}, case.seed))

    longest, ended = limit, results
    try:
        for multiple in _LONGER:
            longer = max(limit, min(_LONGEST_LIMIT, multiple * limit))
            later = run_for(longer)
            if later is None:
                return ended["Delivered"] == ended["Posted"] or _has_progress(run_for(longest / 2), ended)
            if judge(later) == BROKEN:
                return False
            if judge(later) != UNDECIDED or later["Delivered"] > results["Delivered"]:
                return True
            longest, ended = longer, later
    except RunError:
        return False
    return False


def _has_progress(half: Mapping[str, Any] | None, whole: Mapping[str, Any]) -> bool:
    """Whether a run delivered messages in its second half, or repeated them too rarely to tell."""
    if half is None or half["Delivered"] < whole["Delivered"]:
        return True
    return whole["FramesRepeated"] - half["FramesRepeated"] < _TRIES * whole["Pending"]


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
        # Probability of a fault: with 1, nothing arrives.
        rare = parameter.maximum < 1 or parameter.unit == "1/cycle"
        return draw.choice([0.001, 0.01, 0.1]) * _RARER.get(parameter.unit, _RARE if rare else 1)
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
        if draw.random() >= _CHANCE or f"{prefix}.{parameter.name}" in _LEFT_ALONE:
            continue
        name = f"{prefix}.{parameter.name}"
        value = draw.choice(_DRAWN[name]) if name in _DRAWN else _vary(draw, parameter)
        if value is not None:
            yield name, value


def _pick(draw: random.Random, among: Sequence[Choice], wanted: Sequence[str], own: frozenset[str]) -> Choice:
    """Draw a network or a protocol."""
    among = [one for one in among if not wanted or one.name in wanted]
    first = [one for one in among if one.name in own]
    return draw.choice(first if first and draw.random() < _OWN_CHANCE else among)


def draw_case(draw: random.Random, scenario: Scenario, aim: Aim = Aim()) -> Case:
    """Draw a run without faults."""
    parts = {part.prefix: part.choices for part in scenario.parts}
    network = _pick(draw, parts["network"], aim.networks, aim.own.get("network", frozenset()))
    protocol = _pick(draw, parts["protocol"], aim.protocols, aim.own.get("protocol", frozenset()))
    pattern = draw.choice([one for one in parts["pattern"] if one.name not in _PATTERNS_WITHOUT])
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
    return Case(settings | dict(aim.fixed), draw.randint(1, 2**31))


def draw_faults(draw: random.Random, calm: Mapping[str, Any], nodes: int) -> dict[str, Any]:
    """Draw faults, scaled by the run without faults."""
    # Without a delivery, latency and time are NaN.
    latency, time = (calm[name] if math.isfinite(calm[name]) else 0.0 for name in ("Latency", "Time"))
    # Times of faults have no scale without a delivery: outages of a tick would never let a frame pass.
    measured = latency > 0
    latency = max(latency, calm["Tick"])

    def ticks() -> int:
        return max(1, round(draw.choice([0.1, 1, 3]) * latency / calm["Tick"]))

    def duration(share: float) -> str:
        # The time of a run without a measured round is 0.
        return f"{max(1, round(1000 * share * max(time, 10 * latency)))}ns"

    kinds: list[Callable[[], dict[str, Any]]] = [
        lambda: {"Loss": draw.choice([0.01, 0.1, 0.3, 0.6])},
        lambda: {"LossPeriod": draw.randint(_LEAST_PERIOD, 12)},
        lambda: {"Corruption": draw.choice([0.02, 0.2])},
        lambda: {"BurstBegin": draw.choice([0.01, 0.1]), "BurstEnd": draw.choice([0.1, 0.5])},
    ]
    scaled: list[Callable[[], dict[str, Any]]] = [
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
    if measured:
        kinds += scaled
    faults: dict[str, Any] = {}
    for make in draw.sample(kinds, draw.randint(1, 4)):
        faults |= make()
    return faults


def shrink(
    finding: Finding,
    run: Execute,
    most: int = _SHRINKS,
    longest: float = _SHRINK_TIME,
    fixed: Mapping[str, Any] | None = None,
) -> Finding:
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
    fixed : mapping of str to object, optional
        Parameters that stay.

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
        for smaller in list(_smaller(best.case, fixed or ())):
            if left == 0 or time.monotonic() >= end:
                break
            left -= 1
            found = examine(smaller, run)
            if found is not None and found.kind == best.kind:
                best, progress = found, True
                break
    return best


def _smaller(case: Case, fixed: Iterable[str] = ()) -> Iterator[Case]:
    """Simpler cases: first with one parameter or fault fewer, then with a smaller number."""
    kept = ("Network", "Protocol", "TimeLimit", *fixed, *STAGGERED.get(case.settings["Protocol"], ()))
    for name in case.settings:
        parts = next((parts for parts in _FAULT_PARTS if name in parts), {name})
        if parts.isdisjoint(kept):
            rest = {key: value for key, value in case.settings.items() if key not in parts}
            if name not in ("Messages", "Nodes", "Size"):
                yield Case(rest, case.seed)
    for name, least in (("Messages", 1), ("Nodes", 2), ("Size", 0)):
        value = least if name in fixed else case.settings.get(name, least)
        for smaller in dict.fromkeys((least, value // 2, value - 1)):
            if least <= smaller < value:
                yield Case({**case.settings, name: smaller}, case.seed)
    if case.seed > 1:
        yield Case(case.settings, 1)


def own_names() -> dict[str, frozenset[str]]:
    """Networks and protocols of the loaded libraries."""
    return {kind: loaded_names(f"{kind}s") for kind in ("network", "protocol")}


def make_aim(given: Mapping[str, Any]) -> Aim:
    """
    Make the aim of a torture test from parameters of `reliability`.

    Parameters
    ----------
    given : mapping of str to object
        `network` and `protocol` may be comma-separated lists of names; other parameters are those of all cases.

    Raises
    ------
    RelnetError
        If a name or a value is not allowed.
    """
    scenario = describe(SCENARIO)
    values = {name.casefold(): name for name in given}
    networks, protocols = (
        tuple(select(prefix, [one.name for one in choices(f"{prefix}s")], given[values[prefix]]))
        if prefix in values
        else ()
        for prefix in ("network", "protocol")
    )
    fixed = {name: value for name, value in given.items() if name.casefold() not in ("network", "protocol")}
    first = {name: names[0] for name, names in (("Network", networks), ("Protocol", protocols)) if names}
    bound = scenario.bind({**first, **fixed})[1]
    spelled = {one.name: value for one, value in bound.items() if one.name not in first}
    return Aim(networks, protocols, own_names(), spelled)


def hunt(
    aim: Aim,
    seconds: float,
    seed: int,
    run: Execute,
    *,
    jobs: int | None = None,
    first: bool = False,
    shrink_time: float = _SHRINK_TIME,
    tell: Callable[[Finding], None] = lambda finding: None,
    tally: Tally | None = None,
) -> Tally:
    """
    Run random cases in several threads for a given time.

    Parameters
    ----------
    aim : Aim
        What the cases have in common.
    seconds : float
        Duration [s]. At least one case is run, and a run or a shrinking that has begun is completed.
    seed : int
        Seed of the cases.
    run : callable
        Runs a case.
    jobs : int, optional
        Parallel runs; one per core by default.
    first : bool
        Whether to end with the first broken promise.
    shrink_time : float
        Time limit for shrinking a finding [s].
    tell : callable
        Called with each new finding, shrunk.
    tally : Tally, optional
        Receives the counts.

    Returns
    -------
    Tally
        The findings and counts.
    """
    scenario = describe(SCENARIO)
    counts = tally or Tally(run, seconds)
    workers = jobs or len(os.sched_getaffinity(0))

    def work() -> None:
        while (number := counts.draw()) is not None:
            counts.doing = "running"
            finding = _draw_one(random.Random(f"{seed}/{number}"), scenario, counts, aim)
            if finding is None or not counts.add(finding):
                continue
            counts.doing = f"shrinking a finding ({finding.kind})"
            small = shrink(finding, counts, longest=shrink_time, fixed=aim.fixed)
            counts.findings[finding.key] = small
            tell(small)
            if first and small.judgement == BROKEN:
                counts.stop()

    with ThreadPoolExecutor(workers) as threads:
        futures = [threads.submit(work) for _ in range(workers)]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
            for future in futures:
                future.result()
        except BaseException:
            counts.stop()
            if isinstance(run, Runner):
                run.cancel()
            raise
    return counts


def torture(
    minutes: float,
    seed: int = 1,
    run: Execute | None = None,
    *,
    given: Mapping[str, Any] | None = None,
    jobs: int | None = None,
) -> int:
    """
    Run random cases for a given time, and print each failure with the command that repeats it.

    Parameters
    ----------
    minutes : float
        Duration [min]; see `hunt`.
    seed : int
        Seed of the cases.
    run : callable, optional
        Runs a case; by default in a child.
    given : mapping of str to object, optional
        Parameters of all cases; see `make_aim`.
    jobs : int, optional
        Parallel runs; one per core by default.

    Returns
    -------
    int
        0; 1 after a run without a result, 3 after a broken promise, 4 after an undecided run.
    """
    aim = make_aim(given or {})
    run = run or Runner()
    tally = Tally(run, 60 * minutes)
    print(
        f"relnet: cases drawn with seed {seed} for {minutes:g} min; limits: {_LONGEST:g} s for a run, {_ENDLESS:g} s "
        f"for one without progress, {_SHRINK_TIME:g} s for shrinking a finding",
        file=sys.stderr,
        flush=True,
    )
    try:
        with reporting(tally.report):
            hunt(aim, 60 * minutes, seed, run, jobs=jobs, tell=_print, tally=tally)
    finally:
        print(f"{tally}; {tally.rate:.0f} cases a minute", file=sys.stderr)
    return status(tally.findings.values())


def status(findings: Iterable[Finding]) -> int:
    """The exit status of findings."""
    return exit_status(
        (one.judgement for one in findings if not one.crashed), failed=any(one.crashed for one in findings)
    )


def _print(finding: Finding) -> None:
    print(finding.text, flush=True)


@contextlib.contextmanager
def reporting(text: Callable[[], str]) -> Iterator[None]:
    """Print a line to the standard error at intervals."""
    over = threading.Event()

    def report() -> None:
        while not over.wait(_REPORT_TIME):
            print(text(), file=sys.stderr, flush=True)

    reporter = threading.Thread(target=report, daemon=True)
    reporter.start()
    try:
        yield
    finally:
        over.set()
        reporter.join()


def _draw_one(draw: random.Random, scenario: Scenario, run: Tally, aim: Aim = Aim()) -> Finding | None:
    """Draw a case, and run it without faults and with faults."""
    calm = draw_case(draw, scenario, aim)
    if run.is_slow(calm.settings["Protocol"]):
        run.count("skipped")
        return None
    calm = Case({"TimeLimit": CALM_LIMIT} | dict(calm.settings), calm.seed)
    finding = _examine_one(draw, calm, run, aim)
    return None if finding is None or _is_undeliverable(finding.case, run) else finding


def _examine_one(draw: random.Random, calm: Case, run: Tally, aim: Aim) -> Finding | None:
    """Run a case without faults and with faults."""
    try:
        results = run(calm)
    except RunError:
        return examine(calm, run)
    if results is None:
        run.count("refused")
        return None
    if judge(results) == BROKEN:
        return _examine_results(calm, results, run)
    # Without a delivery, times are NaN.
    times = (results[name] if math.isfinite(results[name]) else 0.0 for name in ("Time", "LatencyMedian"))
    limit = time_limit(calm.settings["Protocol"], *times)
    faults = draw_faults(draw, results, calm.settings["Nodes"])
    # A period may stay in step with these protocols, with any whose cure for it is off, and with one of a user.
    in_step = calm.settings["Protocol"] in _IN_STEP | aim.own.get("protocol", frozenset())
    if in_step or not calm.settings.get("protocol.Dither", True):
        faults.pop("LossPeriod", None)
    return examine(Case({**calm.settings, **faults, "TimeLimit": limit} | dict(aim.fixed), calm.seed), run)


def _is_undeliverable(case: Case, run: Execute) -> bool:
    """Whether the network delivers nothing with its parameters, even without a protocol and faults."""
    network = {name: value for name, value in case.settings.items() if name.startswith("network.")}
    if not network:
        return False
    settings = {"Network": case.settings["Network"], "Nodes": case.settings["Nodes"], "Messages": 1, **network}
    try:
        bare = run(Case({**settings, "TimeLimit": CALM_LIMIT}, case.seed))
    except RunError:
        return False
    return bare is not None and bare["Delivered"] == 0
