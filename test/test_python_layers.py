# SPDX-License-Identifier: GPL-2.0-only
"""Layers of the Python package, read from its imports."""

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Mapping, Set
from pathlib import Path

import relnet

ROOT = Path(__file__).resolve().parent.parent
TOP = Path(relnet.__file__).resolve().parent

LAYERS = (
    ("errors",),
    ("names", "build", "records"),
    ("plots", "binding"),
    ("processes", "experiments"),
    ("catalog", "papers", "distributed"),
    ("runs",),
    ("studies", "live"),
    ("checking",),
    ("reproduction",),
    ("cli",),
)
"""
Packages and modules of `relnet`, the lowest layer first. Each imports only layers before its own; those of one layer do
not import each other.
"""

FACADE = {"relnet", "relnet.__main__"}
"""What users import and start. `relnet` imports others at the first use of a name; its version is for all layers."""


def name_of(path: Path) -> str:
    """Name of the module in a file."""
    return ".".join(path.relative_to(TOP.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted(TOP.rglob("*.py"))}


def imports(path: Path) -> list[tuple[ast.stmt, set[str]]]:
    """The import statements of a file, each with the modules of relnet that it imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.append((node, {alias.name for alias in node.names} & MODULES.keys()))
        elif isinstance(node, ast.ImportFrom):
            # `from relnet import plots` uses `relnet.plots`; a name that is no module uses the package itself.
            names = {f"{node.module}.{alias.name}" for alias in node.names} - {"relnet.__version__"}
            package = {node.module} if names - MODULES.keys() else set()
            found.append((node, (names | package) & MODULES.keys()))
    return found


def uses() -> dict[str, set[str]]:
    """The modules that each module imports, at its top or in a function."""
    return {name: {used for _, names in imports(path) for used in names} for name, path in MODULES.items()}


def part(module: str) -> str:
    """The package or module of `relnet` that contains a module."""
    return module.split(".")[1]


def upward(graph: Mapping[str, Set[str]]) -> list[str]:
    """Imports that do not lead to a lower layer, or that use the facade."""
    rank = {name: number for number, layer in enumerate(LAYERS) for name in layer}
    wrong = []
    for module in sorted(graph.keys() - FACADE):
        for used in sorted(graph[module]):
            if used in FACADE or (part(used) != part(module) and rank[part(used)] >= rank[part(module)]):
                wrong.append(f"{module} imports {used}")
    return wrong


def test_every_package_has_a_layer():
    layered = [name for layer in LAYERS for name in layer]
    assert sorted(layered) == sorted({part(module) for module in MODULES.keys() - FACADE})


def test_architecture_lists_the_layers():
    """ARCHITECTURE.md has a row for each layer, the highest first."""
    text = (ROOT / "ARCHITECTURE.md").read_text().partition("| in `analysis/relnet/` |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in text.splitlines() if row.startswith("| ")]
    listed = [re.findall(r"`(\w+)(?:/|\.py)`", row) for row in rows]
    assert [sorted(names) for names in listed] == [sorted(names) for names in reversed(LAYERS)]


def test_imports_lead_to_lower_layers():
    graph = uses()
    assert "relnet.processes.pool" in graph["relnet.runs.single"]
    assert upward(graph) == []


def test_imports_that_do_not_are_found():
    graph = {
        "relnet.records.files": {"relnet.errors", "relnet.records.tasks", "relnet.build"},
        "relnet.build": {"relnet.cli.parser"},
        "relnet.cli": {"relnet", "relnet.runs.single"},
    }
    assert upward(graph) == [
        "relnet.build imports relnet.cli.parser",
        "relnet.cli imports relnet",
        "relnet.records.files imports relnet.build",
    ]


def test_modules_import_each_other_without_a_cycle():
    assert list(graphlib.TopologicalSorter(uses()).static_order())  # CycleError names the modules of a cycle


def test_papers_do_not_import_each_other():
    papers = [module for module in MODULES if module.startswith("relnet.papers.")]
    graph = uses()
    for module in papers:
        own = ".".join(module.split(".")[:3])
        assert not [used for used in graph[module] if part(used) == "papers" and not f"{used}.".startswith(f"{own}.")]


def test_imports_inside_of_functions_have_a_reason():
    without = []
    for name, path in MODULES.items():
        lines = path.read_text().splitlines()
        late = {node.lineno for node, _ in imports(path) if node.col_offset > 0}
        without += [
            f"{name}: {lines[number - 1].strip()}" for number in sorted(late) if "  # " not in lines[number - 1]
        ]
    assert without == []


LOADS_NS3 = """
import importlib, os, sys

def loaded():
    with open("/proc/self/maps") as maps:
        files = {os.path.basename(line.split()[-1]) for line in maps}
    return "cppyy" in sys.modules or any(file.startswith(("libns3", "librelnet-", "relnet-support")) for file in files)

print([name for name in sys.argv[1:] if importlib.import_module(name) and loaded()][:1])
"""
"""Imports modules in turn, and prints the first after which ns-3 is loaded."""


def test_no_import_loads_ns3():
    """ns-3 is loaded when `ns` is used, or in a child process, but never because a module is imported."""

    def first(*modules: str) -> str:
        words = [sys.executable, "-c", LOADS_NS3, *modules]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    assert first(*sorted(MODULES.keys() - {"relnet.__main__"})) == "[]\n"
    assert first("relnet.errors", "cppyy", "relnet.build") == "['cppyy']\n"
