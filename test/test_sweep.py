# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps: order, determinism, failures, interruption and resumption, functions, executors."""

import functools
import inspect
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from array import array
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy
import pandas
import pytest
from conftest import runs_of, wait_until

import relnet
from relnet.names import fold
from relnet.processes import pool
from relnet.records import files
from relnet.records.files import write_frame
from relnet.records.fingerprint import fingerprint, names
from relnet.records.pickles import plain
from relnet.runs import sweeps
from relnet.runs.progress import SweepBar
from relnet.runs.sweeps import summary, sweep_points


def counts(frame):
    """Counts of a sweep."""
    return tuple(frame.attrs[what] for what in ("computed", "cached", "failed"))


def test_frame_is_tidy_and_in_grid_order(sample):
    frame = relnet.sweep(sample, nodes="2:6:2", behaviour=["fine", "LIVELOCK"], seeds=2)
    assert list(frame.columns[:3]) == ["Nodes", "Behaviour", "seed"]
    assert frame["Nodes"].tolist() == [2] * 4 + [4] * 4 + [6] * 4
    assert frame["Behaviour"].tolist() == ["fine", "fine", "livelock", "livelock"] * 3
    assert frame["seed"].tolist() == [1, 2] * 6
    assert frame["Sum"].tolist() == [0] * 4 + [7] * 4 + [18] * 4
    assert frame["Sum"].dtype.kind == "i"
    assert counts(frame) == (12, 0, 0)
    assert summary(frame) == "computed 12, cached 0, failed 0"
    assert frame.attrs["units"]["End"] == "s"


def test_a_seed_that_changes_nothing_is_not_computed(sample, process):
    with pytest.warns(relnet.RelnetWarning, match=r"3 seeds, no random numbers drawn: 1 run computed\."):
        frame = relnet.sweep(sample, rows=0, nodes=6, seeds=3)
    assert counts(frame) == (1, 0, 0)
    assert frame["seed"].tolist() == [1, 2, 3] and frame["Sum"].tolist() == [18] * 3
    assert relnet.run(sample, rows=0, nodes=6).attrs["cached"]
    ended = process("sweep", sample, "rows=0", "nodes=6", "--seeds", "4")
    known = "computed 0, cached 1, failed 0; 4 seeds, no random numbers drawn: 0 runs computed"
    assert relnet.history(sample)["verdicts"].tolist() == ["completed 4", "completed 1", "completed 3"]
    assert ended.out.splitlines()[-1] == known and not ended.err
    ended = process("sweep", sample, "rows=0:2", "nodes=7", "--seeds", "3", "--no-cache", "--jobs", "3")
    some = "computed 7, cached 0, failed 0; 3 seeds, no random numbers drawn in 1 of 3 cases: 7 runs computed"
    assert ended.out.splitlines()[-1] == some


def test_seeds_that_fail_are_all_tried(sample):
    with pytest.warns(relnet.RelnetWarning, match="3 of 3 runs failed"):
        assert counts(relnet.sweep(sample, rows=0, behaviour="failing", seeds=3)) == (0, 0, 3)


def test_seeds_elsewhere_do_not_wait(sample):
    """Remote runs report nothing before their end, so waiting would cost more than it saves."""
    with ThreadPoolExecutor(2) as workers:
        assert counts(relnet.sweep(sample, rows=0, seeds=3, executor=workers)) == (3, 0, 0)


def test_tables_carry_the_parameters(sample):
    frame = relnet.sweep(sample, rows=[1, 2], seeds=2)
    draws = relnet.tables(frame)["Draws"]
    assert list(draws.columns) == ["Rows", "seed", "Index", "Value"]
    assert draws["Rows"].tolist() == [1, 1, 2, 2, 2, 2]
    assert draws["seed"].tolist() == [1, 2, 1, 1, 2, 2]
    means = draws.groupby(["Rows", "seed"])["Value"].mean()
    assert means.tolist() == pytest.approx(frame["Mean"].tolist())


class Backwards(Executor):
    """Runs its tasks in reverse order, when a result is awaited."""

    def __init__(self):
        self.work = []

    def submit(self, function, /, *arguments, **keywords):
        future = Future()
        self.work.append((future, functools.partial(function, *arguments, **keywords)))
        if len(self.work) == 12:
            for waiting, call in reversed(self.work):
                waiting.set_result(call())
        return future


@pytest.mark.parametrize(
    "executor",
    [
        lambda: pool.ForkExecutor(1),
        lambda: pool.ForkExecutor(3),
        lambda: ThreadPoolExecutor(2),
        lambda: ProcessPoolExecutor(2),
        Backwards,
    ],
    ids=["one job", "three jobs", "threads", "processes", "backwards"],
)
def test_same_bytes_from_every_executor(sample, tmp_path, executor):
    grid = {"nodes": [4, 2, 3], "loss": [0, 0.25], "seeds": 2, "cache": False}
    expected, found = tmp_path / "expected.csv", tmp_path / "found.csv"
    first = relnet.sweep(sample, out=expected, jobs=2, **grid)
    with executor() as workers:
        second = relnet.sweep(sample, out=found, executor=workers, **grid)
    assert counts(second) == (12, 0, 0)
    assert expected.read_bytes() == found.read_bytes()
    assert relnet.tables(first)["Draws"].equals(relnet.tables(second)["Draws"])


def test_finished_points_are_never_computed_again(sample):
    assert counts(relnet.sweep(sample, nodes="1:4")) == (4, 0, 0)
    assert counts(relnet.sweep(sample, nodes="3:6")) == (2, 2, 0)
    frame = relnet.sweep(sample, nodes="1:6")
    assert counts(frame) == (0, 6, 0)
    pandas.testing.assert_frame_equal(frame, relnet.sweep(sample, nodes="1:6", cache=False))
    assert relnet.run(sample, nodes=5).attrs["cached"], "a run and a point of a sweep are the same"


def test_failures_cost_one_run_each(sample):
    behaviours = ["fine", "fatal", "segfault", "failing", "throwing"]
    with pytest.warns(relnet.RelnetWarning, match=r"4 of 5 runs failed\. The run sample\(Behaviour=fatal"):
        frame = relnet.sweep(sample, behaviour=behaviours)
    assert counts(frame) == (1, 0, 4)
    assert frame["Sum"][0] == 133
    assert frame["Sum"].isna().tolist() == [False, True, True, True, True]
    assert frame["Sum"].dtype == "Int64", "whole numbers stay whole beside missing ones"
    told = frame.attrs["failures"]
    assert len(told) == 4
    assert all("Repeat it with: relnet " in sentence and "seed=1" in sentence for sentence in told)


def test_refused_combinations_are_failures_unless_all_are(sample):
    with pytest.warns(relnet.RelnetWarning, match="Nodes has to be even"):
        frame = relnet.sweep(sample, nodes=[2, 3], label="even")
    assert counts(frame) == (1, 0, 1)
    with pytest.raises(relnet.RelnetError, match="Nodes has to be even"):
        relnet.sweep(sample, nodes=[1, 3], label="even")


@pytest.mark.parametrize(
    "grid",
    [
        {"nodes": "1:2000"},
        {"nodes": [1, -3]},
        {"nodes": []},
        {"nods": 3},
        {"loss": [0, 1.5]},
        {"behaviour": "fine,splendid"},
        {"seeds": 0},
        {"seeds": "x"},
        {"jobs": 0},
        {"jobs": "many"},
    ],
)
def test_bad_grids_are_refused_before_anything_runs(sample, grid, cache):
    with pytest.raises(relnet.RelnetError):
        relnet.sweep(sample, **grid)
    assert not cache.exists()


def test_executor_excludes_jobs(sample):
    with ThreadPoolExecutor(1) as threads, pytest.raises(relnet.RelnetError, match="both"):
        relnet.sweep(sample, executor=threads, jobs=2)


def test_executor_that_breaks_is_told(sample):
    class Broken(Executor):
        def submit(self, function, /, *arguments, **keywords):
            future = Future()
            future.set_exception(OSError("the worker is gone"))
            return future

    with pytest.warns(relnet.RelnetWarning, match="The executor lost the run"):
        frame = relnet.sweep(sample, executor=Broken())
    assert counts(frame) == (0, 0, 1)


def test_other_code_at_the_worker_is_refused(sample):
    class Elsewhere(Executor):
        def submit(self, function, task, /):
            from dataclasses import replace

            future = Future()
            try:
                function(replace(task, code="0123456789abcdef"))
            except relnet.RelnetError as error:
                future.set_exception(error)
            return future

    with pytest.raises(relnet.RelnetError, match="built from other sources"):
        relnet.sweep(sample, executor=Elsewhere())


def kept(cache):
    """Number of results on disk."""
    try:
        with sqlite3.connect(cache / "results-2.sqlite") as connection:
            return connection.execute("SELECT COUNT(*) FROM results").fetchone()[0]
    except sqlite3.Error:
        return 0


def started(relnet_command, cache, at_least, *words):
    """A sweep in a separate process group, after some results are on disk."""
    process = subprocess.Popen(
        [*relnet_command, "sweep", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 240
    while kept(cache) < at_least:
        assert time.monotonic() < end and process.poll() is None
        time.sleep(0.005)
    return process


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_ended_sweep_resumes(sample, cache, relnet_command, command, tmp_path, number):
    # The second half takes minutes, so the sweep is running when the signal arrives, even on a busy machine.
    process = started(relnet_command, cache, 5, sample, "wall=30,10000", "nodes=1:40", "--jobs", "2")
    process.send_signal(number)
    _, err = process.communicate(timeout=240)
    assert "Traceback" not in err
    before = kept(cache)
    assert 5 <= before <= 40
    if number == signal.SIGINT:
        assert process.returncode == 130
        # The last result may have been stored just before it was counted.
        told = [f"relnet: Interrupted: computed {count}, cached 0, failed 0;" for count in (before - 1, before)]
        assert err.startswith(tuple(told))
    words = [sample, "wall=30", "nodes=1:40", "--jobs", "2"]
    resumed = command("sweep", *words, "--out", tmp_path / "resumed.csv")
    assert resumed.out.splitlines()[-1] == f"computed {40 - before}, cached {before}, failed 0"
    again = command("sweep", *words, "--out", tmp_path / "again.csv", "--no-cache")
    assert again.out.splitlines()[-1] == "computed 40, cached 0, failed 0"
    assert (tmp_path / "resumed.csv").read_bytes() == (tmp_path / "again.csv").read_bytes()


def test_two_sweeps_at_once_share_results(sample, cache, relnet_command, command):
    words = [sample, "nodes=1:30", "wall=10"]
    first = started(relnet_command, cache, 2, *words)
    second = command("sweep", *words)
    assert first.wait(timeout=240) == 0
    first.communicate()
    assert second.status == 0
    assert kept(cache) == 30
    assert command("sweep", *words).out.splitlines()[-1] == "computed 0, cached 30, failed 0"


def test_interruption_ends_runs_at_once(sample, cache):
    script = textwrap.dedent(
        """
        import relnet
        try:
            relnet.sweep("sample", wall=[3_600_000, 3_600_001, 3_600_002], jobs=2)
        except KeyboardInterrupt as stop:
            print(stop)
        """
    )
    client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: len(runs_of(client.pid)) == 2)
    client.send_signal(signal.SIGINT)
    assert client.communicate(timeout=240)[0].startswith("Interrupted: computed 0, cached 0, failed 0")


def test_csv_is_written_whole_or_not_at_all(sample, tmp_path, monkeypatch):
    target = tmp_path / "deep" / "frame.csv"
    relnet.sweep(sample, nodes=[1, 2], out=target)
    before = target.read_bytes()
    assert len(before.splitlines()) == 3

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    frame = relnet.sweep(sample, nodes=[1, 2, 3])
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(relnet.RelnetError, match="No space left on device"):
        write_frame(frame, target)
    assert target.read_bytes() == before
    assert [path.name for path in target.parent.iterdir()] == ["frame.csv"]


@pytest.mark.parametrize("kept", [True, False])
def test_results_are_not_lost_with_their_destination(sample, tmp_path, monkeypatch, kept):
    def full(descriptor, mode):
        if os.readlink(f"/proc/self/fd/{descriptor}").startswith(str(tmp_path / "full")):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fchmod", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(relnet.RelnetError, match=r"frame\.csv cannot be written: No space left") as lost:
        relnet.sweep(sample, nodes=[1, 2], cache=kept, out=tmp_path / "full" / "frame.csv")
    if kept:
        assert str(lost.value).endswith("the results are stored, and the same sweep reads them.")
        assert counts(relnet.sweep(sample, nodes=[1, 2])) == (0, 2, 0)
    else:
        (saved,) = tmp_path.glob("relnet-*/frame.csv")
        assert str(lost.value).endswith(f"the results are in {saved}.")
        assert len(saved.read_text().splitlines()) == 3


def test_bad_destination_is_refused_first(sample, tmp_path, cache):
    with pytest.raises(relnet.RelnetError, match="is a folder"):
        relnet.sweep(sample, out=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(relnet.RelnetError, match="cannot be written: Not a directory"):
        relnet.sweep(sample, out=tmp_path / "file" / "frame.csv")
    assert not cache.exists()


def make_experiment():
    """A function as in a notebook: part of no module, and using ns-3."""

    def experiment(nodes, gap=1.0):
        from relnet import ns, schedule

        draw = ns.CreateObject[ns.UniformRandomVariable]()
        for index in range(nodes):
            schedule(gap * index, lambda: None)
        ns.Simulator.Run()
        return {
            "End": ns.Simulator.Now().GetSeconds(),
            "Draw": draw.GetValue(),
            "Events": pandas.DataFrame({"Time": numpy.arange(nodes) * gap}),
        }

    return experiment


def test_function_over_a_grid(cache):
    frame = relnet.sweep(make_experiment(), nodes=range(1, 4), gap=0.5, seeds=2)
    assert list(frame.columns) == ["nodes", "gap", "seed", "End", "Draw"]
    assert frame["End"].tolist() == [0, 0, 0.5, 0.5, 1, 1]
    assert frame["Draw"].nunique() == 2, "one stream a seed, whatever ran before"
    assert len(relnet.tables(frame)["Events"]) == 2 * (1 + 2 + 3)
    assert counts(frame) == (6, 0, 0)
    assert counts(relnet.sweep(make_experiment(), nodes=range(1, 5), gap=0.5, seeds=2)) == (2, 6, 0)


def test_a_table_without_rows_takes_no_type_away():
    def count(n):
        return {"Events": pandas.DataFrame({"number": list(range(n))})}

    events = relnet.tables(relnet.sweep(count, n=[0, 2, 0, 1]))["Events"]
    assert events["n"].tolist() == [2, 2, 1]
    assert pandas.api.types.is_integer_dtype(events["n"])


def test_function_gets_its_seed_and_returns_a_number(cache):
    frame = relnet.sweep(lambda x, seed: 10 * x + seed, x=numpy.array([1, 2]), seeds=[3, 5])
    assert frame["value"].tolist() == [13, 15, 23, 25]
    assert relnet.sweep(lambda: "text")["value"].tolist() == ["text"]


def test_function_that_fails_at_some_points(cache):
    def experiment(x):
        from relnet import ns

        if x == 1:
            raise ValueError("one is bad")
        if x == 2:
            ns.TypeId.LookupByName("ns3::Nowhere")
        return x

    told = r"2 of 4 runs failed\..*ValueError: one is bad \(line \d+, in experiment\)"
    with pytest.warns(relnet.RelnetWarning, match=told):
        frame = relnet.sweep(experiment, x=[0, 1, 2, 3])
    assert counts(frame) == (2, 0, 2)
    assert "ns3::Nowhere" in frame.attrs["failures"][1] or "SIGABRT" in frame.attrs["failures"][1]


@pytest.mark.parametrize("value", [[1, 2], {"a": [1]}, 1j])
def test_strange_results_are_refused(cache, value):
    with pytest.warns(relnet.RelnetWarning, match="a result is a number"):
        relnet.sweep(lambda: value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            pandas.DataFrame({"u": numpy.array([1, 2**64 - 1], dtype="uint64")}),
            "column u .* holds 18446744073709551615",
        ),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "table has the name a twice"),
        ({1: 2, "1": 3}, "result has the name 1 twice"),
        (pandas.Series([2, 3], index=["a", "a"]), "result has the name a twice"),
    ],
)
def test_results_that_would_be_lost_or_changed_are_refused(cache, value, told):
    """A large number became negative, the later of two results replaced the former, and two columns ended the sweep."""
    with pytest.warns(relnet.RelnetWarning, match=told):
        relnet.sweep(lambda: value)


def test_strange_parameters_of_a_function_are_refused(cache):
    with pytest.raises(relnet.RelnetError, match="has no parameter 'y'; it has x"):
        relnet.sweep(lambda x: x, y=3)
    with pytest.raises(relnet.RelnetError, match="no value"):
        relnet.sweep(lambda x: x, x=[])
    with pytest.raises(relnet.RelnetError, match="use seeds=N"):
        relnet.sweep(lambda seed: seed, seed=[1, 2])
    with pytest.raises(relnet.RelnetError, match="cannot be sent"):
        relnet.sweep(lambda x: x, x=[threading.Lock()])


def test_a_vector_of_cpp_is_a_list_of_its_elements():
    class Vector(list):
        __cpp_name__ = "std::vector<int>"

    found = plain(Vector([1, 2]))
    assert type(found) is list and found == [1, 2]


def test_names_of_a_function_are_also_those_in_its_closure():
    def within():
        return "needle"

    def outer():
        return within()

    assert "needle" in names(outer)


def test_fingerprint_tells_functions_apart():
    def make(constant, default=1):
        def function(x, y=default):
            return x * constant + y

        return function

    assert fingerprint(make(2)) == fingerprint(make(2))
    assert fingerprint(make(2)) != fingerprint(make(3))
    assert fingerprint(make(2)) != fingerprint(make(2, 5))
    assert fingerprint(lambda x: x + 1) == fingerprint(lambda x: x + 1)
    assert fingerprint(lambda x: x + 1) != fingerprint(lambda x: x + 2)
    assert fingerprint(lambda x: numpy.sin(2 * x)) != fingerprint(lambda x: numpy.cos(2 * x))
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert fingerprint(1) != fingerprint(1.0) != fingerprint("1")
    # Arrays are equal by value, in whatever order they lie in memory.
    table = numpy.arange(6.0).reshape(2, 3)
    assert fingerprint(table) == fingerprint(numpy.asfortranarray(table))
    assert fingerprint(table) not in map(fingerprint, (table.reshape(3, 2), table + 1, table.astype("f4")))
    assert fingerprint(array("d", [1])) != fingerprint(array("d", [2]))
    assert fingerprint(numpy.array([1, 2])) != fingerprint(numpy.array([1, 3]))


def test_fingerprint_is_the_same_in_every_process(tmp_path):
    (tmp_path / "library.py").write_text("FACTOR = 3\ndef scale(x):\n    return FACTOR * x\n")
    script = textwrap.dedent(
        """
        import library
        from relnet.records.fingerprint import fingerprint
        class Model:
            rate = 3
            def step(self, x):
                return x in {"a", "b", "c"} and self.rate
        def helper(x):
            return Model().step(x) + library.scale(x)
        def experiment(x):
            return helper(x) + (lambda y: y)(x) + (experiment(x - 1) if x else 0)
        print(fingerprint(experiment))
        """
    )

    def run(text, seed):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
        )
        return done.stdout

    first = run(script, "1")
    assert first == run("\n\n" + script, "2"), "neither the hash seed nor the line counts"
    assert first != run(script.replace("rate = 3", "rate = 4"), "1")
    (tmp_path / "library.py").write_text("FACTOR = 4\ndef scale(x):\n    return FACTOR * x\n")
    assert first != run(script, "1"), "a module that is no installed package counts by its source"


def test_bar_shows_rate_and_time_left(sample, capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    relnet.sweep(sample, nodes="1:6", wall=60, jobs=1, progress=True)
    shown = capsys.readouterr().err
    assert "6.0/6" in shown, "the end is drawn, however soon after the point before"
    assert "run/s" in shown or "s/run" in shown
    assert "computed" not in shown, "what is the same as the number of runs done is not said twice"
    relnet.sweep(sample, nodes="1:8", wall=60, jobs=1, progress=True)
    assert "cached=6" in capsys.readouterr().err


def test_points_that_form_no_grid(sample):
    points = [({"nodes": 4, "offset": 0}, 2), ({"LABEL": "x"}, 1), ({}, 3), ({"nodes": "4", "offset": 0}, 2)]
    frame = sweep_points(sample, points, "some points")
    assert frame["point"].tolist() == [0, 1, 2, 3]
    assert frame["seed"].tolist() == [2, 1, 3, 2]
    assert frame["Sum"].tolist() == [10, 133, 133, 10]
    assert frame["Echo"].tolist() == ["plain", "x", "plain", "plain"]
    with pytest.raises(relnet.RelnetError, match="did you mean Nodes"):
        sweep_points(sample, [({"nods": 4}, 1)])
    frame = sweep_points(sample, [({"nodes": 5}, 1), ({}, 1), ({"Nodes": 5}, 1)])
    assert counts(frame) == (2, 1, 0), "the same run is run once"
    assert sweep_points(sample, []).empty


def test_library_rebuilt_during_a_sweep(sample, plugin, tmp_path, monkeypatch):
    copy = tmp_path / "copy.so"
    shutil.copy(plugin, copy)
    monkeypatch.setenv("RELNET_LIBRARIES", str(copy))

    class Rebuilding(Executor):
        def submit(self, function, task, /):
            shutil.copy(plugin, tmp_path / "next.so")
            with open(tmp_path / "next.so", "ab") as file:
                file.write(b"\0")
            os.replace(tmp_path / "next.so", copy)
            future = Future()
            future.set_result(function(task))
            return future

    frame = relnet.sweep(sample, nodes="1:3", executor=Rebuilding())
    assert counts(frame) == (3, 0, 0), "a sweep ends with the code that it began with"
    assert not relnet.run(sample, nodes=1).attrs["cached"]


@pytest.mark.parametrize(
    ("cache_on", "remains"), [(True, "the same sweep resumes there"), (False, "nothing was stored")]
)
def test_interruption_tells_what_remains(sample, cache, monkeypatch, cache_on, remains):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sweeps, "_compute", interrupt)
    with pytest.raises(KeyboardInterrupt, match=f"Interrupted: computed 0, cached 0, failed 0; {remains}"):
        relnet.sweep(sample, nodes=[4, 5], cache=cache_on)


def test_bar_tells_what_is_out_of_the_ordinary(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    bar = SweepBar("a sweep", 3, show=True)
    bar.finish(0, computed=1, cached=0, failed=0)
    bar.finish(1, computed=1, cached=0, failed=1)
    bar._bar.refresh()
    told = capsys.readouterr().err
    assert "failed=1" in told and "computed" not in told and "cached" not in told
    bar.close()


def test_a_run_that_takes_too_long_has_failed(sample):
    """One run ends at once, the other after an hour unless cancelled."""
    with pytest.warns(relnet.RelnetWarning, match="had not ended after 20 s, its timeout"):
        frame = relnet.sweep(sample, nodes=4, rows=1, wall=["0s", "1h"], run_timeout="20s")
    assert frame.attrs["failed"] == 1 and frame["Sum"].notna().tolist() == [True, False]
    with pytest.raises(relnet.RelnetError, match="run_timeout is 'soon'"):
        relnet.sweep(sample, run_timeout="soon")


def test_formats_of_files(sample, tmp_path):
    """Each ending gives its format, with units; an unknown one is refused before any run."""
    for ending in (".csv", ".json", ".md", ".tex"):
        relnet.sweep(sample, nodes=[4, 5], rows=1, label="50 % & a_b", out=tmp_path / f"frame{ending}")
    told = json.loads((tmp_path / "frame.json").read_text())
    assert told["units"]["Sum"] == "nodes" and [row["Sum"] for row in told["rows"]] == [7, 12]
    lines = (tmp_path / "frame.md").read_text().splitlines()
    assert lines[0].startswith("| Nodes [nodes] | Rows ") and len(lines) == 4 and lines[2].startswith("| 4 | 1 |")
    latex = (tmp_path / "frame.tex").read_text()
    assert r"50 \% \& a\_b" in latex and latex.count(r"\\") == 3 and r"\toprule" in latex
    with pytest.raises(relnet.RelnetError, match=r"has to end in one of \.csv, \.json, \.md, \.tex, \.parquet"):
        relnet.sweep(sample, out=tmp_path / "frame.xls")


def test_every_format_has_the_same_numbers(command, cache, tmp_path):
    """JSON had 15 significant digits in files and 10 decimal places on the screen; CSV has all."""
    words = ["sweep", "reliability", "network=csma", "protocol=idempotent", "loss=0.1,0.2", "nodes=3", "messages=7"]
    for ending in ("csv", "json"):
        assert command(*words, "--out", tmp_path / f"all.{ending}").status == 0
    exact = pandas.read_csv(tmp_path / "all.csv", float_precision="round_trip")
    rows = json.loads((tmp_path / "all.json").read_text())["rows"]
    printed = json.loads(command("run", *words[1:3], "protocol=idempotent", "loss=0.1", *words[5:], "--json").out)
    assert len(rows) == 2
    for name in exact.select_dtypes("number").columns:
        for row, value in zip(rows, exact[name], strict=True):
            if isinstance(row[name], str):
                continue  # an empty text
            assert value != value if row[name] is None else row[name] == value, name
        if name in printed["results"]:
            assert printed["results"][name] == rows[0][name], name


def test_json_has_no_number_that_json_does_not_know():
    """`relnet run --json` wrote NaN for a result without value."""
    frame = pandas.DataFrame({"a": [1 / 3, float("nan"), float("inf")], "b": [1, None, 3], "c": ["x", None, "y"]})
    frame["d"] = pandas.array([1, None, 2**60], dtype="Int64")
    frame["e"] = frame["a"].astype("float32")
    told = json.loads(files.json_text(frame), parse_constant=pytest.fail)
    assert [row["a"] for row in told] == [1 / 3, None, None] and [row["b"] for row in told] == [1, None, 3]
    assert [row["c"] for row in told] == ["x", None, "y"] and [row["d"] for row in told] == [1, None, 2**60]
    assert told[0]["e"] == float(frame["e"][0])


def test_units_in_a_second_line(sample, command, tmp_path):
    command("sweep", sample, "nodes=4,5", "rows=1", "--units", "--out", tmp_path / "frame.csv")
    lines = (tmp_path / "frame.csv").read_text().splitlines()
    assert lines[0].startswith("Nodes,Rows,seed,") and lines[1].startswith("nodes,") and lines[2].startswith("4,1,1,")


def test_times_are_numbers_and_accept_any_unit(sample):
    frame = relnet.sweep(sample, nodes=4, rows=1, rate=["1Mbps", "2MB/s"], wall=[0, "2ms"])
    assert frame["Wall"].tolist() == [0, 2, 0, 2]
    assert frame["Rate"].tolist() == [1_000_000] * 2 + [16_000_000] * 2 and frame.attrs["units"]["Rate"] == "bit/s"


def test_options_hide_no_parameter():
    """`sweep(progress=...)` is an option: a parameter of this name could not be given in lower case."""
    calls = (relnet.run, relnet.sweep, relnet.trace)
    options = {fold(name) for call in calls for name in inspect.signature(call).parameters}
    assert {"progress", "runtimeout", "limit"} <= options
    names = {fold(parameter.name) for scenario in relnet.scenarios() for parameter in scenario.parameters}
    assert not names & options


def test_means_over_the_seeds_have_intervals():
    frame = pandas.DataFrame({"Nodes": [2, 2, 4], "seed": [1, 2, 1], "Time": [1.0, 3.0, 5.0], "Outcome": "exact"})
    frame.attrs["units"] = {"Time": "us"}
    averaged = relnet.average(frame, ["time"])
    assert list(averaged.columns) == ["Nodes", "Seeds", "Time", "TimeInterval"]
    assert averaged["Time"].to_list() == [2, 5] and averaged["Seeds"].to_list() == [2, 1]
    assert averaged["TimeInterval"][0] == pytest.approx(12.706, rel=1e-3) and averaged["TimeInterval"].isna()[1]
    assert averaged.attrs["units"]["TimeInterval"] == "us"
    assert list(relnet.average(frame).columns) == list(averaged.columns), "texts have no mean"
    with pytest.raises(relnet.RelnetError, match=r"^Outcome has no numbers, so it has no mean\.$"):
        relnet.average(frame, ["Outcome"])
    with pytest.raises(relnet.RelnetError, match=r"^level is 2; "):
        relnet.average(frame, level=2)


def test_a_table_has_the_chosen_columns(command, cache, tmp_path):
    """It had all columns of the frame, 27 and more."""
    words = ["sweep", "reliability", "network=csma", "protocol=idempotent", "loss=0.1,0.2", "nodes=2", "messages=3"]
    words += ["--seeds", "2", "--columns", "latency,Goodput"]
    head = "| Network | Protocol | Loss [probability] | Nodes | Messages |"
    told = command(*words, "--out", tmp_path / "all.md")
    assert told.status == 0, told.err
    first, _, *rows = (tmp_path / "all.md").read_text().splitlines()
    assert first.endswith("| seed | Latency [us] | Goodput [MB/s] |") and first.startswith(head[:20]) and len(rows) == 4
    assert command(*words, "--mean", "--out", tmp_path / "means.tex").status == 0
    assert "LatencyInterval" in (tmp_path / "means.tex").read_text()
    shown = command(*words, "--mean").out.splitlines()
    assert any(line.split()[:1] == ["Loss"] for line in shown)
    assert "There is no column 'speed'" in command(*words[:-1], "speed").err


@pytest.mark.parametrize("ending", ["csv", "json", "md", "tex"])
def test_a_column_that_is_chosen_twice_is_there_once(command, cache, tmp_path, ending):
    """JSON, Markdown and LaTeX ended with a traceback, and a comparison counted each seed twice."""
    words = ["reliability", "network=csma", "protocol=none,udp", "nodes=2", "messages=3", "--columns"]
    path = tmp_path / f"chosen.{ending}"
    assert command("sweep", *words, "Time,time", "--out", path).status == 0
    once = tmp_path / f"once.{ending}"
    assert command("sweep", *words, "Time", "--out", once).status == 0
    assert path.read_text() == once.read_text()
    assert command("compare", *words, "Time,time", "--seeds", "2", "--out", path).status == 0
    assert command("compare", *words, "Time", "--seeds", "2", "--out", once).status == 0
    assert path.read_text() == once.read_text()
