# SPDX-License-Identifier: GPL-2.0-only
"""Valid pairs of network and protocol, and parameters that contradict each other."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any

from relnet.binding import user_code
from relnet.catalog.lookup import describe
from relnet.catalog.scenario import Choice, Scenario
from relnet.catalog.sizes import Sizes, find_sizes
from relnet.errors import RelnetError
from relnet.names import fold, select
from relnet.processes import pool
from relnet.records.tasks import Task
from relnet.runs.pair_grid import PAIR_COLUMNS


def matrix(scenario: str = "reliability", /, **parameters: Any) -> Any:
    """
    List which pairs of network and protocol are valid.

    Parameters
    ----------
    scenario : str
        A scenario whose first two parts are combined.
    **parameters
        Parameters of the scenario itself, such as `nodes=64`. Those that select one of the two parts, such as
        `protocol`, may be lists of names: the pairs are made of these.

    Returns
    -------
    pandas.DataFrame
        One row per pair: the two parts, `design` (a protocol with several designs has a row for each, to be set as
        `protocol.Design`; empty for others), `exists`, `reason`, one sentence for an invalid pair, and the sizes of
        messages that a valid one takes: `mtu`, `whole`, `largest` and `layered` as in `Sizes`. It prints as a grid,
        with the sizes and the reasons below.

    Raises
    ------
    RelnetError
        If there is no such scenario, or it has fewer than two parts.
    """
    from relnet.runs.display import Matrix  # slow: it needs pandas

    prefixes = [part.prefix for part in describe(scenario).parts[:2]]
    return Matrix(pair_rows(scenario, parameters), columns=[*prefixes, "design", *PAIR_COLUMNS])


def designs(choice: Choice) -> list[str]:
    """List the designs of a protocol, or of another choice of a part; one empty text if it has none."""
    return next((list(one.choices) for one in choice.parameters if one.name == "Design"), [""])


def pair_rows(name: str, parameters: Mapping[str, Any]) -> list[tuple]:
    """
    Check all pairs of the first two parts of a scenario, with each design of the second, and find the sizes of messages
    that they take.

    Parameters
    ----------
    name : str
        The scenario.
    parameters : mapping of str to object
        Parameters of the scenario itself, and names of its first two parts.

    Returns
    -------
    list of tuple
        The names and the design of each pair, and the values of `PAIR_COLUMNS`.
    """
    scenario = describe(name)
    if len(scenario.parts) < 2:
        raise RelnetError(f"{scenario.name} has fewer than two parts to combine.")
    first, second = scenario.parts[:2]
    given = dict(parameters)
    chosen: list[list[Choice]] = []
    for part in (first, second):
        spelled = next((name for name in given if fold(name) == fold(part.selector)), None)
        names = select(part.prefix, [one.name for one in part.choices], given.pop(spelled) if spelled else None)
        chosen.append([one for one in part.choices if one.name in names])
    pairs = [(one.name, other.name, design) for one in chosen[0] for other in chosen[1] for design in designs(other)]
    # Parts come before their parameters, which other choices do not have.
    settings = [
        {first.selector: one, second.selector: other, **given} | ({f"{second.prefix}.Design": design} if design else {})
        for one, other, design in pairs
    ]
    found = find_sizes(scenario, settings)
    return [
        (*names, not reason, reason, *(astuple(sizes) if sizes else (None,) * len(fields(Sizes))))
        for names, (reason, sizes) in zip(pairs, found, strict=True)
    ]


def check_settings(scenario: Scenario, settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """
    Check whether parameters of a scenario contradict each other.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    settings : sequence of mapping
        Names and values, those of parts with their prefixes.

    Returns
    -------
    list of str
        For each, one sentence on a contradiction; empty if there is none.
    """
    texts = [[(one.name, one.text(value)) for one, value in scenario.bind(given)[1].items()] for given in settings]
    payload = pickle.dumps(texts)
    task = Task("check", scenario.name, scenario.type, payload=payload, libraries=user_code.libraries())
    return pool.run_task(task).value
