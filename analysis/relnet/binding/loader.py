# SPDX-License-Identifier: GPL-2.0-only
"""
Loads shared libraries in order of dependency.

Loading a library runs its initialisers. `ns` loads libraries into the user's process; otherwise only the fork server
and its children do.
"""

from __future__ import annotations

import contextlib
import ctypes
import re
from collections.abc import Iterable
from pathlib import Path

from relnet import build
from relnet.errors import RelnetError


def sort_by_dependency(paths: Iterable[str]) -> list[str]:
    """
    Sort libraries by dependency.

    The loader then finds dependencies in memory and does not search for other libraries of the same name.
    """
    by_name = {Path(path).name: path for path in paths}
    ordered: list[str] = []

    def visit(name: str) -> None:
        path = by_name.pop(name)
        with contextlib.suppress(OSError):
            body = Path(path).read_bytes()
            for other in sorted(by_name):
                if other in by_name and b"\0" + other.encode() + b"\0" in body:
                    visit(other)
        ordered.append(path)

    while by_name:
        visit(next(iter(by_name)))
    return ordered


def load_libraries(paths: Iterable[str]) -> None:
    """
    Load libraries in order of dependency.

    Parameters
    ----------
    paths : iterable of str
        The libraries, in any order.

    Raises
    ------
    RelnetError
        If one cannot be loaded, with the loader's reason.
    """
    pending = sort_by_dependency(paths)
    tried_modules: set[str] = set()
    while pending:
        failures: dict[str, str] = {}
        for path in pending:
            try:
                ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
            except OSError as error:
                failures[path] = str(error)
        if len(failures) == len(pending):
            path, reason = next(iter(failures.items()))
            module = re.match(r"libns3[^:]*?-([\w-]+)\.so: cannot open", reason)
            if not module or module[1] in tried_modules:
                hint = " Compile it again: it may be older than the modules." if "undefined symbol" in reason else ""
                raise RelnetError(f"The library {path} cannot be loaded: {reason}.{hint}")
            tried_modules.add(module[1])
            load_libraries([str(build.ns3_library(module[1]))])
        pending = list(failures)
