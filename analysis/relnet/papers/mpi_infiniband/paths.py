# SPDX-License-Identifier: GPL-2.0-only
"""
Effects of several paths between two hosts (LMC) on MPI. Figure 3 assumes that FIN may arrive before the data, which
does not occur over one path.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, LABELS

SET = "rhodo"
"""The data set, with small and large messages to many peers."""

PATHS = (1, 2, 4)
"""Numbers of paths, which frames take in turn."""

NETWORK = {"nodes": 16, "switchports": 8, "lmc": 2}
"""Four leaves below two spines, so that paths of two hosts can have different switches."""

QUICK_NETWORK = {"nodes": 8, "switchports": 4, "lmc": 2}
"""Four leaves below two levels of switches, at reduced scale."""

COMPARED = tuple(label for label in LABELS if not label.startswith("RC"))
"""Combinations; RC is omitted, since its FIN has to follow the write on one queue pair (Figure 2)."""

PANELS = {"overtaken": "frames overtaken [%]", "early": "FINs before their data [%]"}
"""Quantities drawn, with axis labels."""


def _network(scale: Scale) -> dict[str, int]:
    return QUICK_NETWORK if scale.quick else NETWORK


def _points(scale: Scale) -> list[Point]:
    return [setup.application(scale, SET, COMBINATIONS[0], **_network(scale), runsteps=setup.QUICK_STEPS)]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    return [
        Point({**point.parameters, "paths": paths}, point.seed, point.cost)
        for point in setup.beside(_points(scale), frame, COMPARED)
        for paths in PATHS
    ]


def orders(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate reordering of frames.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        One row per combination and number of paths: overtaken frames per message [%], FINs that arrive before their
        data per large message [%], and the change of the time relative to one path [%].
    """
    done = setup.label_runs(finished(frame))
    done = done[done["paths"].notna()].assign(paths=lambda runs: runs["paths"].astype(int))
    one = done[done["paths"] == 1].set_index("combination")["Time"]
    return pd.DataFrame(
        {
            "combination": done["combination"],
            "paths": done["paths"],
            "overtaken": done["Reordered"] / done["Messages"] * 100,
            "early": done["EarlyFins"] / (done["Messages"] * done["LargeShare"]) * 100,
            "longer": (done["Time"].to_numpy() / one.loc[done["combination"]].to_numpy() - 1) * 100,
        }
    ).reset_index(drop=True)


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, len(PANELS), width=9, height=2.6)
        for panel, (name, title) in zip(axes[0], PANELS.items(), strict=True):
            wide = found.pivot_table(index="combination", columns="paths", values=name).reindex(COMPARED)
            series = [("1 path" if n == 1 else f"{n} paths", list(wide[n]), None) for n in PATHS]
            plots.bars(panel, list(COMPARED), series)
            panel.set(ylabel=title)
        plots.legend_above(figure, axes[0][0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = orders(frame)
    several = found[found["paths"] > 1]
    written = several[several["combination"].str.startswith("UC")]
    datagrams = several[several["combination"].str.startswith("UD")]
    alone = found[found["paths"] == 1]
    text = (
        f"{SET} on {8 * _network(scale)['nodes']} processes. Frames between two processes take the paths in turn, "
        "over UC with a queue pair for each path, over UD with an address handle for each.",
        "Over one path "
        + (
            "no frame is overtaken, so Figure 3 only protects from losses."
            if (alone[["overtaken", "early"]] == 0).all(axis=None)
            else f"at most {alone['overtaken'].max():.1f} % are overtaken."
        )
        + f" Over several paths, {written['early'].min():.0f} to {written['early'].max():.0f} % of UC's FINs arrive "
        "before their data, since a write and its FIN use different queue pairs and the write takes longer. The "
        "receive waits for the immediate data (section 6.3). The share of overtaken frames is "
        f"{written['overtaken'].min():.1f} to {written['overtaken'].max():.1f} % over UC and "
        f"{datagrams['overtaken'].min():.1f} to {datagrams['overtaken'].max():.1f} % over UD.",
        "All messages arrive in order and intact. Several paths change the time by "
        f"{several['longer'].min():+.1f} to {several['longer'].max():+.1f} %.",
    )
    shown = found.round(2).rename(columns=PANELS | {"longer": "time relative to one path [%]"})
    return Outcome(found, _picture(found), shown, text)


SEVERAL_PATHS = Experiment(
    "several-paths",
    "Reordering by several paths",
    "Section 6.3 states that UC is unordered, but not the number of paths",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            {"transport": ("UC", "UD"), "reliability": ("Native", "Reliable"), "dataset": SET}
            | NETWORK
            | {"runsteps": setup.QUICK_STEPS, "timeout": setup.TIMEOUT, "paths": PATHS},
        )
    ],
    APPLICATION,
    further=_further,
)
