# SPDX-License-Identifier: GPL-2.0-only
"""Results on disk: round trips, and errors of the disk, which never lose a result."""

import array
import json
import math
import multiprocessing
import os
import sqlite3
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import relnet
from relnet.records.tasks import Column, Record, Table, Task
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
    with sqlite3.connect(cache / "results.sqlite") as connection:
        row = connection.execute("SELECT name, parameters, seed, code, results FROM results").fetchone()
    assert row[:1] + row[2:4] == ("sample", 3, "c0de")
    assert json.loads(row[1]) == {"Nodes": "4"}
    assert json.loads(row[4]) == RECORD.results


def test_key_depends_on_everything(tmp_path):
    file = tmp_path / "trace"
    file.write_text("one")
    base = ("scenario", "ns3::X", {"A": "1", "B": str(file)}, 1, "code")
    keys = {
        key(*base),
        key("function", *base[1:]),
        key("scenario", "ns3::Y", *base[2:]),
        key("scenario", "ns3::X", {"A": "2", "B": str(file)}, 1, "code"),
        key(*base[:3], 2, "code"),
        key(*base[:4], "other"),
    }
    assert key(*base) in keys and len(keys) == 6
    assert key("scenario", "ns3::X", {"B": str(file), "A": "1"}, 1, "code") == key(*base)
    file.write_text("two")
    assert key(*base) not in keys


def test_file_without_a_size_is_not_read(monkeypatch):
    """Kernel files, such as /proc/kmsg, have size 0, and reading one may never end."""
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda path: pytest.fail(f"{path} was read"))
    assert key("scenario", "x", {"File": "/proc/self/status"}, 1, "c")


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
    file = cache / "results.sqlite"
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
    aside = list(cache.glob("results.sqlite.damaged-*"))
    assert any(path.read_bytes() == damaged for path in aside), "nothing is deleted"


def test_result_that_cannot_be_read_is_damage(cache):
    with Store() as store:
        store.put("k", TASK, RECORD)
    with sqlite3.connect(cache / "results.sqlite") as connection:
        connection.execute("UPDATE results SET results = '{\"Sum\": '")
    connection.close()
    with pytest.warns(relnet.RelnetWarning, match="renamed to"), Store() as store:
        assert store.get("k") is None


def test_damage_found_by_two_processes_moves_one_file(cache):
    cache.mkdir()
    file = cache / "results.sqlite"
    file.write_text("no database " * 100)
    late = Store()
    late._identity = late._inode()
    with pytest.warns(relnet.RelnetWarning, match="renamed to"), Store() as early:
        early.put("k", TASK, RECORD)
    late._move_aside("it is no database")
    with Store() as store:
        assert store.get("k").results == RECORD.results
    assert len(list(cache.glob("results.sqlite.damaged-*"))) == 1


def test_full_disk_loses_nothing(sample, monkeypatch):
    relnet.run(sample)
    opened = Store._open

    def nearly_full(self):
        connection = opened(self)
        connection.execute("PRAGMA max_page_count = 1")
        return connection

    monkeypatch.setattr(Store, "_open", nearly_full)
    with pytest.warns(relnet.RelnetWarning, match=r"database or disk is full\); no computed result is lost") as said:
        frame = relnet.sweep(sample, nodes="1:30", rows=2000)
    assert len(said) == 1
    assert len(frame) == 30 and frame["Sum"].notna().all()
    assert (frame.attrs["computed"], frame.attrs["failed"]) == (30, 0)
    monkeypatch.undo()


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
