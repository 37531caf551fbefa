# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of the claims on Figure 4 to defaults without a source."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.sensitivity import Default, experiment, joint
from relnet.papers.mpi_infiniband import microbenchmarks, setup
from relnet.papers.mpi_infiniband.microbenchmarks import BANDWIDTH_SIZES, LATENCY_SIZES, RATE_SIZES
from relnet.papers.mpi_infiniband.setup import COMBINATIONS, OSU, RATES

DEFAULTS = (
    Default("reliabilitytime", (0, 25, 50, 100, 200), 25),
    Default("copyrate", (750, 1000, 1500, 2000, 3000), 1500),
    Default("memoryrate", (0, 1475, 2950), 2950),
    Default("contextcache", (0, 32, 128), 128, settled=True),
    Default("bufferbytes", (4096, 16384, 65536), 16384),
)
"""Defaults of processor, memory, adapter and links; each claim covers both link rates."""

SIZES = tuple(size for size in microbenchmarks.SIZES if 8 <= size <= 65536)
"""Message sizes of the runs [bytes]."""

WINDOWS = 2
"""Number of measured windows of 64 messages."""


def _points(scale: Scale, given: Mapping[str, Any]) -> list[Point]:
    return [
        setup.point(combination, linkrate=rate, sizes=" ".join(map(str, SIZES)), windows=WINDOWS, **given)
        for rate in RATES
        for combination in COMBINATIONS
    ]


def _judge(scale: Scale, frame: pd.DataFrame) -> Mapping[str, Finding]:
    full = not scale.quick
    panels = {
        metric: microbenchmarks.panel_data(frame, metric, sizes)
        for metric, sizes in (
            ("Latency", LATENCY_SIZES),
            ("Bandwidth", BANDWIDTH_SIZES),
            ("MessageRate", RATE_SIZES),
        )
    }
    return {
        **microbenchmarks.findings_latency(panels["Latency"], full),
        **microbenchmarks.judge_bandwidth(panels["Bandwidth"], full)[1],
        **microbenchmarks.judge_rate(panels["MessageRate"], full)[1],
    }


def _command(scale: Scale, given: Mapping[str, Any]) -> list[str]:
    sizes = " ".join(map(str, SIZES))
    return [setup.command(OSU, setup.ALL | {"linkrate": RATES, "sizes": f"'{sizes}'", "windows": WINDOWS, **given})]


LEFT_OUT = (
    "Claims on Figures 5 and 6 are not judged, since each value would need new runs of the applications. The section "
    "on the region of six of them samples the adapter's defaults together, but on 64 processes; those on contexts, "
    "link rates and acknowledgements show NAMD's data set with the highest message rate for other values."
)
"""The report's text on the other claims."""

SENSITIVITY = dataclasses.replace(experiment(setup.NAME, DEFAULTS, _points, _judge, _command, LEFT_OUT), scenario=OSU)
JOINT = dataclasses.replace(joint(setup.NAME, DEFAULTS, _points, _judge, _command), scenario=OSU)
