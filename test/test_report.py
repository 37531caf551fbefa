# SPDX-License-Identifier: GPL-2.0-only
"""Pages of a report: what they contain, and how a browser shows them at the width of a desktop and of a phone."""

import pandas as pd
import pytest
import site_checks

from relnet import papers, plots
from relnet.experiments import claims
from relnet.experiments.definitions import Point
from relnet.reproduction import interactive, pages, playback, provenance, report, tables

STEPS = [{"text": f"sends MSG {number}", "peer": number % 2, "at": 1.5 * number} for number in range(8)]
ARROWS = [
    {"label": "MSG 0", "sender": 0, "receiver": 1, "sent": 0, "ended": 3, "arrived": True},
    {"label": "ACK 0", "sender": 1, "receiver": 0, "sent": 3, "ended": 5, "arrived": False},
]


def curves():
    """A figure of two panels with a curve each of two protocols, by loss."""
    with plots.style():
        figure, grid = plots.panels(1, 2)
        for axes, title in zip(grid[0], ("64 bytes", "1024 bytes"), strict=True):
            axes.plot([0, 0.1, 0.2], [3, 5, 9], label="first")
            axes.plot([0, 0.1, 0.2], [2, 4, 6], "--", label="second")
            axes.axvline(0.1)
            axes.set_xlabel("loss")
            axes.set_title(title)
    return figure


def chapter(paper, folder):
    """A page of a paper with all of its claims, a figure and a wide table."""
    figure = curves()
    (folder / paper.name).mkdir()
    plots.save(figure, folder / paper.name / "figure-1")
    wide = pd.DataFrame({f"a long name {number} [us]": [number / 7, 1000 * number] for number in range(30)})
    section = report.Section(
        f"{paper.name}-figure-1",
        "Figure 1",
        "Section 1",
        ["Losses cost time."],
        wide,
        f"{paper.name}/figure-1.svg",
        chart=interactive.panels(figure),
        is_open=True,
        files=[f"{paper.name}/figure-1.svg"],
        origin="relnet",
        commands=["relnet run any " + "parameter=value " * 40],
    )
    found = {"E-36": claims.Finding(2.0, (1.5,), "A finding."), "A-33": claims.Finding(False)}
    made = report.Chapter(paper.name, paper.title, paper.citation, [section])
    made.verdicts = claims.judge(claims.read(paper.name), found, True, paper.names)
    made.parameters = pd.DataFrame({"parameter": ["A", "B"], "value": [1, 2], "origin": ["source", "default"]})
    searched = pd.DataFrame(
        {"faults": ["loss=1,duplicate=1,reorder,timeout=2,stale=1,corrupt=1", "loss"], "states": [7, 8]}
    )
    made.searches = [report.Section("searches", "Searches", "", ["All.", "Of them."], searched)]
    made.counterexamples = [report.Playback("c-1", "violated", "Lost.", "relnet explore x", ["a", "b"], STEPS, ARROWS)]
    return made


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a report with all kinds of pages."""
    folder = tmp_path_factory.mktemp("report")
    cells = [[0, 0, 0, "exact", "exact", False, 1.0, 2.0, 3.0, "relnet run a"]]
    cells.append([1, 0, 0, "loses", "loses", True, 4.0, None, None, "relnet run b"])
    told = {"protocols": ["one", "two"], "networks": ["csma"], "faults": [["loss", "a tenth"]], "cells": cells}
    told |= {"colours": {"exact": "#4caf7a", "loses": "#e07b45"}, "costs": ["goodput", "latency", "packets"]}
    told |= {"partial": ["loses"]}
    (folder / "matrix.csv").write_text("")
    whole = report.Report(
        [chapter(papers.find(name), folder) for name in ("idempotent", "parastation2")],
        {"Code version": "1", "Scale": "as published"},
        matrix=report.Matrix(["Two cells."], told, [], 1),
        traces=[report.Playback("t-1", "A run", "Two frames.", "relnet trace x", ["node 0", "node 1"], STEPS, ARROWS)],
    )
    (folder / "claims.csv").write_text("")
    pages.write(folder, whole)
    return folder


@pytest.fixture(scope="module")
def running():
    """A browser."""
    pytest.importorskip("playwright", reason="playwright is not installed: pip install 'relnet[test]'")
    if site_checks.browser_path() is None:
        pytest.skip("no browser is installed: sudo apt install chromium")
    with site_checks.browser() as started:
        yield started


def test_files_of_the_pages_have_no_fault(site):
    assert not site_checks.static_faults(site)
    names = {path.name for path in (site / "report").glob("*.html")}
    assert names >= {"index.html", "claims.html", "idempotent.html", "matrix.html", "searches.html", "traces.html"}


def test_only_pages_of_the_report_remain_and_others_are_not_written_again(tmp_path):
    pages.write(tmp_path, report.Report(traces=[report.Playback("t", "A run", "", "relnet", ["a"], STEPS[:1], [])]))
    style = tmp_path / "report" / "assets" / "report.css"
    before = style.stat().st_mtime_ns
    pages.write(tmp_path, report.Report())
    assert style.stat().st_mtime_ns == before
    assert {path.name for path in style.parents[1].glob("*.html")} == {"index.html", "claims.html", "origin.html"}


def test_faults_are_found(tmp_path):
    page = '<img src="a.png"><a href="b.html">b</a><a href="#c">c</a><script src="https://example.org/x.js"></script>'
    (tmp_path / "index.html").write_text(page)
    (tmp_path / "a.png").write_text("")
    found = site_checks.static_faults(tmp_path, largest=50)
    assert len(found) == 5 and "index.html: picture a.png has no text" in found


def test_pages_have_no_fault_in_a_browser(site, running):
    folder = site / "report"
    assert not site_checks.browser_faults(running, folder, sorted(folder.glob("*.html")))


def test_faults_are_found_in_a_browser(tmp_path, running):
    text = '<body><p style="color: #999; width: 500px">grey</p><script>nothing.here()</script></body>'
    (tmp_path / "index.html").write_text(text)
    found = site_checks.browser_faults(running, tmp_path, [tmp_path / "index.html"], [400])
    assert len(found) == 3


def test_cut_tables_are_found(tmp_path, running):
    cells = "".join(f"<td>{'a' * 40}</td>" for _ in range(9))
    table = f'<div class="wide" style="overflow-x: auto"><table><tr>{cells}</tr></table></div>'
    (tmp_path / "index.html").write_text(f"<body><details>{table}</details></body>")
    found = site_checks.browser_faults(running, tmp_path, [tmp_path / "index.html"], [1400])
    assert len(found) == 1 and "table: needs" in found[0]


def test_claims_are_filtered(site, running):
    page, _ = site_checks.open_page(running, site / "report" / "claims.html", 400)
    rows = page.locator("table.claims tbody tr:visible")
    every = rows.count()
    page.select_option("#filter-verdict", "deviates")
    assert 0 < rows.count() < every
    page.fill("#filter-text", "E-36")
    assert rows.count() == 1 and "1 of" in page.locator("[data-count]").inner_text()
    box = rows.first.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 400
    assert rows.first.locator(".chip").is_visible() and rows.first.get_by_text("A finding.").is_visible()
    page.close()


def test_claims_have_pages(site, running):
    page, errors = site_checks.open_page(running, site / "report" / "claims.html", 1400)
    rows, told = page.locator("table.claims tbody tr:visible"), page.locator("[data-pages] output")
    first = rows.first.inner_text()
    assert rows.count() == 40 and told.inner_text().startswith("page 1 of ")
    previous, following = page.locator("[data-step='-1']"), page.locator("[data-step='1']")
    assert previous.is_disabled()
    following.click()
    assert told.inner_text().startswith("page 2 of ") and rows.first.inner_text() != first
    assert page.url.endswith("?page=2")
    again, _ = site_checks.open_page(running, site / "report" / "claims.html", 1400)
    again.goto(page.url)
    assert again.locator("[data-pages] output").inner_text().startswith("page 2 of ")
    page.fill("#filter-text", "E-36")
    assert rows.count() == 1 and not page.locator("[data-pages]").is_visible()
    page.fill("#filter-text", "")
    assert told.inner_text().startswith("page 1 of ") and not errors
    again.close()
    page.close()


def test_curves_have_a_slider_of_panels_and_one_that_reads(site, running):
    page, errors = site_checks.open_page(running, site / "report" / "idempotent.html", 400)
    page.locator("figure").scroll_into_view_if_needed()
    sliders = page.locator(".sliders input")
    sliders.first.wait_for()
    assert sliders.count() == 2 and page.locator(".sliders output").first.inner_text() == "64 bytes"
    sliders.first.fill("1")
    assert page.locator(".sliders output").first.inner_text() == "1024 bytes"
    sliders.last.fill("2")
    assert page.locator(".readout").inner_text().split("\n") == ["first: 9", "second: 6"]
    assert not errors
    page.close()


@pytest.mark.parametrize("name", ["traces.html", "searches.html"])
def test_a_sequence_is_played_step_by_step(site, running, name):
    page, _ = site_checks.open_page(running, site / "report" / name, 400)
    player = page.locator(".player").first
    shown = player.locator("svg circle")
    assert shown.count() == 1 and "MSG 0" in player.locator(".told").inner_text()
    player.get_by_label("Step", exact=True).first.click()
    assert shown.count() == 2
    player.get_by_label("Last step").click()
    assert shown.count() == len(STEPS) and player.locator("svg polygon").count() == 1
    player.get_by_label("First step").click()
    player.get_by_label("Speed").select_option("fast")
    player.get_by_label("Play").click()
    page.wait_for_function("document.querySelectorAll('.player svg circle').length > 2")
    page.close()


def test_a_cell_of_the_matrix_tells_its_run(site, running):
    page, _ = site_checks.open_page(running, site / "report" / "matrix.html", 400)
    page.get_by_label("two over csma: loses").click()
    told = page.locator(".told").inner_text()
    assert "promise is broken" in told and "relnet run b" in told
    page.close()


def test_costs_of_what_was_lost_are_marked(site, running):
    """A protocol that loses messages shows the goodput of the others, which is higher than that of a reliable one."""
    page, _ = site_checks.open_page(running, site / "report" / "matrix.html", 400)
    page.get_by_label("Colour and number").select_option("goodput")
    whole, partial = page.get_by_label("one over csma: exact, 1"), page.get_by_label("two over csma: loses, 4")
    marked = "cell => cell.classList.contains('partial')"
    assert partial.evaluate(marked) and not whole.evaluate(marked)
    assert "not every message was delivered" in page.locator(".key").inner_text()
    page.close()


def test_words_between_backquotes_are_code():
    text = "The deck has `run <N>`."
    told = report.Matrix([text], {"cells": []}, [], 0)
    page = pages.render(report.Report(matrix=told))["matrix.html"]
    assert "The deck has <code>run &lt;N&gt;</code>." in page


def test_a_list_breaks_at_its_commas(site, running):
    """Otherwise the table of the searches does not fit beside the sidebar."""
    page, _ = site_checks.open_page(running, site / "report" / "searches.html", 400)
    table = page.locator(".wide").first
    assert table.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert table.get_by_text("loss=1,duplicate=1,reorder").is_visible(), "the text itself is unchanged"
    page.close()


def test_curves_of_a_figure_are_read():
    first, second = interactive.panels(curves())
    assert (first["title"], second["title"]) == ("64 bytes", "1024 bytes")
    assert [line["name"] for line in first["lines"]] == ["first", "second"], "not the line of the whole height"
    assert first["lines"][1]["dash"] == "dash" and second["x"]["label"] == "loss"
    with plots.style():
        figure, grid = plots.panels(1, 1)
        grid[0][0].bar([1, 2, 3], [1, 2, 3])
    assert interactive.panels(figure) == []


def test_an_origin_names_files_without_their_folders_and_folds_many_parameters():
    told = provenance.origin([Point({"flowfile": "/home/user/one-flow.cm", "nodes": 2})], "1", "abc")
    assert told.endswith("1 runs, seed 1; flowfile=one-flow.cm; nodes=2")
    draw = pages._environment().get_template("parts.html").module.origin
    assert "<details>" not in draw(told)
    long = draw(told + "".join(f"; parameter{number}=1" for number in range(20)))
    shown, _, folded = str(long).partition("<details>")
    assert shown.strip().endswith("seed 1") and folded.startswith("<summary>22 parameters</summary>flowfile=")


def test_tables_fit():
    texts = {"note": ["a" * 50, ""], "rate [MB/s], published": ["14.5 - 18", "1.30 (0.9)"]}
    frame = pd.DataFrame({"time [us]": [1 / 3, 2000.5], "peers": [2, 2], "empty": ["", None]} | texts)
    table = tables.fit(frame)
    heads = [(head.name, head.unit, head.kind) for head in table.heads]
    assert heads == [("time", "us", "n"), ("note", "", "long"), ("rate, published", "MB/s", "n")]
    assert tables.fit(pd.DataFrame({"time [us], ratio": [1.5]})).heads[0].unit == "", "a ratio has no unit"
    assert table.caption == "In all rows: peers 2."
    assert [row[0].text for row in table.rows] == ["0.333", "2000"]
    assert len(tables.fit(frame[:1]).heads) == 4, "the columns of one row do not repeat"


def test_the_worst_deviations_are_first():
    assert report.deviation("0.500; 1.200") == 2 and report.deviation("") == 0
    assert report.deviation("-0.039") == float("inf")


def test_a_recorded_run_is_a_sequence():
    made = playback.recordings()
    assert len(made) == len(playback.RECORDED)
    for one in made:
        assert one.command.startswith("relnet trace reliability ") and len(one.steps) > 10
        assert any(not arrow["arrived"] for arrow in one.arrows), one.title
        assert all(arrow["sent"] < arrow["ended"] < len(one.steps) or arrow["ended"] == -1 for arrow in one.arrows)
