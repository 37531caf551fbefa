# SPDX-License-Identifier: GPL-2.0-only
"""
Share of a long link that go-back-N and selective repeat use at 1 % loss.

MRC's paper computes 65 % and more than 99 % for 800 Gb/s, a round trip of 10 us and packets of 9 kB, of which 108 are
in flight (as a summary of it tells). Here the protocols run.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.uet import setup

PAYLOAD = 8_900
"""Payload of a packet of 9 kB [bytes]."""

SIZE = 100_000_000
"""Size of the flow [bytes]."""

QUICK_SIZE = 10_000_000
"""Size at reduced scale [bytes]."""

LINK: dict[str, Any] = {
    "nodes": 2,
    "network.topology": "switch",
    "network.hostrate": "800Gbps",
    "network.mtu": 9_000,
    # Two links and a switch each way: 4 x 2.25 us and 2 x 0.5 us.
    "network.delay": "2250ns",
    "network.latency": "500ns",
    "network.buffer": 10_000_000,
    "workload": "incast",
    "senders": 1,
    "queuepairs": 1,
    "protocol.mtu": PAYLOAD,
}
"""Two hosts at a round trip of 10 us."""

SYSTEMS: dict[str, dict[str, Any]] = {
    "roce": {"protocol": "roce", "protocol.window": 256},
    "irn": {"protocol": "irn", "protocol.window": 128},
    "uet ROD": {"protocol": "uet", "protocol.mode": "rod", "protocol.mpr": 128},
    "uet RUD": {"protocol": "uet", "protocol.mpr": 128, "protocol.lossdistance": 3},
}
"""
Protocols. The link keeps order, so that RUD may take a gap for a loss, as MRC's model does; by UET's rules alone, each
loss without trimming costs a timeout.
"""

IN_FLIGHT = 108
"""Packets in flight [MRC]."""

LOSS = 0.01
"""Loss of frames."""

SEEDS = 5
"""Seeds of each cell."""


def _points(scale: Scale) -> list[Point]:
    size = QUICK_SIZE if scale.quick else SIZE
    seeds = 1 if scale.quick else SEEDS
    return [
        Point(LINK | given | {"size": size, "loss": loss}, seed)
        for given in SYSTEMS.values()
        for loss in (0.0, LOSS)
        for seed in range(1, (seeds if loss else 1) + 1)
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = len(frame) // len(SYSTEMS)
    systems = [name for name in SYSTEMS for _ in range(runs)]
    named = frame.assign(system=systems)
    means = named.groupby(["system", "loss"], sort=False)[["Goodput", "Repeats", "Packets"]].mean()
    rows = []
    for system in SYSTEMS:
        lossy, idle = means.loc[(system, LOSS)], means.loc[(system, 0.0)]
        share = 100 * lossy["Goodput"] / idle["Goodput"]
        rows.append((system, idle["Goodput"], lossy["Goodput"], share, lossy["Repeats"] / lossy["Packets"]))
    table = pd.DataFrame(rows, columns=["system", "no loss", "1 % loss", "share", "repeats"])
    shares = table.set_index("system")["share"]
    model = 100 * (1 - LOSS) / (1 - LOSS + LOSS * IN_FLIGHT)
    published = not scale.quick
    told = f"Each loss costs a window of {IN_FLIGHT} packets in a closed form, which leaves {model:.0f} %."
    findings = {
        "U-M01": Finding(
            float(shares["roce"]), note=f"`roce`; ROD {shares['uet ROD']:.1f} %. {told}", scale=published, seen=True
        ),
        "U-M02": Finding(
            float(shares["uet RUD"]), note=f"RUD; `irn` {shares['irn']:.1f} %.", scale=published, seen=True
        ),
    }
    text = (
        setup.told(
            f"go-back-N has {model:.0f} % of the goodput without loss, within 5 points; MRC's 65 % fit a loss that "
            "costs half a window.",
            abs(shares["roce"] - model) <= 5,
        ),
        setup.told("selective repeat has 97 to 99 %: what is lost is sent twice.", bool(97 <= shares["irn"] <= 99)),
    )
    return Outcome(table, None, table.round(2), text, findings)


RECOVERY = Experiment(
    "recovery",
    "Go-back-N and selective repeat at 1 % loss",
    "Not in a paper: MRC, a model",
    _points,
    _render,
    lambda scale: [setup.command(point) for point in _points(scale)],
)
