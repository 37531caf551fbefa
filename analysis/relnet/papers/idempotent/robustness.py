# SPDX-License-Identifier: GPL-2.0-only
"""
Memory per node, which the paper states without a figure, and two further studies: loss and arbitration.
"""

from __future__ import annotations

import pandas as pd

from relnet import plots
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.setup import BEST, CELLS, CYCLES, TABLES, TITLES, TRANSMISSIONS

MESSAGE_ID_BITS = 54
"""Bits of a message ID (section 2.2)."""

NODE_BITS = 20
"""Bits of a node's ID (section 2.2: up to one million nodes)."""

INDEX_BITS = 16
"""Bits of the index in a send entry, in addition to the message ID."""

SEQUENCE_BITS = 32
"""Bits of a sequence number, as in TCP."""

LOSSES = (0.0, 1e-2, 0.1, 0.3)
"""Probabilities of packet loss. With 1e-3 all times were within 6 % of those without loss."""

LOSS_CELLS = (*setup.CHEAP, ("quicksort", "grid3d"))
"""Cells of these runs; nbody on the fat tree was between them."""

LOSS_SEEDS = 2
"""Seeds of the runs with losses."""

_NODES = tuple(2**power for power in range(4, 21, 2))


def memory(nodes: int, send: int = 16, receive: int = 32) -> dict[str, float]:
    """
    Compute the memory of a node for records of sent and received messages.

    Parameters
    ----------
    nodes : int
        Number of nodes.
    send, receive : int
        Entries of the tables. A send entry has message ID and index, a receive entry source and message ID
        (section 2.4).

    Returns
    -------
    dict of str to float
        Bytes of the protocol's tables, and of two sequence numbers for each other node.
    """
    bits = send * (MESSAGE_ID_BITS + INDEX_BITS) + receive * (NODE_BITS + MESSAGE_ID_BITS)
    return {"tables": bits / 8, "sequence_numbers": 2 * (nodes - 1) * SEQUENCE_BITS / 8}


def _render_memory(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = [{"nodes": nodes, **memory(nodes)} for nodes in _NODES]
    table = pd.DataFrame(rows)
    with plots.style():
        figure, axes = plots.panels(1, 1, width=6, height=3.0)
        panel = axes[0][0]
        for index, (name, label) in enumerate(
            (("tables", "tables of 16 and 32 entries"), ("sequence_numbers", "sequence numbers for each pair"))
        ):
            style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index]}
            panel.plot(table["nodes"], table[name], label=label, **style)
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_xlabel("nodes")
        panel.set_ylabel("memory per node [bytes]")
        panel.legend()
    last = table.iloc[-1]
    even = next((int(row["nodes"]) for row in rows if row["sequence_numbers"] > row["tables"]), 0)
    text = (
        f"At {int(last['nodes'])} nodes the tables take {last['tables']:.0f} bytes per node, and two sequence numbers "
        f"of {SEQUENCE_BITS} bits for each other node take {last['sequence_numbers'] / 2**20:.1f} MiB. From {even} "
        "nodes on, the tables are smaller."
    )
    shown = table.rename(columns={"tables": "tables [bytes]", "sequence_numbers": "sequence numbers [bytes]"})
    return Outcome(table, figure, shown, (text,))


def _points_loss(scale: Scale) -> list[Point]:
    losses = LOSSES[::3] if scale.quick else LOSSES
    return [
        setup.cell(scale, *cell, seed, 1.2, loss=loss)
        for cell in LOSS_CELLS
        for loss in losses
        for seed in (setup.seeds(scale, LOSS_SEEDS) if loss else (1,))
    ]


def _render_loss(scale: Scale, frame: pd.DataFrame) -> Outcome:
    rows = []
    for benchmark, topology in LOSS_CELLS:
        runs = pick(frame, benchmark=benchmark, topology=topology)
        idle = finished(pick(runs, loss=0.0))[CYCLES].mean()
        for loss, each in runs.groupby("loss"):
            ended = finished(each)
            ratios = ended[CYCLES] / idle
            rows.append(
                {
                    "benchmark": benchmark,
                    "topology": topology,
                    "loss": loss,
                    "runs": len(each),
                    "ended": len(ended),
                    "cycles": ended[CYCLES].mean(),
                    "against_no_loss": ratios.mean(),
                    "least": ratios.min(),
                    "most": ratios.max(),
                    "transmissions_per_message": ended[TRANSMISSIONS].mean(),
                }
            )
    table = pd.DataFrame(rows)
    worst = table.loc[table["against_no_loss"].idxmax()]
    spread = (table["most"] / table["least"] - 1).max()
    with plots.style():
        figure, axes = plots.panels(1, len(TITLES), width=10, height=2.8)
        for (topology, title), panel in zip(TITLES.items(), axes[0], strict=True):
            for index, benchmark in enumerate(dict.fromkeys(name for name, _ in LOSS_CELLS)):
                part = pick(table, benchmark=benchmark, topology=topology).dropna()
                style = {"color": plots.COLOURS[index], "marker": plots.MARKERS[index]}
                panel.plot(part["loss"], part["against_no_loss"], label=benchmark, **style)
                panel.fill_between(part["loss"], part["least"], part["most"], color=style["color"], alpha=0.2)
            panel.set_xscale("symlog", linthresh=1e-2)
            panel.set_title(title)
            panel.set_xlabel("probability of packet loss")
        axes[0][0].set_ylabel("time / time without loss")
        plots.legend_above(figure, axes[0][0])
    text = (
        f"{int(table['ended'].sum())} of {int(table['runs'].sum())} runs deliver every message exactly once. The "
        f"largest cost is {worst['against_no_loss']:.2f} times the time without loss, {worst['benchmark']} on the "
        f"{TITLES[worst['topology']]} at a loss of {worst['loss']:g}; values are means over "
        f"{len(setup.seeds(scale, LOSS_SEEDS))} seeds, which differ by at most {spread:.0%}. A lost packet travels to "
        "its destination, where its checksum is wrong; it thus occupies channels and ports.",
    )
    shown = table.assign(topology=table["topology"].map(TITLES)).pivot_table(
        index=["benchmark", "topology"], columns="loss", values="against_no_loss", sort=False
    )
    shown.columns = [f"loss {value:g}" for value in shown.columns]
    return Outcome(table, figure, shown.reset_index(), text)


def _loss_command(scale: Scale) -> list[str]:
    losses = [loss for loss in (LOSSES[::3] if scale.quick else LOSSES) if loss]
    seeds = len(setup.seeds(scale, LOSS_SEEDS))
    given = {"router": "lossy", **BEST, **TABLES}
    return [
        *setup.listed_command(scale, LOSS_CELLS, **given, loss=0),
        *setup.listed_command(scale, LOSS_CELLS, seeds, **given, loss=",".join(f"{loss:g}" for loss in losses)),
    ]


def variants(
    lossy: dict[str, tuple], quiet: dict[str, tuple], fewer: dict[str, tuple[tuple[str, str], ...]]
) -> Experiment:
    """
    Make the experiment on choices that the paper leaves open, each changed alone.

    Parameters
    ----------
    lossy, quiet : dict of str to tuple
        Parameters and their values for the lossy and the buffered network.
    fewer : dict of str to tuple
        Cells of a parameter, if not all.
    """

    def points(scale: Scale) -> list[Point]:
        found = []
        for cell in CELLS:
            found += [setup.cell(scale, *cell), setup.buffered(scale, *cell)]
            for choices, run in ((lossy, setup.cell), (quiet, setup.buffered)):
                found += [
                    run(scale, *cell, **{name: value})
                    for name, values in choices.items()
                    if cell in fewer.get(name, CELLS)
                    for value in values
                ]
        return found

    def render(scale: Scale, frame: pd.DataFrame) -> Outcome:
        published = claims.published_values(setup.NAME)
        rows = []
        for router, choices, kind in (("lossy", lossy, "idem"), ("buffered", quiet, "buf")):
            for name, values in choices.items():
                for benchmark, topology in fewer.get(name, CELLS):
                    runs = pick(frame, benchmark=benchmark, topology=topology, router=router)
                    plain = runs[runs[[*lossy, *quiet]].isna().all(axis=1)]
                    default = finished(plain)[CYCLES].mean()
                    for value in values:
                        cycles = finished(pick(runs, **{name: value}))[CYCLES].mean()
                        rows.append(
                            {
                                "router": router,
                                "choice": name,
                                "value": str(value),
                                "benchmark": benchmark,
                                "topology": topology,
                                "cycles": cycles,
                                "against_default": cycles / default,
                                "published": published[f"E-T2a-{benchmark}-{setup.TOPOLOGIES[topology]}-{kind}"],
                            }
                        )
        table = pd.DataFrame(rows)
        text = []
        for (router, name), group in table.groupby(["router", "choice"], sort=False):
            change = group["against_default"].dropna()
            if not len(change):
                continue
            far = group.loc[(change - 1).abs().idxmax()]
            text.append(
                f"On the {router} network {name} changes the time by a factor of {change.min():.2f} to "
                f"{change.max():.2f}; the largest change is that of {name}={far['value']} in {far['benchmark']} on the "
                f"{TITLES[far['topology']]}."
            )
        shown = table.assign(topology=table["topology"].map(TITLES)).pivot_table(
            index=["router", "choice", "value"],
            columns=["benchmark", "topology"],
            values="against_default",
            sort=False,
        )
        shown.columns = [f"{benchmark}, {topology}" for benchmark, topology in shown.columns]
        text.append("The table shows the time with each choice relative to the default.")
        return Outcome(table, None, shown.reset_index(), tuple(text))

    def command(scale: Scale) -> list[str]:
        lines = []
        for choices, given in ((lossy, {"router": "lossy", **BEST, **TABLES}), (quiet, {"router": "buffered"})):
            for name, values in choices.items():
                more = given | {name: ",".join(map(str, values))}
                lines += setup.listed_command(scale, fewer.get(name, CELLS), **more)
        return lines

    return Experiment(
        "open-choices",
        "Choices that the paper leaves open",
        "Not in the paper (sections 4.2 and 4.5 leave arbitration open)",
        points,
        render,
        command,
    )


MEMORY = Experiment(
    "memory",
    "Memory per node, compared with sequence numbers for each pair",
    "Sections 2.2, 2.4 and 5",
    lambda scale: [],
    _render_memory,
    lambda scale: [],
)

LOSS = Experiment(
    "loss",
    "Random loss on the channels",
    "Not in the paper (section 2.1 states the property)",
    _points_loss,
    _render_loss,
    _loss_command,
)
