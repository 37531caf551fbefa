# SPDX-License-Identifier: GPL-2.0-only
"""Unknown parameters of the paper's hosts, each over its plausible range, and their effect on throughputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.parastation2 import setup
from relnet.papers.parastation2.setup import LARGE, LAYERS
from relnet.papers.parastation2.tables import TOLERANCE


@dataclass(frozen=True)
class Case:
    """
    A published throughput.

    Attributes
    ----------
    title : str
        System and host.
    published : float
        Published value [MByte/s].
    given : dict
        Parameters of its runs.
    unknown : dict of str to tuple
        Plausible ranges of unknown parameters.
    """

    title: str
    published: float
    given: dict[str, Any]
    unknown: dict[str, tuple[Any, Any]]


NEVER = 1 << 20
"""A threshold above any packet size [bytes]."""

_FIRMWARE = {"packetinstructions": (100, 150), "controlinstructions": (20, 66), "busburst": (64, 1024)}
_PENTIUM = {"piorate": (70, 110), "dmarate": (120, 130), "copyrate": (150, 250)}
_ALPHA = {"piorate": (50, 100), "dmarate": (66, 130), "copyrate": (100, 200)}
_LAYER = {"cachedcopy": (0.33, 1.0)}
_MPI = {**_LAYER, "eagerlimit": (1024, 128000)}
_SBUS = {
    "dmarate": (30, 46.8),
    "dmathreshold": (NEVER, 128),
    "copyrate": (100, 200),
    "receivecopies": (2, 0),
    "packetinstructions": (500, 100),
    "channels": (1, 16),
    "packetsize": (1024, 4096),
    "sendring": (1, 16),
}

_AM2 = {"protocol": "am2", "platform": "ultrasparc"}

CASES = (
    Case("HAL, Pentium II", 90, {"platform": "pentium2-350"}, {**_PENTIUM, **_FIRMWARE}),
    Case("MPI, Pentium II", 73, {"platform": "pentium2-350", "layer": "mpi"}, {**_PENTIUM, **_MPI, **_FIRMWARE}),
    Case("HAL, Alpha 500", 65, {"platform": "alpha-500"}, {**_ALPHA, **_FIRMWARE}),
    Case("PVM, Alpha 600", 57, {"platform": "alpha-600", "layer": "pvm"}, {**_ALPHA, **_LAYER, **_FIRMWARE}),
    Case("AM-II, SBus", 31, _AM2, _SBUS),
    Case("AM-II, SBus, one way", 31, {**_AM2, "pattern": "stream"}, _SBUS),
)
"""
Throughputs of Tables 2 and 3 with their unknown parameters. The authors of AM-II published a node-to-node bandwidth,
which is therefore also compared with one direction.
"""

NAMES = {
    "piorate": "programmed output [MB/s]",
    "dmarate": "DMA [MB/s]",
    "copyrate": "copy in memory [MB/s]",
    "cachedcopy": "copy from the cache [share]",
    "eagerlimit": "eager limit [bytes]",
    "packetinstructions": "firmware, data [instructions]",
    "controlinstructions": "firmware, ACK [instructions]",
    "busburst": "burst on the bus [bytes]",
    "dmathreshold": "fetched by DMA from [bytes]",
    "receivecopies": "copies at the receiver",
    "channels": "channels",
    "packetsize": "packet [bytes]",
    "sendring": "slots of the send ring",
}
"""Labels of the parameters in the report."""


def _plan(scale: Scale) -> list[tuple[dict[str, Any], Point]]:
    rounds = 20 if scale.quick else 60
    plan = []
    for case in CASES:
        settings = [("", "default", {})] + [
            (name, end, {name: value})
            for name, ends in case.unknown.items()
            for end, value in zip(("from", "to"), ends, strict=True)
        ]
        for name, end, values in settings:
            parameters = {"pattern": "exchange", "size": LARGE, "rounds": rounds, **case.given, **values}
            label = {"case": case.title, "name": name, "end": end}
            plan.append((label, Point(parameters)))
    return plan


BOARD = {"platform": "alpha-500", "dmarate": 125}
"""
The Alpha of 500 MHz with a bridge that accepts DMA to memory at the full rate, as Pyxis does, instead of half of it, as
measured for the CIA bridge. Pyxis is slow from memory, which is irrelevant for ParaStation2, whose processor stores
outgoing data.
"""


def _board_points(scale: Scale) -> list[Point]:
    rounds = 20 if scale.quick else 60
    run = {**BOARD, "pattern": "exchange", "size": LARGE, "rounds": rounds}
    return [Point({**run, "layer": layer}) for layer in LAYERS]


def _points(scale: Scale) -> list[Point]:
    return [*(point for _, point in _plan(scale)), *_board_points(scale)]


def _board(runs: pd.DataFrame) -> str:
    """Throughputs of all layers on such a board, compared with the published ones."""
    published = claims.published_values(setup.NAME)
    told, near = [], 0
    for layer, rate in zip(runs["layer"], runs["Throughput"], strict=True):
        value = published[f"A-T3-A21164-500-{LAYERS[layer]}-bw"]
        near += abs(rate / value - 1) <= TOLERANCE
        told.append(f"{LAYERS[layer]} {rate:.1f} ({value:g})")
    return (
        "The Alpha of 500 MHz is assumed to be an AlphaStation 500, whose CIA bridge accepts DMA to memory at 66 MB/s. "
        "The other board of that time, the first with Pyxis, was found unsuitable for Myrinet. With DMA at "
        f"{BOARD['dmarate']} MB/s, throughputs in MByte/s (published) would be: {', '.join(told)}; "
        f"{near} of {len(runs)} are within {TOLERANCE:.0%}. This was known when the board was decided."
    )


def _text(value: float) -> str:
    return "never" if value == NEVER else f"{value:g}"


def _table(scale: Scale, frame: pd.DataFrame) -> pd.DataFrame:
    labels = pd.DataFrame([label for label, _ in _plan(scale)])
    runs = labels.assign(rate=frame["Throughput"].to_numpy()[: len(labels)]).set_index(["case", "name", "end"])["rate"]
    rows = []
    for case in CASES:
        for name, (low, high) in case.unknown.items():
            rates = [float(runs[case.title, name, end]) for end in ("from", "to")]
            rows.append(
                {
                    "throughput of": case.title,
                    "unknown": NAMES[name],
                    "from": _text(low),
                    "to": _text(high),
                    "published [MByte/s]": case.published,
                    "default [MByte/s]": round(float(runs[case.title, "", "default"]), 1),
                    "at the first end": round(rates[0], 1),
                    "at the second end": round(rates[1], 1),
                }
            )
    return pd.DataFrame(rows)


def _figure(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(2, 3, width=13, height=2.8)
        panels = [panel for row in axes for panel in row]
        for panel, (title, rows) in zip(panels, table.groupby("throughput of", sort=False), strict=True):
            default, published = rows["default [MByte/s]"].iloc[0], rows["published [MByte/s]"].iloc[0]
            for y, row in enumerate(rows.to_dict("records")):
                for end, colour in (("at the first end", plots.COLOURS[4]), ("at the second end", plots.COLOURS[0])):
                    panel.barh(y, row[end] - default, 0.7, default, color=colour, alpha=0.85)
            names = [f"{row['unknown']}: {row['from']} to {row['to']}" for row in rows.to_dict("records")]
            panel.set_yticks(range(len(names)), names, fontsize=7)
            panel.invert_yaxis()
            panel.axvline(default, color="#444444", linewidth=0.8)
            panel.axvline(published, color=plots.COLOURS[1], linestyle="--", label="published")
            panel.set_title(title)
            panel.set_xlabel("MByte/s")
        for end, colour in (("at the first end", plots.COLOURS[4]), ("at the second end", plots.COLOURS[0])):
            panels[0].fill_between([], [], color=colour, alpha=0.85, label=end)
        panels[0].plot([], [], color="#444444", linewidth=0.8, label="default")
        plots.legend_above(figure, panels[0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(scale, frame)
    told = []
    for title, rows in table.groupby("throughput of", sort=False):
        ends = rows[["at the first end", "at the second end"]]
        widest = rows.loc[(ends.max(axis=1) - ends.min(axis=1)).idxmax()]
        told.append(
            f"{title} (published {rows['published [MByte/s]'].iloc[0]:g}): {ends.min().min():g} to "
            f"{ends.max().max():g}, most by {widest['unknown']}"
        )
    am, one_way = (table[table["throughput of"] == case.title].set_index("unknown") for case in CASES[-2:])
    protocol = am.loc[[NAMES[name] for name in ("copyrate", "receivecopies", "packetinstructions", "channels")]]
    spread = protocol[["at the first end", "at the second end"]]
    pio, slot = (am.loc[NAMES[name], "at the first end"] for name in ("dmathreshold", "sendring"))
    slot_one_way = one_way.loc[NAMES["sendring"], "at the first end"]
    text = (
        "Throughputs in MByte/s with each parameter changed alone, from one end of its plausible range to the other: "
        + "; ".join(told)
        + ". For DMA over SBus 46.8 is known; the lower end is a guess.",
        "AM-II on SBus: with other channels, copies and up to five times the firmware's cost it reaches "
        f"{spread.min().min():g} to {spread.max().max():g}. The other influence is the transfer over the bus. The "
        "default, 46.8 MB/s, is the rate of DMA over such a bus, and a later paper on the same system (Mainwaring "
        "and Culler, PPoPP 1999) states that it delivers the full performance of the hardware. The value measured "
        "before, 31, results if a packet crosses the bus only after the previous one has left, so that the two "
        f"transfers do not overlap: with one slot in the send ring AM-II reaches {slot_one_way:g} in one direction "
        f"and {slot:g} in an exchange. If the processor stores the packets, it reaches {pio:g} in an exchange. It is "
        "unknown how the measured system worked, so the default remains.",
        _board(frame.iloc[len(_plan(scale)) :]),
    )
    return Outcome(table, _figure(table), table, text)


UNKNOWNS = Experiment(
    "unknowns",
    "Unknown parameters over their plausible range",
    "Tables 2 and 3",
    _points,
    _render,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} pattern=exchange size={LARGE} rounds=60 layer={','.join(LAYERS)} "
        + " ".join(f"{key}={value}" for key, value in BOARD.items()),
        *(
            f"relnet sweep {setup.SCENARIO} size={LARGE} rounds=60 "
            + " ".join(f"{key}={value}" for key, value in {"pattern": "exchange", **case.given}.items())
            + f" {name}={','.join(map(str, ends))}"
            for case in CASES
            for name, ends in case.unknown.items()
        ),
    ],
)
