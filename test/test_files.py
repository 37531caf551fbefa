# SPDX-License-Identifier: GPL-2.0-only
"""Files that are written: what `--out` replaces and what it refuses, full disks, and paths with blanks."""

import os
import pathlib
import shlex
import socket
import subprocess
import sys
import tempfile

import pytest

import relnet
from relnet import build
from relnet.records import files

OUTS = [
    ["sweep", "sample", "nodes=2", "--out"],
    ["trace", "reliability", "network=csma", "protocol=none", "nodes=2", "messages=1", "--out"],
    ["compare", "reliability", "network=csma", "protocol=none,p0", "nodes=2", "messages=1", "--seeds", "1", "--out"],
]
"""Commands that write a file, without its name."""


@pytest.mark.parametrize("words", OUTS, ids=lambda words: words[0])
def test_out_replaces_a_file_and_keeps_its_mode_and_links(sample, command, tmp_path, words):
    behind = tmp_path / "far" / "behind.csv"
    behind.parent.mkdir()
    behind.write_text("old")
    behind.chmod(0o640)
    link = tmp_path / "link.csv"
    link.symlink_to(behind)
    done = command(*words, link)
    assert done.status == 0, done.err
    assert link.is_symlink() and link.resolve() == behind
    assert behind.stat().st_mode & 0o777 == 0o640 and behind.read_text() != "old"
    assert [path.name for path in behind.parent.iterdir()] == ["behind.csv"]


def test_out_follows_a_link_to_a_file_that_does_not_exist(sample, command, tmp_path):
    link = tmp_path / "link.csv"
    link.symlink_to(tmp_path / "new.csv")
    assert command(*OUTS[0], link).status == 0
    assert link.is_symlink() and (tmp_path / "new.csv").is_file()


@pytest.mark.parametrize("words", OUTS, ids=lambda words: words[0])
@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "loop", "protected", "folder"])
def test_out_refuses_before_the_run_what_it_cannot_replace(sample, command, tmp_path, monkeypatch, words, kind):
    path = tmp_path / "out.csv"
    with socket.socket(socket.AF_UNIX) as channel:
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            channel.bind(str(path))
        elif kind == "device":
            path.symlink_to("/dev/null")
        elif kind == "loop":
            path.symlink_to(path)
        elif kind == "folder":
            path.mkdir()
        else:
            path.write_text("old")
            path.chmod(0o444)
        before = os.lstat(path)
        monkeypatch.setattr("relnet.processes.pool._Conversation.run", lambda *_: pytest.fail("it was run"))
        done = command(*words, path)
    sentence = {
        "protected": "is write-protected.",
        "loop": "cannot be written: Too many levels of symbolic links.",
        "folder": "is a folder; a file is needed.",
    }.get(kind, "is a pipe, a socket or a device, which relnet does not replace by a file.")
    assert (done.status, done.err) == (2, f"relnet: {path} {sentence}\n")
    after = os.lstat(path)
    assert (after.st_ino, after.st_mode, after.st_size) == (before.st_ino, before.st_mode, before.st_size)


@pytest.mark.parametrize(
    "words",
    [
        *OUTS,
        ["compare", "reliability", "--figure"],
        ["explore", "none", "--svg"],
        ["matrix", "--faults", "--out"],
        ["matrix", "--out"],
        ["reproduce", "pcode", "--quick", "--out"],
        ["show", "x", "--out"],
        ["run", "sample", "--tables"],
        ["trace", "sample", "--pcap"],
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_an_empty_name_runs_nothing(sample, command, monkeypatch, words):
    monkeypatch.setattr("relnet.processes.pool._Conversation.run", lambda *_: pytest.fail("it was run"))
    done = command(*words, "")
    assert (done.status, done.out) == (2, "") and done.err.count("\n") == 1


@pytest.fixture
def full(tmp_path, monkeypatch):
    """Folders whose disk is full: that of the file and that for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    real, kept = files.replace_file, pathlib.Path.write_bytes
    places = [tmp_path / "disk", temporary]

    def refuse(path, write, *content):
        if any(path.is_relative_to(place) for place in places):
            raise OSError(28, "No space left on device", str(path))
        return write(path, *content)

    def replace(path, content):
        try:
            refuse(path, real, content)
        except OSError as error:
            raise relnet.RelnetError(f"{path} cannot be written: {error.strerror}.") from None

    monkeypatch.setattr(files, "replace_file", replace)
    monkeypatch.setattr("relnet.studies.recording.replace_or_rescue", files.replace_or_rescue)
    monkeypatch.setattr(pathlib.Path, "write_bytes", lambda path, content: refuse(path, kept, content))
    return places


@pytest.mark.parametrize("ending", [".csv", ".json", ".md", ".tex", ".parquet"])
def test_with_all_disks_full_the_frame_is_printed(sample, command, full, ending):
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    words = ["sweep", "sample", "nodes=2,3", "--no-cache", "--out", full[0] / f"x{ending}"]
    done = command(*words)
    assert done.status == 2 and "; the results were printed instead." in done.err
    assert "Nodes" in done.out and "completed" in done.out
    assert list(full[1].iterdir()) == [], "no empty folder remains"
    full.pop()
    done = command(*words)
    (saved,) = full[0].parent.glob("temporary/relnet-*/x*")
    assert f"; the results are in {saved}." in done.err and "completed" not in done.out


@pytest.mark.parametrize("name", ["x.csv", "x.json", "x.svg", "x.png", "x.xml", "x.txt"])
def test_with_all_disks_full_the_recording_is_printed(command, full, name):
    done = command(*OUTS[1], full[0] / name, "--out", full[0] / "other.csv")
    assert done.status == 2 and done.err.count("; the results were printed instead.") == 2
    assert "node 0" in done.out and "\nTime,Event," in done.out


def test_with_all_disks_full_each_table_is_printed(sample, command, full):
    done = command("run", "sample", "nodes=2", "--no-cache", "--tables", full[0])
    tables = relnet.run("sample", nodes=2, cache=False).attrs["tables"]
    assert done.err.count("; the results were printed instead.") == len(tables) > 0
    assert all(frame.to_csv(index=False, lineterminator="\n") in done.out for frame in tables.values())


def test_examples_on_a_full_disk_end_in_a_sentence(command, tmp_path, monkeypatch):
    def refuse(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copy2", refuse)
    done = command("examples", tmp_path / "x")
    assert done.status == 2 and done.err.endswith(" cannot be written: No space left on device.\n")
    assert done.err.startswith(f"relnet: The example {tmp_path / 'x'}/")


def test_an_incomplete_pcap_file_is_said(command, tmp_path, monkeypatch):
    words = ["trace", "reliability", "network=csma", "protocol=tcp", "nodes=2", "messages=2", "--pcap", tmp_path / "p"]
    assert command(*words).err == ""
    monkeypatch.setattr("relnet.studies.recording.to_series", lambda *told: _cut(tmp_path / "p") or TO_SERIES(*told))
    done = command(*words)
    assert "trace-0-0.pcap is incomplete: the disk may be full.\n" in done.err and "node 0" in done.out


TO_SERIES = relnet.run.__globals__["to_series"]


def _cut(folder):
    """Cut off the end of a file, as a full disk does."""
    path = folder / "trace-0-0.pcap"
    os.truncate(path, path.stat().st_size - 1)


@pytest.fixture
def blanks(tmp_path, monkeypatch):
    """A build folder whose path contains a blank and other special characters."""
    folder = tmp_path / "a b" / "$(c)'d"
    folder.mkdir(parents=True)
    for name in ("lib", "include"):
        (folder / name).symlink_to(build.build_folder() / name)
    monkeypatch.setenv("RELNET_BUILD", str(folder))
    return folder


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_flags_are_words_of_a_shell_for_any_path(blanks, tmp_path, monkeypatch, compiler):
    plain = subprocess.run(["sh", "-c", f"command -v {compiler}"], capture_output=True, check=False)
    if plain.returncode:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "a.cc").write_text('#include "ns3/messaging-types.h"\nint f() { return 0; }\n')
    flags = f"$({shlex.quote(sys.executable)} -m relnet.build)"
    line = f"{compiler} a.cc -o liba.so {flags} -O0"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "liba.so").exists() and len(list(tmp_path.glob("relnet-*.flags"))) == 1
    monkeypatch.setenv("TMPDIR", str(blanks))
    words = [sys.executable, "-m", "relnet.build"]
    refused = subprocess.run(words, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "set TMPDIR to one without" in refused.stderr
    assert refused.stdout == ""


def test_completion_of_a_program_in_a_path_with_blanks(plugin, relnet_command, tmp_path):
    folder = tmp_path / "a b"
    folder.mkdir()
    program = folder / "relnet"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(relnet_command)} "$@"\n')
    program.chmod(0o755)
    library = folder / "libplugin.so"
    library.symlink_to(plugin)
    script = subprocess.run([program, "help", "--completion", "bash"], capture_output=True, text=True, check=True)
    for typed in (f'"{program}"', f"'{program}'", str(program).replace(" ", "\\ ")):
        line = f'{typed} --load "{library}" run samp'
        test = f'{script.stdout}\nCOMP_LINE=$1 COMP_POINT=${{#1}} COMP_WORDS=("$2"); _relnet; echo ${{COMPREPLY[@]}}'
        done = subprocess.run(["bash", "-c", test, "", line, typed], capture_output=True, text=True, check=False)
        assert done.stdout == "sample\n", (typed, done.stderr)


def test_a_project_in_a_folder_with_blanks(command, tmp_path):
    folder = tmp_path / "a b"
    made = command("new", "scenario", "patience", folder)
    assert made.status == 0 and sorted(path.suffix for path in folder.iterdir()) == [".cc", ".md", ".py", ".txt"]
