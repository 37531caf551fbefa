# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios: what there is, what each takes and gives, and one run of one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from relnet import frames, progress, store
from relnet.errors import RelnetError
from relnet.grid import parse_seed
from relnet.parameters import Parameter, Result, fold, unknown
from relnet.processes import loaded, pool
from relnet.processes.tasks import Record, Task


def command_name(type_name: str) -> str:
    """The name of a scenario on the command line: `ns3::wormhole::UniformTrafficScenario` is `uniform-traffic`."""
    last = type_name.rsplit("::", 1)[-1].removesuffix("Scenario")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", last).lower()


@dataclass(frozen=True)
class Scenario:
    """
    An experiment: what it takes and what it gives.

    Attributes
    ----------
    name : str
        Its name on the command line.
    type : str
        The name of its TypeId.
    summary : str
        What it is for, in one sentence; empty if its authors do not tell.
    parameters : tuple of Parameter
        What it takes.
    results, tables : tuple of Result
        What it gives.
    """

    name: str
    type: str
    summary: str
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]
    tables: tuple[Result, ...]

    def parameter(self, name: str) -> Parameter:
        """
        Find a parameter without regard to case, dashes and underscores.

        Raises
        ------
        RelnetError
            If there is none of this name; the sentence has the nearest match and all names.
        """
        for parameter in self.parameters:
            if fold(parameter.name) == fold(name):
                return parameter
        names = [one.name for one in self.parameters]
        raise unknown(f"{self.name} has no parameter {name!r}", name, names, f"relnet describe {self.name}")

    def collect(self, given: Mapping[str, Any]) -> dict[Parameter, Any]:
        """Match names to parameters; a parameter given twice under two spellings is an error."""
        matched: dict[Parameter, Any] = {}
        for name, value in given.items():
            parameter = self.parameter(name)
            if parameter in matched:
                raise RelnetError(f"{parameter.name} is given twice.")
            matched[parameter] = value
        return matched

    def only(self, words: Iterable[str]) -> Scenario:
        """
        This scenario with those parameters, results and tables alone that have words in their name, unit or help.

        Parameters
        ----------
        words : iterable of str
            All of them have to be there, in any case; all is told if there are none.

        Raises
        ------
        RelnetError
            If nothing has them.
        """
        wanted = [word.casefold() for word in words]

        def chosen(told: Iterable[Any]) -> tuple:
            texts = [(one, f"{one.name} {one.unit} {one.help} {' '.join(getattr(one, 'choices', ()))}") for one in told]
            return tuple(one for one, text in texts if all(word in text.casefold() for word in wanted))

        found = replace(
            self, parameters=chosen(self.parameters), results=chosen(self.results), tables=chosen(self.tables)
        )
        if not (found.parameters or found.results or found.tables):
            raise RelnetError(
                f"Nothing that {self.name} takes or gives has {' and '.join(map(repr, wanted))} in its name or help; "
                f"`relnet describe {self.name}` lists everything."
            )
        return found

    @property
    def units(self) -> dict[str, str]:
        """The unit of each result that has one."""
        return {result.name: result.unit for result in self.results if result.unit}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain lists, dictionaries, numbers and texts."""
        told = asdict(self)
        for parameter, plain in zip(self.parameters, told["parameters"], strict=True):
            plain["allowed"] = parameter.allowed
            plain["choices"] = list(parameter.choices)
            for bound in ("minimum", "maximum"):
                if parameter.kind == "time" and plain[bound] is not None:
                    plain[bound] = float(plain[bound])
        return {key: list(value) if isinstance(value, tuple) else value for key, value in told.items()}

    def __repr__(self) -> str:
        return f"<scenario {self.name}: {len(self.parameters)} parameters, {len(self.results)} results>"

    def __str__(self) -> str:
        lines = [f"{self.name} ({self.type})", *filter(None, [self.summary])]
        lines += ["", "Parameters"] if self.parameters else []
        for parameter in self.parameters:
            default = parameter.text(parameter.default)
            # A time or a rate is written with its unit.
            unit = f" [{parameter.unit}]" if parameter.unit and parameter.kind not in ("time", "rate") else ""
            source = f" Source: {parameter.source}." if parameter.source else ""
            lines += [
                f"  {parameter.name} = {default}{unit}",
                f"      {parameter.allowed}",
                f"      {parameter.help}{source}",
            ]
        for title, results in (("Results", self.results), ("Tables", self.tables)):
            if results:
                lines += ["", title]
            for result in results:
                unit = f" [{result.unit}]" if result.unit else ""
                lines += [f"  {result.name}{unit}", f"      {result.help}"]
        return "\n".join(lines)


@lru_cache(maxsize=8)
def _read_catalog(text: str) -> dict[str, Scenario]:
    found: dict[str, Scenario] = {}
    for entry in sorted(json.loads(text), key=lambda entry: entry["type"]):
        by_role: dict[str, list] = {"parameter": [], "result": [], "table": []}
        for attribute in entry["attributes"]:
            kind = Parameter if attribute["role"] == "parameter" else Result
            by_role[attribute["role"]].append(kind.from_attribute(attribute))
        scenario = Scenario(
            command_name(entry["type"]),
            entry["type"],
            entry["summary"],
            tuple(by_role["parameter"]),
            tuple(by_role["result"]),
            tuple(by_role["table"]),
        )
        name = scenario.name if scenario.name not in found else scenario.type
        found[name] = scenario
    return found


def _catalog() -> dict[str, Scenario]:
    return _read_catalog(pool.server(loaded.libraries()).hello["catalog"])


def scenarios() -> list[Scenario]:
    """
    All scenarios of our modules and of the libraries loaded.

    Returns
    -------
    list of Scenario
        In alphabetical order.
    """
    return sorted(_catalog().values(), key=lambda scenario: scenario.name)


def describe(name: str | Scenario, *words: str) -> Scenario:
    """
    What a scenario takes and gives.

    Parameters
    ----------
    name : str
        Its name on the command line, its class or its TypeId; without regard to case.
    *words : str
        Tell only what has all of these in its name or its help, as in `describe("idempotent", "backoff")`.

    Returns
    -------
    Scenario
        Prints as a description.

    Raises
    ------
    RelnetError
        If there is no such scenario, or nothing in it has the words.
    """
    if words:
        return describe(name).only(words)
    if isinstance(name, Scenario):
        return name
    catalog = _catalog()
    for known, scenario in catalog.items():
        aliases = (known, scenario.type, scenario.type.rsplit("::", 1)[-1])
        if fold(name) in map(fold, aliases):
            return scenario
    raise unknown(f"The scenario {name!r} does not exist", name, catalog, "relnet scenarios")


def make_task(scenario: Scenario, values: Mapping[Parameter, Any], seed: int, like: Task | None = None) -> Task:
    """The task of one run; `values` are canonical. Libraries and code are those of `like`, if given."""
    libraries = like.libraries if like else loaded.libraries()
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
    """Under what a run is kept on disk: scenario, all parameters, seed and code."""
    given = dict(task.texts)
    everything = {
        parameter.name: given.get(parameter.name, parameter.text(parameter.default))
        for parameter in scenario.parameters
    }
    return store.key("scenario", scenario.type, everything, task.seed, task.code)


def run_record(
    name: str | Scenario,
    parameters: Mapping[str, Any],
    seed: Any = 1,
    cache: bool = True,
    show: bool | None = None,
) -> tuple[Scenario, Task, Record]:
    """
    Run a scenario once, or find that it has been run; as `run`, with a plain record for an answer.

    Returns
    -------
    tuple
        The scenario, what was asked, and the record.
    """
    scenario = describe(name)
    values = {parameter: parameter.parse(value) for parameter, value in scenario.collect(parameters).items()}
    task = make_task(scenario, values, parse_seed(seed))
    key = task_key(scenario, task)
    with store.Store(enabled=cache) as kept:
        record = kept.get(key)
        if record is None:
            with progress.RunBar(scenario.name, show) as bar:
                record = pool.run_task(task, bar.update, echo=True)
            kept.put(key, task, record)
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
        Whether a run that is on disk is taken from there, and a new one kept.
    progress : bool, optional
        Whether a run of more than two seconds shows a bar; by default in a terminal and in a notebook.
    **parameters
        The scenario's parameters, matched without regard to case.

    Returns
    -------
    pandas.Series
        The named results. `attrs` has `scenario`, `parameters` (all of them), `seed`, `code`, `units`, `seconds`,
        `cached`, and `tables`, a dictionary of DataFrames.

    Raises
    ------
    RelnetError
        If a name or value is not allowed, or the values do not go together.
    RunError
        If the run failed, or its process ended; has the command that repeats it.
    """
    import pandas  # slow, and only a Series needs it

    scenario, task, record = run_record(name, parameters, seed, cache, progress)
    series = pandas.Series(record.results, name=scenario.name, dtype=object if record.results else "float64")
    series = series.infer_objects()
    given = dict(task.given)
    series.attrs.update(
        scenario=scenario.name,
        parameters={one.name: given.get(one.name, one.default) for one in scenario.parameters},
        seed=task.seed,
        code=record.code,
        units=scenario.units,
        seconds=record.seconds,
        cached=record.cached,
        tables=frames.Tables({table.name: frames.to_frame(table) for table in record.tables}),
    )
    return series
