# SPDX-License-Identifier: GPL-2.0-only
"""A function in a child process, so that a fatal error in it is an exception here."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from relnet import frames
from relnet.errors import RelnetError
from relnet.processes import loaded, pool
from relnet.processes.tasks import Task


def isolated(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """
    Call a function in a fresh child process in which ns-3 is loaded already.

    Parameters
    ----------
    function : callable
        What to call; it may use `relnet.ns`. What it prints is shown.
    *arguments, **keywords
        What to call it with.

    Returns
    -------
    object
        What the function returned; no object of ns-3, which does not leave its process.

    Raises
    ------
    CrashError
        If the process ended, by `NS_FATAL_ERROR` for instance; with the message.
    Exception
        What the function raised, with the child's traceback as a note.
    """
    name = getattr(function, "__name__", type(function).__name__)
    try:
        payload = frames.dump((function, arguments, keywords))
    except Exception as error:
        raise RelnetError(f"The function {name} cannot be carried to another process: {error}.") from None
    task = Task("call", name, payload=payload, libraries=loaded.libraries())
    value = pool.run_task(task, echo=True).value
    try:
        return pickle.loads(value)
    except Exception as error:
        raise RelnetError(f"What {name} returned cannot leave its process: {error}.") from None
