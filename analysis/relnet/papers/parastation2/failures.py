# SPDX-License-Identifier: GPL-2.0-only
"""Claims without published measurements: all protocols under the four failures of section 2, and under their mix."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from relnet import plots
from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import pick
from relnet.papers.parastation2 import setup
from relnet.papers.parastation2.setup import LARGE, PACKET, PROTOCOLS, RELIABLE

THROUGHPUT = "Throughput"
"""Result: rate of delivered payload."""

LOSSES = (0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
"""Probabilities of packet loss."""

READINGS = {
    "ParaStation2, prose (3.4)": {"protocol": "parastation2"},
    "ParaStation2, table 1": {"protocol": "parastation2", "highack": "table"},
    "ParaStation2, NACK for low (3.3)": {"protocol": "parastation2", "lowsequence": "nack"},
    "AM-II": {"protocol": "am2"},
    "VMMC-2": {"protocol": "vmmc2"},
}
"""Protocols that repair losses; ParaStation2 in the readings of A-amb-2 and A-amb-3."""

KINDS = ("all", "data", "control")
"""Kinds of lost packets."""

_STREAM = {"pattern": "stream", "size": PACKET, "messagewindow": 32}


def _points_loss(scale: Scale) -> list[Point]:
    losses = LOSSES[::3] if scale.quick else LOSSES
    rounds = 400 if scale.quick else 2000
    return [
        setup.point(seed, 1 + 10 * loss, **values, **_STREAM, rounds=rounds, lossof=kind, loss=loss)
        for values in READINGS.values()
        for kind in KINDS
        for loss in losses
        for seed in setup.seeds(scale, 3)
    ]


def _of(frame: pd.DataFrame, values: dict[str, Any]) -> pd.DataFrame:
    """Runs of a reading: those with its values, and otherwise with defaults."""
    chosen = frame
    for name in ("protocol", "highack", "lowsequence"):
        chosen = chosen[chosen[name] == values[name]] if name in values else chosen[chosen[name].isna()]
    return chosen


def _figure_loss(table: pd.DataFrame) -> Figure:
    titles = {"all": "loss of any packets", "data": "loss of data packets", "control": "loss of control packets"}
    with plots.style():
        figure, axes = plots.panels(1, 3, width=10, height=3.2)
        for panel, (kind, title) in zip(axes[0], titles.items(), strict=True):
            for index, name in enumerate(READINGS):
                rows = pick(table, reading=name, lost=kind)
                colour = plots.COLOURS[index % len(plots.COLOURS)]
                panel.plot(rows["loss"], rows["mean"], color=colour, marker=plots.MARKERS[index], label=name)
                panel.fill_between(rows["loss"], rows["min"], rows["max"], color=colour, alpha=0.15, linewidth=0)
            panel.set_title(title)
            panel.set_xlabel("probability of loss")
            plots.from_zero(panel)
        axes[0][0].set_ylabel("goodput [MByte/s]")
        plots.legend_above(figure, axes[0][0])
    return figure


def _render_loss(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = []
    for name, values in READINGS.items():
        for (kind, loss), runs in _of(frame, values).groupby(["lossof", "loss"], sort=False):
            rows.append(
                {
                    "reading": name,
                    "lost": kind,
                    "loss": loss,
                    "mean": runs[THROUGHPUT].mean(),
                    "min": runs[THROUGHPUT].min(),
                    "max": runs[THROUGHPUT].max(),
                    "sent again": runs["Retransmissions"].mean() / runs["Posted"].mean(),
                    "sound": bool((runs["Outcome"] == "sound").all()),
                }
            )
    table = pd.DataFrame(rows)
    shown = table.pivot_table(index=["lost", "loss"], columns="reading", values="mean", sort=False).reset_index()
    shown = shown[["lost", "loss", *READINGS]].round(1)
    own = table[table["reading"].str.startswith("ParaStation2")]
    default = pick(table, reading=next(iter(READINGS)))
    half = {
        kind: pick(default, lost=kind).set_index("loss")["mean"].rsub(pick(default, lost=kind)["mean"].iloc[0] / 2)
        for kind in KINDS
    }
    told = []
    for kind, gap in half.items():
        below = gap[gap > 0]
        told.append(f"{kind}: {'beyond ' + str(gap.index[-1]) if not len(below) else 'at ' + str(below.index[0])}")
    text = (
        f"{int(own['sound'].sum())} of {len(own)} settings of ParaStation2, with losses up to "
        f"{table['loss'].max():.0%}, deliver every message once, in order and intact, in all readings.",
        f"Losses at which goodput falls below half of that without loss, by kind of lost packets: {'; '.join(told)}. "
        "A NACK requests a lost data packet at once, but not a lost ACK. An ACK names one packet, so the window does "
        "not advance until the packet's timer fires, as section 3.4 describes. In the reading of section 3.3, a NACK "
        "answers every unexpected number. It gives the sender the position of the receiver, and thus repairs lost ACKs "
        "without the timer.",
    )
    held = bool(own["sound"].all())
    findings = {
        "A-26-loss": Finding(held, scale=not scale.quick),
    }
    return Outcome(table, _figure_loss(table), shown, text, findings)


FAILURES: dict[str, tuple[dict[str, Any], ...]] = {
    "1 corruption": tuple({"corruption": rate} for rate in (1e-7, 1e-6, 1e-5)),
    "2 slow hosts": tuple(
        {"hoststallrate": 300, "hoststalllength": length, "receivering": 4, "hostbuffers": 4}
        for length in ("200us", "1ms", "5ms")
    ),
    "3 timeout": tuple(
        {"stallrate": 2, "stalllength": length, "timeout": "62.5ms"} for length in ("50ms", "100ms", "300ms")
    ),
    "4 overwrite": tuple(
        {"stallrate": 200, "stalllength": length, "overwrite": 0.5, "overwritedamage": 0.2}
        for length in ("50us", "200us", "1ms")
    ),
    "4 stall": tuple(
        {"stallrate": 200, "stalllength": length, "stopwhilepending": "false"} for length in ("50us", "200us", "1ms")
    ),
    "control packets lost": tuple({"loss": loss, "lossof": "control"} for loss in (0.001, 0.01, 0.1)),
    "mix": tuple(
        {
            "corruption": 1e-6,
            "hoststallrate": 200,
            "hoststalllength": "500us",
            "receivering": 6,
            "hostbuffers": 4,
            "stallrate": 200,
            "stalllength": length,
            "timeout": "62.5ms",
            "stopwhilepending": "false",
        }
        for length in ("50us", "200us", "1ms")
    ),
}
"""
Failures of section 2, each with three rates or lengths of stalls. The fourth has two models: a pending packet is lost
with a probability, or a receiver that stalls sends no STOP, so that arriving packets overwrite one another. The mix has
the second, which needs no probability.
"""

PATTERNS = {
    "stream": {"pattern": "stream", "size": PACKET, "rounds": 1000, "messagewindow": 32},
    "all to all": {"pattern": "alltoall", "nodes": 4, "size": 8000, "rounds": 30},
}
"""Traffic during the failures."""


LEVELS = ("low", "middle", "high")
"""Labels of the three levels of a failure."""


def _plan(scale: Scale) -> list[tuple[dict[str, Any], Point]]:
    plan = []
    for failure, levels in FAILURES.items():
        for level, values in zip(LEVELS, levels, strict=True):
            for protocol in PROTOCOLS:
                for pattern, sent in PATTERNS.items():
                    rounds = {"rounds": sent["rounds"] // (5 if scale.quick else 1)}
                    for seed in setup.seeds(scale, 3):
                        label = {"failure": failure, "level": level, "protocol": protocol, "pattern": pattern}
                        parameters = {"protocol": protocol, **sent, **values, **rounds}
                        plan.append((label, Point(parameters, seed, 2.0)))
    return plan


CALM = {"protocol": "parastation2", "pattern": "alltoall", "nodes": 8, "size": LARGE, "rounds": 20}
"""Runs without faults or stalls: eight hosts send to one another."""


def _calm_points(scale: Scale) -> list[Point]:
    return [setup.point(seed, **CALM) for seed in setup.seeds(scale, 3)]


def _points_failures(scale: Scale) -> list[Point]:
    return [*(point for _, point in _plan(scale)), *_calm_points(scale)]


def _causes(runs: pd.DataFrame) -> dict[str, int]:
    """Packets lost or rejected, by the source of section 2; those damaged in a stall have a wrong CRC, too."""
    counts = {
        "crc": runs["CrcDrops"] - runs["OverwriteDamages"],
        "buffer": runs["BufferDrops"] + runs["Shortages"],
        "nres": runs["NresDrops"],
        "overwrite": runs["OverwriteDrops"] + runs["OverwriteDamages"],
    }
    return {cause: int(count.sum()) for cause, count in counts.items()}


def _outcomes(runs: pd.DataFrame) -> str:
    """Violations in any of the runs, each name once."""
    names = dict.fromkeys(name for outcome in runs["Outcome"] for name in str(outcome).split("+"))
    wrong = [name for name in names if name != "sound"]
    return ", ".join(wrong) or "sound"


def _wrong(outcomes: pd.Series) -> str:
    """Violations in several outcomes, each name once."""
    return ", ".join(sorted({name for cell in outcomes for name in cell.split(", ")} - {"sound"})) or "-"


LETTERS = {
    "lost": "L",
    "duplicated": "D",
    "corrupted": "C",
    "reordered": "R",
    "hung": "H",
    "deadlocked": "B",
    "unfinished": "U",
}
"""Labels of violations in the figure."""


def _figure_failures(table: pd.DataFrame) -> Figure:
    columns = [(failure, level) for failure in FAILURES for level in LEVELS]
    with plots.style():
        figure, axes = plots.panels(1, 1, width=10, height=3.6)
        panel = axes[0][0]
        for y, protocol in enumerate(PROTOCOLS):
            for x, (failure, level) in enumerate(columns):
                runs = pick(table, protocol=protocol, failure=failure, level=level)
                wrong = dict.fromkeys(name for cell in runs["outcome"] for name in cell.split(", ") if name != "sound")
                colour = "#d3eee3" if not wrong else "#fbe0cf"
                panel.add_patch(Rectangle((x - 0.47, y - 0.44), 0.94, 0.88, color=colour))
                text = "".join(LETTERS.get(name, "?") for name in wrong)
                panel.text(x, y, text, ha="center", va="center", fontsize=9)
        panel.set_xlim(-0.6, len(columns) - 0.4)
        panel.set_ylim(len(PROTOCOLS) - 0.4, -0.6)
        panel.set_yticks(range(len(PROTOCOLS)), list(PROTOCOLS.values()))
        panel.set_xticks([3 * index + 1 for index in range(len(FAILURES))], list(FAILURES))
        panel.grid(visible=False)
        panel.set_title(", ".join(f"{letter} {name}" for name, letter in LETTERS.items()), fontsize=9)
    return figure


def _render_failures(scale: Scale, frame: pd.DataFrame) -> Outcome:
    labels = pd.DataFrame([label for label, _ in _plan(scale)])
    calm = _causes(frame.iloc[len(labels) :])
    frame = frame.iloc[: len(labels)].drop(columns=["protocol", "pattern"]).reset_index(drop=True)
    runs = pd.concat([labels, frame], axis=1)
    rows = []
    for (failure, level, protocol, pattern), same in runs.groupby(
        ["failure", "level", "protocol", "pattern"], sort=False
    ):
        posted = same["Posted"].sum()
        rows.append(
            {
                "failure": failure,
                "level": level,
                "protocol": protocol,
                "pattern": pattern,
                "outcome": _outcomes(same),
                "lost": int(same["Lost"].sum()),
                "stuck": int(same["Stuck"].sum()),
                "duplicates": int(same["Duplicates"].sum()),
                "misordered": int(same["Misordered"].sum()),
                "posted": int(posted),
                "goodput [MByte/s]": round(float(same[THROUGHPUT].mean()), 1),
                "mean time of a round [us]": round(float(same["Latency"].mean()), 1),
                "slowest round [us]": round(float(same["MaxLatency"].max()), 1),
                **_causes(same),
                "first violation": next((text for text in same["VerdictReason"] if text), ""),
            }
        )
    table = pd.DataFrame(rows)
    shown = table.pivot_table(
        index=["failure", "level", "pattern"], columns="protocol", values="outcome", aggfunc="first", sort=False
    ).reset_index()
    shown = shown[["failure", "level", "pattern", *PROTOCOLS]].rename(columns=PROTOCOLS)
    own = pick(table, protocol="parastation2")
    repairing = table[table["protocol"].isin(RELIABLE)]
    trusting = table[~table["protocol"].isin(RELIABLE)]
    full = not scale.quick
    unsound = trusting[trusting["outcome"] != "sound"]
    mixed = pick(own, failure="mix")[["crc", "buffer", "nres", "overwrite"]].sum()
    survives = bool((own["outcome"] == "sound").all())
    text = (
        f"ParaStation2 delivers every message once, in order and intact in {int((own['outcome'] == 'sound').sum())} of "
        f"{len(own)} settings; all protocols that repair losses in {int((repairing['outcome'] == 'sound').sum())} of "
        f"{len(repairing)}. AM-II promises no order among its channels, so its late messages are not violations.",
        f"Protocols that rely on the network fail in {len(unsound)} of {len(trusting)} settings: "
        + "; ".join(
            f"{PROTOCOLS[protocol]} in {int((rows['outcome'] != 'sound').sum())} of {len(rows)}"
            f" ({_wrong(rows['outcome'])})"
            for protocol, rows in trusting.groupby("protocol", sort=False)
        )
        + ".",
        f"Causes of lost or rejected packets of ParaStation2 in the mix: corruption {mixed['crc']}, lack of a "
        f"buffer {mixed['buffer']}, timeout {mixed['nres']}, overwriting {mixed['overwrite']}. The most common one "
        "depends on the chosen rates, of which the paper publishes none. Without faults or stalls, "
        f"when {CALM['nodes']} hosts send messages of {LARGE // 1024} KB to one another, "
        f"{calm['buffer']} packets are rejected for lack of a buffer and {sum(calm.values()) - calm['buffer']} are "
        "lost for other reasons: lack of a buffer is the only cause that needs no fault.",
    )
    findings = {
        "A-26": Finding(
            survives,
            note=f"{int((own['outcome'] == 'sound').sum())} of {len(own)} settings with failures are sound, for all "
            "seeds and patterns; parastation-explorer searches all readings of the paper exhaustively with small "
            "windows.",
            scale=full,
        ),
        "A-06": Finding(
            bool(mixed["buffer"] == mixed.max()),
            note=f"In the mix: corruption {mixed['crc']}, buffers {mixed['buffer']}, timeout {mixed['nres']}, "
            f"overwriting {mixed['overwrite']}. Without faults, {calm['buffer']} packets lack a buffer and "
            f"{sum(calm.values()) - calm['buffer']} are lost otherwise.",
            scale=full,
            undecidable="No rate of any failure is published, so the order depends on the rates chosen here.",
        ),
        "A-01": Finding(
            "ParaStation2, AM-II and VMMC-2 repair losses; credits, back-blocking and none do not",
            note="Protocols of the runs.",
            scale=full,
        ),
        "A-03": Finding("timeout of 62.5 ms", note="Configuration of the runs; the scenario takes 62.5 ms to 4 s."),
    }
    return Outcome(table, _figure_failures(table), shown, text, findings)


OUTAGES = ("100us", "500us", "1ms", "2ms", "5ms", "10ms")
"""Durations of an outage, in which the network loses every packet."""

TIMERS = ("300us", "1ms", "3ms")
"""Retransmission timeouts."""


def _points_recovery(scale: Scale) -> list[Point]:
    outage = [
        setup.point(
            seed,
            protocol=protocol,
            **_STREAM,
            rounds=1500,
            outagelength=length,
            retransmittimeout=timeout,
        )
        for protocol in RELIABLE
        for timeout in TIMERS
        for length in (OUTAGES[::2] if scale.quick else OUTAGES)
        for seed in setup.seeds(scale, 5)
    ]
    stalls = [
        setup.point(
            seed, protocol=protocol, pattern="stream", size=PACKET, rounds=1000, stallrate=50, stalllength="3ms"
        )
        for protocol in RELIABLE
        for seed in setup.seeds(scale, 3)
    ]
    return outage + stalls


def _render_recovery(scale: Scale, frame: pd.DataFrame) -> Outcome:
    outages = frame[frame["outagelength"].notna()]
    rows = []
    for (protocol, timeout, length), runs in outages.groupby(
        ["protocol", "retransmittimeout", "outagelength"], sort=False
    ):
        rows.append(
            {
                "protocol": PROTOCOLS[protocol],
                "timeout": timeout,
                "outage": length,
                "recovery, mean [us]": round(float(runs["Recovery"].mean()), 1),
                "recovery, longest [us]": round(float(runs["Recovery"].max()), 1),
                "sound": bool((runs["Outcome"] == "sound").all()),
            }
        )
    table = pd.DataFrame(rows)
    with plots.style():
        figure, axes = plots.panels(1, len(RELIABLE), width=10, height=3.2)
        for panel, protocol in zip(axes[0], RELIABLE, strict=True):
            runs = pick(outages, protocol=protocol)
            runs = runs.assign(outagelength=runs["outagelength"].map(_milliseconds), recovery=runs["Recovery"] / 1000)
            labels = [f"timeout of {timeout}" for timeout in TIMERS]
            plots.curves(runs, "outagelength", "recovery", by="retransmittimeout", axes=panel, labels=labels)
            for index, timeout in enumerate(TIMERS):
                panel.axhline(_milliseconds(timeout), color=plots.COLOURS[index], linewidth=0.8, linestyle=":")
            panel.get_legend().remove()
            # The title leaves no room for the description of the band.
            panel.set_title("", loc="right")
            panel.set_title(PROTOCOLS[protocol])
            panel.set(xscale="log", yscale="log", ylim=(0.03, 5), xlabel="outage [ms]", ylabel="")
        axes[0][0].set_ylabel("time to the first packet after it,\nmean over the seeds [ms]")
        plots.legend_above(figure, axes[0][0])
    short = pick(table, timeout=TIMERS[1], outage=OUTAGES[0]).set_index("protocol")["recovery, mean [us]"]
    shortest = ", ".join(f"{name} {mean:.0f} us" for name, mean in short.items())
    stalls = frame[frame["stallrate"].notna()]
    own = pick(stalls, protocol="parastation2")
    duplicates = int(own["DuplicateAcks"].sum())
    unlost = int(own["Injected"].sum() + own["CrcDrops"].sum() + own["OverwriteDrops"].sum() + own["NresDrops"].sum())
    within = bool((table["sound"]).all())
    text = (
        "After an outage the first packet arrives when a timer fires. Packets are repeated at the interval of the "
        "timeout (dotted) during the outage, so recovery takes the rest of the last interval, never a whole one.",
        "After a short outage, packets of the same window still arrive. Recovery is then faster if the receiver "
        f"answers them: after {OUTAGES[0]} with a timeout of {TIMERS[1]}, {shortest}. VMMC-2 sends no NACK for "
        "packets out of sequence, and waits for its timer.",
        f"With receivers that stall for 3 ms and a network that loses {unlost} packets, ParaStation2 receives "
        f"{duplicates} duplicate ACKs: the sender's timer fires before the ACK arrives, as footnote 3 states.",
    )
    findings = {
        "A-27": Finding(
            duplicates > 0 and unlost == 0,
            note=f"{duplicates} duplicate ACKs in runs without loss, with receivers that stall for longer than the "
            "timeout.",
            scale=not scale.quick,
            guaranteed="A receiver that stalls for longer than the timeout, as chosen here, causes them.",
        ),
        "A-26-outage": Finding(within, scale=not scale.quick),
    }
    return Outcome(table, figure, table, text, findings)


def _milliseconds(text: str) -> float:
    return float(text.removesuffix("us")) / 1000 if text.endswith("us") else float(text.removesuffix("ms"))


TIMEOUTS = ("0s", "62.5ms", "250ms")
"""Timeouts of the network; the first is none."""

_RING = {"topology": "ring", "routes": "shortest", "nodes": 6, "pattern": "alltoall", "size": 16000, "rounds": 10}


def _points_deadlock(scale: Scale) -> list[Point]:
    return [
        setup.point(seed, protocol=protocol, timeout=timeout, **_RING)
        for timeout in TIMEOUTS
        for protocol in PROTOCOLS
        for seed in setup.seeds(scale)
    ]


def _render_deadlock(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = [
        {
            "protocol": PROTOCOLS[run["protocol"]],
            "timeout": run["timeout"],
            "seed": int(run["seed"]),
            "outcome": str(run["Outcome"]).replace("+", ", "),
            "packets discarded": int(run["NresDrops"]),
            "delivered messages": f"{run['Delivered']} of {run['Posted']}",
            "time [ms]": round(1000 * float(run["Elapsed"]), 1),
            "reason": run["VerdictReason"] or "",
        }
        for run in frame.to_dict("records")
    ]
    table = pd.DataFrame(rows)
    stuck = pick(table, timeout=TIMEOUTS[0])
    freed = table[table["timeout"] != TIMEOUTS[0]]
    lossy = set(freed.loc[freed["outcome"] != "sound", "protocol"])
    sound = freed[~freed["protocol"].isin(lossy)]
    text = (
        f"On a ring of six switches with shortest routes, whose links can wait for one another, "
        f"{int((stuck['outcome'] == 'deadlocked').sum())} of {len(stuck)} runs of all protocols end in a deadlock if "
        "the network never discards a packet. No protocol can resolve it.",
        "With a timeout the network discards packets, although no component is broken (section 2, item 3), and "
        f"continues. {int((freed['packets discarded'] > 0).sum())} of {len(freed)} runs lose packets in this way. "
        f"Protocols that deliver every message: {', '.join(dict.fromkeys(sound['protocol'])) or 'none'}.",
    )
    return Outcome(table, None, table, text, {})


LOSS = Experiment(
    "goodput-loss",
    "Goodput against loss, for all readings of the paper",
    "Sections 3.1 and 3.4, A-amb-2, A-amb-3",
    _points_loss,
    _render_loss,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} pattern=stream size={PACKET} messagewindow=32 rounds=2000 "
        f"{' '.join(f'{name}={value}' for name, value in values.items())} lossof={','.join(KINDS)} "
        f"loss={','.join(map(str, LOSSES))} --seeds 3"
        for values in READINGS.values()
    ],
)

FOUR_FAILURES = Experiment(
    "failures",
    "The four failures: violations by protocol",
    "Section 2",
    _points_failures,
    _render_failures,
    lambda scale: (
        [f"relnet sweep {setup.SCENARIO} " + " ".join(f"{name}={value}" for name, value in CALM.items())]
        + [
            f"relnet sweep {setup.SCENARIO} protocol={','.join(PROTOCOLS)} "
            + " ".join(f"{name}={value}" for name, value in {**pattern, **values}.items())
            for levels in FAILURES.values()
            for values in levels
            for pattern in PATTERNS.values()
        ]
    ),
)

DEADLOCK = Experiment(
    "deadlock",
    "A deadlock by back-blocking, and the timeout that resolves it",
    "Section 2, item 3",
    _points_deadlock,
    _render_deadlock,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} protocol={','.join(PROTOCOLS)} timeout={','.join(TIMEOUTS)} "
        + " ".join(f"{name}={value}" for name, value in _RING.items())
        + f" --seeds {len(setup.seeds(scale))}"
    ],
)

RECOVERY = Experiment(
    "recovery",
    "Recovery after an outage, and duplicate ACKs",
    "Section 3.4, footnote 3",
    _points_recovery,
    _render_recovery,
    lambda scale: [
        f"relnet sweep {setup.SCENARIO} pattern=stream size={PACKET} messagewindow=32 rounds=1500 "
        f"protocol={','.join(RELIABLE)} retransmittimeout={','.join(TIMERS)} "
        f"outagelength={','.join(OUTAGES)} --seeds 5"
    ],
)
