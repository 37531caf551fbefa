# SPDX-License-Identifier: GPL-2.0-only
"""`relnet reproduce`: files, report and verdicts, with artificial runs and with real ones at reduced scale."""

import csv
import dataclasses
import re
import shlex
import threading
import xml.dom.minidom
from html.parser import HTMLParser

import pandas as pd
import pytest

from relnet import build, papers, plots
from relnet.catalog.lookup import choices, describe
from relnet.errors import RelnetError, RunError
from relnet.experiments import claims, costs, searches
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.papers.idempotent import (
    additions,
    calibration,
    comparison,
    extensions,
    lockstep,
    mechanisms,
    ports,
    retransmission,
    robustness,
    setup,
    tablesizes,
)
from relnet.records import files
from relnet.reproduction import pages, report, suites
from relnet.reproduction.execution import Runs, assemble, execute, explained, join
from relnet.reproduction.provenance import origin_of, parameter_table
from relnet.reproduction.reproduce import reproduce

PUBLISHED = claims.published_values("idempotent")
PUBLISHED_SCALE = Scale("published", 2)


def made_up(change=1.0, livelock="constant", fail=()):
    """An executor that returns the published cycles, times `change`, and sound searches; it counts the points."""

    def run(scenario, points, title):
        rows = []
        for point in points:
            given = point.parameters
            if scenario == searches.SCENARIO:
                counts = dict.fromkeys(("StatesSeen", "Steps", "CoreStates", "Depth", "SearchTime"), 7)
                verdict = "violated" if "protocol.Variant" in given else "completed"
                row = {"Verdict": verdict, "VerdictReason": "", "Outcome": "sound", "Asked": "", "Omission": 0.0}
                rows.append(row | counts)
                continue
            cell = f"E-T2a-{given['benchmark']}-{setup.TOPOLOGIES[given['topology']]}"
            row = {"Verdict": "completed", "TransmissionsPerMessage": 2.0, "PacketsPerMessage": 5.0}
            row |= {"PeakSendTable": 2**10, "PeakReceiveTable": 2**11, "Delivered": 1, "Messages": 1}
            if given["router"] == "buffered":
                row["Cycles"] = PUBLISHED[f"{cell}-buf"]
            elif given.get("flitbits") == 40:
                row["SlowCycles"] = PUBLISHED[f"{cell.replace('T2a', 'T2b')}-idem"]
                row["Cycles"] = row["SlowCycles"] * comparison.CLOCK
            else:
                slow = 1 + abs(given["c"] - (3 if given["backoff"] == "quadratic" else 20)) / 100
                more = 2 if given["backoff"] == "linear" else 1
                row |= {"Cycles": PUBLISHED[f"{cell}-idem"] * change * slow, "TransmissionsPerMessage": 1.5 * more}
            if given.get("backoff") == livelock:
                row["Verdict"] = "livelock"
            if (given["benchmark"], given["topology"]) in fail:
                row = dict.fromkeys(row)
            rows.append(row)
        run.asked += len(points)
        frame = pd.DataFrame(rows)
        frame.attrs.update(computed=len(rows), cached=0, failed=0, failures=[], code="c0de")
        return frame

    run.asked = 0
    return run


@pytest.fixture
def undrawn(monkeypatch):
    """Figures are created, but neither rendered nor written."""
    monkeypatch.setattr(plots, "save", lambda figure, stem: None)


def test_results_and_tables_have_the_order_of_the_points(monkeypatch):
    """Long runs start first, independent of their place in the report."""

    def sweep_points(scenario, pairs, title):
        places = range(len(pairs))
        frame = pd.DataFrame({"point": places, "seed": 1, "Cycles": [given["n"] for given, _ in pairs]})
        table = pd.DataFrame({"point": places, "seed": 1, "n": [given["n"] for given, _ in pairs]})
        frame.attrs["tables"] = {"Of": pd.concat([table, table])}
        return frame

    monkeypatch.setattr("relnet.reproduction.execution.sweep_points", sweep_points)
    points = [Point({"n": n}, cost=n) for n in (2, 3, 1)]
    found = execute("any", points, "")
    assert found["Cycles"].tolist() == [2, 3, 1]
    assert found.attrs["tables"]["Of"][["point", "n"]].to_numpy().tolist() == [
        [k // 2, (2, 3, 1)[k // 2]] for k in range(6)
    ]


def read_claims(folder):
    with open(folder / "claims.csv", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a reproduction at published scale whose runs return the published values."""
    folder = tmp_path_factory.mktemp("whole")
    assert reproduce(["idempotent"], out=folder, run=made_up()) == 0
    return folder


def test_every_table_and_figure_has_its_files(whole):
    folder = whole / "idempotent"
    for experiment in papers.find("idempotent").experiments:
        frame = pd.read_csv(folder / f"{experiment.key}.csv")
        assert len(frame), experiment.key
        if (folder / f"{experiment.key}.png").exists():
            assert (folder / f"{experiment.key}.png").read_bytes().startswith(b"\x89PNG")
            xml.dom.minidom.parse(str(folder / f"{experiment.key}.svg"))
    for key in ("table-2a", "table-2b", "figure-9", "figure-10", "figure-11", "memory"):
        assert (folder / f"{key}.svg").exists(), key


def test_papers_with_a_figure_of_one_number_keep_both(tmp_path, monkeypatch, undrawn):
    """Several papers have a Figure 9; each has its files, section and anchor."""
    keys = [(paper.name, one.key) for paper in papers.modelled() for one in paper.experiments]
    assert len({key for _, key in keys}) < len(keys) == len(set(keys))

    def arithmetic(value):
        return Experiment(
            "figure-9",
            "Figure 9",
            "",
            points=lambda scale: [],
            render=lambda scale, frame: Outcome(pd.DataFrame({"value": [value]})),
            command=lambda scale: [],
        )

    found = papers.find

    def find(name):
        paper = found(name)
        return dataclasses.replace(paper, experiments=(arithmetic(paper.number),), conclude=None, comparisons=None)

    monkeypatch.setattr(papers, "find", find)
    assert reproduce(["idempotent", "pcode"], out=tmp_path, run=made_up()) == 0
    for name, value in (("idempotent", 1), ("pcode", 3)):
        assert pd.read_csv(tmp_path / name / "figure-9.csv")["value"].tolist() == [value]
    for name in ("idempotent", "pcode"):
        assert f"{name}-figure-9" in Page((tmp_path / "report" / f"{name}.html").read_text()).ids


def test_a_paper_is_a_folder_and_a_file_of_published_data(tmp_path, monkeypatch):
    """One more paper is found by its folder, without a list, and has its own prefix of claims."""
    names = papers.names()
    assert len(names) == len({one.id.partition("-")[0] for name in names for one in claims.read(name)})
    folder = tmp_path / "one_more"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from relnet.experiments.definitions import Paper\nPAPER = Paper(20, 'one-more', 'One more', 'Nobody. 2026.')\n"
    )
    published = tmp_path / "analysis" / "published"
    published.mkdir(parents=True)
    header = "id,paper,section,kind,use,test,tolerance,value_or_claim"
    (published / "one-more.csv").write_text(f"{header}\nXY-01,019,S1,rule,RULE,,,Nothing is lost\n")
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    monkeypatch.setattr(build, "clone", lambda: tmp_path)
    assert papers.names() == [*names, "one-more"]
    assert reproduce(["one-more"], out=tmp_path / "out") == 0
    assert read_claims(tmp_path / "out")["XY-01"]["verdict"] == "not-yet"


def test_report_has_what_reliability_costs(whole):
    text = (whole / "report" / "costs.html").read_text()
    beginning = text[text.index('id="cost"') : text.index('id="costs"')]
    assert "Slowdown range" in beginning and "1.53; 7.44" in beginning and "1.51; 7.44" in beginning
    for paper in papers.modelled():
        assert paper.costs and set(paper.costs) <= {claim.id for claim in claims.read(paper.name)}


def test_suites_that_are_not_built_are_not_said_to_pass():
    assert "not run" in suites.summary({}) and "make reproduce" in suites.summary({})
    assert suites.summary({"a": True, "b": False}) == "1 of 2 test suites of claims pass; failed: b"


def test_claims_have_a_row_for_every_id(whole):
    rows = read_claims(whole)
    assert list(rows) == [claim.id for claim in claims.read("idempotent")]
    assert list(next(iter(rows.values()))) == list(claims.COLUMNS)
    assert {row["verdict"] for row in rows.values()} <= set(claims.VERDICTS)


def test_published_values_come_back_as_reproduced(whole):
    rows = read_claims(whole)
    cells = [row for name, row in rows.items() if name.endswith("-idem")]
    assert len(cells) == 24
    assert all(row["verdict"] == "matched-after-seen" and row["ratio"] == "1.000" for row in cells)
    assert all(row["verdict"] == "calibrated" for name, row in rows.items() if name.endswith("-buf"))
    assert all(row["verdict"] == "context" for name, row in rows.items() if name.endswith("-slow"))
    assert rows["E-36"]["verdict"] == "matched-after-seen"
    assert "1.51" in rows["E-36"]["note"]
    assert rows["E-29"]["published"] == "28; 7"
    assert rows["E-25"]["verdict"] == "deviates"
    assert all(rows[name]["verdict"] == "rule-tested" for name in ("E-05", "E-07", "E-09", "E-10"))


def test_other_values_deviate(tmp_path, undrawn):
    reproduce(["idempotent"], out=tmp_path, run=made_up(change=1.3))
    rows = read_claims(tmp_path)
    assert rows["E-T2a-add-2D-idem"]["verdict"] == "deviates"
    assert rows["E-T2a-add-2D-idem"]["ratio"] == "1.300"
    assert rows["E-T2b-add-2D-idem"]["verdict"] == "matched-after-seen"


def test_quick_judges_nothing(tmp_path, undrawn):
    reproduce(["idempotent"], quick=True, out=tmp_path, run=made_up())
    rows = read_claims(tmp_path)
    assert not {row["verdict"] for row in rows.values()} & {*claims.DOCUMENTED, "calibrated"}
    tested = {name for name in ("E-05", "E-07", "E-09", "E-10") if rows[name]["verdict"] == "rule-tested"}
    assert len(tested) == 4, "exchanges of a few packets have no other scale"
    assert "quick" in (tmp_path / "report" / "index.html").read_text()


@pytest.mark.parametrize(
    ("runs", "failed", "sentence"),
    [
        (
            3,
            1,
            "1 of its 3 runs failed; the others are stored, and the same command continues. The first: Run 1 failed.",
        ),
        (3, 3, "all of its 3 runs failed, and the same command continues."),
        (1, 1, "its run failed, and the same command continues."),
    ],
)
def test_what_failed_is_told(runs, failed, sentence):
    """Of runs that all failed none is stored."""
    points = [Point({}, seed) for seed in range(runs)]
    with (
        pytest.raises(RunError, match=re.escape(f"A figure cannot be evaluated, since {sentence}")),
        explained(Runs(points, failures=[f"Run {number + 1} failed." for number in range(failed)]), "A figure"),
    ):
        raise KeyError("Time")


def test_runs_that_fail_leave_the_rest_whole(tmp_path, undrawn):
    reproduce(["idempotent"], out=tmp_path, run=made_up(fail=[("nbody", "grid2d"), ("add", "grid2d")]))
    rows = read_claims(tmp_path)
    assert rows["E-T2a-nbody-2D-idem"]["verdict"] == "not-yet"
    assert rows["E-T2a-nbody-3D-idem"]["verdict"] == "matched-after-seen"


def test_a_paper_without_a_model_is_not_yet(tmp_path, monkeypatch):
    paper = dataclasses.replace(papers.find("mpi-infiniband"), experiments=(), conclude=None)
    monkeypatch.setattr(papers, "find", lambda name: paper)
    assert reproduce([paper.name], out=tmp_path) == 0
    rows = read_claims(tmp_path)
    assert len(rows) == len(claims.read(paper.name))
    assert {row["verdict"] for row in rows.values()} <= {"not-yet", "context", "contradicts-itself"}


def test_unknown_paper_is_one_sentence(tmp_path):
    with pytest.raises(RelnetError, match="There is no paper 'six'; there are idempotent, parastation2, "):
        reproduce(["six"], out=tmp_path)


def test_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RelnetError, match="cannot be created"):
        reproduce(["idempotent"], out=tmp_path / "file" / "below")


class Page(HTMLParser):
    """Collects the links of a page, and checks that its tags are closed."""

    VOID = ("meta", "img", "br", "wbr", "link", "input", "col")

    def __init__(self, text):
        super().__init__()
        self.open, self.sources, self.anchors, self.ids = [], [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.sources += [given[name] for name in ("src",) if name in given]
        self.anchors += [given["href"]] if "href" in given else []
        assert given.get("id") not in self.ids
        self.ids |= {given["id"]} if "id" in given else set()
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_report_stands_alone(whole):
    """Pages lead only to each other and to the files of the results; all tags are closed."""
    folder = whole / "report"
    written = {path.name: Page(path.read_text()) for path in folder.glob("*.html")}
    assert {"index.html", "claims.html", "costs.html", "idempotent.html", "searches.html", "origin.html"} == set(
        written
    )
    for page in written.values():
        assert not page.open
        for link in (*page.anchors, *page.sources):
            file, _, anchor = link.partition("#")
            file = file.partition("?")[0]
            target = written.get(file, page)
            assert not file or (folder / file).exists(), link
            assert not anchor or anchor in target.ids, link
    assert sum(source.endswith(".svg") for source in written["idempotent.html"].sources) >= 6
    assert written["index.html"].anchors.count("idempotent.html") >= 2
    text = (folder / "idempotent.html").read_text()
    assert "modules c0de" in text
    assert re.search(r"seeds 1, 2\s+<details><summary>\d+ parameters</summary>benchmark=", text)
    assert "relnet sweep idempotent benchmark=add nodes=4096" in text
    assert "report/index.html" in (whole / "report.html").read_text()


def test_report_is_written_after_each_experiment(tmp_path, undrawn):
    class Enough(Exception):
        pass

    run = made_up()

    def two(scenario, points, title):
        if title == "idempotent/table-2b":
            raise Enough
        return run(scenario, points, title)

    with pytest.raises(Enough):
        reproduce(["idempotent"], out=tmp_path, run=two)
    text = (tmp_path / "report" / "idempotent.html").read_text()
    assert 'id="idempotent-table-2a"' in text and "Not computed yet" in text
    rows = read_claims(tmp_path)
    assert rows["E-T2a-add-2D-idem"]["verdict"] == "matched-after-seen"
    assert rows["E-T2b-add-2D-idem"]["verdict"] == "not-yet"


def one_point(key, render):
    """An experiment of one run without a figure."""
    return Experiment(key, key, "", lambda scale: [Point({"benchmark": key})], render, lambda scale: [])


def reproduce_some(monkeypatch, folder, experiments, run):
    paper = dataclasses.replace(papers.find("idempotent"), experiments=experiments, conclude=None, comparisons=None)
    monkeypatch.setattr(papers, "find", lambda name: paper)
    return reproduce(["idempotent"], out=folder, run=run)


def test_an_experiment_is_drawn_while_the_next_one_runs(tmp_path, monkeypatch):
    started = threading.Event()

    def run(scenario, points, title):
        if title == "idempotent/second":
            started.set()
        frame = pd.DataFrame({"Verdict": ["completed"]})
        frame.attrs.update(computed=1, cached=0, failed=0)
        return frame

    def render(scale, frame):
        assert started.wait(60), "the second experiment waits for the first one's figure"
        return Outcome(frame)

    experiments = (one_point("first", render), one_point("second", render))
    assert reproduce_some(monkeypatch, tmp_path, experiments, run) == 0
    assert {path.name for path in (tmp_path / "idempotent").iterdir()} == {"first.csv", "second.csv"}


def test_an_error_in_a_drawing_ends_the_reproduction(tmp_path, monkeypatch):
    def render(scale, frame):
        raise ZeroDivisionError

    def run(scenario, points, title):
        return pd.DataFrame({"Verdict": ["completed"]})

    with pytest.raises(ZeroDivisionError):
        reproduce_some(monkeypatch, tmp_path, (one_point("first", render),), run)


def test_the_report_has_ratios_of_times(whole):
    table = pd.read_csv(whole / "costs.csv").set_index("source")
    cells = [f"E-T2a-{benchmark}-{topology}" for benchmark in setup.NODES for topology in setup.TOPOLOGIES.values()]
    slowdowns = pd.Series([PUBLISHED[f"{cell}-idem"] / PUBLISHED[f"{cell}-buf"] for cell in cells])
    ratios = table.loc["Paper 1, Table 2a", ["least", "median", "most"]]
    assert ratios.tolist() == pytest.approx([slowdowns.min(), slowdowns.median(), slowdowns.max()])
    assert "Times with and without reliability in software" in (whole / "report" / "costs.html").read_text()


MADE_UP = [
    costs.Comparison(costs.WITHOUT, "A", "none", "three sizes", (2.0, 1.0, 4.0), "Paper 7", (1.5, 3.0)),
    costs.Comparison(costs.INSTEAD, "A", "B", "one size", (0.5,), "Paper 7"),
]


def test_comparisons_are_summed_up():
    table = costs.table(MADE_UP)
    assert table[["least", "median", "most"]].to_numpy().tolist() == [[1.0, 2.0, 4.0], [0.5, 0.5, 0.5]]
    assert table["published, most"].isna().tolist() == [False, True]
    told = " ".join(costs.text(MADE_UP))
    assert "The largest cost is that of A, up to 4.00 times" in told and "below 1 in 1 of 1" in told
    assert "the median is 0.50, below 1" in told and "medians" not in told
    assert "the medians of 2 comparisons are 0.50 to 2.00" in " ".join(
        costs.text([MADE_UP[0], dataclasses.replace(MADE_UP[1], kind=costs.WITHOUT)])
    )
    figure = costs.figure(list(reversed(MADE_UP)))
    labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
    assert labels == ["A / none", "A / B"]
    shown = [text.get_text() for text in figure.legends[0].get_texts()]
    assert shown == ["median, simulated", "published, least and most"]


def test_ratios_of_failed_runs_are_left_out():
    assert costs.known(pd.Series([1.0, float("nan"), 3.0])) == (1.0, 3.0)


def test_text_in_a_report_is_escaped():
    section = report.Section("a", "1 < 2", "S & T", ["<b>"], pd.DataFrame({"x<y": ["a&b", ""]}))
    text = "".join(pages.render(report.Report([report.Chapter("p", "Paper", "", [section])], {"a": "<i>"})).values())
    assert "<b>" not in text and "<i>" not in text and "a&amp;b" in text and "x&lt;y" in text


def test_points_of_the_published_scale():
    left_out = 3 * sum(len(skipped) for both in retransmission.LEFT_OUT.values() for skipped in both.values())
    assert len(retransmission.FIGURE_9.points(PUBLISHED_SCALE)) == 4 * 3 * 2 * len(retransmission.CONSTANTS) - left_out
    runs = assemble(largest := tablesizes.FIGURE_11.points(PUBLISHED_SCALE), made_up()("idempotent", largest, ""))
    points = largest + tablesizes.FIGURE_11.further(PUBLISHED_SCALE, runs)
    sizes = {point.parameters["sendtable"] for point in points}
    assert sizes == {2**power for power in range(11)}
    table = comparison.TABLE_2A.points(PUBLISHED_SCALE)
    assert len(table) == 6 * (2 + 2) + 6 * 2 + 3 * 2
    assert {point.parameters["nodes"] for point in table} == {4096, 1024, 256}


def test_tables_that_are_never_full_are_run_once():
    """A run whose tables are never full is the same with smaller ones that would not be full either."""
    largest = tablesizes.EQUAL.points(PUBLISHED_SCALE)

    def runs(points):
        frame = made_up()("idempotent", points, "").assign(PeakSendTable=37, PeakReceiveTable=63)
        frame["Cycles"] += [max(0, 38 - point.parameters["sendtable"]) for point in points]
        return assemble(points, frame)

    frame = runs(largest)
    further = tablesizes.EQUAL.further(PUBLISHED_SCALE, frame)
    pairs = {(point.parameters["sendtable"], point.parameters["receivetable"]) for point in further}
    assert pairs == {(size, 2 * size) for size in (1, 2, 4, 8, 16, 32)} | {(size, size) for size in (1, 2, 4, 8, 16)}
    outcome = tablesizes.EQUAL.render(PUBLISHED_SCALE, join(frame, runs(further)))
    every = [
        setup.cell(PUBLISHED_SCALE, *cell, sendtable=size, receivetable=ratio * size)
        for cell in setup.CELLS
        for size in tablesizes.SIZES
        for ratio in (2, 1)
        if ratio == 2 or size in tablesizes.EQUAL_SIZES
    ]
    pd.testing.assert_frame_equal(outcome.frame, tablesizes.EQUAL.render(PUBLISHED_SCALE, runs(every)).frame)


def test_locked_runs_are_run_again_with_a_dither():
    """A run that stops without deliveries is locked, and cured if it completes with a dither; a slow run is neither."""
    points = lockstep.LOCKSTEP.points(PUBLISHED_SCALE)
    frame = assemble(points, made_up()("idempotent", points, ""))
    small = frame.index[frame["sendtable"] == 1]
    frame.loc[small[:3], ["Verdict", "Cycles"]] = ["livelock", 600_000]
    frame.loc[small[3], ["Verdict", "Cycles"]] = ["livelock", lockstep.LONGEST]
    further = lockstep.LOCKSTEP.further(PUBLISHED_SCALE, frame)
    dithers = [point.parameters["dither"] for point in further if "dither" in point.parameters]
    ports_of = [point.parameters["ejectionports"] for point in further if "ejectionports" in point.parameters]
    assert dithers == [lockstep.DITHER] * (3 * 2) and ports_of == [*lockstep.MORE_PORTS] * 3
    again = assemble(further, made_up()("idempotent", further, ""))
    again.loc[0, "Verdict"] = "livelock"
    outcome = lockstep.LOCKSTEP.render(PUBLISHED_SCALE, join(frame, again))
    assert list(outcome.frame["cured"])[:3] == [False, True, True]
    assert "3 of 48 runs lock for ever" in outcome.text[0] and "2 of 3 locked runs complete" in outcome.text[3]
    assert "deviation" in outcome.text[0] and "3 with 2 ejection ports, 3 with any number" in outcome.text[2]


def test_ejection_ports_are_chosen_by_the_buffered_cells_alone():
    points = ports.PORTS.points(PUBLISHED_SCALE)
    frame = assemble(points, made_up()("idempotent", points, ""))
    one, buffered = frame["ejectionports"].isna(), frame["router"] == "buffered"
    frame.loc[one & buffered & (frame["topology"] == "grid3d"), "Cycles"] *= 1.03
    frame.loc[one & buffered & (frame["topology"] == "grid2d"), "Cycles"] *= 1.005
    frame.loc[one & ~buffered, "Cycles"] *= 2
    assert ports.choose(ports.deviations(ports.ratios(frame))) == {"grid2d": 1, "grid3d": 2, "fattree": 1}
    text = ports.PORTS.render(PUBLISHED_SCALE, frame).text
    assert "3D grid: 3.0 % with 1, 0.0 % with 2" in text[0] and "change the number on the 3D grid" in text[0]
    assert "0 of 12 with 1" in text[1] and "4 of 12 with the chosen numbers" in text[1]


def test_machine_of_prefix_sums_is_fitted_to_the_buffered_cells():
    points = additions.ADDITION.points(PUBLISHED_SCALE)
    frame = assemble(points, made_up()("idempotent", points, ""))
    best = additions.MACHINES[7]
    frame.loc[frame["constants"].notna() & (frame["constants"] != best), "Cycles"] *= 1.1
    assert additions.fit(frame) == best
    further = additions.ADDITION.further(PUBLISHED_SCALE, frame)
    again = assemble(further, made_up()("idempotent", further, ""))
    chosen = again["constants"].str.contains("CountTime=64|ComputeTime=3500") | (again["channelsperleaf"] == "5")
    again.loc[~chosen, "Cycles"] *= 0.8
    found = {"channelsperleaf": 5, "CountTime": 64, "ComputeTime": 3500}
    both = join(frame, again)
    assert additions.refits(both) == found
    outcome = additions.ADDITION.render(PUBLISHED_SCALE, both)
    assert list(outcome.frame["lossy: ratio"])[-3:] == pytest.approx([0.8] * 3)
    assert best in outcome.text[1] and "of an earlier fit" in outcome.text[1]


def test_calibrated_numbers_that_move_no_cell_are_named():
    points = calibration.PROFILE.points(PUBLISHED_SCALE)
    frame = assemble(points, made_up()("idempotent", points, ""))
    frame["Cycles"] *= 1.2
    stores = frame["constants"] == "StoreWords=7"
    frame.loc[stores, "Cycles"] *= 0.9
    frame.loc[stores & (frame["benchmark"] == "add"), "Cycles"] /= 0.9
    outcome = calibration.PROFILE.render(PUBLISHED_SCALE, frame)
    table = outcome.frame.set_index("parameter")
    assert table.loc["StoreWords", ["cells", "held by"]].tolist() == [8, 5]
    assert table.loc["StoreWords", "largest change [%]"] == pytest.approx(-10)
    assert table.loc["CountTime", ["cells", "held by"]].tolist() == [1, 0]
    free = outcome.text[0].split("Parameters that change no cell by 1 %")[1].split("Parameters constrained by")[0]
    assert "CountTime" in free and "StoreWords" not in free and "MoveTime" not in free
    assert "MoveTime" in outcome.text[1] and "(StoreWords)" in outcome.text[2]


def test_extensions_are_compared_cell_by_cell():
    points = extensions.EXTENSIONS_COMPARED.points(PUBLISHED_SCALE)
    frame = assemble(points, made_up()("idempotent", points, ""))
    hybrid = frame["router"] == "hybrid"
    frame.loc[hybrid, "Cycles"] *= 0.5
    frame.loc[frame.index[hybrid][0], "Verdict"] = "livelock"
    table = extensions.compared(frame).set_index("extension")["against_published"]
    assert (table.loc["replies in ACKs"] == 1).all() and table.loc["hybrid routers"].isna().sum() == 1
    told = " ".join(extensions.EXTENSIONS_COMPARED.render(PUBLISHED_SCALE, frame).text)
    assert "hybrid routers: the median over 6 cells is 0.50 of the published protocol's time, faster in 6" in told
    assert "incomplete runs: 1" in told


@pytest.mark.parametrize(("rise", "holds"), [(0.1, True), (-0.1, False)])
def test_rise_of_reverse_is_judged_over_the_whole_curve(rise, holds):
    """All sizes and all seeds count (E-33); sizes that are never full have the time of the largest."""

    def runs(points):
        frame = assemble(points, made_up()("idempotent", points, "").assign(PeakSendTable=5, PeakReceiveTable=9))
        frame["Cycles"] *= 1 + rise * frame["sendtable"].clip(upper=8)
        return frame

    largest = tablesizes.RISE.points(PUBLISHED_SCALE)
    frame = runs(largest)
    further = tablesizes.RISE.further(PUBLISHED_SCALE, frame)
    assert {point.parameters["sendtable"] for point in further} == {1, 2, 4}
    found = tablesizes.RISE.render(PUBLISHED_SCALE, join(frame, runs(further))).findings["E-33"]
    assert found.simulated is holds and found.seen and "criterion was changed" in found.note


def test_searches_are_counted_by_their_outcome():
    """A table of searches has one row each, and the text counts the outcomes."""
    one = next(one for one in papers.find("idempotent").experiments if one.key == "searches")
    points = one.points(PUBLISHED_SCALE)
    runs = made_up()(one.scenario, points, "")
    runs.loc[:1, "Outcome"] = "livelock"
    outcome = one.render(PUBLISHED_SCALE, assemble(points, runs))
    others = sum(point.parameters["symmetry"] for point in points) - 1
    assert list(outcome.frame["outcome"]) == ["livelock"] + ["sound"] * others
    assert f"{others} sound, 1 livelock" in outcome.text[0]
    runs.loc[0, "Outcome"] = "sound"
    with pytest.raises(RelnetError, match="sound, but livelock without symmetry"):
        one.render(PUBLISHED_SCALE, assemble(points, runs))


def test_best_strategy_is_found():
    rows = []
    for benchmark, topology in setup.CELLS:
        for policy, best in (("linear", 20), ("quadratic", 3)):
            for c in range(1, 33):
                cycles = 1000 * (1 + abs(c - best) / 10) * (1.2 if policy == "linear" else 1)
                rows.append((benchmark, topology, policy, c, 1, "completed", cycles))
    names = ["benchmark", "topology", "backoff", "c", "seed", "Verdict", "Cycles"]
    table = retransmission.strategies(pd.DataFrame(rows, columns=names))
    first = table.loc[table["worst"].idxmin()]
    assert (first["backoff"], first["c"], first["worst"], first["average"]) == ("quadratic", 3, 0.0, 0.0)
    assert table[table["backoff"] == "linear"]["worst"].min() == pytest.approx(20.0)


def test_changes_are_told_with_their_price():
    """The text names changes that reduce a deviation, and the cell that they make worse."""
    frame = pd.DataFrame([{**point.parameters} for point in mechanisms.MECHANISMS.points(PUBLISHED_SCALE)])
    names = frame["benchmark"] + "-" + frame["topology"].map(setup.TOPOLOGIES)
    kinds = frame["router"].map({"lossy": "idem", "buffered": "buf"})
    cycles = [PUBLISHED[f"E-T2a-{name}-{kind}"] for name, kind in zip(names, kinds, strict=True)]
    factor = pd.Series(1.0, frame.index)
    lossy = frame["router"] == "lossy"
    cure = frame["serviceorder"] == "youngest"
    factor[lossy & (names == "nbody-3D") & ~cure] = 1.4
    factor[lossy & (names == "nbody-FT") & cure] = 1.3
    factor[~lossy & (names == "reverse-FT") & (frame["channelsperleaf"] == "4")] = 1.4
    factor[lossy & (names == "quicksort-FT") & (frame["channelsperleaf"] != "4")] = 0.8
    frame["Cycles"], frame["Verdict"] = factor * cycles, "completed"
    outcome = mechanisms.MECHANISMS.render(PUBLISHED_SCALE, frame)
    told = " ".join(outcome.text)
    assert "Nbody on the 3D grid takes 1.40" in told and "Quicksort on the fat tree takes 0.80" in told
    assert "youngest head first: 1.00, but nbody on the fat tree changes from 1.00 to 1.30" in told
    assert "four channels a leaf: 1.00, but reverse on the fat tree on the buffered network to 1.40" in told
    shown = outcome.shown.set_index("change")
    assert shown.loc["none", "nbody, 3D grid"] == "1.40 (1.00)"
    assert shown.loc["sides 8 x 4 x 8", "quicksort, fat tree"] == ""
    frame.loc[frame.index[0], "Verdict"] = "livelock"
    assert "no end" in mechanisms.MECHANISMS.render(PUBLISHED_SCALE, frame).shown.iloc[0].iloc[1]


def test_memory_of_tables_and_sequence_numbers():
    small, large = robustness.memory(16), robustness.memory(2**20)
    assert large["tables"] == (16 * (54 + 16) + 32 * (20 + 54)) / 8
    assert large["sequence_numbers"] == (2**20 - 1) * 8
    assert small["sequence_numbers"] < small["tables"]


def test_figures_are_the_same_bytes_each_time():
    frame = pd.DataFrame({"c": [1, 2, 3], "Cycles": [3.0, 2.0, 1.0]})
    first, second = (plots.svg(plots.curves(frame, "c", "Cycles").figure) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("scale", [Scale("quick", 1), PUBLISHED_SCALE], ids=lambda scale: scale.name)
@pytest.mark.parametrize("name", papers.names())
def test_scenarios_take_every_point(name, scale):
    """Experiments only use parameters and values of the scenario."""
    paper = papers.find(name)
    for experiment in paper.experiments:
        scenario = describe(experiment.scenario or paper.scenario)
        for point in experiment.points(scale):
            chosen = scenario.choose(scenario.flatten(point.parameters))
            for parameter, value in chosen.collect(point.parameters).items():
                parameter.parse(value)


@pytest.mark.parametrize("name", papers.names())
def test_every_experiment_has_commands(name):
    """Commands are sweeps of the scenario or searches of a protocol; only experiments without runs have none."""
    paper = papers.find(name)
    protocols = [choice.name for choice in choices("protocols")]
    for experiment in paper.experiments:
        lines = experiment.command(PUBLISHED_SCALE)
        assert bool(lines) == bool(experiment.points(PUBLISHED_SCALE)), experiment.key
        for line in lines:
            program, command, subject, *_ = line.split()
            if experiment.scenario == searches.SCENARIO:
                assert (program, command) == ("relnet", "explore") and subject in protocols, line
            else:
                wanted = ("relnet", "sweep", experiment.scenario or paper.scenario)
                assert (program, command, subject) == wanted, line


def test_commands_repeat_the_points():
    """The command lines of the report repeat the experiment's runs."""
    from relnet.runs import grid

    scenario = describe("idempotent")
    scale = Scale("published", 3)
    for experiment in (
        comparison.TABLE_2A,
        comparison.TABLE_2B,
        tablesizes.FIGURE_11,
        tablesizes.RISE,
        robustness.LOSS,
        additions.ADDITION,
        ports.PORTS,
        calibration.PROFILE,
        lockstep.LOCKSTEP,
        extensions.EXTENSIONS_COMPARED,
        retransmission.SEEDS_AROUND,
        mechanisms.MECHANISMS,
    ):
        told = set()
        for line in experiment.command(scale):
            words = shlex.split(line)
            given = dict(word.split("=", 1) for word in words if "=" in word)
            axes = {one: grid.parse_values(one, text) for one, text in scenario.collect(given).items()}
            seeds = range(1, 1 + (int(words[words.index("--seeds") + 1]) if "--seeds" in words else 1))
            for point in grid.points({one.name: values for one, values in axes.items()}):
                told |= {(frozenset(point.items()), seed) for seed in seeds}
        for point in experiment.points(scale):
            values = {one.name: one.parse(value) for one, value in scenario.collect(point.parameters).items()}
            variants = [values, {name: value for name, value in values.items() if name != "DataSeed"}]
            assert any((frozenset(one.items()), point.seed) in told for one in variants), point


@pytest.mark.parametrize(
    ("told", "origin"),
    [
        ("section 4.1", "source"),
        ("IEEE 802.3, EQA section 4", "source"),
        ("calibrated: HAL latencies, table 3", "calibrated"),
        ("LAMMPS: log of 15 Jan 2010; NAMD calibrated: message rate", "calibrated"),
        ("unknown, to be swept", "unknown"),
        ("swept", "unknown"),
        ("both were sold, the paper does not say", "unknown"),
        ("general knowledge, since EQA does not name its switch", "general knowledge"),
        ("3 to 8 us are usual", "general knowledge"),
        ("section 5.7, one step of a timer, B-amb-4", "reading"),
        ("fault", "run"),
        ("default", "default"),
        ("", "default"),
    ],
)
def test_origins_of_defaults(told, origin):
    assert origin_of(told) == origin


def test_no_unknown_default_is_called_a_source():
    """Parameters whose help states unknown, swept or general knowledge have that origin in the report."""
    for paper in papers.modelled():
        table = parameter_table(describe(paper.scenario), {})
        told = table.loc[table["origin"] == "source", "from"].str.casefold()
        assert not told.str.contains("unknown|swept|general|usual|calibrat|amb-|does not say").any(), list(told)


def test_what_was_calibrated_is_counted():
    """The report's number covers all parameters that the sources call calibrated."""
    marked = {one.name for one in describe(setup.SCENARIO).parameters if "calibrated" in (one.source or "")}
    for path in (build.clone() / "contrib" / "idempotent" / "model").rglob("*.h"):
        fields = re.findall(r"(\w+)\{[^}]*\};\s*///<[^\n]*(?:\n\s*///<[^\n]*)?calibrated\]", path.read_text())
        marked |= set(fields)
    counted = [one.name.casefold() for one in calibration.CALIBRATED]
    strange = [
        name
        for name in marked
        if not any(one.endswith(name.casefold()) or one.startswith(name.casefold()) for one in counted)
    ]
    assert marked and not strange
    assert f"{len(counted)} parameters are calibrated against 12 numbers" in papers.find("idempotent").remarks()[0]


@pytest.mark.slow
def test_real_runs(tmp_path, cache, monkeypatch):
    """Exchanges and a table at a small scale, by the real scenarios (E-05, E-07, E-09, E-10)."""
    paper = papers.find("idempotent")
    few = [one for one in paper.experiments if one.key in ("memory", "violations", "table-2a")]
    monkeypatch.setattr(papers, "find", lambda name: dataclasses.replace(paper, experiments=tuple(few)))
    assert reproduce(["idempotent"], quick=True, out=tmp_path) == 0
    rows = read_claims(tmp_path)
    assert all(rows[name]["verdict"] == "rule-tested" for name in ("E-05", "E-07", "E-09", "E-10"))
    cells = pd.read_csv(tmp_path / "idempotent" / "table-2a.csv")
    assert (cells["slowdown_simulated"] > 1).all()
    text = (tmp_path / "report" / "idempotent.html").read_text()
    assert "Model parameters and their origin" in text and "calibrated" in text


def test_memory_is_what_a_run_reports(cache):
    import relnet

    run = relnet.run("idempotent", benchmark="add", topology="grid2d", nodes=64, sendtable=16)
    told = robustness.memory(64)
    assert (run["TableBytesPerNode"], run["SequenceBytesPerNode"]) == (told["tables"], told["sequence_numbers"])


def test_command_line(command, tmp_path):
    ended = command("reproduce", "six", "--out", tmp_path)
    assert ended.status == 2
    assert ended.err.startswith("relnet: There is no paper 'six'") and ended.err.count("\n") == 1


def test_short_logarithmic_axes_have_labels_that_do_not_overlap():
    figure, axes = plots.panels(1, 2, width=4)
    for panel, most in zip(axes[0], (0.4, 1e6), strict=True):
        panel.plot([0.05, most], [1, 2])
        panel.set_xscale("log")
    plots.png(figure)
    told = [
        [label.get_text() for label in panel.get_xticklabels(which="both") if label.get_text()] for panel in axes[0]
    ]
    assert {"0.05", "0.1", "0.2"} <= set(told[0]) and not any("times" in label for label in told[0])
    assert any("10^" in label for label in told[1]), "decades stay as they are"


@pytest.mark.parametrize("count", [2, 6, 9])
def test_legend_above_is_not_cut_off(count):
    with plots.style():
        figure, axes = plots.panels(1, 1)
        plots.bars(axes[0][0], ["a"], [(f"UD-Reliable{index}", [1.0], None) for index in range(count % 7)])
        for index in range(7, count):
            axes[0][0].plot([0], [1], label=f"a curve with a name {index}")
        plots.legend_above(figure, axes[0][0])
        figure.draw_without_rendering()
        drawn = figure.legends[0].get_window_extent()
    assert drawn.x0 >= 0 and drawn.x1 <= figure.bbox.x1


def test_linear_axes_begin_at_zero_with_room_above():
    axes = plots.panels(1, 1)[1][0][0]
    axes.plot([1, 2], [100, 101])
    plots.from_zero(axes)
    assert axes.get_ylim()[0] == 0 and 101 < axes.get_ylim()[1] < 115


def test_figures_that_cannot_be_written_are_one_sentence(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(RelnetError, match="cannot be written"):
        files.replace_file(tmp_path / "file" / "a.png", b"")


def test_axis_of_a_result_has_its_unit():
    frame = pd.DataFrame({"c": [1, 2], "Cycles": [3.0, 2.0], "Ratio": [1.0, 2.0]})
    frame.attrs["units"] = {"Cycles": "cycles"}
    assert plots.curves(frame, "c", "Cycles").get_ylabel() == "Cycles [cycles]"
    assert plots.curves(frame, "c", "Ratio").get_ylabel() == "Ratio"
