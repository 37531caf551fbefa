# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 3: J. Bruck, D. Dolev, C.-T. Ho, R. Orni, R. Strong, "PCODE: An Efficient and Reliable Collective Communication
Protocol for Unreliable Broadcast Domains", IPPS 1995.

Nothing is calibrated on the paper, which has no numbers. Costs come from benchmarks of similar machines, and all claims
are predictions.
"""

from __future__ import annotations

from collections.abc import Mapping

from relnet.experiments import costs, searches
from relnet.experiments.claims import Finding
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Outcome, Paper, findings
from relnet.papers.pcode import buffers, curves, defaults, machines, placement, recovery, setup, systems, variants


def _conclude(outcomes: Mapping[str, Outcome]) -> dict[str, Finding]:
    """Findings on claims about several figures, and about the configuration of the runs."""
    parts = findings(outcomes)
    found = curves.combine(parts)
    told = [parts[claim] for claim in (f"B-31-{setup.SMALL}", f"B-31-{setup.LARGE}") if claim in parts]
    if len(told) == 2:
        found["B-31"] = curves.both(*told)
        found["B-32"] = Finding("the same runs, by seed", note="Equal seeds give equal runs.", scale=told[0].scale)
    if "figure-7" in outcomes:
        counts = outcomes["figure-7"].frame["nodes"]
        whole = tuple(counts) == setup.MACHINES
        ran = "Configuration of the runs."
        found["B-16"] = Finding("10 Mbit/s CSMA/CD, UDP, a daemon over local TCP", note=ran, scale=whole)
        found["B-19"] = Finding(f"{setup.ROUNDS} rounds per test, mean over the machines", note=ran, scale=whole)
        found["B-21"] = Finding(
            f"{counts.min()} to {counts.max()} idle machines, {setup.SMALL} to {setup.LARGE} bytes",
            note=ran,
            scale=whole,
        )
    return found


def _comparisons(outcomes: Mapping[str, Outcome]) -> list[Comparison]:
    """Times of PCODE's broadcasts relative to TCP's messages to each receiver in turn."""
    figures = [outcomes[f"figure-{number}"].frame for number in (6, 7, 8, 9) if f"figure-{number}" in outcomes]
    if not figures:
        return []
    ratios = costs.known(ratio for frame in figures for ratio in frame["pcode"] / frame["tcp"])
    over = "all-to-all broadcasts, by machines and by size"
    return [Comparison(costs.INSTEAD, "PCODE", "TCP", over, ratios, "Paper 3, Figures 6 to 9")]


SEARCHES = searches.experiment(
    "sections 3 to 5",
    (
        searches.Search("p0", "loss=1,timeout=3", capacity=1),
        *(
            searches.Search(protocol, "loss=1,timeout=3", "0>*,0>*", peers=3, capacity=1)
            for protocol in ("p1", "pcode")
        ),
        searches.Search("pcode", "loss=1,timeout=3", "0>*,1>*", capacity=1),
        *(
            searches.Search(protocol, "loss,patient", "0>*,0>*", peers=3, capacity=1, fair=True, own={"Dither": False})
            for protocol in ("p0", "p1", "pcode")
        ),
        *(
            searches.Search(
                "p1",
                "loss=1,collide",
                "0>1,0>2",
                peers=3,
                capacity=1,
                own={"Dither": False, "SendBuffer": 1, "LiteralDiscard": literal},
                note=note,
            )
            for literal, note in (
                (False, ""),
                (True, "section 4: a node outside the target set lacks a discarded message"),
            )
        ),
        *(
            search
            for rival, loss in (("ring", "loss=1"), ("graph", "loss"), ("window", "loss"))
            for search in (
                searches.Search(rival, "loss=1,timeout=2", "0>*", peers=3, capacity=1),
                searches.Search(rival, "loss=1,duplicate=1,reorder,timeout=1", "0>*,1>*"),
                searches.Search(rival, f"{loss},patient", "0>*", peers=3, capacity=1, fair=True),
            )
        ),
    ),
)

PAPER = Paper(
    number=3,
    name=setup.NAME,
    title="PCODE: An Efficient and Reliable Collective Communication Protocol for Unreliable Broadcast Domains",
    citation="J. Bruck, D. Dolev, C.-T. Ho, R. Orni, R. Strong. IPPS 1995.",
    scenario=setup.SCENARIO,
    experiments=(
        curves.FIGURE_8,
        recovery.ADDITIONS,
        recovery.NACK_DELAY,
        curves.FIGURE_6,
        curves.FIGURE_7,
        curves.FIGURE_9,
        systems.FIGURE_10,
        systems.FIGURE_11,
        variants.DRIVERS_COMPARED,
        variants.SEEDS,
        variants.HOSTS,
        variants.TCP_SETTINGS,
        machines.MACHINES,
        buffers.BUFFERS,
        placement.PLACEMENT,
        defaults.SENSITIVITY,
        defaults.JOINT,
        SEARCHES,
    ),
    conclude=_conclude,
    costs=("B-25", "B-23", "B-27"),
    comparisons=_comparisons,
)
