# SPDX-License-Identifier: GPL-2.0-only
"""
A schedule of one's own ranks, from Python: steps of computation, exchange with neighbours and a reduction, as GOAL.

Run it with `.venv/bin/python examples/own_schedule.py`. The schedule is written call by call, as an MPI program. It
runs with two MPI designs on InfiniBand, and over two protocols on a switched LAN.
"""

import sys
import tempfile
from pathlib import Path

import relnet
from relnet import ns

RANKS, STEPS = 8, 5


def write(path):
    """Write a program of a ring of ranks that compute, exchange 4 KB with both neighbours and reduce 8 bytes."""
    program = ns.messaging.GoalBuilder(RANKS)
    for _ in range(STEPS):
        for rank in range(RANKS):
            left, right = (rank - 1) % RANKS, (rank + 1) % RANKS
            program.Compute(rank, 50_000)
            program.Exchange(rank, right, 4096, left, 4096, 1)
            program.Exchange(rank, left, 4096, right, 4096, 2)
        program.Allreduce(8)
    program.Alltoall(1000)
    program.Barrier()
    error = str(program.Write(str(path)))
    if error:
        sys.exit(error)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ring.goal"
        write(file)
        designs = relnet.sweep(
            "mpi-goal", file=file, reliability=["native", "reliable"], transport="UD", nodes=RANKS, ranksPerNode=1
        )
        print(designs[["Reliability", "Time", "Messages"]].to_string(index=False))
        lan = relnet.sweep(
            "reliability",
            network="switch",
            protocol=["mpi", "tcp"],
            nodes=RANKS,
            pattern="goal",
            **{"pattern.File": file},
        )
        print(lan[["Protocol", "Verdict", "Latency", "Delivered"]].to_string(index=False))
