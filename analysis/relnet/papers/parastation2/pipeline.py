# SPDX-License-Identifier: GPL-2.0-only
"""Figure 2: the time of each step, in a 4-byte ping-pong and in an exchange of 32 KB."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.parastation2 import setup
from relnet.papers.parastation2.setup import HOSTS, LARGE, SMALL, TITLES
from relnet.records import frames

NETWORK = "-"
"""The row of the network, which is not a step."""


def _points(scale: Scale) -> list[Point]:
    # Equal costs keep the order of the runs, by which the tables are numbered.
    return [
        setup.point(platform=host, pattern=pattern, size=size, rounds=rounds)
        for host in HOSTS
        for pattern, size, rounds in (("pingpong", SMALL, 300), ("exchange", LARGE, 100))
    ]


def _steps(frame: pd.DataFrame) -> pd.DataFrame:
    """Figure 2's steps on every host, with their parts in the latency and their shares of an exchange."""
    pipeline = frames.tables(frame)["Pipeline"]
    runs = {
        (run["platform"], run["pattern"]): pick(pipeline, point=number).reset_index(drop=True)
        for number, run in enumerate(frame.to_dict("records"))
    }
    parts = []
    for host in HOSTS:
        small, large = runs[host, "pingpong"], runs[host, "exchange"]
        part = small[["Step", "What", "Resource", "Way"]].rename(columns=str.lower)
        part.insert(0, "host", host)
        part["service_small"], part["service_large"] = small["Service"], large["Service"]
        part["share_large"] = large["Share"]
        # The HAL has no layer above it, and ParaStation2 fetches nothing by DMA.
        parts.append(part[(part["step"] == NETWORK) | (part["service_large"] > 0)])
    return pd.concat(parts, ignore_index=True)


def _draw_way(axes: Axes, steps: pd.DataFrame) -> None:
    """Draw the steps of a small message, one bar per host."""
    colours = dict(zip(dict.fromkeys(steps["resource"]), plots.COLOURS, strict=False))
    for y, host in enumerate(HOSTS):
        begin = 0.0
        for step in pick(steps, host=host).to_dict("records"):
            axes.barh(y, step["way"], 0.7, begin, color=colours[step["resource"]], alpha=0.85)
            if step["way"] > 0.2:
                name = "" if step["step"] == NETWORK else step["step"]
                axes.text(begin + step["way"] / 2, y, name, ha="center", va="center", fontsize=8)
            begin += step["way"]
    for resource, colour in colours.items():
        axes.barh(0, 0, color=colour, alpha=0.85, label=resource)
    axes.set_yticks(range(len(HOSTS)), list(TITLES.values()))
    axes.set_ylim(len(HOSTS) - 0.4, -1.1)
    axes.set(xlabel="time since the call [us]", title=f"steps of a message of {SMALL} bytes")
    axes.legend(loc="upper center", ncols=len(colours), fontsize=8)


def _draw_shares(axes: Axes, steps: pd.DataFrame) -> None:
    """Draw the share of each step in an exchange, one bar per host."""
    rows = pick(steps, host=next(iter(HOSTS)))
    labels = [f"{step} {what}" for step, what in zip(rows["step"], rows["what"], strict=True)]
    width = 0.8 / len(HOSTS)
    for index, (host, title) in enumerate(TITLES.items()):
        places = [row + (index - 1) * width for row in range(len(labels))]
        shares = 100 * pick(steps, host=host)["share_large"]
        axes.barh(places, shares, width * 0.92, color=plots.COLOURS[index], alpha=0.85, label=title)
    axes.set_yticks(range(len(labels)), labels, fontsize=8)
    axes.invert_yaxis()
    axes.set(xlabel="share of the time [%]", title=f"exchange of {LARGE // 1024} KB")
    axes.legend()


def _figure(steps: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, 2, width=11, height=4.2)
        _draw_way(axes[0][0], steps)
        _draw_shares(axes[0][1], steps[steps["step"] != NETWORK])
    return figure


def _sum(steps: pd.DataFrame, resource: str, column: str) -> float:
    """Sum of a column over the steps of a resource."""
    return float(pick(steps, resource=resource)[column].sum())


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    steps = _steps(frame)
    first = next(iter(HOSTS))
    own = pick(steps, host=first)
    latency = steps.groupby("host")["way"].sum()
    gap = (latency - frame[frame["pattern"] == "pingpong"].groupby("platform")["Latency"].mean()).abs().max()
    shown = pd.DataFrame(
        {
            "host": steps["host"].map(TITLES),
            "step": steps["step"],
            "what": steps["what"],
            "by": steps["resource"],
            f"{SMALL} bytes: part of the latency [us]": steps["way"].round(2),
            f"{SMALL} bytes: service [us]": steps["service_small"].round(2),
            f"{LARGE // 1024} KB: service of a packet [us]": steps["service_large"].round(2),
            f"{LARGE // 1024} KB: share of the time": [f"{share:.0%}" for share in steps["share_large"]],
        }
    )
    store, transfer = (float(pick(own, step=step)["share_large"].iloc[0]) for step in ("2", "B"))
    cpu = _sum(own, "host CPU", "share_large") + store
    firmware = _sum(own, "firmware", "share_large")
    text = (
        f"On the {TITLES[first]} a message of {SMALL} bytes takes {latency[first]:.1f} us: "
        f"{_sum(own, 'host CPU', 'way'):.1f} in the hosts' processors, {_sum(own, 'firmware', 'way'):.1f} in the "
        f"firmware, {_sum(own, 'PCI bus', 'way'):.1f} on the buses, {_sum(own, 'link', 'way'):.1f} in the network. "
        "Step 5 of the acknowledgement adds to the latency, since the ACK is sent before the packet is READY for the "
        "host (section 3.3); steps 6 and 7 are concurrent. The sum of the parts differs from the measured latency by "
        f"at most {1000 * gap:.0f} ns.",
        f"In an exchange of {LARGE // 1024} KB consecutive packets overlap. Steps 2 and B, which share the bus burst "
        f"by burst and wait for each other, are active for {store:.0%} and {transfer:.0%} of the time. The "
        f"processor, which stores, polls and copies, is busy for {cpu:.0%}, and the firmware for {firmware:.0%}.",
    )
    return Outcome(steps, _figure(steps), shown, text)


FIGURE_2 = Experiment(
    "figure-2",
    "Figure 2: time of each step",
    "Section 3.2, figure 2",
    _points,
    _render,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} platform={','.join(HOSTS)} pattern=pingpong size={SMALL} rounds=300",
        f"relnet sweep {setup.SCENARIO} platform={','.join(HOSTS)} pattern=exchange size={LARGE} rounds=100",
    ],
)
