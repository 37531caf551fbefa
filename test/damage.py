# SPDX-License-Identifier: GPL-2.0-only
"""
Damages stored results and kills sweeps, and counts what follows.

`python test/damage.py` flips one bit of the file with results, cuts it, kills sweeps and kills runs, each many times,
and repeats the sweep. Its frame and tables have to be those of an undamaged sweep; else the exit status is 1. It takes
about ten minutes.
"""

import argparse
import collections
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import relnet
from relnet.runs.store import FILE

GRID = {"network": "csma", "protocol": ["none", "p0"], "nodes": [2, 3], "messages": [1, 2], "loss": [0, 0.1]}
"""The sweep: 16 points with three tables each, some milliseconds a run."""
WORDS = ["network=csma", "protocol=none,p0", "nodes=2:6", "messages=20", "loss=0,0.1", "--seeds", "3"]
"""A longer sweep, to be killed."""


def measure():
    """Run the sweep, and return its results and tables as comparable values, and the sentences that it said."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        frame = relnet.sweep("reliability", progress=False, **GRID)
        relnet.history()
    tables = {name: table.to_csv() for name, table in frame.attrs["tables"].items()}
    return (frame.to_csv(), tables), [str(warning.message) for warning in said], frame.attrs["computed"]


def damage(whole, folder, change, count, draw):
    """Repeat the sweep with a file damaged by `change`; return the outcomes with their counts."""
    told = collections.Counter()
    os.environ["RELNET_CACHE"] = str(folder)
    for _ in range(count):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / FILE).write_bytes(change(bytearray(whole[0]), draw))
        try:
            found, said, computed = measure()
        except BaseException as error:
            told[f"ended in {type(error).__name__}: {error}"] += 1
            continue
        if found != whole[1]:
            told["WRONG"] += 1
        elif said:
            told["said, and computed again" if computed else "said"] += 1
        else:
            told["unsaid, and computed again" if computed else "without effect"] += 1
        # Results that were read before the damage was found, or that a damaged page hides, are missing once more.
        again = [measure() for _ in range(3)]
        if any(one[0] != whole[1] for one in again) or again[-1][1:] != ([], 0):
            told["WRONG later"] += 1
    return told


def flip(body, draw):
    """Flip one bit."""
    body[draw.randrange(len(body))] ^= 1 << draw.randrange(8)
    return bytes(body)


def cut(body, draw):
    """Cut off the end."""
    return bytes(body[: draw.randrange(len(body))])


def sweep(folder):
    """Start the longer sweep."""
    words = [sys.executable, "-m", "relnet", "sweep", "reliability", *WORDS, "--out", str(folder / "out.csv")]
    environment = os.environ | {"RELNET_CACHE": str(folder / "cache")}
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def children_of(pid):
    """Child processes of a process, or none after its end."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(child) for child in file.read().split()]
    return []


def finish(folder):
    """Run the longer sweep to its end, and return its file."""
    output = sweep(folder).communicate()[0]
    return (folder / "out.csv").read_bytes() if "failed 0" in output else output


def kill_parents(folder, whole, count, draw):
    """Kill the sweep itself; the repeated one has to continue it."""
    told = collections.Counter()
    for _ in range(count):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        process = sweep(folder)
        time.sleep(draw.uniform(1, 5))
        process.kill()
        process.communicate()
        told["same results" if finish(folder) == whole else "WRONG"] += 1
    return told


def kill_runs(folder, whole, count, draw):
    """Kill the process of a run; the others go on, and the repeated sweep runs it again."""
    told = collections.Counter()
    for _ in range(count):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        process = sweep(folder)
        time.sleep(draw.uniform(1, 4))
        killed = False
        while not killed and process.poll() is None:
            for run in [run for server in children_of(process.pid) for run in children_of(server)]:
                with contextlib.suppress(OSError):
                    os.kill(run, signal.SIGKILL)
                    killed = True
                    break
        output = process.communicate()[0]
        good = not killed or "failed 1" in output or "failed 0" in output
        told["same results" if good and finish(folder) == whole else f"WRONG: {output}"] += 1
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flips", type=int, default=150)
    parser.add_argument("--cuts", type=int, default=450)
    parser.add_argument("--kills", type=int, default=20, help="of the sweep, and as many of runs")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    outcomes = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["RELNET_CACHE"] = str(folder / "first")
        result = measure()[0]
        whole = (folder / "first" / FILE).read_bytes(), result
        outcomes["flips"] = damage(whole, folder / "cache", flip, options.flips, draw)
        outcomes["cuts"] = damage(whole, folder / "cache", cut, options.cuts, draw)
        if options.kills:
            (folder / "whole").mkdir()
            csv = finish(folder / "whole")
            outcomes["killed sweeps"] = kill_parents(folder / "sweep", csv, options.kills, draw)
            outcomes["killed runs"] = kill_runs(folder / "sweep", csv, options.kills, draw)
    for what, told in outcomes.items():
        print(f"{what}: {', '.join(f'{count} {outcome}' for outcome, count in told.most_common())}")
    return int(any("WRONG" in outcome or "ended" in outcome for told in outcomes.values() for outcome in told))


if __name__ == "__main__":
    sys.exit(main())
