# SPDX-License-Identifier: GPL-2.0-only
"""
Random events at the cores of a protocol, in any order: `make fuzz` without a fuzzer, for a user's library.

Requests are posted, frames arrive, get lost, repeated, changed or made up, timers fire although they were cancelled,
ports are busy. A core must not end the process, accept a frame of a peer that does not exist, or grow beyond what was
posted. What it delivers is not checked, since a changed frame may be any frame.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from relnet.binding.namespace import load, ns
from relnet.errors import RunError
from relnet.processes.isolation import isolated

_EVENTS = 200
"""Events of a sequence."""
_MOST_FLIGHTS = 64
"""Maximum number of frames in flight; beyond it the oldest are lost."""
_MOST_WORDS = 2048
"""Permitted growth of a core's canonical form [words], ..."""
_WORDS_A_REQUEST = 64
"""... and for each request and peer [words]."""
_MOST_LIST = 16
"""Maximum number of words of a changed frame."""
_ROOM, _NO_ROOM = 64, 0
"""Frames that a port accepts, and those of a busy one."""
_BUSY = 0.1
"""Share of events in which the port of the acting peer is busy."""
_MTUS = (256, 4096)
_KINDS = {"post": 4, "arrive": 8, "repeat": 3, "change": 2, "make up": 2, "lose": 2, "fire": 4, "done": 4, "ready": 1}
"""Events, by their frequency."""
_FIELDS = {
    **{"id": 64, "contents": 64, "payload": 32, "aux": 32, "header": 16, "path": 16},
    **{"kind": 8, "flags": 8, "trafficClass": 8, "marks": 8},
}
"""Fields of a frame, and their bits."""
_NO_PEER = 2**32 - 1


@dataclass(frozen=True)
class Fuzzed:
    """
    Outcome of random events.

    Attributes
    ----------
    sequences, events : int
        Sequences that have ended, and events of all.
    sentence : str
        The failure; empty without one.
    path : tuple of str
        The events of the sequence with the failure, the last one being its cause.
    refusal : str
        Why the protocol has no cores; empty if it has.
    crash : RunError or None
        The end of the process, or an exception of a core.
    """

    sequences: int = 0
    events: int = 0
    sentence: str = ""
    path: tuple[str, ...] = ()
    refusal: str = ""
    crash: RunError | None = None

    @property
    def text(self) -> str:
        """What was done, in one sentence."""
        return self.refusal or f"{self.sequences} sequences, {self.events} events in any order, with damaged frames"


class _Failure(Exception):
    """A core has violated a rule."""


class _Sequence:
    """
    Cores of a protocol and what is pending around them, in a process with ns-3.

    Parameters
    ----------
    protocol : str
        Name of the protocol.
    given : mapping of str to object
        Its parameters.
    seed : str
        Seed of the events.
    record : file
        Receives each event before it is applied, one a line, and outlasts the process.
    """

    def __init__(self, protocol: str, given: Mapping[str, Any], seed: str, record: TextIO) -> None:
        self._record = record
        self._std = load().gbl.std
        self._ns = ns.messaging
        self._random = random.Random(seed)
        peers = self._random.randint(2, 4)
        ordered = self._random.random() < 0.5
        info = self._ns.PortInfo()
        info.mtu, info.broadcast, info.rdma = self._random.choice(_MTUS), True, True
        info.ordered, info.maxSlip, info.lossless = ordered, 0 if ordered else 1000, self._random.random() < 0.25
        made = ns.DynamicCast[self._ns.Protocol](self._ns.CreateByName(self._ns.Protocol.GetTypeId(), protocol))
        own = made.__deref__()
        for name, value in given.items():
            own.SetAttribute(name, ns.StringValue(str(value)))
        self.refusal = str(own.Check(info, peers))
        if self.refusal:
            return
        site = self._ns.Site()
        site.clock, site.port = ns.CreateObject[self._ns.TickClock](), ns.Create[self._ns.IdlePort](info, peers)
        self._protocol, self._group = made, own.Connect(site)
        start = self._ns.FindSearchStart(own, self._group)
        self._cores = start.cores
        if not self._cores:
            self.refusal = f"{protocol} has no cores."
            return
        self._setting = self._ns.StepRecorder.Setting()
        self._setting.lossless = info.lossless
        self._peers = int(self._cores.GetNPeers())
        self._core = [self._cores.GetInitial(peer) for peer in range(self._peers)]
        self._host = [self._ns.HostState() for _ in range(self._peers)]
        self._known: list[list[int]] = [[] for _ in range(self._peers)]
        self._flights: list[tuple[int, int, Any]] = []
        self._first = max(int(self._cores.GetNWords(core)) for core in self._core)
        self._posted = 0
        self.path: list[str] = []
        for peer, request in ((int(one.first), one.second) for one in start.starts):
            self._run(peer, self._event("POST", request=request))

    def step(self) -> None:
        """Apply a random event."""
        chosen = self._random.choices(list(_KINDS), list(_KINDS.values()))[0]
        peer = self._random.randrange(self._peers)
        busy = self._random.random() < _BUSY
        if chosen == "post":
            self._run(peer, self._event("POST", request=self._request()), busy)
        elif chosen == "make up":
            sender = self._random.randrange(self._peers + 1)
            frame = self._ns.Frame()
            for field in (*_FIELDS, "words"):
                self._change(frame, field)
            before, flights = self._core[peer], len(self._flights)
            self._run(peer, self._event("DELIVER", sender, frame=frame), busy)
            if sender == self._peers and (self._core[peer] != before or len(self._flights) != flights):
                raise _Failure("A core accepts a frame of a peer that does not exist.")
        elif chosen == "fire":
            self._take(peer, self._known[peer], "TIMEOUT", busy, keep=True)
        elif chosen == "done":
            self._take(peer, [int(work) for work in self._host[peer].work], "DONE", busy)
        elif chosen == "ready":
            self._run(peer, self._event("READY"))
        elif self._flights:
            self._fly(chosen, busy)

    def _fly(self, chosen: str, busy: bool) -> None:
        """Deliver, repeat, change or lose a frame in flight."""
        place = self._random.randrange(len(self._flights))
        sender, receiver, frame = self._flights[place]
        if chosen != "repeat":
            del self._flights[place]
        if chosen == "lose":
            self._note(f"a frame of peer {sender} to peer {receiver} is lost")
            return
        if chosen == "change":
            frame = self._ns.Frame(frame)
            self._change(frame, self._random.choice([*_FIELDS, "words"]))
        self._run(receiver, self._event("DELIVER", sender, frame=frame), busy)

    def _take(self, peer: int, pending: list[int], kind: str, busy: bool, keep: bool = False) -> None:
        """Fire a timer or end work of a peer; timers that were cancelled are among them."""
        if not pending:
            return
        which = self._random.choice(pending)
        field = "timers" if keep else "work"
        left = [int(one) for one in getattr(self._host[peer], field) if int(one) != which]
        setattr(self._host[peer], field, self._std.vector["uint64_t"](left))
        self._run(peer, self._event(kind, which=which), busy)

    def _request(self) -> Any:
        request = self._ns.Request()
        request.id, request.tag, request.contents = self._posted, self._posted, 100 + self._posted
        to = self._random.randrange(self._peers + 1)
        request.to = _NO_PEER if to == self._peers else to
        request.bytes = self._number(16)
        self._posted += 1
        return request

    def _number(self, bits: int) -> int:
        """A number of some bits, often close to zero or to the maximum."""
        most = 2**bits - 1
        near = self._random.randrange(min(most, 32) + 1)
        return self._random.choice((near, near, most - near, self._random.randint(0, most)))

    def _change(self, frame: Any, field: str) -> None:
        if field == "words":
            words = [self._number(32) for _ in range(self._random.randrange(_MOST_LIST))]
            frame.words.assign(self._std.vector["uint32_t"](words))
            return
        bits = _FIELDS[field]
        setattr(frame, field, (int(getattr(frame, field)) + self._number(bits)) % 2**bits)

    def _event(self, kind: str, sender: int = 0, which: int = 0, **of: Any) -> Any:
        event = self._ns.CoreEvent()
        event.kind, event.which = getattr(self._ns.EventKind, kind), which
        setattr(event, "from", sender)
        for name, value in of.items():
            setattr(event, name, value)
        # The event has a pointer to its frame or request.
        return event, of

    def _name(self, frame: Any) -> str:
        """Name of a frame; a changed one may have no name in its protocol."""
        try:
            return str(self._group.DescribeFrame(frame))
        except Exception:
            return str(self._ns.DescribeFrame(frame))

    def _note(self, text: str) -> None:
        self.path.append(text)
        self._record.write(f"{text}\n")
        self._record.flush()

    def _run(self, peer: int, event: tuple[Any, Any], busy: bool = False) -> None:
        """Run a step of a core and keep what it asks for."""
        room = self._std.vector["uint32_t"]([_NO_ROOM if busy else _ROOM] * self._peers)
        recorder = self._ns.StepRecorder(self._setting, peer, room, self._host[peer])
        frame = event[1].get("frame")
        if frame is None:
            told = str(recorder.Describe(event[0]))
        else:
            sender = int(getattr(event[0], "from"))
            told = f"peer {peer} receives {self._name(frame)} from peer {sender}"
        self._note(told + (", its port is busy" if busy else ""))
        self._core[peer] = self._cores.Run(self._core[peer], event[0], recorder)
        self._host[peer] = self._ns.HostState(recorder)
        known = self._known[peer]
        known += [int(one.first) for one in recorder.touched if int(one.first) not in known]
        self._flights += [(peer, int(one.to), self._ns.Frame(one.frame)) for one in recorder.sent]
        del self._flights[:-_MOST_FLIGHTS]
        host = self._host[peer]
        words = int(self._cores.GetNWords(self._core[peer])) + len(host.timers) + len(host.work)
        if words > self._first + _MOST_WORDS + _WORDS_A_REQUEST * self._posted * self._peers:
            raise _Failure(
                f"A core has grown beyond what was posted: {words} words, {self._first} at the start, after "
                f"{self._posted} requests."
            )


def random_events(protocol: str, given: Mapping[str, Any], seed: int, seconds: float, record: str) -> dict[str, Any]:
    """Run sequences for some time; the events of the current one are in a file."""
    # The binding compiles what the first sequence calls, which does not count.
    end = float("inf")
    done = {"sequences": 0, "events": 0}
    while time.monotonic() < end:
        with open(record, "w", encoding="utf-8") as file:
            sequence = _Sequence(protocol, given, f"{seed}-{done['sequences']}", file)
            if not sequence.refusal:
                failure = _play(sequence, _EVENTS)
                if failure:
                    return {**done, "sentence": failure, "path": tuple(sequence.path)}
                done["events"] += len(sequence.path)
            elif sequence.refusal.endswith("has no cores."):
                return {"refusal": sequence.refusal}
        done["sequences"] += 1
        if done["sequences"] == 1:
            end = time.monotonic() + seconds
    return done


def _play(sequence: _Sequence, count: int) -> str:
    """Apply events; returns the first failure."""
    for _ in range(count):
        try:
            sequence.step()
        except _Failure as failure:
            return str(failure)
    return ""


def fuzz(protocol: str, given: Mapping[str, Any], seed: int, seconds: float) -> Fuzzed:
    """
    Apply random events to the cores of a protocol, in a process of its own.

    Parameters
    ----------
    protocol : str
        Its name.
    given : mapping of str to object
        Its parameters.
    seed : int
        Seed of the events.
    seconds : float
        Time after the first sequence [s]; a sequence that has begun is completed.

    Returns
    -------
    Fuzzed
        The outcome.
    """
    with tempfile.NamedTemporaryFile("r", prefix="relnet-fuzz-", encoding="utf-8") as record:
        try:
            return Fuzzed(**isolated(random_events, protocol, dict(given), seed, seconds, record.name))
        except RunError as error:
            path = tuple(record.read().splitlines())
            return Fuzzed(sentence=str(error.args[0]), path=path, crash=error)
