# SPDX-License-Identifier: GPL-2.0-only
"""
A check of a protocol or a network: searches, runs under faults, random events and runs, and sockets, with one verdict.

The stages end with the first broken promise. A run that breaks one is shrunk, so that its command is short.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from relnet import live
from relnet.binding import user_code
from relnet.catalog.extensions import load
from relnet.catalog.lookup import choices, loaded_names
from relnet.catalog.parameters import Parameter
from relnet.checking.fuzzing import fuzz
from relnet.checking.searching import Searched, search
from relnet.errors import RelnetError, RunError, quoted
from relnet.names import fold, unknown
from relnet.runs.verdicts import BROKEN, KEPT, UNDECIDED, exit_status, judge
from relnet.studies import torture
from relnet.studies.fault_matrix import (
    CALM_LIMIT,
    FAULTS,
    STAGGERED,
    Calm,
    time_limit,
    waste_text,
)
from relnet.studies.torture import Case, Finding

_MINUTES = 1.0
_SHARES = {"search": 0.4, "runs": 0.3, "fuzz": 0.1, "torture": 0.15, "live": 0.05}
"""Share of the time that each stage has at least, in order."""
_LONGEST = 5.0
"""Time limit of a run that makes progress [s]."""
_PATIENCE = 60.0
"""Time limit of a long run, which only a machine that is very slow needs [s]."""
_CALM_FIRST = "1s"
"""Time limit of a run without faults, in simulated time; one that reaches it but goes on is run again, with more."""
_ENDLESS = 20.0
"""Time limit of a run without progress [s]."""
_SHRINK_TIME = 20.0
"""Time limit for shrinking a finding [s]."""
_NETWORKS = ("point-to-point", "csma", "switch", "wormhole", "fabric", "myrinet", "infiniband", "ethernet", "wifi")
"""Networks in the order in which a protocol is run over them; others follow."""
_PROTOCOLS = ("none", "idempotent", "parastation2", "irn", "p0", "mpi")
"""Protocols in the order in which they are run over a network; others follow."""
_UNIFORM = {"Pattern": "uniform", "Nodes": 4, "Size": 256, "Messages": 20, "EmulateBroadcast": True}
"""Traffic with several senders and up to 16 messages of each in flight."""
_STREAM = {"Pattern": "stream", "Nodes": 2, "Size": 16, "Messages": 600, "EmulateBroadcast": True}
"""Traffic that passes a wrap of numbers of eight bits, ..."""
_LONG = {**_STREAM, "Messages": 70_000, "TimeLimit": "10s"}
"""... and of sixteen bits; a protocol that waits for each answer takes long."""
_LONG_PLACE = 2
"""Place of the long run among all plans; those up to it are run even if the time is over."""
_LONG_LOSS = 0.001
"""Loss of the long run."""
_UNRELATED = ("uncaught", "periodic")
"""Faults that no protocol of a user can be expected to tolerate: without a checksum, and without random repetitions."""
_FUZZ_TIME = 3.0
"""Longest time of the random events of a protocol, which are tens of thousands on an idle machine [s]."""
_PATH = 10
"""Number of events before a failure that are shown."""
_LIVE = {"Messages": 50, "TimeLimit": "30s", "Duplication": 0.05, "Reordering": 0.05}
"""Parameters of the run over sockets."""
_LIVE_LOSS = 0.05


@dataclass(frozen=True)
class Stage:
    """
    A stage of a check.

    Attributes
    ----------
    name : str
        `search`, `runs`, `fuzz`, `torture` or `live`.
    judgement : str
        `kept`, `broken`, `undecided`, `failed`, or `left out`.
    text : str
        What was done, in one sentence.
    seconds : float
        Wall-clock time [s].
    """

    name: str
    judgement: str
    text: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.name:<9}{self.judgement:<11}{self.seconds:>5.1f} s  {self.text}"


@dataclass
class Check:
    """
    Outcome of a check.

    Attributes
    ----------
    names : tuple of str
        The protocols or networks.
    stages : list of Stage
        The stages.
    sentence : str
        The failure; empty without one.
    chart : str
        A shortest counterexample as a message sequence chart, if a search found it; the last events of random ones.
    commands : list of str
        Commands that repeat the failure, and show its moment.
    """

    names: tuple[str, ...]
    stages: list[Stage] = field(default_factory=list)
    sentence: str = ""
    chart: str = ""
    commands: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """`failed` (a run has no result), `broken`, `undecided` or `kept`."""
        found = {stage.judgement for stage in self.stages}
        return next((one for one in (_FAILED, BROKEN, UNDECIDED) if one in found), KEPT)

    @property
    def status(self) -> int:
        """The exit status of the command line."""
        return exit_status([self.verdict], failed=self.verdict == _FAILED)

    def __str__(self) -> str:
        lines = [str(stage) for stage in self.stages]
        lines += ["", *self.chart.splitlines()] if self.chart else []
        told = f": {self.sentence}" if self.sentence else ""
        unreached = [stage.name for stage in self.stages if stage.text == _NO_TIME]
        if self.verdict == KEPT and unreached:
            told = f", but there was no time for {' and '.join(unreached)}; --minutes gives more"
        lines += ["", f"{', '.join(self.names)}: {_SHOWN[self.verdict]}{told}"]
        lines += [f"    {command}" for command in self.commands]
        return "\n".join(lines)


_FAILED = "failed"
_LEFT_OUT = "left out"
_NO_TIME = "the time was over"
_SHOWN = {
    KEPT: "no bug was found",
    BROKEN: "a promise is broken",
    UNDECIDED: "undecided",
    _FAILED: "a run has failed",
}
"""The verdicts, for a person."""


class _Clock:
    """
    Progress within the time of a check.

    Parameters
    ----------
    seconds : float
        The time [s].
    """

    def __init__(self, seconds: float) -> None:
        self._begin = time.monotonic()
        self._seconds = seconds
        self._doing = ""
        self._planned = self._end = 0.0

    @property
    def elapsed(self) -> float:
        """Time since the begin [s]."""
        return time.monotonic() - self._begin

    def begin(self, stage: str) -> None:
        """Begin a stage. It has its share of the time even if those before have taken longer than theirs."""
        share = self._seconds * _SHARES[stage]
        self._planned += share
        self._end = max(self._planned, self.elapsed + share)

    @property
    def left(self) -> float:
        """Time until the end of the stage [s]."""
        return self._end - self.elapsed

    def note(self, doing: str) -> None:
        """Set the current activity."""
        self._doing = doing

    def report(self) -> str:
        """Progress, in one line."""
        return f"relnet: {self.elapsed:.0f} of {self._seconds:.0f} s, {self._doing}"


def check(
    target: str | os.PathLike, /, *, minutes: float = _MINUTES, seed: int = 1, progress: bool = False, **parameters: Any
) -> Check:
    """
    Check a protocol, or the protocols and networks of a library, for bugs.

    Parameters
    ----------
    target : str or path
        Name of a protocol or network, or the path of a library, which is loaded.
    minutes : float
        Duration [min]; a run that has begun is completed, and no stage takes the time of later ones, so that the
        check may last longer. A broken promise ends it at once.
    seed : int
        Seed of all runs.
    progress : bool
        Whether to print the progress to the standard error every ten seconds.
    **parameters
        Parameters of `reliability`. `network` and `protocol` may be comma-separated lists of names that are combined
        with the target; parameters of the protocol, as in `**{"protocol.Window": 4}`, also hold in the searches.

    Returns
    -------
    Check
        The outcome, which prints as a report. `verdict` is `kept`, `broken`, `undecided` or `failed`.

    Raises
    ------
    RelnetError
        If there is no such protocol, network or library, or a parameter is not allowed.
    """
    protocols, networks = _find_target(target)
    clock = _Clock(60 * minutes)
    found = Check((*protocols, *networks))
    aim = _make_aim(protocols, networks, parameters)
    run = torture.Runner(_LONGEST, _ENDLESS)
    patient = torture.Runner(_PATIENCE, _PATIENCE)
    stages: dict[str, Callable[[], Iterable[Stage]]] = {
        "search": lambda: _search(found, protocols, parameters, clock),
        "runs": lambda: _run(found, aim, seed, (run, patient), clock),
        "fuzz": lambda: _fuzz(found, protocols, parameters, seed, clock),
        "torture": lambda: _torture(found, aim, seed, run, clock),
        "live": lambda: _live(found, protocols, parameters, seed, clock),
    }

    def work() -> Check:
        for name, stage in stages.items():
            clock.begin(name)
            for done in stage():
                found.stages.append(done)
                if found.verdict in (BROKEN, _FAILED):
                    return found
        return found

    try:
        if not progress:
            return work()
        with torture.reporting(clock.report):
            return work()
    finally:
        run.cancel()
        patient.cancel()


def _find_target(target: str | os.PathLike) -> tuple[list[str], list[str]]:
    """The protocols and networks of a name or a library."""
    text = os.fspath(target)
    names = {kind: [one.name for one in choices(kind)] for kind in ("protocols", "networks")}
    if not text.endswith(".so") and not Path(text).is_file():
        for place, kind in enumerate(names):
            known = next((one for one in names[kind] if fold(one) == fold(text)), None)
            if known:
                return ([known], []) if place == 0 else ([], [known])
        raise unknown(
            f"There is no protocol, network or library {quoted(text)}",
            text,
            [*names["protocols"], *names["networks"]],
            "relnet matrix",
        )
    load(text)
    own = {kind: loaded_names(kind) for kind in names}
    added = {kind: [one.name for one in choices(kind) if one.name in own[kind]] for kind in names}
    new = {kind: [one for one in added[kind] if one not in names[kind]] or added[kind] for kind in names}
    if not new["protocols"] and not new["networks"]:
        raise RelnetError(f"The library {text} has neither a protocol nor a network to check.")
    return new["protocols"], new["networks"]


def _split(parameters: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Lists of networks and protocols, and the other parameters."""
    lists = {name.casefold(): value for name, value in parameters.items() if name.casefold() in ("network", "protocol")}
    return lists, {name: value for name, value in parameters.items() if name.casefold() not in lists}


def _make_aim(protocols: list[str], networks: list[str], parameters: Mapping[str, Any]) -> torture.Aim:
    """The aim of all runs."""
    lists, fixed = _split(parameters)
    wanted = {"protocol": protocols, "network": networks}
    for kind, names in wanted.items():
        if names and kind in lists:
            raise RelnetError(f"{kind}= cannot be given, since the target has this {kind}: {', '.join(names)}.")
    given = {
        kind: ",".join(names) if names else lists[kind] for kind, names in wanted.items() if names or kind in lists
    }
    aim = torture.make_aim(given | fixed)
    own = {kind: frozenset(wanted[kind]) | aim.own.get(kind, frozenset()) for kind in wanted}
    return torture.Aim(aim.networks, aim.protocols, own, aim.fixed)


def _search(found: Check, protocols: list[str], parameters: Mapping[str, Any], clock: _Clock) -> Iterator[Stage]:
    """Search each protocol; all of them share the time."""
    own = _own(parameters)
    prefix = _prefix()
    for place, protocol in enumerate(protocols):
        begin = clock.elapsed
        share = max(0.0, clock.left) / (len(protocols) - place)
        choice = next(one for one in choices("protocols") if one.name == protocol)
        told = search(
            protocol,
            choice.parameters,
            own,
            lambda end=begin + share: clock.elapsed >= end,
            lambda text, protocol=protocol: clock.note(f"{protocol}, {text}"),
            prefix,
        )
        yield _conclude_search(found, told, clock.elapsed - begin)


def _own(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of the protocol, without their prefix."""
    return {
        name.partition(".")[2]: value for name, value in parameters.items() if name.casefold().startswith("protocol.")
    }


def _texts(own: Sequence[Parameter], parameters: Mapping[str, Any]) -> dict[str, str]:
    """Parameters of the protocol by their names in ns-3, as texts that ns-3 reads."""
    given = {fold(name): value for name, value in _own(parameters).items()}
    known = [one for one in own if fold(one.name) in given]
    return {one.name: one.text(one.parse(given[fold(one.name)])) for one in known}


def _conclude_search(found: Check, told: Searched, seconds: float) -> Stage:
    """Make the stage of the searches of a protocol, and note their counterexample."""
    if told.crash:
        found.sentence = str(told.crash.args[0])
        found.commands = [told.crash.command] if told.crash.command else []
        return Stage("search", _FAILED, "a search has failed", seconds)
    if told.refuted:
        found.sentence = told.refuted.sentence
        found.chart = told.refuted.chart()
        found.commands = [told.command]
        searches = "search" if told.ended == 1 else "searches"
        text = f"{told.refuted.outcome}, after {told.ended} sound {searches}; {told.refuted.bounds}"
        return Stage("search", BROKEN, text, seconds)
    if told.refusal:
        return Stage("search", _LEFT_OUT, told.text, seconds)
    return Stage("search", KEPT if told.ended else UNDECIDED, told.text, seconds)


def _prefix() -> list[str]:
    """First words of a command line with the loaded libraries."""
    return ["relnet", *(word for library in user_code.libraries() for word in ("--load", library))]


def _ordered(kind: str, first: tuple[str, ...], own: frozenset[str]) -> list[str]:
    """Names of all networks or protocols: those of loaded libraries, then well-known ones, then the others."""
    names = [one.name for one in choices(f"{kind}s")]

    def place(name: str) -> tuple[bool, int]:
        return name not in own, first.index(name) if name in first else len(first)

    return sorted(names, key=place)


def _pairs(aim: torture.Aim) -> list[tuple[str, str]]:
    """Networks and protocols to run, the most telling first."""
    networks = aim.networks or _ordered("network", _NETWORKS, aim.own["network"])
    protocols = aim.protocols or _ordered("protocol", _PROTOCOLS, aim.own["protocol"])
    return [(network, protocol) for network in networks for protocol in protocols]


def _run(
    found: Check, aim: torture.Aim, seed: int, runners: tuple[torture.Runner, torture.Runner], clock: _Clock
) -> Iterator[Stage]:
    """Run pairs under each fault, one after the other, until the time is over; the second runner is for long runs."""
    begin = clock.elapsed
    run, patient = runners
    counts = _Counts()
    cut = run.cut
    # Longer runs come last, and over the first pairs only.
    plans = [(pair, traffic) for pair in _pairs(aim) for traffic in (_UNIFORM, _STREAM)]
    plans.insert(_LONG_PLACE, (plans[0][0], _LONG))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        for place, ((network, protocol), traffic) in enumerate(plans):
            if place > _LONG_PLACE and clock.left <= 0:
                break
            if traffic is _LONG and counts.undecided:
                continue
            clock.note(f"{protocol} over {network} under faults, {traffic['Messages']} messages")
            runner = patient if traffic is _LONG else run
            finding = counts.take(_examine_pair(network, protocol, traffic, aim, seed, runner, threads))
            if finding:
                break
    broken = counts.finding
    if broken:
        clock.note(f"shrinking a finding ({broken.kind})")
        _tell(found, torture.shrink(broken, run, longest=_SHRINK_TIME, fixed=aim.fixed))
    elif counts.undecided:
        _tell(found, counts.undecided[0])
    shown = f"; {run.cut - cut} cut short after {_LONGEST:g} s" if run.cut > cut else ""
    yield Stage("runs", counts.judgement, counts.text + shown, clock.elapsed - begin)


class _Counts:
    """Counts of runs, and the findings."""

    def __init__(self) -> None:
        self.pairs: set[tuple[str, str]] = set()
        self.runs = self.wasteful = 0
        self.longest = 0
        self.finding: Finding | None = None
        self.undecided: list[Finding] = []

    def take(self, outcomes: Iterable[tuple[Case, Finding | None, str]]) -> bool:
        """Count the runs of a pair; true after a broken promise."""
        for case, finding, waste in outcomes:
            settings = case.settings
            self.pairs.add((settings["Network"], settings["Protocol"]))
            self.runs += 1
            self.wasteful += bool(waste)
            self.longest = max(self.longest, int(settings["Messages"]))
            if finding is None:
                continue
            if finding.crashed or finding.judgement == BROKEN:
                self.finding = self.finding or finding
            else:
                self.undecided.append(finding)
        return self.finding is not None

    @property
    def judgement(self) -> str:
        """The judgement of all runs."""
        if self.finding:
            return _FAILED if self.finding.crashed else BROKEN
        if not self.runs:
            return _LEFT_OUT
        return UNDECIDED if self.undecided else KEPT

    @property
    def text(self) -> str:
        """The runs, in one sentence."""
        told = [f"{self.runs} runs of {len(self.pairs)} pairs under {len(_used_faults())} faults"]
        told.append(f"up to {self.longest} messages of a node")
        if self.wasteful:
            told.append(
                f"{self.wasteful} without faults sent frames again or waited for timers, as its timeout is short"
            )
        if self.undecided:
            told.append(f"{len(self.undecided)} undecided")
        return "; ".join(told)


def _used_faults() -> list[str]:
    return [name for name in FAULTS if name not in _UNRELATED]


def _examine_pair(
    network: str,
    protocol: str,
    traffic: Mapping[str, Any],
    aim: torture.Aim,
    seed: int,
    run: torture.Runner,
    threads: ThreadPoolExecutor,
) -> Iterator[tuple[Case, Finding | None, str]]:
    """Run a pair without faults, then under each; yields each case with its finding and any waste without faults."""
    # Networks and protocols come before their parameters.
    settings = {"Network": network, "Protocol": protocol, **traffic, **STAGGERED.get(protocol, {})}
    if network == "point-to-point":
        settings["Nodes"] = 2
    settings |= dict(aim.fixed)
    quiet = Case({"TimeLimit": _CALM_FIRST} | settings, seed)
    results, alone = threads.map(_results(run), (quiet, Case(_bare(settings), seed)))
    if isinstance(results, Mapping) and judge(results) == UNDECIDED and torture.examine(quiet, run) is None:
        quiet = Case({"TimeLimit": CALM_LIMIT} | settings, seed)
        results = _results(run)(quiet)
    if isinstance(results, RunError) or (results is not None and judge(results) in (BROKEN, UNDECIDED)):
        yield quiet, torture.examine(quiet, run), ""
        return
    if not isinstance(results, Mapping) or not isinstance(alone, Mapping) or results["Time"] != results["Time"]:
        return
    yield quiet, None, waste_text(results)
    latency = alone["Latency"] if alone["Latency"] == alone["Latency"] else results["Latency"]
    calm = Calm(latency, results["Time"], results["Tick"], int(settings["Nodes"]))
    limit = time_limit(protocol, calm.time, calm.latency)
    if traffic is _LONG:
        cases = [Case({**settings, "Loss": _LONG_LOSS, "TimeLimit": limit} | dict(aim.fixed), seed)]
    else:
        cases = [
            Case({**settings, **FAULTS[fault][1](calm), "TimeLimit": limit} | dict(aim.fixed), seed)
            for fault in _used_faults()
            if fault != "none"
        ]
    for case, finding in zip(cases, threads.map(lambda case: torture.examine(case, run), cases), strict=True):
        yield case, finding, ""


def _bare(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same network with one message of each node and no protocol."""
    kept = {name: value for name, value in settings.items() if not name.startswith("protocol.")}
    return {**kept, "Protocol": "none", "Messages": 1, "TimeLimit": CALM_LIMIT}


def _results(run: torture.Runner) -> Callable[[Case], Mapping[str, Any] | RunError | None]:
    """A function that runs a case and returns an error instead of raising it."""

    def execute(case: Case) -> Mapping[str, Any] | RunError | None:
        try:
            return run(case)
        except RunError as error:
            return error

    return execute


def _tell(found: Check, finding: Finding) -> None:
    """Note a finding with its commands."""
    task = finding.case.task()
    found.sentence = finding.reason
    found.commands = [task.command, task.moment] if finding.judgement == BROKEN else [task.command]


def _torture(found: Check, aim: torture.Aim, seed: int, run: torture.Runner, clock: _Clock) -> Iterator[Stage]:
    """Run random cases for the rest of the time."""
    begin, left = clock.elapsed, clock.left
    tally = torture.Tally(run, left)
    clock.note("random cases")
    torture.hunt(aim, left, seed, run, first=True, shrink_time=_SHRINK_TIME, tally=tally)
    findings = list(tally.findings.values())
    worst = next((one for one in findings if one.crashed or one.judgement == BROKEN), None)
    if worst:
        _tell(found, worst)
        judgement = _FAILED if worst.crashed else BROKEN
    else:
        judgement = UNDECIDED if findings else KEPT
        if findings:
            _tell(found, findings[0])
    yield Stage("torture", judgement, f"{tally}; {tally.rate:.0f} cases a minute", clock.elapsed - begin)


def _fuzz(
    found: Check, protocols: list[str], parameters: Mapping[str, Any], seed: int, clock: _Clock
) -> Iterator[Stage]:
    """Apply random events to the cores of each protocol; all of them share the time."""
    for place, protocol in enumerate(protocols):
        begin = clock.elapsed
        if clock.left <= 0:
            yield Stage("fuzz", _LEFT_OUT, _NO_TIME, 0.0)
            return
        clock.note(f"random events at {protocol}")
        choice = next(one for one in choices("protocols") if one.name == protocol)
        share = min(_FUZZ_TIME, clock.left / (len(protocols) - place))
        told = fuzz(protocol, _texts(choice.parameters, parameters), seed, share)
        judgement = KEPT
        if told.refusal:
            judgement = _LEFT_OUT
        elif told.sentence:
            judgement = _FAILED if told.crash else BROKEN
            found.sentence = told.sentence
            found.chart = "\n".join(told.path[-_PATH:])
            found.commands = [shlex.join([*_prefix(), "check", protocol, "--seed", str(seed)])]
        yield Stage("fuzz", judgement, told.text, clock.elapsed - begin)


def _live(
    found: Check, protocols: list[str], parameters: Mapping[str, Any], seed: int, clock: _Clock
) -> Iterator[Stage]:
    """Run each protocol over sockets, between two processes."""
    own = {name: value for name, value in parameters.items() if name.casefold().startswith("protocol.")}
    for protocol in protocols:
        begin = clock.elapsed
        clock.note(f"{protocol} over sockets")
        given = {"Protocol": protocol, "Loss": _LIVE_LOSS, **_LIVE, **own}
        try:
            results = [record.results for record in live.run_group(given, seed=seed)]
        except RunError as error:
            found.sentence, found.commands = str(error.args[0]), [error.command]
            yield Stage("live", _FAILED, "a process has failed", clock.elapsed - begin)
            continue
        except RelnetError as error:
            yield Stage("live", _LEFT_OUT, str(error), clock.elapsed - begin)
            continue
        judgements = [judge(one) for one in results]
        judgement = next((one for one in (BROKEN, UNDECIDED) if one in judgements), KEPT)
        text = f"2 processes, {sum(one['Posted'] for one in results)} messages, loss {_LIVE_LOSS:g}"
        if judgement != KEPT:
            words = [f"{name}={value}" for name, value in given.items() if name != "Protocol"]
            command = shlex.join([*_prefix(), "live", protocol, *words, "--seed", str(seed)])
            reason = results[judgements.index(judgement)]["VerdictReason"]
            text += f"; {reason}"
            found.sentence, found.commands = reason, [command]
        yield Stage("live", judgement, text, clock.elapsed - begin)
