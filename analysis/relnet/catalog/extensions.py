# SPDX-License-Identifier: GPL-2.0-only
"""
User libraries with scenarios, networks and protocols.

`relnet.load("libmy-scenarios.so")` makes them available in `run`, `sweep`, `describe`, `scenarios` and `matrix`, in
this process and in every worker of a sweep. On the command line, use `relnet --load libmy-scenarios.so run ...` or the
environment variable `RELNET_LIBRARIES`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable

from relnet.binding import user_code
from relnet.errors import RelnetError, RelnetWarning
from relnet.processes import pool
from relnet.records.files import check_path, is_file


def load(library: str | os.PathLike, headers: str | Iterable[str] = ()) -> None:
    """
    Load a library of scenarios, networks or protocols.

    Parameters
    ----------
    library : path
        A shared library linked with ns-3 and with `librelnet-messaging.so`.
    headers : str or iterable of str
        Headers to include in `ns`, by absolute paths or names for `#include`.

    Raises
    ------
    RelnetError
        If the library does not exist or cannot be loaded.
    """
    path = str(check_path("The library", library).absolute())
    if not is_file(path):
        fault = "is no file" if os.path.exists(path) else "does not exist"
        raise RelnetError(f"The library {path} {fault}.")
    if not os.access(path, os.R_OK):
        raise RelnetError(f"The library {path} cannot be read.")
    if path not in user_code.libraries():
        if path in pool.server((*user_code.libraries(), path)).hello["idle"]:
            warnings.warn(
                f"The library {path} adds no scenario, network, protocol or pattern: a class needs "
                "NS_OBJECT_ENSURE_REGISTERED, a constructor (AddConstructor) and a summary (SetSummary).",
                RelnetWarning,
                stacklevel=2,
            )
        user_code.add_library(path)
    user_code.add_headers(*([headers] if isinstance(headers, str) else headers))
