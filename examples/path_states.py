# SPDX-License-Identifier: GPL-2.0-only
"""
Path states of a connection of MRC while a link of one of its planes is down.

Two hosts have a port in each of four planes. Run it with `.venv/bin/python examples/path_states.py`.
"""

import re
from itertools import pairwise
from pathlib import Path

import relnet
from relnet import plots

DOWN, UP = 200, 800
"""Times at which the link of the first host in plane 1 fails, and is repaired [us]."""
COLOURS = {"good": plots.COLOURS[0], "skip": plots.COLOURS[1], "assumed bad": plots.COLOURS[3]}
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
events = recording.events
changes = []
for event in events[(events["Event"] == "note") & (events["Node"] == 0)].itertuples():
    if found := re.match(r"path (\d+) to peer 1: (.+)", event.Label):
        changes.append((event.Time / 1e3, int(found[1]), found[2]))
paths = {path for _, path, _ in changes}
print(f"{len(changes)} changes of {len(paths)} paths; {recording.results.Verdict}")

end = events["Time"].max() / 1e3
with plots.style():
    figure, [[axes]] = plots.panels(1, 1, width=8, height=3.5)
    for path in range(32):
        states = [(0.0, "good"), *((time, state) for time, number, state in changes if number == path), (end, "")]
        for (begin, state), (until, _) in pairwise(states):
            axes.broken_barh([(begin, until - begin)], (path - 0.4, 0.8), color=COLOURS[state])
    for state, colour in COLOURS.items():
        axes.broken_barh([(0, 0)], (0, 0), color=colour, label=state)
    axes.set(title="a link of plane 1 is down", xlabel="time [us]", ylabel="path; plane 1 has 8 to 15")
    axes.axvspan(DOWN, UP, color="black", alpha=0.08)
    axes.legend(loc="upper right")
out = Path("out")
out.mkdir(exist_ok=True)
plots.save(figure, out / "path-states")
print("out/path-states.svg")
