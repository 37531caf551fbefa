# SPDX-License-Identifier: GPL-2.0-only
"""
The fork server, which loads libraries once and forks a fresh child for each run.

It is a separate process with one thread, started by `pool`, so that no threaded notebook kernel is forked. A request
consists of four file descriptors: the child's channel (task in; progress and result out), a pipe for the child's wait
status, and the child's standard output and error. A client cancels a run by closing its end of the pipe. When the
client ends, the control socket closes, and the server ends with its children.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import select
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any

from relnet.errors import RelnetError
from relnet.processes import wire, worker

_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)
_PLAIN_SIGNALS = (
    signal.SIGCHLD,
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGILL,
    signal.SIGFPE,
    signal.SIGABRT,
    signal.SIGSYS,
)


class Server:
    """
    Forks and reaps children.

    Parameters
    ----------
    control : socket.socket
        Socket of the requests.
    serve : callable
        Called in each child with the child's channel.
    """

    def __init__(self, control: socket.socket, serve: Callable[[socket.socket], None]) -> None:
        self._control = control
        self._serve = serve
        self._children: dict[int, int] = {}
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)
        self._wake, wake_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._poll.register(self._wake, select.POLLIN)
        signal.set_wakeup_fd(wake_end, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def loop(self) -> None:
        """Serve until the client has ended."""
        while True:
            ready = {descriptor for descriptor, _ in self._poll.poll()}
            # New requests come last: their descriptors may reuse numbers that are closed here.
            for descriptor in ready - {self._wake, self._control.fileno()}:
                self._cancel(descriptor)
            if self._wake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, 4096)
                self._reap()
            if self._control.fileno() in ready and not self._accept():
                for child in self._children:
                    self._kill(child)
                return

    def _accept(self) -> bool:
        try:
            data, descriptors, _, _ = socket.recv_fds(self._control, 1, 4)
        except ConnectionError:
            return False
        if not data:
            return False
        channel, ended, output, errors = descriptors
        child = os.fork()
        if child == 0:
            os.close(ended)
            self._become_child(channel, output, errors)
        with contextlib.suppress(OSError):
            os.setpgid(child, child)
        for descriptor in (channel, output, errors):
            os.close(descriptor)
        self._children[child] = ended
        self._poll.register(ended, 0)
        return True

    def _become_child(self, channel: int, output: int, errors: int) -> None:
        """Run the task and exit without the interpreter's cleanup, which the server needs."""
        status = 1
        try:
            os.setpgid(0, 0)
            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            # cppyy's handlers would print a trace for seconds, and turn a signal into an exit status.
            for number in _PLAIN_SIGNALS:
                signal.signal(number, signal.SIG_DFL)
            os.dup2(output, 1)
            os.dup2(errors, 2)
            for descriptor in (output, errors, *self._children.values()):
                if descriptor >= 0:
                    os.close(descriptor)
            self._control.close()
            with socket.socket(fileno=channel) as line:
                self._serve(line)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def _reap(self) -> None:
        while True:
            try:
                child, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if child == 0:
                return
            ended = self._children.pop(child, -1)
            if ended >= 0:
                with contextlib.suppress(OSError):
                    os.write(ended, wire.ENDED.pack(status))
                self._poll.unregister(ended)
                os.close(ended)

    def _cancel(self, descriptor: int) -> None:
        """Kill the child of a client that has closed its end of the pipe."""
        self._poll.unregister(descriptor)
        os.close(descriptor)
        for child, ended in self._children.items():
            if ended == descriptor:
                self._children[child] = -1
                self._kill(child)
                break

    @staticmethod
    def _kill(child: int) -> None:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)


def main() -> None:
    """Read the libraries to load from the control socket, report the result, and serve."""
    control = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(control.fileno(), False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order: dict[str, Any] = wire.receive(control)
    try:
        serve, hello = worker.prepare(order)
    except RelnetError as error:
        wire.send(control, {"error": str(error)})
        return
    wire.send(control, hello)
    gc.collect()
    gc.freeze()
    Server(control, serve).loop()


if __name__ == "__main__":
    main()
