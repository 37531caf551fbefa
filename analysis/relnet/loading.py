# SPDX-License-Identifier: GPL-2.0-only
"""
Scenarios that others compiled.

`relnet.load("libmy-scenarios.so")` makes the scenarios of a library known to `run`, `sweep`, `describe` and
`scenarios`, and to every worker that a sweep uses. On the command line, `relnet --load libmy-scenarios.so run ...` or
the environment variable `RELNET_LIBRARIES` does.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from relnet import build
from relnet.errors import RelnetError

_loaded: list[str] = []
_headers: list[str] = []


def load(library: str | os.PathLike, headers: str | Iterable[str] = ()) -> None:
    """
    Bring in a library with scenarios.

    Parameters
    ----------
    library : path
        A shared library linked with ns-3 and with `librelnet-messaging.so`.
    headers : str or iterable of str
        Headers that `ns` is to know as well, absolute or as `#include` finds them.

    Raises
    ------
    RelnetError
        If the library is not there, or cannot be loaded.
    """
    from relnet import pool

    path = os.path.abspath(library)
    if not Path(path).is_file():
        raise RelnetError(f"The library {path} does not exist.")
    if path not in libraries():
        pool.server((*libraries(), path))
        _loaded.append(path)
    _headers.extend([headers] if isinstance(headers, str) else headers)


def libraries() -> tuple[str, ...]:
    """All libraries brought in, in order: those of `RELNET_LIBRARIES`, then those given to `load`."""
    return tuple(dict.fromkeys([*build.extra_libraries(), *_loaded]))


def headers() -> tuple[str, ...]:
    """The headers given to `load`."""
    return tuple(_headers)
