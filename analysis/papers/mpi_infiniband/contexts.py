# SPDX-License-Identifier: GPL-2.0-only
"""
Where the 25 % of jac2000 come from (section 8.3.1): nobody knows what a context costs, how many the adapter keeps and
how the program's traffic comes, so all of it is swept, and nothing chosen.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from papers import Experiment, Outcome, Point, Scale
from papers.mpi_infiniband import setup
from papers.mpi_infiniband.setup import (
    APPLICATION,
    COMBINATIONS,
    RC_NATIVE,
    UC_NATIVE,
    UC_RELIABLE,
    UD_RELIABLE,
)
from papers.runs import finished, pick
from relnet import plots

SET = "jac2000"
"""The data set."""

PUBLISHED = 25.0
"""What UC-Reliable saves there beside RC-Native (section 8.3.1) [%]."""

SWEPT: dict[str, tuple[Any, ...]] = {
    "contextmiss": (500, 750, 1000, 1250, 1500),
    "contextcache": (32, 64, 128, 256, 1024, 4096),
    "contextlines": (0, 1, 2, 3),
    "contextreplacement": ("LRU", "Random"),
    "sharedengine": ("true", "false"),
    "burst": (10, 20, 40, 80, 160),
    "overlap": (0.0, 0.15, 0.3, 0.5),
    "onesided": (0.0, 0.25, 0.5, 0.75, 1.0),
    "persistent": (0.0, 0.5, 1.0),
}
"""
What is not known, and values of it. A miss is a PCI Express round trip, of 500 to 1000 ns; beyond is what two of them
one after the other would take.
"""

TITLES = {
    "contextmiss": "fetch of a context [ns]",
    "contextcache": "lines of contexts kept",
    "contextlines": "lines RC touches beyond the first",
    "contextreplacement": "which line makes room",
    "sharedengine": "one engine for sends, receives, ACKs",
    "burst": "messages of a process in a step",
    "overlap": "computation that needs no messages",
    "onesided": "messages not answered to their sender",
    "persistent": "partners that stay the same",
}
"""What a figure calls them."""

DURATION = 0.2
"""How long RC-Native takes in these runs [s]."""

NODES = 16
"""Nodes of these runs, on which a process has up to 120 peers and a node 960 queue pairs."""

COMPARED = (UC_NATIVE, UC_RELIABLE, UD_RELIABLE)
"""What is compared with RC-Native."""


def _settings(scale: Scale) -> list[dict[str, Any]]:
    step = 3 if scale.quick else 1
    return [{name: value} for name, values in SWEPT.items() for value in values[::step]]


def _points(scale: Scale) -> list[Point]:
    """RC-Native's runs, each calibrated with its own value."""
    given = {} if scale.quick else {"duration": DURATION, "nodes": NODES}
    return [
        setup.application(scale, SET, COMBINATIONS[0], seed, **given, **setting)
        for setting in _settings(scale)
        for seed in setup.seeds(scale)
    ]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    return setup.beside(_points(scale), frame, COMPARED)


def _labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """The runs with the unknown that was given to each, and its value."""
    done = setup.label_runs(finished(frame))
    parts = [
        done[done[name].notna()].assign(unknown=name, value=lambda runs, name=name: runs[name].map(_text))
        for name in SWEPT
        if name in done.columns
    ]
    return pd.concat(parts, ignore_index=True)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def gains(frame: pd.DataFrame) -> pd.DataFrame:
    """
    What the combinations save beside RC-Native.

    Parameters
    ----------
    frame : pandas.DataFrame
        A row for each run with the columns unknown, value, combination and Time.

    Returns
    -------
    pandas.DataFrame
        A row for each unknown and value, a column for each combination [%]; `overhead` is what reliability costs UC
        [%].
    """
    wide = frame.pivot_table(index=["unknown", "value"], columns="combination", values="Time", sort=False)
    table = pd.DataFrame({label: (1 - wide[label] / wide[RC_NATIVE]) * 100 for label in COMPARED})
    table["overhead"] = (wide[UC_RELIABLE] / wide[UC_NATIVE] - 1) * 100
    if "seed" in frame:
        each = frame.pivot_table(index=["unknown", "value", "seed"], columns="combination", values="Time", sort=False)
        saved = ((1 - each[UC_RELIABLE] / each[RC_NATIVE]) * 100).groupby(["unknown", "value"], sort=False)
        table["between seeds"] = saved.max() - saved.min()
    return table.reset_index()


def _picture(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(3, 3, width=10, height=2.4)
        panels = [panel for row in axes for panel in row]
        for panel, (name, title) in zip(panels, TITLES.items(), strict=True):
            rows = pick(table, unknown=name)
            places = range(len(rows))
            for index, label in enumerate(COMPARED):
                style = {"color": plots.COLOURS[index + 1], "marker": plots.MARKERS[index + 1], "label": label}
                panel.plot(places, rows[label], **style)
            panel.axhline(PUBLISHED, color="#222222", linestyle=":", label=f"published: {UC_RELIABLE}")
            panel.axhline(0, color="#777777", linewidth=0.8)
            panel.set_xticks(list(places), rows["value"])
            panel.set_xlabel(title)
        for row in axes:
            row[0].set_ylabel("time saved beside\nRC-Native [%]")
        plots.legend_above(figure, panels[0])
    return figure


def _spans(table: pd.DataFrame) -> pd.DataFrame:
    """How far each unknown moves what UC-Reliable saves, the one that moves it most first."""
    spans = table.groupby("unknown", sort=False)[UC_RELIABLE].agg(["min", "max"])
    return spans.assign(span=spans["max"] - spans["min"]).sort_values("span", ascending=False)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = gains(_labelled(frame))
    literal = pick(table, unknown="contextlines", value="0").iloc[0]
    spans = _spans(table)
    best = table.loc[table[UC_RELIABLE].idxmax()]
    most, least = spans.index[0], spans.index[-1]
    null = abs(literal[UC_RELIABLE]) < PUBLISHED / 2
    text = (
        f"The literal model, in which each of RC's four touches of a context and each of UC's two is one line, lets "
        f"UC-Native save {literal[UC_NATIVE]:.1f} % and UC-Reliable {literal[UC_RELIABLE]:.1f} %; the paper says 25 %. "
        + ("That is a null: an ACK's context is in the cache, since its message was just handled." if null else ""),
        f"Of what is unknown, {TITLES[most]} moves what UC-Reliable saves most, from {spans['min'].iloc[0]:.1f} to "
        f"{spans['max'].iloc[0]:.1f} %; {TITLES[least]} moves it least, by {spans['span'].iloc[-1]:.1f} points. Each "
        "is swept alone, the others at their defaults.",
        f"The most that any value gives is {best[UC_RELIABLE]:.1f} %, at {TITLES[best['unknown']]} {best['value']}.",
        f"Between two seeds of one setting, what UC-Reliable saves differs by {table['between seeds'].median():.1f} "
        "points in the median: less than that is noise, of who waits for whom.",
        f"Reliability costs UC {table['overhead'].min():.1f} to {table['overhead'].max():.1f} % over all values "
        "(published 7 %).",
    )
    return Outcome(table, _picture(table), table.round(1), text)


CONTEXTS = Experiment(
    "jac2000-contexts",
    "Where the 25 % of jac2000 come from",
    "Section 8.3.1 says they are likely the connection cache's",
    _points,
    _render,
    lambda scale: [
        setup.command(APPLICATION, setup.ALL | {"dataset": SET, "duration": DURATION, "nodes": NODES, name: values}, 2)
        for name, values in SWEPT.items()
    ],
    further=_further,
)
