# SPDX-License-Identifier: GPL-2.0-only
"""Figures 6 to 9: PCODE compared with TCP, over the number of machines and the message size (section 6.4.1)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.pcode import setup
from relnet.papers.pcode.setup import CURVES, LABELS, LARGE, MEASURED, SMALL

ORDER_OF_MAGNITUDE = (7.0, 15.0)
"""Ratios that count as an order of magnitude (the paper has no number)."""

SMALL_CROSSING = 8
"""Number of machines up to which PCODE is not faster at 20 bytes (section 6.4.1)."""

LARGE_FROM = 12
"""Number of machines from which PCODE has to be faster at 1 Kbyte; the text on Figures 7 and 8 leaves fewer open."""

LINEAR = 0.95
"""Minimum coefficient of determination that counts as a straight line."""

HARDLY = 1.5
"""Maximum growth up to 16 machines that counts as hardly any."""

BROADCASTS_FROM = 3
"""Minimum number of machines with which PCODE broadcasts; with two, a message has a single target and is a unicast."""

FLAT = 0.5
"""Maximum slope of the upper half of a curve, relative to its lower half, that counts as flattening."""

STEADY = 0.8
"""Minimum such ratio that counts as continued growth."""

FASTER = 5.0
"""Minimum slope of TCP's curve relative to PCODE's that counts as growing very fast."""


def slope(series: pd.Series, low: float, high: float) -> float:
    """Slope of a straight line through the points of a curve between two places."""
    part = series[(series.index >= low) & (series.index <= high)]
    return float(np.polyfit(part.index.to_numpy(dtype=float), part.to_numpy(), 1)[0])


def straightness(series: pd.Series) -> float:
    """Coefficient of determination of a straight line through a curve."""
    return float(np.corrcoef(series.index.to_numpy(dtype=float), series.to_numpy())[0, 1] ** 2)


def crossing(table: pd.DataFrame, name: str = "pcode") -> int | None:
    """Minimum number of machines from which PCODE is always faster than TCP; None if there is none."""
    faster = table[name] < table["tcp"]
    slower = faster.index[~faster]
    later = table.index[table.index > (slower.max() if len(slower) else 0)]
    return int(later.min()) if len(later) else None


def _tests(scale: Scale, machines: tuple[int, ...], sizes: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Machines, message size and rounds at published scale of the tests of a figure."""
    # Figure 9 shares its smallest and largest messages with Figures 6 and 7.
    dear = len(sizes) > 1 and machines == (_most(scale),)
    return [
        (nodes, size, setup.FEW_ROUNDS if dear and size not in (SMALL, LARGE) else setup.ROUNDS)
        for nodes in machines
        for size in sizes
    ]


def _points(scale: Scale, machines: tuple[int, ...], sizes: tuple[int, ...]) -> list[Point]:
    return [
        setup.point(scale, nodes, size, published=setup.rounds_of(name, rounds), **MEASURED[name])
        for nodes, size, rounds in _tests(scale, machines, sizes)
        for name in CURVES
    ]


def _commands(scale: Scale, machines: tuple[int, ...], sizes: tuple[int, ...]) -> list[str]:
    """Commands that repeat the runs of a figure."""
    tests = _tests(scale, machines, sizes)
    lines = []
    for rounds in dict.fromkeys(rounds for _, _, rounds in tests):
        chosen = tuple(dict.fromkeys(size for _, size, count in tests if count == rounds))
        lines += setup.commands(scale, machines, chosen, rounds)
    return lines


def _picture(
    table: pd.DataFrame,
    title: str,
    axis: str,
    published: tuple[float, float] | None = None,
    bound: float | None = None,
) -> Figure:
    """
    Draw times over an axis.

    The paper's only numbers on its curves are `published`, a place and a time [ms], and `bound`, the place up to which
    PCODE is not faster.
    """
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6.5, height=3.4)
        panel = axes[0][0]
        for index, name in enumerate(table.columns):
            style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "markersize": 4}
            panel.plot(table.index, table[name], label=LABELS[name], linestyle="-" if index < 2 else "--", **style)
        if published:
            panel.plot(*published, label="TCP, published: about 10 times PCODE's", **plots.PUBLISHED)
        if bound:
            label = "published: PCODE not faster up to here"
            panel.axvline(bound, color="#222222", linewidth=1, linestyle=":", label=label)
        panel.set_xlabel(axis)
        panel.set_ylabel("time per call [ms]")
        plots.from_zero(panel)
        panel.set_title(title)
        panel.legend()
    return figure


def _ratio(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(ratio=table["tcp"] / table["pcode"])


def _growth(table: pd.DataFrame, full: bool, size: int) -> dict[str, Finding]:
    """Growth with the number of machines in Figures 6 and 7, each one part of a claim."""
    straight = straightness(table["tcp"])
    several = table[table.index >= BROADCASTS_FROM]
    grown = several["pcode"].max() / several["pcode"].iloc[0]
    tcp = several["tcp"].iloc[-1] / several["tcp"].iloc[0]
    return {
        # When sends in ascending order became the default, it was known that they make the curve straight.
        "B-26": Finding(
            bool(straight >= LINEAR),
            note=f"{size} bytes: a straight line explains {straight:.1%} of TCP's curve; required: {LINEAR:.0%}.",
            scale=full,
            seen=True,
        ),
        "B-27": Finding(
            bool(grown <= HARDLY and tcp > 2 * grown),
            note=f"{size} bytes: from {several.index[0]} machines on, PCODE's time grows by a factor of at most "
            f"{grown:.2f} (required: at most {HARDLY:g}), TCP's by {tcp:.1f}.",
            scale=full,
        ),
    }


def both(left: Finding | None, right: Finding | None) -> Finding | None:
    """Combine findings on two parts of a claim, which has to hold in both."""
    if left is None or right is None:
        return None
    holds = bool(left.simulated is True and right.simulated is True)
    seen = left.seen or right.seen
    return Finding(holds, note=f"{left.note} {right.note}", scale=left.scale and right.scale, seen=seen)


def findings_small(table: pd.DataFrame, full: bool) -> dict[str, Finding]:
    """Findings on times by the number of machines with messages of 20 bytes; parts of claims end in `-small`."""
    few = table[table.index <= SMALL_CROSSING]
    many = table[table.index > SMALL_CROSSING]
    return {
        # The daemon's parts were decided when it was known that they determine the crossing.
        "B-23": Finding(bool((few["pcode"] >= few["tcp"]).all()), note=_crossings(table), scale=full, seen=True),
        **{f"{claim}-small": finding for claim, finding in _growth(table, full, SMALL).items()},
        "B-24-small": Finding(
            bool((many["pcode"] < many["tcp"]).all()),
            note=f"{SMALL} bytes, more than {SMALL_CROSSING} machines: PCODE takes at most "
            f"{(many['pcode'] / many['tcp']).max():.2f} of TCP's time."
            if len(many)
            else "",
            scale=full,
        ),
    }


def _crossings(table: pd.DataFrame) -> str:
    """A sentence on the crossing of PCODE and TCP."""
    told = f"PCODE is faster from {crossing(table) or 'no number of'} machines on as a daemon"
    if "pcode-linked" in table:
        told += f", and from {crossing(table, 'pcode-linked') or 'no number of'} on linked into the application"
    if "pcode-rpc" in table:
        told += f"; at the cost of a local RPC from {crossing(table, 'pcode-rpc') or 'no number of'} on"
    return f"{told}. The cost of the daemon determines the crossing."


def _render_6(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = setup.times(frame, "nodes")
    return Outcome(
        _ratio(table).reset_index(),
        _picture(table, "Figure 6: messages of 20 bytes", "machines", bound=SMALL_CROSSING),
        text=(_crossings(table),),
        findings=findings_small(table, not scale.quick),
    )


def findings_large(table: pd.DataFrame, full: bool) -> dict[str, Finding]:
    """Findings on times by the number of machines with messages of 1 Kbyte; parts of claims end in `-large`."""
    most = table.index[-1]
    ratio = float((table["tcp"] / table["pcode"]).iloc[-1])
    many = table[table.index >= LARGE_FROM]
    low, high = ORDER_OF_MAGNITUDE
    note = (
        f"TCP takes {ratio:.1f} times as long as PCODE with {most} machines and 1 Kbyte; required: {low:g} to {high:g}."
    )
    return {
        "B-01": Finding(bool(low <= ratio <= high), note=note, scale=full, vacuous="It repeats the number of B-25."),
        "B-25": Finding(bool(low <= ratio <= high), note=note, scale=full),
        **{f"{claim}-large": finding for claim, finding in _growth(table, full, LARGE).items()},
        "B-24-large": Finding(
            bool((many["pcode"] < many["tcp"]).all()),
            note=f"1 Kbyte, {LARGE_FROM} machines or more: at most {(many['pcode'] / many['tcp']).max():.2f}."
            if len(many)
            else "",
            scale=full,
        ),
    }


def _render_7(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = setup.times(frame, "nodes")
    shown = _ratio(table)
    text = f"With {table.index[-1]} machines, TCP takes {float(shown['ratio'].iloc[-1]):.1f} times as long as PCODE."
    # This ratio on 16 machines is the paper's only number on its curves (B-25).
    mark = (16, 10 * float(table["pcode"].loc[16])) if 16 in table.index else None
    return Outcome(
        shown.reset_index(),
        _picture(table, "Figure 7: messages of 1 Kbyte", "machines", mark),
        text=(text,),
        findings=findings_large(table, not scale.quick),
    )


def bends(table: pd.DataFrame) -> dict[str, float]:
    """Slope of the upper half of sizes relative to that of the lower half, for PCODE and TCP."""
    middle = (SMALL + LARGE) / 2
    return {name: slope(table[name], middle, LARGE) / slope(table[name], SMALL, middle) for name in ("pcode", "tcp")}


def findings_three(table: pd.DataFrame, full: bool) -> dict[str, Finding]:
    """Findings on times by the size of messages with 3 machines."""
    bend = bends(table)
    told = _cheaper(table)
    return {
        # As B-23.
        "B-28": Finding(told.startswith("PCODE is faster than TCP at no "), note=told, scale=full, seen=True),
        "B-29": Finding(
            bool(bend["pcode"] <= FLAT and bend["tcp"] >= STEADY),
            note=f"The slope of the upper half of sizes is {bend['pcode']:.2f} of that of the lower half for PCODE "
            f"(required: at most {FLAT:g}) and {bend['tcp']:.2f} for TCP. Transmission and copies take longer for "
            "larger messages, and nothing in the model becomes cheaper with size.",
            scale=full,
        ),
    }


def _cheaper(table: pd.DataFrame) -> str:
    """A sentence on the sizes below 1 Kbyte at which PCODE is faster than TCP."""
    below = table[table.index < LARGE]

    def sizes(name: str) -> str:
        return ", ".join(str(int(size)) for size in below.index[below[name] < below["tcp"]]) or "no"

    told = f"PCODE is faster than TCP at {sizes('pcode')} bytes below 1 Kbyte as a daemon"
    if "pcode-linked" in table:
        told += f", and at {sizes('pcode-linked')} bytes linked into the application"
    if "pcode-rpc" in table:
        told += f"; at the cost of a local RPC at {sizes('pcode-rpc')} bytes"
    return f"{told}. The cost of the daemon determines the crossing."


def _render_8(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = setup.times(frame, "size")
    return Outcome(
        _ratio(table).reset_index(),
        _picture(table, "Figure 8: 3 machines", "message size [bytes]", bound=LARGE),
        text=(_cheaper(table),),
        findings=findings_three(table, not scale.quick),
    )


def findings_many(table: pd.DataFrame, full: bool) -> dict[str, Finding]:
    """Findings on times by the size of messages with 16 machines."""
    steep = {name: slope(table[name], SMALL, LARGE) * 1e3 for name in ("pcode", "tcp")}
    ratio = steep["tcp"] / steep["pcode"]
    text = (
        f"A further byte costs TCP {steep['tcp']:.1f} us per call and PCODE {steep['pcode']:.2f} us: TCP's curve is "
        f"{ratio:.1f} times as steep."
    )
    return {"B-30": Finding(bool(ratio >= FASTER), note=f"{text} Required: {FASTER:g} times.", scale=full)}


def _render_9(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = setup.times(frame, "size")
    findings = findings_many(table, not scale.quick)
    return Outcome(
        _ratio(table).reset_index(),
        _picture(table, f"Figure 9: {_most(scale)} machines", "message size [bytes]"),
        text=(findings["B-30"].note,),
        findings=findings,
    )


def combine(parts: Mapping[str, Finding]) -> dict[str, Finding]:
    """Claims on both message sizes, from the parts that end in `-small` and `-large`."""
    found = {}
    for claim in ("B-24", "B-26", "B-27"):
        whole = both(parts.get(f"{claim}-small"), parts.get(f"{claim}-large"))
        if whole is not None:
            found[claim] = whole
    return found


def _most(scale: Scale) -> int:
    return setup.machines(scale)[-1]


def _over_machines(number: int, size: int, render) -> Experiment:
    return Experiment(
        f"figure-{number}",
        f"Figure {number}: time per call over the number of machines, {size} bytes",
        f"Figure {number}, section 6.4.1",
        lambda scale: _points(scale, setup.machines(scale), (size,)),
        render,
        lambda scale: _commands(scale, setup.machines(scale), (size,)),
    )


def _over_sizes(number: int, title: str, machines, render) -> Experiment:
    return Experiment(
        f"figure-{number}",
        f"Figure {number}: time per call over the message size, {title}",
        f"Figure {number}, section 6.4.1",
        lambda scale: _points(scale, (machines(scale),), setup.sizes(scale)),
        render,
        lambda scale: _commands(scale, (machines(scale),), setup.sizes(scale)),
    )


FIGURE_6 = _over_machines(6, SMALL, _render_6)
FIGURE_7 = _over_machines(7, LARGE, _render_7)
FIGURE_8 = _over_sizes(8, "3 machines", lambda scale: 3, _render_8)
FIGURE_9 = _over_sizes(9, "16 machines", _most, _render_9)
