# SPDX-License-Identifier: GPL-2.0-only
"""Any protocol over any network, including those of ns-3 and of the examples."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import relnet
from relnet.catalog import overview

ROOT = Path(__file__).resolve().parent.parent
SMALL = {"nodes": 4, "messages": 20}
# Their nodes send NACKs for as long as they run, so that frames may be in flight when a run ends.
ENDLESS = ("p0", "p1")
# One message of a node at a time, which no other of the same pair can overtake.
SINGLE = {"pattern.Window": 1, "pattern.Closed": "completion"}
# Without it, the NACKs of P0 and P1 stay in step, and on Wi-Fi frames that are sent at the same time collide.
STAGGER = {("wifi", name): {"protocol.NackStagger": "1ms"} for name in ("p0", "p1")}


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """The example network, protocol and fault as three libraries."""
    flags = subprocess.run([sys.executable, "-m", "relnet.build"], capture_output=True, text=True, check=True).stdout
    made = []
    for name in ("own_network", "own_protocol", "own_fault"):
        library = tmp_path_factory.mktemp("own") / f"lib{name}.so"
        source = ROOT / "examples" / f"{name}.cc"
        ended = subprocess.run(
            ["c++", source, "-o", library, *flags.split(), "-O0"], capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0 and not ended.stderr, ended.stderr
        made.append(library)
    return made


@pytest.fixture
def loaded_own(own, monkeypatch):
    monkeypatch.setenv("RELNET_LIBRARIES", os.pathsep.join(map(str, own)))


def pair_run(pair, **parameters):
    """The results of one pair of the matrix with small messages."""
    names = {"network": pair.network, "protocol": pair.protocol}
    design = {"protocol.Design": pair.design} if pair.design else {}
    return relnet.run("reliability", size=64, **names, **design, **STAGGER.get(tuple(names.values()), {}), **parameters)


def test_devices_over_myrinet_cut_packets_to_its_frames():
    """Torture runs showed that TCP aborts if the network's frames are shorter than those of Ethernet."""
    run = relnet.run(
        "reliability", network="myrinet", protocol="tcp", nodes=2, size=1094, messages=1, **{"network.mtu": 1159}
    )
    assert (run["Verdict"], run["Outcome"]) == ("completed", "exact")


@pytest.mark.parametrize("days", [150, 250])
@pytest.mark.parametrize(("network", "name"), [("myrinet", "A Myrinet"), ("fabric", "An Ethernet fabric")])
def test_networks_refuse_frames_when_their_picoseconds_end(network, name, days):
    """A frame after 213 days overflowed 64 bits of picoseconds, and the run went on for ever."""
    timed = {"network": network, "nodes": 2, "messages": 3, "timelimit": f"{days + 1}d"}
    if days < 200:
        assert relnet.run("reliability", **timed, **{"pattern.StartTime": f"{days}d"})["Verdict"] == "completed"
        return
    with pytest.raises(relnet.CrashError, match=f"{name} counts picoseconds"):
        relnet.run("reliability", **timed, **{"pattern.StartTime": f"{days}d"})


def test_nagle_does_not_hold_back_the_repetition_of_a_short_segment():
    """Without an acknowledgement, ns-3's TCP would never send it again, and no timer would run any more."""
    done = relnet.run(
        "reliability", network="fabric", protocol="tcp", nodes=4, size=0, messages=1, burstbegin=0.1, seed=1,
        timelimit="10000s", **{"protocol.Nagle": True}
    )  # fmt: skip
    assert done["FramesLost"] > 0 and (done["Verdict"], done["Uncompleted"]) == ("completed", 0)


def test_nacks_of_one_node_to_several_others_do_not_stay_in_step():
    """A port for one frame at a time always lost all of them except the first, without any fault."""
    parameters = {"nodes": 4, "messages": 1, "size": 1, "emulatebroadcast": True, "protocol.NackStagger": "1ms"}
    done = relnet.run("reliability", network="myrinet", protocol="pcode", timelimit="1s", seed=1570259342, **parameters)
    assert (done.Verdict, done.Outcome) == ("completed", "exact")


def test_nacks_that_find_the_port_busy_with_a_broadcast_are_sent_later():
    """Several frames for each broadcast occupy the port; the lanes of a node have timers with the same period."""
    given = {"nodes": 5, "size": 1, "messages": [1, 5], "emulatebroadcast": True, "timelimit": "2s", "seeds": 4}
    faults = {"protocol.NackStagger": "1ms", "network.Corruption": [0, 0.1]}
    frame = relnet.sweep("reliability", network="wormhole", protocol=["p0", "p1", "pcode"], **given, **faults)
    assert set(frame["Verdict"]) == {"completed"}


def test_outcome_shows_the_fault():
    """Without a protocol a lost frame is a lost message, and no promise is broken."""
    whole = relnet.run("reliability", network="csma", protocol="none", **SMALL)
    assert (whole.Outcome, whole.Verdict, whole.Posted, whole.Delivered) == ("exact", "completed", 80, 80)
    lossy = relnet.run("reliability", network="csma", protocol="none", loss=0.2, **SMALL)
    assert (lossy.Outcome, lossy.Verdict) == ("loses", "completed")
    assert lossy.Delivered + lossy.Lost == lossy.Posted == 80


@pytest.mark.parametrize("loss", [0.95, 1])
def test_run_lasts_until_the_last_frame_is_lost(loss):
    """A message without retransmission is lost when its frame is lost, not at the end of the run."""
    run = relnet.run("reliability", network="csma", protocol="none", loss=loss, pattern="uniform", nodes=4, messages=90)
    faults = run.attrs["tables"]["Faults"].set_index("Event")["Count"]
    assert run.Lost == faults["lost"] == run.Posted - run.Delivered


def test_every_pair_runs_or_is_refused_with_a_reason():
    """Each valid pair of the matrix delivers all messages without faults."""
    matrix = relnet.matrix(nodes=2)
    for pair in matrix.itertuples():
        if pair.reason:
            assert pair.reason.endswith("."), pair
            continue
        found = pair_run(pair, nodes=2, messages=5)
        assert (found.Outcome, found.Verdict) == ("exact", "completed"), (pair, found.VerdictReason)


def test_reliable_protocols_keep_their_promises_under_loss():
    for pair in relnet.matrix(nodes=4).itertuples():
        if pair.reason or pair.network not in ("csma", "wormhole"):
            continue
        found = pair_run(pair, loss=0.05, **SMALL)
        if "complete" in found.Promise:
            allowed = ("exact",) if "ordered" in found.Promise else ("exact", "reorders")
            assert found.Outcome in allowed and found.Verdict == "completed", (pair, found.VerdictReason)
            single = pair_run(pair, loss=0.05, **SMALL, **(SINGLE if "reorders" in found.Outcome else {}))
            assert (single.Outcome, single.Verdict) == ("exact", "completed"), (pair, single.VerdictReason)


def test_backoff_of_idempotent_messaging_is_that_of_its_network():
    """C = 3 cycles of a router are not 3 ns of a segment: few messages are repeated before they can be acknowledged."""
    given = {"network": "csma", "host": "free", "nodes": 2, "messages": 50, **SINGLE}
    found = relnet.run("reliability", protocol="idempotent", loss=0.1, **given)
    assert found.Outcome == "exact"
    assert 3 < found.FramesPerMessage < 5


def test_own_network_and_own_protocol_join_ours(loaded_own):
    """A network and a protocol of one file each, in both directions and with each other."""
    for network, protocol in (("cloud", "none"), ("csma", "repeat"), ("wormhole", "repeat"), ("cloud", "repeat")):
        found = relnet.run("reliability", network=network, protocol=protocol, **SMALL, **SINGLE)
        reordered = (network, protocol) == ("cloud", "none")
        assert found.Outcome in (("exact", "reorders") if reordered else ("exact",)), (network, protocol)
    lossy = relnet.run(
        "reliability",
        network="cloud",
        protocol="repeat",
        loss=0.3,
        **{"network.Jitter": "1us", "protocol.RoundTrips": 2},
        **SMALL,
        **SINGLE,
    )
    assert lossy.Outcome == "exact"
    assert 2.2 < lossy.FramesPerMessage < 5
    with pytest.raises(relnet.RelnetError, match="net devices"):
        relnet.run("reliability", network="cloud", protocol="tcp", **SMALL)


def test_attributes_of_own_fault_become_parameters(loaded_own):
    """The fault of one file takes part in runs with our networks and protocols, or is refused with its reason."""
    period = relnet.describe("reliability").parameter("InterferencePeriod")
    assert (period.kind, period.default, overview.group(period)) == ("time", "0s", "faults")
    quiet = relnet.run("reliability", network="csma", protocol="none", **SMALL)
    assert quiet.Outcome == "exact"
    found = relnet.run("reliability", network="csma", protocol="none", interferenceperiod="200us", **SMALL)
    counts = found.attrs["tables"]["Faults"].set_index("Event")["Count"]
    assert 0 < counts["lost by interference"] == found.Lost < found.Posted
    kept = relnet.run(
        "reliability", protocol="idempotent", network="csma", interferenceperiod="200us", **SMALL, **SINGLE
    )
    assert (kept.Outcome, kept.Verdict) == ("exact", "completed")
    with pytest.raises(relnet.RelnetError, match="a medium that all nodes share"):
        relnet.run("reliability", network="wormhole", protocol="none", interferenceperiod="200us", **SMALL)


def test_error_model_of_ns3_is_a_fault():
    """Given as text, over frames and over sockets; other texts are refused."""
    model = "ns3::RateErrorModel[ErrorRate=0.2|ErrorUnit=ERROR_UNIT_PACKET]"
    run = relnet.run("reliability", network="csma", protocol="none", errormodel=model, **SMALL)
    counts = run.attrs["tables"]["Faults"].set_index("Event")["Count"]
    assert run.Outcome == "loses" and run.Lost == counts["lost by the error model"]
    for network, protocol in (("wormhole", "idempotent"), ("csma", "tcp")):
        run = relnet.run("reliability", network=network, protocol=protocol, errormodel=model, **SMALL, **SINGLE)
        assert (run.Outcome, run.Verdict) == ("exact", "completed")
        assert run.attrs["tables"]["Faults"].set_index("Event")["Count"]["lost by the error model"] > 0
    swept = relnet.sweep("reliability", network="csma", protocol="none", errormodel=["", model], **SMALL)
    assert list(swept.Outcome) == ["exact", "loses"]
    for wrong in ("ns3::RateErrorModel[ErrorRate=often]", "ns3::Node", "loss"):
        with pytest.raises(relnet.RelnetError, match="ErrorModel cannot be"):
            relnet.run("reliability", errormodel=wrong, **SMALL)


def test_datagrams_arrive_that_take_longer_than_a_millisecond():
    """1200 bytes on 10 Mbit/s; the senders collide first."""
    run = relnet.run("reliability", network="segment", protocol="udp", nodes=2, size=1200, messages=2)
    assert (run["Outcome"], run["Delivered"]) == ("exact", 4)


def check_losses(run):
    """Each frame has arrived, is lost at one place, or is in flight."""
    losses = run.attrs["tables"]["Losses"]
    below = losses["layer"].isin(["network", "faults"])
    assert run.FramesLost == losses.loc[below, "count"].sum()
    assert run.FrameCopies == run.FramesArrived + run.FramesLost + run.FramesInFlight


@pytest.mark.parametrize("loss", [0, 0.1])
def test_every_frame_arrives_or_is_lost_at_a_place(loss):
    """For each protocol over each network; nothing is in flight at the end of a protocol that falls silent."""
    for pair in relnet.matrix(nodes=4).itertuples():
        if not pair.reason:
            run = pair_run(pair, loss=loss, host="free", **SMALL)
            check_losses(run)
            assert run.FramesInFlight == 0 or pair.protocol in ENDLESS, pair


@pytest.mark.parametrize(
    ("place", "parameters"),
    [
        ("switch 0 port", {"network": "switch", "protocol": "none", "pattern": "hot-spot", "pattern.Window": 100}),
        ("wormhole router: ", {"network": "wormhole", "protocol": "idempotent", "messages": 50}),
        ("Myrinet: crc", {"network": "myrinet", "protocol": "parastation2", "network.Corruption": 1e-4}),
        ("packet loss", {"network": "infiniband", "protocol": "none", "network.PacketLoss": 0.1}),
        ("retry limit", {"network": "wifi", "protocol": "udp", "network.Radius": 40, "messages": 50}),
    ],
)
def test_losses_name_their_place(place, parameters):
    """Also those without a fault, such as the frames of several senders to one port."""
    run = relnet.run("reliability", **{"nodes": 4, "size": 1000} | parameters)
    check_losses(run)
    assert run.FramesLost > 0
    assert run.attrs["tables"]["Losses"]["place"].str.startswith(place).any()


@pytest.mark.parametrize("parameters", [{"network": "csma", "size": 3000}, {"network": "infiniband", "size": 1000}])
def test_sender_of_datagrams_waits_for_its_own_queue(parameters):
    """All at once; its node lost those that found the queue full."""
    run = relnet.run("reliability", protocol="udp", nodes=4, messages=50, **parameters, **{"pattern.Window": 50})
    check_losses(run)
    assert (run.Outcome, run.FramesLost) == ("exact", 0)


# Headers: Ethernet's 18, and RoCE's 20, or IP's 20, TCP's 32 and the 36 in front of a message in a stream.
@pytest.mark.parametrize(("protocol", "headers"), [("roce", 18 + 20), ("tcp", 18 + 20 + 32 + 36)])
def test_network_takes_the_time_of_a_frame(protocol, headers):
    """100 Mb/s, .5 us away; the hosts' work and the wait for the other's frame are other parts."""
    run = relnet.run("reliability", network="csma", protocol=protocol, nodes=2, messages=1, size=100)
    assert run.LatencyNetwork == pytest.approx((100 + headers) * 0.08 + 0.5)
    assert (run.TimerWait, run.Tick) == (0, 0.001)


def test_empty_messages_have_a_load():
    """Their frames are headers."""
    given = {"network": "myrinet", "protocol": "parastation2", "pattern": "uniform", "nodes": 4, "size": 0}
    half, full = (relnet.run("reliability", messages=40, load=load, **given) for load in (0.001, 0.002))
    assert half.Outcome == full.Outcome == "exact" and half.Time > 1.5 * full.Time


def test_the_help_says_whose_goodput_it_is(cache):
    """Two nodes that send to each other over a full-duplex link of 12.5 MB/s have more together."""
    given = {"network": "switch", "protocol": "tcp", "nodes": 2, "size": 1000}
    assert relnet.run("reliability", **given)["Goodput"] > 12.5
    for name, whose in (("reliability", "to all nodes together"), ("fabric", "to all hosts together")):
        (told,) = (one for one in relnet.describe(name).results if one.name == "Goodput")
        assert whose in told.help
