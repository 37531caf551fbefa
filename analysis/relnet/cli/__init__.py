# SPDX-License-Identifier: GPL-2.0-only
"""
The command line.

`parser` has the commands and their options, and `commands` what they do. `completion` completes words and makes the man
page; `skeleton` begins projects.

Exit status: 0 if all promises are kept, 1 for a run without a result, 2 for bad input, 3 for a broken promise or a
refuted search, 4 for an undecided run or search, 130 for an interruption.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence

from relnet.catalog.extensions import load
from relnet.catalog.lookup import describe
from relnet.cli import completion
from relnet.cli.commands import COMMANDS
from relnet.cli.parser import HelpWanted, make_parser, parse
from relnet.errors import RelnetError, RunError, exhausted


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
        print("\n".join(completion.candidates(make_parser(), " ".join(sys.argv[1:]))))
        return 0
    try:
        try:
            return _execute(arguments)
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
    except (MemoryError, OSError, RuntimeError) as error:
        if sentence := exhausted(error):
            print(f"relnet: {sentence} Stored results remain; the same command continues from them.", file=sys.stderr)
            return 1
        # Errors of files are reported where they occur; the remaining ones are of the standard output.
        if not isinstance(error, OSError) or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print(f"relnet: The output cannot be written: {error.strerror}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        print(f"relnet: {str(error) or 'Interrupted.'}", file=sys.stderr)
        return 130


_FIRST = """Any reliability protocol over any network. Begin with:

    relnet run reliability network=csma protocol=idempotent loss=0.1
    relnet describe reliability
    relnet examples

`relnet --help` lists all commands."""
"""What is printed without a command."""


def _execute(arguments: Sequence[str] | None) -> int:
    """Parse a command line, load its libraries, and run its command."""
    if not (sys.argv[1:] if arguments is None else arguments):
        print(_FIRST)
        return 0
    try:
        options = parse(arguments)
    except HelpWanted as wanted:
        return _print_help(*wanted.args, sys.argv[1:] if arguments is None else arguments)
    for library in options.load:
        load(library)
    return COMMANDS[options.command](options)


def _print_help(parser: argparse.ArgumentParser, scenario: str | None, words: Sequence[str]) -> int:
    """Print the help of a parser and, if one was named, the parameters of a scenario."""
    parser.print_help()
    if scenario:
        libraries = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        libraries.add_argument("--load", action="append", default=[])
        for library in libraries.parse_known_args(words)[0].load:
            load(library)
        print(f"\n{describe(scenario)}")
    return 0
