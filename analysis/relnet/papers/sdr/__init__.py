# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 8: SDR-RDMA, arXiv 2505.05366, 2025.

The text was not read, but notes on its rules, closed forms and results. Claims are its statement that simulation and
closed forms agree, over a grid of size and loss, its statements on the sizes and losses for which erasure coding is
faster, and its rules.
"""

from __future__ import annotations

from relnet.experiments.definitions import Paper
from relnet.papers.sdr import grid, setup

PAPER = Paper(
    number=8,
    name=setup.NAME,
    title="SDR-RDMA: reliability in software for long links",
    citation="arXiv 2505.05366, 2025. From notes on its text.",
    scenario=setup.SCENARIO,
    experiments=(grid.GRID, grid.CROSSOVERS_RUN),
    costs=("SD-G01", "SD-G04"),
)
