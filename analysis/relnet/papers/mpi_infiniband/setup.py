# SPDX-License-Identifier: GPL-2.0-only
"""Six combinations of transport and reliability, and seven data sets on 512 ranks (section 8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Point, Scale

OSU = "mpi-osu"
"""The scenario of the microbenchmarks (section 8.2)."""

APPLICATION = "mpi-application"
"""The scenario of the applications (section 8.3)."""

NAME = "mpi-infiniband"
"""Name of the paper."""


@dataclass(frozen=True)
class Combination:
    """
    A transport with or without reliability in software (section 8).

    Attributes
    ----------
    transport, reliability : str
        Values of the scenarios' parameters.
    """

    transport: str
    reliability: str

    @property
    def label(self) -> str:
        """Name in the paper."""
        return f"{self.transport}-{self.reliability}"

    @property
    def row(self) -> str:
        """Name in the ids of the published data."""
        return f"{self.transport}-{'Rel' if self.reliable else 'Native'}"

    @property
    def reliable(self) -> bool:
        """Whether it has reliability in software."""
        return self.reliability == "Reliable"

    @property
    def parameters(self) -> dict[str, str]:
        """As on a command line."""
        return {"transport": self.transport, "reliability": self.reliability}


COMBINATIONS = tuple(
    Combination(transport, reliability) for transport in ("RC", "UC", "UD") for reliability in ("Native", "Reliable")
)
"""The six configurations (section 8)."""

LABELS = tuple(combination.label for combination in COMBINATIONS)
"""Names in the paper."""

RC_NATIVE, RC_RELIABLE, UC_NATIVE, UC_RELIABLE, UD_NATIVE, UD_RELIABLE = LABELS

RATES = ("SDR", "DDR")
"""Link rates; the paper does not state that of its cluster (C-amb-12)."""

NAMD = ("apoa1", "er-gre", "flatpase", "jac2000")
"""Data sets of NAMD, Table 2 and Figure 5."""

LAMMPS = ("chain", "eam", "rhodo")
"""Data sets of LAMMPS, Table 3 and Figure 6."""

TABLES = dict.fromkeys(NAMD, "T2") | dict.fromkeys(LAMMPS, "T3")
"""Tables of the data sets in the published data."""

SETS = (*NAMD, *LAMMPS)
"""All data sets."""

RANKS = 512
"""Processes (section 8.3)."""

ROWS = {
    "FC-ACK": "flow-control ACKs",
    "REL-ACK": "reliability ACKs",
    "MEM-MB": "memory [MB]",
    "QLEN": "queue length",
}
"""Rows of Tables 2 and 3 for each combination, by the ids of the published data."""


def published(name: str, combination: Combination, row: str) -> float | None:
    """
    Look up a published cell of Table 2 or 3.

    Parameters
    ----------
    name : str
        The data set.
    combination : Combination
        Transport and reliability.
    row : str
        One of `ROWS`.

    Returns
    -------
    float or None
        None if the table has no such cell.
    """
    return _PUBLISHED.get(identity(name, combination, row))


def identity(name: str, combination: Combination, row: str) -> str:
    """The id of a cell of Table 2 or 3."""
    return f"C-{TABLES[name]}-{combination.row}-{row}-{name}"


def general(name: str, row: str) -> float:
    """A published cell of the general rows: `rate` [1/s], `vol` [MB/s] or `peers`, each of one process."""
    return _PUBLISHED[f"C-{TABLES[name]}-gen-{row}-{name}"]


def names() -> dict[str, str]:
    """Descriptions of the numbers of Tables 2 and 3, by id."""
    general_rows = {"rate": "messages per second", "vol": "volume", "peers": "peers"}
    told = {
        f"C-{TABLES[name]}-gen-{row}-{name}": f"{name}: {meaning} of a process"
        for name in SETS
        for row, meaning in general_rows.items()
    }
    return told | {
        identity(name, combination, row): f"{name}, {combination.label}: {meaning} of a process"
        for name in SETS
        for combination in COMBINATIONS
        for row, meaning in ROWS.items()
    }


def label_runs(frame: pd.DataFrame) -> pd.DataFrame:
    """Add a column `combination` with the paper's name of transport and reliability."""
    return frame.assign(combination=frame["transport"] + "-" + frame["reliability"])


def point(combination: Combination, seed: int = 1, cost: float = 1.0, **parameters: Any) -> Point:
    """
    Make a run.

    Parameters
    ----------
    combination : Combination
        Transport and reliability.
    seed : int
        Seed.
    cost : float
        Time relative to the other runs.
    **parameters
        Parameters as on a command line.
    """
    return Point({**combination.parameters, **parameters}, seed, cost)


DURATIONS = {"apoa1": 1.8, "er-gre": 0.37, "flatpase": 2.92, "jac2000": 0.45}
"""
Time of RC-Native's time steps with NAMD at the published scale [s]: 110 of them, so that one message per step in one
direction causes ten flow-control ACKs over UC and two over UD.
"""

LAMMPS_DURATIONS = {"chain": 2.4, "eam": 5.6, "rhodo": 4.9}
"""Approximate time of RC-Native with LAMMPS at the published scale [s], which determines the order of the runs."""

LOOP = {"startup": "false"}
"""
Parameter of runs of NAMD's time steps alone: of parts of Table 2's runs, which the start-up would dominate, and whose
computation is calibrated on the time steps.
"""

FEW_STEPS = 18
"""Time steps of LAMMPS in partial runs: two neighbour lists of rhodo."""

TIMEOUT = 96_000_000
"""
t_timeout [ns], which the paper does not state: twice MVAPICH's timeout of the progress engine of 48 ms, since an ACK is
due after half of t_timeout (section 6.2). It was decided after runs of RC-Native and Figure 4, such that a run has
several ACKs.
"""

SEEDED = ("er-gre", "jac2000")
"""
Data sets of NAMD with a second seed. With a second seed, times of the others, apoa1 and flatpase, differed by at most
1.3 and 0.4 %, and their ACKs by at most 0.1 %.
"""

QUICK_NODES = 4
"""Nodes at reduced scale."""

QUICK_MESSAGES = 200
"""Messages of a process of NAMD at reduced scale."""

STEPS = 100
"""Time steps of LAMMPS: the whole `run 100` of all three decks."""

QUICK_STEPS = 9
"""Time steps of LAMMPS at reduced scale: one neighbour list of each data set."""


def application_parameters(scale: Scale, name: str) -> dict[str, Any]:
    """Parameters of a run of a data set, without transport and reliability."""
    nodes = QUICK_NODES if scale.quick else RANKS // 8
    duration = round(QUICK_MESSAGES / general(name, "rate"), 3) if scale.quick else DURATIONS.get(name, 0.0)
    steps = QUICK_STEPS if scale.quick else STEPS
    return {"dataset": name, "timeout": TIMEOUT, "nodes": nodes, **length(name, duration, steps)}


def length(name: str, duration: float, steps: int = FEW_STEPS) -> dict[str, Any]:
    """Parameter for the length of a run: a duration [s] for NAMD, time steps for LAMMPS."""
    return {"duration": duration} if name in NAMD else {"runsteps": steps}


def application(scale: Scale, name: str, combination: Combination, seed: int = 1, **more: Any) -> Point:
    """
    Make a run of a data set.

    Parameters
    ----------
    scale : Scale
        Scale, which determines nodes and duration.
    name : str
        The data set.
    combination : Combination
        Transport and reliability.
    seed : int
        Seed.
    **more
        Further parameters.
    """
    cost = general(name, "rate") * (DURATIONS | LAMMPS_DURATIONS)[name] * (1.5 if combination.reliable else 1)
    return point(combination, seed, cost, **(application_parameters(scale, name) | more))


def beside(points: Sequence[Point], frame: pd.DataFrame, labels: Sequence[str]) -> list[Point]:
    """
    Make the runs of other combinations with the computation of RC-Native, which is calibrated, or LAMMPS's published
    one.

    Parameters
    ----------
    points : sequence of Point
        The runs of RC-Native.
    frame : pandas.DataFrame
        Their results in the same order.
    labels : sequence of str
        The other combinations.
    """
    runs = list(zip(points, frame.to_dict("records"), strict=True))
    return [
        Point(
            {**point.parameters, **COMBINATIONS[LABELS.index(label)].parameters, "compute": round(run["StepCompute"])},
            point.seed,
            point.cost,
        )
        for point, run in runs
        if run["Verdict"] == "completed"
        for label in labels
    ]


def seeds(scale: Scale) -> range:
    """Seeds from 1, at most two, since a run of 512 ranks is long."""
    return range(1, min(2, scale.seeds) + 1)


def command(scenario: str, values: Mapping[str, Any], seeds: int = 1) -> str:
    """Command that repeats a sweep; a tuple of values is written as a list."""
    lists = {key: ",".join(map(str, value)) if isinstance(value, tuple) else value for key, value in values.items()}
    words = [f"{key}={value}" for key, value in lists.items()]
    return " ".join(["relnet sweep", scenario, *words, *([f"--seeds {seeds}"] if seeds > 1 else [])])


ALL = {"transport": ("RC", "UC", "UD"), "reliability": ("Native", "Reliable")}
"""All combinations, as `command` takes them."""

_PUBLISHED = claims.published_values(NAME)
