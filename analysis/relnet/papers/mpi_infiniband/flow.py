# SPDX-License-Identifier: GPL-2.0-only
"""
What makes the flow-control ACKs of Tables 2 and 3: by MVAPICH's source more than 10 frames (UD: 50) from a peer since
anything was sent to it last. How one-sided the programs' traffic is, in what bunches it comes and how long its longest
messages are the paper does not say, so all of it is swept, and nothing chosen.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, LABELS, UD_NATIVE
from relnet.papers.runs import finished, pick

SWEPT: dict[str, tuple[str, tuple[Any, ...]]] = {
    "onesided": ("jac2000", (0.0, 0.25, 0.5, 0.9)),
    "bunch": ("jac2000", (1, 5, 10, 20)),
    "longshare": ("jac2000", (0.0, 0.0025, 0.005, 0.01)),
}
"""Unknown: the data set, and values for it."""

TITLES = {
    "onesided": "jac2000: share answered elsewhere",
    "bunch": "jac2000: messages of a step\nthat one partner gets",
    "longshare": "jac2000: share of messages\nof 128 KB",
}
"""Labels in figures."""

COMPARED = {
    label: combination for label, combination in zip(LABELS, COMBINATIONS, strict=True) if not label.startswith("RC")
}
"""Combinations run: RC has the code of UC (C-15)."""

NODES = 16
"""Nodes of these runs: two ranks meet four times as often as among 64, which makes ACKs rarer."""

DURATION = 0.2
"""Time of RC-Native in these runs [s]."""

LEAST = 1e-6
"""Where the axis of the figure ends below, and what is not there at all is drawn."""


def _points(scale: Scale) -> list[Point]:
    size = {} if scale.quick else {"nodes": NODES, "duration": DURATION}
    sets = dict.fromkeys(name for name, _ in SWEPT.values())
    return [setup.application(scale, name, COMBINATIONS[0], **size) for name in sets]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    """All with the computation of the default traffic: it is frames that are counted, not time."""
    step = 2 if scale.quick else 1
    found = []
    for base in setup.beside(_points(scale), frame, tuple(COMPARED)):
        for unknown, (name, values) in SWEPT.items():
            if name == base.parameters["dataset"]:
                found += [Point({**base.parameters, unknown: value}, 1, base.cost) for value in values[::step]]
    return found


def count(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Flow-control ACKs for each reliability ACK, which does not depend on how long the runs are.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        A row for each unknown, value and combination: flow-control ACKs for each message, and for each reliability ACK
        of the same transport with reliability, beside the published ratio.
    """
    done = setup.label_runs(finished(frame))
    rows = []
    for unknown, (name, _) in SWEPT.items():
        runs = done[done[unknown].notna()] if unknown in done else done.iloc[:0]
        for run in runs.to_dict("records"):
            reliable = f"{run['transport']}-Reliable"
            beside = pick(runs, combination=reliable, **{unknown: run[unknown]})
            if beside.empty or run["combination"] not in COMPARED:
                continue
            rows.append(
                {
                    "data set": name,
                    "unknown": unknown,
                    "value": run[unknown],
                    "combination": run["combination"],
                    "for a message": run["FlowAcks"] / run["Messages"],
                    "for a reliability ACK": run["FlowAcks"] / beside["ReliabilityAcks"].iloc[0],
                    "published": published(name, run["combination"]),
                }
            )
    return pd.DataFrame(rows)


def published(name: str, label: str) -> float:
    """Flow-control ACKs for each reliability ACK of the same transport, as published."""
    acks = setup.published(name, COMPARED[label], "FC-ACK")
    return acks / setup.published(name, COMPARED[f"{label[:2]}-Reliable"], "REL-ACK")


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(2, len(SWEPT), width=12, height=2.4)
        for row, mode in zip(axes, ("Native", "Reliable"), strict=True):
            for panel, (unknown, (name, _)) in zip(row, SWEPT.items(), strict=True):
                for index, transport in enumerate(("UC", "UD")):
                    label = f"{transport}-{mode}"
                    runs = pick(found, unknown=unknown, combination=label).sort_values("value")
                    style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index]}
                    shown = runs["for a reliability ACK"].clip(lower=LEAST)
                    panel.plot(range(len(runs)), shown, label=transport, **style)
                    panel.axhline(max(published(name, label), LEAST), color=plots.COLOURS[index], linestyle=":")
                    panel.set_xticks(range(len(runs)), [f"{value:g}" for value in runs["value"]])
                panel.set(yscale="log", ylim=(LEAST * 0.7, 2))
            row[0].set_ylabel(f"{mode}: flow-control\nACKs for each\nreliability ACK")
        for panel, title in zip(axes[-1], TITLES.values(), strict=True):
            panel.set_xlabel(title)
        plots.legend_above(figure, axes[0][0])
    return figure


def _told(found: pd.DataFrame, unknown: str, label: str) -> str:
    """Least and greatest count over an unknown, and whether the published one lies between them."""
    runs = pick(found, unknown=unknown, combination=label)["for a reliability ACK"]
    there = published(SWEPT[unknown][0], label)
    inside = "inside" if runs.min() <= there <= runs.max() else "outside"
    return f"{runs.min():.2g} to {runs.max():.2g} (published {there:.2g}, {inside})"


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = count(frame)
    text = (
        "Flow-control ACKs for each reliability ACK of the same transport, so that the unknown length of the paper's "
        f"runs does not matter; dotted is what Tables 2 and 3 have. What is below {LEAST:g} is drawn there, zero too.",
        "Without reliability, over UC: jac2000 has "
        f"{_told(found, 'onesided', 'UC-Native')} as less is answered to its sender. The more peers there are, the "
        "longer is nothing sent back to one, and the more ACKs there are. LAMMPS has what its decks give: rings and "
        "broadcasts before the loop, and PPPM's transposes, go one way (Table 3).",
        "With reliability an ACK sweep returns all credits after each 10 frames, so that only what comes from one peer "
        f"within one call makes a flow-control ACK. However one-sided jac2000 is over UC, it has "
        f"{_told(found, 'onesided', 'UC-Reliable')}; as its partners get messages in bunches, "
        f"{_told(found, 'bunch', 'UC-Reliable')}.",
        f"Over UD it takes 50 frames. Natively jac2000 has {_told(found, 'onesided', 'UD-Native')} as it gets "
        f"one-sided, and {_told(found, 'bunch', 'UD-Native')} in bunches; with reliability "
        f"{_told(found, 'bunch', 'UD-Reliable')} in bunches.",
        "Over UD a message of more than 50 segments makes an ACK by itself, since its frames come one after the other "
        "without one back, if no sweep comes between. With as many messages of 128 KB, at the same mean length, "
        f"UD-Native has {_told(found, 'longshare', 'UD-Native')} and UD-Reliable "
        f"{_told(found, 'longshare', 'UD-Reliable')}, while UC-Native, which counts no data over RDMA, has "
        f"{_told(found, 'longshare', 'UC-Native')}. Published are "
        f"{', '.join(f'{each} {published(each, UD_NATIVE):.4f}' for each in setup.SETS)} on UD-Native: nearly equal "
        "for the sets of NAMD, however their rates differ.",
        "So the published rows tell of traffic that is partly one-sided, comes in bunches and has few long messages; "
        "the paper has nothing else of it, and the defaults were not changed for them. That flatpase has more of them "
        "with reliability than without follows from nothing here.",
    )
    return Outcome(found, _picture(found), found.round(6), text)


FLOW_ACKS = Experiment(
    "flow-acks",
    "What makes the flow-control ACKs of Tables 2 and 3",
    "Tables 2 and 3 have counts without the traffic that makes them",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            {
                "transport": ("UC", "UD"),
                "reliability": ("Native", "Reliable"),
                "dataset": name,
                "nodes": NODES,
                "duration": DURATION,
                "timeout": setup.TIMEOUT,
                unknown: values,
            },
        )
        for unknown, (name, values) in SWEPT.items()
    ],
    APPLICATION,
    further=_further,
)
