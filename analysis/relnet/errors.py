# SPDX-License-Identifier: GPL-2.0-only
"""Errors of relnet. Each is one sentence; the command line prints no traceback."""

from __future__ import annotations

import errno
import resource
from typing import Any

_LONGEST = 2000
"""Maximum length of a sentence; a longer one contains a long value."""
_ESCAPES = {code: f"\\x{code:02x}" for code in (*range(9), *range(11, 32), *range(127, 160))}
"""Control characters, which a terminal would obey, as text; a sentence may have several lines."""
_LONGEST_VALUE = 200
"""Maximum length of a value within a sentence."""


def shorten(text: str, longest: int = _LONGEST) -> str:
    """Cut out the middle of a long text."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]} ... ({len(text)} characters) ... {text[-longest // 4 :]}"


def quoted(value: Any) -> str:
    """A value as part of a sentence, in quotation marks."""
    try:
        return repr(shorten(str(value), _LONGEST_VALUE))
    except Exception:
        # Python refuses to print an integer of ten thousand digits, for instance.
        return f"a value of type {type(value).__name__}"


class RelnetError(Exception):
    """
    Bad input or a broken installation, described in one sentence (exit status 2).

    Parameters
    ----------
    message : str
        The error, one sentence.
    """

    exit_status = 2

    def __init__(self, message: str) -> None:
        super().__init__(shorten(message).translate(_ESCAPES))


class RunError(RelnetError):
    """
    A run that did not finish (exit status 1).

    Parameters
    ----------
    message : str
        The error, one sentence.
    command : str
        Command line that repeats the run; empty if there is none.
    output : str
        End of the run's standard error.
    """

    exit_status = 1

    def __init__(self, message: str, command: str = "", output: str = "") -> None:
        super().__init__(message)
        self.command = command
        self.output = output

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text} Repeat it with: {shorten(self.command)}" if self.command else text

    def __reduce__(self):
        return type(self), (self.args[0], self.command, self.output)


class CrashError(RunError):
    """A run whose process ended without a result: by a fatal error, a signal, or killed from outside."""


def exhausted(error: BaseException) -> str:
    """
    Describe an error for want of memory, open files, processes or threads.

    Parameters
    ----------
    error : BaseException
        Any error.

    Returns
    -------
    str
        One sentence with the limit of the process; empty for other errors.
    """
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM:
        return f"The memory is used up{_limit(resource.RLIMIT_AS, 'v', 1024, ' KiB')}."
    if number == errno.EMFILE:
        return f"Too many files are open{_limit(resource.RLIMIT_NOFILE, 'n')}."
    if number == errno.ENFILE:
        return "The system has too many open files."
    if number == errno.EAGAIN or (isinstance(error, RuntimeError) and "start new thread" in str(error)):
        return (
            f"No further process or thread can be started{_limit(resource.RLIMIT_NPROC, 'u')}, or the memory is used "
            f"up{_limit(resource.RLIMIT_AS, 'v', 1024, ' KiB')}."
        )
    return ""


def _limit(which: int, letter: str, unit: int = 1, name: str = "") -> str:
    """A limit of the process, as the end of a sentence; empty if there is none."""
    soft, _ = resource.getrlimit(which)
    return "" if soft == resource.RLIM_INFINITY else f"; the limit (ulimit -{letter}) is {soft // unit}{name}"


class RelnetWarning(UserWarning):
    """A problem that does not change results, such as a cache that cannot be written."""
