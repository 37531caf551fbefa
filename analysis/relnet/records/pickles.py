# SPDX-License-Identifier: GPL-2.0-only
"""Functions, values and exceptions as bytes, to send them to another process."""

from __future__ import annotations

import io
import pickle
from typing import Any


def plain(value: Any) -> Any:
    """Convert a string or vector of C++ to one of Python; return other values unchanged."""
    name = getattr(type(value), "__cpp_name__", "")
    if name == "std::string":
        return str(value)
    if name.startswith("std::vector<"):
        return [plain(one) for one in value]
    return value


def dump(value: Any) -> bytes:
    """Pickle any value, including functions and classes of a notebook, and strings and vectors of C++."""
    import cloudpickle  # slow, and only functions need it

    class Pickler(cloudpickle.Pickler):
        def reducer_override(self, one: Any) -> Any:
            simple = plain(one)
            return super().reducer_override(one) if simple is one else (type(simple), (simple,))

    buffer = io.BytesIO()
    Pickler(buffer).dump(value)
    return buffer.getvalue()


def dump_exception(error: BaseException) -> bytes:
    """Pickle an exception; empty if it cannot be pickled or unpickled."""
    import cloudpickle  # slow, and only functions need it

    try:
        body = cloudpickle.dumps(error)
        pickle.loads(body)
    except Exception:
        return b""
    return body
