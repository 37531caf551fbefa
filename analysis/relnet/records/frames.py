# SPDX-License-Identifier: GPL-2.0-only
"""Conversion between plain records and pandas Series and DataFrames."""

from __future__ import annotations

import array
import itertools
import numbers
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from relnet.errors import RelnetError, quoted
from relnet.records.pickles import plain
from relnet.records.tasks import Column, Record, Table

_DTYPES = {"int64": "int64", "double": "float64"}

# Largest whole number of a table.
_LARGEST = 2**63 - 1


def _scalar(name: str, value: Any) -> Any:
    value = plain(value)
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if value is None:
        return float("nan")
    if isinstance(value, bool | str):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise RelnetError(
        f"The result {name} is of type {type(value).__name__}; "
        "a result is a number, a text, a truth value, or a DataFrame."
    )


def _check_distinct(what: str, names: Iterable[str]) -> None:
    """Refuse two things of one name, of which one would replace the other."""
    twice = [name for name, number in Counter(names).items() if number > 1]
    if twice:
        raise RelnetError(f"{what} has the name {twice[0]} twice; names have to differ.")


def from_frame(name: str, frame: Any) -> Table:
    """
    Convert a DataFrame to a plain table; an index without names is dropped.

    Parameters
    ----------
    name : str
        The table's name.
    frame : pandas.DataFrame
        Columns of numbers or texts; `frame.attrs["units"]` may hold their units.

    Raises
    ------
    RelnetError
        If two columns have one name, or a whole number is larger than those of a table.
    """
    import numpy  # slow, and only frames need it

    if any(level is not None for level in frame.index.names):
        frame = frame.reset_index()
    _check_distinct(f"The table {name}", map(str, frame.columns))
    units = frame.attrs.get("units", {})
    columns = []
    for label in frame.columns:
        cells = frame[label].to_numpy()
        unit = units.get(label, "")
        if cells.dtype.kind == "u" and cells.max(initial=0) > _LARGEST:
            raise RelnetError(
                f"The column {label} of the table {name} holds {cells.max()}; a table's largest whole number is "
                f"{_LARGEST}."
            )
        if cells.dtype.kind in "bui":
            columns.append(Column(str(label), unit, "int64", cells.astype(numpy.int64).tobytes()))
        elif cells.dtype.kind == "f":
            columns.append(Column(str(label), unit, "double", cells.astype(numpy.float64).tobytes()))
        else:
            columns.append(Column(str(label), unit, "string", [str(cell) for cell in cells]))
    return Table(name, len(frame), tuple(columns))


def dissect(value: Any) -> tuple[dict[str, Any], tuple[Table, ...]]:
    """
    Split the return value of a user's function into results and tables.

    Parameters
    ----------
    value : object
        A number, text or truth value (called `value`), a mapping or Series of named ones, or a DataFrame (called
        `table`); values of a mapping may be DataFrames.

    Returns
    -------
    tuple
        Named results, and named tables.

    Raises
    ------
    RelnetError
        If it has another type, or two of its names are the same text.
    """
    if hasattr(value, "columns") and hasattr(value, "to_numpy"):
        value = {"table": value}
    elif hasattr(value, "to_dict") and hasattr(value, "index"):
        _check_distinct("The result", map(str, value.index))
        value = value.to_dict()
    elif not isinstance(value, Mapping):
        value = {"value": value}
    _check_distinct("The result", map(str, value))
    results: dict[str, Any] = {}
    tables = []
    for name, one in value.items():
        if hasattr(one, "columns") and hasattr(one, "to_numpy"):
            tables.append(from_frame(str(name), one))
        else:
            results[str(name)] = _scalar(str(name), one)
    return results, tuple(tables)


def cells(column: Column) -> Any:
    """The cells of a column as a numpy array, or as a list of texts."""
    if column.type == "string":
        return column.cells
    import numpy  # slow, and only frames need it

    return numpy.frombuffer(column.cells, dtype=_DTYPES[column.type])


def listed(column: Column) -> list[Any]:
    """The cells of a column as Python values, without numpy."""
    if column.type == "string":
        return list(column.cells)
    return array.array("q" if column.type == "int64" else "d", column.cells).tolist()


def to_frame(table: Table) -> Any:
    """Convert a table to a DataFrame with units in `attrs["units"]`."""
    import pandas  # slow, and only frames need it

    frame = pandas.DataFrame({column.name: cells(column) for column in table.columns})
    frame.attrs["units"] = {column.name: column.unit for column in table.columns}
    return frame


class Tables(dict):
    """
    Tables by name, stored in the `attrs` of a Series or DataFrame.

    pandas compares and copies attributes when it combines frames. These tables compare by identity and are shared.
    """

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __deepcopy__(self, memo: dict) -> Tables:
        return self


def concatenate(points: Iterable[tuple[Mapping[str, Any], Record]]) -> dict[str, Any]:
    """
    Concatenate the tables of many runs.

    Parameters
    ----------
    points : iterable of (mapping, Record)
        Labels and record of each run.

    Returns
    -------
    dict of str to pandas.DataFrame
        For each table, the rows of all runs in the given order, with the labels as first columns.
    """
    import pandas  # slow, and only frames need it

    parts: dict[str, list[tuple[Mapping[str, Any], Table]]] = {}
    for labels, record in points:
        for table in record.tables:
            parts.setdefault(table.name, []).append((labels, table))
    stacked = {}
    for name, found in parts.items():
        # An empty column has no type, and would discard that of the others.
        filled = [part for part in found if part[1].rows] or found[:1]
        frames = [_stack(list(alike)) for _, alike in itertools.groupby(filled, _layout)]
        stacked[name] = pandas.concat(frames, ignore_index=True)
        stacked[name].attrs["units"] = {column.name: column.unit for _, table in found for column in table.columns}
    return stacked


def _layout(part: tuple[Mapping[str, Any], Table]) -> tuple:
    """Labels and columns that the tables of two runs must share to be stacked in one frame."""
    labels, table = part
    return (
        [(label, type(value)) for label, value in labels.items()],
        [(column.name, column.type) for column in table.columns],
    )


def _stack(alike: list[tuple[Mapping[str, Any], Table]]) -> Any:
    """Stack the tables of runs with the same layout in one frame, much faster than a frame for each run."""
    import pandas  # slow, and only frames need it

    columns = {}
    for same in zip(*(table.columns for _, table in alike), strict=True):
        texts = same[0].type == "string"
        joined = [text for one in same for text in one.cells] if texts else b"".join(one.cells for one in same)
        columns[same[0].name] = cells(replace(same[0], cells=joined))
    names = list(columns)
    for position, label in enumerate(alike[0][0]):
        if label not in columns:
            names.insert(position, label)
            columns[label] = [value for labels, table in alike for value in [labels[label]] * table.rows]
    return pandas.DataFrame({name: columns[name] for name in names})


def tables(data: Any) -> dict[str, Any]:
    """
    Get the tables of a run or a sweep.

    Parameters
    ----------
    data : pandas.Series or pandas.DataFrame
        The return value of `relnet.run` or `relnet.sweep`.

    Returns
    -------
    dict of str to pandas.DataFrame
        Tables by name. Those of a sweep begin with the columns of parameters and seed. Units are in `attrs["units"]`.

    Raises
    ------
    RelnetError
        If it is neither.
    """
    if not hasattr(data, "attrs"):
        raise RelnetError(f"Tables are those of a run or a sweep, and {quoted(data)} is neither.")
    return data.attrs.get("tables", {})
