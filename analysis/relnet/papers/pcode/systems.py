# SPDX-License-Identifier: GPL-2.0-only
"""Figures 10 and 11: PCODE compared with the transport layers of distributed systems (section 6.4.2)."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments import selection
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.pcode import setup
from relnet.papers.pcode.setup import LARGE, SMALL, TIME

SYSTEMS = {
    "ring": "token ring, as Transis over its ring",
    "lansis": "acknowledgement graph, as Transis over Lansis",
    "pcode": "PCODE",
    "horus": "packing window, as Horus",
}
"""Systems in the paper's order, slowest first, with their models."""

SAME = 0.15
"""Maximum difference of times that count as the same."""


def _machines(scale: Scale) -> tuple[int, ...]:
    return (2, 4) if scale.quick else (2, 4, 8, 12, 16)


def _rounds(system: str) -> int:
    """Rounds at published scale; PCODE's runs are those of Figures 6 and 7."""
    return setup.ROUNDS if system == "pcode" else setup.FEW_ROUNDS


def _points(scale: Scale, size: int) -> list[Point]:
    return [
        setup.point(scale, nodes, size, published=_rounds(system), system=system, driver=2)
        for nodes in _machines(scale)
        for system in SYSTEMS
    ]


def _render(scale: Scale, frame: pd.DataFrame, number: int, size: int) -> Outcome:
    done = selection.finished(frame)
    table = done.pivot_table(index="nodes", columns="system", values=TIME)[list(SYSTEMS)]
    ratio = table.drop(columns="pcode").div(table["pcode"], axis=0)
    told = "; ".join(
        f"{SYSTEMS[name]}, {ratio[name].min():.2f} to {ratio[name].max():.2f} times PCODE's time"
        for name in ratio.columns
    )
    parts = {
        "PCODE better than the ring": bool((ratio["ring"] > 1).all()),
        "the same as Lansis": bool(((ratio["lansis"] - 1).abs() <= SAME).all()),
        "Horus best": bool((table["horus"] <= table.min(axis=1)).all()),
    }
    verdicts = ", ".join(f"{part}: {'yes' if holds else 'no'}" for part, holds in parts.items())
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6.5, height=3.4)
        panel = axes[0][0]
        for index, name in enumerate(table.columns):
            style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "markersize": 4}
            panel.plot(table.index, table[name], label=SYSTEMS[name], **style)
        panel.set_xlabel("machines")
        panel.set_ylabel("time per call [ms]")
        plots.from_zero(panel)
        panel.set_title(f"Figure {number}: messages of {size} bytes")
        panel.legend()
    findings = {f"B-31-{size}": Finding(all(parts.values()), note=f"{size} bytes: {verdicts}.", scale=not scale.quick)}
    text = (
        f"{told[0].upper()}{told[1:]}. {verdicts}. Horus is linked into the application and the others are daemons, as "
        "in the paper. These are protocols of the same kinds, not the measured programs, and the paper has no numbers; "
        "the claim is therefore not scored.",
    )
    return Outcome(table.reset_index(), figure, text=text, findings=findings)


def _figure(number: int, size: int) -> Experiment:
    return Experiment(
        f"figure-{number}",
        f"Figure {number}: PCODE and the transport layers of distributed systems, {size} bytes",
        f"Figure {number}, section 6.4.2",
        lambda scale: _points(scale, size),
        lambda scale, frame: _render(scale, frame, number, size),
        lambda scale: [
            setup.command(
                {
                    "system": systems,
                    "driver": 2,
                    "nodes": _machines(scale),
                    "size": size,
                    "rounds": setup.rounds(scale, _rounds(systems[0])),
                }
            )
            for systems in (("pcode",), tuple(name for name in SYSTEMS if name != "pcode"))
        ],
    )


FIGURE_10 = _figure(10, SMALL)
FIGURE_11 = _figure(11, LARGE)
