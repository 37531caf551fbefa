# SPDX-License-Identifier: GPL-2.0-only
"""Commands and code of README.md and CONTRIBUTING.md work."""

import fnmatch
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import relnet

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
BIN = ROOT / os.environ.get("RELNET_BUILD", "build") / "bin"
TEXTS = {name: (ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md")}
NEWS = {name: (ROOT / name).read_text() for name in ("RELEASE_NOTES.md", "CHANGES.md")}


def commands(text):
    """The lines of indented blocks, without comments."""
    lines = re.findall(r"^ {4}(\S.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return [line.split("  #")[0].strip() for line in lines]


RELNET = [line for line in commands(README) if line.startswith("relnet ")]


@pytest.mark.parametrize("name", TEXTS)
def test_make_targets_exist(name):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)", TEXTS[name]))
    named |= {line.split()[1] for line in commands(TEXTS[name]) if line.startswith("make ")}
    assert named
    assert named <= targets


@pytest.mark.parametrize("name", TEXTS)
def test_links_lead_somewhere(name):
    prose = re.sub(r"```.*?```", "", TEXTS[name], flags=re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)]+)\)", prose) if "://" not in link]
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert all(link in anchors if link.startswith("#") else (ROOT / link).exists() for link in links), links


def test_the_version_is_the_newest_in_the_news():
    for text in NEWS.values():
        assert re.search(r"^## ([\d.]+)", text, re.MULTILINE)[1] == relnet.__version__
    assert f"version: {relnet.__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_copied_files_exist():
    named = {word for line in commands(README) if line.startswith("cp ") for word in shlex.split(line)[1:]}
    ours = {word for word in named if not word.startswith(("~", "-"))}
    assert ours
    assert all(any(ROOT.glob(word)) for word in ours), ours


def test_modules_to_copy_together_are_those_that_link():
    folders = {path.parent.name: path.read_text() for path in ROOT.glob("contrib/*/CMakeLists.txt")}
    linked = {(name, other) for name in folders for other in re.findall(r"\$\{lib(.+?)\}", folders[name])}
    general, special = re.search(r"All need (`messaging` beside\s+them.*?); (.*?):\n", README, re.DOTALL).groups()
    common = set(re.findall(r"`(.+?)`", general))
    named = [re.findall(r"`(.+?)`", clause) for clause in re.split(r",\s+", special)]
    stated = {(name, needed) for *names, needed in named for name in names}
    assert stated == {(name, other) for name, other in linked if other in folders and other not in common}
    assert {name for name, other in linked if other == "messaging"} == {*folders} - {"messaging"}


def test_suites_named_for_an_ns3_tree_exist():
    """ns-3's `test.py -s` takes the whole name of a suite, or a pattern."""
    patterns = re.findall(r"test\.py -s (.+)", "\n".join(commands(README)))
    listed = subprocess.run([BIN / "relnet-test-runner", "--list"], capture_output=True, text=True, check=True).stdout
    assert patterns
    for pattern in patterns:
        assert fnmatch.filter(listed.split(), shlex.split(pattern)[0]), pattern


def test_programs_named_for_an_ns3_tree_run(tmp_path):
    lines = re.findall(r"ns3 run (.+)", "\n".join(commands(README)))
    assert lines
    for line in lines:
        program, *arguments = shlex.split(shlex.split(line)[0])
        ended = subprocess.run([BIN / program, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr[-2000:]
        assert ended.stdout.strip()


def test_python_example(cache, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 1
    words = [sys.executable, "-c", blocks[0]]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert "wormhole" in ended.stdout and (tmp_path / "loss.png").stat().st_size > 10_000


def test_cpp_example_is_in_the_repository():
    """The README's C++ is part of an example that is compiled and run."""
    blocks = re.findall(r"```cpp\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 1
    shown = [line.strip() for line in blocks[0].splitlines() if line.strip()]
    sources = [
        [line.strip() for line in path.read_text().splitlines() if line.strip()]
        for path in ROOT.glob("contrib/*/examples/*.cc")
    ]
    assert any(source[start : start + len(shown)] == shown for source in sources for start in range(len(source))), (
        "README.md shows C++ that no example has"
    )


@pytest.mark.parametrize(
    "line", [line for line in RELNET if line.split()[1] in ("scenarios", "run", "describe", "trace")]
)
def test_short_commands_run(line, process, cache, tmp_path):
    ended = process(*shlex.split(line)[1:], cwd=tmp_path)
    assert ended.status == 0, ended.err
    assert ended.out.strip()


@pytest.mark.parametrize("line", [line for line in RELNET if line.split()[1] == "sweep"])
def test_sweeps_are_accepted(line):
    from relnet.catalog import lookup
    from relnet.runs import grid

    words = shlex.split(line)[2:]
    found = lookup.describe(words[0])
    given = dict(word.split("=") for word in words if "=" in word)
    for parameter, text in found.collect(given).items():
        assert grid.parse_values(parameter, text)


def test_every_paper_has_its_state():
    from relnet import papers

    for number, name in enumerate(papers.names(), start=1):
        row = next(line for line in README.splitlines() if line.startswith(f"| {number} | `{name}` |"))
        assert ("not yet" in row) == (not papers.find(name).experiments)


def test_recipes_are_compiled_as_told(cache, process, tmp_path):
    """The commands of ARCHITECTURE.md compile the examples, list them and run them together."""
    lines = [
        line
        for line in commands((ROOT / "ARCHITECTURE.md").read_text())
        if "librepeat.so" in line or "libcloud.so" in line
    ]
    ended = None
    for line in lines:
        if line.startswith("c++"):
            line = line.replace(".venv/bin/python", sys.executable).replace("examples/", f"{ROOT}/examples/")
            made = subprocess.run(f"{line} -O0", shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
            assert made.returncode == 0 and not made.stderr, made.stderr
        else:
            ended = process(*shlex.split(line)[1:], cwd=tmp_path)
            assert ended.status == 0, ended.err
    assert len(lines) == 5
    assert re.search(r"(?m)^repeat .*$", ended.out) and "cloud" in ended.out.splitlines()[0]
    late = process("matrix", "--load", "libcloud.so", cwd=tmp_path)
    assert (late.status, "--load LIBRARY comes before matrix" in late.err) == (2, True)


def test_own_scenario_is_compiled_as_told(cache, process, tmp_path):
    """The commands of CONTRIBUTING.md compile the example and run it; its transmissions agree with theory."""
    lines = [line for line in commands(TEXTS["CONTRIBUTING.md"]) if "libown.so" in line]
    compile, *uses = (line.replace(".venv/bin/python", sys.executable) for line in lines)
    compile = compile.replace("examples/", f"{ROOT}/examples/")
    ended = subprocess.run(f"{compile} -O0", shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0 and not ended.stderr, ended.stderr
    for line in uses:
        ended = process(*shlex.split(line)[1:], cwd=tmp_path)
        assert ended.status == 0, ended.err
    assert ended.out.splitlines()[-1] == "computed 9, cached 0, failed 0"
    found = process("--load", "libown.so", "run", "stop-and-wait", "loss=0.3", "messages=100000", cwd=tmp_path).out
    mean = float(re.search(r"TransmissionsPerMessage\s+([\d.]+)", found)[1])
    assert mean == pytest.approx(1 / 0.7**2, rel=0.02)
    refused = process("--load", "libown.so", "run", "stop-and-wait", "timeout=1us", cwd=tmp_path)
    assert (refused.status, refused.err) == (2, "relnet: Timeout has to be at least RoundTrip.\n")
