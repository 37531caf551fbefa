# SPDX-License-Identifier: GPL-2.0-only
"""Parsing and refusal of values before ns-3 receives them, and expansion of grids."""

import datetime
from decimal import Decimal

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import relnet
from relnet.catalog.parameters import Parameter, Result, split_help
from relnet.errors import RelnetError
from relnet.names import fold, nearest
from relnet.runs.grid import expand, parse_seed, parse_seeds, parse_values, points


def parameter(value, checker, default="0", name="Size", text="Help. [unit; source]"):
    """A parameter as in the catalog."""
    entry = {"name": name, "help": text, "value": f"ns3::{value}", "checker": checker, "default": default}
    return Parameter.from_attribute(entry)


UINT = parameter("UintegerValue", "uint32_t 1:1024", 16)
WIDE = parameter("UintegerValue", "uint64_t 0:18446744073709551615", 0)
INT = parameter("IntegerValue", "int32_t -100:100", 0)
PROBABILITY = parameter("DoubleValue", "double 0:1", 0.5)
DOUBLE = parameter("DoubleValue", "double -1.79769e+308:1.79769e+308", 0.5)
BOOL = parameter("BooleanValue", "bool", True)
ENUM = parameter("EnumValue<ns3::x::Policy>", "constant|linear|grid2d|two-words", "linear")
STRING = parameter("StringValue", "std::string", "")
TIME = parameter("TimeValue", "Time +0ns:+1e+11ns", "+3000ns")
FREE_TIME = parameter("TimeValue", "Time -9.22337e+18ns:+9.22337e+18ns", "+0ns")
RATE = parameter("DataRateValue", "DataRate", "10000000bps")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Size of a packet. [flits; section 4.2]", ("Size of a packet.", "flits", "section 4.2")),
        ("Size of a packet. [flits]", ("Size of a packet.", "flits", "")),
        ("Whether it is on. [; default]", ("Whether it is on.", "", "default")),
        ("No trailer at all.", ("No trailer at all.", "", "")),
        ("Lists [a; b] inside. [1; measured]", ("Lists [a; b] inside.", "", "measured")),
        ("Length of the vector [entries; section 4.1].", ("Length of the vector.", "entries", "section 4.1")),
        ("Whether ends are joined [default].", ("Whether ends are joined.", "", "default")),
        ("Whether it is on [bool; -].", ("Whether it is on.", "", "")),
    ],
)
def test_help_is_taken_apart(text, parts):
    assert split_help(text) == parts


def test_declaration_is_read():
    assert (UINT.kind, UINT.minimum, UINT.maximum, UINT.default) == ("uint", 1, 1024, 16)
    assert (UINT.unit, UINT.source, UINT.help) == ("unit", "source", "Help.")
    assert (WIDE.minimum, WIDE.maximum) == (0, 2**64 - 1)
    assert (DOUBLE.minimum, DOUBLE.maximum) == (None, None)
    assert ENUM.choices == ("constant", "linear", "grid2d", "two-words")
    assert (TIME.minimum, TIME.maximum, TIME.default) == (Decimal(0), Decimal(100), "3us")
    assert (FREE_TIME.minimum, FREE_TIME.maximum) == (-(10**8), 10**8), "what ns-3 holds, and 64 times it"
    assert Result.from_attribute({"name": "Sum", "help": "A sum. [s; here]"}) == Result("Sum", "s", "here", "A sum.")


def test_single_choice_and_unknown_types_are_read():
    assert parameter("EnumValue<x>", "only", "only").parse("ONLY") == "only"
    assert parameter("PointerValue", "ns3::Ptr< ns3::X >", "").parse("ns3::X") == "ns3::X"


@pytest.mark.parametrize(
    ("declared", "value", "canonical"),
    [
        (UINT, "12", 12),
        (UINT, " 12 ", 12),
        (UINT, "+12", 12),
        (UINT, "1e3", 1000),
        (UINT, 12.0, 12),
        (UINT, numpy.int64(12), 12),
        (UINT, numpy.float64(12), 12),
        (WIDE, str(2**64 - 1), 2**64 - 1),
        (INT, "-100", -100),
        (PROBABILITY, "1", 1.0),
        (PROBABILITY, ".5", 0.5),
        (PROBABILITY, numpy.float32(0.5), 0.5),
        (PROBABILITY, Decimal("0.25"), 0.25),
        (DOUBLE, "-2.5e-3", -0.0025),
        (BOOL, "TRUE", True),
        (BOOL, "off", False),
        (BOOL, 0, False),
        (BOOL, numpy.bool_(True), True),
        (ENUM, "LINEAR", "linear"),
        (ENUM, "Grid2D", "grid2d"),
        (ENUM, "two_words", "two-words"),
        (STRING, "a, b: c", "a, b: c"),
        (STRING, 5, "5"),
        (TIME, "10us", "10us"),
        (TIME, "10000 ns", "10us"),
        (TIME, "0.5", "500ms"),
        (TIME, 2, "2s"),
        (TIME, "1min", "60s"),
        (FREE_TIME, "2h", "7200s"),
        (FREE_TIME, "2d", "172800s"),
        (FREE_TIME, "1y", "31536000s"),
        (TIME, "1e-16", "0.0000000000000001s"),
        (TIME, datetime.timedelta(milliseconds=3), "3ms"),
        (RATE, "10Mbps", "10000000bps"),
        (RATE, "1 kB/s", "8000bps"),
        (RATE, "1kBps", "8000bps"),
        (RATE, "1Kib/s", "1024bps"),
        (RATE, str(2**64 - 1), "18446744073709551615bps"),
        (RATE, 5, "5bps"),
    ],
)
def test_value_is_accepted(declared, value, canonical):
    parsed = declared.parse(value)
    assert parsed == canonical
    assert type(parsed) is type(canonical)


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        (UINT, "-3"),
        (UINT, -3),
        (UINT, "0"),
        (UINT, "1025"),
        (UINT, "abc"),
        (UINT, ""),
        (UINT, "1.5"),
        (UINT, 1.5),
        (UINT, "1_000"),
        (UINT, "0x10"),
        (UINT, "1e400"),
        (UINT, "1e999999999"),
        (UINT, "1e-999999999"),
        (TIME, "1e999999999s"),
        (UINT, True),
        (UINT, None),
        (UINT, b"3"),
        (UINT, "nan"),
        (UINT, float("nan")),
        (WIDE, "-3"),
        (WIDE, str(2**64)),
        (INT, "101"),
        (PROBABILITY, "1.5"),
        (PROBABILITY, "-0.1"),
        (PROBABILITY, "nan"),
        (PROBABILITY, "inf"),
        (PROBABILITY, "half"),
        (PROBABILITY, True),
        (PROBABILITY, float("nan")),
        (DOUBLE, float("inf")),
        (DOUBLE, "1e999"),
        (BOOL, "maybe"),
        (BOOL, 2),
        (ENUM, "quadratic"),
        (ENUM, ""),
        (ENUM, 1),
        (STRING, "a\0b"),
        (TIME, "10 parsecs"),
        (TIME, "-1s"),
        (FREE_TIME, "300y"),
        (FREE_TIME, "1e10s"),
        (FREE_TIME, "1e20s"),
        (TIME, "101s"),
        (TIME, "soon"),
        (TIME, float("inf")),
        (RATE, ""),
        (RATE, "-1Mbps"),
        (RATE, "10 furlongs"),
        (RATE, "0.3bps"),
        (RATE, str(2**64)),
    ],
)
def test_value_is_refused_in_one_sentence(declared, value):
    with pytest.raises(RelnetError) as refusal:
        declared.parse(value)
    sentence = str(refusal.value)
    assert sentence.startswith(f"{declared.name} is ")
    assert "it has to be " in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_zero_has_no_sign():
    assert DOUBLE.text(DOUBLE.parse("-0")) == DOUBLE.text(DOUBLE.parse(0)) == "0.0"


def test_refusals_tell_what_is_allowed():
    assert UINT.allowed == "a whole number from 1 to 1024"
    assert PROBABILITY.allowed == "a number from 0 to 1"
    assert ENUM.allowed == "one of constant, linear, grid2d, two-words"
    assert TIME.allowed.endswith("from 0s to 100s")


@given(st.integers(-(2**70), 2**70))
def test_whole_numbers_survive_the_round_trip(number):
    if 1 <= number <= 1024:
        assert UINT.parse(UINT.text(UINT.parse(str(number)))) == number
    else:
        with pytest.raises(RelnetError):
            UINT.parse(str(number))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive_the_round_trip(number):
    assert DOUBLE.parse(DOUBLE.text(DOUBLE.parse(number))) == number


@given(st.decimals(min_value=0, max_value=100, places=9), st.sampled_from(["s", "ms", "us", "ns"]))
def test_times_survive_the_round_trip(count, unit):
    try:
        canonical = TIME.parse(f"{count}{unit}")
    except RelnetError:
        assert unit == "s" and count > 100
    else:
        assert TIME.parse(canonical) == canonical


@given(st.text())
def test_no_text_gets_past_the_parser_unchecked(text):
    for declared in (UINT, INT, PROBABILITY, BOOL, ENUM, TIME, RATE):
        try:
            value = declared.parse(text)
        except RelnetError:
            continue
        assert declared.parse(declared.text(value)) == value


def test_nearest_name():
    assert nearest("nods", ["Nodes", "Loss"]) == "Nodes"
    assert nearest("send_table", ["SendTable", "ReceiveTable"]) == "SendTable"
    assert nearest("zzz", ["Nodes"]) == ""
    assert fold("send-table") == fold("SendTable") == fold("send_table")


@pytest.mark.parametrize(
    ("declared", "text", "values"),
    [
        (UINT, "1,2,4", [1, 2, 4]),
        (UINT, "1:4", [1, 2, 3, 4]),
        (UINT, "1:7:3", [1, 4, 7]),
        (UINT, "4:1:-1", [4, 3, 2, 1]),
        (UINT, "1:3,8,2", [1, 2, 3, 8]),
        (PROBABILITY, "0:0.3:0.1", [0.0, 0.1, 0.2, 0.3]),
        (PROBABILITY, "0,1e-4", [0.0, 1e-4]),
        (ENUM, "linear,Constant", ["linear", "constant"]),
        (STRING, "a:b,c", ["a:b", "c"]),
        (STRING, r"a\,b,c", ["a,b", "c"]),
        (TIME, "1us,1000ns,2us", ["1us", "2us"]),
    ],
)
def test_values_of_a_command_line(declared, text, values):
    assert parse_values(declared, text) == values


@pytest.mark.parametrize(
    "text", ["1:", ":3", "1:8:3", "3:1", "1:3:0", "1:2:3:4", "1:3:-1", "0:4", "1,,2", "a:b", "1:1e9"]
)
def test_bad_ranges_are_refused(text):
    with pytest.raises(RelnetError):
        parse_values(UINT, text)


def test_huge_ranges_are_refused():
    with pytest.raises(RelnetError, match="at most"):
        parse_values(WIDE, "0:1e18")


@given(st.integers(1, 1024), st.integers(1, 1024), st.integers(1, 100))
def test_ranges_hold_what_python_ranges_hold(first, last, step):
    text = f"{first}:{last}:{step}"
    if first > last or (last - first) % step:
        with pytest.raises(RelnetError):
            parse_values(UINT, text)
    else:
        assert parse_values(UINT, text) == list(range(first, last + 1, step))


@pytest.mark.parametrize(
    ("declared", "value", "values"),
    [
        (UINT, range(1, 4), [1, 2, 3]),
        (UINT, [3, 1, 3], [3, 1]),
        (UINT, numpy.array([1, 2]), [1, 2]),
        (UINT, 7, [7]),
        (UINT, "1:3", [1, 2, 3]),
        (STRING, "a,b", ["a,b"]),
        (STRING, ["a,b", "c"], ["a,b", "c"]),
        (ENUM, ("linear", "constant"), ["linear", "constant"]),
    ],
)
def test_values_of_python_code(declared, value, values):
    assert expand(declared, value) == values


def test_nothing_is_no_value():
    with pytest.raises(RelnetError, match="no value"):
        expand(UINT, [])


def test_last_axis_varies_fastest():
    assert points({"a": [1, 2], "b": ["x", "y"]}) == [
        {"a": 1, "b": "x"},
        {"a": 1, "b": "y"},
        {"a": 2, "b": "x"},
        {"a": 2, "b": "y"},
    ]
    assert points({}) == [{}]
    with pytest.raises(RelnetError, match="at most"):
        points({"a": list(range(10_000)), "b": list(range(10_000))})


def test_seeds():
    assert parse_seeds(3) == parse_seeds("3") == [1, 2, 3]
    assert parse_seeds("3,7:9") == [3, 7, 8, 9]
    assert parse_seeds("7:9") == [7, 8, 9]
    assert parse_seeds([5, 2]) == [5, 2]
    assert len(parse_seeds("1e2")) == 100
    assert parse_seed("12") == 12
    for bad in (0, -1, "x", 1.5, True, "", 2**63):
        with pytest.raises(RelnetError):
            parse_seed(bad)
        with pytest.raises(RelnetError):
            parse_seeds(bad)
    with pytest.raises(RelnetError, match="at most 10000000"):
        parse_seeds(10_000_001)


def test_a_pattern_lists_no_parameter_that_the_scenario_sets():
    """Its size and its rounds are those of the scenario, whatever the defaults of the pattern are."""
    scenario = relnet.describe("reliability", pattern="uniform")
    names = {one.name for one in scenario.parameters}
    assert "pattern.Window" in names and not names & {"pattern.Size", "pattern.Rounds"}
    with pytest.raises(relnet.RelnetError, match=r"no parameter 'pattern.Size'"):
        relnet.run("reliability", **{"pattern.Size": 8})
