# SPDX-License-Identifier: GPL-2.0-only
"""
Sweeps on a cluster with Dask's distributed executor.

Install `relnet[distributed]` on all machines, build the same sources on each (or share one build folder and set
`RELNET_BUILD` to it), and start a scheduler and workers::

    dask scheduler                                           # on one machine; prints its address
    dask worker tcp://SCHEDULER:8786 --nworkers auto --nthreads 1  # on each machine

Then start the sweep on any machine::

    from dask.distributed import Client
    import relnet

    client = Client("tcp://SCHEDULER:8786")
    frame = relnet.sweep("idempotent", c=range(1, 33), seeds=5, executor=client.get_executor())

`check` verifies beforehand that every worker has the code of this process. Under Slurm, PBS or LSF the cluster classes
of `dask_jobqueue` start the workers; the sweep is the same.

A worker is a daemonic process, which may not fork children through `multiprocessing`. It therefore starts a fork server
as a new Python process. Each run has a fresh child there as well, so a crash affects neither worker nor sweep. A worker
with modules from other sources refuses the run. Results are stored only on the machine that started the sweep.
"""

from __future__ import annotations

import platform
from typing import Any

from relnet.binding import user_code
from relnet.errors import RelnetError
from relnet.processes import pool


def check(client: Any) -> dict[str, str]:
    """
    Check that every worker of a cluster has the code of this process.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.

    Returns
    -------
    dict of str to str
        Names of the workers' machines by the workers' addresses.

    Raises
    ------
    RelnetError
        If there is no worker, or one has other code or none.
    """
    libraries = user_code.libraries()
    expected = pool.server(libraries).hello["code"]
    found = client.run(_report, libraries, on_error="return")
    if not found:
        raise RelnetError("The cluster has no worker: start some with `dask worker SCHEDULER`.")
    for address, told in found.items():
        if isinstance(told, BaseException):
            raise RelnetError(f"The worker {address} cannot run ns-3: {told}")
        if told[0] != expected:
            raise RelnetError(
                f"The modules of the worker {address} ({told[0]}) differ from those of this process ({expected}): "
                "build the same sources on both."
            )
    return {address: told[1] for address, told in found.items()}


def _report(libraries: tuple[str, ...]) -> tuple[str, str]:
    """Code hash and machine of a worker."""
    return pool.server(libraries).hello["code"], platform.node()
