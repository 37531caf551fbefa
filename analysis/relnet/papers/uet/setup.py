# SPDX-License-Identifier: GPL-2.0-only
"""
Networks and settings of the runs, decided before any of them.

The physics are those of htsim (uet-htsim, commit 40ccb05), whose source and inputs of its validation were read:
`main_uec.cpp`, `uec.cpp`, `compositequeue.cpp`, `fat_tree_topology.cpp`, `validate_uec_sender.txt`. Its results that
are compared were in view before, as the notes on it list them, so that no match counts as predicted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from relnet.experiments.definitions import Point

SCENARIO = "fabric"
"""Name of the scenario."""

NAME = "uet"
"""Name of the paper."""

PACKET = 4150
"""Packet of htsim: its default size of a packet, headers included [bytes; main_uec.cpp]."""

HEADER = 64
"""Headers in it, and the size of each control packet [bytes; uec.cpp, uecpacket.h]."""

PAYLOAD = PACKET - HEADER
"""Payload of a packet [bytes]."""

BYTES_US = 12_500
"""Rate of a link: 100 Gb/s [bytes/us]."""

LINK = 1.0
"""Delay of a link; switches have none [us]."""

FLOW = 2_000_000
"""Size of a flow of the validation [bytes]."""

HOPS = {16: 6, 128: 6, 1024: 6}
"""Links between the most distant hosts of a fat tree, by its number of hosts."""

RADIX = {16: 4, 128: 8, 1024: 16}
"""Ports of a switch of a fat tree with three tiers, by its number of hosts."""

SACK = 16_000
"""
Bytes of payload after which an acknowledgement is sent: four packets, as htsim's 16 384 bytes with headers [bytes].
"""

EACH = 4_000
"""The same for an acknowledgement of each packet (`-sack_threshold 4000`) [bytes]."""

FOLDER = Path(__file__).parent
"""Folder of the files with flows."""

SHOWN = "analysis/relnet/papers/uet"
"""The same in a clone, for the commands of the report."""

CONFIRMED = "confirmed"
"""Column of the table Flows: time until the sender knows that its flow has arrived, as htsim measures it [us]."""


def _round_trip(hops: int) -> float:
    """Idle round trip of a packet and its acknowledgement over a number of links, as htsim's `calculate_rtt` [us]."""
    return 2 * hops * LINK + hops * (PACKET + HEADER) / BYTES_US


def _packets(hops: int) -> int:
    """Bandwidth-delay product in whole packets, the size of htsim's queues."""
    return -int(-_round_trip(hops) * BYTES_US // PACKET)


def physics(hops: int) -> dict[str, Any]:
    """
    Make the settings that follow from the distance of hosts in htsim.

    Parameters
    ----------
    hops : int
        Links between the most distant hosts.

    Returns
    -------
    dict of str to object
        Queues of one bandwidth-delay product, marks from 0.2 to 0.8 of it, and the timeout.
    """
    product = _packets(hops)
    queue = product * PACKET
    return {
        # Not the preset `htsim`, whose queues are those of other experiments.
        # The first packet of a message has 12 bytes more than htsim's; room for a field that it does not use.
        "network.mtu": PAYLOAD + 60,
        "network.overhead": 20,
        "network.hostrate": "100Gbps",
        "network.delay": f"{LINK:g}us",
        "network.latency": "0us",
        "network.gaps": False,
        "network.admission": "trim",
        "network.ecn": "red",
        "network.ecnpoint": "dequeue",
        "network.paths": 64,
        "network.buffer": queue,
        "network.trimthreshold": queue,
        "network.headerqueue": 2 * queue,
        "network.ecnlow": -int(-0.2 * product // 1) * PACKET,
        "network.ecnhigh": -int(-0.8 * product // 1) * PACKET,
        "queuepairs": 1,
        "protocol": "uet",
        "protocol.mtu": PAYLOAD,
        "protocol.mpr": 128,
        "protocol.ackbytes": SACK,
        # 15 us and six times the time of a full queue.
        "protocol.rto": f"{15 + 6 * queue / BYTES_US:.3f}us",
        "protocol.retries": 14,
        "protocol.idle": "10ms",
        "protocol.congestioncontrol": "nscc",
        "protocol.spraying": "bitmap",
        "details": True,
    }


def fat_tree(hosts: int) -> dict[str, Any]:
    """Settings of a fat tree of three tiers with a number of hosts, one of `RADIX`."""
    return {"nodes": hosts, "network.topology": "fat-tree", "network.radix": RADIX[hosts], **physics(HOPS[hosts])}


def leaf_spine() -> dict[str, Any]:
    """Settings of 1024 hosts on 32 leaves with 8 spines: an oversubscription of four."""
    shape = {"nodes": 1024, "network.topology": "leaf-spine", "network.hostsperleaf": 32, "network.spines": 8}
    return shape | physics(4)


def lone_flow(size: int, hops: int) -> float:
    """
    Compute the time of a flow on an idle network, until its sender has the last acknowledgement [us].

    Parameters
    ----------
    size : int
        Size of the flow [bytes].
    hops : int
        Links to its receiver.
    """
    whole, rest = divmod(size, PAYLOAD)
    last = rest + HEADER if rest else PACKET
    before = whole if rest else whole - 1
    # The last packet follows full ones through each switch; the acknowledgement is alone.
    data = (before + hops - 1) * PACKET + last if before else hops * last
    return 2 * hops * LINK + (data + hops * HEADER) / BYTES_US


def file_of_flows(name: str) -> dict[str, Any]:
    """Workload of a file with flows in this folder."""
    return {"workload": "file", "flowfile": str(FOLDER / f"{name}.cm")}


def command(point: Point) -> str:
    """Command that repeats a run."""
    words = [f"{name}={value}" for name, value in point.parameters.items()]
    return f"relnet sweep {SCENARIO} {' '.join(words)} seed={point.seed}".replace(str(FOLDER), SHOWN)


def flows(frame: pd.DataFrame, run: int) -> pd.DataFrame:
    """Flows of a run, by its index in a frame."""
    table = frame.attrs["tables"]["Flows"]
    return table[table["point"] == run]


def counts(frame: pd.DataFrame, event: str) -> pd.Series:
    """Number of events of a kind in each run, by the index of the run."""
    table = frame.attrs["tables"]["ProtocolEvents"]
    return table[table["Event"] == event].set_index("point")["Count"].reindex(frame.index)


def told(expectation: str, holds: bool) -> str:
    """A paragraph on an expectation that was written down before the run."""
    return f"Expected before the run: {expectation} This {'holds' if holds else 'does not hold'}."
