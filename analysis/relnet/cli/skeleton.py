# SPDX-License-Identifier: GPL-2.0-only
"""
Projects outside the tree: a protocol, a network or a scenario in one source file, with its test.

The source file is a copy of the example of its kind, a working protocol, network or scenario.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from relnet import build
from relnet.catalog.lookup import choices, command_name, scenarios
from relnet.errors import RelnetError
from relnet.records.files import check_folder


@dataclass(frozen=True)
class Kind:
    """
    A kind of project.

    Attributes
    ----------
    example : str
        Name of the example's class, without its kind.
    test : str
        Body of the test class.
    use : str
        Arguments of the command line that run it.
    check : str
        Sentence of the README on the search for bugs.
    """

    example: str
    test: str
    use: str
    check: str = ""


KINDS = {
    "protocol": Kind(
        "Repeat",
        """
    def test_every_message_arrives_once(self):
        for network in ("csma", "switch", "wormhole"):
            for fault in ({}, {"loss": 0.1}, {"duplication": 0.1}, {"reordering": 0.1}):
                with self.subTest(network=network, **fault):
                    run = relnet.run("reliability", network=network, protocol="@name@", nodes=4, messages=50, **fault)
                    self.assertEqual(run["Verdict"], "completed")
                    self.assertEqual(run["Delivered"], run["Posted"])
                    self.assertEqual((run["Duplicates"], run["Corrupted"], run["Stuck"]), (0, 0, 0))

    def test_no_bug_is_found(self):
        found = relnet.check("@name@", minutes=0.5)
        self.assertEqual(found.verdict, "kept", found)
""",
        "run reliability network=csma protocol=@name@ loss=0.1",
        "The test looks for bugs for half a minute. `relnet check build/lib@name@.so` does so for a minute, and\n"
        "prints what it finds.\n\n",
    ),
    "network": Kind(
        "Cloud",
        """
    def test_reliable_protocols_deliver_every_message_once(self):
        for protocol in ("idempotent", "parastation2", "mpi"):
            with self.subTest(protocol=protocol):
                run = relnet.run("reliability", network="@name@", protocol=protocol, nodes=4, messages=50)
                self.assertEqual(run["Verdict"], "completed")
                self.assertEqual((run["Lost"], run["Duplicates"], run["Corrupted"], run["Stuck"]), (0, 0, 0, 0))

    def test_bare_frames_are_lost_by_faults_only(self):
        whole = relnet.run("reliability", network="@name@", protocol="none", nodes=4, messages=50)
        lossy = relnet.run("reliability", network="@name@", protocol="none", nodes=4, messages=50, loss=0.2)
        self.assertEqual(whole["Delivered"], whole["Posted"])
        self.assertLess(lossy["Delivered"], lossy["Posted"])
""",
        "run reliability network=@name@ protocol=idempotent loss=0.1",
        "`relnet check build/lib@name@.so` looks for bugs for a minute.\n\n",
    ),
    "scenario": Kind(
        "StopAndWait",
        """
    def test_transmissions_are_those_of_theory(self):
        run = relnet.run("@name@", loss=0.3, messages=100000)
        self.assertAlmostEqual(run["TransmissionsPerMessage"], 1 / 0.7**2, delta=0.05)

    def test_a_timeout_below_the_round_trip_is_refused(self):
        with self.assertRaisesRegex(relnet.RelnetError, "Timeout has to be at least RoundTrip"):
            relnet.run("@name@", timeout="1us")
""",
        "sweep @name@ loss=0,0.1,0.3 --seeds 3",
    ),
}

_TEST = '''"""Test of the @kind@ @name@. Build the library, then run `python -m unittest`."""

import unittest
from pathlib import Path

import relnet

relnet.load(Path(__file__).parent / "build" / "lib@name@.so")


class @class@Test(unittest.TestCase):
@body@


if __name__ == "__main__":
    unittest.main()
'''

_CMAKE = """cmake_minimum_required(VERSION 3.21)
project(@name@ LANGUAGES CXX)

# relnet is installed in this Python, which reports the folder of its CMake package.
set(Python3_FIND_VIRTUALENV FIRST)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND "${Python3_EXECUTABLE}" -m relnet.build --cmake
  OUTPUT_VARIABLE relnet_DIR
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
find_package(relnet REQUIRED)

# CMake has targets of its own, such as test, so that a name alone is not enough.
add_library(@name@-@kind@ SHARED @name@.cc)
set_target_properties(@name@-@kind@ PROPERTIES OUTPUT_NAME @name@)
target_link_libraries(@name@-@kind@ PRIVATE relnet::relnet)

enable_testing()
add_test(NAME @name@ COMMAND "${Python3_EXECUTABLE}" -m unittest WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}")
"""

_README = """# @name@

A @kind@ for relnet, in @name@.cc. In the Python environment with relnet, run:

    mkdir -p build
    c++ @name@.cc -o build/lib@name@.so $(python -m relnet.build)
    relnet --load build/lib@name@.so @use@
    python -m unittest

@check@With CMake, replace the second line by `cmake -B build && cmake --build build`, and run the test by
`ctest --test-dir build`. For a debugger, with assertions and logs, use `$(python -m relnet.build --debug)` or
`cmake -B build -DCMAKE_BUILD_TYPE=Debug`.
"""


def _class_name(name: str) -> str:
    """Class name of a name on the command line: `two-words` gives `TwoWords`."""
    return "".join(part.capitalize() for part in name.split("-"))


def _check(kind: str, name: str) -> None:
    """Refuse a name that is invalid or taken."""
    if not re.fullmatch("[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", name) or command_name(_class_name(name)) != name:
        raise RelnetError(
            f"{name!r} is not a valid name: it has to be words of small letters and digits, such as my-{kind}."
        )
    known: Iterable = scenarios() if kind == "scenario" else choices(f"{kind}s")
    if name in {one.name for one in known}:
        raise RelnetError(f"A {kind} {name} already exists; choose another name.")


def create(kind: str, name: str, folder: Path) -> list[Path]:
    """
    Write a project.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    name : str
        Name on the command line.
    folder : pathlib.Path
        A new folder.

    Returns
    -------
    list of pathlib.Path
        The files written.

    Raises
    ------
    RelnetError
        If the name is taken or invalid, or the folder exists.
    """
    _check(kind, name)
    folder = check_folder(folder)
    told = KINDS[kind]
    source = (build.data_folder("examples") / f"own_{kind}.cc").read_text(encoding="utf-8")
    source = re.sub(rf"\b{told.example}(?=[A-Z])", _class_name(name), source)
    source = re.sub(r" \* Example of a .*\n", f" * The {kind} {name}.\n", source)
    source = source.replace(f"{kind}={command_name(told.example)}", f"{kind}={name}")
    words = {
        "body": told.test.strip("\n"),
        "use": told.use,
        "check": told.check,
        "name": name,
        "class": _class_name(name),
        "kind": kind,
    }

    def fill(text: str) -> str:
        for word, meaning in words.items():
            text = text.replace(f"@{word}@", meaning)
        return text

    files = {
        f"{name}.cc": source,
        f"test_{name.replace('-', '_')}.py": fill(_TEST),
        "CMakeLists.txt": fill(_CMAKE),
        "README.md": fill(_README),
    }
    try:
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RelnetError(f"The project cannot be written to {folder}: {error.strerror}.") from None
    return [folder / file for file in files]
