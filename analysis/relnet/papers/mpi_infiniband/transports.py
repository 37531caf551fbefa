# SPDX-License-Identifier: GPL-2.0-only
"""Table 1: what the transports do by themselves, from runs of the verbs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.runs import pick

SCENARIO = "infiniband-perf"
"""The scenario."""

LOSS = 0.01
"""Probability that a packet is lost where delivery is looked at."""

RUNS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "reliable delivery": (("RC", "UC", "UD"), {"packetloss": LOSS, "minbytes": 64, "maxbytes": 64, "iterations": 300}),
    "RDMA write": (("RC", "UC"), {"operation": "write", "minbytes": 64, "maxbytes": 64}),
    "messages above the MTU": (("RC", "UC"), {"minbytes": 4096, "maxbytes": 4096}),
}
"""Operations checked, their transports and checks; the scenario refuses the others as the verbs do."""

PUBLISHED = {"reliable delivery": "RC", "RDMA write": "RC, UC", "messages above the MTU": "RC, UC"}
"""Transports that have it by Table 1."""


def _plan() -> list[tuple[str, Point]]:
    """Each run with what is looked at."""
    return [
        (feature, Point({"transport": transport, **given}))
        for feature, (transports, given) in RUNS.items()
        for transport in transports
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = frame.assign(feature=[feature for feature, _ in _plan()])
    rows = []
    for feature, (transports, _) in RUNS.items():
        row = {"feature": feature, "published": PUBLISHED[feature]}
        for transport in ("RC", "UC", "UD"):
            if transport not in transports:
                row[transport] = "refused"
                continue
            run = pick(runs, feature=feature, transport=transport).iloc[0]
            row[transport] = "yes" if run["Verdict"] == "completed" else f"no: {run['VerdictReason']}"
        rows.append(row)
    table = pd.DataFrame(rows)
    text = (
        f"Delivery is looked at with {LOSS:.0%} of the packets lost. What a transport does not have, the verbs refuse; "
        "order and every state of a queue pair are tests (C-03, C-06).",
    )
    return Outcome(table, None, table, text)


TABLE_1 = Experiment(
    "table-1",
    "Table 1: what the transports do by themselves",
    "Table 1, section 4.2",
    lambda scale: [point for _, point in _plan()],
    _render,
    lambda scale: [
        f"relnet sweep {SCENARIO} transport={','.join(transports)} "
        + " ".join(f"{name}={value}" for name, value in given.items())
        for transports, given in RUNS.values()
    ],
    SCENARIO,
)
