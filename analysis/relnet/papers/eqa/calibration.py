# SPDX-License-Identifier: GPL-2.0-only
"""Calibration: messages between two processes (section 2)."""

from __future__ import annotations

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.eqa import setup

SCENARIO = "eqa-point"
"""The scenario with two processes."""

SIZES = {"intra": (8, 1000, 4000), "inter": (8, 1460, 16384, 262144)}
"""
Message sizes [bytes] inside a node (4000 in the paper) and between two nodes. The smallest gives the latency, the
others the peak bandwidth.
"""

PUBLISHED = {"intra": (7.5, 350.9), "inter": (30.1, 12.1)}
"""Latency of 8 bytes [us] and peak bandwidth [MB/s]."""

CLAIMS = {"intra": "D-02", "inter": "D-03"}
"""Claims of these values."""


def _points(scale: Scale) -> list[Point]:
    more = {"intra": {}, "inter": {"network": "hub"}}
    rounds = 20 if scale.quick else setup.ROUNDS
    return [
        Point({"place": place, "size": size, "rounds": rounds} | more[place])
        for place, sizes in SIZES.items()
        for size in sizes
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = finished(frame)[["place", "size", "Latency", "Bandwidth"]]
    findings, text = {}, []
    for place, (latency, peak) in PUBLISHED.items():
        rows = pick(table, place=place)
        simulated = (float(rows.loc[rows["size"].idxmin(), "Latency"]), float(rows["Bandwidth"].max()))
        findings[CLAIMS[place]] = Finding(
            simulated, (latency, peak), "Used for calibration, not counted as reproduced."
        )
        where = "inside a node" if place == "intra" else "between two nodes without a switch"
        text.append(
            f"A message {where} takes {simulated[0]:.1f} us (published {latency:g}), and the peak bandwidth is "
            f"{simulated[1]:.1f} MB/s (published {peak:g})."
        )
    shown = table.rename(columns={"Latency": "latency [us]", "Bandwidth": "bandwidth [MB/s]"}).round(2)
    return Outcome(table, None, shown, tuple(text), findings)


CALIBRATION = Experiment(
    "point",
    "Messages between two processes",
    "Section 2",
    _points,
    _render,
    lambda scale: [
        f"relnet sweep {SCENARIO} place={place} size={','.join(map(str, sizes))}"
        + (" network=hub" if place == "inter" else "")
        for place, sizes in SIZES.items()
    ],
    SCENARIO,
)
