# SPDX-License-Identifier: GPL-2.0-only
"""Figures 1, 3, 4 and 5: protocols with shortcuts, and the sound protocol (sections 2.1 to 2.3)."""

from __future__ import annotations

import dataclasses

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.searches import SCENARIO, Search

FIGURES = {
    "Figure 1": ("E-05", "any packet may be lost", Search("idempotent"), {}),
    "Figure 3": (
        "E-07",
        "short message IDs, reused",
        Search("idempotent", messages="0>1,0>1,0>1", own={"SendTable": 2}),
        {"Variant": "short-ids", "IdBits": 1},
    ),
    "Figure 4": (
        "E-09",
        "short secondary IDs in CONF, reused too early",
        Search("idempotent", messages="0>1,2>1", peers=3),
        {"Variant": "secondary-ids"},
    ),
    "Figure 5": (
        "E-10",
        "reordering, records not kept after CONF",
        Search("idempotent", "loss,duplicate=1,reorder", "0>1", capacity=3),
        {"Variant": "no-retention"},
    ),
}
"""For each figure: claim, description, search with the sound protocol, and the figure's shortcut."""

_SEARCHES = [
    (figure, claim, played, dataclasses.replace(sound, own=dict(sound.own) | own), bool(own))
    for figure, (claim, played, sound, shortcut) in FIGURES.items()
    for own in ([{}, shortcut] if shortcut else [{}])
]


def _points(scale: Scale) -> list[Point]:
    return [Point(search.parameters()) for _, _, _, search, _ in _SEARCHES]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows, found = [], {}
    for (figure, claim, played, _, broken), run in zip(_SEARCHES, frame.to_dict("records"), strict=True):
        verdict = "gave up" if run["Outcome"] == "gave up" else run["Verdict"]
        found.setdefault(claim, {})[broken] = verdict
        rows.append(
            {
                "figure": figure,
                "played": played,
                "protocol": "with the shortcut" if broken else "sound",
                "verdict": verdict,
                "states": run["StatesSeen"],
                "depth": run["Depth"],
                "violation": "" if verdict == "gave up" else run["VerdictReason"] or "",
            }
        )
    findings = {}
    for claim, ends in found.items():
        told = [f"the sound protocol ends as {ends[False]}"]
        if True in ends:
            told.append(f"the one with the shortcut as {ends[True]}")
        findings[claim] = Finding(
            ends[False] == "completed" and ends.get(True, "violated") == "violated",
            note=f"Search of all states of the figure's nodes: {', '.join(told)}.",
        )
    table = pd.DataFrame(rows)
    sound = table["protocol"] == "sound"
    caught = int((table["verdict"][~sound] == "violated").sum())
    survived = int((table["verdict"][sound] == "completed").sum())
    text = (
        f"The exhaustive search finds a violation in {caught} of {int((~sound).sum())} protocols with a shortcut; its "
        "command prints a shortest exchange as a chart. The sound protocol acts once on each message in all states of "
        f"{survived} of {int(sound.sum())} searches. A test repeats the figures' exchanges packet by packet."
    )
    return Outcome(table, None, table, (text,), findings)


VIOLATIONS = Experiment(
    "violations",
    "Figures 1, 3, 4 and 5: the protocol and its shortcuts in all states",
    "Figures 1, 3, 4 and 5, sections 2.1 to 2.3",
    _points,
    _render,
    lambda scale: [search.command() for _, _, _, search, _ in _SEARCHES],
    SCENARIO,
)
