# SPDX-License-Identifier: GPL-2.0-only
"""Errors of relnet. Each is one sentence; the command line prints no traceback."""

from __future__ import annotations


class RelnetError(Exception):
    """Bad input or a broken installation, described in one sentence (exit status 2)."""

    exit_status = 2


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
        return f"{text} Repeat it with: {self.command}" if self.command else text

    def __reduce__(self):
        return type(self), (self.args[0], self.command, self.output)


class CrashError(RunError):
    """A run whose process ended without a result: by a fatal error, a signal, or killed from outside."""


class RelnetWarning(UserWarning):
    """A problem that does not change results, such as a cache that cannot be written."""
