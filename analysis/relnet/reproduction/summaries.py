# SPDX-License-Identifier: GPL-2.0-only
"""Parts of a report that do not belong to one paper: comparisons of times, costs, curves, fault matrix."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from relnet import plots
from relnet.experiments import costs
from relnet.experiments.costs import Comparison
from relnet.records.files import write_frame
from relnet.reproduction import interactive, report
from relnet.studies import fault_matrix, loss_and_size, protocol_costs


def cost_section(comparisons: Sequence[Comparison], folder: Path, version: str) -> report.Section:
    """Write the comparisons of times with and without reliability in software, and make their section."""
    table = costs.table(comparisons)
    write_frame(table, folder / "costs.csv")
    figure = costs.figure(comparisons)
    plots.sign(figure, f"relnet {version}")
    plots.save(figure, folder / "costs")
    return report.Section(
        "costs",
        "Times with and without reliability in software",
        "all; see the last column of the table",
        costs.text(comparisons),
        table,
        "costs.svg",
        files=["costs.csv", "costs.png", "costs.svg"],
        origin=f"relnet {version}; from the runs of the other sections",
    )


def matrix_page(frame: pd.DataFrame, folder: Path, sources: str) -> report.Matrix:
    """
    Write a fault matrix and its figures, and make its page.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `fault_matrix.measure`.
    folder : pathlib.Path
        Folder of the results.
    sources : str
        Origin of the numbers, printed below each figure.
    """
    drawn = fault_matrix.save(frame, folder, sources)
    figures = [
        report.Section(stem, title, "", image=f"{stem}.svg", files=[f"{stem}.png", f"{stem}.svg"], origin=sources)
        for stem, title in drawn.items()
    ]
    return report.Matrix(fault_matrix.text(frame), fault_matrix.cells(frame), figures, len(fault_matrix.broken(frame)))


def protocol_section(frame: pd.DataFrame, folder: Path, sources: str) -> report.Section:
    """
    Write what each protocol costs, and make its section.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `protocol_costs.measure`.
    folder : pathlib.Path
        Folder of the results.
    sources : str
        Origin of the numbers, printed below the figure.
    """
    stem = protocol_costs.FILE
    table = protocol_costs.table(frame)
    write_frame(table, folder / f"{stem}.csv")
    for name, columns in ((stem, None), (protocol_costs.NARROW, 1)):
        figure = protocol_costs.figure(frame, columns)
        plots.sign(figure, sources)
        plots.save(figure, folder / name)
    return report.Section(
        stem,
        "What each protocol costs",
        "",
        protocol_costs.text(frame),
        table,
        f"{stem}.svg",
        narrow=f"{protocol_costs.NARROW}.svg",
        files=[f"{stem}.csv", f"{stem}.png", f"{stem}.svg"],
        origin=sources,
        commands=protocol_costs.commands(frame),
    )


def curve_sections(frame: pd.DataFrame, folder: Path, sources: str, command: str) -> list[report.Section]:
    """
    Write the latency by loss and by size, and make a section for each.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `loss_and_size.measure`.
    folder : pathlib.Path
        Folder of the results.
    sources : str
        Origin of the numbers, printed below each figure.
    command : str
        Command line that repeats the runs.
    """
    table = loss_and_size.table(frame)
    write_frame(table, folder / f"{loss_and_size.FILE}.csv")
    sections = []
    for name, figure in loss_and_size.figures(frame).items():
        stem = f"{loss_and_size.FILE}-{name}"
        plots.sign(figure, sources)
        plots.save(figure, folder / stem)
        sections.append(
            report.Section(
                stem,
                f"Latency {name.replace('-', ' ')}",
                "",
                loss_and_size.text(frame),
                image=f"{stem}.svg",
                chart=interactive.panels(figure),
                is_open=True,
                files=[f"{loss_and_size.FILE}.csv", f"{stem}.png", f"{stem}.svg"],
                origin=sources,
                commands=[command],
            )
        )
    return sections
