# SPDX-License-Identifier: GPL-2.0-only
"""
The C functions of `messaging-scenario-introspection.h`, called without compiler or header.

Loading a library runs its initialisers, and a run may end the process. Therefore only the fork server and its children
use this module, not the user's process.
"""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from relnet.binding.loader import load_libraries, sort_by_dependency
from relnet.errors import RelnetError
from relnet.records.tasks import Column, Recording, Table

_PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_double, ctypes.c_double, ctypes.c_char_p)


class ScenarioRunner:
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
            library.MessagingRunSizes.restype = ctypes.c_char_p
            library.MessagingRunSizes.argtypes = [ctypes.c_void_p]
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
            raise RelnetError(
                f"The module messaging-scenario is older than this package ({error}): run `make build`."
            ) from None

    def add(self, libraries: Iterable[str]) -> None:
        """Load the user's libraries; `idle` lists those that add nothing to the catalog."""
        known = self.catalog()
        for path in sort_by_dependency(libraries):
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

    def sizes(self, type_name: str, texts: Iterable[tuple[str, str]]) -> tuple[str, dict[str, Any]]:
        """
        Find the sizes of messages that parameters of a scenario allow. No run may follow in this process.

        Parameters
        ----------
        type_name, texts
            As for `run`.

        Returns
        -------
        tuple of (str, dict of str to object)
            One sentence on a contradiction, or an empty text; and the members of `MessageSizes`, none if the scenario
            has no such sizes.
        """
        run = self._library.MessagingRunCreate(type_name.encode(), 1)
        if not run:
            return f"There is no scenario of type {type_name}.", {}
        refused = self._set(run, texts)
        found = "" if refused else self._library.MessagingRunSizes(run).decode()
        self._library.MessagingRunDestroy(run)
        return refused, json.loads(found) if found else {}

    def _set(self, run: int, texts: Iterable[tuple[str, str]]) -> str:
        """Set and check the parameters of a run; return one sentence on a refusal, else an empty text."""
        for name, text in texts:
            refused = self._library.MessagingRunSet(run, name.encode(), text.encode())
            if refused:
                return _sentence(refused)
        return _sentence(self._library.MessagingRunCheck(run))

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
            paths = os.fsencode(recording.pcap), os.fsencode(recording.ascii)
            library.MessagingRunRecord(run, recording.limit, recording.begin, recording.end, *paths)
        hook = _PROGRESS(lambda done, total, unit: progress(done, total, unit.decode()))
        failed = _sentence(library.MessagingRunExecute(run, hook))
        if failed:
            return "failed", failed, {}, ()
        found = json.loads(library.MessagingRunResults(run).decode(errors="replace"))
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


def _sentence(text: bytes) -> str:
    """A sentence of C++, which may quote bytes of a file that are not UTF-8."""
    return text.decode(errors="backslashreplace")
