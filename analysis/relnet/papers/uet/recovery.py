# SPDX-License-Identifier: GPL-2.0-only
"""
Share of a long link that go-back-N and selective repeat use at 1 % loss.

MRC's paper computes 65 % and more than 99 % for 800 Gb/s, a round trip of 10 us and packets of 9 kB, of which 108 are
in flight (as a summary of it tells). Here the protocols run, whose windows have at most 128 packets from the first
missing one on. The first runs showed that this is too little, so a second link has an eighth of the rate, and 14 in
flight.
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

RATES = {"800Gbps": 108, "100Gbps": 14}
"""Rates of the link, each with the packets in flight; the first one is MRC's."""

LOSS = 0.01
"""Loss of frames."""

SEEDS = 5
"""Seeds of each cell."""


def _cells(scale: Scale) -> list[tuple[str, str, float, int]]:
    seeds = 1 if scale.quick else SEEDS
    return [
        (rate, system, loss, seed)
        for rate in RATES
        for system in SYSTEMS
        for loss in (0.0, LOSS)
        for seed in range(1, (seeds if loss else 1) + 1)
    ]


def _points(scale: Scale) -> list[Point]:
    size = QUICK_SIZE if scale.quick else SIZE
    return [
        Point(LINK | SYSTEMS[system] | {"network.hostrate": rate, "size": size, "loss": loss}, seed)
        for rate, system, loss, seed in _cells(scale)
    ]


def _form(in_flight: int) -> float:
    """Share of the goodput that go-back-N has if each loss costs what is in flight [%]."""
    return 100 * (1 - LOSS) / (1 - LOSS + LOSS * in_flight)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    cells = pd.DataFrame(_cells(scale), columns=["rate", "system", "loss", "seed"])
    repeats, timeouts = frame["Repeats"] / frame["Packets"], setup.counts(frame, "timeout")
    named = cells.assign(goodput=frame["Goodput"], repeats=repeats, timeouts=timeouts)
    means = named.groupby(["rate", "system", "loss"], sort=False)[["goodput", "repeats", "timeouts"]].mean()
    rows = []
    for rate in RATES:
        for system in SYSTEMS:
            lossy, calm = means.loc[(rate, system, LOSS)], means.loc[(rate, system, 0.0)]
            share = 100 * lossy["goodput"] / calm["goodput"]
            lost = (lossy["repeats"], lossy["timeouts"])
            rows.append((rate, system, calm["goodput"], lossy["goodput"], share, *lost))
    table = pd.DataFrame(rows, columns=["rate", "system", "no loss", "1 % loss", "share", "repeats", "timeouts"])
    fast, slow = (table[table["rate"] == rate].set_index("system")["share"] for rate in RATES)
    form, slow_form = map(_form, RATES.values())
    published = not scale.quick
    findings = {
        "U-M01": Finding(
            float(fast["roce"]),
            note=f"`roce`; ROD {fast['uet ROD']:.1f} %. In a closed form each loss costs a window of 108 packets, "
            f"which leaves {form:.0f} %.",
            scale=published,
            seen=True,
        ),
        "U-M02": Finding(
            float(fast["uet RUD"]),
            note=f"RUD; `irn` {fast['irn']:.1f} %. The window of 128 packets begins at the first missing one, and a "
            "repeat that is lost, too, waits for a timeout. "
            f"With 14 packets in flight RUD has {slow['uet RUD']:.1f} % and `irn` {slow['irn']:.1f} %.",
            scale=published,
            seen=True,
        ),
    }
    text = (
        setup.told(
            f"go-back-N has {form:.0f} % of the goodput without loss, within 5 points; MRC's 65 % fit a loss that "
            "costs half a window.",
            abs(fast["roce"] - form) <= 5,
        ),
        setup.told("selective repeat has 97 to 99 %: what is lost is sent twice.", bool(97 <= fast["irn"] <= 99)),
        setup.told(
            f"with 14 packets in flight, expected after the first runs: go-back-N has {slow_form:.0f} %, within 5 "
            "points.",
            abs(slow["roce"] - slow_form) <= 5,
        ),
        setup.told(
            "with 14 packets in flight, expected after the first runs: selective repeat has 97 to 99 %, RUD and IRN.",
            bool(slow[["irn", "uet RUD"]].between(97, 99).all()),
        ),
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
