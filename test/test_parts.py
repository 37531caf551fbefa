# SPDX-License-Identifier: GPL-2.0-only
"""Scenarios with parts chosen by name: prefixed parameters, sweeps, results on disk, valid pairs."""

import json

import pytest

import relnet
from relnet.errors import RelnetError


@pytest.fixture
def assembly(sample):
    """The name of a scenario with an engine and a wheel, from the library of `sample`."""
    return "assembly"


def test_description_has_the_selectors_and_names_the_parts(assembly, command):
    told = command("describe", assembly, "--all").out
    assert "Engine = petrol" in told and "one of electric, petrol" in told
    short = command("describe", assembly).out
    assert "electric, petrol: " in short
    assert all("Cylinders" not in text and "engine=NAME wheel=NAME" in text for text in (told, short))
    assert [choice.name for choice in relnet.describe(assembly).parts[0].choices] == ["electric", "petrol"]


def test_description_of_a_part_has_its_parameters_alone(assembly, command):
    told = command("describe", assembly, "engine=petrol").out
    assert "engine=petrol: Burns petrol." in told and "engine.Cylinders = 4 [cylinders]" in told
    assert "Mass" not in told and "Acceleration" not in told and "Voltage" not in told
    found = relnet.describe(assembly, "battery", engine="electric", wheel="large")
    assert [parameter.name for parameter in found.parameters] == ["engine.Voltage"]
    whole = json.loads(command("describe", assembly, "engine=electric", "--json").out)
    assert whole["chosen"] == {"engine": "electric"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["describe", "engin=petrol"], "assembly has no part 'engin'; did you mean engine?"),
        (["describe", "engine=petrool"], "Engine is 'petrool'; did you mean petrol? It has to be one of"),
        (["run", "engine=petrool"], "Engine is 'petrool'; did you mean petrol?"),
        (["run", "engine=petrol", "engine.cylinder=3"], "'engine.cylinder' with engine=petrol; did you mean engine.C"),
        (["run", "engine=electric", "wheel=large", "engine.cylinders=3"], "'engine.cylinders' with engine=electric"),
        (["run", "engine.cylinders=99"], "engine.Cylinders is '99'; it has to be a whole number from 1 to 16."),
        (["run", "engine=electric"], "An electric engine needs a large wheel."),
        (["sweep", "engine=petrol,electric", "engine.fuel=1,2"], "assembly has no parameter 'engine.fuel' with"),
        (["sweep", "weels.size=1"], "assembly has no parameter 'weels.size'"),
    ],
)
def test_strange_names_are_refused_with_the_nearest(assembly, command, words, sentence):
    ended = command(words[0], assembly, *words[1:])
    assert ended.status == 2
    assert ended.err.startswith("relnet: ") and sentence in ended.err and ended.err.count("\n") == 1


def test_parameters_of_parts_reach_the_run(assembly, command):
    ended = command("run", assembly, "engine.cylinders=6", "mass=2", "--json")
    told = json.loads(ended.out)
    assert told["results"]["Acceleration"] == 60
    assert told["parameters"]["engine.Cylinders"] == 6
    assert told["tables"] == {"Engine": {"Power": [120.0]}}
    dotted = relnet.run(assembly, mass=2, **{"Engine.cylinders": 6})
    nested = relnet.run(assembly, mass=2, engine={"name": "petrol", "Cylinders": 6})
    default = relnet.run(assembly, mass=2, engine={"Cylinders": 6})
    assert dotted["Acceleration"] == nested["Acceleration"] == default["Acceleration"] == 60
    assert relnet.tables(nested)["Engine"]["Power"].tolist() == [120.0]


def test_parts_may_be_given_in_any_order(assembly):
    found = relnet.run(assembly, **{"engine.voltage": 100, "mass": 1, "wheel": "large", "engine": "electric"})
    assert found["Acceleration"] == 25


def test_results_on_disk_are_told_apart_by_parameters_of_parts(assembly):
    assert not relnet.run(assembly).attrs["cached"]
    assert relnet.run(assembly, engine="petrol", **{"engine.Cylinders": 4}).attrs["cached"], "the defaults, stated"
    assert not relnet.run(assembly, **{"engine.Cylinders": 5}).attrs["cached"]


def test_a_part_without_a_choice_has_parameters(cache, command):
    """The attributes of the hosts of `reliability`, under their prefix or as a mapping."""
    told = command("describe", "reliability", "host=free").out
    assert "host.CoalescingDelay" in told and "network." not in told
    assert "host=free\n" in told and "host=host" not in told
    assert "host=network\n" in command("describe", "reliability", "host=network").out
    assert "Host is 'fre'; did you mean free?" in command("describe", "reliability", "host=fre").err
    given = {"network": "csma", "pattern": "ping-pong", "nodes": 2, "messages": 10, "size": 100}
    dotted = relnet.run("reliability", **given, host="free", **{"host.interrupt": "5us"})
    nested = relnet.run("reliability", **given, host={"name": "free", "Interrupt": "5us"})
    assert dotted["CpuPerMessage"] == nested["CpuPerMessage"] == pytest.approx(5)
    with pytest.raises(RelnetError, match=r"'host.interupt' with host=network; did you mean host.Interrupt"):
        relnet.run("reliability", **given, **{"host.interupt": "5us"})


def test_a_time_of_zero_is_a_cost_of_zero(cache):
    """An explicit zero kept the value of the host, and its result on disk was that of the run without it."""
    given = {"network": "csma", "protocol": "udp", "nodes": 2, "messages": 10, "host": "pentium2-1999"}
    usual = relnet.run("reliability", **given)
    free = relnet.run("reliability", **given, **{"host.SystemCall": 0})
    assert not free.attrs["cached"] and free["CpuPerMessage"] < usual["CpuPerMessage"] - 1
    tiny = relnet.run("reliability", **given, **{"host.SystemCall": "1ns"})
    assert free["CpuPerMessage"] == pytest.approx(tiny["CpuPerMessage"], abs=0.1)
    stated = relnet.run("reliability", **given, **{"host.SystemCall": "-1ns"})
    assert stated.attrs["cached"] and stated["CpuPerMessage"] == usual["CpuPerMessage"]
    with pytest.raises(RelnetError, match=r"^host.SystemCall is '-2ns'; it has to be a time .*, from -1ns to "):
        relnet.run("reliability", **given, **{"host.SystemCall": "-2ns"})


def test_a_parameter_given_twice_is_refused(assembly):
    with pytest.raises(RelnetError, match=r"engine.Cylinders is given twice"):
        relnet.run(assembly, engine={"Cylinders": 4}, **{"engine.cylinders": 4})


def test_a_sweep_over_parts_leaves_out_what_a_part_does_not_have(assembly, command):
    frame = relnet.sweep(
        assembly,
        mass=[1, 2],
        wheel="large",
        engine={"name": ["petrol", "electric"], "Cylinders": [4, 6], "Voltage": [100, 200]},
    )
    assert frame["Engine"].tolist() == ["petrol"] * 4 + ["electric"] * 4
    assert frame["Acceleration"].tolist() == [80, 120, 40, 60, 25, 50, 12.5, 25]
    assert frame["engine.Cylinders"].isna().tolist() == [False] * 4 + [True] * 4
    assert frame["engine.Cylinders"].dropna().tolist() == [4, 6, 4, 6]
    words = ["wheel=large", "engine=petrol,electric", "engine.cylinders=4,6", "engine.voltage=100,200", "mass=1,2"]
    assert command("sweep", assembly, *words).out.splitlines()[-1] == "computed 0, cached 8, failed 0"


def test_pairs_that_do_not_exist_have_a_reason(assembly):
    pairs = relnet.matrix(assembly).set_index(["engine", "wheel"])
    assert pairs["exists"].to_dict() == {
        ("electric", "large"): True,
        ("electric", "small"): False,
        ("petrol", "large"): True,
        ("petrol", "small"): True,
    }
    assert pairs.loc[("electric", "small"), "reason"] == "An electric engine needs a large wheel."
    with pytest.raises(RelnetError, match="sample has fewer than two parts"):
        relnet.matrix("sample")
    assert not relnet.matrix(assembly, mass=9)["exists"].any(), "too heavy for all engines"


@pytest.mark.parametrize("kind", ["networks", "protocols", "patterns"])
def test_parts_are_listed_with_their_summaries(cache, command, kind):
    """Each network, protocol and pattern of the modules has a summary and parameters with help."""
    lines = command(kind).out.splitlines()
    part = next(part for part in relnet.describe("reliability").parts if f"{part.prefix}s" == kind)
    assert [line.split()[0] for line in lines] == [choice.name for choice in part.choices]
    assert json.loads(command(kind, "--json").out)[0]["summary"] in lines[0]
    for choice in part.choices:
        assert choice.summary.endswith("."), choice.name
        assert f"{part.prefix}={choice.name}: " in str(relnet.describe("reliability", **{part.prefix: choice.name}))
        assert all(parameter.help for parameter in choice.parameters), choice.name


def test_matrix_of_the_command_line(cache, command):
    """Emulated broadcasts make pairs of broadcasting protocols and other networks valid."""
    table = command("matrix").out
    records = json.loads(command("matrix", "--json").out)
    assert table.split("\n", 1)[0].split() == list(dict.fromkeys(one["network"] for one in records))
    assert all(one["reason"] in table for one in records if not one["exists"])
    emulated = json.loads(command("matrix", "emulatebroadcast=true", "--json").out)
    assert sum(one["exists"] for one in emulated) >= sum(one["exists"] for one in records)
    assert relnet.matrix(emulatebroadcast=True)["exists"].tolist() == [one["exists"] for one in emulated]
