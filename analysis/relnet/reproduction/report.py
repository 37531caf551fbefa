# SPDX-License-Identifier: GPL-2.0-only
"""
Content of a report: papers, claims, tables, figures, fault matrix and recordings, each number with its origin.

`pages` makes a site of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from relnet.experiments import claims

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(eq=False)
class Section:
    """
    A table or figure of a report.

    Attributes
    ----------
    key, title, source : str
        Anchor; heading; section of the paper.
    text : sequence of str
        Paragraphs.
    table : pandas.DataFrame or None
        The table.
    image : str
        File of the figure, relative to the folder of the results; empty without one.
    narrow : str
        File of the figure for a narrow page; empty if there is none.
    chart : list of mapping
        The figure's curves for display with a mouse, from `interactive.panels`.
    is_open : bool
        Whether the page shows the curves first, rather than the figure.
    files : sequence of str
        Files of table and figure, relative to the folder of the results.
    origin : str
        Code version, configuration and seeds, in one line.
    commands : sequence of str
        Command lines that repeat it.
    place : tuple of float
        Sort key among the sections of its chapter.
    """

    key: str
    title: str
    source: str
    text: Sequence[str] = ()
    table: pd.DataFrame | None = None
    image: str = ""
    narrow: str = ""
    chart: Sequence[Mapping[str, object]] = ()
    is_open: bool = False
    files: Sequence[str] = ()
    origin: str = ""
    commands: Sequence[str] = ()
    place: tuple[float, ...] = ()


@dataclass(eq=False)
class Playback:
    """
    A sequence of events that can be played step by step.

    Attributes
    ----------
    key, title : str
        Anchor; heading.
    sentence : str
        What it shows.
    command : str
        Command line that repeats it.
    peers : sequence of str
        Names of the peers.
    steps : sequence of mapping
        `text` and `peer` of each event, with its time `at` if known, and whether it `repeats` for ever.
    arrows : sequence of mapping
        `label`, `sender` and `receiver` of each frame, the steps in which it was `sent` and `ended` (-1 in flight), and
        whether it has `arrived`.
    """

    key: str
    title: str
    sentence: str
    command: str
    peers: Sequence[str]
    steps: Sequence[Mapping[str, object]]
    arrows: Sequence[Mapping[str, object]]


@dataclass
class Chapter:
    """
    The page of a report on one paper.

    Attributes
    ----------
    key, title, citation : str
        Name of the page; the paper's title; its authors and publication.
    sections : list of Section
        Sections, sorted by `place`.
    searches : list of Section
        Exhaustive searches of the paper's protocols.
    counterexamples : list of Playback
        Violations that the searches found.
    verdicts : pandas.DataFrame
        Verdicts, from `claims.judge`.
    parameters : pandas.DataFrame or None
        Model parameters with their values and origins.
    pending : sequence of str
        Titles of tables and figures that are not computed yet.
    costs : pandas.DataFrame
        Claims on the cost of reliability with their findings, from `claims.excerpt`.
    remarks : sequence of str
        Paragraphs on the calibration of the model.
    runs : int
        Number of runs so far.
    """

    key: str
    title: str
    citation: str
    sections: list[Section] = field(default_factory=list)
    searches: list[Section] = field(default_factory=list)
    counterexamples: list[Playback] = field(default_factory=list)
    verdicts: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(claims.COLUMNS)))
    parameters: pd.DataFrame | None = None
    pending: Sequence[str] = ()
    costs: pd.DataFrame = field(default_factory=pd.DataFrame)
    remarks: Sequence[str] = ()
    runs: int = 0


@dataclass
class Matrix:
    """
    The fault matrix of a report.

    Attributes
    ----------
    text : sequence of str
        Paragraphs.
    cells : mapping
        Cells for the page's script, from `fault_matrix.cells`.
    figures : sequence of Section
        Heat maps and other figures.
    broken : int
        Number of broken promises.
    """

    text: Sequence[str]
    cells: Mapping[str, object]
    figures: Sequence[Section]
    broken: int


@dataclass
class Report:
    """
    All of a report.

    Attributes
    ----------
    chapters : sequence of Chapter
        One chapter a paper.
    facts : mapping of str to str
        Names and values of common facts: code version, scale, seeds.
    quick : bool
        Whether the scale is reduced.
    ratios, protocols : Section or None
        Times with and without reliability in software; what each protocol costs.
    curves : sequence of Section
        Latency by loss and by size.
    matrix : Matrix or None
        The fault matrix.
    traces : sequence of Playback
        Recorded runs.
    """

    chapters: Sequence[Chapter] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    quick: bool = False
    ratios: Section | None = None
    protocols: Section | None = None
    curves: Sequence[Section] = ()
    matrix: Matrix | None = None
    traces: Sequence[Playback] = ()


def score(verdicts: pd.DataFrame) -> str:
    """A sentence with the number of claims by scored verdict."""
    counts = claims.count(verdicts)
    told = ", ".join(f"{count} {name.replace('-', ' ')}" for name, count in counts.items())
    return f"Of {sum(counts.values())} claims on results: {told}."


def deviation(ratio: str) -> float:
    """
    The size of a deviation.

    Parameters
    ----------
    ratio : str
        Simulated divided by published, one or several numbers; empty for a statement.

    Returns
    -------
    float
        The larger of the ratio and its inverse, of the worst number; infinite for a value that is zero or has the
        opposite sign, and 0 for a statement.
    """
    numbers = [float(number) for number in _NUMBER.findall(ratio)]
    if not numbers:
        return 0.0
    return max(math.inf if number <= 0 else max(number, 1 / number) for number in numbers)


def worst(chapters: Sequence[Chapter]) -> list[tuple[Chapter, dict[str, str]]]:
    """Deviating claims of all chapters, the largest deviation first; statements that do not hold are last."""
    found = [
        (chapter, row)
        for chapter in chapters
        for row in chapter.verdicts.loc[chapter.verdicts["verdict"] == "deviates"].to_dict("records")
    ]
    return sorted(found, key=lambda one: -deviation(one[1]["ratio"]))
