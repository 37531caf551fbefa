# SPDX-License-Identifier: GPL-2.0-only
"""Papers `uet` and `sdr`, and what users of other simulators report that concerns their protocols."""

import re
from itertools import product
from pathlib import Path

import pytest

import relnet
from relnet.experiments import claims
from relnet.experiments.definitions import Scale
from relnet.papers import find
from relnet.papers.sdr import closed_forms, grid
from relnet.papers.sdr import setup as long_link
from relnet.papers.sdr.closed_forms import MDS, REPEAT, XOR
from relnet.papers.uet import losses, setup, validation

ROOT = Path(__file__).resolve().parents[1]
PUBLISHED, QUICK = Scale("published", 1), Scale("quick", 1)
TRIMMING = {"network.admission": "trim", "network.trimthreshold": 20_000}


@pytest.mark.parametrize("paper", ["uet", "sdr"])
def test_every_point_has_a_command_and_every_number_a_name(paper):
    found = find(paper)
    for experiment in found.experiments:
        for scale in (PUBLISHED, QUICK):
            points = experiment.points(scale)
            assert points and len(experiment.command(scale)) == len(points)
            # No path of this machine.
            assert not any(str(ROOT) in line for line in experiment.command(scale))
    numbers = {one.id for one in claims.read(paper) if one.value is not None}
    assert numbers == set(found.names)


def test_lone_flows_of_htsim_are_closed_forms():
    known = claims.published_values("uet")
    assert setup.lone_flow(setup.FLOW, 6) == pytest.approx(known["U-H01"], abs=0.005)
    assert setup.lone_flow(10 * setup.PAYLOAD, 6) == pytest.approx(known["U-H03"], abs=0.0005)


def test_queues_and_timeouts_are_those_of_htsim():
    """One bandwidth-delay product of 43 packets, marks from 9 to 35 of them, and 29, 6 and 24 with two tiers."""
    for hops, counts, timeout in ((6, (43, 9, 35), "100.656us"), (4, (29, 6, 24), "72.768us")):
        given = setup.physics(hops)
        sizes = [given[f"network.{name}"] / setup.PACKET for name in ("buffer", "ecnlow", "ecnhigh")]
        assert (tuple(sizes), given["protocol.rto"]) == (counts, timeout)


def test_a_lone_flow_is_confirmed_after_the_time_of_the_closed_form():
    run = relnet.run("fabric", **validation.SMALL[validation.ONE])
    flows = run.attrs["tables"]["Flows"]
    assert flows["confirmed"].iloc[0] == pytest.approx(setup.lone_flow(setup.FLOW, 6), abs=0.01)
    assert flows["fct"].iloc[0] < flows["confirmed"].iloc[0]
    assert (run.Packets, run.Repeats) == (490, 0)
    assert 122 <= run.Answers <= 130


def test_closed_forms_are_those_of_the_module():
    """Columns of the forms in the table of sdr.rst, which are computed in C++ [ms]."""
    page = (ROOT / "contrib" / "sdr" / "doc" / "sdr.rst").read_text()
    rows = re.findall(r"^(\d+) +(0\.\d+) +\d+ +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+$", page, re.M)
    assert len(rows) == 7
    for chunks, loss, *times in rows:
        link = long_link.model(float(loss))
        for scheme, told in zip((REPEAT, XOR, MDS), times, strict=True):
            mean = closed_forms.completion_time(scheme, link, int(chunks)).mean / 1000
            assert f"{mean:.2f}" == told, (chunks, loss, scheme)


@pytest.mark.parametrize(
    ("size", "loss", "repeat", "mds"),
    [(1 << 30, 1e-5, 56.7, 52.5), (1 << 30, 1e-6, 48.1, 52.5), (1 << 33, 1e-5, 218.6, 245.1)],
)
def test_closed_forms_of_long_messages_are_those_of_the_page(size, loss, repeat, mds):
    """Chunks of 64 KiB [ms]."""
    link = long_link.model(loss, packets=grid.CHUNK_PACKETS)
    chunks = size // (grid.CHUNK_PACKETS * long_link.PACKET)
    times = [closed_forms.completion_time(scheme, link, chunks).mean / 1000 for scheme in (REPEAT, MDS)]
    assert times == pytest.approx([repeat, mds], abs=0.06)


def test_a_chunk_is_lost_with_any_of_its_packets():
    assert closed_forms.chunk_loss(1e-5, 64) == pytest.approx(6.4e-4, rel=1e-3)
    assert closed_forms.chunk_loss(0.5, 2) == pytest.approx(0.75)


@pytest.mark.parametrize("admission", [{}, TRIMMING], ids=["drop", "trim"])
def test_all_options_of_uet_run_together(admission):
    """csg-htsim 9, PR 10: an option crashes or has no effect."""
    choices = product(
        ("rud", "rod", "rudi", "uud"),
        ("single", "oblivious", "bitmap", "reps"),
        ("none", "window", "dcqcn", "swift", "nscc"),
    )
    small = {"nodes": 4, "workload": "incast", "senders": 3, "size": 60_000, "queuepairs": 1, "network.paths": 8}
    for mode, spraying, control in choices:
        options = {"mode": mode, "spraying": spraying, "congestioncontrol": control, "retries": 14}
        given = {f"protocol.{name}": value for name, value in options.items()}
        run = relnet.run("fabric", protocol="uet", cache=False, **small, **admission, **given)
        assert run.Verdict == "completed" or mode == "uud", (options, run.VerdictReason)


@pytest.mark.parametrize("name", ["Spraying", "CongestionControl", "Mode"])
def test_an_unknown_option_is_an_error(name):
    """A fork of uet-htsim: a mode without a branch means no control."""
    with pytest.raises(relnet.RelnetError, match=name):
        relnet.run("reliability", protocol="uet", **{f"protocol.{name}": "12"})


def test_rod_ends_in_an_incast_that_overflows():
    """astra-sim 366: continuous drops, and no completion at many ranks."""
    incast = {"nodes": 64, "workload": "incast", "senders": 63, "size": 6_300_000, "network.buffer": 50_000}
    run = relnet.run("fabric", protocol="uet", **incast, **{"protocol.mode": "rod", "protocol.retries": 14})
    assert run.Verdict in ("completed", "failed") and run.Drops > 1000
    assert (run.Delivered + run.GivenUp, run.Pending) == (63, 0)


@pytest.mark.parametrize("protocol", ["roce", "irn", "uet", "mrc", "sdr"])
def test_losses_and_repeats_are_visible(protocol):
    """ns3-rdma 18: no retransmission is visible. The network and a recording count the same ones as the protocol."""
    scheme = {"protocol.scheme": "selective-repeat"} if protocol == "sdr" else {}
    messages = {"network": "fabric", "nodes": 4, "size": 50_000, "messages": 10, "loss": 0.02}
    recording = relnet.trace("reliability", protocol=protocol, limit=1_000_000, **messages, **scheme)
    run = recording.results
    repeats = run.attrs["tables"]["ProtocolEvents"].set_index("Event")["Count"]["repeat"]
    assert run.FramesLost > 0
    assert run.FramesRepeated == repeats > 0
    data = recording.frames[recording.frames["bytes"] > 200]
    assert data["repeated"].sum() == repeats


@pytest.mark.parametrize("protocol", ["uet", "mrc"])
def test_a_lossless_incast_repeats_nothing(protocol):
    """Packets wait behind the windows of 255 flows, and their timers begin when they leave."""
    incast = {"workload": "incast", "nodes": 256, "senders": 255, "size": 127_500_000}
    run = relnet.run("fabric", protocol=protocol, **incast, **{"network.admission": "pfc"})
    assert (run.Verdict, run.Delivered, run.Drops, run.Repeats) == ("completed", 255, 0, 0)


@pytest.mark.parametrize("timeout", ["5us", "20us", "1ms"])
@pytest.mark.parametrize("loss", [0.01, 0.2])
@pytest.mark.parametrize("mode", ["rud", "rod", "rudi"])
def test_any_timeout_and_loss(mode, loss, timeout):
    """uccl 117: a crash on drops after a timeout; also with one below the round trip."""
    given = {"protocol.mode": mode, "protocol.rto": timeout, "protocol.retries": 14}
    messages = {"network": "fabric", "nodes": 3, "size": 20_000, "messages": 5, "loss": loss}
    run = relnet.run("reliability", protocol="uet", **messages, **given)
    assert run.Verdict == "completed", run.VerdictReason
    assert run.Delivered + run.GivenUp == run.Posted == 15
    assert mode == "rudi" or run.Duplicates == 0


def test_losses_cover_the_protocols_of_both_halves():
    """Every reliable one, with trimming and without."""
    cells = losses._cells(PUBLISHED)
    assert {system for system, *_ in cells} >= {"roce", "irn", "uet RUD", "uet ROD", "uet RUDI", "tcp", "none"}
    assert {(switch, loss) for _, switch, loss in cells} == set(product(("drop", "trim"), (0.0, 0.001, 0.01, 0.05)))
