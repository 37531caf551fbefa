# SPDX-License-Identifier: GPL-2.0-only
"""
Sensitivity of claims to defaults without a source: the values of each default for which a claim holds.

A paper defines its defaults, the runs of its claims, and the findings from these runs. `experiment` makes the
experiment that changes one default at a time; its table has a row for each claim and default. `joint` makes the one
that changes all of them together, by a Latin hypercube; its table has the share of samples for which a claim holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
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
    sourced : bool
        Whether it has a source nevertheless, and is only settled; samples of all defaults then keep it.
    """

    parameter: str
    values: Sequence[Any]
    default: Any
    settled: bool = False
    sourced: bool = False

    @property
    def others(self) -> list[Any]:
        """All values except the default."""
        return [value for value in self.values if value != self.default]


SAMPLES = 64
"""Samples of all defaults together."""

QUICK_SAMPLES = 4
"""The same at reduced scale."""

CONFIDENCE = 1.96
"""Standard deviations of the interval of a share, for 95 %."""


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


def sample(defaults: Sequence[Default], count: int, seed: int = 1) -> list[dict[str, Any]]:
    """
    Sample all defaults together by a Latin hypercube.

    The range of each default is divided into `count` layers, and each layer is in exactly one sample. A layer has one
    of the tested values, so that each of them is equally frequent, within one sample.

    Parameters
    ----------
    defaults : sequence of Default
        The defaults; those with a source are omitted.
    count : int
        Number of samples.
    seed : int
        Seed of the order of the layers.

    Returns
    -------
    list of dict
        Value by parameter for each sample.
    """
    order = random.Random(seed)
    samples: list[dict[str, Any]] = [{} for _ in range(count)]
    for one in defaults:
        if one.sourced:
            continue
        layers = list(range(count))
        order.shuffle(layers)
        for chosen, layer in zip(samples, layers, strict=True):
            chosen[one.parameter] = one.values[layer * len(one.values) // count]
    return samples


def share_interval(holds: int, count: int) -> tuple[float, float]:
    """
    Interval of 95 % of a share (Wilson score).

    Parameters
    ----------
    holds, count : int
        Samples for which a claim holds, and all samples.
    """
    share, spread = holds / count, CONFIDENCE**2 / count
    centre = share + spread / 2
    half = CONFIDENCE * np.sqrt(share * (1 - share) / count + spread / (4 * count))
    return float((centre - half) / (1 + spread)), float((centre + half) / (1 + spread))


def _effects(samples: Sequence[Mapping[str, Any]], holds: Sequence[bool]) -> list[tuple[float, str]]:
    """Difference between the largest and smallest share over the values of each parameter, the largest first."""
    frame = pd.DataFrame(samples).astype(str).assign(holds=list(holds))
    shares = {name: frame.groupby(name)["holds"].mean() for name in samples[0]}
    return sorted(((float(one.max() - one.min()), name) for name, one in shares.items()), reverse=True)


def joint(
    name: str,
    defaults: Sequence[Default],
    points: Callable[[Scale, Mapping[str, Any]], list[Point]],
    judge: Callable[[Scale, pd.DataFrame], Mapping[str, Finding]],
    command: Callable[[Scale, Mapping[str, Any]], list[str]],
) -> Experiment:
    """
    Make the experiment on the share of a paper's unsourced parameters for which each claim holds.

    Parameters
    ----------
    name, defaults, points, judge, command
        As for `experiment`.
    """
    sampled = [one for one in defaults if not one.sourced]

    def samples(scale: Scale) -> list[dict[str, Any]]:
        return sample(sampled, QUICK_SAMPLES if scale.quick else SAMPLES)

    def all_points(scale: Scale) -> list[Point]:
        return [point for given in samples(scale) for point in points(scale, given)]

    def render(scale: Scale, frame: pd.DataFrame) -> Outcome:
        chosen = samples(scale)
        each = len(frame) // len(chosen)
        parts = [frame.iloc[start : start + each] for start in range(0, len(frame), each)]
        ended = [place for place, part in enumerate(parts) if part["Verdict"].notna().all()]
        found = [judge(scale, parts[place]) for place in ended]
        rows, shares = [], {}
        for claim in claims.read(name):
            holds = [claims.met(claim, findings[claim.id]) for findings in found if claim.id in findings]
            if not holds or len(holds) < len(found) or None in holds:
                continue
            low, high = share_interval(sum(holds), len(holds))
            shares[claim.id] = f"{sum(holds)} of {len(holds)}"
            effect, parameter = _effects([chosen[place] for place in ended], holds)[0]
            rows.append(
                {
                    "claim": claim.id,
                    "holds": sum(holds),
                    "samples": len(holds),
                    "share [%]": round(100 * sum(holds) / len(holds)),
                    "95 % interval": f"{100 * low:.0f} to {100 * high:.0f}",
                    "most by": parameter if effect > 0 else "",
                }
            )
        columns = ["claim", "holds", "samples", "share [%]", "95 % interval", "most by"]
        bands = "; ".join(f"{one.parameter} {', '.join(map(str, one.values))}" for one in sampled)
        text = [
            f"All {len(sampled)} defaults without a source are changed together, in {len(chosen)} samples of a Latin "
            "hypercube, in which each tested value is equally frequent. The share is that of the samples for which a "
            "claim holds, with a Wilson interval; the last column is the parameter with the largest effect on it.",
            f"Tested values: {bands}.",
        ]
        if len(ended) < len(chosen):
            text.append(f"{len(chosen) - len(ended)} samples have a run without a result and do not count.")
        # A few samples at a reduced scale are no share.
        return Outcome(pd.DataFrame(rows, columns=columns), text=tuple(text), shares={} if scale.quick else shares)

    return Experiment(
        "joint",
        "Defaults without a source: share of joint samples for which claims hold",
        "Not in the paper",
        all_points,
        render,
        lambda scale: [line for given in samples(scale) for line in command(scale, given)],
    )
