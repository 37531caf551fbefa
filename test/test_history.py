# SPDX-License-Identifier: GPL-2.0-only
"""Past runs and sweeps: listed, shown, compared and deleted."""

import os
import sqlite3

import pandas
import pytest

import relnet
from relnet.runs import store


def test_history_lists_what_was_asked_for(sample, command):
    assert command("history").out == "No runs are stored.\n"
    command("run", sample, "nodes=4")
    command("sweep", sample, "nodes=4,5", "rows=1", "--seeds", "2")
    command("sweep", sample, "nodes=4,5", "rows=1", "--seeds", "2")
    lines = command("history").out.splitlines()
    assert len([line for line in lines if not line.startswith(" ")]) == 2, "the same sweep is listed once"
    assert "sample, 4 runs: completed 4" in lines[0]
    assert lines[1] == "    varied: Nodes=4,5 seed=1,2" and lines[2] == "    given: Rows=1"
    assert "sample, run: completed 1" in lines[3] and "Nodes=4" in lines[4]
    frame = relnet.history("sample")
    assert list(frame["kind"]) == ["sweep", "run"] and list(frame["runs"]) == [4, 1]
    assert relnet.history("other").empty and len(relnet.history(last=1)) == 1
    assert command("history", "other").out == "No runs of other are stored.\n"


def test_show_gives_the_results_again(sample, command, tmp_path):
    run = relnet.run(sample, nodes=4)
    swept = relnet.sweep(sample, nodes=[4, 5], rows=1)
    ids = dict(zip(relnet.history()["kind"], relnet.history()["id"], strict=True))
    shown = relnet.recall(ids["sweep"][:6])
    assert shown[swept.columns].to_dict() == swept.to_dict()
    assert relnet.recall(ids["run"])["Sum"].tolist() == [run["Sum"]]
    told = command("show", ids["run"]).out
    assert told.startswith("sample, run of ") and "Sum" in told
    command("show", ids["sweep"], "--out", tmp_path / "sweep.csv")
    assert len(pandas.read_csv(tmp_path / "sweep.csv")) == 2
    refused = command("show", "zzz")
    assert refused.status == 2 and "There is no run or sweep 'zzz'" in refused.err


def test_diff_names_parameters_and_results(sample, command):
    relnet.run(sample, nodes=4)
    relnet.run(sample, nodes=5)
    later, former = relnet.history()["id"]
    frame = relnet.difference(former, later).set_index("what")
    assert sorted(frame.loc["Nodes", ["first", "second"]]) == [4, 5] and "Sum" in frame.index
    assert command("diff", former, former).out == "Nothing differs.\n"
    assert "Nodes" in command("diff", former, later).out


def test_diff_of_sweeps_compares_equal_points(sample):
    relnet.sweep(sample, nodes=[4, 5], rows=1)
    relnet.sweep(sample, nodes=[4, 5], rows=2)
    later, former = relnet.history()["id"]
    frame = relnet.difference(former, later)
    assert set(frame["point"]) == {"Nodes=4 seed=1", "Nodes=5 seed=1"} and "Rows" in set(frame["what"])
    relnet.sweep(sample, nodes=[7], rows=1)
    with pytest.raises(relnet.RelnetError, match="have no parameters in common"):
        relnet.difference(former, relnet.history()["id"][0])


def test_clean_deletes_by_age(sample, command, cache):
    relnet.run(sample, nodes=4)
    relnet.run(sample, nodes=5)
    path = cache / "results-2.sqlite"
    with sqlite3.connect(path) as connection:
        key = connection.execute("SELECT key FROM results").fetchone()[0]
        connection.execute("UPDATE results SET finished = '2001-01-01T00:00:00Z' WHERE key = ?", (key,))
    told = command("clean").out
    assert told.startswith("2 results in ") and str(cache) in told and "2001-01-01" in told
    assert command("clean", "--older", "30d").out.startswith("1 results deleted")
    with store.Store() as kept:
        assert len(kept.ages()) == 1
    assert command("clean", "--older", "soon").status == 2
    assert command("clean", "--older", "0s").out.rstrip().endswith("0 results remain.")
    assert os.path.exists(path)


def test_clean_knows_dates_in_the_future(sample, command, cache):
    """A wrong clock: their age is unknown, so only the deletion of everything includes them."""
    relnet.run(sample, nodes=4)
    relnet.run(sample, nodes=5)
    with sqlite3.connect(cache / store.FILE) as connection:
        key = connection.execute("SELECT key FROM results").fetchone()[0]
        connection.execute("UPDATE results SET finished = '2999-01-01T00:00:00Z' WHERE key = ?", (key,))
        connection.execute("UPDATE calls SET called = '2999-01-01T00:00:00.0Z'")
    assert "1 have a date in the future" in command("clean").out
    assert command("clean", "--older", "1d").out.startswith("0 results deleted")
    assert command("clean", "--older", "0s").out.startswith("2 results deleted")
    assert relnet.history().empty


def test_clean_deletes_files_of_other_versions(sample, command, cache):
    relnet.run(sample, nodes=4)
    old = cache / "results.sqlite"
    old.write_text("of an earlier version")
    command("clean", "--older", "1d")
    assert old.exists()
    os.utime(old, (0, 0))
    command("clean", "--older", "1d")
    assert not old.exists() and (cache / store.FILE).exists()


def test_results_without_a_store_are_not_listed(sample):
    relnet.run(sample, nodes=4, cache=False)
    assert relnet.history().empty
