# SPDX-License-Identifier: GPL-2.0-only
"""
Open questions of the paper (section 9): message rate against the number of peers, and effect of losses on reliability
in software.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, OSU, RC_NATIVE, UC_RELIABLE, UD_RELIABLE

COMPARED = (RC_NATIVE, UC_RELIABLE, UD_RELIABLE)
"""Combinations compared; each delivers every message."""

PAIRS = 8
"""Processes of the node that sends; each has as many peers (section 8.1)."""

PEERS = (1, 2, 4, 8, 16, 32, 63)
"""Peers of each process."""

CACHES = (64, 128, 256, 1024)
"""Contexts in the adapter's cache [lines]."""

RATE_SIZE = 8
"""Message size of the rates [bytes]."""


SET = "jac2000"
"""The data set of the runs with losses."""

LOSSES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
"""Probabilities of packet loss; 1e-9 would be one message in 500 seconds of a process."""

NODES = 16
"""Nodes of the runs with losses."""

DURATION = 0.2
"""Time of RC-Native in these runs [s]."""


def _chosen(labels: tuple[str, ...]) -> list[setup.Combination]:
    return [combination for combination in COMBINATIONS if combination.label in labels]


def _peer_plan(scale: Scale) -> list[tuple[dict[str, Any], Point]]:
    plan = []
    for combination in _chosen(COMPARED):
        for cache in CACHES[:: 2 if scale.quick else 1]:
            for peers in PEERS[:: 3 if scale.quick else 1]:
                label = {"combination": combination.label, "cache": cache, "contexts": PAIRS * peers}
                given = {"pairs": PAIRS, "peers": peers, "contextcache": cache, "sizes": str(RATE_SIZE)}
                plan.append((label, setup.point(combination, 1, peers, windows=20, **given)))
    return plan


def _peer_picture(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, len(COMPARED), width=10, height=3.0)
        for panel, label in zip(axes[0], COMPARED, strict=True):
            for index, (cache, rows) in enumerate(pick(table, combination=label).groupby("cache")):
                style = {
                    "color": plots.COLOURS[index],
                    "marker": plots.MARKERS[index],
                    "label": f"cache of {cache} lines",
                }
                panel.plot(rows["contexts"], rows["rate"], **style)
            panel.set_xscale("log", base=2)
            plots.from_zero(panel)
            panel.set(title=label, xlabel="queue pairs of the node")
        axes[0][0].set_ylabel("messages [million/s]")
        plots.legend_above(figure, axes[0][0])
    return figure


def _render_peers(scale: Scale, frame: pd.DataFrame) -> Outcome:
    labels = pd.DataFrame([label for label, _ in _peer_plan(scale)], index=frame.index)
    done = finished(pd.concat([frame, labels], axis=1))
    table = done[["combination", "cache", "contexts", "MessageRate", "ContextMisses"]].rename(
        columns={"MessageRate": "rate", "ContextMisses": "misses per message"}
    )
    wide = table.pivot_table(index=["cache", "contexts"], columns="combination", values="rate")
    told = []
    for cache, rows in wide.groupby(level="cache"):
        ratio = (rows[UC_RELIABLE] / rows[RC_NATIVE]).droplevel("cache")
        ahead = ratio[ratio > 1]
        told.append(
            f"with {cache} lines from {ahead.index[0]} queue pairs on" if len(ahead) else f"with {cache} lines never"
        )
    fall = {
        label: wide[label].groupby(level="cache").agg(lambda rates: rates.iloc[-1] / rates.max()) for label in COMPARED
    }
    text = (
        f"{PAIRS} processes of a node send messages of {RATE_SIZE} bytes to {PEERS[0]} to {PEERS[-1]} peers each. "
        f"UC-Reliable has a higher rate than RC-Native {'; '.join(told)}.",
        "Rate of a node with the most peers, relative to its best rate: "
        + "; ".join(f"{label} {values.min():.0%} to {values.max():.0%}" for label, values in fall.items())
        + ", depending on the cache's size. UD needs one queue pair for all peers.",
    )
    return Outcome(table, _peer_picture(table), wide.reset_index().round(3), text)


PEERS_AND_CACHE = Experiment(
    "peers-and-cache",
    "Message rate against the number of peers",
    "Section 9, as an open question",
    lambda scale: [point for _, point in _peer_plan(scale)],
    _render_peers,
    lambda scale: [
        setup.command(
            OSU,
            setup.ALL | {"pairs": PAIRS, "peers": PEERS, "contextcache": CACHES, "sizes": RATE_SIZE, "windows": 20},
        )
    ],
    OSU,
)


def _base(scale: Scale, **more: Any) -> Point:
    """A run of RC-Native, which determines the computation of a step."""
    return setup.application(scale, SET, COMBINATIONS[0], **(setup.LOOP | {"duration": DURATION} | more))


def _loss_points(scale: Scale) -> list[Point]:
    return [_base(scale, nodes=4 if scale.quick else NODES)]


def _loss_further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    beside = setup.beside(_loss_points(scale), frame, COMPARED)
    return beside + [
        Point({**point.parameters, "packetloss": loss}, point.seed)
        for loss in LOSSES[:: 3 if scale.quick else 1]
        for point in beside
    ]


def _render_loss(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = setup.label_runs(finished(frame))
    done = done[done["compute"].notna()]
    loss = done["packetloss"].fillna(0) if "packetloss" in done else 0.0
    table = done.assign(loss=loss)[["combination", "loss", "Time", "Retransmissions", "Messages"]]
    wide = table.pivot_table(index="loss", columns="combination", values="Time")
    relative = wide / wide.loc[0.0, RC_NATIVE]
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6.5, height=3.4)
        panel = axes[0][0]
        for index, label in enumerate(relative.columns):
            style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": label}
            panel.plot(relative.index, relative[label], **style)
        panel.set_xscale("symlog", linthresh=1e-6)
        panel.set_yscale("log")
        panel.set(xlabel="probability of packet loss", ylabel="time / RC-Native's without loss")
        panel.legend()
    told = []
    for label in (UC_RELIABLE, UD_RELIABLE):
        slower = relative.index[relative[label] > relative[RC_NATIVE]]
        told.append(
            f"losses at which {label} is slower than RC-Native: {', '.join(f'{p:g}' for p in slower) or 'none'}"
        )
    last = relative.iloc[-1]
    text = (
        f"{'; '.join(told).capitalize()}. At {relative.index[-1]:g} the times are "
        + ", ".join(f"{label} {value:.3g}" for label, value in last.items())
        + " times RC-Native's without loss.",
        "A lost message delays all processes that wait for it: in software until t_timeout, "
        f"{setup.TIMEOUT / 1e6:.0f} ms here, in hardware until the adapter's timer, 67 ms by default, or until the "
        "next packet reveals the gap. The cost depends on the losses of all processes together, and is proportional "
        "to the loss below 1e-6.",
    )
    return Outcome(table, figure, relative.round(3).reset_index(), text)


LOSS = Experiment(
    "losses",
    "Packet losses: the limit of reliability in software",
    "Section 9, as an open question",
    _loss_points,
    _render_loss,
    lambda scale: [
        setup.command(
            APPLICATION,
            setup.ALL | setup.LOOP | {"dataset": SET, "nodes": NODES, "duration": DURATION, "packetloss": (0, *LOSSES)},
        )
    ],
    further=_loss_further,
)
