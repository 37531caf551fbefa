# SPDX-License-Identifier: GPL-2.0-only
"""Selections from the frames of runs, for the experiments of all papers."""

from __future__ import annotations

from typing import Any

import pandas as pd


def pick(frame: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Select the rows of a frame with the given values."""
    chosen = frame
    for name, value in values.items():
        chosen = chosen[chosen[name] == value]
    return chosen


def finished(frame: pd.DataFrame) -> pd.DataFrame:
    """Select the completed runs."""
    return frame[frame["Verdict"] == "completed"]


def rows(frame: pd.DataFrame, name: str, *parameters: str) -> pd.DataFrame:
    """
    Select the rows of a table of completed runs, and add parameters of the runs as first columns.

    Parameters
    ----------
    frame : pandas.DataFrame
        Runs, with their tables in `attrs`.
    name : str
        Name of the table.
    *parameters : str
        Columns of the frame.
    """
    table = frame.attrs["tables"][name]
    table = table[table["point"].isin(finished(frame).index)]
    of_runs = frame.loc[table["point"], list(parameters)].set_axis(table.index)
    return pd.concat([of_runs, table.drop(columns=["point", "seed"])], axis=1)
