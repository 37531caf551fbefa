# SPDX-License-Identifier: GPL-2.0-only
"""
Network, systems and workload of the runs, decided before any of them.

The text of the paper was not read beyond its abstract. The network is what is generally said of its default: 54 hosts
on a fat tree of switches with six ports, 40 Gb/s, 2 us a link, 240 kB a port. Sizes of flows are a published
distribution (AliStorage), since those of the paper are not known exactly. Everything else is stated at its constant.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments.definitions import Point, Scale

SCENARIO = "fabric"
"""Name of the scenario."""

NAME = "irn"
"""Name of the paper."""

HOSTS = 54
"""Hosts of three tiers of switches with six ports."""

FLOWS = 6_000
"""Flows of a run: 1.3 ms at a load of 0.7, four times the longer timeout."""

QUICK_FLOWS = 1_000
"""Flows at reduced scale."""

LOAD = 0.7
"""Payload as a share of the hosts' links."""

SEEDS = 2
"""Seeds of the main comparison."""

PAYLOAD = 1000
"""Payload of a packet [bytes]."""

BUFFER = 240_000
"""Limit of an output queue without PFC; with it, XOFF and headroom of an input [bytes]."""

HEADROOM = 24_000
"""Headroom of an input with PFC: at least 23 268 for 2 us and packets of 1068 bytes, or frames are lost [bytes]."""

CAP = 110
"""Cap of IRN's packets in flight: the bandwidth-delay product of 120 kB, without headers [packets]."""

UNCAPPED = 2048
"""Window of RoCE, which has no cap: longer than the longest flow [packets]."""

FABRIC = {
    "nodes": HOSTS,
    "network.preset": "irn2018",
    # Headers of 16 bytes in a packet of RoCE, 20 in its last one, and 16 more in IRN's; 32 around them.
    "network.mtu": PAYLOAD + 36,
    "network.overhead": 32,
    # Each flow has a queue pair and thus a route of its own.
    "queuepairs": 16,
    "network.paths": 16,
    "protocol.mtu": PAYLOAD,
}
"""What all runs share."""

_LOSSY = {"network.admission": "drop", "network.buffer": BUFFER}
_PAUSED = {"network.admission": "pfc", "network.pfcxoff": BUFFER - HEADROOM, "network.pfcheadroom": HEADROOM}
_IRN = {"protocol": "irn", "protocol.window": CAP, "protocol.rtolow": "100us", "protocol.rtohigh": "320us"}
# 4.096 us times 2^7 is the shortest timeout above 320 us; times 2^10, 4.2 ms, expires in no run with PFC that goes on.
_ROCE = {"protocol": "roce", "protocol.timeout": 7}

IRN, ROCE_PFC, IRN_PFC, ROCE = "IRN", "RoCE with PFC", "IRN with PFC", "RoCE"
GO_BACK_N, NO_CAP = "IRN with go-back-N", "IRN without BDP-FC"

SYSTEMS = {
    IRN: _IRN | _LOSSY,
    ROCE_PFC: _ROCE | _PAUSED | {"protocol.window": UNCAPPED, "protocol.timeout": 10},
    IRN_PFC: _IRN | _PAUSED,
    ROCE: _ROCE | _LOSSY | {"protocol.window": UNCAPPED},
    GO_BACK_N: _IRN | _LOSSY | {"protocol.recovery": "go-back-n"},
    NO_CAP: _IRN | _LOSSY | {"protocol.bdpflowcontrol": False},
}
"""Systems. The last two lack one of IRN's two parts each, its loss recovery or its cap (BDP-FC)."""


# ConWeave's thresholds, 100 kB and 400 kB at 100 Gb/s, at 40 Gb/s.
_MARKS = {"network.ecn": "red", "network.ecnlow": 40_000, "network.ecnhigh": 160_000, "network.ecnshare": 0.2}

NONE, DCQCN, SWIFT = "none", "dcqcn", "swift"

CONTROLS = {
    NONE: {"protocol.congestioncontrol": NONE},
    DCQCN: {"protocol.congestioncontrol": DCQCN} | _MARKS,
    SWIFT: {"protocol.congestioncontrol": SWIFT},
}
"""Congestion control. Timely, the paper's control by delay, is not modelled; Swift takes its place."""

METRICS = {"Fct": "mean completion time", "Slowdown": "mean slowdown", "Fct99": "99th percentile"}
"""Results that are compared, by the columns of the runs."""


def flows(scale: Scale) -> int:
    """Flows of a run."""
    return QUICK_FLOWS if scale.quick else FLOWS


def point(scale: Scale, system: str, control: str = NONE, seed: int = 1, **more: Any) -> Point:
    """
    Make a run with Poisson flows.

    Parameters
    ----------
    scale : Scale
        Scale, which determines the number of flows.
    system : str
        One of `SYSTEMS`.
    control : str
        One of `CONTROLS`.
    seed : int
        Seed.
    **more
        Changed parameters; `__` in a name stands for the point after the name of a part.
    """
    changed = {name.replace("__", "."): value for name, value in more.items()}
    workload = {"workload": "alistorage", "load": LOAD, "flows": flows(scale)}
    return Point(FABRIC | workload | SYSTEMS[system] | CONTROLS[control] | changed, seed)


def _find_system(run: dict[str, Any]) -> str:
    """Name of the system of a run."""
    if run.get("protocol.recovery") == "go-back-n":
        return GO_BACK_N
    capped = run.get("protocol.bdpflowcontrol", True)
    if not pd.isna(capped) and not capped:
        return NO_CAP
    paused = run["network.admission"] == "pfc"
    if run["protocol"] == "irn":
        return IRN_PFC if paused else IRN
    return ROCE_PFC if paused else ROCE


def label(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the columns `system` and `control` to runs."""
    systems = [_find_system(run) for run in frame.to_dict("records")]
    return frame.assign(system=systems, control=frame["protocol.congestioncontrol"])


def ended(frame: pd.DataFrame) -> pd.DataFrame:
    """Runs in which each flow was delivered or given up."""
    return frame[frame["Verdict"].isin(("completed", "failed"))]


def measured(frame: pd.DataFrame) -> pd.DataFrame:
    """Runs that ended, or reached their limit of simulated time."""
    return frame[frame["Verdict"].isin(("completed", "failed", "undecided"))]


def command(**parameters: Any) -> str:
    """Command that repeats a run; see `point` for the names."""
    words = [f"{name}={value}" for name, value in parameters.items()]
    return f"relnet sweep {SCENARIO} {' '.join(words)}"


def told(expectation: str, holds: bool) -> str:
    """A paragraph on an expectation that was written down before the run."""
    return f"Expected before the run: {expectation} This {'holds' if holds else 'does not hold'}."
