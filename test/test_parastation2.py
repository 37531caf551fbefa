# SPDX-License-Identifier: GPL-2.0-only
"""Paper 2: its tables and claims, and its scenario from Python."""

import numpy as np
import pandas as pd
import pytest

import relnet
from relnet.experiments import claims
from relnet.experiments.definitions import Scale
from relnet.papers import find
from relnet.papers.parastation2 import defaults, exchanges, failures, pipeline, setup, sweeps, tables, unknowns
from relnet.reproduction.execution import assemble, execute

SCALE = Scale("published", 1)


def table_3_runs(factor=1.0):
    """Runs with the published results, the throughput scaled by a factor, on lines of the published N/2."""
    published = claims.published_values(setup.NAME)
    points = tables.TABLE_3.points(SCALE)
    rows = []
    for point in points:
        given = point.parameters
        cell = f"A-T3-{setup.HOSTS[given['platform']]}-{setup.LAYERS[given['layer']]}"
        rate, half = factor * published[f"{cell}-bw"], published[f"{cell}-n2"]
        whole = setup.LARGE / (setup.LARGE + half)
        size = given["size"]
        rows.append(
            {
                "Verdict": "completed",
                "Latency": published[f"{cell}-lat"],
                "Throughput": rate * size / (size + half) / whole,
            }
        )
    return assemble(points, pd.DataFrame(rows))


def verdicts(findings):
    """Verdicts of findings by id."""
    judged = claims.judge(claims.read(setup.NAME), findings, True)
    return dict(zip(judged["id"], judged["verdict"], strict=True))


def test_half_of_the_largest_rate():
    sizes = np.array([100.0, 200.0, 400.0, 800.0])
    assert tables.half_size(sizes, np.array([1.0, 2.0, 4.0, 8.0])) == pytest.approx(400)
    assert tables.half_size(sizes, np.array([1.0, 3.0, 5.0, 8.0])) == pytest.approx(300)
    assert np.isnan(tables.half_size(sizes, np.array([5.0, 6.0, 7.0, 8.0]))), "the first size is above half"


def test_what_was_published_counts_as_what_it_is():
    """A-28, A-37: calibrated cells are never counted as reproduced."""
    found = verdicts(tables.TABLE_3.render(SCALE, table_3_runs()).findings)
    assert found["A-T3-PII-350-HAL-bw"] == "predicted"
    assert found["A-T3-A21164-600-PVM-n2"] == "matched-after-seen"
    assert found["A-T3-PII-350-HAL-lat"] == found["A-T3-A21164-500-HAL-lat"] == "calibrated"
    assert found["A-T3-PII-350-MPI-lat"] == "calibrated"
    assert found["A-T3-PII-350-MPI-bw"] == "matched-after-seen", "the copies of a layer were settled with it in view"
    assert found["A-37"] == "matched-after-seen"


def test_what_is_off_deviates():
    found = verdicts(tables.TABLE_3.render(SCALE, table_3_runs(1.3)).findings)
    assert found["A-T3-PII-350-HAL-bw"] == "deviates"
    assert found["A-T3-PII-350-MPI-bw"] == "deviates"
    assert found["A-T3-PII-350-MPI-n2"] == "matched-after-seen", "the shape is the same"


def test_a_protocol_that_fails_is_named():
    plan = failures._plan(SCALE)
    rows = []
    for label, _ in plan:
        trusts = label["protocol"] not in setup.RELIABLE
        rows.append(
            dict.fromkeys(("Lost", "Stuck", "Duplicates", "Misordered", "CrcDrops", "Shortages"), 0)
            | dict.fromkeys(("NresDrops", "OverwriteDrops", "OverwriteDamages"), 0)
            | {"Outcome": "lost+hung" if trusts else "sound", "VerdictReason": "", "Posted": 1, "BufferDrops": 5}
            | {"Throughput": 1.0, "Latency": 1.0, "MaxLatency": 1.0, "Verdict": "completed"}
        )
    points = failures.FOUR_FAILURES.points(SCALE)
    rows += [{**rows[0], "Outcome": "sound", "Shortages": 7}] * (len(points) - len(plan))
    frame = assemble(points, pd.DataFrame(rows))
    outcome = failures.FOUR_FAILURES.render(SCALE, frame)
    assert "12 packets are rejected for lack of a buffer and 0 are lost" in outcome.text[2], "where nothing is broken"
    assert verdicts(outcome.findings)["A-26"] == "rule-tested"
    assert set(outcome.shown["FM"]) == {"lost, hung"}
    assert set(outcome.shown["ParaStation2"]) == {"sound"}
    frame.loc[frame["protocol"] == "parastation2", "Outcome"] = "duplicated"
    assert verdicts(failures.FOUR_FAILURES.render(SCALE, frame).findings)["A-26"] == "deviates"


def test_sweeps_draw_what_is_sound_and_mark_what_is_not():
    plan = sweeps._plan(SCALE)
    outcomes = ["lost" if label["protocol"] == "none" else "sound" for label, _ in plan]
    rows = [{"Outcome": outcome, "Throughput": 10.0, "Latency": 100.0, "MaxLatency": 200.0} for outcome in outcomes]
    frame = assemble([point for _, point in plan], pd.DataFrame(rows).assign(Verdict="completed"))
    outcome = sweeps.SWEEP.render(SCALE, frame)
    assert set(outcome.shown["BIP"]) == {"- / -"} and set(outcome.shown["ParaStation2"]) == {"10.0 / 100"}
    assert "ParaStation2 is sound in 30 of 30 settings" in outcome.text[1]
    stalls = [point.parameters["stalllength"] for _, point in plan if "timeout" in point.parameters]
    assert {"60ms", "70ms"} <= set(stalls), "below and above the timeout"


def test_unknowns_stand_beside_what_was_published():
    plan = unknowns._plan(SCALE)
    rates = [40.0 if label["end"] == "to" else 50.0 for label, _ in plan]
    points = unknowns.UNKNOWNS.points(SCALE)
    rates += [56.0] * (len(points) - len(plan))
    frame = assemble(points, pd.DataFrame({"Throughput": rates, "Verdict": "completed"}))
    outcome = unknowns.UNKNOWNS.render(SCALE, frame)
    published = claims.published_values(setup.NAME)
    by_case = outcome.frame.groupby("throughput of")["published [MByte/s]"].first()
    assert by_case["PVM, Alpha 600"] == published["A-T3-A21164-600-PVM-bw"]
    assert by_case["HAL, Pentium II"] == published["A-T3-PII-350-HAL-bw"]
    assert set(outcome.frame["default [MByte/s]"]) == {50.0} and set(outcome.frame["at the second end"]) == {40.0}
    assert not outcome.findings, "a parameter's range proves nothing"
    assert "Ports 56.0 (55), TCP 56.0 (57), MPI 56.0 (50), PVM 56.0 (49); 5 of 5" in outcome.text[2]


def test_defaults_that_decide_are_named():
    """Findings with alternatives to a default that was decided in view count, so that the claim is not predicted."""
    published = claims.published_values(setup.NAME)
    points = defaults.SENSITIVITY.points(SCALE)
    rows = []
    for point in points:
        given = point.parameters
        cell = f"A-T3-{setup.HOSTS[given['platform']]}-{setup.LAYERS[given['layer']]}"
        factor = 1.3 if given.get("cachedcopy") == 1 and given["layer"] == "pvm" else 1
        rate = factor * published[f"{cell}-bw"]
        rows.append({"Throughput": rate, "Latency": published[f"{cell}-lat"], "Verdict": "completed"})
    outcome = defaults.SENSITIVITY.render(SCALE, assemble(points, pd.DataFrame(rows)))
    assert set(outcome.alternatives["cachedcopy=1.0"]) == {f"A-T3-{host}-PVM-bw" for host in setup.HOSTS.values()}
    assert not any(found for name, found in outcome.alternatives.items() if name != "cachedcopy=1.0")
    told = next(text for text in outcome.text if text.startswith("A-T3-PII-350-PVM-bw"))
    assert "cachedcopy (0.5): 0.33 to 0.5" in told


def test_readings_of_an_exchange_stand_beside_the_published_halves():
    """A-28: each reading has its own N/2."""
    points = exchanges.EXCHANGES.points(SCALE)
    rows = []
    for point in points:
        half = {1: 1000.0, 2: 500.0, 8: 250.0}[point.parameters.get("messagewindow", 1)]
        size = point.parameters["size"]
        rows.append({"Throughput": 90 * size / (size + half), "Latency": 20.0, "Verdict": "completed"})
    outcome = exchanges.EXCHANGES.render(SCALE, assemble(points, pd.DataFrame(rows)))
    by_reading = outcome.frame.groupby("reading")["n2"].agg(["min", "max"])
    assert by_reading.loc["message by message"].between(900, 1000).all()
    assert by_reading.loc["one ahead"].between(450, 500).all()
    assert by_reading.loc["seven ahead"].between(220, 250).all()
    assert len(outcome.shown) == 15 and not outcome.findings
    # The HAL's rows are read with one message ahead, those of the layers message by message.
    found = find("parastation2").conclude(
        {"exchanges": outcome, "table-3": tables.TABLE_3.render(SCALE, table_3_runs())}
    )
    assert found["A-T3-PII-350-HAL-n2"].simulated == pytest.approx(477, abs=30) and found["A-T3-PII-350-HAL-n2"].seen
    assert found["A-T3-PII-350-HAL-bw"].simulated == pytest.approx(88.6, abs=1)
    assert not any("MPI" in claim for claim in found)


def test_latency_and_its_steps(cache):
    """A-11, A-12, A-13: figure 2's steps on a message's way add up to its latency."""
    run = relnet.run("parastation2", rounds=50, hostjitter=0)
    steps = relnet.tables(run)["Pipeline"]
    assert run["Verdict"] == "completed" and run["Outcome"] == "sound"
    assert run["Latency"] == pytest.approx(14.5, abs=0.02), "calibrated on this"
    assert steps["Way"].sum() == pytest.approx(run["Latency"], abs=0.01)
    assert [step for step in steps["Step"] if step != "-"] == [
        "L",
        "1",
        "2",
        "2",
        "3",
        "4, A",
        "5",
        "6",
        "7",
        "B",
        "C",
        "D",
        "L",
    ]


def test_pipeline_of_every_host(cache):
    """A-11, A-12, A-13, A-14: figure 2 in the report."""
    points = pipeline.FIGURE_2.points(SCALE)
    frame = assemble(points, execute(setup.SCENARIO, points, "figure 2"))
    outcome = pipeline.FIGURE_2.render(SCALE, frame)
    latency = frame[frame["pattern"] == "pingpong"].set_index("platform")["Latency"]
    way = outcome.frame.groupby("host")["way"].sum()
    assert way.to_dict() == pytest.approx(latency.to_dict(), abs=0.01)
    packets = outcome.frame[outcome.frame["step"] != pipeline.NETWORK]
    assert (packets["service_large"] >= packets["service_small"] - 0.05).all()
    assert packets.groupby("host")["share_large"].sum().min() > 1, "consecutive packets overlap"
    assert len(outcome.shown) == 11 * len(setup.HOSTS)


def test_throughput_fits_the_bus(cache):
    """A-28, A-amb-1: an exchange has the throughput of both directions together."""
    run = relnet.run("parastation2", pattern="exchange", size=32768, rounds=20)
    assert run["Throughput"] < 132, "what a PCI bus carries"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["packetsize=4097"], "PacketSize is 4097 bytes, but a slot of the rings holds 4096 at most"),
        (["window=129"], "Window is 129 packets, but sequence numbers of 8 bits"),
        (["receivering=100"], "do not fit into an SRAM of 262144 bytes"),
        (
            ["protocol=lfc", "nodes=8", "receivering=6"],
            "ReceiveRing is 6, but 7 peers need a credit each at least",
        ),
        (["lowsequence=nack", "nacknumber=rejected"], "LowSequence is nack, which needs NackNumber to be expected"),
    ],
)
def test_bad_input_is_one_sentence(command, words, told):
    """A-08, A-15: and exit status 2."""
    ended = command("run", "parastation2", *words)
    assert ended.status == 2
    assert told in ended.err and ended.err.count("\n") == 1


def test_who_trusts_the_network_is_named(cache):
    """A-02, A-05: losses of control packets too."""
    stream = {"pattern": "stream", "size": 4096, "rounds": 300}
    hung = relnet.run("parastation2", protocol="lfc", lossof="control", loss=0.5, **stream)
    assert (hung["Verdict"], hung["Outcome"]) == ("deadlock", "hung")
    lost = relnet.run("parastation2", protocol="backblocking", loss=0.05, **stream)
    assert (lost["Verdict"], lost["Outcome"]) == ("violated", "lost")
    assert "was never delivered" in lost["VerdictReason"]
    sound = relnet.run("parastation2", loss=0.05, **stream)
    assert (sound["Verdict"], sound["Outcome"]) == ("completed", "sound")
