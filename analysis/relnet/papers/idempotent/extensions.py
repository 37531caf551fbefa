# SPDX-License-Identifier: GPL-2.0-only
"""
What section 6 leaves to others: replies in acknowledgements, routers that store for a while, a lookup table of
backoffs, and backoffs by estimated congestion; each by itself beside the protocol as published.

The paper gives no number for any of them. All constants were fixed before the first run of this experiment.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CHEAP, CYCLES, PACKETS, TABLES, TITLES, TRANSMISSIONS
from relnet.papers.runs import finished, pick

PUBLISHED = "as published"
"""The protocol of sections 2 and 4."""

CELLS = (*CHEAP, ("nbody", "fattree"))
"""Where they are run; what they did to quicksort on the 3D grid lay between these."""

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
What is changed. A hybrid router stores a packet for 8 cycles at most; the table is quadratic with C = 3 and stays at
its value for n = 8; congestion spreads a linear backoff with C = 3 over C n to 16 C n. All of these are defaults.
"""


def _points(scale: Scale) -> list[Point]:
    return [setup.cell(scale, *cell, **given) for given in EXTENSIONS.values() for cell in CELLS]


def compared(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Each extension in each cell against the protocol as published.

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
        panel.set_ylabel("time, against that as published")
        plots.from_zero(panel)
        plots.legend_above(figure, panel)
    return figure


def _sentence(name: str, part: pd.DataFrame) -> str:
    ratios = part["against_published"].dropna()
    lost = len(part) - len(ratios)
    if not len(ratios):
        return f"{name}: no run ends."
    faster = int((ratios < 1).sum())
    best, worst = part.loc[ratios.idxmin()], part.loc[ratios.idxmax()]
    told = (
        f"{name}: the median over {len(ratios)} cells is {ratios.median():.2f} of the time as published, faster in "
        f"{faster}; {best['against_published']:.2f} ({best['benchmark']} on the {TITLES[best['topology']]}) to "
        f"{worst['against_published']:.2f} ({worst['benchmark']} on the {TITLES[worst['topology']]}), with "
        f"{part['packets_per_message'].median():.1f} packets a message in the median"
    )
    return told + (f"; runs without an end: {lost}." if lost else ".")


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = compared(frame)
    usual = pick(table, extension=PUBLISHED)["packets_per_message"].median()
    text = (
        f"Section 6 says of replies in ACKs and of hybrid routers that they may help, and of other backoffs that the "
        f"space is enormous; it has no number to compare with. As published a message takes {usual:.1f} packets in the "
        "median of these cells.",
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
