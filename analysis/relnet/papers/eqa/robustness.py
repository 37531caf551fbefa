# SPDX-License-Identifier: GPL-2.0-only
"""Details stated in words or left open: late receivers, pushed bytes, larger clusters, collectives."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.eqa import setup
from relnet.papers.eqa.setup import LARGE_NODES, LONG, METRIC, SHORT, SYSTEMS

LATENESS = ("0us", "100us", "300us", "1ms", "3ms")
"""Mean delay of posted receives after the start of the root."""

BURST = 20
"""Consecutive broadcasts, which late receivers have to buffer."""

HARDWARE = ("ppbcast", "sbcast")
"""Systems that broadcast in hardware."""

PUSHED = (0, 80, 260, 560, 860, 1464, 2928, 4096)
"""Pushed bytes, the sum of BTP_1 (at most 80) and BTP_2; 860 in the paper."""

AXIS = (0, 80, 260, 860, 4096)
"""Labelled values of an axis."""

MAP_SIZES = (64, 256, 860, 1464, 4096, 16384)
"""Message sizes of the map [bytes]."""

MAP_NODES = (2, 4, 8, 32)
"""Cluster sizes of the map."""

LOSSES = {
    "buffersize": ("switch", "SwitchLosses", (4, 8, 16, 64, 256)),
    "receivering": ("card", "CardLosses", (1, 2, 4, 8, 32)),
    "pushedbuffer": ("host", "HostLosses", (1536, 3072, 6144, 12288, 49152)),
}
"""
Places of packet loss, by the parameter of the buffer size: place, result that counts the losses, and tested sizes (in
frames, descriptors, bytes).
"""

LOSSY_SIZE = 16384
"""Message size of the runs with scarce buffers [bytes]."""

IN_TURN = "ppbcast in turn"
"""Push-Pull Broadcast whose receivers acknowledge in turn."""

NAMES = SYSTEMS | {IN_TURN: "PPBCAST, freed in turn"}
"""Labels of the systems of large clusters in figures."""

RELEASES = {"ppbcast": ({"release": "together"}, {"release": "in-turn"})}
"""Acknowledgements by which a sender's buffer is freed, which section 3.3 leaves open."""

COLLECTIVES = ("broadcast", "barrier", "allreduce", "allgather")
"""Operations that end in a broadcast (section 1)."""

LATE_ROUNDS = 100
"""Repetitions with late receivers, each of `BURST` broadcasts."""


def _late_points(scale: Scale) -> list[Point]:
    rounds = 10 if scale.quick else LATE_ROUNDS
    return [
        setup.point(scale, system, 8, size, late=late, burst=BURST, rounds=rounds)
        for system in HARDWARE
        for size in (SHORT, LONG)
        for late in LATENESS
    ]


def _milliseconds(text: str) -> float:
    return float(text[:-2]) / (1000 if text.endswith("us") else 1)


def _render_late(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = finished(frame)[
        [
            "system",
            "size",
            "late",
            METRIC,
            "LastLeaf",
            "HostLosses",
            "CardLosses",
            "Resent",
            "Suspensions",
            "Broadcasts",
        ]
    ].copy()
    table["late"] = table["late"].map(_milliseconds)
    table["lost_per_broadcast"] = (table["HostLosses"] + table["CardLosses"]) / table["Broadcasts"]
    with plots.style():
        figure, axes = plots.panels(1, 2, width=10, height=3.0)
        for panel, size in zip(axes[0], (SHORT, LONG), strict=True):
            shown = pick(table, size=size)
            plots.curves(shown, "late", "lost_per_broadcast", "system", panel, [SYSTEMS[name] for name in HARDWARE])
            panel.get_legend().remove()
            panel.set(
                xlabel="mean lateness [ms]", ylabel="packets lost in hosts per packet sent", title=f"{size} bytes"
            )
        plots.legend_above(figure, axes[0][0])
    totals = table.groupby(["system", "size"])[["HostLosses", "CardLosses"]].sum().sum(axis=1)
    simple_short, simple_long = totals["sbcast", SHORT], totals["sbcast", LONG]
    pushed_short, pushed_long = totals["ppbcast", SHORT], totals["ppbcast", LONG]
    on_time = pick(table, late=0.0).pivot(index="size", columns="system", values=METRIC)
    text = (
        f"With late receives, Simple Broadcast loses {simple_short:.0f} packets of messages of {SHORT} bytes and "
        f"{simple_long:.0f} of messages of {LONG} bytes over all values of lateness; Push-Pull Broadcast loses "
        f"{pushed_short:.0f} and {pushed_long:.0f}. With receives posted in time, Simple Broadcast takes "
        f"{on_time.loc[LONG, 'sbcast'] / on_time.loc[LONG, 'ppbcast']:.2f} of Push-Pull's time at {LONG} bytes."
    )
    findings = {
        "D-08": Finding(
            bool(simple_short < simple_long),
            note=f"Packets lost by Simple Broadcast with late receivers and {BURST} consecutive messages: "
            f"{simple_short:.0f} at {SHORT} bytes, {simple_long:.0f} at {LONG}.",
            guaranteed=f"{LONG} bytes need more packets than {SHORT} in the same buffers, so they cannot lose fewer.",
        ),
        "D-11": Finding(
            bool(pushed_short <= pushed_long and pick(table, system="ppbcast", size=LONG)["Suspensions"].sum() > 0),
            note=f"Push-Pull Broadcast with late receivers loses {pushed_short:.0f} packets of messages that are "
            f"pushed completely and {pushed_long:.0f} of long ones, whose broadcast was suspended "
            f"{pick(table, system='ppbcast', size=LONG)['Suspensions'].sum():.0f} times.",
            guaranteed="A message that is pushed completely fits into the pushed buffer, and only a pull can stall.",
        ),
    }
    return Outcome(table, figure, None, (text,), findings)


def _loss_points(scale: Scale) -> list[Point]:
    rounds = 5 if scale.quick else 50
    points = []
    for name, (place, _, sizes) in LOSSES.items():
        late = {"late": "1ms"} if place == "host" else {}
        points += [
            setup.point(scale, system, 8, LOSSY_SIZE, burst=10, rounds=rounds, **{name: size}, **late)
            for system in HARDWARE
            for size in sizes
        ]
    return points


def _render_losses(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = []
    for name, (place, count, _) in LOSSES.items():
        for run in frame[frame[name].notna()].to_dict("records"):
            rows.append(
                {
                    "place": place,
                    "buffer": int(run[name]),
                    "system": run["system"],
                    "verdict": run["Verdict"],
                    "lost": run[count],
                    "resent": run["Resent"],
                    "last_leaf": run["LastLeaf"] if run["Verdict"] == "completed" else float("nan"),
                }
            )
    table = pd.DataFrame(rows)
    with plots.style():
        figure, axes = plots.panels(1, len(LOSSES), width=11, height=3.0)
        units = ("frames", "descriptors", "bytes")
        for panel, (place, _, _), unit in zip(axes[0], LOSSES.values(), units, strict=True):
            shown = pick(table, place=place)
            plots.curves(shown, "buffer", "last_leaf", "system", panel, [SYSTEMS[name] for name in HARDWARE])
            panel.get_legend().remove()
            panel.set(xscale="log", yscale="log", title=f"scarce buffers in the {place}")
            panel.set(xlabel=f"buffer of the {place} [{unit}]", ylabel="")
        axes[0][0].set_ylabel("time to the last node [us]")
        plots.legend_above(figure, axes[0][0])
    ended = table[table["verdict"] == "completed"]
    text = (
        f"{len(ended)} of {len(table)} runs deliver every message once and in order. The runs are bursts of 10 "
        f"messages of {LOSSY_SIZE} bytes to 7 receivers. In those on buffers of the host, receivers are late by a "
        "mean of 1 ms; in the others they are in time.",
    )
    return Outcome(table, figure, None, text)


def _map_points(scale: Scale) -> list[Point]:
    points = []
    for nodes in MAP_NODES:
        for size in MAP_SIZES:
            for pushed in PUSHED:
                first = min(pushed, 80)
                rounds = 20 if scale.quick else 100
                points.append(
                    setup.point(scale, "ppbcast", nodes, size, btp1=first, btp2=pushed - first, rounds=rounds)
                )
    return points


def _render_map(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = finished(frame)[["nodes", "size", "btp1", "btp2", *setup.METRICS]].copy()
    table["pushed"] = table["btp1"] + table["btp2"]
    least = table.loc[table.groupby(["nodes", "size"])[METRIC].idxmin()]
    published = pick(table, pushed=860).set_index(["nodes", "size"])[METRIC]
    shown = least.set_index(["nodes", "size"])[["pushed", METRIC]].rename(
        columns={"pushed": "best to push [bytes]", METRIC: "time [us]"}
    )
    shown["with 860 bytes [us]"] = published
    shown["loss [%]"] = (shown["with 860 bytes [us]"] / shown["time [us]"] - 1) * 100
    with plots.style():
        figure, axes = plots.panels(2, len(MAP_SIZES) // 2, width=11, height=2.3)
        for panel, size in zip(axes[0] + axes[1], MAP_SIZES, strict=True):
            times = pick(table, size=size).pivot(index="pushed", columns="nodes", values=METRIC)
            for index, nodes in enumerate(MAP_NODES):
                style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": f"{nodes} nodes"}
                panel.plot(times.index, times[nodes] / times[nodes].min(), **style)
            panel.axvline(860, color="#777777", linewidth=0.8, linestyle=":")
            panel.set_xscale("symlog", linthresh=min(filter(None, PUSHED)))
            panel.set_xticks(AXIS, AXIS)
            panel.set_xticks([], minor=True)
            panel.set_xlim(left=0)
            panel.set_title(f"{size} bytes")
        for panel in axes[-1]:
            panel.set_xlabel("bytes pushed (dotted: published)")
        for row in axes:
            row[0].set_ylabel("time / best time")
        plots.legend_above(figure, axes[0][0])
    text = (
        f"The published 860 bytes are within {shown['loss [%]'].max():.0f} % of the best for all sizes of messages "
        "and clusters here. Receives are posted in time, so pushing costs only a buffer.",
    )
    return Outcome(table, figure, shown.round(1).reset_index(), text)


def _large_points(scale: Scale) -> list[Point]:
    rounds = 20 if scale.quick else 100
    return [
        setup.point(scale, system, nodes, size, rounds=rounds, **more)
        for system, more in ((name, rule) for name in SYSTEMS for rule in RELEASES.get(name, ({},)))
        for nodes in (LARGE_NODES[:2] if scale.quick else LARGE_NODES)
        for size in (SHORT, LONG)
    ]


def _render_large(scale: Scale, frame: pd.DataFrame) -> Outcome:
    turns = frame["release"] == "in-turn"
    named = frame.assign(system=frame["system"].mask(turns, IN_TURN))
    table = finished(named)[["system", "nodes", "size", *setup.METRICS]]
    with plots.style():
        figure, axes = plots.panels(1, 2, width=10, height=3.0)
        for panel, size in zip(axes[0], (SHORT, LONG), strict=True):
            shown = pick(table, size=size)
            names = [NAMES[name] for name in shown["system"].unique()]
            plots.curves(shown, "nodes", METRIC, "system", panel, names)
            panel.get_legend().remove()
            panel.set(xscale="log", yscale="log", xlabel="nodes", ylabel="time [us]", title=f"{size} bytes")
        plots.legend_above(figure, axes[0][0])
    most = int(table["nodes"].max())
    last = pick(table, nodes=most).pivot(index="size", columns="system", values=METRIC)
    slower = last.rdiv(last["mpich"], axis=0)
    text = (
        f"On {most} nodes MPICH takes {slower.loc[SHORT, 'ppbcast']:.1f} times as long as Push-Pull Broadcast at "
        f"{SHORT} bytes and {slower.loc[LONG, 'ppbcast']:.1f} times at {LONG} bytes. If receivers free its buffer in "
        f"turn, the factors are {slower.loc[SHORT, IN_TURN]:.1f} and {slower.loc[LONG, IN_TURN]:.1f}. The paper states "
        "only that one receiver acknowledges a push (section 3.3), not the order.",
    )
    return Outcome(table, figure, None, text)


def _collective_points(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, system, nodes, SHORT, operation=operation, rounds=20 if scale.quick else 100)
        for system in SYSTEMS
        for nodes in (2, 8, 32)
        for operation in COLLECTIVES
    ]


def _render_collectives(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = finished(frame)[["system", "nodes", "operation", "LastLeaf"]]
    shown = table.pivot(index=["operation", "nodes"], columns="system", values="LastLeaf")
    ratio = shown["mpich"] / shown["ppbcast"]
    text = (
        f"With the broadcast in hardware, the operations take 1/{ratio.max():.1f} to 1/{ratio.min():.1f} of the time "
        "on MPICH's tree, until the result arrives at the last node.",
    )
    shown = shown[list(SYSTEMS)].rename(columns=lambda name: f"{SYSTEMS[name]} [us]").round(1).reset_index()
    return Outcome(table, None, shown, text)


LATE = Experiment(
    "late",
    "Late receivers",
    "Sections 3.2 and 3.3, in words",
    _late_points,
    _render_late,
    lambda scale: setup.command(scale, system=HARDWARE, nodes=8, size=(SHORT, LONG), late=LATENESS, burst=BURST),
)
SCARCE = Experiment(
    "losses",
    "Scarce buffers in the switch, the card and the host",
    "Introduction, in words",
    _loss_points,
    _render_losses,
    lambda scale: [
        line
        for name, (place, _, sizes) in LOSSES.items()
        for line in setup.command(
            scale,
            system=HARDWARE,
            nodes=8,
            size=LOSSY_SIZE,
            burst=10,
            **{name: sizes},
            **({"late": "1ms"} if place == "host" else {}),
        )
    ],
)
MAP = Experiment(
    "btp",
    "Best number of pushed bytes, by message and cluster size",
    "Not in the paper (section 2 leaves BTP open)",
    _map_points,
    _render_map,
    lambda scale: setup.command(scale, nodes=MAP_NODES, size=MAP_SIZES, btp1=0, btp2=PUSHED),
)
LARGE = Experiment(
    "large",
    "Up to 128 nodes",
    "Not in the paper",
    _large_points,
    _render_large,
    lambda scale: [
        *setup.command(scale, system=tuple(SYSTEMS), nodes=LARGE_NODES, size=(SHORT, LONG)),
        *setup.command(scale, system="ppbcast", nodes=LARGE_NODES, size=(SHORT, LONG), release="in-turn"),
    ],
)
COLLECTIVE = Experiment(
    "collectives",
    "Other operations built on the broadcast",
    "Section 1, in words",
    _collective_points,
    _render_collectives,
    lambda scale: setup.command(scale, system=tuple(SYSTEMS), nodes=(2, 8, 32), size=SHORT, operation=COLLECTIVES),
)
