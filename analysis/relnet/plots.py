# SPDX-License-Identifier: GPL-2.0-only
"""
Plots in one style: colours for colour-blind readers, units on the axes, published points beside simulated ones.

Figures are made without pyplot, so that the settings of a notebook or script remain unchanged.
"""

from __future__ import annotations

import base64
import io
import itertools
import math
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, LogFormatter, LogLocator, NullFormatter

from relnet.errors import RelnetError, quoted
from relnet.names import check_text
from relnet.records import files

_ENDINGS = (".png", ".svg")
"""Endings of the files of a figure."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5B5B5B")
"""Okabe and Ito's colours, for the curves of one panel in turn."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Markers of the same curves, for prints without colour."""

PARTS = (
    "LatencySender",
    "LatencyRepeat",
    "LatencyProcessors",
    "LatencyNetwork",
    "LatencyQueueing",
    "LatencyReceiver",
)
"""Results of `reliability` that add up to the mean latency."""

PATH_STATES = {"good": COLOURS[2], "skip": COLOURS[4], "assumed bad": COLOURS[1]}
"""Colours of the states of paths."""

PUBLISHED = {"marker": "D", "linestyle": "none", "color": "#222222", "markerfacecolor": "white", "markersize": 5.5}
"""Style of a published value."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#777777",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "lines.linewidth": 1.5,
    "lines.markersize": 4,
    "figure.dpi": 120,
    "svg.hashsalt": "relnet",
    "svg.fonttype": "path",
}


class Picture(Figure):
    """A figure that a notebook displays independently of its settings."""

    def _repr_png_(self) -> bytes:
        return png(self, 96)


def style():
    """A context manager that sets this package's style in matplotlib."""
    return matplotlib.rc_context(STYLE)


def panels(rows: int, columns: int, width: float = 10.0, height: float = 2.3) -> tuple[Figure, list[list[Axes]]]:
    """
    Make a figure with panels; call it within `style()`.

    Parameters
    ----------
    rows, columns : int
        Numbers of rows and columns.
    width : float
        Width of the figure [inches].
    height : float
        Height of a row [inches].

    Returns
    -------
    tuple
        The figure, and its axes as a list of rows.
    """
    figure = Picture(figsize=(width, height * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [list(row) for row in axes]


def cycles_axis(axes: Axes) -> None:
    """Label the vertical axis with numbers of cycles such as 500k or 2.5M."""
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.yaxis.set_minor_formatter(NullFormatter())


def from_zero(axes: Axes) -> None:
    """Begin a linear vertical axis at zero, with room above the highest point."""
    highest = axes.dataLim.ymax
    axes.set_ylim(0, max(axes.get_ylim()[1], 1.06 * highest) if math.isfinite(highest) else None)


def curves(
    frame: pd.DataFrame,
    x: str,
    y: str,
    by: str | Sequence[str] | None = None,
    axes: Axes | None = None,
    labels: Iterable[str] | None = None,
    band: str = "range",
    level: float = 0.95,
) -> Axes:
    """
    Draw a result against a parameter: a line for the mean over the seeds, and a band that the title describes.

    Only seeds are averaged: every other parameter has one value, or is `x` or in `by`.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `relnet.sweep`.
    x, y : str
        Columns of the parameter and the result, in any case.
    by : str or sequence of str, optional
        Column or columns with a curve for each of their values.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.
    labels : iterable of str, optional
        Labels of the curves.
    band : str
        `range` from the least to the greatest value; `t` or `bootstrap` for a confidence interval of the mean, by
        Student's distribution or by the percentiles of 2000 resamplings of the seeds.
    level : float
        Level of the confidence interval.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; a notebook displays their `figure`.

    Raises
    ------
    RelnetError
        If a column is missing, `y` has no numbers, or a further parameter varies.
    """
    x, y = (find_column(frame, name) for name in (x, y))
    each = [find_column(frame, name) for name in ([by] if isinstance(by, str) else by or ())]
    _check_curves(frame, x, y, each)
    with style():
        if axes is None:
            axes = panels(1, 1, width=5.5, height=3.2)[1][0][0]
        groups = list(frame.groupby(each, sort=False)) if each else [((), frame)]
        names = [", ".join(map(str, values)) for values, _ in groups] if labels is None else list(labels)
        banded = False
        for index, ((_, group), name) in enumerate(zip(groups, names, strict=True)):
            spread = _spread(group, x, y, band, level)
            colour = COLOURS[index % len(COLOURS)]
            marker = MARKERS[index % len(MARKERS)] if len(spread) <= 12 else None
            axes.plot(spread.index, spread["mean"], color=colour, marker=marker, label=name or None)
            if (spread["high"] > spread["low"]).any():
                banded = True
                axes.fill_between(spread.index, spread["low"], spread["high"], color=colour, alpha=0.15, linewidth=0)
        if banded:
            what = "least to greatest" if band == "range" else f"{100 * level:g} % confidence ({band})"
            runs = frame.groupby([x, *each]).size()
            count = f"{runs.min()}" if runs.min() == runs.max() else f"{runs.min()} to {runs.max()}"
            axes.set_title(f"mean and {what} of {count} runs", fontsize=8, fontweight="normal", loc="right")
        axes.set_xlabel(_with_unit(frame, x))
        axes.set_ylabel(_with_unit(frame, y))
        if each and groups:
            axes.legend(title=", ".join(each))
    return axes


def find_column(frame: pd.DataFrame, name: str) -> str:
    """A column by its name in any case; an error names the columns that exist."""
    check_text("The name of a column", name)
    found = [column for column in frame.columns if str(column).lower() == str(name).lower()]
    if not found:
        raise RelnetError(f"There is no column {quoted(name)}; there are {', '.join(map(str, frame.columns))}.")
    return name if name in found else found[0]


def find_columns(frame: pd.DataFrame, names: Iterable[str]) -> list[str]:
    """Columns by their names in any case, each once."""
    return list(dict.fromkeys(find_column(frame, name) for name in names))


def _with_unit(frame: pd.DataFrame, column: str) -> str:
    """The name of a column with its unit."""
    unit = frame.attrs.get("units", {}).get(column, "")
    return f"{column} [{unit}]" if unit else column


def _check_curves(frame: pd.DataFrame, x: str, y: str, each: Sequence[str]) -> None:
    """Refuse a result without numbers, and parameters of a sweep that would be averaged like seeds."""
    if not pd.api.types.is_numeric_dtype(frame[y]):
        raise RelnetError(f"{y} cannot be drawn: it has no numbers, but values such as {frame[y].iloc[0]!r}.")
    if "seed" not in frame.columns:
        return
    given = frame.columns[: frame.columns.get_loc("seed")]
    varied = [name for name in given if name not in (x, *each) and frame[name].astype(str).nunique() > 1]
    if varied:
        verb = "varies" if len(varied) == 1 else "vary"
        hint = f"choose one value of each, or add {varied[0]} to by; only seeds are averaged."
        raise RelnetError(f"{' and '.join(varied)} {verb}: {hint}")


def _spread(group: pd.DataFrame, x: str, y: str, band: str, level: float) -> pd.DataFrame:
    """Mean and band at each place; a confidence interval needs at least two runs."""
    if band not in ("range", "t", "bootstrap"):
        raise RelnetError(f"band is {band!r}; it has to be range, t or bootstrap.")
    if not 0 < level < 1:
        raise RelnetError(f"level is {level}; it has to be between 0 and 1.")
    rows = {}
    for place, values in group.groupby(x)[y]:
        values = values.dropna().to_numpy(float)
        mean = values.mean() if len(values) else math.nan
        if band == "range" or len(values) < 2:
            edge = (values.min(), values.max()) if band == "range" and len(values) else (mean, mean)
        elif band == "t":
            edge = interval(values, level)[1:]
        else:
            # A fixed seed makes the figure reproducible.
            draws = np.random.default_rng(1).choice(values, (2000, len(values))).mean(axis=1)
            edge = tuple(np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]))
        rows[place] = (mean, *edge)
    return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "low", "high"])


def interval(values: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
    """
    Mean of runs and its confidence interval by Student's distribution.

    Parameters
    ----------
    values : numpy.ndarray
        One value for each seed.
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    tuple of float
        Mean, lower and upper bound; NaN for the bounds of a single value, and for all without values.
    """
    if len(values) < 2:
        return (float(values.mean()) if len(values) else math.nan, math.nan, math.nan)
    if values.min() == values.max():
        # The rounded mean of equal values can differ from them, and would give an interval of 1e-16.
        return (float(values[0]),) * 3
    half = _t_quantile((1 + level) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
    return float(values.mean()), float(values.mean() - half), float(values.mean() + half)


def _t_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's distribution for a probability above one half, by bisection of its integral."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    # With t = sqrt(freedom) tan(angle) the density is scale cos(angle)^(freedom - 1).
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        angles = np.linspace(0, middle, 2001)
        weights = np.ones(2001)
        weights[1:-1:2], weights[2:-1:2] = 4, 2
        share = 0.5 + scale * float(np.sum(weights * np.cos(angles) ** (freedom - 1))) * middle / 6000
        low, high = (middle, high) if share < probability else (low, middle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def sequence(trace: Any, first: int = 40, nodes: Iterable[int] | None = None) -> Figure:
    """
    Draw the first frames and messages of a recorded run as a sequence chart.

    Time runs downwards. Drawn intervals are bounded, so that both flights of microseconds and timeouts of milliseconds
    are visible; the labels state the true times. Frames that are sent at one moment begin below it, those of a node
    below each other; a grey bar covers the moment.

    Parameters
    ----------
    trace : relnet.studies.recording.Trace
        The return value of `relnet.trace`.
    first : int
        Number of frames and message events.
    nodes : iterable of int, optional
        Only messages and frames of these nodes.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, which a notebook displays.
    """
    wanted = None if nodes is None else set(nodes)
    lines = []
    for one in trace.frames.itertuples(index=False):
        if wanted is None or one.source in wanted or one.destination in wanted:
            lines.append((one.sent, 1, one))
    for one in trace.events.itertuples(index=False):
        if one.Event in _MARKS and (wanted is None or one.Node in wanted):
            lines.append((one.Time / 1e3, 0, one))
    lines = sorted(lines, key=lambda line: line[:2])
    if trace.centre is not None:
        lines = lines[max(0, sum(line[0] < trace.centre for line in lines) - first // 2) :]
    lines = lines[:first]
    frames = [one for _, kind, one in lines if kind]
    marks = [one for _, kind, one in lines if not kind]
    moments = {time for time, _, _ in lines} | {one.ended for one in frames if one.ended == one.ended}
    rows = _rows(frames)
    depths: defaultdict[float, float] = defaultdict(float)
    for one in frames:
        depths[one.sent] = max(depths[one.sent], rows[one.number] * _ROW)
    heights = _heights(sorted(moments), depths)
    present = sorted(
        {one.source for one in frames}
        | {one.destination for one in frames if one.destination >= 0}
        | {one.Node for one in marks}
    )
    place = {node: index for index, node in enumerate(present)}
    bottom = max((height + depths[time] for time, height in heights.items()), default=0) + 1
    with style():
        figure = Picture(figsize=(max(4.5, 2.5 + 1.9 * len(present)), 1 + 0.26 * bottom), layout="constrained")
        axes = figure.subplots()
        axes.set_axis_off()
        axes.set_xlim(-1.1, max(0.9, len(present) - 0.35))
        axes.set_ylim(bottom, -1)
        for node, x in place.items():
            axes.plot([x, x], [-0.4, bottom], color="#999999", linewidth=1, zorder=1)
            axes.text(x, -0.55, f"node {node}", ha="center", va="bottom", fontweight="bold")
        for time in sorted({one.sent for one in frames} | {one.Time / 1e3 for one in marks}):
            axes.text(-1.07, heights[time], f"{time:.3f} us", va="center", fontsize=6.5, color="#777777")
            if depths[time]:
                axes.plot([-1.09] * 2, [heights[time], heights[time] + depths[time]], color="#bbbbbb", linewidth=2)
        for one in frames:
            _draw_frame(axes, one, place, heights, bottom, rows[one.number] * _ROW)
        by_place: dict[tuple[int, float], list[Any]] = {}
        for one in marks:
            by_place.setdefault((place[one.Node], heights[one.Time / 1e3]), []).append(one)
        for (x, y), several in by_place.items():
            colour = {"post": COLOURS[0], "deliver": COLOURS[2], "complete": COLOURS[3]}[several[0].Event]
            axes.plot([x], [y], marker="o", color=colour, zorder=3)
            left = x < len(present) / 2
            axes.annotate(
                _mark_text(several),
                (x, y),
                xytext=(-5 if left else 5, 0),
                textcoords="offset points",
                ha="right" if left else "left",
                va="center",
                fontsize=6.5,
                color=colour,
            )
        if not lines:
            axes.text(0, 0, "Nothing was recorded.")
    return figure


_MARKS = {"post": "post", "deliver": "deliver", "complete": "end"}
"""Labels of message events."""


_ROW = 0.5
"""Distance of the rows of frames that a node sends at one moment, in units of the usual interval."""

_MOST_RANGES = 3
"""Maximum number of ranges of numbers in the label of several events."""


def _rows(frames: Sequence[Any]) -> dict[int, int]:
    """Row of each frame, by its number, below a moment at which several are sent; the events have the first row."""
    sent: dict[float, dict[int, list[int]]] = {}
    for one in frames:
        numbers = sent.setdefault(one.sent, {}).setdefault(one.source, [])
        if one.number not in numbers:
            numbers.append(one.number)
    rows = {}
    for by_node in sent.values():
        crowded = sum(map(len, by_node.values())) > 1
        for numbers in by_node.values():
            rows |= {number: row + 1 if crowded else 0 for row, number in enumerate(numbers)}
    return rows


def _mark_text(several: Sequence[Any]) -> str:
    """Label of the message events of a node at one moment: by kind and detail, with ranges of numbers."""
    kinds: dict[tuple[str, str], list[int]] = {}
    for one in several:
        detail = f": {one.Detail}" if one.Detail and one.Event != "complete" else ""
        kinds.setdefault((_MARKS[one.Event], detail), []).append(one.Number)
    return ", ".join(f"{kind}{_ranges(numbers)}{detail}" for (kind, detail), numbers in kinds.items())


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers as ranges, such as 0 to 5, 8; messages without a number as their count."""
    named = sorted({number for number in numbers if number >= 0})
    ranges: list[list[int]] = []
    for number in named:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    told = [str(low) if low == high else f"{low}{' to ' if high > low + 1 else ', '}{high}" for low, high in ranges]
    if len(told) > _MOST_RANGES:
        told = [*told[: _MOST_RANGES - 1], f"... {named[-1]} ({len(named)})"]
    unnamed = len(numbers) - sum(number >= 0 for number in numbers)
    told += [f"({unnamed})"] if unnamed > 1 else []
    return f" {', '.join(told)}" if told else ""


def _heights(moments: Sequence[float], depths: Mapping[float, float]) -> dict[float, float]:
    """Heights at which moments are drawn: intervals in proportion to time, within bounds, below earlier rows."""
    gaps = sorted(after - before for before, after in itertools.pairwise(moments))
    usual = gaps[len(gaps) // 2] if gaps else 1.0
    heights: dict[float, float] = {}
    height = 0.0
    for index, moment in enumerate(moments):
        if index:
            height += min(max((moment - moments[index - 1]) / (usual or 1.0), 0.7), 2.2)
            height += depths.get(moments[index - 1], 0.0)
        heights[moment] = height
    return heights


def _draw_frame(
    axes: Axes,
    one: Any,
    place: dict[int, int],
    heights: dict[float, float],
    bottom: float,
    depth: float,
) -> None:
    """
    Draw the arrow of a frame: black if it arrived, red with a cross if lost, grey if in flight.

    If others are sent at the same moment, it begins at a depth below it, and its label is beside its sender.
    """
    start = (place[one.source], heights[one.sent] + depth)
    side = 1 if start[0] < len(place) - 1 else -1
    to = place.get(one.destination, start[0] + side)
    to = start[0] + 0.4 * side if to == start[0] else to
    end = (to, heights.get(one.ended, min(start[1] + 1, bottom)))
    lost, flying = one.outcome == "lost", one.outcome == "in flight"
    if lost or flying:
        end = (start[0] + 0.7 * (end[0] - start[0]), start[1] + 0.7 * (end[1] - start[1]))
    colour = COLOURS[1] if lost else "#999999" if flying else COLOURS[4] if one.repeated else "#222222"
    axes.annotate(
        "",
        end,
        start,
        arrowprops={"arrowstyle": "-" if lost else "->", "color": colour, "shrinkA": 0, "shrinkB": 0},
        zorder=2,
    )
    if lost:
        axes.plot(*end, marker="x", color=colour, markersize=6, zorder=3)
    words = one.label + (" again" if one.repeated else "") + (f" ({one.reason})" if one.reason else "")
    rightward = end[0] > start[0]
    if depth:
        # Frames that are sent at once cross each other in the middle.
        at, side = (start[0] + (0.03 if rightward else -0.03), start[1] + 0.12), "left" if rightward else "right"
    else:
        at, side = (start[0] + 0.45 * (end[0] - start[0]), start[1] + 0.45 * (end[1] - start[1]) - 0.1), "center"
    axes.text(
        *at,
        words,
        ha=side,
        va="bottom",
        fontsize=7,
        color=colour,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.3},
    )


def timeline(trace: Any, nodes: Iterable[int] | None = None) -> Figure:
    """
    Draw a recorded run over time: messages of each node from post to completion, frames of each link, work of the
    hosts.

    Parameters
    ----------
    trace : relnet.studies.recording.Trace
        The return value of `relnet.trace`.
    nodes : iterable of int, optional
        Only the messages and hosts of these nodes.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, which a notebook displays.
    """
    wanted = None if nodes is None else set(nodes)
    rows: list[tuple[str, list[tuple[float, float]], str]] = []
    last = trace.events["End"].max() / 1e3 if len(trace.events) else 1.0
    for node, group in trace.messages.groupby("source"):
        if wanted is None or node in wanted:
            spans = [
                (one.posted, (last if one.ended != one.ended else one.ended) - one.posted)
                for one in group.itertuples(index=False)
            ]
            rows.append((f"messages of node {node}", spans, COLOURS[0]))
    for pair, group in trace.frames.groupby(["source", "destination"]):
        if wanted is None or wanted & set(pair):
            spans = [
                (one.sent, max(0.0, one.ended - one.sent))
                for one in group.itertuples(index=False)
                if one.outcome == "arrived"
            ]
            rows.append((f"frames {pair[0]} to {'all' if pair[1] < 0 else pair[1]}", spans, COLOURS[2]))
    work = trace.events[trace.events["Event"] == "work"]
    for (node, label), group in work.groupby(["Node", "Label"]):
        if wanted is None or node in wanted:
            spans = [(one.Time / 1e3, (one.End - one.Time) / 1e3) for one in group.itertuples(index=False)]
            rows.append((f"host {node}: {label}", spans, COLOURS[4]))
    with style():
        figure = Picture(figsize=(9, 0.9 + 0.24 * max(1, len(rows))), layout="constrained")
        axes = figure.subplots()
        for place, (_, spans, colour) in enumerate(rows):
            axes.broken_barh(spans, (place - 0.35, 0.7), facecolor=colour, alpha=0.55, edgecolor=colour, linewidth=0.5)
        lost = trace.frames[trace.frames["outcome"] == "lost"]
        names = {name: place for place, (name, _, _) in enumerate(rows)}
        crosses = [
            (one.sent, names.get(f"frames {one.source} to {'all' if one.destination < 0 else one.destination}"))
            for one in lost.itertuples(index=False)
        ]
        crosses = [cross for cross in crosses if cross[1] is not None]
        if crosses:
            axes.plot(*zip(*crosses, strict=True), "x", color=COLOURS[1], label="lost")
            axes.legend(loc="upper right")
        axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel("time [us]")
        axes.grid(axis="y", visible=False)
    return figure


def path_states(
    trace: Any,
    node: int | None = None,
    peer: int | None = None,
    paths: Iterable[int] | None = None,
    initial: str = "good",
    axes: Axes | None = None,
) -> Axes:
    """
    Draw the states of the paths of one connection over time: a row for each path, a colour for each state.

    Parameters
    ----------
    trace : relnet.studies.recording.Trace
        The return value of `relnet.trace` of a protocol whose paths have states (`mrc`).
    node, peer : int, optional
        Sender and receiver of the connection; without one of them, the first connection that has changes.
    paths : iterable of int, optional
        Paths to draw; those that change by default.
    initial : str
        State of each path before its first change.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; a notebook displays their `figure`.

    Raises
    ------
    RelnetError
        If no path of the connection changes its state in the recording.
    """
    changes = trace.paths
    for column, value in (("node", node), ("peer", peer)):
        if value is not None:
            changes = changes[changes[column] == value]
    if not len(changes):
        raise RelnetError("No path of this connection changes its state in the recording.")
    first = changes.iloc[0]
    changes = changes[(changes["node"] == first["node"]) & (changes["peer"] == first["peer"])]
    shown = sorted(changes["path"].unique()) if paths is None else sorted(paths)
    spans: dict[str, list[tuple[int, float, float]]] = {initial: []}
    for row, path in enumerate(shown):
        begin, state = 0.0, initial
        for change in changes[changes["path"] == path].itertuples(index=False):
            spans[state].append((row, begin, change.time))
            begin, state = change.time, change.state
            spans.setdefault(state, [])
        spans[state].append((row, begin, max(begin, trace.events["End"].max() / 1e3)))
    with style():
        if axes is None:
            axes = panels(1, 1, width=8, height=0.8 + 0.11 * len(shown))[1][0][0]
        _draw_states(axes, spans)
        step = math.ceil(len(shown) / 16)
        axes.set_yticks(range(0, len(shown), step), [str(path) for path in shown[::step]])
        axes.set_ylim(len(shown) - 0.4, -0.6)
        axes.set_xlabel("time [us]")
        axes.set_ylabel(f"path from {first['node']} to {first['peer']}")
        axes.grid(axis="y", visible=False)
    return axes


def _draw_states(axes: Axes, spans: Mapping[str, list[tuple[int, float, float]]]) -> None:
    """Draw spans of rows by state, with a legend above; a state without a colour of its own takes the next one."""
    others = itertools.cycle(colour for colour in COLOURS if colour not in PATH_STATES.values())
    for state, rows in spans.items():
        colour = PATH_STATES.get(state) or next(others)
        corners = [
            [(begin, row - 0.4), (end, row - 0.4), (end, row + 0.4), (begin, row + 0.4)] for row, begin, end in rows
        ]
        axes.add_collection(PolyCollection(corners, facecolor=colour, edgecolor=colour, linewidth=0.5, label=state))
    axes.autoscale_view()
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(spans))


def bars(
    axes: Axes,
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[float], Sequence[tuple[float, float]] | None]],
    published: Sequence[Sequence[float]] | None = None,
) -> None:
    """
    Draw groups of bars with published values as points.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Axes to draw on.
    names : sequence of str
        Names of the groups.
    series : sequence of (str, sequence of float, sequence of (float, float) or None)
        For each bar of a group: name, heights, and the range of values behind each height.
    published : sequence of sequence of float, optional
        Published heights for each bar of a group.
    """
    width = 0.8 / len(series)
    for index, (name, heights, spread) in enumerate(series):
        places = [group + (index - (len(series) - 1) / 2) * width for group in range(len(names))]
        axes.bar(places, heights, width * 0.92, color=COLOURS[index], alpha=0.85, label=f"{name}, simulated")
        if spread is not None:
            low = [max(height - least, 0) for height, (least, _) in zip(heights, spread, strict=True)]
            high = [max(most - height, 0) for height, (_, most) in zip(heights, spread, strict=True)]
            axes.errorbar(places, heights, yerr=[low, high], fmt="none", ecolor="#333333", elinewidth=0.9, capsize=2)
        if published is not None:
            axes.plot(places, published[index], label="published" if index == 0 else None, **PUBLISHED)
    axes.set_xticks(range(len(names)), names)
    axes.grid(axis="x", visible=False)


def breakdown(frame: pd.DataFrame, by: str = "protocol", axes: Axes | None = None, shares: bool = False) -> Figure:
    """
    Draw the parts of the mean latency as stacked bars, one for each value of a parameter.

    Parameters
    ----------
    frame : pandas.DataFrame
        Frame of a sweep of `reliability`; runs with the same value are averaged.
    by : str
        The parameter.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on, without a legend; a new figure by default.
    shares : bool
        Whether to draw shares of the latency, which is written beside each bar, for latencies that differ by orders of
        magnitude.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    RelnetError
        If a column is missing.
    """
    by, *parts = (find_column(frame, name) for name in (by, *PARTS))
    means = frame.groupby(by, sort=False)[parts].mean().fillna(0)
    with style():
        alone = axes is None
        if alone:
            axes = panels(1, 1, height=3.2)[1][0][0]
        if shares:
            _stack_shares(axes, means)
        else:
            _stack_times(axes, means)
        if alone:
            legend_above(axes.figure, axes)
    return axes.figure


def _part_name(part: str) -> str:
    """The name of a part of the latency in a legend."""
    return part.removeprefix("Latency").lower()


def _stack_times(axes: Axes, means: pd.DataFrame) -> None:
    """Draw the parts of each row as a vertical bar [us]."""
    bottom = np.zeros(len(means))
    for colour, part in zip(COLOURS, means.columns, strict=False):
        heights = means[part].to_numpy(float)
        axes.bar(range(len(means)), heights, 0.7, bottom, color=colour, label=_part_name(part))
        bottom += heights
    axes.set_xticks(range(len(means)), [str(name) for name in means.index])
    axes.set_ylabel("mean latency [us]")
    axes.grid(axis="x", visible=False)


def _stack_shares(axes: Axes, means: pd.DataFrame) -> None:
    """Draw the parts of each row as shares of a horizontal bar, with their sum beside it."""
    whole = means.sum(axis=1)
    left = np.zeros(len(means))
    for colour, part in zip(COLOURS, means.columns, strict=False):
        widths = (100 * means[part] / whole).fillna(0).to_numpy(float)
        axes.barh(range(len(means)), widths, 0.8, left, color=colour, label=_part_name(part))
        left += widths
    for place, time in enumerate(whole):
        if time > 0:
            axes.text(102, place, time_text(time), va="center", fontsize="small")
    axes.set_yticks(range(len(means)), [str(name) for name in means.index])
    axes.set_ylim(len(means) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the mean latency [%]")
    axes.grid(axis="y", visible=False)


def time_text(time: float) -> str:
    """Format a time [us] with three digits and the unit that fits."""
    for factor, unit in ((1e6, "s"), (1e3, "ms"), (1, "us")):
        if time >= factor:
            return f"{time / factor:.3g} {unit}"
    return f"{1e3 * time:.3g} ns"


def ratios(compared: pd.DataFrame, by: str = "protocol") -> Figure:
    """
    Draw the ratios of `relnet.compare`: a panel for each column, a bar for each value of `by`, with its interval.

    Parameters
    ----------
    compared : pandas.DataFrame
        The return value of `relnet.compare`.
    by : str
        Parameter whose values were compared.

    Returns
    -------
    matplotlib.figure.Figure
        The figure. Bars begin at 1, the baseline.

    Raises
    ------
    RelnetError
        If there is no such column.
    """
    by = find_column(compared, by)
    names = list(dict.fromkeys(compared["Column"]))
    others = list(compared.columns[: compared.columns.get_loc(by)])
    varied = [name for name in others if compared[name].nunique() > 1]
    cells = list(dict.fromkeys(_cells(compared, varied)))
    across = min(2, len(names))
    with style():
        figure, grid = panels(math.ceil(len(names) / across), across, height=2.6)
        places = list(itertools.chain(*grid))
        for axes in places[len(names) :]:
            axes.set_visible(False)
        for axes, name in zip(places, names, strict=False):
            _draw_ratios(axes, compared[compared["Column"] == name], by, varied, cells)
            axes.set_title(f"{name}, ratio to the baseline")
        legend_above(figure, grid[0][0])
    return figure


def _draw_ratios(axes: Axes, rows: pd.DataFrame, by: str, varied: list[str], cells: list[tuple]) -> None:
    """Draw the ratios of one column: a group of bars for each cell."""
    values = list(dict.fromkeys(rows[by]))
    width = 0.8 / len(values)
    for index, value in enumerate(values):
        chosen = rows[rows[by] == value]
        found = dict(zip(_cells(chosen, varied), chosen.itertuples(index=False), strict=True))
        known = [(place, found[cell]) for place, cell in enumerate(cells) if cell in found]
        known = [(place, row) for place, row in known if row.Ratio > 0 and math.isfinite(row.Ratio)]
        places = [place + (index - (len(values) - 1) / 2) * width for place, _ in known]
        heights = [row.Ratio - 1 for _, row in known]
        low = [_reach(row.Ratio, row.Low) for _, row in known]
        high = [_reach(row.Ratio, row.High) for _, row in known]
        tops = [row.Ratio for _, row in known]
        axes.bar(places, heights, width * 0.92, 1, color=COLOURS[index % len(COLOURS)], label=str(value))
        axes.errorbar(places, tops, yerr=[low, high], fmt="none", ecolor="#333333", elinewidth=0.9, capsize=2)
    axes.axhline(1, color="#777777", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_xticks(range(len(cells)), [", ".join(map(str, cell)) for cell in cells])
    axes.grid(axis="x", visible=False)


def _reach(ratio: float, bound: float) -> float:
    """Length of an error bar; 0 without a bound."""
    return abs(ratio - bound) if math.isfinite(bound) else 0.0


def _cells(rows: pd.DataFrame, varied: list[str]) -> list[tuple]:
    """The varied parameters of each row."""
    return list(rows[varied].itertuples(index=False, name=None)) if varied else [()] * len(rows)


def completion(runs: Mapping[str, pd.Series], column: str = "slowdown", axes: Axes | None = None) -> Figure:
    """
    Draw the cumulative distribution of the flows' completion times or slowdowns.

    Parameters
    ----------
    runs : mapping of str to pandas.Series
        Runs of the scenario `fabric` with `details=True`, by the names of their curves.
    column : str
        Column of the table Flows: `slowdown` or `fct`.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on, without a legend; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    RelnetError
        If a run has no such table or column.
    """
    with style():
        alone = axes is None
        if alone:
            axes = panels(1, 1, width=6, height=3.2)[1][0][0]
        for index, (name, run) in enumerate(runs.items()):
            table = _flow_table(run, "Flows", name)
            values = np.sort(table[find_column(table, column)])
            shares = np.arange(1, len(values) + 1) / len(values)
            axes.step(values, shares, where="post", color=COLOURS[index % len(COLOURS)], label=name)
        axes.set(xscale="log", ylabel="share of the flows", ylim=(0, 1))
        axes.set_xlabel("completion time [us]" if column == "fct" else column)
        if alone:
            legend_above(axes.figure, axes)
    return axes.figure


def slowdown_by_size(runs: Mapping[str, pd.Series], column: str = "slowdown99", axes: Axes | None = None) -> Figure:
    """
    Draw slowdowns by decades of the flows' sizes.

    Parameters
    ----------
    runs : mapping of str to pandas.Series
        Runs of the scenario `fabric`, by the names of their curves.
    column : str
        Column of the table SlowdownBySize, such as `slowdown` or `slowdown99`.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on, without a legend; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    RelnetError
        If a run has no such table or column.
    """
    with style():
        alone = axes is None
        if alone:
            axes = panels(1, 1, width=6, height=3.2)[1][0][0]
        for index, (name, run) in enumerate(runs.items()):
            table = _flow_table(run, "SlowdownBySize", name)
            look = {"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)]}
            # The last row has no upper limit but that of a size; it stands a decade after the one before.
            places = np.minimum(table["upTo"], 10 * table["above"].clip(lower=100))
            axes.plot(places, table[find_column(table, column)], label=name, **look)
        axes.set(xscale="log", yscale="log", xlabel="size of the flow, up to [bytes]", ylabel=column)
        if alone:
            legend_above(axes.figure, axes)
    return axes.figure


def queues(run: pd.Series, ports: int = 24, axes: Axes | None = None) -> Figure:
    """
    Draw the lengths of queues over time as a heat map.

    Parameters
    ----------
    run : pandas.Series
        Run of the scenario `fabric` with a `queueinterval`.
    ports : int
        Number of ports shown: those with the longest queues.
    axes : matplotlib.axes.Axes, optional
        Axes to draw on; a new figure by default.

    Returns
    -------
    matplotlib.figure.Figure
        The figure.

    Raises
    ------
    RelnetError
        If the run has no lengths of queues.
    """
    table = run.attrs.get("tables", {}).get("QueueLengths")
    if table is None or table.empty:
        raise RelnetError("The run has no lengths of queues; run the scenario fabric with queueinterval=10us, say.")
    longest = table.groupby("port")["bytes"].max().sort_values(ascending=False).index[:ports]
    times = np.sort(table["time"].unique())
    step = np.diff(times).min() if len(times) > 1 else 1.0
    # Empty queues have no row.
    slots = ((table["time"] - times[0]) / step).round().astype(int)
    grid = table.assign(slot=slots).pivot(index="port", columns="slot", values="bytes")
    grid = grid.reindex(index=longest, columns=range(slots.max() + 1)).fillna(0)
    with style():
        if axes is None:
            axes = panels(1, 1, width=7, height=0.6 + 0.17 * len(grid))[1][0][0]
        edges = (times[0] - step / 2, times[-1] + step / 2, len(grid) - 0.5, -0.5)
        image = axes.imshow(grid / 1000, aspect="auto", extent=edges, cmap="viridis", interpolation="nearest")
        axes.set_yticks(range(len(grid)), list(grid.index))
        axes.set_xlabel("time [us]")
        axes.grid(False)
        axes.figure.colorbar(image, ax=axes, label="queue [kB]")
    return axes.figure


def _flow_table(run: pd.Series, table: str, name: str) -> pd.DataFrame:
    """A table of a run of `fabric`."""
    tables = run.attrs.get("tables", {})
    if table not in tables:
        raise RelnetError(f"The run {quoted(name)} has no table {table}; run the scenario fabric, with details=True.")
    return tables[table]


def legend_above(figure: Figure, axes: Axes) -> None:
    """Place the legend of one panel above all panels, in as many rows as it needs, instead of each panel's own."""
    for panel in figure.axes:
        if panel.get_legend():
            panel.get_legend().remove()
    handles, names = axes.get_legend_handles_labels()
    # A character of the legend's font is about 0.075 inches wide; line and gap of an entry take another 0.6.
    width = sum(0.075 * len(name) + 0.6 for name in names)
    rows = math.ceil(width / figure.get_figwidth())
    figure.legend(handles, names, loc="outside upper center", ncols=max(1, math.ceil(len(names) / max(1, rows))))


def sign(figure: Figure, text: str) -> None:
    """Write the origin of a figure below it, in small type."""
    figure.supxlabel(text, x=0.995, ha="right", fontsize=6, color="#777777")


def _label_short_decades(figure: Figure) -> None:
    """
    Label a logarithmic axis of less than two decades at 1, 2 and 5, or at more places if these are too few.

    matplotlib's own labels, such as 6 x 10^-2, overlap there.
    """
    for axis in (one for axes in figure.axes for one in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        if axis.get_scale() != "log" or not isinstance(axis.get_major_formatter(), LogFormatter) or high > 100 * low:
            continue
        for steps in (1, 2, 5), (1, 1.5, 2, 3, 4, 6, 8):
            locator = LogLocator(subs=steps)
            if sum(low <= tick <= high for tick in locator.tick_values(low, high)) > 1:
                axis.set_major_locator(locator)
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
                axis.set_minor_formatter(NullFormatter())
                break


def _draw(canvas: FigureCanvasBase, resolution: float, save: Callable[[], None]) -> None:
    """
    Draw a figure once. `Figure.savefig` draws it twice, first without a file for a layout that drawing computes anyway.
    """
    figure = canvas.figure
    before = figure.dpi
    with style():
        _label_short_decades(figure)
        figure.set_dpi(resolution)
        try:
            save()
        finally:
            figure.set_dpi(before)


def png(figure: Figure, resolution: int = 144) -> bytes:
    """Render a figure as PNG with a resolution [dots per inch]."""
    buffer = io.BytesIO()
    canvas = FigureCanvasAgg(figure)
    _draw(canvas, resolution, lambda: canvas.print_png(buffer, metadata={"Software": None}))
    return buffer.getvalue()


def svg(figure: Figure) -> bytes:
    """Render a figure as SVG, reproducibly."""
    buffer = io.BytesIO()
    canvas = FigureCanvasSVG(figure)
    _draw(canvas, figure.dpi, lambda: canvas.print_svg(buffer, metadata={"Date": None, "Creator": None}))
    return buffer.getvalue()


def data_uri(drawn: bytes) -> str:
    """The data URI of an SVG figure, for a self-contained page."""
    return "data:image/svg+xml;base64," + base64.b64encode(drawn).decode("ascii")


def check(name: str | os.PathLike) -> Path:
    """Refuse the name of a figure whose files cannot be written, and return its path without ending."""
    stem = files.check_path("The name of a figure", name)
    for ending in _ENDINGS:
        # The path of a folder, such as `.`, has no name.
        files.check(stem.with_suffix(ending) if stem.name else stem, _ENDINGS)
    return stem


def save(figure: Figure | Axes, stem: str | Path) -> None:
    """
    Write a figure as PNG and as SVG.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or matplotlib.axes.Axes
        The figure, or one of its axes, such as `curves` returns.
    stem : path
        Path of the files without ending; `.png` or `.svg` at its end is dropped.
    """
    whole = figure if isinstance(figure, Figure) else figure.figure
    drawn = svg(whole)
    # The PNG reuses the layout, whose computation takes as long as drawing.
    whole.set_layout_engine("none")
    place = Path(stem)
    name = place.stem if place.suffix in (".png", ".svg") else place.name
    files.replace_file(place.with_name(f"{name}.png"), png(whole))
    files.replace_file(place.with_name(f"{name}.svg"), drawn)
