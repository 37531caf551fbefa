# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 2: T. M. Warschko, J. M. Blum, W. F. Tichy, "A Reliable Transmission Protocol for Myrinet", 2nd Workshop on
Cluster-Computing, 1999.

One fixed cost per host is calibrated on the three HAL latencies, and the processor time of each layer on the Pentium
II's latencies. All other parameters are known for such hosts, and taken from the middle of their range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from relnet.experiments import costs, searches
from relnet.experiments.claims import Finding
from relnet.experiments.costs import Comparison
from relnet.experiments.definitions import Outcome, Paper, findings
from relnet.papers.parastation2 import defaults, exchanges, failures, pipeline, setup, sweeps, tables, unknowns


def _conclude(outcomes: Mapping[str, Outcome]) -> dict[str, Finding]:
    """A-26 from all of its experiments, and findings on claims about the configuration of the runs."""
    parts = findings(outcomes)
    found: dict[str, Finding] = {}
    whole = parts.get("A-26")
    if whole is not None:
        others = [parts[name] for name in ("A-26-loss", "A-26-outage") if name in parts]
        holds = bool(whole.simulated) and all(bool(part.simulated) for part in others)
        told = " Goodput under loss to 30 % and outages included." if others else ""
        found["A-26"] = Finding(holds, note=f"{whole.note}{told}", scale=whole.scale)
    if "exchanges" in outcomes:
        for claim, value in exchanges.of_hal(outcomes["exchanges"].frame).items():
            if claim in parts:
                # The reading was decided when the values of all readings were known.
                told = (
                    "Each side is one message ahead of its partner, since the published N/2 on the Pentium II "
                    f"excludes an exchange message by message, which gives {parts[claim].simulated:.3g}."
                )
                found[claim] = replace(parts[claim], simulated=value, note=told, seen=True)
    if outcomes:
        ran = "Default of the scenario, and configuration of the runs."
        found["A-07"] = Finding("8 bits, a space for each pair", note=ran)
        found["A-08"] = Finding("8 packets", note=ran)
        found["A-15"] = Finding("4096 bytes", note=ran)
    return found


def _comparisons(outcomes: Mapping[str, Outcome]) -> list[Comparison]:
    """Times of ParaStation2 relative to its rivals on the same host."""
    if "table-2" not in outcomes:
        return []
    times = tables.times(outcomes["table-2"].frame)
    rivals = {
        "BIP": (costs.WITHOUT, "BIP"),
        "FM": (costs.WITHOUT, "FM"),
        "LFC": (costs.WITHOUT, "LFC"),
        "AM-II on PCI": (costs.INSTEAD, "AM-II on PCI (published: SBus)"),
        "VMMC-2": (costs.INSTEAD, "VMMC-2"),
    }
    return [
        Comparison(
            kind,
            "ParaStation2",
            beside,
            "latency of 4 bytes, time of 32 KB one way and both ways",
            costs.known(times.loc["ParaStation2"] / times.loc[name]),
            "Paper 2, Table 2",
            tables.published_times(name),
        )
        for name, (kind, beside) in rivals.items()
    ]


_WIDE = "A window of more than half of the numbers: the ACK of its last packet is taken for an old one"
SEARCHES = searches.experiment(
    "section 3, and its rivals of section 2",
    (
        searches.Search("parastation2", "loss,duplicate=1", "0>1,0>1,0>1"),
        searches.Search("parastation2", "loss", "0>1,0>1,1>0"),
        *(
            searches.Search(
                "parastation2",
                "loss,duplicate=1",
                ",".join(["0>1"] * messages),
                capacity=1,
                own={"SequenceBits": bits, "Window": window},
                note=note,
            )
            for bits, window, messages, note in (
                (2, 2, 4, ""),
                (2, 3, 4, _WIDE),
                (2, 4, 5, "A window of all numbers: a retransmitted packet is taken for a new one"),
                (3, 4, 6, ""),
                (3, 5, 6, _WIDE),
            )
        ),
        searches.Search("am2", "loss,duplicate=1", "0>1,0>1,0>1"),
        searches.Search("vmmc2", "loss,duplicate=1", "0>1,0>1,0>1"),
        searches.Search("credits", "none", "0>1,0>1,0>1"),
        *(
            searches.Search(protocol, faults, "0>1,0>1,1>0", fair=True)
            for protocol, faults in (
                ("parastation2", "loss,duplicate=1,patient"),
                ("am2", "loss,duplicate=1,patient"),
                ("vmmc2", "loss,duplicate=1,patient"),
                ("credits", "none"),
            )
        ),
    ),
)

PAPER = Paper(
    number=2,
    name=setup.NAME,
    title="A Reliable Transmission Protocol for Myrinet",
    citation="T. M. Warschko, J. M. Blum, W. F. Tichy. 2nd Workshop on Cluster-Computing, Karlsruhe 1999.",
    scenario=setup.SCENARIO,
    experiments=(
        pipeline.FIGURE_2,
        tables.TABLE_2,
        failures.DEADLOCK,
        failures.RECOVERY,
        tables.TABLE_3,
        exchanges.EXCHANGES,
        unknowns.UNKNOWNS,
        defaults.SENSITIVITY,
        defaults.JOINT,
        failures.FOUR_FAILURES,
        sweeps.SWEEP,
        failures.LOSS,
        SEARCHES,
    ),
    names=tables.names(),
    conclude=_conclude,
    costs=("A-26", "A-33", "A-36", "A-37"),
    comparisons=_comparisons,
)
