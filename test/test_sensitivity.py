# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of claims to defaults without a source, on artificial results."""

import pandas as pd
import pytest

from relnet.experiments import claims
from relnet.experiments.claims import Claim, Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default, experiment, held
from relnet.papers import find

SCALE = Scale("published", 1)
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
