# SPDX-License-Identifier: GPL-2.0-only
"""Sizes of messages that a protocol takes over a network, found before a run."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from relnet.binding import user_code
from relnet.catalog.scenario import Scenario
from relnet.processes import pool
from relnet.records.tasks import Task


@dataclass(frozen=True)
class Sizes:
    """
    Sizes of messages [bytes].

    Attributes
    ----------
    mtu : int
        Largest frame, or IP packet for a protocol over sockets.
    whole : int
        Largest message without the segmenting layer.
    largest : int
        Largest message.
    layered : bool
        Whether the segmenting layer sends longer messages than `whole`.
    """

    mtu: int
    whole: int
    largest: int
    layered: bool

    def __str__(self) -> str:
        description = f"0 to {self.largest} bytes; the MTU is {self.mtu} bytes"
        if self.layered:
            return f"{description}, and messages of more than {self.whole} bytes are sent by the segmenting layer."
        if self.largest > self.mtu:
            return f"{description}, and the protocol itself divides longer messages."
        return f"{description}."


def find_sizes(scenario: Scenario, settings: Sequence[Mapping[str, Any]]) -> list[tuple[str, Sizes | None]]:
    """
    Find the sizes of messages that parameters of a scenario allow.

    Parameters
    ----------
    scenario : Scenario
        The scenario.
    settings : sequence of mapping
        Names and values, those of parts with their prefixes.

    Returns
    -------
    list of (str, Sizes or None)
        For each, one sentence on a contradiction, or an empty text; and the sizes, None if there is a contradiction or
        the scenario has no such sizes.
    """
    texts = [[(one.name, one.text(value)) for one, value in scenario.bind(given)[1].items()] for given in settings]
    task = Task("sizes", scenario.name, scenario.type, payload=pickle.dumps(texts), libraries=user_code.libraries())
    return [
        (reason, Sizes(**description) if description else None) for reason, description in pool.run_task(task).value
    ]
