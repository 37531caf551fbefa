# SPDX-License-Identifier: GPL-2.0-only
"""Protocols over real UDP sockets: groups of processes, bytes of a program, and errors."""

import socket
import threading

import pytest

from relnet import live
from relnet.errors import RelnetError, RunError

FEW = {"Messages": 20, "Size": 100, "TimeLimit": "300s"}


def addresses(count):
    return [f"127.0.0.1:{port}" for port in live._free_ports(count)]


@pytest.mark.parametrize("protocol", ["idempotent", "parastation", "pcode", "eqa"])
def test_reliable_protocols_deliver_exactly_once(protocol):
    """Loss, duplication and reordering between processes, by the fault plan of the simulator."""
    faults = {"Loss": 0.1, "Duplication": 0.1, "Reordering": 0.1, "ReorderBound": 100_000}
    given = {**FEW, **faults, "Protocol": live.protocol_name(protocol)}
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
    peers = addresses(2)
    joined = {}

    def join(peer):
        joined[peer] = live.connect("idempotent", peers, peer, Loss=0.2, timeout=240)

    threads = [threading.Thread(target=join, args=(peer,)) for peer in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with joined[0] as one, joined[1] as other:
        long = bytes(range(256)) * 20
        one.send(1, long)
        one.send(1, b"")
        other.send(0, b"answer")
        assert one.receive(timeout=240) == (1, b"answer")
        assert sorted(other.receive(timeout=240)[1] for _ in range(2)) == [b"", long]
        one.flush(timeout=240)
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
    with pytest.raises(RunError, match=r"Peer 1 at 127\.0\.0\.1:\d+ has not answered; is it running"):
        live.connect("none", addresses(2), 0, timeout=240, TimeLimit="50ms")


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
