# SPDX-License-Identifier: GPL-2.0-only
"""
Parameters and results of scenarios, as their TypeIds declare them.

ns-3's attribute system does not validate input: text for a number aborts the process, `-3` becomes 1.8e19 in an
unsigned attribute, and an unknown enumerator is accepted silently. Every value is therefore parsed here, and checked
against the range that the attribute's checker states, before it is passed to ns-3.
"""

from __future__ import annotations

import datetime
import math
import numbers
import os
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from relnet.errors import RelnetError, quoted
from relnet.names import fold, nearest

_TRAILER = re.compile(r"\s*\[([^\[\]]*)\]\s*\.?\s*$")
_ORIGIN = re.compile(r"(?i:default|user|calibrated|derived|result|measured|sections?|figure|table|appendix)\b")
_NO_UNIT = {"-", "1", "bool", "name", "text", "number"}
_FILES = {"file", "path"}
"""Units of a text that names a file."""
_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_QUANTITY = re.compile(rf"({_NUMBER})\s*([A-Za-z/]*)")
_TIME_UNITS = {
    "y": Decimal(365 * 86400),
    "d": Decimal(86400),
    "h": Decimal(3600),
    "min": Decimal(60),
    "": Decimal(1),
    "s": Decimal(1),
    "ms": Decimal("1e-3"),
    "us": Decimal("1e-6"),
    "ns": Decimal("1e-9"),
    "ps": Decimal("1e-12"),
    "fs": Decimal("1e-15"),
}
_RATE_PREFIXES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
_RATES = {"": Decimal(1)} | {
    prefix + unit: Decimal(scale * bits)
    for prefix, scale in _RATE_PREFIXES.items()
    for unit, bits in (("bps", 1), ("b/s", 1), ("bit/s", 1), ("Bps", 8), ("B/s", 8))
}
_SIZES = {"bytes": Decimal(1)} | {prefix + "B": Decimal(scale) for prefix, scale in _RATE_PREFIXES.items()}
_LONGEST = Decimal(10**8)
"""Longest time of a parameter, three years [s]. ns-3 can represent 292 years, and models use up to 64 times a value."""
_TRUTHS = {"true": True, "t": True, "1": True, "yes": True, "on": True}
_FALSEHOODS = {"false": False, "f": False, "0": False, "no": False, "off": False}
_KINDS = {
    "UintegerValue": "uint",
    "IntegerValue": "int",
    "DoubleValue": "double",
    "BooleanValue": "bool",
    "StringValue": "string",
    "TimeValue": "time",
    "DataRateValue": "rate",
    "PointerValue": "object",
}


def split_help(text: str) -> tuple[str, str, str]:
    """
    Split a help text.

    Parameters
    ----------
    text : str
        An attribute's help, which ends in `[unit; source]`; either may be missing.

    Returns
    -------
    tuple of str
        Sentence, unit and source. The latter two are empty if missing; so is the unit of a pure number, a name or a
        truth value.
    """
    found = _TRAILER.search(text)
    if not found:
        return text.strip(), "", ""
    first, second = _origin(found[1])
    sentence = text[: found.start()].strip()
    if sentence and sentence[-1] not in ".?!":
        sentence += "."
    return sentence, "" if first in _NO_UNIT else first, "" if second == "-" else second


def _origin(trailer: str) -> tuple[str, str]:
    """Unit and source of the trailer of a help text, as they are declared."""
    first, semicolon, second = (part.strip() for part in trailer.partition(";"))
    return ("", first) if not semicolon and _ORIGIN.match(first) else (first, second)


def _may_name_file(kind: str, text: str) -> bool:
    """Whether a text parameter is declared as the name of a file, or its unit is not declared."""
    found = _TRAILER.search(text)
    unit = _origin(found[1])[0] if found else ""
    return kind in ("string", "other") and unit in (*_FILES, "")


def _seconds_text(seconds: Decimal) -> str:
    for unit in ("s", "ms", "us", "ns", "ps", "fs"):
        count = seconds / _TIME_UNITS[unit]
        if count == count.to_integral_value():
            return f"{int(count)}{unit}"
    return f"{seconds.normalize():f}s"


def parse_seconds(name: str, value: Any) -> float:
    """
    Read a time that is not a parameter of a scenario, such as a timeout.

    Parameters
    ----------
    name : str
        Name of the option.
    value : object
        A number of seconds, or text with a unit.

    Returns
    -------
    float
        The time [s].

    Raises
    ------
    RelnetError
        If it is not a time, or negative.
    """
    time = Parameter.plain(name, "time", Decimal(0), Decimal(9 * 10**9), "s")
    return time.number(time.parse(value))


def _is_duration(value: Any) -> bool:
    """Whether a value is a time of numpy, which is an integer of numpy, too."""
    return type(value).__name__ == "timedelta64"


def _plain(value: Any) -> Any:
    """The cell of an array of numpy without dimensions, and a decimal number as text; other values unchanged."""
    if type(value).__name__ == "ndarray" and value.ndim == 0:
        value = value.item()
    return str(value) if isinstance(value, Decimal) else value


@dataclass(frozen=True)
class Parameter:
    """
    A parameter of a scenario.

    Attributes
    ----------
    name : str
        The attribute's name.
    kind : str
        `uint`, `int`, `double`, `bool`, `enum`, `string`, `time`, `rate`, `object`, or `other`.
    default : int, float, bool or str
        Default value; canonical.
    minimum, maximum : int, float, decimal.Decimal or None
        Inclusive bounds, of times in seconds; None if unbounded.
    choices : tuple of str
        The allowed words of an enum.
    unit, source : str
        Unit, and source of the default value.
    help : str
        Description.
    origin : str
        Name of the TypeId that declares it.
    may_name_file : bool
        Whether its value may name a file, whose contents then count for a stored result.
    """

    name: str
    kind: str
    default: Any
    minimum: Any
    maximum: Any
    choices: tuple[str, ...]
    unit: str
    source: str
    help: str
    origin: str = ""
    may_name_file: bool = False

    @classmethod
    def from_attribute(cls, attribute: dict[str, Any]) -> Parameter:
        """
        Read a parameter from an entry of the catalog.

        Parameters
        ----------
        attribute : dict
            An entry of `attributes` in the catalog of `messaging-scenario-introspection.h`.
        """
        value = attribute["value"].removeprefix("ns3::")
        checker = attribute["checker"]
        kind = "enum" if value.startswith("EnumValue") else _KINDS.get(value, "other")
        minimum = maximum = None
        if kind in ("uint", "int", "double", "time"):
            minimum, maximum = cls._bounds(kind, checker)
        text, unit, source = split_help(attribute["help"])
        # Unit of a plain number.
        unit = {"time": "s", "rate": "bit/s"}.get(kind, unit)
        choices = tuple(checker.split("|")) if kind == "enum" else ()
        bare = cls(attribute["name"], kind, None, None, None, choices, unit, source, text)
        default = bare.parse(attribute["default"]) if kind in ("time", "rate") else attribute["default"]
        origin = attribute.get("origin", "")
        is_file = _may_name_file(kind, attribute["help"])
        return cls(attribute["name"], kind, default, minimum, maximum, choices, unit, source, text, origin, is_file)

    @classmethod
    def plain(cls, name: str, kind: str, minimum: Any = None, maximum: Any = None, unit: str = "") -> Parameter:
        """Make an option that is not a parameter of a scenario."""
        return cls(name, kind, None, minimum, maximum, (), unit, "", "")

    @staticmethod
    def _bounds(kind: str, checker: str) -> tuple[Any, Any]:
        found = re.search(rf"({_NUMBER})(?:ns)?:({_NUMBER})(?:ns)?$", checker)
        if not found:
            return None, None
        if kind in ("uint", "int"):
            return int(found[1]), int(found[2])
        if kind == "time":
            bounds = [Decimal(text) * Decimal("1e-9") for text in found.groups()]
            return tuple(max(-_LONGEST, min(bound, _LONGEST)) for bound in bounds)
        return tuple(None if abs(float(text)) > 1e308 else float(text) for text in found.groups())

    @property
    def allowed(self) -> str:
        """Allowed values, as the end of a sentence `it has to be ...`."""
        if self.kind == "enum":
            return f"one of {', '.join(self.choices)}"
        nouns = {
            "uint": "a whole number",
            "int": "a whole number",
            "double": "a number",
            "bool": "true or false",
            "string": "text",
            "time": "a time with a unit, such as 10us (s without one)",
            "rate": "a data rate with a unit, such as 10Mbps (bit/s without one)",
            "object": "empty, or an object of ns-3 such as ns3::Type[Name=value|Name=value]",
            "other": "a value that ns-3 accepts",
        }
        low, high = self.minimum, self.maximum
        if self.kind == "time":
            low, high = (None if bound is None else _seconds_text(bound) for bound in (low, high))
        range_text = ""
        if low is not None and high is not None:
            range_text = f" from {low:g} to {high:g}" if self.kind == "double" else f" from {low} to {high}"
        elif low is not None:
            range_text = f" of at least {low}"
        elif high is not None:
            range_text = f" of at most {high}"
        comma = "," if self.kind == "time" and range_text else ""
        return nouns[self.kind] + comma + range_text

    def refusal(self, value: Any) -> RelnetError:
        """Make the error for a value that is not allowed."""
        guess = nearest(value, self.choices) if isinstance(value, str) else ""
        start = f"{self.name} is {quoted(value)}; "
        return RelnetError(start + (f"did you mean {guess}? It" if guess else "it") + f" has to be {self.allowed}.")

    def parse(self, value: Any) -> Any:
        """
        Convert a value to its canonical form.

        Parameters
        ----------
        value : object
            Text of a command line, or a Python or numpy value. Times without a unit are in seconds, rates in bit/s.

        Returns
        -------
        int, float, bool or str
            The same for all spellings of a value.

        Raises
        ------
        RelnetError
            If the value is not allowed; the message states the allowed values.
        """
        plain = _plain(value)
        if isinstance(plain, bytes) or plain is None:
            raise self.refusal(value)
        try:
            parsed = getattr(self, f"_parse_{self.kind}")(plain)
        except (ArithmeticError, TypeError, ValueError):
            # A number beyond all bounds, for instance.
            raise self.refusal(value) from None
        if self.kind in ("uint", "int", "double") and (
            (self.minimum is not None and parsed < self.minimum) or (self.maximum is not None and parsed > self.maximum)
        ):
            raise self.refusal(value)
        return parsed

    @property
    def unit_text(self) -> str:
        """The unit in brackets; empty for times and rates, whose values contain a unit."""
        return f" [{self.unit}]" if self.unit and self.kind not in ("time", "rate") else ""

    def number(self, value: Any) -> Any:
        """Convert a canonical time [s] or rate [bit/s] to a number; return other values unchanged."""
        if self.kind == "time":
            return float(self._quantity(value, _TIME_UNITS))
        return int(self._quantity(value, _RATES)) if self.kind == "rate" else value

    def text(self, value: Any) -> str:
        """Convert a canonical value to text for ns-3 and for a command line."""
        if isinstance(value, bool):
            return "true" if value else "false"
        return repr(value) if isinstance(value, float) else str(value)

    def _is_truth(self, value: Any) -> bool:
        return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")

    def _in_unit(self, value: Any) -> Any:
        """Convert text with a unit to the parameter's unit: 1ms to 1000 if that is us."""
        found = _QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
        for units in (_TIME_UNITS, _RATES, _SIZES):
            known = self.unit and self.unit in units
            if known and found and found[2] and found[2] in units and abs(Decimal(found[1]).adjusted()) < 30:
                return str((Decimal(found[1]) * units[found[2]] / units[self.unit]).normalize())
        return value

    def _parse_int(self, value: Any) -> int:
        value = self._in_unit(value)
        if not self._is_truth(value):
            if isinstance(value, numbers.Integral) and not _is_duration(value):
                return int(value)
            if isinstance(value, numbers.Real) and float(value).is_integer():
                return int(value)
            if isinstance(value, str):
                number = Decimal(value.strip()) if re.fullmatch(_NUMBER, value.strip()) else None
                if number is not None and -30 < number.adjusted() < 30 and number == int(number):
                    return int(number)
        raise self.refusal(value)

    _parse_uint = _parse_int

    def _parse_double(self, value: Any) -> float:
        value = self._in_unit(value)
        if isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
            value = float(value)
        elif self._is_truth(value) or not isinstance(value, numbers.Real) or _is_duration(value):
            raise self.refusal(value)
        number = float(value)
        if not math.isfinite(number):
            raise self.refusal(value)
        return number + 0.0

    def _parse_bool(self, value: Any) -> bool:
        if self._is_truth(value):
            return bool(value)
        if isinstance(value, numbers.Integral) and int(value) in (0, 1):
            return bool(value)
        words = _TRUTHS | _FALSEHOODS
        if isinstance(value, str) and value.strip().casefold() in words:
            return words[value.strip().casefold()]
        raise self.refusal(value)

    def _parse_enum(self, value: Any) -> str:
        by_fold = {fold(choice): choice for choice in self.choices}
        if isinstance(value, str) and fold(value.strip()) in by_fold:
            return by_fold[fold(value.strip())]
        raise self.refusal(value)

    def _parse_string(self, value: Any) -> str:
        if not isinstance(value, str | numbers.Number | os.PathLike):
            raise self.refusal(value)
        # Python represents bytes that are not UTF-8 as surrogates, which ns-3 does not accept.
        if re.search("[\0\ud800-\udfff]", str(value)):
            raise self.refusal(value)
        return str(value)

    _parse_object = _parse_other = _parse_string

    def _quantity(self, value: Any, units: dict[str, Any]) -> Decimal:
        if isinstance(value, str):
            found = _QUANTITY.fullmatch(value.strip())
            if found and found[2] in units and abs(Decimal(found[1]).adjusted()) < 30:
                return Decimal(found[1]) * units[found[2]]
        elif not self._is_truth(value) and isinstance(value, numbers.Real) and math.isfinite(value):
            return Decimal(repr(float(value))) if not isinstance(value, numbers.Integral) else Decimal(int(value))
        raise self.refusal(value)

    def _parse_time(self, value: Any) -> str:
        if isinstance(value, datetime.timedelta):
            value = value.total_seconds()
        elif _is_duration(value):
            value = float(value / type(value)(1, "s"))
        seconds = self._quantity(value, _TIME_UNITS)
        if (self.minimum is not None and seconds < self.minimum) or (
            self.maximum is not None and seconds > self.maximum
        ):
            raise self.refusal(value)
        return _seconds_text(seconds)

    def _parse_rate(self, value: Any) -> str:
        rate = self._quantity(value, _RATES)
        if rate < 0 or rate != rate.to_integral_value() or rate >= 2**64:
            raise self.refusal(value)
        return f"{int(rate)}bps"


@dataclass(frozen=True)
class Result:
    """
    A named result or table of a scenario.

    Attributes
    ----------
    name : str
        The attribute's name.
    unit, source : str
        Unit, and source of the definition.
    help : str
        Description.
    """

    name: str
    unit: str
    source: str
    help: str

    @classmethod
    def from_attribute(cls, attribute: dict[str, Any]) -> Result:
        """Read a result from an entry of the catalog."""
        text, unit, source = split_help(attribute["help"])
        return cls(attribute["name"], unit, source, text)
