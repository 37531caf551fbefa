# SPDX-License-Identifier: GPL-2.0-only
"""PCODE linked into the application and as a daemon, on a segment with collisions and without (section 6.1)."""

from __future__ import annotations

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.pcode import setup
from relnet.papers.pcode.setup import LARGE, SMALL, TIME

PLACES = ("daemon", "linked")
"""Placements of PCODE."""

NETWORKS = {"segment": "with collisions", "csma": "without collisions"}
"""Networks: a segment with CSMA/CD, and ns-3's csma, which has no collisions."""

SEEDS = 3
"""Seeds of each run."""

COUNTS = ("Collisions", "Packets", "Nacks", "Resends", "Overflows")
"""Counts of a run that are shown for a round."""


def _count(scale: Scale) -> int:
    return 4 if scale.quick else 16


def _points(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, _count(scale), size, seed, setup.LEAST_ROUNDS, system="pcode", ipc=place, network=network)
        for size in (SMALL, LARGE)
        for network in NETWORKS
        for place in PLACES
        for seed in range(1, SEEDS + 1)
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = finished(frame).copy()
    for name in COUNTS:
        done[name] = done[name] / done["rounds"]
    table = done.groupby(["size", "network", "ipc"], sort=False)[[TIME, *COUNTS]].mean()
    large = table.loc[LARGE]
    busy, calm = large.loc["segment"], large.loc["csma"]
    text = (
        f"With {_count(scale)} machines and {LARGE} bytes on the segment, a call takes "
        f"{busy.loc['linked', TIME]:.2f} ms linked and {busy.loc['daemon', TIME]:.2f} ms through the daemon; without "
        f"collisions {calm.loc['linked', TIME]:.2f} and {calm.loc['daemon', TIME]:.2f} ms. A round has "
        f"{busy.loc['linked', 'Collisions']:.0f} and {busy.loc['daemon', 'Collisions']:.0f} collided attempts, "
        f"{busy.loc['linked', 'Nacks']:.2f} and {busy.loc['daemon', 'Nacks']:.2f} NACKs, "
        f"{busy.loc['linked', 'Resends']:.2f} and {busy.loc['daemon', 'Resends']:.2f} resent messages.",
    )
    return Outcome(table.reset_index(), None, table.round(2).reset_index(), text)


PLACEMENT = Experiment(
    "placement",
    "PCODE linked and as a daemon, with and without collisions",
    "Not in the paper (section 6.1)",
    _points,
    _render,
    lambda scale: [
        setup.command(
            {
                "system": "pcode",
                "ipc": PLACES,
                "nodes": _count(scale),
                "size": (SMALL, LARGE),
                "network": tuple(NETWORKS),
                "rounds": setup.rounds(scale, setup.LEAST_ROUNDS),
            },
            SEEDS,
        )
    ],
)
