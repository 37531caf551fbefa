# SPDX-License-Identifier: GPL-2.0-only
"""What each command of the command line does, and what it prints."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from relnet import build
from relnet.binding import support, user_code
from relnet.catalog.lookup import choices, describe, scenarios
from relnet.catalog.parameters import Parameter, parse_seconds
from relnet.catalog.scenario import Choice, Scenario
from relnet.cli import completion, skeleton
from relnet.cli.parser import KINDS, make_parser, subcommands
from relnet.errors import RelnetError
from relnet.names import unknown
from relnet.processes import pool
from relnet.records import files, frames
from relnet.records.files import check_folder, make_folder
from relnet.records.tasks import Record
from relnet.runs import store
from relnet.runs.grid import parse_seed, parse_values
from relnet.runs.pair_grid import PAIR_COLUMNS, matrix_text
from relnet.runs.pairs import pair_rows
from relnet.runs.single import run_record
from relnet.runs.sweeps import summary, sweep_scenario
from relnet.runs.verdicts import BROKEN, exit_status, judge
from relnet.studies.exploration import Exploration, explore


def _assignments(words: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise RelnetError(f"{word!r} is not of the form NAME=VALUE.")
        if name in given:
            raise RelnetError(f"{name} is given twice.")
        given[name] = value
    return given


def _beside(command: str, settings: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """The settings of a command's options, and its parameters; refuse a parameter that is an option."""
    own = _assignments(words)
    for name in own:
        if name in settings:
            raise RelnetError(f"{name} is an option and no parameter; see `relnet {command} --help`.")
    return {**settings, **own}


def _print_json(value: Any) -> None:
    print(files.json_text(value))


def _scenarios(options: argparse.Namespace) -> int:
    found = scenarios()
    if options.json:
        _print_json([scenario.to_dict() for scenario in found])
    else:
        _print_names(found)
    return 0


def _parts(options: argparse.Namespace) -> int:
    found = choices(options.command)
    if options.json:
        _print_json([{"name": choice.name, "type": choice.type, "summary": choice.summary} for choice in found])
    else:
        _print_names(found)
    return 0


def _print_names(found: Sequence[Scenario | Choice]) -> None:
    width = max((len(one.name) for one in found), default=0) + 2
    for one in found:
        print(f"{one.name:<{width}}{one.summary}".rstrip())


def _faults(options: argparse.Namespace) -> int:
    from relnet.studies import fault_matrix  # slow: it needs pandas and matplotlib

    folder = None if options.out is None else make_folder(options.out)
    frame = fault_matrix.measure(
        _assignments(options.values), parse_seed(options.seed), jobs=options.jobs, cache=not options.no_cache
    )
    if options.json:
        _print_json(frame)
    else:
        print(fault_matrix.grid_text(frame))
        print("\n" + "\n".join(fault_matrix.text(frame)[:2]))
    if folder:
        fault_matrix.save(frame, folder)
    for sentence in (*fault_matrix.broken(frame), *fault_matrix.undecided(frame)):
        print(f"relnet: {sentence}", file=sys.stderr)
    return fault_matrix.status(frame)


def _matrix(options: argparse.Namespace) -> int:
    if options.faults:
        return _faults(options)
    if options.out is not None:
        raise RelnetError("--out is the folder for the results of --faults; without --faults, nothing is run.")
    rows = pair_rows("reliability", _assignments(options.values))
    if options.json:
        names = ("network", "protocol", "design", *PAIR_COLUMNS)
        _print_json([dict(zip(names, row, strict=True)) for row in rows])
        return 0
    print(matrix_text(rows))
    return 0


def _live(options: argparse.Namespace) -> int:
    from relnet import live  # slow: it needs pandas

    folder = None if options.out is None else make_folder(options.out)
    peers = Parameter.plain("peers", "uint", 2, 64).parse(options.peers)
    frame = live.measure(options.protocol, _assignments(options.values), peers, parse_seed(options.seed))
    if options.json:
        _print_json(frame)
    else:
        print(live.text(frame))
    if folder:
        live.save(frame, folder)
    return exit_status(judge({"Verdict": verdict}) for verdict in frame["verdict"])


def _torture(options: argparse.Namespace) -> int:
    from relnet.studies import torture  # slow: it needs pandas and matplotlib

    jobs = None if options.jobs is None else Parameter.plain("jobs", "uint", 1, 1024).parse(options.jobs)
    return torture.torture(_minutes(options), parse_seed(options.seed), given=_assignments(options.values), jobs=jobs)


def _minutes(options: argparse.Namespace) -> float:
    return Parameter.plain("minutes", "double", 0.0, 1e6).parse(options.minutes)


def _check(options: argparse.Namespace) -> int:
    from relnet.checking import checks  # slow: it needs pandas and matplotlib

    settings = {"minutes": _minutes(options), "seed": parse_seed(options.seed), "progress": True}
    found = checks.check(options.target, **_beside("check", settings, options.values))
    if options.json:
        _print_json({**asdict(found), "verdict": found.verdict})
    else:
        print(found)
    return found.status


def _describe(options: argparse.Namespace) -> int:
    parts = _assignments([word for word in options.words if "=" in word])
    scenario = describe(options.scenario, *(word for word in options.words if "=" not in word), **parts)
    if options.json:
        _print_json(scenario.to_dict())
    else:
        print(scenario.full if options.all else scenario)
    return 0


def _run(options: argparse.Namespace) -> int:
    _check_tables(options.tables)
    given = _assignments(options.values)
    if options.log:
        # A result from disk logs nothing.
        options.no_cache = True
        _check_logs(options.log)
        os.environ["NS_LOG"] = ":".join(filter(None, [os.environ.get("NS_LOG"), *options.log]))
    scenario, task, record = run_record(options.scenario, given, options.seed, cache=not options.no_cache)
    if options.json:
        by_name = dict(task.given)
        _print_json(
            {
                "scenario": scenario.name,
                "parameters": {one.name: by_name.get(one.name, one.default) for one in scenario.parameters},
                "seed": task.seed,
                "draws": record.draws,
                "code": record.code,
                "results": record.results,
                "units": scenario.units,
                "tables": {
                    table.name: {column.name: frames.listed(column) for column in table.columns}
                    for table in record.tables
                },
            }
        )
    else:
        _print_record(scenario, record, options.tables)
    if options.tables is not None:
        # Last: if the folder cannot be written, the record has been printed.
        _write_tables(options.tables, {table.name: frames.to_frame(table) for table in record.tables})
    judgement = judge(record.results)
    if judgement == BROKEN and "Promise" in record.results:
        print(f"relnet: This shows the violation: {task.moment}", file=sys.stderr)
    return exit_status([judgement])


def _check_logs(entries: Sequence[str]) -> None:
    """Refuse unknown log components and levels before a run."""
    components = _logs()
    for entry in entries:
        name, _, levels = entry.partition("=")
        if components and name not in (*components, "*", "***"):
            raise support.unknown_log(f"There is no log component {name!r}", "component", name, components)
        for level in filter(None, levels.split("|")):
            if level.removeprefix("level_").removeprefix("prefix_") not in support.LOG_LEVELS:
                raise support.unknown_log(f"There is no log level {level!r}", "level", level, components)


def _logs() -> dict[str, str]:
    """The log components with their source files."""
    return pool.server(user_code.libraries()).hello["logs"]


_NO_VALUE = "no value"


def _value_text(value: Any) -> str:
    """A value of a result as the commands print it: numbers without the noise of their last binary digits."""
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float) and math.isnan(value):
        # Such as the memory of a protocol that does not report it.
        return _NO_VALUE
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _print_record(scenario: Scenario, record: Record, written: str | None) -> None:
    width = max(map(len, record.results), default=0) + 2
    for name, value in record.results.items():
        text = _value_text(value)
        unit = scenario.units.get(name, "") if text != _NO_VALUE else ""
        print(f"{name:<{width}}{text} {unit}".rstrip())
    if record.draws is not None:
        print(f"Random numbers drawn: {record.draws or 'none, so all seeds give the same results'}")
    if record.tables and not written:
        listed = ", ".join(
            f"{table.name} ({table.rows} {'row' if table.rows == 1 else 'rows'})" for table in record.tables
        )
        told = f"Tables (--tables DIR writes them): {listed}"
        # Pages show this within 80 columns or so.
        print(textwrap.fill(told, min(_width(), 80), subsequent_indent="  "))


def _explore(options: argparse.Namespace) -> int:
    given: dict[str, Any] = {
        name: value
        for name in ("peers", "messages", "size", "faults", "capacity", "states", "memory", "threads")
        if (value := getattr(options, name)) is not None
    }
    settings = {
        "cache": not options.no_cache,
        "symmetry": not options.no_symmetry,
        "bits": options.bits,
        "fair": options.fair,
    }
    own = _beside("explore", settings, options.values)
    for name in own:
        if name.lower() in given:
            raise RelnetError(f"{name} is given twice: as {name}= and as --{name.lower()}.")
    chart = None if options.svg is None else files.check(options.svg, (".svg",))
    found = explore(options.protocol, **given, **own)
    if options.json:
        _print_json(asdict(found))
    else:
        _print_exploration(found)
    if chart and found.path:
        # Last: if the file cannot be written, the result has been printed.
        files.replace_file(chart, found.svg().encode())
    return exit_status([found.judgement])


def _print_exploration(found: Exploration) -> None:
    if told := found.chart():
        print(told)
    print(f"{found.outcome}: {found.states} states, {found.transitions} steps, depth {found.depth}, ", end="")
    print(f"{found.cores} states of single cores, {found.memory / found.states:.0f} bytes a state")
    rate = f"{found.states / max(found.seconds, 1e-3):.3g} states/s in {found.seconds:.2f} s"
    print(f"Asked: {found.asked}{'' if found.outcome != 'gave up' else ', of the states visited'}")
    print(f"Bounds: {found.bounds}")
    print(f"{rate}{' (from disk)' if found.cached else ''}; probability of an omitted state: {found.omission:.1g}")


def _sweep(options: argparse.Namespace) -> int:
    _check_tables(options.tables)
    given = _assignments(options.values)
    reduced = bool(options.columns or options.mean)
    if options.out is not None:
        files.check(options.out)
    frame = sweep_scenario(
        *(options.scenario, given, options.seeds, options.jobs),
        cache=not options.no_cache,
        out=None if reduced else options.out,
        split=True,
        run_timeout=None if options.timeout is None else parse_seconds("timeout", options.timeout),
        units=options.units,
        announce=_announce,
    )
    shown = _reduce(frame, options.columns, options.mean) if reduced else frame
    if options.out is None:
        _print_frame(shown)
    elif reduced:
        files.write_frame(shown, Path(options.out), options.units)
    for failure in frame.attrs["failures"]:
        print(f"relnet: {failure}", file=sys.stderr)
    print(summary(frame))
    if options.tables is not None:
        _write_tables(options.tables, frame.attrs["tables"])
    judgements = map(judge, frame.to_dict("records"))
    return exit_status(judgements, failed=bool(frame.attrs["failures"]))


def _reduce(frame: Any, columns: str | None, mean: bool) -> Any:
    """Choose columns of a sweep, or average them over the seeds."""
    from relnet.runs import averages  # slow: it needs pandas

    chosen = columns.split(",") if columns else None
    return averages.average(frame, chosen) if mean else averages.pick(frame, chosen or ())


def _announce(runs: int) -> None:
    """Print the number of runs before they start."""
    told = f"{runs} runs; Ctrl-C ends them, and those that are finished are stored."
    print(f"relnet: {told} A range such as 64:65536:x2 has fewer values.", file=sys.stderr)


def _compare(options: argparse.Namespace) -> int:
    from relnet import plots  # slow: it needs pandas and matplotlib
    from relnet.studies import comparison  # slow: as above

    _check_tables(options.tables)
    out = None if options.out is None else files.check(options.out)
    figure = None if options.figure is None else plots.check(options.figure)
    given = _assignments(options.values)
    frame = sweep_scenario(
        *(options.scenario, given, options.seeds, options.jobs),
        cache=not options.no_cache,
        split=True,
        announce=_announce,
    )
    columns = options.columns.split(",") if options.columns else comparison.COSTS
    compared = comparison.compare(frame, options.baseline, options.by, columns)
    if out:
        files.write_or_rescue(compared, out)
    else:
        print(compared.to_string(index=False))
    if options.tables is not None:
        _write_tables(options.tables, frame.attrs["tables"])
    if figure:
        plots.save(plots.ratios(compared, options.by), figure)
    for failure in frame.attrs["failures"]:
        print(f"relnet: {failure}", file=sys.stderr)
    print(summary(frame))
    return exit_status(map(judge, frame.to_dict("records")), failed=bool(frame.attrs["failures"]))


def _print_frame(frame: Any) -> None:
    """
    Print columns with a single value in one line, and the others as a table of the terminal's width.

    Runs without results are left out.
    """
    width = _width()
    seed = list(frame.columns).index("seed" if "seed" in frame.columns else "Seeds")
    ended = frame[frame[frame.columns[seed + 1 :]].notna().any(axis=1)]
    same = [name for name in frame.columns if len(ended) > 1 and ended[name].astype(str).nunique(dropna=False) == 1]
    if same:
        told = ", ".join(f"{name}={_value_text(ended[name].iloc[0])}" for name in same)
        runs = "all runs" if len(ended) == len(frame) else f"all {len(ended)} runs with results"
        print(textwrap.fill(f"In {runs}: {told}", width, subsequent_indent="  ", break_on_hyphens=False))
    shown = ended.drop(columns=same)
    given = [name for name in frame.columns[: seed + 1] if name not in same]
    if given and len(given) < len(shown.columns):
        # pandas repeats the index where it wraps a row.
        print(shown.set_index(given).to_string(sparsify=False, max_rows=60, line_width=width))
    elif len(shown) and len(shown.columns):
        print(shown.to_string(index=False, max_rows=60, line_width=width))


def _check_tables(folder: str | None) -> None:
    """Refuse an invalid folder before a run."""
    if folder is not None:
        check_folder(folder)


def _write_tables(folder: str, tables: dict[str, Any]) -> None:
    problems = []
    for name, frame in tables.items():
        try:
            files.write_or_rescue(frame, Path(folder) / f"{name}.csv")
        except RelnetError as error:
            problems.append(str(error))
    if problems:
        raise RelnetError(" ".join(problems))


def _trace(options: argparse.Namespace) -> int:
    from relnet.studies import recording  # slow: it needs pandas

    for path in options.out:
        recording.check_file(path)
    nodes = None if options.nodes is None else parse_values(Parameter.plain("nodes", "uint", 0), options.nodes)
    first = Parameter.plain("first", "uint", 1).parse(options.first)
    settings = {name: getattr(options, name) for name in ("seed", "limit", "begin", "end", "around", "pcap", "ascii")}
    recorded = recording.trace(options.scenario, **_beside("trace", settings, options.values))
    print(recorded.text(first, nodes))
    print(recorded.summary)
    problems = []
    for path in options.out:
        try:
            recorded.save(path, first, nodes)
        except RelnetError as error:
            problems.append(str(error))
    if problems:
        raise RelnetError(" ".join(problems))
    return 0


def _history(options: argparse.Namespace) -> int:
    from relnet.runs.history import history  # slow: it needs pandas

    frame = history(options.scenario, last=options.last)
    if options.json:
        _print_json(frame)
    elif frame.empty:
        print("No runs are stored." if options.scenario is None else f"No runs of {options.scenario} are stored.")
    for row in () if options.json else frame.itertuples(index=False):
        when = row.called.replace("T", " ")[:19]
        count = f"{row.runs} runs" if row.kind == "sweep" else "run"
        print(f"{row.id}  {when}  {row.name}, {count}: {row.verdicts}")
        for label, told in (("varied", row.varied), ("given", row.fixed)):
            if told:
                print("    " + textwrap.shorten(f"{label}: {told}", _width() - 4, placeholder=" ..."))
    return 0


def _width() -> int:
    return shutil.get_terminal_size((120, 24)).columns


def _show(options: argparse.Namespace) -> int:
    from relnet.runs.history import recall  # slow: it needs pandas

    out = None if options.out is None else files.check(options.out)
    frame = recall(options.id)
    told = frame.attrs
    print(f"{told['name']}, {told['kind']} of {told['called'][:19]}Z, code {', '.join(told['codes'])}")
    if out:
        files.write_frame(frame, out)
    elif len(frame) == 1:
        print(frame.iloc[0].to_string())
    else:
        _print_frame(frame)
    return 0


def _diff(options: argparse.Namespace) -> int:
    from relnet.runs.history import difference  # slow: it needs pandas

    frame = difference(*options.ids)
    if frame.empty:
        print("Nothing differs.")
        return 0
    shown = frame.drop(columns=[name for name in ("point", "ratio") if not frame[name].replace("", None).notna().any()])
    print(shown.to_string(index=False, na_rep="", max_rows=100, line_width=_width()))
    return 0


def _clean(options: argparse.Namespace) -> int:
    from relnet.runs import history  # slow: it needs pandas

    total, ages = history.size()
    if options.older is None:
        print(f"{len(ages)} results in {total / 1e6:.1f} MB, in {store.folder()}.")
        if ages:
            print(f"Oldest: {ages[0][0]}. Newest: {ages[-1][0]}.")
            print("`relnet clean --older 30d` deletes those of at least this age.")
        if future := history.count_future(ages):
            print(
                f"{future} have a date in the future, caused by a wrong clock; `relnet clean --older 0s` deletes all."
            )
        return 0
    count, freed = history.clean(options.older)
    print(f"{count} results deleted, {freed / 1e6:.1f} MB freed; {len(ages) - count} results remain.")
    return 0


def _help(options: argparse.Namespace) -> int:
    parser = make_parser()
    if options.completion:
        print(completion.script(options.completion))
    elif options.logs:
        for name, file in sorted(_logs().items()):
            print(f"{name:<40} {re.sub('^.*/(contrib|src)/', '', file)}")
    elif options.man:
        print(completion.man_page(parser))
    elif options.topic:
        commands = subcommands(parser)
        if options.topic not in commands:
            raise unknown(f"There is no command {options.topic!r}", options.topic, commands, "relnet help")
        commands[options.topic].print_help()
    else:
        parser.print_help()
    return 0


def _copy(source: str, target: str) -> None:
    """Copy a file, and end at the first error, unlike `shutil.copytree`."""
    try:
        shutil.copy2(source, target)
    except OSError as error:
        raise RelnetError(f"The example {target} cannot be written: {error.strerror}.") from None


def _examples(options: argparse.Namespace) -> int:
    try:
        shutil.copytree(
            build.data_folder("examples"),
            options.folder,
            ignore=shutil.ignore_patterns(".*", "__pycache__"),
            copy_function=_copy,
        )
    except OSError as error:
        raise RelnetError(f"The examples cannot be copied to {options.folder}: {error.strerror}.") from None
    print("\n".join(str(path) for path in sorted(Path(options.folder).iterdir())))
    return 0


def _new(options: argparse.Namespace) -> int:
    folder = Path(options.folder or options.name)
    print("\n".join(map(str, skeleton.create(options.kind, options.name, folder))))
    print(f"{folder / 'README.md'} lists the commands to compile, run and test it.")
    return 0


def _reproduce(options: argparse.Namespace) -> int:
    from relnet.reproduction.reproduce import reproduce  # slow: it needs pandas and matplotlib

    return reproduce(options.papers, quick=options.quick, out=options.out) or 0


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "scenarios": _scenarios,
    **dict.fromkeys(KINDS, _parts),
    "matrix": _matrix,
    "live": _live,
    "torture": _torture,
    "check": _check,
    "describe": _describe,
    "run": _run,
    "explore": _explore,
    "sweep": _sweep,
    "compare": _compare,
    "examples": _examples,
    "new": _new,
    "reproduce": _reproduce,
    "trace": _trace,
    "history": _history,
    "show": _show,
    "diff": _diff,
    "clean": _clean,
    "help": _help,
}
"""Functions of the commands, which return the exit status."""
