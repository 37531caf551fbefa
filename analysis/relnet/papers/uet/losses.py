# SPDX-License-Identifier: GPL-2.0-only
"""Every protocol of today under loss, over switches that drop and switches that trim."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.uet import setup

RUD, ROD, RUDI, UUD, NONE = "uet RUD", "uet ROD", "uet RUDI", "uet UUD", "none"

SYSTEMS: dict[str, dict[str, Any]] = {
    "roce": {"protocol": "roce"},
    "irn": {"protocol": "irn"},
    RUD: {"protocol": "uet", "protocol.mode": "rud", "protocol.retries": 14},
    ROD: {"protocol": "uet", "protocol.mode": "rod", "protocol.retries": 14},
    RUDI: {"protocol": "uet", "protocol.mode": "rudi", "protocol.retries": 14},
    UUD: {"protocol": "uet", "protocol.mode": "uud"},
    "sdr repeat": {"protocol": "sdr", "protocol.scheme": "selective-repeat"},
    "sdr MDS": {"protocol": "sdr", "protocol.scheme": "mds"},
    "tcp": {"protocol": "tcp"},
    "idempotent": {"protocol": "idempotent"},
    NONE: {"protocol": "none"},
}
"""Protocols. The specification's five retries of UET are for losses of full queues; 5 % of all frames take more."""

UNRELIABLE = (UUD, NONE)
"""Systems that promise no delivery."""

ORDERED = ("roce", "irn", ROD, "tcp")
"""Systems that promise order."""

LOSSES = (0.0, 0.001, 0.01, 0.05)
"""Loss of frames."""

DROP, TRIM = "drop", "trim"

NETWORK: dict[str, Any] = {
    "network": "fabric",
    "nodes": 8,
    "host": "free",
    "pattern": "hot-spot",
    "size": 50_000,
    "messages": 10,
    "network.hostsperleaf": 4,
    "network.spines": 2,
    "network.buffer": 60_000,
    "timelimit": "100s",
}
"""Eight hosts, half of whose messages go to one of them; its queue overflows."""

SWITCHES: dict[str, dict[str, Any]] = {
    DROP: {},
    TRIM: {"network.admission": "trim", "network.trimthreshold": 20_000},
}
"""Switches that drop beyond 60 kB, or trim beyond 20 kB."""


def _cells(scale: Scale) -> list[tuple[str, str, float]]:
    losses = (0.0, 0.01) if scale.quick else LOSSES
    return [(system, switch, loss) for system in SYSTEMS for switch in SWITCHES for loss in losses]


def _points(scale: Scale) -> list[Point]:
    points = []
    for system, switch, loss in _cells(scale):
        points.append(Point(NETWORK | SYSTEMS[system] | SWITCHES[switch] | {"loss": loss}))
    return points


def _events(frame: pd.DataFrame, event: str) -> pd.Series:
    """Number of events of a kind in each run; missing for protocols that do not count it."""
    table = frame.attrs["tables"]["ProtocolEvents"]
    return table[table["Event"] == event].set_index("point")["Count"].reindex(frame.index)


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    cells = _cells(scale)
    table = pd.DataFrame(cells, columns=["system", "switches", "loss"])
    columns = ["Verdict", "Outcome", "Posted", "Delivered", "Lost", "Duplicates", "Misordered", "Corrupted", "GivenUp"]
    table[columns] = frame[columns]
    table["time"] = frame["Time"] / 1000
    table["repeats"] = _events(frame, "repeat")
    table["spurious"] = _events(frame, "duplicate")
    table["trimmed"] = _events(frame, "trimmed")
    reliable = table[~table["system"].isin(UNRELIABLE)]
    once = reliable[reliable["system"] != RUDI]
    complete = (reliable["Verdict"] == "completed") & (reliable["Delivered"] >= reliable["Posted"])
    ordered = table[table["system"].isin(ORDERED)]
    sound = (once["Duplicates"] == 0).all() and (ordered["Misordered"] == 0).all() and (table["Corrupted"] == 0).all()
    lossy = pick(table, system=NONE)
    lossy = lossy[lossy["loss"] > 0]
    cost = _cost(table)
    worse = cost[cost["loss"] > 0]
    again = pick(table, system=RUDI)["Duplicates"].sum()
    incomplete = [f"{row.system}, {row.switches}, loss {row.loss:g}" for row in reliable[~complete].itertuples()]
    published = not scale.quick
    findings = {
        "U-L01": Finding(bool(complete.all()), note="; ".join(incomplete), scale=published),
        "U-L02": Finding(bool(sound), scale=published),
        "U-L04": Finding(
            bool((lossy["Lost"] > 0).all() and (lossy["Verdict"] == "completed").all()),
            note=f"{lossy['Lost'].sum():.0f} messages are lost and reported in {len(lossy)} runs of `none`.",
            scale=published,
        ),
        "U-L05": Finding(bool((worse["repeats ROD"] > worse["repeats RUD"]).all()), scale=published),
    }
    text = (
        setup.told(
            "every reliable protocol delivers everything at each loss, on both kinds of switches.", bool(complete.all())
        ),
        setup.told(
            "the order of ROD costs at least twice RUD's repeats wherever frames are lost at random.",
            bool((worse["repeats ROD"] >= 2 * worse["repeats RUD"]).all()),
        ),
        setup.told(
            "with 1 % loss RUD is faster over switches that trim than over those that drop.",
            _time(table, RUD, TRIM, 0.01) < _time(table, RUD, DROP, 0.01),
        ),
        setup.told(
            f"RUDI delivers messages again at 1 % loss and more ({again:.0f} messages). A message of several packets "
            "is delivered again only if each of them is repeated; the experiment with messages of one packet has such.",
            bool(again > 0),
        ),
        "Cost of order, ROD relative to RUD: "
        + "; ".join(
            f"{row.switches}, loss {row.loss:g}: time {row.time:.2f}, repeats {row.ratio:.1f}"
            for row in cost.itertuples()
        )
        + ".",
    )
    with plots.style():
        figure, axes = plots.panels(1, 2, width=11, height=3.2)
        for panel, switch in zip(axes[0], SWITCHES, strict=True):
            shown = reliable[reliable["switches"] == switch]
            plots.curves(shown, "loss", "time", "system", panel, [one for one in SYSTEMS if one not in UNRELIABLE])
            panel.set(title=f"switches that {switch}", xlabel="loss", ylabel="time [ms]", yscale="log")
            panel.set_xscale("symlog", linthresh=0.001)
        plots.legend_above(figure, axes[0][0])
    return Outcome(table, figure, table.round(3), text, findings)


def _time(table: pd.DataFrame, system: str, switch: str, loss: float) -> float:
    return float(pick(table, system=system, switches=switch, loss=loss)["time"].iloc[0])


def _cost(table: pd.DataFrame) -> pd.DataFrame:
    """Time and repeats of ROD relative to RUD, for each kind of switch and each loss."""
    pairs = pick(table, system=RUD).merge(pick(table, system=ROD), on=["switches", "loss"], suffixes=(" RUD", " ROD"))
    return pairs.assign(
        time=pairs["time ROD"] / pairs["time RUD"],
        ratio=pairs["repeats ROD"] / pairs["repeats RUD"].clip(lower=1),
    )


LOSSES_RUN = Experiment(
    "losses",
    "Every protocol with 0 to 5 % loss, over switches that drop or trim",
    "Not in a paper: this project",
    _points,
    _render,
    lambda scale: [
        setup.command(point).replace(f"sweep {setup.SCENARIO}", "sweep reliability") for point in _points(scale)
    ],
    scenario="reliability",
)


SPRAYED: dict[str, Any] = {
    "nodes": 128,
    "network.hostsperleaf": 16,
    "network.spines": 16,
    "network.paths": 128,
    "network.admission": "trim",
    "network.trimthreshold": 100_000,
    "network.buffer": 1_000_000,
    "network.headerqueue": 200_000,
    "workload": "permutation",
    "size": 1_000_000,
    "queuepairs": 1,
    "protocol": "uet",
    "protocol.mpr": 128,
}
"""A permutation without congestion control, whose queues overflow."""

CHOICES = ("oblivious", "bitmap", "reps")
"""Choices of paths for each packet."""


def _spray_points(scale: Scale) -> list[Point]:
    size = {"size": 200_000} if scale.quick else {}
    return [Point(SPRAYED | size | {"protocol.spraying": choice}) for choice in CHOICES]


def _render_spray(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = pd.DataFrame(
        {
            "paths": frame["protocol.spraying"],
            "time": frame["Time"],
            "packets": frame["Packets"],
            "early": setup.counts(frame, "early"),
            "trimmed": setup.counts(frame, "trimmed"),
            "repeats": setup.counts(frame, "repeat"),
            "spurious": setup.counts(frame, "duplicate"),
            "timeouts": setup.counts(frame, "timeout"),
            "verdict": frame["Verdict"],
        }
    )
    exact = (table["repeats"] == table["trimmed"]) & (table["spurious"] == 0) & (table["timeouts"] == 0)
    shares = ", ".join(f"{row.early / row.packets:.0%} with {row.paths}" for row in table.itertuples())
    text = (
        f"Packets that come after a gap, since another path was faster: {shares}.",
        setup.told(
            "packets that are sent again are those that were trimmed, with each choice of paths.", bool(exact.all())
        ),
    )
    findings = {"U-L03": Finding(bool(exact.all()), note=text[0], scale=not scale.quick)}
    return Outcome(table, None, table.round(1), text, findings)


SPRAYING = Experiment(
    "spraying",
    "RUD that sprays, over switches that trim",
    "Not in a paper: this project",
    _spray_points,
    _render_spray,
    lambda scale: [setup.command(point) for point in _spray_points(scale)],
)
