# SPDX-License-Identifier: GPL-2.0-only
"""
Ejection ports of a node by topology, calibrated on the buffered columns of Table 2a, and the other columns with them.

The number of ports is calibrated, and all other parts run with one for all topologies. An ejection port that is busy
drops a packet of the lossy network, so it is a suspect for nbody on the 3D grid, whose times in Tables 2a and 2b are
too long.

The rule was fixed before the first run of this experiment: a topology keeps one port, unless another number lowers the
mean deviation of its four buffered cells by `GAIN` or more. Idempotent columns do not count.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Outcome, Point, Scale
from relnet.experiments.selection import finished, pick
from relnet.papers.idempotent import setup
from relnet.papers.idempotent.comparison import AHEAD, TOLERANCE
from relnet.papers.idempotent.setup import BEST, CELLS, CYCLES, SLOW_CYCLES, TABLES, TITLES, TOPOLOGIES

ANY = 0
"""The number of ports that stands for as many as packets need."""

DEFAULT = 1
"""Ejection ports of all other parts."""

TRIED = (1, 2, 4, ANY)
"""Numbers of ports on the buffered network. A node of a 2D grid has at most four channels."""

JUDGED = (1, 2, ANY)
"""Numbers of ports on the lossy network."""

WIDE = tuple(cell for cell in CELLS if cell[0] == "nbody")
"""Cells that are also run with the wide flits and the fast clock of Table 2b."""

GAIN = 1.0
"""Least decrease of the mean deviation of a topology's buffered cells that changes its number [percentage points]."""

BUFFERED, LOSSY, FAST = "buffered", "Table 2a", "Table 2b"
"""Networks of the rows: buffered, lossy, and lossy as in Table 2b."""

KINDS = {BUFFERED: "E-T2a-{}-buf", LOSSY: "E-T2a-{}-idem", FAST: "E-T2b-{}-idem"}
"""Published cells of each."""


def _runs() -> list[tuple[str, int, tuple[str, str]]]:
    """Network, number of ports and cell of each run."""
    found = [(BUFFERED, ports, cell) for ports in TRIED for cell in CELLS]
    found += [(LOSSY, ports, cell) for ports in JUDGED for cell in CELLS]
    return found + [(FAST, ports, cell) for ports in JUDGED for cell in WIDE]


def _given(ports: int) -> dict[str, int]:
    return {} if ports == DEFAULT else {"ejectionports": ports}


def _point(scale: Scale, network: str, ports: int, cell: tuple[str, str]) -> Point:
    if network == BUFFERED:
        return setup.buffered(scale, *cell, **_given(ports))
    more: dict[str, Any] = AHEAD if network == FAST else {}
    return setup.cell(scale, *cell, **more, **_given(ports))


def ratios(frame: pd.DataFrame) -> pd.DataFrame:
    """
    Tabulate the times of all runs relative to the published ones.

    Parameters
    ----------
    frame : pandas.DataFrame
        The runs, in the order of the points.

    Returns
    -------
    pandas.DataFrame
        Columns network, ports, benchmark, topology, cycles (missing if a run did not complete), published, ratio.
    """
    published = claims.published_values(setup.NAME)
    rows = []
    complete = set(finished(frame).index)
    for (network, ports, (benchmark, topology)), (index, run) in zip(
        _runs(), frame.to_dict("index").items(), strict=True
    ):
        value = published[KINDS[network].format(f"{benchmark}-{TOPOLOGIES[topology]}")]
        cycles = float(run[SLOW_CYCLES if network == FAST else CYCLES]) if index in complete else float("nan")
        rows.append((network, ports, benchmark, topology, cycles, value, cycles / value))
    names = ["network", "ports", "benchmark", "topology", "cycles", "published", "ratio"]
    return pd.DataFrame(rows, columns=names)


def deviations(table: pd.DataFrame) -> pd.DataFrame:
    """
    Compute the mean deviation of the buffered cells.

    Parameters
    ----------
    table : pandas.DataFrame
        The return value of `ratios`.

    Returns
    -------
    pandas.DataFrame
        Mean deviation from the published values [%] by topology (rows) and number of ports (columns).
    """
    quiet = pick(table, network=BUFFERED)
    off = (quiet["ratio"] - 1).abs() * 100
    return off.groupby([quiet["topology"], quiet["ports"]], sort=False).mean().unstack()[list(TRIED)]


def choose(mean: pd.DataFrame) -> dict[str, int]:
    """
    Choose the number of ports of each topology by the rule.

    Parameters
    ----------
    mean : pandas.DataFrame
        The return value of `deviations`.
    """
    chosen = {}
    for topology, row in mean.iterrows():
        best = row.idxmin()
        chosen[topology] = int(best) if row[DEFAULT] - row[best] >= GAIN else DEFAULT
    return chosen


def _name(ports: int) -> str:
    return "any number" if ports == ANY else str(ports)


def _within(rows: pd.DataFrame) -> str:
    return f"{int(((rows['ratio'] - 1).abs() <= TOLERANCE).sum())} of {len(rows)}"


def _text(table: pd.DataFrame) -> tuple[str, ...]:
    mean = deviations(table)
    chosen = choose(mean)
    by_topology = "; ".join(
        f"{TITLES[topology]}: " + ", ".join(f"{value:.1f} % with {_name(ports)}" for ports, value in row.items())
        for topology, row in mean.iterrows()
    )
    told = ", ".join(f"{_name(ports)} on the {TITLES[topology]}" for topology, ports in chosen.items())
    lossy = pick(table, network=LOSSY)
    own = pd.concat([pick(lossy, topology=topology, ports=ports) for topology, ports in chosen.items()])
    counts = "; ".join(f"{_within(pick(lossy, ports=ports))} with {_name(ports)}" for ports in JUDGED)
    suspect = []
    for network in (LOSSY, FAST):
        found = pick(table, network=network, benchmark="nbody").set_index(["ports", "topology"])["ratio"]
        suspect.append(
            f"in {network} "
            + ", ".join(
                f"{found[ports, 'grid3d']:.2f} with {_name(ports)} (fat tree {found[ports, 'fattree']:.2f})"
                for ports in JUDGED
            )
        )
    changed = [TITLES[topology] for topology, ports in chosen.items() if ports != DEFAULT]
    decision = (
        f"The buffered cells change the number on the {' and '.join(changed)}, although all other parts have one port."
        if changed
        else "So the buffered cells give no reason for another number than one, with which all other parts run."
    )
    return (
        "The rule was fixed before the runs: a topology keeps one ejection port, unless another number lowers the mean "
        f"deviation of its four buffered cells by {GAIN:g} percentage point or more. Mean deviations: {by_topology}. "
        f"Chosen: {told}. {decision}",
        f"Idempotent cells of Table 2a within {TOLERANCE:.0%}: {counts}; {_within(own)} with the chosen numbers.",
        f"Time of nbody on the 3D grid relative to the published one: {'; '.join(suspect)}. A number that reduces this "
        "deviation is not the default unless the buffered cells choose it.",
    )


def _render(scale: Scale, frame: pd.DataFrame) -> Outcome:
    table = ratios(frame)
    shown = table.assign(topology=table["topology"].map(TITLES)).pivot_table(
        index=["benchmark", "topology"], columns=["network", "ports"], values="ratio", sort=False
    )
    shown.columns = [f"{network}, {_name(ports)}" for network, ports in shown.columns]
    if scale.quick:
        text: tuple[str, ...] = ("Reduced scale with fewer nodes than the paper: nothing is chosen.",)
    else:
        text = _text(table)
    return Outcome(table, None, shown.reset_index().round(2), text)


def _command(scale: Scale) -> list[str]:
    lossy = {"router": "lossy", **BEST, **TABLES}
    lines = []
    for given, cells, tried in (
        ({"router": "buffered"}, CELLS, TRIED),
        (lossy, CELLS, JUDGED),
        (lossy | AHEAD, WIDE, JUDGED),
    ):
        others = ",".join(str(ports) for ports in tried if ports != DEFAULT)
        lines += setup.listed_command(scale, cells, **given)
        lines += setup.listed_command(scale, cells, **given, ejectionports=others)
    return lines


PORTS = Experiment(
    "ejection-ports",
    "Ejection ports by topology: calibrated on the buffered cells, and the other cells with them",
    "Not in the paper (section 4.2 leaves ports open)",
    lambda scale: [_point(scale, *run) for run in _runs()],
    _render,
    _command,
)
