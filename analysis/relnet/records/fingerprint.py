# SPDX-License-Identifier: GPL-2.0-only
"""
Fingerprints of functions, equal as long as a function and its dependencies are unchanged.

The result of a user's function is stored under a hash of its code, its defaults, the variables and functions that it
refers to, and the source of modules that are not installed packages. File and line of its definition are excluded, so
that a restarted notebook finds its results even if cells were moved.
"""

from __future__ import annotations

import contextlib
import hashlib
import site
import sys
import sysconfig
import types
from pathlib import Path
from typing import Any

from relnet.errors import RelnetError


def fingerprint(value: Any) -> str:
    """
    Hash a value, a function with its visible dependencies.

    Parameters
    ----------
    value : object
        A function, or an argument of one.

    Returns
    -------
    str
        Sixty-four hexadecimal digits, equal in all processes.

    Raises
    ------
    RelnetError
        If the value cannot be sent to another process.
    """
    return _Walk().digest(value).hex()


def names(function: Any) -> set[str]:
    """Names and string constants of a function, and of functions that it refers to."""
    found: set[str] = set()
    waiting, met = [function], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, types.FunctionType) and id(one) not in met:
            met.add(id(one))
            own = _names(one.__code__)
            found |= own
            waiting += [one.__globals__[name] for name in own & one.__globals__.keys()]
            with contextlib.suppress(ValueError):
                waiting += [cell.cell_contents for cell in one.__closure__ or ()]
    return found


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
        elif isinstance(constant, str):
            found.add(constant)
    return found


def _installed(module: Any) -> bool:
    """Whether a module belongs to Python or to an installed package, so that its name identifies it."""
    file = getattr(module, "__file__", None)
    if not file or module.__name__.partition(".")[0] == "relnet":
        return True
    folders = [*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_path("stdlib")]
    return any(Path(file).is_relative_to(folder) for folder in folders)


class _Walk:
    """A walk over a value; a repeated object counts by the order of its first visit."""

    def __init__(self) -> None:
        self._met: dict[int, tuple[int, Any]] = {}

    def digest(self, value: Any) -> bytes:
        parts = self._parts(value)
        digest = hashlib.sha256(type(value).__qualname__.encode())
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        return digest.digest()

    def _parts(self, value: Any) -> list[bytes]:
        if value is None or value is Ellipsis or isinstance(value, bool | int | float | complex | str | bytes):
            return [repr(value).encode()]
        if id(value) in self._met:
            return [b"again", str(self._met[id(value)][0]).encode()]
        self._met[id(value)] = (len(self._met), value)
        if isinstance(value, types.CodeType):
            return [
                value.co_code,
                *map(self.digest, (value.co_names, value.co_varnames, value.co_consts, value.co_flags)),
            ]
        if isinstance(value, types.FunctionType):
            return self._function(value)
        if isinstance(value, types.MethodType):
            return [self.digest(value.__func__), self.digest(value.__self__)]
        if isinstance(value, types.ModuleType):
            source = b"" if _installed(value) else Path(value.__file__).read_bytes()
            return [value.__name__.encode(), source]
        if isinstance(value, set | frozenset):
            return sorted(_Walk().digest(one) for one in value)
        if isinstance(value, dict):
            return [self.digest(one) for pair in value.items() for one in pair]
        if isinstance(value, tuple | list | range):
            return [self.digest(one) for one in value]
        if isinstance(value, type):
            return self._class(value)
        if type(value).__module__ == "numpy" and hasattr(value, "tobytes"):
            return [str(value.dtype).encode(), repr(value.shape).encode(), value.tobytes()]
        return [self._pickled(value)]

    def _function(self, function: types.FunctionType) -> list[bytes]:
        module = sys.modules.get(function.__module__)
        if module is not None and _installed(module) and module.__name__ != "__main__":
            return [f"{function.__module__}.{function.__qualname__}".encode()]
        cells = []
        for cell in function.__closure__ or ():
            try:
                cells.append(self.digest(cell.cell_contents))
            except ValueError:
                cells.append(b"empty")
        used = sorted(_names(function.__code__) & function.__globals__.keys())
        referred = [part for name in used for part in (name.encode(), self.digest(function.__globals__[name]))]
        own = map(self.digest, (function.__code__, function.__defaults__, function.__kwdefaults__))
        return [*own, *cells, *referred]

    def _class(self, kind: type) -> list[bytes]:
        module = sys.modules.get(kind.__module__)
        name = f"{kind.__module__}.{kind.__qualname__}".encode()
        if module is not None and _installed(module) and module.__name__ != "__main__":
            return [name]
        members = {
            key: one for key, one in vars(kind).items() if isinstance(one, types.FunctionType | int | float | str)
        }
        members.pop("__firstlineno__", None)
        return [kind.__qualname__.encode(), self.digest(members), *map(self.digest, kind.__bases__)]

    def _pickled(self, value: Any) -> bytes:
        import cloudpickle  # slow, and few values need it

        try:
            return cloudpickle.dumps(value)
        except Exception as error:
            raise RelnetError(
                f"A value of type {type(value).__name__} cannot be sent to another process: {error}."
            ) from None
