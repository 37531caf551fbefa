# SPDX-License-Identifier: GPL-2.0-only
"""
Runs tasks, each in a fresh child of a fork server, which is started at the first use.

Every executor calls `run_task`, in this process or in a worker on another machine. The calling process starts its fork
server as a new Python process, so that daemonic workers may use it as well.
"""

from __future__ import annotations

import atexit
import contextlib
import math
import os
import pickle
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from relnet import build
from relnet.binding import user_code
from relnet.errors import CrashError, RelnetError, RunError, exhausted
from relnet.processes import wire
from relnet.records.files import working_folder
from relnet.records.tasks import Record, Task

_TAIL = 1 << 16
_TICK = 1.0
_START_LIMIT = 300
"""Time limit for the start of a server, which takes 2 s on an idle machine [s]."""
_LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Large models access memory at random, which is faster with pages of 2 MiB."""

Progress = Callable[[float, float, str], None]
Notice = Callable[[], None]


class _ServerLost(Exception):
    """The fork server and its children have ended."""


class ForkServer:
    """
    Client of a fork server.

    Parameters
    ----------
    libraries : tuple of str
        Libraries to load in addition to those of the modules.
    functions : bool
        Whether the children run Python functions that use `ns`.
    modules : tuple of str
        Further modules of ns-3 that those functions use.
    spaces : tuple of str
        Namespaces of relnet that those functions use.
    """

    def __init__(
        self, libraries: tuple[str, ...], functions: bool, modules: tuple[str, ...], spaces: tuple[str, ...]
    ) -> None:
        paths = [*build.module_libraries(), *libraries]
        self.stamp = build.stamp(paths)
        self._lock = threading.Lock()
        ours, theirs = socket.socketpair()
        self._control = ours
        path = [str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = _LARGE_PAGES | os.environ | {"PYTHONPATH": os.pathsep.join(path), "OPENBLAS_NUM_THREADS": "1"}
        # A file in memory: a pipe could fill, since it is not read before libraries are loaded, and a disk is full.
        with open(os.memfd_create("relnet-errors"), "w+b") as errors:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "relnet.processes.server", str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env=environment,
                    cwd="/",
                    start_new_session=True,
                )
            ours.settimeout(_START_LIMIT)
            try:
                order = {
                    "libraries": paths,
                    "own": libraries,
                    "functions": functions,
                    "path": [*path[:1], *sys.path],
                    "preload": [module for module in ("numpy", "pandas") if module in sys.modules],
                    "modules": modules,
                    "spaces": spaces,
                    "words": user_code.words(),
                }
                wire.send(ours, order)
                self.hello: dict[str, Any] = wire.receive(ours)
            except (EOFError, OSError) as error:
                self._process.kill()
                self._process.wait()
                errors.seek(max(0, errors.seek(0, os.SEEK_END) - _TAIL))
                words = _last_words(errors.read().decode(errors="replace"))
                late = f"it has not started within {_START_LIMIT} s" if isinstance(error, TimeoutError) else ""
                raise RelnetError(f"ns-3 cannot be started: {words or late or 'the reason is unknown'}.") from None
        ours.settimeout(None)
        if "error" in self.hello:
            self.close()
            raise RelnetError(self.hello["error"])

    @property
    def alive(self) -> bool:
        """Whether its process is running."""
        return self._process.poll() is None

    @property
    def current(self) -> bool:
        """Whether the libraries on disk are unchanged."""
        return self.stamp == build.stamp([path for path, *_ in self.stamp])

    def fork(self, descriptors: list[int]) -> None:
        """Request a child with four descriptors."""
        with self._lock:
            try:
                socket.send_fds(self._control, [b"f"], descriptors)
            except OSError:
                raise _ServerLost from None

    def close(self) -> None:
        """End the server and its children."""
        self._control.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_servers: dict[tuple, ForkServer] = {}
_servers_lock = threading.Lock()


def _forget_servers() -> None:
    """Forget the servers of the parent in a forked process."""
    global _servers_lock
    _servers_lock = threading.Lock()
    _servers.clear()


os.register_at_fork(after_in_child=_forget_servers)


def server(libraries: tuple[str, ...] = (), functions: bool = False, code: str = "") -> ForkServer:
    """
    Get the fork server for some libraries; it is restarted if it has ended or a library has been rebuilt.

    Parameters
    ----------
    libraries : tuple of str
        Libraries to load in addition to those of the modules.
    functions : bool
        Whether the children run Python functions that use `ns`.
    code : str
        Code hash of a server that is used even if a library has been rebuilt since.

    Raises
    ------
    RelnetError
        If it cannot be started.
    """
    with _servers_lock:
        modules, spaces = (user_code.modules(), user_code.spaces()) if functions else ((), ())
        key = (
            libraries,
            functions,
            modules,
            spaces,
            str(build.build_folder()),
            tuple(build.simulator_environment().items()),
        )
        found = _servers.get(key)
        if found and found.alive and (found.hello["code"] == code or found.current):
            return found
        if found:
            found.close()
        _servers[key] = ForkServer(libraries, functions, modules, spaces)
        return _servers[key]


@atexit.register
def close_servers() -> None:
    """End all fork servers of this process."""
    while _servers:
        _servers.popitem()[1].close()


def _last_words(output: str) -> str:
    """The last meaningful line of a dead process, without ns-3's prefixes."""
    fatal = re.findall(r'msg="(.*?)"(?:, |\s|$)', output, flags=re.DOTALL)
    if fatal:
        return " ".join(fatal[-1].split()).rstrip(".")
    what = re.findall(r"what\(\): +(.*)", output)
    if what:
        return what[-1].strip().rstrip(".")
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    lines = [line for line in lines if "terminat" not in line]
    return lines[-1].rstrip(".") if lines else ""


def _death(task: Task, status: int, output: str) -> CrashError:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            how = f"ended by {signal.Signals(number).name}"
        except ValueError:
            how = f"ended by signal {number}"
    else:
        how = f"ended with exit status {os.waitstatus_to_exitcode(status)} and no result"
    words = _last_words(output)
    message = f"The run {task.place} was {how}{f': {words}' if words else ''}."
    return CrashError(message.replace("was ended with", "ended with"), task.command, output[-_TAIL:])


class _Conversation:
    """Communication with the child of one run: messages, output and end."""

    def __init__(
        self,
        task: Task,
        progress: Progress | None,
        echo: bool,
        cancel: int | None,
        drew: Notice | None,
        run_timeout: float | None,
    ) -> None:
        self._task = task
        self._progress = progress
        self._drew = drew
        self._echo = echo
        self._cancel = cancel
        self._run_timeout = run_timeout
        self._reader = wire.Reader()
        self._errors = bytearray()
        self._logged = False
        self._answer: tuple | None = None

    def run(self, fork_server: ForkServer) -> Record:
        """Fork a child, send it the task, and read its messages until it ends."""
        with contextlib.ExitStack() as stack:
            ours, theirs = map(stack.enter_context, socket.socketpair())
            reads, writes = [], []
            with theirs, contextlib.ExitStack() as ends:
                for _ in range(3):
                    read, write = os.pipe()
                    writes.append(write)
                    ends.callback(os.close, write)
                    reads.append(stack.enter_context(open(read, "rb", buffering=0)))
                fork_server.fork([theirs.fileno(), *writes])
            with contextlib.suppress(ConnectionError):
                wire.send(ours, (self._task, str(working_folder())))
            status = self._read(ours, *reads)
        return self._conclude(status)

    def _read(self, channel: socket.socket, ended: Any, output: Any, errors: Any) -> int:
        with selectors.DefaultSelector() as selector:
            for source in (channel, ended, output, errors):
                selector.register(source, selectors.EVENT_READ)
            if self._cancel is not None:
                selector.register(self._cancel, selectors.EVENT_READ)
            limit = math.inf if self._run_timeout is None else time.monotonic() + self._run_timeout
            while True:
                left = limit - time.monotonic()
                ready = {key.fileobj for key, _ in selector.select(max(0.0, min(_TICK, left)))}
                if left <= 0 and ended not in ready:
                    raise RunError(
                        f"The run {self._task.place} had not ended after {self._run_timeout:g} s, its timeout.",
                        self._task.command,
                    )
                if not ready and self._progress:
                    self._progress(0.0, 0.0, "")
                if self._cancel in ready:
                    raise RunError(f"The run {self._task.place} was cancelled.", self._task.command)
                for source in ready - {ended}:
                    if not self._take(source, channel, output, errors):
                        selector.unregister(source)
                if ended in ready:
                    status = ended.read(wire.ENDED.size)
                    if not status:
                        raise _ServerLost
                    for source in (channel, output, errors):
                        os.set_blocking(source.fileno(), False)
                        with contextlib.suppress(BlockingIOError):
                            while self._take(source, channel, output, errors):
                                pass
                    return wire.ENDED.unpack(status)[0]

    def _take(self, source: Any, channel: Any, output: Any, errors: Any) -> bool:
        """Read from one source; false at its end."""
        if source is channel:
            try:
                piece = channel.recv(1 << 20)
            except ConnectionResetError:
                return False
            for message in self._reader.feed(piece):
                self._handle(message)
            return bool(piece)
        piece = source.read(1 << 16)
        if piece is None:
            return False
        if source is output:
            if self._echo and piece:
                sys.stdout.write(piece.decode(errors="replace"))
                sys.stdout.flush()
        else:
            self._errors += piece
            self._logged |= bool(piece)
            if self._echo and "NS_LOG" in os.environ:
                sys.stderr.write(self._errors.decode(errors="replace"))
                self._errors.clear()
            elif len(self._errors) > 16 * _TAIL:
                del self._errors[:-_TAIL]
        return bool(piece)

    def _handle(self, message: tuple) -> None:
        if message[0] == "drew":
            if self._drew:
                self._drew()
        elif message[0] != "progress":
            self._answer = message
        elif self._progress:
            self._progress(*message[1:])

    def _conclude(self, status: int) -> Record:
        task = self._task
        output = self._errors.decode(errors="replace")
        if self._answer is None:
            raise _death(task, status, output)
        if self._answer[0] == "result":
            if self._echo and output:
                sys.stderr.write(output)
            if self._echo and os.environ.get("NS_LOG") and not self._logged:
                sys.stderr.write(f"relnet: NS_LOG is {os.environ['NS_LOG']!r}, but this run logged nothing.\n")
            return self._answer[1]
        _, kind, sentence, extra = self._answer
        if kind == "input":
            raise RelnetError(sentence)
        if kind == "exception":
            raise _revive(task, sentence, *extra)
        raise RunError(f"The run {task.place} failed: {_ended(sentence)}", task.command, output[-_TAIL:])


def _ended(sentence: str) -> str:
    """Complete a sentence with a full stop."""
    return sentence if sentence.endswith("?") else f"{sentence.rstrip('.')}."


def _revive(task: Task, sentence: str, body: bytes, told: str) -> BaseException:
    """Restore the exception of a function in a child, with the child's traceback as a note."""
    if task.kind == "call" and body:
        error: BaseException = pickle.loads(body)
    else:
        error = RunError(f"The run {task.place} failed: {_ended(sentence)}", output=told)
    if hasattr(error, "add_note"):
        error.add_note(f"In the child process:\n{told}")
    return error


def run_task(
    task: Task,
    progress: Progress | None = None,
    echo: bool = False,
    cancel: int | None = None,
    drew: Notice | None = None,
    run_timeout: float | None = None,
) -> Record:
    """
    Run a task in a fresh child.

    Parameters
    ----------
    task : Task
        The task.
    progress : callable, optional
        Called with done, total and unit during the run.
    echo : bool
        Whether to show the child's output.
    cancel : int, optional
        File descriptor that becomes readable to cancel the run.
    drew : callable, optional
        Called during the run once a random number has been drawn, unless the run ends before.
    run_timeout : float, optional
        Time limit of the run, in wall-clock time [s].

    Returns
    -------
    Record
        Outcome of the run.

    Raises
    ------
    RelnetError
        If parameters contradict each other, or the code of this process differs from the code of the task.
    RunError
        If the run failed or its process ended; the error states the command that repeats it.
    """
    for attempt in range(2):
        fork_server = server(task.libraries, functions=task.kind in ("point", "call"), code=task.code)
        if task.code and fork_server.hello["code"] != task.code:
            raise RelnetError(
                f"The modules of the process that runs {task.name} ({fork_server.hello['code']}) differ from those of "
                f"the request ({task.code}): they were rebuilt in the meantime, or built from other sources."
            )
        try:
            return _Conversation(task, progress, echo, cancel, drew, run_timeout).run(fork_server)
        except (MemoryError, OSError) as error:
            if not (sentence := exhausted(error)):
                raise
            raise RunError(f"The run {task.place} cannot begin: {sentence}", task.command) from None
        except _ServerLost:
            # A killed process may be listed as alive for a moment after its pipes have closed.
            fork_server.close()
            if attempt:
                break
    raise CrashError(f"The fork server ended twice during the run {task.place}.", task.command)


class ForkExecutor(ThreadPoolExecutor):
    """
    Executes tasks on this machine in parallel, each in its own child.

    Parameters
    ----------
    jobs : int, optional
        Parallel runs; one per core by default.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self._cancel_read, self._cancel_write = os.pipe()
        super().__init__(self.jobs, thread_name_prefix="relnet")

    def submit_task(
        self,
        task: Task,
        progress: Progress | None = None,
        drew: Notice | None = None,
        run_timeout: float | None = None,
    ) -> Future:
        """Submit a task; callbacks are called in another thread."""
        return self.submit(run_task, task, progress, False, self._cancel_read, drew, run_timeout)

    def cancel(self) -> None:
        """Cancel all runs."""
        with contextlib.suppress(OSError):
            os.write(self._cancel_write, b"c")
        self.shutdown(wait=True, cancel_futures=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Release the threads."""
        super().shutdown(wait=wait, cancel_futures=cancel_futures)
        if wait and self._cancel_write >= 0:
            os.close(self._cancel_read)
            os.close(self._cancel_write)
            self._cancel_read = self._cancel_write = -1
