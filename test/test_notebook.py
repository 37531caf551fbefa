# SPDX-License-Identifier: GPL-2.0-only
"""Notebooks and Python examples run completely."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ARGUMENTS = {"sweep_backoff.py": ["16"]}
SHOWN = {
    "own_messages.py": r"\b200 +[1-9]\d* +True +[1-9]",
    "path_states.py": r"^[1-9]\d* changes of [1-9]\d* paths; completed",
}
"""All messages delivered, posts stalled, a clean audit, frames lost; paths that change their state."""


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebook(path, cache):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in outputs if output["output_type"] == "error"]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) >= 2


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.name)
def test_notebook_is_stored_without_outputs(path):
    cells = nbformat.read(path, as_version=4).cells
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


def test_a_progress_bar_leaves_nothing_in_a_stored_notebook(cache):
    """A bar that freezes at 0 % would be stored with the outputs of the other cells."""
    code = "from relnet.runs.progress import SweepBar\nbar = SweepBar('sweep', 2)\nbar.finish(0)\nbar.finish(1)\n"
    cells = [nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell("bar.close()")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    shown = []
    client = NotebookClient(notebook, timeout=600, kernel_name="python3")
    client.on_cell_executed = lambda cell, cell_index, execute_reply: shown.append(str(cell.outputs))
    client.execute()
    assert "100%" in shown[0]
    assert "%" not in str([cell.outputs for cell in notebook.cells])


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example(path, cache, tmp_path):
    words = [sys.executable, str(path), *ARGUMENTS.get(path.name, ())]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert ended.stdout.strip() and re.search(SHOWN.get(path.name, ""), ended.stdout)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_example_is_short(path):
    assert len(path.read_text().splitlines()) < 60
