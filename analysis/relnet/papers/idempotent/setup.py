# SPDX-License-Identifier: GPL-2.0-only
"""
What is run: the benchmarks of section 4.1 on the networks of section 4.2, and the names under which results come
back.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable
from typing import Any

from relnet.papers import Point, Scale

SCENARIO = "idempotent"
"""The scenario's name."""

NAME = "idempotent"
"""The paper, by which its folder and its published data are found."""

NODES = {"add": 4096, "reverse": 1024, "quicksort": 1024, "nbody": 256}
"""Nodes of each benchmark (section 4.1)."""

QUICK_NODES = {"add": 256, "reverse": 64, "quicksort": 64, "nbody": 16}
"""The same for a quick look: powers of four, which a fat tree needs, and squares, which nbody needs."""

TOPOLOGIES = {"grid2d": "2D", "grid3d": "3D", "fattree": "FT"}
"""Topologies (section 4.2), and what they are called in the published data."""

TITLES = {"grid2d": "2D grid", "grid3d": "3D grid", "fattree": "fat tree"}
"""Labels in figures."""

CELLS = tuple(itertools.product(NODES, TOPOLOGIES))
"""The twelve combinations of benchmark and topology."""

FEW = tuple(
    cell for cell in CELLS if cell[0] in ("add", "reverse") or cell in (("quicksort", "grid3d"), ("nbody", "fattree"))
)
"""Cells of studies without a counterpart in the paper: the two dear benchmarks on one topology each."""

DEAR = ("quicksort", "nbody")
"""Benchmarks whose runs take nearly all of the time."""

CHEAP = tuple(cell for cell in CELLS if cell[0] not in DEAR)
"""The cells of the other benchmarks, one under a light load and one under a heavy one."""

COSTS = {
    ("add", "grid2d"): 0.1,
    ("add", "grid3d"): 0.1,
    ("add", "fattree"): 0.1,
    ("reverse", "grid2d"): 14.0,
    ("reverse", "grid3d"): 4.8,
    ("reverse", "fattree"): 2.3,
    ("quicksort", "grid2d"): 59.0,
    ("quicksort", "grid3d"): 29.0,
    ("quicksort", "fattree"): 30.0,
    ("nbody", "grid2d"): 26.0,
    ("nbody", "grid3d"): 22.0,
    ("nbody", "fattree"): 30.0,
}
"""About how many hops a run takes [millions]; it decides only which runs are started first."""

ORDER_SEEDS = 2
"""
Seeds of the runs that serve heads in random order. The dear benchmarks have none: when nbody, and quicksort on the fat
tree, were run so, times differed by up to 2.1 % from those with heads served in turn, which the part on open choices
has; on the grids, those of quicksort by 4 and 5 % from those with the default.
"""

ORDER_TEXT = (
    "quicksort and nbody are not run with it, since times differed by up to 2.1 % from those with heads served in turn "
    "where both were run"
)
"""What the report says of them."""

BEST = {"backoff": "quadratic", "c": 3}
"""The retransmission strategy that section 4.3 settles on."""

TABLES = {"sendtable": 16, "receivetable": 32}
"""The table sizes of the comparison (section 4.5)."""

CYCLES = "Cycles"
"""Result: time to the last delivery or the end of the last block."""

SLOW_CYCLES = "SlowCycles"
"""Result: the same in cycles of the slower clock of Table 2b."""

TRANSMISSIONS = "TransmissionsPerMessage"
"""Result: how often the MSG of a message is sent (Figure 10)."""

PACKETS = "PacketsPerMessage"
"""Result: how many packets of all kinds are sent for a message (section 6)."""

DATA_SEEDS = (8, 1, 2, 3, 4)
"""Where the random vectors of the tables start: the scenario's default, which is the calibrated one, and others."""

DATA_DRIVEN = ("quicksort",)
"""Benchmarks whose messages depend on their data; the others send the same whatever the numbers are."""


UNREADABLE = (
    "The text of the paper that was at hand has no number of this figure, so the curves are judged by what the text "
    "says of them, and by the one value of each that Table 2a prints."
)
"""How figures without numbers are judged."""


def nodes(benchmark: str, scale: Scale) -> int:
    """The nodes that a benchmark gets."""
    return (QUICK_NODES if scale.quick else NODES)[benchmark]


def cell(scale: Scale, benchmark: str, topology: str, seed: int = 1, factor: float = 1.0, **more: Any) -> Point:
    """
    A run of the idempotent protocol with the settings of section 4.5.

    Parameters
    ----------
    scale : Scale
        Decides the number of nodes.
    benchmark, topology : str
        Which cell of Table 2a.
    seed : int
        The seed.
    factor : float
        Time of the run relative to the settings of section 4.5.
    **more
        Parameters that differ.
    """
    parameters = {
        "benchmark": benchmark,
        "topology": topology,
        "nodes": nodes(benchmark, scale),
        "router": "lossy",
        **BEST,
        **TABLES,
        **more,
    }
    return Point(parameters, seed, COSTS[benchmark, topology] * factor)


def buffered(scale: Scale, benchmark: str, topology: str, seed: int = 1, **more: Any) -> Point:
    """A run on the buffered network (section 4.5)."""
    parameters = {
        "benchmark": benchmark,
        "topology": topology,
        "nodes": nodes(benchmark, scale),
        "router": "buffered",
        **more,
    }
    return Point(parameters, seed, COSTS[benchmark, topology] * 0.1)


def seeds(scale: Scale, most: int | None = None) -> range:
    """The seeds to take, from 1."""
    return range(1, (scale.seeds if most is None else min(most, scale.seeds)) + 1)


def order_seeds(scale: Scale) -> range:
    """The seeds of runs that serve heads in random order."""
    return seeds(scale, ORDER_SEEDS)


def order_commands(scale: Scale, **more: Any) -> list[str]:
    """The commands that repeat these runs."""
    benchmarks = tuple(dict.fromkeys(benchmark for benchmark, _ in CHEAP))
    return sweep_command(scale, benchmarks, len(order_seeds(scale)), **more, serviceorder="random")


def listed_command(scale: Scale, cells: Iterable[tuple[str, str]], seeds: int = 1, **more: Any) -> list[str]:
    """
    The commands that repeat a sweep over some cells.

    Parameters
    ----------
    scale : Scale
        Decides the number of nodes.
    cells : iterable of tuple of str
        Benchmarks and topologies.
    seeds : int
        How many seeds.
    **more
        Further parameters, as on a command line.
    """
    by_benchmark: dict[str, list[str]] = {}
    for benchmark, topology in cells:
        by_benchmark.setdefault(benchmark, []).append(topology)
    return [
        line
        for benchmark, topologies in by_benchmark.items()
        for line in sweep_command(scale, (benchmark,), seeds, topologies, **more)
    ]


def sweep_command(
    scale: Scale,
    benchmarks: Iterable[str] = tuple(NODES),
    seeds: int = 1,
    topologies: Iterable[str] = tuple(TOPOLOGIES),
    **more: Any,
) -> list[str]:
    """
    The commands that repeat a sweep.

    Parameters
    ----------
    scale : Scale
        Decides the number of nodes.
    benchmarks : iterable of str
        Which benchmarks; each has its own number of nodes, and so a line.
    seeds : int
        How many seeds.
    topologies : iterable of str
        On which topologies.
    **more
        Further parameters, as on a command line.
    """
    rest = "".join(f" {name}={shlex.quote(str(value))}" for name, value in more.items())
    tail = f" --seeds {seeds}" if seeds > 1 else ""
    return [
        f"relnet sweep {SCENARIO} benchmark={benchmark} nodes={nodes(benchmark, scale)} "
        f"topology={','.join(topologies)}{rest}{tail}"
        for benchmark in benchmarks
    ]
