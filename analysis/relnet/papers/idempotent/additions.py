# SPDX-License-Identifier: GPL-2.0-only
"""
The program add: the plain sum of Figure 6, or the prefix sums of section 4.1.

The machine of the default was calibrated with the plain sum. This experiment calibrates one with the prefix sums, on
the buffered columns alone: first the costs of forks and joins on the three cells of add, then one number for each of
the other programs on its own cells. `readings` has the predictions of both.
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import TITLES, TOPOLOGIES

PROGRAMS: dict[str, dict[str, str]] = {"plain sum": {}, "prefix sums": {"addvariant": "prefix"}}
"""Programs of add on the default machine: the one of Figure 6, and the one of section 4.1."""

FITTED = "prefix sums, fitted"
"""Name of the second program on a machine that is calibrated with it."""

MACHINES = tuple(
    f"ForkTime={time} ThreadStartTime={time // 2} ForkWords={fork} JoinWords={join}"
    for time in (2, 4, 6, 8)
    for fork in (6, 8, 12)
    for join in (3, 4, 6)
)
"""
Tested machines. On the default one a fork takes 14 cycles and 12 words, a thread starts in 8 cycles, and a join takes 6
words. Prefix sums need a faster one, since they traverse the tree of threads once more.
"""

KINDS = {"buffered": "buf", "lossy": "idem"}
"""Routers, with their names in the published data."""


@dataclass(frozen=True)
class Refit:
    """
    A number of another program that is calibrated anew on the fitted machine.

    Attributes
    ----------
    name : str
        Name: a parameter of the scenario in lower case, or a constant of the parameter Constants.
    benchmark : str
        The program.
    topologies : tuple of str
        Topologies of its cells.
    values : tuple of int
        Tested values, the default among them.
    """

    name: str
    benchmark: str
    topologies: tuple[str, ...]
    values: tuple[int, ...]

    def given(self, machine: str, value: int) -> dict[str, str]:
        """Parameters of a run with a value."""
        if self.name.islower():
            return {"constants": machine, self.name: str(value)}
        return {"constants": f"{machine} {self.name}={value}"}


REFITS = (
    Refit("channelsperleaf", "reverse", ("fattree",), (4, 5, 6, 7, 8)),
    Refit("CountTime", "quicksort", tuple(TOPOLOGIES), (52, 58, 64, 70)),
    Refit("ComputeTime", "nbody", tuple(TOPOLOGIES), (2500, 3000, 3500, 4000)),
)
"""Channels of a leaf, the time of a comparison, and that of an iteration: one number for each other program."""


FOUND_MACHINE = "ForkTime=6 ThreadStartTime=3 ForkWords=6 JoinWords=4"
"""The fitted machine, which `fit` finds."""

FOUND = {"channelsperleaf": 6, "CountTime": 70, "ComputeTime": 3000}
"""The fitted numbers of the other programs, which `refits` finds."""


def _off(benchmark: str, topologies: tuple[str, ...], times: list[float]) -> float:
    """Mean deviation of the buffered cells of a program from the published values."""
    published = claims.published_values(setup.NAME)
    values = [published[f"E-T2a-{benchmark}-{TOPOLOGIES[topology]}-buf"] for topology in topologies]
    return sum(abs(time / value - 1) for time, value in zip(times, values, strict=True)) / len(values)


def _groups(times: list[float], size: int) -> list[list[float]]:
    return [times[start : start + size] for start in range(0, len(times), size)]


def fit(frame: pd.DataFrame) -> str:
    """
    Find the machine with which the prefix sums are closest to the buffered cells of add.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs of the experiment, the first ones at least, in the order of the points.

    Returns
    -------
    str
        Its constants.
    """
    begin = len(PROGRAMS) * len(TOPOLOGIES) * len(KINDS)
    runs = _groups(setup.times(frame)[begin : begin + len(MACHINES) * len(TOPOLOGIES)], len(TOPOLOGIES))
    return min(zip(MACHINES, runs, strict=True), key=lambda pair: _off("add", tuple(TOPOLOGIES), pair[1]))[0]


def refits(frame: pd.DataFrame) -> dict[str, int]:
    """
    Find the numbers of the other programs on that machine.

    Parameters
    ----------
    frame : pandas.DataFrame
        All runs of the experiment, in the order of the points.

    Returns
    -------
    dict of str to int
        The value with the smallest mean deviation of the buffered cells of its program, by name.
    """
    times = setup.times(frame)
    end = len(times)
    found = {}
    for one in reversed(REFITS):
        size = len(one.topologies)
        begin = end - len(one.values) * size
        runs = zip(one.values, _groups(times[begin:end], size), strict=True)
        found[one.name] = min(runs, key=lambda pair: _off(one.benchmark, one.topologies, pair[1]))[0]
        end = begin
    return dict(reversed(found.items()))


def _points(scale: Scale) -> list[Point]:
    given = [
        run(scale, "add", topology, **program)
        for program in PROGRAMS.values()
        for topology in TOPOLOGIES
        for run in (setup.buffered, setup.cell)
    ]
    return given + [
        setup.buffered(scale, "add", topology, addvariant="prefix", constants=machine)
        for machine in MACHINES
        for topology in TOPOLOGIES
    ]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    machine = fit(frame)
    return [
        *(setup.cell(scale, "add", topology, addvariant="prefix", constants=machine) for topology in TOPOLOGIES),
        *(
            setup.buffered(scale, one.benchmark, topology, **one.given(machine, value))
            for one in REFITS
            for value in one.values
            for topology in one.topologies
        ),
    ]


def _rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Rows of the table: cycles of each program on both networks, published ones, and ratios."""
    published = claims.published_values(setup.NAME)
    times = setup.times(frame)
    count = len(TOPOLOGIES)
    begin = len(PROGRAMS) * count * len(KINDS)
    first = begin + MACHINES.index(fit(frame)) * count
    last = begin + len(MACHINES) * count
    pairs = [*_groups(times[:begin], 2), *zip(times[first : first + count], times[last : last + count], strict=True)]
    names = [(title, topology) for title in (*PROGRAMS, FITTED) for topology in TOPOLOGIES]
    rows = []
    for (title, topology), pair in zip(names, pairs, strict=True):
        row: dict[str, object] = {"program": title, "topology": TITLES[topology]}
        for (router, kind), cycles in zip(KINDS.items(), pair, strict=True):
            value = published[f"E-T2a-add-{TOPOLOGIES[topology]}-{kind}"]
            row[f"{router}: cycles"] = cycles
            row[f"{router}: published"] = value
            row[f"{router}: ratio"] = cycles / value
        rows.append(row)
    return rows


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = pd.DataFrame(_rows(frame))
    parts = dict(iter(table.groupby("program", sort=False)))
    told = []
    for title, part in parts.items():
        ends = [
            f"{part[f'{router}: ratio'].min():.2f} to {part[f'{router}: ratio'].max():.2f} of the published time on "
            f"the {router} network"
            for router in KINDS
        ]
        told.append(f"{title[0].upper()}{title[1:]}: {', '.join(ends)}.")
    grids = {title: part.set_index("topology")["buffered: cycles"] for title, part in parts.items()}
    apart = ", ".join(f"{cycles['2D grid'] - cycles['3D grid']:.0f} ({title})" for title, cycles in grids.items())
    found = refits(frame)
    others = ", ".join(f"{name} {value}" for name, value in found.items())
    same = "" if (fit(frame), found) == (FOUND_MACHINE, FOUND) else " That part has other numbers, of an earlier fit."
    text = (
        "Section 4.1 calls add a parallel prefix addition, but the program in Figure 6 is a sum. The default is the "
        "sum, with which the machine was calibrated: a departure from the words of section 4.1. " + " ".join(told),
        f"The last program has the one of {len(MACHINES)} machines that fits the buffered cells of add best: "
        f"{fit(frame)}. On it, the buffered cells of the other programs are fitted best by {others}. Idempotent cells "
        f"were not used. The part on readings of the programs has the predictions with these numbers.{same}",
        "Prefix sums traverse the tree of threads three times, a sum twice. The published times of the 2D and the 3D "
        f"grid differ by 169 cycles, two diameters of a mesh; the simulated ones by {apart}.",
    )
    return Outcome(table, None, table.round(2), text)


def _command(scale: Scale) -> list[str]:
    buffered = {"router": "buffered"}
    lossy = {"router": "lossy", **setup.BEST, **setup.TABLES}
    lines = []
    for network, machines in ((buffered, MACHINES), (lossy, (FOUND_MACHINE,))):
        for program in PROGRAMS.values():
            lines += setup.sweep_command(scale, ("add",), **network, **program)
        prefix = {"addvariant": "prefix", "constants": ",".join(machines)}
        lines += setup.sweep_command(scale, ("add",), **network, **prefix)
    for one in REFITS:
        for value in one.values:
            given = buffered | one.given(FOUND_MACHINE, value)
            lines += setup.sweep_command(scale, (one.benchmark,), topologies=one.topologies, **given)
    return lines


ADDITION = Experiment(
    "prefix-sums",
    "The program add: sum or prefix sums",
    "Section 4.1",
    _points,
    _render,
    _command,
    further=_further,
)
