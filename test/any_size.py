#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Send messages of 0 bytes to 64 MiB by every protocol and design over every network, and list each run that is not exact.

    test/any_size.py                                                # all; those of 64 MiB over wifi take minutes each
    test/any_size.py largest=4MiB                                   # sizes of up to 4 MiB
    test/any_size.py protocol=idempotent,tcp network=csma,switch    # some pairs
    test/any_size.py protocol=udp size=0,EDGE,EDGE+1,1MiB           # some sizes

EDGE is the largest message that a pair sends without the segmenting layer, or a message of one MTU where the protocol
itself divides messages. The status is 1 if a promise was broken. A protocol without a promise to deliver may lose
messages; its runs are listed, too.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence

import relnet
from relnet.catalog.lookup import describe

FIXED = {"nodes": 2, "messages": 1, "pattern": "stream", "timelimit": "100000s"}
SIZES = ("0", "1", "EDGE", "EDGE+1", "20000", "1MiB", "4MiB", "64MiB")
EDGE = "EDGE"
LONGEST_RUN = 1200  # seconds
WORDS = ("protocol", "network", "size", "largest")


def select(wanted: Mapping[str, Sequence[str]]) -> list:
    """The rows of the matrix of the valid pairs whose names are wanted."""
    return [
        pair
        for pair in relnet.matrix(nodes=FIXED["nodes"]).itertuples()
        if pair.exists and all(getattr(pair, part) in names for part, names in wanted.items())
    ]


def number(text: str) -> int:
    """A size with its unit as a number of bytes."""
    return int(describe("reliability").parameter("Size").parse(text))


def sizes(pair: tuple, texts: Iterable[str], largest: str = "64MiB") -> list[int]:
    """The sizes that texts give for a pair, up to the largest one [bytes]."""
    edge = int(pair.whole if pair.layered else pair.mtu)
    found = {edge + (text != EDGE) if text.startswith(EDGE) else number(text) for text in texts}
    return sorted(size for size in found if size <= number(largest))


def measure(pair: tuple, given: Sequence[int]) -> tuple[int, list[str], list[str]]:
    """Run a pair at some sizes; return the number of runs, and sentences on broken promises and on runs with losses."""
    names = {"network": pair.network, "protocol": pair.protocol}
    if pair.design:
        names["protocol.Design"] = pair.design
    place = f"{pair.network}, {pair.protocol} {pair.design}".rstrip()
    done = relnet.sweep("reliability", size=list(given), run_timeout=LONGEST_RUN, **names, **FIXED)
    broken = [f"{place}: {sentence}" for sentence in done.attrs["failures"]]
    lossy = []
    for run in done.itertuples():
        if run.Outcome == "exact" and run.Verdict == "completed":
            continue
        told = f"{run.Outcome}, {run.Verdict}; it promises: {run.Promise or 'nothing'}. {run.VerdictReason}"
        allowed = run.Outcome == "loses" and not {"complete", "reported"} & set(run.Promise.split(", "))
        (lossy if allowed else broken).append(f"{place}, {run.Size} bytes: {told}")
    return len(done), broken, lossy


def main(words: list[str]) -> int:
    """Run all, print what is wrong, and return the status of the program."""
    given = {name: values.split(",") for name, _, values in (word.partition("=") for word in words)}
    if given.keys() - set(WORDS):
        print(f"{', '.join(given.keys() - set(WORDS))}: the arguments are NAME=VALUES, with {', '.join(WORDS)}.")
        return 2
    texts = given.pop("size", SIZES)
    (largest,) = given.pop("largest", ["64MiB"])
    runs = broken = lossy = 0
    for pair in select(given):
        count, wrong, lost = measure(pair, sizes(pair, texts, largest))
        runs += count
        broken += len(wrong)
        lossy += len(lost)
        for sentence in (*wrong, *lost):
            print(sentence, flush=True)
    print(f"{runs} runs: {broken} break a promise, {lossy} lose messages as they may")
    return broken > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
