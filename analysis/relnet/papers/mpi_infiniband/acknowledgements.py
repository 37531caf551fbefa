# SPDX-License-Identifier: GPL-2.0-only
"""
Sensitivity of the ACKs, the memory and the queue of Tables 2 and 3 to t_timeout and the thresholds, which the paper
does not state (C-amb-11).
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, RC_NATIVE, UC_NATIVE, UC_RELIABLE

NAMED = ("jac2000", "rhodo")
"""Data sets with the highest message rates, one of each program."""

DEFAULTS: dict[str, Any] = {
    "timeout": setup.TIMEOUT,
    "sweepcount": "Running",
    "sweepmessages": 10,
    "creditthreshold": 10,
}
"""Settings of the runs of Tables 2 and 3."""

SWEPT: dict[str, tuple[Any, ...]] = {
    "timeout": (1_000_000, 4_000_000, 16_000_000, 48_000_000, setup.TIMEOUT, 400_000_000),
    "sweepcount": ("Running", "Call"),
    "sweepmessages": (2, 5, 10, 20, 50, 1000),
    "creditthreshold": (2, 5, 10, 20, 40),
}
"""Unknown parameters and their values."""

TITLES = {
    "timeout": "t_timeout [ms]",
    "sweepcount": "counting of an ACK sweep",
    "sweepmessages": "messages before an ACK sweep",
    "creditthreshold": "credits before an ACK",
}
"""Labels in figures."""

DURATION = 0.2
"""Time of RC-Native in these runs of NAMD [s]."""

NODES = 8
"""Nodes of these runs."""

PANELS = {
    "reliability ACKs": "reliability ACKs\nfor each message",
    "flow-control ACKs": "flow-control ACKs for\neach reliability ACK",
    "queue length": "entries of the queue",
    "overhead": "time above UC-Native [%]",
}
"""Quantities drawn, one row each, with axis labels."""


def _settings(scale: Scale) -> list[dict[str, Any]]:
    """Settings of the runs with reliability: the defaults, with each of them replaced in turn."""
    step = 3 if scale.quick else 1
    changed = [DEFAULTS | {key: value} for key in DEFAULTS for value in SWEPT[key][::step]]
    return list({tuple(each.values()): each for each in [DEFAULTS, *changed]}.values())


def _points(scale: Scale) -> list[Point]:
    """Runs of RC-Native for the computation of a step, which is independent of reliability."""
    return [
        setup.application(
            scale,
            name,
            COMBINATIONS[0],
            **_loop(name),
            **({} if scale.quick else setup.length(name, DURATION) | {"nodes": NODES}),
        )
        for name in NAMED
    ]


def _loop(name: str) -> dict[str, Any]:
    """Parameter of a run of NAMD without its start-up; the decks of LAMMPS run whole."""
    return setup.LOOP if name in setup.NAMD else {}


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    bases = setup.beside(_points(scale), frame, (UC_NATIVE, UC_RELIABLE))
    found = []
    for base in bases:
        native = base.parameters["reliability"] == "Native"
        for given in _settings(scale):
            same = {key: DEFAULTS[key] for key in ("timeout", "sweepcount", "sweepmessages")} if native else {}
            found.append(Point({**base.parameters, **given, **same}, base.seed, base.cost))
    return list({tuple(sorted(point.parameters.items())): point for point in found}.values())


def table(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate the results of each setting.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        One row per data set, unknown and value: explicit ACKs, queue and memory of UC-Reliable, and its time above
        UC-Native [%]; `native` is the number of UC-Native's flow-control ACKs per reliability ACK of UC-Reliable, which
        the paper implies for any length of its runs.
    """
    done = setup.label_runs(finished(frame))
    done = done[done["combination"] != RC_NATIVE]
    rows = []
    for name in NAMED:
        runs = pick(done, dataset=name)
        native = pick(runs, combination=UC_NATIVE).set_index("creditthreshold")
        for run in pick(runs, combination=UC_RELIABLE).to_dict("records"):
            beside = native.loc[run["creditthreshold"]]
            changed = [each for each in DEFAULTS if run[each] != DEFAULTS[each]]
            line = {
                "data set": name,
                "reliability ACKs": run["ReliabilityAcks"] / run["Messages"],
                "flow-control ACKs": run["FlowAcks"] / run["ReliabilityAcks"] if run["ReliabilityAcks"] else 0.0,
                "native": beside["FlowAcks"] / run["ReliabilityAcks"] if run["ReliabilityAcks"] else float("nan"),
                "queue length": run["QueueLength"],
                "memory [MB]": run["Memory"],
                "sent again": run["Retransmissions"] / run["Messages"],
                "overhead": (run["Time"] / beside["Time"] - 1) * 100,
            }
            rows += [{"unknown": each, "value": run[each], **line} for each in (changed or DEFAULTS)]
    return pd.DataFrame(rows)


def _shown_value(name: str, value: Any) -> str:
    if name == "timeout":
        return f"{value / 1e6:g}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _published(name: str, panel: str) -> float | None:
    """Published value of a panel, if it is independent of the length of the run."""
    cells = {row: setup.published(name, COMBINATIONS[3], row) for row in setup.ROWS}
    return {"flow-control ACKs": cells["FC-ACK"] / cells["REL-ACK"], "queue length": cells["QLEN"]}.get(panel)


def _all_published(panel: str) -> list[float]:
    """Published values of a panel for all data sets."""
    return [_published(name, panel) or 0.0 for name in NAMED]


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(len(PANELS), len(SWEPT), width=11, height=1.8)
        for row, (panel, axis) in zip(axes, PANELS.items(), strict=True):
            for place, (unknown, values) in zip(row, SWEPT.items(), strict=True):
                order = [value for value in values if value in set(pick(found, unknown=unknown)["value"])]
                for index, name in enumerate(NAMED):
                    runs = pick(found, unknown=unknown, **{"data set": name}).set_index("value").reindex(order)
                    if runs[panel].notna().any():
                        style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": name}
                        place.plot(range(len(order)), runs[panel], **style)
                        told = _published(name, panel)
                        if told is not None:
                            place.axhline(told, color=plots.COLOURS[index], linestyle=":", linewidth=1)
                place.set_xticks(range(len(order)), [_shown_value(unknown, value) for value in order], fontsize=7)
                if panel == list(PANELS)[-1]:
                    place.set_xlabel(TITLES[unknown])
            low, high = min(0.0, found[panel].min()), max(found[panel].max(), *_all_published(panel))
            for place in row:
                place.set_ylim(low, 1.1 * high)
            row[0].set_ylabel(axis)
        plots.legend_above(figure, axes[0][0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = table(frame)
    shown = found.assign(value=[_shown_value(*each) for each in zip(found["unknown"], found["value"], strict=True)])
    default = found[[value == DEFAULTS[name] for name, value in zip(found["unknown"], found["value"], strict=True)]]
    default = default.drop_duplicates("data set").set_index("data set")
    spans = found.groupby(["data set", "unknown"], sort=False)
    told = []
    for name in NAMED:
        acks = spans["reliability ACKs"].agg(["min", "max"]).loc[name]
        span = acks["max"] - acks["min"]
        most = span.idxmax()
        told.append(
            f"{name}: {default.loc[name, 'reliability ACKs']:.2f} reliability ACKs per message with the defaults; "
            f"{TITLES[most]} has the largest effect, from {acks.loc[most, 'min']:.2f} to {acks.loc[most, 'max']:.2f}"
        )
    flow = "; ".join(
        f"{name} {found[found['data set'] == name]['flow-control ACKs'].max():.2g} "
        f"(published {_published(name, 'flow-control ACKs'):.2g})"
        for name in NAMED
    )
    native = "; ".join(
        f"{name} {default.loc[name, 'native']:.2g} with the defaults, at most "
        f"{found[found['data set'] == name]['native'].max():.2g} "
        f"(published {_native_published(name):.2g})"
        for name in NAMED
    )
    again = found[found["sent again"] > 0]
    text = (
        "Rows are results of UC-Reliable; columns are the parameters, changed one at a time. Dotted lines are "
        "published values that are independent of the unknown length of the runs.",
        f"{'. '.join(told)}.",
        f"Maximum of flow-control ACKs per reliability ACK: {flow}. An ACK sweep returns all credits, so a peer owes "
        "more than 10 between two sweeps only if all of its messages go in one direction. UC-Native's flow-control "
        f"ACKs per reliability ACK of UC-Reliable: {native}.",
        f"Reliability costs {found['overhead'].min():.1f} to {found['overhead'].max():.1f} % of time over all settings"
        + (
            f"; segments are repeated unnecessarily at {TITLES['timeout']} "
            f"{', '.join(sorted({_shown_value('timeout', v) for v in again['value']}, key=float))} (C-07)."
            if len(again) and set(again["unknown"]) == {"timeout"}
            else "."
        ),
    )
    return Outcome(found, _picture(found), shown.round(4), text)


def _native_published(name: str) -> float:
    """UC-Native's flow-control ACKs for each reliability ACK of UC-Reliable, as published."""
    return setup.published(name, COMBINATIONS[2], "FC-ACK") / setup.published(name, COMBINATIONS[3], "REL-ACK")


ACKNOWLEDGEMENTS = Experiment(
    "acknowledgements",
    "Sensitivity of ACKs and queues of Tables 2 and 3",
    "Section 6.2 states neither t_timeout nor thresholds",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            _loop(name)
            | {"dataset": name, "transport": "UC", "reliability": "Reliable", "nodes": NODES, key: SWEPT[key]},
        )
        for name in NAMED
        for key in DEFAULTS
    ],
    further=_further,
)
