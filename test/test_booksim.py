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
    """Delay until a channel is free after a tail, from the interval of packets between two routers."""
    period = FLITS / published("2x1")["accepted"].iloc[0]
    assert period == pytest.approx(round(period), abs=0.01)
    return round(period) - FLITS


def measure(shape, loads, header, delay):
    """Runs with the process that BookSim2 generates, and the arbitration of its allocators; `loads` are in one text."""
    from relnet import ns
    from relnet.binding import namespace

    settings = {
        "Shape": shape,
        "Router": "buffered",
        "Arbitration": "round-robin",
        "ThroughFirst": "false",
        "CreditDelay": str(delay),
    }
    assert ns.wormhole.WormholeNetwork
    cppyy = namespace.load()
    cppyy.include(header)
    given = cppyy.gbl.std.map["std::string", "std::string"]()
    for name, value in settings.items():
        given[name] = value
    results = {}
    for load in loads.split():
        result = cppyy.gbl.ns3.wormhole.tests.UniformTraffic(given, FLITS).Measure(float(load), 5000, 20000)
        results |= {f"accepted {load}": result.accepted, f"latency {load}": result.latency}
    return results


def ours(shape, loads):
    """The same values of this simulator, with one process per seed, since each has to compile the generator."""
    text = " ".join(map(str, loads))
    frame = relnet.sweep(measure, shape=shape, loads=text, header=str(RIG), delay=credit_delay(), seeds=SEEDS)
    columns = {name: [frame[f"{name} {load}"].mean() for load in text.split()] for name in ("accepted", "latency")}
    return pandas.DataFrame(columns, index=loads)


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

    # On an idle network a hop takes three cycles there and one here, a packet from a node to itself 12 and 8 cycles.
    side = int(shape.partition("x")[0])
    hops = 2 * (side - 1 / side) / 3
    assert theirs["latency"].iloc[0] == pytest.approx(curve["latency"].iloc[0] + 2 * hops + 4, rel=0.02)
