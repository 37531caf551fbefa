# SPDX-License-Identifier: GPL-2.0-only
"""Sweeps on Dask's distributed executor, on a cluster of two worker processes."""

import os

import pandas
import pytest

import relnet
from relnet.distributed import check

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    """A cluster of two worker processes on this machine."""
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


def test_every_worker_can_run_what_we_can(sample, client):
    machines = check(client)
    assert len(machines) == 2
    assert set(machines.values()) == {os.uname().nodename}


def test_other_code_at_a_worker_is_told(sample, client, monkeypatch):
    monkeypatch.setattr("relnet.distributed._report", lambda libraries: ("0123456789abcdef", "there"))
    with pytest.raises(relnet.RelnetError, match="build the same sources"):
        check(client)


def test_same_bytes_as_on_this_machine(sample, client, tmp_path):
    grid = {"nodes": "1:6", "rows": [2, 3], "seeds": 2, "cache": False}
    here = relnet.sweep(sample, out=tmp_path / "here.csv", **grid)
    there = relnet.sweep(sample, out=tmp_path / "there.csv", executor=client.get_executor(), **grid)
    assert there.attrs["computed"] == 24
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
    pandas.testing.assert_frame_equal(relnet.tables(here)["Draws"], relnet.tables(there)["Draws"])


def test_crash_costs_one_run_and_no_worker(sample, client):
    before = set(client.scheduler_info()["workers"])
    with pytest.warns(relnet.RelnetWarning, match="2 of 4 runs failed"):
        frame = relnet.sweep(
            sample, behaviour=["fine", "fatal", "segfault", "livelock"], executor=client.get_executor()
        )
    assert frame["Verdict"].isna().tolist() == [False, True, True, False]
    assert "Repeat it with: relnet " in frame.attrs["failures"][0]
    assert set(client.scheduler_info()["workers"]) == before


def test_results_are_kept_here(sample, client, cache):
    relnet.sweep(sample, nodes="1:4", executor=client.get_executor())
    frame = relnet.sweep(sample, nodes="1:6", executor=client.get_executor())
    assert (frame.attrs["computed"], frame.attrs["cached"]) == (2, 4)
    assert (cache / "results-2.sqlite").exists()


def test_functions_travel(cache, client):
    def experiment(nodes, seed):
        from relnet import ns

        draw = ns.CreateObject[ns.UniformRandomVariable]()
        return {"Nodes": ns.NodeContainer(nodes).GetN(), "Draw": draw.GetValue()}

    there = relnet.sweep(experiment, nodes=[1, 2], seeds=2, cache=False, executor=client.get_executor())
    here = relnet.sweep(experiment, nodes=[1, 2], seeds=2, cache=False)
    pandas.testing.assert_frame_equal(here, there)
