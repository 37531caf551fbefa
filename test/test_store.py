# SPDX-License-Identifier: GPL-2.0-only
"""Results on disk: round trips, and errors of the disk, which never lose a result."""

import array
import json
import math
import multiprocessing
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import threading
import warnings
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relnet
from relnet.records.tasks import Column, Record, Table, Task
from relnet.runs import store
from relnet.runs.store import Store, folder, key

TASK = Task("scenario", "sample", texts=(("Nodes", "4"),), seed=3, code="c0de")
RECORD = Record({"Sum": 4, "Mean": 0.1, "On": True, "Name": "x\n"}, (), "c0de", 1.5)

COLUMNS = st.one_of(
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3).map(
        lambda cells: Column("a", "s", "int64", array.array("q", cells).tobytes())
    ),
    st.lists(st.floats(), min_size=3, max_size=3).map(
        lambda cells: Column("b", "", "double", array.array("d", cells).tobytes())
    ),
    st.lists(st.text(), min_size=3, max_size=3).map(lambda cells: Column("c", "", "string", cells)),
)
SCALARS = st.one_of(st.integers(0, 2**64 - 1), st.floats(allow_nan=False), st.booleans(), st.text())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(results=st.dictionaries(st.text(), SCALARS), columns=st.lists(COLUMNS, max_size=4))
def test_what_goes_in_comes_out(cache, results, columns):
    table = Table("T", 3 if columns else 0, tuple(columns))
    with Store() as store:
        store.put("k", TASK, Record(results, (table,), "c0de", 0.5))
        found = store.get("k")
    assert list(found.results.items()) == list(results.items())
    assert [type(value) for value in found.results.values()] == [type(value) for value in results.values()]
    assert found.tables == (table,)
    assert (found.code, found.seconds, found.cached) == ("c0de", 0.5, True)


def test_missing_numbers_come_out(cache):
    with Store() as store:
        store.put("k", TASK, Record({"Mean": math.nan, "Rate": math.inf}))
        found = store.get("k").results
    assert math.isnan(found["Mean"]) and found["Rate"] == math.inf


def test_provenance_can_be_read_with_any_sqlite(cache):
    with Store() as store:
        store.put("k", TASK, RECORD)
    with sqlite3.connect(cache / "results-2.sqlite") as connection:
        row = connection.execute("SELECT name, parameters, seed, code, results FROM results").fetchone()
    assert row[:1] + row[2:4] == ("sample", 3, "c0de")
    assert json.loads(row[1]) == {"Nodes": "4"}
    assert json.loads(row[4]) == RECORD.results


def test_key_depends_on_everything(tmp_path):
    file = tmp_path / "trace"
    file.write_text("one")
    base = ("scenario", "ns3::X", {"A": "1", "B": str(file)}, 1, "code", ["B"])
    keys = {
        key(*base),
        key("function", *base[1:]),
        key("scenario", "ns3::Y", *base[2:]),
        key("scenario", "ns3::X", {"A": "2", "B": str(file)}, 1, "code", ["B"]),
        key(*base[:3], 2, "code", ["B"]),
        key(*base[:4], "other", ["B"]),
    }
    assert key(*base) in keys and len(keys) == 6
    assert key("scenario", "ns3::X", {"B": str(file), "A": "1"}, 1, "code", ["B"]) == key(*base)
    file.write_text("two")
    assert key(*base) not in keys


def test_file_without_a_size_is_not_read(monkeypatch):
    """Kernel files, such as /proc/kmsg, have size 0, and reading one may never end."""
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: pytest.fail(f"{path} was read"))
    assert key("scenario", "x", {"File": "/proc/self/status"}, 1, "c", ["File"])


def test_file_named_like_a_value_is_not_read(cache, monkeypatch, tmp_path):
    """Only a parameter that names a file depends on its contents."""
    (tmp_path / "goal").write_text("num_ranks 2\n")
    monkeypatch.chdir(tmp_path)
    given = {"network": "csma", "protocol": "none", "nodes": 2, "messages": 1}
    first = relnet.run("reliability", **given)
    for name in ("none", "csma", "uniform", "server", "free", "2", "true"):
        (tmp_path / name).write_text("a file with the name of a value")
    assert not first.attrs["cached"]
    assert relnet.run("reliability", **given).attrs["cached"]
    goal = {**given, "pattern": "goal", "pattern.File": "goal"}
    assert not relnet.run("reliability", **goal).attrs["cached"]
    (tmp_path / "goal").write_text("num_ranks 2\n\n")
    assert not relnet.run("reliability", **goal).attrs["cached"]
    assert relnet.run("reliability", **goal).attrs["cached"]


def test_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RELNET_CACHE", str(tmp_path / "own"))
    assert folder() == tmp_path / "own"
    monkeypatch.delenv("RELNET_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folder() == tmp_path / "relnet"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder() == tmp_path / ".cache" / "relnet"


def write_many(first):
    """Store a hundred results; return the warnings."""
    with warnings.catch_warnings(record=True) as said, Store() as store:
        warnings.simplefilter("always")
        for index in range(first, first + 100):
            store.put(f"key {index}", TASK, RECORD)
    return [str(warning.message) for warning in said]


def test_processes_write_at_once(cache):
    with multiprocessing.get_context("spawn").Pool(4) as processes:
        assert processes.map(write_many, range(0, 400, 100)) == [[]] * 4
    with Store() as store:
        assert all(store.get(f"key {index}") for index in range(400))


@pytest.mark.parametrize("damage", ["text", "cut", "middle"])
def test_damaged_file_is_moved_aside(cache, damage):
    with Store() as store:
        for index in range(200):
            store.put(f"key {index}", TASK, RECORD)
    file = cache / "results-2.sqlite"
    whole = file.read_bytes()
    damaged = {
        "text": b"no database at all " * 100,
        "cut": whole[: len(whole) // 3],
        "middle": whole[:4096] + os.urandom(len(whole) - 4096),
    }[damage]
    file.write_bytes(damaged)
    told = r"cannot be read .*\. It was renamed to .*, and a new one is used\."
    with pytest.warns(relnet.RelnetWarning, match=told), Store() as store:
        store.get("key 7")
        store.put("new", TASK, RECORD)
        assert store.get("new").results == RECORD.results
    aside = list(cache.glob("results-2.sqlite.damaged-*"))
    assert any(path.read_bytes() == damaged for path in aside), "nothing is deleted"


TABLES = (Table("T", 1, (Column("a", "s", "int64", array.array("q", [7]).tobytes()),)),) * 2
VALUES = ["NULL", "7", "0.5", "'text'", "x'ff00ff'", "CAST(x'ff' AS TEXT)", "zeroblob(70000)"]
COLUMNS_OF = {
    "results": ["name", "parameters", "seed", "code", "seconds", "finished", "draws", "results", "tables", "checksum"],
    "tables": ["position", "header", "cells", "checksum"],
}
CELLS = [(table, column) for table, columns in COLUMNS_OF.items() for column in columns]


def change(cache, statement):
    """Change the file by SQL."""
    connection = sqlite3.connect(cache / "results-2.sqlite")
    with connection:
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(("table", "column"), CELLS)
@pytest.mark.parametrize("value", VALUES)
def test_damaged_result_is_said_set_aside_and_stored_again(cache, table, column, value):
    """Whatever stands in a cell instead of its value: nothing, another type, or bytes that are no text."""
    record = replace(RECORD, tables=TABLES, draws=8)
    with Store() as store:
        for name in ("k", "other"):
            store.put(name, TASK, record)
    one = "AND position = 1" if table == "tables" else ""
    if column != "position" or value != "NULL":
        change(cache, f"UPDATE {table} SET {column} = {value} WHERE key = 'k' {one}")
    else:
        change(cache, "DELETE FROM tables WHERE key = 'k' AND position = 0")
    with Store() as store:
        with pytest.warns(relnet.RelnetWarning, match="The result k in .* is damaged. It was renamed to damaged-"):
            assert store.get("k") is None
        assert store.enabled and store.get("k") is None, "it is said once"
        store.put("k", TASK, record)
        for name in ("k", "other"):
            found = store.get(name)
            assert (found.results, found.tables) == (record.results, record.tables)
        assert len(store.ages()) == 3, "nothing is deleted"


def test_damaged_result_is_computed_again(sample, cache, command):
    first = relnet.run(sample, nodes=4)
    change(cache, "UPDATE results SET results = replace(results, 'Sum', 'sum')")
    assert "damaged 1" in command("history").out
    with pytest.warns(relnet.RelnetWarning, match="is damaged"):
        again = relnet.run(sample, nodes=4)
    assert not again.attrs["cached"] and again.equals(first)
    assert "completed 1" in command("history").out


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("column", ["id", "name", "kind", "called", "labels", "keys", "checksum"])
def test_history_leaves_damaged_entries_out(sample, cache, column, value):
    relnet.run(sample, nodes=4)
    relnet.run(sample, nodes=5)
    damaged = relnet.history()["id"][0]
    if (column, value) == ("id", "NULL"):
        pytest.skip("a key cannot be missing")
    change(cache, f"UPDATE calls SET {column} = {value} WHERE id = '{damaged}'")
    with pytest.warns(relnet.RelnetWarning, match="The entry of the history .* in .* is damaged"):
        assert len(relnet.history()) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(relnet.history()) == 1


def test_other_tables_are_damage(cache):
    """A flipped bit in the description of a table, for instance."""
    with Store() as store:
        store.put("k", TASK, RECORD)
    path = cache / "results-2.sqlite"
    path.write_bytes(path.read_bytes().replace(b"seconds REAL", b"secondr REAL"))
    with pytest.warns(relnet.RelnetWarning, match="renamed to"), Store() as store:
        store.put("k", TASK, RECORD)
        assert store.get("k").results == RECORD.results


def test_read_only_file_is_read(sample, cache, process):
    """A folder that is mounted read-only: known results are read, and new ones are computed."""
    relnet.run(sample, nodes=4)
    mounted = "mount --bind $RELNET_CACHE $RELNET_CACHE && mount -o remount,ro,bind $RELNET_CACHE"
    run = f"{shlex.quote(sys.executable)} -m relnet"
    script = f"{mounted} || exit 99; {run} sweep {sample} nodes=4,5; {run} history; touch $RELNET_CACHE/x"
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script], capture_output=True, text=True, check=False
    )
    if "unshare:" in done.stderr or done.returncode == 99:
        pytest.skip("this user cannot mount a folder")
    assert "Read-only file system" in done.stderr and "Traceback" not in done.stderr
    assert "computed 1, cached 1, failed 0" in done.stdout
    assert "sample, run: completed 1" in done.stdout
    assert done.stderr.count("relnet: ") == 1 and "is write-protected" in done.stderr


def test_simultaneous_sweeps_compute_each_point_once(sample, relnet_command):
    words = [*relnet_command, "sweep", sample, "nodes=4:43", "rows=1", "--jobs", "2"]
    sweeps = [subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = [sweep.communicate(timeout=600) for sweep in sweeps]
    counts = [re.search(r"computed (\d+), cached (\d+), failed 0", out) for out, _ in outputs]
    assert all(counts), outputs
    assert sum(int(count[1]) for count in counts) == 40
    assert sum(int(count[2]) for count in counts) == 80
    assert len({out[: out.index("computed")] for out, _ in outputs}) == 1


@pytest.mark.parametrize(
    ("error", "obstacle"),
    [
        (sqlite3.OperationalError("database or disk is full"), True),
        (sqlite3.OperationalError("attempt to write a readonly database"), True),
        (sqlite3.OperationalError("no such column: checksum"), False),
        (sqlite3.OperationalError("malformed database schema (runs)"), False),
        (sqlite3.DatabaseError("database disk image is malformed"), False),
        (sqlite3.DatabaseError("file is encrypted or is not a database"), False),
    ],
)
def test_what_is_damage_and_what_only_an_obstacle(error, obstacle):
    """A damaged file is set aside; one that cannot be read or written now stays."""
    assert store._is_obstacle(error) == obstacle


def test_claims_are_taken_again_after_they_were_closed(tmp_path):
    claims, others = store._Claims(), store._Claims()
    assert claims.take(tmp_path / "locks", "k")
    claims.close()
    assert others.take(tmp_path / "locks", "k") and not claims.take(tmp_path / "locks", "k")
    others.close()
    assert claims.take(tmp_path / "locks", "k")
    claims.close()


def test_a_claim_ends_with_its_store(cache):
    with Store() as first, Store() as second:
        assert first.claim("k") and first.claim("other")
        assert not second.claim("k") and second.claim("third")
        first.release("k")
        assert second.claim("k") and not second.claim("other")
        second.release("k")
    with Store() as third:
        assert third.claim("other") and third.claim("k")


def test_waiting_for_another_process_is_said(cache, monkeypatch):
    monkeypatch.setattr("relnet.runs.store._PATIENCE", 0.0)
    with Store() as first, Store() as second:
        first.claim("k")
        released = threading.Timer(0.5, first.release, ["k"])
        released.start()
        match = "Waiting for a result that another process"
        with pytest.warns(relnet.RelnetWarning, match=match) as said, second.claimed("k"):
            assert not first.claim("k")
        assert len(said) == 1 and first.claim("k")
        released.join()


def test_damage_found_by_two_processes_moves_one_file(cache):
    cache.mkdir()
    file = cache / "results-2.sqlite"
    file.write_text("no database " * 100)
    late = Store()
    late._identity = late._inode()
    with pytest.warns(relnet.RelnetWarning, match="renamed to"), Store() as early:
        early.put("k", TASK, RECORD)
    late._move_aside("it is no database")
    with Store() as store:
        assert store.get("k").results == RECORD.results
    assert len(list(cache.glob("results-2.sqlite.damaged-*"))) == 1


def test_full_disk_loses_nothing(sample, monkeypatch):
    relnet.run(sample)
    opened = Store._connect

    def nearly_full(self):
        connection = opened(self)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(Store, "_connect", nearly_full)
    with pytest.warns(relnet.RelnetWarning, match=r"database or disk is full\); no computed result is lost") as said:
        frame = relnet.sweep(sample, nodes="1:30", rows=2000)
    assert len(said) == 1
    assert len(frame) == 30 and frame["Sum"].notna().all()
    assert (frame.attrs["computed"], frame.attrs["failed"]) == (30, 0)
    monkeypatch.undo()


def test_full_disk_is_still_read(cache):
    with Store() as store:
        store.put("k", TASK, RECORD)
        store._connection.execute("PRAGMA max_page_count = 1")
        large = Record({"Text": "x" * 10**6})
        with pytest.warns(relnet.RelnetWarning, match="no longer stored") as said:
            store.put("l", TASK, large)
            store.put("m", TASK, large)
        assert len(said) == 1 and not store.enabled
        assert store.get("k").results == RECORD.results and store.get("l") is None


def test_home_that_does_not_exist_costs_only_the_keeping(sample, monkeypatch):
    def homeless(*_):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.expanduser", homeless)
    monkeypatch.delenv("RELNET_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    with pytest.warns(relnet.RelnetWarning, match="no longer stored.*this user has no home"):
        assert relnet.run(sample, offset=0)["Sum"] == 136


def test_folder_of_a_user_who_does_not_exist_is_refused(sample, monkeypatch, command):
    monkeypatch.setenv("RELNET_CACHE", "~nosuchuser/x")
    for words in (["run", sample], ["history"], ["clean"], ["show", "a"]):
        done = command(*words)
        assert (done.status, done.err) == (2, "relnet: RELNET_CACHE is ~nosuchuser/x, and there is no such user.\n")


def test_folder_that_cannot_be_used_costs_only_the_keeping(sample, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RELNET_CACHE", str(tmp_path / "file"))
    with pytest.warns(relnet.RelnetWarning, match="Results are no longer stored"):
        assert relnet.run(sample, offset=0)["Sum"] == 136


def test_disabled_store_touches_nothing(cache):
    with Store(enabled=False) as store:
        store.put("k", TASK, RECORD)
        assert store.get("k") is None
    assert not cache.exists()
