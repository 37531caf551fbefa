# SPDX-License-Identifier: GPL-2.0-only
"""Single runs of a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from relnet.binding import user_code
from relnet.catalog.lookup import describe
from relnet.catalog.parameters import Parameter
from relnet.catalog.scenario import Scenario
from relnet.processes import pool
from relnet.records import frames
from relnet.records.tasks import Record, Recording, Task
from relnet.runs import progress, store
from relnet.runs.grid import parse_seed


def make_task(scenario: Scenario, values: Mapping[Parameter, Any], seed: int, like: Task | None = None) -> Task:
    """Make the task of one run from canonical values. Libraries and code are those of `like`, if given."""
    libraries = like.libraries if like else user_code.libraries()
    return Task(
        "scenario",
        scenario.name,
        scenario.type,
        tuple((parameter.name, value) for parameter, value in values.items()),
        tuple((parameter.name, parameter.text(value)) for parameter, value in values.items()),
        seed,
        libraries=libraries,
        code=like.code if like else pool.server(libraries).hello["code"],
    )


def task_key(scenario: Scenario, task: Task) -> str:
    """The key of a run on disk: scenario, all parameters, seed and code."""
    given = dict(task.texts)
    everything = {
        parameter.name: given.get(parameter.name, parameter.text(parameter.default))
        for parameter in scenario.parameters
    }
    files = [parameter.name for parameter in scenario.parameters if parameter.may_name_file]
    return store.key("scenario", scenario.type, everything, task.seed, task.code, files)


def run_record(
    name: str | Scenario,
    parameters: Mapping[str, Any],
    seed: Any = 1,
    cache: bool = True,
    show: bool | None = None,
    recording: Recording | None = None,
) -> tuple[Scenario, Task, Record]:
    """
    Run a scenario once, or read the result from disk; like `run`, but returns a plain record.

    Parameters
    ----------
    recording : Recording, optional
        Settings of a recording of the run.

    Returns
    -------
    tuple
        The scenario with its parts, the task and the record.
    """
    scenario = describe(name)
    scenario, values = scenario.bind(scenario.flatten(parameters))
    task = replace(make_task(scenario, values, parse_seed(seed)), recording=recording)
    key = task_key(scenario, task)
    with store.Store(enabled=cache and scenario.repeatable) as kept:
        record = kept.get(key)
        if record is None:
            with kept.claimed(key):
                # Another process may have computed it in the meantime.
                record = kept.get(key)
                if record is None:
                    with progress.RunBar(scenario.name, show) as bar:
                        record = pool.run_task(task, bar.update, echo=True)
                    kept.put(key, task, record)
        kept.remember("run", scenario.name, [{**dict(task.given), "seed": task.seed}], [key])
    return scenario, task, record


def run(
    name: str | Scenario, /, *, seed: int = 1, cache: bool = True, progress: bool | None = None, **parameters: Any
) -> Any:
    """
    Run a scenario once.

    Parameters
    ----------
    name : str
        The scenario; `relnet.scenarios()` lists them.
    seed : int
        A whole number from 1: the run number (`RngSeedManager::SetRun`) of ns-3's random number generator, whose
        seed is always 1. Equal seeds and parameters give equal results on every machine.
    cache : bool
        Whether to read and store results on disk.
    progress : bool, optional
        Whether to show a progress bar after two seconds; by default in a terminal and in a notebook.
    **parameters
        Parameters of the scenario, in any case. Those of a part have its prefix, or are given with its name:
        `**{"protocol.Backoff": "linear"}` or `protocol={"name": "idempotent", "Backoff": "linear"}`.

    Returns
    -------
    pandas.Series
        The named results. `attrs` has `scenario`, `parameters` (all of them), `seed`, `code`, `units`, `seconds`,
        `cached`, `draws` (random numbers drawn; with none, all seeds give the same results), and `tables`, a dictionary
        of DataFrames.

    Raises
    ------
    RelnetError
        If a name or value is not allowed, or parameters contradict each other.
    RunError
        If the run failed, or its process ended; states the command that repeats it.
    """
    return to_series(*run_record(name, parameters, seed, cache, progress))


def to_series(scenario: Scenario, task: Task, record: Record) -> Any:
    """Convert the results of a run to the return value of `run`."""
    from relnet.runs.display import Results  # slow: it needs pandas

    series = Results(record.results, name=scenario.name, dtype=object if record.results else "float64")
    series = Results(series.infer_objects())
    given = dict(task.given)
    series.attrs.update(
        scenario=scenario.name,
        parameters={one.name: given.get(one.name, one.default) for one in scenario.parameters},
        seed=task.seed,
        code=record.code,
        units=scenario.units,
        seconds=record.seconds,
        cached=record.cached,
        draws=record.draws,
        tables=frames.Tables({table.name: frames.to_frame(table) for table in record.tables}),
    )
    return series
