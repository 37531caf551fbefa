# SPDX-License-Identifier: GPL-2.0-only
"""Systems, message sizes and cluster sizes of section 4, and metrics of a broadcast's latency."""

from __future__ import annotations

from typing import Any

from relnet.experiments.definitions import Point, Scale

SCENARIO = "eqa"
"""Name of the scenario."""

NAME = "eqa"
"""Name of the paper."""

SYSTEMS = {
    "ppbcast": "PPBCAST",
    "sbcast": "SBCAST",
    "mpich": "MPICH",
    "mpich-pushpull": "MPICH's tree over push-pull",
}
"""Systems. The first three have the names of section 4.1; the last separates the effects of the tree and of TCP."""

PUBLISHED_SYSTEMS = tuple(SYSTEMS)[:3]
"""Systems of the paper."""

NODES = (2, 3, 4, 5, 6, 7, 8)
"""Cluster sizes, the root included (section 4)."""

LARGE_NODES = (8, 16, 32, 64, 128)
"""Cluster sizes beyond what was published; Figure 6 ends at 128, too."""

SHORT, LONG = 256, 4096
"""Message sizes of Figures 4 and 5 [bytes]."""

ROUNDS = 500
"""Repetitions of a test, of which the middle 80 % count (section 4)."""

QUICK_ROUNDS = 50
"""Repetitions at reduced scale."""

METRICS = {
    "Reply": "reply from the last direct child",
    "LastLeaf": "arrival at the last leaf",
    "MeanLeaf": "mean arrival at a leaf",
    "RootReturn": "the root's call returns",
    "Acknowledged": "acknowledged by all",
}
"""Possible meanings of latency, which the paper does not define (D-amb-3)."""

METRIC = "Reply"
"""
The judged metric. The time-stamp counter of a processor (section 4) measures intervals on one machine: either the
root's call, or the time until a reply. The call of a sender that copies into a buffer returns before any byte is sent.
"""


def point(scale: Scale, system: str, nodes: int, size: int, **more: Any) -> Point:
    """
    Make a run of one system.

    Parameters
    ----------
    scale : Scale
        Scale, which determines the number of repetitions.
    system : str
        One of `SYSTEMS`.
    nodes : int
        Cluster size, including the root.
    size : int
        Message size [bytes].
    **more
        Changed parameters.
    """
    rounds = QUICK_ROUNDS if scale.quick else ROUNDS
    parameters = {"system": system, "nodes": nodes, "size": size, "rounds": rounds} | more
    return Point(parameters, cost=nodes * (size / 1000 + 1) * parameters["rounds"])


def command(scale: Scale, **parameters: Any) -> list[str]:
    """Command that repeats a sweep; a sequence becomes a list of values."""
    words = [f"rounds={QUICK_ROUNDS}"] if scale.quick else []
    for name, value in parameters.items():
        listed = value if isinstance(value, tuple | list) else (value,)
        words.append(f"{name}={','.join(map(str, listed))}")
    return [f"relnet sweep {SCENARIO} {' '.join(words)}"]
