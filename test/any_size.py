#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Send messages of 0 bytes to 64 MiB by every protocol over every network, and list each run that is not exact.

The slowest runs, of P0 to PCODE over wifi, take minutes each, so `make test` leaves it out. The arguments
`protocol=NAME,...` and `network=NAME,...` choose some.
"""

import sys
from collections import defaultdict

import relnet

FIXED = {"nodes": 2, "messages": 1, "pattern": "stream", "timelimit": "100000s"}
SIZES = (0, 1, "MTU", "MTU+1", 20_000, 1 << 20, 64 << 20)
LONGEST_RUN = 1200  # seconds


def mtu(network: str) -> int:
    """The largest frame of a network, its protocol's header included [bytes]."""

    def look():
        from relnet import ns

        built = ns.messaging.CreateByName(ns.messaging.Network.GetTypeId(), network)
        return int(ns.DynamicCast[ns.messaging.Network](built).GetInfo().mtu)

    return relnet.isolated(look)


def size(given: int | str, network: str) -> int:
    """A size as a number of bytes."""
    if isinstance(given, int):
        return given
    return mtu(network) + (1 if given == "MTU+1" else 0)


def main(words: list[str]) -> int:
    """Run all, print what is wrong, and return the status of the program."""
    wanted = {part: set(names.split(",")) for part, names in (word.split("=") for word in words)}
    protocols = defaultdict(list)
    for pair in relnet.matrix(nodes=2).itertuples():
        if pair.exists and all(getattr(pair, part) in names for part, names in wanted.items()):
            protocols[pair.network].append((pair.protocol, pair.design))
    wrong = runs = 0
    for network, able in protocols.items():
        sizes = [size(given, network) for given in SIZES]
        for protocol, design in able:
            given = {"network": network, "protocol": protocol} | ({"protocol.Design": design} if design else {})
            done = relnet.sweep("reliability", size=sizes, run_timeout=LONGEST_RUN, **given, **FIXED)
            runs += len(done)
            bad = done[(done["Outcome"] != "exact") | (done["Verdict"] != "completed")]
            wrong += len(bad)
            for run in bad.itertuples():
                outcome = f"{run.Outcome}, {run.Verdict}; it promises: {run.Promise or 'nothing'}. {run.VerdictReason}"
                print(f"{network}, {protocol} {design}, {run.Size} bytes: {outcome}", flush=True)
            for sentence in done.attrs["failures"]:
                print(f"{network}: {sentence}")
    print(f"{runs} runs, {wrong} not exact")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
