# SPDX-License-Identifier: GPL-2.0-only
"""
Grids of parameter values: `1,2,4`, `1:32`, `1:32:2`, `64:65536:x2`, lists, ranges.

A range includes both ends, so its steps have to reach the last value. In free text, colons have no meaning; on the
command line, a comma within such a value is written `\\,`, and a Python string is one value.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence, Sized
from decimal import Decimal
from typing import Any

from relnet.catalog.parameters import Parameter
from relnet.errors import RelnetError

_SEED = Parameter.plain("seed", "uint", 1, 2**63 - 1)
MOST_POINTS = 10_000_000
"""Maximum number of points of a grid; a larger one is probably a typing error."""


def _range(parameter: Parameter, text: str) -> list[Any]:
    """Read a range: FIRST:LAST with steps of 1, FIRST:LAST:STEP, or FIRST:LAST:xFACTOR."""
    parts = text.split(":")
    if len(parts) > 3:
        forms = f"FIRST:LAST, FIRST:LAST:STEP or {_TIMES}"
        raise RelnetError(f"{parameter.name} has the range {text!r}; a range is {forms}.")
    first, last = (Decimal(str(parameter.parse(part))) for part in parts[:2])
    step = parts[2].strip() if len(parts) == 3 else "1"
    multiplies = step.startswith("x")
    unbounded = Parameter.plain(parameter.name, parameter.kind, unit=parameter.unit)
    plain = Parameter.plain(parameter.name, "double")
    number = Decimal(str(plain.parse(step[1:]) if multiplies else unbounded.parse(step)))
    values = _multiples(first, last, number) if multiplies else _steps(first, last, number)
    if not values:
        raise RelnetError(f"{parameter.name} has the range {text!r}, which is empty.")
    if len(values) > MOST_POINTS:
        raise RelnetError(f"{parameter.name} has the range {text!r} of {len(values)} values; at most {MOST_POINTS}.")
    if values[-1] != last:
        raise RelnetError(
            f"{parameter.name} has the range {text!r}, which ends at {values[-1].normalize():f} and misses {last}; "
            f"write FIRST:LAST:STEP or {_TIMES} with steps that reach the last value."
        )
    return [parameter.parse(str(value)) for value in values]


_TIMES = "FIRST:LAST:xFACTOR"
"""Form of a geometric range."""


def _steps(first: Decimal, last: Decimal, step: Decimal) -> Sequence[Decimal]:
    """Values at equal distances, up to the last; none if they do not lead there."""
    if step == 0 or (last - first) * step < 0:
        return []
    count = int((last - first) / step) + 1
    if count > MOST_POINTS:
        return range(count)
    return [first + index * step for index in range(count)]


def _multiples(first: Decimal, last: Decimal, factor: Decimal) -> list[Decimal]:
    """Values with equal ratios, up to the last; none if they do not lead there."""
    if first <= 0 or factor <= 1 or last < first:
        return []
    values = [first]
    while values[-1] * factor <= last and len(values) <= MOST_POINTS:
        values.append(values[-1] * factor)
    return values


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
        If a value is not allowed, or a range is empty or misses its end.
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
