# SPDX-License-Identifier: GPL-2.0-only
"""Latency of messages by loss and by size, with each of some protocols over networks with lossy links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.runs.sweeps import sweep

SCENARIO = "reliability"
GRID = {
    "network": ["switch", "infiniband", "myrinet"],
    "protocol": ["idempotent", "parastation2", "mpi", "tcp"],
    "size": [64, 1024, 16384],
    "loss": [0, 0.01, 0.03, 0.1, 0.2],
    "nodes": 4,
    "messages": 20,
}
"""Runs: four nodes send messages to random others."""
QUICK = {"size": [64, 16384], "messages": 5}
"""Parameters of quick runs."""
SEEDS = 3
"""Seeds of each run."""
FILE = "loss-and-size"
"""Stem of the files."""
BY_LOSS, BY_SIZE = "by-loss", "by-size"
"""Last parts of the names of the figures' files."""


def measure(quick: bool = False, **options: Any) -> pd.DataFrame:
    """
    Run all protocols over all networks, with all sizes and losses.

    Parameters
    ----------
    quick : bool
        Whether to run fewer sizes and messages.
    **options
        Options of `relnet.sweep`.

    Returns
    -------
    pandas.DataFrame
        The frame of the sweep.
    """
    return sweep(SCENARIO, seeds=SEEDS, **(GRID | (QUICK if quick else {})), **options)


def table(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate means over the seeds.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `measure`.

    Returns
    -------
    pandas.DataFrame
        One row per network, protocol, size and loss.
    """
    results = ["Latency", "Goodput", "FramesPerMessage"]
    units = frame.attrs.get("units", {})
    found = frame.groupby(["Network", "Protocol", "Size", "Loss"], sort=False)[results].mean().reset_index()
    named = {name: f"{name} [{units[name]}]" if units.get(name) else name for name in found.columns}
    return found.rename(columns=named)


def figures(frame: pd.DataFrame) -> Mapping[str, Figure]:
    """
    Draw the latency by loss, a panel for each network and size, and by size, a panel for each network and loss.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `measure`.

    Returns
    -------
    mapping of str to Figure
        The figures, by the last part of their files' names.
    """
    return {BY_LOSS: _figure(frame, "Loss", "Size", "{:g} bytes"), BY_SIZE: _figure(frame, "Size", "Loss", "loss {:g}")}


def _figure(frame: pd.DataFrame, x: str, across: str, title: str) -> Figure:
    """Draw the latency against a parameter: rows of panels for networks, columns for another parameter."""
    networks, values = list(frame["Network"].unique()), list(frame[across].unique())
    with plots.style():
        figure, grid = plots.panels(len(networks), len(values), width=12, height=2.2)
        for row, network in zip(grid, networks, strict=True):
            for axes, value in zip(row, values, strict=True):
                own = frame[(frame["Network"] == network) & (frame[across] == value)]
                plots.curves(own, x, "Latency", "Protocol", axes)
                axes.set_title(f"{network}, {title.format(value)}", loc="left")
                axes.set_title("", loc="right")
                axes.set_yscale("log")
                if x == "Size":
                    axes.set_xscale("log", base=2)
                _label_edges(axes, row is grid[-1], axes is row[0])
        for row in grid:
            for axes in row:
                if axes is not grid[0][0]:
                    axes.get_legend().remove()
        plots.legend_above(figure, grid[0][0])
    return figure


def _label_edges(axes: Any, is_last: bool, is_first: bool) -> None:
    """Keep the labels of the last row and of the first column."""
    if not is_last:
        axes.set_xlabel("")
    if not is_first:
        axes.set_ylabel("")


def text(frame: pd.DataFrame) -> Sequence[str]:
    """Paragraphs on the runs."""
    one = frame.iloc[0]
    return [
        f"{one['Nodes']} nodes send {one['Messages']} messages each to random others. A curve is the mean latency of a "
        f"message over {frame['seed'].nunique()} seeds, on a logarithmic axis; its band extends from the least to the "
        "greatest."
    ]


def command(quick: bool = False) -> str:
    """The command that repeats the runs."""
    given = GRID | (QUICK if quick else {})
    words = [
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}" for name, value in given.items()
    ]
    return " ".join(["relnet sweep", SCENARIO, *words, f"--seeds {SEEDS}"])
