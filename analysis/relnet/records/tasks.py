# SPDX-License-Identifier: GPL-2.0-only
"""Tasks and records: input and output of a child process, possibly on another machine."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Column:
    """
    A column of a table.

    Attributes
    ----------
    name, unit : str
        Name and unit of the cells.
    type : str
        `int64`, `double` or `string`.
    cells : bytes or list of str
        Numbers in native byte order, or texts.
    """

    name: str
    unit: str
    type: str
    cells: Any


@dataclass(frozen=True)
class Table:
    """A named table: `columns` of `rows` cells each."""

    name: str
    rows: int
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Recording:
    """
    Settings of a recording.

    Attributes
    ----------
    limit : int
        Maximum number of events, without the ends of what has begun.
    begin, end : int
        Period that is kept, in simulated time [ns].
    pcap, ascii : str
        Prefix of pcap files, and file of an ascii trace; empty for none.
    """

    limit: int
    begin: int = 0
    end: int = 2**63 - 1
    pcap: str = ""
    ascii: str = ""


@dataclass(frozen=True)
class Task:
    """
    One run, self-contained, so that an executor may send it to another machine.

    Attributes
    ----------
    kind : str
        `scenario` runs a scenario, `check` checks its parameters, `sizes` finds the sizes of messages that they allow,
        `point` calls a user's function at a point of a sweep, `call` calls any function.
    name : str
        Name of the scenario or function.
    type : str
        Name of the TypeId, for a scenario.
    given : tuple of (str, object)
        Given parameters of a scenario, with canonical values.
    texts : tuple of (str, str)
        The same as texts for ns-3; for a function as Python prints them.
    seed : int
        Run number of ns-3's random number generator.
    payload : bytes
        For a function: function, arguments and keyword arguments, by cloudpickle. For `check` and `sizes`: a list of
        settings, each a list of names and texts.
    libraries : tuple of str
        Paths of libraries to load in addition to those of the modules.
    code : str
        Required code hash; empty for any code.
    recording : Recording or None
        Settings of a recording of a scenario's run.
    """

    kind: str
    name: str
    type: str = ""
    given: tuple[tuple[str, Any], ...] = ()
    texts: tuple[tuple[str, str], ...] = ()
    seed: int = 1
    payload: bytes = b""
    libraries: tuple[str, ...] = ()
    code: str = ""
    recording: Recording | None = None

    @property
    def command(self) -> str:
        """The command line that repeats a scenario's run; empty for a function."""
        return self._line("run")

    @property
    def moment(self) -> str:
        """The command line that shows a scenario's run at the first violation; empty for a function."""
        return self._line("trace", "--around", "violation")

    def _line(self, command: str, *options: str) -> str:
        if self.kind != "scenario":
            return ""
        words = ["relnet"]
        for library in self.libraries:
            words += ["--load", library]
        words += [command, self.name, *(f"{name}={text}" for name, text in self.texts), "--seed", str(self.seed)]
        return shlex.join([*words, *options])

    @property
    def place(self) -> str:
        """The run, as part of a sentence."""
        inside = ", ".join([*(f"{name}={text}" for name, text in self.texts), f"seed={self.seed}"])
        return self.name if self.kind in ("call", "check", "sizes") else f"{self.name}({inside})"


@dataclass(frozen=True)
class Record:
    """
    The outcome of one run.

    Attributes
    ----------
    results : dict of str to int, float, bool or str
        Named results in the order of their declaration.
    tables : tuple of Table
        Named tables in the order of their declaration.
    code : str
        Hash of the code.
    seconds : float
        Wall-clock time of the run [s].
    cached : bool
        Whether it was read from disk.
    draws : int or None
        Number of random numbers drawn; with none, all seeds give the same record. None if unknown.
    value : object
        Return value of a function of kind `call`; for `check`, a sentence or an empty text for each setting.
    """

    results: dict[str, Any] = field(default_factory=dict)
    tables: tuple[Table, ...] = ()
    code: str = ""
    seconds: float = 0.0
    cached: bool = False
    draws: int | None = None
    value: Any = None

    def from_cache(self) -> Record:
        """The same record, marked as read from disk."""
        return replace(self, cached=True)
