# SPDX-License-Identifier: GPL-2.0-only
"""
The buffered router beside BookSim2, an independent simulator that moves each flit: latency below saturation, and the
throughput at which both saturate. What is compared is the time spent waiting, since the two count different cycles
for a hop; the documentation of the module wormhole says how the models differ.
"""

from pathlib import Path

import pandas
import pytest

import relnet

ROOT = Path(__file__).parent.parent
POINTS = pandas.read_csv(ROOT / "analysis" / "published" / "booksim2-mesh.csv", comment="#")
RIG = ROOT / "contrib" / "wormhole" / "test" / "wormhole-uniform-traffic.h"
FLITS = 8
SEEDS = 3


def published(shape):
    """BookSim2's mean accepted load and latency for each offered load; no latency past saturation."""
    return POINTS[POINTS["shape"] == shape].groupby("offered")[["accepted", "latency"]].mean()


def credit_delay():
    """Until a channel is free again after a tail: from how often one packet follows another between two routers."""
    period = FLITS / published("2x1")["accepted"].iloc[0]
    assert period == pytest.approx(round(period), abs=0.01)
    return round(period) - FLITS


def measure(shape, offered, header, delay):
    """One run with the process that BookSim2 generates, and the arbitration of its allocators."""
    from relnet import ns
    from relnet.processes import kernel

    settings = {
        "Shape": shape,
        "Router": "buffered",
        "Arbitration": "round-robin",
        "ThroughFirst": "false",
        "CreditDelay": str(delay),
    }
    assert ns.wormhole.WormholeNetwork
    cppyy = kernel.load()
    cppyy.include(header)
    given = cppyy.gbl.std.map["std::string", "std::string"]()
    for name, value in settings.items():
        given[name] = value
    traffic = cppyy.gbl.ns3.wormhole.tests.UniformTraffic(given, FLITS)
    result = traffic.Measure(offered, 5000, 20000)
    return {"accepted": result.accepted, "latency": result.latency}


def ours(shape, loads):
    """The same measured here."""
    frame = relnet.sweep(measure, shape=shape, offered=list(loads), header=str(RIG), delay=credit_delay(), seeds=SEEDS)
    return frame.groupby("offered")[["accepted", "latency"]].mean()


@pytest.mark.parametrize("shape", ["8x8", "16x16"])
def test_curve_agrees(cache, shape):
    theirs = published(shape)
    saturated = theirs[theirs["latency"].isna()].index
    curve = ours(shape, theirs.index)

    ratio = curve["accepted"] / theirs["accepted"]
    assert ratio[saturated].to_list() == pytest.approx([1], abs=0.05)

    below = theirs.index[theirs["accepted"] < 0.9 * theirs["accepted"].max()][1:]
    waiting = (curve["latency"] - curve["latency"].iloc[0])[below]
    their_waiting = (theirs["latency"] - theirs["latency"].iloc[0])[below]
    assert len(below) >= 4
    assert (waiting / their_waiting).to_list() == pytest.approx([1] * len(below), abs=0.2)


@pytest.mark.parametrize("side", [8, 16])
def test_latency_of_idle_networks(cache, side):
    """A hop takes three cycles there and one here, and a packet from a node to itself 12 and 8 cycles."""
    shape = f"{side}x{side}"
    load = published(shape).index[0]
    hops = 2 * (side - 1 / side) / 3
    here = ours(shape, [load])["latency"].iloc[0]
    assert published(shape)["latency"].iloc[0] == pytest.approx(here + 2 * hops + 4, rel=0.02)
