# SPDX-License-Identifier: GPL-2.0-only
"""
The same all-reduce over lossy Ethernet, by each protocol: who hangs, who delivers, and where the time goes.

16 hosts reduce 1 MB in a ring, on leaves and spines at 400 Gb/s, without loss and with 0.1 % of the frames lost.
Run it with `.venv/bin/python examples/allreduce_with_loss.py [NODES]`.
"""

import sys
from pathlib import Path

import relnet
from relnet import plots

PROTOCOLS = ["none", "roce", "irn", "idempotent", "parastation2", "tcp"]
LOSSES = [0, 0.001]

nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 16
out = Path("out")
out.mkdir(exist_ok=True)
schedule = out / "allreduce.goal"
ranks = "".join(f"rank {rank} {{\nl1: coll allreduce 1000000b 0 0 -1 cpu 1 nic 1\n}}\n" for rank in range(nodes))
schedule.write_text(f"num_ranks {nodes}\n{ranks}")
fixed = {"network": "fabric", "pattern": "goal", "nodes": nodes, "pattern.File": str(schedule.resolve())}
frame = relnet.sweep("reliability", protocol=PROTOCOLS, loss=LOSSES, seeds=5, **fixed)
frame["Hangs"] = frame["Verdict"] != "completed"
frame["Ms"] = frame["Time"].where(~frame["Hangs"]) / 1000

times = frame.groupby(["Protocol", "Loss"], sort=False)["Ms"].agg(["mean", "min", "max"])
times["hangs"] = frame.groupby(["Protocol", "Loss"], sort=False)["Hangs"].sum()
print("time of the all-reduce [ms], and the runs of five that hang:", times.round(2), sep="\n")

with plots.style():
    figure, [[bars, parts]] = plots.panels(1, 2, width=11, height=3.0)
    cells = [times.xs(loss, level="Loss").loc[PROTOCOLS].fillna(0) for loss in LOSSES]
    names = ["no loss", "0.1 % lost"]
    spreads = [list(zip(cell["min"], cell["max"], strict=True)) for cell in cells]
    plots.bars(bars, PROTOCOLS, list(zip(names, [cell["mean"] for cell in cells], spreads, strict=True)))
    for place, protocol in enumerate(PROTOCOLS):
        if cells[1].loc[protocol, "hangs"]:
            bars.text(place + 0.2, 0.2, "hangs", rotation=90, ha="center", va="bottom", color=plots.COLOURS[1])
    bars.set(title="all-reduce of 1 MB", ylabel="time [ms]")
    bars.tick_params(axis="x", rotation=20)
    bars.legend(loc="upper left")
    plots.breakdown(frame[frame["Loss"] == LOSSES[1]], by="Protocol", axes=parts, shares=True)
    parts.set_title("a message's mean latency by its parts, 0.1% lost")
    parts.legend(loc="upper left", bbox_to_anchor=(1.12, 1))
plots.save(figure, out / "allreduce-with-loss")
print("out/allreduce-with-loss.svg")
