# SPDX-License-Identifier: GPL-2.0-only
"""Figure 11 and tables of equal size: how many messages a node has to remember (section 4.4)."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.claims import Finding
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CELLS, CYCLES, TITLES
from relnet.papers.runs import finished, pick

SIZES = tuple(2**power for power in range(11))
"""Entries of the send table in Figure 11."""

RATIOS = {2: "receive table twice the send table", 1: "tables of equal size"}
"""
Entries of the receive table for each of the send table: as in Figure 11, and as in the last paragraph of section 4.4.
"""

NEAR = 10.0
"""Largest excess that counts as nearly optimal [% above the best]."""

EQUAL_SIZES = (1, 2, 4, 8, 16, 64, 256)
"""Entries of tables of equal size: the small ones that section 4.4 speaks of, and enough to see the minimum."""

_SMALL = (1, 2, 4)


def _sizes(scale: Scale) -> tuple[int, ...]:
    return SIZES[:8] if scale.quick else SIZES


def _tables(scale: Scale, ratios: tuple[int, ...]) -> list[tuple[int, int]]:
    """Entries of the send and of the receive table, all but the largest pair."""
    pairs = [(size, ratio * size) for size in _sizes(scale) for ratio in ratios if ratio == 2 or size in EQUAL_SIZES]
    return [pair for pair in pairs if pair != _largest(scale)]


def _largest(scale: Scale) -> tuple[int, int]:
    """The largest tables, whose run shows which others are never full."""
    return _sizes(scale)[-1], 2 * _sizes(scale)[-1]


def _point(scale: Scale, benchmark: str, topology: str, size: int, receive: int) -> Point:
    return setup.cell(scale, benchmark, topology, 1, 1 + 4 / size, sendtable=size, receivetable=receive)


def _points(scale: Scale) -> list[Point]:
    return [_point(scale, *cell, *_largest(scale)) for cell in CELLS]


def _never_full(run: pd.Series, size: int, receive: int) -> bool:
    """Whether a run would be the same with smaller tables."""
    return run["Verdict"] == "completed" and run["PeakSendTable"] < size and run["PeakReceiveTable"] < receive


def _further(scale: Scale, frame: pd.DataFrame, ratios: tuple[int, ...]) -> list[Point]:
    runs = frame.set_index(["benchmark", "topology"])
    return [
        _point(scale, *cell, *tables)
        for cell in CELLS
        for tables in _tables(scale, ratios)
        if not _never_full(runs.loc[cell], *tables)
    ]


def _whole(scale: Scale, frame: pd.DataFrame, ratios: tuple[int, ...]) -> pd.DataFrame:
    """The runs in the order of cells and sizes, with the largest tables' run for tables that are never full."""
    known = frame.set_index(["benchmark", "topology", "sendtable", "receivetable"], drop=False)
    rows = []
    for cell in CELLS:
        for tables in sorted([*_tables(scale, ratios), _largest(scale)], key=lambda pair: (pair[0], -pair[1])):
            run = known.loc[(*cell, *(tables if (*cell, *tables) in known.index else _largest(scale)))]
            rows.append(run.to_dict() | {"sendtable": tables[0], "receivetable": tables[1]})
    return pd.DataFrame(rows)


def _times(frame: pd.DataFrame, ratio: int) -> pd.DataFrame:
    """Cycles by cell (rows) and entries of the send table (columns); missing where a run did not end."""
    chosen = finished(frame[frame["receivetable"] == ratio * frame["sendtable"]])
    return chosen.pivot_table(index=["benchmark", "topology"], columns="sendtable", values=CYCLES, sort=False)


def _figure(frame: pd.DataFrame, ratios: tuple[int, ...]):
    with plots.style():
        figure, axes = plots.panels(len(setup.NODES), len(TITLES), width=10, height=2.0)
        for benchmark, row in zip(setup.NODES, axes, strict=True):
            for (topology, title), panel in zip(TITLES.items(), row, strict=True):
                chosen = finished(pick(frame, benchmark=benchmark, topology=topology))
                for index, ratio in enumerate(ratios):
                    part = chosen[chosen["receivetable"] == ratio * chosen["sendtable"]].sort_values("sendtable")
                    style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index]}
                    panel.plot(part["sendtable"], part[CYCLES], label=RATIOS[ratio], **style)
                panel.set_xscale("log", base=2)
                plots.from_zero(panel)
                plots.cycles_axis(panel)
                panel.set_title(f"{benchmark}, {title}")
                if benchmark == "nbody":
                    panel.set_xlabel("send table [entries]")
                if topology == "grid2d":
                    panel.set_ylabel("time [cycles]")
        if len(ratios) > 1:
            plots.legend_above(figure, axes[0][0])
    return figure


def _render_11(scale: Scale, frame: pd.DataFrame) -> Outcome:
    full = not scale.quick
    frame = _whole(scale, frame, (2,))
    times = _times(frame, 2)
    excess = (times.div(times.min(axis=1), axis=0) - 1) * 100
    table = times.reset_index().melt(["benchmark", "topology"], var_name="sendtable", value_name=CYCLES)
    shown = excess.round(0).reset_index()
    shown["topology"] = shown["topology"].map(TITLES)
    shown.columns = [str(name) if name in ("benchmark", "topology") else f"{name} [%]" for name in shown.columns]
    eight = excess[8]
    near = eight <= NEAR
    missing = int(times.isna().sum().sum())
    note = (
        f"With 8 send and 16 receive entries {int(near.sum())} of {len(CELLS)} cells are within {NEAR:.0f} % of the "
        f"best size; the farthest is {' on '.join((eight.idxmax()[0], TITLES[eight.idxmax()[1]]))} at "
        f"{eight.max():.0f} %."
    )
    counts = {limit: int((eight <= limit).sum()) for limit in (NEAR / 2, NEAR, 2 * NEAR)}
    most = {count > len(CELLS) / 2 for count in counts.values()}
    told = ", ".join(f"{count} within {limit:g} %" for limit, count in counts.items())
    findings = {
        "E-32": Finding(
            bool(near.sum() > len(CELLS) / 2),
            note=f"{note} Most is more than half.",
            scale=full,
            undecidable=f"What is nearly optimal was chosen here, and decides: {told}." if len(most) > 1 else "",
        )
    }
    last = times.columns.max()
    rise = (times.loc["reverse", last] / times.loc["reverse", 8] - 1) * 100
    told = ", ".join(
        f"{rise[topology]:+.0f} % on the {title}" for topology, title in TITLES.items() if topology in rise
    )
    rises = f"From 8 to {last} send entries the time of reverse changes by {told}."
    findings["E-33"] = Finding(bool((rise > 0).all() and len(rise) == len(TITLES)), note=rises, scale=full)
    text = [f"{note} {rises}"]
    if missing:
        text.append(f"{missing} runs did not come to their end.")
    text.append("The table has each size's time above the best of its row.")
    return Outcome(table, _figure(frame, (2,)), shown, tuple(text), findings)


def _render_equal(scale: Scale, frame: pd.DataFrame) -> Outcome:
    frame = _whole(scale, frame, (2, 1))
    double, equal = _times(frame, 2), _times(frame, 1)
    worse = (equal / double[equal.columns] - 1) * 100
    table = worse.reset_index().melt(["benchmark", "topology"], var_name="sendtable", value_name="worse_percent")
    shown = worse.round(0).reset_index()
    shown["topology"] = shown["topology"].map(TITLES)
    shown.columns = [str(name) if name in ("benchmark", "topology") else f"{name} [%]" for name in shown.columns]
    small = tuple(float(worse[size].mean()) for size in _SMALL)
    least = equal.min(axis=1) / double.min(axis=1) - 1
    lost = {size: int(equal[size].isna().sum()) if size in equal else len(CELLS) for size in _SMALL}
    stuck = ", ".join(f"{count} of {len(CELLS)} at {size}" for size, count in lost.items() if count)
    note = (
        f"On average over the cells, equal tables of {', '.join(map(str, _SMALL))} entries take "
        f"{', '.join(f'{value:.0f} %' for value in small)} longer than with a receive table of twice the size; the "
        f"best times differ by {least.abs().max() * 100:.0f} % at most."
    )
    if stuck:
        note += f" Runs that did not end, and are left out: {stuck}."
    finding = Finding(
        small, ((20.0, 30.0),), note, not scale.quick, bool(least.abs().max() <= 0.1) and not any(lost.values())
    )
    return Outcome(table, _figure(frame, (2, 1)), shown, (note,), {"E-34": finding})


def _command(scale: Scale, ratios: tuple[int, ...]) -> list[str]:
    lines = []
    for ratio in ratios:
        for size in _sizes(scale) if ratio == 2 else EQUAL_SIZES:
            lines += setup.sweep_command(scale, router="lossy", **BEST, sendtable=size, receivetable=ratio * size)
    return lines


FIGURE_11 = Experiment(
    "figure-11",
    "Figure 11: execution time against the size of the tables",
    "Figure 11, section 4.4",
    _points,
    _render_11,
    lambda scale: _command(scale, (2,)),
    further=lambda scale, frame: _further(scale, frame, (2,)),
)

EQUAL = Experiment(
    "equal-tables",
    "Send and receive tables of equal size",
    "Section 4.4, last paragraph",
    _points,
    _render_equal,
    lambda scale: _command(scale, (1,)),
    further=lambda scale, frame: _further(scale, frame, (2, 1)),
)
