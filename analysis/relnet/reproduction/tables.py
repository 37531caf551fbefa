# SPDX-License-Identifier: GPL-2.0-only
"""Data frames as tables that fit a page: units in heads, numbers aligned, equal columns in the caption."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from relnet.experiments import claims

_UNIT = re.compile(r"\s*\[([^\[\]]+)\]")
_NUMBERS = re.compile(r"[<>~+-]?\d[\d.,;%/()<>~+ to-]*")
"""Texts that are aligned as numbers: ranges, several numbers, one with another in brackets."""
_LONG = 40
"""Number of letters of a text from which its column may take several lines."""


@dataclass(frozen=True)
class Head:
    """
    The head of a column.

    Attributes
    ----------
    name, unit : str
        Name and unit.
    kind : str
        Class of its cells: `n` for numbers, `long` for sentences, or empty.
    """

    name: str
    unit: str
    kind: str


@dataclass(frozen=True)
class Cell:
    """
    A cell.

    Attributes
    ----------
    text : str
        Its text.
    kind : str
        Class: `n` for a number, the kind of its column otherwise.
    verdict : str
        Class of its text, if it is a verdict.
    """

    text: str
    kind: str
    verdict: str = ""


@dataclass(frozen=True)
class Table:
    """
    A table.

    Attributes
    ----------
    heads : list of Head
        Heads of the columns that differ between rows.
    rows : list of list of Cell
        Cells.
    caption : str
        Columns that are equal in all rows, in one sentence; empty if there are none.
    """

    heads: list[Head]
    rows: list[list[Cell]]
    caption: str


def cell_text(value: Any) -> str:
    """Text of a value: numbers with at most three digits behind the first, unknown ones empty."""
    if value is None or value is pd.NA or (isinstance(value, float) and value != value):
        return ""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return claims.number_text(value)
    return str(value)


def fit(frame: pd.DataFrame) -> Table:
    """
    Make a table of a data frame.

    Columns without a value are left out, those with one value go into the caption.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data frame; its index is not shown.
    """
    units = frame.attrs.get("units", {})
    heads, columns, equal = [], [], []
    for name in frame.columns:
        texts = [cell_text(value) for value in frame[name]]
        if not any(texts):
            continue
        title, unit = _head(str(name), units.get(name, ""))
        if len(texts) > 1 and len(set(texts)) == 1:
            equal.append(f"{title} {texts[0]} {unit}".rstrip())
            continue
        kind = _kind(frame[name], texts)
        heads.append(Head(title, unit, kind))
        columns.append([_cell(text, kind) for text in texts])
    rows = [list(row) for row in zip(*columns, strict=True)]
    return Table(heads, rows, f"In all rows: {'; '.join(equal)}." if equal else "")


def _head(name: str, unit: str) -> tuple[str, str]:
    """Name and unit of a column; the ratio of two values has none."""
    found = _UNIT.findall(name)
    if len(found) == 1:
        name, unit = _UNIT.sub("", name), found[0]
    if name.endswith("ratio"):
        unit = ""
    return name.replace("_", " "), unit


def _kind(column: pd.Series, texts: list[str]) -> str:
    """The kind of a column."""
    numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if numeric or all(_NUMBERS.fullmatch(text) for text in texts if text):
        return "n"
    return "long" if max(map(len, texts)) > _LONG else ""


def _cell(text: str, kind: str) -> Cell:
    return Cell(text, kind, text if text in (*claims.VERDICTS, "broken") else "")
