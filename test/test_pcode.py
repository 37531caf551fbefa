# SPDX-License-Identifier: GPL-2.0-only
"""Paper 3: its experiments on artificial results, and runs of the scenario from Python."""

import pandas as pd
import pytest

import relnet
from relnet.experiments import claims
from relnet.experiments.definitions import Scale
from relnet.papers import find
from relnet.papers.pcode import curves, defaults, recovery, setup, systems, variants

PUBLISHED = Scale("published", 3)
QUICK = Scale("quick", 1)
PAPER = find("pcode")


def made_up(points, time):
    """Frame of an experiment's runs, with a time per call for each point."""
    rows = []
    for point in points:
        given = dict(point.parameters)
        rows.append({**given, "seed": point.seed, "Verdict": "completed", setup.TIME: time(given)})
    frame = pd.DataFrame(rows)
    for name in ("Nacks", "Resends", "Repairs", "RepairTime", "Collisions", "Packets", "Overflows"):
        frame[name] = 0
    return frame


def as_published(given):
    """Times with all properties that the text states on Figures 6 to 9."""
    if given["system"] == "tcp":
        return (given["nodes"] - 1) * (0.12 + given["size"] / 2500)
    return 0.95 + min(given["size"], 500) / 10000 + {"linked": -0.5}.get(given["ipc"], 0)


def conclude(outcomes):
    found = {}
    for outcome in outcomes.values():
        found |= outcome.findings
    return found | PAPER.conclude(outcomes)


def rendered(time, keys, scale=PUBLISHED):
    chosen = [experiment for experiment in PAPER.experiments if experiment.key in keys]
    return {one.key: one.render(scale, made_up(one.points(scale), time)) for one in chosen}


FIGURES = ("figure-6", "figure-7", "figure-8", "figure-9")


def test_what_the_text_says_comes_back_as_reproduced():
    found = conclude(rendered(as_published, FIGURES))
    judged = claims.judge(claims.read(setup.NAME), found, True).set_index("id")["verdict"]
    for claim in ("B-24", "B-25", "B-27", "B-29", "B-30"):
        assert judged[claim] == "predicted", claim
    for claim in ("B-23", "B-26", "B-28"):
        assert judged[claim] == "matched-after-seen", claim
    assert judged["B-01"] == "undecidable", "it is B-25 again"


def test_the_contrary_deviates():
    def swapped(given):
        exchanged = {**given, "system": "pcode" if given["system"] == "tcp" else "tcp"}
        return as_published(exchanged) + given["nodes"] ** 8 / 1e11

    found = conclude(rendered(swapped, FIGURES))
    judged = claims.judge(claims.read(setup.NAME), found, True).set_index("id")["verdict"]
    for claim in ("B-01", "B-24", "B-25", "B-26", "B-27", "B-30"):
        assert judged[claim] == "deviates", claim


def test_a_quick_look_judges_nothing():
    found = conclude(rendered(as_published, FIGURES, QUICK))
    judged = claims.judge(claims.read(setup.NAME), found, True)
    assert not set(judged["verdict"]) & {"predicted", "deviates"}


@pytest.mark.parametrize("scale", [PUBLISHED, QUICK], ids=lambda scale: scale.name)
@pytest.mark.filterwarnings("error")
def test_halves_of_the_sizes_have_slopes(scale):
    """B-29: each half of the sizes of an experiment with 3 machines has at least two, for a line."""
    one = curves.FIGURE_8
    found = one.render(scale, made_up(one.points(scale), as_published)).findings
    assert found["B-29"].simulated is True
    few = made_up(defaults._points(scale, {}), as_published)
    assert defaults._judge(scale, few)["B-29"].simulated is True


def test_every_claim_has_a_finding_or_a_test():
    keys = [experiment.key for experiment in PAPER.experiments if not experiment.scenario]

    def order(given):
        return as_published(given) * {"ring": 1.5, "lansis": 1.01, "horus": 0.5}.get(given["system"], 1)

    found = conclude(rendered(lambda given: order({"ipc": "daemon", **given}), keys))
    for claim in claims.read(setup.NAME):
        missing = claim.id not in found and claim.id not in claims.tests()
        assert not missing or claim.use in ("-", "CTX"), claim


def test_crossing_is_the_last_one():
    table = pd.DataFrame({"tcp": [2, 1, 2, 3], "pcode": [1, 2, 1, 1]}, index=[2, 4, 8, 16])
    assert curves.crossing(table) == 8
    assert curves.crossing(table.assign(pcode=5)) is None
    assert curves.crossing(table.assign(pcode=0)) == 2


def test_nack_delay_has_a_direction():
    """B-33: repairs are measured from the loss to the delivery, not by the time of a call."""
    one = recovery.NACK_DELAY
    points = one.points(PUBLISHED)
    frame = made_up(points, lambda given: 1.0)
    delays = [int(delay[:-2]) for delay in frame["requestdelay"]]
    frame["Nacks"] = [1000 - 9 * delay for delay in delays]
    frame["Repairs"] = 10
    frame["RepairTime"] = [20 + delay + seed for delay, seed in zip(delays, frame["seed"], strict=True)]
    outcome = one.render(PUBLISHED, frame)
    assert outcome.findings["B-33"].simulated is True
    assert outcome.findings["B-34"].simulated is False
    assert "takes 23.0 ms (+-2.0) at a delay of 0 ms and 123.0 ms (+-2.0) at 100 ms" in outcome.text[0]
    frame["RepairTime"] = 20.0
    assert one.render(PUBLISHED, frame).findings["B-33"].simulated is False, "repairs take as long at every delay"


def test_drivers_are_compared_over_seeds():
    """B-18: the means of the seeds decide; the finding has the intervals of the differences."""
    one = variants.DRIVERS_COMPARED

    def time(given):
        better = {"tcp": 1, "pcode": 2}[given["system"]]
        return 1.0 if given["driver"] == better else 1.1

    frame = made_up(one.points(PUBLISHED), time)
    found = one.render(PUBLISHED, frame)
    assert found.findings["B-18"].simulated is True
    assert "contains zero in 0 of 16 tests" in found.text[0]
    slow = (frame["system"] == "tcp") & (frame["driver"] == 1) & (frame["nodes"] == 4) & (frame["size"] == 20)
    frame.loc[slow, "TimePerCall"] = 1.0 + frame.loc[slow, "seed"]
    found = one.render(PUBLISHED, frame)
    assert found.findings["B-18"].simulated is False
    assert "not with 20 bytes on 4, -4.863 to -0.937 ms" in found.text[0]


def test_settings_of_tcp_are_not_mixed_up():
    """B-23, B-26: each setting's straightness, and its crossings with PCODE as a daemon and linked."""

    def time(given):
        if given["system"] == "pcode":
            return {"linked": 0.55}.get(given.get("ipc"), 0.95 if "hearsown" in given else 0.75)
        return given["nodes"] * (0.2 if given["sendorder"] == "next-first" else 0.1)

    outcome = variants.TCP_SETTINGS.render(PUBLISHED, made_up(variants.TCP_SETTINGS.points(PUBLISHED), time))
    assert "as in the figures, 8, 6, 12; next machine first, 4, 3, 6" in outcome.text[2]
    assert "next machine first, 100.0%" in outcome.text[1]
    assert not outcome.findings


def test_order_of_systems():
    times = {"ring": 2.0, "lansis": 1.0, "pcode": 1.0, "horus": 0.5}
    for figure in (systems.FIGURE_10, systems.FIGURE_11):
        frame = made_up(figure.points(PUBLISHED), lambda given: times[given["system"]])
        assert all(finding.simulated for finding in figure.render(PUBLISHED, frame).findings.values())
        frame = made_up(figure.points(PUBLISHED), lambda given: 2 - times[given["system"]] / 2)
        assert not any(finding.simulated for finding in figure.render(PUBLISHED, frame).findings.values())


def test_runs_of_all_systems(cache):
    frame = relnet.sweep(
        "pcode", system=["pcode", "p0", "p1", "tcp", "ring", "lansis", "horus"], nodes=3, size=100, rounds=5
    )
    assert list(frame["Verdict"]) == ["completed"] * 7
    assert (frame["Returned"] == 5 * 3 * 3).all()


def test_a_run_is_the_same_each_time(cache):
    runs = [relnet.run("pcode", nodes=4, rounds=10, loss=0.05, seed=7, cache=False) for _ in range(2)]
    assert runs[0].to_dict() == runs[1].to_dict()
    assert runs[0].to_dict() != relnet.run("pcode", nodes=4, rounds=10, loss=0.05, seed=8, cache=False).to_dict()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"system": "tcp", "ipc": "daemon"}, "linked into the application"),
        ({"system": "lansis", "nodes": 100}, "48"),
        ({"globalcounter": False}, "need the GlobalCounter"),
        ({"slowfactor": 0.5}, "SlowFactor"),
    ],
)
def test_bad_parameters_are_one_sentence(given, told):
    with pytest.raises(relnet.RelnetError, match=told):
        relnet.run("pcode", rounds=1, **given)


def test_tcp_sends_on_after_a_duplicate_acknowledgement(cache):
    """ns-3 asserts that a sender without limited transmit does not; an application may write just then."""
    run = relnet.run("pcode", system="tcp", collective="onetoall", nodes=8, size=1024, rounds=500)
    assert run["Verdict"] == "completed" and run["Returned"] == 500 * 8


def test_discarding_as_section_4_says_leaves_a_group_stuck():
    """B-08: a node outside a message's target set may lack it for ever; the protocol promises no more."""
    given = {"network": "csma", "protocol": "p1", "nodes": 3, "loss": 0.3, "timelimit": "20s"}
    given |= {"protocol.sendbuffer": 1, "protocol.nackstagger": "1ms"}
    sound, literal = (relnet.run("reliability", **given, **{"protocol.literaldiscard": one}) for one in (False, True))
    assert (sound["Verdict"], sound["Outcome"]) == ("completed", "exact")
    # It asks for the lost message for ever, so that only the limit ends the run.
    assert (literal["Verdict"], literal["Outcome"], literal["Promise"]) == (
        "undecided",
        "undecided",
        "once, ordered, accurate",
    )
    assert literal["Pending"] > 0 and literal["Time"] < 1e6
