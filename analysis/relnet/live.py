# SPDX-License-Identifier: GPL-2.0-only
"""
Protocols of the simulator over real UDP sockets.

`measure` runs all peers of a group as processes of this machine, and compares their costs with those that the simulator
predicts for the measured round trip. `connect` joins a group on one or several machines, to send and receive bytes.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import socket
import struct
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from relnet.catalog.lookup import describe
from relnet.errors import RelnetError, RunError
from relnet.processes import pool
from relnet.records.files import write_frame
from relnet.records.tasks import Record, Task
from relnet.runs import grid
from relnet.runs.single import make_task, run_record

SHORT = {"parastation": "parastation2", "eqa": "ppbcast"}
"""Names of the papers' systems, with their protocols."""
LOSSES = "0,0.05,0.1,0.2"
"""Default values of Loss."""
_OWN = ("peer", "peers", "application", "timelimit")
"""Parameters that a simulation does not have."""
_ATTEMPTS = 5
"""Maximum number of searches for free ports, since another program may take one before a peer does."""
_PIECE = struct.Struct("!III")
_REQUEST = struct.Struct("=II")
_ANSWER = struct.Struct("=c3xII")
_LARGEST = 1024 - _PIECE.size
"""Maximum piece of a message [bytes]. A piece is a message of the protocol and fits into one frame."""


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
    outcomes = sorted({word for one in found for word in one["Outcome"].split(", ")} - {"exact"})
    return {
        **point,
        "peers": peers,
        "outcome": ", ".join(outcomes) or "exact",
        "verdict": next((one for one in ("violated", "undecided") if one in verdicts), "completed"),
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
        lines = [f"{given}, {row['peers']} processes: {row['verdict']}, {row['outcome']}"]
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


class Endpoint:
    """
    A peer of a live group, created by `connect`.

    Messages are bytes of any length. Each is split into pieces that fit into a frame. A piece is a message of the
    protocol, whose guarantees therefore hold for each piece.
    """

    def __init__(self, task: Task, peer: int, timeout: float) -> None:
        self.peer = peer
        self.peers = 0
        self._numbers = 0
        self._messages = 0
        self._completed = 0
        self._error: BaseException | None = None
        self._arrived: queue.SimpleQueue[tuple[int, bytes] | None] = queue.SimpleQueue()
        self._pieces: dict[tuple[int, int], dict[int, bytes]] = {}
        self._changed = threading.Condition()
        self._folder = tempfile.mkdtemp(prefix="relnet-live-")
        path = os.path.join(self._folder, "s")
        self._cancel_read, self._cancel_write = os.pipe()
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(path)
        listener.listen(1)
        texts = (*task.texts, ("Application", path))
        self._listener = listener
        self._socket: socket.socket | None = None
        self._runner = threading.Thread(target=self._run, args=(replace(task, texts=texts),), daemon=True)
        self._runner.start()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self._wait(lambda: self.peers > 0, timeout, "Some peers have not answered")
        except BaseException:
            self.close()
            raise

    def _run(self, task: Task) -> None:
        try:
            pool.run_task(task, cancel=self._cancel_read)
        except BaseException as error:
            self._error = error
        with self._changed:
            self._changed.notify_all()
        # Wakes the reader if it still waits for a connection.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._arrived.put(None)

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            self._socket, _ = self._listener.accept()
            while packet := self._socket.recv(65536):
                self._take(packet)

    def _take(self, packet: bytes) -> None:
        kind, peer, number = _ANSWER.unpack_from(packet)
        if kind == b"D":
            self._join(peer, packet[_ANSWER.size :])
            return
        with self._changed:
            if kind == b"O":
                self.peers = number
            elif kind == b"C":
                self._completed += 1
            else:
                self._error = RelnetError(f"The protocol refuses the message {number}: there is no such peer.")
            self._changed.notify_all()

    def _join(self, peer: int, piece: bytes) -> None:
        """Add a piece to its message, which is complete with the last piece."""
        message, index, count = _PIECE.unpack_from(piece)
        pieces = self._pieces.setdefault((peer, message), {})
        pieces[index] = piece[_PIECE.size :]
        if len(pieces) == count:
            del self._pieces[peer, message]
            self._arrived.put((peer, b"".join(pieces[place] for place in range(count))))

    def _wait(self, condition: Any, timeout: float | None, what: str) -> None:
        with self._changed:
            ended = self._changed.wait_for(
                lambda: condition() or self._error is not None or not self._runner.is_alive(), timeout
            )
        if condition():
            return
        if self._error is not None:
            raise self._error
        raise RunError(f"{what} after {timeout:g} s." if not ended else "The peer has ended.")

    def send(self, to: int, data: bytes) -> None:
        """
        Send a message.

        Parameters
        ----------
        to : int
            Number of the receiver, from 0.
        data : bytes
            The message.

        Raises
        ------
        RelnetError
            If there is no such peer, or the group has ended.
        """
        if not 0 <= to < self.peers or to == self.peer:
            raise RelnetError(f"There is no other peer {to}; this is peer {self.peer} of {self.peers}.")
        if self._error is not None:
            raise self._error
        count = max(1, -(-len(data) // _LARGEST))
        for index in range(count):
            piece = data[index * _LARGEST : (index + 1) * _LARGEST]
            head = _REQUEST.pack(to, self._numbers) + _PIECE.pack(self._messages, index, count)
            self._numbers += 1
            try:
                self._socket.send(head + piece)
            except OSError as error:
                raise self._error or RunError(f"The peer has ended: {error.strerror}.") from None
        self._messages += 1

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
            If the group has ended.
        """
        try:
            found = self._arrived.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(f"No message arrived within {timeout:g} s.") from None
        if found is None:
            self._arrived.put(None)
            raise self._error or RunError("The peer has ended.")
        return found

    def flush(self, timeout: float | None = None) -> None:
        """
        Wait until the protocol has completed all messages, which with most protocols means that they are delivered.

        Parameters
        ----------
        timeout : float, optional
            Maximum time to wait [s]; unlimited by default.
        """
        self._wait(lambda: self._completed == self._numbers, timeout, "Some messages have not completed")

    def close(self, timeout: float = 5.0) -> None:
        """
        Leave the group when the others leave it, or after a timeout.

        Parameters
        ----------
        timeout : float
            The timeout [s].
        """
        if self._cancel_write < 0:
            return
        with contextlib.suppress(OSError):
            if self._socket is not None:
                self._socket.send(b"")
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
        self._cancel_write = -1
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
        Parameters of the scenario `live`, such as `Loss=0.1` or `**{"protocol.SendTable": 8}`.

    Returns
    -------
    Endpoint
        This peer, after all have joined.

    Raises
    ------
    RelnetError
        If the port is taken, a peer is missing, or a parameter is not allowed.
    """
    given = {"TimeLimit": "10000000s", **parameters, "Protocol": protocol_name(protocol)}
    scenario, values = describe("live").bind({**given, "Peers": ",".join(peers), "Peer": peer})
    return Endpoint(make_task(scenario, values, seed), peer, timeout)


def save(frame: Any, folder: Path) -> None:
    """Write table and figure of a measurement as `live.csv`, `live.png` and `live.svg`."""
    from relnet import plots  # slow: it needs matplotlib

    write_frame(frame, folder / "live.csv")
    plots.save(figure(frame), folder / "live")
