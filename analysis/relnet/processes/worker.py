# SPDX-License-Identifier: GPL-2.0-only
"""Work of a child of the fork server: one run, from a `Task` to a `Record`."""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import socket
import sys
import time
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any

from relnet import build
from relnet.binding import callbacks, namespace
from relnet.binding.introspection import ScenarioRunner
from relnet.binding.loader import load_libraries
from relnet.binding.support import Support
from relnet.processes import wire
from relnet.records import frames, pickles
from relnet.records.tasks import Record, Task


def prepare(order: dict[str, Any]) -> tuple[Callable[[socket.socket], None], dict[str, Any]]:
    """
    Load the libraries of the children, in the server.

    Parameters
    ----------
    order : dict
        `libraries`: paths; `own`: the user's libraries among them; `functions`: whether functions with `ns` are run.
        For these, also `path`: search path of Python modules; `preload`: Python modules to import; `modules`: further
        modules of ns-3; `spaces`: namespaces of relnet; `words`: names and string constants of the functions.

    Returns
    -------
    tuple
        The function of a child, called with its channel; and the answer to the client: `catalog`, `code`, `version`,
        `pid`, `logs`, the log components, and `idle`, the user's libraries that add nothing to the catalog.
    """
    libraries = order["libraries"]
    support = Support()
    code = build.code_hash(libraries)
    hello = {"code": code, "version": build.ns3_version(), "pid": os.getpid(), "catalog": "[]"}
    if order["functions"]:
        sys.path[:] = order["path"]
        for module in order["preload"]:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
        namespace.ns3_modules(*order["modules"])
        load_libraries(libraries)
        callbacks.warm(order["spaces"], order["words"])
        return lambda channel: _serve(channel, support, lambda task, tell: _run_function(task, code)), hello
    runner = ScenarioRunner([path for path in libraries if path not in order["own"]])
    runner.add(order["own"])
    runner.warm_up()
    hello |= {"catalog": runner.catalog(), "logs": support.components(), "idle": runner.idle}

    def run(task: Task, tell: Callable[..., None]) -> tuple:
        return _run_scenario(runner, support, task, tell, code)

    return lambda channel: _serve(channel, support, run), hello


def _serve(channel: socket.socket, support: Support, run: Callable[[Task, Callable[..., None]], tuple]) -> None:
    """Take one task from the channel and answer with `("result", Record)` or `("error", ...)`."""
    task, folder = wire.receive(channel)
    try:
        os.chdir(folder)
    except OSError as error:
        wire.send(
            channel, ("error", "input", f"The working directory {folder} cannot be used: {error.strerror}.", None)
        )
        return
    support.enable_logs()
    answer = run(task, lambda *news: wire.send(channel, news))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    wire.send(channel, answer)


def _run_scenario(runner: ScenarioRunner, support: Support, task: Task, tell: Callable[..., None], code: str) -> tuple:
    start = time.perf_counter()
    if task.kind == "check":
        reasons = [runner.check(task.type, texts) for texts in pickle.loads(task.payload)]
        return ("result", Record(code=code, seconds=time.perf_counter() - start, value=reasons))
    if task.kind == "sizes":
        found = [runner.sizes(task.type, texts) for texts in pickle.loads(task.payload)]
        return ("result", Record(code=code, seconds=time.perf_counter() - start, value=found))
    before = support.draws()
    drew = False

    def progress(*news: Any) -> None:
        nonlocal drew
        if not drew and support.draws() != before:
            drew = True
            tell("drew")
        tell("progress", *news)

    verdict, sentence, results, tables = runner.run(task.type, task.texts, task.seed, progress, task.recording)
    if sentence:
        return ("error", verdict, sentence, None)
    draws = None if before is None else support.draws() - before
    return ("result", Record(results, tables, code, time.perf_counter() - start, draws=draws))


def _run_function(task: Task, code: str) -> tuple:
    start = time.perf_counter()
    try:
        function, arguments, keywords = pickle.loads(task.payload)
        if task.kind == "point":
            manager = namespace.ns.RngSeedManager
            manager.SetSeed(1)
            manager.SetRun(task.seed)
        value = function(*arguments, **keywords)
        seconds = time.perf_counter() - start
        if task.kind == "call":
            try:
                body = pickles.dump(value)
            except Exception as error:
                return ("error", "input", f"The return value of {task.name} cannot leave its process: {error}.", None)
            return ("result", Record(code=code, seconds=seconds, value=body))
        results, tables = frames.dissect(value)
        return ("result", Record(results, tables, code, seconds))
    except BaseException as error:
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        told = "".join(traceback.format_exception(error))
        line = _line(error.__traceback__)
        return ("error", "exception", f"{type(error).__name__}: {error}{line}", (pickles.dump_exception(error), told))


def _line(trace: TracebackType | None) -> str:
    """Line of an exception in the user's file, as the end of a sentence; empty if unknown."""
    passed = traceback.extract_tb(trace)
    own = [frame for frame in passed if frame.filename == passed[0].filename]
    return f" (line {own[-1].lineno}, in {own[-1].name})" if own else ""
