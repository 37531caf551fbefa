# SPDX-License-Identifier: GPL-2.0-only
"""Chosen results of a sweep, and their means over the seeds with intervals, for tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from relnet import plots
from relnet.errors import RelnetError


def _split(frame: pd.DataFrame, columns: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """The parameters of a sweep, and the named results, or all of them."""
    if "seed" not in frame.columns:
        raise RelnetError("The frame has no column seed; it has to be the frame of a sweep.")
    given = list(frame.columns[: frame.columns.get_loc("seed")])
    results = [name for name in frame.columns if name not in (*given, "seed")]
    chosen = results if columns is None else plots.find_columns(frame, columns)
    return given, [name for name in chosen if name in results]


def pick(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """
    Choose results of a sweep.

    Parameters
    ----------
    frame : pandas.DataFrame
        Frame of a sweep.
    columns : sequence of str
        Results, in any case.

    Returns
    -------
    pandas.DataFrame
        Parameters, seed and these results.
    """
    given, chosen = _split(frame, columns)
    picked = frame[[*given, "seed", *chosen]]
    picked.attrs = frame.attrs
    return picked


def average(frame: pd.DataFrame, columns: Sequence[str] | None = None, level: float = 0.95) -> pd.DataFrame:
    """
    Average the results of a sweep over its seeds.

    Parameters
    ----------
    frame : pandas.DataFrame
        Frame of a sweep.
    columns : sequence of str, optional
        Results, in any case; all that are numbers by default.
    level : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    pandas.DataFrame
        One row for each combination of parameters: number of `Seeds`, and for each result `X` its mean, and in
        `XInterval` the half width of its confidence interval by Student's distribution, missing with a single seed.

    Raises
    ------
    RelnetError
        If a result is missing or no number, or the level is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise RelnetError(f"level is {level}; it has to be between 0 and 1.")
    given, chosen = _split(frame, columns)
    numbers = [name for name in chosen if pd.api.types.is_numeric_dtype(frame[name]) and frame[name].dtype != bool]
    texts = [name for name in chosen if name not in numbers]
    if columns is not None and texts:
        raise RelnetError(f"{texts[0]} has no numbers, so it has no mean.")
    rows: list[dict[str, Any]] = []
    for place, runs in frame.groupby(given, sort=False, dropna=False) if given else [((), frame)]:
        row: dict[str, Any] = dict(zip(given, place, strict=True)) | {"Seeds": len(runs)}
        for name in numbers:
            mean, low, high = plots.interval(runs[name].dropna().to_numpy(float), level)
            row |= {name: mean, f"{name}Interval": (high - low) / 2}
        rows.append(row)
    averaged = pd.DataFrame(rows)
    units = frame.attrs.get("units", {})
    averaged.attrs["units"] = units | {f"{name}Interval": units[name] for name in numbers if name in units}
    return averaged
