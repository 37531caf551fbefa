# SPDX-License-Identifier: GPL-2.0-only
"""
Paper 7: Ultra Ethernet Transport, beside htsim.

The specification is no paper with results. Claims are the rules of its packet delivery, as others tell them; the
numbers of htsim's validation; statements of NDP, REPS and MRC that its protocol and network can repeat; and rules of
this project on losses. All numbers were in view when the settings were decided, so that none counts as predicted.
"""

from __future__ import annotations

from relnet.experiments.definitions import Paper
from relnet.papers.uet import idempotence, losses, paths, recovery, setup, sharing, validation

PAPER = Paper(
    number=7,
    name=setup.NAME,
    title="Ultra Ethernet Transport, beside htsim",
    citation="Ultra Ethernet Consortium, specification 1.0.3 (not read), and uet-htsim, commit 40ccb05.",
    scenario=setup.SCENARIO,
    experiments=(
        validation.SMALL_RUNS,
        validation.LARGE_RUNS,
        sharing.IN_AND_OUT,
        paths.PATHS,
        losses.LOSSES_RUN,
        losses.SPRAYING,
        recovery.RECOVERY,
        idempotence.IDEMPOTENCE,
    ),
    names={
        "U-H01": "one flow of 2 MB",
        "U-H02": "the same with one in the other direction, the later one",
        "U-H03": "a flow of ten packets",
        "U-H04": "incast of 15 to one, last flow",
        "U-H05": "incast of 15 to one, first flow",
        "U-H06": "incast of 15 to one, packets sent again",
        "U-H07": "a flow, and two shorter ones from 40 us on to the same host, last",
        "U-H08": "permutation of 16 hosts with a slow link, last flow",
        "U-H09": "permutation of 16 hosts with a slow link, packets sent again",
        "U-H10": "permutation of 1024 hosts, last flow",
        "U-H11": "permutation of 1024 hosts, first flow",
        "U-H12": "permutation of 1024 hosts, packets sent again",
        "U-H13": "permutation of 1024 hosts, acknowledgements",
        "U-H14": "permutation of 1024 hosts, oversubscribed 4:1, last flow",
        "U-H15": "permutation of 1024 hosts, oversubscribed 4:1, packets sent again",
        "U-H16": "permutation of 1024 hosts, one path a flow, last flow",
        "U-H17": "permutation of 1024 hosts, one path a flow, packets sent again",
        "U-H18": "permutation of 1024 hosts, oblivious paths, last flow",
        "U-H19": "permutation of 1024 hosts, oblivious paths, packets sent again",
        "U-H20": "permutation of 1024 hosts, REPS and an answer to each packet, last flow",
        "U-H22": "incast of 1023 to one, 100 kB each, last flow (htsim's own target, 8950 us, is missed)",
        "U-H31": "RCCC: incast of 15 to one, last flow",
        "U-H32": "RCCC: incast of 15 to one, first flow",
        "U-H33": "RCCC: incast of 15 to one, packets sent again",
        "U-N01": "rate of one of four flows of a host, whose fourth receiver has another sender",
        "U-R06": "oblivious paths relative to REPS while uplinks fail: packets lost",
        "U-M01": "go-back-N at 1 % loss, share of the rate",
        "U-M02": "selective repeat at 1 % loss, share of the rate",
    },
    costs=("U-L01", "U-L05", "U-M01", "U-M02"),
)
