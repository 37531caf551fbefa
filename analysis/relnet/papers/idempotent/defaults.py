# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of the idempotent cells of Table 2a, and of two claims on several runs, to defaults without a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.selection import finished
from relnet.experiments.sensitivity import Default, experiment
from relnet.papers.idempotent import comparison, retransmission, setup
from relnet.papers.idempotent.setup import BEST, CHEAP, CYCLES, TABLES, TOPOLOGIES, TRANSMISSIONS

DEFAULTS = (
    Default("serviceorder", ("oldest", "rotating", "youngest"), "oldest", settled=True),
    Default("sourcebusy", ("wait", "drop"), "wait", settled=True),
    Default("freeondrop", ("false", "true"), "false"),
    Default("answersfirst", ("false", "true"), "false"),
)
"""Defaults of routers and nodes; the first two were decided with the idempotent columns in view."""

CELLS = (*CHEAP, ("quicksort", "fattree"), ("nbody", "grid3d"), ("nbody", "fattree"))
"""Judged cells of Table 2a: of the expensive benchmarks, those that deviate, and one that nearly does."""

SWEPT = ("grid3d", "fattree")
"""Topologies on which reverse is run with several values of C, for the transmissions per message (E-28)."""

CONSTANTS = (4, 32)
"""Values of C of these runs."""


def _sweeps() -> list[dict[str, Any]]:
    return [
        {"topology": topology, "backoff": policy, "c": c}
        for topology in SWEPT
        for policy in retransmission.POLICIES
        for c in CONSTANTS
    ]


def _points(scale: Scale, given: Mapping[str, Any]) -> list[Point]:
    return [
        *(setup.cell(scale, *cell, **given) for cell in CELLS),
        *(setup.buffered(scale, *cell) for cell in CELLS),
        *(setup.cell(scale, "reverse", **run, **given) for run in _sweeps()),
    ]


def _judge(scale: Scale, frame: pd.DataFrame) -> Mapping[str, Finding]:
    full = not scale.quick
    lossy, quiet = frame.iloc[: len(CELLS)], frame.iloc[len(CELLS) : 2 * len(CELLS)]
    cycles = lossy[CYCLES].where(lossy.index.isin(finished(lossy).index)).astype(float)
    found = {
        f"E-T2a-{benchmark}-{TOPOLOGIES[topology]}-idem": Finding(time, scale=full, seen=True)
        for (benchmark, topology), time in zip(CELLS, cycles, strict=True)
    }
    found["E-28"] = retransmission.shape(frame.iloc[2 * len(CELLS) :], scale)
    found["E-37"] = comparison.congestion(lossy[TRANSMISSIONS], cycles / quiet[CYCLES].to_numpy(float), full)
    return found


def _command(scale: Scale, given: Mapping[str, Any]) -> list[str]:
    lossy = {"router": "lossy", **TABLES, **given}
    swept = {"backoff": ",".join(retransmission.POLICIES), "c": ",".join(map(str, CONSTANTS))}
    return [
        *setup.listed_command(scale, CELLS, **lossy, **BEST),
        *([] if given else setup.listed_command(scale, CELLS, router="buffered")),
        *setup.sweep_command(scale, ("reverse",), 1, SWEPT, **lossy, **swept),
    ]


SENSITIVITY = experiment(
    setup.NAME,
    DEFAULTS,
    _points,
    _judge,
    _command,
    "E-25, E-27, E-29, E-32 to E-34 and Table 2b are not judged, since they would need a whole sweep for each value.",
)
