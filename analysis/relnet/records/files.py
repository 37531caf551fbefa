# SPDX-License-Identifier: GPL-2.0-only
"""Files written whole or not at all, and tables as CSV, JSON, Markdown, LaTeX and Parquet."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from relnet.errors import RelnetError

_LATEX = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


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
        If the name is empty, or its top-level folder does not exist, which suggests a typing error.
    """
    if not os.fspath(name):
        raise RelnetError("The name of a folder is empty.")
    folder = Path(name)
    top = Path(*folder.absolute().parts[:2])
    if not os.path.lexists(top):
        raise RelnetError(f"The folder {folder} cannot be created: there is no folder {top}.")
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


def check(path: Path) -> None:
    """
    Check before a long run that a file can be written.

    Raises
    ------
    RelnetError
        If its ending is unknown, its format needs a missing package, or its folder cannot be written to.
    """
    try:
        is_folder = path.is_dir()
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    if is_folder:
        raise RelnetError(f"{path} is a folder; --out takes a file.")
    if path.suffix.lower() not in _WRITERS:
        raise RelnetError(f"{path} has to end in one of {', '.join(_WRITERS)}.")
    if path.suffix.lower() == ".parquet":
        _arrow(path)
    make_folder(path.parent)
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None


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
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with open(descriptor, "wb") as file:
            os.fchmod(descriptor, 0o666 & ~_umask())
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
        raise


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
    replace_file(path, _WRITERS.get(path.suffix.lower(), _csv)(frame, units))


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
    rows = json.loads(frame.to_json(orient="records", double_precision=15))
    return json.dumps({"units": units, "rows": rows}, indent=1).encode() + b"\n"


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
