# SPDX-License-Identifier: GPL-2.0-only
"""Progress bars of runs and sweeps, in a terminal and in a notebook."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from types import TracebackType
from typing import Any

PATIENCE = 2.0
"""Time before a run shows its progress bar [s]."""


_COLUMNS = 100
"""Width of a bar in a notebook [characters]."""


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def wanted(show: bool | None) -> bool:
    """Whether to show a progress bar."""
    if show is not None:
        return show
    if _in_notebook():
        return True
    return sys.stderr is not None and sys.stderr.isatty()


class _CellOutput:
    """
    Output of a cell of a notebook for a bar, which each text replaces.

    A bar that is removed leaves an empty output. A widget of tqdm would leave its first picture, 0 %, in a stored
    notebook.
    """

    def __init__(self) -> None:
        self._handle: Any = None

    def write(self, text: str) -> None:
        """Show a text in place of the last one."""
        from IPython.display import display  # only a notebook has it

        shown = {"text/plain": text.replace("\r", "").strip()}
        if self._handle is not None:
            self._handle.update(shown, raw=True)
        elif shown["text/plain"]:
            self._handle = display(shown, raw=True, display_id=True)

    def flush(self) -> None:
        """Each text is shown at once."""


def _bar(**options: Any) -> Any:
    from tqdm import tqdm  # slow, and only a bar needs it

    place = {"file": _CellOutput(), "ncols": _COLUMNS} if _in_notebook() else _size()
    # With a delay, tqdm draws no bar before its first update.
    return tqdm(leave=False, delay=1e-9, **place, **options)


def _size() -> dict[str, Any]:
    """Size of the terminal for tqdm, which shows no bar if the terminal reports size 0, as in some containers."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        size = os.get_terminal_size(sys.stderr.fileno())
        if 0 in size:
            return {"ncols": size.columns or 80, "nrows": size.lines or 24}
    return {"dynamic_ncols": True}


class RunBar:
    """
    Progress bar of one run, shown after two seconds.

    Parameters
    ----------
    name : str
        Name of the run.
    show : bool, optional
        Whether to show the bar; by default in a terminal and in a notebook.
    """

    def __init__(self, name: str, show: bool | None = None) -> None:
        self._name = name
        self._show = wanted(show)
        self._start = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> RunBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def update(self, done: float, total: float, unit: str) -> None:
        """
        Update the bar.

        Parameters
        ----------
        done, total : float
            Completed and total amount of work (zero if unknown).
        unit : str
            Unit of both; empty if the run reports no progress.
        """
        if not self._show or time.monotonic() - self._start < PATIENCE:
            return
        if self._bar is None:
            self._bar = _bar(desc=self._name, unit_scale=True, bar_format="{desc}: running for {elapsed}")
            self._bar.start_t -= time.monotonic() - self._start
        if unit:
            self._bar.bar_format = None
            self._bar.unit = f" {unit}"
            self._bar.total = total or None
            self._bar.n = done
        self._bar.refresh()


class SweepBar:
    """
    Progress bar of a sweep, with rate and remaining time; running points count in part.

    Parameters
    ----------
    name : str
        Name of the sweep.
    total : int
        Number of points.
    show : bool, optional
        Whether to show the bar; by default in a terminal and in a notebook.
    """

    def __init__(self, name: str, total: int, show: bool | None = None) -> None:
        self._lock = threading.Lock()
        self._parts: dict[int, float] = {}
        self._done = 0
        self._total = total
        self._bar = None
        if wanted(show):
            layout = (
                "{desc}: {percentage:3.0f}%|{bar}| {n:.1f}/{total_fmt} [{elapsed}<{remaining}, {rate_fmt}{postfix}]"
            )
            self._bar = _bar(desc=name, total=total, unit="run", bar_format=layout, mininterval=0.1)

    def part(self, index: int, done: float, total: float) -> None:
        """Update the progress of the running point `index`."""
        with self._lock:
            if total > 0:
                self._parts[index] = min(done / total, 1.0)
            self._draw()

    def finish(self, index: int, **counts: int) -> None:
        """Complete the point `index`, and show the counts of cached and failed points."""
        with self._lock:
            self._parts.pop(index, None)
            self._done += 1
            if self._bar is not None:
                told = {what: count for what, count in counts.items() if count and what != "computed"}
                self._bar.set_postfix(told, refresh=False)
            self._draw()

    def _draw(self) -> None:
        if self._bar is not None:
            gain = self._done + sum(self._parts.values()) - self._bar.n
            if gain > 0:
                self._bar.update(gain)
            # tqdm skips updates in quick succession; the last one is always drawn.
            if gain <= 0 or self._done == self._total:
                self._bar.refresh()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
