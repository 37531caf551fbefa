# SPDX-License-Identifier: GPL-2.0-only
"""
Sweeps on a cluster with Dask's distributed executor.

Install `relnet[distributed]` where the sweep is started and on every machine that works for it, build the same sources
on all (or share one build folder and name it in `RELNET_BUILD`), and start a scheduler and workers there::

    dask scheduler                                           # on one machine; prints its address
    dask worker tcp://SCHEDULER:8786 --nworkers auto --nthreads 1  # on each machine

Then, wherever the sweep is to be started::

    from dask.distributed import Client
    import relnet

    client = Client("tcp://SCHEDULER:8786")
    frame = relnet.sweep("idempotent", c=range(1, 33), seeds=5, executor=client.get_executor())

`check` checks beforehand whether every worker has the code of this process. Under Slurm, PBS or LSF the cluster classes
of `dask_jobqueue` start the workers; the sweep is the same.

A worker is a daemonic process, which may not fork children of its own through `multiprocessing`. It starts a fork
server by executing Python anew, so that each run is in a fresh child there as it is here, and a run that crashes costs
neither worker nor sweep. A worker whose modules were built from other sources refuses the run, as its
numbers would not fit the others. Results are kept on disk where the sweep was started; workers keep nothing.
"""

from __future__ import annotations

import platform
from typing import Any

from relnet.errors import RelnetError
from relnet.processes import loaded, pool


def check(client: Any) -> dict[str, str]:
    """
    Check whether every worker of a cluster has the code of this process.

    Parameters
    ----------
    client : distributed.Client
        Of the cluster.

    Returns
    -------
    dict of str to str
        The name of the machine of each worker, by the worker's address.

    Raises
    ------
    RelnetError
        If there is no worker, or one has other code or none.
    """
    libraries = loaded.libraries()
    expected = pool.server(libraries).hello["code"]
    found = client.run(_report, libraries, on_error="return")
    if not found:
        raise RelnetError("The cluster has no worker: start some with `dask worker SCHEDULER`.")
    for address, told in found.items():
        if isinstance(told, BaseException):
            raise RelnetError(f"The worker {address} cannot run ns-3: {told}")
        if told[0] != expected:
            raise RelnetError(
                f"The modules of the worker {address} ({told[0]}) are not those here ({expected}): "
                "build the same sources on both."
            )
    return {address: told[1] for address, told in found.items()}


def _report(libraries: tuple[str, ...]) -> tuple[str, str]:
    """The code hash and the machine of a worker."""
    return pool.server(libraries).hello["code"], platform.node()
