# SPDX-License-Identifier: GPL-2.0-only
"""Figures 1, 3, 4 and 5: what goes wrong with each shortcut, and not with the sound protocol (sections 2.1 to 2.3)."""

from __future__ import annotations

import pandas as pd

from relnet.claims import Finding
from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.runs import pick

SCENARIO = "violation"
"""The scenario's name."""

FIGURES = {
    "figure1": ("E-05", "any packet may be lost"),
    "figure3": ("E-07", "short message IDs, reused"),
    "figure4": ("E-09", "short secondary IDs in CONF, reused too early"),
    "figure5": ("E-10", "reordering, records not kept after CONF"),
}
"""For each figure the claim it shows, and what is played."""


def _points(scale: Scale) -> list[Point]:
    points = [Point({"figure": figure, "sound": "true"}) for figure in FIGURES]
    return points + [Point({"figure": figure, "sound": "false"}) for figure in FIGURES if figure != "figure1"]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows, findings = [], {}
    for figure, (claim, played) in FIGURES.items():
        runs = pick(frame, figure=figure)
        outcome = {}
        for run in runs.to_dict("records"):
            outcome[run["sound"]] = run["Verdict"]
            rows.append(
                {
                    "figure": figure.replace("figure", "Figure "),
                    "played": played,
                    "protocol": "sound" if run["sound"] == "true" else "with the shortcut",
                    "verdict": run["Verdict"],
                    "messages": run["Messages"],
                    "delivered": run["Delivered"],
                    "delivered again": run["Duplicates"],
                    "forgotten": run["Forgotten"],
                    "first violation": run["VerdictReason"] or "",
                }
            )
        survives = outcome.get("true") == "completed"
        fails = outcome.get("false", "violated") == "violated"
        told = [f"the sound protocol ends as {outcome.get('true')}"]
        if "false" in outcome:
            told.append(f"the one with the shortcut as {outcome['false']}")
        findings[claim] = Finding(survives and fails, note=f"The figure's exchange, audited: {', '.join(told)}.")
    table = pd.DataFrame(rows)
    caught = table[table["protocol"] != "sound"]
    sound = table[table["protocol"] == "sound"]
    text = (
        f"The delivery audit finds a violation in {int((caught['verdict'] == 'violated').sum())} of {len(caught)} "
        f"exchanges with a shortcut; the sound protocol ends {int((sound['verdict'] == 'completed').sum())} of "
        f"{len(sound)} exchanges with each message acted upon once."
    )
    return Outcome(table, None, table, (text,), findings)


VIOLATIONS = Experiment(
    "violations",
    "Figures 1, 3, 4 and 5: the protocol and its shortcuts under audit",
    "Figures 1, 3, 4 and 5, sections 2.1 to 2.3",
    _points,
    _render,
    lambda scale: [f"relnet sweep {SCENARIO} figure={','.join(FIGURES)} sound=true,false"],
    SCENARIO,
)
