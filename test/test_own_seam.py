# SPDX-License-Identifier: GPL-2.0-only
"""Selective repeat and a network with two paths, each from one file, compiled as a user would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import relnet

ROOT = Path(__file__).resolve().parent.parent
FEW = {"nodes": 4, "messages": 50}
WRAP = {"messages": "6", "capacity": 2, "protocol.Modulus": 4, "protocol.Window": 2}
# 200 messages of 4000 bytes are more than a queue of 65536 bytes.
OVERLOAD = {
    "network": "two-paths",
    "protocol": "selective-repeat",
    "nodes": 2,
    "messages": 200,
    "size": 4000,
    "pattern.Window": 64,
}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """The two examples as libraries."""
    flags = subprocess.run([sys.executable, "-m", "relnet.build"], capture_output=True, text=True, check=True).stdout
    folder = tmp_path_factory.mktemp("seam")
    made = []
    for name in ("selective_repeat", "two_paths"):
        library = folder / f"lib{name}.so"
        line = ["c++", ROOT / "examples" / f"{name}.cc", "-Wall", "-Wextra", "-o", library, *flags.split(), "-O0"]
        ended = subprocess.run(line, capture_output=True, text=True, check=False)
        warnings = [line for line in ended.stderr.splitlines() if "selective_repeat" in line or "two_paths" in line]
        assert ended.returncode == 0 and not any("warning" in line for line in warnings), ended.stderr
        made.append(library)
    return made


@pytest.fixture
def loaded(libraries, monkeypatch):
    monkeypatch.setenv("RELNET_LIBRARIES", os.pathsep.join(map(str, libraries)))


def events(run):
    """The counts of the protocol by name."""
    return run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]


def test_loss_and_duplication_are_repaired(loaded):
    run = relnet.run(
        "reliability",
        network="csma",
        protocol="selective-repeat",
        loss=0.1,
        duplication=0.1,
        **FEW | {"messages": 200, "pattern.Window": 16},
    )
    assert (run.Outcome, run.Verdict, run.Delivered) == ("exact", "completed", 800)
    assert "once" in run.Promise
    assert events(run)["hole"] > 0 and events(run)["timeout"] > 0


@pytest.mark.parametrize("size", [0, 1, 100_000])
def test_messages_of_any_size(loaded, size):
    run = relnet.run(
        "reliability", network="csma", protocol="selective-repeat", loss=0.1, size=size, nodes=2, messages=5
    )
    assert (run.Outcome, run.Delivered) == ("exact", 10)


def test_congestion_control_follows_marks(loaded):
    paths = {}
    for threshold in (1 << 14, 1 << 20):
        run = relnet.run("reliability", **OVERLOAD, **{"network.Threshold": threshold})
        assert (run.Outcome, run.Verdict, run.Delivered) == ("exact", "completed", 400)
        paths[threshold] = run.attrs["tables"]["Paths"].sum()
        assert (run.attrs["tables"]["Paths"]["Frames"] > 0).all()
    marked, unmarked = paths.values()
    assert marked["Marks"] > 0 and marked["Drops"] == 0
    assert unmarked["Marks"] == 0 and unmarked["Drops"] > 0


def test_frames_that_overtake_each_other_on_two_paths_are_not_lost(loaded):
    run = relnet.run("reliability", network="two-paths", protocol="selective-repeat", **FEW)
    assert (run.Outcome, run.attrs["tables"]["Paths"]["Drops"].sum()) == ("exact", 0)
    assert not events(run).any()


@pytest.mark.parametrize("faults", ["loss", "loss,duplicate=2"])
def test_search_is_sound_while_numbers_repeat(loaded, faults):
    assert relnet.explore("selective-repeat", faults=faults, **WRAP).outcome == "sound"


def test_search_finds_repeated_numbers_without_a_bound(loaded):
    """Without order and a known rate, no number of numbers suffices, and the protocol promises nothing."""
    found = relnet.explore("selective-repeat", faults="loss,duplicate=1,reorder", **WRAP)
    assert found.outcome == "violated", found.sentence


def test_window_is_at_most_half_of_the_numbers(loaded):
    with pytest.raises(relnet.RelnetError, match="half of Modulus"):
        relnet.explore("selective-repeat", **WRAP | {"protocol.Window": 3})


def test_every_network_of_the_matrix_delivers_exactly(loaded):
    pairs = [pair for pair in relnet.matrix(nodes=4).itertuples() if pair.protocol == "selective-repeat"]
    assert len(pairs) > 5
    for pair in pairs:
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        run = relnet.run(
            "reliability", network=pair.network, protocol="selective-repeat", size=64, nodes=4, messages=20
        )
        assert (run.Outcome, run.Verdict) == ("exact", "completed"), (pair, run.VerdictReason)
