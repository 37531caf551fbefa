# SPDX-License-Identifier: GPL-2.0-only
"""Setup: the systems, message sizes and cluster sizes of section 4, and the metrics of a broadcast's latency."""

from __future__ import annotations

from typing import Any

from relnet.papers import Point, Scale

SCENARIO = "eqa"
"""The scenario's name."""

NAME = "eqa"
"""The paper, by which its folder and its published data are found."""

SYSTEMS = {
    "ppbcast": "PPBCAST",
    "sbcast": "SBCAST",
    "mpich": "MPICH",
    "mpich-pushpull": "MPICH's tree over push-pull",
}
"""Systems, the first three as section 4.1 names them; the last separates the tree's share from TCP's."""

PUBLISHED_SYSTEMS = tuple(SYSTEMS)[:3]
"""The systems that the paper shows."""

NODES = (2, 3, 4, 5, 6, 7, 8)
"""Cluster sizes, the root included (section 4)."""

LARGE_NODES = (8, 16, 32, 64, 128)
"""Cluster sizes beyond what was published; Figure 6 ends at 128, too."""

SHORT, LONG = 256, 4096
"""Message sizes of Figures 4 and 5 [bytes]."""

ROUNDS = 500
"""Repetitions of a test, of which the middle 80 % count (section 4)."""

QUICK_ROUNDS = 50
"""Repetitions for a quick look."""

METRICS = {
    "Reply": "reply from the last direct child",
    "LastLeaf": "last leaf has it",
    "MeanLeaf": "a leaf has it, mean",
    "RootReturn": "the root's call returns",
    "Acknowledged": "acknowledged by all",
}
"""Results that could be meant by latency, which the paper does not define (D-amb-3)."""

METRIC = "Reply"
"""
The one that is judged. The time-stamp counter of a processor (section 4) times what begins and ends on one machine, so
either the root's call or a reply to it; the call of a sender that copies into a buffer returns before a byte has left.
"""


def point(scale: Scale, system: str, nodes: int, size: int, **more: Any) -> Point:
    """
    A run of one system.

    Parameters
    ----------
    scale : Scale
        Decides the number of repetitions.
    system : str
        One of `SYSTEMS`.
    nodes : int
        Cluster size, the root included.
    size : int
        Message size [bytes].
    **more
        Parameters that differ.
    """
    rounds = QUICK_ROUNDS if scale.quick else ROUNDS
    parameters = {"system": system, "nodes": nodes, "size": size, "rounds": rounds} | more
    return Point(parameters, cost=nodes * (size / 1000 + 1) * parameters["rounds"])


def command(scale: Scale, **parameters: Any) -> list[str]:
    """The command that repeats a sweep; a sequence becomes a list of values."""
    words = [f"rounds={QUICK_ROUNDS}"] if scale.quick else []
    for name, value in parameters.items():
        listed = value if isinstance(value, tuple | list) else (value,)
        words.append(f"{name}={','.join(map(str, listed))}")
    return [f"relnet sweep {SCENARIO} {' '.join(words)}"]
