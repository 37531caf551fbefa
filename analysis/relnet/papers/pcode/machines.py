# SPDX-License-Identifier: GPL-2.0-only
"""Loaded machines, and a single slow machine (sections 6.4 and 6.4.2, in words)."""

from __future__ import annotations

import pandas as pd

from relnet.experiments import selection
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.pcode import setup
from relnet.papers.pcode.setup import LARGE, SMALL, TIME

LOADS = (0.0, 0.1, 0.2)
"""Shares of each CPU that other programs request."""

SLOW = (1.0, 1.5, 2.0)
"""Slowness of the first machine, relative to the others."""

SYSTEMS = ("tcp", "pcode")
"""The systems compared."""

SEEDS = 3
"""Seeds of the runs with load."""

ROUNDS = 100
"""Rounds of a run."""


def _count(scale: Scale) -> int:
    return 4 if scale.quick else 8


def _points(scale: Scale) -> list[Point]:
    loaded = [
        setup.point(scale, _count(scale), size, seed, ROUNDS, **setup.MEASURED[name], load=load)
        for name in SYSTEMS
        for size in (SMALL, LARGE)
        for load in LOADS
        for seed in range(1, SEEDS + 1)
    ]
    slow = [
        setup.point(scale, _count(scale), size, 1, ROUNDS, **setup.MEASURED[name], slowfactor=factor)
        for name in SYSTEMS
        for size in (SMALL, LARGE)
        for factor in SLOW
    ]
    return loaded + slow


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = selection.finished(frame)
    busy = done[done["load"].notna()].groupby(["system", "size", "load"])[TIME].agg(["mean", "std"]).reset_index()
    busy["variation"] = busy["std"] / busy["mean"]
    alone = done[done["slowfactor"].notna()].set_index(["system", "size", "slowfactor"])[TIME]
    table = busy.drop(columns="std").rename(columns={"mean": "time per call [ms]"})
    lines = []
    for name in SYSTEMS:
        part = busy[busy["system"] == name]
        ratios = [alone[name, size, SLOW[-1]] / alone[name, size, SLOW[0]] for size in (SMALL, LARGE)]
        longer = [
            part[(part["size"] == size) & (part["load"] == LOADS[-1])]["mean"].iloc[0]
            / part[(part["size"] == size) & (part["load"] == LOADS[0])]["mean"].iloc[0]
            for size in (SMALL, LARGE)
        ]
        lines.append(
            f"{setup.LABELS[name]}: one machine that is slower by a factor of {SLOW[-1]:g} lengthens a call by a "
            f"factor of {ratios[0]:.2f} at {SMALL} bytes and {ratios[1]:.2f} at {LARGE}. Other programs that request "
            f"{LOADS[-1]:.0%} of each CPU lengthen it by {longer[0]:.2f} and {longer[1]:.2f}, with a variation of at "
            f"most {part['variation'].max():.1%} between seeds."
        )
    return Outcome(table, None, table.round(3), tuple(lines))


MACHINES = Experiment(
    "machines",
    "Loaded machines, and a slow one",
    "Sections 6.4 and 6.4.2, in words",
    _points,
    _render,
    lambda scale: [
        setup.command(
            {
                **setup.MEASURED[name],
                "nodes": _count(scale),
                "size": (SMALL, LARGE),
                "rounds": setup.rounds(scale, ROUNDS),
                **values,
            },
            seeds,
        )
        for name in SYSTEMS
        for values, seeds in (({"load": LOADS}, SEEDS), ({"slowfactor": SLOW}, 1))
    ],
)
