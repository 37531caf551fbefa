# SPDX-License-Identifier: GPL-2.0-only
"""Libraries, headers and modules of ns-3 that the user of this process has loaded; child processes load them too."""

from __future__ import annotations

from collections.abc import Iterable

from relnet import build

_libraries: list[str] = []
_headers: list[str] = []
_modules: list[str] = []
_spaces: list[str] = []
_words: set[str] = set()


def add_library(path: str) -> None:
    """Add a library of scenarios, by its absolute path."""
    _libraries.append(path)


def add_headers(*names: str) -> None:
    """Add headers, absolute or as `#include` finds them."""
    _headers.extend(names)


def add_module(name: str) -> None:
    """Add a module of ns-3, if it is not there."""
    if name not in _modules:
        _modules.append(name)


def add_spaces(names: Iterable[str]) -> None:
    """Add namespaces of ours that functions use, so that they are compiled once and not in each child."""
    _spaces.extend(name for name in names if name not in _spaces)


def add_words(words: Iterable[str]) -> None:
    """Add names and texts of functions: what a server finds among them when it starts, it compiles once for all."""
    _words.update(words)


def libraries() -> tuple[str, ...]:
    """All libraries of scenarios: those of `RELNET_LIBRARIES`, then those added, in order."""
    return tuple(dict.fromkeys([*build.extra_libraries(), *_libraries]))


def headers() -> tuple[str, ...]:
    """The headers added."""
    return tuple(_headers)


def modules() -> tuple[str, ...]:
    """The modules of ns-3 added besides core and network."""
    return tuple(_modules)


def spaces() -> tuple[str, ...]:
    """The namespaces of ours that functions use."""
    return tuple(_spaces)


def words() -> list[str]:
    """The names and texts of functions, in order."""
    return sorted(_words)
