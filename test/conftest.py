# SPDX-License-Identifier: GPL-2.0-only
"""Shared fixtures of the Python tests: a separate cache, and scenarios compiled outside all modules."""

import contextlib
import fcntl
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing
from pathlib import Path

import hypothesis
import pytest

from relnet import cli
from relnet.binding import user_code

# Reproducible examples, and no verdict that depends on the load of the machine.
hypothesis.settings.register_profile("relnet", derandomize=True, deadline=None)
hypothesis.settings.load_profile("relnet")

# A shell starts what it puts into the background with interrupts ignored, which the programs that tests start would
# inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

PLUGIN_SOURCE = Path(__file__).parent / "plugin" / "plugin-scenarios.cc"


@pytest.fixture(scope="session", autouse=True)
def _session_folders(tmp_path_factory):
    """Protect the user's results, and keep the temporary files of all programs where pytest deletes them."""
    os.environ["RELNET_CACHE"] = str(tmp_path_factory.mktemp("session-cache"))
    # A short name, since the path of a Unix socket has at most 107 characters.
    tempfile.tempdir = os.environ["TMPDIR"] = str(tmp_path_factory.mktemp("t", numbered=False))


def pytest_unconfigure(config):
    """Delete the folder of all sessions of pytest if it is empty."""
    base = getattr(config._tmp_path_factory, "_basetemp", None)
    if base is not None and base.parent.name.startswith("pytest-of-"):
        for link in base.parent.glob("*-current"):
            if not link.exists():
                link.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            base.parent.rmdir()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty folder for results."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("RELNET_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def plugin(tmp_path_factory):
    """Path of a library with scenarios, compiled as a user would."""
    from relnet import build

    compiler = os.environ.get("CXX") or shutil.which("c++") or "g++"
    # One folder for all processes of pytest-xdist; the first process compiles.
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    library = folder / "libplugin.so"
    command = [compiler, "-Wall", "-Wextra", "-Werror", str(PLUGIN_SOURCE), "-o", str(library)]
    command += [*build.compiler_flags(), "-O1"]
    with open(folder / "libplugin.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not library.exists():
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr[-4000:]
    return str(library)


@pytest.fixture
def sample(plugin, cache, monkeypatch):
    """Name of a scenario with parameters and results of all types; starts without results on disk."""
    monkeypatch.setenv("RELNET_LIBRARIES", plugin)
    return "sample"


def children_of(pid):
    """Child processes of `pid`."""
    path = f"/proc/{pid}/task/{pid}/children"
    with open(path, encoding="ascii") as file:
        return [int(child) for child in file.read().split()]


def wait_until(condition, limit=240.0):
    """Wait until a condition holds."""
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def runs_of(client):
    """Processes of the current runs of a command line."""
    return [run for server in children_of(client) for run in children_of(server)]


class Finished(typing.NamedTuple):
    """Result of a command line."""

    status: int
    out: str
    err: str


@pytest.fixture
def relnet_command():
    """First words of a command line."""
    return [sys.executable, "-m", "relnet"]


@pytest.fixture
def process(relnet_command):
    """Run `relnet` in a separate process, and return its result."""

    def run(*words, **options):
        done = subprocess.run(
            [*relnet_command, *map(str, words)], capture_output=True, text=True, timeout=600, check=False, **options
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Finished(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def command(monkeypatch):
    """Run `relnet` in this process, whose servers remain loaded, and return its result."""
    monkeypatch.setattr(user_code, "_libraries", [*user_code._libraries])

    def run(*words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = cli.main([*map(str, words)])
        return Finished(status, out.getvalue(), err.getvalue())

    return run
