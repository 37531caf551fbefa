# SPDX-License-Identifier: GPL-2.0-only
"""
Overhead of relnet in addition to the simulation: importing it, loading ns-3, and each run of a sweep.

The baselines are the stock loader of ns-3 (`from ns import ns`, which loads every module), and a new process for each
run, as in a script around a C++ program.
"""

from __future__ import annotations

import json
import runpy
import statistics
import subprocess
import sys
import tempfile
import time

import relnet
from relnet import build

RUNS = 200
SMALL = {"benchmark": "add", "topology": "grid2d", "nodes": 16, "loss": 0.01}
"""Parameters with random losses; without, a sweep would compute a single seed."""


def seconds(*words: str, folder: str, repeats: int = 3) -> float:
    """Median time of a Python process [s]."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=folder, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def report(name: str, value: float, unit: str, baseline: str, beside: float) -> None:
    """Print one result."""
    print(
        json.dumps(
            {
                "name": name,
                "value": value,
                "unit": unit,
                "baseline": baseline,
                "baseline_value": beside,
                "ratio": value / beside,
            }
        ),
        flush=True,
    )


def own_functions() -> dict[str, float]:
    """The times of what a function uses most, and of a call of ns-3 [us of processor time]."""
    from relnet import callback, ns, schedule

    actions = {
        "ns.messaging": lambda: ns.messaging,
        "relnet.schedule": lambda: schedule(1, print),
        "relnet.callback": lambda: callback(print, "void(uint32_t)"),
        "now": ns.Simulator.Now,
    }
    times = {}
    for name, action in actions.items():
        action()
        start = time.process_time()
        for _ in range(1000):
            action()
        times[name] = (time.process_time() - start) * 1e3
    return times


def own_study() -> float:
    """The time of a study of one's own in a child, 200 messages over csma [s of processor time]."""
    folder = build.data_folder("examples")
    ring = runpy.run_path(str(folder / "own_messages.py"))["ring"]

    def measured() -> float:
        start = time.process_time()
        ring(0.1, 1)
        return time.process_time() - start

    return statistics.median(relnet.isolated(measured) for _ in range(3))


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as empty:
        bare = seconds("-c", "pass", folder=empty)
        stock = seconds("-c", "from ns import ns; ns.Seconds(1)", folder=empty, repeats=1)
        report("import relnet", seconds("-c", "import relnet", folder=empty), "s", "python -c pass", bare)
        ours = seconds("-c", "from relnet import ns; ns.Seconds(1)", folder=empty)
        report("from relnet import ns", ours, "s", "from ns import ns", stock)
        words = [f"{name}={value}" for name, value in SMALL.items()]
        single = seconds("-m", "relnet", "run", "idempotent", *words, "--no-cache", folder=empty)

    report("200 messages of a study of one's own", own_study(), "s", "target [s]", 0.3)
    times = relnet.isolated(own_functions)
    for name in ("ns.messaging", "relnet.schedule", "relnet.callback"):
        report(name, times[name], "us", "ns.Simulator.Now() [us]", times["now"])

    relnet.run("idempotent", cache=False, **SMALL)
    start = time.perf_counter()
    frame = relnet.sweep("idempotent", seeds=RUNS, jobs=1, cache=False, progress=False, **SMALL)
    each = (time.perf_counter() - start) / len(frame)
    inside = statistics.median(relnet.run("idempotent", cache=False, **SMALL).attrs["seconds"] for _ in range(20))
    report("overhead of a run in a sweep", (each - inside) * 1e3, "ms", "a process for each run [ms]", single * 1e3)


if __name__ == "__main__":
    main()
