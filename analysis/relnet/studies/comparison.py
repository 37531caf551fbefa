# SPDX-License-Identifier: GPL-2.0-only
"""
What reliability costs: results of a sweep as ratios to a baseline, with intervals over the seeds.

A ratio is that of two runs with the same seed and parameters, so that what both have in common cancels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from relnet import plots
from relnet.catalog.parameters import Parameter
from relnet.errors import RelnetError, quoted

COSTS = ("Goodput", "Latency", "Latency99", "FramesPerMessage", "BytesPerMessage", "CpuPerMessage")
"""Columns of `reliability` that are compared unless others are named."""


def _parameters(frame: pd.DataFrame) -> list[str]:
    """The columns with parameters: in a sweep, those up to the seed."""
    if "seed" not in frame.columns:
        raise RelnetError("The frame has no column seed; compare needs the frame of a sweep.")
    return list(frame.columns[: frame.columns.get_loc("seed")])


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
        For each combination of the other parameters, each value of `by` and each column: the means of both, the
        geometric mean of the ratios with its interval (bounds are missing with a single seed), and the number of seeds.
        A ratio is missing where the baseline is zero or missing. `relnet.plots.ratios` draws it.

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
    by = plots.find_column(frame, by)
    columns = plots.find_columns(frame, columns)
    others = [name for name in _parameters(frame) if name != by]
    values = list(dict.fromkeys(frame[by].astype(str)))
    if baseline not in values:
        raise RelnetError(
            f"There is no run with {by} {quoted(baseline)} as the baseline; choose one of {', '.join(values)}."
        )
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
    # Ratios are averaged by their logarithms: 2 and 1/2 make 1, and no bound is negative.
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, low, high = np.exp(plots.interval(np.log(ratios), level))
    return {
        "Column": column,
        "Mean": runs.mean() if len(runs) else np.nan,
        "Baseline": base.mean() if len(base) else np.nan,
        "Ratio": mean,
        "Low": low,
        "High": high,
        "Seeds": len(ratios),
    }
