# SPDX-License-Identifier: GPL-2.0-only
"""Return types of `run`, `sweep` and `matrix`: pandas objects that a notebook displays with units."""

from __future__ import annotations

import html
from typing import Any

import pandas

from relnet.runs.pair_grid import matrix_text


class Results(pandas.Series):
    """Results of a run."""

    @property
    def _constructor(self) -> Any:
        return pandas.Series

    @property
    def _constructor_expanddim(self) -> Any:
        return pandas.DataFrame

    def _repr_html_(self) -> str:
        units = self.attrs.get("units", {})
        rows = "".join(
            f"<tr><td style='text-align:left'>{html.escape(str(name))}</td><td>{html.escape(_text(value))}</td>"
            f"<td style='text-align:left'>{html.escape(units.get(name, ''))}</td></tr>"
            for name, value in self.items()
        )
        given = f"{self.attrs.get('scenario', '')}, seed {self.attrs.get('seed', '')}"
        tables = ", ".join(f"{name} ({len(frame)} rows)" for name, frame in self.attrs.get("tables", {}).items())
        below = f"<p>Tables, by <code>relnet.tables</code>: {html.escape(tables)}</p>" if tables else ""
        return f"<b>{html.escape(given)}</b><table>{rows}</table>{below}"


class _Table(pandas.DataFrame):
    """A frame whose selections are plain pandas objects."""

    @property
    def _constructor(self) -> Any:
        return pandas.DataFrame

    @property
    def _constructor_sliced(self) -> Any:
        return pandas.Series


class Sweep(_Table):
    """Results of a sweep, one row per run."""

    def _repr_html_(self) -> str:
        units = self.attrs.get("units", {})
        shown = self.copy(deep=False)
        shown.columns = [f"{name} [{units[name]}]" if units.get(name) else name for name in self.columns]
        counts = ", ".join(
            f"{what} {self.attrs[what]}" for what in ("computed", "cached", "failed") if what in self.attrs
        )
        told = "; ".join(filter(None, [counts, self.attrs.get("seeds", "")]))
        return f"{shown._repr_html_()}<p>{html.escape(told)}</p>"


class Matrix(_Table):
    """Pairs of network and protocol."""

    def __repr__(self) -> str:
        return matrix_text(list(self.itertuples(index=False, name=None)))

    def _repr_html_(self) -> str:
        first, second = self.columns[:2]
        shown = self.assign(exists=["yes" if exists else "-" for exists in self["exists"]])
        shown[second] = (shown[second] + " " + shown["design"]).str.rstrip()
        grid = shown.pivot(index=second, columns=first, values="exists")
        grid = grid.reindex(index=shown[second].unique(), columns=self[first].unique())
        below = html.escape(repr(self).partition("\n\n")[2])
        return f"{pandas.DataFrame(grid)._repr_html_()}<pre>{below}</pre>"


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
