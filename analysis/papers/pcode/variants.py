# SPDX-License-Identifier: GPL-2.0-only
"""What the paper leaves open, or says without a figure: drivers, seeds, speed of the hosts, TCP's settings."""

from __future__ import annotations

import pandas as pd

from papers import Experiment, Outcome, Point, Scale, runs
from papers.pcode import curves, setup
from papers.pcode.setup import LARGE, SMALL, TIME
from relnet.claims import Finding

DRIVERS = {1: "in turn", 2: "all at once"}
"""The two implementations of the all-to-all broadcast (section 6.2)."""

USUAL = 0.8
"""Share of the tests of which something has to be true for it to be usually so."""

VARIANCE = 0.10
"""Largest variation of a test from run to run (section 6.4)."""

SCALES = (1.3, 1.6, 2.0)
"""How much slower than the measured machines those of the paper may have been: ends and middle of the band."""

AROUND = (6, 8, 9, 10, 12)
"""Machines near the crossing of Figure 6."""


def _few(scale: Scale) -> tuple[int, ...]:
    return (2, 4) if scale.quick else (2, 4, 8, 16)


def _points_drivers(scale: Scale) -> list[Point]:
    points = []
    for processors in _few(scale):
        for size in (SMALL, LARGE):
            for driver in DRIVERS:
                points.append(setup.point(scale, processors, size, system="pcode", driver=driver, nagle="false"))
                for nagle, rounds in (("false", setup.ROUNDS), ("true", setup.VARIANT_ROUNDS)):
                    points.append(
                        setup.point(scale, processors, size, 1, rounds, system="tcp", driver=driver, nagle=nagle)
                    )
    return points


def _render_drivers(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = runs.finished(frame)
    table = done.pivot_table(index=["system", "nagle", "size", "processors"], columns="driver", values=TIME)
    table = table.rename(columns={1: "driver 1", 2: "driver 2"})
    table["better"] = (table["driver 2"] < table["driver 1"]).map({True: 2, False: 1})
    pcode = table.loc["pcode"]
    tcp = table.loc["tcp"].loc["false"]
    late = table.loc["tcp"].loc["true"]
    right, wrong = int((tcp["better"] == 1).sum()), int((tcp["better"] == 2).sum())
    places = ", ".join(f"{size} bytes on {count}" for size, count in tcp.index[tcp["better"] == 2])
    text = (
        f"PCODE does better with the second driver in {int((pcode['better'] == 2).sum())} of {len(pcode)} tests, TCP "
        f"with the first in {right} of {len(tcp)} without Nagle's algorithm"
        f"{f' (not with {places} machines)' if wrong else ''} and in {int((late['better'] == 1).sum())} of "
        f"{len(late)} with it."
    )
    holds = bool((pcode["better"] == 2).all() and (tcp["better"] == 1).all())
    findings = {"B-18": Finding(holds, note=text, scale=not scale.quick)}
    return Outcome(table.reset_index(), None, text=(text,), findings=findings)


def _command_drivers(scale: Scale) -> list[str]:
    fixed = {"processors": _few(scale), "size": (SMALL, LARGE), "driver": tuple(DRIVERS)}
    pcode = {"system": "pcode", **fixed, "rounds": setup.rounds(scale)}
    tcp = {"system": "tcp", **fixed, "nagle": "false", "rounds": setup.rounds(scale)}
    late = {"system": "tcp", **fixed, "nagle": "true", "rounds": setup.rounds(scale, setup.VARIANT_ROUNDS)}
    return [setup.command(values) for values in (pcode, tcp, late)]


def _points_seeds(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, processors, size, seed, **setup.MEASURED[name])
        for processors in _few(scale)
        for size in (SMALL, LARGE)
        for name in ("tcp", "pcode")
        for seed in range(1, max(scale.seeds, 2) + 1)
    ]


def _render_seeds(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = runs.finished(frame)
    table = done.groupby(["system", "size", "processors"])[TIME].agg(["mean", "min", "max", "std", "count"])
    table["variation"] = table["std"] / table["mean"]
    within = table["variation"] < VARIANCE
    worst = table["variation"].idxmax()
    text = (
        f"In {int(within.sum())} of {len(table)} tests the standard deviation over {int(table['count'].max())} seeds "
        f"is below {VARIANCE:.0%} of the mean; the largest is {table['variation'].max():.2%} ({worst[0]}, {worst[1]} "
        f"bytes, {worst[2]} machines). Only collisions and the start differ here: nothing else ran on the machines."
    )
    findings = {"B-22": Finding(bool(within.mean() >= USUAL), note=text, scale=not scale.quick)}
    return Outcome(table.reset_index(), None, text=(text,), findings=findings)


def _points_hosts(scale: Scale) -> list[Point]:
    machines = (2, 4) if scale.quick else (*AROUND, setup.MACHINES[-1])
    return [
        setup.point(scale, processors, size, 1, setup.VARIANT_ROUNDS, hostscale=factor, **system)
        for factor in SCALES
        for processors in machines
        for size in ((SMALL, LARGE) if processors == machines[-1] else (SMALL,))
        for system in setup.MEASURED.values()
    ]


def _render_hosts(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = []
    for factor, part in frame.groupby("hostscale"):
        small = setup.times(part[part["size"] == SMALL], "processors")
        large = setup.times(part[part["size"] == LARGE], "processors")
        for name in small.columns.drop("tcp"):
            rows.append(
                {
                    "hostscale": factor,
                    "pcode": setup.LABELS[name],
                    "faster from [machines]": curves.crossing(small, name),
                    "TCP / PCODE, 20 bytes": float((small["tcp"] / small[name]).iloc[-1]),
                    "TCP / PCODE, 1 Kbyte": float((large["tcp"] / large[name]).iloc[-1]),
                }
            )
    table = pd.DataFrame(rows)
    ratio = table["TCP / PCODE, 1 Kbyte"]
    daemon = table[table["pcode"] != setup.LABELS["pcode-linked"]]["TCP / PCODE, 1 Kbyte"]
    text = (
        f"Over the band of host speeds and all prices of reaching PCODE, TCP takes {ratio.min():.1f} to "
        f"{ratio.max():.1f} times as long with the most machines and 1 Kbyte; with a daemon, {daemon.min():.1f} to "
        f"{daemon.max():.1f} times."
    )
    return Outcome(table, None, text=(text,))


def _command_hosts(scale: Scale) -> list[str]:
    machines = (2, 4) if scale.quick else (*AROUND, setup.MACHINES[-1])
    rounds = setup.rounds(scale, setup.VARIANT_ROUNDS)
    return [
        setup.command({**system, "hostscale": SCALES, "processors": count, "size": size, "rounds": rounds})
        for system in setup.MEASURED.values()
        for count, size in ((machines, SMALL), (machines[-1], LARGE))
    ]


SETTINGS = {
    "as in the figures": {},
    "targets in ascending order": {"sendorder": "ascending"},
    "Nagle's algorithm on": {"nagle": "true"},
    "both": {"sendorder": "ascending", "nagle": "true"},
    "nobody collides (csma)": {"network": "csma"},
}
"""Settings of TCP that the paper leaves open, and a network without collisions."""


def _points_tcp(scale: Scale) -> list[Point]:
    return [
        setup.point(
            scale,
            processors,
            size,
            1,
            setup.VARIANT_ROUNDS,
            system="tcp",
            **{"sendorder": "next-first", "nagle": "false", "network": "segment", **settings},
        )
        for settings in SETTINGS.values()
        for processors in _few(scale)
        for size in (SMALL, LARGE)
    ]


def _render_tcp(scale: Scale, frame: pd.DataFrame) -> Outcome:
    count = len(frame) // len(SETTINGS)
    named = frame.assign(setting=[name for name in SETTINGS for _ in range(count)])
    done = runs.finished(named)
    table = done.pivot_table(index=["size", "processors"], columns="setting", values=TIME)[list(SETTINGS)]
    spread = table.drop(columns="nobody collides (csma)")
    change = spread.div(spread["as in the figures"], axis=0)
    free = (table["nobody collides (csma)"] / table["as in the figures"]).min()
    text = (
        f"TCP's open settings move its time per call to between {change.min().min():.2f} and "
        f"{change.max().max():.2f} of that in the figures; without collisions it would take {free:.2f} of it at least."
    )
    return Outcome(table.reset_index(), None, text=(text,))


def _command_tcp(scale: Scale) -> list[str]:
    fixed = {"processors": _few(scale), "size": (SMALL, LARGE), "rounds": setup.rounds(scale, setup.VARIANT_ROUNDS)}
    return [setup.command({"system": "tcp", **fixed, **settings}) for settings in SETTINGS.values()]


DRIVERS_COMPARED = Experiment(
    "drivers",
    "The two implementations of the all-to-all broadcast",
    "Section 6.2",
    _points_drivers,
    _render_drivers,
    _command_drivers,
)

SEEDS = Experiment(
    "seeds",
    "Variation from run to run",
    "Section 6.4",
    _points_seeds,
    _render_seeds,
    lambda scale: [
        setup.command(
            {**setup.MEASURED[name], "processors": _few(scale), "size": (SMALL, LARGE), "rounds": setup.rounds(scale)},
            max(scale.seeds, 2),
        )
        for name in ("tcp", "pcode")
    ],
)

HOSTS = Experiment(
    "hosts",
    "Speed of the hosts, and the price of reaching the daemon",
    "Not in the paper (section 6.1 names the machines)",
    _points_hosts,
    _render_hosts,
    _command_hosts,
)

TCP_SETTINGS = Experiment(
    "tcp-settings",
    "Settings of TCP that the paper leaves open",
    "Not in the paper (section 6.3 leaves them open)",
    _points_tcp,
    _render_tcp,
    _command_tcp,
)
