# SPDX-License-Identifier: GPL-2.0-only
"""Shell completion and man page, generated from the parser of the command line."""

from __future__ import annotations

import argparse
import contextlib
import shlex
from collections.abc import Sequence

from relnet import __version__
from relnet.catalog.extensions import load
from relnet.catalog.lookup import choices, describe, scenarios
from relnet.cli import skeleton
from relnet.cli.parser import subcommands
from relnet.errors import RelnetError
from relnet.runs import store
from relnet.runs.history import LAST

_BASH = """_relnet() {
    local IFS=$'\\n' program=${COMP_WORDS[0]/#\\~/$HOME}
    # Words of the line are as typed, with quotation marks.
    program=${program//[\\"\\'\\\\]/}
    COMPREPLY=($(RELNET_COMPLETE=1 "$program" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
    # Bash splits words at the sign =.
    if [[ $COMP_WORDBREAKS == *=* && ${COMP_LINE:0:COMP_POINT} =~ =[^[:space:]]*$ ]]; then
        COMPREPLY=("${COMPREPLY[@]#*=}")
    fi
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -o default -F _relnet relnet"""

_ZSH = """_relnet() {
    local program="${${(Q)words[1]}/#\\~/$HOME}"
    local -a found
    found=(${(f)"$(RELNET_COMPLETE=1 "$program" "${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)"})
    (( $#found )) || { _files; return }
    # No space after a name that needs a value.
    compadd -S '' -- ${(M)found:#*=}
    compadd -- ${found:#*=}
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _relnet relnet"""

_SCENARIO_COMMANDS = ("compare", "describe", "run", "sweep", "trace")
_PROTOCOL_COMMANDS = ("check", "explore", "live")
_HISTORY_COMMANDS = {"show": 1, "diff": 2}
"""Commands on past runs, with the number of their ids."""


def script(shell: str) -> str:
    """Shell code that enables completion."""
    return _BASH if shell == "bash" else _ZSH


def candidates(parser: argparse.ArgumentParser, line: str) -> list[str]:
    """
    Complete the last word of a command line.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Parser of the command line.
    line : str
        The line so far, with the program; a space at its end begins a new word.

    Returns
    -------
    list of str
        Commands, options, scenarios, `name=` or `name=value`.
    """
    words = _split(line)[1:]
    before, current = (words, "") if line.endswith(" ") else (words[:-1], words[-1] if words else "")
    while before[:1] == ["--load"]:
        with contextlib.suppress(RelnetError):
            load(*before[1:2])
        before = before[2:]
    plain = [word for word in before if not word.startswith("-")]
    known = subcommands(parser)
    found: list[str] = []
    if not plain:
        found = [*known, *_options(parser)]
    elif plain[0] in known:
        found = _options(known[plain[0]])
        with contextlib.suppress(RelnetError):
            if plain[0] in _SCENARIO_COMMANDS and len(plain) == 1:
                found += [one.name for one in scenarios()]
            elif plain[0] in _SCENARIO_COMMANDS:
                found += _values(plain[1], plain[2:], current)
            elif plain[0] in _PROTOCOL_COMMANDS and len(plain) == 1:
                found += [one.name for one in choices("protocols")]
            elif plain[0] == "help":
                found += known
            elif plain[0] in _HISTORY_COMMANDS and len(plain) <= _HISTORY_COMMANDS[plain[0]]:
                found += _ids()
            elif plain[0] == "new" and len(plain) == 1:
                found += skeleton.KINDS
    if not current.startswith("-"):
        found = [one for one in found if not one.startswith("-")]
    return [one for one in found if one.startswith(current)]


def _ids() -> list[str]:
    """Ids of past runs and sweeps, the last one first."""
    with store.Store() as kept:
        ids = [call.id for call in kept.calls()]
    return [LAST, *ids] if ids else []


def _split(line: str) -> list[str]:
    """Split a line into words as a shell does; the last word may have an open quotation mark."""
    for end in ("", '"', "'"):
        with contextlib.suppress(ValueError):
            return shlex.split(f"{line}{end}")
    return line.split()


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [text for action in parser._actions for text in action.option_strings if text.startswith("--")]


def _values(name: str, given: Sequence[str], current: str) -> list[str]:
    """Parameters of a scenario with its chosen parts, or values of one parameter."""
    scenario = describe(name)
    pairs = dict(word.partition("=")[::2] for word in given if "=" in word)
    with contextlib.suppress(RelnetError):
        scenario = scenario.choose(pairs)
    if "=" not in current:
        taken = {one.casefold() for one in pairs}
        names = [one.name if "." in one.name else one.name.lower() for one in scenario.parameters]
        return [f"{one}=" for one in names if one.casefold() not in taken]
    parameter = scenario.parameter(current.partition("=")[0])
    truths = ("true", "false") if parameter.kind == "bool" else ()
    several = parameter.choices or truths or (parameter.text(parameter.default),)
    return [f"{current.partition('=')[0]}={one}" for one in several]


def man_page(parser: argparse.ArgumentParser) -> str:
    """Man page of the program, in roff; lines are not justified, so that commands can be copied."""
    lines = [
        f'.TH RELNET 1 "" "relnet {__version__}" "User Commands"',
        ".ad l",
        ".nh",
        ".SH NAME",
        f"relnet \\- {parser.description}",
    ]
    lines += [".SH SYNOPSIS", ".B relnet", "[OPTIONS] COMMAND ..."]
    lines += [".SH OPTIONS", *_arguments(parser), ".SH COMMANDS"]
    for name, command in subcommands(parser).items():
        usage = " ".join(command.format_usage().split()).removeprefix("usage: ")
        lines += [f'.SS "{name}"', _roff(_summary(parser, name)), ".PP", f".B {_roff(usage)}", *_arguments(command)]
    lines += [".SH EXIT STATUS", _roff(parser.epilog or "")]
    lines += [".SH ENVIRONMENT"]
    for name, text in (
        ("RELNET_CACHE", "folder of stored results"),
        ("RELNET_LIBRARIES", "libraries to load, separated by colons"),
        ("RELNET_BUILD", "build folder"),
        ("NS_LOG", "components of ns-3 to log"),
    ):
        lines += [".TP", f".B {name}", _roff(text)]
    return "\n".join(lines)


def _summary(parser: argparse.ArgumentParser, name: str) -> str:
    found = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return next((one.help or "" for one in found._choices_actions if one.dest == name), "")


def _arguments(parser: argparse.ArgumentParser) -> list[str]:
    lines = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else "|".join(action.choices or ()) or None
        head = ", ".join(action.option_strings) or metavar or action.dest
        if action.option_strings and metavar:
            head += f" {metavar}"
        lines += [
            ".TP",
            f".B {_roff(head)}",
            _roff((action.help or "") % {"default": action.default, "prog": parser.prog}),
        ]
    return lines


def _roff(text: str) -> str:
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain
