# SPDX-License-Identifier: GPL-2.0-only
"""What the experiments of all papers do with the frames of their runs."""

from __future__ import annotations

from typing import Any

import pandas as pd


def pick(frame: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """The rows of a frame that have the given values."""
    chosen = frame
    for name, value in values.items():
        chosen = chosen[chosen[name] == value]
    return chosen


def finished(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of runs that came to their end."""
    return frame[frame["Verdict"] == "completed"]
