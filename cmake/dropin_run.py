# SPDX-License-Identifier: GPL-2.0-only
"""Run the suites and examples of modules built inside an ns-3 source tree, and its scratch programs.

Usage: dropin_run.py NS3_TREE MODULE...
"""

import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import wscripts

SCRATCH = Path(__file__).resolve().parent.parent / "scratch"


def suites(module: Path) -> list[str]:
    """Names of the test suites that the sources of a module register."""
    pattern = re.compile(r"TestSuite\(\s*\"([^\"]+)\"")
    (library,) = wscripts.calls((module / "CMakeLists.txt").read_text(), "build_lib")
    files = [module / name for name in library.get("TEST_SOURCES", [])]
    return sorted({name for file in files for name in pattern.findall(file.read_text())})


def examples(module: Path) -> list[str]:
    """Command lines of the examples that a module asks ns-3 to run as tests."""
    listing = module / "test" / "examples-to-run.py"
    if not listing.exists():
        return []
    return [command for command, run, _ in runpy.run_path(str(listing))["cpp_examples"] if run == "True"]


def program(tree: Path, name: str) -> str:
    """Path of a program of the tree; its file name carries release and, in some, the profile."""
    pattern = re.compile(rf"ns3[\d.]*(-dev|-rc\d+)?-{re.escape(name)}(-(debug|default|optimized))?$")
    found = [path for path in (tree / "build").rglob(f"ns3*{name}*") if pattern.match(path.name)]
    return str(found[0]) if found else name


def main(tree: Path, modules: list[str]) -> int:
    """Run everything, print one line each, and return how many failed."""
    commands = []
    runner = program(tree, "test-runner")
    for name in modules:
        module = tree / "contrib" / name
        commands += [(f"suite {suite}", [runner, f"--suite={suite}"]) for suite in suites(module)]
        for command in examples(module):
            example, *arguments = shlex.split(command)
            commands.append((f"example {example}", [program(tree, example), *arguments]))
    for source in sorted(SCRATCH.glob("*.cc")):
        if (tree / "scratch" / source.name).exists():
            commands.append((f"program {source.stem}", [program(tree, source.stem)]))
    failures = 0
    for title, command in commands:
        try:
            run = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
            output, passed = run.stdout + run.stderr, run.returncode == 0
        except OSError as error:
            output, passed = str(error), False
        print(f"{'PASS' if passed else 'FAIL'} {title}", flush=True)
        if not passed:
            print(output[-4000:])
            failures += 1
    print(f"{len(commands) - failures} passed, {failures} failed")
    return failures or not commands


if __name__ == "__main__":
    sys.exit(bool(main(Path(sys.argv[1]), sys.argv[2:])))
