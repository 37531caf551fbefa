# SPDX-License-Identifier: GPL-2.0-only
"""
Grids of parameter values: `1,2,4`, `1:32`, `1:32:2`, lists, ranges.

A range includes both ends. In free text, colons have no meaning; on the command line, a comma within such a value is
written `\\,`, and a Python string is one value.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sized
from decimal import Decimal
from typing import Any

from relnet.catalog.parameters import Parameter
from relnet.errors import RelnetError

_SEED = Parameter.plain("seed", "uint", 1, 2**63 - 1)
MOST_POINTS = 10_000_000
"""Maximum number of points of a grid; a larger one is probably a typing error."""


def _range(parameter: Parameter, text: str) -> list[Any]:
    parts = text.split(":")
    if len(parts) > 3:
        raise RelnetError(f"{parameter.name} has the range {text!r}; a range is FIRST:LAST or FIRST:LAST:STEP.")
    first, last = (parameter.parse(part) for part in parts[:2])
    low, high = Decimal(str(first)), Decimal(str(last))
    step = Decimal(1)
    if len(parts) == 3:
        unbounded = Parameter.plain(parameter.name, parameter.kind, unit=parameter.unit)
        step = Decimal(str(unbounded.parse(parts[2])))
    if step == 0 or (high - low) * step < 0:
        raise RelnetError(f"{parameter.name} has the range {text!r}, which is empty.")
    count = int((high - low) / step) + 1
    if count > MOST_POINTS:
        raise RelnetError(f"{parameter.name} has the range {text!r} of {count} values; at most {MOST_POINTS}.")
    return [parameter.parse(str(low + index * step)) for index in range(count)]


def parse_values(parameter: Parameter, text: str) -> list[Any]:
    """
    Read a list of values from a command line.

    Parameters
    ----------
    parameter : Parameter
        The parameter.
    text : str
        Values and ranges separated by commas.

    Returns
    -------
    list
        Canonical values in the given order, without repetitions.

    Raises
    ------
    RelnetError
        If a value is not allowed or a range is empty.
    """
    values: list[Any] = []
    numeric = parameter.kind in ("uint", "int", "double")
    for part in re.split(r"(?<!\\),", text):
        part = part.replace("\\,", ",")
        values += _range(parameter, part) if numeric and ":" in part else [parameter.parse(part)]
    return list(dict.fromkeys(values))


def expand(parameter: Parameter, value: Any) -> list[Any]:
    """
    Read the values of a parameter from Python code.

    Parameters
    ----------
    parameter : Parameter
        The parameter.
    value : object
        One value, an iterable of values, or a text as in `parse_values` if the parameter is not free text.

    Returns
    -------
    list
        Canonical values in the given order, without repetitions.
    """
    if isinstance(value, str):
        free = parameter.kind in ("string", "other")
        return [parameter.parse(value)] if free else parse_values(parameter, value)
    # An array of numpy without dimensions has the method of an iterable, but is one value.
    if isinstance(value, Iterable) and not isinstance(value, bytes) and getattr(value, "ndim", 1):
        if isinstance(value, Sized) and len(value) > MOST_POINTS:
            raise RelnetError(f"{parameter.name} has {len(value)} values; at most {MOST_POINTS}.")
        values = list(dict.fromkeys(parameter.parse(one) for one in value))
        if not values:
            raise RelnetError(f"{parameter.name} has no value.")
        return values
    return [parameter.parse(value)]


def points(axes: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    """
    Combine the values of all axes; the last axis varies fastest.

    Parameters
    ----------
    axes : mapping of str to list
        Values of each parameter.

    Returns
    -------
    list of dict
        One dictionary per point; a single empty one without axes.
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
        A number N for the seeds 1 to N; or a text such as `3,7:9`, or an iterable of seeds.

    Returns
    -------
    list of int
        The seeds, without repetitions.
    """
    if isinstance(value, str) and re.search("[,:]", value):
        return parse_values(_SEED, value)
    if isinstance(value, str) or not isinstance(value, Iterable) or not getattr(value, "ndim", 1):
        count = Parameter.plain("seeds", "uint", 1, 2**63 - 1).parse(value)
        if count > MOST_POINTS:
            raise RelnetError(f"seeds is {count}; at most {MOST_POINTS}.")
        return list(range(1, count + 1))
    return expand(_SEED, value)


def parse_seed(value: Any) -> int:
    """Read one seed, a whole number from 1."""
    return _SEED.parse(value)
