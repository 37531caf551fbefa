# SPDX-License-Identifier: GPL-2.0-only
"""Durations of experiments: measured in each reproduction, kept beside its results, and used to tell the time left."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from relnet import build
from relnet.output import write_frame

FILE = "durations.csv"
_COLUMNS = ("experiment", "scale", "seconds")
_SCALES = ("published", "quick")


def _read(path: Path, scale: str) -> dict[str, float]:
    """Durations of one scale from a file, by experiment; none if there is no file."""
    try:
        with open(path, newline="", encoding="utf-8") as source:
            return {row["experiment"]: float(row["seconds"]) for row in csv.DictReader(source) if row["scale"] == scale}
    except (OSError, KeyError, ValueError):
        return {}


class Durations:
    """
    Durations of the experiments of a reproduction, and the time left.

    Experiments that have not been measured yet in this folder are expected to take what they took in the reproduction
    that the documents are compared with (`doc/durations.csv` of a clone), otherwise the mean of the others. What was
    expected is scaled by how long the experiments so far have taken.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the results.
    scale : str
        The scale of the reproduction.
    experiments : iterable of str
        The experiments to run, as `PAPER/KEY`.
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
        Take the duration of an experiment, and write those measured so far beside what the file has.

        Parameters
        ----------
        experiment : str
            Which.
        seconds : float
            Its duration [s].
        computed, cached : int
            How many of its runs were computed, and taken from disk. Runs of this experiment and of earlier ones are
            there in any reproduction; more are from a former one, and durations from then on are too short to be kept.
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
        """Time left [s]."""
        ahead = sum(seconds for name, seconds in self._expected.items() if name not in self._done)
        expected = sum(self._expected[name] for name in self._measured)
        return ahead * sum(self._measured.values()) / expected if expected else ahead


def text(seconds: float) -> str:
    """A time left in words: seconds below a minute and a half, minutes above."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
