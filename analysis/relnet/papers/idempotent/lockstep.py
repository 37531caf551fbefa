# SPDX-License-Identifier: GPL-2.0-only
"""
Phase locks of runs with receive tables of one or two entries, and a remedy.

An ACK is repeated after ACK_SIZE + 2 distance + ACK_SIZE + backoff(n), a MSG after size + 2 distance + ACK_SIZE +
backoff(n). If both sums are equal and so is n, their lag is constant. If the MSG then always arrives at the same time
as the CONF to the ACK, the ejection port drops the CONF each time. The record that the CONF should end fills the
receive table, which therefore drops the MSG. Nothing in the model changes a lag. The remedy is a dither of the backoff,
which the paper does not mention.

Section 4.4 reports the times of all programs with tables of these sizes, so the runs of the paper ended. The locks are
thus a deviation of the model, not a property of the protocol. The number of ejection ports, which the paper leaves
open, is a suspect, so locked runs are repeated with more of them.
"""

from __future__ import annotations

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CELLS, CHEAP, CYCLES, TABLES, TITLES

DITHER = 0.5
"""Dither of the remedy: a backoff b is between b / 2 and 3 b / 2. It was fixed before the first run with a dither."""

SIZES = ((1, 1), (1, 2), (2, 2), (2, 4))
"""Entries of send and receive table: the small ones of Figure 11 and of tables of equal size."""

SEEDS = 2
"""Seeds of the dither."""

MORE_PORTS = (2, 0)
"""Ejection ports of further runs of locked cases; 0 for any number."""

PATIENCE = 500_000
"""Limit of cycles without a delivery: the scenario's default."""

LONGEST = 2_000_000
"""Limit of cycles of any run: the scenario's default."""


def _small(scale: Scale, cell: tuple[str, str], sizes: tuple[int, int], seed: int = 1, **more: float) -> Point:
    send, receive = sizes
    return setup.cell(scale, *cell, seed, 1 + 4 / send, sendtable=send, receivetable=receive, **more)


def _points(scale: Scale) -> list[Point]:
    points = [_small(scale, cell, sizes) for cell in CELLS for sizes in SIZES]
    for cell in CHEAP:
        points.append(setup.cell(scale, *cell))
        points += [setup.cell(scale, *cell, seed, dither=DITHER) for seed in setup.seeds(scale, SEEDS)]
    return points


def _is_locked(run: pd.Series) -> bool:
    small = run["sendtable"] < TABLES["sendtable"]
    return small and run["Verdict"] == "livelock" and run[CYCLES] < LONGEST


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    points = []
    for _, run in frame.iterrows():
        if _is_locked(run):
            case = (run["benchmark"], run["topology"]), (run["sendtable"], run["receivetable"])
            points += [_small(scale, *case, seed, dither=DITHER) for seed in setup.seeds(scale, SEEDS)]
            points += [_small(scale, *case, ejectionports=ports) for ports in MORE_PORTS]
    return points


def _ports_title(ports: int) -> str:
    return f"{ports} ejection ports" if ports else "any number of ejection ports"


def _ending(runs: pd.DataFrame, ports: int) -> str:
    """Verdict of the run with a number of ejection ports; empty without one."""
    found = runs.loc[runs["ejectionports"] == ports, "Verdict"] if len(runs) else runs
    return str(found.iloc[0]) if len(found) else ""


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    missing = pd.Series(float("nan"), frame.index)
    dithered = frame.get("dither", missing).notna()
    ported = frame.get("ejectionports", missing).notna()
    plain, cured = frame[~dithered & ~ported], frame[dithered]
    place = ["benchmark", "topology", "sendtable", "receivetable"]
    rows = []
    for _, run in plain.iterrows():
        same = (frame[place] == run[place]).all(axis=1)
        with_cure = cured[same[cured.index]]
        if not (_is_locked(run) or len(with_cure)):
            continue
        ended = finished(with_cure)
        rows.append(
            {
                "benchmark": run["benchmark"],
                "topology": run["topology"],
                "send table": int(run["sendtable"]),
                "receive table": int(run["receivetable"]),
                "verdict": run["Verdict"],
                "delivered": f"{run['Delivered']:.0f} of {run['Messages']:.0f}",
                "cycles": run[CYCLES] if run["Verdict"] == "completed" else float("nan"),
                "dithered: ended": f"{len(ended)} of {len(with_cure)}",
                "dithered: cycles": ended[CYCLES].mean(),
                "cured": len(with_cure) > 0 and len(ended) == len(with_cure),
            }
            | {_ports_title(ports): _ending(frame[same & ported], ports) for ports in MORE_PORTS}
        )
    table = pd.DataFrame(rows)
    locked = table[table["verdict"] == "livelock"]
    free = table[table["verdict"] == "completed"]
    cost = free["dithered: cycles"] / free["cycles"]
    tried = len(CELLS) * len(SIZES)
    shares = ", ".join(
        f"{int(((locked['send table'] == send) & (locked['receive table'] == receive)).sum())} with {send}/{receive}"
        for send, receive in SIZES
    )
    freed = ", ".join(
        f"{int((locked[_ports_title(ports)] == 'completed').sum())} with {_ports_title(ports)}" for ports in MORE_PORTS
    )
    text = (
        f"With send and receive tables of {', '.join(f'{send}/{receive}' for send, receive in SIZES)} entries "
        f"{len(locked)} of {tried} runs lock for ever ({shares} of {len(CELLS)} each): nothing is delivered for "
        f"{PATIENCE} cycles. Section 4.4 reports times of all programs with tables of these sizes, so the runs of the "
        "paper ended: the locks are a deviation of the model.",
        "A MSG and an ACK of equal length, distance and number of transmissions have the same retransmission time, "
        "so their lag never changes. The ejection port that receives this MSG drops the CONF to that ACK each time. "
        "Losses by checksum do not break the lock, since lost packets occupy the port as well.",
        f"The model has one ejection port a node, which the paper does not state. Of {len(locked)} locked runs, these "
        f"complete with more ports: {freed}.",
        f"The paper has no remedy. The option Dither varies each backoff at random by a fraction. With {DITHER:g} "
        f"{int(locked['cured'].sum())} of {len(locked)} locked runs complete with each of "
        f"{len(setup.seeds(scale, SEEDS))} seeds. Without a lock, with tables of 16 and 32 entries, it changes the "
        f"time by a factor of {cost.min():.2f} to {cost.max():.2f} (median {cost.median():.2f}, {len(cost)} cells).",
    )
    shown = table.assign(topology=table["topology"].map(TITLES)).drop(columns="cured")
    return Outcome(table, None, shown, text)


def _command(scale: Scale) -> list[str]:
    seeds = len(setup.seeds(scale, SEEDS))
    lines = []
    for send, receive in SIZES:
        given = {"router": "lossy", **BEST, "sendtable": send, "receivetable": receive}
        lines += setup.sweep_command(scale, **given)
        lines += setup.sweep_command(scale, seeds=seeds, **given, dither=DITHER)
    given = {"router": "lossy", **BEST, **TABLES}
    return [
        *lines,
        *setup.listed_command(scale, CHEAP, **given),
        *setup.listed_command(scale, CHEAP, seeds, **given, dither=DITHER),
    ]


def _command_ports(scale: Scale) -> list[str]:
    ports = ",".join(map(str, MORE_PORTS))
    return [
        line
        for send, receive in SIZES
        for line in setup.sweep_command(
            scale, router="lossy", **BEST, sendtable=send, receivetable=receive, ejectionports=ports
        )
    ]


LOCKSTEP = Experiment(
    "phase-locks",
    "Phase locks with small tables, and a remedy",
    "Section 4.4 (a deviation from it)",
    _points,
    _render,
    lambda scale: [*_command(scale), *_command_ports(scale)],
    further=_further,
)
