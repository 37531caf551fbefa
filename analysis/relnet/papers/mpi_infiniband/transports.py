# SPDX-License-Identifier: GPL-2.0-only
"""Table 1: features of the transports, from runs of the verbs."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick

SCENARIO = "infiniband-perf"
"""The scenario."""

LOSS = 0.01
"""Probability of packet loss in the runs on delivery."""

RUNS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "reliable delivery": (("RC", "UC", "UD"), {"packetloss": LOSS, "minbytes": 64, "maxbytes": 64, "iterations": 300}),
    "RDMA write": (("RC", "UC"), {"operation": "write", "minbytes": 64, "maxbytes": 64}),
    "messages above the MTU": (("RC", "UC"), {"minbytes": 4096, "maxbytes": 4096}),
}
"""Checked features with their transports and parameters; the scenario refuses the others, like the verbs."""

PUBLISHED = {"reliable delivery": "RC", "RDMA write": "RC, UC", "messages above the MTU": "RC, UC"}
"""Transports with each feature in Table 1."""


def _plan() -> list[tuple[str, Point]]:
    """Runs with their features."""
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
        f"Delivery is checked with a packet loss of {LOSS:.0%}. The verbs refuse features that a transport lacks. "
        "Order and all states of a queue pair are checked by tests (C-03, C-06).",
    )
    return Outcome(table, None, table, text)


TABLE_1 = Experiment(
    "table-1",
    "Table 1: features of the transports",
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
