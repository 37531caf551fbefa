# SPDX-License-Identifier: GPL-2.0-only
"""Papers and their experiments: points to run, and outcomes with tables, figures, and findings on claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet.experiments.claims import Finding
from relnet.experiments.costs import Comparison


@dataclass(frozen=True)
class Point:
    """
    One run of an experiment.

    Attributes
    ----------
    parameters : mapping of str to object
        Names and values, as on a command line.
    seed : int
        Run number of the random number generator.
    cost : float
        Time of the run relative to others of its experiment; long runs start first.
    """

    parameters: Mapping[str, Any]
    seed: int = 1
    cost: float = 1.0


@dataclass(frozen=True)
class Outcome:
    """
    The outcome of an experiment.

    Attributes
    ----------
    frame : pandas.DataFrame
        The table, which is written to a CSV file.
    figure : matplotlib.figure.Figure or None
        The figure.
    shown : pandas.DataFrame or None
        The table as the report prints it; `frame` by default.
    text : sequence of str
        Paragraphs on the findings, generated from the data.
    findings : mapping of str to Finding
        Findings by claim id.
    alternatives : mapping of str to mapping
        Findings with alternatives to defaults or readings that were decided with published values in view, by setting.
        A claim whose outcome changes with one of them does not count as predicted.
    shares : mapping of str to str
        Share of joint samples of the defaults without a source for which each claim holds, as `47 of 64`.
    """

    frame: pd.DataFrame
    figure: Figure | None = None
    shown: pd.DataFrame | None = None
    text: tuple[str, ...] = ()
    findings: Mapping[str, Finding] = field(default_factory=dict)
    alternatives: Mapping[str, Mapping[str, Finding]] = field(default_factory=dict)
    shares: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scale:
    """
    The scale of a reproduction.

    Attributes
    ----------
    name : str
        `published` or `quick`.
    seeds : int
        Number of seeds of the tables.
    """

    name: str
    seeds: int

    @property
    def quick(self) -> bool:
        """Whether the scale is smaller than published."""
        return self.name == "quick"


@dataclass(frozen=True)
class Experiment:
    """
    A table or figure.

    Attributes
    ----------
    key : str
        Stem of its file names in the paper's folder.
    title : str
        Title in the report.
    section : str
        Section of the paper.
    points : callable
        Returns the list of Points for a Scale.
    render : callable
        Returns the Outcome for a Scale and the data frame of the runs, which has a column for each parameter, `seed`
        and the results.
    command : callable
        Returns the command lines that repeat the runs for a Scale.
    scenario : str
        Scenario, if not the paper's.
    further : callable or None
        Returns further Points for a Scale and the data frame of the first runs, if they depend on its results; `render`
        and `command` cover all points.
    """

    key: str
    title: str
    section: str
    points: Callable[[Scale], list[Point]]
    render: Callable[[Scale, pd.DataFrame], Outcome]
    command: Callable[[Scale], list[str]]
    scenario: str = ""
    further: Callable[[Scale, pd.DataFrame], list[Point]] | None = None

    @property
    def place(self) -> tuple[float, ...]:
        """Sort key: figures and tables in the paper's order, then studies of its sections, then all others."""
        section = re.search(r"[Ss]ections? (\d+)(?:\.(\d+))?(?:\.(\d+))?", self.section)
        drawn = re.match(r"(?:Figure|Table)s? (\d+)", self.title)
        if section is None or self.section.startswith("Not in"):
            return (2,)
        numbers = [float(number or 0) for number in section.groups()]
        return (0, *numbers, float(drawn[1])) if drawn else (1, *numbers)


@dataclass(frozen=True)
class Paper:
    """
    A paper.

    Attributes
    ----------
    number : int
        Number of the paper.
    name : str
        Name of its folder (with hyphens), of its published data and of its results.
    title, citation : str
        Title; authors, publication and year.
    scenario : str
        Scenario of its experiments; empty without a model.
    experiments : tuple of Experiment
        Experiments in the order of their runs; a report sorts them by `place`.
    names : mapping of str to str
        Descriptions of claims that are a number, by id.
    conclude : callable or None
        Returns findings on several experiments from all outcomes by key.
    costs : tuple of str
        Ids of the claims on the cost of reliability, with which a report begins.
    comparisons : callable or None
        Returns comparisons of times with and without reliability in software from the outcomes so far by key.
    remarks : callable or None
        Returns paragraphs on the calibration of the model, for the beginning of its chapter.
    """

    number: int
    name: str
    title: str
    citation: str
    scenario: str = ""
    experiments: tuple[Experiment, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    conclude: Callable[[Mapping[str, Outcome]], Mapping[str, Finding]] | None = None
    costs: tuple[str, ...] = ()
    comparisons: Callable[[Mapping[str, Outcome]], list[Comparison]] | None = None
    remarks: Callable[[], list[str]] | None = None


def findings(outcomes: Mapping[str, Outcome]) -> dict[str, Finding]:
    """Findings of all outcomes, by claim id."""
    return {claim: found for outcome in outcomes.values() for claim, found in outcome.findings.items()}
