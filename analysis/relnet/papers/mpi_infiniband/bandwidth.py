# SPDX-License-Identifier: GPL-2.0-only
"""
Possible causes of the 50 MB/s that reliability costs between 8 and 32 KB (section 8.2, C-21). Each unpublished cost is
swept alone, together with its effect on latency and message rate, on which the paper has claims as well.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick, rows
from relnet.papers.mpi_infiniband import setup
from relnet.papers.mpi_infiniband.microbenchmarks import DIP
from relnet.papers.mpi_infiniband.setup import (
    COMBINATIONS,
    OSU,
    RC_NATIVE,
    RC_RELIABLE,
    UC_NATIVE,
    UC_RELIABLE,
    UD_NATIVE,
    UD_RELIABLE,
)

PUBLISHED = 50.0
"""Cost of reliability (section 8.2) [MB/s]."""

SMALL = 8
"""Message size of latency and rate [bytes]."""

SWEPT: dict[str, tuple[Any, ...]] = {
    "reliabilitytime": (25, 100, 250, 500, 1000, 1500),
    "sweepmessages": (0, 2, 10, 50),
    "credits": (12, 20, 40, 80, 160),
    "sendprocessing": (300, 650, 1000, 1500),
    "copyrate": (500, 1000, 1500, 3000),
    "memoryrate": (0, 1000, 2000),
}
"""Unknown parameters, with values around those of the model."""

DEFAULT_CREDITS = 80
"""Default number of credits."""

TITLES = {
    "reliabilitytime": "processor time of a\nreliable frame [ns]",
    "sweepmessages": "messages before\nan ACK sweep",
    "credits": "credits of\na connection",
    "sendprocessing": "engine time of\na send [ns]",
    "copyrate": "copies of\na core [MB/s]",
    "memoryrate": "copies of\na node [MB/s]",
}
"""Labels in figures."""

PAIRS = ((RC_NATIVE, RC_RELIABLE), (UC_NATIVE, UC_RELIABLE), (UD_NATIVE, UD_RELIABLE))
"""Combinations compared."""


def _plan(scale: Scale) -> list[tuple[str, Any, Point]]:
    sizes = " ".join(map(str, (SMALL, *DIP)))
    return [
        (name, value, setup.point(combination, sizes=sizes, **{name: value}))
        for name, values in SWEPT.items()
        for value in values[:: 3 if scale.quick else 1]
        for combination in COMBINATIONS
    ]


def costs(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the cost of reliability.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per unknown, value, combination and Size, with Bandwidth, Latency and MessageRate.

    Returns
    -------
    pandas.DataFrame
        One row per unknown and value. For each transport the bandwidth that reliability costs, mean over `DIP` [MB/s];
        `latency` is the increase of UC's latency of a small message [us], `rate` the message rate of UC-Reliable above
        RC-Native for small messages [%].
    """
    large = table[table["Size"].isin(DIP)]
    keys = ["unknown", "value"]
    bandwidth = large.pivot_table(index=keys, columns="combination", values="Bandwidth", sort=False)
    small = pick(table, Size=SMALL)
    latency = small.pivot_table(index=keys, columns="combination", values="Latency", sort=False)
    rate = small.pivot_table(index=keys, columns="combination", values="MessageRate", sort=False)
    found = pd.DataFrame({native[:2]: bandwidth[native] - bandwidth[reliable] for native, reliable in PAIRS})
    found["latency"] = latency[UC_RELIABLE] - latency[UC_NATIVE]
    found["rate"] = (rate[UC_RELIABLE] / rate[RC_NATIVE] - 1) * 100
    order = pd.MultiIndex.from_frame(table[keys].drop_duplicates())
    return found.reindex(order).reset_index()


def needs(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute RC's cost of reliability at each size, and the time per message that the published cost implies.

    Parameters
    ----------
    table : pandas.DataFrame
        As for `costs`, with defaults.

    Returns
    -------
    pandas.DataFrame
        By the sizes of `DIP`: `cost` [MB/s], and the additional `time` of a message for a cost of `PUBLISHED` [us].
    """
    wide = table[table["Size"].isin(DIP)].pivot_table(index="Size", columns="combination", values="Bandwidth")
    native = wide[RC_NATIVE]
    time = native.index.to_series() * (1 / (native - PUBLISHED) - 1 / native)
    return pd.DataFrame({"cost": native - wide[RC_RELIABLE], "time": time})


def _picture(found: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(2, 3, width=10, height=2.3)
        panels = [panel for row in axes for panel in row]
        for panel, (name, title) in zip(panels, TITLES.items(), strict=True):
            chosen = pick(found, unknown=name)
            for index, (native, _) in enumerate(PAIRS):
                style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index], "label": native[:2]}
                panel.plot(range(len(chosen)), chosen[native[:2]], **style)
            panel.axhline(PUBLISHED, color="#222222", linestyle=":", label="published: about 50 MB/s")
            panel.set_xticks(range(len(chosen)), chosen["value"])
            panel.set(xlabel=title, ylim=(-5, 1.2 * PUBLISHED))
        for row in axes:
            row[0].set_ylabel("cost of reliability [MB/s]")
        plots.legend_above(figure, panels[0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    plan = _plan(scale)
    labelled = setup.label_runs(frame).assign(
        unknown=[name for name, _, _ in plan], value=[value for _, value, _ in plan]
    )
    table = rows(labelled, "Points", "unknown", "value", "combination")
    found = costs(table)
    ends = needs(pick(table, unknown="credits", value=DEFAULT_CREDITS)).loc[[DIP[0], DIP[-1]]]
    connected = found[["RC", "UC"]].max(axis=1)
    best = found.loc[connected.idxmax()]
    time = pick(found, unknown="reliabilitytime").sort_values("value")
    near = time[time[["RC", "UC"]].mean(axis=1) >= PUBLISHED * 0.7]
    slowest = time.iloc[-1]
    each = pick(found, unknown="sweepmessages").sort_values("value").iloc[0]
    text = (
        f"Lines are the cost of reliability in software, mean of {DIP[0]} to {DIP[-1]} bytes. Each panel changes one "
        "cost; the others have their defaults. From 8 KB on, data are transferred by RDMA, the processor only "
        "handles control messages, and the link is the bottleneck. Reliability adds an immediate, the answer to each "
        "message and explicit ACKs.",
        f"With the defaults RC loses {ends['cost'].iloc[0]:.1f} MB/s at {DIP[0]} and {ends['cost'].iloc[1]:.1f} at "
        f"{DIP[-1]} bytes: a constant time per message. A cost of {PUBLISHED:.0f} MB/s at both sizes would be "
        f"{ends['time'].iloc[0]:.2f} and {ends['time'].iloc[1]:.2f} us per message, thus a time per byte. Without "
        "copies of data (section 6.3) no operation takes such a time.",
        f"The maximum loss of RC or UC at any value is {connected.max():.1f} MB/s, at "
        f"{TITLES[best['unknown']].replace(chr(10), ' ')} {best['value']}; the published loss is about 50.",
        (
            f"Processor time alone would have to be {near['value'].iloc[0]} ns per frame"
            if len(near)
            else f"Processor time alone gives {slowest[['RC', 'UC']].mean():.1f} MB/s even with {slowest['value']} ns "
            "per frame"
        )
        + f". Reading the time stamp and queueing a frame take some tens of ns. With {slowest['value']} ns, UC's "
        f"latency grows by {slowest['latency']:.2f} us, in contrast to 'nearly identical' (C-18), and UC-Reliable's "
        f"message rate is {slowest['rate']:+.1f} % relative to RC-Native, which has to be positive (C-24).",
        f"A separate ACK for each frame would cost RC {each['RC']:.1f} and UC {each['UC']:.1f} MB/s, since ACKs take "
        f"time of the adapters' engines; UC-Reliable's message rate is then {each['rate']:+.1f} % relative to "
        "RC-Native."
        + (
            " Thus neither gives the 50 MB/s without violating C-24, and the cause remains open."
            if max(slowest["rate"], each["rate"]) < 0
            else ""
        ),
    )
    return Outcome(found, _picture(found), found.round(2), text)


BANDWIDTH = Experiment(
    "bandwidth-of-reliability",
    "Possible causes of the 50 MB/s of reliability",
    "Section 8.2 does not state them",
    lambda scale: [point for _, _, point in _plan(scale)],
    _render,
    lambda scale: [
        setup.command(OSU, setup.ALL | {"sizes": f"'{' '.join(map(str, (SMALL, *DIP)))}'", name: values})
        for name, values in SWEPT.items()
    ],
    OSU,
)
