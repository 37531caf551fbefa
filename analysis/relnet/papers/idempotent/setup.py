# SPDX-License-Identifier: GPL-2.0-only
"""
The benchmarks of section 4.1, the networks of section 4.2, and the names of results.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable
from typing import Any

import pandas as pd

from relnet.experiments.definitions import Point, Scale
from relnet.experiments.selection import finished

SCENARIO = "idempotent"
"""Name of the scenario."""

NAME = "idempotent"
"""Name of the paper."""

NODES = {"add": 4096, "reverse": 1024, "quicksort": 1024, "nbody": 256}
"""Nodes of each benchmark (section 4.1)."""

QUICK_NODES = {"add": 256, "reverse": 64, "quicksort": 64, "nbody": 16}
"""The same at reduced scale: powers of four, as a fat tree requires, and squares, as nbody requires."""

TOPOLOGIES = {"grid2d": "2D", "grid3d": "3D", "fattree": "FT"}
"""Topologies (section 4.2), with their names in the published data."""

TITLES = {"grid2d": "2D grid", "grid3d": "3D grid", "fattree": "fat tree"}
"""Labels in figures."""

CELLS = tuple(itertools.product(NODES, TOPOLOGIES))
"""The twelve combinations of benchmark and topology."""

FEW = tuple(
    cell for cell in CELLS if cell[0] in ("add", "reverse") or cell in (("quicksort", "grid3d"), ("nbody", "fattree"))
)
"""Cells of studies without a counterpart in the paper; the two expensive benchmarks have one topology each."""

DEAR = ("quicksort", "nbody")
"""Expensive benchmarks, whose runs take nearly all of the time."""

CHEAP = tuple(cell for cell in CELLS if cell[0] not in DEAR)
"""Cells of the other benchmarks, one with a light load and one with a heavy load."""

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
"""Approximate number of hops of a run [millions], which only determines the order of the runs."""

ORDER_SEEDS = 2
"""
Seeds of the runs that serve heads in random order. The expensive benchmarks have none: for nbody, and for quicksort on
the fat tree, times differed by up to 2.1 % from those with heads served in turn, which the part on open choices runs.
For quicksort on the grids they differed by 4 and 5 % from those with the default.
"""

ORDER_TEXT = (
    "quicksort and nbody are not run with it, since times differed by up to 2.1 % from those with heads served in turn "
    "where both were run"
)
"""The report's text on these seeds."""

BEST = {"backoff": "quadratic", "c": 3}
"""The retransmission strategy that section 4.3 chooses."""

TABLES = {"sendtable": 16, "receivetable": 32}
"""The table sizes of the comparison (section 4.5)."""

CYCLES = "Cycles"
"""Result: time to the last delivery or the end of the last block."""

SLOW_CYCLES = "SlowCycles"
"""Result: the same in cycles of the slower clock of Table 2b."""

TRANSMISSIONS = "TransmissionsPerMessage"
"""Result: transmissions of the MSG of a message (Figure 10)."""

PACKETS = "PacketsPerMessage"
"""Result: packets of all kinds per message (section 6)."""

DATA_SEEDS = (8, 1, 2, 3, 4)
"""Seeds of the random vectors of the tables: the scenario's default, which is calibrated, and others."""

DATA_DRIVEN = ("quicksort",)
"""Benchmarks whose messages depend on their data."""


UNREADABLE = (
    "The available text of the paper has no numbers of this figure. The curves are judged by the paper's statements on "
    "them, and by the one value of each that Table 2a prints."
)
"""The report's text on figures without numbers."""


def nodes(benchmark: str, scale: Scale) -> int:
    """Number of nodes of a benchmark."""
    return (QUICK_NODES if scale.quick else NODES)[benchmark]


def cell(scale: Scale, benchmark: str, topology: str, seed: int = 1, factor: float = 1.0, **more: Any) -> Point:
    """
    Make a run of the idempotent protocol with the settings of section 4.5.

    Parameters
    ----------
    scale : Scale
        Scale, which determines the number of nodes.
    benchmark, topology : str
        Cell of Table 2a.
    seed : int
        Seed.
    factor : float
        Time of the run relative to the settings of section 4.5.
    **more
        Changed parameters.
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
    """Make a run on the buffered network (section 4.5)."""
    parameters = {
        "benchmark": benchmark,
        "topology": topology,
        "nodes": nodes(benchmark, scale),
        "router": "buffered",
        **more,
    }
    return Point(parameters, seed, COSTS[benchmark, topology] * 0.1)


def times(frame: pd.DataFrame) -> list[float]:
    """Cycles of the runs in the order of the points; missing for incomplete ones."""
    return list(frame[CYCLES].where(frame.index.isin(finished(frame).index)).astype(float))


def seeds(scale: Scale, most: int | None = None) -> range:
    """Seeds from 1, limited by the scale."""
    return range(1, (scale.seeds if most is None else min(most, scale.seeds)) + 1)


def order_seeds(scale: Scale) -> range:
    """Seeds of the runs that serve heads in random order."""
    return seeds(scale, ORDER_SEEDS)


def order_commands(scale: Scale, **more: Any) -> list[str]:
    """Commands that repeat these runs."""
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
