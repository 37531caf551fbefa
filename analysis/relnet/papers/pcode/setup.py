# SPDX-License-Identifier: GPL-2.0-only
"""Rounds of all-to-all broadcast on up to 16 workstations (section 6), and names of results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from relnet.experiments import selection
from relnet.experiments.definitions import Point, Scale

SCENARIO = "pcode"
"""Name of the scenario."""

NAME = "pcode"
"""Name of the paper."""

MACHINES = (2, 3, 4, 6, 8, 9, 12, 16)
"""Numbers of machines (section 6.4: up to 16). According to the paper, PCODE is faster at 20 bytes from 9 on."""

SIZES = (20, 100, 200, 400, 600, 800, 1024)
"""Message sizes (section 6.4: up to 1 Kbyte) [bytes]."""

SMALL, LARGE = SIZES[0], SIZES[-1]
"""The message sizes of Figures 6, 7, 10 and 11 [bytes]."""

ROUNDS = 1000
"""Rounds of a test (section 6.4)."""

FEW_ROUNDS = 200
"""
Rounds of expensive runs of figures with large differences, and of studies without a figure. Figure 9's times with 400
rounds differed by at most 1.0 % from those with 200 (2.2 % linked), and with 1000 by 1.1 % from those with 400.
"""

LEAST_ROUNDS = 50
"""
Rounds of runs that only have to show an order or a factor, mostly those of the sensitivity. With 200, times of TCP's
open settings differed by at most 4 %.
"""

QUICK_ROUNDS = 20
"""Rounds at reduced scale."""

TIME = "TimePerCall"
"""Result: time of a round divided by the number of machines (section 6.2) [ms]."""

MEASURED = {
    "tcp": {"system": "tcp", "ipc": "linked"},
    "pcode": {"system": "pcode", "ipc": "daemon"},
    "pcode-linked": {"system": "pcode", "ipc": "linked"},
    "pcode-rpc": {"system": "pcode", "ipc": "rpc"},
}
"""
Systems compared: TCP, and PCODE as a daemon, linked into the application, and as a daemon at the cost of a local RPC.
"""

IMPLIED = {"tcp": {"ipc": "linked", "driver": 1}, "horus": {"ipc": "linked", "driver": 2}}
"""Values of `ipc=auto` and `driver=0`, stated explicitly so that experiments share equal runs."""

CURVES = ("tcp", "pcode", "pcode-linked", "pcode-rpc")
"""
Curves of Figures 6 to 9. The second one of PCODE is the single process that section 6.1 calls ideal; the third one has
the cost that lmbench measured for a remote procedure call over local TCP, which decides no claim.
"""

LABELS = {
    "tcp": "TCP",
    "pcode": "PCODE, a daemon",
    "pcode-linked": "PCODE, linked",
    "pcode-rpc": "PCODE, a daemon at the cost of a local RPC",
}
"""Labels in figures."""


def machines(scale: Scale) -> tuple[int, ...]:
    """Numbers of machines."""
    return (2, 4, 8) if scale.quick else MACHINES


def sizes(scale: Scale) -> tuple[int, ...]:
    """Message sizes [bytes]."""
    return (SMALL, 200, 600, LARGE) if scale.quick else SIZES


def rounds(scale: Scale, published: int = ROUNDS) -> int:
    """Rounds of a test."""
    return min(QUICK_ROUNDS, published) if scale.quick else published


def point(scale: Scale, nodes: int, size: int, seed: int = 1, published: int = ROUNDS, **more: Any) -> Point:
    """
    Make a test.

    Parameters
    ----------
    scale : Scale
        Scale, which determines the number of rounds.
    nodes, size : int
        Machines, and bytes of a message.
    seed : int
        Seed.
    published : int
        Rounds at the published scale.
    **more
        Further parameters, including `system`.
    """
    count = rounds(scale, published)
    implied = IMPLIED.get(more["system"], {"ipc": "daemon", "driver": 2})
    parameters = {**implied, **more, "nodes": nodes, "size": size, "rounds": count}
    return Point(parameters, seed, nodes**2 * count * (3 if more["system"] == "tcp" else 1))


def name_systems(frame: pd.DataFrame) -> pd.DataFrame:
    """Add a column `measured` with the key of `MEASURED` of each row."""
    names = {(value["system"], value["ipc"]): name for name, value in MEASURED.items()}
    return frame.assign(measured=[names[key] for key in zip(frame["system"], frame["ipc"], strict=True)])


def times(frame: pd.DataFrame, by: str) -> pd.DataFrame:
    """Mean time per call [ms], with one row per value of a parameter and one column for each of `MEASURED`."""
    done = selection.finished(name_systems(frame))
    table = done.pivot_table(index=by, columns="measured", values=TIME, aggfunc="mean")
    return table[[name for name in MEASURED if name in table.columns]]


def command(values: dict[str, Any], seeds: int = 1) -> str:
    """Command that repeats a sweep; a tuple of values is written as a list."""
    lists = {key: ",".join(map(str, value)) if isinstance(value, tuple) else value for key, value in values.items()}
    words = [f"{key}={value}" for key, value in lists.items()]
    return " ".join(["relnet sweep", SCENARIO, *words, *([f"--seeds {seeds}"] if seeds > 1 else [])])


def commands(scale: Scale, machines: Iterable[int], sizes: Iterable[int], published: int = ROUNDS) -> list[str]:
    """Commands that repeat runs of Figures 6 to 9."""
    fixed = {"nodes": tuple(machines), "size": tuple(sizes), "rounds": rounds(scale, published)}
    return [
        command({**MEASURED[name], **fixed, "rounds": rounds(scale, rounds_of(name, published))}) for name in CURVES
    ]


def rounds_of(name: str, published: int) -> int:
    """Rounds of a curve at the published scale; fewer of the one that decides no claim."""
    return min(published, FEW_ROUNDS) if name == "pcode-rpc" else published
