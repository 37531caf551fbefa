# SPDX-License-Identifier: GPL-2.0-only
"""Details left open or stated without a figure: drivers, seeds, speed of the hosts, TCP's settings."""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments import selection
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.pcode import curves, setup
from relnet.papers.pcode.setup import LARGE, SMALL, TIME

DRIVERS = {1: "in turn", 2: "all at once"}
"""The two implementations of the all-to-all broadcast (section 6.2)."""

DRIVER_SEEDS = 5
"""Seeds of each test with a driver."""

DRIVER_ROUNDS = 100
"""Rounds of such a test."""

USUAL = 0.8
"""Minimum share of tests that counts as usually."""

VARIANCE = 0.10
"""Maximum variation of a test between runs (section 6.4)."""

SCALES = (1.3, 1.6, 2.0)
"""Slowness of the paper's machines relative to the measured ones: ends and middle of the range."""

AROUND = (6, 8, 9, 12)
"""Machines near the crossing of Figure 6."""

CROSSED = 12
"""Number of machines from which PCODE is clearly faster, so that few rounds are enough."""


def _few(scale: Scale) -> tuple[int, ...]:
    return (2, 4) if scale.quick else (2, 4, 8, 16)


def _driver_seeds(scale: Scale) -> range:
    return range(1, 1 + (2 if scale.quick else DRIVER_SEEDS))


def _points_drivers(scale: Scale) -> list[Point]:
    points = []
    for nodes in _few(scale):
        for size in (SMALL, LARGE):
            for driver in DRIVERS:
                for seed in _driver_seeds(scale):
                    for system in ("pcode", "tcp"):
                        given = {"system": system, "driver": driver, "nagle": "true"}
                        points.append(setup.point(scale, nodes, size, seed, DRIVER_ROUNDS, **given))
                given = {"system": "tcp", "driver": driver, "nagle": "false"}
                points.append(setup.point(scale, nodes, size, 1, setup.FEW_ROUNDS, **given))
    return points


def _drivers(done: pd.DataFrame) -> pd.DataFrame:
    """Times by driver, mean over the seeds, and the interval of their difference, for each test."""
    rows = []
    for test, runs in done.groupby(["system", "nagle", "size", "nodes"]):
        times = runs.pivot_table(index="seed", columns="driver", values=TIME)
        apart = (times[2] - times[1]).to_numpy(dtype=float)
        mean, low, high = plots.interval(apart)
        rows.append([*test, times[1].mean(), times[2].mean(), 2 if mean < 0 else 1, low, high])
    names = ["system", "nagle", "size", "nodes", "driver 1", "driver 2", "better", "difference from", "difference to"]
    return pd.DataFrame(rows, columns=names).set_index(names[:4])


def _render_drivers(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = _drivers(selection.finished(frame))
    pcode = table.loc["pcode"]
    tcp = table.loc["tcp"].loc["true"]
    without = table.loc["tcp"].loc["false"]
    measured = pd.concat([pcode, tcp])
    unclear = int(((measured["difference from"] < 0) & (measured["difference to"] > 0)).sum())
    right, wrong = int((tcp["better"] == 1).sum()), tcp[tcp["better"] == 2]
    places = ", ".join(
        f"{size} bytes on {count}, {row['difference from']:+.3f} to {row['difference to']:+.3f} ms"
        for (size, count), row in wrong.iterrows()
    )
    text = (
        f"PCODE is faster with the second driver in {int((pcode['better'] == 2).sum())} of {len(pcode)} tests. TCP is "
        f"faster with the first in {right} of {len(tcp)}{f' (not with {places})' if len(wrong) else ''}, and "
        f"without Nagle's algorithm in {int((without['better'] == 1).sum())} of {len(without)}. Means of "
        f"{len(_driver_seeds(scale))} seeds; the interval of 95 % of the difference contains zero in {unclear} of "
        f"{len(measured)} tests."
    )

    def finding(of_tcp: pd.DataFrame) -> Finding:
        holds = bool((pcode["better"] == 2).all() and (of_tcp["better"] == 1).all())
        return Finding(holds, note=text, scale=not scale.quick)

    # Nagle's algorithm, the default of BSD's sockets, was decided with B-18 in view.
    others = {"nagle=false": {"B-18": finding(without)}}
    return Outcome(table.reset_index(), None, text=(text,), findings={"B-18": finding(tcp)}, alternatives=others)


def _command_drivers(scale: Scale) -> list[str]:
    rounds = setup.rounds(scale, DRIVER_ROUNDS)
    fixed = {"nodes": _few(scale), "size": (SMALL, LARGE), "driver": tuple(DRIVERS)}
    without = {"system": "tcp", "nagle": "false", "rounds": setup.rounds(scale, setup.FEW_ROUNDS)}
    return [
        *(
            setup.command({"system": system, **fixed, "nagle": "true", "rounds": rounds}, len(_driver_seeds(scale)))
            for system in ("pcode", "tcp")
        ),
        setup.command({**fixed, **without}),
    ]


def _points_seeds(scale: Scale) -> list[Point]:
    return [
        setup.point(scale, nodes, size, seed, setup.LEAST_ROUNDS, **setup.MEASURED[name])
        for nodes in _few(scale)
        for size in (SMALL, LARGE)
        for name in ("tcp", "pcode")
        for seed in range(1, max(scale.seeds, 2) + 1)
    ]


def _render_seeds(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = selection.finished(frame)
    table = done.groupby(["system", "size", "nodes"])[TIME].agg(["mean", "min", "max", "std", "count"])
    table["variation"] = table["std"] / table["mean"]
    within = table["variation"] < VARIANCE
    worst = table["variation"].idxmax()
    text = (
        f"In {int(within.sum())} of {len(table)} tests the standard deviation over {int(table['count'].max())} seeds "
        f"is below {VARIANCE:.0%} of the mean; the largest is {table['variation'].max():.2%} ({worst[0]}, {worst[1]} "
        f"bytes, {worst[2]} machines). Only collisions and start times differ, since the machines are idle. A test has "
        f"{setup.rounds(scale, setup.LEAST_ROUNDS)} rounds; the longer tests of the paper vary less."
    )
    findings = {
        "B-22": Finding(
            bool(within.mean() >= USUAL),
            note=text,
            scale=not scale.quick,
            undecidable="The published variance is that of loaded machines, this one that of seeds on idle machines.",
        )
    }
    return Outcome(table.reset_index(), None, text=(text,), findings=findings)


def _rounds_hosts(nodes: int) -> int:
    return setup.LEAST_ROUNDS if nodes >= CROSSED else setup.FEW_ROUNDS


def _points_hosts(scale: Scale) -> list[Point]:
    machines = (2, 4) if scale.quick else (*AROUND, setup.MACHINES[-1])
    return [
        setup.point(scale, nodes, size, 1, _rounds_hosts(nodes), hostscale=factor, **system)
        for factor in SCALES
        for nodes in machines
        for size in ((SMALL, LARGE) if nodes == machines[-1] else (SMALL,))
        for system in setup.MEASURED.values()
    ]


def _render_hosts(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = []
    for factor, part in frame.groupby("hostscale"):
        small = setup.times(part[part["size"] == SMALL], "nodes")
        large = setup.times(part[part["size"] == LARGE], "nodes")
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
    daemon = table[table["pcode"] == setup.LABELS["pcode"]]["TCP / PCODE, 1 Kbyte"]
    linked = table[table["pcode"] == setup.LABELS["pcode-linked"]]["TCP / PCODE, 1 Kbyte"]
    text = (
        f"Over the range of host speeds, with the most machines and 1 Kbyte, TCP takes {daemon.min():.1f} to "
        f"{daemon.max():.1f} times as long as PCODE, and {linked.min():.1f} to {linked.max():.1f} times as long as "
        "PCODE linked into the application."
    )
    return Outcome(table, None, text=(text,))


def _command_hosts(scale: Scale) -> list[str]:
    machines = (2, 4) if scale.quick else (*AROUND, setup.MACHINES[-1])
    by_rounds: dict[int, list[int]] = {}
    for nodes in machines:
        by_rounds.setdefault(setup.rounds(scale, _rounds_hosts(nodes)), []).append(nodes)
    runs = [(tuple(some), SMALL, rounds) for rounds, some in by_rounds.items()]
    runs.append((machines[-1], LARGE, setup.rounds(scale, _rounds_hosts(machines[-1]))))
    return [
        setup.command({**system, "hostscale": SCALES, "nodes": some, "size": size, "rounds": rounds})
        for system in setup.MEASURED.values()
        for some, size, rounds in runs
    ]


SETTINGS = {
    "as in the figures": {},
    "next machine first": {"sendorder": "next-first"},
    "without Nagle's algorithm": {"nagle": "false"},
    "both": {"sendorder": "next-first", "nagle": "false"},
    "without collisions (csma)": {"network": "csma"},
}
"""Settings of TCP that the paper does not state, and a network without collisions."""

BESIDE = {
    "PCODE": {},
    "PCODE, linked": {"ipc": "linked"},
    "PCODE without its own broadcasts": {"hearsown": "false"},
}
"""Settings of PCODE at 20 bytes; in Figure 3, a broadcast returns to its sender."""


def _many(scale: Scale, size: int) -> tuple[int, ...]:
    """Machines of the runs of a size: all at 20 bytes, where the curves cross."""
    return setup.machines(scale) if size == SMALL else _few(scale)


def _plan_tcp(scale: Scale) -> list[tuple[str, Point]]:
    plan = []
    for size in (SMALL, LARGE):
        for nodes in _many(scale, size):
            for name, settings in SETTINGS.items():
                given = {"sendorder": "ascending", "nagle": "true", "network": "segment", **settings}
                run = setup.point(scale, nodes, size, 1, setup.LEAST_ROUNDS, system="tcp", **given)
                plan.append((name, run))
            for name, settings in BESIDE.items():
                if size == SMALL:
                    given = {"system": "pcode", **settings}
                    plan.append((name, setup.point(scale, nodes, size, 1, setup.LEAST_ROUNDS, **given)))
    return plan


def _points_tcp(scale: Scale) -> list[Point]:
    return [run for _, run in _plan_tcp(scale)]


def _crossings(small: pd.DataFrame, setting: str) -> str:
    """Number of machines from which PCODE is faster than TCP with a setting, for each of `BESIDE`."""
    found = [curves.crossing(small.rename(columns={setting: "tcp"}), name) for name in BESIDE]
    return ", ".join(str(first or "never") for first in found)


def _render_tcp(scale: Scale, frame: pd.DataFrame) -> Outcome:
    done = selection.finished(frame.assign(setting=[name for name, _ in _plan_tcp(scale)]))
    table = done.pivot_table(index=["size", "nodes"], columns="setting", values=TIME)[[*SETTINGS, *BESIDE]]
    free = "without collisions (csma)"
    spread = table[[name for name in SETTINGS if name != free]]
    change = spread.div(spread["as in the figures"], axis=0)
    small = table.loc[SMALL]
    straight = {name: curves.straightness(small[name]) for name in SETTINGS}
    own = small["PCODE"] / small["PCODE without its own broadcasts"]
    text = (
        f"With other open settings, TCP's time per call is between {change.min().min():.2f} and "
        f"{change.max().max():.2f} of that in the figures. Without collisions it would be at least "
        f"{(table[free] / table['as in the figures']).min():.2f} of it.",
        f"The straightness of TCP's curve at {SMALL} bytes depends on the order of its sends: "
        + "; ".join(f"{name}, {value:.1%}" for name, value in straight.items())
        + ".",
        f"Numbers of machines from which PCODE is faster at {SMALL} bytes, as a daemon, linked, and as a daemon that "
        "does not receive its own broadcasts: "
        + "; ".join(f"{name}, {_crossings(small, name)}" for name in SETTINGS)
        + f". Reading and dropping its own broadcasts (Figure 3) takes PCODE up to {own.max() - 1:.0%} longer.",
    )
    return Outcome(table.reset_index(), None, text=text)


def _command_tcp(scale: Scale) -> list[str]:
    rounds = {"rounds": setup.rounds(scale, setup.LEAST_ROUNDS)}
    sizes = [{"nodes": _many(scale, size), "size": size, **rounds} for size in (SMALL, LARGE)]
    return [
        *(setup.command({"system": "tcp", **fixed, **settings}) for settings in SETTINGS.values() for fixed in sizes),
        *(setup.command({"system": "pcode", **sizes[0], **settings}) for settings in BESIDE.values()),
    ]


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
    "Variation between runs",
    "Section 6.4",
    _points_seeds,
    _render_seeds,
    lambda scale: [
        setup.command(
            {
                **setup.MEASURED[name],
                "nodes": _few(scale),
                "size": (SMALL, LARGE),
                "rounds": setup.rounds(scale, setup.LEAST_ROUNDS),
            },
            max(scale.seeds, 2),
        )
        for name in ("tcp", "pcode")
    ],
)

HOSTS = Experiment(
    "hosts",
    "Speed of the hosts, and the cost of the daemon",
    "Not in the paper (section 6.1 names the machines)",
    _points_hosts,
    _render_hosts,
    _command_hosts,
)

TCP_SETTINGS = Experiment(
    "tcp-settings",
    "Details that sections 6.1 and 6.3 leave open: TCP's settings, and the place of PCODE",
    "Not in the paper (sections 6.1 and 6.3 leave it open)",
    _points_tcp,
    _render_tcp,
    _command_tcp,
)
