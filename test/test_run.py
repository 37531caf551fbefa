# SPDX-License-Identifier: GPL-2.0-only
"""Single runs: results, and all possible endings."""

import dataclasses
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import pandas
import pytest
from conftest import children_of, wait_until

import relnet
from relnet import build
from relnet.catalog.lookup import command_name
from relnet.processes import pool
from relnet.runs.single import make_task, run_record


def names(series):
    """The results without the length of the run, for comparison."""
    return series.to_dict()


@pytest.mark.parametrize(
    ("type_name", "name"),
    [
        ("ns3::idempotent::IdempotentScenario", "idempotent"),
        ("ns3::messaging::MessagingBenchmarkScenario", "messaging-benchmark"),
        ("ns3::x::MPIRateScenario", "mpi-rate"),
        ("ns3::x::Grid2dHeat", "grid2d-heat"),
    ],
)
def test_names_on_the_command_line(type_name, name):
    assert command_name(type_name) == name


def test_scenarios_are_found(sample):
    assert sample in [scenario.name for scenario in relnet.scenarios()]
    for alias in ("sample", "SAMPLE", "SampleScenario", "ns3::plugin::SampleScenario"):
        assert relnet.describe(alias).type == "ns3::plugin::SampleScenario"


def test_description_has_everything_declared(sample):
    scenario = relnet.describe(sample)
    by_name = {parameter.name: parameter for parameter in scenario.parameters}
    assert (by_name["Nodes"].unit, by_name["Nodes"].source) == ("nodes", "section 4.1")
    assert by_name["Behaviour"].choices[0] == "fine"
    assert scenario.units["End"] == "s"
    assert [table.name for table in scenario.tables] == ["Draws", "Names"]
    text = scenario.full
    for word in ("Nodes = 16 [nodes]", "a whole number from 1 to 1024", "Source: section 4.1.", "Draws", "3us"):
        assert word in text


def test_short_description_has_a_line_each_and_counts_the_rest(sample):
    text = str(relnet.describe(sample))
    assert "Nodes = 16 [nodes]" in text and "Number of nodes." in text and "Source: section 4.1." not in text
    assert "6 results, 2 tables: `relnet describe sample --all`" in text


def test_unknown_names_are_told_with_their_nearest(sample):
    with pytest.raises(relnet.RelnetError, match=r"'sampel' does not exist; did you mean sample\?"):
        relnet.run("sampel")
    with pytest.raises(relnet.RelnetError, match=r"^sample has no parameter 'nods'; did you mean Nodes\? There are "):
        relnet.run(sample, nods=3)
    with pytest.raises(relnet.RelnetError, match="given twice"):
        relnet.run(sample, nodes=3, Nodes=4)


def test_results_have_types_units_and_provenance(sample):
    series = relnet.run(sample, nodes=4, offset=-3, loss=0.5, label="a b", delay="2ms")
    assert series["Verdict"] == "completed"
    assert series["Sum"] == 4 + 6 - 3
    assert series["End"] == 0.002
    assert series["Echo"] == "a b"
    assert series.attrs["units"]["End"] == "s"
    assert series.attrs["seed"] == 1
    assert series.attrs["parameters"]["Nodes"] == 4
    assert series.attrs["parameters"]["Wall"] == 0
    assert len(series.attrs["code"]) == 16


def test_tables_come_beside_the_scalars(sample):
    series = relnet.run(sample, rows=3)
    tables = relnet.tables(series)
    assert list(tables) == ["Draws", "Names"]
    draws = tables["Draws"]
    assert list(draws.columns) == ["Index", "Value"]
    assert draws["Index"].tolist() == [0, 1, 2]
    assert draws["Value"].mean() == pytest.approx(series["Mean"], rel=1e-12)
    assert draws.attrs["units"] == {"Index": "", "Value": "s"}
    assert tables["Names"]["Name"].tolist() == ['row "0"', 'row "1"', 'row "2"']


def test_empty_tables_and_missing_numbers(sample):
    series = relnet.run(sample, rows=0)
    assert pandas.isna(series["Mean"])
    assert len(relnet.tables(series)["Draws"]) == 0


def test_records_with_tables_survive_pandas(sample):
    one, two = relnet.run(sample, rows=2), relnet.run(sample, rows=3)
    both = pandas.concat([one, two], axis=1)
    assert both.shape[1] == 2
    assert relnet.tables(one.copy())["Draws"] is relnet.tables(one)["Draws"]
    assert pickle.loads(pickle.dumps(one))["Sum"] == one["Sum"]


def test_same_seed_same_bytes(sample):
    first = relnet.run(sample, seed=7, rows=50, cache=False)
    second = relnet.run(sample, seed=7, rows=50, cache=False)
    other = relnet.run(sample, seed=8, rows=50, cache=False)
    assert names(first) == names(second)
    assert relnet.tables(first)["Draws"].equals(relnet.tables(second)["Draws"])
    assert first["Mean"] != other["Mean"]


def test_second_run_comes_from_disk(sample, cache):
    first = relnet.run(sample, rows=9)
    second = relnet.run(sample, ROWS="9")
    assert (first.attrs["cached"], second.attrs["cached"]) == (False, True)
    assert names(first) == names(second)
    assert relnet.tables(first)["Draws"].equals(relnet.tables(second)["Draws"])
    assert relnet.tables(first)["Names"].equals(relnet.tables(second)["Names"])
    assert relnet.run(sample, rows=9, nodes=16).attrs["cached"], "a default that is given is the same run"
    assert not relnet.run(sample, rows=9, seed=2).attrs["cached"]
    assert not relnet.run(sample, rows=9, cache=False).attrs["cached"]


def test_combination_is_refused(sample):
    with pytest.raises(relnet.RelnetError, match=r"^Nodes has to be even where Label is even\.$") as refusal:
        relnet.run(sample, nodes=3, label="even")
    assert refusal.value.exit_status == 2


def test_livelock_is_a_result(sample):
    series = relnet.run(sample, behaviour="livelock")
    assert series["Verdict"] == "livelock"
    assert "100 cycles" in series["VerdictReason"]


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        ("failing", relnet.RunError, "failed: The plan cannot be carried out."),
        ("throwing", relnet.RunError, "an exception in the middle of the run"),
        ("fatal", relnet.CrashError, "SIGABRT: a fatal error in the middle of the run."),
        ("segfault", relnet.CrashError, "was ended by SIGSEGV."),
    ],
)
def test_lost_run_is_told_with_its_parameters_and_its_command(sample, behaviour, kind, words):
    with pytest.raises(kind) as lost:
        relnet.run(sample, behaviour=behaviour, nodes=6, label="it's", seed=3)
    sentence = str(lost.value)
    assert words in sentence
    assert "Nodes=6" in sentence
    assert sentence.endswith(f"""run sample Behaviour={behaviour} Nodes=6 'Label=it'"'"'s' --seed 3""")
    assert lost.value.exit_status == 1
    assert relnet.run(sample, behaviour="fine")["Verdict"] == "completed", "the next run is not touched"


def test_lost_runs_are_not_kept(sample):
    for _ in range(2):
        with pytest.raises(relnet.RunError):
            relnet.run(sample, behaviour="failing")


def test_output_of_a_crash_is_kept(sample):
    with pytest.raises(relnet.CrashError) as lost:
        relnet.run(sample, behaviour="fatal")
    assert "plugin-scenarios.cc" in lost.value.output


def fork_server_pid(plugin):
    """The fork server of the tests' scenarios."""
    return pool.server((plugin,)).hello["pid"]


def alive(pid):
    """Whether a process exists and is not a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_killed_child_costs_one_run(sample, plugin):
    server = fork_server_pid(plugin)
    with ThreadPoolExecutor() as threads:
        run = threads.submit(relnet.run, sample, wall=20_000)
        wait_until(lambda: children_of(server))
        os.kill(children_of(server)[0], signal.SIGKILL)
        with pytest.raises(relnet.CrashError, match="SIGKILL"):
            run.result()
    assert relnet.run(sample)["Verdict"] == "completed"
    assert fork_server_pid(plugin) == server, "the server survives its children"


def test_killed_server_costs_nothing(sample, plugin):
    server = fork_server_pid(plugin)
    with ThreadPoolExecutor() as threads:
        run = threads.submit(relnet.run, sample, wall=500)
        wait_until(lambda: children_of(server))
        child = children_of(server)[0]
        os.kill(server, signal.SIGKILL)
        assert run.result()["Verdict"] == "completed"
    assert fork_server_pid(plugin) != server
    wait_until(lambda: not alive(child))


def test_interrupted_run_leaves_no_process(sample, plugin):
    server = fork_server_pid(plugin)

    def interrupt():
        # Without a timer: on a busy machine the run might not have begun.
        wait_until(lambda: children_of(server))
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=interrupt).start()
        relnet.run(sample, wall=20_000)
    wait_until(lambda: not children_of(server))


def test_nothing_is_left_when_the_client_is_killed(sample, plugin, relnet_command):
    client = subprocess.Popen([*relnet_command, "run", sample, "wall=20000"])
    wait_until(lambda: children_of(client.pid) and children_of(children_of(client.pid)[0]))
    server = children_of(client.pid)[0]
    child = children_of(server)[0]
    client.kill()
    client.wait()
    wait_until(lambda: not alive(server) and not alive(child))


def test_rebuilt_library_is_loaded_anew(sample, plugin, tmp_path, monkeypatch):
    copy = str(tmp_path / "copy.so")
    shutil.copy(plugin, copy)
    monkeypatch.setenv("RELNET_LIBRARIES", copy)
    first = relnet.run(sample)
    replacement = str(tmp_path / "replacement.so")
    shutil.copy(plugin, replacement)
    with open(replacement, "ab") as file:
        file.write(b"\0")
    os.replace(replacement, copy)
    second = relnet.run(sample)
    assert first.attrs["code"] != second.attrs["code"]
    assert not second.attrs["cached"]


def test_a_task_is_refused_where_the_modules_are_others(sample):
    """A remote worker must not return results of other code."""
    _, task, _ = run_record(sample, {})
    assert pool.run_task(task).results["Sum"] == 133
    with pytest.raises(relnet.RelnetError, match=r"differ from those of the request \(0000\)"):
        pool.run_task(dataclasses.replace(task, code="0000"))


def test_changed_defaults_of_ns3_count_as_code(sample, monkeypatch):
    plain = relnet.run(sample)
    monkeypatch.setenv("NS_ATTRIBUTE_DEFAULT", "ns3::plugin::SampleScenario::Nodes=20")
    changed = relnet.run(sample)
    assert not changed.attrs["cached"]
    assert changed.attrs["code"] != plain.attrs["code"]


def test_file_that_a_parameter_names_counts(sample, tmp_path):
    file = tmp_path / "topology.txt"
    file.write_text("one")
    relnet.run(sample, label=str(file))
    assert relnet.run(sample, label=str(file)).attrs["cached"]
    file.write_text("two")
    assert not relnet.run(sample, label=str(file)).attrs["cached"]


def test_progress_is_reported(sample):
    reports = []
    scenario = relnet.describe(sample)
    parameter = scenario.parameter("wall")
    pool.run_task(make_task(scenario, {parameter: 700}, 1), lambda *news: reports.append(news))
    assert reports
    assert all(total == 700 and unit == "ms" for _, total, unit in reports)
    assert [done for done, *_ in reports] == sorted(done for done, *_ in reports)


@pytest.mark.parametrize(
    ("scenario", "parameters", "allowed"),
    [
        ("eqa", {"pushedbuffer": 2**32 - 1}, "to 1048576"),
        ("eqa-point", {"timeout": "1ns"}, "from 10us to 100000000s"),
        ("reliability", {"network": "segment", "network.spacing": 1e300}, r"to 1e\+06"),
        ("infiniband-perf", {"cabledelay": 3.6e12}, "from 1 to 1000000"),
        ("infiniband-perf", {"nodes": 4096}, "at most 3456 hosts"),
        ("mpi-osu", {"topology": "file"}, "needs TopologyFile"),
        ("mpi-osu", {"oversubscription": 0.01}, "24 ports"),
        ("reliability", {"network": "myrinet", "network.linkrate": "1000000Gb/s"}, "at most 1 Tb/s"),
        ("parastation2", {"nodes": 4096}, "from 2 to 1024"),
    ],
)
def test_absurd_values_are_refused(cache, scenario, parameters, allowed):
    """Each of these once caused a signal, an exception, or an endless run."""
    with pytest.raises(relnet.RelnetError, match=allowed) as refused:
        relnet.run(scenario, **parameters)
    assert type(refused.value) is relnet.RelnetError, "bad input, and no run that failed"


def test_runs_state_how_many_random_numbers_they_drew(sample, command):
    assert relnet.run(sample, rows=0).attrs["draws"] == 0
    drawn = relnet.run(sample, rows=7)
    assert (drawn.attrs["draws"], relnet.run(sample, rows=7).attrs["draws"]) == (7, 7)
    assert "Random numbers drawn: none, so all seeds give the same results\n" in command("run", sample, "rows=0").out
    assert "Random numbers drawn: 7\n" in command("run", sample, "rows=7").out
    assert json.loads(command("run", sample, "rows=7", "--json").out)["draws"] == 7


def test_random_numbers_are_noticed_during_a_run(sample):
    """Other seeds of a sweep start then."""
    scenario = relnet.describe(sample)
    wall, rows = scenario.parameter("wall"), scenario.parameter("rows")
    for drawn, expected in ((0, []), (1, ["drew"])):
        news = []
        task = make_task(scenario, {wall: 700, rows: drawn}, 1)
        pool.run_task(task, lambda *_, news=news: news.append("on"), drew=lambda news=news: news.append("drew"))
        assert "on" in news
        assert [one for one in news if one == "drew"] == expected
        assert news[: len(expected)] == expected


def test_bar_appears_after_two_seconds(sample, capsys):
    relnet.run(sample, wall=2700, progress=True)
    assert "ms" in capsys.readouterr().err
    relnet.run(sample, wall=300, progress=True)
    assert capsys.readouterr().err == ""


def test_all_logs_at_once(sample, process):
    """Only the run is logged, not the loading of libraries; the log may exceed the size of a pipe."""
    ended = process("run", sample, "--no-cache", env=os.environ | {"NS_LOG": "*"})
    assert ended.status == 0 and "Sum" in ended.out
    assert "DefaultSimulatorImpl:Run(" in ended.err


def test_logs_of_a_component(sample, process):
    logs = {"NS_LOG": "DefaultSimulatorImpl=level_function|prefix_time:DefaultSimulator=logc"}
    ended = process("run", sample, "--no-cache", env=os.environ | logs)
    assert ended.status == 0
    complaints = [line for line in ended.err.splitlines() if line.startswith("relnet")]
    level, component = complaints
    assert level.startswith(
        "relnet: NS_LOG names 'logc', which is not a log level here; did you mean logic? There are *, "
    )
    assert component.startswith(
        "relnet: NS_LOG names 'DefaultSimulator', which is not a log component here; did you mean "
        "DefaultSimulatorImpl? `relnet help --logs` lists all "
    )
    assert any(line.startswith("+0.000000000s ") for line in ended.err.splitlines())


def test_log_option(sample, process):
    """Names are checked before the run, and a run without logs reports so."""
    ended = process("run", sample, "--log", "DefaultSimulatorImpl=level_function|prefix_time")
    assert ended.status == 0 and "Sum" in ended.out and ended.err.startswith("+0.000000000s ")
    silent = process("run", sample, "--log", "MessagingAudit=debug")
    assert silent.err == "relnet: NS_LOG is 'MessagingAudit=debug', but this run logged nothing.\n"
    for word, told in (
        ("MesagingAudit", "component 'MesagingAudit'; did you mean MessagingAudit? `relnet help --logs` lists all "),
        ("MessagingAudit=time|dbug", "level 'dbug'; did you mean debug? There are *, "),
    ):
        refused = process("run", sample, "--log", word)
        assert refused.status == 2 and refused.out == ""
        assert refused.err.startswith(f"relnet: There is no log {told}")
    listed = dict(line.split() for line in process("help", "--logs").out.splitlines())
    assert listed["MessagingAudit"] == "messaging/model/check/messaging-audit.cc" and len(listed) > 100


def test_logs_of_a_function(capfd, monkeypatch):
    monkeypatch.setenv("NS_LOG", "DefaultSimulatorImpl=logic|func")
    relnet.isolated(lambda: relnet.schedule(1, print) and relnet.ns.Simulator.Run())
    assert "DefaultSimulatorImpl:ProcessOneEvent" in capfd.readouterr().err


def test_load_of_a_library(plugin, cache, tmp_path):
    script = textwrap.dedent(
        f"""
        import relnet
        try:
            relnet.load("/nowhere.so")
        except relnet.RelnetError as error:
            print(error)
        try:
            relnet.load({__file__!r})
        except relnet.RelnetError as error:
            print("cannot be loaded" in str(error))
        relnet.load({plugin!r})
        relnet.load({plugin!r})
        print(relnet.run("sample", nodes=2)["Sum"])
        try:
            relnet.run("sample", behaviour="failing")
        except relnet.RunError as error:
            print("--load {plugin} run" in str(error))
        print(relnet.isolated(lambda: relnet.ns.TypeId.LookupByName("ns3::plugin::SampleScenario").GetGroupName()))
        """
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["The library /nowhere.so does not exist.", "True", "0", "True", "Plugin"]
    assert done.stderr == ""


def test_missing_build_is_one_sentence(tmp_path, process):
    finished = process("scenarios", env=os.environ | {"RELNET_BUILD": str(tmp_path)})
    assert finished.status == 2
    assert finished.err == f"relnet: RELNET_BUILD is {tmp_path}, which contains no lib/librelnet-*.so.\n"


def test_build_folder_may_be_copied(sample, plugin, tmp_path, monkeypatch):
    original = build.build_folder()
    for library in build.module_libraries():
        (tmp_path / "lib").mkdir(exist_ok=True)
        shutil.copy(library, tmp_path / "lib")
    monkeypatch.setenv("RELNET_BUILD", str(tmp_path))
    assert relnet.run(sample)["Verdict"] == "completed"
    with open(f"/proc/{fork_server_pid(plugin)}/maps", encoding="utf-8") as maps:
        loaded = maps.read()
    assert str(tmp_path) in loaded and str(original) not in loaded, "no library is loaded twice"


def test_runs_from_many_threads(sample):
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda nodes: relnet.run(sample, nodes=nodes, offset=0)["Sum"], range(1, 21)))
    assert found == [nodes + nodes * (nodes - 1) // 2 for nodes in range(1, 21)]


def test_command_and_python_agree(sample, command):
    finished = command("run", sample, "nodes=10", "rows=5", "--seed", "4", "--no-cache")
    printed = dict(line.split(maxsplit=1) for line in finished.out.splitlines() if line.startswith(("Sum", "Mean")))
    series = relnet.run(sample, nodes=10, rows=5, seed=4)
    assert printed["Sum"] == f"{series['Sum']} nodes"
    assert printed["Mean"] == f"{series['Mean']:.10g}"


def test_record_without_pandas(sample):
    _, task, record = run_record(sample, {"nodes": "6"}, "2")
    assert dict(task.given) == {"Nodes": 6}
    assert record.results["Sum"] == 6 + 15 - 3
    assert record.seconds > 0


def test_notebook(sample):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    cells = [
        "import relnet",
        "relnet.run('sample', nodes=4, wall=2600)['Sum']",
        "def experiment(nodes):\n    from relnet import ns\n    return ns.NodeContainer(nodes).GetN()",
        "relnet.sweep(experiment, nodes=[1, 2, 3])['value'].tolist()",
        "try:\n    relnet.isolated(lambda: relnet.ns.TypeId.LookupByName('nope'))\n"
        "except relnet.CrashError as error:\n    print('caught')",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbclient.NotebookClient(notebook, timeout=600).execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert outputs[1][-1]["data"]["text/plain"] == "7"
    assert outputs[3][-1]["data"]["text/plain"] == "[1, 2, 3]"
    assert outputs[4][-1]["text"] == "caught\n"
