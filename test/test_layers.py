# SPDX-License-Identifier: GPL-2.0-only
"""Modules and the folders in them are layers: a file includes nothing that stands above it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CONTRIB = ROOT / "contrib"

# The modules in groups, the lowest first. A module includes only modules of its own group and of those before it.
MODULES = (
    ("messaging",),
    ("messaging-traffic",),
    ("messaging-scenario",),
    ("messaging-search",),
    ("messaging-live",),
    ("broadcast-ethernet", "ethernet-fabric", "infiniband", "messaging-wifi", "myrinet", "wormhole"),
    ("eqa", "idempotent", "mpi-ranks", "parastation", "pcode", "roce", "sdr", "uet"),
)
# The folders of each module, the lowest first; of the others model and helper.
FOLDERS = {
    "messaging": (
        *(f"model/{name}" for name in ("base", "host", "seam", "congestion", "network", "devices", "faults")),
        *("model/sockets", "model/socket-layer", "model/check", "helper"),
    ),
    "eqa": ("model", "helper", "model/scenario"),
    "idempotent": ("model/core", "model/traces", "model/benchmarks", "model/scenario"),
    "infiniband": (
        *(f"model/{name}" for name in ("base", "subnet", "fabric", "adapter", "port", "device", "scenario")),
        "helper",
    ),
    "mpi-ranks": ("model/core", "model/ranks", "model/applications", "helper", "model/scenario"),
    "parastation": ("model", "helper", "model/protocols", "model/scenario"),
    "pcode": ("model/collectives", "model/core", "model/hosts", "model/rivals", "helper", "model/scenario"),
    "roce": ("model/core", "model/protocols"),
    "sdr": ("model/core", "model/analysis", "model/protocols"),
    "uet": ("model/core", "model/protocols"),
    "wormhole": ("model/kernels", "model/topology", "model/port", "model/device", "model/network", "helper"),
}
FLAT = ("model", "helper")


@cache
def sources() -> tuple[Path, ...]:
    """Sources and headers of all modules, relative to the folder of the modules."""
    found = (path for path in CONTRIB.rglob("*") if path.suffix in (".h", ".cc"))
    return tuple(sorted(path.relative_to(CONTRIB) for path in found))


@cache
def headers() -> dict[str, Path]:
    """Headers by name."""
    return {path.name: path for path in sources() if path.suffix == ".h"}


@cache
def included(path: Path) -> tuple[Path, ...]:
    """The headers of all modules that a file includes itself."""
    names = re.findall(r'^#include ["<](?:ns3/)?([\w-]+\.h)[">]', (CONTRIB / path).read_text(), re.MULTILINE)
    return tuple(headers()[name] for name in names if name in headers())


def closure(path: Path) -> set[Path]:
    """The headers that a file includes, itself or by others."""
    found: set[Path] = set()
    pending = [path]
    while pending:
        new = set(included(pending.pop())) - found
        found |= new
        pending += new
    return found


def folder(path: Path) -> str:
    """The folder of a file in its module."""
    return "/".join(path.parts[1:-1])


def edges(*folders: str) -> Iterator[tuple[Path, Path]]:
    """Files of the modules in folders of these names, with the headers that they include."""
    for path in sources():
        if path.parts[1] in folders:
            yield from ((path, header) for header in included(path))


def shown(pairs: list[tuple[Path, Path]]) -> list[str]:
    """Includes as text."""
    return [f"{path} includes {header}" for path, header in pairs]


def test_each_module_has_a_place():
    present = {path.parent.name for path in CONTRIB.glob("*/CMakeLists.txt")}
    assert sorted(module for group in MODULES for module in group) == sorted(present)


@pytest.mark.parametrize("folders", [("model", "helper"), ("test", "examples")], ids="/".join)
def test_no_module_includes_one_above_it(folders):
    rank = {module: number for number, group in enumerate(MODULES) for module in group}
    upward = [(path, header) for path, header in edges(*folders) if rank[header.parts[0]] > rank[path.parts[0]]]
    assert not shown(upward)


def test_no_module_includes_one_that_it_does_not_link():
    """CMake would find the header all the same, in a build of all modules."""
    linked = {
        path.parent.name: {*re.findall(r"\$\{lib(.+?)\}", path.read_text()), path.parent.name}
        for path in CONTRIB.glob("*/CMakeLists.txt")
    }
    foreign = [
        (path, header) for path, header in edges("model", "helper") if header.parts[0] not in linked[path.parts[0]]
    ]
    assert not shown(foreign)


def test_each_folder_has_a_place():
    for module in (module for group in MODULES for module in group):
        present = {folder(path) for path in sources() if path.parts[0] == module and path.parts[1] in FLAT}
        assert present <= {*FOLDERS.get(module, FLAT)}, module
        assert module not in FOLDERS or present == {*FOLDERS[module]}, module


def test_no_folder_includes_one_above_it():
    upward = []
    for path, header in edges("model", "helper"):
        if path.parts[0] != header.parts[0]:
            continue
        order = FOLDERS.get(path.parts[0], FLAT)
        if folder(header) not in order or order.index(folder(header)) > order.index(folder(path)):
            upward.append((path, header))
    assert not shown(upward)


def test_no_header_includes_itself():
    assert not [path for path in headers().values() if path in closure(path)]


def test_a_protocol_sees_no_experiment():
    """What has to be copied with a protocol's header, sources included: the seam, and what is below it."""
    below = FOLDERS["messaging"][: FOLDERS["messaging"].index("model/seam") + 1]
    seen: set[Path] = set()
    pending = {headers()["messaging-protocol.h"]}
    while pending:
        seen |= pending
        bodies = {path.with_suffix(".cc") for path in pending} & {*sources()}
        pending = {header for path in pending | bodies for header in included(path)} - seen
    assert not [path for path in seen if path.parts[0] != "messaging" or folder(path) not in below]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "contrib/messaging/doc/messaging.rst"])
def test_pages_list_the_folders_in_their_order(page):
    names = [name.removeprefix("model/") for name in FOLDERS["messaging"] if name != "helper"]
    listed = re.findall(r"^(?:\| )?`{1,2}([\w-]+)`{1,2} ", (ROOT / page).read_text(), re.MULTILINE)
    places = [listed.index(name) if name in listed else None for name in names]
    assert None not in places, dict(zip(names, places, strict=True))
    assert places == sorted(places)


def test_the_overview_lists_every_module():
    text = (ROOT / "ARCHITECTURE.md").read_text()
    assert not [module for group in MODULES for module in group if f"`{module}`" not in text]
