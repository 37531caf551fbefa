# SPDX-License-Identifier: GPL-2.0-only
"""
How much each calibrated number is held by the numbers that it was calibrated against.

Each is moved by a step alone, on the buffered network. One that moves no cell is held by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from relnet import claims
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import CYCLES, FEW, TITLES, TOPOLOGIES
from relnet.papers.runs import finished


@dataclass(frozen=True)
class Calibrated:
    """
    A number or choice that was calibrated.

    Attributes
    ----------
    name : str
        Its name.
    default, step : object
        Its default, and the value tried: a quarter more, one at least, or another choice.
    benchmark : str
        The program that has it; empty if all do.
    attribute : str
        The parameter, if it is one; else it is one of parameter Constants.
    topology : str
        The topology that has it; empty if all do.
    """

    name: str
    default: Any
    step: Any
    benchmark: str = ""
    attribute: str = ""
    topology: str = ""

    def given(self) -> dict[str, Any]:
        """The parameter of its run."""
        return {self.attribute: self.step} if self.attribute else {"constants": f"{self.name}={self.step}"}

    def cells(self) -> list[tuple[str, str]]:
        """Where it can have an effect."""
        return [cell for cell in FEW if self.benchmark in ("", cell[0]) and self.topology in ("", cell[1])]


CALIBRATED = (
    Calibrated("DataSeed", 8, 9, "quicksort", "dataseed"),
    Calibrated("ThreadArity", 4, 5, "", "threadarity"),
    Calibrated("AddVariant", "sum", "prefix", "add", "addvariant"),
    Calibrated("ReverseThreads", "forked", "preloaded", "reverse", "reversethreads"),
    Calibrated("ReverseStoresPerWait", 0, 4, "reverse"),
    Calibrated("RecordWords", 4, 5, "quicksort"),
    Calibrated("CountTime", 58, 72, "quicksort"),
    Calibrated("Iterations", 6, 7, "nbody"),
    Calibrated("StoresPerPeer", 8, 10, "nbody"),
    Calibrated("WordsPerStore", 1, 2, "nbody"),
    Calibrated("ComputeTime", 3000, 3750, "nbody"),
    Calibrated("BroadcastOrder", "interleaved", "row-first", "nbody", "broadcastorder"),
    Calibrated("StoreWords", 6, 7),
    Calibrated("StoreReplyWords", 3, 4),
    Calibrated("ForkWords", 12, 15),
    Calibrated("JoinWords", 6, 7),
    Calibrated("FurtherWord", 1, 2),
    Calibrated("LocalReferenceTime", 2, 3),
    Calibrated("ForkTime", 14, 17),
    Calibrated("ThreadStartTime", 8, 10),
    Calibrated("ChannelsPerLeaf", 8, 10, "", "channelsperleaf", "fattree"),
    Calibrated("InjectionPorts", 1, 2, "", "injectionports"),
    Calibrated("EjectionPorts", 1, 2, "", "ejectionports"),
    Calibrated("CreditDelay", 1, 2, "", "creditdelay"),
)
"""All that is calibrated: parameters of the scenario and the network, constants of the programs and the recorder."""

FIXED = (
    Calibrated("QuicksortStoresPerWait", 4, 5, "quicksort"),
    Calibrated("MoveTime", 2, 3, "quicksort"),
    Calibrated("LocalSortTime", 8, 10, "quicksort"),
    Calibrated("StoreInterval", 4, 5, "nbody"),
    Calibrated("PhaseControl", "forked", "barriers", "nbody", "phasecontrol"),
    Calibrated("LoadWords", 4, 5),
    Calibrated("LoadReplyWords", 5, 6),
)
"""
Constants that no cell holds, as their runs show, and their reasons: a load is a header with source and address, its
reply has a word more; an entry is moved by a local store; stores follow each other after the instructions of a loop; a
local sort is a small part of its program, and so are its waits; phases are forked, since Table 1 has no other way to
make a thread.
"""

HELD = 1.0
"""Least change of a cell with which it holds a number [%]."""


def _points(scale: Scale) -> list[Point]:
    points = [setup.buffered(scale, *cell) for cell in FEW]
    return points + [
        setup.buffered(scale, *cell, **one.given()) for one in (*CALIBRATED, *FIXED) for cell in one.cells()
    ]


def moved(frame: pd.DataFrame) -> pd.DataFrame:
    """
    What a step of each calibrated number does to the cells that it can change.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs, in the order of the points.

    Returns
    -------
    pandas.DataFrame
        Columns parameter, kind, default, tried, cells (that have it), held by (cells that move by `HELD` or more),
        largest change [%], where, deviation before and after [%] (mean of these cells from the published values).
    """
    published = claims.published_values(setup.NAME)
    runs = iter(frame[CYCLES].where(frame.index.isin(finished(frame).index)))
    usual = {cell: float(next(runs)) for cell in FEW}
    rows = []
    for one in (*CALIBRATED, *FIXED):
        before, after, changes = [], [], {}
        for cell in one.cells():
            value = published[f"E-T2a-{cell[0]}-{TOPOLOGIES[cell[1]]}-buf"]
            cycles = float(next(runs))
            before.append(abs(usual[cell] / value - 1) * 100)
            after.append(abs(cycles / value - 1) * 100)
            changes[cell] = (cycles / usual[cell] - 1) * 100
        change = pd.Series(changes)
        where = change.abs().idxmax()
        rows.append(
            {
                "parameter": one.name,
                "kind": "calibrated" if one in CALIBRATED else "fixed",
                "default": one.default,
                "tried": one.step,
                "cells": len(change),
                "held by": int((change.abs() >= HELD).sum()),
                "largest change [%]": change[where],
                "where": f"{where[0]}, {TITLES[where[1]]}",
                "deviation before [%]": sum(before) / len(before),
                "deviation after [%]": sum(after) / len(after),
            }
        )
    return pd.DataFrame(rows)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = moved(frame)
    of_kind = table.set_index("parameter").groupby("kind", sort=False)["held by"]
    free = {kind: ", ".join(held.index[held == 0]) or "none" for kind, held in of_kind}
    numbers = table[table["tried"].map(lambda value: isinstance(value, int))]
    better = numbers.loc[numbers["deviation after [%]"] < numbers["deviation before [%]"], "parameter"]
    alone = table.loc[table["held by"] == 1, "parameter"]
    text = (
        f"{len(CALIBRATED)} parameters are calibrated against 12 numbers, so most are held by what others leave to "
        f"them. Each is moved alone by a step (a quarter, one at least, or the other choice), and {len(FEW)} of the 12 "
        f"buffered cells are run. Moved by less than {HELD:g} % in each cell: {free['calibrated']}. Held by one cell "
        f"only: {', '.join(alone) or 'none'}.",
        f"{len(FIXED)} constants of the programs are fixed and not calibrated, since no cell depends on them; of these "
        f"move no cell by {HELD:g} %: {free['fixed']}.",
        f"A step brings the cells that have the parameter nearer to the published values with {len(better)} of "
        f"{len(numbers)} numbers ({', '.join(better) or 'none'}).",
    )
    if scale.quick:
        return Outcome(table, None, table.drop(columns=["deviation before [%]", "deviation after [%]"]), text[:2])
    return Outcome(table, None, table.round(2), text)


def _command(scale: Scale) -> list[str]:
    lines = setup.listed_command(scale, FEW, router="buffered")
    for one in (*CALIBRATED, *FIXED):
        lines += setup.listed_command(scale, one.cells(), router="buffered", **one.given())
    return lines


PROFILE = Experiment(
    "calibration",
    "How much each calibrated parameter is held",
    "Not in the paper (sections 3.1, 3.3 and 4.1 leave the programs open)",
    _points,
    _render,
    _command,
)
