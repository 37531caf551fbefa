# SPDX-License-Identifier: GPL-2.0-only
"""Whether runs keep the promise of their protocol, and the exit status that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

KEPT, BROKEN, UNDECIDED, NOTHING = "kept", "broken", "undecided", "nothing promised"
_STATUS = {BROKEN: 3, UNDECIDED: 4}
"""Exit status of a run that did not keep its promise."""
_FAILED = 1
"""Exit status of a run without a result."""


def _words(text: str) -> list[str]:
    return text.split(", ")


def judge(results: Mapping[str, Any]) -> str:
    """
    Compare the results of a run with the promise of its protocol.

    Parameters
    ----------
    results : mapping of str to object
        Results of a scenario, or a row of a sweep. `Promise` and `Outcome` are the words of `reliability`; a scenario
        without them promises to end without a violation.

    Returns
    -------
    str
        `kept`, `broken`, `undecided`, or `nothing promised`.
    """
    verdict, promise = results.get("Verdict"), results.get("Promise")
    if promise == "":
        return NOTHING
    if verdict == "undecided":
        return UNDECIDED
    if verdict == "violated":
        return BROKEN
    if verdict in ("deadlock", "livelock"):
        hangs = "hangs" in _words(str(results.get("Outcome", "")))
        is_promised = not isinstance(promise, str) or ("ended" in _words(promise) and hangs)
        return BROKEN if is_promised else KEPT
    return KEPT


def exit_status(judgements: Iterable[str], failed: bool = False) -> int:
    """
    Combine the judgements on several runs.

    Parameters
    ----------
    judgements : iterable of str
        Return values of `judge`.
    failed : bool
        Whether some runs have no result.

    Returns
    -------
    int
        1 if some runs have no result, 3 if a promise is broken, 4 if a run is undecided, else 0.
    """
    found = set(judgements)
    if failed:
        return _FAILED
    return next((status for judgement, status in _STATUS.items() if judgement in found), 0)


def cause(reason: str) -> str:
    """The reason of a verdict without its numbers and parameters, the same for all runs that fail alike."""
    return re.sub(r"\d+(\.\d+)?", "N", re.sub(r"\(.*?\)", "", reason))
