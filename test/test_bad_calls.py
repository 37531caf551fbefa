# SPDX-License-Identifier: GPL-2.0-only
"""Calls with values that nobody meant: each ends in a result or in one sentence, in Python and on the command line."""

import contextlib
import datetime
import fractions
import os
import random
import warnings
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import relnet
from relnet.runs import sweeps
from relnet.runs.pairs import check_settings

SMALL = {"network": "csma", "protocol": "none", "nodes": 2, "messages": 1}
"""A run of a few milliseconds."""
EXAMPLES = int(os.environ.get("RELNET_EXAMPLES", "200"))
"""Number of calls of Python; of command lines, a third."""
LONGEST = 3000
"""Maximum length of a sentence, whatever the length of the values."""

NUMBERS = st.one_of(
    st.integers(),
    st.sampled_from([10**400, -(10**400), 10**5000, 2**63, 2**64, -1, 0]),
    st.floats(),
    st.decimals(),
    st.sampled_from([Decimal("sNaN"), Decimal("1E+999999"), Decimal("-Infinity"), fractions.Fraction(10**400, 3)]),
    st.complex_numbers(),
    st.booleans(),
    st.datetimes(),
    st.timedeltas(),
    st.sampled_from([datetime.timedelta.max, datetime.date.max]),
)
OF_NUMPY = st.sampled_from(
    [
        np.timedelta64(3, "s"),
        np.timedelta64(3, "Y"),
        np.timedelta64("NaT"),
        np.datetime64("2020-01-01"),
        np.array(3),
        np.array([]),
        np.array([[1, 2], [3, 4]]),
        np.array("x"),
        np.float32("nan"),
        np.longdouble("1e400"),
        np.int64(-1),
        np.str_("3"),
        np.bytes_(b"3"),
        np.bool_(True),
        np.void(b"3"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(alphabet="0123456789.eE+-:, _", max_size=12),
    st.sampled_from(["x" * 200_000, "9" * 200_000, "1e400", "1e999999999", "\0", "\ud800", "1:", ":", ",", "1:2:0"]),
    st.binary(max_size=3),
)
ODD = st.one_of(
    st.none(),
    st.lists(NUMBERS, max_size=2),
    st.dictionaries(st.one_of(st.integers(), st.text(max_size=3)), st.integers(), max_size=2),
    st.sets(st.integers(), max_size=2),
    st.builds(object),
    st.sampled_from([type, len, Ellipsis, range(0), range(10**12), (), iter([1])]),
)
VALUES = st.one_of(NUMBERS, OF_NUMPY, TEXTS, ODD)
NAMES = ["nodes", "loss", "TimeLimit", "network", "pattern", "ErrorModel", "Load", "protocol", "AuditWindow"]

CALLS = {
    **{f"run {name}": (lambda value, name=name: relnet.run("reliability", **SMALL | {name: value})) for name in NAMES},
    **{
        f"sweep {name}": (lambda value, name=name: relnet.sweep("reliability", **SMALL | {name: value}))
        for name in NAMES
    },
    "run": relnet.run,
    "run seed": lambda value: relnet.run("reliability", seed=value, **SMALL),
    "run part": lambda value: relnet.run("reliability", protocol={"name": "none", "Backoff": value}),
    "sweep seeds": lambda value: relnet.sweep("reliability", seeds=value, **SMALL | {"nodes": -1}),
    "sweep jobs": lambda value: relnet.sweep("reliability", jobs=value, **SMALL | {"nodes": -1}),
    "sweep out": lambda value: relnet.sweep("reliability", out=value, **SMALL),
    "sweep executor": lambda value: relnet.sweep("reliability", executor=value, **SMALL),
    "sweep run_timeout": lambda value: relnet.sweep("reliability", run_timeout=value, **SMALL),
    "describe": relnet.describe,
    "describe words": lambda value: relnet.describe("reliability", value),
    "describe part": lambda value: relnet.describe("reliability", network=value),
    "matrix": relnet.matrix,
    "matrix nodes": lambda value: relnet.matrix(nodes=value),
    "explore": relnet.explore,
    "explore peers": lambda value: relnet.explore("none", peers=value, messages=-1),
    "explore messages": lambda value: relnet.explore("none", messages=value, states=1),
    "explore faults": lambda value: relnet.explore("none", faults=value, states=1),
    "trace": relnet.trace,
    "trace limit": lambda value: relnet.trace("reliability", limit=value, **SMALL),
    "trace begin": lambda value: relnet.trace("reliability", begin=value, **SMALL),
    "trace end": lambda value: relnet.trace("reliability", end=value, **SMALL),
    "trace pcap": lambda value: relnet.trace("reliability", pcap=value, **SMALL),
    "history": relnet.history,
    "history last": lambda value: relnet.history(last=value),
    "recall": relnet.recall,
    "difference": lambda value: relnet.difference(value, value),
    "tables": relnet.tables,
    "load": relnet.load,
    "isolated": lambda value: relnet.isolated(value) if not callable(value) else None,
    "compare": relnet.compare,
    "compare baseline": lambda value: relnet.compare(FRAME(), baseline=value),
    "compare by": lambda value: relnet.compare(FRAME(), by=value),
    "compare columns": lambda value: relnet.compare(FRAME(), columns=value),
    "compare level": lambda value: relnet.compare(FRAME(), level=value),
    "ns3_modules": relnet.ns3_modules,
}
_FRAMES = []


def FRAME():
    """A frame of a sweep, made once."""
    if not _FRAMES:
        _FRAMES.append(relnet.sweep("reliability", **SMALL | {"protocol": ["none", "p0"]}))
    return _FRAMES[0]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, since a text may be the name of a file."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# hypothesis cannot shrink integers of more than 4300 digits.
@settings(max_examples=EXAMPLES, phases=(Phase.generate,), suppress_health_check=list(HealthCheck))
@given(call=st.sampled_from(sorted(CALLS)), value=VALUES)
def test_a_bad_call_ends_in_a_sentence(folder, call, value):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", relnet.RelnetWarning)
        try:
            CALLS[call](value)
        except relnet.RelnetError as error:
            assert 0 < len(str(error)) < LONGEST and "Traceback" not in str(error)
            str(error).encode()


OPTIONS = st.sampled_from(
    [
        *(["run", "reliability"], ["sweep", "reliability"], ["trace", "reliability"], ["describe", "reliability"]),
        *(["history"], ["show"], ["diff", "a"], ["clean", "--older"], ["explore"], ["explore", "none", "--states"]),
        *(["sweep", "reliability", "--seeds"], ["sweep", "reliability", "--jobs"], ["sweep", "reliability", "--out"]),
        *(["sweep", "reliability", "nodes=-1", "--timeout"], ["run", "reliability", "--tables"], ["new", "protocol"]),
        *(["trace", "reliability", "--nodes"], ["trace", "reliability", "--out"], ["trace", "reliability", "--first"]),
        *(["trace", "reliability", "--begin"], ["trace", "reliability", "--end"], ["trace", "reliability", "--limit"]),
        *(["compare", "reliability", "--out"], ["compare", "reliability", "--figure"], ["explore", "none", "--svg"]),
        *(
            ["matrix"],
            ["matrix", "--out"],
            ["help"],
            ["--load"],
            ["compare", "reliability", "--by"],
            ["matrix", "--seed"],
        ),
        *(["run", "reliability", "--log"], ["run", "reliability", "--seed"], ["sweep", "reliability", "--units"]),
    ]
)
WORDS = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["--", "-", "--x", "=", "a=", "=a", "a=b=c", "nodes", "x" * 200_000, "nodes=" + "9" * 200_000, ""]),
    st.sampled_from(NAMES).flatmap(lambda name: st.text(max_size=6).map(lambda text: f"{name}={text}")),
    st.sampled_from(NAMES).flatmap(lambda name: st.integers().map(lambda number: f"{name}={number}")),
)


@settings(max_examples=EXAMPLES // 3, suppress_health_check=list(HealthCheck))
@given(begin=OPTIONS, words=st.lists(WORDS, max_size=2))
def test_a_bad_command_ends_in_a_sentence(folder, command, monkeypatch, begin, words):
    # Whatever is valid would run here for its default time.
    monkeypatch.setattr(sweeps, "_compute", lambda *_: None)
    few = ["nodes=2", "messages=1"] if begin[:2] == ["run", "reliability"] or begin[0] == "trace" else []
    try:
        done = command(*begin[:2], *few, *begin[2:], *words)
    except SystemExit as end:
        assert end.code in (0, 2)
        return
    assert done.status in (0, 2, 3, 4)
    assert len(done.err) < LONGEST and "Traceback" not in done.err
    assert not done.err or done.err.startswith("relnet: ")


def test_a_deleted_working_folder_is_said(sample, tmp_path, monkeypatch, command):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    for words in (
        ["run", sample, "nodes=7"],
        ["sweep", sample, "nodes=7", "--out", "x.csv"],
        ["run", sample, "--tables", "x"],
        ["trace", sample, "--out", "x.txt"],
        ["explore", "none", "messages=1", "--no-cache"],
    ):
        done = command(*words)
        assert done.status == 2, words
        assert done.err == "relnet: The working folder no longer exists; change to another one.\n", words
    os.chdir(tmp_path)


def test_an_end_before_the_begin_is_refused(command):
    done = command("trace", "reliability", "--begin", "5s", "--end", "1s")
    assert (done.status, done.err) == (2, "relnet: end is '1s', which is before begin, '5s'.\n")


@pytest.mark.parametrize("value", [np.array(3), np.int64(3), 3.0, "3", Decimal(3), np.float64(3)])
def test_one_value_of_numpy_is_a_value(value):
    frame = relnet.sweep("reliability", seeds=value, **SMALL | {"nodes": value})
    assert list(frame["Nodes"]) == [3] * 3 and list(frame["seed"]) == [1, 2, 3]


@pytest.mark.parametrize("value", [np.timedelta64(5, "s"), np.timedelta64(5000, "ms"), datetime.timedelta(seconds=5)])
def test_a_duration_is_a_time_and_no_number(value):
    assert relnet.run("reliability", **SMALL, timelimit=value).attrs["parameters"]["TimeLimit"] == "5s"
    for name in ("Nodes", "Loss", "Size"):
        with pytest.raises(relnet.RelnetError, match=f"{name} is .*; it has to be a"):
            relnet.run("reliability", **{key: one for key, one in SMALL.items() if key != name.lower()} | {name: value})


def test_long_values_are_not_echoed(command):
    for words in (
        ["run", "reliability", "loss=" + "x" * 200_000],
        ["run", "reliability", "nodes=" + "9" * 200_000],
        ["run", "x" * 200_000],
        ["run", "reliability", "x" * 200_000 + "=1"],
        ["show", "x" * 200_000],
        ["x" * 200_000],
        ["run", "reliability", "pattern=goal", "pattern.File=" + "x" * 200_000],
    ):
        done = command(*words)
        assert done.status == 2 and len(done.err) < LONGEST and done.err.startswith("relnet: ")


GOAL = "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 3\n}\nrank 1 {\nl1: recv 8b from 0 tag 3\n}\n"
GRAPH = "switch a\nswitch b\nhost x\nhost y\nlink a b\nlink a x\nlink b y\n"
FABRIC = """Switch 129 "S-1" # "leaf" enhanced port 0 lid 13 lmc 0
[23] "H-1"[1] # "node1 HCA-1" lid 9 4xNDR
[24] "H-2"[1] # "node2 HCA-1" lid 28 4xNDR
Ca 1 "H-1" # "node1 HCA-1"
[1] "S-1"[23] # lid 9 lmc 0 "leaf" lid 13 4xNDR
Ca 1 "H-2" # "node2 HCA-1"
[1] "S-1"[24] # lid 28 lmc 0 "leaf" lid 13 4xNDR
"""
WORMHOLES = "node a\nnode b\nrouter c\nlink a b 2\nchannel b c\nchannel c a\nlink c b\n"
TRACE = """trace 1
nodes 2
block 0 node 0 thread - signals 0 duration 10
  data to 1 bytes 8 at 2 target -
block 1 node 1 thread - signals 0 duration 3
"""
READERS = {
    "goal": (GOAL, "reliability", "pattern.File", {"pattern": "goal", "nodes": 2}),
    "mpi-goal": (GOAL, "mpi-goal", "File", {}),
    "myrinet": (
        GRAPH,
        "reliability",
        "network.TopologyFile",
        {"network": "myrinet", "network.Topology": "graph", "nodes": 2},
    ),
    "infiniband": (
        FABRIC,
        "reliability",
        "network.TopologyFile",
        {"network": "infiniband", "network.Topology": "file", "nodes": 2},
    ),
    "wormhole": (WORMHOLES, "idempotent", "TopologyFile", {"topology": "graph", "nodes": 2}),
    "trace": (TRACE, "idempotent", "TraceFile", {"benchmark": "file", "nodes": 0}),
}
"""Text of a file, its scenario, its parameter, and further parameters."""
MUTANTS = EXAMPLES // 2
"""Number of changed files of each kind."""


def mutant(text, draw):
    """Change some bytes of a text."""
    body = bytearray(text.encode())
    for _ in range(draw.randint(1, 3)):
        place = draw.randrange(len(body))
        kind = draw.randrange(4)
        if kind == 0:
            body[place] = draw.randrange(256)
        elif kind == 1:
            body[place:place] = draw.choice([b"\xe9", b"\xff\xfe", b"4294967294 ", b"-1", b"\n", b"1e400", b"\0"])
        elif kind == 2:
            del body[place : place + draw.randint(1, 9)]
            body += b"#"
        else:
            body += body[place:]
    return bytes(body)


@pytest.mark.parametrize("reader", READERS)
def test_a_changed_file_ends_in_a_sentence(tmp_path, reader):
    """In a topology, a schedule or a trace, such as a name in Latin-1."""
    text, name, parameter, others = READERS[reader]
    draw = random.Random(reader)
    settings = []
    for number in range(MUTANTS):
        path = tmp_path / f"{number}"
        path.write_bytes(mutant(text, draw))
        settings.append(others | {parameter: path})
    (tmp_path / "whole").write_text(text)
    assert check_settings(relnet.describe(name), [others | {parameter: tmp_path / "whole"}]) == [""]
    sentences = check_settings(relnet.describe(name), settings)
    assert len(sentences) == MUTANTS and sum(map(bool, sentences)) > MUTANTS // 2
    for one, sentence in zip(settings, sentences, strict=True):
        sentence.encode()
        if not sentence:
            with contextlib.suppress(relnet.RelnetError):
                relnet.run(name, **one | {"TimeLimit": "1ms"} if name == "reliability" else one, cache=False)


@pytest.mark.parametrize("bad", [b"\xe9", b"\xff\xfe", b"\xc3\xa9"])
def test_a_byte_that_is_not_ascii_is_named_with_its_line(tmp_path, bad, command):
    for reader, (text, name, parameter, others) in READERS.items():
        path = tmp_path / reader
        path.write_bytes(text.encode() + b"name-" + bad + b" x y z\n")
        done = command("run", name, *(f"{key}={value}" for key, value in others.items()), f"{parameter}={path}")
        assert done.status == 2 and f"{path}" in done.err and "line" in done.err, (reader, done.err)


def test_a_goal_without_a_schedule_is_refused(command):
    done = command("run", "reliability", "pattern=goal")
    told = "relnet: The pattern goal needs a schedule: set pattern.File=FILE.\n"
    assert (done.status, done.err) == (2, told)
