# SPDX-License-Identifier: GPL-2.0-only
"""
The C functions of `messaging-introspection.h`, called without a compiler and without parsing a header.

Loading a library runs its initialisers, and a run may end the process; so this is used in children of the fork server
and in the server itself, not in a user's process.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from relnet import build
from relnet.errors import RelnetError
from relnet.parameters import unknown
from relnet.processes.tasks import Column, Recording, Table

LOG_LEVELS = ("error", "warn", "debug", "info", "function", "logic", "all", "func", "time", "node", "level", "*", "**")
"""Words for levels and prefixes in `NS_LOG`; each may have `level_` or `prefix_` before it."""

_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.c_char_p)


def _in_order(paths: Iterable[str]) -> list[str]:
    """
    Sort libraries such that each comes after those that it needs.

    The loader then finds needed libraries in memory and does not search for others of the same name.
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
    Load libraries, each after those that it needs.

    Parameters
    ----------
    paths : iterable of str
        The libraries, in any order.

    Raises
    ------
    RelnetError
        If one cannot be loaded, with the loader's reason.
    """
    pending = _in_order(paths)
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


def unknown_log(fact: str, kind: str, name: str, components: Iterable[str]) -> RelnetError:
    """The error for a log `component` or `level` that does not exist."""
    return unknown(fact, name, components if kind == "component" else LOG_LEVELS, "relnet help --logs")


class Support:
    """
    The library of the Python layer. Loaded ahead of ns-3, it counts random numbers and enables logs.

    Where it was not built, numbers are not counted, and ns-3 enables logs itself while it is loaded.
    """

    def __init__(self) -> None:
        path = build.support_library()
        # ns-3 reads it when its libraries are loaded, and would log hundreds of megabytes.
        self._logs = os.environ.pop("NS_LOG", "") if path else ""
        self._library = library = path and ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
        if library:
            library.RelnetDraws.restype = ctypes.c_uint64
            library.RelnetEnableLogs.restype = ctypes.c_char_p
            library.RelnetEnableLogs.argtypes = [ctypes.c_char_p]
            library.RelnetLogComponents.restype = ctypes.c_char_p

    def draws(self) -> int | None:
        """Random numbers that this process and its parent have drawn so far; None if they are not counted."""
        return self._library.RelnetDraws() if self._library else None

    def enable_logs(self) -> None:
        """Enable the logs that `NS_LOG` names, and complain of names that do not exist."""
        if not self._logs:
            return
        # For libraries that are loaded later.
        os.environ["NS_LOG"] = self._logs
        for line in self._library.RelnetEnableLogs(self._logs.encode()).decode().splitlines():
            kind, name = line.split(" ", 1)
            error = unknown_log(f"NS_LOG names {name!r}, which is no log {kind} here", kind, name, self.components())
            print(f"relnet: {error}", file=sys.stderr, flush=True)

    def components(self) -> dict[str, str]:
        """The log components of the loaded libraries, with their source files; none where support was not built."""
        lines = self._library.RelnetLogComponents().decode().splitlines() if self._library else []
        return dict(line.split(" ", 1) for line in lines)


class Native:
    """
    Scenarios of the loaded libraries.

    Parameters
    ----------
    libraries : iterable of str
        Libraries to load; the messaging module's is one of them.
    """

    def __init__(self, libraries: Iterable[str]) -> None:
        paths = list(libraries)
        load_libraries(paths)
        self.idle: list[str] = []
        core = next((path for path in paths if Path(path).stem.endswith("-messaging")), None)
        if core is None:
            raise RelnetError("The library of the messaging module is missing: run `make build`.")
        self._library = library = ctypes.CDLL(core)
        try:
            library.MessagingCatalog.restype = ctypes.c_char_p
            library.MessagingWarmUp.restype = None
            library.MessagingRunCreate.restype = ctypes.c_void_p
            library.MessagingRunCreate.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
            library.MessagingRunSet.restype = ctypes.c_char_p
            library.MessagingRunSet.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
            library.MessagingRunCheck.restype = ctypes.c_char_p
            library.MessagingRunCheck.argtypes = [ctypes.c_void_p]
            library.MessagingRunRecord.restype = None
            library.MessagingRunRecord.argtypes = [
                *(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_char_p, ctypes.c_char_p)
            ]
            library.MessagingRunExecute.restype = ctypes.c_char_p
            library.MessagingRunExecute.argtypes = [ctypes.c_void_p, _PROGRESS]
            library.MessagingRunResults.restype = ctypes.c_char_p
            library.MessagingRunResults.argtypes = [ctypes.c_void_p]
            library.MessagingRunColumn.restype = ctypes.c_void_p
            library.MessagingRunColumn.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32]
            library.MessagingRunDestroy.restype = None
            library.MessagingRunDestroy.argtypes = [ctypes.c_void_p]
        except AttributeError as error:
            raise RelnetError(f"The messaging module is older than this package ({error}): run `make build`.") from None

    def add(self, libraries: Iterable[str]) -> None:
        """Load the user's libraries; `idle` then lists those that add nothing to the catalog."""
        known = self.catalog()
        for path in _in_order(libraries):
            load_libraries([path])
            before, known = known, self.catalog()
            if known == before:
                self.idle.append(path)

    def warm_up(self) -> None:
        """Let ns-3 compute its tables once, so that children inherit them."""
        self._library.MessagingWarmUp()

    def catalog(self) -> str:
        """All scenarios, as JSON."""
        return self._library.MessagingCatalog().decode()

    def check(self, type_name: str, texts: Iterable[tuple[str, str]]) -> str:
        """
        Check whether parameters of a scenario go together.

        Parameters
        ----------
        type_name, texts
            As for `run`.

        Returns
        -------
        str
            One sentence if they do not; else an empty text.
        """
        run = self._library.MessagingRunCreate(type_name.encode(), 1)
        if not run:
            return f"There is no scenario of type {type_name}."
        refused = self._set(run, texts)
        self._library.MessagingRunDestroy(run)
        return refused

    def _set(self, run: int, texts: Iterable[tuple[str, str]]) -> str:
        """Set and check the parameters of a run; one sentence if they are refused."""
        for name, text in texts:
            refused = self._library.MessagingRunSet(run, name.encode(), text.encode())
            if refused:
                return refused.decode()
        return self._library.MessagingRunCheck(run).decode()

    def run(
        self,
        type_name: str,
        texts: Iterable[tuple[str, str]],
        seed: int,
        progress: Callable[[float, float, str], None],
        recording: Recording | None = None,
    ) -> tuple[str, str, dict[str, Any], tuple[Table, ...]]:
        """
        Run a scenario in this process.

        Parameters
        ----------
        type_name : str
            The name of the scenario's TypeId.
        texts : iterable of (str, str)
            Parameters and their values.
        seed : int
            The run number of ns-3's random number generator; its seed is 1.
        progress : callable
            Called with done, total and unit, a few times a second.
        recording : Recording, optional
            What is recorded; it is a further table.

        Returns
        -------
        tuple
            `input` or `failed` and a sentence if it could not be carried out, else two empty texts; then the
            results and the tables.
        """
        library = self._library
        run = library.MessagingRunCreate(type_name.encode(), seed)
        if not run:
            return "input", f"There is no scenario of type {type_name}.", {}, ()
        refused = self._set(run, texts)
        if refused:
            return "input", refused, {}, ()
        if recording:
            paths = os.fsencode(recording.pcap), os.fsencode(recording.ascii)
            library.MessagingRunRecord(run, recording.limit, recording.begin, recording.end, *paths)
        hook = _PROGRESS(lambda done, total, unit: progress(done, total, unit.decode()))
        failed = library.MessagingRunExecute(run, hook).decode()
        if failed:
            return "failed", failed, {}, ()
        found = json.loads(library.MessagingRunResults(run).decode())
        tables = tuple(self._table(run, index, table) for index, table in enumerate(found["tables"]))
        library.MessagingRunDestroy(run)
        return "", "", found["results"], tables

    def _table(self, run: int, index: int, table: dict[str, Any]) -> Table:
        columns = []
        for position, column in enumerate(table["columns"]):
            if column["type"] == "string":
                cells: Any = column["cells"]
            else:
                first = self._library.MessagingRunColumn(run, index, position)
                cells = ctypes.string_at(first, 8 * table["rows"]) if table["rows"] else b""
            columns.append(Column(column["name"], column["unit"], column["type"], cells))
        return Table(table["name"], table["rows"], tuple(columns))
