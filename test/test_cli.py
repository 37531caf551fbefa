# SPDX-License-Identifier: GPL-2.0-only
"""The command line: every command, every exit status, and one sentence for every mistake."""

import contextlib
import csv
import errno
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys

import pandas
import pytest
from conftest import runs_of, wait_until

import relnet
from relnet import cli
from relnet.binding import user_code
from relnet.catalog.parameters import Parameter
from relnet.cli import commands, completion
from relnet.cli.parser import make_parser
from relnet.processes import pool
from relnet.runs import grid, sweeps


def one_sentence(finished, status=2):
    """Error message of a command line, without its prefix."""
    assert finished.status == status
    assert finished.out == ""
    lines = finished.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("relnet: ")
    return lines[0].removeprefix("relnet: ")


def test_version(process):
    assert process("--version").out == f"relnet {relnet.__version__}\n"


def test_scenarios(sample, command, capsys):
    """Each scenario of the modules has a summary that fits a line of a terminal."""
    lines = command("scenarios").out.splitlines()
    assert any(line.split(maxsplit=1) == ["sample", "Every kind of parameter, result and end."] for line in lines)
    assert all(len(line) <= 120 for line in lines)
    for scenario in relnet.scenarios():
        assert re.fullmatch(r"[A-Z][^.]{20,}\.", scenario.summary), scenario.name
        assert cli.main(["describe", scenario.name]) == 0
        assert scenario.summary in capsys.readouterr().out.splitlines()
    listed = json.loads(command("scenarios", "--json").out)
    entry = next(one for one in listed if one["name"] == "sample")
    nodes = next(one for one in entry["parameters"] if one["name"] == "Nodes")
    assert nodes == {
        "name": "Nodes",
        "kind": "uint",
        "default": 16,
        "minimum": 1,
        "maximum": 1024,
        "choices": [],
        "unit": "nodes",
        "source": "section 4.1",
        "help": "Number of nodes.",
        "allowed": "a whole number from 1 to 1024",
        "group": "network",
        "may_name_file": False,
    }
    assert {"name": "End", "unit": "s", "source": "result", "help": "Simulated end of the run."} in entry["results"]


def test_a_library_that_is_no_readable_file_is_told_as_such(command, tmp_path, monkeypatch):
    """A folder did "not exist"; without the right to read, "ns-3 cannot be started"."""
    assert one_sentence(command("--load", tmp_path, "scenarios")) == f"The library {tmp_path} is no file."
    library = tmp_path / "lib.so"
    library.write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(library) or mode != os.R_OK)
    assert one_sentence(command("--load", library, "scenarios")) == f"The library {library} cannot be read."


def test_examples_are_copied_once(command, tmp_path):
    listed = command("examples", tmp_path / "new").out.splitlines()
    assert str(tmp_path / "new" / "reliability.ipynb") in listed and all(os.path.isfile(path) for path in listed)
    refused = one_sentence(command("examples", tmp_path / "new"))
    assert refused == f"The examples cannot be copied to {tmp_path / 'new'}: File exists."


def test_numbers_of_one_kind_have_one_unit():
    """As the page of the module `messaging` states: a real number has a unit."""
    kinds = (
        (r"(\w+: )?((mean|largest) )?share\b", "fraction"),
        (r"probability\b", "probability"),
        (r"Largest deviation\b", "%"),
    )
    wrong = []
    for entry in json.loads(pool.server(user_code.libraries()).hello["catalog"])["scenarios"]:
        for attribute in entry["attributes"]:
            unit = re.search(r"\[([^\[\];]*)[^\[\]]*\]\.?$", attribute["help"])
            unit = unit[1].strip() if unit else ""
            due = [kind for start, kind in kinds if re.match(start, attribute["help"], re.IGNORECASE)]
            bare = attribute["value"] == "ns3::DoubleValue" and unit in ("", "-", "1")
            if bare or unit in ("1", "share", "percent") or (due and unit not in due):
                wrong.append((entry["type"], attribute["name"], unit, attribute["help"][:60]))
    assert not wrong


def test_describe(sample, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert command("describe", "SAMPLE").out == f"{relnet.describe('sample')}\n"
    assert json.loads(command("describe", "sample", "--json").out) == relnet.describe("sample").to_dict()


def test_describe_finds_words(sample, command):
    """Parameters are found by words of name or help, in any case."""
    told = command("describe", sample, "NUMBER", "nodes").out
    assert "Nodes = 16 [nodes]" in told and "Loss" not in told
    assert [one.name for one in relnet.describe(sample, "probability").parameters] == ["Loss"]
    entry = json.loads(command("describe", sample, "probability", "--json").out)
    assert [one["name"] for one in entry["parameters"]] == ["Loss"]
    assert "has 'zzz' in its name or help; `relnet describe sample` lists" in one_sentence(
        command("describe", sample, "zzz")
    )


def test_sweep_on_a_terminal_tells_first_what_is_the_same(sample, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    lines = command("sweep", sample, "nodes=4,5", "label=a b", "rows=1").out.splitlines()
    assert lines[0].startswith("In all runs: Label=a b, Rows=1, seed=1, ")
    assert any(line.split()[:1] == ["Nodes"] for line in lines)
    assert any(line.split()[:2] == ["4", "7"] for line in lines), "nodes, and what they sum up to"
    assert max(map(len, lines)) <= 60


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_output_that_cannot_be_written_is_one_sentence(sample, relnet_command):
    words = [*relnet_command, "run", sample, "nodes=4"]
    with open("/dev/full", "w") as full:
        ended = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "relnet: The output cannot be written: No space left on device.\n"
    shell = ["sh", "-c", 'exec "$@" >&-', "sh", *words]
    ended = subprocess.run(shell, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_options_may_stand_before_values(sample, command):
    before = command("run", sample, "--seed", "2", "nodes=4", "--json", "rows=2")
    assert before.status == 0 and before.out == command("run", sample, "nodes=4", "rows=2", "--seed", "2", "--json").out
    assert command("sweep", "--jobs", "1", sample, "nodes=4,5", "--seeds", "2", "rows=1").status == 0


def test_run_prints_the_record(sample, command):
    finished = command("run", sample, "NODES=4", "behaviour=Fine", "--seed", "2")
    assert finished.status == 0 and finished.err == ""
    lines = finished.out.splitlines()
    assert lines[0].split() == ["Verdict", "completed"]
    assert "Sum            7 nodes" in lines
    assert lines[-1].endswith("Draws (4 rows), Names (4 rows)")


def test_run_as_json(sample, command):
    told = json.loads(command("run", sample, "nodes=4", "rows=2", "--json").out)
    assert told["scenario"] == "sample" and told["seed"] == 1
    assert told["parameters"]["Nodes"] == 4 and told["parameters"]["Loss"] == 0.1
    assert told["results"]["Sum"] == 7
    assert told["units"]["End"] == "s"
    assert told["tables"]["Draws"]["Index"] == [0, 1]
    series = relnet.run(sample, nodes=4, rows=2)
    assert told["results"] == series.to_dict()
    assert told["tables"]["Draws"]["Value"] == relnet.tables(series)["Draws"]["Value"].tolist()


def test_livelock_has_its_exit_status(sample, command):
    finished = command("run", sample, "behaviour=livelock")
    assert (finished.status, finished.err) == (3, "")
    assert "livelock" in finished.out
    finished = command("sweep", sample, "behaviour=fine,livelock", "nodes=2")
    assert finished.status == 3 and "failed 0" in finished.out


def test_tables_are_written(sample, command, tmp_path):
    assert command("run", sample, "rows=2", "--tables", tmp_path / "t").status == 0
    assert (tmp_path / "t" / "Names.csv").read_text() == 'Name\n"row ""0"""\n"row ""1"""\n'
    assert command("sweep", sample, "rows=1,2", "--tables", tmp_path / "s").status == 0
    assert (tmp_path / "s" / "Draws.csv").read_text().splitlines()[0] == "Rows,seed,Index,Value"


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (["nodes=0"], "Nodes is '0'; it has to be a whole number from 1 to 1024."),
        (["nodes=-3"], "Nodes is '-3'; it has to be a whole number from 1 to 1024."),
        (["nodes=many"], "Nodes is 'many'; it has to be a whole number from 1 to 1024."),
        (["nodes="], "Nodes is ''; it has to be a whole number from 1 to 1024."),
        (["wall=-1"], "Wall is '-1'; it has to be a whole number from 0 to 4294967295."),
        (["loss=1.5"], "Loss is '1.5'; it has to be a number from 0 to 1."),
        (["loss=-0.1"], "Loss is '-0.1'; it has to be a number from 0 to 1."),
        (["loss=often"], "Loss is 'often'; it has to be a number from 0 to 1."),
        (["audit=perhaps"], "Audit is 'perhaps'; it has to be true or false."),
        (
            ["behaviour=splendid"],
            "Behaviour is 'splendid'; it has to be one of fine, livelock, failing, fatal, segfault, throwing.",
        ),
        (
            ["delay=-1s"],
            "Delay is '-1s'; it has to be a time with a unit, such as 10us (s without one), from 0s to 100s.",
        ),
        (["rate=fast"], "Rate is 'fast'; it has to be a data rate with a unit, such as 10Mbps (bit/s without one)."),
        (["nodes=3", "label=even"], "Nodes has to be even where Label is even."),
        (["nodes"], "'nodes' is not of the form NAME=VALUE."),
        (["=3"], "'=3' is not of the form NAME=VALUE."),
        (["nodes=3", "nodes=4"], "nodes is given twice."),
        (["nodes=3", "NODES=4"], "Nodes is given twice."),
        (["--seed", "0"], "seed is '0'; it has to be a whole number from 1 to 9223372036854775807."),
        (["--seed", "x"], "seed is 'x'; it has to be a whole number from 1 to 9223372036854775807."),
    ],
)
def test_bad_input_is_one_sentence(sample, command, words, allowed):
    assert one_sentence(command("run", sample, *words)) == allowed


@pytest.mark.parametrize("words", [["--man", "run"], ["--logs", "run"], ["--man", "--completion", "bash"]])
def test_help_does_one_thing(command, words):
    """One of the two was ignored."""
    assert "not allowed with argument" in one_sentence(command("help", *words))


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["check", "none"], ["minutes", "seed", "progress"]),
        (["explore", "none"], ["cache", "symmetry", "bits", "fair"]),
        (["trace", "reliability"], ["seed", "limit", "begin", "end", "around", "pcap", "ascii"]),
    ],
)
def test_an_option_is_no_parameter(command, words, names):
    """A traceback told of an argument of a function."""
    for name in names:
        told = one_sentence(command(*words, f"{name}=1"))
        assert told == f"{name} is an option and no parameter; see `relnet {words[0]} --help`."


@pytest.mark.parametrize(
    "words",
    [
        ["fly"],
        ["run"],
        ["run", "sampel"],
        ["run", "sample", "nods=3"],
        ["run", "sample", "--sed", "3"],
        ["describe"],
        ["describe", "nothing"],
        ["sweep", "sample", "nodes=5:1"],
        ["sweep", "sample", "nodes=0:4"],
        ["sweep", "sample", "loss=0:0.1"],
        ["sweep", "sample", "nodes=2:9:x2"],
        ["sweep", "sample", "nodes=2:9:3"],
        ["sweep", "sample", "nodes=2:8:x1"],
        ["sweep", "sample", "nodes=8:2:x2"],
        ["sweep", "sample", "nodes=2:8:xx"],
        ["sweep", "sample", "loss=0,2"],
        ["sweep", "sample", "--jobs", "0"],
        ["sweep", "sample", "--jobs", "x"],
        ["sweep", "sample", "--seeds", "0"],
        ["sweep", "sample", "--out", "/"],
        ["sweep", "sample", "nodes=1,3", "label=even"],
        ["--load", "/nowhere.so", "scenarios"],
    ],
)
def test_bad_command_lines_are_one_sentence(sample, command, words):
    sentence = one_sentence(command(*words))
    assert sentence.endswith(".") or "--help" in sentence


def test_missing_scenario_is_all_that_is_missing(command):
    for name in ("run", "describe"):
        told = one_sentence(command(name))
        assert told == f"The following arguments are required: SCENARIO; see `relnet {name} --help`."


def test_many_names_are_not_told_in_a_sentence(command):
    sentence = one_sentence(command("run", "idempotent", "nods=3"))
    assert sentence.startswith(
        "idempotent has no parameter 'nods'; did you mean Nodes? `relnet describe idempotent` lists"
    )
    assert len(sentence) < 120


def test_record_is_shown_even_if_its_tables_cannot_be_written(sample, command, tmp_path):
    finished = command("run", sample, "nodes=2", "--tables", tmp_path / ("x" * 300))
    assert finished.status == 2
    assert "Sum" in finished.out
    assert "cannot be written" in finished.err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "--tables", ""], "The name of a folder is empty."),
        (["sweep", "--tables", ""], "The name of a folder is empty."),
        (["run", "--tables", "/no-such-folder/t"], "there is no folder /no-such-folder."),
        (["sweep", "--out", "/no-such-folder/frame.csv"], "there is no folder /no-such-folder."),
        (["trace", "--out", "/no-such-folder/chart.svg"], "there is no folder /no-such-folder."),
        (["sweep", "--out", f"{'x' * 300}.csv"], "cannot be written: File name too long."),
        (["run", "--tables", "file"], "The folder file cannot be created: {here}/file is a file."),
        (["run", "--tables", "file/tables"], "The folder file/tables cannot be created: {here}/file is a file."),
    ],
)
def test_destinations_that_cannot_be_meant(sample, command, words, sentence, tmp_path, monkeypatch):
    """Nothing is run, and no folder is created under the root."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    told = one_sentence(command(words[0], sample, "nodes=2", *words[1:]))
    assert sentence.format(here=tmp_path) in told
    assert not os.path.exists("/no-such-folder")


def test_one_ending_is_named_alone(command):
    assert one_sentence(command("explore", "idempotent", "--svg", "chart.png")) == "chart.png has to end in .svg."


def test_explore_makes_no_folder_under_the_root(command):
    told = one_sentence(command("explore", "idempotent", "--svg", "/no-such-folder/chart.svg"))
    assert "there is no folder /no-such-folder." in told


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_files_without_an_end_are_refused(command, tmp_path, kind):
    path = tmp_path / "pipe" if kind == "pipe" else "/dev/zero"
    if kind == "pipe":
        os.mkfifo(path)
    for words in (
        ["idempotent", "benchmark=file", f"tracefile={path}"],
        ["idempotent", "topology=graph", f"topologyfile={path}"],
        ["reliability", "pattern=goal", f"pattern.file={path}"],
        ["reliability", "network=myrinet", "network.topology=graph", f"network.topologyfile={path}"],
        ["mpi-osu", "topology=file", f"topologyfile={path}"],
    ):
        ended = command("run", *words)
        assert ended.status == 2 and f"{path} is no regular file" in ended.err, words


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["idempotent", "benchmark=reverse", "tracefile=x"], "TraceFile has no effect where Benchmark is not file."),
        (["idempotent", "topologyfile=x"], "TopologyFile has no effect where Topology is not graph."),
        (["eqa", "system=mpich", "network=hub", "loss=1"], "Loss has no effect where Network is hub."),
        (["eqa", "late=1e10s"], "Late is '1e10s'; it has to be a time with a unit, such as 10us"),
        (["reliability", "timelimit=300y"], "TimeLimit is '300y'; it has to be a time with a unit, such as 10us"),
        (
            ["reliability", "network=wormhole", "network.sourcebusy=drop", "protocol=p1", "emulatebroadcast=true"],
            "with SourceBusy drop all but the first are dropped at their source; set network.SourceBusy to wait.",
        ),
        (["pcode", "nackstagger=1e20s"], "NackStagger is '1e20s'; it has to be a time with a unit, such as 10us"),
    ],
)
def test_values_without_effect_or_beyond_all_times_are_refused(command, words, sentence):
    assert sentence in one_sentence(command("run", *words))


def test_bar_in_a_terminal_that_states_no_size(sample, relnet_command):
    leader, follower = os.openpty()
    words = [*relnet_command, "run", sample, "wall=3000"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=follower)
    os.close(follower)
    shown = b""
    with contextlib.suppress(OSError), open(leader, "rb", buffering=0) as terminal:
        while piece := terminal.read(4096):
            shown += piece
    assert process.wait() == 0
    assert b"sample:" in shown and b"ms" in shown


def test_unknown_names_have_a_nearest_match(sample, command):
    assert "did you mean sample?" in one_sentence(command("run", "sampel"))
    assert "did you mean idempotent?" in one_sentence(command("describe", "idem"))
    assert "did you mean run?" in one_sentence(command("runn", "sample"))
    assert "did you mean --seeds?" in one_sentence(command("sweep", "sample", "--seed=3"))
    assert "did you mean Nodes?" in one_sentence(command("run", "sample", "nods=3"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("trace 1\nnodes two\n", ', line 2: nodes must be a number from 0 to 4294967294, not "two".'),
        ("trace 1\nnodes 1\nblock 0 node 3 thread 0 signals 0 duration 5\n", ": block 0 runs on node 3, but there"),
        (
            "trace 1\nnodes 1\nblock 0 node 0 thread 0 signals 1 duration 1\n signal to 0 bytes 0 at 0 target 1\n"
            "block 1 node 0 thread 0 signals 1 duration 1\n signal to 0 bytes 0 at 0 target 0\n",
            ": block 0 is never activated, one of 2: blocks wait for one another in a cycle.",
        ),
    ],
)
def test_malformed_trace_is_one_sentence(cache, command, tmp_path, monkeypatch, text, complaint):
    """The file name is that of the user."""
    (tmp_path / "trace.txt").write_text(text)
    monkeypatch.chdir(tmp_path)
    sentence = one_sentence(command("run", "idempotent", "benchmark=file", "tracefile=trace.txt"))
    assert sentence.startswith(f"TraceFile trace.txt{complaint}")


@pytest.mark.parametrize("behaviour", ["failing", "throwing", "fatal", "segfault"])
def test_failed_run_ends_with_its_command(sample, command, behaviour):
    finished = command("run", sample, f"behaviour={behaviour}", "nodes=6", "--seed", "9")
    assert finished.status == 1
    last = finished.err.splitlines()[-1]
    assert last.startswith("relnet: The run sample(Behaviour=")
    assert last.endswith(f"run sample Behaviour={behaviour} Nodes=6 --seed 9")


def test_command_of_a_failure_repeats_it(sample, relnet_command, plugin, monkeypatch, command):
    sentence = command("run", sample, "behaviour=fatal").err.splitlines()[-1]
    repeat = sentence.split("Repeat it with: relnet ")[1].split()
    monkeypatch.delenv("RELNET_LIBRARIES")
    assert command(*repeat).err.splitlines()[-1] == sentence


def test_sweep_ends_with_its_counts(sample, command, tmp_path):
    words = ["sweep", sample, "nodes=1:3", "loss=0,0.5", "--seeds", "2", "--jobs", "2"]
    finished = command(*words, "--out", tmp_path / "frame.csv")
    assert finished.status == 0
    assert finished.out.splitlines()[-1] == "computed 12, cached 0, failed 0"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "frame.csv").read_text())))
    assert [row["Nodes"] for row in rows] == ["1"] * 4 + ["2"] * 4 + ["3"] * 4
    assert list(rows[0])[:4] == ["Nodes", "Loss", "seed", "Verdict"]
    assert command(*words).out.splitlines()[-1] == "computed 0, cached 12, failed 0"


def test_sweep_with_failures(sample, command):
    finished = command("sweep", sample, "behaviour=fine,fatal,failing", "nodes=2")
    assert finished.status == 1
    assert finished.out.splitlines()[-1] == "computed 1, cached 0, failed 2"
    told = [line for line in finished.err.splitlines() if line.startswith("relnet: The run")]
    assert len(told) == 2
    assert told[0].endswith("run sample Behaviour=fatal Nodes=2 --seed 1")


def test_a_failed_run_does_not_agree_with_the_others(sample, command):
    """Results of the others were printed as those of all runs, above an empty table."""
    told = command("sweep", sample, "behaviour=fine,fatal", "nodes=2").out
    assert "In all runs" not in told and "Empty" not in told
    assert told.split()[:2] == ["Behaviour", "Nodes"] or "fine" in told
    several = command("sweep", sample, "behaviour=fine,fatal", "nodes=2,3").out
    assert several.startswith("In all 2 runs with results: Behaviour=fine") and "Empty" not in several
    assert any(line.split()[:1] == ["Nodes"] for line in several.splitlines())


def test_a_range_that_misses_its_end_is_refused(command, sample):
    """It ran 0 only, although both ends of a range are included."""
    sentence = one_sentence(command("sweep", sample, "loss=0:0.1"))
    assert "Loss has the range '0:0.1', which ends at 0 and misses 0.1; write FIRST:LAST:STEP" in sentence


def test_a_geometric_range(command, sample):
    ended = command("sweep", sample, "nodes=2:16:x2", "loss=0.1:0.4:0.1")
    assert ended.status == 0 and ended.out.splitlines()[-1] == "computed 16, cached 0, failed 0"
    assert grid.parse_values(Parameter.plain("size", "uint"), "64:65536:x4") == [64, 256, 1024, 4096, 16384, 65536]
    assert grid.parse_values(Parameter.plain("loss", "double"), "0.001:1:x10") == [0.001, 0.01, 0.1, 1.0]


def test_many_runs_are_announced_before_they_start(command, sample, monkeypatch):
    monkeypatch.setattr(sweeps, "ANNOUNCED", 3)
    assert command("sweep", sample, "nodes=1:3").err == ""
    told = command("sweep", sample, "nodes=1:4").err
    assert told.startswith("relnet: 4 runs; Ctrl-C ends them") and len(told.splitlines()) == 1


def test_without_a_command_three_are_shown(command):
    """The error was that arguments are required."""
    told = command()
    lines = [line for line in told.out.splitlines() if line.startswith("    relnet ")]
    assert told.status == 0 and told.err == "" and len(lines) == 3


def test_columns_that_are_equal_are_rounded(capsys):
    commands._print_frame(pandas.DataFrame({"Size": [1, 2], "seed": 1, "Time": 0.1 + 0.2, "Exact": True}))
    assert capsys.readouterr().out.startswith("In all runs: seed=1, Time=0.3, Exact=True\n")


def test_a_result_without_a_value_says_so():
    assert commands._value_text(float("nan")) == "no value" and commands._value_text(0.1 + 0.2) == "0.3"


def test_the_last_run_has_a_name(command, sample):
    assert "There is no run or sweep 'last'" in one_sentence(command("show", "last"))
    for nodes in (2, 3):
        command("run", sample, f"nodes={nodes}")
    assert re.search(r"Nodes +3\n", command("show", "last").out)
    ids = re.findall(r"^([0-9a-f]+)  ", command("history").out, re.MULTILINE)
    assert command("diff", ids[1], "last").out == command("diff", ids[1], ids[0]).out != ""
    complete = completion.candidates
    parser = make_parser()
    assert complete(parser, "relnet show ") == complete(parser, "relnet diff last ") == ["last", *ids]
    assert complete(parser, f"relnet show {ids[1]}") == [ids[1]] and complete(parser, "relnet show last ") == []
    assert complete(parser, "relnet new ") == ["protocol", "network", "scenario"]


def test_commas_in_free_text(sample, command):
    finished = command("sweep", sample, r"label=a\,b,c")
    assert finished.out.splitlines()[-1] == "computed 2, cached 0, failed 0"


def test_reader_that_leaves_early(sample, relnet_command):
    words = " ".join(relnet_command)
    done = subprocess.run(
        ["bash", "-c", f"{words} run sample rows=20000 --json | head -1; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "{\n0\n"
    assert done.stderr == ""


def test_interruption(sample, relnet_command):
    process = subprocess.Popen(
        [*relnet_command, "run", sample, "wall=3600000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: runs_of(process.pid))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out, err) == (130, "", "relnet: Interrupted.\n")


def test_damaged_results_are_one_sentence(sample, command, cache):
    cache.mkdir()
    (cache / "results-2.sqlite").write_text("no database " * 100)
    finished = command("run", sample)
    assert finished.status == 0
    assert len(finished.err.splitlines()) == 1
    assert "It was renamed to" in finished.err


def test_log_of_ns3_is_shown(sample, process):
    finished = process("run", sample, env=os.environ | {"NS_LOG": "PluginSampleScenario=level_info"})
    assert finished.status == 0
    assert "Run" in finished.err


def test_main_returns_the_status(sample, capsys):
    assert cli.main(["run", "sample", "nodes=2", "offset=0"]) == 0
    assert "Sum" in capsys.readouterr().out
    assert cli.main(["run", "sample", "nodes=x"]) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("run reliability network=csma nodes=2 messages=1", "The run reliability(Network=csma, "),
        ("sweep reliability network=csma nodes=2 messages=1,2", "computed 0, cached 0, failed 2"),
        # Its own files or those of its runs are too many, as its threads come first.
        ("reproduce idempotent --quick --out {}", " the same command continues"),
    ],
)
def test_too_few_open_files_are_one_sentence(words, sentence, cache, tmp_path):
    """A run blamed the standard output, a sweep the executor, and a reproduction ended with a traceback."""
    line = f"ulimit -n 14 && exec {shlex.quote(sys.executable)} -m relnet {words.format(tmp_path)}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "Too many files are open; the limit (ulimit -n) is 14. " in done.stderr
    assert sentence in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "The memory is used up"),
        (OSError(errno.EMFILE, "Too many open files", "x.csv"), "Too many files are open; the limit (ulimit -n) is "),
        (RuntimeError("can't start new thread"), "No further process or thread can be started; the limit (ulimit -u"),
    ],
)
def test_exhausted_resources_are_one_sentence(error, sentence, command, monkeypatch):
    def run(_):
        raise error

    monkeypatch.setitem(commands.COMMANDS, "scenarios", run)
    done = command("scenarios")
    assert done.status == 1 and done.err.startswith(f"relnet: {sentence}") and done.err.count("\n") == 1
    assert done.err.endswith(" Stored results remain; the same command continues from them.\n")
