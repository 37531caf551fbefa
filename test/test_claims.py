# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts: claims that may count as reproduced, and claims that never do."""

import subprocess

import pytest

from relnet import build
from relnet.errors import RelnetError
from relnet.experiments import claims
from relnet.experiments.claims import Claim, Finding, TestedBy, judge, within

PAPERS = {
    "idempotent": 100,
    "parastation2": 82,
    "pcode": 35,
    "mpi-infiniband": 173,
    "eqa": 31,
}


def claim(use, text="100 cycles", test="", tolerance=None, name="E-99", kind="exact"):
    return Claim(name, "000", "S4", kind, use, test, tolerance, text)


def verdict(one, finding=None, modelled=True):
    found = {one.id: finding} if finding else {}
    return judge([one], found, modelled)["verdict"].iloc[0]


@pytest.mark.parametrize("file", PAPERS)
def test_published_data_are_whole(file):
    read = claims.read(file)
    assert len(read) == PAPERS[file]
    assert len({one.id for one in read}) == len(read)
    assert all(one.test in ("", "ratio", "factor", "points", "holds") for one in read)
    assert all(one.tolerance is not None for one in read if one.test in ("ratio", "factor", "points"))


def test_missing_file_is_one_sentence():
    with pytest.raises(RelnetError, match="cannot be read"):
        claims.read("none")


@pytest.mark.parametrize(
    ("test", "tolerance", "published", "simulated", "near"),
    [
        ("ratio", 0.15, (100.0,), (115.0,), True),
        ("ratio", 0.15, (100.0,), (116.0,), False),
        ("ratio", 0.15, (100.0,), (84.0,), False),
        ("ratio", 0.5, (100.0,), (150.0,), True),
        ("ratio", 0.15, (0.0,), (0.0,), False),
        ("points", 5, (28.0, 7.0), (33.0, 2.0), True),
        ("points", 5, (28.0, 7.0), (33.0, 13.0), False),
        ("points", 10, ((20.0, 30.0),), (25.0, 39.0, 11.0), True),
        ("points", 10, ((20.0, 30.0),), (25.0, 41.0, 11.0), False),
        ("factor", 2, (10.0,), (5.0,), True),
        ("factor", 2, (10.0,), (4.9,), False),
        ("factor", 2, (10.0,), (21.0,), False),
        ("factor", 2, (1.0,), (0.2,), False),
        ("factor", 2, (0.0,), (1.0,), True),
        ("factor", 2, (0.5,), (2.0,), False),
    ],
)
def test_tolerances(test, tolerance, published, simulated, near):
    assert within(test, tolerance, published, simulated) is near


def test_unknown_test_is_refused():
    with pytest.raises(RelnetError, match="ratio, factor, points and holds"):
        within("about", 1, (1.0,), (1.0,))


def test_what_calibrated_a_model_is_never_predicted():
    assert verdict(claim("CAL"), Finding(100.0)) == "calibrated"
    assert verdict(claim("CAL")) == "not-yet"


def test_a_rule_that_searches_or_runs_confirm_is_no_prediction():
    rule = claim("HOLD", text="any loss is survived", test="holds", kind="rule")
    assert verdict(rule, Finding(True)) == verdict(rule, Finding(True, seen=True)) == "rule-tested"
    assert verdict(rule, Finding(False)) == "deviates"
    assert verdict(rule) == "not-yet"


def test_what_any_sane_model_has_is_not_counted():
    held = claim("HOLD", test="ratio", tolerance=0.15)
    table = judge([held], {"E-99": Finding(100.0, guaranteed="Any model has it.")}, True)
    assert (table["verdict"].iloc[0], table["decided"].iloc[0]) == ("guaranteed", "")
    assert table["note"].iloc[0] == "Any model has it."
    assert sum(claims.count(table).values()) == 0 and list(claims.scored(table)["id"]) == ["E-99"]
    assert verdict(held, Finding(10.0, guaranteed="Any model has it.")) == "deviates", "it failed nevertheless"


def test_the_share_of_joint_samples_stands_beside_a_verdict():
    held, context = claim("HOLD", test="ratio", tolerance=0.15), claim("CTX", name="E-98")
    table = judge([held, context], {"E-99": Finding(100.0)}, True, shares={"E-99": "47 of 64", "E-98": "1 of 64"})
    assert list(table["share"]) == ["47 of 64", ""]
    assert list(claims.scored(table)["share"]) == ["47 of 64"]


def test_what_was_in_view_when_a_default_was_settled_is_never_predicted():
    held = claim("HOLD", test="ratio", tolerance=0.15)
    assert verdict(held, Finding(100.0, seen=True)) == "matched-after-seen"
    assert verdict(held, Finding(10.0, seen=True)) == "deviates"
    stated = claim("HOLD", text="more load is slower", test="holds")
    assert verdict(stated, Finding(True, seen=True)) == "matched-after-seen"
    assert verdict(stated, Finding(False, seen=True)) == "deviates"


def test_a_default_that_turns_a_claim_makes_it_seen():
    held = claim("HOLD", test="ratio", tolerance=0.15)

    def judged(finding, other):
        return judge([held], {"E-99": finding}, True, alternatives={"Lines=0": {"E-99": other}}).iloc[0]

    row = judged(Finding(100.0), Finding(200.0))
    assert (row["verdict"], row["decided"]) == ("matched-after-seen", claims.AFTER)
    assert "opposite with: Lines=0" in row["note"]
    row = judged(Finding(200.0), Finding(100.0))
    assert (row["verdict"], row["decided"]) == ("deviates", claims.AFTER)
    row = judged(Finding(100.0), Finding(101.0))
    assert (row["verdict"], row["decided"]) == ("predicted", claims.BEFORE)
    row = judged(Finding(100.0), Finding(200.0, scale=False))
    assert row["verdict"] == "predicted", "without the scale there is nothing to compare"


def test_a_test_that_cannot_fail_tells_nothing():
    held = claim("HOLD", test="factor", tolerance=2, text="0.5 ACKs")
    row = judge([held], {"E-99": Finding(0.0, vacuous="Any small count passes.")}, True).iloc[0]
    assert (row["verdict"], row["decided"]) == ("undecidable", claims.UNDECIDABLE)
    assert "Any small count passes." in row["note"]
    assert verdict(held, Finding(28.0, vacuous="Any small count passes.")) == "deviates", "it failed nevertheless"
    open_ = Finding(28.0, undecidable="No rate is published.")
    assert verdict(held, open_) == "undecidable", "a miss is no more evidence than a match"


def test_when_a_claim_was_decided():
    def decided(one, finding):
        return judge([one], {one.id: finding}, True)["decided"].iloc[0]

    held = claim("HOLD", test="ratio", tolerance=0.15)
    assert decided(held, Finding(100.0)) == decided(held, Finding(10.0)) == claims.BEFORE
    assert decided(held, Finding(100.0, seen=True)) == decided(held, Finding(10.0, seen=True)) == claims.AFTER
    assert decided(claim("CAL"), Finding(100.0)) == claims.AFTER
    assert decided(claim("IN"), Finding(100.0)) == decided(claim("RULE"), Finding()) == ""


def test_scored_claims_are_counted():
    held = [claim("HOLD", test="ratio", tolerance=0.15, name=f"E-{number}") for number in range(5)]
    found = {
        "E-0": Finding(100.0),
        "E-1": Finding(100.0, seen=True),
        "E-2": Finding(10.0),
        "E-3": Finding(100.0, vacuous="By construction."),
    }
    counts = claims.count(judge(held, found, True))
    assert counts == {"predicted": 1, "matched-after-seen": 1, "deviates": 1, "undecidable": 1}


def test_a_claim_without_a_run_is_not_yet():
    for use in ("HOLD", "CAL", "CHECK", "IN", "RULE"):
        assert verdict(claim(use, test="ratio", tolerance=0.15)) == "not-yet"


def test_another_scale_gives_no_verdict():
    row = judge([claim("HOLD", test="ratio", tolerance=0.15)], {"E-99": Finding(100.0, scale=False)}, True).iloc[0]
    assert (row["verdict"], row["simulated"], row["ratio"]) == ("not-yet", "", "")
    assert "100" in row["note"]


def test_held_out_values_are_judged_by_their_tolerance():
    held = claim("HOLD", test="ratio", tolerance=0.15)
    assert verdict(held, Finding(86.0)) == "predicted"
    assert verdict(held, Finding(80.0)) == "deviates"
    stated = claim("HOLD", text="more load is slower", test="holds")
    assert verdict(stated, Finding(True)) == "predicted"
    assert verdict(stated, Finding(False)) == "deviates"
    assert verdict(stated, Finding(12.0)) == "deviates", "a number says nothing of a statement"


def test_without_a_number_or_a_tolerance_there_is_no_verdict():
    assert verdict(claim("HOLD", test="ratio"), Finding(100.0)) == "context"
    assert verdict(claim("HOLD", text="slower", test="ratio", tolerance=0.15), Finding(100.0)) == "context"


def test_numbers_and_a_statement_have_to_hold_both():
    both = claim("HOLD", text="best, within 28 %", test="points", tolerance=5)
    assert verdict(both, Finding((27.0,), (28.0,))) == "predicted"
    assert verdict(both, Finding((27.0,), (28.0,), holds=False)) == "deviates"


def test_contradictions_and_checks_are_not_judged():
    assert verdict(claim("AMB", text="as printed")) == "contradicts-itself"
    assert verdict(claim("CHECK", text="1.51"), Finding(1.6)) == "context"
    assert verdict(claim("CTX", text="background")) == "context"
    assert verdict(claim("IN", test="ratio", tolerance=0.15), Finding(100.0)) == "context"


def test_rules_need_a_test_that_carries_their_id(monkeypatch):
    rule = claim("RULE", text="resend until acknowledged")
    assert verdict(rule) == "not-yet"
    by = TestedBy("contrib/x/test/x.cc", "Resend", ("x-core", "x-search"))
    monkeypatch.setattr(claims, "tests", lambda: {"E-99": (by,)})
    assert verdict(rule) == "not-yet", "no suite was run"

    def judged(**passed):
        return judge([rule], {}, True, passed={name.replace("_", "-"): ended for name, ended in passed.items()}).iloc[0]

    assert judged(x_core=True)["verdict"] == "not-yet", "one of the suites was not run"
    assert judged(x_core=True, x_search=False)["verdict"] == "deviates"
    row = judged(x_core=True, x_search=True)
    assert row["verdict"] == "rule-tested"
    assert "Resend (contrib/x/test/x.cc)" in row["note"]
    assert judge([rule], {}, False, passed={"x-core": True, "x-search": True})["verdict"].iloc[0] == "not-yet"
    monkeypatch.setattr(claims, "tests", lambda: {"E-99": (TestedBy("test/test_x.py", "test_resend"),)})
    assert verdict(rule) == "not-yet", "a reproduction does not run pytest"


def test_statements_hold_if_the_suites_that_carry_them_pass(monkeypatch):
    stated, rule = claim("HOLD", text="nothing is lost", test="holds"), claim("RULE", text="resend", name="E-98")
    by = TestedBy("contrib/x/test/x.cc", "Drain", ("x-suite",))
    monkeypatch.setattr(claims, "tests", lambda: {"E-99": (by,), "E-98": (by,)})
    assert list(judge([stated, rule], {}, True)["verdict"]) == ["not-yet", "not-yet"]
    assert list(judge([stated, rule], {}, True, passed={"x-suite": True})["verdict"]) == ["predicted", "rule-tested"]
    row = judge([stated, rule], {}, True, passed={"x-suite": False})
    assert list(row["verdict"]) == ["deviates", "deviates"]
    assert "not all pass: x-suite" in row["note"].iloc[1]
    number = claim("HOLD", test="ratio", tolerance=0.15)
    assert list(judge([number], {}, True, passed={"x-suite": True})["verdict"]) == ["not-yet"], (
        "a suite gives no number"
    )


def test_ratio_and_values_are_printed_side_by_side():
    row = judge([claim("HOLD", test="ratio", tolerance=0.15)], {"E-99": Finding(110.0)}, True).iloc[0]
    assert (row["published"], row["simulated"], row["ratio"]) == ("100", "110", "1.100")
    assert list(row.index) == list(claims.COLUMNS)
    zero = claim("HOLD", text="0 cycles", test="factor", tolerance=2)
    row = judge([zero], {"E-99": Finding(1.0)}, True).iloc[0]
    assert (row["published"], row["simulated"], row["ratio"], row["verdict"]) == ("0", "1", "", "predicted")
    several = claim("HOLD", text="28 in all", test="points", tolerance=5)
    row = judge([several], {"E-99": Finding((27.0, 30.0), (28.0,))}, True).iloc[0]
    assert (row["published"], row["simulated"], row["ratio"]) == ("28", "27; 30", "")


@pytest.mark.parametrize(
    ("value", "text"), [(123.4, "123"), (99.95, "100"), (12.345, "12.3"), (0.5, "0.5"), (7.0, "7"), (float("nan"), "")]
)
def test_numbers_are_printed_with_three_digits(value, text):
    assert claims.number_text(value) == text


def test_ids_are_found_in_sources(tmp_path, monkeypatch):
    cpp = tmp_path / "contrib" / "x" / "test" / "x-test-suite.cc"
    cpp.parent.mkdir(parents=True)
    cpp.write_text(
        "/**\n * Repeats MSG (E-02).\n */\n"
        "class RepeatTestCase : public TestCase\n{\n"
        '    RepeatTestCase() : TestCase("E-03: duplicates are ignored") {}\n'
        "    // E-04 holds here as well\n"
        "    void DoRun() override;\n};\n"
        'class XSuite : public TestSuite { XSuite() : TestSuite("x-core", Type::UNIT) {} };\n'
    )
    python = tmp_path / "test" / "test_x.py"
    python.parent.mkdir()
    python.write_text('OTHER = "E-08"\n\n\ndef test_drain():\n    """Nothing is lost (E-05)."""\n')
    monkeypatch.setattr(build, "clone", lambda: tmp_path)
    claims.tests.cache_clear()
    try:
        found = {name: [tested.name for tested in tests] for name, tests in claims.tests().items()}
        suites = {name: tests[0].suites for name, tests in claims.tests().items()}
    finally:
        claims.tests.cache_clear()
    assert found == {
        "E-02": ["RepeatTestCase"],
        "E-03": ["E-03: duplicates are ignored"],
        "E-04": ["RepeatTestCase"],
        "E-05": ["test_drain"],
    }
    assert suites["E-02"] == ("x-core",)
    assert suites["E-05"] == ()


def test_every_rule_is_carried_by_a_suite_that_the_runner_has():
    """Otherwise its verdict would be not-yet, even in a fresh clone."""
    runner = build.build_folder() / "bin" / "relnet-test-runner"
    if not runner.exists():
        pytest.skip("no suites are built")
    listed = subprocess.run([runner, "--list"], capture_output=True, text=True, check=True).stdout.split()
    for paper in PAPERS:
        for one in claims.read(paper):
            suites = {suite for by in claims.tests().get(one.id, ()) for suite in by.suites}
            assert suites or one.use != "RULE", one.id
            assert suites <= set(listed), one.id
