#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Run every protocol over every network without faults, and list what their pages do not explain.

Without losses no message waits for a timer and no frame is sent again, unless the protocol declares it (result
`WhenCalm` of `reliability`). Two protocols have the same latency and goodput only if they are in one set of `EQUALS`.
`python test/calm.py PROTOCOLS NETWORKS` runs some, each a list separated by commas; tests of the same name run a slice.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

import relnet
from relnet.studies import fault_matrix

PATTERNS = ("ping-pong", "stream", "uniform")
SIZES = (8, 1000, 65536)
MESSAGES = 20
LIMITS = {"wormhole": {"TimeLimit": "20ms"}}
"""Time limit of a network over which `parastation2` may stay in step for ever; the others have that of the matrix."""
EQUALS = (
    frozenset({"am2", "credits", "parastation2", "vmmc2"}),
    frozenset({"sbcast", "ppbcast"}),
    frozenset({"p0", "p1", "pcode"}),
    frozenset(f"mpi {transport}-{kind}" for transport in ("rc", "uc", "ud") for kind in ("native", "reliable")),
)
"""Protocols that may be equal without losses, and whose pages state the reason."""
IMMEDIATE = frozenset().union(*EQUALS) | {"graph", "idempotent", "irn", "none", "roce", "window"}
"""Protocols that send a message of one frame at once, and may be equal if their headers have the same length."""
ONE_FRAME = 1000
"""Size of the largest message that all networks send in one frame [bytes]."""
UNTIMED = frozenset({"loopback"})
"""Networks on which all frames take the same time, whatever they carry."""


def measure(
    patterns: Sequence[str] = PATTERNS, sizes: Sequence[int] = SIZES, messages: int = MESSAGES, **given: Any
) -> pd.DataFrame:
    """Run the calm matrix; `given` are parameters of all cells, as of `relnet matrix`."""
    names = given.pop("network", None)
    networks = names.split(",") if names else relnet.matrix().network.unique()
    cells = []
    for pattern, size, network in itertools.product(patterns, sizes, networks):
        traffic = {"fault": "none", "Pattern": pattern, "Size": size, "Messages": messages, "network": network}
        frame = fault_matrix.measure(traffic | LIMITS.get(network, {}) | given, show=False)
        cells.append(frame.assign(pattern=pattern, size=size))
    return pd.concat(cells, ignore_index=True)


def unexplained(frame: pd.DataFrame) -> list[str]:
    """The sentences on cells that waste time or frames, and on protocols that are equal without a reason."""
    return fault_matrix.broken(frame) + list(_equal(frame))


def _equal(frame: pd.DataFrame) -> Iterator[str]:
    run = frame[frame["goodput [MB/s]"].notna()]
    for place, cells in run.groupby(["network", "pattern", "size", "latency [us]", "goodput [MB/s]"]):
        names = frozenset(cells["protocol"])
        known = [*EQUALS, IMMEDIATE] if place[2] <= ONE_FRAME else EQUALS
        if place[0] not in UNTIMED and len(names) > 1 and not any(names <= one for one in known):
            yield f"{', '.join(sorted(names))} are equal over {place[0]}, {place[1]} of {place[2]} bytes."


def main(words: list[str]) -> int:
    """Run, print what was found, and return the status of the program."""
    lists = dict(zip(("protocol", "network"), words, strict=False))
    frame = measure(**lists)
    found = unexplained(frame)
    print(*found, sep="\n")
    print(f"{(frame['verdict'] != 'refused').sum()} runs, {len(found)} unexplained")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
