# SPDX-License-Identifier: GPL-2.0-only
"""
What reliability costs: the same traffic with each of some protocols and with none, over networks with lossy links.

The time of a message is divided into its parts. Costs are ratios to runs without a protocol on the same network, with
the same losses and seeds.
"""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.catalog.lookup import describe
from relnet.runs.single import make_task
from relnet.runs.sweeps import sweep
from relnet.studies.comparison import COSTS, compare

SCENARIO = "reliability"
GRID = {
    "network": ["switch", "infiniband", "myrinet"],
    "protocol": ["none", "idempotent", "parastation2", "mpi", "tcp"],
    "nodes": 4,
    "messages": 40,
    "size": 1024,
    "loss": 0.01,
}
"""Runs: four nodes send messages of 1 KiB to random others, and 1 % of the frames is lost."""
SEEDS = 5
"""Seeds of each run."""
QUICK = {"messages": 10}
"""Parameters of quick runs."""
FILE = "protocol-costs"
"""Stem of the files."""
NARROW = "protocol-costs-narrow"
"""Stem of the figure for a narrow page."""


def measure(quick: bool = False, **options: Any) -> pd.DataFrame:
    """
    Run all protocols over all networks.

    Parameters
    ----------
    quick : bool
        Whether to send fewer messages.
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
    Tabulate costs.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `measure`.

    Returns
    -------
    pandas.DataFrame
        One row per network, protocol and cost: mean, ratio to no protocol and its interval over the seeds.
    """
    found = compare(frame, columns=COSTS)
    units = frame.attrs.get("units", {})
    named = found["Column"].map(lambda name: f"{name} [{units[name]}]" if units.get(name) else name)
    costs = {
        "network": found["Network"],
        "protocol": found["Protocol"],
        "cost": named,
        "mean": found["Mean"],
        "without protocol": found["Baseline"],
        "ratio": found["Ratio"],
        "95 %, from": found["Low"],
        "to": found["High"],
        "seeds": found["Seeds"],
    }
    return pd.DataFrame(costs)


def figure(frame: pd.DataFrame, columns: int | None = None) -> Figure:
    """
    Draw the parts of the mean latency: a panel for each network, a bar for each protocol.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `measure`.
    columns : int, optional
        Number of panels side by side; all by default.
    """
    networks = list(frame.groupby("Network", sort=False))
    columns = columns or len(networks)
    with plots.style():
        drawn, grid = plots.panels(math.ceil(len(networks) / columns), columns, width=4 * columns, height=2)
        panels = [axes for row in grid for axes in row]
        for axes, (name, rows) in zip(panels, networks, strict=False):
            plots.breakdown(rows, axes=axes, shares=True)
            axes.set_title(name)
        plots.legend_above(drawn, panels[0])
    return drawn


def text(frame: pd.DataFrame) -> list[str]:
    """Paragraphs on the runs."""
    one = frame.iloc[0]
    hosts = frame.drop_duplicates("Network")
    named = ", ".join(f"{row.HostUsed} on {row.Network}" for row in hosts.itertuples())
    return [
        f"{one['Nodes']} nodes send {one['Messages']} messages of {one['Size']} bytes each to random others, and "
        f"{100 * one['Loss']:g} % of the frames is lost. Each bar is the mean latency of a message, written beside it, "
        f"by its parts, over {frame['seed'].nunique()} seeds. Hosts: {named}.",
        "Parts: sender, the wait for the protocol; repeat, the wait until a lost frame is sent again; processors, work "
        "of both hosts; network, what an idle network takes; queueing, behind other frames; receiver, the hold for "
        "missing frames or earlier messages. Without a protocol, lost messages have no latency.",
    ]


def commands(frame: pd.DataFrame) -> list[str]:
    """The command that repeats each run."""
    scenario = describe(SCENARIO)
    given = list(frame.columns[: frame.columns.get_loc("seed")])
    rows = frame[[*given, "seed"]].to_dict("records")
    return [make_task(*scenario.bind({name: row[name] for name in given}), row["seed"]).command for row in rows]
