# SPDX-License-Identifier: GPL-2.0-only
"""
Extensions that section 6 suggests: replies in acknowledgements, routers that buffer packets for some time, a lookup
table of backoffs, and backoffs by estimated congestion. Each is compared with the published protocol.

The paper has no numbers for them. All constants were fixed before the first run of this experiment.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CHEAP, CYCLES, PACKETS, TABLES, TITLES, TRANSMISSIONS

PUBLISHED = "as published"
"""The protocol of sections 2 and 4."""

CELLS = (*CHEAP, ("nbody", "fattree"))
"""Cells of the runs; the effects on quicksort on the 3D grid were between those on these cells."""

EXTENSIONS: dict[str, dict[str, str]] = {
    PUBLISHED: {},
    "replies in ACKs": {"piggybackreply": "true"},
    "hybrid routers": {"router": "hybrid"},
    "lookup table": {"backoff": "table"},
    "congestion at the source": {"backoff": "congestion"},
    "congestion at the destination": {"backoff": "destination"},
    "congestion of the network": {"backoff": "network"},
}
"""
Parameters of the extensions. By default, a hybrid router buffers a packet for at most 8 cycles. The table is quadratic
with C = 3, and constant from n = 8. Congestion spreads a linear backoff with C = 3 over C n to 16 C n.
"""


def _points(scale: Scale) -> list[Point]:
    return [setup.cell(scale, *cell, **given) for given in EXTENSIONS.values() for cell in CELLS]


def compared(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Compare each extension in each cell with the published protocol.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs, in the order of the points.

    Returns
    -------
    pandas.DataFrame
        Columns extension, benchmark, topology, verdict, cycles, against_published (missing if a run did not end),
        packets_per_message, transmissions_per_message.
    """
    rows = []
    names = [name for name in EXTENSIONS for _ in CELLS]
    ended = set(finished(frame).index)
    usual: dict[tuple[str, str], float] = {}
    for name, run in zip(names, frame.to_dict("index").items(), strict=True):
        index, found = run
        cell = found["benchmark"], found["topology"]
        cycles = float(found[CYCLES]) if index in ended else float("nan")
        usual.setdefault(cell, cycles)
        rows.append((name, *cell, found["Verdict"], cycles, cycles / usual[cell], found[PACKETS], found[TRANSMISSIONS]))
    columns = ["extension", "benchmark", "topology", "verdict", "cycles", "against_published"]
    return pd.DataFrame(rows, columns=[*columns, "packets_per_message", "transmissions_per_message"])


def _figure(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, 1, width=10, height=3.4)
        panel = axes[0][0]
        for index, name in enumerate(EXTENSIONS):
            part = pick(table, extension=name)
            panel.plot(
                range(len(part)),
                part["against_published"],
                label=name,
                linestyle="none",
                color=plots.COLOURS[index],
                marker=plots.MARKERS[index],
            )
        panel.set_xticks(range(len(CELLS)), [f"{cell[0]}\n{TITLES[cell[1]]}" for cell in CELLS])
        panel.set_ylabel("time / time as published")
        plots.from_zero(panel)
        plots.legend_above(figure, panel)
    return figure


def _sentence(name: str, part: pd.DataFrame) -> str:
    ratios = part["against_published"].dropna()
    lost = len(part) - len(ratios)
    if not len(ratios):
        return f"{name}: no run completes."
    faster = int((ratios < 1).sum())
    best, worst = part.loc[ratios.idxmin()], part.loc[ratios.idxmax()]
    told = (
        f"{name}: the median over {len(ratios)} cells is {ratios.median():.2f} of the published protocol's time, "
        f"faster in {faster}; range {best['against_published']:.2f} ({best['benchmark']} on the "
        f"{TITLES[best['topology']]}) to {worst['against_published']:.2f} ({worst['benchmark']} on the "
        f"{TITLES[worst['topology']]}), with a median of {part['packets_per_message'].median():.1f} packets per message"
    )
    return told + (f"; incomplete runs: {lost}." if lost else ".")


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = compared(frame)
    usual = pick(table, extension=PUBLISHED)["packets_per_message"].median()
    text = (
        "Section 6 states that replies in ACKs and hybrid routers may help, and that the space of other backoffs is "
        f"enormous. It has no numbers. The published protocol sends a median of {usual:.1f} packets per message in "
        "these cells.",
        *(_sentence(name, pick(table, extension=name)) for name in EXTENSIONS if name != PUBLISHED),
    )
    shown = table.assign(topology=table["topology"].map(TITLES)).pivot_table(
        index=["benchmark", "topology"], columns="extension", values="against_published", sort=False
    )
    return Outcome(table, _figure(table), shown.reset_index().rename_axis(columns=None), text)


def _command(scale: Scale) -> list[str]:
    return [
        line
        for given in EXTENSIONS.values()
        for line in setup.listed_command(scale, CELLS, **{"router": "lossy", **BEST, **TABLES, **given})
    ]


EXTENSIONS_COMPARED = Experiment(
    "extensions",
    "Replies in ACKs, hybrid routers, other backoffs",
    "Section 6",
    _points,
    _render,
    _command,
)
