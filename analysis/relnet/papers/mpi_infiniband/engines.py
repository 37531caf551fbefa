# SPDX-License-Identifier: GPL-2.0-only
"""The engine by messages, which the applications run on, beside the engine by packets."""

from __future__ import annotations

import pandas as pd

from relnet.papers import Experiment, Outcome, Point, Scale
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, LABELS, RC_NATIVE
from relnet.papers.runs import finished, rows

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


SET = "jac2000"
"""The data set that both engines run."""

NODES = 8
"""Nodes of these runs, with eight processes each."""

DURATION = 1.0
"""How long RC-Native takes in these runs, 174 time steps [s]."""


def _jac_points(scale: Scale) -> list[Point]:
    size = {} if scale.quick else {"nodes": NODES, "duration": DURATION}
    return [setup.application(scale, SET, COMBINATIONS[0], **size)]


def _jac_further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    """Both engines compute the same step, which the engine by messages has found."""
    beside = setup.beside(_jac_points(scale), frame, LABELS)
    return [Point({**point.parameters, "engine": engine}) for engine in ("Message", "Packet") for point in beside]


def _jac_render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = setup.label_runs(finished(frame))
    wide = (
        done[done["compute"].notna()]
        .pivot_table(index="combination", columns="engine", values="Time")
        .loc[list(LABELS)]
    )
    beside = wide / wide.loc[RC_NATIVE]
    table = pd.DataFrame(
        {
            "combination": wide.index,
            "by messages [s]": wide["Message"].to_numpy(),
            "by packets [s]": wide["Packet"].to_numpy(),
            "deviation [%]": ((wide["Message"] / wide["Packet"] - 1) * 100).to_numpy(),
            "beside RC-Native, by messages": beside["Message"].to_numpy(),
            "beside RC-Native, by packets": beside["Packet"].to_numpy(),
        }
    )
    worst = table["deviation [%]"].abs().max()
    apart = (beside["Message"] - beside["Packet"]).abs().max() * 100
    text = (
        f"{SET} on {8 * NODES} ranks with the same computation in both engines: the time differs by at most "
        f"{worst:.1f} % ({'within' if worst <= NEAR else 'beyond'} the {NEAR:g} % that are asked), what a combination "
        f"takes beside RC-Native by at most {apart:.1f} points. Seeds of one engine differ by as much.",
    )
    return Outcome(table, None, table.round(4), text)


JAC2000 = Experiment(
    "engines-jac2000",
    "The two engines on an application",
    "Not in the paper: how the simulation computes",
    _jac_points,
    _jac_render,
    lambda scale: [
        setup.command(
            APPLICATION,
            setup.ALL | {"dataset": SET, "nodes": NODES, "duration": DURATION, "engine": ("Message", "Packet")},
        )
    ],
    APPLICATION,
    further=_jac_further,
)
