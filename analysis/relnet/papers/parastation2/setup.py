# SPDX-License-Identifier: GPL-2.0-only
"""Hosts and layers of Table 3, and protocols of section 4."""

from __future__ import annotations

import itertools
from typing import Any

from relnet.experiments.definitions import Point, Scale

SCENARIO = "parastation2"
"""Name of the scenario."""

NAME = "parastation2"
"""Name of the paper."""

HOSTS = {"pentium2-350": "PII-350", "alpha-500": "A21164-500", "alpha-600": "A21164-600"}
"""Hosts of Table 3, with their names in the published data."""

TITLES = {"pentium2-350": "Pentium II 350", "alpha-500": "Alpha 500", "alpha-600": "Alpha 600"}
"""Labels in tables."""

LAYERS = {"hal": "HAL", "ports": "Ports", "tcp": "TCP", "mpi": "MPI", "pvm": "PVM"}
"""The layers of Table 3."""

CELLS = tuple(itertools.product(HOSTS, LAYERS))
"""The fifteen combinations of host and layer."""

PROTOCOLS = {
    "parastation2": "ParaStation2",
    "am2": "AM-II",
    "vmmc2": "VMMC-2",
    "backblocking": "back-blocking",
    "fm": "FM",
    "lfc": "LFC",
    "none": "BIP",
}
"""Protocols; those that repair losses come first."""

RELIABLE = ("parastation2", "am2", "vmmc2")
"""Protocols that repair losses (section 1, figure 1)."""

SMALL = 4
"""Message of the latency [bytes; section 4]."""

LARGE = 32768
"""Largest message of the throughput [bytes; section 4]."""

PACKET = 4096
"""Size of a slot [bytes; section 3.3]."""


def point(seed: int = 1, cost: float = 1.0, **parameters: Any) -> Point:
    """
    Make a run.

    Parameters
    ----------
    seed : int
        Seed.
    cost : float
        Time relative to the other runs.
    **parameters
        Parameters as on a command line.
    """
    return Point(parameters, seed, cost)


def seeds(scale: Scale, most: int | None = None) -> range:
    """Seeds from 1, limited by the scale."""
    return range(1, (scale.seeds if most is None else min(most, scale.seeds)) + 1)
