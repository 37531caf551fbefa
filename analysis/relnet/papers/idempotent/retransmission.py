# SPDX-License-Identifier: GPL-2.0-only
"""Figures 9 and 10 and the best strategy: the wait before a retransmission (section 4.3)."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
from matplotlib.figure import Figure

from relnet import plots
from relnet.experiments.claims import Finding, published_values
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CELLS, CHEAP, CYCLES, DEAR, TABLES, TITLES, TRANSMISSIONS

POLICIES = ("linear", "quadratic")
"""Policies of Figure 9."""

REJECTED = ("constant", "exponential")
"""Policies that the paper found unacceptable."""

LIGHT = "add"
"""The benchmark with a light load (section 4.1)."""

SMALL = 4
"""Maximum C that counts as small."""

NEAR = 0.05
"""Excess of a time over another that counts as no worse."""

LIMITS = {"constant": 1.3, "exponential": 2.5}
"""
Time limits of runs with the rejected policies, in multiples of the published times for quadratic backoff with C = 3.
With 4 the outcomes were the same: all completed runs end within 1.21 (constant) and 2.23 (exponential) of these times.
"""

IDLE = {"constant": 100_000}
"""
Limit of cycles without a delivery for constant backoff, long enough to repeat each packet a thousand times. Exponential
backoff may wait longer, and has the scenario's default.
"""

_REJECTED_C = (3, 16)
"""Values of C of the rejected policies; expensive benchmarks have only the first, with the same outcomes."""

CONSTANTS = (1, 2, 3, 4, 8, 12, 20, 28, 32)
"""
Values of C in Figure 9, dense near the best values of quadratic and linear backoff. With 5, 6, 7, 10, 14, 16 and 24 as
well, the best strategies and the distance of C = 3 from them were the same.
"""

LEFT_OUT = {
    "quicksort": {"linear": (2, 3, 8, 20, 28), "quadratic": (12, 20, 28)},
    "nbody": {"linear": (2, 3, 8, 12, 28), "quadratic": (12, 20, 28)},
}
"""
Values of C that are omitted for expensive benchmarks. Their times were between those of the neighbours, far above the
best or, with 28, within 4.5 % of those with 32. With all of them the distance of C = 3 from the best was the same.
"""

NEIGHBOURHOOD = (2, 3, 4)
"""Values of C around the paper's choice, run with several seeds."""


def _constants(scale: Scale, benchmark: str, policy: str) -> tuple[int, ...]:
    """Values of C of a benchmark under a policy."""
    if scale.quick:
        return (1, 2, 3, 4, 6, 8, 16, 32)
    skipped = LEFT_OUT.get(benchmark, {}).get(policy, ())
    return tuple(c for c in CONSTANTS if c not in skipped)


def _points_9(scale: Scale) -> list[Point]:
    points = []
    for benchmark, topology in CELLS:
        for policy in POLICIES:
            for c in _constants(scale, benchmark, policy):
                factor = 3.0 / c + 1 if policy == "linear" else 1.0
                points.append(setup.cell(scale, benchmark, topology, 1, factor, backoff=policy, c=c))
    return points


def _points_neighbourhood(scale: Scale) -> list[Point]:
    return [
        setup.cell(scale, benchmark, topology, seed, c=c, serviceorder="random")
        for benchmark, topology in CHEAP
        for c in NEIGHBOURHOOD
        for seed in setup.order_seeds(scale)
    ]


def _render_neighbourhood(scale: Scale, frame: pd.DataFrame) -> Outcome:
    times = finished(frame).groupby(["benchmark", "topology", "c"], sort=False)[CYCLES]
    table = times.agg(["mean", "min", "max", "count"]).reset_index()
    table["spread [%]"] = (table["max"] - table["min"]) / table["mean"] * 100
    means = table.pivot(index=["benchmark", "topology"], columns="c", values="mean")
    gain = (means.max(axis=1) / means.min(axis=1) - 1) * 100
    widest = table.loc[table["spread [%]"].idxmax()]
    text = (
        f"With quadratic backoff, C from {min(NEIGHBOURHOOD)} to {max(NEIGHBOURHOOD)} and random service order, the "
        f"choice of C changes the mean time of a cell by {gain.median():.1f} % (median of {len(gain)} cells, at most "
        f"{gain.max():.0f} %), and the seed changes it by {table['spread [%]'].median():.1f} % (at most "
        f"{widest['spread [%]']:.0f} %, {widest['benchmark']} on the {TITLES[widest['topology']]} with "
        f"C = {widest['c']}). Quicksort has several vectors in Tables 2a and 2b, and nbody's "
        "neighbours are in Figure 9."
    )
    shown = table.assign(topology=table["topology"].map(TITLES)).rename(columns={"count": "seeds"})
    return Outcome(table, None, shown, (text,))


def _points_10(scale: Scale) -> list[Point]:
    return [
        point
        for point in _points_9(scale)
        if (point.parameters["benchmark"], point.parameters["topology"]) == ("reverse", "grid3d")
    ]


def strategies(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the excess of each policy and C over the best observed time of each cell, in the worst case and on average.

    Parameters
    ----------
    frame : pandas.DataFrame
        Runs of all cells with all strategies; several seeds are averaged.

    Returns
    -------
    pandas.DataFrame
        Columns backoff, c, cells (whose runs all completed), worst and average [%], worst_cell.
    """
    times = finished(frame).groupby(["backoff", "c", "benchmark", "topology"])[CYCLES].mean().unstack([2, 3])
    excess = (times / times.min() - 1) * 100
    rows = pd.DataFrame(
        {"cells": excess.notna().sum(axis=1), "worst": excess.max(axis=1), "average": excess.mean(axis=1)}
    )
    rows["worst_cell"] = [" on ".join((cell[0], TITLES[cell[1]])) for cell in excess.fillna(-1).idxmax(axis=1)]
    return rows.reset_index()


def _grid(frame: pd.DataFrame, published: Mapping[str, float]) -> Figure:
    benchmarks = list(setup.NODES)
    with plots.style():
        figure, axes = plots.panels(len(benchmarks), len(TITLES), width=10, height=2.0)
        for benchmark, row in zip(benchmarks, axes, strict=True):
            for (topology, title), panel in zip(TITLES.items(), row, strict=True):
                chosen = finished(pick(frame, benchmark=benchmark, topology=topology))
                plots.curves(chosen.sort_values("backoff"), "c", CYCLES, "backoff", panel)
                if panel.get_legend():
                    panel.get_legend().remove()
                if published:
                    value = published[f"E-T2a-{benchmark}-{setup.TOPOLOGIES[topology]}-idem"]
                    panel.plot([BEST["c"]], [value], label="published, Table 2a", **plots.PUBLISHED)
                panel.set_title(f"{benchmark}, {title}")
                panel.set_xlabel("C [cycles]" if benchmark == benchmarks[-1] else "")
                panel.set_ylabel("time [cycles]" if topology == "grid2d" else "")
                plots.from_zero(panel)
                plots.cycles_axis(panel)
        plots.legend_above(figure, axes[0][0])
    return figure


def _light(frame: pd.DataFrame) -> tuple[bool, str]:
    """Whether quadratic backoff is good with small C, and linear only with large C unless the load is light."""
    times = finished(frame).groupby(["benchmark", "topology", "backoff", "c"])[CYCLES].mean()
    times = times.unstack("c").reindex([(*cell, policy) for cell in CELLS for policy in POLICIES])
    small = times[[c for c in times.columns if c <= SMALL]]
    # Policies are compared only at values of C that a cell has with both.
    small = small.where(small.notna().groupby(level=[0, 1]).transform("all")).mean(axis=1).unstack()
    best = times.apply(lambda row: row.idxmin() if row.notna().any() else float("nan"), axis=1).unstack()
    is_heavy = small.index.get_level_values("benchmark") != LIGHT
    heavy, light = small[is_heavy], small[~is_heavy]
    better = int((heavy["quadratic"] < heavy["linear"]).sum())
    later = int((best["linear"] > best["quadratic"])[is_heavy].sum())
    fine = int((light["linear"] <= (1 + 3 * NEAR) * times.min(axis=1).unstack()["linear"][~is_heavy]).sum())
    note = (
        f"With C up to {SMALL} quadratic is faster than linear in {better} of {len(heavy)} cells with more than a "
        f"light load; linear's best C is larger in {later}; with {LIGHT}, the light load, linear with C up to "
        f"{SMALL} is within 15 % of its best in {fine} of {len(light)}. Required: 8, 8 and 3."
    )
    return better >= 8 and later >= 8 and fine == 3, note


def _capacity(frame: pd.DataFrame) -> str:
    """Section 4.3's comparison of the linear curves of quicksort on the three topologies."""
    excess = {}
    for topology in TITLES:
        times = finished(pick(frame, benchmark="quicksort", topology=topology, backoff="linear", seed=1))
        times = times.set_index("c")[CYCLES]
        excess[topology] = times.get(min(CONSTANTS), float("nan")) / times.min()
    values = list(excess.values())
    falls = "They fall" if values == sorted(values, reverse=True) else "They do not fall"
    told = ", ".join(f"{value:.2f} on the {TITLES[topology]}" for topology, value in excess.items())
    return (
        f"Times of quicksort with linear backoff and C = {min(CONSTANTS)} relative to the best C: {told}. {falls} with "
        "the capacity of the network, as section 4.3 states."
    )


def _render_9(scale: Scale, frame: pd.DataFrame) -> Outcome:
    full = not scale.quick
    figure = _grid(frame, published_values(setup.NAME) if full else {})
    table = (
        pick(frame, seed=1)
        .pivot_table(index=["benchmark", "topology", "c"], columns="backoff", values=CYCLES)
        .reset_index()
        .rename_axis(columns=None)
    )
    holds, note = _light(frame)
    best = []
    for benchmark, topology in CELLS:
        times = finished(pick(frame, benchmark=benchmark, topology=topology, seed=1))
        row = {"benchmark": benchmark, "topology": TITLES[topology]}
        for policy in POLICIES:
            chosen = pick(times, backoff=policy)
            if len(chosen):
                least = chosen.loc[chosen[CYCLES].idxmin()]
                row |= {f"{policy}: best C": int(least["c"]), f"{policy}: cycles": float(least[CYCLES])}
        reference = pick(times, **BEST)
        row["quadratic, C = 3: above the best [%]"] = float(
            (reference[CYCLES].iloc[0] / times[CYCLES].min() - 1) * 100 if len(reference) else float("nan")
        )
        best.append(row)
    text = [note, _capacity(frame), setup.UNREADABLE + " It is the mark at quadratic backoff with C = 3."]
    if full:
        text.append(
            "C = 6, 16 and 24 are omitted, and for quicksort and nbody further values between the shown ones: with "
            "them the distance of C = 3 from the best was the same."
        )
    return Outcome(table, figure, pd.DataFrame(best), tuple(text), {"E-27": Finding(holds, note=note, scale=full)})


def _render_best(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = strategies(frame)
    whole = table[table["cells"] == len(CELLS)]
    ours = pick(table, **BEST)
    if not len(whole) or not len(ours):
        return Outcome(table, None, table, ("No strategy completed in all cells.",))
    worst, average = float(ours["worst"].iloc[0]), float(ours["average"].iloc[0])
    first = {metric: whole.loc[whole[metric].idxmin()] for metric in ("worst", "average")}
    told = {
        metric: f"{row['backoff']} with C = {int(row['c'])} at {row[metric]:.0f} % (worst cell: {row['worst_cell']})"
        for metric, row in first.items()
    }
    note = (
        f"Quadratic with C = 3 is within {worst:.0f} % of the best in the worst case ({ours['worst_cell'].iloc[0]}) "
        f"and within {average:.1f} % on average; the paper has 28 % and 7 %. Best in the worst case: "
        f"{told['worst']}. Best on average: {told['average']}."
    )
    is_best = all(row["backoff"] == "quadratic" and row["c"] == BEST["c"] for row in first.values())
    if not is_best:
        note += " Thus quadratic with C = 3 is not the best by both measures, in contrast to the paper."
    with plots.style():
        figure, axes = plots.panels(1, 2, width=10, height=2.8)
        for panel, metric, title in zip(
            axes[0], ("worst", "average"), ("worst cell", "average of all cells"), strict=True
        ):
            plots.curves(whole.sort_values("backoff"), "c", metric, "backoff", panel)
            published = 28 if metric == "worst" else 7
            panel.plot([BEST["c"]], [published], label="published, quadratic", **plots.PUBLISHED)
            panel.set_xlabel("C [cycles]")
            panel.set_ylabel("above the best observed [%]")
            panel.set_title(title)
            panel.set_ylim(0, min(200, whole[metric].max() * 1.05))
            panel.legend()
    shown = whole.sort_values("worst").head(8)
    finding = Finding((worst, average), (28.0, 7.0), note, not scale.quick, is_best)
    return Outcome(table, figure, shown, (note,), {"E-29": finding})


def _render_10(scale: Scale, frame: pd.DataFrame) -> Outcome:
    here = pick(finished(frame), seed=1)
    table = here.pivot_table(index="c", columns="backoff", values=TRANSMISSIONS).reset_index().rename_axis(columns=None)
    both = table.dropna()
    more = int((both["linear"] > both["quadratic"]).sum())
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6, height=3.2)
        plots.curves(here, "c", TRANSMISSIONS, "backoff", axes[0][0])
        axes[0][0].set_xlabel("C [cycles]")
        axes[0][0].set_ylabel("transmissions of a MSG per message")
        axes[0][0].set_title("reverse on the 3D grid")
        plots.from_zero(axes[0][0])
    text = (
        f"On the 3D grid reverse sends each MSG more often with linear than with quadratic backoff at {more} of "
        f"{len(both)} values of C.",
        "The available text of the paper has no numbers of this figure. The curves are judged by the paper's "
        "statements on them.",
    )
    return Outcome(table, figure, None, text)


def alike(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Correlate Figure 10's curves of all cells with those of reverse on the 3D grid.

    Parameters
    ----------
    frame : pandas.DataFrame
        Runs of all cells with all strategies.

    Returns
    -------
    pandas.DataFrame
        Columns benchmark, topology, correlation: of the transmissions per message above one, over both strategies and
        all C. It is independent of the vertical scale.
    """
    chosen = finished(pick(frame, seed=1))
    extra = chosen.pivot_table(index=["benchmark", "topology"], columns=["backoff", "c"], values=TRANSMISSIONS) - 1
    here = extra.loc[("reverse", "grid3d")]
    rows = [(*cell, float(extra.loc[cell].corr(here))) for cell in CELLS if cell in extra.index]
    return pd.DataFrame(rows, columns=["benchmark", "topology", "correlation"])


def shape(frame: pd.DataFrame, scale: Scale) -> Finding:
    """Finding on Figure 10's claim that linear backoff sends more, on all networks."""
    frame = finished(pick(frame, seed=1))
    table = frame.groupby(["benchmark", "topology", "c", "backoff"])[TRANSMISSIONS].mean().unstack().dropna()
    more = table["linear"] > table["quadratic"]
    here = more.loc[("reverse", "grid3d")]
    elsewhere = more.drop(("reverse", "grid3d"))
    note = (
        f"Linear sends more at {int(here.sum())} of {len(here)} values of C with reverse on the 3D grid, and at "
        f"{elsewhere.mean():.0%} of those of the other cells; required: all and 90 %."
    )
    return Finding(bool(here.all() and elsewhere.mean() >= 0.9), note=note, scale=not scale.quick)


def _rejected_constants(benchmark: str, _: str) -> tuple[int, ...]:
    """Values of C of a cell under a rejected policy."""
    return _REJECTED_C[:1] if benchmark in DEAR else _REJECTED_C


def _points_rejected(scale: Scale) -> list[Point]:
    points = [setup.cell(scale, benchmark, topology) for benchmark, topology in CELLS]
    for cell in CELLS:
        for policy in REJECTED:
            points += [
                setup.cell(scale, *cell, 1, LIMITS[policy], backoff=policy, c=c, **_limits(scale, policy, *cell))
                for c in _rejected_constants(*cell)
            ]
    return points


def limit(scale: Scale, policy: str, benchmark: str, topology: str) -> int:
    """Limit of cycles before a run counts as a livelock; with fewer nodes the published time is enough."""
    cell = f"E-T2a-{benchmark}-{setup.TOPOLOGIES[topology]}-idem"
    times = 1 if scale.quick else LIMITS[policy]
    return int(times * published_values(setup.NAME)[cell])


def _limits(scale: Scale, policy: str, benchmark: str, topology: str) -> dict[str, int]:
    """Limits of a run with a rejected policy."""
    limits = {"maxcycles": limit(scale, policy, benchmark, topology)}
    return limits | ({"maxidle": IDLE[policy]} if policy in IDLE else {})


def _render_rejected(scale: Scale, frame: pd.DataFrame) -> Outcome:
    reference = pick(frame, **BEST).set_index(["benchmark", "topology"])[CYCLES]
    rows = []
    for benchmark, topology in CELLS:
        for policy in REJECTED:
            runs = pick(frame, benchmark=benchmark, topology=topology, backoff=policy)
            for run in runs.to_dict("records"):
                ended = run["Verdict"] == "completed"
                rows.append(
                    {
                        "benchmark": benchmark,
                        "topology": topology,
                        "backoff": policy,
                        "c": run["c"],
                        "verdict": run["Verdict"],
                        "cycles": run[CYCLES] if ended else float("nan"),
                        "against quadratic, C = 3": run[CYCLES] / reference[benchmark, topology]
                        if ended
                        else float("nan"),
                    }
                )
    table = pd.DataFrame(rows)
    stuck = table[(table["backoff"] == "constant") & (table["verdict"] != "completed")]
    tried = int((table["backoff"] == "constant").sum())
    late = table[table["backoff"] == "exponential"]
    unfinished = int((late["verdict"] != "completed").sum())
    slow = int((late["against quadratic, C = 3"] > 2).sum()) + unfinished
    ratio = late["against quadratic, C = 3"]
    note = (
        f"With constant backoff {len(stuck)} of {tried} runs did not complete within the limit "
        f"({stuck[['benchmark', 'topology']].drop_duplicates().shape[0]} of {len(CELLS)} cells). Exponential backoff "
        f"takes more than twice the time of quadratic with C = 3 in {slow} of {len(late)} runs, {unfinished} of them "
        f"incomplete; the median is {ratio.median():.2f} times."
    )
    holds = len(stuck) >= tried / 4 and slow >= len(late) / 4
    least = min(len(stuck) / tried, slow / len(late))
    note += f" Required: a quarter of the runs in both; the claim holds for a required share of up to {least:.0%}."
    limits = ", ".join(f"{1 if scale.quick else times:g} ({policy})" for policy, times in LIMITS.items())
    given_up = f"The limit of a run is the published time of quadratic backoff with C = 3, times {limits}."
    shown = table.assign(
        outcome=[
            f"{row['against quadratic, C = 3']:.2f} x" if row["verdict"] == "completed" else row["verdict"]
            for row in rows
        ]
    ).pivot_table(
        index=["benchmark", "topology"], columns=["backoff", "c"], values="outcome", aggfunc="first", sort=False
    )
    shown.columns = [f"{policy}, C = {c}" for policy, c in shown.columns]
    return Outcome(
        table, None, shown.reset_index(), (note, given_up), {"E-25": Finding(holds, note=note, scale=not scale.quick)}
    )


def _swept(scale: Scale, benchmarks=tuple(setup.NODES)) -> list[str]:
    lines = []
    for benchmark in benchmarks:
        by_constants: dict[str, list[str]] = {}
        for policy in POLICIES:
            constants = ",".join(map(str, _constants(scale, benchmark, policy)))
            by_constants.setdefault(constants, []).append(policy)
        for constants, policies in by_constants.items():
            more = {"router": "lossy", "backoff": ",".join(policies), "c": constants, **TABLES}
            lines += setup.sweep_command(scale, (benchmark,), **more)
    return lines


def _rejected_command(scale: Scale) -> list[str]:
    lines = []
    for benchmark, topology in CELLS:
        for policy in REJECTED:
            constants = ",".join(map(str, _rejected_constants(benchmark, topology)))
            more = {"router": "lossy", **TABLES, "backoff": policy, "c": constants}
            more |= _limits(scale, policy, benchmark, topology)
            lines.append(
                f"relnet sweep {setup.SCENARIO} benchmark={benchmark} nodes={setup.nodes(benchmark, scale)} "
                f"topology={topology} " + " ".join(f"{name}={value}" for name, value in more.items())
            )
    return lines


FIGURE_10 = Experiment(
    "figure-10",
    "Figure 10: transmissions per message",
    "Figure 10, section 4.3",
    _points_10,
    _render_10,
    lambda scale: _swept(scale, ("reverse",)),
)

FIGURE_9 = Experiment(
    "figure-9",
    "Figure 9: execution time against the retransmission constant",
    "Figure 9, section 4.3",
    _points_9,
    _render_9,
    _swept,
)


SEEDS_AROUND = Experiment(
    "neighbourhood",
    "C = 3 and its neighbours, several seeds",
    "Section 4.3",
    _points_neighbourhood,
    _render_neighbourhood,
    lambda scale: setup.order_commands(
        scale,
        router="lossy",
        backoff="quadratic",
        c=",".join(map(str, NEIGHBOURHOOD)),
        **TABLES,
    ),
)


def _render_best_and_shape(scale: Scale, frame: pd.DataFrame) -> Outcome:
    outcome = _render_best(scale, frame)
    finding = shape(frame, scale)
    likeness = alike(frame).dropna()
    least = likeness.loc[likeness["correlation"].idxmin()] if len(likeness) else None
    shapes = (
        "Section 4.3 states that Figure 10's curves of the other cells are nearly identical except for their vertical "
        f"scale. Their correlation with those of reverse on the 3D grid has a median of "
        f"{likeness['correlation'].median():.2f} and a minimum of {least['correlation']:.2f} ({least['benchmark']} on "
        f"the {TITLES[least['topology']]})."
        if least is not None
        else "No cell has all of its runs."
    )
    return Outcome(
        outcome.frame,
        outcome.figure,
        outcome.shown,
        (*outcome.text, finding.note, shapes),
        {**outcome.findings, "E-28": finding},
    )


STRATEGIES = Experiment(
    "best-strategy",
    "The best retransmission strategy",
    "Section 4.3",
    _points_9,
    _render_best_and_shape,
    _swept,
)

UNACCEPTABLE = Experiment(
    "constant-exponential",
    "Constant and exponential backoff",
    "Section 4.3",
    _points_rejected,
    _render_rejected,
    _rejected_command,
)
