# SPDX-License-Identifier: GPL-2.0-only
"""
How much the published numbers constrain each calibrated parameter.

Each parameter is changed alone by a step, on the buffered network. A parameter whose step changes no cell is
unconstrained.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import CYCLES, FEW, TITLES, TOPOLOGIES


@dataclass(frozen=True)
class Calibrated:
    """
    A calibrated number or choice.

    Attributes
    ----------
    name : str
        Name.
    default, step : object
        Default and tested value: a quarter more, at least one more, or another choice.
    benchmark : str
        The only program with it; empty for all.
    attribute : str
        The parameter; empty for a constant of the parameter Constants.
    topology : str
        The only topology with it; empty for all.
    """

    name: str
    default: Any
    step: Any
    benchmark: str = ""
    attribute: str = ""
    topology: str = ""

    def given(self) -> dict[str, Any]:
        """The parameter of the run with the tested value."""
        return {self.attribute: self.step} if self.attribute else {"constants": f"{self.name}={self.step}"}

    def cells(self) -> list[tuple[str, str]]:
        """Cells on which it can have an effect."""
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
"""All calibrated values: parameters of the scenario and the network, constants of the programs and the recorder."""

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
Constants that no cell constrains, as their runs show, with the reasons for their values. A load is a header with source
and address, and its reply has one word more. An entry is moved by a local store. Stores follow each other after the
instructions of a loop. Local sorts and waits are small parts of their program. Phases are forked, since Table 1 has no
other way to make a thread.
"""

HELD = 1.0
"""Minimum change of a cell that constrains a number [%]."""


def _points(scale: Scale) -> list[Point]:
    points = [setup.buffered(scale, *cell) for cell in FEW]
    return points + [
        setup.buffered(scale, *cell, **one.given()) for one in (*CALIBRATED, *FIXED) for cell in one.cells()
    ]


def moved(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate the effect of a step of each calibrated number on its cells.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs, in the order of the points.

    Returns
    -------
    pandas.DataFrame
        Columns parameter, kind, default, tried, cells (number of its cells), held by (cells that change by at least
        `HELD`), largest change [%], where, deviation before and after [%] (mean of its cells from the published
        values).
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
        f"{len(CALIBRATED)} parameters are calibrated against 12 numbers, so the value of most depends on the others. "
        f"Each is changed alone by a step (a quarter, at least one, or the other choice) in {len(FEW)} of the 12 "
        f"buffered cells. Parameters that change no cell by {HELD:g} %: {free['calibrated']}. Parameters constrained "
        f"by one cell only: {', '.join(alone) or 'none'}.",
        f"{len(FIXED)} constants of the programs are fixed instead of calibrated, since no cell depends on them. Of "
        f"these, the following change no cell by {HELD:g} %: {free['fixed']}.",
        f"For {len(better)} of {len(numbers)} numbers ({', '.join(better) or 'none'}), the step reduces the deviation "
        "of its cells from the published values.",
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
    "How much the published values constrain each calibrated parameter",
    "Not in the paper (sections 3.1, 3.3 and 4.1 leave the programs open)",
    _points,
    _render,
    _command,
)
