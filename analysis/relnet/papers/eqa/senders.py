# SPDX-License-Identifier: GPL-2.0-only
"""Processes of the root that share a dispatcher, its lock, and groups of some nodes (section 3.1, in words)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.eqa import setup
from relnet.papers.eqa.setup import LONG, NODES, SHORT

SENDERS = (1, 2, 4)
"""Processes of the root that broadcast at the same time."""

BURST = 8
"""Consecutive broadcasts of each process."""

WAYS: dict[str, dict[str, Any]] = {
    "share a DP": {"sharepoint": "true"},
    "share a DP, locks": {"sharepoint": "true", "locks": "true"},
    "a DP each": {"sharepoint": "false"},
    "a DP each, locks": {"sharepoint": "false", "locks": "true"},
}
"""Placement of the processes, without and with contention for the locks of the DPs."""

MEMBERS = (2, 4, 6, 8)
"""Nodes of a group, of `NODES`."""

_FIXED: dict[str, Any] = {"system": "ppbcast", "nodes": NODES[-1], "size": (SHORT, LONG)}

ROUNDS = 10
"""Repetitions of a run; times hardly vary on an idle network."""


def _rounds(scale: Scale) -> int:
    return 2 if scale.quick else ROUNDS


def _points(scale: Scale) -> list[Point]:
    fixed = {"burst": BURST, "rounds": _rounds(scale)}
    shared = [
        setup.point(scale, "ppbcast", NODES[-1], size, senders=senders, **way, **fixed)
        for size in (SHORT, LONG)
        for senders in SENDERS
        for way in WAYS.values()
    ]
    groups = [
        setup.point(scale, "ppbcast", NODES[-1], size, members=members, rounds=fixed["rounds"])
        for size in (SHORT, LONG)
        for members in MEMBERS
    ]
    return shared + groups


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    each = 2 * len(SENDERS) * len(WAYS)
    shared = finished(frame.iloc[:each].assign(way=[*WAYS] * (each // len(WAYS))))
    groups = finished(frame.iloc[each:])
    table = shared[["size", "senders", "way", "LastLeaf", "Memory", "LockWaits", "rounds"]].copy()
    table["time of a broadcast [us]"] = table["LastLeaf"] / (BURST * table["senders"])
    table["memory [KB]"] = table["Memory"] / 1024
    table["lock waits in a broadcast"] = table["LockWaits"] / (BURST * table["senders"] * table["rounds"])
    shown = table.drop(columns=["LastLeaf", "Memory", "LockWaits", "rounds"]).round(2)
    most = pick(table, senders=SENDERS[-1])
    told = []
    for size in (SHORT, LONG):
        of = pick(most, size=size).set_index("way")
        time, memory, waits = (
            of[name] for name in ("time of a broadcast [us]", "memory [KB]", "lock waits in a broadcast")
        )
        told.append(
            f"{SENDERS[-1]} processes that broadcast {BURST} messages of {size} bytes each to {NODES[-1] - 1} nodes "
            f"take {time['share a DP']:.1f} us a message through one DP and {time['a DP each']:.1f} us through a DP "
            f"each, which need {memory['share a DP']:.0f} and {memory['a DP each']:.0f} KB on all nodes. With locks "
            f"that contend these are {time['share a DP, locks']:.1f} and {time['a DP each, locks']:.1f} us, and "
            f"{waits['share a DP, locks']:.2f} and {waits['a DP each, locks']:.2f} failed attempts a message."
        )
    of_size = {size: pick(groups, size=size).set_index("members") for size in (SHORT, LONG)}
    text = (
        *told,
        f"A broadcast to a group of {MEMBERS[0]} to {MEMBERS[-1]} of {NODES[-1]} nodes takes "
        f"{of_size[SHORT]['Reply'].min():.1f} to {of_size[SHORT]['Reply'].max():.1f} us at {SHORT} bytes and "
        f"{of_size[LONG]['Reply'].min():.1f} to {of_size[LONG]['Reply'].max():.1f} us at {LONG} (reply of the last "
        "member). The hardware delivers it to all nodes; those outside of the group drop each packet in their handler.",
        "The paper describes sharing, locks and sets of destinations, and measures none of them; no claim is judged.",
    )
    return Outcome(table, None, shown, text)


SENDERS_SHARE = Experiment(
    "senders",
    "Processes that share a DP, locks, and groups",
    "Section 3.1, in words",
    _points,
    _render,
    lambda scale: [
        *(
            line
            for way in WAYS.values()
            for line in setup.command(scale, **_FIXED, senders=SENDERS, burst=BURST, **way, rounds=_rounds(scale))
        ),
        *setup.command(scale, **_FIXED, members=MEMBERS, rounds=_rounds(scale)),
    ],
)
