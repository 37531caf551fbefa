# SPDX-License-Identifier: GPL-2.0-only
"""Past runs and sweeps, read from the results on disk."""

from __future__ import annotations

import contextlib
import datetime
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relnet.catalog.parameters import Parameter, parse_seconds
from relnet.errors import RelnetError, quoted
from relnet.names import check_text, nearest
from relnet.records import frames
from relnet.records.tasks import Record
from relnet.runs import store

_LAST = Parameter.plain("last", "uint", 1)
_DATE = "%Y-%m-%dT%H:%M:%SZ"
"""Format of the dates of results."""


def history(name: str | None = None, /, *, last: int | None = None) -> Any:
    """
    List past runs and sweeps, newest first.

    Parameters
    ----------
    name : str, optional
        Only those of this scenario or function.
    last : int, optional
        Maximum number.

    Returns
    -------
    pandas.DataFrame
        One row each: `id`, `called` (UTC), `kind` (`run` or `sweep`), `name`, `runs`, `verdicts` with their counts,
        `varied` (parameters that differ among the runs, with their values) and `fixed`.
    """
    import pandas  # slow, and only the frame needs it

    if name is not None:
        check_text("The name of the scenario", name)
    last = None if last is None else _LAST.parse(last)
    rows = []
    with store.Store() as kept:
        for call in kept.calls():
            if (name is None or call.name == name) and (last is None or len(rows) < last):
                varied, fixed = _sort_labels(call.labels)
                verdicts = kept.verdicts(call.keys)
                told = ", ".join(f"{verdict} {count}" for verdict, count in verdicts.items())
                rows.append((call.id, call.called, call.kind, call.name, len(call.keys), told, varied, fixed))
    return pandas.DataFrame(rows, columns=["id", "called", "kind", "name", "runs", "verdicts", "varied", "fixed"])


def _sort_labels(labels: list[dict[str, Any]]) -> tuple[str, str]:
    """Parameters with several values, and those with a single one, as texts."""
    values: dict[str, list[str]] = {}
    for one in labels:
        for name, value in one.items():
            text = _text(value)
            if text not in values.setdefault(name, []):
                values[name].append(text)
    varied = [f"{name}={_listed(several)}" for name, several in values.items() if len(several) > 1]
    fixed = [f"{name}={single[0]}" for name, single in values.items() if len(single) == 1]
    return " ".join(varied), " ".join(fixed)


def _text(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _listed(values: list[str]) -> str:
    return ",".join(values) if len(values) <= 6 else f"{','.join(values[:3])},...,{values[-1]}"


LAST = "last"
"""Name of the run or sweep that was called last."""


def find(identity: str, kept: store.Store) -> store.Call:
    """
    Find a run or sweep by its id, or the beginning of it; `last` is the one called last.

    Raises
    ------
    RelnetError
        If there is none, or there are several.
    """
    check_text("The id of a run or sweep", identity)
    calls = kept.calls()
    if identity == LAST and calls:
        return calls[0]
    found = [call for call in calls if call.id.startswith(identity)] if identity else []
    if len(found) == 1:
        return found[0]
    if found:
        raise RelnetError(f"{quoted(identity)} is the beginning of {len(found)} ids; give more characters.")
    guess = nearest(identity, [call.id for call in calls])
    hint = f"did you mean {guess}? " if guess else ""
    raise RelnetError(f"There is no run or sweep {quoted(identity)}; {hint}`relnet history` lists them.")


def recall(identity: str, /) -> Any:
    """
    Read a past run or sweep.

    Parameters
    ----------
    identity : str
        An id of `history`, or the beginning of one; `last` for the last run or sweep.

    Returns
    -------
    pandas.DataFrame
        One row per run: given parameters, seed, results; deleted results are missing. `attrs` has `name`, `kind`,
        `called`, `codes` (code hashes of the runs) and `tables`.

    Raises
    ------
    RelnetError
        If there is none of this id.
    """
    import pandas  # slow, and only the frame needs it

    with store.Store() as kept:
        call = find(identity, kept)
        records = [kept.get(key) for key in call.keys]
    rows = [
        {**labels, **(record.results if record else {})} for labels, record in zip(call.labels, records, strict=True)
    ]
    frame = pandas.DataFrame(rows)
    there: list[tuple[Mapping[str, Any], Record]] = [
        (labels, record) for labels, record in zip(call.labels, records, strict=True) if record
    ]
    frame.attrs.update(
        name=call.name,
        kind=call.kind,
        called=call.called,
        codes=sorted({record.code for _, record in there}),
        parameters=list(dict.fromkeys(name for labels in call.labels for name in labels)),
        tables=frames.Tables(frames.concatenate(there)),
    )
    return frame


def difference(first: str, second: str, /) -> Any:
    """
    Compare two runs, or the common points of two sweeps.

    Parameters
    ----------
    first, second : str
        Their ids, or the beginnings of them; `last` for the last run or sweep.

    Returns
    -------
    pandas.DataFrame
        One row for each parameter or result that differs: `point` (empty for runs), `what`, `first`, `second`, and for
        numbers the `ratio` of the second to the first.

    Raises
    ------
    RelnetError
        If an id is unknown, or the two have no common point.
    """
    import pandas  # slow, and only the frame needs it

    one, other = recall(first), recall(second)
    rows: list[tuple[str, str, Any, Any, float]] = []
    if one.attrs["codes"] != other.attrs["codes"]:
        rows.append(("", "code", *(", ".join(frame.attrs["codes"]) for frame in (one, other)), float("nan")))
    if one.attrs["name"] != other.attrs["name"]:
        rows.append(("", "name", one.attrs["name"], other.attrs["name"], float("nan")))
    if len(one) == len(other) == 1:
        rows += _changes("", one.iloc[0].to_dict(), other.iloc[0].to_dict())
    else:
        shared = [name for name in one.attrs["parameters"] if name in other.attrs["parameters"]]
        # A parameter with one value in each sweep, but another one, is a difference rather than a label of points.
        values = {name: [set(map(_text, frame[name])) for frame in (one, other)] for name in shared}
        shared = [name for name, (a, b) in values.items() if a & b or len(a) > 1 or len(b) > 1]
        points = {_point(row, shared): row for row in one.to_dict("records")}
        common = [(points[point], row) for row in other.to_dict("records") if (point := _point(row, shared)) in points]
        if not common:
            raise RelnetError(f"The runs of {first} and {second} have no parameters in common.")
        for before, after in common:
            rows += _changes(" ".join(_point(after, shared)), before, after)
    return pandas.DataFrame(rows, columns=["point", "what", "first", "second", "ratio"])


def _point(row: Mapping[str, Any], names: list[str]) -> tuple[str, ...]:
    return tuple(f"{name}={_text(row[name])}" for name in names)


def _changes(point: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple]:
    rows = []
    for name in dict.fromkeys([*before, *after]):
        values = [side.get(name, "default") for side in (before, after)]
        if json.dumps(values[0], default=str) != json.dumps(values[1], default=str):
            numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
            ratio = values[1] / values[0] if numbers and values[0] else float("nan")
            rows.append((point, name, *values, ratio))
    return rows


def size() -> tuple[int, list[tuple[str, int]]]:
    """Size of the results on disk [bytes], and time and size of each result, oldest first."""
    with store.Store() as kept:
        ages = kept.ages()
    total = 0
    for path in _files():
        # SQLite deletes its log when the last process closes the file.
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total, ages


def _files() -> list[Path]:
    """The files of results: that of this relnet, damaged ones, and those of other versions."""
    folder = store.folder()
    return [path for path in folder.glob("results*.sqlite*") if path.is_file()] if folder.is_dir() else []


def count_future(ages: list[tuple[str, int]]) -> int:
    """Number of results with a date in the future, which a wrong clock has caused."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime(_DATE)
    return sum(finished > now for finished, _ in ages)


def clean(older: Any) -> tuple[int, int]:
    """
    Delete old results, and old files that are damaged or of other versions.

    Parameters
    ----------
    older : float or str
        Minimum age, in seconds or as text with a unit, such as `30d`. With 0, everything is deleted; else results with
        a date in the future, whose age is unknown, remain.

    Returns
    -------
    tuple of int
        Numbers of deleted results and freed bytes.
    """
    age = parse_seconds("older", older)
    before = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
    size_before = size()[0]
    with store.Store() as kept:
        count = kept.forget(before.strftime(_DATE) if age else None)
    ours = [f"{store.FILE}{suffix}" for suffix in ("", "-wal", "-shm")]
    for other in _files():
        with contextlib.suppress(FileNotFoundError):
            if other.name not in ours and (not age or other.stat().st_mtime < before.timestamp()):
                other.unlink()
    return count, max(0, size_before - size()[0])
