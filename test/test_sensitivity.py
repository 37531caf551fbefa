# SPDX-License-Identifier: GPL-2.0-only
"""Samples of all defaults together, and the share of them for which a claim holds."""

import pandas as pd
import pytest

from relnet import papers
from relnet.experiments import claims, sensitivity
from relnet.experiments.claims import Claim, Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default
from relnet.reproduction.execution import assemble

PUBLISHED, QUICK = Scale("published", 3), Scale("quick", 1)
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
def experiment(monkeypatch):
    """An experiment in which a claim holds for rates up to 20, and another with any."""
    published = [
        Claim("E-98", "000", "S4", "exact", "HOLD", "ratio", 0.15, "100 us"),
        Claim("E-99", "000", "S4", "directional", "HOLD", "holds", None, "any rate does"),
        Claim("E-97", "000", "S4", "exact", "HOLD", "ratio", 0.15, "without a run"),
    ]
    monkeypatch.setattr(claims, "read", lambda name: published)

    def judge(scale, frame):
        return {"E-98": Finding(float(frame["Time"].iloc[0])), "E-99": Finding(True)}

    return sensitivity.joint("idempotent", DEFAULTS, lambda scale, given: [Point(given)], judge)


def run(experiment, scale, failed=()):
    points = experiment.points(scale)
    results = pd.DataFrame(
        {
            "Time": [100.0 if point.parameters["rate"] <= 20 else 200.0 for point in points],
            "Verdict": [None if place in failed else "completed" for place in range(len(points))],
        }
    )
    return experiment.render(scale, assemble(points, results))


def test_the_share_of_samples_is_tabulated(experiment):
    outcome = run(experiment, PUBLISHED)
    assert outcome.shares == {"E-98": "32 of 64", "E-99": "64 of 64"}
    rows = outcome.frame.set_index("claim")
    assert (rows.loc["E-98", "share [%]"], rows.loc["E-98", "95 % interval"]) == (50, "38 to 62")
    assert rows.loc["E-98", "most by"] == "rate" and rows.loc["E-99", "most by"] == ""
    assert "order first, last" in outcome.text[1] and "nagle" not in outcome.text[1]


def test_a_sample_without_a_result_does_not_count(experiment):
    outcome = run(experiment, PUBLISHED, failed=(0, 5))
    assert outcome.shares["E-99"] == "62 of 62"
    assert outcome.text[-1] == "2 samples have a run without a result and do not count."


def test_a_reduced_scale_gives_no_share(experiment):
    outcome = run(experiment, QUICK)
    assert len(outcome.frame) == 2 and outcome.shares == {}


@pytest.mark.parametrize("name", ["eqa", "mpi-infiniband", "parastation2", "pcode"])
def test_papers_sample_their_defaults_without_a_source(name):
    paper = papers.find(name)
    one = next(experiment for experiment in paper.experiments if experiment.key == "joint")
    points = one.points(PUBLISHED)
    assert len(points) % sensitivity.SAMPLES == 0 and len(points) >= 10 * sensitivity.SAMPLES
    assert {point.seed for point in points} == {1}
