# SPDX-License-Identifier: GPL-2.0-only
"""
REPS beside other choices of paths: equal links, slow links, and links that fail for a while.

The network is that of REPS as its notes have it: 128 hosts, two tiers without oversubscription, 400 Gb/s, 500 ns a link
and a switch, packets of 4 KiB, a timeout of 70 us, marks from 20 to 80 % of a bandwidth-delay product. Its control,
similar to DCTCP, is not modelled; all choices have NSCC, and an answer to each packet, which REPS needs.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.uet import setup

NETWORK: dict[str, Any] = {
    "nodes": 128,
    "network.preset": "uet",
    "network.topology": "leaf-spine",
    "network.hostsperleaf": 16,
    "network.spines": 16,
    "queuepairs": 1,
    "workload": "permutation",
    "protocol": "uet",
    "protocol.mpr": 128,
    "protocol.ackbytes": setup.EACH,
    "protocol.rto": "70us",
    "protocol.retries": 14,
    "protocol.congestioncontrol": "nscc",
    "details": True,
}
"""Network and protocol of all runs."""

SIZE = 8 << 20
"""Size of a flow on equal and slow links [bytes]."""

LONG = 64 << 20
"""Size of a flow while links fail [bytes]."""

QUICK_SIZE = 1 << 20
"""Size at reduced scale [bytes]."""

EQUAL, SLOW, FAILING = "equal links", "a spine at half rate", "two uplinks fail"

FAULTS = {
    EQUAL: "",
    SLOW: "0us spine0 rate 200Gbps",
    FAILING: "100us leaf0-spine0 down; 200us leaf0-spine0 up; 350us leaf0-spine1 down; 550us leaf0-spine1 up",
}
"""Faults of each network; routes do not avoid a link that is down for less than 10 ms."""

CHOICES = ("single", "oblivious", "bitmap", "reps")
"""Choices of paths."""

COMPARED = ("oblivious", "reps")
"""Choices that are compared while links fail."""


def _points(scale: Scale) -> list[Point]:
    def point(network: str, choice: str, size: int) -> Point:
        given = NETWORK | {"protocol.spraying": choice, "size": QUICK_SIZE if scale.quick else size}
        return Point(given | ({"network.faults": FAULTS[network]} if FAULTS[network] else {}), cost=float(size))

    short = [point(network, choice, SIZE) for network in (EQUAL, SLOW) for choice in CHOICES]
    return short + [point(FAILING, choice, LONG) for choice in COMPARED]


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    names = {faults: name for name, faults in FAULTS.items()}
    faults = frame.get("network.faults", pd.Series("", index=frame.index)).fillna("")
    last = [float(setup.flows(frame, index)["fct"].max()) for index in frame.index]
    table = pd.DataFrame(
        {
            "network": [names[one] for one in faults],
            "paths": frame["protocol.spraying"],
            "last": last,
            "mean": frame["Fct"],
            "repeats": frame["Repeats"],
            "spurious": frame["Spurious"],
            "trims": frame["Trims"],
            "drops": frame["Drops"],
            "verdict": frame["Verdict"],
        }
    )
    times = {network: pick(table, network=network).set_index("paths")["last"] for network in FAULTS}
    drops = pick(table, network=FAILING).set_index("paths")["drops"]
    equal, slow, failing = times[EQUAL], times[SLOW], times[FAILING]
    gain = 1 - failing["reps"] / failing["oblivious"]
    ratios = [
        f"{network}: one path {one['single'] / one['reps']:.2f}, oblivious {one['oblivious'] / one['reps']:.2f}"
        for network, one in ((EQUAL, equal), (SLOW, slow))
    ]
    published = not scale.quick
    findings = {
        "U-R01": Finding(bool(equal["reps"] < equal["single"]), note=ratios[0], scale=published, seen=True),
        "U-R02": Finding(bool(equal["reps"] < equal["oblivious"]), note=ratios[0], scale=published, seen=True),
        "U-R03": Finding(bool(slow["reps"] < slow["single"]), note=ratios[1], scale=published, seen=True),
        "U-R04": Finding(bool(slow["reps"] < slow["oblivious"]), note=ratios[1], scale=published, seen=True),
        "U-R05": Finding(
            bool(gain > 0.35), note=f"REPS is {gain:.1%} faster, control NSCC.", scale=published, seen=True
        ),
        "U-R06": Finding(float(drops["oblivious"] / drops["reps"]), scale=published, seen=True),
    }
    text = (
        "Time of the last flow relative to REPS. " + "; ".join(ratios) + ".",
        setup.told(
            "with equal links one path takes more than twice as long as REPS.", equal["single"] > 2 * equal["reps"]
        ),
        setup.told(
            "with equal links oblivious paths and REPS differ by less than 10 %.",
            abs(equal["oblivious"] / equal["reps"] - 1) < 0.1,
        ),
        setup.told(
            "with a spine at half rate, oblivious paths take at least 1.3 times as long as REPS.",
            slow["oblivious"] > 1.3 * slow["reps"],
        ),
        setup.told(
            "with failing uplinks REPS is faster than oblivious paths by less than 35 %: two of 128 uplinks fail, each "
            "for a tenth of the run, and what they lose waits for one timeout of 70 us.",
            0 < gain < 0.35,
        ),
    )
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6, height=3.0)
        series = [(network, [times[network].get(choice, 0.0) for choice in CHOICES], None) for network in (EQUAL, SLOW)]
        plots.bars(axes[0][0], list(CHOICES), series)
        axes[0][0].set(ylabel="last flow [us]")
        plots.legend_above(figure, axes[0][0])
    return Outcome(table, figure, table.round(2), text, findings)


PATHS = Experiment(
    "paths",
    "Choices of paths: equal links, slow links, failing links",
    "Not in a paper: REPS, EuroSys 2026",
    _points,
    _render,
    lambda scale: [setup.command(point) for point in _points(scale)],
)
