# SPDX-License-Identifier: GPL-2.0-only
"""
Region of the adapter's unknowns in which claims of section 8.3 hold together.

The paper explains its 25 % (C-29) by reliability in firmware, exhausted resources of the adapter, and many peers. What
an adapter spends on RC alone is not published: further lines of a context, the engine time of an ACK, and whether
requester and responder share an engine. Nor is the size of its cache, nor the step rate of NAMD without its start. They
are sampled together by a Latin hypercube, and for each sample six claims are judged. No sample is chosen. No verdict
and no share of one comes from here: on 64 processes the defaults have another outcome of C-30 and C-46 than on 512.

Expected before the first run (2026-11-29), of 64 samples: RC-Native has its published message rate in 25 to 45; C-28
holds in 12 to 28, C-29 in 6 to 16 (small caches with 1 or 2 lines), C-30 in at most 10, C-37 in none, since none of the
five makes UD slower than RC, C-39 in 20 to 36, C-46 in 26 to 38 (large caches). C-28 to C-30 hold together in at most
3, and with C-39 and C-46 in none, since C-29 needs misses of the cache and C-46 needs none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.sensitivity import QUICK_SAMPLES, SAMPLES, Default, sample, share_interval
from relnet.papers.mpi_infiniband import applications, setup
from relnet.papers.mpi_infiniband.setup import (
    APPLICATION,
    COMBINATIONS,
    LABELS,
    LAMMPS,
    RC_NATIVE,
    UC_NATIVE,
    UC_RELIABLE,
    UD_NATIVE,
    UD_RELIABLE,
)

SPACE = (
    Default("contextcache", (32, 128, 1024, 16384), 128),
    Default("contextlines", (0, 1, 2, 4), 0),
    Default("sharedengine", ("false", "true"), "false"),
    Default("ackprocessing", (60, 200, 400, 650), 60),
    Default("compute", (0.25, 0.5, 0.75, 1.0), 1.0),
)
"""
Unknowns and their values. A node of these runs has 448 queue pairs: 32 and 128 lines hold a part of their contexts,
16384 hold everything. A line has 128 bytes, as much as the four responder entries of a queue pair. An ACK takes the
engine at least as long as any packet, 60 ns, and at most as long as a message, 650 ns. `compute` is a share of the
computation of a step with which RC-Native has the published message rate, by the defaults: less of it is a higher step
rate, as if the start of a run, which is in the published mean, had been slow.
"""

DEFAULTS = {one.parameter: one.default for one in SPACE}
"""The defaults, which are run beside the samples."""

TITLES = {
    "contextcache": "cached lines",
    "contextlines": "lines of RC's context",
    "sharedengine": "shared engine",
    "ackprocessing": "engine time of an ACK [ns]",
    "compute": "share of computation",
}
"""Labels of the unknowns."""

ONLY_RC = ("contextlines", "ackprocessing")
"""Unknowns that UC and UD have no use for, so that samples which differ in them share the runs of UC and UD."""

SET = "jac2000"
"""The data set of NAMD."""

COMPARED = (RC_NATIVE, UC_NATIVE, UC_RELIABLE, UD_NATIVE, UD_RELIABLE)
"""Combinations that the claims compare."""

CLAIMS = ("C-28", "C-29", "C-30", "C-37", "C-39", "C-46")
"""The claims."""

RATE = "message rate"
"""Condition that RC-Native has at least its published message rate on jac2000 (Table 2, general rows)."""

TOGETHER = {
    "C-28, C-29 and C-30 (jac2000)": ("C-28", "C-29", "C-30"),
    "C-39 and C-46 (LAMMPS)": ("C-39", "C-46"),
    "all except C-37": ("C-28", "C-29", "C-30", "C-39", "C-46"),
    "all": CLAIMS,
}
"""Claims that are judged together, each with the condition on the message rate if it has one on jac2000."""

NODES = 8
"""Nodes of these runs, as in the other studies of the adapter."""

DURATION = 0.2
"""Time of RC-Native on jac2000 with the defaults [s]."""

STEPS = 9
"""Time steps of LAMMPS: a neighbour list of each data set, as in the study of the adapter's cache on 512 ranks."""

SHORTFALL = 0.02
"""Tolerance of the calibration of a message rate: RC-Native has its rate if it is at most this share below."""

Key = tuple[str, str, tuple[tuple[str, Any], ...]]
"""A run: data set, combination, and the unknowns that matter to it with their values."""


def _key(name: str, label: str, given: Mapping[str, Any]) -> Key:
    used = [
        one for one in given if (label.startswith("RC") or one not in ONLY_RC) and (name == SET or one != "compute")
    ]
    return name, label, tuple((one, given[one]) for one in used)


def _keys(settings: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Key]:
    """Distinct runs of all settings, in a fixed order."""
    every = (_key(name, label, given) for given in settings for name in names for label in COMPARED)
    return list(dict.fromkeys(every))


def _run(scale: Scale, key: Key, whole: float = 0.0) -> Point:
    """A run; `whole` is the computation of a step of jac2000 of which it has a share [ns]."""
    name, label, values = key
    size: dict[str, Any] = {}
    if not scale.quick:
        size = {"nodes": NODES, **setup.length(name, DURATION, STEPS)}
    given = dict(values)
    if name == SET:
        given["compute"] = round(given["compute"] * whole)
        size |= setup.LOOP
    return setup.application(scale, name, COMBINATIONS[LABELS.index(label)], **size, **given)


def _calibrated(scale: Scale) -> Point:
    """RC-Native with the defaults, whose computation is calibrated."""
    size = {} if scale.quick else {"nodes": NODES, "duration": DURATION}
    return setup.application(scale, SET, COMBINATIONS[LABELS.index(RC_NATIVE)], **setup.LOOP, **size)


def judge(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """
    Judge the runs of one sample.

    Parameters
    ----------
    rows : sequence of mapping
        Parameters and results of the runs: jac2000 and all data sets of LAMMPS, each with the combinations `COMPARED`.

    Returns
    -------
    dict
        For each of `CLAIMS` whether it holds, and for `RATE` whether RC-Native has it; `saved` is the time that
        UC-Reliable saves relative to RC-Native on jac2000, and `overhead` its time above UC-Native [%]; `rate` is
        RC-Native's message rate relative to the published one.
    """
    table = applications.summary(pd.DataFrame(rows))
    found = applications.findings_jac2000(table, True) | applications.findings_lammps(table, True)
    published = {claim.id: claim for claim in claims.read(setup.NAME)}
    rate = float(table.loc[(SET, RC_NATIVE), "MessageRate"]) / setup.general(SET, "rate")
    return {
        RATE: rate >= 1 - SHORTFALL,
        **{name: bool(claims.met(published[name], found[name])) for name in CLAIMS},
        "rate": rate,
        "saved": found["C-29"].simulated,
        "overhead": found["C-28"].simulated,
    }


def judge_all(settings: Sequence[Mapping[str, Any]], frame: pd.DataFrame) -> pd.DataFrame:
    """
    Judge the settings by the runs of the experiment.

    Parameters
    ----------
    settings : sequence of mapping
        The defaults, and the samples.
    frame : pandas.DataFrame
        The runs in the order of the experiment's points.

    Returns
    -------
    pandas.DataFrame
        One row per setting that has all its runs: `sample` (0 are the defaults), the unknowns, and the return value of
        `judge`.
    """
    keys = _keys(settings, LAMMPS) + _keys(settings, (SET,))
    # The first run is that of the calibration.
    runs = dict(zip(keys, frame.iloc[1:].to_dict("records"), strict=False))
    rows = []
    for place, given in enumerate(settings):
        own = [runs.get(_key(name, label, given), {}) for name in (SET, *LAMMPS) for label in COMPARED]
        if all(run.get("Verdict") == "completed" for run in own):
            rows.append({"sample": place, **given, **judge(own)})
    return pd.DataFrame(rows)


def _together(found: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    """Whether claims hold together, those on jac2000 with the published message rate."""
    needed = [RATE] if {"C-28", "C-29", "C-30"} & set(names) else []
    return found[[*needed, *names]].all(axis=1)


def tabulate(found: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate where claims hold, alone and together.

    Parameters
    ----------
    found : pandas.DataFrame
        Rows of `judge_all`, without the defaults.

    Returns
    -------
    pandas.DataFrame
        One row per claim or set of claims: number and share of the samples in which it holds, the number without the
        condition on the message rate, and the values of each unknown in the samples that it holds in.
    """
    alone = {name: (name,) for name in (RATE, *CLAIMS)}
    rows = []
    for title, names in (alone | TOGETHER).items():
        anyhow = found[list(names)].all(axis=1)
        holds = anyhow if title in alone else _together(found, names)
        low, high = share_interval(int(holds.sum()), len(holds))
        values = {TITLES[one.parameter]: _values(one, found[holds]) for one in SPACE}
        rows.append(
            {
                "claims": title,
                "holds": int(holds.sum()),
                "samples": len(holds),
                "95 % interval [%]": f"{100 * low:.0f} to {100 * high:.0f}",
                "with any message rate": int(anyhow.sum()),
                **values,
            }
        )
    return pd.DataFrame(rows)


def _values(one: Default, chosen: pd.DataFrame) -> str:
    """The tested values of an unknown that some samples have, in order."""
    return ", ".join(str(value) for value in one.values if (chosen[one.parameter] == value).any()) or "none"


def _picture(found: pd.DataFrame) -> Figure:
    """Samples with their claims and unknowns, those with most claims first; and shares of the samples by value."""
    samples = found[found["sample"] > 0]
    order = samples.assign(held=samples[list(CLAIMS)].sum(axis=1)).sort_values(
        ["held", RATE, *CLAIMS, *(one.parameter for one in SPACE)], ascending=False
    )
    columns = pd.concat([found[found["sample"] == 0], order])
    with plots.style():
        figure, axes = plots.panels(3, 1, width=11, height=2.2)
        (held,), (unknowns,), (shares,) = axes
        _draw_samples(held, columns[[RATE, *CLAIMS]].astype(float).T, (RATE, *CLAIMS))
        held.set_title("samples (blue: holds), the defaults at the left")
        levels = {one.parameter: [_level(one, value) for value in columns[one.parameter]] for one in SPACE}
        names = [f"{TITLES[one.parameter]}, {one.values[0]} to {one.values[-1]}" for one in SPACE]
        _draw_samples(unknowns, pd.DataFrame(levels).T, names, "Greys")
        unknowns.set_title("their unknowns, from the first value (white) to the last (dark)")
        _draw_shares(shares, samples)
    return figure


def _level(one: Default, value: Any) -> float:
    """Place of a value among the tested ones, from 0.05 to 0.8, so that the first is visible on white."""
    return 0.05 + 0.75 * list(one.values).index(value) / (len(one.values) - 1)


def _draw_samples(panel: Axes, cells: pd.DataFrame, names: Sequence[str], colours: str = "") -> None:
    """Draw a column of cells for each setting, with a gap behind the defaults."""
    palette = colours or ListedColormap(["#e8e8e8", plots.COLOURS[0]])
    panel.imshow(cells, aspect="auto", cmap=palette, vmin=0, vmax=1, interpolation="nearest")
    panel.set_yticks(range(len(names)), names, fontsize=8)
    panel.set_xticks([])
    panel.grid(False)
    for place in np.arange(len(names) - 1) + 0.5:
        panel.axhline(place, color="white", linewidth=1.5)
    panel.axvline(0.5, color="white", linewidth=6)


def _draw_shares(panel: Axes, samples: pd.DataFrame) -> None:
    """Draw the share of the samples with each value in which a claim holds [%]."""
    columns = [(one, value) for one in SPACE for value in one.values]
    judged = {name: samples[name] for name in (RATE, *CLAIMS)}
    judged["all except C-37"] = _together(samples, TOGETHER["all except C-37"])
    cells = np.array(
        [[100 * holds[samples[one.parameter] == value].mean() for one, value in columns] for holds in judged.values()]
    )
    panel.imshow(cells, aspect="auto", cmap="Blues", vmin=0, vmax=180, interpolation="nearest")
    for row, values in enumerate(cells):
        for column, value in enumerate(values):
            if value == value:
                panel.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=7)
    panel.set_yticks(range(len(judged)), judged, fontsize=8)
    panel.set_xticks(range(len(columns)), [_tick(one, value) for one, value in columns], fontsize=7, va="top")
    panel.grid(False)
    for place in np.cumsum([len(one.values) for one in SPACE])[:-1] - 0.5:
        panel.axvline(place, color="white", linewidth=4)
    panel.set_title("share of the samples with this value in which a claim holds [%]")


def _tick(one: Default, value: Any) -> str:
    """A value; the one before the middle also has the name of its unknown."""
    middle = one.values[(len(one.values) - 1) // 2]
    return f"{value}\n{TITLES[one.parameter]}" if value == middle else str(value)


def _most(samples: pd.DataFrame) -> str:
    """Sentence on the largest number of claims that hold together."""
    possible = samples[samples[RATE]]
    if possible.empty:
        return "No sample has the message rate of RC-Native."
    counts = possible[list(CLAIMS)].sum(axis=1)
    best = possible[counts == counts.max()]
    sets = {tuple(name for name in CLAIMS if row[name]) for _, row in best.iterrows()}
    told = "; ".join(", ".join(names) or "none" for names in sorted(sets))
    return (
        f"Among the samples with the message rate at most {counts.max():.0f} of the {len(CLAIMS)} claims hold "
        f"together, in {len(best)} of them: {told}."
    )


def _render(settings: Sequence[Mapping[str, Any]], scale: Scale, frame: pd.DataFrame) -> Outcome:
    found = judge_all(settings, frame)
    if len(found) < 2:
        return Outcome(found, text=("No sample has all its runs.",))
    samples = found[found["sample"] > 0]
    table = tabulate(samples)
    held = table.set_index("claims")["holds"]
    anyhow = table.set_index("claims")["with any message rate"]
    usual = found[found["sample"] == 0]
    of_defaults = ", ".join(name for name in CLAIMS if usual[name].all()) if len(usual) else ""
    size = f"{8 * setup.QUICK_NODES} processes"
    if not scale.quick:
        size = f"{8 * NODES} processes, {STEPS} time steps of LAMMPS and {DURATION:g} s of {SET}"
    text = [
        f"{len(settings) - 1} samples of a Latin hypercube, in which each value of an unknown is equally frequent. "
        f"Runs have {size}, with one seed. The claims have the tests of Figures 5 and 6, whose runs give their "
        "verdicts; no sample is chosen.",
        f"RC-Native has its published message rate on {SET} in {held[RATE]} samples; the others contradict Table 2. "
        "Claims hold in so many samples: "
        + ", ".join(f"{name} {held[name]}" for name in CLAIMS)
        + f". With the defaults, on as few processes: {of_defaults or 'none'}.",
        "Together, with this message rate if they are on jac2000, and in brackets with any: "
        + ", ".join(f"{title} {held[title]} ({anyhow[title]})" for title in TOGETHER)
        + f". {_most(samples)}",
        f"On {SET} UC-Reliable saves {samples['saved'].min():.1f} to {samples['saved'].max():.1f} % relative to "
        f"RC-Native (published 25), and reliability costs UC {samples['overhead'].min():.1f} to "
        f"{samples['overhead'].max():.1f} % (published 7).",
        f"Runs of {SET} are those of the first command with the parameters of a sample, and with `compute` as a share "
        f"of its StepCompute: {', '.join(str(value) for value in SPACE[-1].values)}.",
    ]
    if len(found) < len(settings):
        text.append(f"{len(settings) - len(found)} settings have a run without a result and do not count.")
    return Outcome(found, _picture(found), table, tuple(text))


def _commands(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    loop = {"dataset": LAMMPS, "nodes": NODES, "runsteps": STEPS, "timeout": setup.TIMEOUT}
    first = {"dataset": SET, "nodes": NODES, "duration": DURATION, "timeout": setup.TIMEOUT}
    samples = [{name: value for name, value in given.items() if name != "compute"} for given in settings]
    return [
        setup.command(APPLICATION, COMBINATIONS[0].parameters | setup.LOOP | first),
        *(setup.command(APPLICATION, setup.ALL | loop | given) for given in samples),
    ]


def experiment(samples: int = SAMPLES) -> Experiment:
    """
    Make the experiment.

    Parameters
    ----------
    samples : int
        Number of samples at published scale.
    """

    def settings(scale: Scale) -> list[dict[str, Any]]:
        return [DEFAULTS, *sample(SPACE, QUICK_SAMPLES if scale.quick else samples)]

    def points(scale: Scale) -> list[Point]:
        return [_calibrated(scale), *(_run(scale, key) for key in _keys(settings(scale), LAMMPS))]

    def further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
        first = frame.iloc[0]
        if first["Verdict"] != "completed":
            return []
        return [_run(scale, key, first["StepCompute"]) for key in _keys(settings(scale), (SET,))]

    return Experiment(
        "region",
        "Region in which claims of section 8.3 hold together",
        "Sections 8.3 and 8.4 attribute the differences to the adapter, as likely",
        points,
        lambda scale, frame: _render(settings(scale), scale, frame),
        lambda scale: _commands(settings(scale)),
        further=further,
    )


REGION = experiment()
