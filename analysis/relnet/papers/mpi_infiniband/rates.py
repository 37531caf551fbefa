# SPDX-License-Identifier: GPL-2.0-only
"""Effect of the link rate on an application; the paper does not state the rate of its cluster (C-amb-12)."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.setup import APPLICATION, COMBINATIONS, LABELS, RATES, RC_NATIVE, UC_RELIABLE

SET = "jac2000"
"""The data set with the largest gain in the paper."""

NODES = 8
"""Nodes of these runs, each with the same load as among 64."""

DURATION = 0.2
"""Time of RC-Native in these runs [s]."""


def _points(scale: Scale) -> list[Point]:
    size = {} if scale.quick else {"nodes": NODES, "duration": DURATION}
    return [setup.application(scale, SET, COMBINATIONS[0], **setup.LOOP, **size, linkrate=rate) for rate in RATES]


def _further(scale: Scale, frame: pd.DataFrame) -> list[Point]:
    """Further runs; each link rate has its own computation, since RC-Native has the published message rate on both."""
    points = _points(scale)
    seeds = list(setup.seeds(scale))
    first = setup.beside(points, frame, LABELS[1:])
    more = [Point(point.parameters, seed, point.cost) for seed in seeds[1:] for point in _all(points, frame)]
    return first + more


def _all(points: list[Point], frame: pd.DataFrame) -> list[Point]:
    return setup.beside(points, frame, LABELS)


def compare(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Compare each combination with RC-Native at the same link rate.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs.

    Returns
    -------
    pandas.DataFrame
        One row per combination and rate: time above RC-Native of the same seed, as mean, minimum and maximum over the
        seeds [%], and the utilisation of a link and of an adapter's busiest engine [%].
    """
    done = setup.label_runs(finished(frame))
    keys = ["linkrate", "seed"]
    base = done[done["combination"] == RC_NATIVE].set_index(keys)["Time"]
    times = base.reindex(pd.MultiIndex.from_frame(done[keys])).to_numpy()
    done = done.assign(beside=(done["Time"].to_numpy() / times - 1) * 100)
    groups = done.groupby(["combination", "linkrate"], sort=False)
    table = groups["beside"].agg(["mean", "min", "max"])
    table["link"] = groups["LinkLoad"].mean() * 100
    table["engine"] = groups["BusiestEngine"].mean() * 100
    order = pd.MultiIndex.from_product([LABELS, RATES], names=table.index.names)
    return table.reindex(order.intersection(table.index)).reset_index()


def _picture(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(1, 1, width=9, height=2.8)
        panel = axes[0][0]
        others = [label for label in LABELS if label != RC_NATIVE]
        series = []
        for rate in RATES:
            rows = table[table["linkrate"] == rate].set_index("combination").reindex(others)
            series.append((rate, list(rows["mean"]), list(zip(rows["min"], rows["max"], strict=True))))
        plots.bars(panel, others, series)
        panel.axhline(0, color="#777777", linewidth=0.8)
        panel.set(ylabel="time above\nRC-Native [%]")
        plots.legend_above(figure, panel)
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = compare(frame)
    wide = table.pivot_table(index="combination", columns="linkrate", values="mean")
    apart = (wide["DDR"] - wide["SDR"]).drop(RC_NATIVE)
    chance = (table["max"] - table["min"]).max()
    load = table.groupby("linkrate")["link"].mean()
    engine = table.groupby("linkrate")["engine"].mean()
    most = apart.abs().idxmax()
    text = (
        f"{SET} on {8 * (setup.QUICK_NODES if scale.quick else NODES)} processes. RC-Native is calibrated to the "
        "published message rate with either link rate, since the paper's cluster had this message rate with unknown "
        "links. Bars are the time of the other combinations above RC-Native with the same link rate.",
        f"UC-Reliable takes {wide.loc[UC_RELIABLE, 'SDR']:+.1f} % over SDR and {wide.loc[UC_RELIABLE, 'DDR']:+.1f} % "
        f"over DDR. A combination differs between the rates by at most {abs(apart[most]):.1f} points ({most}), seeds "
        f"of one rate by {chance:.1f}. "
        + (
            "The unknown link rate therefore does not determine the results."
            if abs(apart[most]) <= max(chance, 1.0)
            else "The unknown link rate therefore affects the results."
        ),
        f"The utilisation of a host's link is {load['SDR']:.1f} % over SDR and {load['DDR']:.1f} % over DDR; that of "
        f"an adapter's busiest engine is {engine['SDR']:.0f} and {engine['DDR']:.0f} %.",
    )
    shown = table.round(2).rename(
        columns={
            "linkrate": "links",
            "mean": "above RC-Native [%]",
            "min": "least",
            "max": "greatest",
            "link": "link utilisation [%]",
            "engine": "busiest engine utilisation [%]",
        }
    )
    return Outcome(table, _picture(table), shown, text)


LINK_RATES = Experiment(
    "jac2000-link-rates",
    "jac2000 over SDR and DDR",
    "Not in the paper, which does not state its link rate (C-amb-12)",
    _points,
    _render,
    lambda scale: [
        setup.command(
            APPLICATION,
            setup.ALL | setup.LOOP | {"dataset": SET, "nodes": NODES, "duration": DURATION, "linkrate": RATES},
            len(setup.seeds(scale)),
        )
    ],
    APPLICATION,
    further=_further,
)
