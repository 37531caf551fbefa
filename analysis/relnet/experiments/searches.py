# SPDX-License-Identifier: GPL-2.0-only
"""Exhaustive searches of a paper's protocols, one table per paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from relnet.errors import RelnetError
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale

SCENARIO = "explore"
"""Name of the scenario."""

KEY = "searches"
"""Key of the experiment of each paper."""

_SHORTEST = 1e-3
"""Resolution of measured processor time [s]."""

_SYMMETRIC = ("idempotent",)
"""Protocols whose cores draw themselves: symmetry changes only the numbers of their states and steps."""


@dataclass(frozen=True)
class Search:
    """
    A search of a few peers.

    Attributes
    ----------
    protocol : str
        The protocol.
    faults, messages : str
        Options of `relnet explore`.
    peers, capacity, size : int
        Peers; frames in flight from one to another; bytes of a message.
    fair : bool
        Whether to search for fair cycles.
    own : mapping of str to object
        Parameters of the protocol.
    note : str
        Explanation of a row that is not sound.
    """

    protocol: str
    faults: str = "loss"
    messages: str = "0>1,0>1"
    peers: int = 2
    capacity: int = 2
    size: int = 4
    fair: bool = False
    own: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def parameters(self, symmetry: bool = True) -> dict[str, Any]:
        """Names and values, as on a command line."""
        given = {"protocol": self.protocol, "faults": self.faults, "messages": self.messages, "symmetry": symmetry}
        given |= {"peers": self.peers, "capacity": self.capacity, "size": self.size, "fair": self.fair, "threads": 1}
        return given | {f"protocol.{name}": value for name, value in self.own.items()}

    @property
    def subject(self) -> str:
        """The protocol and its parameters."""
        return " ".join([self.protocol, *(f"{name}={value}" for name, value in self.own.items())])

    def runs(self) -> list[dict[str, Any]]:
        """Parameters of its run, and of one without symmetry if that differs."""
        return [self.parameters()] + [self.parameters(False)] * (self.protocol in _SYMMETRIC and not self.fair)

    def command(self) -> str:
        """The command that repeats it."""
        words = ["relnet explore", self.subject]
        words += [f"--peers {self.peers} --messages '{self.messages}' --faults {self.faults}"]
        words += [f"--capacity {self.capacity} --size {self.size}"] + ["--fair"] * self.fair
        return " ".join(words)


def of(run: Mapping[str, Any]) -> Search:
    """The search of a run, from its parameters; a column that other runs lack has its whole numbers as floats."""
    own = {name.removeprefix("protocol."): value for name, value in run.items() if name.startswith("protocol.")}
    return Search(
        **{name: run[name] for name in ("protocol", "faults", "messages", "peers", "capacity", "size", "fair")},
        own={name: _whole(value) for name, value in own.items() if pd.notna(value)},
    )


def _whole(value: Any) -> Any:
    """A whole number as an integer; another value as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def experiment(section: str, searches: Sequence[Search]) -> Experiment:
    """
    Make the experiment on a paper's searches.

    Parameters
    ----------
    section : str
        Sections of the paper that describe the protocols.
    searches : sequence of Search
        Searches in the order of the table's rows.
    """

    def points(scale: Scale) -> list[Point]:
        return [Point(run) for search in searches for run in search.runs()]

    return Experiment(
        KEY,
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
        records = iter(frame.to_dict("records"))
        for search in searches:
            ran = [next(records) for _ in search.runs()]
            run, whole = ran[0], ran[-1]
            if pd.notna(run["Outcome"]) and pd.notna(whole["Outcome"]) and run["Outcome"] != whole["Outcome"]:
                raise RelnetError(f"{search.command()}: {run['Outcome']}, but {whole['Outcome']} without symmetry.")
            rows.append(
                {
                    "protocol": search.subject,
                    "peers": search.peers,
                    "messages": search.messages,
                    "bytes": search.size,
                    "in flight": search.capacity,
                    "faults": search.faults,
                    "outcome": run["Outcome"],
                    "asked": run["Asked"],
                    "note": search.note,
                    "states": run["StatesSeen"],
                    "without symmetry": whole["StatesSeen"],
                    "steps": run["Steps"],
                    "steps without": whole["Steps"],
                    "states/s": _rate(whole["StatesSeen"], whole["SearchTime"]),
                    "states of cores": run["CoreStates"],
                    "depth": run["Depth"],
                    "omission": run["Omission"],
                }
            )
        table = pd.DataFrame(rows)
        found = table["outcome"].value_counts().to_dict()
        told = ", ".join(f"{count} {outcome}" for outcome, count in found.items())
        text = (
            "Each search visits all states that the cores of the simulation can reach over an unreliable network, "
            f"for any times: {told}.",
            "Faults without a number may occur any number of times. If the number of timeouts is limited, the best "
            "outcome is safe: no step is wrong, but it was not checked whether the messages can always end. Patient "
            "timers fire only while nothing is in flight. The command of a violation prints its shortest "
            "counterexample as a chart. The same search without symmetry (--no-symmetry) has the same outcome; its "
            "states and steps are in further columns if they differ, and states/s are its rate on one thread. "
            "Livelocks are searched without symmetry. Omission is the probability that a state was omitted because "
            "another has the same fingerprint.",
        )
        return Outcome(table, None, _shown(table), text)

    return render


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """A table of searches without the columns that repeat others."""
    repeated = {"without symmetry": "states", "steps without": "steps"}
    return table.drop(columns=[name for name, other in repeated.items() if table[name].equals(table[other])])


def _rate(states: float | None, seconds: float | None) -> float | None:
    return None if pd.isna(states) or pd.isna(seconds) else states / max(seconds, _SHORTEST)
