# SPDX-License-Identifier: GPL-2.0-only
"""Ratios to a baseline with intervals, and the parts of latency: `relnet compare` and `plots.breakdown`."""

import json
import math

import pandas
import pytest

import relnet
from relnet import plots
from relnet.studies import protocol_costs

RELIABILITY = ["reliability", "network=csma", "nodes=2", "messages=5", "host=free"]


def table(baseline=(2.0, 4.0), **others):
    """Frame of a sweep over Protocol, with a result for each seed."""
    values = {"none": baseline, **others}
    rows = [
        {"Network": "csma", "Protocol": name, "seed": seed, "Latency": value}
        for name, results in values.items()
        for seed, value in enumerate(results, start=1)
    ]
    return pandas.DataFrame(rows)


def test_ratios_are_those_of_runs_with_the_same_seed():
    """The ratios are 4 and 1, so their geometric mean is 2; its factor is exp(12.706 log 2), as t is 12.706."""
    (row,) = relnet.compare(table(tcp=(8.0, 4.0)), columns=["Latency"]).to_dict("records")
    assert (row["Network"], row["Protocol"], row["Column"], row["Seeds"]) == ("csma", "tcp", "Latency", 2)
    assert (row["Mean"], row["Baseline"], row["Ratio"]) == (6, 3, pytest.approx(2))
    assert math.log(row["High"] / 2) == pytest.approx(12.706 * math.log(2), rel=1e-3)
    assert math.log(2 / row["Low"]) == pytest.approx(12.706 * math.log(2), rel=1e-3)


def test_the_level_sets_the_width_of_the_interval():
    (row,) = relnet.compare(table(tcp=(8.0, 4.0)), columns=["Latency"], level=0.9).to_dict("records")
    assert math.log(row["High"] / row["Ratio"]) == pytest.approx(6.314 * math.log(2), rel=1e-3)


def test_a_wide_interval_has_no_negative_bound():
    """Ratios of 1, 1 and 40: an interval of their mean began at -42, and hid its bar on a logarithmic axis."""
    (row,) = relnet.compare(table((1, 1, 1), tcp=(1, 1, 40)), columns=["Latency"]).to_dict("records")
    assert row["Ratio"] == pytest.approx(40 ** (1 / 3)) and 0 < row["Low"] < 1 < row["High"]


def test_order_and_case_do_not_matter():
    frame = table(tcp=(6.0, 6.0))
    turned = frame.iloc[::-1]
    pandas.testing.assert_frame_equal(
        relnet.compare(frame, columns=["latency"], by="PROTOCOL"), relnet.compare(turned, columns=["Latency"])
    )


def test_a_baseline_of_zero_or_a_missing_run_has_no_ratio():
    (row,) = relnet.compare(table(baseline=(0.0, 4.0), tcp=(6.0, 6.0)), columns=["Latency"]).to_dict("records")
    assert (
        (row["Ratio"], row["Seeds"]) == (pytest.approx(1.5), 1) and math.isnan(row["Low"]) and math.isnan(row["High"])
    )
    (row,) = relnet.compare(table(baseline=(0.0, 0.0), tcp=(6.0, 6.0)), columns=["Latency"]).to_dict("records")
    assert row["Seeds"] == 0 and math.isnan(row["Ratio"])
    (row,) = relnet.compare(table(tcp=(6.0, math.nan)), columns=["Latency"]).to_dict("records")
    assert (row["Ratio"], row["Seeds"]) == (pytest.approx(3), 1)


def test_each_cell_is_compared_with_its_own_baseline():
    slow = table(baseline=(20.0, 40.0), tcp=(20.0, 40.0)).assign(Network="slow")
    both = relnet.compare(pandas.concat([table(tcp=(6.0, 12.0)), slow]), columns=["Latency"])
    assert dict(zip(both["Network"], both["Ratio"], strict=True)) == pytest.approx({"csma": 3, "slow": 1})


@pytest.mark.parametrize(
    ("frame", "options", "sentence"),
    [
        (table(tcp=(1, 1)), {"level": 1}, "level is 1.0; it has to be between 0 and 1."),
        (
            table(tcp=(1, 1)),
            {"baseline": "udp"},
            "There is no run with Protocol 'udp' as the baseline; choose one of none, tcp",
        ),
        (table(), {}, "There are only runs with Protocol=none; nothing can be compared."),
        (table(tcp=(1, 1)), {"by": "host"}, "There is no column 'host'; there are Network, Protocol, seed, Latency."),
        (table(tcp=(1, 1)), {"columns": ["Speed"]}, "There is no column 'Speed'; there are Network,"),
        (table(tcp=(1, 1)).drop(columns="seed"), {}, "The frame has no column seed;"),
        (
            pandas.concat([table(tcp=(1, 1))] * 2),
            {},
            "Several runs with Protocol=none have the same parameters and seed.",
        ),
    ],
)
def test_errors_are_one_sentence(frame, options, sentence):
    with pytest.raises(relnet.RelnetError) as raised:
        relnet.compare(frame, **{"columns": ["Latency"], **options})
    text = str(raised.value)
    assert text.startswith(sentence) and "\n" not in text


def test_the_figure_has_a_bar_for_each_ratio():
    """A bar begins at the baseline, since a logarithmic axis has no zero."""
    compared = relnet.compare(table(tcp=(8.0, 4.0), udp=(1.0, 2.0)), columns=["Latency"])
    (axes,) = plots.ratios(compared, "protocol").axes
    assert [bar.get_y() for bar in axes.patches] == [1, 1]
    assert [bar.get_y() + bar.get_height() for bar in axes.patches] == pytest.approx([2, 0.5])
    assert axes.get_title() == "Latency, ratio to the baseline"


def test_the_breakdown_stacks_the_mean_parts():
    rows = [
        {"Protocol": name, "seed": seed, **{part: factor * seed * place for place, part in enumerate(plots.PARTS)}}
        for name, factor in (("none", 1), ("tcp", 2))
        for seed in (1, 3)
    ]
    (axes,) = plots.breakdown(pandas.DataFrame(rows)).axes
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == [value for place in range(len(plots.PARTS)) for value in (2 * place, 4 * place)]
    tops = [bar.get_y() + bar.get_height() for bar in axes.patches[-2:]]
    assert tops == [2 * 15, 4 * 15], "the sum of the parts"
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["none", "tcp"]
    with pytest.raises(relnet.RelnetError, match=r"^There is no column 'LatencySender'; there are Protocol\.$"):
        plots.breakdown(pandas.DataFrame({"Protocol": ["none"]}))


def test_shares_of_the_breakdown_make_a_hundred_percent():
    rows = [
        {"Protocol": "none", **dict.fromkeys(plots.PARTS, 1.0)},
        {"Protocol": "tcp", **dict.fromkeys(plots.PARTS, 9)},
    ]
    frame = pandas.DataFrame(rows)
    panels = plots.panels(1, 1)[1][0]
    assert plots.breakdown(frame, axes=panels[0], shares=True) is panels[0].figure
    ends = [bar.get_x() + bar.get_width() for bar in panels[0].patches[-2:]]
    assert ends == pytest.approx([100, 100]) and not panels[0].figure.legends
    assert [text.get_text() for text in panels[0].texts] == ["6 us", "54 us"]
    assert [plots.time_text(time) for time in (0.0123, 999, 1234, 2e6)] == ["12.3 ns", "999 us", "1.23 ms", "2 s"]


def test_parts_of_a_sweep_add_up_to_its_latency(cache):
    frame = relnet.sweep("reliability", network="csma", protocol=["none", "idempotent"], nodes=2, messages=5, seeds=1)
    for _, run in frame.iterrows():
        assert sum(run[part] for part in plots.PARTS) == pytest.approx(run["Latency"], rel=1e-9)
    assert frame["LatencyProcessors"].gt(0).all()


def test_compare_on_the_command_line(command, cache, tmp_path):
    files = {"--out": tmp_path / "costs.csv", "--figure": tmp_path / "costs"}
    words = [word for pair in files.items() for word in pair]
    done = command("compare", *RELIABILITY, "protocol=none,idempotent", "--columns", "Latency,FramesPerMessage", *words)
    assert done.status == 0, done.err
    written = pandas.read_csv(files["--out"])
    assert list(written["Column"]) == ["Latency", "FramesPerMessage"] and set(written["Protocol"]) == {"idempotent"}
    frames = written.set_index("Column").loc["FramesPerMessage"]
    assert frames["Baseline"] == 1 and 1 < frames["Ratio"] <= frames["Mean"] + 1e-9
    assert (tmp_path / "costs.svg").read_text().startswith("<?xml")
    assert (tmp_path / "costs.png").read_bytes().startswith(b"\x89PNG")


def test_compare_on_the_command_line_rejects_a_missing_baseline(command, cache):
    done = command("compare", *RELIABILITY, "protocol=tcp,idempotent")
    assert done.status == 2 and done.out == ""
    told = "relnet: There is no run with Protocol 'none' as the baseline; choose one of tcp, idempotent."
    assert done.err.strip() == told


def test_costs_of_protocols_have_parts_ratios_and_commands(cache, monkeypatch, command):
    small = {"network": ["switch"], "protocol": ["none", "idempotent"], "messages": 5}
    monkeypatch.setattr(protocol_costs, "GRID", protocol_costs.GRID | small)
    frame = protocol_costs.measure()
    costs = protocol_costs.table(frame)
    assert set(costs["protocol"]) == {"idempotent"} and len(costs) == len(protocol_costs.COSTS)
    packets = costs[costs["cost"] == "FramesPerMessage [frames]"].iloc[0]
    assert 1 < packets["95 %, from"] < packets["ratio"] < packets["to"] and packets["seeds"] == protocol_costs.SEEDS
    (panel,) = protocol_costs.figure(frame).axes
    assert panel.get_title() == "switch" and [one.get_text() for one in panel.get_yticklabels()] == [
        "none",
        "idempotent",
    ]
    assert "Hosts: pentium2-1999 on switch." in protocol_costs.text(frame)[0]
    commands = protocol_costs.commands(frame)
    assert len(commands) == len(frame)
    told = command(*commands[-1].split()[1:], "--json", "--no-cache")
    assert json.loads(told.out)["results"]["Latency"] == frame.iloc[-1]["Latency"]
