# SPDX-License-Identifier: GPL-2.0-only
"""
Fault matrix: every protocol over every network under every fault, with the same pattern and the same audit.

A cell is one run of `reliability`, which compares the protocol's promise with the audit. Networks differ in speed by
orders of magnitude. Times of faults are therefore multiples of times without faults: of the network's mean latency of
one message of each node without a protocol, or of the pair's duration of a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from relnet import plots
from relnet.catalog.lookup import describe
from relnet.catalog.scenario import Scenario
from relnet.names import fold, select
from relnet.records.files import write_frame
from relnet.runs.pairs import check_settings, designs
from relnet.runs.single import make_task
from relnet.runs.sweeps import sweep_points
from relnet.runs.verdicts import BROKEN, KEPT, NOTHING, UNDECIDED, cause, exit_status, judge

SCENARIO = "reliability"
PATTERN = {"Pattern": "uniform", "Nodes": 4, "Size": 256, "Messages": 20}
"""Traffic of all cells: each of four nodes sends 20 messages to random others, several at a time."""
QUICK = {"Messages": 5, "network": "csma,wormhole"}
"""Parameters of a quick matrix."""
CALM_LIMIT = "10s"
"""Time limit of a run without faults, in simulated time."""
PATIENCE = 50
"""Time limit of a run with faults, as a multiple of the duration without faults ..."""
PATIENCE_LATENCIES = 200_000
"""... and its minimum in latencies: 49 times the longest timeout of all, 64 times the 32 round trips of EQA."""
PATIENCES = {"sbcast": 2_000_000, "ppbcast": 2_000_000}
"""The same minimum for protocols whose timeouts remain long once doubled."""
STAGGERED = {name: {"protocol.NackStagger": "1ms"} for name in ("p0", "p1", "pcode")}
"""Parameters of protocols in all cells. Without a stagger the NACKs of paper 3's nodes stay in step. If they collide or
find the port busy, none ever arrives."""
IN_STEP = frozenset({"ring", "graph", "window"})
"""Protocols without randomness in their repetitions: a loss of every n-th frame may hit the same one for ever."""
LEAST_LIMIT = 0.01
"""Minimum time limit [s]."""
LEAST_LIMITS = {"tcp": 10000.0}
"""
The same for protocols with absolute timers [s]. TCP's timeout is 200 ms, doubled by each loss: it gives a segment up
after 15 of them, and 80 messages under heavy loss take many minutes.
"""
REFUSAL = "The protocol refuses "
"""Beginning of the error of a run whose messages are too long for the protocol, or for more receivers than it takes."""
_COLOURS = {
    "exact": "#009E73",
    "duplicates": "#56B4E9",
    "reorders": "#9ad0f0",
    "loses": "#E69F00",
    "corrupts": "#CC79A7",
    "miscompletes": "#a0522d",
    "gives up": "#b0b000",
    "hangs": "#8c6d1f",
    "undecided": "#6b4c9a",
    "fails": "#5B5B5B",
    "refused": "#e8e8e8",
}
"""Colours of verdicts; of several verdicts, the last one listed here determines the colour."""
PARTIAL = ("loses", "gives up", "hangs", "undecided", "fails")
"""Verdicts of runs that did not deliver every message: their costs are those of the messages that arrived."""
_RED = "#c00000"
_HATCH = "////"


@dataclass(frozen=True)
class Calm:
    """
    Measurements of a pair without faults.

    Attributes
    ----------
    latency : float
        Mean latency of one message of each node over the network without a protocol [us].
    time : float
        Duration of the pair's run [us].
    tick : float
        Length of a tick [us].
    nodes : int
        Number of nodes.
    """

    latency: float
    time: float
    tick: float
    nodes: int

    def ticks(self, latencies: float) -> int:
        """Convert a number of latencies to ticks."""
        return max(1, round(latencies * self.latency / self.tick))


def _us(time: float) -> str:
    return f"{max(1, round(1000 * time))}ns"


FAULTS: dict[str, tuple[str, Callable[[Calm], dict[str, Any]]]] = {
    "none": ("no fault", lambda calm: {}),
    "loss": ("a tenth of the frames is lost", lambda calm: {"Loss": 0.1}),
    "heavy-loss": ("half of the frames are lost", lambda calm: {"Loss": 0.5}),
    "periodic": ("every fifth frame is lost", lambda calm: {"LossPeriod": 5}),
    "bursts": ("losses in bursts of five frames", lambda calm: {"BurstBegin": 0.03, "BurstEnd": 0.2}),
    "caught": ("a tenth is corrupted and dropped by the checksum", lambda calm: {"Corruption": 0.1}),
    "uncaught": ("a tenth is corrupted unnoticed", lambda calm: {"Corruption": 0.1, "Uncaught": 1.0}),
    "duplication": (
        "a fifth arrives a second time, up to two latencies later",
        lambda calm: {"Duplication": 0.2, "ReorderBound": calm.ticks(2)},
    ),
    "reordering": (
        "three tenths are delayed by up to two latencies",
        lambda calm: {"Reordering": 0.3, "ReorderBound": calm.ticks(2)},
    ),
    "link-outages": (
        "each link is down for a fifth of the time",
        lambda calm: {"LinkUpTime": _us(calm.time / 4), "LinkDownTime": _us(calm.time / 16)},
    ),
    "node-outages": (
        "each node is down for a fifth of the time",
        lambda calm: {"NodeUpTime": _us(calm.time / 4), "NodeDownTime": _us(calm.time / 16)},
    ),
    "slow-receivers": (
        "half of the nodes need two latencies for a frame and queue two",
        lambda calm: {"SlowReceivers": calm.nodes // 2, "SlowTime": _us(2 * calm.latency), "SlowQueue": 2},
    ),
    "all": (
        "loss, bursts, caught corruption, duplication and reordering together",
        lambda calm: {
            "Loss": 0.05,
            "BurstBegin": 0.01,
            "BurstEnd": 0.2,
            "Corruption": 0.05,
            "Duplication": 0.1,
            "Reordering": 0.1,
            "ReorderBound": calm.ticks(2),
        },
    ),
}
"""Faults by name: description, and parameters for a pair."""


@dataclass(frozen=True)
class _Pair:
    """A network and a protocol, with the design if the protocol has several, and the reason of a refusal."""

    network: str
    protocol: str
    design: str
    settings: Mapping[str, Any]
    refusal: str = ""

    @property
    def row(self) -> str:
        return f"{self.protocol} {self.design}".rstrip()


def _candidates(scenario: Scenario, networks: Sequence[str], protocols: Sequence[str]) -> list[_Pair]:
    """All pairs; a protocol with a parameter Design has one for each design."""
    by_prefix = {part.prefix: part for part in scenario.parts}
    pairs = []
    for network in networks:
        for protocol in protocols:
            choice = by_prefix["protocol"].named(protocol)
            for chosen in designs(choice):
                settings = {"Network": network, "Protocol": protocol, **STAGGERED.get(protocol, {})}
                if chosen:
                    settings["protocol.Design"] = chosen
                pairs.append(_Pair(network, protocol, chosen, settings))
    return pairs


def choose_names(scenario: Scenario, prefix: str, wanted: str | None) -> list[str]:
    """The names of a comma-separated list of choices, or of all choices."""
    names = [one.name for part in scenario.parts if part.prefix == prefix for one in part.choices]
    return select(prefix, names, wanted)


def _join(scenario: Scenario, pairs: Sequence[_Pair], traffic: Mapping[str, Any]) -> list[_Pair]:
    """
    Check which pairs are valid: unchanged, with two nodes, or with broadcasts emulated by unicasts.

    A pair that is valid in none of these ways has the reason of the first.
    """
    ways = ({}, {"Nodes": 2}, {"EmulateBroadcast": True}, {"Nodes": 2, "EmulateBroadcast": True})
    tried = [(pair, {**traffic, **pair.settings, **way}) for pair in pairs for way in ways]
    reasons = iter(check_settings(scenario, [settings for _, settings in tried]))
    found = []
    for pair in pairs:
        told = [next(reasons) for _ in ways]
        way = next((way for way, reason in zip(ways, told, strict=True) if not reason), {})
        refusal = told[0] if all(told) else ""
        found.append(_Pair(pair.network, pair.protocol, pair.design, {**traffic, **pair.settings, **way}, refusal))
    return found


def _runs(
    scenario: Scenario, points: Sequence[tuple[dict[str, Any], int]], title: str, options: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Results of runs in the given order; for one without results, the verdict `error` and the reason."""
    if not points:
        return []
    frame = sweep_points(scenario, points, title, **options)
    failures = iter(frame.attrs["failures"])
    found = []
    for row in frame.to_dict("records"):
        if not isinstance(row.get("Verdict"), str):
            _, refused, reason = (told := next(failures)).partition(" was refused: ")
            outcome = "refused" if refused or REFUSAL in told else "fails"
            row = {"Verdict": "error", "Outcome": outcome, "Promise": "", "VerdictReason": reason or told}
        found.append(row)
    return found


def measure(
    given: Mapping[str, Any] | None = None,
    seed: int = 1,
    *,
    jobs: Any = None,
    cache: bool = True,
    show: bool | None = None,
) -> pd.DataFrame:
    """
    Run the matrix.

    Parameters
    ----------
    given : mapping of str to object, optional
        Parameters of the scenario for all cells, such as `Messages=5`; `network`, `protocol` and `fault` may be
        comma-separated lists of names to run.
    seed : int
        Seed of all cells.
    jobs, cache, show
        As `jobs`, `cache` and `progress` of `relnet.sweep`.

    Returns
    -------
    pandas.DataFrame
        One row per cell: `network`, `protocol`, `fault`, `verdict`, `promise`, `promise is` (`kept`, `broken`,
        `undecided` or `nothing promised`), `reason`, costs, costs relative to no faults, the parts of the latency
        (`plots.PARTS`, in us), `seed` and the `command` that repeats it.
    """
    scenario = describe(SCENARIO)
    values = {_spelled(scenario, name): value for name, value in (given or {}).items()}
    lists = {name: values.pop(_spelled(scenario, name), None) for name in ("network", "protocol", "fault")}
    networks, protocols = (choose_names(scenario, prefix, lists[prefix]) for prefix in ("network", "protocol"))
    faults = select("fault", list(FAULTS), lists["fault"])
    traffic = PATTERN | values
    pairs = _join(scenario, _candidates(scenario, networks, protocols), traffic)
    bare = _join(scenario, _candidates(scenario, networks, ["none"]), traffic | {"Messages": 1})
    options = {"jobs": jobs, "cache": cache, "progress": show}
    joined = [pair for pair in (*bare, *pairs) if not pair.refusal]
    points = [(_limited(pair, CALM_LIMIT), seed) for pair in joined]
    calm = dict(zip(map(id, joined), _runs(scenario, points, "matrix, without faults", options), strict=True))
    alone = {pair.network: calm[id(pair)] for pair in bare if not pair.refusal}
    cells = [(pair, fault, _settings(pair, fault, alone, calm)) for pair in pairs for fault in faults]
    points = [(settings, seed) for _, fault, settings in cells if settings and fault != "none"]
    found = iter(_runs(scenario, points, "matrix", options))
    rows = []
    for pair, fault, settings in cells:
        if not settings:
            rows.append(_refused(pair, fault, seed))
        else:
            quiet = calm[id(pair)]
            run = quiet if fault == "none" else next(found)
            rows.append(_row(scenario, pair, fault, settings, seed, run, quiet))
    return pd.DataFrame(rows)


def time_limit(protocol: str, time: float, latency: float) -> str:
    """Time limit of a run with faults, from the duration without faults and a latency [us]."""
    seconds = max(PATIENCE * time, PATIENCES.get(protocol, PATIENCE_LATENCIES) * latency) / 1e6
    return f"{math.ceil(1000 * max(seconds, LEAST_LIMITS.get(protocol, LEAST_LIMIT)))}ms"


def _spelled(scenario: Scenario, name: str) -> str:
    """The name of a parameter as the scenario spells it; the name itself if it has no such parameter."""
    return next((one.name for one in scenario.parameters if fold(one.name) == fold(name)), name)


def _limited(pair: _Pair, limit: str) -> dict[str, Any]:
    """Parameters of a pair, with a time limit unless one is given for all cells."""
    return {"TimeLimit": limit} | dict(pair.settings)


def _settings(
    pair: _Pair, fault: str, alone: Mapping[str, Mapping[str, Any]], calm: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Parameters of a cell; empty for a refused pair, or a fault that the protocol cannot be expected to tolerate."""
    if pair.refusal or (fault == "periodic" and pair.protocol in IN_STEP):
        return {}
    bare, quiet = alone[pair.network], calm[id(pair)]
    times = (bare.get("Latency"), quiet.get("Time"))
    if fault == "none" or any(map(pd.isna, times)):
        return _limited(pair, CALM_LIMIT)
    known = Calm(*times, quiet["Tick"], int(pair.settings["Nodes"]))
    limit = time_limit(pair.protocol, known.time, known.latency)
    return {**_limited(pair, limit), **FAULTS[fault][1](known)}


def waste_text(run: Mapping[str, Any]) -> str:
    """A sentence on a run without losses that waited or repeated frames, unless its protocol declares that."""
    if not run.get("CalmWaste"):
        return ""
    return (
        f"Nothing was lost, but messages waited {run['TimerWait']:g} us for timers, and {run['FramesRepeated']:.0f} "
        "frames were sent again."
    )


def _refused(pair: _Pair, fault: str, seed: int) -> dict[str, Any]:
    head = {"network": pair.network, "protocol": pair.row, "fault": fault, "verdict": "refused", "promise": ""}
    reason = pair.refusal or "Its repetitions are not random: periodic losses may hit the same frame for ever."
    return {**head, "promise is": NOTHING, "reason": reason, "seed": seed, "command": ""}


def _row(
    scenario: Scenario,
    pair: _Pair,
    fault: str,
    settings: Mapping[str, Any],
    seed: int,
    run: Mapping[str, Any],
    calm: Mapping[str, Any],
) -> dict[str, Any]:
    def ratio(name: str) -> float:
        return run[name] / calm[name] if run.get("Delivered") and calm.get(name) else math.nan

    waste = waste_text(run)
    return {
        "network": pair.network,
        "protocol": pair.row,
        "fault": fault,
        "verdict": run["Outcome"],
        "promise": run["Promise"],
        "promise is": BROKEN if waste else judge(run),
        "reason": waste or run.get("VerdictReason", ""),
        "packets a message": run.get("FramesPerMessage", math.nan),
        "bytes a message": run.get("BytesPerMessage", math.nan),
        "memory [bytes]": run.get("Memory", math.nan),
        "latency [us]": run.get("Latency", math.nan),
        "latency / calm": ratio("Latency"),
        "goodput [MB/s]": run.get("Goodput", math.nan),
        "goodput / calm": ratio("Goodput"),
        "timer wait [us]": run.get("TimerWait", math.nan),
        "frames repeated": run.get("FramesRepeated", math.nan),
        "when calm": run.get("WhenCalm", ""),
        **{part: run.get(part, math.nan) for part in plots.PARTS},
        "seed": seed,
        "command": make_task(*scenario.bind(settings), seed).command,
    }


_LETTERS = {
    "exact": "=",
    "loses": "L",
    "duplicates": "D",
    "reorders": "R",
    "corrupts": "C",
    "miscompletes": "M",
    "gives up": "G",
    "hangs": "H",
    "undecided": "U",
    "fails": "F",
    "refused": "-",
}


def grid_text(frame: pd.DataFrame) -> str:
    """Format the verdicts as letters, one grid per fault."""
    parts = []
    width = frame["protocol"].str.len().max() + 2
    for fault, cells in frame.groupby("fault", sort=False):
        networks = list(cells["network"].unique())
        lines = [f"{fault}: {FAULTS[fault][0]}", " " * width + "  ".join(networks)]
        for protocol, row in cells.groupby("protocol", sort=False):
            shown = []
            for cell in row.to_dict("records"):
                letters = "".join(_LETTERS[word] for word in cell["verdict"].split(", "))
                letters += "!" if cell["promise is"] == BROKEN else ""
                shown.append(f"{letters:<{len(cell['network'])}}")
            lines.append(f"{protocol:<{width}}{'  '.join(shown)}".rstrip())
        parts.append("\n".join(lines))
    legend = ", ".join(f"{letter} {word}" for word, letter in _LETTERS.items())
    return "\n\n".join([*parts, f"{legend}, ! a broken promise"])


def broken(frame: pd.DataFrame) -> list[str]:
    """One sentence for all broken promises of a pair with the same cause, with the command that repeats the first."""
    return [
        f"{row.protocol} over {row.network} with {faults} promises {row.promise or 'to run'} and {row.verdict}: "
        f"{row.reason.rstrip('.')}. Repeat it with: {row.command}"
        for row, faults in _by_cause(frame[(frame["promise is"] == BROKEN) | (frame["verdict"] == "fails")])
    ]


def undecided(frame: pd.DataFrame) -> list[str]:
    """One sentence for all cells of a pair whose runs reached a limit for the same cause, with a command."""
    return [
        f"{row.protocol} over {row.network} with {faults} is undecided: {row.reason.rstrip('.')}. "
        f"Repeat it with: {row.command}"
        for row, faults in _by_cause(frame[frame["promise is"] == UNDECIDED])
    ]


def _by_cause(cells: pd.DataFrame) -> list[tuple[Any, str]]:
    """The first cell of each protocol, network and cause, and the faults of all of its cells."""
    groups: dict[tuple[str, ...], list[Any]] = {}
    for row in cells.itertuples():
        groups.setdefault((row.protocol, row.network, cause(row.reason)), []).append(row)
    return [(rows[0], ", ".join(row.fault for row in rows)) for rows in groups.values()]


def status(frame: pd.DataFrame) -> int:
    """The exit status of a matrix."""
    return exit_status(frame["promise is"], failed=bool((frame["verdict"] == "fails").any()))


def text(frame: pd.DataFrame) -> list[str]:
    """Paragraphs that summarise a matrix."""
    run = frame[frame["verdict"] != "refused"]
    counts = frame["promise is"].value_counts()
    exact = (run["verdict"] == "exact").sum()
    told = [
        f"{len(frame)} cells: {frame['protocol'].nunique()} protocols over {frame['network'].nunique()} networks under "
        f"{frame['fault'].nunique()} faults. {len(run)} were run and {len(frame) - len(run)} refused with a reason. "
        f"{exact} delivered every message once, in order and intact.",
        f"Promises: kept in {counts.get(KEPT, 0)} cells, broken in {counts.get(BROKEN, 0)}; "
        f"{counts.get(UNDECIDED, 0)} cells are undecided, since their runs reached a limit; in "
        f"{(run['promise is'] == NOTHING).sum()} of the cells run, the protocol promises nothing. No protocol detects "
        "corruption that the network's checksum misses, since none has its own checksum.",
        "The protocols of paper 3 run with NackStagger=1ms. Without it their NACKs stay in step; if they collide or "
        "find the port busy, none ever arrives.",
        _calm_text(frame),
        "Faults: " + "; ".join(f"{name}, {FAULTS[name][0]}" for name in frame["fault"].unique()) + ".",
    ]
    return [paragraph for paragraph in told if paragraph] + broken(frame) + undecided(frame)


def _calm_text(frame: pd.DataFrame) -> str:
    """A paragraph on the waits and repetitions of cells without faults; empty if there are no such cells."""
    calm = frame[(frame["fault"] == "none") & (frame["verdict"] != "refused")]
    if calm.empty:
        return ""
    waits, repeats = calm["timer wait [us]"] > 0, calm["frames repeated"] > 0
    declared = ", ".join(calm[calm["when calm"] != ""]["protocol"].unique())
    return (
        f"Without faults, messages waited for timers in {waits.sum()} of {len(calm)} cells, and frames were sent again "
        f"in {repeats.sum()}. Where nothing was lost, that breaks a promise, unless the protocol declares it and its "
        f"page states the reason ({declared or 'none here'})."
    )


def _grids(frame: pd.DataFrame, title: str) -> tuple[Figure, list[tuple[Any, pd.DataFrame]]]:
    """Make a figure with one panel per fault, and the cells of each; protocols downwards, networks across."""
    faults = list(frame["fault"].unique())
    protocols, networks = list(frame["protocol"].unique()), list(frame["network"].unique())
    columns = min(5, len(faults))
    rows = math.ceil(len(faults) / columns)
    height = 0.16 * len(protocols) + 0.9
    figure, axes = plots.panels(rows, columns, width=12.5, height=height)
    panels = [panel for line in axes for panel in line]
    for panel in panels[len(faults) :]:
        panel.set_visible(False)
    found = []
    for place, (panel, fault) in enumerate(zip(panels, faults, strict=False)):
        panel.set_title(fault, fontsize=8)
        panel.grid(visible=False)
        panel.set_xticks(range(len(networks)), networks, rotation=90, fontsize=6)
        panel.set_yticks(range(len(protocols)), protocols if place % columns == 0 else [""] * len(protocols))
        panel.tick_params(labelsize=6, length=0)
        panel.set_xlim(-0.5, len(networks) - 0.5)
        panel.set_ylim(len(protocols) - 0.5, -0.5)
        cells = frame[frame["fault"] == fault].copy()
        cells["x"] = cells["network"].map(networks.index)
        cells["y"] = cells["protocol"].map(protocols.index)
        found.append((panel, cells))
    figure.suptitle(title, fontsize=9.5, fontweight="bold")
    return figure, found


def verdict_figure(frame: pd.DataFrame) -> Figure:
    """Draw the verdicts as colours; a broken promise has a red frame and a cross."""
    with plots.style():
        figure, panels = _grids(frame, "Verdicts")
        for panel, cells in panels:
            for row in cells.itertuples():
                seen = [name for name in _COLOURS if name in row.verdict]
                panel.add_patch(_square(row.x, row.y, facecolor=_COLOURS[seen[-1]], edgecolor="white", linewidth=0.5))
            red = cells[cells["promise is"] == BROKEN]
            for row in red.itertuples():
                panel.add_patch(_square(row.x, row.y, fill=False, edgecolor=_RED, linewidth=1.4))
            panel.plot(red["x"], red["y"], "x", color=_RED, markersize=4)
        names = [name for name in _COLOURS if frame["verdict"].str.contains(name).any()]
        handles = [Patch(facecolor=_COLOURS[name], label=name) for name in names]
        handles.append(Patch(facecolor="none", edgecolor=_RED, label="promise broken"))
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _square(x: float, y: float, **style: Any) -> Rectangle:
    """A cell of a heat map."""
    return Rectangle((x - 0.5, y - 0.5), 1, 1, **style)


def cost_figure(frame: pd.DataFrame, column: str, title: str) -> Figure:
    """Draw a cost of the cells that delivered messages, on a logarithmic scale; `PARTIAL` ones are hatched."""
    with plots.style():
        figure, panels = _grids(frame, title)
        known = frame[column][frame[column] > 0]
        scale = LogNorm(known.min(), max(known.max(), 1.01 * known.min())) if len(known) else None
        image = None
        for panel, cells in panels:
            table = cells.pivot(index="y", columns="x", values=column)
            table = table.reindex(range(frame["protocol"].nunique())).reindex(columns=range(frame["network"].nunique()))
            image = panel.imshow(
                table.where(table > 0).to_numpy(dtype=float), norm=scale, cmap="viridis", aspect="auto"
            )
            panel.set_facecolor(_COLOURS["refused"])
            for row in cells[(cells[column] > 0) & cells["verdict"].map(_partial)].itertuples():
                panel.add_patch(_square(row.x, row.y, fill=False, edgecolor="white", linewidth=0, hatch=_HATCH))
        if scale is not None:
            figure.colorbar(image, ax=[panel for panel, _ in panels], shrink=0.6, pad=0.01)
        if frame["verdict"].map(_partial).any():
            hatched = Patch(facecolor="#555555", edgecolor="white", linewidth=0, hatch=_HATCH)
            figure.legend(handles=[hatched], labels=["not every message was delivered"], loc="outside lower center")
    return figure


def _partial(verdict: str) -> bool:
    """Whether a run with these verdicts did not deliver every message."""
    return any(name in verdict for name in PARTIAL)


def parts_figure(frame: pd.DataFrame, fault: str) -> Figure:
    """Draw the parts of the mean latency under a fault: a panel for each network, a bar for each protocol."""
    cells = frame[(frame["fault"] == fault) & frame[list(plots.PARTS)].notna().all(axis=1)]
    networks = list(cells["network"].unique())
    columns = min(3, max(1, len(networks)))
    rows = max(1, math.ceil(len(networks) / columns))
    height = 0.16 * max(1, frame["protocol"].nunique()) + 0.8
    with plots.style():
        figure, axes = plots.panels(rows, columns, width=12.5, height=height)
        panels = [panel for line in axes for panel in line]
        for panel in panels[len(networks) :]:
            panel.set_visible(False)
        for panel, network in zip(panels, networks, strict=False):
            plots.breakdown(cells[cells["network"] == network], "protocol", panel, shares=True)
            panel.set_title(network)
            panel.tick_params(axis="y", labelsize=6.5, length=0)
        if networks:
            plots.legend_above(figure, panels[0])
    return figure


COSTS = {
    "goodput [MB/s]": ("goodput", "Goodput [MB/s], on one scale"),
    "latency [us]": ("latency", "Mean latency [us], on one scale"),
    "packets a message": ("packets", "Packets for each message delivered"),
}
"""Costs with a heat map: name and title."""

DIVIDED = {"none": "Parts of the latency without faults", "loss": "Parts of the latency, a tenth of the frames lost"}
"""Faults with a figure of the parts of the latency: its title."""


FILE = "matrix"
"""Stem of the table's file; those of the figures begin with it."""


def save(frame: pd.DataFrame, folder: Path, sources: str = "") -> dict[str, str]:
    """
    Write the table and the figures of a matrix.

    Parameters
    ----------
    frame : pandas.DataFrame
        The matrix.
    folder : pathlib.Path
        Folder of the table and of the figures of verdicts, `COSTS` and `DIVIDED`.
    sources : str
        Origin of the numbers, printed below each figure.

    Returns
    -------
    dict of str to str
        Titles of the figures, by the stem of their files; first the verdicts.
    """
    write_frame(frame, folder / f"{FILE}.csv")
    figures = {"verdicts": ("Verdicts", verdict_figure(frame))}
    figures |= {name: (title, cost_figure(frame, column, title)) for column, (name, title) in COSTS.items()}
    faults = [fault for fault in DIVIDED if fault in set(frame["fault"])]
    figures |= {f"parts-{fault}": (DIVIDED[fault], parts_figure(frame, fault)) for fault in faults}
    for name, (_, figure) in figures.items():
        plots.sign(figure, sources)
        plots.save(figure, folder / f"{FILE}-{name}")
    return {f"{FILE}-{name}": title for name, (title, _) in figures.items()}


def cells(frame: pd.DataFrame) -> dict[str, Any]:
    """
    The cells of a matrix for a page that shows one fault at a time.

    Parameters
    ----------
    frame : pandas.DataFrame
        The matrix.

    Returns
    -------
    dict
        Names of `protocols` and `networks`; `faults` with their meaning; `colours` of verdicts; `partial`, the verdicts
        of runs that did not deliver every message; names of `costs`; and `cells`: places of protocol, network and
        fault, verdict, whether a promise is broken, costs, and the command that repeats the run or the reason of a
        refusal.
    """
    protocols, networks, faults = (list(frame[name].unique()) for name in ("protocol", "network", "fault"))
    rows = []
    for row in frame.to_dict("records"):
        seen = [name for name in _COLOURS if name in row["verdict"]]
        place = [protocols.index(row["protocol"]), networks.index(row["network"]), faults.index(row["fault"])]
        costs = [float(f"{row[name]:.4g}") if pd.notna(row[name]) else None for name in COSTS]
        told = row["command"] or row["reason"]
        rows.append([*place, row["verdict"], seen[-1], row["promise is"] == BROKEN, *costs, told])
    return {
        "protocols": protocols,
        "networks": networks,
        "faults": [[name, FAULTS[name][0]] for name in faults],
        "colours": _COLOURS,
        "partial": list(PARTIAL),
        "costs": list(COSTS),
        "cells": rows,
    }
