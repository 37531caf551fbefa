# SPDX-License-Identifier: GPL-2.0-only
"""Runs of an experiment: its points as sweeps, and their parameters and results in one frame."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from relnet.errors import RunError
from relnet.experiments.definitions import Experiment, Paper, Point, Scale
from relnet.records import frames
from relnet.runs.sweeps import sweep_points

Execute = Callable[[str, list[Point], str], pd.DataFrame]
"""Runs points of a scenario under a title, and returns the results in the order of the points."""

_COUNTS = ("computed", "cached", "failed")
"""Counts of runs, in the order of a summary."""


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


@dataclass(frozen=True)
class Runs:
    """
    Runs of an experiment.

    Attributes
    ----------
    points : list of Point
        The points.
    frame : pandas.DataFrame
        Their parameters and results.
    counts : mapping of str to int
        Numbers of runs computed, cached and failed; empty without runs.
    code : str
        Hash of the code; empty if unknown.
    failures : list of str
        One sentence per failed run.
    seconds : float
        Duration [s].
    """

    points: list[Point] = field(default_factory=list)
    frame: pd.DataFrame = field(default_factory=pd.DataFrame)
    counts: Mapping[str, int] = field(default_factory=dict)
    code: str = ""
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def followed_by(self, more: Runs) -> Runs:
        """These runs and further ones of the same experiment, whose points depend on these results."""
        return Runs(
            self.points + more.points,
            join(self.frame, more.frame),
            {name: self.counts.get(name, 0) + more.counts.get(name, 0) for name in _COUNTS},
            self.code,
            self.failures + more.failures,
        )

    @property
    def summary(self) -> str:
        """Numbers of runs, and their duration."""
        told = ", ".join(f"{name} {self.counts[name]}" for name in _COUNTS if name in self.counts)
        return f"{len(self.points)} runs ({told or 'none'}), {self.seconds:.1f} s"


def _run(scenario: str, points: list[Point], title: str, run: Execute) -> Runs:
    """Run points of a scenario, if there are any."""
    if not points:
        return Runs()
    results = run(scenario, points, title)
    told: Mapping[str, Any] = results.attrs
    counts = {name: told[name] for name in _COUNTS if name in told}
    return Runs(points, assemble(points, results), counts, told.get("code", ""), told.get("failures", []))


@contextlib.contextmanager
def explained(runs: Runs, title: str) -> Iterator[None]:
    """
    Explain an exception by the runs that failed, if any did.

    Parameters
    ----------
    runs : Runs
        The runs that are evaluated.
    title : str
        Name of the experiment.

    Raises
    ------
    RunError
        Instead of any exception, if a run failed.
    """
    try:
        yield
    except Exception as error:
        if not runs.failures:
            raise
        failed = f"{len(runs.failures)} of its {len(runs.points)} runs failed; the others are stored"
        if len(runs.failures) == len(runs.points):
            failed = f"all of its {len(runs.points)} runs failed" if len(runs.points) > 1 else "its run failed"
        raise RunError(
            f"{title} cannot be evaluated, since {failed}, and the same command continues. The first: "
            f"{runs.failures[0]}"
        ) from error


def conduct(paper: Paper, experiment: Experiment, scale: Scale, run: Execute = execute) -> Runs:
    """
    Run an experiment of a paper.

    Parameters
    ----------
    paper : Paper
        The paper.
    experiment : Experiment
        The experiment.
    scale : Scale
        Scale of the reproduction.
    run : callable
        Function that executes the runs.
    """
    start = time.monotonic()
    scenario = experiment.scenario or paper.scenario
    title = f"{paper.name}/{experiment.key}"
    runs = _run(scenario, experiment.points(scale), title, run)
    if experiment.further is not None:
        with explained(runs, title):
            more = experiment.further(scale, runs.frame)
        runs = runs.followed_by(_run(scenario, more, f"{title}, further", run))
    return replace(runs, seconds=time.monotonic() - start)
