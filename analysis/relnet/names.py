# SPDX-License-Identifier: GPL-2.0-only
"""Names that a user types: equal spellings, the nearest known name, and the error for an unknown one."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Sequence
from typing import Any

from relnet.errors import RelnetError, quoted

_LONGEST_NAME = 100
"""Maximum length of a name that is compared with the known ones."""
_FEW = 20
"""Maximum number of names in a sentence."""


def check_text(what: str, value: Any) -> str:
    """
    Refuse a value that is no text.

    Parameters
    ----------
    what : str
        Beginning of the sentence of the error.
    value : object
        The value.
    """
    if not isinstance(value, str):
        raise RelnetError(f"{what} is {quoted(value)}; it has to be text.")
    return value


@functools.cache
def fold(name: str) -> str:
    """Normalise a name: names of the same parameter may differ in case, dashes and underscores."""
    return re.sub(r"[-_]", "", name).casefold()


def nearest(name: str, names: Iterable[str]) -> str:
    """The entry of `names` that `name` most likely misspells or abbreviates; empty if there is none."""
    by_fold = {fold(known): known for known in names}
    begun = [known for known in by_fold if len(fold(name)) > 2 and known.startswith(fold(name))]
    if len(name) > _LONGEST_NAME:
        return ""
    close = difflib.get_close_matches(fold(name), by_fold, n=1, cutoff=0.6) or sorted(begun, key=len)
    return by_fold[close[0]] if close else ""


def unknown(fact: str, name: str, names: Iterable[str], lister: str) -> RelnetError:
    """
    Make the error for an unknown name.

    Parameters
    ----------
    fact : str
        Beginning of the sentence, which states that the name is unknown.
    name : str
        The name.
    names : iterable of str
        Known names. The error proposes the nearest, and lists all if they are few.
    lister : str
        Command that lists the known names.
    """
    known = sorted(names)
    guess = nearest(name, known)
    hint = f"did you mean {guess}? " if guess else ""
    if len(known) > _FEW:
        return RelnetError(f"{fact}; {hint}`{lister}` lists all {len(known)}.")
    there = "There" if hint else "there"
    return RelnetError(f"{fact}; {hint}{there} are {', '.join(known) or 'none'}.")


def select(noun: str, names: Sequence[str], wanted: str | Iterable[str] | None) -> list[str]:
    """
    Select names by a list.

    Parameters
    ----------
    noun : str
        What the names are those of, for an error.
    names : sequence of str
        All names.
    wanted : str, iterable of str or None
        The names, comma-separated in a text; None for all.

    Raises
    ------
    RelnetError
        If a name does not exist.
    """
    if wanted is None:
        return list(names)
    chosen = [word.strip() for word in (wanted.split(",") if isinstance(wanted, str) else map(str, wanted))]
    for word in chosen:
        if word not in names:
            raise unknown(f"There is no {noun} {word!r}", word, names, f"relnet {noun}s")
    return list(dict.fromkeys(chosen))
