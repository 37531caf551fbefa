# SPDX-License-Identifier: GPL-2.0-only
"""
Path states of a connection of MRC while a link of one of its planes is down.

Two hosts have a port in each of four planes. Run it with `.venv/bin/python examples/path_states.py`.
"""

from pathlib import Path

import relnet
from relnet import plots

DOWN, UP = 200, 800
"""Times at which the link of the first host in plane 1 fails, and is repaired [us]."""
FABRIC = {
    "network.HostRate": "25Gbps",
    "network.Planes": 4,
    "network.Paths": 32,
    "network.Convergence": "1s",
    "network.Faults": f"{DOWN}us host0@1 down; {UP}us host0@1 up",
}
TIMES = {"protocol.Rto": "100us", "protocol.ProbeInterval": "50us"}
traffic = {"pattern": "stream", "nodes": 2, "size": 1_000_000, "messages": 12}
recording = relnet.trace("reliability", limit=1_000_000, network="fabric", protocol="mrc", **traffic, **FABRIC, **TIMES)
changes = recording.paths[recording.paths["node"] == 0]
print(f"{len(changes)} changes of {changes['path'].nunique()} paths; {recording.results.Verdict}")

axes = plots.path_states(recording, node=0, peer=1, paths=range(32))
axes.axvspan(DOWN, UP, color="black", alpha=0.08)
axes.set_title("a link of plane 1 (paths 8 to 15) is down", loc="right")
out = Path("out")
out.mkdir(exist_ok=True)
plots.save(axes, out / "path-states")
print("out/path-states.svg")
