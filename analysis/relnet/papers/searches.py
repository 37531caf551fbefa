# SPDX-License-Identifier: GPL-2.0-only
"""The exhaustive searches of a paper's protocols: one table for each paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from relnet.papers import Experiment, Outcome, Point, Scale

SCENARIO = "explore"
"""The scenario's name."""


@dataclass(frozen=True)
class Search:
    """
    A search of a few peers.

    Attributes
    ----------
    protocol : str
        The protocol.
    faults, messages : str
        As `relnet explore` takes them.
    peers, capacity, size : int
        Peers; frames in flight from one to another; bytes of a message.
    fair : bool
        Whether fair cycles are looked for.
    own : mapping of str to object
        Parameters of the protocol.
    """

    protocol: str
    faults: str = "loss"
    messages: str = "0>1,0>1"
    peers: int = 2
    capacity: int = 2
    size: int = 4
    fair: bool = False
    own: Mapping[str, Any] = field(default_factory=dict)

    def parameters(self) -> dict[str, Any]:
        """Names and values, as on a command line."""
        given = {"protocol": self.protocol, "faults": self.faults, "messages": self.messages}
        given |= {"peers": self.peers, "capacity": self.capacity, "size": self.size, "fair": self.fair, "threads": 1}
        return given | {f"protocol.{name}": value for name, value in self.own.items()}

    def command(self) -> str:
        """The command that repeats it."""
        words = ["relnet explore", self.protocol, *(f"{name}={value}" for name, value in self.own.items())]
        words += [f"--peers {self.peers} --messages '{self.messages}' --faults {self.faults}"]
        words += [f"--capacity {self.capacity} --size {self.size}"] + ["--fair"] * self.fair
        return " ".join(words)


def experiment(section: str, searches: Sequence[Search]) -> Experiment:
    """
    The table of a paper's searches.

    Parameters
    ----------
    section : str
        Sections of the paper that state the protocols.
    searches : sequence of Search
        In the order of the table's rows.
    """

    def points(scale: Scale) -> list[Point]:
        return [Point(search.parameters()) for search in searches]

    return Experiment(
        "searches",
        "All states of small groups",
        f"Not in the paper; the protocols of {section}",
        points,
        _renderer(searches),
        lambda scale: [search.command() for search in searches],
        SCENARIO,
    )


def _renderer(searches: Sequence[Search]) -> Callable[[Scale, pd.DataFrame], Outcome]:
    def render(scale: Scale, frame: pd.DataFrame) -> Outcome:
        rows = []
        for search, run in zip(searches, frame.to_dict("records"), strict=True):
            rows.append(
                {
                    "protocol": " ".join([search.protocol, *(f"{name}={value}" for name, value in search.own.items())]),
                    "peers": search.peers,
                    "messages": search.messages,
                    "bytes": search.size,
                    "in flight": search.capacity,
                    "faults": search.faults,
                    "fairness": "network and timers" if search.fair else "not asked",
                    "outcome": run["Outcome"],
                    "states": run["StatesSeen"],
                    "steps": run["Steps"],
                    "states of cores": run["CoreStates"],
                    "depth": run["Depth"],
                    "omission": run["Omission"],
                }
            )
        table = pd.DataFrame(rows)
        found = table["outcome"].value_counts().to_dict()
        told = ", ".join(f"{count} {outcome}" for outcome, count in found.items())
        text = (
            "Each search visits all states that the very cores of the simulation and an unreliable network can reach, "
            f"whatever the times: {told}. Faults without a number may happen any number of times; where time-outs have "
            "one, a state in which no further may happen is not asked for an end. A row that is not sound has its "
            "shortest counterexample as a chart by its command. Omission is the probability that a state was taken for "
            "another of the same fingerprint.",
        )
        return Outcome(table, None, table, text)

    return render
