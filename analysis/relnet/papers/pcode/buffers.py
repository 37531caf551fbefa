# SPDX-License-Identifier: GPL-2.0-only
"""
Costs of network buffers in steps of the message size, and their effect on the curves of Figure 8 (section 6.4.1).

BSD's stacks put up to 118 bytes into an mbuf, and messages of at least 512 bytes into pages of 1024. N. C. Hutchinson
and L. L. Peterson (The x-Kernel, IEEE Transactions on Software Engineering 17(1), 1991, Figure 5) measured 0.57 ms for
100 bytes up to 500, 0.25 ms above 600, and more than 1 ms less at 600 than at 500 bytes, for a round trip of two Sun
3/75. The difference is 95 us for a buffer at each end. The machines of paper 3 are more than ten times as fast; no
measurement of their buffers is known, so the cost is varied and decides no claim.
"""

from __future__ import annotations

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.pcode import curves, setup
from relnet.papers.pcode.setup import TIME

COSTS = (0, 2, 4, 8, 16)
"""CPU times of a buffer at each end of a message, before HostScale [us]."""

MACHINES = 3
"""Machines of Figure 8."""

SYSTEMS = ("tcp", "pcode")
"""Systems of Figure 8."""


def _points(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, MACHINES, size, 1, setup.LEAST_ROUNDS, **setup.MEASURED[name], mbuftime=f"{cost}us")
        for cost in COSTS
        for name in SYSTEMS
        for size in setup.sizes(scale)
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = finished(frame)
    rows = []
    for cost, runs in done.groupby("mbuftime", sort=False):
        times = runs.pivot_table(index="size", columns="system", values=TIME)
        bends = curves.bends(times)
        faster = [int(size) for size in times.index[times["pcode"] < times["tcp"]] if size < setup.LARGE]
        rows.append(
            {
                "MbufTime": cost,
                "PCODE, upper half / lower half": round(bends["pcode"], 2),
                "TCP, upper half / lower half": round(bends["tcp"], 2),
                "PCODE faster at [bytes]": ", ".join(map(str, faster)) or "none",
            }
        )
    table = pd.DataFrame(rows)
    bend = table["PCODE, upper half / lower half"]
    text = (
        f"With a cost of {COSTS[-1]} us for a buffer at each end, the slope of PCODE's curve in the upper half of the "
        f"sizes is {bend.iloc[-1]:.2f} of that in the lower half, and without {bend.iloc[0]:.2f}; a curve that "
        f"flattens (B-29) has at most {curves.FLAT:g}. Clusters are the only known cost that falls with the size; "
        "the measured 95 us are those of a machine that is more than ten times as slow.",
    )
    return Outcome(table, None, table, text)


BUFFERS = Experiment(
    "buffers",
    "Costs of network buffers by the message size",
    "Not in the paper (section 6.4.1)",
    _points,
    _render,
    lambda scale: [
        setup.command(
            {
                **setup.MEASURED[name],
                "nodes": MACHINES,
                "size": setup.sizes(scale),
                "rounds": setup.rounds(scale, setup.LEAST_ROUNDS),
                "mbuftime": tuple(f"{cost}us" for cost in COSTS),
            }
        )
        for name in SYSTEMS
    ],
)
