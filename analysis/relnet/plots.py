# SPDX-License-Identifier: GPL-2.0-only
"""
Plots in one style: colours that the colour-blind can tell apart, units on the axes, published points beside simulated.

Figures are made without pyplot, so that nothing here changes what a notebook or a user's own script has set up.
"""

from __future__ import annotations

import base64
import io
import math
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, FuncFormatter, LogFormatter, LogLocator, NullFormatter

from relnet.errors import RelnetError

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#5B5B5B")
"""Okabe and Ito's, for the curves of one panel in turn."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""Markers of the same curves, for prints in grey."""

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
    """A figure that shows itself in a notebook, whatever has been set up there."""

    def _repr_png_(self) -> bytes:
        return png(self, 96)


def style():
    """A context in which matplotlib has the style of this package."""
    return matplotlib.rc_context(STYLE)


def panels(rows: int, columns: int, width: float = 10.0, height: float = 2.3) -> tuple[Figure, list[list[Axes]]]:
    """
    A figure of panels; call it within `style()`.

    Parameters
    ----------
    rows, columns : int
        How many.
    width : float
        Of the figure [inches].
    height : float
        Of each row [inches].

    Returns
    -------
    tuple
        The figure, and its axes as a list of rows.
    """
    figure = Picture(figsize=(width, height * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    return figure, [list(row) for row in axes]


def cycles_axis(axes: Axes) -> None:
    """Write large numbers of cycles as 500k or 2.5M."""
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.yaxis.set_minor_formatter(NullFormatter())


def from_zero(axes: Axes) -> None:
    """Let a linear vertical axis begin at zero, and leave room above the highest point, if there is any."""
    highest = axes.dataLim.ymax
    axes.set_ylim(0, max(axes.get_ylim()[1], 1.06 * highest) if math.isfinite(highest) else None)


def curves(
    frame: pd.DataFrame,
    x: str,
    y: str,
    by: str | None = None,
    axes: Axes | None = None,
    labels: Iterable[str] | None = None,
) -> Axes:
    """
    Draw a result against a parameter: mean over the seeds as a line, and the band from the least to the greatest.
    The axis of the result has its unit.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `relnet.sweep`.
    x, y : str
        The column of the parameter and of the result.
    by : str, optional
        A column; one curve for each of its values.
    axes : matplotlib.axes.Axes, optional
        Where to draw; a new figure without it.
    labels : iterable of str, optional
        Column whose values label the curves.

    Returns
    -------
    matplotlib.axes.Axes
        The axes drawn on; their `figure` shows itself in a notebook.
    """
    with style():
        if axes is None:
            axes = panels(1, 1, width=5.5, height=3.2)[1][0][0]
        groups = [("", frame)] if by is None else list(frame.groupby(by, sort=False))
        names = [str(name) for name, _ in groups] if labels is None else list(labels)
        for index, ((_, group), name) in enumerate(zip(groups, names, strict=True)):
            spread = group.groupby(x)[y].agg(["mean", "min", "max"])
            colour = COLOURS[index % len(COLOURS)]
            marker = MARKERS[index % len(MARKERS)] if len(spread) <= 12 else None
            axes.plot(spread.index, spread["mean"], color=colour, marker=marker, label=name or None)
            if (spread["max"] > spread["min"]).any():
                axes.fill_between(spread.index, spread["min"], spread["max"], color=colour, alpha=0.15, linewidth=0)
        axes.set_xlabel(x)
        unit = frame.attrs.get("units", {}).get(y, "")
        axes.set_ylabel(f"{y} [{unit}]" if unit else y)
        if by is not None and groups:
            axes.legend(title=by)
    return axes


def bars(
    axes: Axes,
    names: Sequence[str],
    series: Sequence[tuple[str, Sequence[float], Sequence[tuple[float, float]] | None]],
    published: Sequence[Sequence[float]] | None = None,
) -> None:
    """
    Draw groups of bars, with the published values on them.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Where to draw.
    names : sequence of str
        The groups.
    series : sequence of (str, sequence of float, sequence of (float, float) or None)
        For each bar of a group: its name, its heights, and the least and greatest of what each is the mean of.
    published : sequence of sequence of float, optional
        For each bar of a group, its published heights.
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


def legend_above(figure: Figure, axes: Axes) -> None:
    """Put the legend of one panel above all panels, where it hides nothing, in as many rows as it needs."""
    handles, names = axes.get_legend_handles_labels()
    # A character of the legend's font is some 0.075 inches wide, line and gap of an entry another 0.6.
    width = sum(0.075 * len(name) + 0.6 for name in names)
    rows = math.ceil(width / figure.get_figwidth())
    figure.legend(handles, names, loc="outside upper center", ncols=max(1, math.ceil(len(names) / max(1, rows))))


def sign(figure: Figure, text: str) -> None:
    """Write the origin of a figure below it, in small letters."""
    figure.supxlabel(text, x=0.995, ha="right", fontsize=6, color="#777777")


def _label_short_decades(figure: Figure) -> None:
    """
    Label a logarithmic axis of less than two decades at 1, 2 and 5 of each, or at more places if these are too few;
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


def png(figure: Figure, resolution: int = 144) -> bytes:
    """A figure as PNG, with a resolution in dots per inch."""
    buffer = io.BytesIO()
    with style():
        _label_short_decades(figure)
        figure.savefig(buffer, format="png", dpi=resolution, metadata={"Software": None})
    return buffer.getvalue()


def svg(figure: Figure) -> bytes:
    """A figure as SVG, the same bytes each time."""
    buffer = io.BytesIO()
    with style():
        _label_short_decades(figure)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def data_uri(drawn: bytes) -> str:
    """A figure, as SVG, as the source of an image in a page that stands alone."""
    return "data:image/svg+xml;base64," + base64.b64encode(drawn).decode("ascii")


def replace_file(path: Path, content: bytes) -> None:
    """
    Write a file so that a reader sees the old content or the new, never a part of it.

    Parameters
    ----------
    path : pathlib.Path
        The file; its folder exists.
    content : bytes
        All of it.

    Raises
    ------
    RelnetError
        If it cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    except BaseException:
        os.unlink(temporary)
        raise


def save(figure: Figure, stem: Path) -> bytes:
    """
    Write a figure as PNG and as SVG.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    stem : pathlib.Path
        The files' path without its ending.

    Returns
    -------
    bytes
        The SVG.
    """
    drawn = svg(figure)
    replace_file(stem.with_suffix(".png"), png(figure))
    replace_file(stem.with_suffix(".svg"), drawn)
    return drawn
