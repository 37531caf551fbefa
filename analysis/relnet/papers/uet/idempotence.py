# SPDX-License-Identifier: GPL-2.0-only
"""RUDI beside the idempotent protocol of 2002: the same idea 23 years apart, in time, packets and memory."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.uet import setup

OLD, RUDI, RUD, HASTY = "idempotent", "uet RUDI", "uet RUD", "uet RUDI, 10 us"

SYSTEMS: dict[str, dict[str, Any]] = {
    OLD: {"protocol": "idempotent"},
    RUDI: {"protocol": "uet", "protocol.mode": "rudi", "protocol.retries": 14},
    RUD: {"protocol": "uet", "protocol.mode": "rud", "protocol.retries": 14},
    HASTY: {"protocol": "uet", "protocol.mode": "rudi", "protocol.retries": 14, "protocol.rto": "10us"},
}
"""
Protocols. The last one was added after the first runs: its timeout is about that of idempotent, which knows distances
and counts on an idle network; UET's default outlasts full windows of all hosts.
"""

SIZES = (16, 4096)
"""Sizes of messages, a packet each [bytes]."""

LOSSES = (0.0, 0.001, 0.01, 0.05)
"""Loss of frames."""

MESSAGES = 500
"""Messages of each host."""

NETWORK: dict[str, Any] = {
    "network": "fabric",
    "nodes": 16,
    "host": "free",
    "pattern": "uniform",
    "pattern.window": 4,
}
"""16 hosts, each with four messages in flight to random others."""

SEEDS = 3
"""Seeds."""

STATE = pd.DataFrame(
    [
        (OLD, "the message, until its ACK", "source and ID, 74 bits, from MSG to CONF", "0"),
        (RUDI, "the message, until its response", "nothing", "0"),
        (RUD, "the message, until its ACK", "a bit of a bitmap", "a PDC: two PSNs, numbers, bitmap, queue"),
        (HASTY, "the message, until its response", "nothing", "0"),
    ],
    columns=["system", "sender, a message", "receiver, a message in flight", "receiver, a peer"],
)
"""State that the rules of each protocol require."""


def _cells(scale: Scale) -> list[tuple[str, int, float, int]]:
    seeds = 1 if scale.quick else SEEDS
    return [
        (system, size, loss, seed)
        for system in SYSTEMS
        for size in SIZES
        for loss in LOSSES
        for seed in range(1, seeds + 1)
    ]


def _points(scale: Scale) -> list[Point]:
    messages = MESSAGES // 10 if scale.quick else MESSAGES
    return [
        Point(NETWORK | SYSTEMS[system] | {"size": size, "loss": loss, "messages": messages}, seed)
        for system, size, loss, seed in _cells(scale)
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = pd.DataFrame(_cells(scale), columns=["system", "size", "loss", "seed"])
    columns = {
        "Time": "time",
        "Latency": "latency",
        "Latency99": "latency99",
        "FramesPerMessage": "frames",
        "BytesPerMessage": "bytes",
        "Delivered": "delivered",
        "Duplicates": "again",
    }
    for name, short in columns.items():
        runs[short] = frame[name]
    runs["completed"] = frame["Verdict"] == "completed"
    table = runs.groupby(["system", "size", "loss"], sort=False)[[*columns.values(), "completed"]].mean().reset_index()
    calm = pick(table, loss=0.0).set_index(["system", "size"])
    lossy = pick(table, loss=0.01).set_index(["system", "size"])
    frames = {system: float(calm.at[(system, 16), "frames"]) for system in SYSTEMS}
    text = (
        "Packets a message without loss, 16 bytes: "
        + ", ".join(f"{system} {count:.2f}" for system, count in frames.items())
        + ".",
        setup.told(
            "idempotent takes three packets a message, RUDI two, RUD between one and two.",
            bool(frames[OLD] == 3 and frames[RUDI] == 2 and 1 < frames[RUD] <= 2),
        ),
        setup.told(
            "without loss all have the same mean latency, within 10 %.",
            bool(calm["latency"].groupby("size").agg(lambda times: times.max() / times.min()).max() < 1.1),
        ),
        setup.told(
            "with 1 % loss the mean latencies of idempotent and RUDI differ by less than a factor of two: both wait "
            "for a timer.",
            bool(all(0.5 < lossy.at[(OLD, size), "latency"] / lossy.at[(RUDI, size), "latency"] < 2 for size in SIZES)),
        ),
        setup.told(
            "with a timeout of 10 us (added after the first runs) RUDI's mean latency is that of idempotent at 1 % "
            "loss, within 10 %: the timer makes the difference.",
            bool(
                all(
                    abs(lossy.at[(HASTY, size), "latency"] / lossy.at[(OLD, size), "latency"] - 1) < 0.1
                    for size in SIZES
                )
            ),
        ),
        setup.told(
            "only RUDI delivers messages again, as many as answers are lost.",
            bool(
                pick(table, system=OLD)["again"].max() == 0
                and pick(table, system=RUD)["again"].max() == 0
                and lossy.at[(RUDI, 16), "again"] > 0
            ),
        ),
    )
    findings = {
        "U-L06": Finding(
            bool(pick(table, system=RUDI)["again"].max() > 0 and pick(table, system=RUD)["again"].max() == 0),
            note="Messages of one packet; of several, a message is delivered again only if each packet is repeated.",
            scale=not scale.quick,
            seen=True,
        ),
        "U-L07": Finding(
            bool(runs["completed"].all() and pick(table, system=OLD)["again"].max() == 0),
            note=text[0],
            scale=not scale.quick,
        ),
    }
    with plots.style():
        figure, axes = plots.panels(1, 2, width=9, height=3.0)
        for panel, column in zip(axes[0], ("latency99", "frames"), strict=True):
            plots.curves(pick(table, size=16), "loss", column, "system", panel, list(SYSTEMS))
            panel.set_xscale("symlog", linthresh=0.001)
        axes[0][0].set(ylabel="99th percentile of the latency [us]", yscale="log")
        axes[0][1].set(ylabel="packets a message")
        plots.legend_above(figure, axes[0][0])
    shown = table.drop(columns=["completed"]).round(3)
    return Outcome(table.merge(STATE, on="system"), figure, shown, text, findings)


IDEMPOTENCE = Experiment(
    "idempotence",
    "RUDI beside the idempotent protocol of 2002",
    "Not in a paper: this project",
    _points,
    _render,
    lambda scale: [
        setup.command(point).replace(f"sweep {setup.SCENARIO}", "sweep reliability") for point in _points(scale)
    ],
    scenario="reliability",
)
