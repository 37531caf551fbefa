# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of network and protocol as a grid of text."""

from __future__ import annotations

from collections.abc import Mapping


def matrix_text(pairs: Mapping[tuple[str, str, str], str]) -> str:
    """Format pairs of network, protocol and design as a grid, with the reasons of the invalid ones below."""
    reasons = {
        (network, f"{protocol} {design}".rstrip()): reason for (network, protocol, design), reason in pairs.items()
    }
    networks, protocols = (list(dict.fromkeys(pair[place] for pair in reasons)) for place in (0, 1))
    width = max(map(len, protocols), default=0) + 2
    lines = [" " * width + "  ".join(networks)]
    for protocol in protocols:
        cells = (f"{'-' if reasons.get((network, protocol)) else 'yes':<{len(network)}}" for network in networks)
        lines.append(f"{protocol:<{width}}{'  '.join(cells)}".rstrip())
    over: dict[tuple[str, str], list[str]] = {}
    for (network, protocol), reason in reasons.items():
        if reason:
            over.setdefault((protocol, reason), []).append(network)
    same: dict[tuple[str, str], list[str]] = {}
    for (protocol, reason), names in over.items():
        same.setdefault((", ".join(names), reason), []).append(protocol)
    lines += ["", "Invalid pairs"] if same else []
    for (names, reason), who in same.items():
        lines.append(f"  {'all protocols' if who == protocols else ', '.join(who)} over {names}: {reason}")
    return "\n".join(lines)
