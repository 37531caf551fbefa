# SPDX-License-Identifier: GPL-2.0-only
"""
Exhaustive search of a protocol's cores, with counterexamples as message sequence charts.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from relnet.records import frames
from relnet.runs.single import run_record
from relnet.runs.verdicts import BROKEN, KEPT, UNDECIDED

_OPTIONS = ("peers", "messages", "size", "faults", "capacity", "fair", "states", "threads")
_SHOWN = ("peers", "messages", "size", "faults", "capacity")
"""Options of the command line that set the bounds of a search."""
_WIDTH = 28
"""Distance between the lines of two peers [characters]."""


@dataclass(frozen=True)
class Step:
    """
    A step on the path to a violation.

    Attributes
    ----------
    text : str
        The event and the peer's actions, in one line.
    peer : int
        The acting peer, or the destination of a lost frame.
    repeats : bool
        Whether it belongs to the cycle that repeats for ever.
    """

    text: str
    peer: int
    repeats: bool


@dataclass(frozen=True)
class Arrow:
    """
    A frame on the path to a violation.

    Attributes
    ----------
    label : str
        Description of the frame.
    sender, receiver : int
        The peers.
    sent, ended : int
        Steps in which it was sent, and in which it arrived or was lost; -1 if it is in flight.
    arrived : bool
        Whether it has arrived.
    """

    label: str
    sender: int
    receiver: int
    sent: int
    ended: int
    arrived: bool


@dataclass(frozen=True)
class Exploration:
    """
    Result of a search.

    Attributes
    ----------
    protocol : str
        The protocol.
    parameters : dict
        All parameters of the search.
    outcome : str
        `sound`, `safe` (no step violates a property; ends were not checked), `violated`, `stuck`, `livelock` or
        `gave up`.
    asked : str
        Properties checked in the visited states.
    sentence : str
        The violation, or why the search gave up; empty if there is neither.
    states, transitions, depth, cores, memory : int
        Distinct states, steps between them, steps to the farthest one, distinct states of single cores, and bytes.
    omission : float
        Probability that a state was omitted because another has the same fingerprint or bits.
    reused : bool
        Whether a sender used the number of a message again for another: the search has passed a wrap of numbers.
    processor : float
        Processor time of the search [s].
    seconds : float
        Wall-clock time of the run [s].
    cached : bool
        Whether the result was read from disk.
    given : dict
        The parameters that were given.
    path : tuple of Step
        A shortest path to the violation.
    arrows : tuple of Arrow
        Frames on the path.
    """

    protocol: str
    parameters: Mapping[str, Any]
    outcome: str
    asked: str
    sentence: str
    states: int
    transitions: int
    depth: int
    cores: int
    memory: int
    omission: float
    reused: bool
    processor: float
    seconds: float
    cached: bool
    given: Mapping[str, Any]
    path: tuple[Step, ...] = ()
    arrows: tuple[Arrow, ...] = ()

    @property
    def judgement(self) -> str:
        """Whether the promise is `kept` or `broken`, or the search `undecided`."""
        if self.outcome == "gave up":
            return UNDECIDED
        return KEPT if self.outcome in ("sound", "safe") else BROKEN

    @property
    def bounds(self) -> str:
        """What the search covers, in one sentence."""
        wanted = {name: self.parameters[name] for name in ("Peers", "Messages", "Size", "Faults", "Capacity")}
        own = "".join(
            f", {name.removeprefix('protocol.')}={value}"
            for name, value in self.given.items()
            if name.startswith("protocol.")
        )
        wrap = "numbers were used again" if self.reused else "no number was used again, so a wrap is outside of them"
        return (
            f"{wanted['Peers']} peers, messages {wanted['Messages']} of {wanted['Size']} bytes, faults "
            f"{wanted['Faults']}, {wanted['Capacity']} frames in flight from one to another{own}; {wrap}"
        )

    def command(self, prefix: Sequence[str] = ("relnet",)) -> str:
        """
        Get the command line that repeats the search.

        Parameters
        ----------
        prefix : sequence of str
            Its first words, such as those that load a library.
        """
        own = [f"{name}={value}" for name, value in self.given.items() if name.startswith("protocol.")]
        options = [
            word
            for name, value in self.given.items()
            if name.casefold() in _SHOWN
            for word in (f"--{name.casefold()}", str(value))
        ]
        return shlex.join([*prefix, "explore", self.protocol, *own, *options])

    def chart(self) -> str:
        """The path as a message sequence chart as text, one line per step; arrows show arrival or loss of frames."""
        if not self.path:
            return self.sentence
        peers = self._peers()
        ended = {arrow.ended: arrow for arrow in self.arrows if arrow.ended >= 0}
        margin = len(str(len(self.path))) + 3
        lines = [" " * margin + "".join(f"peer {peer}".ljust(_WIDTH) for peer in range(peers)).rstrip()]
        for number, step in enumerate(self.path):
            row = [" "] * (_WIDTH * peers)
            for peer in range(peers):
                row[peer * _WIDTH] = "|"
            if number in ended:
                self._draw(row, ended[number])
            else:
                self._write(row, step.peer * _WIDTH + 2, _event(step.text), 2 * _WIDTH)
            mark = "*" if step.repeats else " "
            lines.append(f"{number + 1:>{margin - 3}}{mark}  {''.join(row)}".rstrip())
        lines += ["", *(f"{number + 1:>{margin - 3}}  {step.text}" for number, step in enumerate(self.path))]
        lines += [self.sentence] + (["(* repeats for ever)"] if any(step.repeats for step in self.path) else [])
        return "\n".join(lines)

    def svg(self) -> str:
        """The path as a message sequence chart in SVG."""
        peers = self._peers()
        across, down, left, top = 240, 34, 60, 60
        width = left * 2 + across * (peers - 1) + 560
        height = top + down * (len(self.path) + 1) + 20
        ends = [left + across * peer for peer in range(peers)]
        notes = ends[-1] + 60

        def place(step: int) -> int:
            return top + down * step

        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            'font-size="12">',
            '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
            '<path d="M0,0 L9,4 L0,8 z" fill="#1d2733"/></marker></defs>',
            f'<text x="{left}" y="20" font-weight="bold">{escape(self.protocol)}: {escape(self.sentence)}</text>',
        ]
        repeated = [number for number, step in enumerate(self.path) if step.repeats]
        if repeated:
            begin, end = place(repeated[0]) - down // 2, place(repeated[-1]) + down // 2
            parts.append(
                f'<rect x="8" y="{begin}" width="{width - 16}" height="{end - begin}" fill="#fdf3cd"/>'
                f'<text x="14" y="{begin + 14}">for ever</text>'
            )
        for peer, x in enumerate(ends):
            parts.append(
                f'<text x="{x}" y="42" text-anchor="middle">peer {peer}</text>'
                f'<line x1="{x}" y1="48" x2="{x}" y2="{height - 10}" stroke="#5c6773"/>'
            )
        for number, step in enumerate(self.path):
            x, y = ends[step.peer], place(number)
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="3" fill="#0072b2"/>'
                f'<text x="{notes}" y="{y + 4}">{number + 1}. {escape(_shorten(step.text, 84))}</text>'
            )
        for arrow in self.arrows:
            begin, end = ends[arrow.sender], ends[arrow.receiver]
            start = place(arrow.sent)
            stop = place(arrow.ended) if arrow.ended >= 0 else height - 14
            style = 'marker-end="url(#head)"'
            if not arrow.arrived:
                # The arrow ends halfway: the frame is lost, or in flight at the end.
                end = begin + (end - begin) * (0.6 if arrow.ended >= 0 else 0.8)
                style = 'stroke-dasharray="5 3"'
            parts.append(
                f'<line x1="{begin}" y1="{start}" x2="{end:.0f}" y2="{stop}" stroke="#1d2733" {style}/>'
                f'<text x="{(begin + end) / 2:.0f}" y="{(start + stop) / 2 - 4:.0f}" text-anchor="middle">'
                f"{escape(arrow.label)}</text>"
            )
            if arrow.ended >= 0 and not arrow.arrived:
                parts.append(f'<text x="{end:.0f}" y="{stop + 5}" fill="#c0392b" text-anchor="middle">&#215;</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"

    def _peers(self) -> int:
        return int(self.parameters["Peers"])

    @staticmethod
    def _write(row: list[str], at: int, text: str, room: int) -> None:
        if at + min(room, len(text)) > len(row):
            row.extend(" " * (at + min(room, len(text)) - len(row)))
        for place, letter in enumerate(_shorten(text, room), at):
            row[place] = letter

    def _draw(self, row: list[str], arrow: Arrow) -> None:
        first, last = sorted((arrow.sender * _WIDTH, arrow.receiver * _WIDTH))
        if first == last:
            self._write(row, first + 2, f"{arrow.label} (to itself)", _WIDTH)
            return
        for place in range(first + 1, last):
            row[place] = "-"
        rightward = arrow.sender < arrow.receiver
        row[last - 1 if rightward else first + 1] = ">" if rightward else "<"
        if not arrow.arrived:
            row[(first + last) // 2 + (8 if rightward else -8)] = "x"
            gone = range((first + last) // 2 + 9, last) if rightward else range(first + 1, (first + last) // 2 - 8)
            for place in gone:
                row[place] = " "
        label = f" {_shorten(arrow.label, 12)} "
        self._write(row, (first + last - len(label)) // 2, label, len(label))


def _shorten(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 3] + "..."


def _event(text: str) -> str:
    """The event of a step, without the actions."""
    return text.partition(",")[0].rstrip(".")


def explore(
    protocol: str = "idempotent",
    /,
    *,
    symmetry: bool = True,
    bits: bool = False,
    memory: int = 8,
    cache: bool = True,
    **parameters: Any,
) -> Exploration:
    """
    Search all states of a few peers with a protocol under faults.

    Parameters
    ----------
    protocol : str
        The protocol; `relnet protocols` lists them, and `relnet.load` adds more.
    symmetry : bool
        Whether to identify states that differ only in the names of peers, messages and IDs, if the core allows it.
    bits : bool
        Whether to store states as bits of an array of half of `memory`, for very large searches. States may then be
        omitted, and only violations of single steps are found.
    memory : int
        Maximum memory [GiB]; 0 for no limit.
    cache : bool
        Whether to read and store the result on disk.
    **parameters
        Parameters of the scenario `explore`: `peers`, `messages` (a number, or a text such as "0>1,1>0,0>*"), `size`,
        `faults` (such as "loss=2,duplicate=1,reorder"), `capacity`, `fair`, `states`, `threads`. All others are
        parameters of the protocol, such as `ReceiveTable=1`.

    Returns
    -------
    Exploration
        The result, with a shortest counterexample of any violation.
    """
    given = {"protocol": protocol, "symmetry": symmetry, "bits": bits, "memorylimit": memory}
    for name, value in parameters.items():
        own = name.lower() not in _OPTIONS and "." not in name
        given[f"protocol.{name}" if own else name] = value
    scenario, task, record = run_record("explore", given, cache=cache)
    results = record.results
    known = dict(task.given)
    tables = {table.name: {one.name: frames.listed(one) for one in table.columns} for table in record.tables}
    return Exploration(
        protocol=protocol,
        parameters={one.name: known.get(one.name, one.default) for one in scenario.parameters},
        outcome=results["Outcome"],
        asked=results["Asked"],
        sentence=results["VerdictReason"],
        states=results["StatesSeen"],
        transitions=results["Steps"],
        depth=results["Depth"],
        cores=results["CoreStates"],
        memory=results["Memory"],
        omission=results["Omission"],
        reused=results["Reused"],
        processor=results["SearchTime"],
        seconds=record.seconds,
        cached=record.cached,
        given={name: value for name, value in given.items() if name not in ("protocol", "symmetry", "bits")},
        path=tuple(
            Step(text, peer, bool(repeats))
            for text, peer, repeats in _rows(tables.get("Path"), "Event", "Peer", "Repeats")
        ),
        arrows=tuple(
            Arrow(*fields, bool(arrived))
            for *fields, arrived in _rows(tables.get("Frames"), "Frame", "From", "To", "Sent", "Ended", "Arrived")
        ),
    )


def _rows(columns: Mapping[str, Sequence[Any]] | None, *names: str) -> list[tuple[Any, ...]]:
    return list(zip(*(columns[name] for name in names), strict=True)) if columns else []
