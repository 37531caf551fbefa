#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Run random valid cases of `reliability`, half of them with faults, and check that their results are plausible.

Parts of the latency add up to it, frames that were sent have arrived, are lost or in flight, messages are delivered at
most as often as posted, quantiles ascend, and rates agree with times. `python test/plausibility.py COUNT SEED` runs
COUNT cases (300 by default); the test of the same name a few.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from relnet.catalog.lookup import describe
from relnet.errors import RunError
from relnet.runs.verdicts import BROKEN, judge
from relnet.studies import torture
from relnet.studies.fault_matrix import REFUSAL

PARTS = ("Sender", "Repeat", "Processors", "Network", "Queueing", "Receiver")


def implausible(results: Mapping[str, Any]) -> Iterator[str]:
    """The sentences on what cannot be true of a run."""
    delivered, posted = results["Delivered"], results["Posted"]
    if delivered > posted:
        yield f"{delivered} messages were delivered, but {posted} posted."
    ended = results["FramesArrived"] + results["FramesLost"] + results["FramesInFlight"]
    if results["FrameCopies"] != ended:
        yield f"{results['FrameCopies']} frames were sent, and {ended} have arrived, are lost or in flight."
    if results["TimerWait"] < 0:
        yield f"TimerWait is {results['TimerWait']} us."
    if not math.isfinite(results["Latency"]):
        return
    parts = [results[f"Latency{part}"] for part in PARTS]
    if not math.isclose(sum(parts), results["Latency"], rel_tol=1e-9, abs_tol=1e-6):
        yield f"The parts of the latency add up to {sum(parts)} us, not to {results['Latency']} us."
    if min(parts) < -1e-9:
        yield f"A part of the latency is {min(parts)} us."
    quantiles = [results[name] for name in ("LatencyMedian", "Latency99", "LatencyWorst")]
    if quantiles != sorted(quantiles):
        yield f"Median, 99th percentile and maximum of the latency are {quantiles} us."
    if results["LatencyWorst"] < results["Latency"] - 1e-9:
        yield f"The mean latency is {results['Latency']} us, and the largest {results['LatencyWorst']} us."
    if results["HostUsed"] == "free" and results["CpuPerMessage"] > 0:
        yield f"Free hosts have computed {results['CpuPerMessage']} us for each message."
    if results["HostUsed"] != "free" and results["CpuPerMessage"] == 0:
        yield f"Hosts {results['HostUsed']} have not computed."


def check(count: int, seed: int) -> tuple[int, list[str]]:
    """Run cases; return the number of those with results, and a sentence for each that is implausible."""
    draw, run = random.Random(seed), torture.Runner()
    scenario = describe("reliability")
    found, ran = [], 0
    while ran < count:
        case = torture.draw_case(draw, scenario)
        try:
            calm = run(case)
            if calm is None:
                continue
            cases = [(case, calm)]
            if draw.random() < 0.5:
                faults = torture.draw_faults(draw, calm, case.settings["Nodes"])
                case = torture.Case(case.settings | faults, case.seed)
                cases = [(case, run(case))]
        except RunError as error:
            if REFUSAL not in str(error):
                found.append(f"{case}: {error}")
            continue
        for one, results in cases:
            if results is None:
                continue
            ran += 1
            found += [f"{one}: {sentence}" for sentence in implausible(results)]
            if judge(results) == BROKEN:
                found.append(f"{one}: {results['VerdictReason']}")
    return ran, found


def main(words: list[str]) -> int:
    """Check, print what was found, and return the status of the program."""
    count, seed = (int(word) for word in (*words, "300", "1")[:2]) if len(words) != 1 else (int(words[0]), 1)
    ran, found = check(count, seed)
    print(*found, sep="\n")
    print(f"{ran} runs, {len(found)} implausible")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
