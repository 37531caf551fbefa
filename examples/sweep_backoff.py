# SPDX-License-Identifier: GPL-2.0-only
"""
Retransmission backoffs on a congested 3D grid with losses: a sweep of a scenario, a table and a figure with the mean of
five seeds and the band from the least to the greatest. Without random losses, all seeds would give the same results.

Run it with `.venv/bin/python examples/sweep_backoff.py [NODES]`. A second run reads its results from disk.
"""

import sys
from pathlib import Path

import relnet
from relnet import plots

nodes = int(sys.argv[1]) if len(sys.argv) > 1 else 64

frame = relnet.sweep(
    "idempotent",
    benchmark="reverse",
    topology="grid3d",
    nodes=nodes,
    router="lossy",
    backoff=["linear", "quadratic"],
    c=[1, 2, 3, 4, 6, 8, 12, 16, 24, 32],
    loss=0.001,
    seeds=5,
)
print(frame.pivot_table(index="C", columns="Backoff", values="Cycles").round())

axes = plots.curves(frame, x="C", y="Cycles", by="Backoff")
axes.set_title(f"reverse, 3D grid, {nodes} nodes", loc="left")
axes.set_ylabel("execution time [cycles]")
Path("out").mkdir(exist_ok=True)
plots.save(axes.figure, Path("out/sweep-backoff"))
print("out/sweep-backoff.png")
