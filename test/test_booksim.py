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

POINTS = pandas.read_csv(Path(__file__).parent.parent / "analysis" / "published" / "booksim2-mesh.csv", comment="#")
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


def ours(shape, loads):
    """The same measured here, with the arbitration of BookSim2's allocators."""
    frame = relnet.sweep(
        "uniform-traffic",
        shape=shape,
        router="buffered",
        beside="none",
        arbitration="round-robin",
        throughfirst=False,
        creditdelay=credit_delay(),
        flits=FLITS,
        minload=list(loads),
        points=1,
        warmup=5000,
        cycles=20000,
        timelinelength=0,
        seeds=SEEDS,
    )
    return relnet.tables(frame)["Curve"].groupby("offered")[["accepted", "latency"]].mean()


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
