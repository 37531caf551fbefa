# SPDX-License-Identifier: GPL-2.0-only
"""
Costs of TCP and p4 for a message, and readings of section 4.1, all together: which of D-16 to D-23 hold at once.

The costs are known as bands only: 55 to 75 us one way over TCP, 100 to 150 us over ch_p4. Each claim of Figures 4 and
5 is met by some reading alone; this experiment shows whether one choice meets several. It decides no default and
judges no claim.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.eqa import latency, setup
from relnet.papers.eqa.setup import LONG, NODES, SHORT

ROUNDS = 20
"""Repetitions; times hardly vary on an idle network."""

TCP = {55: ("14.7us", "17.82us"), 65: ("19.2us", "23.32us"), 75: ("23.7us", "28.82us")}
"""
CPU time of TCP/IP for a packet sent and received, by the time of a message of 8 bytes one way [us]. The default's 65 us
consist of 42.52 us on the hosts' CPUs and 22.48 us elsewhere; the ratio of both ends is that of the default.
"""

P4 = (12.7, 25.2, 37.7, 50.2, 62.7)
"""Sums of p4's CPU times at both ends of a message [us]; over TCP of 65 us, 100, 112, 125, 138 and 150 us one way."""

SPLITS = {"at the sender": 1.0, "at both ends": 0.5, "at the receiver": 0.0}
"""Share of this sum at the sender."""

OWN: dict[str, tuple[Any, ...]] = {"pullpackets": (0, 1), "cpuratio": (0.45, 1.0)}
"""Readings that only Push-Pull Broadcast knows: packets of a pull, and speed of its hosts (D-amb-7)."""

ECHO = ("false", "true")
"""Whether the answer that ends a measurement is as long as the message (D-amb-3)."""

_ANSWERS = {"false": "empty", "true": "the message"}

CLAIMS = ("D-16", "D-17", "D-18", "D-19", "D-20", "D-21", "D-22", "D-23")
"""Claims on numbers of Figures 4 and 5."""


def _choices_of_mpich(scale: Scale) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Labels and parameters of MPICH's costs."""
    tcp = dict(list(TCP.items())[1:2]) if scale.quick else TCP
    sums = P4[:1] if scale.quick else P4
    return [
        (
            {"TCP one way [us]": way, "p4's sum [us]": total, "p4's sum is": where},
            {
                "tcpsendtime": times[0],
                "tcpreceivetime": times[1],
                "p4sendtime": f"{total * share:g}us",
                "p4receivetime": f"{total * (1 - share):g}us",
            },
        )
        for way, times in tcp.items()
        for total in sums
        for where, share in SPLITS.items()
    ]


def _choices_of_own() -> list[dict[str, Any]]:
    return [dict(zip(OWN, values, strict=True)) for values in itertools.product(*OWN.values())]


def _runs(scale: Scale, system: str, **given: Any) -> list[Point]:
    """Runs of the ends of Figures 4 and 5."""
    return [
        setup.point(scale, system, nodes, size, **given, rounds=ROUNDS)
        for size in (SHORT, LONG)
        for nodes in (NODES[0], NODES[-1])
    ]


def _points(scale: Scale) -> list[Point]:
    points = []
    for echo in ECHO:
        for _, given in _choices_of_mpich(scale):
            points += _runs(scale, "mpich", echo=echo, **given)
        for given in _choices_of_own():
            points += _runs(scale, "ppbcast", echo=echo, **given)
    return points


def _held(both: pd.DataFrame, published: Mapping[str, claims.Claim]) -> list[str]:
    """Claims that a choice meets."""
    found = {
        **latency.findings_4(latency.table(both[both["size"] == SHORT], "nodes")),
        **latency.findings_5(latency.table(both[both["size"] == LONG], "nodes")),
    }
    return [claim for claim in CLAIMS if claims.met(published[claim], found[claim])]


def _table(scale: Scale, frame: pd.DataFrame) -> pd.DataFrame:
    published = {claim.id: claim for claim in claims.read(setup.NAME)}
    each = len(_runs(scale, "mpich"))
    parts = (frame.iloc[start : start + each] for start in range(0, len(frame), each))
    rows = []
    for echo in ECHO:
        mpich = [(label, next(parts)) for label, _ in _choices_of_mpich(scale)]
        own = [(given, next(parts)) for given in _choices_of_own()]
        for (label, theirs), (given, ours) in itertools.product(mpich, own):
            held = _held(pd.concat([ours, theirs]), published)
            rows.append({"answer": _ANSWERS[echo], **label, **given, "claims held": len(held), "which": " ".join(held)})
    return pd.DataFrame(rows)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(scale, frame)
    which = table["which"].str.split()

    def count(*together: str) -> int:
        return int(which.map(lambda held: set(together) <= set(held)).sum())

    most = table["claims held"].max()
    best = table[table["claims held"] == most].reset_index(drop=True)
    sets = [set(held) for held in best["which"].str.split()]
    always = [claim for claim in CLAIMS if all(claim in held for held in sets)]
    text = (
        f"All {len(table)} combinations of TCP's and p4's costs within their bands with the readings of the answer, of "
        f"a pull and of the hosts' speed. Combinations in which a claim holds: "
        + ", ".join(f"{claim} {count(claim)}" for claim in CLAIMS)
        + ".",
        f"D-20 and D-22 hold together in {count('D-20', 'D-22')}, D-17 and D-19 in {count('D-17', 'D-19')}, all four "
        f"in {count('D-17', 'D-19', 'D-20', 'D-22')}. At most {most} of {len(CLAIMS)} claims hold at once, in "
        f"{len(best)} combinations, all of which meet {', '.join(always) or 'no common claim'}.",
        "The costs of MPICH's hosts and the readings were known to decide these claims, so nothing is chosen here and "
        "no verdict follows.",
    )
    return Outcome(table, None, best, text)


def _commands(scale: Scale) -> list[str]:
    lines = []
    fixed = {"nodes": (NODES[0], NODES[-1]), "size": (SHORT, LONG), "echo": ECHO, "rounds": ROUNDS}
    for _, given in _choices_of_mpich(scale):
        lines += setup.command(scale, system="mpich", **given, **fixed)
    return [*lines, *setup.command(scale, system="ppbcast", **OWN, **fixed)]


SUMS = Experiment(
    "sums",
    "TCP's and p4's costs, and all readings together",
    "Section 4.1, D-amb-2, D-amb-3, D-amb-7",
    _points,
    _render,
    _commands,
)
