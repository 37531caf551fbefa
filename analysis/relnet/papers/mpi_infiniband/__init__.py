# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 4: M. J. Koop, R. Kumar, D. K. Panda, "Can Software Reliability Outperform Hardware Reliability on High
Performance Interconnects? A Case Study with MPI over InfiniBand", ICS 2008.

Three kinds of parameters are calibrated: costs of adapter and processors on the latency and message rate of such
machines, the computation of a step of each data set on its message rate, and the length of the runs on one count of
ACKs. All other results are predictions.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from relnet.experiments import costs, searches
from relnet.experiments.claims import Finding
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Outcome, Paper
from relnet.papers.mpi_infiniband import (
    acknowledgements,
    applications,
    bandwidth,
    contexts,
    crossover,
    defaults,
    microbenchmarks,
    paths,
    rates,
    region,
    seeds,
    segments,
    settled,
    setup,
    transports,
)


def _conclude(outcomes: Mapping[str, Outcome]) -> dict[str, Finding]:
    """Findings on claims about both programs, and about the configuration of the runs."""
    found = applications.conclude(outcomes)
    if outcomes:
        ran = "Default of the scenarios, and configuration of the runs."
        found["C-04"] = Finding("MTU of 2048 bytes; a queue pair for each peer, one for all on UD", note=ran)
        found["C-08"] = Finding("8192 bytes", note=ran)
        found["C-16"] = Finding(
            "64 nodes of 8 ranks", note="512 ranks need 64 of the 70 nodes; the switches are assumed."
        )
    return found


def _comparisons(outcomes: Mapping[str, Outcome]) -> list[Comparison]:
    """Run times with reliability in software, relative to the same transport without it, and to the adapter's."""
    frames = [outcomes[key].frame for key in (applications.FIGURE_5.key, applications.FIGURE_6.key) if key in outcomes]
    if not frames:
        return []
    times = pd.concat(frames).pivot(index="dataset", columns="combination", values="Time")
    return [
        Comparison(
            kind,
            f"MPI over {system}",
            beside,
            f"run times of {len(times)} data sets of NAMD and LAMMPS",
            costs.known(times[system] / times[beside]),
            "Paper 4, Figures 5 and 6",
        )
        for kind, system, beside in (
            (costs.WITHOUT, setup.UC_RELIABLE, setup.UC_NATIVE),
            (costs.WITHOUT, setup.UD_RELIABLE, setup.UD_NATIVE),
            (costs.INSTEAD, setup.UC_RELIABLE, setup.RC_NATIVE),
            (costs.INSTEAD, setup.UD_RELIABLE, setup.RC_NATIVE),
        )
    ]


SEARCHES = searches.experiment(
    "sections 5 to 8",
    (
        searches.Search("mpi", "none", own={"Design": "rc-native"}),
        searches.Search("mpi", "none,timeout=2", own={"Design": "rc-reliable"}),
        *(
            searches.Search("mpi", "loss=1,timeout=2", "0>1,0>1", size=size, own={"Design": f"{transport}-reliable"})
            for transport in ("uc", "ud")
            for size in (4, 20000)
        ),
        *(
            searches.Search("mpi", faults, "0>1,0>1", size=size, fair=True, own={"Design": design})
            for design, faults, size in (
                ("rc-native", "none", 4),
                ("rc-reliable", "none,patient", 4),
                ("uc-reliable", "loss=1,patient", 4),
                ("uc-reliable", "loss=1,patient", 20000),
                ("ud-reliable", "loss=1,patient", 4),
                ("ud-reliable", "loss=1,patient", 20000),
            )
        ),
        *(
            searches.Search(
                "mpi", "loss=1,timeout=0", "0>1", size=size, own={"Design": f"{transport}-native"}, note=note
            )
            for transport, size, note in (
                ("uc", 4, ""),
                ("uc", 20000, "FIN arrives without the preceding lost data: section 8, not safe by design"),
                ("ud", 4, ""),
                ("ud", 20000, ""),
            )
        ),
    ),
)

PAPER = Paper(
    number=4,
    name=setup.NAME,
    title="Can Software Reliability Outperform Hardware Reliability on High Performance Interconnects?",
    citation="M. J. Koop, R. Kumar, D. K. Panda. ICS 2008.",
    scenario=setup.APPLICATION,
    experiments=(
        transports.TABLE_1,
        microbenchmarks.FIGURE_4A,
        microbenchmarks.FIGURE_4B,
        microbenchmarks.FIGURE_4C,
        bandwidth.BANDWIDTH,
        microbenchmarks.BLOCKING,
        defaults.SENSITIVITY,
        defaults.JOINT,
        applications.FIGURE_5,
        applications.TABLE_2,
        applications.FIGURE_6,
        applications.TABLE_3,
        applications.HISTOGRAMS,
        settled.SETTLED,
        seeds.SPREAD,
        contexts.CONTEXTS,
        region.REGION,
        rates.LINK_RATES,
        acknowledgements.ACKNOWLEDGEMENTS,
        segments.SEGMENTS,
        paths.SEVERAL_PATHS,
        crossover.PEERS_AND_CACHE,
        crossover.LOSS,
        SEARCHES,
    ),
    names=setup.names(),
    conclude=_conclude,
    costs=("C-24", "C-27", "C-29", "C-37", "C-45"),
    comparisons=_comparisons,
)
