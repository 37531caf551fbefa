# SPDX-License-Identifier: GPL-2.0-only
"""`relnet new`: a project outside the tree that compiles, loads and passes its test, also with CMake."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NAMES = {"protocol": "my-repeat", "network": "sky", "scenario": "patience"}


@pytest.fixture
def shell():
    """Run a shell command in a folder, in the environment of this Python."""
    path = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"

    def run(line, folder):
        done = subprocess.run(
            line, shell=True, cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout + done.stderr

    return run


@pytest.mark.parametrize("kind", ["protocol", "network"])
def test_a_new_project_compiles_and_passes_as_its_readme_tells(kind, cache, command, shell, tmp_path):
    project = tmp_path / "project"
    made = command("new", kind, NAMES[kind], project)
    assert made.status == 0, made.err
    readme = (project / "README.md").read_text()
    lines = re.findall(r"^ {4}(.+)$", readme, re.MULTILINE)
    assert [line.split()[0] for line in lines] == ["mkdir", "c++", "relnet", "python"]
    told = [shell(line.replace("relnet.build)", "relnet.build) -O0"), project) for line in lines]
    assert re.search(r"^Ran [1-9].*\n\nOK$", told[-1], re.MULTILINE)
    assert not re.search("@[a-z]+@|own", (project / f"{NAMES[kind]}.cc").read_text() + readme)


def test_a_project_with_cmake(cache, command, shell, tmp_path):
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    command("new", "scenario", "patience", tmp_path / "project")
    shell("cmake -B build -DCMAKE_BUILD_TYPE=Debug && cmake --build build", tmp_path / "project")
    assert "100% tests passed" in shell("ctest --test-dir build", tmp_path / "project")


@pytest.mark.parametrize("name", ["test", "all", "help"])
def test_a_project_may_have_the_name_of_a_target_of_cmake(command, shell, tmp_path, name):
    """CMake refused the project."""
    if not shutil.which("cmake"):
        pytest.skip("cmake is not installed")
    command("new", "protocol", name, tmp_path / name)
    shell("cmake -B build", tmp_path / name)
    built = shell("cmake --build build --target help; cat build/CMakeFiles/*/link.txt", tmp_path / name)
    assert f"{name}-protocol" in built and f"lib{name}.so" in built


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("protocol", "idempotent"), "A protocol idempotent already exists"),
        (("scenario", "Large"), "'Large' is not a valid name"),
        (("network", "a--b"), "'a--b' is not a valid name"),
        (("router", "mine"), "invalid choice: 'router'"),
    ],
)
def test_names_that_cannot_be_are_refused(words, sentence, process, tmp_path):
    ended = process("new", *words, cwd=tmp_path)
    assert (ended.status, list(tmp_path.iterdir())) == (2, [])
    assert sentence in ended.err and ended.err.count("\n") == 1


def test_a_folder_that_exists_is_left_alone(process, tmp_path):
    (tmp_path / "mine").mkdir()
    ended = process("new", "protocol", "mine", cwd=tmp_path)
    assert ended.status == 2 and "cannot be written to mine: File exists" in ended.err


def test_no_folder_is_made_under_the_root(process, tmp_path):
    ended = process("new", "protocol", "mine", "/no-such-folder/mine", cwd=tmp_path)
    assert ended.status == 2 and "there is no folder /no-such-folder." in ended.err
    assert not Path("/no-such-folder").exists()


def test_flags_for_a_debugger():
    words = [sys.executable, "-m", "relnet.build"]
    told = [
        subprocess.run([*words, *more], capture_output=True, text=True, check=True).stdout for more in ([], ["--debug"])
    ]
    assert "NS3_LOG_ENABLE" not in told[0] and "-O2" in told[0].split()
    assert {"-g", "-DNS3_LOG_ENABLE", "-DNS3_ASSERT_ENABLE"} <= set(told[1].split())
