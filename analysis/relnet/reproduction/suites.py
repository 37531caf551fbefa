# SPDX-License-Identifier: GPL-2.0-only
"""ns-3 test suites with the ids of claims, which a reproduction runs."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from relnet import build
from relnet.experiments import claims


def run_suites(ids: Iterable[str]) -> dict[str, bool]:
    """
    Run the ns-3 test suites with given ids.

    Parameters
    ----------
    ids : iterable of str
        Ids of claims.

    Returns
    -------
    dict of str to bool
        Suites, and whether all of their tests passed; empty without a test runner.
    """
    runner = build.build_folder() / "bin" / "relnet-test-runner"
    if not runner.exists():
        return {}
    found = claims.tests()
    known = subprocess.run([str(runner), "--list"], capture_output=True, text=True, check=False).stdout.split()
    wanted = {suite for name in ids for tested in found.get(name, ()) for suite in tested.suites}
    # Searches take longest: started first, they leave no core idle at the end.
    suites = sorted(wanted & set(known), key=lambda suite: (not suite.endswith("-search"), suite))
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        return dict(zip(suites, threads.map(partial(_passes, runner), suites), strict=True))


def _passes(runner: Path, suite: str) -> bool:
    """Run one suite, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        words = [str(runner), f"--suite={suite}", "--fullness=EXTENSIVE"]
        return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode == 0


def summary(passed: Mapping[str, bool]) -> str:
    """Results of the test suites with ids of claims, as a sentence."""
    if not passed:
        remedy = "they are not built; `make reproduce` builds them" if build.clone() else "only a clone has them"
        return f"test suites of claims were not run: {remedy}"
    failed = [suite for suite, ended in passed.items() if not ended]
    failures = f"; failed: {', '.join(failed)}" if failed else ""
    return f"{len(passed) - len(failed)} of {len(passed)} test suites of claims pass{failures}"
