# SPDX-License-Identifier: GPL-2.0-only
"""IRN and RoCE with PFC at other loads and with other buffers, and IRN with a path for each packet."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.irn import setup
from relnet.papers.irn.setup import BUFFER, HEADROOM, IRN, LOAD, ROCE, ROCE_PFC

LOADS = (0.3, 0.5, 0.9)
"""Loads beside that of the comparison."""

BUFFERS = (60_000, 120_000, 480_000)
"""Buffers beside that of the comparison [bytes]."""

COMPARED = (IRN, ROCE_PFC)
"""Systems compared."""

AMPLE = 100_000_000
"""A queue that is never full [bytes]."""

ROUTINGS = ("ecmp", "spray")
"""A path for each flow, or for each packet."""

LIMIT = "5ms"
"""Simulated time of RoCE's runs, since they may not end: longer than IRN takes for all flows."""


def _points(scale: Scale) -> list[Point]:
    loads = [setup.point(scale, system, load=load) for system in COMPARED for load in (LOADS[0], *LOADS[1:])]
    buffers = [setup.point(scale, IRN, network__buffer=buffer) for buffer in BUFFERS] + [
        setup.point(scale, ROCE_PFC, network__pfcxoff=buffer - HEADROOM) for buffer in BUFFERS
    ]
    return loads + buffers


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = setup.label(setup.ended(frame))
    buffer = runs["network.buffer"].fillna(runs["network.pfcxoff"] + HEADROOM)
    table = runs.assign(buffer=buffer)[
        ["system", "load", "buffer", "Fct", "Slowdown", "Fct99", "Repeats", "Drops", "Pauses"]
    ].reset_index(drop=True)
    pairs = table.pivot(index=["load", "buffer"], columns="system", values="Slowdown")
    ratios = pairs[IRN] / pairs[ROCE_PFC]
    with plots.style():
        figure, axes = plots.panels(1, 2, width=9, height=3.0)
        for panel, (name, shown) in zip(
            axes[0], {"load": pick(table, buffer=BUFFER), "buffer": pick(table, load=LOAD)}.items(), strict=True
        ):
            plots.curves(shown, name, "Slowdown", "system", panel, list(COMPARED))
            panel.set(xlabel=name + (" [bytes]" if name == "buffer" else ""), ylabel="mean slowdown", yscale="log")
        plots.legend_above(figure, axes[0][0])
    text = (
        "Mean slowdown of IRN relative to RoCE with PFC: "
        + ", ".join(f"{ratio:.2f} (load {load:g}, {size / 1000:.0f} kB)" for (load, size), ratio in ratios.items())
        + ".",
        setup.told("IRN is better at each load and each buffer.", bool((ratios < 1).all())),
        setup.told("the advantage grows with the load.", ratios.xs(BUFFER, level="buffer").is_monotonic_decreasing),
    )
    findings = {"I-32": Finding(bool((ratios < 1).all()), note="Loads and buffers; 40 Gb/s.", scale=not scale.quick)}
    return Outcome(table, figure, table.round(2), text, findings)


ROBUSTNESS = Experiment(
    "robustness",
    "Other loads and buffers",
    "Not in the abstract",
    _points,
    _render,
    lambda scale: [setup.command(**one.parameters) for one in _points(scale)],
)


def _spray_points(scale: Scale) -> list[Point]:
    sprayed = {"load": 0.5, "network__buffer": AMPLE}
    irn = [setup.point(scale, IRN, **sprayed, network__routing=routing) for routing in ROUTINGS]
    roce = [setup.point(scale, ROCE, **sprayed, network__routing=routing, timelimit=LIMIT) for routing in ROUTINGS]
    return irn + roce


def _render_spray(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = setup.label(setup.measured(frame)).rename(columns={"network.routing": "routing"})
    counts = ["Packets", "Repeats", "Spurious", "Drops", "Delivered", "Pending", "GivenUp"]
    table = runs[["system", "routing", "Goodput", "Fct", "Slowdown", *counts]]
    shares = {name.lower(): table[name] / table["Packets"] for name in ("Repeats", "Spurious")}
    table = table.assign(**shares).reset_index(drop=True)
    cells = table.set_index(["system", "routing"])
    sprayed, routed = cells.loc[(IRN, "spray")], cells.loc[(IRN, "ecmp")]
    roce, steady = cells.loc[(ROCE, "spray")], cells.loc[(ROCE, "ecmp")]
    text = (
        f"With a path for each packet and no loss, {sprayed['spurious']:.1%} of IRN's packets are spurious repeats, "
        f"and {routed['spurious']:.2%} with a path for each flow.",
        f"Within {LIMIT} of simulated time, RoCE delivers {roce['Delivered']:.0f} flows and leaves "
        f"{roce['Pending']:.0f} with a path for each packet ({roce['GivenUp']:.0f} are given up), and leaves "
        f"{steady['Pending']:.0f} with a path for each flow; {roce['repeats']:.1%} of its packets are repeats.",
        setup.told("IRN loses nothing in a queue that is never full.", bool(sprayed["Drops"] == 0)),
        setup.told("IRN repeats at least 1 % of the packets spuriously.", bool(sprayed["spurious"] >= 0.01)),
        setup.told(
            "more than half of RoCE's packets are repeats, and its mean slowdown is more than twice that of IRN, both "
            "with a path for each packet (seen before: 70 % in a run of 1 ms).",
            bool(roce["repeats"] > 0.5 and roce["Slowdown"] > 2 * sprayed["Slowdown"]),
        ),
    )
    findings = {
        "I-33": Finding(
            bool(sprayed["Spurious"] > 0 and sprayed["Drops"] == 0),
            note=f"{sprayed['spurious']:.1%} of the packets.",
            scale=not scale.quick,
        ),
        "I-34": Finding(
            f"{roce['repeats']:.1%} of RoCE's packets are repeats, although none is lost, {steady['repeats']:.1%} with "
            f"a path for each flow; mean slowdown {roce['Slowdown']:.1f} and {steady['Slowdown']:.1f}.",
            scale=not scale.quick,
            seen=True,
        ),
    }
    return Outcome(table, None, table.round(3), text, findings)


SPRAYING = Experiment(
    "spraying",
    "A path for each packet",
    "Not in the abstract",
    _spray_points,
    _render_spray,
    lambda scale: [setup.command(**one.parameters) for one in _spray_points(scale)],
)
