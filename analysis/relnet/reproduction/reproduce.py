# SPDX-License-Identifier: GPL-2.0-only
"""
Reproductions of papers: for each table or figure, the runs, a CSV file, a figure and a section of the report.

The runs are sweeps: on all cores, stored on disk, resumable. Report and claims are rewritten after each table or
figure, so the folder is always consistent. Each paper has its own subfolder.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from relnet import __version__, build, papers, plots
from relnet.catalog.lookup import describe
from relnet.experiments import claims, costs
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Experiment, Outcome, Paper, Point, Scale
from relnet.records import frames
from relnet.records.files import make_folder, replace_file, write_frame
from relnet.reproduction import durations, report
from relnet.runs.sweeps import sweep_points
from relnet.studies import fault_matrix

SEEDS = 3
"""Seeds at published scale."""

MATRIX = "matrix"
"""Name of the fault matrix in the list of papers."""

Execute = Callable[[str, list[Point], str], pd.DataFrame]
"""Runs points of a scenario under a title, and returns the results in the order of the points."""


def code_version() -> str:
    """
    The version of the sources: the output of `git describe`, or the package's version outside a repository.
    """
    root = build.clone()
    if root is None:
        return __version__
    try:
        told = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty", "--tags"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return told.stdout.strip() or __version__


def execute(scenario: str, points: list[Point], title: str) -> pd.DataFrame:
    """
    Run points as one sweep.

    Parameters
    ----------
    scenario : str
        Name of the scenario.
    points : list of Point
        The runs.
    title : str
        Label of the progress bar.

    Returns
    -------
    pandas.DataFrame
        Results in the order of `points`. `attrs` are those of a sweep; `point` in a table is an index of `points`.
    """
    order = sorted(range(len(points)), key=lambda index: -points[index].cost)
    found = sweep_points(scenario, [(points[index].parameters, points[index].seed) for index in order], title)
    attributes = found.attrs
    found = found.drop(columns=["point", "seed"])
    found.index = order
    found = found.sort_index()
    tables = {}
    for name, table in attributes["tables"].items():
        numbered = table.assign(point=[order[place] for place in table["point"]])
        tables[name] = numbered.sort_values("point", kind="stable", ignore_index=True)
    found.attrs = attributes | {"tables": frames.Tables(tables)}
    return found


def assemble(points: Sequence[Point], results: pd.DataFrame) -> pd.DataFrame:
    """Combine parameters, seed, results and tables in one frame; numbers of failed runs are missing."""
    given = pd.DataFrame([{**point.parameters, "seed": point.seed} for point in points])
    results = results.reset_index(drop=True)
    for name in results.columns:
        if pd.api.types.is_extension_array_dtype(results[name].dtype) and pd.api.types.is_numeric_dtype(results[name]):
            results[name] = results[name].astype(float)
    same = [name for name in results.columns if name in given.columns]
    frame = pd.concat([given, results.drop(columns=same)], axis=1)
    frame.attrs = {"tables": results.attrs.get("tables", {})}
    return frame


@dataclass
class _Progress:
    """
    State of the reproduction of a paper.

    Attributes
    ----------
    paper : Paper
        The paper.
    chapter : relnet.report.Chapter
        Its chapter of the report so far.
    outcomes : dict of str to Outcome
        Outcomes by experiment so far.
    findings : dict of str to relnet.claims.Finding
        Findings by claim so far.
    alternatives : dict of str to dict
        Findings by claim with alternative defaults, as for `claims.turned`.
    used : dict of str to dict
        Values of each parameter in the runs so far.
    failures : list of str
        Failed runs, one sentence each.
    passed : dict of str to bool
        Test suites that ran, and whether they passed.
    comparisons : list of Comparison
        Comparisons of times with and without reliability in software so far.
    """

    paper: Paper
    chapter: report.Chapter
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    findings: dict[str, claims.Finding] = field(default_factory=dict)
    alternatives: dict[str, dict[str, claims.Finding]] = field(default_factory=dict)
    used: dict[str, dict[Any, None]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    passed: dict[str, bool] = field(default_factory=dict)
    comparisons: list[Comparison] = field(default_factory=list)

    def compare(self) -> bool:
        """Update the comparisons of times; return whether they changed."""
        before = self.comparisons
        if self.paper.comparisons:
            self.comparisons = [one for one in self.paper.comparisons(self.outcomes) if one.simulated]
        return self.comparisons != before

    def judge(self) -> None:
        """Judge all claims by the findings so far."""
        found = dict(self.findings)
        if self.paper.conclude:
            found |= self.paper.conclude(self.outcomes)
        modelled = bool(self.paper.experiments)
        published = claims.read(self.paper.name)
        self.chapter.verdicts = claims.judge(
            published, found, modelled, self.paper.names, self.passed, self.alternatives
        )
        self.chapter.costs = claims.excerpt(self.paper.costs, published, found, self.chapter.verdicts)


def _short(values: Sequence[Any]) -> str:
    texts = [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
    return ", ".join(texts) if len(texts) <= 6 else f"{', '.join(texts[:3])}, ... {texts[-1]} ({len(texts)} values)"


def _sources(points: Sequence[Point], version: str, code: str) -> str:
    """Code version and seeds of an experiment."""
    if not points:
        return f"relnet {version}; computed without runs"
    seeds = sorted({point.seed for point in points})
    seeded = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {_short(seeds)}"
    return f"relnet {version}, modules {code or 'unknown'}, ns-3 {build.ns3_version()}; {len(points)} runs, {seeded}"


def _origin(points: Sequence[Point], version: str, code: str) -> str:
    """Code version, seeds and configuration of an experiment, in one line."""
    values: dict[str, dict[Any, None]] = {}
    for point in points:
        for name, value in point.parameters.items():
            values.setdefault(name, {})[value] = None
    told = [f"{name}={_short(list(found))}" for name, found in values.items()]
    return "; ".join([_sources(points, version, code), *told])


_ORIGINS = (
    ("default", re.compile("-?$|default")),
    ("run", re.compile("(fault|user)$")),
    ("calibrated", re.compile(".*(calibrat|fitted)")),
    ("unknown", re.compile(".*(unknown|swept|does not say)")),
    ("general knowledge", re.compile(".*(general knowledge|usual)")),
    ("reading", re.compile(".*-amb-")),
)
"""
Origins of defaults by their sources; the first match counts. `run` is an input of a run, not an assumption of the
model. `reading` is a decision on an open point of a paper.
"""


def origin_of(source: str) -> str:
    """
    Classify the source of a parameter's default.

    Parameters
    ----------
    source : str
        The source in its help text.

    Returns
    -------
    str
        An origin of `_ORIGINS`, or `source`.
    """
    folded = source.casefold()
    return next((origin for origin, form in _ORIGINS if form.match(folded)), "source")


def parameter_table(scenario: Any, used: Mapping[str, Mapping[Any, None]]) -> pd.DataFrame:
    """
    List the parameters of a scenario with their values in the runs and the origins of their defaults.

    Parameters
    ----------
    scenario : relnet.catalog.Scenario
        The scenario.
    used : mapping of str to mapping
        Values in the runs, by the parameter's name in any case.

    Returns
    -------
    pandas.DataFrame
        Columns parameter, value, unit, origin (from `origin_of`), from, meaning.
    """
    given = {name.casefold(): list(values) for name, values in used.items()}
    rows = []
    for parameter in scenario.parameters:
        values = given.get(parameter.name.casefold(), [parameter.default])
        source = parameter.source or ("default" if parameter.unit == "default" else "")
        unit = "" if parameter.unit in ("1", "-", "default", "name", "number", "bool") else parameter.unit
        rows.append(
            {
                "parameter": parameter.name,
                "value": _short(values),
                "unit": unit,
                "origin": origin_of(source),
                "from": "" if source in ("-", "default") else source,
                "meaning": parameter.help,
            }
        )
    return pd.DataFrame(rows)


def join(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Concatenate two frames of `assemble`; `point` in a table is an index of all runs."""
    if second.empty:
        return first
    tables = {name: [table] for name, table in first.attrs["tables"].items()}
    for name, table in second.attrs["tables"].items():
        tables.setdefault(name, []).append(table.assign(point=table["point"] + len(first)))
    whole = pd.concat([first, second], ignore_index=True)
    joined = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    whole.attrs = {"tables": frames.Tables(joined)}
    return whole


def _run(
    scenario: str, points: list[Point], title: str, run: Execute
) -> tuple[pd.DataFrame, Mapping[str, Any], list[str]]:
    """Run points; return their frame, the counts of runs, and one sentence per failure."""
    if not points:
        return pd.DataFrame(), {}, []
    results = run(scenario, points, title)
    return assemble(points, results), results.attrs, results.attrs.get("failures", [])


@dataclass(frozen=True)
class _Runs:
    """
    Runs of an experiment.

    Attributes
    ----------
    points : list of Point
        The points.
    frame : pandas.DataFrame
        Their parameters and results.
    counts : mapping of str to object
        Runs computed, cached and failed, and the hash of the code.
    failures : list of str
        One sentence per failed run.
    seconds : float
        Duration [s].
    """

    points: list[Point]
    frame: pd.DataFrame
    counts: Mapping[str, Any]
    failures: list[str]
    seconds: float


def _conduct(experiment: Experiment, scale: Scale, state: _Progress, run: Execute) -> _Runs:
    """Run an experiment."""
    start = time.monotonic()
    scenario = experiment.scenario or state.paper.scenario
    points = experiment.points(scale)
    stem = f"{state.paper.name}/{experiment.key}"
    frame, counts, failures = _run(scenario, points, stem, run)
    if experiment.further is not None:
        more = experiment.further(scale, frame)
        rest, counted, failed = _run(scenario, more, f"{stem}, further", run)
        points, frame, failures = points + more, join(frame, rest), failures + failed
        counts = {name: counts.get(name, 0) + counted.get(name, 0) for name in ("computed", "cached", "failed")} | {
            "code": counts.get("code", "")
        }
    return _Runs(points, frame, counts, failures, time.monotonic() - start)


def _present(experiment: Experiment, scale: Scale, state: _Progress, runs: _Runs, folder: Path, version: str) -> str:
    """Write table and figure of an experiment, add its section, and return a summary line."""
    points, failures, counts = runs.points, runs.failures, runs.counts
    stem = f"{state.paper.name}/{experiment.key}"
    for point in () if experiment.scenario else points:
        for name, value in point.parameters.items():
            state.used.setdefault(name, {})[value] = None
    state.failures += failures
    outcome = experiment.render(scale, runs.frame)
    state.outcomes[experiment.key] = outcome
    state.findings |= outcome.findings
    for setting, found in outcome.alternatives.items():
        state.alternatives.setdefault(setting, {}).update(found)
    endings = [".csv"]
    write_frame(outcome.frame, folder / f"{stem}.csv")
    image = ""
    code = counts.get("code", "")
    if outcome.figure is not None:
        plots.sign(outcome.figure, _sources(points, version, code))
        image = plots.data_uri(plots.save(outcome.figure, folder / stem))
        endings += [".png", ".svg"]
    text = list(outcome.text)
    if failures:
        text.append(f"{len(failures)} of {len(points)} runs failed. {' '.join(failures[:3])}")
    state.chapter.sections.append(
        report.Section(
            f"{state.paper.name}-{experiment.key}",
            experiment.title,
            experiment.section,
            text,
            outcome.frame if outcome.shown is None else outcome.shown,
            image,
            [f"{stem}{ending}" for ending in endings],
            _origin(points, version, code),
            experiment.command(scale),
            experiment.place,
        )
    )
    state.chapter.sections.sort(key=lambda section: section.place)
    done = ", ".join(f"{name} {counts[name]}" for name in ("computed", "cached", "failed") if name in counts)
    return f"{stem}: {len(points)} runs ({done or 'none'}), {runs.seconds:.1f} s"


def _ratios(states: Sequence[_Progress], folder: Path, version: str) -> report.Section:
    """Write the comparison of times with and without reliability in software, and make its section."""
    found = [one for state in states for one in state.comparisons]
    table = costs.table(found)
    write_frame(table, folder / "costs.csv")
    figure = costs.figure(found)
    plots.sign(figure, f"relnet {version}")
    return report.Section(
        "costs",
        "Times with and without reliability in software",
        "all; see the last column of the table",
        costs.text(found),
        table,
        plots.data_uri(plots.save(figure, folder / "costs")),
        ["costs.csv", "costs.png", "costs.svg"],
        f"relnet {version}; from the runs of the other sections",
    )


def run_suites(ids: Iterable[str]) -> dict[str, bool]:
    """
    Run the ns-3 test suites with given ids.

    Parameters
    ----------
    ids : iterable of str
        Ids of claims.

    Returns
    -------
    dict of str to bool
        Suites, and whether all of their tests passed; empty without a test runner.
    """
    runner = build.build_folder() / "bin" / "relnet-test-runner"
    if not runner.exists():
        return {}
    found = claims.tests()
    known = subprocess.run([str(runner), "--list"], capture_output=True, text=True, check=False).stdout.split()
    wanted = {suite for name in ids for tested in found.get(name, ()) for suite in tested.suites}
    # Searches take longest: started first, they leave no core idle at the end.
    suites = sorted(wanted & set(known), key=lambda suite: (not suite.endswith("-search"), suite))

    def run(suite: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            words = [str(runner), f"--suite={suite}", "--fullness=EXTENSIVE"]
            return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 0

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        return dict(zip(suites, threads.map(run, suites), strict=True))


def _suites_text(passed: Mapping[str, bool]) -> str:
    """Results of the test suites with ids of claims, as a sentence."""
    if not passed:
        remedy = "they are not built; `make reproduce` builds them" if build.clone() else "only a clone has them"
        return f"test suites of claims were not run: {remedy}"
    failed = [suite for suite, ended in passed.items() if not ended]
    failures = f"; failed: {', '.join(failed)}" if failed else ""
    return f"{len(passed) - len(failed)} of {len(passed)} test suites of claims pass{failures}"


def reproduce(names: Sequence[str] = (), quick: bool = False, out: str | Path = "out", run: Execute = execute) -> int:
    """
    Reproduce papers into a folder.

    Parameters
    ----------
    names : sequence of str
        Names of papers, and `matrix` for the fault matrix; all by default.
    quick : bool
        Whether to run fewer nodes, seeds and points than published; claims that depend on the scale then have no
        verdict.
    out : path
        Folder for CSV files, figures, `claims.csv`, `scored.csv` (claims on results), `durations.csv`, `origin.json`
        and `report.html`.
    run : callable
        Function that executes the runs.

    Returns
    -------
    int
        0, or 1 if a run failed or a cell of the fault matrix broke a promise.

    Raises
    ------
    RelnetError
        If a paper is unknown, or the folder cannot be written to.
    """
    wanted = [name for name in names if name.strip().casefold() != MATRIX]
    with_matrix = run is execute and (not names or len(wanted) < len(names))
    chosen = [papers.find(name) for name in wanted] if names else papers.modelled()
    chosen = list({paper.number: paper for paper in chosen}.values())
    scale = Scale("quick", 1) if quick else Scale("published", SEEDS)
    folder = make_folder(out)
    version = code_version()
    start = time.monotonic()
    states = [_Progress(paper, report.Chapter(paper.name, paper.title, paper.citation)) for paper in chosen]
    for state in states:
        state.chapter.remarks = state.paper.remarks() if state.paper.remarks else ()
        state.chapter.pending = [experiment.title for experiment in state.paper.experiments]
        state.judge()

    ratios: report.Section | None = None
    matrix: list[report.Section] = []

    def write() -> None:
        facts = {
            "Code version": version,
            "ns-3": build.ns3_version(),
            "Scale": "quick: fewer nodes, seeds and points than published" if quick else "as published",
            "Elapsed time": f"{time.monotonic() - start:.0f} s",
            "Command": " ".join(["relnet reproduce", *names, *(["--quick"] if quick else []), f"--out {out}"]),
        }
        replace_file(folder / "origin.json", json.dumps(facts, indent=2).encode())
        if states:
            verdicts = pd.concat([state.chapter.verdicts for state in states])
            write_frame(verdicts, folder / "claims.csv")
            write_frame(claims.scored(verdicts), folder / "scored.csv")
        report.write(folder / "report.html", [state.chapter for state in states], facts, quick, ratios, matrix)

    write()
    stems = [f"{state.paper.name}/{experiment.key}" for state in states for experiment in state.paper.experiments]
    done, total, times = 0, len(stems), durations.Durations(folder, scale.name, stems)
    print(f"{total} tables and figures into {folder}; {folder / 'report.html'} is rewritten after each", flush=True)

    def present(state: _Progress, experiment: Experiment, runs: _Runs) -> None:
        nonlocal done, ratios
        line = _present(experiment, scale, state, runs, folder, version)
        state.chapter.pending = state.chapter.pending[1:]
        state.judge()
        if state.compare():
            ratios = _ratios(states, folder, version)
        if state.paper.scenario and run is execute:
            state.chapter.parameters = parameter_table(describe(state.paper.scenario), state.used)
        write()
        done += 1
        times.add(stems[done - 1], runs.seconds, runs.counts.get("computed", 0), runs.counts.get("cached", 0))
        left = f"; about {durations.text(times.left)} left" if done < total else ""
        print(f"[{done}/{total}] {line}{left}", flush=True)

    def close(state: _Progress, passed: dict[str, bool] | None) -> None:
        if passed is not None:
            state.passed = passed
            state.judge()
            write()
            print(f"{state.paper.name}: {_suites_text(passed)}", flush=True)
        for failure in state.failures:
            print(f"relnet: {failure}", file=sys.stderr)
        counts = state.chapter.verdicts["verdict"].value_counts()
        told = ", ".join(f"{counts[name]} {name}" for name in claims.VERDICTS if name in counts)
        hint = " (run without --quick for claims that depend on the scale)" if quick else ""
        print(f"{state.paper.name}: {report.score(state.chapter.verdicts)}", flush=True)
        print(f"{state.paper.name}: {len(state.chapter.verdicts)} claims: {told}{hint}", flush=True)

    # One thread draws and writes, in order, while the next experiment runs.
    with ThreadPoolExecutor(1, thread_name_prefix="relnet-drawing") as drawing:
        drawn: list[Future] = []
        for state in states:
            for experiment in state.paper.experiments:
                runs = _conduct(experiment, scale, state, run)
                drawn.append(drawing.submit(present, state, experiment, runs))
                for future in drawn:
                    if future.done():
                        future.result()  # raises an exception of the drawing at once
            suites = state.paper.experiments and run is execute
            passed = run_suites(state.chapter.verdicts["id"]) if suites else None
            drawn.append(drawing.submit(close, state, passed))
        for future in drawn:
            future.result()
    broken: list[str] = []
    if with_matrix:
        begun = time.monotonic()
        frame = fault_matrix.measure(fault_matrix.QUICK if quick else {})
        matrix += fault_matrix.save(frame, folder, f"relnet {version}, ns-3 {build.ns3_version()}; seed 1")
        broken = fault_matrix.broken(frame)
        write()
        print(f"{MATRIX}: {len(frame)} cells, {len(broken)} broken promises, {time.monotonic() - begun:.1f} s")
        for line in broken:
            print(f"relnet: {line}", file=sys.stderr)
    print(f"{folder / 'report.html'} and {folder / 'claims.csv'} after {time.monotonic() - start:.0f} s")
    return 1 if broken or any(state.failures for state in states) else 0
