# SPDX-License-Identifier: GPL-2.0-only
"""Protocols over real UDP sockets: groups of processes, bytes of a program, and errors."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas
import pytest

from relnet import cli, live
from relnet.errors import RelnetError, RunError

FEW = {"Messages": 20, "Size": 100, "TimeLimit": "300s"}
FAULTS = {"Loss": 0.1, "Duplication": 0.1, "Reordering": 0.1, "ReorderBound": 100_000}
LONG = 240
"""Limit of waits that end earlier, except for errors [s]."""
RELIABLE = {
    "am2": 2,
    "graph": 3,
    "idempotent": 5,
    "mpi": 3,
    "p0": 3,
    "p1": 2,
    "parastation2": 2,
    "pcode": 5,
    "ppbcast": 3,
    "ring": 3,
    "sbcast": 2,
    "vmmc2": 3,
    "window": 3,
}
"""Protocols over frames that deliver each message between processes of a machine, with a number of peers."""
UNRELIABLE = {"none": 3, "credits": 2}
WINDOW = 256
"""Messages that a program has not taken before their sender has to wait."""


def addresses(count):
    return [f"127.0.0.1:{port}" for port in live._free_ports(count)]


def parallel(function, arguments):
    """Call a function with each argument at the same time."""
    with ThreadPoolExecutor(len(arguments)) as threads:
        return list(threads.map(function, arguments))


def leave(joined):
    """Close all endpoints of a group, none by force."""
    parallel(lambda one: one.close(LONG), joined)


@contextlib.contextmanager
def group(protocol, peers=2, **given):
    """The endpoints of a group, all in this process."""
    names = peers if isinstance(peers, list) else addresses(peers)
    joined = parallel(lambda peer: live.connect(protocol, names, peer, timeout=LONG, **given), range(len(names)))
    try:
        yield joined
    finally:
        leave(joined)


def exchange(joined, messages, size):
    """Send from each peer to each other one, and return what each has received of each."""
    peers = range(len(joined))

    def send(me):
        for number in range(messages):
            for to in peers:
                if to != me:
                    joined[me].send(to, f"{me} {to} {number} ".encode() * size)
        joined[me].flush(timeout=LONG)

    def receive(me):
        found = {peer: [] for peer in peers if peer != me}
        for _ in range(messages * (len(joined) - 1)):
            sender, data = joined[me].receive(timeout=LONG)
            found[sender].append(data)
        return found

    with ThreadPoolExecutor(2 * len(joined)) as threads:
        senders = [threads.submit(send, me) for me in peers]
        received = list(threads.map(receive, peers))
        for sender in senders:
            sender.result()
    return received


def is_complete(received, messages, size):
    """Whether each message has arrived once, with its sender and contents."""
    return all(
        sorted(data) == sorted(f"{sender} {me} {number} ".encode() * size for number in range(messages))
        for me, found in enumerate(received)
        for sender, data in found.items()
    )


def process(address):
    """The process that has a UDP port."""
    port = int(address.rpartition(":")[2])
    rows = [line.split() for line in Path("/proc/net/udp").read_text().splitlines()[1:]]
    inode = next(row[9] for row in rows if int(row[1].rpartition(":")[2], 16) == port)
    for file in Path("/proc").glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(file) == f"socket:[{inode}]":
                return int(file.parts[2])
    raise AssertionError(f"no process has {address}")


@pytest.mark.parametrize(("protocol", "peers"), RELIABLE.items())
def test_every_reliable_protocol_carries_bytes_through_faults(protocol, peers):
    """Messages of several pieces, of which `window` packs some into a frame and other peers of `ring` repeat some."""
    faults = FAULTS if protocol not in ("am2", "vmmc2", "parastation2") else {"Loss": 0.1, "Duplication": 0.1}
    with group(protocol, peers, **faults) as joined:
        assert is_complete(exchange(joined, 8, 150), 8, 150)
    assert {one.results["Verdict"] for one in joined} == {"completed"}
    assert {word for one in joined for word in one.results["Outcome"].split(", ")} <= {"exact", "reorders"}


@pytest.mark.parametrize(("protocol", "peers"), UNRELIABLE.items())
def test_other_protocols_carry_bytes_without_faults(protocol, peers):
    with group(protocol, peers) as joined:
        assert is_complete(exchange(joined, 8, 150), 8, 150)


@pytest.mark.parametrize("protocol", ["mpi", "ring", "p0"])
def test_stopped_peer_gets_all_messages_when_it_continues(protocol):
    peers = addresses(2)
    with group(protocol, peers) as joined:
        stopped = process(peers[1])
        os.kill(stopped, signal.SIGSTOP)
        timer = threading.Timer(1.0, os.kill, (stopped, signal.SIGCONT))
        timer.start()
        assert is_complete(exchange(joined, 40, 10), 40, 10)
        timer.join()


def test_restarted_peer_takes_nothing_of_the_session_before():
    peers = addresses(2)
    with ThreadPoolExecutor(2) as threads:
        with group("idempotent", peers, Loss=0.5) as (one, other):
            for _ in range(50):
                one.send(1, b"old")
            os.kill(process(peers[1]), signal.SIGKILL)
            with pytest.raises(RunError):
                while True:
                    other.receive(timeout=LONG)
            again = threads.submit(live.connect, "idempotent", peers, 1, timeout=LONG, Loss=0.5)
            with pytest.raises(RunError, match=r"^Peer 1 at \S+ has restarted, which ends the session\.$"):
                one.receive(timeout=LONG)
            with pytest.raises(RunError, match="has restarted"):
                one.send(1, b"x")
        with live.connect("idempotent", peers, 0, timeout=LONG, Loss=0.5) as one, again.result() as other:
            one.send(1, b"new")
            assert other.receive(timeout=LONG) == (0, b"new")
            threads.submit(one.close)


def test_receiver_that_does_not_read_stops_its_sender():
    with group("idempotent") as (one, other):
        for number in range(WINDOW):
            one.send(1, number.to_bytes(2, "big"))
        with pytest.raises(TimeoutError, match=r"Peer 1 has no room for a message within 0\.01 s\."):
            one.send(1, b"x", timeout=0.01)
        one.flush(timeout=LONG)
        other.send(0, b"the other direction")
        assert one.receive(timeout=LONG) == (1, b"the other direction")
        with ThreadPoolExecutor(1) as threads:
            last = threads.submit(one.send, 1, bytes(2000 * WINDOW))
            found = [other.receive(timeout=LONG)[1] for _ in range(WINDOW)]
            assert sorted(found) == [number.to_bytes(2, "big") for number in range(WINDOW)]
            assert other.receive(timeout=LONG)[1] == bytes(2000 * WINDOW)
            last.result()
        assert not other._links[0].arriving and not other._arrived


def test_without_reliability_what_is_not_read_is_dropped():
    with group("none") as (one, other):
        for _ in range(8):
            for _ in range(WINDOW // 4):
                one.send(1, b"x")
            one.flush(timeout=LONG)
            # The sockets keep less than all of it: what follows arrives after it was read.
            other.send(0, b"read")
            one.receive(timeout=LONG)
        leave([one, other])
        assert other.results["Delivered"] <= WINDOW
        assert other.results["Delivered"] + other.results["Dropped"] + other.results["Missing"] == 2 * WINDOW
        assert other.results["Dropped"] > 0


def test_protocol_that_gives_up_says_so_at_both_ends():
    with group("mpi", Loss=1, **{"protocol.Timeout": 100_000}) as (one, other):
        one.send(1, b"lost")
        with pytest.raises(RunError, match=r"^The protocol has given up a message to peer 1\.$"):
            one.flush(timeout=LONG)
        with pytest.raises(RunError, match=r"^The protocol has given up a message to peer 1\.$"):
            one.send(1, b"more")
        with pytest.raises(RunError, match=r"^Peer 0 has given up messages to this peer\.$"):
            other.receive(timeout=LONG)
    assert (one.results["Outcome"], one.results["Verdict"]) == ("gives up", "failed")


def test_message_that_is_given_up_is_not_lost():
    """MPI promises to deliver or to report it."""
    given = {**FEW, "Messages": 2, "Protocol": "mpi", "Loss": 1, "protocol.Timeout": 100_000}
    for record in live.run_group(given):
        results = record.results
        assert (results["Outcome"], results["Verdict"], results["Missing"]) == ("gives up", "failed", 2)


def test_damage_that_no_checksum_detects_is_said_at_both_ends():
    with group("graph", Corruption=1, Uncaught=1) as (one, other):
        one.send(1, b"damaged")
        with pytest.raises(RunError, match=r"^A message of peer 0 has arrived damaged\.$"):
            other.receive(timeout=LONG)
        with pytest.raises(RunError, match=r"^A message of this peer has arrived damaged at peer 1\.$"):
            one.flush(timeout=LONG)


def test_peers_that_have_left():
    with group("pcode", 3) as (one, other, third), ThreadPoolExecutor(2) as threads:
        other.send(0, b"last words")
        threads.submit(other.close, LONG)
        assert one.receive(timeout=LONG) == (1, b"last words")
        with pytest.raises(RunError, match=r"^Peer 1 has left\.$"):
            while True:
                one.send(1, b"x", timeout=LONG)
        third.send(0, b"still here")
        assert one.receive(timeout=LONG) == (2, b"still here")
        threads.submit(third.close, LONG)
        with pytest.raises(RunError, match=r"^All other peers have left\.$"):
            one.receive(timeout=LONG)
        one.close(LONG)


def test_wrong_arguments_are_one_sentence_and_change_nothing():
    with group("idempotent") as (one, other):
        for call, sentence in (
            (lambda: one.send(1, "text"), "A message is bytes, not str."),
            (lambda: one.send(1, None), "A message is bytes, not NoneType."),
            (lambda: one.send(True, b""), "There is no other peer True; this is peer 0 of 2."),
            (lambda: one.send(10**400, b""), "There is no other peer 1000"),
            (lambda: one.send(1, b"", timeout="1"), "timeout is '1'; it has to be a number of seconds from 0"),
            (lambda: one.receive(float("nan")), "timeout is 'nan'"),
            (lambda: one.flush(-1), "timeout is '-1'"),
        ):
            with pytest.raises(RelnetError) as error:
                call()
            assert sentence in str(error.value)
        one.send(1, memoryview(bytearray(b"sound")))
        assert other.receive(timeout=10**400) == (0, b"sound")
        one.flush(timeout=LONG)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"seed": None}, "seed is 'None'"),
        ({"seed": 10**400}, "seed is '1000"),
        ({"timeout": "x"}, "timeout is 'x'"),
        ({"timeout": -(10**400)}, "it has to be a number of seconds from 0"),
        ({"peers": "127.0.0.1:1,127.0.0.1:2"}, "peers is a list of addresses"),
        ({"peers": None}, "peers is a list of addresses"),
        ({"peers": [1, 2]}, "peers is a list of addresses"),
        ({"protocol": None}, "protocol is a name, not NoneType."),
        ({"peer": 2}, "Peer is 2, but Peers has 2 addresses, counted from 0."),
    ],
)
def test_wrong_sessions_are_one_sentence(given, sentence):
    sound = {"protocol": "none", "peers": ["127.0.0.1:1", "127.0.0.1:2"], "peer": 0}
    with pytest.raises(RelnetError) as error:
        live.connect(**{**sound, **given})
    assert sentence in str(error.value)


@pytest.mark.timeout(60)
def test_a_run_that_ends_at_once_ends_the_session(monkeypatch):
    """The thread of the run looked for the one that reads before there was one, and the session waited for ever."""

    def fail(*_, **__):
        raise RunError("The run x failed: Why.")

    def start(thread, begin=threading.Thread.start):
        begin(thread)
        time.sleep(0.05)

    monkeypatch.setattr(live.pool, "run_task", fail)
    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(RunError, match=r"Why\."):
        live.connect(protocol="none", peers=["127.0.0.1:1", "127.0.0.1:2"], peer=0)


@pytest.mark.parametrize(
    ("verdict", "judgement", "status"),
    [("completed", "kept", 0), ("violated", "broken", 3), ("undecided", "undecided", 4)],
)
def test_verdict_is_in_text_and_exit_status(monkeypatch, capsys, verdict, judgement, status):
    row = {"Protocol": "x", "peers": 2, "outcome": "loses", "verdict": verdict, "reason": "Why.", "messages": 1}
    numbers = ("packets a message", "time a message [us]")
    row |= {"round trip [us]": 1.0} | {f"{what}, {kind}": 1.0 for what in numbers for kind in ("live", "simulated")}
    monkeypatch.setattr(live, "measure", lambda *_: pandas.DataFrame([row]))
    assert cli.main(["live", "x"]) == status
    assert f"{verdict}, loses (promise {judgement})\n  Why.\n" in capsys.readouterr().out


@contextlib.contextmanager
def two_machines():
    """Two network namespaces with a cable between them; skips where that is not allowed."""
    if not shutil.which("ip") or not shutil.which("tc"):
        pytest.skip("ip and tc of iproute2 are not installed")
    names = [f"relnet{os.getpid()}{end}" for end in "ab"]

    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    with contextlib.ExitStack() as stack:
        try:
            for name in names:
                ip("netns", "add", name)
                stack.callback(ip, "netns", "del", name)
            ip("link", "add", "cable", "netns", names[0], "type", "veth", "peer", "name", "cable", "netns", names[1])
            for number, name in enumerate(names, 1):
                ip("-n", name, "addr", "add", f"10.99.0.{number}/24", "dev", "cable")
                ip("-n", name, "link", "set", "cable", "up")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces: {error.stderr.strip()}")
        yield names


@pytest.mark.parametrize("impairment", ["relnet", "netem"])
def test_machines_with_losses_between_them(impairment):
    """The delays, losses and damages of the kernel's netem, or the faults of relnet."""
    with two_machines() as names:
        for name in names if impairment == "netem" else []:
            netem = ["root", "netem", "delay", "2ms", "1ms", "loss", "5%", "duplicate", "5%", "corrupt", "2%"]
            words = ["ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "cable", *netem]
            added = subprocess.run(words, check=False, capture_output=True, text=True)
            if added.returncode:
                pytest.skip(f"no netem: {added.stderr.strip()}")
        faults = [] if impairment == "netem" else ["loss=0.1", "duplication=0.1"]
        words = ["run", "live", "protocol=idempotent", "messages=20", "peers=10.99.0.1:4000,10.99.0.2:4000", *faults]
        programs = [
            subprocess.Popen(
                ["ip", "netns", "exec", name, sys.executable, "-m", "relnet", *words, f"peer={peer}", "--json"],
                stdout=subprocess.PIPE,
                text=True,
            )
            for peer, name in enumerate(names)
        ]
        results = [json.loads(program.communicate(timeout=LONG)[0])["results"] for program in programs]
    assert [(one["Verdict"], one["Outcome"]) for one in results] == [("completed", "exact")] * 2


@pytest.mark.parametrize("protocol", ["idempotent", "parastation", "pcode", "eqa"])
def test_reliable_protocols_deliver_exactly_once(protocol):
    """Loss, duplication and reordering between processes, by the fault plan of the simulator."""
    given = {**FEW, **FAULTS, "Protocol": live.protocol_name(protocol)}
    found = live.run_group(given, peers=3)
    for record in found:
        results = record.results
        assert (results["Outcome"], results["Verdict"]) == ("exact", "completed")
        assert results["Posted"] == results["Completed"] == results["Delivered"] == 20
        assert results["RoundTrip"] > 0
        events = next(table for table in record.tables if table.name == "Faults")
        assert events.rows
    assert sum(record.results["Frames"] for record in found) > 60


def test_without_a_protocol_losses_show():
    found = live.run_group({**FEW, "Messages": 60, "Protocol": "none", "Loss": 0.5})
    assert {record.results["Outcome"] for record in found} == {"loses"}
    for record in found:
        assert record.results["Delivered"] + record.results["Missing"] == 60
        assert record.results["Frames"] == 60


def test_measurement_stands_beside_the_simulation(cache, tmp_path):
    frame = live.measure("parastation", {**FEW, "Loss": "0,0.3"})
    assert frame["outcome"].tolist() == ["exact", "exact"]
    lossless, lossy = frame.to_dict("records")
    assert lossless["packets a message, simulated"] == 2
    assert lossy["packets a message, simulated"] > 2 and lossy["packets a message, live"] > 2
    assert "round trip" in live.text(frame)
    (tmp_path / "out").mkdir()
    live.save(frame, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"live.csv", "live.png", "live.svg"}


def test_bytes_of_a_program_arrive():
    """A message of any length, in both directions, through losses."""
    with group("idempotent", Loss=0.2) as (one, other):
        long = bytes(range(256)) * 20
        one.send(1, long)
        one.send(1, b"")
        other.send(0, b"answer")
        assert one.receive(timeout=LONG) == (1, b"answer")
        assert sorted(other.receive(timeout=LONG)[1] for _ in range(2)) == [b"", long]
        one.flush(timeout=LONG)
        with pytest.raises(RelnetError, match="There is no other peer 2; this is peer 0 of 2"):
            one.send(2, b"x")
        with pytest.raises(TimeoutError, match="No message arrived within"):
            one.receive(timeout=0)


def test_port_that_is_taken_is_named():
    peers = addresses(2)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", int(peers[0].rpartition(":")[2])))
        with pytest.raises(RunError, match=r"UDP port of peer 0, 127\.0\.0\.1:\d+, is taken by another program"):
            live.connect("none", peers, 0, timeout=240)


def test_peer_that_is_missing_is_named():
    with pytest.raises(RunError, match=r"^Peer 1 at 127\.0\.0\.1:\d+ has not answered; is it running"):
        live.connect("none", addresses(2), 0, timeout=0.05)


def test_failure_ends_the_others_at_once():
    """Peer 0 tells peer 1 that peer 2 is silent; peer 1 would wait for an hour."""
    names = addresses(3)
    limits = ["5s", "1h", "1h"]
    one, other, third = parallel(
        lambda peer: live.connect("none", names, peer, timeout=LONG, SilenceLimit=limits[peer]), range(3)
    )
    os.kill(process(names[2]), signal.SIGKILL)
    with pytest.raises(RunError, match=r"^Peer 2 at \S+ has fallen silent\.$"):
        one.receive(timeout=LONG)
    with pytest.raises(RunError, match=r"^Peer 0 at \S+ has ended with an error\.$"):
        other.receive(timeout=LONG)
    for peer in (one, other, third):
        with contextlib.suppress(RunError):
            peer.close(0)


def test_time_begins_when_all_have_joined():
    names = addresses(2)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(live.connect, "idempotent", names, 0, timeout=LONG)
        time.sleep(2)
        begin = time.monotonic()
        joined = [live.connect("idempotent", names, 1, timeout=LONG), first.result()]
    joined[1].send(1, b"first")
    joined[1].flush(timeout=LONG)
    leave(joined)
    results = joined[1].results
    assert 0 < results["Latency"] <= results["Time"] < 1e6 * (time.monotonic() - begin)


def test_foreign_datagrams_are_dropped():
    """Datagrams of strangers are never delivered, and the group continues."""
    peers = addresses(2)
    stop = threading.Event()

    def disturb():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            while not stop.is_set():
                for peer in peers:
                    host, _, port = peer.rpartition(":")
                    stranger.sendto(b"rNet\x01\x03" + bytes(60), (host, int(port)))
                stop.wait(0.002)

    noise = threading.Thread(target=disturb)
    noise.start()
    given = {**FEW, "Protocol": "idempotent", "Peers": ",".join(peers)}
    try:
        from relnet.processes import pool
        from relnet.runs.single import make_task

        tasks = [make_task(*live.describe("live").bind({**given, "Peer": peer}), 1) for peer in (0, 1)]
        with pool.ForkExecutor(2) as executor:
            found = [future.result().results for future in [executor.submit_task(task) for task in tasks]]
    finally:
        stop.set()
        noise.join()
    assert [one["Outcome"] for one in found] == ["exact", "exact"]
    assert all(one["Foreign"] > 0 for one in found)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tcp"], "The protocol tcp is one of ns-3's IP stack; live runs protocols over frames."),
        (["idempotnt"], "Protocol is 'idempotnt'; did you mean idempotent?"),
        (["idempotent", "los=1"], "live has no parameter 'los'"),
        (
            ["idempotent", "Peers=127.0.0.1:1,127.0.0.1:2"],
            "Peers is set automatically here, for processes of this machine",
        ),
        (["idempotent", "--peers", "1"], "peers is '1'; it has to be a whole number from 2 to 64."),
    ],
)
def test_wrong_words_are_one_sentence(command, words, sentence):
    ended = command("live", *words)
    assert ended.status == 2 and sentence in ended.err and ended.err.count("\n") == 1


def test_real_time_is_neither_kept_nor_swept(command):
    ended = command("sweep", "live", "messages=1,2")
    assert ended.status == 2 and "runs in real time" in ended.err
    ended = command("run", "live", "peers=127.0.0.1", "peer=0")
    assert ended.status == 2 and "is no address and port of a peer" in ended.err


@pytest.mark.parametrize(
    "words",
    [
        ["live", "parastation2"],
        ["run", "parastation2"],
        ["run", "fabric", "nodes=2"],
        ["run", "reliability", "network=csma", "nodes=2"],
    ],
    ids=lambda words: words[1],
)
def test_faults_name_peers_that_exist(words, cache, command):
    """Live runs and two scenarios had no losses at all, without a word."""
    ended = command(*words, "lossfrom=99", "loss=0.1")
    told = "relnet: LossFrom is 99, but there are 2 peers, counted from 0; 4294967295 stands for all.\n"
    assert (ended.status, ended.err) == (2, told)
    assert "SlowReceivers is 3, but there are 2 peers." in command(*words, "slowreceivers=3").err
