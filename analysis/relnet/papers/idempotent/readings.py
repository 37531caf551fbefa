# SPDX-License-Identifier: GPL-2.0-only
"""
Readings of the paper's programs, each fitted to the buffered columns of Table 2a, and their predictions.

The paper does not print its programs. The origin of threads determines the number of channels of a leaf of the fat tree
with which `reverse` takes the published 717 cycles on the buffered network. It is eight if one thread forks all others,
as in Table 1 and Figure 6, and four if each node has a thread from the start. A third reading has the prefix sums of
section 4.1 instead of the sum of Figure 6.
"""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.idempotent import additions, setup
from relnet.papers.idempotent.setup import CELLS, TITLES, TOPOLOGIES

FORKED = {"channelsperleaf": 8}
"""The default: one thread forks all others, a store carries a word, and sends to row and column alternate."""

PRELOADED = {
    "channelsperleaf": 4,
    "reversethreads": "preloaded",
    "phasecontrol": "barriers",
    "broadcastorder": "row-first",
    "constants": "StoresPerPeer=6 WordsPerStore=4 StoreInterval=15",
}
"""The set with the smallest deviation from the buffered columns: each node has a thread from the start."""

PREFIX = {
    "addvariant": "prefix",
    "channelsperleaf": additions.FOUND["channelsperleaf"],
    "constants": f"{additions.FOUND_MACHINE} CountTime={additions.FOUND['CountTime']} "
    f"ComputeTime={additions.FOUND['ComputeTime']}",
}
"""The default with prefix sums as add, as section 4.1 states, and the numbers that fit the buffered columns with it."""

READINGS = {"forked": FORKED, "preloaded": PRELOADED, "prefix": PREFIX}
"""The readings, by name."""

KINDS = {"buffered": "buf", "lossy": "idem"}
"""Routers, with their names in the published data."""


def _points(scale: Scale) -> list[Point]:
    found = []
    for reading in READINGS.values():
        for cell in CELLS:
            found += [setup.buffered(scale, *cell, **reading), setup.cell(scale, *cell, **reading)]
    return found


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    published = claims.published_values(setup.NAME)
    rows = []
    times = iter(setup.times(frame))
    for name in READINGS:
        for benchmark, topology in CELLS:
            for router, kind in KINDS.items():
                value = published[f"E-T2a-{benchmark}-{TOPOLOGIES[topology]}-{kind}"]
                cycles = next(times)
                rows.append((name, router, benchmark, topology, value, cycles, cycles / value))
    names = ["reading", "router", "benchmark", "topology", "published", "simulated", "ratio"]
    table = pd.DataFrame(rows, columns=names)
    with plots.style():
        figure, axes = plots.panels(1, len(KINDS), width=9, height=3.2)
        for panel, router in zip(axes[0], KINDS, strict=True):
            for index, name in enumerate(READINGS):
                part = pick(table, reading=name, router=router)
                panel.plot(
                    range(len(part)),
                    part["ratio"],
                    label=name,
                    linestyle="none",
                    color=plots.COLOURS[index],
                    marker=plots.MARKERS[index],
                )
            panel.axhline(1, color="0.6", linewidth=0.8)
            panel.set_xticks(
                range(len(CELLS)), [f"{benchmark} {TOPOLOGIES[topology]}" for benchmark, topology in CELLS], rotation=90
            )
            panel.set_title(f"{router} network")
        axes[0][0].set_ylabel("simulated / published")
        axes[0][0].legend()
    text = []
    for name in READINGS:
        fit = pick(table, reading=name, router="buffered")["ratio"]
        guess = pick(table, reading=name, router="lossy")["ratio"]
        hits = int(((guess - 1).abs() <= 0.15).sum())
        text.append(
            f"{name}: the fitted buffered cells are between {fit.min():.2f} and {fit.max():.2f} times the published "
            f"values (mean deviation {(fit - 1).abs().mean():.1%}); {hits} of {len(guess)} idempotent cells are within "
            "15 % of the published values."
        )
    text.append(
        "The default is the reading that follows Table 1, where fork is the only way to make a thread and a store "
        "carries a word. It was chosen with the idempotent columns of the first two readings in view, although the "
        "second fits the buffered columns better. The third was fitted to the buffered columns before any of its "
        "idempotent cells was run. Therefore all are shown."
    )
    shown = table.assign(topology=table["topology"].map(TITLES)).pivot_table(
        index=["benchmark", "topology"], columns=["router", "reading"], values="ratio", sort=False
    )
    shown.columns = [f"{router}, {reading}" for router, reading in shown.columns]
    return Outcome(table, figure, shown.reset_index(), tuple(text))


def _command(scale: Scale) -> list[str]:
    lines = []
    for reading in READINGS.values():
        lines += setup.sweep_command(scale, router=",".join(KINDS), **reading)
    return lines


READINGS_COMPARED = Experiment(
    "readings",
    "Readings of the programs: fit and prediction",
    "Not in the paper (sections 3.1, 3.3 and 4.1 leave the programs open)",
    _points,
    _render,
    _command,
)
