# SPDX-License-Identifier: GPL-2.0-only
"""
Results on disk.

They are in one SQLite file, `results.sqlite`, in the folder of `RELNET_CACHE` (by default `relnet` in `XDG_CACHE_HOME`
or `~/.cache`). The key of a result is a hash of scenario, all parameters, contents of files that parameters name, seed,
and code. Several processes may write concurrently. A damaged file is renamed, never deleted. On a full disk, further
results are returned but not stored.
"""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import json
import os
import sqlite3
import time
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relnet.errors import RelnetWarning
from relnet.records.tasks import Column, Record, Table, Task

_SCHEMA = """
CREATE TABLE IF NOT EXISTS results(
    key TEXT PRIMARY KEY, name TEXT, parameters TEXT, seed INTEGER, code TEXT,
    seconds REAL, finished TEXT, results TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tables(
    key TEXT, position INTEGER, header TEXT, cells BLOB, PRIMARY KEY(key, position)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS draws(key TEXT PRIMARY KEY, draws INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS calls(
    id TEXT PRIMARY KEY, name TEXT, kind TEXT, called TEXT, labels TEXT, keys BLOB) WITHOUT ROWID;
"""
_BUSY_LIMIT = 60.0


def folder() -> Path:
    """Folder of the results."""
    named = os.environ.get("RELNET_CACHE")
    if named:
        return Path(named).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relnet"


def key(kind: str, name: str, parameters: Mapping[str, str], seed: int, code: str) -> str:
    """
    Compute the key of a result.

    Parameters
    ----------
    kind, name : str
        Kind of the task, and the scenario's TypeId or the function's fingerprint.
    parameters : mapping of str to str
        All parameters as text; of a file, the contents count.
    seed : int
        Seed.
    code : str
        Hash of the code.

    Returns
    -------
    str
        A hash, in hexadecimal digits.
    """
    files = {}
    for parameter, text in parameters.items():
        with contextlib.suppress(OSError, ValueError):
            # A file of size 0 may be a kernel file without an end, such as /proc/kmsg.
            if os.path.isfile(text) and os.path.getsize(text) > 0:
                files[parameter] = hashlib.sha256(Path(text).read_bytes()).hexdigest()
    told = json.dumps([kind, name, dict(parameters), files, seed, code], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _pack(table: Table) -> tuple[str, bytes]:
    header = {"name": table.name, "rows": table.rows, "columns": []}
    cells = bytearray()
    for column in table.columns:
        body = json.dumps(column.cells).encode() if column.type == "string" else column.cells
        header["columns"].append([column.name, column.unit, column.type, len(body)])
        cells += body
    return json.dumps(header), zlib.compress(bytes(cells), 1)


def _unpack(header: str, packed: bytes) -> Table:
    told = json.loads(header)
    cells = zlib.decompress(packed)
    columns = []
    start = 0
    for name, unit, kind, size in told["columns"]:
        body = cells[start : start + size]
        start += size
        columns.append(Column(name, unit, kind, json.loads(body) if kind == "string" else body))
    return Table(told["name"], told["rows"], tuple(columns))


@dataclass(frozen=True)
class Call:
    """
    A past run or sweep.

    Attributes
    ----------
    id : str
        Identifier.
    name, kind : str
        Scenario or function, and `run` or `sweep`.
    called : str
        Time of the call, in UTC.
    labels : list of dict
        Given parameters and seed of each run.
    keys : list of str
        Keys of the runs.
    """

    id: str
    name: str
    kind: str
    called: str
    labels: list[dict[str, Any]]
    keys: list[str]


def _split(keys: bytes) -> list[str]:
    return [keys[start : start + 32].hex() for start in range(0, len(keys), 32)]


class Store:
    """
    An open file of results; use it in a `with` statement.

    Parameters
    ----------
    enabled : bool
        Whether to use the file; a disabled store is always empty.
    """

    def __init__(self, enabled: bool = True) -> None:
        self._enabled = enabled
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None

    def __enter__(self) -> Store:
        if self._enabled:
            self._attempt(lambda connection: None, None)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @property
    def enabled(self) -> bool:
        """Whether it stores results; false after an error of its file."""
        return self._enabled

    @property
    def path(self) -> Path:
        """The file."""
        return folder() / "results.sqlite"

    def get(self, key: str) -> Record | None:
        """
        Read a result.

        Parameters
        ----------
        key : str
            Return value of `key`.

        Returns
        -------
        Record or None
            None if it is not stored.
        """

        def look(connection: sqlite3.Connection) -> Record | None:
            found = connection.execute(
                "SELECT results, code, seconds, draws FROM results LEFT JOIN draws USING (key) WHERE key = ?", (key,)
            ).fetchone()
            if found is None:
                return None
            tables = connection.execute("SELECT header, cells FROM tables WHERE key = ? ORDER BY position", (key,))
            try:
                unpacked = tuple(_unpack(*row) for row in tables)
                return Record(json.loads(found[0]), unpacked, found[1], found[2], cached=True, draws=found[3])
            except (ValueError, KeyError, zlib.error):
                raise sqlite3.DatabaseError("a result in it cannot be read") from None

        return self._attempt(look, None)

    def put(self, key: str, task: Task, record: Record) -> None:
        """
        Store a result.

        Parameters
        ----------
        key : str
            Return value of `key`.
        task : Task
            The task.
        record : Record
            Its outcome.
        """
        parameters = json.dumps(dict(task.texts))
        finished = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        row = (key, task.name, parameters, task.seed, record.code, record.seconds, finished, json.dumps(record.results))
        tables = [(key, position, *_pack(table)) for position, table in enumerate(record.tables)]

        def keep(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
                connection.executemany("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?)", tables)
                connection.execute("INSERT OR REPLACE INTO draws VALUES (?, ?)", (key, record.draws))

        self._attempt(keep, None)

    def remember(self, kind: str, name: str, labels: Any, keys: list[str]) -> None:
        """
        Add a run or a sweep to the history; it replaces an earlier call with the same runs.

        Parameters
        ----------
        kind : str
            `run` or `sweep`.
        name : str
            Scenario or function.
        labels : list of dict
            Given parameters, as numbers and texts, and seed of each run.
        keys : list of str
            Keys of the runs.
        """
        body = zlib.compress(b"".join(bytes.fromhex(one) for one in keys), 1)
        # With microseconds, since calls are sorted by it.
        called = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        told = json.dumps(labels, default=str)
        identity = hashlib.sha256(f"{kind} {name} {' '.join(sorted(keys))}".encode()).hexdigest()[:12]
        row = (identity, name, kind, called, told, body)

        def keep(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?)", row)

        self._attempt(keep, None)

    def calls(self) -> list[Call]:
        """Past runs and sweeps, newest first."""

        def look(connection: sqlite3.Connection) -> list[Call]:
            rows = connection.execute("SELECT id, name, kind, called, labels, keys FROM calls ORDER BY called DESC, id")
            return [
                Call(identity, name, kind, called, json.loads(labels), _split(zlib.decompress(keys)))
                for identity, name, kind, called, labels, keys in rows
            ]

        return self._attempt(look, [])

    def verdicts(self, keys: list[str]) -> dict[str, int]:
        """Count results by verdict; `done` for those without one, `missing` for those that are not stored."""

        def look(connection: sqlite3.Connection) -> dict[str, int]:
            counts: dict[str, int] = {}
            for start in range(0, len(keys), 500):
                some = keys[start : start + 500]
                query = f"SELECT results FROM results WHERE key IN ({', '.join('?' * len(some))})"
                # SQLite's JSON functions do not accept NaN, a possible result.
                for (results,) in connection.execute(query, some):
                    verdict = json.loads(results).get("Verdict", "done")
                    counts[verdict] = counts.get(verdict, 0) + 1
            missing = len(set(keys)) - sum(counts.values())
            return counts | ({"missing": missing} if missing else {})

        return self._attempt(look, {})

    def ages(self) -> list[tuple[str, int]]:
        """Time and approximate size [bytes] of each result, oldest first."""

        def look(connection: sqlite3.Connection) -> list[tuple[str, int]]:
            return connection.execute(
                "SELECT finished, length(parameters) + length(results) + 200 + "
                "coalesce((SELECT sum(length(header) + length(cells)) FROM tables WHERE tables.key = results.key), 0) "
                "FROM results ORDER BY finished"
            ).fetchall()

        return self._attempt(look, [])

    def forget(self, before: str) -> int:
        """
        Delete results and calls up to a given time.

        Parameters
        ----------
        before : str
            The time, such as `2026-01-31T00:00:00Z`.

        Returns
        -------
        int
            Number of deleted results.
        """

        def delete(connection: sqlite3.Connection) -> int:
            with connection:
                old = "SELECT key FROM results WHERE finished <= ?"
                for table in ("tables", "draws"):
                    connection.execute(f"DELETE FROM {table} WHERE key IN ({old})", (before,))
                count = connection.execute("DELETE FROM results WHERE finished <= ?", (before,)).rowcount
                connection.execute("DELETE FROM calls WHERE called <= ?", (before,))
            connection.execute("VACUUM")
            return count

        return self._attempt(delete, 0)

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        limit = time.monotonic() + _BUSY_LIMIT
        while True:
            connection = sqlite3.connect(self.path, timeout=_BUSY_LIMIT)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.executescript(_SCHEMA)
            except BaseException as error:
                connection.close()
                # SQLite does not wait for the lock that the change of mode requires.
                if "locked" not in str(error) or time.monotonic() > limit:
                    raise
                time.sleep(0.02)
            else:
                self._identity = self._inode()
                return connection

    def _inode(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _attempt(self, action: Any, otherwise: Any) -> Any:
        """Use the file; after an error, warn and continue with a new file or without one."""
        for attempt in range(2):
            if not self._enabled:
                return otherwise
            self._identity = self._identity or self._inode()
            try:
                if self._connection is None:
                    self._connection = self._open()
                return action(self._connection)
            except sqlite3.OperationalError as error:
                return self._give_up(str(error), otherwise)
            except sqlite3.DatabaseError as error:
                if attempt:
                    return self._give_up(str(error), otherwise)
                self._move_aside(str(error))
            except OSError as error:
                return self._give_up(error.strerror or str(error), otherwise)
        return otherwise

    def _give_up(self, reason: str, otherwise: Any) -> Any:
        self.close()
        self._enabled = False
        warnings.warn(
            f"Results are no longer stored, since {self.path} cannot be used ({reason}); no computed result is lost.",
            RelnetWarning,
            stacklevel=5,
        )
        return otherwise

    def _move_aside(self, reason: str) -> None:
        """Rename the unreadable file, unless another process has already replaced it."""
        self.close()
        damaged, self._identity = self._identity, None
        if damaged is None or damaged != self._inode():
            return
        aside = self.path.with_name(f"results.sqlite.damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{self.path}{suffix}", f"{aside}{suffix}")
        warnings.warn(
            f"The results in {self.path} cannot be read ({reason}). It was renamed to {aside}, and a new one is used.",
            RelnetWarning,
            stacklevel=5,
        )
