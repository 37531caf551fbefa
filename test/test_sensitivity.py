# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of claims to defaults without a source, one at a time and all together, on artificial results."""

import pandas as pd
import pytest

from relnet.experiments import claims, sensitivity
from relnet.experiments.claims import Claim, Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default, experiment, held
from relnet.papers import find
from relnet.reproduction.execution import assemble

SCALE = Scale("published", 1)
QUICK = Scale("quick", 1)
SHARED = ("pcode", "eqa", "idempotent", "mpi-infiniband")


@pytest.mark.parametrize(
    ("holds", "told"),
    [
        ((True, True, False), "1 to 2"),
        ((True, False, True), "1, 5"),
        ((False, False, False), "none"),
        ((True, True, True), "1 to 5"),
    ],
)
def test_intervals_of_the_values_tried(holds, told):
    assert held((1, 2, 5), holds) == told


def made_up(settled, monkeypatch):
    """Experiment on claims X-1, which holds up to a width of 2, X-2, which never does, and X-3, which always does."""
    published = [Claim(f"X-{number}", "9", "S1", "directional", "HOLD", "holds", None, "") for number in (1, 2, 3)]
    monkeypatch.setattr(claims, "read", lambda paper: published)

    def judge(scale, frame):
        width = frame["width"].iloc[0]
        return {"X-1": Finding(bool(width <= 2)), "X-2": Finding(False), "X-3": Finding(True)}

    def points(scale, given):
        return [Point({"width": 2, **given}), Point({"width": 2, **given}, seed=2)]

    one = experiment("made-up", [Default("width", (1, 2, 4), 2, settled)], points, judge, lambda scale, given: ["run"])
    chosen = one.points(SCALE)
    assert [point.parameters["width"] for point in chosen] == [2, 2, 1, 1, 4, 4]
    return published, one.render(SCALE, pd.DataFrame([point.parameters for point in chosen]))


def test_each_claim_has_its_interval_or_none(monkeypatch):
    _, outcome = made_up(False, monkeypatch)
    table = outcome.frame.set_index("claim")
    assert dict(table["holds with"]) == {"X-1": "1 to 2", "X-2": "none", "X-3": "1 to 4"}
    assert dict(table["decides"]) == {"X-1": True, "X-2": False, "X-3": False}
    assert outcome.text[1:] == (
        "X-1 holds with width (2): 1 to 2.",
        "Claims that hold with all tested values: X-3.",
        "Claims that hold with none of the tested values: X-2.",
    )
    assert not outcome.alternatives


def test_a_claim_that_a_settled_default_turns_was_not_predicted(monkeypatch):
    published, outcome = made_up(True, monkeypatch)
    assert set(outcome.alternatives["width=4"]) == {"X-1"}
    judged = claims.judge(
        published, {"X-1": Finding(True), "X-3": Finding(True)}, True, alternatives=outcome.alternatives
    ).set_index("id")["verdict"]
    assert judged["X-1"] == "matched-after-seen"
    assert judged["X-3"] == "predicted"


@pytest.mark.parametrize("name", SHARED)
def test_defaults_are_those_of_the_scenario(name):
    """Each default of a paper has the value of its scenario, and is one of the tested values."""
    import importlib

    import relnet

    scenario = relnet.describe(find(name).scenario)
    declared = {parameter.name.casefold(): parameter for parameter in scenario.parameters}
    for one in importlib.import_module(f"relnet.papers.{name.replace('-', '_')}.defaults").DEFAULTS:
        parameter = declared[one.parameter]
        assert one.default in one.values
        assert parameter.parse(one.default) == parameter.parse(parameter.default), one.parameter


DEFAULTS = (
    Default("rate", (10, 20, 30, 40), 20),
    Default("order", ("first", "last"), "first", settled=True),
    Default("nagle", ("false", "true"), "true", settled=True, sourced=True),
)


def test_each_layer_is_in_one_sample():
    """A Latin hypercube: 64 samples have each of 4 values 16 times, and each of 3 values 21 or 22 times."""
    samples = sensitivity.sample(DEFAULTS, 64)
    assert len(samples) == 64 and all(set(one) == {"rate", "order"} for one in samples)
    assert [sum(one["rate"] == value for one in samples) for value in (10, 20, 30, 40)] == [16] * 4
    three = sensitivity.sample([Default("x", ("a", "b", "c"), "a")], 64)
    assert sorted(sum(one["x"] == value for one in three) for value in "abc") == [21, 21, 22]
    pairs = {(one["rate"], one["order"]) for one in samples}
    assert len(pairs) == 8, "values of one default meet all of another"
    assert samples == sensitivity.sample(DEFAULTS, 64) != sensitivity.sample(DEFAULTS, 64, seed=2)


@pytest.mark.parametrize(("holds", "count", "low", "high"), [(0, 64, 0, 0.06), (32, 64, 0.38, 0.62), (64, 64, 0.94, 1)])
def test_a_share_has_an_interval(holds, count, low, high):
    assert sensitivity.share_interval(holds, count) == pytest.approx((low, high), abs=0.01)


@pytest.fixture
def sampled(monkeypatch):
    """An experiment in which a claim holds for rates up to 20, and another with any."""
    published = [
        Claim("E-98", "000", "S4", "exact", "HOLD", "ratio", 0.15, "100 us"),
        Claim("E-99", "000", "S4", "directional", "HOLD", "holds", None, "any rate does"),
        Claim("E-97", "000", "S4", "exact", "HOLD", "ratio", 0.15, "without a run"),
    ]
    monkeypatch.setattr(claims, "read", lambda name: published)

    def judge(scale, frame):
        return {"E-98": Finding(float(frame["Time"].iloc[0])), "E-99": Finding(True)}

    return sensitivity.joint(
        "idempotent", DEFAULTS, lambda scale, given: [Point(given)], judge, lambda scale, given: ["x"]
    )


def run(one, scale, failed=()):
    points = one.points(scale)
    results = pd.DataFrame(
        {
            "Time": [100.0 if point.parameters["rate"] <= 20 else 200.0 for point in points],
            "Verdict": [None if place in failed else "completed" for place in range(len(points))],
        }
    )
    return one.render(scale, assemble(points, results))


def test_the_share_of_samples_is_tabulated(sampled):
    outcome = run(sampled, SCALE)
    assert outcome.shares == {"E-98": "32 of 64", "E-99": "64 of 64"}
    rows = outcome.frame.set_index("claim")
    assert (rows.loc["E-98", "share [%]"], rows.loc["E-98", "95 % interval"]) == (50, "38 to 62")
    assert rows.loc["E-98", "most by"] == "rate" and rows.loc["E-99", "most by"] == ""
    assert "order first, last" in outcome.text[1] and "nagle" not in outcome.text[1]


def test_a_sample_without_a_result_does_not_count(sampled):
    outcome = run(sampled, SCALE, failed=(0, 5))
    assert outcome.shares["E-99"] == "62 of 62"
    assert outcome.text[-1] == "2 samples have a run without a result and do not count."


def test_a_reduced_scale_gives_no_share(sampled):
    outcome = run(sampled, QUICK)
    assert len(outcome.frame) == 2 and outcome.shares == {}


@pytest.mark.parametrize("name", ["eqa", "mpi-infiniband", "parastation2", "pcode"])
def test_papers_sample_their_defaults_without_a_source(name):
    paper = find(name)
    one = next(each for each in paper.experiments if each.key == "joint")
    points = one.points(SCALE)
    assert len(points) % sensitivity.SAMPLES == 0 and len(points) >= 10 * sensitivity.SAMPLES
    assert {point.seed for point in points} == {1}
