# SPDX-License-Identifier: GPL-2.0-only
"""
NDP's rates of simultaneous outcast and incast, under NSCC.

Host A sends to B, C, D and E, and host F to E (csg-htsim, EXAMPLES/in_and_out: Figure 21 of NDP, SIGCOMM 2017). There,
E paces its senders by pulls, and queues have 8 packets of 9 kB at 10 Gb/s. Senders here have NSCC instead.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.uet import setup

PACKET = 9_000
"""Packet with headers [bytes]."""

QUEUE = 8 * PACKET
"""Queue of a switch [bytes]."""

MEASURED = 20_000_000
"""Size of each flow of A [bytes]; F's is four times as long, so that F sends all the time."""

SETTINGS: dict[str, Any] = setup.fat_tree(16) | {
    "network.hostrate": "10Gbps",
    "network.mtu": PACKET - 20,
    "network.buffer": QUEUE,
    "network.trimthreshold": QUEUE,
    "network.headerqueue": QUEUE,
    "network.ecnlow": QUEUE // 4,
    "network.ecnhigh": QUEUE * 3 // 4,
    "network.paths": 64,
    "queuepairs": 4,
    "protocol.mtu": PACKET - setup.HEADER - 20,
    "protocol.rto": "1ms",
}
"""A fat tree with 16 hosts: the core is lightly loaded."""


def _points(scale: Scale) -> list[Point]:
    del scale
    return [Point(SETTINGS | setup.file_of_flows("in-and-out"))]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    del scale
    flows = setup.flows(frame, 0)
    wire = PACKET / (PACKET - setup.HEADER - 20)
    rates = flows["bytes"] * 8 / flows["fct"] / 1000 * wire
    table = flows[["from", "to", "bytes", "fct"]].assign(rate=rates).reset_index(drop=True)
    ofa = table[table["from"] == 0]["rate"]
    other = float(table[table["from"] != 0]["rate"].iloc[0])
    text = (
        f"Rates on the wire: A's flows {', '.join(f'{rate:.2f}' for rate in ofa)} Gb/s, F's {other:.2f} Gb/s "
        "until its end, with a quarter of its bytes after A's flows.",
        setup.told(
            "A's flows have 2.4 to 2.8 Gb/s each: A's link is full, and E's congestion slows A's flow to E only.",
            bool(ofa.between(2.4, 2.8).all()),
        ),
    )
    first = float(table[(table["from"] == 0) & (table["to"] == 4)]["rate"].iloc[0])
    findings = {
        "U-N01": Finding(first, note=text[0], seen=True),
        "U-N02": Finding(bool(ofa.max() / ofa.min() < 1.1), note="Equal within a tenth.", seen=True),
    }
    return Outcome(table, None, table.round(3), text, findings)


IN_AND_OUT = Experiment(
    "in-and-out",
    "Simultaneous outcast and incast",
    "Not in a paper: csg-htsim, in_and_out",
    _points,
    _render,
    lambda scale: [setup.command(point) for point in _points(scale)],
)
