# SPDX-License-Identifier: GPL-2.0-only
"""Readings of "pairwise exchange" (A-amb-1), with Table 3's throughputs and N/2 for each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.parastation2 import setup, tables
from relnet.papers.parastation2.setup import CELLS, HOSTS, LARGE, LAYERS, SMALL, TITLES

READINGS: dict[str, dict[str, Any]] = {
    "message by message": {"pattern": "exchange"},
    "one ahead": {"pattern": "exchange", "messagewindow": 2},
    "seven ahead": {"pattern": "exchange", "messagewindow": 8},
    "one direction": {"pattern": "stream"},
    "to and fro": {"pattern": "pingpong"},
}
"""
Orders of messages: each side waits for the partner's message before it sends the next one, as in Table 3 here; it may
be one or seven messages ahead; only one side sends; or one message goes to and fro.
"""

AHEAD = "one ahead"
"""
The reading of the HAL's rows. Its 512 bytes on the Pentium II leave 22.8 us for the two messages of an exchange. One
message needs at least 25.4 us one way: the published 14.5 us of 4 bytes and, for 508 more, two passes over a PCI bus of
132 MB/s and one over a link of 160 MB/s, one after the other, since each stage begins with a whole packet (sections 3.2
and 3.3). So the HAL's program does not wait for the partner's message before it sends the next one. All its rows are
read in this way, with the least number of messages ahead; those of the layers message by message.
"""

WITHIN = 1.42
"""Tolerance factor of N/2, as in the published data."""


def _layers(scale: Scale) -> tuple[str, ...]:
    return ("hal",) if scale.quick else tuple(LAYERS)


def _sizes(scale: Scale) -> tuple[int, ...]:
    return tuple(sorted({*tables.SIZES[:: 4 if scale.quick else 1], LARGE}))


def _points(scale: Scale) -> list[Point]:
    return [
        setup.point(platform=host, layer=layer, size=size, rounds=tables.rounds(size), **values)
        for host, layer in CELLS
        if layer in _layers(scale)
        for values in READINGS.values()
        for size in _sizes(scale)
    ]


def _table(scale: Scale, frame: pd.DataFrame) -> pd.DataFrame:
    names = [name for name in READINGS for _ in _sizes(scale)] * (len(frame) // len(READINGS) // len(_sizes(scale)))
    named = frame.assign(reading=names)
    published = claims.published_values(setup.NAME)
    rows = []
    for (host, layer, reading), runs in named.groupby(["platform", "layer", "reading"], sort=False):
        cell = f"A-T3-{HOSTS[host]}-{LAYERS[layer]}"
        curve = runs.groupby("size")["Throughput"].mean()
        rows.append(
            {
                "host": host,
                "layer": layer,
                "reading": reading,
                "n2_published": published[f"{cell}-n2"],
                "n2": tables.half_size(curve.index.to_numpy(float), curve.to_numpy(float)),
                "rate_published": published[f"{cell}-bw"],
                "rate": curve[LARGE],
            }
        )
    return pd.DataFrame(rows)


def of_hal(table: pd.DataFrame) -> dict[str, float]:
    """
    Throughput and N/2 of the HAL's rows with one message ahead, by claim.

    Parameters
    ----------
    table : pandas.DataFrame
        The table of this experiment.
    """
    found = {}
    for row in pick(table, layer="hal", reading=AHEAD).to_dict("records"):
        cell = f"A-T3-{HOSTS[row['host']]}-{LAYERS['hal']}"
        found |= {f"{cell}-bw": row["rate"], f"{cell}-n2": row["n2"]}
    return found


def _figure(scale: Scale, frame: pd.DataFrame) -> Figure:
    published = claims.published_values(setup.NAME)
    with plots.style():
        figure, axes = plots.panels(1, len(HOSTS), width=10, height=3.0)
        for panel, (host, title) in zip(axes[0], TITLES.items(), strict=True):
            runs = pick(frame, platform=host, layer="hal")
            for index, name in enumerate(READINGS):
                curve = runs.iloc[index * len(_sizes(scale)) : (index + 1) * len(_sizes(scale))]
                style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "markersize": 3}
                panel.plot(curve["size"], curve["Throughput"], label=name, **style)
            half = (published[f"A-T3-{HOSTS[host]}-HAL-n2"], published[f"A-T3-{HOSTS[host]}-HAL-bw"] / 2)
            panel.plot(*half, "k*", markersize=11, label="published N/2")
            panel.set(xscale="log", xlabel="message [bytes]", title=f"HAL, {title}")
            plots.from_zero(panel)
        axes[0][0].set_ylabel("throughput [MByte/s]")
        plots.legend_above(figure, axes[0][0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(scale, frame)
    off = np.exp(np.abs(np.log(table["n2"] / table["n2_published"])))
    table["n2_within"] = off <= WITHIN
    table["rate_within"] = (table["rate"] / table["rate_published"] - 1).abs() <= tables.TOLERANCE
    shown = table.pivot_table(index=["host", "layer", "n2_published"], columns="reading", values="n2", sort=False)
    shown = shown[list(READINGS)].round(0).reset_index()
    shown["host"], shown["layer"] = shown["host"].map(TITLES), shown["layer"].map(LAYERS)
    shown = shown.rename(
        columns={"n2_published": "N/2, published [byte]"} | {name: f"{name} [byte]" for name in READINGS}
    )
    cells = len(shown)
    counts = table.groupby("reading", sort=False)[["n2_within", "rate_within"]].sum()
    told = "; ".join(
        f"{name}, {row['n2_within']} and {row['rate_within']}" for name, row in counts.astype(int).iterrows()
    )
    first = pick(table, host=next(iter(HOSTS)), layer="hal").set_index("reading")
    half, rate = first[["n2_published", "rate_published"]].iloc[0]
    pings = pick(frame, platform=next(iter(HOSTS)), layer="hal", pattern="pingpong")
    way = float(np.interp(half, pings["size"], pings["Latency"]))
    n2 = first["n2"]
    text = (
        f"Of {cells} cells each, within a factor of {WITHIN:g} for N/2 and {tables.TOLERANCE:.0%} for the throughput "
        f"of {LARGE // 1024} KB: {told}.",
        f"The HAL's {half:g} bytes on the Pentium II imply two messages of that size in {4 * half / rate:.1f} us; one "
        f"takes {way:.1f} us one way here, and {SMALL} bytes took 14.5 us in the paper. Each side must therefore have "
        "sent its next message before it received the partner's: with one message ahead N/2 is "
        f"{n2['one ahead']:.0f}, without {n2['message by message']:.0f}. The 2000 bytes of MPI and PVM imply the "
        "opposite. The published N/2 of the HAL are powers of two, those of the layers multiples of 500. Probably two "
        "programs measured them, so no single reading can match all.",
    )
    return Outcome(table, _figure(scale, frame), shown, text)


EXCHANGES = Experiment(
    "exchanges",
    'Readings of "pairwise exchange", and N/2',
    "Section 4, A-amb-1",
    _points,
    _render,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} platform={','.join(HOSTS)} layer={','.join(_layers(scale))} "
        f"size={','.join(map(str, _sizes(scale)))} " + " ".join(f"{name}={value}" for name, value in values.items())
        for values in READINGS.values()
    ],
)
