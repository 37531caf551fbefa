# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of the claims on Figures 3 to 5 to defaults without a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default, experiment, joint
from relnet.papers.eqa import latency, setup
from relnet.papers.eqa.setup import LONG, NODES, SHORT

ROUNDS = 20
"""Repetitions; times hardly vary on an idle network."""

DEFAULTS = (
    Default("cpuratio", (0.45, 0.6, 0.8, 1.0), 1.0),
    Default("forwardinglatency", ("5us", "7.5us", "10us", "12.5us", "15us"), "10us"),
    Default("interrupttime", ("3us", "5.5us", "8us"), "5.5us"),
    Default("systemcalltime", ("0.5us", "1us", "2us"), "1us"),
    Default("copyrate", ("1040Mbps", "1240Mbps", "1440Mbps"), "1240Mbps"),
    Default("lighttime", ("0us", "0.4us", "0.8us", "1.6us", "3.2us"), "0.4us", settled=True),
    Default("mpitime", ("0us", "1.5us", "3.15us", "6us"), "3.15us"),
    Default("pullpackets", (0, 1, 2), 0, settled=True),
    Default("release", ("together", "in-turn"), "together"),
    Default("confirmall", ("false", "true"), "false"),
    Default("p4sendtime", ("0us", "18.84us", "37.68us"), "18.84us"),
    Default("replication", ("parallel", "serial"), "parallel"),
)
"""
Defaults of hosts, switch and protocol. The cost of a light DP and the packets of a pull were decided when growths were
known. Of p4's cost, the sum of both ends is constant.
"""

SIZES = (4, 860, 4096)
"""Sizes of Figure 3's runs, on `latency.FOUR` nodes [bytes]."""

BOTH = ("ppbcast", "mpich")
"""The systems that the claims on Figures 4 and 5 compare."""


def _with(given: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a run; p4's receive time follows from its send time."""
    more = dict(given)
    if "p4sendtime" in more:
        more["p4receivetime"] = f"{37.68 - float(more['p4sendtime'][:-2]):g}us"
    return more


def _points(scale: Scale, given: Mapping[str, Any]) -> list[Point]:
    more = {**_with(given), "rounds": ROUNDS}
    ends = [(nodes, size, system) for size in (SHORT, LONG) for nodes in (NODES[0], NODES[-1]) for system in BOTH]
    four = [(latency.FOUR, size, system) for size in SIZES for system in setup.PUBLISHED_SYSTEMS]
    return [setup.point(scale, system, nodes, size, **more) for nodes, size, system in ends + four]


def _judge(scale: Scale, frame: pd.DataFrame) -> Mapping[str, Finding]:
    ends = frame[frame["nodes"] != latency.FOUR]
    return {
        **latency.findings_3(latency.table(frame[frame["nodes"] == latency.FOUR], "size")),
        **latency.findings_4(latency.table(ends[ends["size"] == SHORT], "nodes")),
        **latency.findings_5(latency.table(ends[ends["size"] == LONG], "nodes")),
    }


def _command(scale: Scale, given: Mapping[str, Any]) -> list[str]:
    more = {**_with(given), "rounds": ROUNDS}
    return [
        *setup.command(scale, system=BOTH, nodes=(NODES[0], NODES[-1]), size=(SHORT, LONG), **more),
        *setup.command(scale, system=setup.PUBLISHED_SYSTEMS, nodes=latency.FOUR, size=SIZES, **more),
    ]


SENSITIVITY = experiment(setup.NAME, DEFAULTS, _points, _judge, _command)
JOINT = joint(setup.NAME, DEFAULTS, _points, _judge, _command)
