# SPDX-License-Identifier: GPL-2.0-only
"""
Reasons why predictions of Table 2a deviate: each open point of the paper is changed alone, on the cells that
distinguish the changes.

A change explains a deviation if it moves that cell to the published value and does not move the other cells or the
buffered column. No change becomes the default because of its effect on idempotent cells, which are predictions.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.comparison import TOLERANCE
from relnet.papers.idempotent.setup import BEST, CYCLES, TABLES, TITLES, TOPOLOGIES

Cell = tuple[str, str]
"""A benchmark and a topology."""

MISSING = (("quicksort", "fattree"), ("nbody", "grid3d"))
"""Cells of Table 2a whose predictions deviate."""

_QUICKSORT = tuple(("quicksort", topology) for topology in TOPOLOGIES)
_NBODY = tuple(("nbody", topology) for topology in TOPOLOGIES)
_TREES = (("reverse", "fattree"), ("quicksort", "fattree"), ("nbody", "fattree"))
_BESIDE = (*_TREES[:2], *_NBODY)
_DECIDING = (("quicksort", "fattree"), ("nbody", "grid3d"), ("nbody", "fattree"))

CELLS = (("reverse", "fattree"), *_QUICKSORT, *_NBODY)
"""
Shown cells: both benchmarks with deviations on all topologies, and the one that constrains changes of the fat tree.
"""

NEAR = 0.05
"""Minimum change of a ratio's distance from 1 that the text reports [fraction of the published value]."""


@dataclass(frozen=True)
class Change:
    """
    Another reading of an open point of the paper.

    Attributes
    ----------
    title : str
        Description of the change.
    parameters : dict of str to str
        Changed parameters at published scale.
    cells : tuple of Cell
        Cells of its runs.
    buffered : bool
        Whether it affects the buffered network or the programs, and thus the calibration.
    quick : dict of str to str or None
        Changed parameters at reduced scale, if they differ.
    """

    title: str
    parameters: dict[str, str]
    cells: tuple[Cell, ...]
    buffered: bool = False
    quick: dict[str, str] | None = None

    def given(self, scale: Scale) -> dict[str, str]:
        """Changed parameters at a scale."""
        return self.quick if scale.quick and self.quick is not None else self.parameters


DEFAULT = Change("none", {}, CELLS, True)
"""Baseline of the changes."""

CHANGES = (
    DEFAULT,
    Change(
        "channels of a dropped packet are freed at once",
        {"freeondrop": "true"},
        (*_TREES[:2], *_NBODY[1:]),
    ),
    Change(
        "ACK and CONF leave before waiting MSGs",
        {"answersfirst": "true"},
        (*_TREES[:2], *_NBODY[1:]),
    ),
    Change("both of these", {"freeondrop": "true", "answersfirst": "true"}, _DECIDING),
    Change("sides 8 x 4 x 8", {"shape": "8x4x8"}, (("nbody", "grid3d"),), True, {"shape": "4x2x2"}),
    Change("receive table of 1024 entries", {"receivetable": "1024"}, _NBODY[1:]),
    Change("any number of ejection ports", {"ejectionports": "0"}, _BESIDE, True),
    Change("youngest head first", {"serviceorder": "youngest"}, _BESIDE),
    Change("heads served in turn", {"serviceorder": "rotating"}, _BESIDE),
    Change("four channels a leaf", {"channelsperleaf": "4"}, _TREES, True),
    Change("trees of 16 threads", {"threadarity": "16"}, _QUICKSORT, True),
)
"""
The changes. Those of ejection ports and order of service share the runs of the section on open choices.
"""


def _points(scale: Scale) -> list[Point]:
    points = []
    for change in CHANGES:
        given = change.given(scale)
        for cell in change.cells:
            points.append(setup.cell(scale, *cell, **given))
            if change.buffered:
                points.append(setup.buffered(scale, *cell, **given))
    return points


def ratios(scale: Scale, frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate the effect of each change on each cell.

    Parameters
    ----------
    scale : Scale
        Scale of the runs.
    frame : pandas.DataFrame
        The runs, in the order of the points.

    Returns
    -------
    pandas.DataFrame
        Columns change, benchmark, topology, router, cycles (missing if a run did not complete), published, ratio (of
        both), against_default.
    """
    published = claims.published_values(setup.NAME)
    runs = iter(frame[CYCLES].where(frame.index.isin(finished(frame).index)))
    rows = []
    for change in CHANGES:
        for benchmark, topology in change.cells:
            for router, kind in (("lossy", "idem"), ("buffered", "buf"))[: 1 + change.buffered]:
                value = published[f"E-T2a-{benchmark}-{TOPOLOGIES[topology]}-{kind}"]
                cycles = float(next(runs))
                rows.append((change.title, benchmark, topology, router, cycles, value, cycles / value))
    names = ["change", "benchmark", "topology", "router", "cycles", "published", "ratio"]
    table = pd.DataFrame(rows, columns=names)
    place = ["benchmark", "topology", "router"]
    default = pick(table, change=DEFAULT.title).set_index(place)["cycles"]
    table["against_default"] = table["cycles"] / default.loc[pd.MultiIndex.from_frame(table[place])].to_numpy()
    return table


def _shown(table: pd.DataFrame, column: str) -> pd.DataFrame:
    rows = []
    for change in CHANGES:
        row = {"change": change.title}
        for benchmark, topology in CELLS:
            values = pick(table, change=change.title, benchmark=benchmark, topology=topology)[column]
            told = [f"{value:.2f}" if value == value else "no end" for value in values]
            row[f"{benchmark}, {TITLES[topology]}"] = f"{told[0]} ({told[1]})" if len(told) > 1 else "".join(told)
        rows.append(row)
    return pd.DataFrame(rows)


def _name(cell: Cell) -> str:
    return f"{cell[0]} on the {TITLES[cell[1]]}"


def _explained(table: pd.DataFrame, missing: Cell) -> str:
    """One paragraph on a deviating cell: changes that reduce the deviation, and their effects elsewhere."""
    by_change = {
        change.title: pick(table, change=change.title, router="lossy").set_index(["benchmark", "topology"])["ratio"]
        for change in CHANGES
    }
    default = by_change[DEFAULT.title]
    told = []
    for change in CHANGES[1:]:
        found = by_change[change.title]
        if missing not in found.index or not abs(found[missing] - 1) < abs(default[missing] - 1) - NEAR:
            continue
        price = [
            f"{_name(cell)} changes from {default[cell]:.2f} to {ratio:.2f}"
            for cell, ratio in found.items()
            if cell != missing and not abs(ratio - 1) <= max(abs(default[cell] - 1) + NEAR, TOLERANCE)
        ]
        quiet = pick(table, change=change.title, router="buffered")
        price += [
            f"{_name((row.benchmark, row.topology))} on the buffered network to {row.ratio:.2f}"
            for row in quiet.itertuples()
            if abs(row.ratio - 1) > TOLERANCE and abs(row.against_default - 1) > NEAR
        ]
        cost = f"but {' and '.join(price)}" if price else "and no other cell leaves its 15 %"
        told.append(f"{change.title}: {found[missing]:.2f}, {cost}")
    closer = "; ".join(told) + "." if told else "none."
    name = _name(missing)
    return (
        f"{name[0].upper()}{name[1:]} takes {default[missing]:.2f} of the published value. Changes that bring it "
        f"closer: {closer}"
    )


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = ratios(scale, frame)
    if scale.quick:
        text = "Reduced scale with fewer nodes than the paper: each value is the time relative to that without change."
        return Outcome(table, None, _shown(table, "against_default"), (text,))
    text = (
        "Each value is simulated / published. Values of the buffered network, if the change affects it, are in "
        "parentheses; empty cells were not run.",
        *(_explained(table, missing) for missing in MISSING),
        "The paper states none of these choices. None of them became the default, since only the predicted cells would "
        "justify it.",
    )
    return Outcome(table, None, _shown(table, "ratio"), text)


def _command(scale: Scale) -> list[str]:
    lines = []
    for change in CHANGES:
        given = change.given(scale)
        for router in ("lossy", "buffered")[: 1 + change.buffered]:
            more = {"router": router, **({**BEST, **TABLES} if router == "lossy" else {}), **given}
            told = " ".join(f"{name}={value}" for name, value in more.items())
            for benchmark in dict.fromkeys(benchmark for benchmark, _ in change.cells):
                topologies = ",".join(topology for one, topology in change.cells if one == benchmark)
                lines.append(
                    f"relnet sweep {setup.SCENARIO} benchmark={benchmark} nodes={setup.nodes(benchmark, scale)} "
                    f"topology={topologies} {told}"
                )
    return lines


MECHANISMS = Experiment(
    "mechanisms",
    "Why quicksort on the fat tree and nbody on the 3D grid deviate",
    "Not in the paper (sections 2.4, 3.1 and 4.2 leave these choices open)",
    _points,
    _render,
    _command,
)
