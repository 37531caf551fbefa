# SPDX-License-Identifier: GPL-2.0-only
"""
Scenarios with their parameters, results and parts.

A part of a scenario, such as its network, is chosen by name and has its own parameters: `network=wormhole
network.Router=lossy`. `Scenario.choose` returns the scenario with the parts that a run selects.
"""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from relnet.catalog import overview
from relnet.catalog.parameters import Parameter, Result
from relnet.errors import RelnetError
from relnet.names import check_text, fold, unknown


@dataclass(frozen=True)
class Choice:
    """
    A class that a part of a scenario can have, such as a network or a protocol.

    Attributes
    ----------
    name : str
        Name on the command line.
    type : str
        Name of the TypeId.
    summary : str
        Purpose, in one sentence.
    parameters : tuple of Parameter
        Its own parameters.
    """

    name: str
    type: str
    summary: str
    parameters: tuple[Parameter, ...]

    def __str__(self) -> str:
        return f"{self.name}: {self.summary}".rstrip(": ")


@dataclass(frozen=True)
class Part:
    """
    A part of a scenario with parameters of its own, which is chosen by name or always the same class.

    Attributes
    ----------
    prefix : str
        Prefix of its parameters, as in `network.Router`.
    selector : str
        Parameter of the scenario that selects it; empty if there is no choice.
    choices : tuple of Choice
        Classes to choose from.
    """

    prefix: str
    selector: str
    choices: tuple[Choice, ...]

    def named(self, name: str) -> Choice | None:
        """Find a choice by name; None if there is none."""
        return next((choice for choice in self.choices if choice.name == name), None)

    @property
    def key(self) -> str:
        """Name whose value may be a mapping with the parameters of the part, without case."""
        return fold(self.selector or self.prefix)


@dataclass(frozen=True)
class Scenario:
    """
    An experiment: its parameters and its results.

    Attributes
    ----------
    name : str
        Name on the command line.
    type : str
        Name of the TypeId.
    summary : str
        Purpose, in one sentence; empty if not declared.
    parameters : tuple of Parameter
        Parameters.
    results, tables : tuple of Result
        Results and tables.
    parts : tuple of Part
        Parts that are chosen by name.
    chosen : mapping of str to Choice
        Chosen parts by their prefixes; `parameters` includes their parameters.
    selected : bool
        Whether parameters and results are a selection, which a description then lists in full.
    sizes : str
        Sizes of messages that the chosen parts take; empty if not asked for.
    repeatable : bool
        Whether equal parameters and seeds give equal results; false for a scenario in real time.
    """

    name: str
    type: str
    summary: str
    parameters: tuple[Parameter, ...]
    results: tuple[Result, ...]
    tables: tuple[Result, ...]
    parts: tuple[Part, ...] = ()
    chosen: Mapping[str, Choice] = field(default_factory=dict, hash=False)
    selected: bool = False
    sizes: str = ""
    repeatable: bool = True

    def parameter(self, name: str) -> Parameter:
        """
        Find a parameter without regard to case, dashes and underscores.

        Raises
        ------
        RelnetError
            If there is none; the message has the nearest match.
        """
        for parameter in self.parameters:
            if fold(parameter.name) == fold(name):
                return parameter
        names = [one.name for one in self.parameters]
        command = f"relnet describe {self.name}"
        prefix = next((part.prefix for part in self.parts if name.partition(".")[0].casefold() == part.prefix), "")
        if "." in name and prefix in self.chosen:
            inside = f"{prefix}={self.chosen[prefix].name}"
            names = [one for one in names if one.startswith(f"{prefix}.")]
            raise unknown(f"{self.name} has no parameter {name!r} with {inside}", name, names, f"{command} {inside}")
        raise unknown(f"{self.name} has no parameter {name!r}", name, names, command)

    def flatten(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """
        Rewrite parameters of parts as `prefix.Name`.

        Parameters
        ----------
        given : mapping of str to object
            Names and values. The value of a part's selector may be a mapping, such as `protocol={"name": "idempotent",
            "Backoff": "linear"}`.

        Returns
        -------
        dict of str to object
            Plain names and values, selectors first.
        """
        selectors = {part.key: part for part in self.parts}
        first: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for name, value in given.items():
            part = selectors.get(fold(name))
            if part is None:
                rest[name] = value
            elif isinstance(value, Mapping):
                inner = {fold(check_text(f"A parameter of {name}", key)): key for key in value}
                if "name" in inner:
                    first[name] = value[inner["name"]]
                rest |= {f"{part.prefix}.{key}": one for key, one in value.items() if fold(key) != "name"}
            else:
                first[name] = value
        return first | rest

    def choose(self, given: Mapping[str, Any]) -> Scenario:
        """
        Choose the parts, by the given selectors or by default.

        Parameters
        ----------
        given : mapping of str to object
            Plain names and single values; only those of selectors matter.

        Returns
        -------
        Scenario
            The scenario with the parameters of all parts.
        """
        if not self.parts:
            return self
        names = {fold(name): value for name, value in given.items()}
        chosen, parameters = {}, list(self.parameters)
        for part in self.parts:
            if not part.selector:
                choice = self._named_after(part, names)
            else:
                selector = self.parameter(part.selector)
                value = names.get(part.key, selector.default)
                choice = part.named(selector.parse(value) if part.key in names else value)
            if choice is not None:
                chosen[part.prefix] = choice
                parameters += [replace(one, name=f"{part.prefix}.{one.name}") for one in choice.parameters]
        return replace(self, parameters=tuple(parameters), chosen=chosen)

    def _named_after(self, part: Part, given: Mapping[str, Any]) -> Choice:
        """The only class of a part, named after the value of the parameter of the same name, if there is one."""
        (choice,) = part.choices
        same = next((one for one in self.parameters if fold(one.name) == part.key), None)
        if same is None:
            return choice
        return replace(choice, name=same.parse(given[part.key]) if part.key in given else same.default)

    def inside(self, given: Mapping[str, Any]) -> Scenario:
        """
        Select the parameters of some parts, for a description.

        Parameters
        ----------
        given : mapping of str to str
            Choices of parts, by their selectors.

        Raises
        ------
        RelnetError
            If the scenario has no such part, or the part no such choice.
        """
        by_selector = {part.key: part.prefix for part in self.parts}
        for name in given:
            if fold(name) not in by_selector:
                prefixes = list(by_selector.values())
                raise unknown(f"{self.name} has no part {name!r}", name, prefixes, f"relnet describe {self.name}")
        whole = self.choose(given)
        chosen = {by_selector[fold(name)]: whole.chosen[by_selector[fold(name)]] for name in given}
        parameters = tuple(one for one in whole.parameters if one.name.partition(".")[0] in chosen)
        return replace(whole, parameters=parameters, results=(), tables=(), chosen=chosen, selected=True)

    def collect(self, given: Mapping[str, Any]) -> dict[Parameter, Any]:
        """Match names to parameters; two spellings of one parameter are an error."""
        matched: dict[Parameter, Any] = {}
        for name, value in given.items():
            parameter = self.parameter(name)
            if parameter in matched:
                raise RelnetError(f"{parameter.name} is given twice.")
            matched[parameter] = value
        return matched

    def bind(self, given: Mapping[str, Any]) -> tuple[Scenario, dict[Parameter, Any]]:
        """
        Choose the parts, and parse the values.

        Parameters
        ----------
        given : mapping of str to object
            Plain names and single values.

        Returns
        -------
        tuple of (Scenario, dict of Parameter to object)
            The scenario with its parts, and the canonical values of the given parameters.
        """
        chosen = self.choose(given)
        return chosen, {one: one.parse(value) for one, value in chosen.collect(given).items()}

    def only(self, words: Iterable[str]) -> Scenario:
        """
        Select the parameters, results and tables that have words in their name, unit or help, or in their group.

        Parameters
        ----------
        words : iterable of str
            Words that all have to occur, in any case.

        Raises
        ------
        RelnetError
            If nothing matches.
        """
        wanted = [check_text("A word", word).casefold() for word in words]

        def chosen(items: Iterable[Any]) -> tuple:
            return tuple(one for one in items if all(word in _searched(one).casefold() for word in wanted))

        found = replace(
            self,
            parameters=chosen(self.parameters),
            results=chosen(self.results),
            tables=chosen(self.tables),
            selected=True,
        )
        if not (found.parameters or found.results or found.tables):
            raise RelnetError(
                f"No parameter, result or table of {self.name} has {' and '.join(map(repr, wanted))} in its name or "
                f"help; `relnet describe {self.name}` lists everything."
            )
        return found

    @property
    def units(self) -> dict[str, str]:
        """Units of the results that have one."""
        return {result.name: result.unit for result in self.results if result.unit}

    def to_dict(self) -> dict[str, Any]:
        """Convert to plain lists, dictionaries, numbers and texts."""
        description = asdict(replace(self, parts=(), chosen={}))
        del description["selected"]
        description["parts"] = [
            {"prefix": part.prefix, "selector": part.selector, "choices": [choice.name for choice in part.choices]}
            for part in self.parts
        ]
        description["chosen"] = {prefix: choice.name for prefix, choice in self.chosen.items()}
        for parameter, plain in zip(self.parameters, description["parameters"], strict=True):
            plain["allowed"] = parameter.allowed
            plain["group"] = overview.group(parameter)
            del plain["origin"]
            plain["choices"] = list(parameter.choices)
            for bound in ("minimum", "maximum"):
                if parameter.kind == "time" and plain[bound] is not None:
                    plain[bound] = float(plain[bound])
        return {key: list(value) if isinstance(value, tuple) else value for key, value in description.items()}

    def __repr__(self) -> str:
        return f"<scenario {self.name}: {len(self.parameters)} parameters, {len(self.results)} results>"

    def __str__(self) -> str:
        return self.full if self.selected else self.short

    @property
    def example(self) -> str:
        """An example command."""
        return overview.example(self.name)

    def _grouped(self, parameters: Iterable[Parameter]) -> dict[str, list[Parameter]]:
        found: dict[str, list[Parameter]] = {name: [] for name in overview.GROUPS}
        for parameter in parameters:
            found[overview.group(parameter)].append(parameter)
        return {name: several for name, several in found.items() if several}

    @property
    def short(self) -> str:
        """The most important parameters, one line each, and an example command."""
        width = shutil.get_terminal_size((100, 24)).columns
        lines = [f"{self.name} ({self.type})", *filter(None, [self.summary]), "", f"  {self.example}"]
        first = overview.first(self.name, self.parameters)
        values = {one: f"{one.name} = {one.text(one.default) or '(empty)'}{one.unit_text}" for one in first}
        margin = min(max(map(len, values.values()), default=0), 36) + 2
        for name, several in self._grouped(first).items():
            lines += ["", name.capitalize()]
            for one in several:
                choices = f"{', '.join(one.choices)}: " if 0 < len(one.choices) <= 8 else ""
                told = f"  {values[one]:<{margin}}{choices}{one.help}"
                lines.append(told if len(told) <= width else f"{told[: width - 3].rstrip()}...")
        lines += ["", self._more(len(first))]
        return "\n".join(lines)

    def _more(self, listed: int) -> str:
        counts = [(len(self.parameters) - listed, "more parameter"), (len(self.results), "result")]
        counts.append((len(self.tables), "table"))
        told = ", ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in counts if count)
        parts = " ".join(f"{part.prefix}=NAME" for part in self.parts if part.selector and not self.chosen)
        inside = f"; `relnet describe {self.name} {parts}` lists the parameters of these parts" if parts else ""
        return f"{told}: `relnet describe {self.name} --all`, or a word instead, such as loss{inside}."

    @property
    def full(self) -> str:
        """All parameters, results and tables."""
        lines = [f"{self.name} ({self.type})", *filter(None, [self.summary])]
        lines += ["", *(f"{prefix}={choice}" for prefix, choice in self.chosen.items())] if self.chosen else []
        lines += ["", f"Sizes of messages: {self.sizes}"] if self.sizes else []
        for name, several in self._grouped(self.parameters).items():
            lines += ["", f"Parameters: {name}"]
            for parameter in several:
                source = f" Source: {parameter.source}." if parameter.source else ""
                lines += [
                    f"  {parameter.name} = {parameter.text(parameter.default)}{parameter.unit_text}",
                    f"      {parameter.allowed}",
                    f"      {parameter.help}{source}",
                ]
        for title, results in (("Results", self.results), ("Tables", self.tables)):
            if results:
                lines += ["", title]
            for result in results:
                unit = f" [{result.unit}]" if result.unit else ""
                lines += [f"  {result.name}{unit}", f"      {result.help}"]
        if self.parts and not self.chosen:
            words = " ".join(f"{part.prefix}=NAME" for part in self.parts if part.selector)
            lines += ["", f"`relnet describe {self.name} {words}` lists the parameters of these parts."]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<b>{html.escape(self.name)}</b> {html.escape(self.summary)}"]
        parts += [f"<br>Sizes of messages: {html.escape(self.sizes)}"] if self.sizes else []
        if not self.selected:
            parts.append(f"<br><code>{html.escape(self.example)}</code>")
        for name, several in self._grouped(self.parameters).items():
            rows = "".join(
                "<tr>"
                + "".join(
                    f"<td style='text-align:left'>{html.escape(text)}</td>"
                    for text in (one.name, one.text(one.default) + one.unit_text, one.allowed, one.help)
                )
                + "</tr>"
                for one in several
            )
            parts.append(f"<details open><summary>{name}</summary><table>{rows}</table></details>")
        for title, results in (("results", self.results), ("tables", self.tables)):
            rows = "".join(
                f"<tr><td style='text-align:left'>{html.escape(one.name)}</td><td>{html.escape(one.unit)}</td>"
                f"<td style='text-align:left'>{html.escape(one.help)}</td></tr>"
                for one in results
            )
            if rows:
                parts.append(f"<details><summary>{title}</summary><table>{rows}</table></details>")
        return "".join(parts)


def _searched(one: Parameter | Result) -> str:
    """The text in which a description finds words."""
    text = f"{one.name} {one.unit} {one.help}"
    if isinstance(one, Parameter):
        text += f" {' '.join(one.choices)} {overview.group(one)}"
    return text
