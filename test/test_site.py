# SPDX-License-Identifier: GPL-2.0-only
"""Pages of the documentation site: links are valid, commands and code run. `make docs` builds the site."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import relnet
from relnet import cli
from relnet.cli.parser import parse

ROOT = Path(__file__).resolve().parents[1]
DOC = ROOT / "doc"
PAGES = sorted(path.relative_to(DOC).as_posix() for path in DOC.rglob("*.md"))
BLOCK = re.compile(r"^```(\{[\w-]+\}|\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What `make docs` puts into the folders of the pages, by the folder of the repository that it comes from.
GENERATED = {
    "modules": lambda rest: ROOT.joinpath("contrib", rest.parts[0], "doc", *rest.parts[1:]),
    "reference/parameters/index.md": lambda rest: ROOT / "cmake" / "pages.py",
    "reference/parameters": lambda rest: ROOT / "contrib" / rest.stem,
    "examples/index.md": lambda rest: ROOT / "cmake" / "pages.py",
}
COMPUTE = ("run", "sweep", "trace", "matrix", "describe", "scenarios", "networks", "protocols", "patterns")


def blocks(page, *kinds):
    """Code blocks of a page, by kind."""
    return [body for kind, body in BLOCK.findall((DOC / page).read_text()) if kind.strip("{}") in kinds]


def commands(page):
    """
    Commands of a page with their exit status: lines of consoles, and shell lines of executed cells.

    The status is 0 unless the console shows another one by `echo $?`.
    """
    text = "\n".join(blocks(page, "console"))
    found = re.findall(r"^\$ (relnet .*?)(?: && .*)?$(?:\n\$ echo \$\?\n(\d+)$)?", text, re.MULTILINE)
    lines = [line[1:] for body in blocks(page, "code-cell") for line in body.splitlines() if line.startswith("!")]
    found += [(line, "") for line in lines if line.startswith("relnet ")]
    return [(line, int(status or 0)) for line, status in found]


def code(page):
    """Python code of a page, without shell lines."""
    cells = blocks(page, "code-cell") or blocks(page, "python")
    return "\n".join(re.sub(r"^!.*$", "", cell, flags=re.MULTILINE) for cell in cells)


def source(place):
    """Source file of a place of the site."""
    for start, find in GENERATED.items():
        if place.is_relative_to(start):
            return find(place.relative_to(start))
    return DOC / place if (DOC / place).exists() else ROOT / place


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = (DOC / page).read_text()
    links = [link for link in re.findall(r"\]\(([^)#\s]+)\)", text) if ":" not in link]
    links += [f"{link}.md" for link in re.findall(r"^:link: (\S+)$", text, re.MULTILINE)]
    for link in links:
        place = (DOC / page).parent.joinpath(link).resolve().relative_to(DOC)
        assert source(place).exists(), link


def test_every_page_is_in_a_table_of_contents():
    listed = set()
    for page in PAGES:
        for body in blocks(page, "toctree"):
            names = [line for line in body.splitlines() if line and not line.startswith(":")]
            listed |= {(Path(page).parent / name).as_posix() for name in names}
    pages = {
        path.relative_to(DOC).with_suffix("").as_posix() for path in DOC.rglob("*") if path.suffix in (".md", ".rst")
    }
    assert pages - {"index"} <= listed
    assert all(source(Path(f"{name}.md")).exists() or name in pages for name in listed if "/" not in name)


def test_every_public_name_is_in_the_reference():
    listed = set(re.findall(r"^\.\. auto\w+:: ([\w.]+)$", (DOC / "reference/python.rst").read_text(), re.MULTILINE))
    assert set(relnet.__all__) - {"__version__", "ns"} <= listed


def test_every_paper_has_a_page():
    from relnet import papers

    assert {f"systems/{name}.md" for name in papers.names()} == {
        page for page in PAGES if page.startswith("systems/") and page != "systems/index.md"
    }


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_commands_run(page, cache, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # `--log` adds to the variable, which the next tests must not see.
    monkeypatch.setenv("NS_LOG", "")
    for body in blocks(page, "text"):
        (tmp_path / "halo.goal").write_text(body)
    for line, status in commands(page):
        words = shlex.split(line)[1:]
        assert parse(words).command
        if words[0] in COMPUTE:
            assert cli.main(words) == status, f"{line}\n{capsys.readouterr().err}"


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "code-cell", "python")])
def test_code_runs(page, cache, tmp_path):
    text = code(page)
    compile(text, page, "exec")
    if not blocks(page, "code-cell"):
        return
    ended = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]


def test_the_icon_has_the_size_that_the_app_store_asks_for():
    head = (DOC / "icon.png").read_bytes()[:24]
    assert (int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")) == (100, 100)
