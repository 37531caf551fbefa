# SPDX-License-Identifier: GPL-2.0-only
"""Remaining time of a reproduction, and order of its report."""

from relnet import papers
from relnet.reproduction import durations

THREE = ["a/one", "a/two", "a/three"]


def test_time_left_follows_what_was_measured(tmp_path):
    first = durations.Durations(tmp_path, "quick", THREE)
    first.add("a/one", 10.0, computed=2, cached=0)
    assert first.left == 20, "those without a measurement are expected to be alike"
    first.add("a/two", 30.0, computed=1, cached=2)
    again = durations.Durations(tmp_path, "quick", THREE)
    assert again.left == 60, "10 and 30 were measured, and their mean is expected of the third"
    again.add("a/one", 0.1, computed=0, cached=2)
    assert again.left == 50, "runs of a former reproduction do not change the estimate"
    again.add("a/two", 60.0, computed=1, cached=0)
    assert again.left == 20, "and what follows them may be short, too"
    slow = durations.Durations(tmp_path, "quick", THREE)
    slow.add("a/one", 20.0, computed=2, cached=0)
    assert slow.left == 100, "this machine takes twice as long"
    other = durations.Durations(tmp_path, "published", ["b/one"])
    other.add("b/one", 5.0, computed=1, cached=0)
    assert durations.Durations(tmp_path, "quick", THREE).left == 75, "a file keeps the scales apart"


def test_times_are_told_in_seconds_or_minutes():
    assert (durations.text(42.3), durations.text(600)) == ("42 s", "10 min")


def test_reports_have_figures_in_the_papers_order():
    for paper in papers.modelled():
        ordered = [one for one in sorted(paper.experiments, key=lambda one: one.place) if one.place[0] == 0]
        sections = [one.place[1:4] for one in ordered]
        assert sections == sorted(sections)
    eqa = sorted(papers.find("eqa").experiments, key=lambda one: one.place)
    assert [one.key for one in eqa[:4]] == ["figure-3", "figure-4", "figure-5", "figure-6"]
    assert eqa[-1].place == (2,), "what the paper does not have is last"
