# SPDX-License-Identifier: GPL-2.0-only
"""
What UD could lose on chain and eam (section 8.3.2, C-37): the paper names the cost of segmentation, and gives 17 and
6 %. Each cost of a segment, of a copied byte and of waiting for slower neighbours is swept alone.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, RC_NATIVE, UD_NATIVE, UD_RELIABLE
from relnet.papers.runs import finished, pick

SETS = ("chain", "eam")
"""The data sets."""

PUBLISHED = {"chain": 17.0, "eam": 6.0}
"""Excess time of UD over RC-Native there (section 8.3.2, in the order given; C-amb-7) [%]."""

SWEPT: dict[str, tuple[Any, ...]] = {
    "copyrate": (150, 500, 1500),
    "memoryrate": (500, 1000, 2000),
    "polltime": (150, 5000, 15000),
    "imbalance": (0.0, 0.2),
}
"""Unknown parameters, and values far beyond those of such hosts."""

TITLES = {
    "copyrate": "copies of\na core [MB/s]",
    "memoryrate": "copies of\na node [MB/s]",
    "polltime": "processor time of\na completion [ns]",
    "imbalance": "by how much\ncomputations differ",
}
"""Labels in figures."""

NODES = 8
"""Nodes of these runs."""

COMPARED = (UD_NATIVE, UD_RELIABLE)
"""Combinations compared with RC-Native."""


def _points(scale: Scale) -> list[Point]:
    size = {} if scale.quick else {"nodes": NODES, "runsteps": setup.FEW_STEPS}
    step = 2 if scale.quick else 1
    return [
        setup.application(scale, name, COMBINATIONS[0], **size, **{unknown: value})
        for name in SETS
        for unknown, values in SWEPT.items()
        for value in values[::step]
    ]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    return setup.beside(_points(scale), frame, COMPARED)


def losses(frame: pd.DataFrame) -> pd.DataFrame:
    """
    What UD takes above RC-Native with the same value.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        A row for each unknown and value: mean of UD-Native and UD-Reliable above RC-Native, by data set [%].
    """
    done = setup.label_runs(finished(frame))
    rows = []
    for unknown, values in SWEPT.items():
        for value in values:
            line: dict[str, Any] = {"unknown": unknown, "value": value}
            for name in SETS:
                time = pick(done, dataset=name, **{unknown: value}).set_index("combination")["Time"]
                if {RC_NATIVE, *COMPARED} <= set(time.index):
                    line[name] = (time[list(COMPARED)].mean() / time[RC_NATIVE] - 1) * 100
            rows.append(line)
    return pd.DataFrame(rows).dropna()


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, len(SWEPT), width=11, height=2.6)
        for panel, (unknown, title) in zip(axes[0], TITLES.items(), strict=True):
            runs = pick(found, unknown=unknown)
            for index, name in enumerate(SETS):
                style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": name}
                panel.plot(range(len(runs)), runs[name], **style)
                panel.axhline(PUBLISHED[name], color=plots.COLOURS[index], linestyle=":", linewidth=1)
            panel.set_xticks(range(len(runs)), [f"{value:g}" for value in runs["value"]])
            panel.set_xlabel(title)
        top = 1.1 * max(*PUBLISHED.values(), found[list(SETS)].max(axis=None))
        for panel in axes[0]:
            panel.set_ylim(-1, top)
        axes[0][0].set_ylabel("UD above RC-Native [%]")
        plots.legend_above(figure, axes[0][0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = losses(frame)
    volume = setup.general("chain", "vol") / setup.general("eam", "vol")
    visible = found[found["chain"] >= 1]
    ratios = visible["chain"] / visible["eam"]
    of_published = PUBLISHED["chain"] / PUBLISHED["eam"]
    most = [found.loc[group["chain"].idxmax()] for _, group in found.groupby("unknown", sort=False)]
    text = (
        f"{8 * (setup.QUICK_NODES if scale.quick else NODES)} processes; each panel changes one cost, for RC-Native "
        "too; dotted is what the paper has.",
        "The most that UD takes above RC-Native on chain and eam: "
        + "; ".join(
            f"{each['chain']:+.1f} and {each['eam']:+.1f} % at {TITLES[each['unknown']].replace(chr(10), ' ')} "
            f"{each['value']:g}"
            for each in most
        )
        + ".",
        "By default each core copies at 1500 MB/s, and all of a node together at 2950, an assumption. Without a limit "
        "eight would move 36 GB/s, since a copy reads, fetches what it overwrites, and writes, and the buses of such a "
        "node carry 21 GB/s at most. A lower limit has the right sign.",
        f"Chain has {volume:.1f} times eam's bytes a second, and published is {of_published:.1f} times the loss."
        + (
            f" Where UD takes at least 1 % on chain, it takes {ratios.min():.1f} to {ratios.max():.1f} times as much "
            "as on eam, least by bytes and most by completions: so no cost of a byte gives both numbers."
            if len(visible)
            else ""
        )
        + " What the model has not is that computations wait for the memory that copies keep busy, which a program of "
        "few operations an atom, as chain, would feel most.",
    )
    return Outcome(found, _picture(found), found.round(2), text)


SEGMENTS = Experiment(
    "datagram-segments",
    "What UD could lose with large messages",
    "Section 8.3.2 says that segmentation costs it",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            {"transport": ("RC", "UD"), "reliability": ("Native", "Reliable"), "dataset": name}
            | {"nodes": NODES, "runsteps": setup.FEW_STEPS, "timeout": setup.TIMEOUT, unknown: values},
        )
        for name in SETS
        for unknown, values in SWEPT.items()
    ],
    APPLICATION,
    further=_further,
)
