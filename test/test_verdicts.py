# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts mean what they say: a limit decides nothing, promises have bounds, and the exit status follows."""

import json

import pytest

import relnet
from relnet import cli
from relnet.runs.verdicts import BROKEN, KEPT, NOTHING, UNDECIDED, exit_status, judge

TCP = {"network": "csma", "protocol": "tcp", "pattern": "ping-pong", "nodes": 2, "size": 100, "messages": 3}
LATE = {"network": "csma", "nodes": 2, "messages": 1, "network.Delay": "1s", "timelimit": "900ms"}
# Hosts that take time for frames would be slower than late frames.
SLIP = {"network": "csma", "host": "free", "pattern": "stream", "nodes": 2, "messages": 400, "size": 8}
SLIP["duplication"] = 0.2


def words(parameters):
    return [f"{name}={value}" for name, value in parameters.items()]


@pytest.mark.parametrize(
    ("results", "judgement"),
    [
        ({"Verdict": "completed", "Outcome": "exact", "Promise": "complete, ended"}, KEPT),
        ({"Verdict": "violated", "Outcome": "loses", "Promise": "complete, ended"}, BROKEN),
        ({"Verdict": "deadlock", "Outcome": "hangs", "Promise": "complete, ended"}, BROKEN),
        ({"Verdict": "deadlock", "Outcome": "loses, hangs", "Promise": "ordered, intact"}, KEPT),
        ({"Verdict": "deadlock", "Outcome": "loses", "Promise": "ordered, ended"}, KEPT),
        ({"Verdict": "undecided", "Outcome": "undecided", "Promise": "once"}, UNDECIDED),
        ({"Verdict": "undecided", "Outcome": "undecided", "Promise": ""}, NOTHING),
        ({"Verdict": "violated", "Outcome": "exact", "Promise": ""}, NOTHING),
        ({"Verdict": "failed", "Outcome": "gives up", "Promise": "reported"}, KEPT),
        # Scenarios without a promise.
        ({"Verdict": "livelock"}, BROKEN),
        ({"Verdict": "deadlock"}, BROKEN),
        ({"Verdict": "violated"}, BROKEN),
        ({"Verdict": "unreachable"}, KEPT),
        ({"Verdict": "completed"}, KEPT),
        ({"Verdict": float("nan")}, KEPT),
        ({}, KEPT),
    ],
)
def test_judgement(results, judgement):
    assert judge(results) == judgement


def test_worst_judgement_is_the_exit_status():
    assert exit_status([]) == exit_status([KEPT, NOTHING]) == 0
    assert exit_status([KEPT, UNDECIDED]) == 4
    assert exit_status([UNDECIDED, BROKEN, KEPT]) == 3
    assert exit_status([BROKEN], failed=True) == 1


def test_tcp_in_its_timeouts_is_undecided():
    """Its timeouts of minutes were a deadlock at 160 s and a livelock at 300 s; the run ends after 1000 s."""
    ends = [
        relnet.run("reliability", seed=10, loss=0.65, timelimit=limit, **TCP) for limit in ("160s", "300s", "1000s")
    ]
    assert [run.Verdict for run in ends] == ["undecided", "undecided", "completed"]
    assert ends[0].VerdictReason.startswith("The run reached TimeLimit, 160 s, when 4 of 5 messages posted were del")
    assert (ends[0].Pending, ends[1].Pending, ends[2].Outcome) == (1, 1, "exact")
    assert all(run.Promise.startswith("reported, once") for run in ends)


@pytest.mark.parametrize("protocol", ["vmmc2", "none", "udp"])
def test_frames_on_the_cable_are_undecided(protocol):
    run = relnet.run("reliability", protocol=protocol, **LATE)
    assert (run.Verdict, run.Outcome, run.Pending, run.Lost) == ("undecided", "undecided", 2, 0)


def test_run_that_is_going_is_undecided():
    run = relnet.run("reliability", network="csma", protocol="window", nodes=2, messages=100_000, timelimit="100ms")
    assert run.Verdict == "undecided" and 0 < run.Delivered < 100_000
    assert f"{run.Delivered} of {run.Posted} messages posted were delivered" in run.VerdictReason


def test_lost_credits_are_a_deadlock():
    run = relnet.run(
        "reliability", network="csma", protocol="credits", pattern="stream", nodes=2, messages=70_000, loss=0.001
    )
    assert (run.Verdict, run.Outcome) == ("deadlock", "loses, hangs")
    assert run.VerdictReason.startswith("Nothing can happen any more: no event is pending, and ")
    # It promises neither to deliver nor to end on a network that loses frames.
    assert run.Promise == "ordered, intact, accurate" and judge(run) == KEPT
    # Nothing can happen any more, so that no message is still on its way.
    assert run.Posted == run.Delivered + run.Lost + run.Stuck
    assert min(run.Lost, run.Stuck) > 0 and run.Pending == run.GivenUp == 0


@pytest.mark.parametrize("protocol", ["parastation2", "vmmc2"])
def test_sequence_numbers_of_eight_bits_bear_a_bounded_slip(protocol):
    late = relnet.run("reliability", protocol=protocol, reorderbound=20_000_000, **SLIP)
    assert (late.Outcome, late.Promise, late.Verdict) == ("duplicates", "accurate", "completed")
    bounded = relnet.run("reliability", protocol=protocol, reorderbound=100_000, **SLIP)
    assert (bounded.Outcome, bounded.Promise) == ("exact", "complete, once, ordered, intact, ended, accurate")


def test_protocol_that_gives_up_has_a_result():
    run = relnet.run("reliability", seed=1, loss=0.9, timelimit="10000s", **TCP)
    assert (run.Verdict, run.Outcome) == ("failed", "gives up")
    assert run.VerdictReason.startswith("A message of peer ") and judge(run) == KEPT
    retries = relnet.run("infiniband-perf", nodes=2, packetloss=1, maxbytes=1, acktimeout=20000, iterations=20)
    assert retries.Verdict == "failed" and "RETRY_EXC_ERR" in retries.VerdictReason


def test_schedule_of_more_than_an_hour_is_undecided(tmp_path):
    """It was a deadlock after 3600 simulated seconds."""
    steps = [f"c{i}: calc 4000000000" for i in range(1000)]
    order = [f"c{i} requires c{i - 1}" for i in range(1, 1000)]
    lines = ["num_ranks 2", "rank 0 {", *steps, *order, "s: send 8b to 1", "s requires c999", "}"]
    path = tmp_path / "long.goal"
    path.write_text("\n".join([*lines, "rank 1 {", "r: recv 8b from 0", "}"]) + "\n")
    run = relnet.run("mpi-goal", file=path)
    assert run.Verdict == "undecided" and run.VerdictReason.endswith("when 0 of 2 programs had ended.")


@pytest.mark.parametrize(("protocol", "verdict"), [("none", "completed"), ("mpi", "failed")])
def test_rc_with_faults_promises_no_delivery(protocol, verdict):
    """Its retries may be exhausted, and nothing then arrives."""
    given = {"network": "infiniband", "network.Transport": "RC", "network.PacketLoss": 0.9, "nodes": 2, "messages": 20}
    given |= {"protocol.Design": "rc-reliable"} if protocol == "mpi" else {}
    run = relnet.run("reliability", protocol=protocol, **given)
    assert (run.Delivered, run.Verdict, judge(run)) == (0, verdict, KEPT)
    assert "complete" not in run.Promise
    assert relnet.run("reliability", protocol=protocol, **given | {"network.PacketLoss": 0}).Promise[:8] == "complete"


def test_exit_status_of_each_command(capsys):
    late = words(LATE)
    assert cli.main(["run", "reliability", "protocol=none", *late]) == 4
    assert cli.main(["sweep", "reliability", "protocol=none,vmmc2", *late]) == 4
    assert cli.main(["run", "reliability", *words(TCP)]) == 0
    assert cli.main(["run", "parastation2", "protocol=lfc", "lossof=control", "loss=0.5", "rounds=50"]) == 3
    capsys.readouterr()
    assert cli.main(["explore", "none", "--faults", "none", "--messages", "2"]) == 0
    assert cli.main(["explore", "idempotent", "--states", "10", "--json"]) == 4
    told = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    assert told["outcome"] == "gave up" and told["sentence"].startswith("The search reached its limit")


def test_live_run_that_reaches_its_limit(capsys):
    assert cli.main(["live", "window", "loss=0", "messages=100000", "timelimit=0.3s"]) == 4
    assert "undecided" in capsys.readouterr().out


def test_help_lists_the_exit_status(capsys):
    for call in (["--help"], ["help", "--man"]):
        assert cli.main(call) == 0
        assert "4 if a limit left a run" in " ".join(capsys.readouterr().out.split()), call


def test_credits_promise_no_message_whose_packets_overtake_those_of_another(cache):
    parameters = {"network": "loopback", "protocol": "credits", "nodes": 2, "size": 2854, "messages": 2}
    assert relnet.run("reliability", **parameters)["Promise"] == "complete, ordered, intact, ended, accurate"
    run = relnet.run("reliability", **parameters, reordering=0.9, reorderbound=100, seed=2023339300)
    assert (run["Verdict"], run["Promise"]) == ("completed", "ended, accurate") and "loses" in run["Outcome"]
