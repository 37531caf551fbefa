# SPDX-License-Identifier: GPL-2.0-only
"""Sensitivity of the claims on Table 3 to defaults without a source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from relnet.experiments.claims import Finding
from relnet.experiments.definitions import Point, Scale
from relnet.experiments.selection import pick
from relnet.experiments.sensitivity import Default, experiment, joint
from relnet.papers.parastation2 import setup, tables
from relnet.papers.parastation2.setup import CELLS, HOSTS, LARGE, LAYERS, SMALL

DEFAULTS = (
    Default("layerscale", ("clock", "specint", "none"), "specint", settled=True),
    Default("cachedcopy", (0.33, 0.5, 1.0), 0.5, settled=True),
    Default("dmarate", (0, 125), 0, settled=True),
    Default("busburst", (64, 256, 1024), 256),
    Default("packetinstructions", (100, 150), 100),
)
"""Defaults of hosts and layers. A `dmarate` of 0 is the platform's, on the Alpha of 500 MHz 66 MB/s to memory."""

SIZES = (256, 512, 1024, 1536, 2048, LARGE)
"""Sizes of the exchanges, from which N/2 is interpolated [bytes]."""

ROUNDS = 20
"""Exchanges of each size."""


def _points(scale: Scale, given: Mapping[str, Any]) -> list[Point]:
    points = []
    for host, layer in CELLS:
        where = {"platform": host, "layer": layer, "rounds": ROUNDS, **given}
        points.append(setup.point(**where, pattern="pingpong", size=SMALL))
        points += [setup.point(**where, pattern="exchange", size=size) for size in SIZES]
    return points


def _latency(frame: pd.DataFrame, host: str, layer: str) -> float:
    """Latency of a layer on a host [us]."""
    return float(pick(frame, platform=host, layer=layer, pattern="pingpong")["Latency"].iloc[0])


def _judge(scale: Scale, frame: pd.DataFrame) -> Mapping[str, Finding]:
    found = {}
    for host, layer in CELLS:
        runs = pick(frame, platform=host, layer=layer)
        cell = f"A-T3-{HOSTS[host]}-{LAYERS[layer]}"
        curve = pick(runs, pattern="exchange").set_index("size")[tables.THROUGHPUT]
        if not tables.is_calibrated(host, layer):
            latency, base = (_latency(frame, host, name) for name in (layer, "hal"))
            found[f"{cell}-lat"] = tables.latency_finding(host, layer, latency, base, True)
        found[f"{cell}-bw"] = Finding(float(curve[LARGE]))
        found[f"{cell}-n2"] = Finding(tables.half_size(curve.index.to_numpy(float), curve.to_numpy(float)))
    return found


def _command(scale: Scale, given: Mapping[str, Any]) -> list[str]:
    more = " ".join(f"{name}={value}" for name, value in {"rounds": ROUNDS, **given}.items())
    where = f"relnet sweep {setup.SCENARIO} platform={','.join(HOSTS)} layer={','.join(LAYERS)} {more}"
    return [
        f"{where} pattern=pingpong size={SMALL}",
        f"{where} pattern=exchange size={','.join(map(str, SIZES))}",
    ]


SENSITIVITY = experiment(setup.NAME, DEFAULTS, _points, _judge, _command)
JOINT = joint(setup.NAME, DEFAULTS, _points, _judge, _command)
