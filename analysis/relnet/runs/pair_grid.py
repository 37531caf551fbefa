# SPDX-License-Identifier: GPL-2.0-only
"""Pairs of network and protocol as a grid of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PAIR_COLUMNS = ("exists", "reason", "mtu", "whole", "largest", "layered")
"""Columns of a pair after its names."""

Names = tuple[str, str]
"""Network, and protocol with its design."""


def matrix_text(rows: Sequence[tuple]) -> str:
    """
    Format pairs as a grid of the valid ones and a grid of sizes, with the reasons below.

    A row is a network, a protocol, a design and `PAIR_COLUMNS`.
    """
    pairs = {(row[0], f"{row[1]} {row[2]}".rstrip()): dict(zip(PAIR_COLUMNS, row[3:], strict=True)) for row in rows}
    lines = _grid({names: "yes" if pair["exists"] else "-" for names, pair in pairs.items()})
    lines += _sizes({names: pair for names, pair in pairs.items() if pair["exists"]}, pairs)
    return "\n".join(lines + _reasons({names: pair["reason"] for names, pair in pairs.items()}))


def _grid(cells: Mapping[Names, str]) -> list[str]:
    networks, protocols = (list(dict.fromkeys(pair[place] for pair in cells)) for place in (0, 1))
    widths = {
        network: max(len(network), *(len(cells.get((network, one), "")) for one in protocols)) for network in networks
    }
    margin = max(map(len, protocols), default=0) + 2
    lines = [f"{'':<{margin}}{'  '.join(f'{network:<{widths[network]}}' for network in networks)}".rstrip()]
    for protocol in protocols:
        row = "  ".join(f"{cells.get((network, protocol), ''):<{widths[network]}}" for network in networks)
        lines.append(f"{protocol:<{margin}}{row}".rstrip())
    return lines


def _sizes(valid: Mapping[Names, Mapping[str, Any]], pairs: Mapping[Names, Any]) -> list[str]:
    """The largest messages without segments, and what the cells mean."""
    if not valid or any(pair["largest"] is None for pair in valid.values()):
        return []
    most = max(int(pair["largest"]) for pair in valid.values())
    cells = {names: _size(valid[names], most) if names in valid else "-" for names in pairs}
    meanings = {
        "N": f"the segmenting layer sends longer messages, of up to {most} bytes",
        "any": f"the protocol itself divides messages, of up to {most} bytes",
        "N..M": "the segmenting layer sends longer messages, of up to M bytes",
        "<=N": "the largest message, since the MTU has no room for a segment",
    }
    used = {_kind(valid[names], most) for names in valid}
    told = [f"  {kind}: {meaning}." for kind, meaning in meanings.items() if kind in used]
    return ["", "Largest message without segments [bytes]", *_grid(cells), *told]


def _kind(pair: Mapping[str, Any], most: int) -> str:
    """Kind of a cell of sizes."""
    if pair["layered"]:
        return "N" if pair["largest"] == most else "N..M"
    return "any" if pair["largest"] == most else "<=N"


def _size(pair: Mapping[str, Any], most: int) -> str:
    """Text of a cell of sizes."""
    whole, largest = int(pair["whole"]), int(pair["largest"])
    return {"N": f"{whole}", "any": "any", "N..M": f"{whole}..{largest}", "<=N": f"<={largest}"}[_kind(pair, most)]


def _reasons(reasons: Mapping[Names, str]) -> list[str]:
    protocols = list(dict.fromkeys(protocol for _, protocol in reasons))
    over: dict[tuple[str, str], list[str]] = {}
    for (network, protocol), reason in reasons.items():
        if reason:
            over.setdefault((protocol, reason), []).append(network)
    same: dict[tuple[str, str], list[str]] = {}
    for (protocol, reason), names in over.items():
        same.setdefault((", ".join(names), reason), []).append(protocol)
    lines = ["", "Invalid pairs"] if same else []
    for (names, reason), who in same.items():
        lines.append(f"  {'all protocols' if who == protocols else ', '.join(who)} over {names}: {reason}")
    return lines
