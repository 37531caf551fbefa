# SPDX-License-Identifier: GPL-2.0-only
"""IRN and RoCE, with and without PFC and congestion control."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.irn import setup
from relnet.papers.irn.setup import (
    CONTROLS,
    DCQCN,
    GO_BACK_N,
    IRN,
    IRN_PFC,
    METRICS,
    NO_CAP,
    NONE,
    ROCE,
    ROCE_PFC,
    SYSTEMS,
)

COUNTS = ("Delivered", "GivenUp", "Packets", "Repeats", "Spurious", "Drops", "Pauses", "Marks")
"""Results that are shown beside the compared ones."""

NOT_SLOWER = 1.05
"""Largest ratio of completion times, without PFC and with it, that counts as not slower."""


def _points(scale: Scale) -> list[Point]:
    seeds = 1 if scale.quick else setup.SEEDS
    return [
        setup.point(scale, system, control, seed)
        for control in CONTROLS
        for system in SYSTEMS
        for seed in range(1, seeds + 1)
    ]


def _ratios(means: pd.DataFrame, system: str, beside: str, control: str) -> dict[str, float]:
    """Metrics of a system relative to those of another."""
    return {
        metric: float(means.loc[(control, system), metric] / means.loc[(control, beside), metric]) for metric in METRICS
    }


def _listed(ratios: dict[str, float]) -> str:
    return ", ".join(f"{METRICS[metric]} {ratio:.2f}" for metric, ratio in ratios.items())


def _findings(means: pd.DataFrame, scale: Scale) -> dict[str, Finding]:
    published = not scale.quick
    gains = {control: _ratios(means, IRN, ROCE_PFC, control) for control in CONTROLS}
    better = tuple(100 * (1 - ratio) for control in (NONE, DCQCN) for ratio in gains[control].values())
    unpaused = _ratios(means, ROCE, ROCE_PFC, NONE)
    paused = {control: _ratios(means, IRN, IRN_PFC, control) for control in CONTROLS}
    recovery = _ratios(means, GO_BACK_N, IRN, NONE)
    uncapped = _ratios(means, NO_CAP, IRN, NONE)
    factors = {control: [1 / ratio for ratio in gains[control].values()] for control in CONTROLS}
    both = "; ".join(f"{control}: {_listed(gains[control])}" for control in CONTROLS)
    # The abstract, and so its range, was in view when network, workload and systems were decided.
    return {
        "I-21": Finding(
            all(ratio < 1 for ratios in gains.values() for ratio in ratios.values()),
            note=f"IRN without PFC relative to RoCE with PFC, by congestion control. {both}.",
            scale=published,
            seen=True,
        ),
        "I-22": Finding(
            better,
            published=((6, 83),),
            note="Gains [%] in mean completion time, mean slowdown and 99th percentile, without congestion control "
            "and with DCQCN.",
            scale=published,
            seen=True,
        ),
        "I-23": Finding(
            unpaused["Fct"] > 1,
            note=f"RoCE without PFC relative to RoCE with PFC, without congestion control: {_listed(unpaused)}; "
            f"{means.loc[(NONE, ROCE), 'GivenUp']:.0f} flows are given up without PFC and have no time.",
            scale=published,
            seen=True,
        ),
        "I-24": Finding(
            all(ratios["Fct"] <= NOT_SLOWER for ratios in paused.values()),
            note="IRN without PFC relative to IRN with PFC, mean completion time: "
            + ", ".join(f"{control} {ratios['Fct']:.2f}" for control, ratios in paused.items())
            + f"; up to {NOT_SLOWER:g} counts as not slower.",
            scale=published,
            seen=True,
        ),
        "I-26": Finding(tuple(factors[NONE]), scale=published),
        "I-27": Finding(tuple(factors[DCQCN]), scale=published),
        "I-28": Finding(tuple(1 / ratios["Fct"] for ratios in paused.values()), scale=published),
        "I-29": Finding(unpaused["Fct"], scale=published),
        "I-30": Finding(
            f"IRN with go-back-N relative to IRN: {_listed(recovery)}. IRN without BDP-FC relative to IRN: "
            f"{_listed(uncapped)}.",
            scale=published,
        ),
    }


def _expectations(means: pd.DataFrame) -> list[str]:
    """What was expected before the runs, and whether it holds."""
    alone = _ratios(means, IRN, ROCE_PFC, NONE)
    controlled = _ratios(means, IRN, ROCE_PFC, DCQCN)
    recovery = _ratios(means, GO_BACK_N, IRN, NONE)
    unpaused = _ratios(means, ROCE, ROCE_PFC, NONE)
    paused = _ratios(means, IRN, IRN_PFC, NONE)
    uncapped = _ratios(means, NO_CAP, IRN, NONE)
    return [
        setup.told(
            "without congestion control, IRN without PFC has less than half of RoCE's mean slowdown with PFC, since "
            "pauses spread.",
            alone["Slowdown"] < 0.5,
        ),
        setup.told("DCQCN narrows the gap in mean slowdown.", controlled["Slowdown"] > alone["Slowdown"]),
        setup.told("RoCE without PFC has at least 1.2 times the mean completion time.", unpaused["Fct"] > 1.2),
        setup.told("go-back-N in IRN costs at least a tenth of the mean completion time.", recovery["Fct"] > 1.1),
        setup.told(
            "without BDP-FC, IRN's mean completion time is at least 1.05 times as long, since queues overflow more.",
            uncapped["Fct"] > 1.05,
        ),
        setup.told(
            "loss recovery is worth more than BDP-FC: go-back-N costs more of the mean completion time.",
            recovery["Fct"] > uncapped["Fct"],
        ),
        setup.told("IRN is faster without PFC than with it, without congestion control.", paused["Fct"] < 1),
        setup.told(
            "with PFC no frame is lost.",
            bool(means.loc[(list(CONTROLS), [ROCE_PFC, IRN_PFC]), "Drops"].max() == 0),
        ),
    ]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    runs = setup.label(setup.ended(frame))
    chosen = runs.groupby(["control", "system"], sort=False)[[*METRICS, *COUNTS]]
    means = chosen.mean()
    table = means.reset_index()
    with plots.style():
        figure, axes = plots.panels(1, len(METRICS), width=11, height=3.0)
        for panel, (metric, name) in zip(axes[0], METRICS.items(), strict=True):
            series = [
                (control, [means.loc[(control, system), metric] for system in SYSTEMS], None) for control in CONTROLS
            ]
            plots.bars(panel, list(SYSTEMS), series)
            panel.set(title=name, yscale="log", ylabel="" if metric == "Slowdown" else "[us]")
            panel.tick_params(axis="x", rotation=30)
        plots.legend_above(figure, axes[0][0])
    text = (
        f"{setup.HOSTS} hosts, {setup.flows(scale)} flows at a load of {setup.LOAD:g}. Sizes are those of AliStorage; "
        "the paper's are not known exactly.",
        *_expectations(means),
    )
    return Outcome(table, figure, table.round(2), text, _findings(means, scale))


COMPARISON = Experiment(
    "comparison",
    "IRN and RoCE, with and without PFC",
    "Abstract",
    _points,
    _render,
    lambda scale: [
        setup.command(**setup.point(scale, system, control).parameters) for control in CONTROLS for system in SYSTEMS
    ],
)
