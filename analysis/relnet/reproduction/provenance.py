# SPDX-License-Identifier: GPL-2.0-only
"""Origin of the numbers of a report: versions, seeds, configuration, and sources of the model's parameters."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from relnet import __version__, build
from relnet.catalog.scenario import Scenario
from relnet.experiments.definitions import Point

_LISTED = 6
"""Maximum number of values that are listed in full; of more, the first ones and the last are."""
_LISTED_FIRST = 3
"""Number of those first ones."""
_NO_UNIT = ("1", "-", "default", "name", "number", "bool")
"""Units that a table of parameters leaves out."""


def code_version() -> str:
    """
    The version of the sources: the output of `git describe`, or the package's version outside a repository.
    """
    root = build.clone()
    if root is None:
        return __version__
    try:
        told = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty", "--tags"],
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return __version__
    return told.stdout.strip() or __version__


def _text(value: Any) -> str:
    """A value as text; of the path of a file, its name, as its folder differs from one machine to another."""
    if isinstance(value, float):
        return f"{value:g}"
    return Path(value).name if isinstance(value, str) and value.startswith("/") else str(value)


def _short(values: Sequence[Any]) -> str:
    """List values, leaving some out if they are many."""
    texts = [_text(value) for value in values]
    if len(texts) <= _LISTED:
        return ", ".join(texts)
    return f"{', '.join(texts[:_LISTED_FIRST])}, ... {texts[-1]} ({len(texts)} values)"


def used_values(points: Sequence[Point]) -> dict[str, dict[Any, None]]:
    """Values of each parameter in some runs, in the order of their first use."""
    values: dict[str, dict[Any, None]] = {}
    for point in points:
        for name, value in point.parameters.items():
            values.setdefault(name, {})[value] = None
    return values


def sources(points: Sequence[Point], version: str, code: str) -> str:
    """Code version and seeds of an experiment."""
    if not points:
        return f"relnet {version}; computed without runs"
    seeds = sorted({point.seed for point in points})
    seeded = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {_short(seeds)}"
    return f"relnet {version}, modules {code or 'unknown'}, ns-3 {build.ns3_version()}; {len(points)} runs, {seeded}"


def origin(points: Sequence[Point], version: str, code: str) -> str:
    """Code version, seeds and configuration of an experiment, in one line."""
    told = [f"{name}={_short(list(values))}" for name, values in used_values(points).items()]
    return "; ".join([sources(points, version, code), *told])


_ORIGINS = (
    ("default", re.compile("-?$|default")),
    ("run", re.compile("(fault|user)$")),
    ("calibrated", re.compile(".*(calibrat|fitted)")),
    ("unknown", re.compile(".*(unknown|swept|does not say)")),
    ("general knowledge", re.compile(".*(general knowledge|usual)")),
    ("reading", re.compile(".*-amb-")),
)
"""
Origins of defaults by their sources; the first match counts. `run` is an input of a run, not an assumption of the
model. `reading` is a decision on an open point of a paper.
"""


def origin_of(source: str) -> str:
    """
    Classify the source of a parameter's default.

    Parameters
    ----------
    source : str
        The source in its help text.

    Returns
    -------
    str
        An origin of `_ORIGINS`, or `source`.
    """
    folded = source.casefold()
    return next((kind for kind, form in _ORIGINS if form.match(folded)), "source")


def parameter_table(scenario: Scenario, used: Mapping[str, Mapping[Any, None]]) -> pd.DataFrame:
    """
    List the parameters of a scenario with their values in the runs and the origins of their defaults.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    used : mapping of str to mapping
        Values in the runs, by the parameter's name in any case.

    Returns
    -------
    pandas.DataFrame
        Columns parameter, value, unit, origin (from `origin_of`), from, meaning.
    """
    given = {name.casefold(): list(values) for name, values in used.items()}
    rows = []
    for parameter in scenario.parameters:
        values = given.get(parameter.name.casefold(), [parameter.default])
        source = parameter.source or ("default" if parameter.unit == "default" else "")
        rows.append(
            {
                "parameter": parameter.name,
                "value": _short(values),
                "unit": "" if parameter.unit in _NO_UNIT else parameter.unit,
                "origin": origin_of(source),
                "from": "" if source in ("-", "default") else source,
                "meaning": parameter.help,
            }
        )
    return pd.DataFrame(rows)
