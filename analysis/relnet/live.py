# SPDX-License-Identifier: GPL-2.0-only
"""
Protocols of the simulator over real UDP sockets.

`measure` runs all peers of a group as processes of this machine, and compares their costs with those that the simulator
predicts for the measured round trip. `connect` joins a group on one or several machines, to send and receive bytes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import tempfile
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from relnet.catalog.lookup import describe
from relnet.errors import RelnetError, RunError
from relnet.processes import pool
from relnet.records.files import write_frame
from relnet.records.tasks import Record, Task
from relnet.runs import grid
from relnet.runs.grid import parse_seed
from relnet.runs.single import make_task, run_record
from relnet.runs.verdicts import judge

SHORT = {"parastation": "parastation2", "eqa": "ppbcast"}
"""Names of the papers' systems, with their protocols."""
LOSSES = "0,0.05,0.1,0.2"
"""Default values of Loss."""
_OWN = ("peer", "peers", "application", "timelimit")
"""Parameters that a simulation does not have."""
_ATTEMPTS = 5
"""Maximum number of searches for free ports, since another program may take one before a peer does."""
_PIECE = struct.Struct("!QII")
"""Head of a piece: number of its message at the sender, its index and the number of pieces."""
_PACKET = struct.Struct("=c3xI")
"""Head of a packet between this process and that of the peer: kind and other peer."""
_COUNT = struct.Struct("=I")
_OPENED = struct.Struct("=III")
_PROGRESS = struct.Struct("=QQQ")
_LARGEST = 1024 - _PIECE.size
"""Maximum piece of a message [bytes]. A piece is a message of the protocol and fits into one frame."""
_LOST_WINDOWS = 16
"""Windows of pieces of incomplete messages that are kept of a peer whose protocol loses some."""
_FOREVER = "10000000s"
"""Time limit of a session."""
_RECEIVED = 65536
"""Buffer for a packet, larger than any [bytes]."""


def protocol_name(name: str) -> str:
    """The protocol of a system's name, such as `parastation2` for `parastation`."""
    return SHORT.get(name.casefold(), name)


def _free_ports(count: int) -> list[int]:
    """Find free ports of the loopback interface."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) for _ in range(count)]
        for one in found:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in found]


def run_group(given: Mapping[str, Any], peers: int = 2, seed: int = 1) -> list[Record]:
    """
    Run a group of peers on this machine, one process each.

    Parameters
    ----------
    given : mapping of str to object
        Parameters of the scenario `live`, without `Peer` and `Peers`.
    peers : int
        Number of peers.
    seed : int
        Seed of the faults.

    Returns
    -------
    list of Record
        The results of each peer.

    Raises
    ------
    RunError
        If a peer failed.
    """
    scenario = describe("live")
    for attempt in range(_ATTEMPTS):
        addresses = ",".join(f"127.0.0.1:{port}" for port in _free_ports(peers))
        group = [{**given, "Peers": addresses, "Peer": peer} for peer in range(peers)]
        tasks = [make_task(*scenario.bind(settings), seed) for settings in group]
        executor = pool.ForkExecutor(peers)
        try:
            futures = [executor.submit_task(task) for task in tasks]
            errors = [future.exception() for future in futures]
        except BaseException:
            executor.cancel()
            raise
        executor.shutdown()
        if not any(errors):
            return [future.result() for future in futures]
        taken = [error for error in errors if error is not None and "is taken by another program" in str(error)]
        if not taken or attempt + 1 == _ATTEMPTS:
            raise next(error for error in (*taken, *errors) if error is not None)
    raise AssertionError("unreachable")


def measure(
    protocol: str, given: Mapping[str, Any] | None = None, peers: int = 2, seed: int = 1, cache: bool = True
) -> Any:
    """
    Run a protocol over UDP on this machine, and simulate the same.

    Parameters
    ----------
    protocol : str
        Name of the protocol.
    given : mapping of str to object, optional
        Parameters of the scenario `live`; texts may list several values, as in `Loss="0,0.1"`.
    peers : int
        Number of processes.
    seed : int
        Seed of the faults.
    cache : bool
        Whether to read and store simulations on disk; measurements are always repeated.

    Returns
    -------
    pandas.DataFrame
        One row for each combination of values: parameters, measured (`live`) and predicted (`simulated`) values, and
        the outcome at all peers.
    """
    import pandas  # slow, and only the frame needs it

    scenario = describe("live")
    wanted = {"Protocol": protocol_name(protocol), **(given or {})}
    set_here = [name for name in wanted if name.casefold() in ("peer", "peers")]
    if set_here:
        raise RelnetError(
            f"{set_here[0]} is set automatically here, for processes of this machine; --peers is the number of "
            "processes. `relnet run live` takes it for a peer of a group."
        )
    if not any(name.casefold() == "loss" for name in wanted):
        wanted["Loss"] = LOSSES
    chosen = scenario.choose(wanted)
    axes = {one.name: grid.expand(one, value) for one, value in chosen.collect(wanted).items()}
    return pandas.DataFrame([_compare(point, peers, seed, cache) for point in grid.points(axes)])


def _compare(point: Mapping[str, Any], peers: int, seed: int, cache: bool) -> dict[str, Any]:
    """Run and simulate one combination of values."""
    found = [record.results for record in run_group(point, peers, seed)]
    posted = sum(one["Posted"] for one in found)
    trip = sum(one["RoundTrip"] for one in found) / len(found)
    same = {name: value for name, value in point.items() if name.casefold() not in _OWN}
    defaults = {
        name: next(p.default for p in describe("live").parameters if p.name == name) for name in ("Size", "Messages")
    }
    network = {"Network": "loopback", "network.Latency": f"{max(1, round(500 * trip))}ns"}
    simulated = run_record(
        "reliability", {**defaults, **network, "Nodes": peers, "Pattern": "uniform", **same}, seed, cache, show=False
    )[2].results
    verdicts = {one["Verdict"] for one in found}
    verdict = next((one for one in ("violated", "undecided", "failed") if one in verdicts), "completed")
    outcomes = sorted({word for one in found for word in one["Outcome"].split(", ")} - {"exact"})
    return {
        **point,
        "peers": peers,
        "outcome": ", ".join(outcomes) or "exact",
        "verdict": verdict,
        "reason": next((one["VerdictReason"] for one in found if one["Verdict"] == verdict), ""),
        "messages": posted,
        "round trip [us]": trip,
        "packets a message, live": sum(one["Frames"] for one in found) / max(posted, 1),
        "packets a message, simulated": simulated["FramesPerMessage"],
        "time a message [us], live": max(one["Time"] for one in found) * peers / max(posted, 1),
        "time a message [us], simulated": simulated["Time"] * peers / max(simulated["Posted"], 1),
        "foreign": sum(one["Foreign"] for one in found),
    }


def text(frame: Any) -> str:
    """Format the table for a terminal, one block per run."""
    blocks = []
    for row in frame.to_dict("records"):
        given = ", ".join(f"{name}={row[name]}" for name in frame.columns[: frame.columns.get_loc("peers")])
        judgement = judge({"Verdict": row["verdict"]})
        lines = [f"{given}, {row['peers']} processes: {row['verdict']}, {row['outcome']} (promise {judgement})"]
        if row["reason"]:
            lines.append(f"  {row['reason']}")
        lines.append(f"  round trip {row['round trip [us]']:.1f} us, {row['messages']} messages")
        for what in ("packets a message", "time a message [us]"):
            lines.append(f"  {what}: {row[f'{what}, live']:.4g} live, {row[f'{what}, simulated']:.4g} simulated")
        blocks.append("\n".join(lines))
    return "\n".join(blocks)


def figure(frame: Any) -> Any:
    """
    Draw measured and predicted values.

    Parameters
    ----------
    frame : pandas.DataFrame
        The return value of `measure`.

    Returns
    -------
    matplotlib.figure.Figure
        Packets and time per message against the loss.
    """
    from relnet import plots  # slow: it needs matplotlib

    with plots.style():
        drawn, ((left, right),) = plots.panels(1, 2, width=8.0, height=2.8)
        for axes, what in ((left, "packets a message"), (right, "time a message [us]")):
            for index, kind in enumerate(("live", "simulated")):
                axes.plot(
                    frame["Loss"],
                    frame[f"{what}, {kind}"],
                    color=plots.COLOURS[index],
                    marker=plots.MARKERS[index],
                    label=kind,
                )
            axes.set_xlabel("probability of frame loss")
            axes.set_ylabel(what)
            plots.from_zero(axes)
        left.legend()
        drawn.suptitle(f"{frame['Protocol'].iloc[0]}, {frame['peers'].iloc[0]} processes over UDP on loopback")
    return drawn


def _seconds(name: str, value: Any) -> float | None:
    """Check a maximum time to wait; None is no limit."""
    if value is None:
        return None
    sentence = f"{name} is {str(value)[:40]!r}; it has to be a number of seconds from 0, or None for no limit."
    if isinstance(value, (bool, str, bytes)):
        raise RelnetError(sentence)
    try:
        seconds = float(value)
    except OverflowError:
        seconds = threading.TIMEOUT_MAX if value > 0 else -1.0
    except (TypeError, ValueError):
        seconds = -1.0
    if not seconds >= 0:
        raise RelnetError(sentence)
    return min(seconds, threading.TIMEOUT_MAX)


@dataclass
class _Message:
    """A message that arrives: its pieces, and how many of them are not reported as taken."""

    count: int
    pieces: dict[int, bytes] = field(default_factory=dict)
    held: int = 0


@dataclass
class _Link:
    """
    Messages to and from another peer.

    Attributes
    ----------
    messages, sent : int
        Messages and pieces sent.
    ended, delivered, taken : int
        All of these pieces have ended for the protocol, are delivered at the other peer, and are taken by its program.
    error : str
        Why no more can be sent, or empty.
    gone : bool
        The peer has left long ago.
    arriving : dict
        Incomplete messages, by number.
    waiting : int
        Complete messages that the program has not taken.
    due : int
        Pieces taken that are not reported yet.
    """

    messages: int = 0
    sent: int = 0
    ended: int = 0
    delivered: int = 0
    taken: int = 0
    error: str = ""
    left: bool = False
    gone: bool = False
    arriving: dict[int, _Message] = field(default_factory=dict)
    waiting: int = 0
    due: int = 0


class Endpoint:
    """
    A peer of a live group, created by `connect`.

    Messages are bytes of any length. Each is split into pieces that fit into a frame. A piece is a message of the
    protocol, whose guarantees therefore hold for each piece. The sender waits in `send` while a window of pieces is not
    taken by the receiving program, so that no peer needs more memory than the window and one message for each other.
    All methods may be called from several threads, and those of one peer are sent in the order of the calls.

    Attributes
    ----------
    peer, peers : int
        Number of this peer, and number of all.
    results : dict
        Results of the scenario `live` at this peer, such as `Verdict` and `Outcome`; empty before the end.
    """

    def __init__(self, task: Task, peer: int) -> None:
        self.peer = peer
        self.peers = 0
        self.results: dict[str, Any] = {}
        self._window = 0
        self._reliable = False
        self._links: list[_Link] = []
        self._error: BaseException | None = None
        self._closed = False
        self._arrived: deque[tuple[int, bytes, int]] = deque()
        self._warnings: deque[str] = deque()
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._folder = tempfile.mkdtemp(prefix="relnet-live-")
        path = os.path.join(self._folder, "s")
        self._cancel_read, self._cancel_write = os.pipe()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(path)
        listener.listen(1)
        texts = (*task.texts, ("Application", path))
        self._listener = listener
        self._socket: socket.socket | None = None
        # The runner waits for the reader when it ends, which may be at once.
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._runner = threading.Thread(target=self._run, args=(replace(task, texts=texts),), daemon=True)
        self._runner.start()
        try:
            self._wait(lambda: self.peers > 0, None, "")
        except BaseException:
            self.close()
            raise

    def _run(self, task: Task) -> None:
        error: BaseException = RunError("The session has ended.")
        try:
            self.results = dict(pool.run_task(task, cancel=self._cancel_read).results)
        except RunError as raised:
            # Without the run's parameters, among which is the socket of this object.
            error = RunError(raised.args[0].rpartition(" failed: ")[2], output=raised.output)
        except BaseException as raised:
            error = raised
        # Wakes the reader if it still waits for a connection.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._reader.join()
        self._end(error)

    def _end(self, error: BaseException) -> None:
        with self._changed:
            self._error = self._error or error
            self._changed.notify_all()

    def _read(self) -> None:
        try:
            self._socket, _ = self._listener.accept()
            while packet := self._socket.recv(_RECEIVED):
                with self._changed:
                    self._take(packet)
                    self._changed.notify_all()
        except OSError:
            return
        except BaseException as error:
            self._end(error)

    def _take(self, packet: bytes) -> None:
        """Take a packet of the peer's process."""
        kind, peer = _PACKET.unpack_from(packet)
        body = packet[_PACKET.size :]
        if kind == b"O":
            peers, self._window, reliable = _OPENED.unpack(body)
            self._reliable = bool(reliable)
            self._links = [_Link() for _ in range(peers)]
            self.peers = peers
            return
        link = self._links[peer]
        if kind == b"D":
            self._join(peer, link, body)
        elif kind == b"P":
            link.ended, link.delivered, link.taken = _PROGRESS.unpack(body)
        elif kind == b"F":
            link.error = link.error or body.decode()
        elif kind == b"B":
            self._warnings.append(body.decode())
        elif kind == b"L":
            link.left = True
        elif kind == b"G":
            link.gone = True

    def _join(self, peer: int, link: _Link, piece: bytes) -> None:
        """Add a piece to its message, which is complete with the last piece."""
        number, index, count = _PIECE.unpack_from(piece)
        message = link.arriving.setdefault(number, _Message(count))
        message.pieces[index] = piece[_PIECE.size :]
        message.held += 1
        if len(message.pieces) == count:
            del link.arriving[number]
            data = b"".join(message.pieces[place] for place in range(count))
            self._arrived.append((peer, data, message.held))
            link.waiting += 1
        elif link.waiting == 0:
            self._report(peer, link)
        # An earlier message of which the sender has more than a window of later pieces was cut off.
        for old in [one for one in link.arriving if one + self._window < number]:
            link.due += link.arriving.pop(old).held
        excess = sum(len(one.pieces) for one in link.arriving.values()) - _LOST_WINDOWS * self._window
        if not self._reliable and excess > 0 and len(link.arriving) > 1:
            link.due += link.arriving.pop(min(link.arriving)).held

    def _report(self, peer: int, link: _Link) -> None:
        """Report pieces as taken: with no complete message before them, the program waits for the rest of theirs."""
        if link.waiting == 0:
            for message in link.arriving.values():
                link.due += message.held
                message.held = 0
        if link.due and (link.waiting == 0 or link.due * 8 >= self._window):
            with contextlib.suppress(OSError):
                self._socket.send(_PACKET.pack(b"T", peer) + _COUNT.pack(link.due))
            link.due = 0

    def _wait(self, condition: Any, timeout: float | None, what: str) -> None:
        """Wait for a condition, under the lock; raise if it can no longer be true."""
        with self._changed:
            if self._changed.wait_for(lambda: condition() or self._error is not None, timeout):
                if not condition():
                    raise self._error
                return
        raise TimeoutError(f"{what} within {timeout:g} s.")

    def send(self, to: int, data: bytes, timeout: float | None = None) -> None:
        """
        Send a message, once the receiver has room for it.

        Parameters
        ----------
        to : int
            Number of the receiver, from 0.
        data : bytes
            The message: bytes, bytearray or memoryview.
        timeout : float, optional
            Maximum time to wait for room [s]; unlimited by default. A message that is cut off by it is not delivered.

        Raises
        ------
        RelnetError
            If there is no such peer, or the message is not bytes.
        RunError
            If the protocol has given up an earlier message to this peer, the peer has left, or the group has ended.
        TimeoutError
            If the receiver has no room in time.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise RelnetError(f"A message is bytes, not {type(data).__name__}.")
        if isinstance(to, bool) or not isinstance(to, int) or not 0 <= to < self.peers or to == self.peer:
            raise RelnetError(f"There is no other peer {str(to)[:40]}; this is peer {self.peer} of {self.peers}.")
        timeout = _seconds("timeout", timeout)
        whole = bytes(data)
        end = None if timeout is None else time.monotonic() + timeout
        with self._sending:
            link = self._links[to]
            count = max(1, -(-len(whole) // _LARGEST))
            message = link.messages
            link.messages += 1
            for index in range(count):
                left = None if end is None else max(0.0, end - time.monotonic())
                self._wait_for_room(to, link, left, timeout)
                piece = whole[index * _LARGEST : (index + 1) * _LARGEST]
                head = _PACKET.pack(b"M", to) + _PIECE.pack(message, index, count)
                try:
                    self._socket.send(head + piece)
                except OSError as error:
                    raise self._error or RunError(f"The session has ended: {error.strerror}.") from None
                link.sent += 1

    def _wait_for_room(self, to: int, link: _Link, left: float | None, timeout: float | None) -> None:
        def has_room() -> bool:
            taken = min(link.ended, link.taken) if self._reliable else link.ended
            return link.sent - taken < self._window

        try:
            self._wait(lambda: link.error or link.left or has_room(), left, "")
        except TimeoutError:
            raise TimeoutError(f"Peer {to} has no room for a message within {timeout:g} s.") from None
        if self._error is not None:
            raise self._error
        if link.error:
            raise RunError(link.error)
        if link.left:
            raise RunError(f"Peer {to} has left.")

    def receive(self, timeout: float | None = None) -> tuple[int, bytes]:
        """
        Wait for a message.

        Parameters
        ----------
        timeout : float, optional
            Maximum time to wait [s]; unlimited by default.

        Returns
        -------
        tuple of (int, bytes)
            Sender and message.

        Raises
        ------
        TimeoutError
            If no message arrives in time.
        RunError
            If messages of a peer are missing or damaged (once; those of other peers still arrive), all others have
            left, or the group has ended.
        """
        timeout = _seconds("timeout", timeout)

        def all_left() -> bool:
            return all(link.left for peer, link in enumerate(self._links) if peer != self.peer)

        with self._changed:
            self._wait(
                lambda: self._arrived or self._warnings or (self._error is None and all_left()),
                timeout,
                "No message arrived",
            )
            if self._arrived:
                peer, data, held = self._arrived.popleft()
                link = self._links[peer]
                link.waiting -= 1
                link.due += held
                self._report(peer, link)
                return peer, data
            if self._warnings:
                raise RunError(self._warnings.popleft())
        raise RunError("All other peers have left.")

    def flush(self, timeout: float | None = None) -> None:
        """
        Wait until all messages have ended; with a reliable protocol, they are then delivered.

        Parameters
        ----------
        timeout : float, optional
            Maximum time to wait [s]; unlimited by default.

        Raises
        ------
        TimeoutError
            If some messages have not ended in time.
        RunError
            If the protocol has given up a message, a receiver has left before, or the group has ended.
        """
        timeout = _seconds("timeout", timeout)

        def is_done(link: _Link) -> bool:
            return link.sent <= (min(link.ended, link.delivered) if self._reliable else link.ended)

        def lost() -> list[str]:
            return [
                link.error or f"Peer {peer} has left before all messages were delivered."
                for peer, link in enumerate(self._links)
                if link.error or (link.gone and not is_done(link))
            ]

        self._wait(lambda: lost() or all(map(is_done, self._links)), timeout, "Some messages have not ended")
        if failed := lost():
            raise RunError(failed[0])

    def close(self, timeout: float = 5.0) -> None:
        """
        Leave the group when the others leave it, or after a timeout. Messages that have not ended by then are lost.

        Parameters
        ----------
        timeout : float
            The timeout [s].
        """
        timeout = _seconds("timeout", timeout)
        with self._changed:
            if self._closed:
                return
            self._closed = True
        with contextlib.suppress(OSError):
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_WR)
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._runner.join(timeout if self.peers else 0)
        os.write(self._cancel_write, b"c")
        self._runner.join()
        self._reader.join()
        for one in (self._socket, self._listener):
            if one is not None:
                one.close()
        for pipe in (self._cancel_read, self._cancel_write):
            os.close(pipe)
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def connect(
    protocol: str, peers: Sequence[str], peer: int, *, seed: int = 1, timeout: float = 30.0, **parameters: Any
) -> Endpoint:
    """
    Join a group of processes that exchange bytes by a protocol over UDP.

    Parameters
    ----------
    protocol : str
        A protocol of `relnet protocols`.
    peers : sequence of str
        Address and port of each peer, such as `["10.0.0.1:4000", "10.0.0.2:4000"]`; the same at all peers.
    peer : int
        Number of this process, from 0.
    seed : int
        Seed of any faults.
    timeout : float
        Time for all others to join [s].
    **parameters
        Parameters of the scenario `live`, such as `Loss=0.1`, `SilenceLimit=30`, or `**{"protocol.SendTable": 8}`.

    Returns
    -------
    Endpoint
        This peer, after all have joined.

    Raises
    ------
    RelnetError
        If the port is taken, a peer is missing, or a parameter is not allowed.
    """
    if not isinstance(peers, (list, tuple)) or not all(isinstance(one, str) for one in peers):
        raise RelnetError('peers is a list of addresses, as in ["127.0.0.1:4000", "127.0.0.1:4001"].')
    if not isinstance(protocol, str):
        raise RelnetError(f"protocol is a name, not {type(protocol).__name__}.")
    limit = _seconds("timeout", timeout)
    join = _FOREVER if limit is None or limit > float(_FOREVER[:-1]) else f"{max(limit, 0.001):.3f}s"
    given = {"Protocol": protocol_name(protocol), "TimeLimit": _FOREVER, "JoinLimit": join, **parameters}
    scenario, values = describe("live").bind({**given, "Peers": ",".join(peers), "Peer": peer})
    return Endpoint(make_task(scenario, values, parse_seed(seed)), peer)


def save(frame: Any, folder: Path) -> None:
    """Write table and figure of a measurement as `live.csv`, `live.png` and `live.svg`."""
    from relnet import plots  # slow: it needs matplotlib

    write_frame(frame, folder / "live.csv")
    plots.save(figure(frame), folder / "live")
