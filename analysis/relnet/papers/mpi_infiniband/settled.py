# SPDX-License-Identifier: GPL-2.0-only
"""
Claims of Figure 6 with another value of a default that was decided with published values in view. Claims whose outcome
changes were decided after their values were seen.
"""

from __future__ import annotations

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.mpi_infiniband import applications, setup
from relnet.papers.mpi_infiniband.setup import (
    APPLICATION,
    COMBINATIONS,
    LABELS,
    LAMMPS,
    RC_NATIVE,
    UC_NATIVE,
    UC_RELIABLE,
    UD_NATIVE,
    UD_RELIABLE,
)

LITERAL = {"contextcache": 0}
"""
An adapter's cache without misses. Its size is not published, and the default was chosen with C-01 and C-29 in view.
"""

STEPS = 9
"""Time steps of a run: a neighbour list of each data set. With 18 the outcome of each claim was the same."""

TITLE = "ContextCache=0"
"""Its name in notes."""

BESIDE = (UC_NATIVE, UC_RELIABLE, UD_NATIVE, UD_RELIABLE)
"""Combinations that the claims compare with RC-Native."""


def _points(scale: Scale) -> list[Point]:
    rc_native = COMBINATIONS[LABELS.index(RC_NATIVE)]
    return [setup.application(scale, name, rc_native, **LITERAL, runsteps=STEPS) for name in LAMMPS]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    return setup.beside(_points(scale), frame, BESIDE)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = applications.summary(frame)
    found = applications.findings_lammps(table, not scale.quick)
    wide = table["relative"].unstack("combination").reindex(LAMMPS)
    rhodo = {label: applications.overhead(table, "rhodo", label, RC_NATIVE) for label in BESIDE}
    told = ", ".join(f"{label} {value:+.1f} %" for label, value in rhodo.items())
    text = (
        "The size of the adapter's cache is not published; the default was chosen with C-01 and C-29 in view. Times "
        f"of rhodo relative to RC-Native without misses, in the first {STEPS} time steps: {told}. Claims whose "
        "outcome differs from Figure 6 do not count as predicted. NAMD's differences hardly depend on the cache; the "
        "section on jac2000's 25 % shows its data set with the highest message rate.",
    )
    shown = wide.round(3).rename_axis("data set").reset_index()
    return Outcome(table.reset_index(), None, shown, text, alternatives={TITLE: found})


SETTLED = Experiment(
    "settled-defaults",
    "Figure 6 with another default, decided with results in view",
    "Section 8.3 does not state the adapter's cache",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            setup.ALL | setup.application_parameters(scale, name) | LITERAL | {"runsteps": STEPS},
        )
        for name in LAMMPS
    ],
    further=_further,
)
