# SPDX-License-Identifier: GPL-2.0-only
"""Curves of a figure as data, for a page that shows values under the mouse and chooses panels by a slider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedFormatter, FixedLocator

_POINTS = 3
"""Number of points of a curve; figures of shorter lines are no curves."""
_DIGITS = 5
"""Significant digits of the data."""
_DASHES = {"-": "solid", "--": "dash", ":": "dot", "-.": "dashdot", "None": ""}
"""Names of line styles on the page; a curve of points alone has none."""


def panels(figure: Figure) -> list[dict[str, Any]]:
    """
    Curves of a figure.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.

    Returns
    -------
    list of dict
        `title`, axes `x` and `y` and `lines` of each panel; empty if the figure has other contents than curves.
    """
    drawn = [axes for axes in figure.axes if axes.get_visible() and any(_curves(axes))]
    if not drawn or any(axes.patches or axes.images for axes in figure.axes):
        return []
    if max(len(line.get_xdata()) for axes in drawn for line in _curves(axes)) < _POINTS:
        return []
    names = {_style(line): _label(line) for axes in drawn for line in _curves(axes) if _label(line)}
    found = [_panel(axes, names) for axes in drawn]
    for which in ("x", "y"):
        common = next((panel[which]["label"] for panel in reversed(found) if panel[which]["label"]), "")
        for panel in found:
            panel[which]["label"] = panel[which]["label"] or common
    return found


def _curves(axes: Axes) -> Iterator[Line2D]:
    """The lines of a panel that are data; those of the whole width or height are not."""
    for line in axes.get_lines():
        if line.get_transform() == axes.transData and len(line.get_xdata()) > 1 and line.get_visible():
            yield line


def _label(line: Line2D) -> str:
    label = str(line.get_label())
    return "" if label.startswith("_") else label


def _style(line: Line2D) -> tuple[str, str, str]:
    """What the legend of another panel identifies a curve by."""
    return to_hex(line.get_color()), line.get_linestyle(), str(line.get_marker())


def _panel(axes: Axes, names: dict[tuple[str, str, str], str]) -> dict[str, Any]:
    title = next((text for place in ("left", "center", "right") if (text := axes.get_title(loc=place))), "")
    return {
        "title": title,
        "x": _axis(axes.xaxis, axes.get_xlabel()),
        "y": _axis(axes.yaxis, axes.get_ylabel()),
        "lines": [_line(line, _label(line) or names.get(_style(line), "")) for line in _curves(axes)],
    }


def _axis(axis: Any, label: str) -> dict[str, Any]:
    """Label and scale of an axis, and its ticks if they have names."""
    told = {"label": label, "log": axis.get_scale() == "log"}
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    if isinstance(locator, FixedLocator) and isinstance(formatter, FixedFormatter):
        told["ticks"] = [float(place) for place in locator.locs]
        told["names"] = [str(name) for name in formatter.seq]
    return told


def _line(line: Line2D, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "colour": to_hex(line.get_color()),
        "dash": _DASHES.get(line.get_linestyle(), "solid"),
        "points": str(line.get_marker()) not in ("None", "", " "),
        "x": _numbers(line.get_xdata()),
        "y": _numbers(line.get_ydata()),
    }


def _numbers(values: Any) -> list[float | None]:
    """Values with few digits; unknown ones are None."""
    floats = np.asarray(values, dtype=float)
    return [float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None for value in floats]
