# SPDX-License-Identifier: GPL-2.0-only
"""
The C functions of `messaging-scenario-introspection.h`, called without compiler or header.

Loading a library runs its initialisers, and a run may end the process. Therefore only the fork server and its children
use this module, not the user's process.
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
"""Levels and prefixes in `NS_LOG`; each may begin with `level_` or `prefix_`."""

_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.c_char_p)


def _in_order(paths: Iterable[str]) -> list[str]:
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


class Native:
    """
    Scenarios of the loaded libraries.

    Parameters
    ----------
    libraries : iterable of str
        Libraries to load, including that of the module messaging-scenario.
    """

    def __init__(self, libraries: Iterable[str]) -> None:
        paths = list(libraries)
        load_libraries(paths)
        self.idle: list[str] = []
        core = next((path for path in paths if Path(path).stem.endswith("-messaging-scenario")), None)
        if core is None:
            raise RelnetError("The library of the module messaging-scenario is missing: run `make build`.")
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
                *(ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int64, ctypes.c_char_p)
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
            raise RelnetError(
                f"The module messaging-scenario is older than this package ({error}): run `make build`."
            ) from None

    def add(self, libraries: Iterable[str]) -> None:
        """Load the user's libraries; `idle` lists those that add nothing to the catalog."""
        known = self.catalog()
        for path in _in_order(libraries):
            load_libraries([path])
            before, known = known, self.catalog()
            if known == before:
                self.idle.append(path)

    def warm_up(self) -> None:
        """Make ns-3 compute its tables, so that children inherit them."""
        self._library.MessagingWarmUp()

    def catalog(self) -> str:
        """The catalog of scenarios, as JSON."""
        return self._library.MessagingCatalog().decode()

    def check(self, type_name: str, texts: Iterable[tuple[str, str]]) -> str:
        """
        Check whether parameters of a scenario contradict each other.

        Parameters
        ----------
        type_name, texts
            As for `run`.

        Returns
        -------
        str
            One sentence on a contradiction; empty if there is none.
        """
        run = self._library.MessagingRunCreate(type_name.encode(), 1)
        if not run:
            return f"There is no scenario of type {type_name}."
        refused = self._set(run, texts)
        self._library.MessagingRunDestroy(run)
        return refused

    def _set(self, run: int, texts: Iterable[tuple[str, str]]) -> str:
        """Set and check the parameters of a run; return one sentence on a refusal, else an empty text."""
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
            Name of the scenario's TypeId.
        texts : iterable of (str, str)
            Names and values of parameters.
        seed : int
            The run number of ns-3's random number generator; its seed is 1.
        progress : callable
            Called with done, total and unit, a few times a second.
        recording : Recording, optional
            Settings of a recording, which becomes a further table.

        Returns
        -------
        tuple
            `input` or `failed` and one sentence after a failure, else two empty texts; then results and tables.
        """
        library = self._library
        run = library.MessagingRunCreate(type_name.encode(), seed)
        if not run:
            return "input", f"There is no scenario of type {type_name}.", {}, ()
        refused = self._set(run, texts)
        if refused:
            return "input", refused, {}, ()
        if recording:
            pcap = os.fsencode(recording.pcap)
            library.MessagingRunRecord(run, recording.limit, recording.begin, recording.end, pcap)
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
