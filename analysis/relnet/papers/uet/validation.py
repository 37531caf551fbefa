# SPDX-License-Identifier: GPL-2.0-only
"""Beside htsim: its validation of the sender's congestion control (NSCC), with the same physics."""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet import plots
from relnet.experiments.claims import Finding, published_values
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.uet import setup

SLOW = {"network.faults": "0us core0-spine0 rate 25Gbps"}
"""A link between core and pod with a quarter of its rate (`-failed 1`); htsim slows only the way down."""

SEEDS = 3
"""Permutations of 16 hosts."""

ONE, BOTH, TEN, INCAST, OVERLAP, SLOW_LINK, WIDE, CREDITS = (
    "one flow",
    "both ways",
    "ten packets",
    "15:1",
    "3:1, overlapping",
    "a slow link",
    "1023:1",
    "15:1, RCCC",
)

SMALL = {
    ONE: setup.fat_tree(16) | setup.file_of_flows("one-flow"),
    BOTH: setup.fat_tree(16) | setup.file_of_flows("both-ways"),
    TEN: setup.fat_tree(16) | setup.file_of_flows("ten-packets"),
    INCAST: setup.fat_tree(16) | {"workload": "incast", "senders": 15, "size": 15 * setup.FLOW},
    OVERLAP: setup.fat_tree(128) | setup.file_of_flows("overlap"),
    WIDE: setup.fat_tree(1024) | {"workload": "incast", "senders": 1023, "size": 102_300_000},
    SLOW_LINK: setup.fat_tree(16) | {"workload": "permutation", "size": setup.FLOW, "network.paths": 128} | SLOW,
}
"""Runs of the first table; htsim's default are 64 paths."""

# The last link does not mark if receivers control [uet-htsim, main_uec.cpp]. The demand takes four more bytes.
SMALL[CREDITS] = SMALL[INCAST] | {
    "protocol.congestioncontrol": "rccc",
    "network.ecnlasthop": False,
    "network.mtu": setup.PAYLOAD + 64,
}

BITMAP, OBLIVIOUS, REPS, SINGLE, OVERSUBSCRIBED = "bitmap", "oblivious", "REPS", "single path", "4:1"

_PERMUTATION = {"workload": "permutation", "size": setup.FLOW, "network.paths": 128}

LARGE = {
    BITMAP: setup.fat_tree(1024) | _PERMUTATION,
    OBLIVIOUS: setup.fat_tree(1024) | _PERMUTATION | {"protocol.spraying": "oblivious"},
    REPS: setup.fat_tree(1024) | _PERMUTATION | {"protocol.spraying": "reps", "protocol.ackbytes": setup.EACH},
    SINGLE: setup.fat_tree(1024) | _PERMUTATION | {"protocol.spraying": "single"},
    OVERSUBSCRIBED: setup.leaf_spine() | _PERMUTATION,
}
"""Runs of the second table: permutations of 1024 hosts."""

GUARANTEED = "It is the closed form of store-and-forward, which any simulator of these links gives."
"""Reason of matches that could hardly fail."""

EXPECTED = {
    ONE: "the closed form, 176.20 us, within 0.1 %",
    BOTH: "within 0.5 %: acknowledgements share the links",
    TEN: "the closed form, 17.01 us, within 0.1 %",
    INCAST: "the last flow within 3 %, since the receiver's link is busy in both",
    OVERLAP: "within 3 %",
    WIDE: "at least 8315 us, the time of all packets on the receiver's link, and less than htsim's",
    SLOW_LINK: "within 10 %: the permutations differ, and the link is slow both ways",
    BITMAP: "within 3 %, and no packet is sent again",
    OBLIVIOUS: "later than with the bitmap, within 5 % of htsim's",
    REPS: "earlier than with the bitmap, within 3 % of htsim's",
    SINGLE: "within 20 %: the most loaded link determines it, and hashes differ",
    OVERSUBSCRIBED: "within 10 %, at least 650 us, the time of four flows on a link",
}
"""Expectations of the time of the last flow, before the runs."""


def _small(scale: Scale) -> dict[str, list[Point]]:
    seeds = 1 if scale.quick else SEEDS
    return {
        name: [Point(given, seed) for seed in range(1, (seeds if name == SLOW_LINK else 1) + 1)]
        for name, given in SMALL.items()
        if name != WIDE or not scale.quick
    }


def _large(scale: Scale) -> dict[str, list[Point]]:
    """Permutations, of 128 hosts at reduced scale."""
    reduced = setup.fat_tree(128)
    shape = {name: reduced[name] for name in ("nodes", "network.topology", "network.radix")}
    oversubscribed = {"nodes": 128, "network.hostsperleaf": 32, "network.spines": 8}
    smaller = {name: oversubscribed if name == OVERSUBSCRIBED else shape for name in LARGE}
    return {name: [Point(given | (smaller[name] if scale.quick else {}))] for name, given in LARGE.items()}


def _table(frame: pd.DataFrame, runs: dict[str, list[Point]]) -> pd.DataFrame:
    """First and last end of a flow, packets and answers of each run, in the order of the points."""
    names = [name for name, points in runs.items() for _ in points]
    repeats, trims = setup.counts(frame, "repeat"), frame["Trims"]
    rows: list[dict[str, Any]] = []
    for index, name in enumerate(names):
        flows = setup.flows(frame, index)
        ends = flows["start"] + flows[setup.CONFIRMED]
        sent = float(frame.at[index, "Packets"])
        rows.append(
            {
                "run": name,
                "seed": int(frame.at[index, "seed"]),
                "first": float(ends.min()),
                "last": float(ends.max()),
                "packets": sent,
                "repeats": float(repeats[index]),
                "trims": float(trims[index]),
                "answers": float(frame.at[index, "Answers"]),
                "verdict": frame.at[index, "Verdict"],
            }
        )
    table = pd.DataFrame(rows)
    table.attrs["units"] = {"first": "us", "last": "us"}
    return table


def _told(name: str, table: pd.DataFrame, published: float, tolerance: float, holds: bool = True) -> str:
    """A paragraph on the time of the last flow, and whether it is near the published one and another part holds."""
    last = table[table["run"] == name]["last"].mean()
    near = holds and abs(last / published - 1) <= tolerance
    return setup.told(f"{name}: {EXPECTED[name]} ({last:.2f} us, htsim {published:g} us).", bool(near))


def _render_small(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(frame, _small(scale))
    known = published_values(setup.NAME)
    means = table.groupby("run", sort=False)[["first", "last", "repeats"]].mean()
    published = not scale.quick
    lone = f"The closed form gives {setup.lone_flow(setup.FLOW, 6):.3f} us."
    findings = {
        "U-H01": Finding(means.at[ONE, "last"], note=lone, scale=published, seen=True, guaranteed=GUARANTEED),
        "U-H02": Finding(means.at[BOTH, "last"], scale=published, seen=True),
        "U-H03": Finding(means.at[TEN, "last"], scale=published, seen=True, guaranteed=GUARANTEED),
        "U-H04": Finding(means.at[INCAST, "last"], scale=published, seen=True),
        "U-H05": Finding(means.at[INCAST, "first"], scale=published, seen=True),
        "U-H06": Finding(means.at[INCAST, "repeats"], scale=published, seen=True),
        "U-H07": Finding(means.at[OVERLAP, "last"], scale=published, seen=True),
        "U-H08": Finding(means.at[SLOW_LINK, "last"], scale=published, seen=True),
        "U-H09": Finding(means.at[SLOW_LINK, "repeats"], scale=published, seen=True),
    }
    if CREDITS in means.index:
        findings["U-H31"] = Finding(means.at[CREDITS, "last"], scale=published, seen=True)
        findings["U-H32"] = Finding(means.at[CREDITS, "first"], scale=published, seen=True)
        findings["U-H33"] = Finding(means.at[CREDITS, "repeats"], scale=published, seen=True)
    wide = float(means["last"].get(WIDE, float("nan")))
    if published:
        findings["U-H22"] = Finding(wide, note="htsim's first window is 50 packets there, here 63.", seen=True)
    text = (
        _told(ONE, table, known["U-H01"], 0.001),
        _told(BOTH, table, known["U-H02"], 0.005),
        _told(TEN, table, known["U-H03"], 0.001),
        _told(INCAST, table, known["U-H04"], 0.03),
        _told(OVERLAP, table, known["U-H07"], 0.03),
        _told(SLOW_LINK, table, known["U-H08"], 0.1),
    )
    if published:
        text += (setup.told(f"{WIDE}: {EXPECTED[WIDE]} ({wide:.0f} us).", 8315 <= wide < known["U-H22"]),)
    return Outcome(table, None, table.round(2), text, findings)


def _render_large(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _table(frame, _large(scale))
    known = published_values(setup.NAME)
    cells = table.set_index("run")
    published = not scale.quick

    def found(name: str, column: str, note: str = "") -> Finding:
        return Finding(float(cells.at[name, column]), note=note, scale=published, seen=True)

    ranked = [float(cells.at[name, "last"]) for name in (REPS, BITMAP, OBLIVIOUS, SINGLE)]
    findings = {
        "U-H10": found(BITMAP, "last"),
        "U-H11": found(BITMAP, "first"),
        "U-H12": found(BITMAP, "repeats"),
        "U-H13": found(BITMAP, "answers"),
        "U-H14": found(OVERSUBSCRIBED, "last"),
        "U-H15": found(OVERSUBSCRIBED, "repeats"),
        "U-H16": found(SINGLE, "last"),
        "U-H17": found(SINGLE, "repeats"),
        "U-H18": found(OBLIVIOUS, "last"),
        "U-H19": found(OBLIVIOUS, "repeats"),
        "U-H20": found(REPS, "last"),
        "U-H21": Finding(
            ranked == sorted(ranked),
            note="Last flow with REPS, bitmap, oblivious and a single path: "
            + ", ".join(f"{last:.1f}" for last in ranked)
            + " us.",
            scale=published,
            seen=True,
        ),
    }
    text = (
        _told(BITMAP, table, known["U-H10"], 0.03),
        setup.told("with the bitmap no packet is sent again.", bool(cells.at[BITMAP, "repeats"] == 0)),
        _told(OBLIVIOUS, table, known["U-H18"], 0.05, bool(cells.at[OBLIVIOUS, "last"] > cells.at[BITMAP, "last"])),
        _told(REPS, table, known["U-H20"], 0.03, bool(cells.at[REPS, "last"] < cells.at[BITMAP, "last"])),
        _told(SINGLE, table, known["U-H16"], 0.2),
        _told(OVERSUBSCRIBED, table, known["U-H14"], 0.1, bool(cells.at[OVERSUBSCRIBED, "last"] >= 650)),
        setup.told(
            "each packet that is sent again was trimmed.",
            bool((table["repeats"] <= table["trims"]).all()),
        ),
    )
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6, height=3.0)
        listed = {BITMAP: "U-H10", OBLIVIOUS: "U-H18", REPS: "U-H20", SINGLE: "U-H16", OVERSUBSCRIBED: "U-H14"}
        series = [
            ("htsim", [known[claim] for claim in listed.values()], None),
            ("relnet", [float(cells.at[name, "last"]) for name in listed], None),
        ]
        plots.bars(axes[0][0], list(listed), series)
        axes[0][0].set(ylabel="last flow [us]")
        plots.legend_above(figure, axes[0][0])
    return Outcome(table, figure, table.round(2), text, findings)


def _listed(runs: dict[str, list[Point]]) -> list[Point]:
    return [point for points in runs.values() for point in points]


SMALL_RUNS = Experiment(
    "validation",
    "Beside htsim: one flow, both ways, an incast, an overlap and a slow link",
    "Not in a paper: uet-htsim, validation",
    lambda scale: _listed(_small(scale)),
    _render_small,
    lambda scale: [setup.command(point) for point in _listed(_small(scale))],
)

LARGE_RUNS = Experiment(
    "permutations",
    "Beside htsim: permutations of 1024 hosts",
    "Not in a paper: uet-htsim, validation",
    lambda scale: _listed(_large(scale)),
    _render_large,
    lambda scale: [setup.command(point) for point in _listed(_large(scale))],
)
