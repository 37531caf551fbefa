# SPDX-License-Identifier: GPL-2.0-only
"""
Unreliable cluster interconnects and the protocols that make them reliable, in ns-3.

`run` runs a scenario once, `sweep` runs it over a grid of parameters, and `isolated` runs a function in a child
process. `check` looks for bugs in a protocol or network. `scenarios`, `describe` and `matrix` list scenarios, their
parameters, and the valid pairs of network and protocol. `ns` is ns-3 with the modules of relnet. Each is loaded at its
first use.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "1.0.0"

_HOMES = {
    "run": "runs.single",
    "scenarios": "catalog.lookup",
    "describe": "catalog.lookup",
    "matrix": "runs.pairs",
    "check": "checking.checks",
    "explore": "studies.exploration",
    "average": "runs.averages",
    "compare": "studies.comparison",
    "sweep": "runs.sweeps",
    "load": "catalog.extensions",
    "trace": "studies.recording",
    "history": "runs.history",
    "recall": "runs.history",
    "difference": "runs.history",
    "tables": "records.frames",
    "isolated": "processes.isolation",
    "ForkExecutor": "processes.pool",
    "RelnetError": "errors",
    "RunError": "errors",
    "CrashError": "errors",
    "RelnetWarning": "errors",
    "ns": "binding.namespace",
    "ns3_modules": "binding.namespace",
    "callback": "binding.callbacks",
    "connect": "binding.callbacks",
    "schedule": "binding.callbacks",
    "deref": "binding.callbacks",
}

__all__ = [  # noqa: PLE0604, the names are the table's
    "__version__",
    *_HOMES,
]


_MODULES = ("build", "distributed", "live", "papers", "plots")
"""Modules for users, which are also imported at their first use, as in `relnet.plots.curves`."""


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"relnet.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'relnet' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"relnet.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted((*__all__, *_MODULES))
