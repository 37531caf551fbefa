# SPDX-License-Identifier: GPL-2.0-only
"""
Searches of a protocol within growing bounds.

The smallest searches come first, so that a counterexample is short. Windows and the count of numbers in frames become
small, where the protocol has parameters for them, so that a search of a few messages passes a full window and a wrap of
the numbers.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from relnet.catalog.parameters import Parameter
from relnet.errors import CrashError, RelnetError, RunError
from relnet.runs.verdicts import BROKEN, UNDECIDED
from relnet.studies.exploration import Exploration, explore

_NUMBERS = re.compile("modulus|number|sequence", re.IGNORECASE)
"""Names of parameters for the count of different numbers in frames, or for their bits."""
_WINDOWS = re.compile("window|outstanding|flight|credit|buffer|table|entries|slots|depth|queue", re.IGNORECASE)
"""Names of parameters that limit messages or frames in flight or stored."""
_LEFT_ALONE = {"SequenceBits"}
"""Parameters that may be too small for the window, as the documentation of their protocol says."""
_SMALL_WINDOWS = (1, 2, 3)
_SMALL_COUNTS = (2, 3, 4, 6)
_SMALL_BITS = (1, 2)
_LARGEST_MINIMUM = 8
"""A parameter with a larger minimum cannot be made small."""
_FIRST_STATES, _MOST_STATES = 100_000, 2_000_000
"""Limit of the states of a search, doubled after each search that reaches it, and the largest one."""
_MEMORY = 2
"""Maximum memory of a search [GiB]."""
_BOUNDED = "loss=1,timeout=2"
"""Faults of a search that ends although counts in the protocol's state may grow for ever."""
_IN_ORDER = ("loss", "loss,duplicate=1")
"""Faults of a network that keeps the order of frames."""
_OVERTAKING = "loss=1,duplicate=1,reorder"
"""Faults of a network in which frames overtake each other without a bound."""
_MOST_MESSAGES = 8
"""Maximum number of messages of a search."""


@dataclass(frozen=True)
class Rung:
    """
    A search.

    Attributes
    ----------
    messages : str
        Messages, as for `explore`.
    faults : str
        Faults, as for `explore`.
    capacity : int
        Maximum number of frames in flight from one peer to another.
    peers : int
        Number of peers.
    own : mapping of str to object
        Parameters of the protocol.
    """

    messages: str
    faults: str
    capacity: int = 2
    peers: int = 2
    own: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        own = "".join(f", {name}={value}" for name, value in self.own.items())
        return f"messages {self.messages}, faults {self.faults}, {self.capacity} frames in flight{own}"


@dataclass
class Searched:
    """
    Outcome of the searches.

    Attributes
    ----------
    ended, cut : int
        Searches that visited all states, and those that reached a limit.
    states : int
        States of all of them.
    most : int
        Maximum number of messages of a search that ended.
    wrapped : bool
        Whether a search that ended has passed a wrap of numbers.
    overtaken : int
        Searches that are refuted only since frames of reused numbers overtake each other without a bound.
    refuted : Exploration or None
        The first counterexample.
    command : str
        The command that repeats it.
    refusal : str
        Why the protocol cannot be searched; empty if it can.
    crash : RunError or None
        A crash of the protocol.
    """

    ended: int = 0
    cut: int = 0
    states: int = 0
    most: int = 0
    wrapped: bool = False
    overtaken: int = 0
    refuted: Exploration | None = None
    command: str = ""
    refusal: str = ""
    crash: RunError | None = None

    @property
    def text(self) -> str:
        """The bounds within which there is no violation, in one sentence."""
        if self.refusal:
            return self.refusal
        told = [f"{self.ended} searches, {self.states} states, up to {self.most} messages"]
        told.append(
            "numbers were used again" if self.wrapped else "no number was used again, so a wrap is outside of them"
        )
        if self.cut:
            told.append(f"{self.cut} reached a limit of states")
        if self.overtaken:
            told.append(
                f"{self.overtaken} are refuted by frames that overtake others of the same number, without a bound"
            )
        return "; ".join(told)


def _small(parameters: Sequence[Parameter], pattern: re.Pattern[str]) -> list[Parameter]:
    """Parameters whose names match, and which can be small."""
    return [
        one
        for one in parameters
        if one.kind == "uint"
        and pattern.search(one.name)
        and one.name not in _LEFT_ALONE
        and (one.minimum or 0) <= _LARGEST_MINIMUM
    ]


def _assigned(several: Sequence[Parameter], value: int, bits: int) -> dict[str, int]:
    """The same small value for all parameters, within their ranges; another for counts of bits."""
    return {
        one.name: max(one.minimum or 0, min(bits if "bit" in (one.unit + one.name).casefold() else value, one.maximum))
        for one in several
    }


def _settings(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> list[tuple[dict[str, Any], int]]:
    """Parameters of a protocol, and the messages that pass its window or its numbers, the smallest first."""
    free = [one for one in parameters if one.name.casefold() not in {name.casefold() for name in given}]
    numbers = _small(free, _NUMBERS)
    windows = _small([one for one in free if one not in numbers], _WINDOWS)
    found: list[tuple[dict[str, Any], int]] = [({}, 1)]
    if windows:
        found += [(_assigned(windows, window, window), window) for window in _SMALL_WINDOWS]
    for place, count in enumerate(_SMALL_COUNTS if numbers else ()):
        chosen = _assigned(numbers, count, _SMALL_BITS[min(place, len(_SMALL_BITS) - 1)])
        found += (
            [(chosen | _assigned(windows, window, window), count) for window in _SMALL_WINDOWS if window <= count]
            if windows
            else [(chosen, count)]
        )
    return [(dict(given) | own, passed) for own, passed in found]


def ladder(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> Iterator[Rung]:
    """
    List searches, roughly the smallest first.

    Parameters
    ----------
    parameters : sequence of Parameter
        Parameters of the protocol.
    given : mapping of str to object
        Parameters of the protocol in all searches.
    """
    plain = dict(given)
    for messages in ("0>1", "0>1,0>1"):
        yield Rung(messages, _BOUNDED, own=plain)
    settings = _settings(parameters, given)
    for more in itertools.count(1):
        if more == 2:
            yield Rung("0>1,0>1,1>0", _BOUNDED, own=plain)
            yield Rung("0>1,1>0", "loss", own=plain)
            yield Rung("0>1,2>1", "loss=1", 1, 3, plain)
        for own, passed in settings:
            count = passed + more
            if count > _MOST_MESSAGES:
                continue
            messages = ",".join(["0>1"] * count)
            for faults in _IN_ORDER:
                yield Rung(messages, faults, max(2, min(count - 1, 1 + more)), own=own)
            if own == plain or count <= 1 + more:
                yield Rung(messages, _OVERTAKING, own=own)
        if more > _MOST_MESSAGES:
            return


def search(
    protocol: str,
    parameters: Sequence[Parameter],
    given: Mapping[str, Any],
    is_over: Callable[[], bool],
    note: Callable[[str], None],
    prefix: Sequence[str] = ("relnet",),
) -> Searched:
    """
    Search a protocol within growing bounds, until a time is over or a search is refuted.

    Parameters
    ----------
    protocol : str
        Its name.
    parameters : sequence of Parameter
        Its parameters.
    given : mapping of str to object
        Values of some of them, for all searches.
    is_over : callable
        Whether the time is over; at least one search is made.
    note : callable
        Called with a description of each search before it begins.
    prefix : sequence of str
        First words of the command line.

    Returns
    -------
    Searched
        The outcome.
    """
    found = Searched()
    states = _FIRST_STATES
    for number, rung in enumerate(ladder(parameters, given)):
        if number and is_over():
            break
        note(f"search {number + 1}: {rung}")
        try:
            seen = explore(
                protocol,
                peers=rung.peers,
                messages=rung.messages,
                faults=rung.faults,
                capacity=rung.capacity,
                states=states,
                memory=_MEMORY,
                **rung.own,
            )
        except CrashError as error:
            found.crash = error
            return found
        except RelnetError as error:
            # A protocol may refuse some parameters; one that refuses the first search has no cores.
            if number == 0:
                found.refusal = str(error.args[0])
                return found
            continue
        found.states += seen.states
        if seen.judgement == BROKEN:
            if rung.faults == _OVERTAKING and seen.reused:
                found.overtaken += 1
                continue
            found.refuted, found.command = seen, seen.command(prefix)
            return found
        if seen.judgement == UNDECIDED:
            found.cut += 1
            states = min(_MOST_STATES, 2 * states)
            continue
        found.ended += 1
        found.most = max(found.most, rung.messages.count(">"))
        found.wrapped = found.wrapped or seen.reused
    return found
