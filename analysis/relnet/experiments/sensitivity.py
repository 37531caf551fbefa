# SPDX-License-Identifier: GPL-2.0-only
"""
Sensitivity of claims to defaults without a source: the values of each default for which a claim holds.

A paper defines its defaults, the runs of its claims, and the findings from these runs. `experiment` makes the
experiment, whose table has a row for each claim and default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.claims import Claim, Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale


@dataclass(frozen=True)
class Default:
    """
    A default without a source.

    Attributes
    ----------
    parameter : str
        Name, as on a command line.
    values : sequence
        Tested values in order, including the default, as on a command line.
    default : object
        The default.
    settled : bool
        Whether it was decided with published values in view; a claim that another value reverses is then not predicted.
    """

    parameter: str
    values: Sequence[Any]
    default: Any
    settled: bool = False

    @property
    def others(self) -> list[Any]:
        """All values except the default."""
        return [value for value in self.values if value != self.default]


def held(values: Sequence[Any], holds: Sequence[bool | None]) -> str:
    """
    Format the values for which a claim holds as intervals of the tested ones.

    Parameters
    ----------
    values : sequence
        Tested values in order.
    holds : sequence of bool or None
        Whether the claim holds for each; None without a run.

    Returns
    -------
    str
        `none`, or intervals such as `5 to 10, 20`.
    """
    parts: list[list[Any]] = []
    open_ = False
    for value, holding in zip(values, holds, strict=True):
        if holding and open_:
            parts[-1].append(value)
        elif holding:
            parts.append([value])
        open_ = bool(holding)
    return ", ".join(f"{part[0]} to {part[-1]}" if len(part) > 1 else f"{part[0]}" for part in parts) or "none"


def table(
    defaults: Iterable[Default], found: Mapping[tuple[str, Any], Mapping[str, Finding]], published: Iterable[Claim]
) -> pd.DataFrame:
    """
    Tabulate the values of each default for which each claim holds.

    Parameters
    ----------
    defaults : iterable of Default
        The defaults.
    found : mapping of tuple to mapping
        Findings by claim for each (parameter, value).
    published : iterable of Claim
        The claims; those without findings are omitted.

    Returns
    -------
    pandas.DataFrame
        One row per claim and default: claim, parameter, default, tried, holds with, decides.
    """
    rows = []
    for claim in published:
        for one in defaults:
            of_values = [found.get((one.parameter, value), {}) for value in one.values]
            if not all(claim.id in findings for findings in of_values):
                continue
            holds = [claims.met(claim, findings[claim.id]) for findings in of_values]
            if any(outcome is None for outcome in holds):
                continue
            rows.append(
                {
                    "claim": claim.id,
                    "parameter": one.parameter,
                    "default": one.default,
                    "tried": f"{one.values[0]} to {one.values[-1]}",
                    "holds with": held(one.values, holds),
                    "decides": len(set(holds)) > 1,
                }
            )
    return pd.DataFrame(rows, columns=["claim", "parameter", "default", "tried", "holds with", "decides"])


def sentences(shown: pd.DataFrame) -> list[str]:
    """Summarise the table: claims that a default decides, claims that hold with all values, and those with none."""
    told = []
    for claim, rows in shown.groupby("claim", sort=False):
        deciding = rows[rows["decides"]]
        if len(deciding):
            parts = [f"{row['parameter']} ({row['default']}): {row['holds with']}" for _, row in deciding.iterrows()]
            told.append(f"{claim} holds with {'; '.join(parts)}.")
    firm = [claim for claim, rows in shown.groupby("claim", sort=False) if not rows["decides"].any()]
    holding = [name for name in firm if (shown[shown["claim"] == name]["holds with"] != "none").all()]
    missing = [name for name in firm if name not in holding]
    if holding:
        told.append(f"Claims that hold with all tested values: {', '.join(holding)}.")
    if missing:
        told.append(f"Claims that hold with none of the tested values: {', '.join(missing)}.")
    return told


def experiment(
    name: str,
    defaults: Sequence[Default],
    points: Callable[[Scale, Mapping[str, Any]], list[Point]],
    judge: Callable[[Scale, pd.DataFrame], Mapping[str, Finding]],
    command: Callable[[Scale, Mapping[str, Any]], list[str]],
    left_out: str = "",
) -> Experiment:
    """
    Make the experiment on the sensitivity of a paper's claims to defaults without a source.

    Parameters
    ----------
    name : str
        Name of the paper.
    defaults : sequence of Default
        The defaults.
    points : callable
        Returns the runs of the claims for a Scale and the changed parameters.
    judge : callable
        Returns findings by claim for a Scale and the frame of these runs.
    command : callable
        Returns the command lines of these runs for a Scale and the changed parameters.
    left_out : str
        A sentence on claims that are not judged, with the reason.
    """
    plan = [(one.parameter, value, one.settled) for one in defaults for value in one.others]

    def all_points(scale: Scale) -> list[Point]:
        return [
            point
            for parameter, value, _ in [("", "", False), *plan]
            for point in points(scale, _given(parameter, value))
        ]

    def render(scale: Scale, frame: pd.DataFrame) -> Outcome:
        each = len(frame) // (len(plan) + 1)
        parts = [frame.iloc[start : start + each] for start in range(0, len(frame), each)]
        usual = judge(scale, parts[0])
        published = {claim.id: claim for claim in claims.read(name)}
        found = {(one.parameter, one.default): usual for one in defaults}
        alternatives = {}
        for (parameter, value, settled), part in zip(plan, parts[1:], strict=True):
            found[parameter, value] = other = judge(scale, part)
            if settled:
                # Compared with the same few runs with the default.
                alternatives[f"{parameter}={value}"] = {
                    claim: finding
                    for claim, finding in other.items()
                    if claim in published
                    and claims.met(published[claim], finding) != claims.met(published[claim], usual[claim])
                }
        shown = table(defaults, found, claims.read(name))
        text = [
            "Each default without a source is changed alone. A claim is judged by fewer runs than in its own figure.",
            *sentences(shown),
            *filter(None, [left_out]),
        ]
        return Outcome(shown, None, shown.drop(columns="decides"), tuple(text), alternatives=alternatives)

    return Experiment(
        "sensitivity",
        "Defaults without a source: values for which claims hold",
        "Not in the paper",
        all_points,
        render,
        lambda scale: [
            line
            for parameter, value, _ in [("", "", False), *plan]
            for line in command(scale, _given(parameter, value))
        ],
    )


def _given(parameter: str, value: Any) -> dict[str, Any]:
    return {parameter: value} if parameter else {}
