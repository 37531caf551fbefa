# SPDX-License-Identifier: GPL-2.0-only
"""
The command line.

Exit status: 0 for a result (a verdict such as livelock is one), 1 for a run that failed, 2 for bad input, 130 for an
interruption.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

from relnet import __version__, build
from relnet.binding import support, user_code
from relnet.catalog.extensions import load
from relnet.catalog.lookup import choices, describe, scenarios
from relnet.catalog.parameters import Parameter, parse_seconds
from relnet.catalog.scenario import Choice, Scenario
from relnet.cli import completion, skeleton
from relnet.errors import RelnetError, RunError
from relnet.names import nearest, unknown
from relnet.processes import pool
from relnet.records import files, frames
from relnet.records.files import check_folder, make_folder
from relnet.records.tasks import Record
from relnet.runs import store
from relnet.runs.grid import parse_seed, parse_values
from relnet.runs.pair_grid import matrix_text
from relnet.runs.pairs import pair_reasons
from relnet.runs.single import run_record
from relnet.runs.sweeps import summary, sweep_scenario
from relnet.studies.exploration import explore

_KINDS = ("networks", "protocols", "patterns")
_ONE = "a parameter, such as nodes=1024; `relnet describe SCENARIO` lists the names, which ignore case"
_SEVERAL = (
    "a parameter and its values, such as c=1,3,10 or nodes=16:64 or nodes=16:64:16, both ends included; write a comma "
    "within a text as \\,"
)


class _HelpWanted(Exception):
    """Help was requested. Arguments: the parser, and the scenario or None."""


class _Help(argparse.Action):
    """Prints the help of a command and, after the name of a scenario, its parameters."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: Any) -> NoReturn:
        raise _HelpWanted(parser, getattr(namespace, "scenario", None))


class _Parser(argparse.ArgumentParser):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options, add_help=False)
        self.add_argument(
            "-h",
            "--help",
            action=_Help,
            nargs=0,
            help="show this text; after SCENARIO, also its most important parameters",
        )

    def error(self, message: str) -> NoReturn:
        strange = re.match("argument COMMAND: invalid choice: '(.*?)'", message)
        if strange:
            raise unknown(f"There is no command {strange[1]!r}", strange[1], _COMMANDS, self.prog)
        raise RelnetError(f"{message[:1].upper()}{message[1:]}; see `{self.prog} --help`.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="relnet", description="Interconnects and protocols in ns-3.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"relnet {__version__}")
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="LIBRARY",
        help="load your library of networks, protocols, patterns or scenarios; before COMMAND, one --load each",
    )
    # Without abbreviations, `sweep --seed` is an error rather than `--seeds`.
    strict = functools.partial(_Parser, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=strict)

    scenarios = commands.add_parser("scenarios", help="list the scenarios")
    scenarios.add_argument("--json", action="store_true", help="all details, as JSON")

    for kind in _KINDS:
        parts = commands.add_parser(kind, help=f"list the {kind} of `relnet run reliability {kind[:-1]}=NAME`")
        parts.add_argument("--json", action="store_true", help="names and summaries as JSON")

    matrix = commands.add_parser(
        "matrix", help="list the valid pairs of network and protocol, and why the others are invalid"
    )
    matrix.add_argument("values", nargs="*", default=[], metavar="NAME=VALUE", help="a parameter, as in nodes=64")
    matrix.add_argument("--json", action="store_true", help="as JSON, one record per pair or cell")
    matrix.add_argument(
        "--faults",
        action="store_true",
        help="run each pair under each fault and compare its deliveries with its promise; network=, protocol= and "
        "fault= take lists of those to run; exit status 1 if a promise is broken",
    )
    matrix.add_argument("--seed", default="1", metavar="N", help="seed of all cells, from 1 (default: 1)")
    matrix.add_argument("--jobs", metavar="N", help="parallel runs (default: one per core)")
    matrix.add_argument("--no-cache", action="store_true", help="neither read nor store results on disk")
    matrix.add_argument("--out", metavar="DIR", help="folder for the table and the heat maps of --faults")

    describe = commands.add_parser("describe", help="list parameters and results of a scenario")
    describe.add_argument("scenario", metavar="SCENARIO", help="a scenario of `relnet scenarios`")
    describe.add_argument(
        "words",
        nargs="*",
        metavar="WORD",
        help="only entries with these words in name or help; PART=NAME lists the parameters of a part, such as "
        "network=wormhole",
    )
    describe.add_argument("--all", action="store_true", help="all parameters, results and tables, in full")
    describe.add_argument("--json", action="store_true", help="as JSON")

    run = commands.add_parser("run", help="run a scenario once")
    _scenario_arguments(run, "NAME=VALUE", _ONE)
    run.add_argument("--seed", default="1", metavar="N", help="seed, from 1 (default: 1)")
    run.add_argument("--json", action="store_true", help="record and tables as JSON")
    run.add_argument(
        "--log",
        action="append",
        metavar="COMPONENT=LEVEL",
        help="log a component of ns-3 or relnet, such as MessagingEndpoint=debug; one --log each; "
        "`relnet help --logs` lists them",
    )

    trace = commands.add_parser("trace", help="run a scenario once, and show its first messages and frames")
    trace.add_argument("scenario", metavar="SCENARIO", help="a scenario of `relnet scenarios`")
    trace.add_argument("values", nargs="*", default=[], metavar="NAME=VALUE", help=_ONE)
    trace.add_argument("--seed", default="1", metavar="N", help="seed, from 1 (default: 1)")
    trace.add_argument("--first", default="40", metavar="N", help="lines of the chart (default: 40)")
    trace.add_argument("--nodes", metavar="N,N", help="only messages and frames of these nodes, such as 0,2:4")
    trace.add_argument("--begin", default="0", metavar="TIME", help="simulated time of the first event, such as 10ms")
    trace.add_argument("--end", metavar="TIME", help="simulated time of the last event")
    trace.add_argument(
        "--limit", default="10000", metavar="N", help="maximum number of recorded events (default: 10000)"
    )
    trace.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="FILE",
        help="also write a file, one --out each: a chart (.svg, .png, .txt), a trace for ui.perfetto.dev (.json) or "
        "NetAnim (.xml), or the events (.csv)",
    )
    trace.add_argument("--pcap", metavar="DIR", help="write a pcap file of each net device into this folder")

    explore = commands.add_parser("explore", help="search all states of a few peers with a protocol under faults")
    explore.add_argument("protocol", metavar="PROTOCOL", help="a protocol of `relnet protocols`")
    explore.add_argument(
        "values", nargs="*", default=[], metavar="NAME=VALUE", help="a protocol parameter, such as ReceiveTable=1"
    )
    explore.add_argument("--peers", metavar="N", help="number of peers (default: 2)")
    explore.add_argument(
        "--messages", metavar="LIST", help="number of messages from peer 0 to peer 1, or a list such as '0>1,1>0,0>*'"
    )
    explore.add_argument("--size", metavar="BYTES", help="size of a message (default: 4)")
    explore.add_argument("--faults", metavar="LIST", help="faults, such as loss=2,duplicate=1,reorder (default: loss)")
    explore.add_argument("--capacity", metavar="N", help="frames in flight from one peer to another (default: 2)")
    explore.add_argument("--fair", action="store_true", help="find livelocks, too")
    explore.add_argument("--states", metavar="N", help="maximum number of states (default: 10000000)")
    explore.add_argument("--memory", metavar="GIB", help="maximum memory (default: 8)")
    explore.add_argument("--threads", metavar="N", help="threads (default: one per processor)")
    explore.add_argument(
        "--no-symmetry", action="store_true", help="distinguish states that differ only in names of peers and messages"
    )
    explore.add_argument(
        "--bits", action="store_true", help="store states as bits of an array; some states may be omitted"
    )
    explore.add_argument("--svg", metavar="FILE", help="write the counterexample as a message sequence chart")
    explore.add_argument("--json", action="store_true", help="as JSON")
    explore.add_argument("--no-cache", action="store_true", help="neither read nor store the result on disk")

    sweep = commands.add_parser("sweep", help="run a scenario over a grid of parameters")
    _scenario_arguments(sweep, "NAME=VALUES", _SEVERAL)
    sweep.add_argument("--seeds", default="1", metavar="N", help="seeds 1 to N, or a list such as 3,7:9 (default: 1)")
    sweep.add_argument("--jobs", metavar="N", help="parallel runs (default: one per core)")
    sweep.add_argument("--timeout", metavar="TIME", help="time limit of a run, such as 10min; longer runs fail")
    sweep.add_argument(
        "--out",
        metavar="FILE",
        help="file of the results: .csv, .json, .md, .tex or .parquet (default: a table on the screen)",
    )
    sweep.add_argument("--units", action="store_true", help="write units into the second line of a CSV file")

    history = commands.add_parser("history", help="list past runs and sweeps, newest first")
    history.add_argument("scenario", nargs="?", metavar="SCENARIO", help="only those of this scenario")
    history.add_argument("--last", default="20", metavar="N", help="number of entries (default: 20)")
    history.add_argument("--json", action="store_true", help="as JSON")
    show = commands.add_parser("show", help="show the results of a past run or sweep")
    show.add_argument("id", metavar="ID", help="an id of `relnet history`, or the beginning of one")
    show.add_argument("--out", metavar="FILE", help="write a file: .csv, .json, .md, .tex or .parquet")
    diff = commands.add_parser("diff", help="show the differences between two past runs or sweeps")
    diff.add_argument("ids", nargs=2, metavar="ID", help="an id, or the beginning of one")
    clean = commands.add_parser("clean", help="show size and age of the results on disk; delete old ones")
    clean.add_argument("--older", metavar="AGE", help="delete results of at least this age, such as 30d; 0s for all")

    live = commands.add_parser("live", help="run a protocol over UDP between processes, and simulate the same")
    live.add_argument("protocol", metavar="PROTOCOL", help="a protocol of `relnet protocols`")
    live.add_argument("values", nargs="*", default=[], metavar="NAME=VALUES", help=_SEVERAL)
    live.add_argument("--peers", default="2", metavar="N", help="number of processes (default: 2)")
    live.add_argument("--seed", default="1", metavar="N", help="seed of the faults, from 1 (default: 1)")
    live.add_argument("--json", action="store_true", help="as JSON, one record per run")
    live.add_argument("--out", metavar="DIR", help="folder for the table and the figure")

    torture = commands.add_parser(
        "torture", help="run random cases for a given time; shrink those that break a promise"
    )
    torture.add_argument("--minutes", default="1", metavar="N", help="duration [min] (default: 1)")
    torture.add_argument("--seed", default="1", metavar="N", help="seed of the random cases, from 1 (default: 1)")

    examples = commands.add_parser("examples", help="copy the notebooks and other examples into a folder")
    examples.add_argument(
        "folder", nargs="?", default="relnet-examples", metavar="DIR", help="a new folder (default: relnet-examples)"
    )

    new = commands.add_parser("new", help="begin your own project: source, test and build files in a new folder")
    new.add_argument(
        "kind", choices=("protocol", "network", "scenario"), metavar="KIND", help="protocol, network or scenario"
    )
    new.add_argument("name", metavar="NAME", help="its name on the command line, such as my-protocol")
    new.add_argument("folder", nargs="?", metavar="DIR", help="a new folder (default: NAME)")

    reproduce = commands.add_parser("reproduce", help="reproduce the tables and figures of a paper")
    reproduce.add_argument(
        "papers", nargs="*", metavar="PAPER", help="papers, and matrix for the fault matrix (default: all)"
    )
    reproduce.add_argument("--quick", action="store_true", help="at reduced scale")
    reproduce.add_argument("--out", default="out", metavar="DIR", help="folder of the report (default: out)")

    help_ = commands.add_parser("help", help="the help of a command; a man page; completion for a shell")
    help_.add_argument("topic", nargs="?", metavar="COMMAND", help="a command (default: all, one line each)")
    help_.add_argument("--man", action="store_true", help="print a man page: relnet help --man > relnet.1")
    help_.add_argument("--logs", action="store_true", help="list the log components with their source files")
    help_.add_argument(
        "--completion",
        choices=("bash", "zsh"),
        help='print shell completion: eval "$(relnet help --completion bash)" in ~/.bashrc',
    )
    return parser


def _scenario_arguments(parser: argparse.ArgumentParser, metavar: str, text: str) -> None:
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario of `relnet scenarios`")
    # Without the default, argparse lists them as required when the scenario is missing.
    parser.add_argument("values", nargs="*", default=[], metavar=metavar, help=text)
    parser.add_argument("--tables", metavar="DIR", help="write each table to DIR/NAME.csv")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor store results on disk")


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse a command line; parameters may stand before and after options."""
    options, further = _parser().parse_known_args(arguments)
    for word in further:
        if word.startswith("-") or not hasattr(options, "values"):
            known = [f"--{name.replace('_', '-')}" for name in vars(options)]
            guess = nearest(word.partition("=")[0], known) if word.startswith("--") else ""
            hint = f"did you mean {guess}? " if guess else ""
            if guess == "--load":
                hint = f"--load LIBRARY comes before {options.command}. "
            raise RelnetError(f"{word!r} is not understood; {hint}see `relnet {options.command} --help`.")
        options.values.append(word)
    return options


def _tell(parser: argparse.ArgumentParser, scenario: str | None, words: Sequence[str]) -> int:
    """Print the help of a parser and, if one was named, the parameters of a scenario."""
    parser.print_help()
    if scenario:
        libraries = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        libraries.add_argument("--load", action="append", default=[])
        for library in libraries.parse_known_args(words)[0].load:
            load(library)
        print(f"\n{describe(scenario)}")
    return 0


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


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


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

    folder = options.out and make_folder(options.out)
    frame = fault_matrix.measure(
        _assignments(options.values), parse_seed(options.seed), jobs=options.jobs, cache=not options.no_cache
    )
    failures = fault_matrix.broken(frame)
    if options.json:
        print(frame.to_json(orient="records", indent=2))
    else:
        print(fault_matrix.grid_text(frame))
        print("\n" + "\n".join(fault_matrix.text(frame)[:2]))
    if folder:
        fault_matrix.save(frame, folder)
    for failure in failures:
        print(f"relnet: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _matrix(options: argparse.Namespace) -> int:
    if options.faults:
        return _faults(options)
    reasons = dict(pair_reasons("reliability", _assignments(options.values)))
    if options.json:
        _print_json(
            [
                {"network": network, "protocol": protocol, "exists": not reason, "reason": reason}
                for (network, protocol), reason in reasons.items()
            ]
        )
        return 0
    print(matrix_text(reasons))
    return 0


def _live(options: argparse.Namespace) -> int:
    from relnet import live  # slow: it needs pandas

    folder = options.out and make_folder(options.out)
    peers = Parameter.plain("peers", "uint", 2, 64).parse(options.peers)
    frame = live.measure(options.protocol, _assignments(options.values), peers, parse_seed(options.seed))
    if options.json:
        print(frame.to_json(orient="records", indent=2))
    else:
        print(live.text(frame))
    if folder:
        live.save(frame, folder)
    return 0


def _torture(options: argparse.Namespace) -> int:
    from relnet.studies import torture  # slow: it needs pandas and matplotlib

    minutes = Parameter.plain("minutes", "double", 0.0, 1e6).parse(options.minutes)
    return torture.torture(minutes, parse_seed(options.seed))


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
    return 0


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


def _print_record(scenario: Scenario, record: Record, written: str | None) -> None:
    width = max(map(len, record.results), default=0) + 2
    for name, value in record.results.items():
        unit = scenario.units.get(name, "")
        text = f"{value:.10g}" if isinstance(value, float) else str(value)
        text = json.dumps(value) if isinstance(value, bool) else text
        print(f"{name:<{width}}{text}" + (f" {unit}" if unit else ""))
    if record.draws is not None:
        print(f"Random numbers drawn: {record.draws or 'none, so all seeds give the same results'}")
    if record.tables and not written:
        listed = ", ".join(f"{table.name} ({table.rows} rows)" for table in record.tables)
        print(f"Tables (--tables DIR writes them): {listed}")


def _explore(options: argparse.Namespace) -> int:
    given: dict[str, Any] = {
        name: value
        for name in ("peers", "messages", "size", "faults", "capacity", "states", "memory", "threads")
        if (value := getattr(options, name)) is not None
    }
    own = _assignments(options.values)
    if options.svg:
        make_folder(Path(options.svg).absolute().parent)
    found = explore(
        options.protocol,
        cache=not options.no_cache,
        symmetry=not options.no_symmetry,
        bits=options.bits,
        fair=options.fair,
        **given,
        **own,
    )
    if options.svg and found.path:
        try:
            Path(options.svg).write_text(found.svg(), encoding="utf-8")
        except OSError as error:
            raise RelnetError(f"{options.svg} cannot be written: {error.strerror}.") from None
    if options.json:
        _print_json(asdict(found))
        return 0
    if found.path:
        print(found.chart())
    print(f"{found.outcome}: {found.states} states, {found.transitions} steps, depth {found.depth}, ", end="")
    print(f"{found.cores} states of single cores, {found.memory / found.states:.0f} bytes a state")
    rate = f"{found.states / max(found.seconds, 1e-3):.3g} states/s in {found.seconds:.2f} s"
    print(f"Asked: {found.asked}{'' if found.outcome != 'gave up' else ', of the states visited'}")
    print(f"{rate}{' (from disk)' if found.cached else ''}; probability of an omitted state: {found.omission:.1g}")
    return 0


def _sweep(options: argparse.Namespace) -> int:
    _check_tables(options.tables)
    given = _assignments(options.values)
    frame = sweep_scenario(
        *(options.scenario, given, options.seeds, options.jobs),
        cache=not options.no_cache,
        out=options.out,
        split=True,
        run_timeout=None if options.timeout is None else parse_seconds("timeout", options.timeout),
        units=options.units,
    )
    if not options.out:
        _print_frame(frame)
    for failure in frame.attrs["failures"]:
        print(f"relnet: {failure}", file=sys.stderr)
    print(summary(frame))
    if options.tables is not None:
        _write_tables(options.tables, frame.attrs["tables"])
    return 1 if frame.attrs["failures"] else 0


def _print_frame(frame: Any) -> None:
    """Print columns with a single value in one line, and the others as a table of the terminal's width."""
    width = _width()
    same = [name for name in frame.columns if len(frame) > 1 and frame[name].astype(str).nunique() == 1]
    if same:
        told = ", ".join(f"{name}={frame[name].iloc[0]}" for name in same)
        print(textwrap.fill(f"In all runs: {told}", width, subsequent_indent="  ", break_on_hyphens=False))
    given = [name for name in frame.columns[: frame.columns.get_loc("seed") + 1] if name not in same]
    # pandas repeats the index where it wraps a row.
    shown = frame.drop(columns=same).set_index(given) if given else frame
    print(shown.to_string(index=bool(given), sparsify=False, max_rows=60, line_width=width))


def _check_tables(folder: str | None) -> None:
    """Refuse an invalid folder before a run."""
    if folder is not None:
        check_folder(folder)


def _write_tables(folder: str, tables: dict[str, Any]) -> None:
    for name, frame in tables.items():
        files.write_frame(frame, Path(folder) / f"{name}.csv")


def _trace(options: argparse.Namespace) -> int:
    from relnet.studies import recording  # slow: it needs pandas

    for path in options.out:
        recording.check_ending(path)
        make_folder(Path(path).absolute().parent)
    nodes = None if options.nodes is None else parse_values(Parameter.plain("nodes", "uint", 0), options.nodes)
    first = Parameter.plain("first", "uint", 1).parse(options.first)
    recorded = recording.trace(
        options.scenario,
        seed=options.seed,
        limit=options.limit,
        begin=options.begin,
        end=options.end,
        pcap=options.pcap,
        **_assignments(options.values),
    )
    print(recorded.text(first, nodes))
    print(recorded.summary)
    for path in options.out:
        recorded.save(path, first, nodes)
    return 0


def _history(options: argparse.Namespace) -> int:
    from relnet.runs.history import history  # slow: it needs pandas

    frame = history(options.scenario, last=Parameter.plain("last", "uint", 1).parse(options.last))
    if options.json:
        print(frame.to_json(orient="records", indent=2))
    elif frame.empty:
        print("No runs are stored.")
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

    if options.out:
        files.check(Path(options.out))
    frame = recall(options.id)
    told = frame.attrs
    print(f"{told['name']}, {told['kind']} of {told['called'][:19]}Z, code {', '.join(told['codes'])}")
    if options.out:
        files.write_frame(frame, Path(options.out))
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
        return 0
    count, freed = history.clean(options.older)
    print(f"{count} results deleted, {freed / 1e6:.1f} MB freed; {len(ages) - count} results remain.")
    return 0


def _help(options: argparse.Namespace) -> int:
    parser = _parser()
    if options.completion:
        print(completion.script(options.completion))
    elif options.logs:
        for name, file in sorted(_logs().items()):
            print(f"{name:<40} {re.sub('^.*/(contrib|src)/', '', file)}")
    elif options.man:
        print(completion.man_page(parser))
    elif options.topic:
        commands = completion.commands(parser)
        if options.topic not in commands:
            raise unknown(f"There is no command {options.topic!r}", options.topic, _COMMANDS, "relnet help")
        commands[options.topic].print_help()
    else:
        parser.print_help()
    return 0


def _examples(options: argparse.Namespace) -> int:
    try:
        shutil.copytree(
            build.data_folder("examples"), options.folder, ignore=shutil.ignore_patterns(".*", "__pycache__")
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


_COMMANDS = {
    "scenarios": _scenarios,
    **dict.fromkeys(_KINDS, _parts),
    "matrix": _matrix,
    "live": _live,
    "torture": _torture,
    "describe": _describe,
    "run": _run,
    "explore": _explore,
    "sweep": _sweep,
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


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run a command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after `relnet`; those of the process by default.

    Returns
    -------
    int
        The exit status.
    """
    warnings.showwarning = lambda message, *_, **__: print(f"relnet: {message}", file=sys.stderr)
    if arguments is None and "RELNET_COMPLETE" in os.environ:
        print("\n".join(completion.candidates(_parser(), " ".join(sys.argv[1:]))))
        return 0
    try:
        try:
            try:
                options = _parse(arguments)
            except _HelpWanted as wanted:
                return _tell(*wanted.args, sys.argv[1:] if arguments is None else arguments)
            for library in options.load:
                load(library)
            return _COMMANDS[options.command](options)
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except RunError as error:
        if error.output:
            print("\n".join(f"    {line}" for line in error.output.strip().splitlines()[-10:]), file=sys.stderr)
        print(f"relnet: {error}", file=sys.stderr)
        return error.exit_status
    except RelnetError as error:
        print(f"relnet: {error}", file=sys.stderr)
        return error.exit_status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # Errors of files are reported where they occur; the remaining ones are of the standard output.
        if error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"relnet: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        print(f"relnet: {str(error) or 'Interrupted.'}", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
