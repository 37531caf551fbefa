# SPDX-License-Identifier: GPL-2.0-only
"""
The papers, one folder each: experiments, tables, figures, and findings on each claim.

A paper is found by its folder, whose module has a `PAPER`; its name is that of the folder with hyphens, and its
published data are `analysis/published/NAME.csv`. Nothing else lists it. It is imported at its first use.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet.claims import Finding
from relnet.errors import RelnetError
from relnet.papers.costs import Comparison


@dataclass(frozen=True)
class Point:
    """
    One run that an experiment asks for.

    Attributes
    ----------
    parameters : mapping of str to object
        Names and values, as on a command line.
    seed : int
        The run number of the random number generator.
    cost : float
        Time of the run relative to the others of its experiment; long ones are started first.
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
        The table; it is written to a CSV file.
    figure : matplotlib.figure.Figure or None
        Its picture.
    shown : pandas.DataFrame or None
        The table as the report prints it, if not `frame` itself; None with an empty `frame` prints none.
    text : sequence of str
        Paragraphs on the findings, made from the data.
    findings : mapping of str to Finding
        Findings by the id of the claim.
    alternatives : mapping of str to mapping
        The same for other values of defaults, or other readings, that were settled with published values in view, by
        what is changed. A claim whose outcome changes with one of them is not counted as predicted.
    """

    frame: pd.DataFrame
    figure: Figure | None = None
    shown: pd.DataFrame | None = None
    text: tuple[str, ...] = ()
    findings: Mapping[str, Finding] = field(default_factory=dict)
    alternatives: Mapping[str, Mapping[str, Finding]] = field(default_factory=dict)


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
        """Whether less than the published scale is run."""
        return self.name == "quick"


@dataclass(frozen=True)
class Experiment:
    """
    A table or figure.

    Attributes
    ----------
    key : str
        The stem of its files' names, in the paper's folder.
    title : str
        Title in the report.
    section : str
        Place in the paper.
    points : callable
        From a Scale to the list of Points it needs.
    render : callable
        From a Scale and the data frame of its runs to an Outcome. The frame has a column for each parameter of any
        point, `seed`, `verdict`, and the results.
    command : callable
        From a Scale to the command lines that repeat its runs.
    scenario : str
        The scenario that it runs, if not the paper's.
    further : callable or None
        From a Scale and the data frame of the runs of `points` to more points, which need what those gave; `render`
        and `command` are for all of them.
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
        """Key to sort by: figures and tables in the paper's order, then studies of its sections, then all else."""
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
        Its place among the papers.
    name : str
        The name of its folder (with hyphens), of its published data and of its results.
    title, citation : str
        Its title; authors, place and year.
    scenario : str
        The scenario its experiments run; empty without a model.
    experiments : tuple of Experiment
        In the order in which they are run; a report has them in that of their `place`.
    names : mapping of str to str
        Descriptions of published rows that are a bare number, by id.
    conclude : callable or None
        From all outcomes by key to further findings, for claims on several experiments.
    costs : tuple of str
        Ids of the claims on the cost of reliability; a report begins with them.
    comparisons : callable or None
        From all outcomes by key so far to comparisons of times with and without reliability in software.
    remarks : callable or None
        Gives sentences on how the model was calibrated, for the beginning of its chapter.
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
    """The findings of all outcomes, by the ids of the claims."""
    return {claim: found for outcome in outcomes.values() for claim, found in outcome.findings.items()}


def _modules() -> dict[str, str]:
    """The modules of the papers, by the papers' names."""
    folders = [found.name for found in pkgutil.iter_modules(__path__) if found.ispkg]
    return {folder.replace("_", "-"): f"{__name__}.{folder}" for folder in folders}


def modelled() -> list[Paper]:
    """All papers, in the order of their numbers."""
    return sorted((find(name) for name in _modules()), key=lambda paper: paper.number)


def names() -> list[str]:
    """The names of all papers, in the order of their numbers."""
    return [paper.name for paper in modelled()]


def find(name: str) -> Paper:
    """
    The paper of a name.

    Parameters
    ----------
    name : str
        `mpi-infiniband`, for instance, in any case.

    Raises
    ------
    RelnetError
        If there is none.
    """
    module = _modules().get(name.strip().casefold())
    if module is None:
        raise RelnetError(f"There is no paper {name!r}; there are {', '.join(names())}.")
    return importlib.import_module(module).PAPER
