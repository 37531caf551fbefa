# SPDX-License-Identifier: GPL-2.0-only
"""The fault matrix: promises and audits, commands of cells, and sections of a report."""

import json
import shlex

import pandas as pd
import pytest

from relnet import plots
from relnet.errors import RelnetError
from relnet.reproduction import pages, playback, report
from relnet.reproduction.summaries import matrix_page
from relnet.studies import fault_matrix, loss_and_size, protocol_costs

SLICE = {"network": "csma,wormhole", "protocol": "none,idempotent,parastation2,tcp", "Messages": 5}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    """A small slice, under all faults."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RELNET_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield fault_matrix.measure(SLICE)


def cell(matrix, network, protocol, fault):
    found = matrix[(matrix.network == network) & (matrix.protocol == protocol) & (matrix.fault == fault)]
    assert len(found) == 1
    return found.iloc[0]


def test_every_pair_meets_every_fault(matrix):
    assert len(matrix) == 2 * 4 * len(fault_matrix.FAULTS)
    assert not matrix.duplicated(["network", "protocol", "fault"]).any()
    run = matrix[matrix.verdict != "refused"]
    assert (run["command"] != "").all() and run["packets a message"].notna().all()


def test_no_promise_is_broken(matrix):
    """A broken promise is a failed test; the sentence has the command and the seed."""
    assert fault_matrix.broken(matrix) == []


def test_faults_reach_the_audit(matrix):
    """Without a protocol each fault shows; with one that promises to deliver, none does."""
    assert cell(matrix, "csma", "none", "none").verdict == "exact"
    assert "loses" in cell(matrix, "csma", "none", "heavy-loss").verdict
    assert "duplicates" in cell(matrix, "csma", "none", "duplication").verdict
    assert "corrupts" in cell(matrix, "csma", "none", "uncaught").verdict
    reliable = matrix[matrix.protocol.isin(["idempotent", "parastation2", "tcp"]) & (matrix.fault != "uncaught")]
    assert not (reliable.verdict == "refused").any()
    # TCP reports a failure after its last retry; the others never give up, nor does TCP under low loss.
    ended = reliable[reliable.verdict == "gives up"]
    assert set(zip(ended.protocol, ended.fault, strict=True)) <= {("tcp", "heavy-loss"), ("tcp", "all")}
    assert ended.reason.str.contains("ended as").all() and (ended["promise is"] == fault_matrix.KEPT).all()
    run = reliable.drop(ended.index)
    assert len(run) >= 2 * 3 * (len(fault_matrix.FAULTS) - 1) - 4
    # Duplicates and delayed frames also wait for hosts: numbers of 8 bits do not bear so many later ones.
    late = run[(run.protocol == "parastation2") & run.fault.isin(["duplication", "reordering", "all"])]
    assert run.drop(late.index).promise.str.contains("complete|reported").all()
    assert late.promise.str.contains("accurate").all()
    reordered = run[run.verdict == "reorders"]
    assert set(reordered.protocol) <= {"idempotent"} and not reordered.promise.str.contains("ordered").any()
    assert (run.drop(reordered.index).verdict == "exact").all()
    heavy = cell(matrix, "csma", "idempotent", "heavy-loss")
    assert heavy["latency / calm"] > 1.5 and heavy["goodput / calm"] < 1


def test_unnoticed_corruption_leaves_no_promise(matrix):
    assert set(matrix[matrix.fault == "uncaught"]["promise is"]) == {fault_matrix.NOTHING}


def test_cells_have_absolute_costs_and_the_parts_of_the_latency(matrix):
    """The panel without faults was 1 everywhere: goodput was divided by the cell's own."""
    calm = matrix[(matrix.fault == "none") & (matrix.verdict != "refused")]
    parts = calm[list(plots.PARTS)].sum(axis=1)
    assert parts.to_list() == pytest.approx(calm["latency [us]"].to_list())
    goodput = fault_matrix.cost_figure(matrix, "goodput [MB/s]", "Goodput")
    panels = [axes for axes in goodput.axes if axes.get_images()]
    assert len({axes.get_images()[0].norm for axes in panels}) == 1, "one scale"
    lost = matrix.assign(verdict=matrix["verdict"].where(matrix["protocol"] != "idempotent", "loses"))
    marked = fault_matrix.cost_figure(lost, "goodput [MB/s]", "Goodput")
    hatched = len(marked.axes[0].patches) - len(panels[0].patches)
    assert hatched == 2, "the cells of idempotent over both networks"
    shown = panels[0].get_images()[0].get_array()
    assert shown.max() > 2 * shown.min()
    (csma, wormhole) = fault_matrix.parts_figure(matrix, "none").axes
    assert (csma.get_title(), wormhole.get_title()) == ("csma", "wormhole")
    assert [label.get_text() for label in csma.get_yticklabels()] == list(calm["protocol"].unique())


def test_command_repeats_the_cell(matrix, command):
    """The command of a cell gives the same packets and latency, without the cache."""
    row = cell(matrix, "csma", "idempotent", "all")
    words = shlex.split(row.command)
    assert words[:3] == ["relnet", "run", "reliability"]
    told = json.loads(command(*words[1:], "--no-cache", "--json").out)["results"]
    assert told["FramesPerMessage"] == row["packets a message"]
    assert told["Latency"] == row["latency [us]"]


def test_broken_promise_is_red(matrix, tmp_path):
    """Text and grid name a protocol that breaks its promise, with the seed."""
    lossy = matrix.copy()
    place = lossy.index[(lossy.protocol == "tcp") & (lossy.network == "csma") & (lossy.fault == "loss")][0]
    lossy.loc[place, ["verdict", "promise is", "reason"]] = ["loses", fault_matrix.BROKEN, "Message 3 is missing."]
    (sentence,) = fault_matrix.broken(lossy)
    assert sentence.startswith("tcp over csma with loss promises reported") and "--seed 1" in sentence
    assert "L!" in fault_matrix.grid_text(lossy) and "!" not in fault_matrix.grid_text(matrix).rpartition("\n\n")[0]
    page = matrix_page(lossy, tmp_path, "")
    assert sentence in page.text and page.broken == 1
    assert len(page.figures) == 1 + len(fault_matrix.COSTS) + len(fault_matrix.DIVIDED)
    assert len(pd.read_csv(tmp_path / "matrix.csv")) == len(matrix)
    assert all((tmp_path / name).exists() for section in page.figures for name in section.files)


def test_cells_of_one_cause_are_one_sentence(matrix):
    """They differ by fault, and by the message that is named."""
    broken = matrix.copy()
    rows = broken.index[(broken.protocol == "tcp") & (broken.network == "csma") & (broken.verdict != "refused")][:3]
    for number, place in enumerate(rows):
        broken.loc[place, ["verdict", "promise is"]] = ["loses", fault_matrix.BROKEN]
        broken.loc[place, "reason"] = f"Message {number} is missing."
    (sentence,) = fault_matrix.broken(broken)
    assert f"tcp over csma with {', '.join(broken.loc[rows, 'fault'])} promises" in sentence
    broken.loc[rows[2], "reason"] = "Message 2 was delivered twice."
    assert len(fault_matrix.broken(broken)) == 2


def test_cells_of_the_page_have_their_commands(matrix):
    """The page has the verdict, the costs and the command of each cell."""
    told = fault_matrix.cells(matrix)
    assert len(told["cells"]) == len(matrix) and {name for name, _ in told["faults"]} == set(matrix["fault"])
    row = cell(matrix, "csma", "idempotent", "all")
    place = [told["protocols"].index("idempotent"), told["networks"].index("csma")]
    place.append([name for name, _ in told["faults"]].index("all"))
    (found,) = (one for one in told["cells"] if one[:3] == place)
    assert found[3] == row.verdict and found[-1] == row.command and len(found) == 7 + len(told["costs"])
    assert {one[4] for one in told["cells"]} <= told["colours"].keys()
    page = report.Matrix(fault_matrix.text(matrix), told, [], 0)
    written = pages.render(report.Report(matrix=page))
    assert "data-matrix" in written["matrix.html"] and "matrix.html" not in pages.render(report.Report())


def test_a_limit_leaves_a_cell_undecided(command):
    """A limit that is shorter than a run breaks no promise, and a refused size is no failure."""
    ended = command(
        *("matrix", "--faults", "network=csma", "protocol=window", "fault=none,heavy-loss", "messages=3", "--json"),
        *("timelimit=1us", "--no-cache"),
    )
    cells = json.loads(ended.out)
    assert ended.status == 4 and "is undecided: The run reached TimeLimit, 1e-06 s" in ended.err
    assert {cell["promise is"] for cell in cells} == {"undecided"}


def test_parameters_of_all_cells_may_be_those_of_a_fault_or_a_pair(command):
    """Each was given twice, or ignored."""
    given = ("network=point-to-point", "protocol=none", "fault=none,loss", "messages=3", "nodes=5", "loss=0.05")
    ended = command("matrix", "--faults", *given, "timelimit=5s", "--json", "--no-cache")
    calm, lossy = json.loads(ended.out)
    assert ended.status == 0 and all("TimeLimit=5s" in cell["command"] for cell in (calm, lossy))
    assert "Loss=0.05" in calm["command"] and "Loss=0.1 " in lossy["command"]
    assert "Nodes=2" in calm["command"]


def test_size_that_a_protocol_refuses_is_a_refusal(monkeypatch):
    told = [
        "The run failed: The protocol refuses a message of 9 bytes; its largest has 8 bytes.",
        "The run was refused: There is no such network.",
        "The run failed: The process ended by signal 11.",
    ]
    frame = pd.DataFrame({"Verdict": [float("nan")] * 3})
    frame.attrs["failures"] = told
    monkeypatch.setattr(fault_matrix, "sweep_points", lambda *_, **__: frame)
    found = fault_matrix._runs(None, [({}, 1)] * 3, "", {})
    assert [run["Outcome"] for run in found] == ["refused", "refused", "fails"]
    assert {fault_matrix.judge(run) for run in found} == {fault_matrix.NOTHING}
    cells = pd.DataFrame({"verdict": ["refused", "fails"], "promise is": fault_matrix.NOTHING})
    assert (fault_matrix.status(cells[:1]), fault_matrix.status(cells)) == (0, 1)


def test_empty_folder_is_refused_before_the_runs(command):
    ended = command("matrix", "--faults", "network=csma", "--out", "")
    assert ended.status == 2 and ended.err == "relnet: The name of a folder is empty.\n"


def test_refused_pairs_have_a_reason():
    frame = fault_matrix.measure({"network": "wormhole", "protocol": "mpi", "fault": "none", "Messages": 2})
    refused = frame[frame.verdict == "refused"]
    assert len(refused) and refused.reason.str.endswith(".").all() and (refused.command == "").all()
    assert set(frame.protocol) >= {"mpi ud-native", "mpi rc-native"}


def test_names_that_do_not_exist_are_refused(command):
    with pytest.raises(RelnetError, match="There is no fault 'los'; did you mean loss"):
        fault_matrix.measure({"fault": "los"})
    ended = command("matrix", "--faults", "network=cmsa")
    assert ended.status == 2 and "There is no network 'cmsa'; did you mean csma?" in ended.err


def test_command_line_prints_a_grid(command, tmp_path):
    ended = command(
        "matrix", "--faults", "network=csma", "protocol=none", "fault=none,loss", "messages=3", "--out", tmp_path
    )
    assert ended.status == 0 and "loss: a tenth of the frames is lost" in ended.out
    assert (tmp_path / "matrix.csv").exists()


def test_reproduce_has_the_matrix_as_a_section(command, tmp_path, monkeypatch):
    from relnet.reproduction.reproduce import reproduce

    monkeypatch.setattr(fault_matrix, "QUICK", {**SLICE, "fault": "none,loss"})
    monkeypatch.setattr(protocol_costs, "SEEDS", 1)
    small = {"network": "switch", "protocol": ["idempotent", "tcp"], "size": [64, 256], "loss": [0, 0.1, 0.2]}
    monkeypatch.setattr(loss_and_size, "GRID", {**loss_and_size.GRID, **small})
    monkeypatch.setattr(loss_and_size, "QUICK", {"messages": 2})
    monkeypatch.setattr(loss_and_size, "SEEDS", 1)
    assert reproduce(["matrix"], quick=True, out=tmp_path) == 0
    written = {name: (tmp_path / "report" / f"{name}.html").read_text() for name in ("matrix", "costs", "traces")}
    assert 'id="matrix-parts-loss"' in written["matrix"] and "16 cells" in written["matrix"]
    assert 'id="protocol-costs"' in written["costs"] and 'id="loss-and-size-by-loss"' in written["costs"]
    assert written["traces"].count("data-player") == len(playback.RECORDED)
    assert (tmp_path / "protocol-costs.svg").exists()
