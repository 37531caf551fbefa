# SPDX-License-Identifier: GPL-2.0-only
"""
Grids of parameter values: `1,2,4`, `1:32`, `1:32:2`, lists, ranges.

A range includes both ends. In a parameter whose values are free text, colons are text; a comma in such a value is
written `\\,` on the command line, and a Python string is one value.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from relnet.errors import RelnetError
from relnet.parameters import Parameter

MOST_POINTS = 10_000_000
"""Largest number of points of a grid; more are taken for a mistake in the input."""


def _range(parameter: Parameter, text: str) -> list[Any]:
    parts = text.split(":")
    if len(parts) > 3:
        raise RelnetError(f"{parameter.name} has the range {text!r}; a range is FIRST:LAST or FIRST:LAST:STEP.")
    first, last = (parameter.parse(part) for part in parts[:2])
    low, high = Decimal(str(first)), Decimal(str(last))
    step = Decimal(1)
    if len(parts) == 3:
        unbounded = Parameter(parameter.name, parameter.kind, None, None, None, (), parameter.unit, "", "")
        step = Decimal(str(unbounded.parse(parts[2])))
    if step == 0 or (high - low) * step < 0:
        raise RelnetError(f"{parameter.name} has the range {text!r}, which holds nothing.")
    count = int((high - low) / step) + 1
    if count > MOST_POINTS:
        raise RelnetError(f"{parameter.name} has the range {text!r} of {count} values; at most {MOST_POINTS}.")
    return [parameter.parse(str(low + index * step)) for index in range(count)]


def parse_values(parameter: Parameter, text: str) -> list[Any]:
    """
    Read a list of values as a command line gives it.

    Parameters
    ----------
    parameter : Parameter
        Whose values they are.
    text : str
        Values and ranges separated by commas.

    Returns
    -------
    list
        Canonical values, in the order given, each once.

    Raises
    ------
    RelnetError
        If a value is not allowed or a range holds nothing.
    """
    values: list[Any] = []
    numeric = parameter.kind in ("uint", "int", "double")
    for part in re.split(r"(?<!\\),", text):
        part = part.replace("\\,", ",")
        values += _range(parameter, part) if numeric and ":" in part else [parameter.parse(part)]
    return list(dict.fromkeys(values))


def expand(parameter: Parameter, value: Any) -> list[Any]:
    """
    Read the values of a parameter as Python code gives them.

    Parameters
    ----------
    parameter : Parameter
        Whose values they are.
    value : object
        One value, an iterable of them, or a text as in `parse_values` if the parameter is not free text.

    Returns
    -------
    list
        Canonical values, in the order given, each once.
    """
    if isinstance(value, str):
        free = parameter.kind in ("string", "other")
        return [parameter.parse(value)] if free else parse_values(parameter, value)
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        values = list(dict.fromkeys(parameter.parse(one) for one in value))
        if not values:
            raise RelnetError(f"{parameter.name} is given no value.")
        return values
    return [parameter.parse(value)]


def points(axes: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """
    All combinations of the axes' values; the last axis varies fastest.

    Parameters
    ----------
    axes : mapping of str to list
        The values of each parameter.

    Returns
    -------
    list of dict
        One dictionary a point; one empty dictionary if there are no axes.
    """
    count = 1
    for values in axes.values():
        count *= len(values)
    if count > MOST_POINTS:
        raise RelnetError(f"The grid has {count} points; at most {MOST_POINTS}.")
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]


def parse_seeds(value: Any) -> list[int]:
    """
    Read a list of seeds.

    Parameters
    ----------
    value : int, str or iterable of int
        A number N stands for the seeds 1 to N; a text such as `3,7:9` or an iterable names them.

    Returns
    -------
    list of int
        The seeds, each once.
    """
    seed = Parameter("seed", "uint", None, 1, 2**63 - 1, (), "", "", "")
    if isinstance(value, str) and re.search("[,:]", value):
        return parse_values(seed, value)
    if isinstance(value, str) or not isinstance(value, Iterable):
        count = Parameter("seeds", "uint", None, 1, 2**63 - 1, (), "", "", "").parse(value)
        if count > MOST_POINTS:
            raise RelnetError(f"seeds is {count}; at most {MOST_POINTS}.")
        return list(range(1, count + 1))
    return expand(seed, value)


def parse_seed(value: Any) -> int:
    """Read one seed: a whole number from 1."""
    return Parameter("seed", "uint", None, 1, 2**63 - 1, (), "", "", "").parse(value)
