# SPDX-License-Identifier: GPL-2.0-only
"""Durations of experiments, measured in each reproduction to estimate the remaining time of the next."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from relnet import build
from relnet.records.files import write_frame

FILE = "durations.csv"
_COLUMNS = ("experiment", "scale", "seconds")
_SCALES = ("published", "quick")


def _read(path: Path, scale: str) -> dict[str, float]:
    """Durations of one scale by experiment, from a file; empty if it cannot be read."""
    try:
        with open(path, newline="", encoding="utf-8") as source:
            return {row["experiment"]: float(row["seconds"]) for row in csv.DictReader(source) if row["scale"] == scale}
    except (OSError, KeyError, ValueError):
        return {}


class Durations:
    """
    Durations of the experiments of a reproduction, and the remaining time.

    The estimate of an experiment is its last duration in this folder, else its duration in `doc/durations.csv` of a
    clone, else the mean of the others. Estimates are scaled by the measured durations so far.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the results.
    scale : str
        Scale of the reproduction.
    experiments : iterable of str
        Experiments to run, as `PAPER/KEY`.
    """

    def __init__(self, folder: Path, scale: str, experiments: Iterable[str]) -> None:
        self._path = folder / FILE
        self._scale = scale
        self._measured: dict[str, float] = {}
        self._done: set[str] = set()
        self._computed = 0
        self._resumed = False
        root = build.clone()
        known = (_read(root / "doc" / FILE, scale) if root else {}) | _read(self._path, scale)
        wanted = list(experiments)
        told = [known[name] for name in wanted if name in known]
        mean = sum(told) / len(told) if told else 1.0
        self._expected = {name: known.get(name, mean) for name in wanted}

    def add(self, experiment: str, seconds: float, computed: int, cached: int) -> None:
        """
        Add the duration of an experiment, and update the file.

        Parameters
        ----------
        experiment : str
            The experiment.
        seconds : float
            Duration [s].
        computed, cached : int
            Numbers of runs computed and read from disk. If more are read than this reproduction computed, they are from
            an earlier one, and later durations are too short to be recorded.
        """
        self._done.add(experiment)
        self._computed += computed
        self._resumed |= cached > self._computed
        if self._resumed:
            return
        self._measured[experiment] = seconds
        rows = {(name, scale): known for scale in _SCALES for name, known in _read(self._path, scale).items()}
        rows[experiment, self._scale] = round(seconds, 1)
        frame = pd.DataFrame([(*key, known) for key, known in rows.items()], columns=list(_COLUMNS))
        write_frame(frame, self._path)

    @property
    def left(self) -> float:
        """Remaining time [s]."""
        ahead = sum(seconds for name, seconds in self._expected.items() if name not in self._done)
        expected = sum(self._expected[name] for name in self._measured)
        return ahead * sum(self._measured.values()) / expected if expected else ahead


def text(seconds: float) -> str:
    """Format a remaining time: seconds below a minute and a half, minutes above."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
