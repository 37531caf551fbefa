# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios, networks, protocols and patterns by name, read from the catalog of the loaded libraries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from relnet.binding import user_code
from relnet.catalog.parameters import Parameter, Result
from relnet.catalog.scenario import Choice, Part, Scenario
from relnet.catalog.sizes import find_sizes
from relnet.names import check_text, fold, unknown
from relnet.processes import pool

_REAL_TIME = {"ns3::messaging::LiveScenario"}
"""Types of the scenarios that run in real time."""


def command_name(type_name: str) -> str:
    """The name of a scenario on the command line: `ns3::x::TwoWordsScenario` is `two-words`."""
    last = type_name.rsplit("::", 1)[-1].removesuffix("Scenario")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", last).lower()


_SET_BY_SCENARIO = {"pattern": {"Size", "Rounds"}}
"""Parameters of a part that its scenario sets by its own: `Size` and `Messages`."""


def _part(entry: dict[str, Any], kinds: dict[str, tuple[Choice, ...]]) -> Part:
    """A part of a scenario in the catalog."""
    prefix = entry["prefix"]
    if entry["selector"]:
        return Part(prefix, entry["selector"], _free(prefix, kinds[entry["kind"]]))
    return Part(prefix, "", (Choice(prefix, entry["type"], entry["summary"], _parameters(entry)),))


def _parameters(entry: dict[str, Any]) -> tuple[Parameter, ...]:
    """Parameters of a class in the catalog."""
    return tuple(Parameter.from_attribute(one) for one in entry["attributes"] if one["role"] == "parameter")


def _free(prefix: str, several: Iterable[Choice]) -> tuple[Choice, ...]:
    """The choices of a part, without the parameters that the scenario sets."""
    taken = _SET_BY_SCENARIO.get(prefix, ())
    return tuple(
        replace(choice, parameters=tuple(one for one in choice.parameters if one.name not in taken))
        for choice in several
    )


def _results(entry: dict[str, Any], role: str) -> tuple[Result, ...]:
    """Results or tables of a scenario in the catalog."""
    return tuple(Result.from_attribute(one) for one in entry["attributes"] if one["role"] == role)


def _selectable(parameter: Parameter, parts: Iterable[Part]) -> Parameter:
    """Give the selector of a part the names of its choices; return other parameters unchanged."""
    names = next((part.choices for part in parts if part.selector == parameter.name), None)
    return (
        parameter
        if names is None
        else replace(parameter, kind="enum", choices=tuple(one.name for one in names), may_name_file=False)
    )


@lru_cache(maxsize=8)
def _read_catalog(text: str) -> tuple[dict[str, Scenario], dict[str, tuple[Choice, ...]]]:
    """Scenarios by name, and choices by the plural of a part's prefix, such as `networks`."""
    description = json.loads(text)
    kinds = {
        entry["kind"]: tuple(
            Choice(one["name"], one["type"], one["summary"], _parameters(one)) for one in entry["types"]
        )
        for entry in description["kinds"]
    }
    found: dict[str, Scenario] = {}
    by_part: dict[str, tuple[Choice, ...]] = {}
    for entry in sorted(description["scenarios"], key=lambda entry: entry["type"]):
        parts = tuple(_part(one, kinds) for one in entry["parts"])
        scenario = Scenario(
            command_name(entry["type"]),
            entry["type"],
            entry["summary"],
            tuple(_selectable(parameter, parts) for parameter in _parameters(entry)),
            _results(entry, "result"),
            _results(entry, "table"),
            parts,
            repeatable=entry["type"] not in _REAL_TIME,
        )
        name = scenario.name if scenario.name not in found else scenario.type
        found[name] = scenario
        by_part |= {f"{part.prefix}s": part.choices for part in parts if part.selector}
    return found, by_part


def _catalog() -> dict[str, Scenario]:
    return _read_catalog(pool.server(user_code.libraries()).hello["catalog"])[0]


def choices(kind: str) -> tuple[Choice, ...]:
    """
    List the networks, protocols or patterns of relnet and of loaded libraries.

    Parameters
    ----------
    kind : str
        `networks`, `protocols` or `patterns`.
    """
    return _read_catalog(pool.server(user_code.libraries()).hello["catalog"])[1].get(kind, ())


def loaded_names(kind: str) -> frozenset[str]:
    """
    Get the names of the networks, protocols or patterns of loaded libraries.

    Parameters
    ----------
    kind : str
        As for `choices`.
    """
    if not user_code.libraries():
        return frozenset()
    bare = _read_catalog(pool.server(()).hello["catalog"])[1].get(kind, ())
    return frozenset(one.name for one in choices(kind)) - {one.name for one in bare}


def _inside(scenario: Scenario, given: dict[str, str]) -> Scenario:
    """Select the parameters of some parts; if these are a pair to run, add the sizes of messages that it takes."""
    found = scenario.inside(given)
    if len(found.chosen) < 2:
        return found
    ((reason, sizes),) = find_sizes(scenario, [given])
    return replace(found, sizes=f"none. {reason}" if reason else str(sizes or ""))


def scenarios() -> list[Scenario]:
    """
    List the scenarios of relnet and of loaded libraries.

    Returns
    -------
    list of Scenario
        In alphabetical order.
    """
    return sorted(_catalog().values(), key=lambda scenario: scenario.name)


def describe(name: str | Scenario, /, *words: str, **parts: str) -> Scenario:
    """
    Describe the parameters and results of a scenario, or of some of its parts.

    Parameters
    ----------
    name : str
        Name on the command line, class name or TypeId, in any case.
    *words : str
        Only entries with all of these words in name or help, as in `describe("idempotent", "backoff")`.
    **parts : str
        Only the parameters of these parts, as in `describe("reliability", network="wormhole")`. With a network and a
        protocol, the description has the sizes of messages that the pair takes.

    Returns
    -------
    Scenario
        Prints as a description.

    Raises
    ------
    RelnetError
        If there is no such scenario or part, or nothing matches the words.
    """
    if words or parts:
        found = describe(name)
        found = _inside(found, parts) if parts else found
        return found.only(words) if words else found
    if isinstance(name, Scenario):
        return name
    check_text("The name of the scenario", name)
    catalog = _catalog()
    for known, scenario in catalog.items():
        aliases = (known, scenario.type, scenario.type.rsplit("::", 1)[-1])
        if fold(name) in map(fold, aliases):
            return scenario
    raise unknown(f"The scenario {name!r} does not exist", name, catalog, "relnet scenarios")
