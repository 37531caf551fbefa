# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules as their users write them, in both scenarios that run them; topologies as clusters print them."""

import pytest

import relnet

OVERTAKING = """num_ranks 3
rank 0 {
l1: send 1000000b to 1 tag 1
l2: send 8b to 2 tag 2
l3: send 8b to 2 tag 3
l3 requires l1
}
rank 1 {
recv 1000000b from 0 tag 1
}
rank 2 {
recv 8b from 0 tag 2
recv 8b from 0 tag 3
}
"""

HALF_CYCLE = """num_ranks 2
rank 0 {
a: calc 100
l1: calc 5
l2: calc 5
l1 requires l2
l2 requires l1
l3: send 8b to 1 tag 1
l3 requires l1
}
rank 1 {
b: calc 100
}
"""

ALLREDUCE = "num_ranks 4\n" + "".join(
    f"rank {rank} {{\nl1: coll allreduce 65536b 0 0 -1 cpu 1 nic 1\nl2: calc 100 cpu 0\nl2 requires l1\n}}\n"
    for rank in range(4)
)


def chain(messages):
    """Messages of 64 bytes one after the other: each send requires the end of the one before."""
    requires = "".join(f"l{i} requires l{i - 1}\n" for i in range(1, messages))
    sends = "".join(f"l{i}: send 64b to 1 tag 0\n" for i in range(messages))
    receives = "".join(f"l{i}: recv 64b from 0 tag 0\n" for i in range(messages))
    return f"num_ranks 2\nrank 0 {{\n{sends}{requires}}}\nrank 1 {{\n{receives}{requires}}}\n"


def reliability(tmp_path, text, **parameters):
    """Run a schedule with any protocol over any network."""
    schedule = tmp_path / "schedule.goal"
    schedule.write_text(text)
    return relnet.run("reliability", pattern="goal", **{"pattern.File": schedule}, **parameters)


def mpi_goal(tmp_path, text, **parameters):
    """Run a schedule on MPI ranks, each on its own node."""
    schedule = tmp_path / "schedule.goal"
    schedule.write_text(text)
    return relnet.run("mpi-goal", file=schedule, ranksPerNode=1, **parameters)


@pytest.mark.parametrize("protocol", ["mpi", "tcp", "sbcast", "idempotent"])
def test_an_operation_waits_for_what_it_requires_and_nothing_else(protocol, cache, tmp_path):
    schedule = tmp_path / "schedule.goal"
    schedule.write_text(OVERTAKING)
    # The long message does not fit into this buffer, so that it leaves at the rate of the network.
    buffer = {"protocol.SendBuffer": 65536} if protocol == "tcp" else {}
    trace = relnet.trace(
        "reliability",
        network="switch",
        protocol=protocol,
        pattern="goal",
        nodes=3,
        host="free",
        limit=200000,
        **{"pattern.File": schedule},
        **buffer,
    )
    messages = trace.messages.sort_values("number")
    assert messages["posted"].iloc[-1] >= messages["ended"].iloc[0] > 1000, "l3 after l1 [us]"
    assert messages.query("destination == 2")["ended"].min() < messages["ended"].iloc[0], "l2 has ended before"


@pytest.mark.parametrize("protocol", ["mpi", "tcp", "none"])
def test_a_send_ends_when_it_has_left(protocol, cache, tmp_path):
    run = reliability(tmp_path, chain(20), network="infiniband", protocol=protocol, nodes=2, host="free")
    assert run["Outcome"] == "exact" and run["Time"] < 30, "without waiting for acknowledgements [us]"
    assert mpi_goal(tmp_path, chain(20))["Time"] < 30e-6


@pytest.mark.parametrize("protocol", ["none", "idempotent"])
def test_a_cycle_is_a_deadlock_with_a_name(protocol, cache, tmp_path):
    for run in (
        reliability(tmp_path, HALF_CYCLE, network="csma", protocol=protocol, nodes=2),
        mpi_goal(tmp_path, HALF_CYCLE),
    ):
        assert run["Verdict"] == "deadlock"
        assert "line 4 requires line 5, which requires line 4" in run["VerdictReason"]


@pytest.mark.parametrize("network", ["csma", "infiniband", "wormhole", "myrinet", "switch", "segment"])
@pytest.mark.parametrize("protocol", ["none", "mpi", "tcp"])
def test_a_message_to_oneself_is_delivered(network, protocol, cache, tmp_path):
    text = "num_ranks 2\nrank 0 {\nl1: send 64b to 0 tag 1\nl2: recv 64b from 0 tag 1\n}\nrank 1 {\n}\n"
    run = reliability(tmp_path, text, network=network, protocol=protocol, nodes=2)
    assert (run["Verdict"], run["Outcome"], run["Delivered"]) == ("completed", "exact", 1)


def test_numbers_have_64_bits(cache, tmp_path):
    text = "num_ranks 2\nrank 0 {\nl1: calc 5000000000\nl2: send 4294967296b to 1\nl2 requires l1\n}\n"
    text += "rank 1 {\nrecv 4294967296b from 0\n}\n"
    run = mpi_goal(tmp_path, text, transport="RC", reliability="native")
    assert run["Verdict"] == "completed" and run["Messages"] == 4, "pieces of 1 GiB"
    assert run["Time"] > 5 + 4.29, "at most 1 GB/s"


def test_a_trailing_computation_counts(cache, tmp_path):
    text = "num_ranks 2 rank 0 { send 8b to 1 } rank 1 {\nl1: recv 8b from 0\nl2: calc 1000000000\nl2 requires l1 }\n"
    run = reliability(tmp_path, text, network="csma", protocol="none", nodes=2)
    assert run["Time"] == pytest.approx(1e6, rel=1e-4)
    assert mpi_goal(tmp_path, text)["Time"] == pytest.approx(1, rel=1e-4)


def test_messages_have_0_bytes(cache, tmp_path):
    text = "num_ranks 2\nrank 0 {\nl1: send 0b to 1\nl2: recv 0b from 1\nl2 requires l1\n}\n"
    text += "rank 1 {\nl1: recv 0b from 0\nl2: send 0b to 0\nl2 requires l1\n}\n"
    for network in ("csma", "infiniband", "wormhole", "myrinet"):
        run = reliability(tmp_path, text, network=network, protocol="none", nodes=2)
        assert (run["Outcome"], run["Delivered"], run["BytesPerMessage"]) == ("exact", 2, 0)


def test_collectives_change_their_algorithm_with_their_size(cache, tmp_path):
    ring = reliability(tmp_path, ALLREDUCE, network="infiniband", protocol="mpi", nodes=4)
    tree = reliability(
        tmp_path, ALLREDUCE, network="infiniband", protocol="mpi", nodes=4, **{"pattern.RingBytes": 65537}
    )
    assert (ring["Delivered"], tree["Delivered"]) == (4 * 6, 4 * 2)
    assert mpi_goal(tmp_path, ALLREDUCE)["Messages"] == 4 * 6
    assert mpi_goal(tmp_path, ALLREDUCE, ringBytes=65537)["Messages"] == 4 * 2


def fabric(speeds):
    """A switch of 129 ports with two hosts and an aggregation node, and what both ends of the hosts' cables state."""
    (near, far), (other, another) = speeds
    return (
        'Switch 129 "S-1" # "sw"\n'
        f'[41] "H-9"[1](9) # "Mellanox Technologies Aggregation Node" lid 14 4xHDR\n'
        f'[1] "H-1"[1](11) # "h1" lid 3 {near}\n[2] "H-2"[1](12) # "h2" lid 4 {other}\n'
        'Ca 1 "H-9" # "Mellanox Technologies Aggregation Node"\n[1](9) "S-1"[41] # lid 14 lmc 0 "sw" lid 1 4xHDR\n'
        f'Hca 1 "H-1" # "h1"\n[1](11) "S-1"[1] # lid 3 lmc 0 "sw" lid 1 {far}\n'
        f'Hca 1 "H-2" # "h2"\n[1](12) "S-1"[2] # lid 4 lmc 0 "sw" lid 1 {another}\n'
    )


@pytest.mark.parametrize(
    ("speeds", "least", "most"),
    [
        ([("4xSDR", "4xSDR"), ("4xSDR", "1xSDR")], 200, 250),
        ([("4xSDR", "4xSDR"), ("1xSDR", "4xSDR")], 200, 250),
        ([("4xSDR", "4xSDR"), ("4x???", "4xSDR")], 900, 1000),
        ([("4xQDR", "4xQDR"), ("?????", "2xNDR")], 2000, 4000),
    ],
)
def test_a_cable_has_one_speed(speeds, least, most, cache, tmp_path):
    file = tmp_path / "fabric.txt"
    file.write_text(fabric(speeds))
    shape = {"network.Topology": "file", "network.TopologyFile": file, "network.DmaRate": 20000}
    run = relnet.run(
        "reliability",
        network="infiniband",
        protocol="none",
        pattern="stream",
        nodes=2,
        messages=200,
        size=2000,
        host="free",
        **shape,
    )
    assert run["Outcome"] == "exact" and least < run["Goodput"] < most, "MB/s"
    with pytest.raises(relnet.RelnetError, match="has 2 hosts, but 3 are needed"):
        relnet.run("reliability", network="infiniband", protocol="none", nodes=3, **shape)


def test_a_schedule_is_required(command):
    """The error named no file: " cannot be read"."""
    ended = command("run", "reliability", "network=csma", "pattern=goal", "nodes=2")
    assert ended.status == 2 and ended.err == "relnet: The pattern goal needs a schedule: set pattern.File=FILE.\n"
