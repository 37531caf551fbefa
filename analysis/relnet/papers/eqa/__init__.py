# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 5: K.-P. Wong, C.-L. Wang, "Efficient Reliable Broadcast for Commodity Clusters", 2000.

The host's costs are calibrated against the point-to-point measurements of section 2 only, those of TCP and p4 against
general knowledge of such machines; all broadcasts are predictions. The paper does not define latency: every metric is
in the tables, and one is judged, for the reason stated at `setup.METRIC`.
"""

from __future__ import annotations

from collections.abc import Mapping

from relnet.experiments import costs, searches
from relnet.experiments.claims import Finding
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Outcome, Paper
from relnet.papers.eqa import calibration, defaults, latency, memory, readings, robustness, senders, setup, sums


def _conclude(outcomes: Mapping[str, Outcome]) -> dict[str, Finding]:
    """Findings on several figures, and the configuration of the runs."""
    found: dict[str, Finding] = {}
    figures = [
        outcomes[one.key].frame for one in (latency.FIGURE_3, latency.FIGURE_4, latency.FIGURE_5) if one.key in outcomes
    ]
    if len(figures) == 3:
        fastest, total = latency.best(figures)
        found["D-30"] = Finding(
            fastest > total / 2,
            note=f"Fastest of the three systems at {fastest} of the {total} points of Figures 3 to 5, where all "
            "receives are posted in time; Simple Broadcast, which does not wait for a pull, is faster at the others.",
            undecidable="The sizes of Figure 3 are lost (D-31). Push-Pull Broadcast is the fastest if it pushes the "
            "whole message, and not if it pulls, so the sizes chosen here decide.",
        )
        ran = "Configuration of the runs."
        found["D-07"] = Finding("system=sbcast, window of 16 packets", note=ran)
        found["D-12"] = Finding("2 to 8 nodes, 100 Mbit/s", note=ran)
        found["D-14"] = Finding("btp1=80 btp2=780", note=ran)
    return found


def _comparisons(outcomes: Mapping[str, Outcome]) -> list[Comparison]:
    """Times of Push-Pull Broadcast relative to Simple Broadcast, and to MPICH's tree over TCP."""
    shown = [one for one in latency.FASTER if one in outcomes]
    figures = [outcomes[key].frame for key in (latency.FIGURE_3.key, *shown) if key in outcomes]
    if not figures:
        return []
    over = "broadcasts, by nodes and by size"
    published = tuple(1 - latency.FASTER[key] / 100 for key in shown)
    return [
        Comparison(
            costs.INSTEAD,
            "EQA, push-pull",
            beside,
            over,
            costs.known(latency.ratios(figures, name)),
            "Paper 5, Figures 3 to 5",
            told,
        )
        for name, beside, told in (
            ("sbcast", "its simple broadcast", ()),
            ("mpich", "MPICH's tree over TCP", published),
        )
    ]


SEARCHES = searches.experiment(
    "section 3",
    (
        searches.Search("sbcast", "loss=1,timeout=2", "0>*", peers=3),
        searches.Search("ppbcast", "loss=1,timeout=2", "0>*", peers=3, size=3000),
        searches.Search("ppbcast", "loss=1,duplicate=1,reorder,timeout=2", "0>1", size=3000),
        *(
            # A message has three packets; with room for two, the last would never be sent.
            searches.Search(protocol, "loss,patient", "0>*", peers=3, capacity=3, size=3000, fair=True)
            for protocol in ("sbcast", "ppbcast")
        ),
    ),
)

PAPER = Paper(
    number=5,
    name=setup.NAME,
    title="Efficient Reliable Broadcast for Commodity Clusters",
    citation="K.-P. Wong, C.-L. Wang. The University of Hong Kong, 2000.",
    scenario=setup.SCENARIO,
    experiments=(
        calibration.CALIBRATION,
        memory.FIGURE_6,
        latency.FIGURE_4,
        latency.FIGURE_3,
        latency.FIGURE_5,
        readings.READINGS,
        sums.SUMS,
        senders.SENDERS_SHARE,
        defaults.SENSITIVITY,
        defaults.JOINT,
        robustness.LATE,
        robustness.SCARCE,
        robustness.COLLECTIVE,
        robustness.LARGE,
        robustness.MAP,
        SEARCHES,
    ),
    conclude=_conclude,
    costs=("D-17", "D-23", "D-01"),
    comparisons=_comparisons,
)
