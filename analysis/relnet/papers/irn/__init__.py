# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 6: R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018.

Claims are the sentences of the abstract, which was read, and the rules of the author's hardware logic. What is
generally said of the evaluation is context: it stands beside the results without a verdict. Network, systems, workload
and expectations were decided before the first run (`setup`).
"""

from __future__ import annotations

from relnet.experiments.definitions import Paper
from relnet.papers.irn import comparison, incast, robustness, setup

PAPER = Paper(
    number=6,
    name=setup.NAME,
    title="Revisiting Network Support for RDMA",
    citation="R. Mittal, A. Shpiner, A. Panda, E. Zahavi, A. Krishnamurthy, S. Ratnasamy, S. Shenker. SIGCOMM 2018; "
    "arXiv 1806.08159.",
    scenario=setup.SCENARIO,
    experiments=(comparison.COMPARISON, incast.INCAST, robustness.ROBUSTNESS, robustness.SPRAYING),
    costs=("I-21", "I-22", "I-23", "I-24"),
)
