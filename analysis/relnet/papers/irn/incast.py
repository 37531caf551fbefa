# SPDX-License-Identifier: GPL-2.0-only
"""One request of 150 MB from many senders, without congestion control."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.irn import setup
from relnet.papers.irn.setup import IRN, ROCE_PFC

SENDERS = (10, 20, 30, 40, 50)
"""Senders of a request."""

REQUEST = 150_000_000
"""Size of a request [bytes]."""

QUICK_REQUEST = 15_000_000
"""Size at reduced scale [bytes]."""

COMPARED = (IRN, ROCE_PFC)
"""Systems compared."""


def _points(scale: Scale) -> list[Point]:
    size = QUICK_REQUEST if scale.quick else REQUEST
    return [
        setup.point(scale, system, workload="incast", senders=senders, size=size, load=setup.LOAD)
        for system in COMPARED
        for senders in SENDERS
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = setup.label(setup.ended(frame))[
        ["system", "senders", "Time", "Goodput", "Repeats", "Spurious", "Drops", "Pauses"]
    ].reset_index(drop=True)
    times = table.pivot(index="senders", columns="system", values="Time")
    ratios = times[IRN] / times[ROCE_PFC]
    with plots.style():
        figure, axes = plots.panels(1, 1, width=5, height=3.0)
        plots.curves(table.assign(ms=table["Time"] / 1000), "senders", "ms", "system", axes[0][0], list(COMPARED))
        axes[0][0].set(xlabel="senders", ylabel="time of the request [ms]")
        plots.from_zero(axes[0][0])
    text = (
        "Time of the request with IRN relative to RoCE with PFC: "
        + ", ".join(f"{ratio:.3f} with {senders} senders" for senders, ratio in ratios.items())
        + ".",
        setup.told(
            "both keep the receiver's link busy, so that the times differ by less than 5 %.",
            bool((ratios - 1).abs().max() < 0.05),
        ),
    )
    findings = {"I-31": Finding(tuple(100 * (ratios - 1)), note="Differences [%].", scale=not scale.quick)}
    return Outcome(table, figure, table.round(1), text, findings)


INCAST = Experiment(
    "incast",
    "Time of an incast",
    "Not in the abstract",
    _points,
    _render,
    lambda scale: [setup.command(**one.parameters) for one in _points(scale)],
)
