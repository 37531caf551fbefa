# SPDX-License-Identifier: GPL-2.0-only
"""
Sweeps of a scenario or a Python function over a grid of parameters and seeds.

Each result is stored on disk at once, so an interrupted sweep resumes. The resulting frame is in the order of the grid.
"""

from __future__ import annotations

import collections
import inspect
import itertools
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from relnet.binding import namespace, user_code
from relnet.catalog.lookup import describe
from relnet.catalog.parameters import Parameter, parse_seconds
from relnet.catalog.scenario import Scenario
from relnet.errors import RelnetError, RelnetWarning, RunError, exhausted, quoted
from relnet.names import fold
from relnet.processes import pool
from relnet.records import files, frames, pickles
from relnet.records.fingerprint import fingerprint
from relnet.records.tasks import Record, Task
from relnet.runs import grid, store
from relnet.runs.progress import SweepBar
from relnet.runs.single import make_task, task_key

_AHEAD = 256
"""Maximum number of submitted tasks of another executor that have not ended."""
_AHEAD_A_JOB = 2
"""The same for each job of this machine: few, so that simultaneous sweeps share their points."""


@dataclass
class _Sweep:
    """
    State of a sweep.

    Attributes
    ----------
    name : str
        Name of the scenario or function.
    tasks, keys, labels : list
        Task, key on disk and labels of each point.
    units : dict of str to str
        Units of parameters and results.
    records : dict of int to Record
        Outcomes so far.
    failures : dict of int to Exception
        Errors of failed points.
    undrawn : set of int
        Points that share the record of another seed, since no random numbers are drawn.
    cached : int
        Number of the other points whose record was known. It is kept, since each of a sweep's runs is counted.
    listed : bool
        Whether `relnet history` lists it.
    """

    name: str
    tasks: list[Task]
    keys: list[str]
    labels: list[dict[str, Any]]
    units: dict[str, str] = field(default_factory=dict)
    records: dict[int, Record] = field(default_factory=dict)
    failures: dict[int, Exception] = field(default_factory=dict)
    undrawn: set[int] = field(default_factory=set)
    cached: int = 0
    listed: bool = True

    @property
    def counts(self) -> dict[str, int]:
        computed = len(self.records) - len(self.undrawn) - self.cached
        return {"computed": computed, "cached": self.cached, "failed": len(self.failures)}

    def case(self, index: int) -> Any:
        """Identity of a point without its seed; a function may draw random numbers elsewhere, so its seeds differ."""
        task = self.tasks[index]
        return (task.type, task.texts) if task.kind == "scenario" else index

    def put(self, index: int, record: Record) -> None:
        """Assign a point its record."""
        self.records[index] = record
        self.cached += record.cached

    def take(self, index: int, record: Record) -> None:
        """Assign a point the record of another seed."""
        self.records[index] = record.from_cache()
        self.undrawn.add(index)


ANNOUNCED = 200
"""Number of runs above which a sweep announces them before they start."""


def sweep(
    what: str | Callable[..., Any],
    /,
    *,
    seeds: Any = 1,
    jobs: int | None = None,
    executor: Executor | None = None,
    cache: bool = True,
    progress: bool | None = None,
    out: str | os.PathLike | None = None,
    run_timeout: Any = None,
    **parameters: Any,
) -> Any:
    """
    Run a scenario or a function at every point of a grid.

    Parameters
    ----------
    what : str or callable
        A scenario's name, or a function. A function is called in a child process with one value of each parameter,
        and with `seed` if it has such an argument. It may use `relnet.ns`, and returns a number, or a dictionary
        of numbers, texts and DataFrames.
    seeds : int or iterable of int
        Number of seeds, from 1, or a list of seeds.
    jobs : int, optional
        Parallel runs; one per core by default. Excludes an executor.
    executor : concurrent.futures.Executor, optional
        Executor of the runs; by default the cores of this machine. Each of its workers starts a fork server.
    cache : bool
        Whether to read and store results on disk.
    progress : bool, optional
        Whether to show a progress bar; by default in a terminal and in a notebook.
    out : path, optional
        File for the frame, written whole or not at all: `.csv`, `.json`, `.md`, `.tex` or `.parquet`.
    run_timeout : float or str, optional
        Time limit of a run, in seconds of wall clock or as text with a unit; longer runs fail.
    **parameters
        One or several values of each parameter: a list, a range, an array, or for a scenario a text such as `1,2,4`
        `1:32:2` or `64:65536:x2`. Parameters of parts as for `run`. If a sweep has several choices of a part, such as
        `protocol=["idempotent", "none"]`, a choice without a given parameter runs once for all values of it.

    Returns
    -------
    pandas.DataFrame
        One row per run: given parameters, seed, results. Results of failed runs are missing. `attrs` has `computed`,
        `cached`, `failed`, `failures` (one sentence each), `seeds` (a sentence, if one seed was enough because no
        random numbers were drawn), `units`, `code`, and `tables`, which begin with the columns of parameters and seed.

    Raises
    ------
    RelnetError
        If a name or value is not allowed, or the grid has no valid point.
    """
    if callable(what):
        task = _function_sweep(what, parameters, grid.parse_seeds(seeds))
        return _conduct(task, jobs, executor, cache, progress, out, tell=True, run_timeout=run_timeout)
    return sweep_scenario(
        what, parameters, seeds, jobs, executor, cache, progress, out, tell=True, run_timeout=run_timeout
    )


def sweep_scenario(
    name: str | Scenario,
    parameters: Mapping[str, Any],
    seeds: Any = 1,
    jobs: Any = None,
    executor: Executor | None = None,
    cache: bool = True,
    progress: bool | None = None,
    out: str | os.PathLike | None = None,
    split: bool = False,
    tell: bool = False,
    run_timeout: Any = None,
    units: bool = False,
    announce: Callable[[int], None] | None = None,
) -> Any:
    """
    Run a scenario at every point of a grid; see `sweep`.

    Parameters
    ----------
    parameters : mapping of str to object
        Values of each parameter.
    split : bool
        Whether to split free text at commas, too, as on the command line.
    tell : bool
        Whether to warn about failures.
    units : bool
        Whether to write units into the second line of a CSV file.
    announce : callable, optional
        Called with the number of runs before they start, if there are more than `ANNOUNCED`.
    """
    scenario = describe(name)
    read = grid.parse_values if split else grid.expand
    grids = _grids(scenario, scenario.flatten(parameters), read)
    labels = list(dict.fromkeys(parameter.name for _, axes in grids for parameter in axes))
    runs = []
    for chosen, axes in grids:
        by_name: dict[str, Parameter] = {parameter.name: parameter for parameter in axes}
        points = grid.points({parameter.name: values for parameter, values in axes.items()})
        runs += [
            (chosen, {by_name[label]: value for label, value in point.items()}, seed)
            for point, seed in itertools.product(points, grid.parse_seeds(seeds))
        ]
    if announce and len(runs) > ANNOUNCED:
        announce(len(runs))
    told = []
    for chosen, values, seed in runs:
        numbers = {parameter.name: parameter.number(value) for parameter, value in values.items()}
        told.append((chosen, values, seed, {label: numbers.get(label) for label in labels} | {"seed": seed}))
    plan = _scenario_plan(scenario, scenario.name, told)
    return _conduct(plan, jobs, executor, cache, progress, out, tell, run_timeout, units)


def _grids(
    scenario: Scenario, given: Mapping[str, Any], read: Callable[[Parameter, Any], list[Any]]
) -> list[tuple[Scenario, dict[Parameter, list[Any]]]]:
    """
    Split a grid by choices of parts: network by network, protocol by protocol.

    A parameter of a part is left out of the choices that do not have it.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    given : mapping of str to object
        Plain names with their values.
    read : callable
        Reads the values of a parameter.

    Returns
    -------
    list of (Scenario, dict of Parameter to list)
        For each combination of choices, the scenario with its parts and the values of each parameter.
    """
    selectors = {fold(part.selector) for part in scenario.parts}
    parts = {name: value for name, value in given.items() if fold(name) in selectors}
    named = {one.name: read(one, value) for one, value in scenario.collect(parts).items()}
    grids = []
    known: set[str] = set()
    for selection in grid.points(named):
        chosen = scenario.choose(selection)
        names = {fold(one.name) for one in chosen.parameters}
        own = {name: value for name, value in given.items() if fold(name) in names and name not in parts}
        known |= own.keys()
        axes = {one: [value] for one, value in chosen.collect(selection).items()}
        axes |= {one: read(one, value) for one, value in chosen.collect(own).items()}
        grids.append((chosen, axes))
    for name in given:
        if name not in known and name not in parts:
            grids[0][0].parameter(name)  # raises: no choice has it
    return grids


def sweep_points(
    name: str | Scenario,
    points: Iterable[tuple[Mapping[str, Any], int]],
    title: str = "",
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    cache: bool = True,
    progress: bool | None = None,
) -> Any:
    """
    Run a scenario at a list of points.

    Parameters
    ----------
    name : str
        The scenario.
    points : iterable of (mapping, int)
        Parameters and seed of each run; runs may have different parameters.
    title : str
        Label of the progress bar; the scenario's name by default.
    jobs, executor, cache, progress
        As for `sweep`.

    Returns
    -------
    pandas.DataFrame
        One row per run in the given order: `point` (from 0), `seed`, results; `attrs` as of `sweep`.

    Raises
    ------
    RelnetError
        If a name or value is not allowed, or no point is valid.
    """
    scenario = describe(name)
    runs = []
    for index, (given, seed) in enumerate(points):
        chosen, values = scenario.bind(scenario.flatten(given))
        runs.append((chosen, values, grid.parse_seed(seed), {"point": index, "seed": grid.parse_seed(seed)}))
    plan = _scenario_plan(scenario, title, runs)
    plan.listed = False
    return _conduct(plan, jobs, executor, cache, progress, None, tell=False)


def _scenario_plan(
    scenario: Scenario, title: str, runs: Iterable[tuple[Scenario, dict[Parameter, Any], int, dict[str, Any]]]
) -> _Sweep:
    """Plan runs, each given by the scenario with its parts, canonical values, seed and labels."""
    if not scenario.repeatable:
        raise RelnetError(f"{scenario.name} runs in real time and cannot be swept; `relnet live` compares runs of it.")
    plan = _Sweep(title or scenario.name, [], [], [], dict(scenario.units))
    first = make_task(scenario, {}, 1)
    for chosen, values, seed, labels in runs:
        task = make_task(chosen, values, seed, like=first)
        plan.tasks.append(task)
        plan.keys.append(task_key(chosen, task))
        plan.labels.append(labels)
        plan.units |= {parameter.name: parameter.unit for parameter in values if parameter.unit}
    return plan


def _function_sweep(function: Callable[..., Any], parameters: Mapping[str, Any], seeds: list[int]) -> _Sweep:
    name = getattr(function, "__name__", type(function).__name__)
    if "seed" in parameters:
        raise RelnetError("seed is not a parameter of a sweep: use seeds=N, or seeds=[...].")
    axes = {}
    for label, value in parameters.items():
        several = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
        axes[label] = [one.item() if hasattr(one, "item") else one for one in value] if several else [value]
        if not axes[label]:
            raise RelnetError(f"{label} has no value.")
    try:
        accepted = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        accepted = []
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in accepted)
    names = {one.name for one in accepted}
    strange = [label for label in axes if accepted and not takes_any and label not in names]
    if strange:
        raise RelnetError(f"The function {name} has no parameter {strange[0]!r}; it has {', '.join(sorted(names))}.")
    libraries = user_code.libraries()
    namespace.foresee(function)
    code = pool.server(libraries, functions=True).hello["code"]
    print_of_function = fingerprint(function)
    plan = _Sweep(name, [], [], [])
    for point in grid.points(axes):
        prints = {label: fingerprint(value) for label, value in point.items()}
        for seed in seeds:
            arguments = point | ({"seed": seed} if takes_any or "seed" in names else {})
            try:
                payload = pickles.dump((function, (), arguments))
            except Exception as error:
                raise RelnetError(f"The function {name} cannot be sent to another process: {error}.") from None
            texts = tuple((label, repr(value)) for label, value in point.items())
            task = Task("point", name, texts=texts, seed=seed, payload=payload, libraries=libraries, code=code)
            plan.tasks.append(task)
            plan.keys.append(store.key("function", print_of_function, prints, seed, code))
            plan.labels.append({**point, "seed": seed})
    return plan


def _conduct(
    plan: _Sweep,
    jobs: Any,
    executor: Executor | None,
    cache: bool,
    show: bool | None,
    out: str | os.PathLike | None,
    tell: bool,
    run_timeout: Any = None,
    units: bool = False,
) -> Any:
    limit = None if run_timeout is None else parse_seconds("run_timeout", run_timeout)
    if jobs is not None:
        if executor is not None:
            raise RelnetError("jobs and executor cannot both be given.")
        jobs = Parameter.plain("jobs", "uint", 1, 4096).parse(jobs)
    if executor is not None and not isinstance(executor, Executor):
        raise RelnetError(f"executor is {quoted(executor)}; it has to be an executor of concurrent.futures.")
    path = None if out is None else files.check(out)
    own = pool.ForkExecutor(jobs) if executor is None else None
    bar = SweepBar(plan.name, len(plan.tasks), show)
    kept = store.Store(enabled=cache)
    try:
        with kept:
            missing = _take_known(plan, kept, bar)
            if plan.listed:
                kept.remember("sweep", plan.name, plan.labels, plan.keys)
            _compute(plan, missing, own or executor, kept, bar, limit)
    except BaseException as error:
        if own is not None:
            own.cancel()
        if isinstance(error, KeyboardInterrupt):
            remains = "the same sweep resumes there" if kept.enabled else "nothing was stored"
            raise KeyboardInterrupt(f"Interrupted: {_count(plan.counts)}; {remains}.") from None
        raise
    finally:
        bar.close()
        if own is not None:
            own.shutdown()
    frame = _finish(plan, tell)
    if path is not None:
        files.write_or_rescue(frame, path, units, is_stored=kept.enabled)
    return frame


def _take_known(plan: _Sweep, kept: store.Store, bar: SweepBar) -> list[int]:
    missing = []
    undrawn: dict[Any, Record] = {}
    for index, key in enumerate(plan.keys):
        record = kept.get(key)
        case = plan.case(index)
        if record is None:
            missing.append(index)
        elif case in undrawn:
            plan.take(index, record)
            bar.finish(index, **plan.counts)
        else:
            plan.put(index, record)
            bar.finish(index, **plan.counts)
            if record.draws == 0:
                undrawn[case] = record
    for index in missing:
        if plan.case(index) in undrawn:
            _share(plan, index, undrawn[plan.case(index)], kept, bar)
    return [index for index in missing if index not in plan.undrawn]


def _share(plan: _Sweep, index: int, record: Record, kept: store.Store, bar: SweepBar) -> None:
    """Assign a point the record of another seed, also on disk, where the history of the sweep finds it."""
    kept.put(plan.keys[index], plan.tasks[index], record)
    plan.take(index, record)
    bar.finish(index, **plan.counts)


class _Queue:
    """
    Queue of points to run.

    One seed of each case runs first. The others follow once it has drawn random numbers; otherwise they share its
    record.

    Parameters
    ----------
    plan : _Sweep
        The sweep.
    points : iterable of int
        Points with different runs.
    ahead : bool
        Whether one seed runs first.
    """

    def __init__(self, plan: _Sweep, points: Iterable[int], ahead: bool) -> None:
        self._plan = plan
        self._held: dict[Any, list[int]] = {}
        self._ready: collections.deque[int] = collections.deque()
        for index in points:
            case = plan.case(index)
            if ahead and case in self._held:
                self._held[case].append(index)
            else:
                self._held[case] = []
                self._ready.append(index)

    def next(self) -> int | None:
        """Take the next point to run; None if none is ready."""
        return self._ready.popleft() if self._ready else None

    def is_empty(self) -> bool:
        """Whether no point is ready."""
        return not self._ready

    def leads(self, index: int) -> bool:
        """Whether other seeds wait for a point."""
        return bool(self._held.get(self._plan.case(index)))

    def release(self, index: int) -> None:
        """Make the other seeds of a point's case ready."""
        self._ready.extendleft(reversed(self._held.pop(self._plan.case(index), ())))

    def settle(self, index: int, record: Record | None) -> list[int]:
        """Return the other seeds of a point's case if they have the same record; else release them."""
        if record is not None and record.draws == 0:
            return self._held.pop(self._plan.case(index), [])
        self.release(index)
        return []


def _compute(
    plan: _Sweep,
    missing: list[int],
    executor: Executor,
    kept: store.Store,
    bar: SweepBar,
    run_timeout: float | None,
) -> None:
    """Run the missing points and store each result at once; points with equal runs are run once."""
    twins: dict[str, list[int]] = {}
    for index in missing:
        twins.setdefault(plan.keys[index], []).append(index)
    # Other executors report nothing before the end of a run, so no seed waits for another there.
    queue = _Queue(plan, [same[0] for same in twins.values()], ahead=isinstance(executor, pool.ForkExecutor))
    most = executor.jobs * _AHEAD_A_JOB if isinstance(executor, pool.ForkExecutor) else _AHEAD
    pending: dict[Future, int] = {}
    notices: dict[Future, int] = {}
    # Points that other processes compute.
    elsewhere: collections.deque[int] = collections.deque()
    patience: store.Patience | None = None
    # `wait` would check each of hundreds of futures for every run.
    ended: SimpleQueue[Future] = SimpleQueue()

    def conclude(index: int, record: Record | None) -> None:
        """Count a point with its twins, and those of its seeds that share its record."""
        kept.release(plan.keys[index])
        for twin in twins[plan.keys[index]]:
            bar.finish(twin, **plan.counts)
        for seed in queue.settle(index, record):
            for twin in twins[plan.keys[seed]]:
                _share(plan, twin, record, kept, bar)

    def begin(index: int) -> bool:
        """Read a point that another process has computed, or submit it; false while another process computes it."""
        if not kept.claim(plan.keys[index]):
            return False
        record = kept.get(plan.keys[index])
        if record is not None:
            for twin in twins[plan.keys[index]]:
                plan.put(twin, record)
            conclude(index, record)
            return True
        notice = None
        if queue.leads(index):
            notice = Future()
            notices[notice] = index
            notice.add_done_callback(ended.put)
        future = _submit(executor, plan.tasks[index], index, bar, notice, run_timeout)
        pending[future] = index
        future.add_done_callback(ended.put)
        return True

    try:
        while True:
            while len(pending) < most and (index := queue.next()) is not None:
                if not begin(index):
                    elsewhere.append(index)
            for _ in range(min(len(elsewhere), most - len(pending))):
                index = elsewhere.popleft()
                if not begin(index):
                    elsewhere.append(index)
            if not pending:
                if queue.is_empty() and not elsewhere:
                    return
                if elsewhere:
                    patience = patience or store.Patience()
                    patience.wait(len(elsewhere))
                continue
            patience = None
            future = ended.get()
            if future in notices:
                queue.release(notices.pop(future))
                continue
            index = pending.pop(future)
            record = None
            same = twins[plan.keys[index]]
            try:
                record = future.result()
            except (KeyboardInterrupt, SystemExit):
                raise
            except Exception as error:
                failure = _failure(plan.tasks[index], error)
                plan.failures.update(dict.fromkeys(same, failure))
            else:
                # Before the count, so that an interruption here does not lose a counted result.
                kept.put(plan.keys[index], plan.tasks[index], record)
                for twin in same:
                    plan.put(twin, record if twin == index else record.from_cache())
            conclude(index, record)
    finally:
        for future in pending:
            future.cancel()


def _submit(
    executor: Executor, task: Task, index: int, bar: SweepBar, notice: Future | None, run_timeout: float | None
) -> Future:
    if isinstance(executor, pool.ForkExecutor):

        def drew() -> None:
            if notice and not notice.done():
                notice.set_result(None)

        return executor.submit_task(task, lambda done, total, unit: bar.part(index, done, total), drew, run_timeout)
    limited = {} if run_timeout is None else {"run_timeout": run_timeout}
    return executor.submit(pool.run_task, task, **limited)


def _failure(task: Task, error: Exception) -> Exception:
    """The error of a run, with errors of an executor as one sentence."""
    if isinstance(error, RelnetError):
        return error
    if sentence := exhausted(error):
        return RunError(f"The run {task.place} cannot begin: {sentence}", task.command)
    return RunError(f"The executor lost the run {task.place}: {type(error).__name__}: {error}.", task.command)


def _count(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counts.items())


def summary(frame: Any) -> str:
    """
    Summarise a sweep: `computed N, cached M, failed K`, and the seeds that shared a run.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `sweep`.
    """
    counts = _count({what: frame.attrs[what] for what in ("computed", "cached", "failed")})
    return "; ".join(filter(None, [counts, frame.attrs["seeds"]]))


def _seeds_text(plan: _Sweep) -> str:
    """A sentence, without its full stop, on seeds that shared a run; empty if there are none."""
    if not plan.undrawn:
        return ""
    seeds = len({labels["seed"] for labels in plan.labels})
    cases = {plan.case(index) for index in plan.undrawn}
    every = {plan.case(index) for index in range(len(plan.tasks))}
    where = "" if cases == every else f" in {len(cases)} of {len(every)} cases"
    runs = plan.counts["computed"]
    return f"{seeds} seeds, no random numbers drawn{where}: {runs} {'run' if runs == 1 else 'runs'} computed"


def _column(cells: list[Any]) -> Any:
    """Cells of a frame; whole numbers remain whole if some are missing."""
    import pandas  # slow, and only the frame needs it

    whole = any(cell is None for cell in cells) and all(type(cell) is int for cell in cells if cell is not None)
    return pandas.array(cells, dtype="Int64") if whole else cells


def _finish(plan: _Sweep, tell: bool) -> Any:
    from relnet.runs.display import Sweep  # slow: it needs pandas

    if plan.failures and not plan.records:
        first = plan.failures[min(plan.failures)]
        if all(type(error) is RelnetError for error in plan.failures.values()):
            raise first
    names = list(dict.fromkeys(name for index in sorted(plan.records) for name in plan.records[index].results))
    label_names = list(plan.labels[0]) if plan.labels else []
    columns: dict[str, Any] = {}
    for name in label_names:
        columns[name] = _column([labels[name] for labels in plan.labels])
    for name in names:
        cells = [plan.records[i].results.get(name) if i in plan.records else None for i in range(len(plan.tasks))]
        columns[name if name not in columns else f"{name}_result"] = _column(cells)
    frame = Sweep(columns)
    ended = sorted(plan.records)
    frame.attrs.update(
        plan.counts,
        seeds=_seeds_text(plan),
        failures=[_told(plan.tasks[index], plan.failures[index]) for index in sorted(plan.failures)],
        units=plan.units,
        code=plan.tasks[0].code if plan.tasks else "",
        tables=frames.Tables(frames.concatenate((plan.labels[index], plan.records[index]) for index in ended)),
    )
    if tell and plan.undrawn:
        warnings.warn(f"{_seeds_text(plan)}.", RelnetWarning, stacklevel=4)
    if tell and plan.failures:
        warnings.warn(
            f"{len(plan.failures)} of {len(plan.tasks)} runs failed. {frame.attrs['failures'][0]}",
            RelnetWarning,
            stacklevel=4,
        )
    return frame


def _told(task: Task, error: Exception) -> str:
    """A sentence on a failure."""
    if isinstance(error, RunError):
        return str(error)
    return f"The run {task.place} was refused: {error}"
