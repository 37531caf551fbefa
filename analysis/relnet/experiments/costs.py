# SPDX-License-Identifier: GPL-2.0-only
"""
Cost of reliability in software over an unreliable network: comparisons of times of all papers.

The ratios come from the tables of the papers' experiments, without further runs. Systems, hosts and programs differ
between papers, so only ratios are comparable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from relnet import plots

WITHOUT, INSTEAD = "without", "instead"
KINDS = {
    WITHOUT: "relative to no such protocol, on a network without loss",
    INSTEAD: "relative to other means of reliability",
}
"""Baselines of a reliable system."""


@dataclass(frozen=True)
class Comparison:
    """
    A comparison of a system that is reliable in software with another.

    Attributes
    ----------
    kind : str
        `WITHOUT` or `INSTEAD`.
    system, beside : str
        The system, and the baseline by whose time its time is divided.
    over : str
        Runs of the ratios.
    simulated : sequence of float
        Simulated ratios, below 1 if the reliable system is faster.
    published : sequence of float
        Published ratios of all or some of the runs; empty if the paper has no numbers.
    source : str
        Tables or figures of the ratios.
    """

    kind: str
    system: str
    beside: str
    over: str
    simulated: Sequence[float]
    source: str
    published: Sequence[float] = ()


def known(values: Iterable[float]) -> tuple[float, ...]:
    """The ratios of completed runs."""
    return tuple(float(value) for value in values if value == value)


def table(costs: Sequence[Comparison]) -> pd.DataFrame:
    """
    Tabulate comparisons.

    Parameters
    ----------
    costs : sequence of Comparison
        The comparisons.

    Returns
    -------
    pandas.DataFrame
        One row per comparison: system, beside, over; least, median and most of the simulated ratios; least and most of
        the published ones; source.
    """
    rows = []
    for cost in costs:
        told = cost.published or (float("nan"),)
        rows.append(
            {
                "system": cost.system,
                "beside": cost.beside,
                "over": cost.over,
                "least": min(cost.simulated),
                "median": median(cost.simulated),
                "most": max(cost.simulated),
                "published, least": min(told),
                "published, most": max(told),
                "source": cost.source,
            }
        )
    return pd.DataFrame(rows)


def figure(costs: Sequence[Comparison]) -> Figure:
    """Draw simulated and published ratios on a logarithmic axis, one line per comparison."""
    groups = [(kind, [cost for cost in costs if cost.kind == kind]) for kind in KINDS]
    groups = [(kind, chosen) for kind, chosen in groups if chosen]
    with plots.style():
        picture = plots.Picture(figsize=(10, 0.34 * len(costs) + 0.8 * len(groups) + 1.0), layout="constrained")
        axes = picture.subplots(
            len(groups), 1, squeeze=False, sharex=True, gridspec_kw={"height_ratios": [len(one) for _, one in groups]}
        )
        for (panel,), (kind, chosen) in zip(axes, groups, strict=True):
            for place, cost in enumerate(chosen):
                colour = plots.COLOURS[0 if median(cost.simulated) >= 1 else 2]
                span = [min(cost.simulated), max(cost.simulated)]
                panel.plot(span, [place, place], color=colour, linewidth=5, alpha=0.3)
                panel.plot(cost.simulated, [place] * len(cost.simulated), "|", color=colour, markersize=9)
                panel.plot(median(cost.simulated), place, "o", color=colour, markersize=6, label="median, simulated")
                if cost.published:
                    ends = sorted({min(cost.published), max(cost.published)})
                    panel.plot(ends, [place + 0.28] * len(ends), label="published, least and most", **plots.PUBLISHED)
            panel.axvline(1, color="#777777", linewidth=1)
            panel.set_yticks(range(len(chosen)), [f"{cost.system} / {cost.beside}" for cost in chosen])
            panel.set_ylim(len(chosen) - 0.5, -0.6)
            panel.set_xscale("log")
            panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
            panel.xaxis.set_minor_locator(NullLocator())
            panel.set_title(KINDS[kind], loc="left")
            panel.grid(axis="y", visible=False)
        axes[-1][0].set_xlabel("time with the protocol in software / time of the baseline")
        kept = {}
        for (panel,) in axes:
            kept |= dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
        picture.legend(kept.values(), kept.keys(), loc="outside upper right", ncols=2)
    return picture


def _medians(costs: Sequence[Comparison]) -> str:
    """The medians of some comparisons, as a clause."""
    values = [median(cost.simulated) for cost in costs]
    if len(values) == 1:
        return f"the median is {values[0]:.2f}"
    return f"the medians of {len(values)} comparisons are {min(values):.2f} to {max(values):.2f}"


def text(costs: Sequence[Comparison]) -> list[str]:
    """Paragraphs on the comparisons."""
    told = ["Each line of the figure divides the time with a protocol in software by the time of a baseline."]
    without = [cost for cost in costs if cost.kind == WITHOUT]
    instead = [cost for cost in costs if cost.kind == INSTEAD]
    if without:
        dearest = max(without, key=lambda cost: max(cost.simulated))
        told.append(
            f"Relative to no such protocol on a network without loss, {_medians(without)}. The largest cost is that of "
            f"{dearest.system}, up to {max(dearest.simulated):.2f} times ({dearest.over})."
        )
    if instead:
        cheaper = sum(median(cost.simulated) < 1 for cost in instead)
        told.append(
            f"Relative to other means of reliability, {_medians(instead)}, below 1 in {cheaper} of {len(instead)}."
        )
    told.append(
        "Hosts, networks and programs differ between papers, so only ratios are comparable. A tick is one ratio; lines "
        "with a median below 1 are green."
    )
    return told
