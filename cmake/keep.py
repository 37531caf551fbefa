# SPDX-License-Identifier: GPL-2.0-only
"""Keeps what documents need of a whole reproduction: copies it from `out/` to `doc/`.

Usage: keep.py [FOLDER]

Scored claims, durations and the figure of costs, and for each paper the figures that are in the paper and those of
studies that pages describe; all figures of a paper of which none is in the paper.
"""

import shutil
import sys
from pathlib import Path

from relnet import papers
from relnet.experiments.definitions import Experiment, Paper

ROOT = Path(__file__).resolve().parents[1]
FILES = ("scored.csv", "durations.csv", "protocol-costs.svg", "protocol-costs-narrow.svg")
STUDIES = ("mpi-infiniband/region",)


def kept(paper: Paper) -> list[Experiment]:
    """Figures and tables of the paper, and studies that pages describe; all experiments if none is in the paper."""
    own = [one for one in paper.experiments if one.place[0] == 0]
    if not own:
        return list(paper.experiments)
    return [one for one in paper.experiments if one in own or f"{paper.name}/{one.key}" in STUDIES]


def main(out: Path) -> None:
    """Copy the files of a reproduction; figures of an earlier one are deleted."""
    for name in FILES:
        shutil.copy(out / name, ROOT / "doc")
    shutil.rmtree(ROOT / "doc" / "figures", ignore_errors=True)
    for paper in papers.modelled():
        for experiment in kept(paper):
            source = out / paper.name / f"{experiment.key}.svg"
            if source.exists():
                (ROOT / "doc" / "figures" / paper.name).mkdir(parents=True, exist_ok=True)
                shutil.copy(source, ROOT / "doc" / "figures" / paper.name)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "out"))
