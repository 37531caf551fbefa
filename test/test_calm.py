# SPDX-License-Identifier: GPL-2.0-only
"""Runs without faults: no waits for timers, no repetitions, and no protocols that are equal without a reason."""

from pathlib import Path

import calm
import pytest

import relnet
from relnet.studies import fault_matrix

CONTRIB = Path(__file__).parents[1] / "contrib"
PAGES = {
    "am2": "parastation/doc/parastation.rst",
    "ppbcast": "eqa/doc/eqa.rst",
    "p0": "pcode/doc/pcode.rst",
    "mpi rc-native": "mpi-ranks/doc/mpi-ranks.rst",
}
"""Page of each set of `calm.EQUALS`, by the first of its protocols."""


@pytest.fixture(scope="module", autouse=True)
def _cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RELNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def test_calm_runs_are_explained():
    """All protocols over a shared, a switched and a lossless network."""
    frame = calm.measure(("uniform",), (1000,), 5, network="csma,switch,infiniband")
    assert calm.unexplained(frame) == []
    assert (frame["verdict"] == "exact").sum() > 40


def test_repeats_on_a_shared_channel_are_declared():
    """A station of csma waits for as long as others send, longer than the timeout of roce."""
    frame = calm.measure(("uniform",), (65536,), network="csma", protocol="roce")
    assert frame["frames repeated"].max() > 0
    assert calm.unexplained(frame) == []


def test_long_messages_of_a_lossless_network_repeat_nothing():
    """Messages of 44 frames, from three senders to one receiver."""
    given = {"network": "infiniband", "protocol": "parastation2,am2,vmmc2,mpi,idempotent"}
    frame = calm.measure(("hot-spot",), (65536,), 5, **given)
    assert calm.unexplained(frame) == []
    strict = frame[frame["when calm"] == ""]
    assert len(strict) >= 4 and (strict["frames repeated"] == 0).all() and (strict["timer wait [us]"] == 0).all()


def test_waste_that_is_not_declared_breaks_a_promise(monkeypatch):
    """A timeout below the queueing repeats frames on a lossless network."""
    monkeypatch.setitem(fault_matrix.STAGGERED, "vmmc2", {"protocol.Timeout": 1})
    frame = calm.measure(("uniform",), (4000,), 5, network="infiniband", protocol="vmmc2")
    (cell,) = frame.to_dict("records")
    assert cell["promise is"] == "broken" and cell["verdict"] == "exact" and cell["frames repeated"] > 0
    (sentence,) = calm.unexplained(frame)
    assert "Nothing was lost, but" in sentence and "protocol.Timeout=1.0" in sentence
    assert fault_matrix.status(frame) == 3 and "sent again in 1." in " ".join(fault_matrix.text(frame))


def test_losses_explain_waits_and_repetitions():
    lossy = {"network": "infiniband", "protocol": "vmmc2", "pattern": "stream", "nodes": 2, "messages": 20, "loss": 0.1}
    run = relnet.run("reliability", **lossy)
    assert run["FramesRepeated"] > 0 and run["TimerWait"] > 0 and run["CalmWaste"] == ""


def test_full_tables_are_losses():
    """Messages that find the receive table full are sent again, which no promise excludes."""
    full = {"network": "infiniband", "protocol": "idempotent", "protocol.receivetable": 1, "pattern": "hot-spot"}
    run = relnet.run("reliability", nodes=4, messages=20, **full)
    losses = relnet.tables(run)["Losses"]
    places = dict(zip(losses["place"], losses["count"], strict=True))
    assert places["full receive table"] > 0 and run["CalmWaste"] == ""


def test_measured_queueing_avoids_repetitions():
    """Answers that wait behind sixteen messages are late, not lost."""
    stream = {
        "network": "switch",
        "protocol": "idempotent",
        "pattern": "stream",
        "nodes": 2,
        "messages": 50,
        "size": 1000,
    }
    adaptive, fixed = (relnet.run("reliability", **stream, **{"protocol.adaptive": on}) for on in (True, False))
    assert adaptive["FramesPerMessage"] < 3.2 and fixed["FramesPerMessage"] > 6


@pytest.mark.parametrize("known", calm.EQUALS, ids=min)
def test_reason_of_equal_protocols_is_on_their_page(known):
    text = " ".join((CONTRIB / PAGES[min(known)]).read_text().split())
    assert "equal to the last digit" in text
    assert all(f"``{name.split()[0]}``" in text for name in known)


@pytest.mark.parametrize(
    ("protocols", "given"),
    [
        (("am2", "parastation2", "vmmc2"), {"network": "infiniband", "loss": 0.1}),
        (("am2", "parastation2", "vmmc2"), {"network": "csma", "pattern": "uniform", "nodes": 16, "size": 20000}),
        (("sbcast", "ppbcast"), {"network": "switch", "pattern": "broadcast", "pattern.hardware": True, "size": 4000}),
        (("p0", "p1", "pcode"), {"network": "switch", "loss": 0.1, "protocol.nackstagger": "1ms"}),
    ],
    ids=["loss", "shared channel", "broadcasts", "lanes under loss"],
)
def test_equal_protocols_differ_where_their_pages_say(protocols, given):
    settings = {"pattern": "stream", "nodes": 4, "messages": 20} | given
    times = [relnet.run("reliability", protocol=protocol, **settings)["Time"] for protocol in protocols]
    assert len(set(times)) == len(protocols)
