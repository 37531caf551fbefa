# SPDX-License-Identifier: GPL-2.0-only
"""Descriptions, help, completion and man page, generated from the declarations."""

import os
import re
import shutil
import subprocess

import pytest

import relnet
from relnet.catalog import overview


def test_every_scenario_has_a_short_description_and_an_example(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for scenario in relnet.scenarios():
        lines = str(scenario).splitlines()
        assert len(lines) <= 32 and max(map(len, lines[:-1])) <= 100, scenario.name
        assert f"  {scenario.example}" in lines and scenario.name in {"live", *overview.EXAMPLES}
        named = re.findall(r"(\w+)=", scenario.example)
        assert all(scenario.parameter(name) for name in named)
        assert len(overview.first(scenario.name, scenario.parameters)) == min(10, len(scenario.parameters))
        for name in overview._FIRST.get(scenario.name, "").split():
            assert scenario.parameter(name).name == name


@pytest.mark.parametrize("name", sorted(overview.EXAMPLES))
def test_examples_run(name, command, cache):
    told = command(*relnet.describe(name).example.split()[1:])
    assert told.status == 0 and told.out.startswith("Verdict"), told.err


def test_groups_follow_the_class_that_declares():
    scenario = relnet.describe("parastation2")
    groups = {one.name: overview.group(one) for one in scenario.parameters}
    told = {
        "Loss": "faults",
        "PioRate": "hosts",
        "SwitchPorts": "network",
        "SendRing": "protocol",
        "Rounds": "workload",
    }
    assert {name: groups[name] for name in told} == told
    assert overview.group(relnet.describe("reliability").parameter("TimeLimit")) == "limits"
    whole = {group for one in relnet.scenarios() for group in map(overview.group, one.parameters)}
    assert whole == set(overview.GROUPS)


def test_describe_lists_a_group():
    """`relnet describe reliability fault` lists the parameters of all faults."""
    names = {one.name for one in relnet.describe("reliability", "fault").parameters}
    assert {"Loss", "ErrorModel", "LinkUpTime", "SlowQueue", "ReorderBound"} <= names
    assert not names & {"Nodes", "Load", "TimeLimit"}


def test_describe_all_lists_every_parameter(command):
    told = command("describe", "eqa", "--all").out
    assert all(f"\n  {one.name} = " in told for one in relnet.describe("eqa").parameters)
    assert told.index("Parameters: workload") < told.index("Parameters: network") < told.index("\nResults")
    assert "Timeout" not in command("describe", "eqa").out


def test_help_after_a_scenario_has_its_parameters(sample, plugin, command, process, monkeypatch):
    told = command("run", "eqa", "--help").out
    assert told.startswith("usage: relnet run ") and "System = ppbcast" in told
    assert command("help", "run").out == command("run", "--help").out
    assert command("run", "nope", "--help").status == 2
    monkeypatch.delenv("RELNET_LIBRARIES")
    assert "Every kind of parameter" in process("--load", plugin, "sweep", "sample", "-h").out
    assert command("help", "rnu").err.startswith("relnet: There is no command 'rnu'; did you mean run?")


def test_man_page_has_every_command_and_option(command):
    page = command("help", "--man").out
    assert page.startswith('.TH RELNET 1 "" "relnet ')
    for name in ("run", "sweep", "trace", "history", "reproduce"):
        assert f'.SS "{name}"' in page
    assert r"\-\-timeout TIME" in page
    assert all(not line.startswith("'") for line in page.splitlines())
    if shutil.which("groff"):
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True
        )
        assert done.stderr == "" and "relnet sweep" in re.sub(".\b", "", done.stdout)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("relnet hist", ["history"]),
        ("relnet run idem", ["idempotent"]),
        ("relnet run idempotent bench", ["benchmark="]),
        ("relnet run idempotent benchmark=r", ["benchmark=reverse"]),
        ("relnet run idempotent nodes=4 node", []),
        (
            "relnet run reliability network=wormhole network.Rou",
            ["network.Routing=", "network.Router=", "network.RouterFailureRate="],
        ),
        ("relnet trace eqa --pc", ["--pcap"]),
        ("relnet explore idem", ["idempotent"]),
        ("relnet nope ", []),
    ],
)
def test_completion(line, expected, relnet_command):
    done = subprocess.run(
        [*relnet_command, line], env=os.environ | {"RELNET_COMPLETE": "1"}, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == expected


def test_completion_with_a_library_of_ones_own(plugin, relnet_command):
    words = [*relnet_command, f"relnet --load {plugin} run samp"]
    done = subprocess.run(words, env=os.environ | {"RELNET_COMPLETE": "1"}, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["sample"]


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_completion_in_zsh(tmp_path, relnet_command):
    """The function that zsh calls, with its words."""
    words = [*relnet_command, "help", "--completion", "zsh"]
    script = subprocess.run(words, capture_output=True, text=True, check=True)
    starter = tmp_path / "relnet"
    starter.write_text(f'#!/bin/sh\nexec {" ".join(relnet_command)} "$@"\n')
    starter.chmod(0o755)
    lines = [
        "compdef() { :; }; compadd() { echo $@; }; _files() { echo files; }",
        script.stdout,
        f"words=({starter} run idempotent benchmark=q) CURRENT=4 PREFIX=benchmark=q; _relnet",
        f"words=({starter} run idempotent bench) CURRENT=4 PREFIX=bench; _relnet",
        f"words=({starter} show zzz) CURRENT=3 PREFIX=zzz; _relnet",
    ]
    done = subprocess.run(["zsh", "-f", "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    told = [line.removeprefix("-S ").strip() for line in done.stdout.splitlines()]
    assert done.stderr == "" and [line for line in told if line not in ("--", "")] == [
        "-- benchmark=quicksort",
        "-- benchmark=",
        "files",
    ]


def test_completion_in_bash(tmp_path, relnet_command):
    """The function that bash calls, with its words."""
    shell = shutil.which("bash")
    script = subprocess.run(
        [*relnet_command, "help", "--completion", "bash"], capture_output=True, text=True, check=True
    )
    starter = tmp_path / "relnet"
    starter.write_text(f'#!/bin/sh\nexec {" ".join(relnet_command)} "$@"\n')
    starter.chmod(0o755)
    lines = [
        script.stdout,
        "compopt() { :; }",
        f"COMP_WORDS=({starter} run idempotent benchmark = q) COMP_CWORD=5",
        'COMP_LINE="relnet run idempotent benchmark=q" COMP_POINT=${#COMP_LINE}',
        '_relnet; echo "${COMPREPLY[@]}"',
    ]
    done = subprocess.run([shell, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["quicksort"]


def test_notebooks_show_scenarios_results_sweeps_and_matrix(sample):
    described = relnet.describe(sample)._repr_html_()
    assert "<summary>network</summary>" in described and "Number of nodes." in described
    run = relnet.run(sample, nodes=4)
    assert "<td style='text-align:left'>Sum</td><td>7</td><td style='text-align:left'>nodes</td>" in run._repr_html_()
    swept = relnet.sweep(sample, nodes=[4, 5], rows=1)
    assert "Sum [nodes]" in swept._repr_html_() and "computed" in swept._repr_html_()
    matrix = relnet.matrix()
    assert "Invalid pairs" in repr(matrix) and "..." not in repr(matrix)
    assert "<table" in matrix._repr_html_()
