# SPDX-License-Identifier: GPL-2.0-only
"""Sections of a report that do not belong to one paper: comparisons of times, costs of protocols, fault matrix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from relnet import plots
from relnet.experiments import costs
from relnet.experiments.costs import Comparison
from relnet.records.files import write_frame
from relnet.reproduction import report
from relnet.studies import fault_matrix, protocol_costs


def cost_section(comparisons: Sequence[Comparison], folder: Path, version: str) -> report.Section:
    """Write the comparisons of times with and without reliability in software, and make their section."""
    table = costs.table(comparisons)
    write_frame(table, folder / "costs.csv")
    figure = costs.figure(comparisons)
    plots.sign(figure, f"relnet {version}")
    return report.Section(
        "costs",
        "Times with and without reliability in software",
        "all; see the last column of the table",
        costs.text(comparisons),
        table,
        plots.data_uri(plots.save(figure, folder / "costs")),
        ["costs.csv", "costs.png", "costs.svg"],
        f"relnet {version}; from the runs of the other sections",
    )


def matrix_sections(frame: pd.DataFrame, folder: Path, sources: str) -> list[report.Section]:
    """
    Write a fault matrix, and make its sections: one with the table and the verdicts, and one for each further figure.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `fault_matrix.measure`.
    folder : pathlib.Path
        Folder of the report.
    sources : str
        Origin of the numbers, printed below each figure.
    """
    stem = fault_matrix.FILE
    (verdicts, picture), *maps = fault_matrix.save(frame, folder, sources).items()
    first = report.Section(
        stem,
        "Every protocol over every network under every fault",
        "",
        [*fault_matrix.text(frame), "The mouse over a cell of a heat map shows the command that repeats its run."],
        frame,
        plots.data_uri(picture.svg),
        [f"{stem}.csv", f"{stem}-{verdicts}.png", f"{stem}-{verdicts}.svg"],
        sources,
        folded=f"All {len(frame)} cells",
        panels=picture.panels,
        cells=fault_matrix.cell_texts(frame),
    )
    titles = dict(fault_matrix.COSTS.values()) | {f"parts-{fault}": t for fault, t in fault_matrix.DIVIDED.items()}
    return [first, *(_figure_section(name, titles[name], picture, sources) for name, picture in maps)]


def _figure_section(name: str, title: str, picture: fault_matrix.Drawn, sources: str) -> report.Section:
    """Make the section of a further figure of the fault matrix."""
    stem = f"{fault_matrix.FILE}-{name}"
    return report.Section(
        stem,
        title,
        "",
        image=plots.data_uri(picture.svg),
        files=[f"{stem}.png", f"{stem}.svg"],
        origin=sources,
        panels=picture.panels,
    )


def protocol_section(frame: pd.DataFrame, folder: Path, sources: str) -> report.Section:
    """
    Write what each protocol costs, and make its section.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `protocol_costs.measure`.
    folder : pathlib.Path
        Folder of the report.
    sources : str
        Origin of the numbers, printed below the figure.
    """
    stem = protocol_costs.FILE
    table = protocol_costs.table(frame)
    write_frame(table, folder / f"{stem}.csv")
    figure = protocol_costs.figure(frame)
    plots.sign(figure, sources)
    return report.Section(
        stem,
        "What each protocol costs",
        "",
        protocol_costs.text(frame),
        table,
        plots.data_uri(plots.save(figure, folder / stem)),
        [f"{stem}.csv", f"{stem}.png", f"{stem}.svg"],
        sources,
        protocol_costs.commands(frame),
    )
