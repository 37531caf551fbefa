# SPDX-License-Identifier: GPL-2.0-only
"""
What reliability costs: results of a sweep as ratios to a baseline, with intervals over the seeds.

A ratio is that of two runs with the same seed and parameters, so that what both have in common cancels.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.catalog.parameters import Parameter
from relnet.errors import RelnetError, quoted
from relnet.names import check_text

COSTS = ("Goodput", "Latency", "Latency99", "FramesPerMessage", "BytesPerMessage", "CpuPerMessage")
"""Columns of `reliability` that are compared unless others are named."""


def _parameters(frame: pd.DataFrame) -> list[str]:
    """The columns with parameters: in a sweep, those up to the seed."""
    if "seed" not in frame.columns:
        raise RelnetError("The frame has no column seed; compare needs the frame of a sweep.")
    return list(frame.columns[: frame.columns.get_loc("seed")])


def _find(frame: pd.DataFrame, name: str, what: str) -> str:
    """A column by its name in any case."""
    check_text(f"The name of a {what}", name)
    found = [column for column in frame.columns if str(column).lower() == name.lower()]
    if not found:
        raise RelnetError(f"There is no {what} {quoted(name)}; there are {', '.join(map(str, frame.columns))}.")
    return found[0]


def compare(
    frame: pd.DataFrame,
    baseline: str = "none",
    by: str = "protocol",
    columns: Sequence[str] = COSTS,
    level: float = 0.95,
) -> pd.DataFrame:
    """
    Compare the runs of a sweep with those of a baseline.

    Parameters
    ----------
    frame : pandas.DataFrame
        Frame of a sweep that varies the column `by`.
    baseline : str
        Value of `by` that the others are compared with.
    by : str
        Parameter whose values are compared.
    columns : sequence of str
        Results that are compared.
    level : float
        Confidence level of the intervals over the seeds, between 0 and 1.

    Returns
    -------
    pandas.DataFrame
        For each combination of the other parameters, each value of `by` and each column: the means of both, the mean
        ratio with its interval (bounds are missing with a single seed), and the number of seeds. A ratio is missing
        where the baseline is zero or missing.

    Raises
    ------
    RelnetError
        If a column, the baseline or a second value is missing, or the level is not between 0 and 1.
    """
    if not isinstance(frame, pd.DataFrame):
        raise RelnetError(f"compare needs the frame of a sweep, and {quoted(frame)} is none.")
    level = Parameter.plain("level", "double", 0.0, 1.0).parse(level)
    if not 0 < level < 1:
        raise RelnetError(f"level is {level}; it has to be between 0 and 1.")
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise RelnetError(f"columns is {quoted(columns)}; it has to be a list of names.")
    by = _find(frame, by, "column")
    columns = [_find(frame, column, "column") for column in columns]
    others = [name for name in _parameters(frame) if name != by]
    values = list(dict.fromkeys(frame[by].astype(str)))
    if baseline not in values:
        raise RelnetError(f"There is no run with {by}={baseline}; there are {', '.join(values)}.")
    if len(values) < 2:
        raise RelnetError(f"There are only runs with {by}={baseline}; nothing can be compared.")
    keys = [*others, "seed"]
    base = frame[frame[by].astype(str) == baseline].set_index(keys)[columns].apply(pd.to_numeric, errors="coerce")
    if base.index.has_duplicates:
        raise RelnetError(f"Several runs with {by}={baseline} have the same parameters and seed.")
    rows = []
    for value in values:
        if value == baseline:
            continue
        runs = frame[frame[by].astype(str) == value].set_index(keys)[columns].apply(pd.to_numeric, errors="coerce")
        both = runs.add_suffix("_").join(base.add_suffix("_base"), how="inner")
        cells = both.groupby(others, sort=False) if others else [((), both)]
        for cell, group in cells:
            for column in columns:
                rows.append({**dict(zip(others, cell, strict=True)), by: value, **_ratio(group, column, level)})
    return pd.DataFrame(rows)


def _ratio(group: pd.DataFrame, column: str, level: float) -> dict[str, object]:
    """Means, mean ratio and its interval for one cell and column."""
    runs = group[f"{column}_"].to_numpy(float)
    base = group[f"{column}_base"].to_numpy(float)
    known = np.isfinite(runs) & np.isfinite(base) & (base != 0)
    ratios = runs[known] / base[known]
    mean, low, high = plots.interval(ratios, level)
    return {
        "Column": column,
        "Mean": runs.mean() if len(runs) else np.nan,
        "Baseline": base.mean() if len(base) else np.nan,
        "Ratio": mean,
        "Low": low,
        "High": high,
        "Seeds": len(ratios),
    }


def figure(compared: pd.DataFrame, by: str = "protocol") -> Figure:
    """
    Draw the ratios of `compare`: a panel for each column, a bar for each value of `by`, with its interval.

    Parameters
    ----------
    compared : pandas.DataFrame
        Frame of `compare`.
    by : str
        Parameter whose values were compared.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.
    """
    by = _find(compared, by, "column")
    with plots.style():
        return _draw(compared, by)


def _draw(compared: pd.DataFrame, by: str) -> Figure:
    """Draw a panel for each column."""
    names = list(dict.fromkeys(compared["Column"]))
    others = list(compared.columns[: compared.columns.get_loc(by)])
    values = list(dict.fromkeys(compared[by]))
    varied = [name for name in others if compared[name].nunique() > 1]
    cells = list(dict.fromkeys(_cells(compared, varied)))
    drawn, panels = plots.panels(len(names), 1)
    width = 0.8 / len(values)
    for axes, name in zip(itertools.chain(*panels), names, strict=True):
        for index, value in enumerate(values):
            rows = compared[(compared["Column"] == name) & (compared[by] == value)]
            found = dict(zip(_cells(rows, varied), rows.itertuples(index=False), strict=True))
            known = [(place, found[cell]) for place, cell in enumerate(cells) if cell in found]
            known = [(place, row) for place, row in known if np.isfinite(row.Ratio)]
            places = [place + (index - (len(values) - 1) / 2) * width for place, _ in known]
            heights = [row.Ratio for _, row in known]
            low = [_reach(row.Ratio, row.Low) for _, row in known]
            high = [_reach(row.Ratio, row.High) for _, row in known]
            axes.bar(places, heights, width * 0.92, color=plots.COLOURS[index % len(plots.COLOURS)], label=str(value))
            axes.errorbar(places, heights, yerr=[low, high], fmt="none", ecolor="#333333", elinewidth=0.9, capsize=2)
        axes.axhline(1, color="#777777", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_title(f"{name}, ratio to the baseline")
        axes.set_xticks(range(len(cells)), [", ".join(map(str, cell)) for cell in cells])
        axes.grid(axis="x", visible=False)
    plots.legend_above(drawn, panels[0][0])
    return drawn


def _reach(ratio: float, bound: float) -> float:
    """Length of an error bar; 0 without a bound."""
    return abs(ratio - bound) if np.isfinite(bound) else 0.0


def _cells(rows: pd.DataFrame, varied: list[str]) -> list[tuple]:
    """The varied parameters of each row."""
    return list(rows[varied].itertuples(index=False, name=None)) if varied else [()] * len(rows)
