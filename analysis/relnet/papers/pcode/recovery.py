# SPDX-License-Identifier: GPL-2.0-only
"""Cost of recovery: delay of a NACK (section 6.5), and gain of each addition of section 5 under loss."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from relnet import plots
from relnet.experiments import selection
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.pcode import setup
from relnet.papers.pcode.setup import LARGE, TIME

DELAYS = (0, 2, 5, 10, 20, 50, 100)
"""Times from a request to its first NACK [ms]."""

DELAY_LOSSES = (0.0, 0.01)
"""Losses at a receiver for the comparison of delays."""

DELAY_SEEDS = 5
"""Seeds of each delay."""

DELAY_ROUNDS = 100
"""Rounds of a run with one of them."""

RISING = 0.7
"""Minimum rank correlation that counts as growth with the delay."""

LOSSES = (0.0, 0.01, 0.1, 0.2)
"""Probabilities of loss at a receiver."""

VARIANTS = {
    "PCODE": {"system": "pcode"},
    "without GlobalCounter and its dependents (5.1)": {
        "system": "pcode",
        "globalcounter": "false",
        "flowcontrol": "false",
        "globalgapnack": "false",
        "periodicstatus": "false",
    },
    "without flow control (5.2)": {"system": "pcode", "flowcontrol": "false"},
    "without PROGRESS (5.2)": {"system": "pcode", "progressondemand": "false"},
    "without NACKs of gaps (5.3)": {"system": "pcode", "personalgapnack": "false", "globalgapnack": "false"},
    "without early messages (5.4)": {"system": "pcode", "earlymessages": "false"},
    "without periodic STATUS (5.5)": {"system": "pcode", "periodicstatus": "false"},
    "without point-to-point NACKs (5.6)": {"system": "pcode", "directnacks": "false"},
    "without a delay of the first NACK (5.7)": {"system": "pcode", "requestdelay": "0ms"},
    "P1": {"system": "p1"},
    "P0": {"system": "p0"},
}
"""PCODE without each of its additions, and the protocols on which it is based."""


def _machines(scale: Scale) -> int:
    return 4 if scale.quick else 16


def _points_delay(scale: Scale) -> list[Point]:
    return [
        setup.point(
            scale,
            _machines(scale),
            LARGE,
            seed,
            DELAY_ROUNDS,
            system="pcode",
            loss=loss,
            requestdelay=f"{delay}ms",
        )
        for loss in DELAY_LOSSES
        for delay in DELAYS
        for seed in _delay_seeds(scale)
    ]


def _delay_seeds(scale: Scale) -> range:
    return range(1, 1 + (2 if scale.quick else DELAY_SEEDS))


def _trend(series: pd.Series) -> float:
    """Rank correlation of a result with the delay."""
    return float(series.rank().corr(pd.Series(series.index, index=series.index).rank()))


def _render_delay(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = selection.finished(frame).copy()
    done["delay"] = done["requestdelay"].str.removesuffix("ms").astype(int)
    done["per round"] = done["Nacks"] / done["rounds"]
    values = [TIME, "per round", "Resends", "RepairTime"]
    table = done.pivot_table(index="delay", columns="loss", values=values)
    nacks = table["per round"][DELAY_LOSSES[0]]
    lossy = table[TIME][DELAY_LOSSES[1]]
    repairs = done[done["loss"] == DELAY_LOSSES[1]]
    repair = repairs.groupby("delay")["RepairTime"].mean()
    # Interval of 95 % of a mean over the seeds.
    spread = repairs.groupby("delay")["RepairTime"].agg(half_interval)
    fewer = bool(nacks.iloc[0] > nacks.iloc[-1] and _trend(nacks) < 0)
    slower = bool(repair.iloc[-1] > repair.iloc[0] and _trend(repair) >= RISING)
    more = bool(nacks.iloc[-1] > nacks.iloc[0])
    text = (
        f"Without losses beyond those of the LAN, a delay of {nacks.index[0]} ms causes {nacks.iloc[0]:.1f} NACKs per "
        f"round, one of {nacks.index[-1]} ms {nacks.iloc[-1]:.1f}. With a loss of {DELAY_LOSSES[1]:.0%}, the time per "
        f"call has its minimum ({lossy.min():.2f} ms) at {lossy.idxmin()} ms and is {lossy.iloc[-1]:.2f} ms at "
        f"{lossy.index[-1]} ms. From the loss of a message to its delivery it takes {repair.iloc[0]:.1f} ms "
        f"(+-{spread.iloc[0]:.1f}) at a delay of {repair.index[0]} ms and {repair.iloc[-1]:.1f} ms "
        f"(+-{spread.iloc[-1]:.1f}) at {repair.index[-1]} ms, in {int(repairs['Repairs'].sum())} repairs with "
        f"{repairs['seed'].nunique()} seeds; the rank correlation with the delay is {_trend(repair):.2f}; required: "
        f"{RISING:g}."
    )
    with plots.style():
        figure, axes = plots.panels(1, 3, width=12, height=3.0)
        for index, loss in enumerate(DELAY_LOSSES):
            style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": f"loss {loss:.0%}"}
            axes[0][0].plot(table.index, table["per round"][loss], **style)
            axes[0][1].plot(table.index, table[TIME][loss], **style)
            if loss > 0:
                axes[0][2].errorbar(repair.index, repair, yerr=spread, **style)
        titles = ("NACKs per round", "time per call [ms]", "loss to delivery [ms]")
        for panel, name in zip(axes[0], titles, strict=True):
            panel.set_xscale("symlog", linthresh=2)
            panel.set_xticks(DELAYS, DELAYS)
            panel.set_xticks([], minor=True)
            panel.set_xlabel("delay of the first NACK [ms]")
            panel.set_ylabel(name)
            plots.from_zero(panel)
        axes[0][0].legend()
    findings = {
        # The time from a loss to the delivery took the place of what losses add to a call, which had deviated.
        "B-33": Finding(fewer and slower, note=text, scale=not scale.quick, seen=True),
        "B-34": Finding(
            more,
            note=f"As printed, a longer delay would cause more NACKs; simulated: {nacks.iloc[0]:.1f} per round at "
            f"{nacks.index[0]} ms and {nacks.iloc[-1]:.1f} at {nacks.index[-1]} ms.",
            scale=not scale.quick,
        ),
    }
    flat = table.copy()
    flat.columns = [f"{name}, loss {loss:g}" for name, loss in flat.columns]
    return Outcome(flat.reset_index(), figure, text=(text,), findings=findings)


def half_interval(values: pd.Series) -> float:
    """
    Half of the interval of 95 % of a mean, by Student's distribution; missing for a single value.

    Parameters
    ----------
    values : pandas.Series
        A value for each seed.
    """
    mean, low, _ = plots.interval(values.to_numpy(dtype=float))
    return mean - low


def _points_additions(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, _machines(scale) // 2, LARGE, 1, setup.FEW_ROUNDS, loss=loss, **settings)
        for settings in VARIANTS.values()
        for loss in LOSSES
    ]


def _render_additions(scale: Scale, frame: pd.DataFrame) -> Outcome:
    named = frame.assign(variant=[name for name in VARIANTS for _ in LOSSES])
    done = selection.finished(named)
    table = done.pivot_table(index="variant", columns="loss", values=[TIME, "Resends"], sort=False)
    table = table.reindex(list(VARIANTS))
    time, resends = table[TIME], table["Resends"]
    lossy = [loss for loss in LOSSES if loss > 0]
    early = "without early messages (5.4)"
    fewer = resends.loc["PCODE", lossy] < resends.loc[early, lossy]
    worth = (time.div(time.loc["PCODE"]) - 1) * 100
    dear = worth.drop(index=["PCODE", "P1", "P0"])
    text = [
        f"Early messages (5.4) save "
        f"{(1 - resends.loc['PCODE', lossy] / resends.loc[early, lossy]).min():.0%} to "
        f"{(1 - resends.loc['PCODE', lossy] / resends.loc[early, lossy]).max():.0%} of the resends under losses from "
        f"{lossy[0]:.0%} to {lossy[-1]:.0%}.",
        *(
            f"Change of the time per call at a loss of {loss:.0%}: from {dear[loss].min():+.0f} % "
            f"({dear[loss].idxmin()}) to {dear[loss].max():+.0f} % ({dear[loss].idxmax()})."
            for loss in LOSSES
        ),
    ]
    unfinished = named[named["Verdict"] != "completed"]
    if len(unfinished):
        cases = ", ".join(f"{row['variant']} at {row['loss']:.0%}" for _, row in unfinished.iterrows())
        text.append(f"Not completed: {cases}.")
    findings = {"B-12": Finding(bool(fewer.all()), note=text[0], scale=not scale.quick)}
    beside = time.div(time.loc["PCODE"])
    with plots.style():
        figure, axes = plots.panels(1, 1, width=7.5, height=3.6)
        panel = axes[0][0]
        panel.imshow(np.log2(beside), aspect="auto", cmap="RdBu_r", vmin=-2, vmax=2)
        for row, name in enumerate(beside.index):
            for column, loss in enumerate(LOSSES):
                value = beside.loc[name, loss]
                dark = abs(math.log2(value)) > 1.3 if value > 0 else False
                told = f"{time.loc[name, loss]:.2f} ms" if name == "PCODE" else f"{value:.2f}"
                panel.text(column, row, told, ha="center", va="center", color="white" if dark else "black", fontsize=8)
        panel.set_xticks(range(len(LOSSES)), [f"{loss:.0%}" for loss in LOSSES])
        panel.set_yticks(range(len(beside.index)), beside.index)
        panel.set(xlabel="loss at each receiver", title="time per call relative to PCODE")
        panel.grid(visible=False)
    flat = table.copy()
    flat.columns = [f"{name}, loss {loss:g}" for name, loss in flat.columns]
    return Outcome(flat.reset_index(), figure, text=tuple(text), findings=findings)


NACK_DELAY = Experiment(
    "nack-delay",
    "Delay of the first NACK of a request",
    "Section 6.5",
    _points_delay,
    _render_delay,
    lambda scale: [
        setup.command(
            {
                "system": "pcode",
                "nodes": _machines(scale),
                "size": LARGE,
                "rounds": setup.rounds(scale, DELAY_ROUNDS),
                "loss": DELAY_LOSSES,
                "requestdelay": tuple(f"{delay}ms" for delay in DELAYS),
            },
            len(_delay_seeds(scale)),
        )
    ],
)

ADDITIONS = Experiment(
    "additions",
    "Gain of each addition of section 5",
    "Section 5 (without a measurement in the paper)",
    _points_additions,
    _render_additions,
    lambda scale: [
        setup.command(
            {
                **settings,
                "nodes": _machines(scale) // 2,
                "size": LARGE,
                "rounds": setup.rounds(scale, setup.FEW_ROUNDS),
                "loss": LOSSES,
            }
        )
        for settings in VARIANTS.values()
    ],
)
