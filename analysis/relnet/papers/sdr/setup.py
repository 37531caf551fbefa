# SPDX-License-Identifier: GPL-2.0-only
"""
The link and the settings of all runs.

They are those of the suite `sdr-scenario`, decided before its first run but for the hosts, which take no time since its
first run showed that the closed forms know no hosts. So no match counts as predicted.
"""

from __future__ import annotations

from typing import Any

from relnet.experiments.definitions import Point
from relnet.papers.sdr.closed_forms import Link

SCENARIO = "reliability"
"""Name of the scenario."""

NAME = "sdr"
"""Name of the paper."""

PACKET = 4096
"""Payload of a packet [bytes]."""

WIRE = PACKET + 36 + 46 + 20
"""The packet on the link: headers of RDMA and of Ethernet, preamble and gap [bytes]."""

BYTES_US = 50_000
"""Rate of the link: 400 Gb/s [bytes/us]."""

SWITCH = 0.5
"""Latency of the switch between the two links [us]."""

LONG = 6250.0
"""Delay of each of two links: a round trip of 25 ms, that is 3750 km [us]."""

SHORT = 12.5
"""Delay of each of two links for a round trip of 51 us [us]."""


def model(loss: float, delay: float = LONG, packets: int = 1) -> Link:
    """
    Make the model of the link.

    Parameters
    ----------
    loss : float
        Probability that a chunk is lost.
    delay : float
        Delay of each of two links, about a quarter of the round trip [us].
    packets : int
        Packets of a chunk.
    """
    round_trip = 4 * delay + 2 * SWITCH
    return Link(packets * WIRE / BYTES_US, round_trip, 3 * round_trip, round_trip, loss)


def point(scheme: str, chunks: int, loss: float, messages: int, delay: float = LONG, seed: int = 1) -> Point:
    """
    Make a run of messages, one after the other, of chunks of one packet. Only packets are lost, no answers.

    Parameters
    ----------
    scheme : str
        One of the schemes.
    chunks : int
        Chunks of a message.
    loss : float
        Probability that one is lost.
    messages : int
        Number of messages.
    delay : float
        Delay of each of two links [us].
    seed : int
        Seed.
    """
    link = model(loss, delay)
    given: dict[str, Any] = {
        "network": "fabric",
        "nodes": 2,
        "host": "free",
        "protocol": "sdr",
        "pattern": "stream",
        "pattern.closed": "completion",
        "pattern.window": 1,
        "messages": messages,
        "size": chunks * PACKET,
        "loss": loss,
        "lossfrom": 0,
        "timelimit": "1000s",
        "network.delay": f"{delay}us",
        "protocol.scheme": scheme,
        "protocol.gaps": False,
        "protocol.rto": f"{link.timeout}us",
        "protocol.fallbackslack": f"{link.slack}us",
    }
    return Point(given, seed, cost=float(chunks * messages))


def time(total: float, messages: int, delay: float = LONG) -> float:
    """Mean time of a message as its sender sees it, from the time until the last delivery [us]."""
    # The acknowledgement of the last message is not part of the time.
    return (total + model(0, delay).round_trip / 2) / messages


def command(one: Point) -> str:
    """Command that repeats a run."""
    words = [f"{name}={value}" for name, value in one.parameters.items()]
    return f"relnet sweep {SCENARIO} {' '.join(words)} seed={one.seed}"


def told(expectation: str, holds: bool) -> str:
    """A paragraph on an expectation that was written down before the run."""
    return f"Expected before the run: {expectation} This {'holds' if holds else 'does not hold'}."
