# SPDX-License-Identifier: GPL-2.0-only
"""
Possible causes of UD's loss on chain and eam (section 8.3.2, C-37). The paper attributes 17 and 6 % to segmentation.
The costs of a segment, of a copied byte and of waiting for slower neighbours are swept one at a time.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, RC_NATIVE, UD_NATIVE, UD_RELIABLE

SETS = ("chain", "eam")
"""The data sets."""

PUBLISHED = {"chain": 17.0, "eam": 6.0}
"""Published excess time of UD over RC-Native (section 8.3.2, in its order; C-amb-7) [%]."""

SWEPT: dict[str, tuple[Any, ...]] = {
    "copyrate": (150, 500, 1500),
    "memoryrate": (500, 1000, 2000),
    "polltime": (150, 5000, 15000),
    "imbalance": (0.0, 0.2),
}
"""Unknown parameters, with values far beyond those of such hosts."""

TITLES = {
    "copyrate": "copies of\na core [MB/s]",
    "memoryrate": "copies of\na node [MB/s]",
    "polltime": "processor time of\na completion [ns]",
    "imbalance": "imbalance of\ncomputations",
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
    Compute the time of UD above RC-Native with the same value.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        One row per unknown and value: mean time of UD-Native and UD-Reliable above RC-Native, by data set [%].
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
        f"{8 * (setup.QUICK_NODES if scale.quick else NODES)} processes. Each panel changes one cost, also "
        "for RC-Native; dotted lines are published.",
        "Maximum time of UD above RC-Native on chain and eam: "
        + "; ".join(
            f"{each['chain']:+.1f} and {each['eam']:+.1f} % at {TITLES[each['unknown']].replace(chr(10), ' ')} "
            f"{each['value']:g}"
            for each in most
        )
        + ".",
        "By default each core copies at 1500 MB/s, and all cores of a node at 2950, which is an assumption. Without "
        "a limit eight cores would need 36 GB/s, since a copy reads, fetches the overwritten line, and writes; the "
        "buses of such a node carry at most 21 GB/s. A lower limit changes the results in the right direction.",
        f"Chain has {volume:.1f} times the bytes per second of eam, and {of_published:.1f} times its published loss."
        + (
            f" If UD's loss on chain is at least 1 %, it is {ratios.min():.1f} to {ratios.max():.1f} times that on "
            "eam, with the minimum for bytes and the maximum for completions. Thus no cost of a byte gives both "
            "numbers."
            if len(visible)
            else ""
        )
        + " The model lacks the effect of copies on computations that wait for memory, which would affect a program "
        "with few operations per atom, such as chain, the most. Its size needs a measured memory bandwidth of such "
        "processors and the memory traffic of LAMMPS; without a source for either, C-37 is undecidable.",
    )
    return Outcome(found, _picture(found), found.round(2), text)


SEGMENTS = Experiment(
    "datagram-segments",
    "Possible causes of UD's loss with large messages",
    "Section 8.3.2 attributes it to segmentation",
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
