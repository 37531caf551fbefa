# SPDX-License-Identifier: GPL-2.0-only
"""The support library, which counts random numbers and enables logs, and the names of log levels."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

from relnet import build
from relnet.errors import RelnetError
from relnet.names import unknown

LOG_LEVELS = ("error", "warn", "debug", "info", "function", "logic", "all", "func", "time", "node", "level", "*", "**")
"""Levels and prefixes in `NS_LOG`; each may begin with `level_` or `prefix_`."""


def unknown_log(fact: str, kind: str, name: str, components: Iterable[str]) -> RelnetError:
    """Make the error for an unknown log `component` or `level`."""
    return unknown(fact, name, components if kind == "component" else LOG_LEVELS, "relnet help --logs")


class Support:
    """
    The support library, which is loaded before ns-3, counts random numbers and enables logs.

    If it is not built, random numbers are not counted, and ns-3 enables logs itself while it is loaded.
    """

    def __init__(self) -> None:
        path = build.support_library()
        # ns-3 reads NS_LOG when its libraries are loaded, and would log hundreds of megabytes.
        self._logs = os.environ.pop("NS_LOG", "") if path else ""
        self._library = library = path and ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        if library:
            library.RelnetDraws.restype = ctypes.c_uint64
            library.RelnetEnableLogs.restype = ctypes.c_char_p
            library.RelnetEnableLogs.argtypes = [ctypes.c_char_p]
            library.RelnetLogComponents.restype = ctypes.c_char_p

    def draws(self) -> int | None:
        """Random numbers drawn by this process and its parent so far; None if they are not counted."""
        return self._library.RelnetDraws() if self._library else None

    def enable_logs(self) -> None:
        """Enable the logs of `NS_LOG`, and report unknown names."""
        if not self._logs:
            return
        # Libraries that are loaded later read it.
        os.environ["NS_LOG"] = self._logs
        for line in self._library.RelnetEnableLogs(self._logs.encode()).decode().splitlines():
            kind, name = line.split(" ", 1)
            error = unknown_log(f"NS_LOG names {name!r}, which is not a log {kind} here", kind, name, self.components())
            print(f"relnet: {error}", file=sys.stderr, flush=True)

    def components(self) -> dict[str, str]:
        """Log components of the loaded libraries with their source files; empty without the support library."""
        lines = self._library.RelnetLogComponents().decode().splitlines() if self._library else []
        return dict(line.split(" ", 1) for line in lines)
