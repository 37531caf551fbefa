# SPDX-License-Identifier: GPL-2.0-only
"""
Cost against size: parallel prefix on 2D grids of 2^8 to 2^20 nodes, with protocol, tables, timers and audit.

Prints cycles and head-hops per second, relative to 2^8 nodes, and memory per node; draws both into
`out/bench-size.svg`. `bench/size.py POWER` stops at 2^POWER nodes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas as pd

import relnet
from relnet import plots

POWERS = range(8, 21, 2)


def measure(power: int) -> dict[str, float]:
    """Measure one run in its process; the best of three if it takes less than a second."""
    best = None
    for _ in range(3):
        run = relnet.run("idempotent", benchmark="add", topology="grid2d", nodes=2**power, cache=False)
        seconds = run.attrs["seconds"]
        best = seconds if best is None else min(best, seconds)
        if seconds > 1:
            break
    return {
        "nodes": 2**power,
        "seconds": best,
        "cycles_per_second": run["Cycles"] / best,
        "hops_per_second": run["Hops"] / best,
        "bytes_per_node": run["SimulationBytesPerNode"],
    }


def main() -> None:
    """Measure, print and draw."""
    last = int(sys.argv[1]) if len(sys.argv) > 1 else POWERS[-1]
    rows = []
    for power in POWERS:
        if power > last:
            break
        row = measure(power)
        rows.append(row)
        for name, unit in (
            ("hops_per_second", "hops/s"),
            ("cycles_per_second", "cycles/s"),
            ("bytes_per_node", "bytes"),
        ):
            result = {"name": f"{name} at 2^{power} nodes", "value": float(row[name]), "unit": unit}
            beside = {"baseline": "2^8 nodes", "baseline_value": float(rows[0][name])}
            print(json.dumps(result | beside | {"ratio": row[name] / rows[0][name]}), flush=True)
    frame = pd.DataFrame(rows)
    with plots.style():
        figure, axes = plots.panels(1, 2, width=9, height=3)
        titles = {"hops_per_second": "head-hops a second", "cycles_per_second": "simulated cycles a second"}
        for panel, (name, title) in zip(axes[0], titles.items(), strict=True):
            panel.plot(frame["nodes"], frame[name], marker="o", color=plots.COLOURS[0])
            panel.set_xscale("log", base=2)
            panel.set_yscale("log")
            panel.set_xlabel("nodes")
            panel.set_ylabel(title)
    Path("out").mkdir(exist_ok=True)
    plots.save(figure, Path("out/bench-size"))


if __name__ == "__main__":
    main()
