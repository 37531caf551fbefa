# SPDX-License-Identifier: GPL-2.0-only
"""
Results on disk.

They are in one SQLite file in the folder of `RELNET_CACHE` (by default `relnet` in `XDG_CACHE_HOME` or `~/.cache`). The
key of a result is a hash of scenario, all parameters, contents of the files that parameters name, seed, and code.

Several processes may write concurrently. A process claims a result while it computes it, and others wait for it. Each
row has a checksum. A damaged row is renamed and counts as missing; so is a file that SQLite cannot read. Nothing is
deleted. A file that cannot be written to is read. On a full disk, further results are returned but not stored.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import fcntl
import hashlib
import json
import os
import sqlite3
import struct
import time
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from relnet.errors import RelnetError, RelnetWarning
from relnet.records.tasks import Column, Record, Table, Task

FILE = "results-2.sqlite"
"""Name of the file. Its number changes with its tables, so that an older relnet keeps a file of its own."""
_LOCKS = "results.lock"
"""Name of the file whose bytes are locked by claims."""
_RESULT = "key, name, parameters, seed, code, seconds, finished, draws, results, tables"
_TABLE = "key, position, header, cells"
_CALL = "id, name, kind, called, labels, keys"
_TABLES = (
    "results(key TEXT PRIMARY KEY, name TEXT, parameters TEXT, seed INTEGER, code TEXT, seconds REAL, finished TEXT, "
    "draws INTEGER, results TEXT, tables INTEGER, checksum BLOB) WITHOUT ROWID",
    "tables(key TEXT, position INTEGER, header TEXT, cells BLOB, checksum BLOB, PRIMARY KEY(key, position)) "
    "WITHOUT ROWID",
    "calls(id TEXT PRIMARY KEY, name TEXT, kind TEXT, called TEXT, labels TEXT, keys BLOB, checksum BLOB) "
    "WITHOUT ROWID",
)
_DAMAGED = "damaged-"
"""Beginning of the new key of a damaged row."""
_BUSY_LIMIT = 60.0
_CLAIM_TICK = 0.1
"""Time between two looks at a claim of another process [s]."""
_PATIENCE = 10.0
"""Time after which a process says that it waits for another [s]."""
_FLOCK = "hhqqi4x"
"""Layout of `struct flock`: type, origin, begin, length and process."""
_OBSTACLES = (
    *("locked", "readonly", "disk I/O", "is full", "unable to open", "locking protocol", "denied", "interrupted"),
)
"""Words of SQLite's errors that have another reason than damage."""


def folder() -> Path:
    """
    Folder of the results.

    Raises
    ------
    RelnetError
        If it is in the home of a user who has none.
    """
    named = os.environ.get("RELNET_CACHE")
    try:
        if named:
            return Path(named).expanduser()
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "relnet"
    except RuntimeError:
        if named:
            raise RelnetError(f"RELNET_CACHE is {named}, and there is no such user.") from None
        raise RelnetError("The results have no folder, since this user has no home; RELNET_CACHE names one.") from None


def key(kind: str, name: str, parameters: Mapping[str, str], seed: int, code: str, files: Iterable[str] = ()) -> str:
    """
    Compute the key of a result.

    Parameters
    ----------
    kind, name : str
        Kind of the task, and the scenario's TypeId or the function's fingerprint.
    parameters : mapping of str to str
        All parameters as text.
    seed : int
        Seed.
    code : str
        Hash of the code.
    files : iterable of str
        Parameters that may name a file, whose contents then count.

    Returns
    -------
    str
        A hash, in hexadecimal digits.
    """
    contents = {}
    for parameter in files:
        path = parameters[parameter]
        with contextlib.suppress(OSError, ValueError):
            # A file of size 0 may be a kernel file without an end, such as /proc/kmsg.
            if os.path.isfile(path) and os.path.getsize(path) > 0:
                contents[parameter] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    told = json.dumps([kind, name, dict(parameters), contents, seed, code], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _checksum(row: Iterable[Any]) -> bytes:
    """Checksum of a row's values, as they are bound or read."""
    digest = hashlib.blake2b(digest_size=16)
    for value in row:
        body = value.encode() if isinstance(value, str) else value
        if not isinstance(body, bytes):
            body = repr(body).encode()
        digest.update(len(body).to_bytes(8, "little") + body)
    return digest.digest()


def _sealed(*row: Any) -> tuple:
    """A row with its checksum."""
    return (*row, _checksum(row))


def _is_whole(row: tuple) -> bool:
    """Whether a row that was read has the checksum with which it was stored."""
    return row[-1] == _checksum(row[:-1])


def _pack(table: Table) -> tuple[str, bytes]:
    header = {"name": table.name, "rows": table.rows, "columns": []}
    cells = bytearray()
    for column in table.columns:
        body = json.dumps(column.cells).encode() if column.type == "string" else column.cells
        header["columns"].append([column.name, column.unit, column.type, len(body)])
        cells += body
    return json.dumps(header), zlib.compress(bytes(cells), 1)


def _unpack(header: bytes, packed: bytes) -> Table:
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


class _Claims:
    """
    Claims of results: locks of single bytes of a file, which end with the process.

    The locks belong to the open file rather than to the process, so that two stores of one process exclude each other.
    """

    def __init__(self) -> None:
        self._file: int | None = None

    def take(self, path: Path, key: str) -> bool:
        """Claim a key; false if it is claimed elsewhere. Without locks on its file system, every claim succeeds."""
        try:
            if self._file is None:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            self._lock(fcntl.F_WRLCK, key)
        except OSError as error:
            return error.errno not in (errno.EAGAIN, errno.EACCES) or self._file is None
        return True

    def release(self, key: str) -> None:
        """Give up a claim."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._lock(fcntl.F_UNLCK, key)

    def close(self) -> None:
        """Give up all claims."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _lock(self, kind: int, key: str) -> None:
        place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")
        fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, struct.pack(_FLOCK, kind, os.SEEK_SET, place, 1, 0))


class _Damage(sqlite3.DatabaseError):
    """The file is not one that this relnet writes."""


class Store:
    """
    An open file of results; use it in a `with` statement.

    Parameters
    ----------
    enabled : bool
        Whether to use the file; a disabled store is always empty.
    """

    def __init__(self, enabled: bool = True) -> None:
        self._readable = enabled
        self._writable = enabled
        self._is_protected = False
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._claims = _Claims()

    def __enter__(self) -> Store:
        if self._readable:
            self._attempt(lambda connection: None, None)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and give up all claims."""
        self._claims.close()
        self._disconnect()

    @property
    def enabled(self) -> bool:
        """Whether it stores results; false for a read-only file, and after an error of the file."""
        return self._readable and self._writable

    @property
    def path(self) -> Path:
        """The file."""
        return folder() / FILE

    def claim(self, key: str) -> bool:
        """
        Claim the computation of a result, until `release` or the end of the process.

        Returns
        -------
        bool
            False while it is claimed by another store, whose process computes the result.
        """
        return not self.enabled or self._claims.take(self.path.with_name(_LOCKS), key)

    def release(self, key: str) -> None:
        """Give up a claim."""
        self._claims.release(key)

    @contextlib.contextmanager
    def claimed(self, key: str) -> Iterator[None]:
        """Claim a result for the duration of a `with` statement; wait if another process computes it."""
        patience = Patience()
        while not self.claim(key):
            patience.wait(1)
        try:
            yield
        finally:
            self.release(key)

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
            None if it is not stored, or damaged.
        """

        def look(connection: sqlite3.Connection) -> Record | None:
            row = connection.execute(f"SELECT {_RESULT}, checksum FROM results WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            tables = connection.execute(
                f"SELECT {_TABLE}, checksum FROM tables WHERE key = ? ORDER BY position", (key,)
            ).fetchall()
            if not all(map(_is_whole, (row, *tables))) or len(tables) != row[9]:
                self._set_aside(connection, "result", row[0], {"results": "key", "tables": "key"})
                return None
            *_, code, seconds, _, draws, results, _, _ = row
            unpacked = tuple(_unpack(header, cells) for _, _, header, cells, _ in tables)
            return Record(json.loads(results), unpacked, code.decode(), seconds, cached=True, draws=draws)

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
        finished = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        row = _sealed(
            *(key, task.name, json.dumps(dict(task.texts)), task.seed, record.code, float(record.seconds), finished),
            *(record.draws, json.dumps(record.results), len(record.tables)),
        )
        tables = [_sealed(key, position, *_pack(table)) for position, table in enumerate(record.tables)]

        def keep(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("DELETE FROM tables WHERE key = ?", (key,))
                connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
                connection.executemany("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?)", tables)

        if self._is_protected:
            self._is_protected = False
            warnings.warn(
                f"New results are not stored, since {self.path} is write-protected; those in it are read.",
                RelnetWarning,
                stacklevel=5,
            )
        self._attempt(keep, None, writes=True)

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
        row = _sealed(identity, name, kind, called, told, body)

        def keep(connection: sqlite3.Connection) -> None:
            with connection:
                connection.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?, ?, ?, ?)", row)

        self._attempt(keep, None, writes=True)

    def calls(self) -> list[Call]:
        """Past runs and sweeps, newest first."""

        def look(connection: sqlite3.Connection) -> list[Call]:
            found = []
            query = f"SELECT {_CALL}, checksum FROM calls WHERE id NOT LIKE '{_DAMAGED}%' ORDER BY called DESC, id"
            for row in connection.execute(query).fetchall():
                if _is_whole(row):
                    identity, name, kind, called = (text.decode() for text in row[:4])
                    keys = _split(zlib.decompress(row[5]))
                    found.append(Call(identity, name, kind, called, json.loads(row[4]), keys))
                else:
                    self._set_aside(connection, "entry of the history", row[0], {"calls": "id"})
            return found

        return self._attempt(look, [])

    def verdicts(self, keys: list[str]) -> dict[str, int]:
        """Count results by verdict; `done` for those without one, `damaged`, and `missing` if they are not stored."""

        def look(connection: sqlite3.Connection) -> dict[str, int]:
            counts: dict[str, int] = {}
            for start in range(0, len(keys), 500):
                some = keys[start : start + 500]
                query = f"SELECT {_RESULT}, checksum FROM results WHERE key IN ({', '.join('?' * len(some))})"
                # SQLite's JSON functions do not accept NaN, a possible result.
                for row in connection.execute(query, some):
                    verdict = json.loads(row[8]).get("Verdict", "done") if _is_whole(row) else "damaged"
                    counts[verdict] = counts.get(verdict, 0) + 1
            missing = len(set(keys)) - sum(counts.values())
            return counts | ({"missing": missing} if missing else {})

        return self._attempt(look, {})

    def ages(self) -> list[tuple[str, int]]:
        """Time and approximate size [bytes] of each result, oldest first."""

        def look(connection: sqlite3.Connection) -> list[tuple[str, int]]:
            rows = connection.execute(
                "SELECT finished, coalesce(length(parameters) + length(results), 0) + 200 + "
                "coalesce((SELECT sum(length(header) + length(cells)) FROM tables WHERE tables.key = results.key), 0) "
                "FROM results ORDER BY finished"
            )
            return [(_text(finished), size) for finished, size in rows]

        return self._attempt(look, [])

    def forget(self, before: str | None) -> int:
        """
        Delete results and calls up to a given time.

        Parameters
        ----------
        before : str or None
            The time, such as `2026-01-31T00:00:00Z`; None deletes all, those with a date in the future, too.

        Returns
        -------
        int
            Number of deleted results.
        """
        # Compared with a text, a blob is greater: only the deletion of everything includes foreign types.
        limit: str | bytes = b"\xff" if before is None else before

        def delete(connection: sqlite3.Connection) -> int:
            with connection:
                old = "coalesce(finished, '') <= ?"
                connection.execute(
                    f"DELETE FROM tables WHERE key IN (SELECT key FROM results WHERE {old}) "
                    "OR key NOT IN (SELECT key FROM results)",
                    (limit,),
                )
                count = connection.execute(f"DELETE FROM results WHERE {old}", (limit,)).rowcount
                connection.execute("DELETE FROM calls WHERE coalesce(called, '') <= ?", (limit,))
            connection.execute("VACUUM")
            return count

        return self._attempt(delete, 0, writes=True)

    def _connect(self) -> sqlite3.Connection:
        """Open the file, for reading only if it cannot be written to."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(self.path.parent, os.W_OK) and (not self.path.exists() or os.access(self.path, os.W_OK))
        if is_writable:
            return self._open_to_write()
        if not self.path.exists():
            raise PermissionError(errno.EACCES, "its folder is write-protected")
        self._writable = False
        self._is_protected = True
        return self._open_to_read()

    def _open_to_write(self) -> sqlite3.Connection:
        limit = time.monotonic() + _BUSY_LIMIT
        while True:
            connection = sqlite3.connect(self.path, timeout=_BUSY_LIMIT)
            connection.text_factory = bytes
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                for table in _TABLES:
                    connection.execute(f"CREATE TABLE IF NOT EXISTS {table}")
                self._check(connection)
            except BaseException as error:
                connection.close()
                # SQLite does not wait for the lock that the change of mode requires.
                if "locked" not in str(error) or time.monotonic() > limit:
                    raise
                time.sleep(0.02)
            else:
                self._identity = self._inode()
                return connection

    def _open_to_read(self) -> sqlite3.Connection:
        # Beside a file that another process writes, SQLite needs the files of its log; else it must not look for them.
        for option in ("mode=ro", "mode=ro&immutable=1"):
            connection = sqlite3.connect(f"file:{quote(str(self.path))}?{option}", timeout=_BUSY_LIMIT, uri=True)
            connection.text_factory = bytes
            try:
                self._check(connection)
            except BaseException as error:
                connection.close()
                if "immutable" in option or not isinstance(error, sqlite3.OperationalError):
                    raise
            else:
                break
        self._identity = self._inode()
        return connection

    @staticmethod
    def _check(connection: sqlite3.Connection) -> None:
        """Refuse a file with other tables."""
        found = {_text(row[0]) for row in connection.execute("SELECT sql FROM sqlite_master")}
        if not found.issuperset(f"CREATE TABLE {table}" for table in _TABLES):
            raise _Damage("its tables are not those of relnet")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _inode(self) -> tuple[int, int] | None:
        try:
            status = os.stat(self.path)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _attempt(self, action: Any, otherwise: Any, writes: bool = False) -> Any:
        """Use the file; after an error, warn and continue with a new file or without one."""
        for attempt in range(2):
            if not self._readable:
                return otherwise
            try:
                self._identity = self._identity or self._inode()
                if self._connection is None:
                    self._connection = self._connect()
                if writes and not self._writable:
                    return otherwise
                return action(self._connection)
            except sqlite3.DatabaseError as error:
                reason = str(error)
                is_moved = self._identity is not None and self._identity != self._inode()
                if attempt or (_is_obstacle(error) and not is_moved):
                    return self._give_up(reason, otherwise, writes)
                if is_moved:
                    # Another process has renamed the file.
                    self._disconnect()
                    self._identity = None
                else:
                    self._move_aside(reason)
            except OSError as error:
                return self._give_up(error.strerror or str(error), otherwise, writes)
            except RelnetError as error:
                if os.environ.get("RELNET_CACHE"):
                    raise
                return self._give_up(str(error).rstrip("."), otherwise, writes)
        return otherwise

    def _give_up(self, reason: str, otherwise: Any, writes: bool) -> Any:
        """Continue without the file, or, if it cannot be written to, with what can be read."""
        self._writable = False
        if not writes or self._connection is None:
            self._disconnect()
            self._readable = False
        place: str | Path = FILE
        with contextlib.suppress(RelnetError):
            place = self.path
        warnings.warn(
            f"Results are no longer stored, since {place} cannot be used ({reason}); no computed result is lost.",
            RelnetWarning,
            stacklevel=5,
        )
        return otherwise

    def _set_aside(self, connection: sqlite3.Connection, what: str, key: bytes, columns: Mapping[str, str]) -> None:
        """Rename damaged rows, so that they count as missing."""
        name = f"{_DAMAGED}{time.strftime('%Y%m%dT%H%M%S')}-{os.urandom(4).hex()}-{_text(key)}"
        told = "It cannot be renamed"
        if self._writable:
            with contextlib.suppress(sqlite3.OperationalError), connection:
                for table, column in columns.items():
                    # A damaged key may be no text and in a wrong place, where a search would not find it.
                    found = f"CAST({column} AS BLOB) = ?"
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE {found}", (name, key))
                told = f"It was renamed to {name}"
        warnings.warn(
            f"The {what} {_text(key)[:12]} in {self.path} is damaged. {told}, and counts as missing.",
            RelnetWarning,
            stacklevel=6,
        )

    def _move_aside(self, reason: str) -> None:
        """Rename the unreadable file, unless another process has already replaced it."""
        self._disconnect()
        damaged, self._identity = self._identity, None
        if damaged is None or damaged != self._inode():
            return
        aside = self.path.with_name(f"{FILE}.damaged-{time.strftime('%Y%m%dT%H%M%S')}-{os.getpid()}")
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                os.rename(f"{self.path}{suffix}", f"{aside}{suffix}")
        warnings.warn(
            f"The results in {self.path} cannot be read ({reason}). It was renamed to {aside}, and a new one is used.",
            RelnetWarning,
            stacklevel=5,
        )


class Patience:
    """Waits for results that other processes compute, and says so once."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._has_told = False

    def wait(self, count: int) -> None:
        """Wait a moment for some results."""
        time.sleep(_CLAIM_TICK)
        if not self._has_told and time.monotonic() - self._begin > _PATIENCE:
            self._has_told = True
            results = "a result" if count == 1 else f"{count} results"
            warnings.warn(
                f"Waiting for {results} that another process computes. If it is stopped, end it, or run without the "
                "results on disk (--no-cache).",
                RelnetWarning,
                stacklevel=5,
            )


def _is_obstacle(error: sqlite3.DatabaseError) -> bool:
    """Whether an error has another reason than damage, such as a full disk."""
    return isinstance(error, sqlite3.OperationalError) and any(words in str(error) for words in _OBSTACLES)


def _text(value: Any) -> str:
    """A value of a possibly damaged row as text."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
