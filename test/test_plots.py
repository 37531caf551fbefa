# SPDX-License-Identifier: GPL-2.0-only
"""Bands of curves: the range, and confidence intervals of the mean; states of paths over time."""

import numpy as np
import pandas
import pytest

import relnet
from relnet import plots
from relnet.studies.recording import Trace


@pytest.mark.parametrize(
    ("probability", "freedom", "quantile"),
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 4, 2.776),
        (0.995, 9, 3.250),
        (0.95, 30, 1.697),
        (0.975, 1000, 1.962),
    ],
)
def test_quantiles_of_student(probability, freedom, quantile):
    """Compare with printed tables."""
    assert plots._t_quantile(probability, freedom) == pytest.approx(quantile, abs=6e-4)


def test_bands_are_named_and_nested():
    values = [1.0, 2.0, 3.0, 4.0, 10.0]
    frame = pandas.DataFrame({"x": 1, "y": values})
    spreads = {band: plots._spread(frame, "x", "y", band, 0.95).loc[1] for band in ("range", "t", "bootstrap")}
    assert tuple(spreads["range"]) == (4.0, 1.0, 10.0)
    half = 2.776 * pandas.Series(values).std() / 5**0.5
    assert spreads["t"]["low"] == pytest.approx(4 - half, abs=0.01)
    assert 1 < spreads["bootstrap"]["low"] < 4 < spreads["bootstrap"]["high"] < 10
    assert plots.curves(frame, "x", "y").get_title("right") == "mean and least to greatest of 5 runs"
    title = plots.curves(frame, "x", "y", band="t", level=0.9).get_title("right")
    assert title == "mean and 90 % confidence (t) of 5 runs"
    assert plots.curves(frame.head(1), "x", "y").get_title("right") == ""
    with pytest.raises(relnet.RelnetError, match="has to be range, t or bootstrap"):
        plots.curves(frame, "x", "y", band="sigma")


def test_equal_runs_have_an_interval_of_zero():
    assert plots.interval(np.array([0.8, 0.8, 0.8])) == (0.8, 0.8, 0.8)


SWEPT = pandas.DataFrame(
    {
        "Protocol": ["tcp", "tcp", "none", "none"],
        "Loss": [0.0, 0.1] * 2,
        "seed": 1,
        "Latency": [1.0, 2.0, 3.0, 4.0],
        "Outcome": "exact",
    }
)
SWEPT.attrs["units"] = {"Loss": "probability", "Latency": "us"}


def test_curves_average_only_seeds():
    """Losses, left free, were drawn as seeds: "2 runs"."""
    with pytest.raises(relnet.RelnetError, match=r"^Loss varies: choose one value of each, or add Loss to by"):
        plots.curves(SWEPT, "Protocol", "Latency")
    with pytest.raises(relnet.RelnetError, match=r"^Protocol varies: "):
        plots.curves(SWEPT, "Loss", "Latency")


def test_curves_find_columns_in_any_case_and_group_by_several():
    axes = plots.curves(SWEPT, "loss", "latency", by="protocol")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Loss [probability]", "Latency [us]")
    assert axes.get_legend().get_title().get_text() == "Protocol"
    axes = plots.curves(SWEPT, "seed", "Latency", by=["Protocol", "Loss"])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "tcp, 0.0",
        "tcp, 0.1",
        "none, 0.0",
        "none, 0.1",
    ]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"x": "Loss", "y": "Outcome", "by": "Protocol"},
            "Outcome cannot be drawn: it has no numbers, but",
        ),
        ({"x": "Loss", "y": "Latency", "by": "host"}, "There is no column 'host'; there are Protocol, Loss, seed,"),
        ({"x": "Size", "y": "Latency"}, "There is no column 'Size'; there are"),
    ],
)
def test_wrong_columns_give_a_sentence(given, sentence):
    with pytest.raises(relnet.RelnetError) as raised:
        plots.curves(SWEPT, **given)
    assert str(raised.value).startswith(sentence) and "\n" not in str(raised.value)


@pytest.mark.parametrize(("stem", "name"), [("p7", "p7"), ("p7.png", "p7"), ("loss0.1", "loss0.1")])
def test_a_figure_or_its_axes_are_saved_by_a_text(stem, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    axes = plots.curves(SWEPT, "Loss", "Latency", by="Protocol")
    for one in (axes, axes.figure):
        assert plots.save(one, stem) is None, "a notebook would print what is returned"
        assert sorted(file.name for file in tmp_path.iterdir()) == [f"{name}.png", f"{name}.svg"]


PATH_EVENTS = [
    # Time [ns], event, node, label.
    (2_000, "note", 0, "path 3 to peer 1: skip"),
    (3_000, "note", 0, "path 3 to peer 1: good"),
    (4_000, "note", 2, "path 3 to peer 1: skip"),
    (5_000, "note", 0, "path 7 to peer 1: assumed bad"),
    (6_000, "note", 0, "repeat"),
    (9_000, "send", 0, "data 1"),
]


def record_paths():
    """A recording of changes of paths from two nodes."""
    events = pandas.DataFrame(PATH_EVENTS, columns=["Time", "Event", "Node", "Label"])
    return Trace(events.assign(End=events["Time"]), None, 10, pandas.DataFrame(), 9.0)


def test_changes_of_paths_are_read_from_the_events():
    paths = record_paths().paths
    assert paths.to_numpy().tolist() == [
        [0, 1, 3, 2.0, "skip"],
        [0, 1, 3, 3.0, "good"],
        [2, 1, 3, 4.0, "skip"],
        [0, 1, 7, 5.0, "assumed bad"],
    ]
    assert paths.attrs["units"] == {"time": "us"}


def test_each_path_has_a_row_and_each_state_a_colour():
    axes = plots.path_states(record_paths(), node=0)
    drawn = {}
    for states in axes.collections:
        boxes = [path.get_extents() for path in states.get_paths()]
        drawn[states.get_label()] = [(box.x0, box.x1, round((box.y0 + box.y1) / 2)) for box in boxes]
    # Row 0 is path 3, row 1 path 7; the run ends at 9 us.
    assert drawn == {
        "good": [(0, 2, 0), (3, 9, 0), (0, 5, 1)],
        "skip": [(2, 3, 0)],
        "assumed bad": [(5, 9, 1)],
    }
    assert [label.get_text() for label in axes.get_yticklabels()] == ["3", "7"]
    assert len({tuple(states.get_facecolor()[0]) for states in axes.collections}) == 3


def test_paths_that_do_not_change_can_be_drawn_but_not_a_connection_without_changes():
    axes = plots.path_states(record_paths(), node=2, paths=[3, 4])
    assert len(axes.collections[0].get_paths()) == 2
    with pytest.raises(relnet.RelnetError, match="No path"):
        plots.path_states(record_paths(), node=1)


def test_a_legend_above_replaces_those_of_the_panels():
    with plots.style():
        figure, ((left, right),) = plots.panels(1, 2)
        for axes in (left, right):
            plots.curves(SWEPT, "Loss", "Latency", by="Protocol", axes=axes)
        plots.legend_above(figure, left)
    assert left.get_legend() is None and right.get_legend() is None and len(figure.legends) == 1
