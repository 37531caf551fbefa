# SPDX-License-Identifier: GPL-2.0-only
"""
What memory and length of the queue in Tables 2 and 3 may have counted (C-amb-6): as the model counts by default, and as
MVAPICH 1.2rc1 does, which descends from the paper's code. Neither changes what is sent.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.applications import ROW_RESULTS
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, LABELS, UC_RELIABLE, UD_RELIABLE
from relnet.papers.runs import finished, pick

COMPARED = (UC_RELIABLE, UD_RELIABLE)
"""Combinations run; RC has the code of UC (C-15), and published rows that differ little from UC's."""

MVAPICH = {"queuereading": "Mvapich"}
"""Counting of MVAPICH 1.2rc1."""

READINGS = ("by default", "as MVAPICH")
"""Labels of the ways to count."""

PANELS = {"QLEN": "entries of the queue", "MEM-MB": "memory [MB]"}
"""Rows of the tables, and what an axis calls them."""


def _points(scale: Scale) -> list[Point]:
    return [setup.application(scale, name, COMBINATIONS[0]) for name in setup.SETS]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    beside = setup.beside(_points(scale), frame, COMPARED)
    return beside + [Point({**point.parameters, **MVAPICH}, point.seed, point.cost) for point in beside]


def read(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Cells of Tables 2 and 3 by either way to count.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        A row for each data set, combination and row of the tables: published, and simulated by either reading.
    """
    done = setup.label_runs(finished(frame))
    done = done[done["combination"].isin(COMPARED)]
    own = done["queuereading"].notna() if "queuereading" in done else pd.Series(False, done.index)
    rows = []
    for name in setup.SETS:
        for label in COMPARED:
            for row in PANELS:
                line = {"data set": name, "combination": label, "row": row}
                line["published"] = setup.published(name, COMBINATIONS[LABELS.index(label)], row)
                for reading, runs in zip(READINGS, (done[~own], done[own]), strict=True):
                    line[reading] = pick(runs, dataset=name, combination=label)[ROW_RESULTS[row]].mean()
                rows.append(line)
    return pd.DataFrame(rows)


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(len(PANELS), len(COMPARED), width=11, height=2.2)
        for line, (row, title) in zip(axes, PANELS.items(), strict=True):
            for panel, label in zip(line, COMPARED, strict=True):
                cells = pick(found, row=row, combination=label)
                series = [(reading, list(cells[reading]), None) for reading in READINGS]
                plots.bars(panel, list(setup.SETS), series, [list(cells["published"])] * len(READINGS))
                panel.set_title(label)
            line[0].set_ylabel(title)
        plots.legend_above(figure, axes[0][0])
    return figure


def _told(found: pd.DataFrame, row: str, label: str) -> str:
    """Ratios to the published cells by either reading."""
    cells = pick(found, row=row, combination=label)
    ratios = [cells[reading] / cells["published"] for reading in READINGS]
    return " and ".join(
        f"{ratio.min():.2f} to {ratio.max():.2f} (median {ratio.median():.2f}) {reading}"
        for ratio, reading in zip(ratios, READINGS, strict=True)
    )


def _each(found: pd.DataFrame, column: str) -> str:
    """Least and greatest number of entries over UD for each over UC."""
    wide = pick(found, row="QLEN").pivot_table(index="data set", columns="combination", values=column)
    ratio = wide[UD_RELIABLE] / wide[UC_RELIABLE]
    return f"{ratio.min():.2f} to {ratio.max():.2f}"


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = read(frame)
    text = (
        "The paper does not say what it counts. By default the queue's length is in segments, and a segment is charged "
        "the smallest buffer of 256, 1024, 2048 or 8220 bytes that holds it. MVAPICH 1.2rc1 has buffers of 2048, 4096 "
        "and 8192 bytes, so that a control message is charged 2048. Its counter of entries adds the segments of a "
        "message before they are counted, none if the message has several, and takes them off when it is acknowledged: "
        "over UD each message above one MTU lowers it for good, and the greatest value is one of the first moments.",
        f"Length over UD beside the published one: {_told(found, 'QLEN', UD_RELIABLE)}; over UC, where a message is a "
        f"segment, {_told(found, 'QLEN', UC_RELIABLE)}. UD's entries for each of UC's, which do not depend on how many "
        f"messages a program has under way: published {_each(found, 'published')}, simulated "
        f"{_each(found, READINGS[0])} by default and {_each(found, READINGS[1])} as MVAPICH counts.",
        f"Memory over UC: {_told(found, 'MEM-MB', UC_RELIABLE)}; over UD {_told(found, 'MEM-MB', UD_RELIABLE)}.",
        "The counter's way came to light when these rows had been compared, and the release is later than the paper: "
        "so it is a reading, the defaults were not changed for it, and no claim is judged by it.",
    )
    return Outcome(found, _picture(found), found.round(3), text)


QUEUES = Experiment(
    "queue-readings",
    "What memory and length of the queue in Tables 2 and 3 may count",
    "Tables 2 and 3 do not say (C-amb-6)",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            {"transport": ("UC", "UD"), "reliability": "Reliable"} | setup.application_parameters(scale, name) | more,
        )
        for name in setup.SETS
        for more in ({}, MVAPICH)
    ],
    APPLICATION,
    further=_further,
)
