# SPDX-License-Identifier: GPL-2.0-only
"""The engine by messages, which the applications run on, beside the engine by packets."""

from __future__ import annotations

import pandas as pd

from papers import Experiment, Outcome, Point, Scale
from papers.runs import rows

SCENARIO = "infiniband-engine-comparison"
"""The scenario."""

NEAR = 3.0
"""Within which the engines have to agree where the engine by messages is to be used [%]."""


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    pairs = rows(frame, "Pairs")
    patterns = rows(frame, "Patterns")
    far = patterns[patterns["deviation of mean latency"].abs() > NEAR]
    told = "; ".join(
        f"{row['pattern']} at a load of {row['load']:g} by {row['deviation of mean latency']:+.1f} %"
        for row in far.to_dict("records")
    )
    text = (
        f"Between two hosts the engines differ by at most {pairs['deviation of latency'].abs().max():.1f} % in "
        f"latency and {pairs['deviation of bandwidth'].abs().max():.1f} % in bandwidth at any length.",
        f"The time at which everything has arrived differs by at most {patterns['deviation of end'].abs().max():.1f} "
        "%. "
        + (
            f"Mean latencies differ by more than {NEAR:g} % in {told}: there, where queues build up at random, the "
            "engine by messages must not be used."
            if told
            else f"Mean latencies differ by at most {NEAR:g} %."
        ),
    )
    return Outcome(patterns, None, patterns.round(2), text)


ENGINES = Experiment(
    "engines",
    "The two engines beside each other",
    "Not in the paper: how the simulation computes",
    lambda scale: [Point({})],
    _render,
    lambda scale: [f"relnet sweep {SCENARIO} linkrate=SDR,DDR"],
    SCENARIO,
)
