# SPDX-License-Identifier: GPL-2.0-only
"""Throughput and latency of all protocols under each of the four failures of section 2 and their mix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from relnet import plots
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.parastation2 import setup
from relnet.papers.parastation2.setup import PACKET, PROTOCOLS

_MILLISECONDS = (0.05, 0.1, 0.2, 0.5, 1, 3)

SWEEPS: dict[str, tuple[str, tuple[float, ...], Callable[[float], dict[str, Any]]]] = {
    "1 corruption": (
        "probability, a character and link",
        (1e-8, 1e-7, 1e-6, 3e-6, 1e-5, 3e-5),
        lambda value: {"corruption": value},
    ),
    "2 slow hosts": (
        "stall of a host [ms]",
        _MILLISECONDS,
        lambda value: {"hoststallrate": 200, "hoststalllength": f"{value}ms", "receivering": 4, "hostbuffers": 4},
    ),
    "3 timeout of 62.5 ms": (
        "stall of a receiver [ms]",
        (10, 30, 60, 70, 100, 200),
        lambda value: {"stallrate": 4, "stalllength": f"{value}ms", "timeout": "62.5ms"},
    ),
    "4 overwriting": (
        "stall of a receiver [ms]",
        _MILLISECONDS,
        lambda value: {"stallrate": 200, "stalllength": f"{value}ms", "stopwhilepending": "false"},
    ),
    "mix": (
        "stall of receiver and host [ms]",
        _MILLISECONDS,
        lambda value: {
            "corruption": 1e-6,
            "hoststallrate": 200,
            "hoststalllength": f"{value}ms",
            "receivering": 6,
            "hostbuffers": 4,
            "stallrate": 200,
            "stalllength": f"{value}ms",
            "timeout": "62.5ms",
            "stopwhilepending": "false",
        },
    ),
}
"""Swept quantity, its values, and the parameters of a value, by failure."""

PATTERNS = {
    "all to all": {"pattern": "alltoall", "nodes": 4, "size": 8000, "rounds": 100},
    "ping-pong": {"pattern": "pingpong", "size": PACKET, "rounds": 600},
}
"""Patterns: all to all for the throughput, a ping-pong for the latency."""


def _rounds(scale: Scale, failure: str, rounds: int) -> int:
    """Rounds of a run; the rare long stalls of failure 3 need longer runs."""
    return rounds * (3 if failure.startswith("3") else 1) // (5 if scale.quick else 1)


def _plan(scale: Scale) -> list[tuple[dict[str, Any], Point]]:
    plan = []
    for failure, (_, values, parameters) in SWEEPS.items():
        for value in values[::3] if scale.quick else values:
            for protocol in PROTOCOLS:
                for pattern, sent in PATTERNS.items():
                    rounds = {"rounds": _rounds(scale, failure, sent["rounds"])}
                    for seed in setup.seeds(scale, 2):
                        label = {"failure": failure, "value": value, "protocol": protocol, "pattern": pattern}
                        given = {"protocol": protocol, **sent, **parameters(value), **rounds}
                        plan.append((label, Point(given, seed, 2.0)))
    return plan


def _table(scale: Scale, frame: pd.DataFrame) -> pd.DataFrame:
    labels = pd.DataFrame([label for label, _ in _plan(scale)])
    runs = pd.concat([labels, frame.drop(columns=["protocol", "pattern"]).reset_index(drop=True)], axis=1)
    rows = []
    for (failure, value, protocol), same in runs.groupby(["failure", "value", "protocol"], sort=False):
        stream, ping = pick(same, pattern="all to all"), pick(same, pattern="ping-pong")
        rows.append(
            {
                "failure": failure,
                "of": SWEEPS[failure][0],
                "value": value,
                "protocol": protocol,
                "goodput [MByte/s]": float(stream["Throughput"].mean()),
                "goodput sound": bool((stream["Outcome"] == "sound").all()),
                "latency [us]": float(ping["Latency"].mean()),
                "longest [us]": float(ping["MaxLatency"].max()),
                "latency sound": bool((ping["Outcome"] == "sound").all()),
            }
        )
    return pd.DataFrame(rows)


def _figure(table: pd.DataFrame) -> Figure:
    with plots.style():
        figure, axes = plots.panels(2, len(SWEEPS), width=15, height=2.9)
        for column, (failure, (of, _, _)) in enumerate(SWEEPS.items()):
            for line, quantity in enumerate(("goodput", "latency")):
                panel = axes[line][column]
                y = "goodput [MByte/s]" if quantity == "goodput" else "latency [us]"
                for index, (protocol, name) in enumerate(PROTOCOLS.items()):
                    rows = pick(table, failure=failure, protocol=protocol)
                    rows = rows.assign(drawn=rows[y].where(rows[f"{quantity} sound"]))
                    colour, marker = plots.COLOURS[index], plots.MARKERS[index]
                    panel.plot(rows["value"], rows["drawn"], color=colour, marker=marker, label=name)
                    failed = rows[~rows[f"{quantity} sound"]]
                    place = [0.02 + 0.045 * index] * len(failed)
                    where = panel.get_xaxis_transform()
                    panel.plot(
                        failed["value"], place, "x", color=colour, transform=where, clip_on=False, in_layout=False
                    )
                panel.set_xscale("log")
                if quantity == "latency":
                    panel.set_yscale("log")
                    panel.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                    panel.yaxis.set_major_formatter("{x:g}")
                    panel.yaxis.set_minor_formatter(NullFormatter())
                    panel.set_xlabel(of)
                else:
                    plots.from_zero(panel)
                    panel.set_title(failure)
        axes[0][0].set_ylabel("goodput [MByte/s]")
        axes[1][0].set_ylabel("latency [us]")
        plots.legend_above(figure, axes[0][0])
    return figure


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(scale, frame)
    shown = (
        table.assign(
            cell=[
                (f"{row['goodput [MByte/s]']:.1f}" if row["goodput sound"] else "-")
                + " / "
                + (f"{row['latency [us]']:.0f}" if row["latency sound"] else "-")
                for row in table.to_dict("records")
            ]
        )
        .pivot_table(index=["failure", "of", "value"], columns="protocol", values="cell", aggfunc="first", sort=False)
        .reset_index()
    )
    shown = shown[["failure", "of", "value", *PROTOCOLS]].rename(columns=PROTOCOLS)
    own = pick(table, protocol="parastation2")
    told = []
    for failure in SWEEPS:
        rows = pick(own, failure=failure)
        first, last = rows.iloc[0], rows.iloc[-1]
        told.append(
            f"{failure}: {first['goodput [MByte/s]']:.1f} to {last['goodput [MByte/s]']:.1f} MByte/s and "
            f"{first['latency [us]']:.0f} to {last['latency [us]']:.0f} us"
        )
    sound = int((own["goodput sound"] & own["latency sound"]).sum())
    text = (
        "Above: goodput of four hosts that send 8000 bytes to one another. Below: half of the mean round trip of a "
        "ping-pong of 4096 bytes. A cross at the bottom of a panel means that a protocol lost messages or hung. The "
        "table shows goodput in MByte/s and latency in us, and a dash after a failure.",
        f"ParaStation2 is sound in {sound} of {len(own)} settings. Goodput and latency from the first to the last "
        "value, "
        "by failure: " + "; ".join(told) + ".",
    )
    return Outcome(table, _figure(table), shown, text)


SWEEP = Experiment(
    "failure-sweeps",
    "The four failures and their mix: throughput and latency",
    "Section 2",
    lambda scale: [point for _, point in _plan(scale)],
    _render,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} protocol={','.join(PROTOCOLS)} "
        + " ".join(
            f"{name}={given}"
            for name, given in {
                **pattern,
                **parameters(value),
                "rounds": _rounds(scale, failure, pattern["rounds"]),
            }.items()
        )
        + " --seeds 2"
        for failure, (_, values, parameters) in SWEEPS.items()
        for value in values
        for pattern in PATTERNS.values()
    ],
)
