# SPDX-License-Identifier: GPL-2.0-only
"""
Files written whole or not at all, and tables as CSV, JSON, Markdown, LaTeX and Parquet.

A file is written beside the old one, which it then replaces, with the mode of the old one. A symbolic link remains, and
the file that it leads to is replaced. A pipe, a device and a write-protected file are refused.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import math
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from relnet.errors import RelnetError, quoted

_LATEX = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


def check_path(what: str, value: Any) -> Path:
    """
    Refuse a value that is no path.

    Parameters
    ----------
    what : str
        Beginning of the sentence of the error.
    value : object
        The value.
    """
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if text == "":
        raise RelnetError(f"{what} is empty.")
    try:
        is_valid = isinstance(text, str) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        is_valid = False
    if not is_valid:
        raise RelnetError(f"{what} is {quoted(value)}; it has to be a path.")
    return Path(text)


def working_folder() -> Path:
    """The working folder of this process, which somebody may have deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise RelnetError("The working folder no longer exists; change to another one.") from None


def is_file(path: Path | str) -> bool:
    """Whether a path leads to a regular file; false if its folder cannot be read."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False


def check_folder(name: str | os.PathLike) -> Path:
    """
    Check the name of a folder for results before a run.

    Parameters
    ----------
    name : path
        The folder, which may exist.

    Raises
    ------
    RelnetError
        If the name is empty, its top-level folder does not exist, which suggests a typing error, or a part of the name
        is a file.
    """
    folder = check_path("The name of a folder", name)
    if not folder.is_absolute():
        working_folder()
    top = Path(*folder.absolute().parts[:2])
    if not os.path.lexists(top):
        raise RelnetError(f"The folder {folder} cannot be created: there is no folder {top}.")
    place = next(one for one in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(one))
    if os.path.exists(place) and not os.path.isdir(place):
        raise RelnetError(f"The folder {folder} cannot be created: {place} is a file.")
    return folder


def make_folder(name: str | os.PathLike) -> Path:
    """
    Create a folder for results, and check before a long run that it is writable.

    Parameters
    ----------
    name : path
        The folder, which may exist.

    Raises
    ------
    RelnetError
        If the name is empty, or the folder cannot be created or written to.
    """
    folder = check_folder(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RelnetError(f"The folder {folder} cannot be created: {error.strerror}.") from None
    if not os.access(folder, os.W_OK):
        raise RelnetError(f"The folder {folder} cannot be written to.")
    return folder


def check(name: str | os.PathLike, endings: Iterable[str] | None = None) -> Path:
    """
    Check before a long run that a file can be written.

    Parameters
    ----------
    name : path
        The file; its folder is created.
    endings : iterable of str, optional
        Allowed endings; those of tables by default.

    Returns
    -------
    pathlib.Path
        Its absolute path.

    Raises
    ------
    RelnetError
        If its ending is not allowed, its format needs a missing package, it is not a file, or it cannot be written to.
    """
    path = check_path("The name of a file", name)
    if not path.is_absolute():
        path = working_folder() / path
    known = tuple(_WRITERS if endings is None else endings)
    target, _ = _target(path)
    if path.suffix.lower() not in known:
        one_of = "one of " if len(known) > 1 else ""
        raise RelnetError(f"{name} has to end in {one_of}{', '.join(known)}.")
    if endings is None and path.suffix.lower() == ".parquet":
        _arrow(path)
    make_folder(target.parent)
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}."):
            pass
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def _target(path: Path) -> tuple[Path, int]:
    """
    Find the file that is written if a path is given.

    Returns
    -------
    tuple of (pathlib.Path, int)
        The file itself rather than a symbolic link to it, and its mode.

    Raises
    ------
    RelnetError
        If it is not a regular file, or write-protected.
    """
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        # A new file, possibly behind a link.
        return Path(os.path.realpath(path)), 0o666 & ~_umask()
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    if stat.S_ISDIR(mode):
        raise RelnetError(f"{path} is a folder; a file is needed.")
    if not stat.S_ISREG(mode):
        raise RelnetError(f"{path} is a pipe, a socket or a device, which relnet does not replace by a file.")
    # The superuser may write to a file without any right to write.
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise RelnetError(f"{path} is write-protected.")
    return Path(os.path.realpath(path)), stat.S_IMODE(mode)


def replace_file(path: Path, content: bytes) -> None:
    """
    Write a file so that a reader sees either the old content or the new.

    Parameters
    ----------
    path : pathlib.Path
        The file; its folders are created.
    content : bytes
        The new content.

    Raises
    ------
    RelnetError
        If the file cannot be written.
    """
    target, mode = _target(path)
    temporary = ""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
        raise


def replace_or_rescue(path: Path, content: bytes, text: Callable[[], bytes] | None = None) -> None:
    """
    Write a file; if that fails, write it to the folder for temporary files, and at last to the standard output.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    content : bytes
        Its content, which exists nowhere else.
    text : callable, optional
        Makes the content for the standard output, if it is not text.

    Raises
    ------
    RelnetError
        If the file cannot be written; states where its content is.
    """
    try:
        replace_file(path, content)
    except RelnetError as error:
        raise RelnetError(f"{str(error).rstrip('.')}; {_rescue(path.name, content, text)}.") from None


def _rescue(name: str, content: bytes, text: Callable[[], bytes] | None) -> str:
    """Write a content elsewhere; return the place as the end of a sentence."""
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix="relnet-"))
        (folder / name).write_bytes(content)
    except OSError:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
    else:
        return f"the results are in {folder / name}"
    told = (content if text is None else text()).decode(errors="replace")
    sys.stdout.write(told if told.endswith("\n") else f"{told}\n")
    sys.stdout.flush()
    return "the results were printed instead"


def write_or_rescue(frame: Any, path: Path, units: bool = False, is_stored: bool = False) -> None:
    """
    Write a frame as `write_frame` does, and lose nothing if that fails.

    Parameters
    ----------
    frame, path, units
        As for `write_frame`.
    is_stored : bool
        Whether the results of the frame are on disk, too.

    Raises
    ------
    RelnetError
        If the file cannot be written; states where the results are.
    """
    if not is_stored:
        content = _content(frame, path, units)
        replace_or_rescue(path, content, None if path.suffix.lower() != ".parquet" else lambda: _csv(frame, units))
        return
    try:
        write_frame(frame, path, units)
    except RelnetError as error:
        remedy = "the results are stored, and the same sweep reads them"
        raise RelnetError(f"{str(error).rstrip('.')}; {remedy}.") from None


def write_frame(frame: Any, path: Path, units: bool = False) -> None:
    """
    Write a frame in the format of the file's ending.

    Parameters
    ----------
    frame : pandas.DataFrame
        The frame; its index is not written. `attrs["units"]` may hold the units of its columns.
    path : pathlib.Path
        The file; its folders are created.
    units : bool
        Whether CSV has the units in a second line. Markdown and LaTeX have them in the header, JSON in a field.

    Raises
    ------
    RelnetError
        If the file cannot be written.
    """
    replace_file(path, _content(frame, path, units))


def _content(frame: Any, path: Path, units: bool) -> bytes:
    """A frame in the format of a file's ending."""
    return _WRITERS.get(path.suffix.lower(), _csv)(frame, units)


def _units(frame: Any) -> list[str]:
    told = frame.attrs.get("units", {})
    return [told.get(name, "") for name in frame.columns]


def _csv(frame: Any, units: bool) -> bytes:
    body = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    if units:
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(_units(frame))
        header, _, rows = body.partition("\n")
        body = f"{header}\n{line.getvalue()}{rows}"
    return body.encode()


def _json(frame: Any, _: bool) -> bytes:
    units = {name: unit for name, unit in zip(frame.columns, _units(frame), strict=True) if unit}
    return json_text({"units": units, "rows": frame}, 1).encode() + b"\n"


def json_text(value: Any, indent: int = 2) -> str:
    """
    Write values as JSON: reals with all their digits, so that readers get the same number as from CSV.

    Parameters
    ----------
    value : object
        Numbers, texts, truth values, lists and mappings of them, or frames, which become lists of rows. What is no
        number or infinite, which JSON cannot write, becomes null.
    indent : int
        Blanks of an indented level.
    """
    return json.dumps(_plain(value), indent=indent, allow_nan=False)


def _plain(value: Any) -> Any:
    """A value as the types that JSON has."""
    if hasattr(value, "to_dict") and hasattr(value, "columns"):
        return _plain(value.to_dict("records"))
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    # Such as a time, or a missing value of pandas.
    return None if str(value) in ("<NA>", "NaT") else str(value)


def _cells(frame: Any) -> tuple[list[str], list[list[str]]]:
    """Headers with units, and cells as texts."""
    heads = [f"{name} [{unit}]" if unit else str(name) for name, unit in zip(frame.columns, _units(frame), strict=True)]
    rows = [
        ["" if cell != cell else f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in row]
        for row in frame.astype(object).itertuples(index=False, name=None)
    ]
    return heads, rows


def _markdown(frame: Any, _: bool) -> bytes:
    heads, rows = _cells(frame)
    marks = ["---:" if frame[name].dtype.kind in "iuf" else "---" for name in frame.columns]
    lines = [heads, marks, *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines).encode()


def _latex(frame: Any, _: bool) -> bytes:
    heads, rows = _cells(frame)
    columns = "".join("r" if frame[name].dtype.kind in "iuf" else "l" for name in frame.columns)
    lines = [" & ".join(cell.translate(_LATEX) for cell in line) + r" \\" for line in (heads, *rows)]
    parts = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
    return "\n".join([*parts, r"\bottomrule", r"\end{tabular}", ""]).encode()


def _arrow(path: Path) -> None:
    try:
        import pyarrow  # noqa: F401, slow, and only Parquet needs it
    except ImportError:
        raise RelnetError(f"{path} needs the package pyarrow: `pip install pyarrow`.") from None


def _parquet(frame: Any, _: bool) -> bytes:
    plain = frame.copy()
    # pandas keeps these attributes in the file's metadata, as JSON.
    plain.attrs = {"units": frame.attrs.get("units", {})}
    return plain.to_parquet(index=False)


_WRITERS: dict[str, Callable[[Any, bool], bytes]] = {
    ".csv": _csv,
    ".json": _json,
    ".md": _markdown,
    ".tex": _latex,
    ".parquet": _parquet,
}


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
