# SPDX-License-Identifier: GPL-2.0-only
"""
Paths of the libraries and headers of ns-3 and relnet. `python -m relnet.build` prints the compiler flags for them.

`RELNET_BUILD` names the build folder, with `lib/` and `include/`. Its default is the folder `modules` of the package in
a wheel, and `build` in a clone. `RELNET_LIBRARIES` lists further libraries, separated by colons.
"""

from __future__ import annotations

import argparse
import glob
import hashlib
import importlib.util
import os
import re
import tempfile
from functools import lru_cache
from pathlib import Path

from relnet.errors import RelnetError

PREFIX = "librelnet-"
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
"""A word that a shell takes as it is."""
_PACKAGE = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def clone() -> Path | None:
    """The clone that contains the package; None if it was installed from a wheel."""
    root = _PACKAGE.parents[1]
    return root if (root / "contrib" / "messaging").is_dir() else None


def data_folder(name: str) -> Path:
    """A folder of the package's data: `published` or `examples`."""
    root = clone()
    if root is None:
        return _PACKAGE / name
    return root / name if name == "examples" else root / "analysis" / name


def build_folder() -> Path:
    """
    Find the folder of relnet's libraries and headers.

    Returns
    -------
    pathlib.Path
        A folder with `lib/librelnet-*.so`.

    Raises
    ------
    RelnetError
        If the modules are not built.
    """
    named = os.environ.get("RELNET_BUILD")
    candidates = [Path(named).resolve()] if named else [_PACKAGE / "modules", _PACKAGE.parents[1] / "build"]
    for folder in candidates:
        if _libraries(folder):
            return folder
    if named:
        raise RelnetError(f"RELNET_BUILD is {named}, which contains no lib/{PREFIX}*.so.")
    raise RelnetError("The ns-3 modules are not built: run `make build`, or set RELNET_BUILD to the build folder.")


def _libraries(folder: Path) -> list[str]:
    """Libraries of the modules in a build folder, without test suites."""
    try:
        names = os.listdir(folder / "lib")
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = [
        name for name in names if name.startswith(PREFIX) and name.endswith(".so") and not name.endswith("-test.so")
    ]
    return [str(folder / "lib" / name) for name in sorted(found)]


def module_libraries() -> list[str]:
    """Paths of the modules' libraries, in alphabetical order."""
    return _libraries(build_folder())


def support_library() -> Path | None:
    """The library that counts random numbers and enables logs, loaded before ns-3; None if it is not built."""
    path = build_folder() / "lib" / "relnet-support.so"
    return path if path.exists() else None


def extra_libraries() -> list[str]:
    """Libraries of `RELNET_LIBRARIES`."""
    return [os.path.abspath(path) for path in os.environ.get("RELNET_LIBRARIES", "").split(os.pathsep) if path]


@lru_cache(maxsize=1)
def ns3_folder() -> Path:
    """
    The folder of the installed ns3 package.

    Raises
    ------
    RelnetError
        If ns-3 is not installed in this Python.
    """
    found = importlib.util.find_spec("ns3")
    for folder in found.submodule_search_locations if found and found.submodule_search_locations else ():
        if Path(folder, "include", "ns3").is_dir():
            return Path(folder)
    raise RelnetError("ns-3 is not installed in this Python: run `pip install ns3==3.44.post0`.")


def ns3_library(module: str) -> Path:
    """
    Find the library of an ns-3 module.

    Parameters
    ----------
    module : str
        Name of the module, such as `csma`.

    Raises
    ------
    RelnetError
        If the installed ns-3 has no such module.
    """
    found = sorted(glob.glob(str(ns3_folder() / "lib*" / f"libns3*-{glob.escape(module)}.so")))
    if not found:
        known = sorted(Path(path).stem.split("-", 1)[1] for path in glob.glob(str(ns3_folder() / "lib*/libns3*-*.so")))
        raise RelnetError(f"ns-3 has no module {module!r} here; there are {', '.join(known)}.")
    return Path(found[0])


@lru_cache(maxsize=1)
def ns3_version() -> str:
    """
    The version of the installed ns3 package, or `unknown`.

    It is read from the name of pip's record, since the import of `importlib.metadata` would take a quarter of relnet's
    start time.
    """
    records = sorted(ns3_folder().parent.glob("ns3-*.dist-info"))
    return records[0].stem.removeprefix("ns3-") if records else "unknown"


def cmake_folder() -> Path:
    """Folder of the CMake package, for `find_package(relnet)`."""
    return _PACKAGE / "cmake"


def compiler_flags(program: bool = False, debug: bool = False) -> list[str]:
    """
    Compiler flags for code that uses ns-3 and relnet's modules.

    Parameters
    ----------
    program : bool
        Whether to compile a program, such as a test, instead of a library.
    debug : bool
        Whether to compile for a debugger, with the assertions and logs of ns-3.
    """
    ours, theirs = build_folder(), ns3_folder()
    libraries = [*module_libraries(), *sorted(glob.glob(str(theirs / "lib*" / "libns3*.so")))]
    folders = dict.fromkeys(os.path.dirname(path) for path in libraries)
    kind = () if program else ("-fPIC", "-shared")
    level = ("-O0", "-g", "-DNS3_ASSERT_ENABLE", "-DNS3_LOG_ENABLE") if debug else ("-O2",)
    return [
        *("-std=c++20", *level, *kind, f"-I{ours / 'include'}", f"-I{theirs / 'include'}"),
        *("-Wl,--as-needed", *libraries, *(f"-Wl,-rpath,{folder}" for folder in folders)),
    ]


def command_words(flags: list[str]) -> str:
    """
    Compiler flags as words for `$(...)`, whose result a shell splits at blanks, without regard to quotation marks.

    Parameters
    ----------
    flags : list of str
        Flags of a compiler.

    Returns
    -------
    str
        The flags; if a path contains a blank or another special character, `@FILE`, a file from which gcc and clang
        read them, in the folder for temporary files.

    Raises
    ------
    RelnetError
        If the path of that file contains such a character, too, or it cannot be written.
    """
    if all(map(_PLAIN.fullmatch, flags)):
        return " ".join(flags)
    quoted = ['"' + flag.replace("\\", "\\\\").replace('"', '\\"') + '"' for flag in flags]
    content = "\n".join([*quoted, ""]).encode()
    folder = tempfile.gettempdir()
    path = os.path.join(folder, f"relnet-{os.getuid()}-{hashlib.sha256(content).hexdigest()[:16]}.flags")
    if not _PLAIN.fullmatch(path):
        raise RelnetError(f"The paths of relnet and of TMPDIR, {folder}, contain blanks: set TMPDIR to one without.")
    try:
        # Nobody else can have prepared the new file, and it replaces an old one, also a link.
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix="relnet-")
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError as error:
        raise RelnetError(f"{path} cannot be written: {error.strerror}.") from None
    return f"@{path}"


def stamp(libraries: list[str]) -> tuple:
    """Path, modification time [ns] and size [bytes] of each library, to detect a rebuild."""
    found = []
    for path in libraries:
        try:
            status = os.stat(path)
        except OSError as error:
            raise RelnetError(f"The library {path} cannot be read: {error.strerror}.") from None
        found.append((path, status.st_mtime_ns, status.st_size))
    return tuple(found)


def simulator_environment() -> dict[str, str]:
    """Environment variables of ns-3: `NS_LOG`, `NS_GLOBAL_VALUE`, `NS_ATTRIBUTE_DEFAULT` and the like."""
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith("NS_")}


def code_hash(libraries: list[str]) -> str:
    """
    Identify the code that produces a result.

    Parameters
    ----------
    libraries : list of str
        Loaded libraries, without those of ns-3.

    Returns
    -------
    str
        Sixteen hexadecimal digits: a hash of the libraries' contents, the version of ns-3, and the environment
        variables by which ns-3 changes defaults.
    """
    digest = hashlib.sha256(ns3_version().encode())
    for path in sorted(libraries, key=os.path.basename):
        digest.update(b"\0" + os.path.basename(path).encode() + b"\0")
        digest.update(hashlib.sha256(Path(path).read_bytes()).digest())
    for name, value in simulator_environment().items():
        if name in ("NS_GLOBAL_VALUE", "NS_ATTRIBUTE_DEFAULT"):
            digest.update(f"\0{name}={value}".encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m relnet.build",
        description="Prints compiler flags: c++ own.cc -o libown.so $(python -m relnet.build), with the flags last.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--program", action="store_true", help="flags for a program, such as a test, instead of a library"
    )
    parser.add_argument("--debug", action="store_true", help="flags for a debugger, with ns-3's assertions and logs")
    parser.add_argument("--cmake", action="store_true", help="print the folder of the CMake package, for relnet_DIR")
    told = parser.parse_args()
    try:
        print(cmake_folder() if told.cmake else command_words(compiler_flags(told.program, told.debug)))
    except RelnetError as error:
        parser.error(str(error))
