# SPDX-License-Identifier: GPL-2.0-only
"""Bands of curves: the range, and confidence intervals of the mean."""

import pandas
import pytest

import relnet
from relnet import plots


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
