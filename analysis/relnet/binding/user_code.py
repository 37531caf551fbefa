# SPDX-License-Identifier: GPL-2.0-only
"""
What the user has loaded in this process: libraries, headers and modules of ns-3, and names in the user's functions.

Child processes load the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from relnet import build

_libraries: list[str] = []
_headers: list[str] = []
_modules: list[str] = []
_spaces: list[str] = []
_words: set[str] = set()


def add_library(path: str) -> None:
    """Add a library by its absolute path."""
    _libraries.append(path)


def add_headers(*names: str) -> None:
    """Add headers, by absolute paths or names for `#include`."""
    _headers.extend(names)


def add_module(name: str) -> None:
    """Add a module of ns-3 if it is new."""
    if name not in _modules:
        _modules.append(name)


def add_spaces(names: Iterable[str]) -> None:
    """Add namespaces of relnet that functions use, so that they are compiled once rather than in each child."""
    _spaces.extend(name for name in names if name not in _spaces)


def add_words(words: Iterable[str]) -> None:
    """Add names and string constants of functions; a server compiles classes and signatures among them at its start."""
    _words.update(words)


def libraries() -> tuple[str, ...]:
    """All libraries: those of `RELNET_LIBRARIES`, then the added ones, in order."""
    return tuple(dict.fromkeys([*build.extra_libraries(), *_libraries]))


def headers() -> tuple[str, ...]:
    """The added headers."""
    return tuple(_headers)


def modules() -> tuple[str, ...]:
    """The added modules of ns-3, without core and network."""
    return tuple(_modules)


def spaces() -> tuple[str, ...]:
    """The added namespaces of relnet."""
    return tuple(_spaces)


def words() -> list[str]:
    """The added names and string constants of functions, sorted."""
    return sorted(_words)
