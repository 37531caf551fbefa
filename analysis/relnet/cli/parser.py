# SPDX-License-Identifier: GPL-2.0-only
"""Commands of the command line, with their options and help."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from relnet import __version__
from relnet.errors import RelnetError
from relnet.names import nearest, unknown

KINDS = ("networks", "protocols", "patterns")
"""Parts of `reliability`, with a command each that lists them."""

_ONE = "a parameter, such as nodes=1024; `relnet describe SCENARIO` lists the names, which ignore case"
_SEVERAL = (
    "a parameter and its values, such as c=1,3,10 or nodes=16:64 or nodes=16:64:16 or size=64:65536:x2, both ends "
    "included; write a comma within a text as \\,"
)


EXIT_STATUS = (
    "Exit status of run, sweep, compare, matrix --faults, check, torture, explore and live: 0 if all promises are "
    "kept, 1 for a run without a result, 2 for bad input, 3 for a broken promise or a refuted search, 4 if a limit "
    "left a run or a search undecided, 130 for an interruption."
)
"""Last paragraph of the help."""


class HelpWanted(Exception):
    """Help was requested. Arguments: the parser, and the scenario or None."""


class _Help(argparse.Action):
    """Prints the help of a command and, after the name of a scenario, its parameters."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: Any) -> NoReturn:
        raise HelpWanted(parser, getattr(namespace, "scenario", None))


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
            raise unknown(f"There is no command {strange[1]!r}", strange[1], subcommands(self), f"{self.prog} --help")
        raise RelnetError(f"{message[:1].upper()}{message[1:]}; see `{self.prog} --help`.")


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Parsers of the commands, by name."""
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(found.choices)


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of all commands."""
    parser = _Parser(
        prog="relnet", description="Interconnects and protocols in ns-3.", epilog=EXIT_STATUS, allow_abbrev=False
    )
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

    for kind in KINDS:
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
        "fault= take lists of those to run",
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
        default=[],
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
        help="log a component of ns-3 or relnet, such as IdempotentProtocol=info; one --log each; "
        "`relnet help --logs` lists them",
    )

    trace = commands.add_parser("trace", help="run a scenario once, and show its first messages and frames")
    trace.add_argument("scenario", metavar="SCENARIO", help="a scenario of `relnet scenarios`")
    trace.add_argument("values", nargs="*", default=[], metavar="NAME=VALUE", help=_ONE)
    trace.add_argument("--seed", default="1", metavar="N", help="seed, from 1 (default: 1)")
    trace.add_argument("--first", default="40", metavar="N", help="lines of the chart (default: 40)")
    trace.add_argument("--nodes", metavar="N,N", help="only messages and frames of these nodes, such as 0,2:4")
    trace.add_argument(
        "--begin", default="0", metavar="TIME", help="begin of the period shown, in simulated time, such as 10ms"
    )
    trace.add_argument("--end", metavar="TIME", help="end of the period shown")
    trace.add_argument(
        "--around",
        choices=("violation",),
        help="centre the chart on the first violation of the protocol's promise, and mark it",
    )
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
    trace.add_argument("--ascii", metavar="FILE", help="write ns-3's ascii trace of all net devices into this file")

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
    sweep.add_argument("--columns", metavar="NAMES", help="only these results, separated by commas")
    sweep.add_argument("--mean", action="store_true", help="means over the seeds, with 95 %% intervals (half widths)")
    sweep.add_argument("--units", action="store_true", help="write units into the second line of a CSV file")

    compare = commands.add_parser("compare", help="run a sweep, and show its results as ratios to a baseline")
    _scenario_arguments(compare, "NAME=VALUES", _SEVERAL)
    compare.add_argument("--seeds", default="5", metavar="N", help="seeds 1 to N, or a list (default: 5)")
    compare.add_argument("--jobs", metavar="N", help="parallel runs (default: one per core)")
    compare.add_argument("--by", default="protocol", metavar="NAME", help="parameter to compare (default: protocol)")
    compare.add_argument("--baseline", default="none", metavar="VALUE", help="its value as baseline (default: none)")
    compare.add_argument("--columns", metavar="NAMES", help="results to compare, separated by commas")
    compare.add_argument("--out", metavar="FILE", help="file of the ratios: .csv, .json, .md, .tex or .parquet")
    compare.add_argument("--figure", metavar="FILE", help="file of a figure of them, without ending: PNG and SVG")

    history = commands.add_parser("history", help="list past runs and sweeps, newest first")
    history.add_argument("scenario", nargs="?", metavar="SCENARIO", help="only those of this scenario")
    history.add_argument("--last", default="20", metavar="N", help="number of entries (default: 20)")
    history.add_argument("--json", action="store_true", help="as JSON")
    show = commands.add_parser("show", help="show the results of a past run or sweep")
    show.add_argument("id", metavar="ID", help="an id of `relnet history`, or the beginning of one, or last")
    show.add_argument("--out", metavar="FILE", help="write a file: .csv, .json, .md, .tex or .parquet")
    diff = commands.add_parser("diff", help="show the differences between two past runs or sweeps")
    diff.add_argument("ids", nargs=2, metavar="ID", help="an id, or the beginning of one, or last")
    clean = commands.add_parser("clean", help="show size and age of the results on disk; delete old ones")
    clean.add_argument("--older", metavar="AGE", help="delete results of at least this age, such as 30d; 0s for all")

    live = commands.add_parser("live", help="run a protocol over UDP between processes, and simulate the same")
    live.add_argument("protocol", metavar="PROTOCOL", help="a protocol of `relnet protocols`")
    live.add_argument("values", nargs="*", default=[], metavar="NAME=VALUES", help=_SEVERAL)
    live.add_argument("--peers", default="2", metavar="N", help="number of processes (default: 2)")
    live.add_argument("--seed", default="1", metavar="N", help="seed of the faults, from 1 (default: 1)")
    live.add_argument("--json", action="store_true", help="as JSON, one record per run")
    live.add_argument("--out", metavar="DIR", help="folder for the table and the figure")

    check = commands.add_parser(
        "check",
        help="look for bugs in a protocol or network: searches, runs under faults, random runs and events, sockets",
    )
    check.add_argument("target", metavar="TARGET", help="a protocol, a network, or the file of your library")
    check.add_argument(
        "values",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of all runs, such as protocol.Window=4; network= and protocol= take lists of names",
    )
    check.add_argument("--minutes", default="1", metavar="N", help="duration [min] (default: 1)")
    check.add_argument("--seed", default="1", metavar="N", help="seed of all runs, from 1 (default: 1)")
    check.add_argument("--json", action="store_true", help="as JSON")

    torture = commands.add_parser(
        "torture", help="run random cases for a given time; shrink those that break a promise"
    )
    torture.add_argument(
        "values",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of all cases, such as protocol.Window=4; network= and protocol= take lists of names",
    )
    torture.add_argument("--minutes", default="1", metavar="N", help="duration [min] (default: 1)")
    torture.add_argument("--seed", default="1", metavar="N", help="seed of the random cases, from 1 (default: 1)")
    torture.add_argument("--jobs", metavar="N", help="parallel runs (default: one per core)")

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
    one = help_.add_mutually_exclusive_group()
    one.add_argument("topic", nargs="?", metavar="COMMAND", help="a command (default: all, one line each)")
    one.add_argument("--man", action="store_true", help="print a man page: relnet help --man > relnet.1")
    one.add_argument("--logs", action="store_true", help="list the log components with their source files")
    one.add_argument(
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


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse a command line; parameters may stand before and after options."""
    options, further = make_parser().parse_known_args(arguments)
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
