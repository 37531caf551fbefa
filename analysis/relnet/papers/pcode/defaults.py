# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of the claims on Figures 6 to 9 to defaults without a source."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default, experiment, joint
from relnet.papers.pcode import curves, setup
from relnet.papers.pcode.setup import LARGE, LEAST_ROUNDS, SMALL

DEFAULTS = (
    Default("hostscale", (1.3, 1.45, 1.6, 1.8, 2.0), 1.6),
    Default("load", (0.0, 0.1, 0.2), 0.0),
    Default("receivebuffer", (32768, 61440), 61440),
    Default("requestdelay", ("0ms", "5ms", "10ms", "20ms", "50ms"), "10ms"),
    Default("nackperiod", ("15ms", "30ms", "60ms"), "30ms"),
    Default("holdoff", ("0ms", "10ms", "20ms", "40ms"), "20ms"),
    Default("statuswindow", (4, 16), 16),
    Default("sendbuffer", (8, 32, 64), 32),
    Default("globaldelay", ("0ms", "10ms", "30ms"), "10ms"),
    Default("personaldelay", ("0ms", "10ms"), "0ms"),
    Default("flowpatience", (1, 3, 10), 3),
    Default("sendorder", ("next-first", "ascending"), "ascending", settled=True, sourced=True),
    Default("nagle", ("false", "true"), "true", settled=True, sourced=True),
    Default("hearsown", ("false", "true"), "true", settled=True, sourced=True),
)
"""Defaults of machines and protocol, and three from sources, which were decided when their effect was known."""

OF_TCP = ("hostscale", "load", "sendorder", "nagle")
"""Parameters that TCP's runs."""

OF_PCODE = tuple(one.parameter for one in DEFAULTS if one.parameter not in ("sendorder", "nagle"))
"""Parameters that PCODE's runs."""

GRID = (
    *((nodes, SMALL) for nodes in (3, 6, 8, 9, 12, 16)),
    *((nodes, LARGE) for nodes in (3, 12, 16)),
    *((3, size) for size in (200, 400, 600, 800)),
)
"""Machines and message sizes of the runs."""

QUICK_GRID = ((3, SMALL), (4, SMALL), (3, LARGE), (4, LARGE), (3, 400), (3, 600), (4, 400))
"""The same at reduced scale; with 3 machines, each half of the sizes has at least two, for the comparison of slopes."""


JOINT_ROUNDS = 25
"""Rounds of runs in which all defaults are changed together, of which there are 64 times as many."""


def _grid(scale: Scale) -> tuple[tuple[int, int], ...]:
    return QUICK_GRID if scale.quick else GRID


def _points(scale: Scale, given: Mapping[str, Any], rounds: int = LEAST_ROUNDS) -> list[Point]:
    points = []
    for nodes, size in _grid(scale):
        for name, depends in (("tcp", OF_TCP), ("pcode", OF_PCODE)):
            more = {key: value for key, value in given.items() if key in depends}
            points.append(setup.point(scale, nodes, size, 1, rounds, **setup.MEASURED[name], **more))
    return points


def _judge(scale: Scale, frame: pd.DataFrame) -> Mapping[str, Finding]:
    full = not scale.quick
    most = max(nodes for nodes, _ in _grid(scale))
    found = {
        **curves.findings_small(setup.times(frame[frame["size"] == SMALL], "nodes"), full),
        **curves.findings_large(setup.times(frame[frame["size"] == LARGE], "nodes"), full),
        **curves.findings_three(setup.times(frame[frame["nodes"] == 3], "size"), full),
        **curves.findings_many(setup.times(frame[frame["nodes"] == most], "size"), full),
    }
    return found | curves.combine(found)


def _command(scale: Scale, given: Mapping[str, Any], rounds: int = LEAST_ROUNDS) -> list[str]:
    fixed = {"rounds": setup.rounds(scale, rounds)}
    lines = []
    for name, depends in (("tcp", OF_TCP), ("pcode", OF_PCODE)):
        more = {key: value for key, value in given.items() if key in depends}
        if more or not given:
            for nodes in dict.fromkeys(nodes for nodes, _ in _grid(scale)):
                sizes = tuple(size for count, size in _grid(scale) if count == nodes)
                lines.append(setup.command({**setup.MEASURED[name], "nodes": nodes, "size": sizes, **fixed, **more}))
    return lines


SENSITIVITY = experiment(setup.NAME, DEFAULTS, _points, _judge, _command)
JOINT = joint(
    setup.NAME,
    DEFAULTS,
    functools.partial(_points, rounds=JOINT_ROUNDS),
    _judge,
    functools.partial(_command, rounds=JOINT_ROUNDS),
)
