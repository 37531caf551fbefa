# SPDX-License-Identifier: GPL-2.0-only
"""
ns-3 in this process: `from relnet import ns`.

`ns` is ns-3's C++ namespace `ns3`, with the core and network modules. Modules of relnet are loaded at their first use
(`ns.messaging`, `ns.wormhole`), further modules of ns-3 by `ns3_modules("csma", "internet")`. A fatal error in ns-3
ends its process; `relnet.isolated` and `relnet.sweep` therefore run functions in child processes.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import sys
import threading
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from relnet import build
from relnet.binding import user_code
from relnet.binding.loader import load_libraries
from relnet.errors import RelnetError
from relnet.names import check_text
from relnet.records.fingerprint import names

_BASE = ("core", "network")
_NAMESPACES = {
    "broadcast-ethernet": "ethernet",
    "ethernet-fabric": "fabric",
    "mpi-ranks": "ranks",
    **dict.fromkeys(("messaging-traffic", "messaging-scenario", "messaging-search", "messaging-live"), "messaging"),
}
"""Namespaces of the modules of relnet that have another name."""

_lock = threading.RLock()
_cppyy: Any = None
_included: set[str] = set()


def load() -> Any:
    """
    Load ns-3 once, without output.

    Returns
    -------
    module
        `cppyy`, with ns-3's headers in its search path.

    Raises
    ------
    RelnetError
        If ns-3 or relnet's modules are missing.
    """
    global _cppyy
    with _lock:
        if _cppyy is not None:
            return _cppyy
        # Libraries come before headers, so that cppyy's compiler finds every symbol.
        load_libraries(str(build.ns3_library(module)) for module in _BASE)
        cppyy = _import_cppyy()
        cppyy.add_include_path(str(build.ns3_folder() / "include"))
        with contextlib.suppress(RelnetError):
            cppyy.add_include_path(str(build.build_folder() / "include"))
        _cppyy = cppyy
        _outlive_aborts()
        for module in _BASE:
            _include(f"ns3/{module}-module.h")
        return cppyy


def _outlive_aborts() -> None:
    """In a notebook, make a fatal error of ns-3 end the cell instead of the kernel, and print advice."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        return
    import cppyy.ll  # loaded with cppyy

    cppyy.ll.set_signals_as_exception(True)

    def explain(result: Any) -> None:
        if "abort from C++" in str(result.error_in_exec):
            print(
                "relnet: A fatal error of ns-3 ended this cell and left ns-3 in an undefined state: restart the "
                "kernel. With relnet.isolated(function), a fatal error becomes an exception.",
                file=sys.stderr,
            )

    shell.events.register("post_run_cell", explain)


def _import_cppyy() -> Any:
    """
    Import the binding, which compiles declarations at their first use.

    It asks a compiler for the path of the C++ library's headers. Without a compiler it prints a message and searches
    the usual path; without headers it would end the process.
    """
    with contextlib.ExitStack() as stack:
        if not shutil.which("c++"):
            if not glob.glob("/usr/include/c++/*/string"):
                raise RelnetError(
                    "`ns` needs the headers of the C++ library: `sudo apt install libstdc++-12-dev`. "
                    "Scenarios, sweeps and reproductions do not need them."
                )
            stack.enter_context(silenced(2))
        import cppyy  # slow, and its search paths depend on the libraries

    return cppyy


@contextlib.contextmanager
def silenced(descriptor: int) -> Iterator[None]:
    """Discard the output of C++ code to a file descriptor."""
    kept, nowhere = os.dup(descriptor), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, descriptor)
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)
        os.close(nowhere)


def _include(header: str) -> None:
    if header in _included:
        return
    try:
        load().include(header)
    except ImportError as error:
        reasons = [line for line in str(error).splitlines() if "error:" in line]
        reason = reasons[0].partition("error:")[2].strip() if reasons else "it does not compile"
        raise RelnetError(f"The header {header} cannot be read: {reason}.") from error
    _included.add(header)


def ns3_modules(*names: str) -> None:
    """
    Load further modules of ns-3 into `ns`.

    Parameters
    ----------
    *names : str
        Names of ns-3 modules, such as `csma`, `internet`, `point-to-point`.

    Raises
    ------
    RelnetError
        If ns-3 has no such module.
    """
    with _lock:
        paths = [str(build.ns3_library(check_text("The name of a module", name))) for name in names]
        load()
        load_libraries(paths)
        for name in names:
            _include(f"ns3/{name}-module.h")
            user_code.add_module(name)


@lru_cache(maxsize=1)
def _own_modules() -> dict[str, list[str]]:
    """Modules of relnet by their namespaces, in the order of the modules' names."""
    try:
        libraries = build.module_libraries()
    except RelnetError:
        return {}
    found: dict[str, list[str]] = {}
    for path in libraries:
        module = Path(path).stem.removeprefix(build.PREFIX)
        found.setdefault(_NAMESPACES.get(module, module.replace("-", "_")), []).append(module)
    return found


@lru_cache(maxsize=1)
def _load_modules() -> None:
    """Load the libraries of all modules of relnet."""
    load_libraries(build.module_libraries())


def _load_own(space: str) -> None:
    with _lock:
        load()
        _load_modules()
        for module in _own_modules()[space]:
            _include(f"ns3/{module}-module.h")
        _list_names(space)


@lru_cache
def _list_names(own: str) -> None:
    """Make `dir` of a namespace of relnet list all of its classes; the binding lists only the used ones."""
    include = build.build_folder() / "include"
    umbrellas = "".join((include / f"ns3/{module}-module.h").read_text() for module in _own_modules()[own])
    names: set[str] = set()
    for header in re.findall(r'#include [<"](ns3/[\w.-]+)[>"]', umbrellas):
        with contextlib.suppress(OSError):
            text = (include / header).read_text()
            # Headers of a build include those of the sources.
            stub = re.fullmatch(r'\s*#include "(/[^"]+)"\s*', text)
            text = Path(stub[1]).read_text() if stub else text
            names |= set(re.findall(r"^(?:class|struct|enum(?: class)?) (\w+)[^;\n]*$", text, re.M))
    space = getattr(load().gbl.ns3, own)
    usual = type(space).__dir__
    type(space).__dir__ = lambda self: sorted({*usual(self), *names}) if self is space else usual(self)


def _load_extra() -> None:
    """Load the libraries and headers of `relnet.load`."""
    with _lock:
        headers = [header for header in user_code.headers() if header not in _included]
        if headers:
            load()
            _load_modules()
            load_libraries(user_code.libraries())
            for header in headers:
                _include(header)


def _homes(name: str) -> Iterable[str]:
    """Modules of ns-3 whose headers declare a class."""
    folder = build.ns3_folder() / "include" / "ns3"
    declared = re.compile(rf"\b(?:class|struct|enum|namespace)\s+(?:class\s+)?{re.escape(name)}\b\s*[:{{\n]")
    headers = {path.name for path in folder.glob("*.h") if declared.search(path.read_text(errors="replace"))}
    for umbrella in sorted(folder.glob("*-module.h")):
        if any(
            f'"{header}"' in text or f"ns3/{header}" in text for text in [umbrella.read_text()] for header in headers
        ):
            yield umbrella.name.removesuffix("-module.h")


def own_namespaces() -> list[str]:
    """Namespaces of relnet's modules, in the order of the modules' names."""
    return list(_own_modules())


def foresee(function: Any) -> None:
    """Compile the modules of relnet and their classes that a function names, before children call it."""
    used = names(function)
    user_code.add_spaces(name for name in own_namespaces() if name in used)
    user_code.add_words(used)


class Namespace:
    """ns-3's namespace, loaded at its first use and pickled by name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _load_extra()
        if name in _own_modules():
            _load_own(name)
        space = load().gbl.ns3
        try:
            value = getattr(space, name)
        except AttributeError:
            homes = ", ".join(repr(module) for module in _homes(name) if module not in (*_BASE, *user_code.modules()))
            hint = f"call relnet.ns3_modules({homes}) first" if homes else "no module of ns-3 declares it"
            raise AttributeError(f"ns has no {name!r}: {hint}.") from None
        if isinstance(value, type):
            # Only namespaces and classes are stored: functions may get further overloads from the next header.
            vars(self)[name] = value
        return value

    def __dir__(self) -> list[str]:
        return sorted({*dir(load().gbl.ns3), *own_namespaces()})

    def __reduce__(self) -> str:
        return "ns"

    def __repr__(self) -> str:
        return "<namespace ns3>"


ns = Namespace()
