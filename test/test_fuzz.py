# SPDX-License-Identifier: GPL-2.0-only
"""Findings and seeds of the fuzzer, with the readers and cores of this build."""

import subprocess

from test_ns3_suites import BIN, ROOT

CORPUS = ROOT / "fuzz" / "corpus"


def test_corpus():
    files = [path for path in CORPUS.rglob("*") if path.is_file()]
    run = subprocess.run([BIN / "relnet-fuzz-replay", CORPUS], capture_output=True, text=True, check=False, timeout=300)
    assert run.returncode == 0, (run.stdout + run.stderr)[-4000:]
    assert sorted(run.stdout.split()) == sorted(str(path.relative_to(CORPUS)) for path in files)


def test_a_file_of_no_target_is_refused(tmp_path):
    folder = tmp_path / "nothing"
    folder.mkdir()
    (folder / "input").write_text("x")
    run = subprocess.run(
        [BIN / "relnet-fuzz-replay", tmp_path], capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, run.stderr) == (2, "There is no target nothing.\n")
