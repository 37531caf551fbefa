# SPDX-License-Identifier: GPL-2.0-only
"""Function calls in child processes, where a fatal error becomes an exception of the caller."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from relnet.binding import namespace, user_code
from relnet.errors import RelnetError, quoted
from relnet.processes import pool
from relnet.records import pickles
from relnet.records.tasks import Task


def isolated(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """
    Call a function in a fresh child process with ns-3 loaded.

    Parameters
    ----------
    function : callable
        The function; it may use `relnet.ns`. Its output is shown.
    *arguments, **keywords
        Its arguments.

    Returns
    -------
    object
        The return value; objects of ns-3 cannot leave their process.

    Raises
    ------
    CrashError
        If the process ended, for instance by `NS_FATAL_ERROR`; has its message.
    Exception
        The exception of the function, with the child's traceback as a note.
    """
    if not callable(function):
        raise RelnetError(f"isolated calls a function, and {quoted(function)} is none.")
    name = getattr(function, "__name__", type(function).__name__)
    try:
        payload = pickles.dump((function, arguments, keywords))
    except Exception as error:
        raise RelnetError(f"The function {name} cannot be sent to another process: {error}.") from None
    namespace.foresee(function)
    task = Task("call", name, payload=payload, libraries=user_code.libraries())
    value = pool.run_task(task, echo=True).value
    try:
        return pickle.loads(value)
    except Exception as error:
        raise RelnetError(f"The return value of {name} cannot leave its process: {error}.") from None
