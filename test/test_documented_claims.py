# SPDX-License-Identifier: GPL-2.0-only
"""
Numbers in documents, compared with the last whole reproduction.

`doc/scored.csv` is a copy of `scored.csv` from `make reproduce`.
"""

import csv
import re
from pathlib import Path

import pytest

from relnet import papers
from relnet.experiments import claims

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()
MEASUREMENT = (ROOT / "contrib" / "pcode" / "doc" / "pcode-measurement.rst").read_text()

with open(ROOT / "doc" / "scored.csv", newline="") as source:
    SCORED = {row["id"]: row for row in csv.DictReader(source)}

CELLS = [line.strip("| ").split(" | ") for line in README.splitlines() if line.startswith("| `")]
COUNTS = {cells[0].strip("`"): [int(cell) for cell in cells[1:]] for cells in CELLS if cells[1].isdigit()}
DEVIATIONS = [(cells[0].strip("`"), *cells[1:]) for cells in CELLS if cells[1] in SCORED]
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")


def counted(paper):
    """Claims of a paper by verdict."""
    own = {claim.id for claim in claims.read(paper)}
    chosen = [row["verdict"] for name, row in SCORED.items() if name in own]
    return {verdict: chosen.count(verdict) for verdict in claims.SCORED}


def has(name, number):
    """Whether the data of a claim contain a number."""
    row = SCORED[name]
    text = next(claim.text for paper in papers.names() for claim in claims.read(paper) if claim.id == name)
    return number in NUMBER.findall(" ".join([row["published"], row["simulated"], row["note"], text]))


def test_scored_claims_are_those_of_the_published_data():
    known = {claim.id for paper in papers.names() for claim in claims.read(paper)}
    assert SCORED and set(SCORED) <= known
    assert {row["verdict"] for row in SCORED.values()} <= set(claims.SCORED)


def test_readme_counts_claims_by_verdict():
    """The columns claims, deviates, predicted, matched after seen and undecidable."""
    order = ("deviates", "predicted", "matched-after-seen", "undecidable")
    counts = {paper: [counted(paper)[verdict] for verdict in order] for paper in papers.names()}
    assert {paper: [sum(row), *row] for paper, row in counts.items()} == COUNTS
    assert "| name | claims | deviates | predicted | matched after seen | undecidable |" in README


def test_readme_has_the_worst_first():
    shares = [counts[1] / max(counts[0], 1) for counts in COUNTS.values()]
    assert shares == sorted(shares, reverse=True)
    deviating = [paper for paper, counts in COUNTS.items() if counts[1] > 0]
    assert list(dict.fromkeys(paper for paper, *_ in DEVIATIONS)) == deviating


@pytest.mark.parametrize(("paper", "name", "statement", "published", "simulated"), DEVIATIONS)
def test_readme_has_the_numbers_of_the_reproduction(paper, name, statement, published, simulated):
    """Each row of the largest deviations is a claim of its paper that deviates, with its numbers."""
    assert name in {claim.id for claim in claims.read(paper)}
    assert SCORED[name]["verdict"] == "deviates"
    for number in NUMBER.findall(f"{statement} {simulated}"):
        assert has(name, number), f"{name}: {number}"
    stated = NUMBER.findall(published)
    assert stated or published == SCORED[name]["published"]
    for number in stated:
        assert has(name, number), f"{name}: {number}"


def test_readme_claims_no_success_that_was_settled_in_view():
    assert SCORED["C-39"]["verdict"] != "predicted"


def test_the_table_of_pcode_has_the_verdicts_and_numbers():
    """Rows of the list of claims in pcode-measurement.rst that begin with an id."""
    lines = re.findall(r"^(B-\d\d),? +\S.*? {2,}(\S.*)$", MEASUREMENT, re.MULTILINE)
    lines = [(name, told) for name, told in lines if name in SCORED]
    assert len(lines) >= 8
    for name, told in lines:
        if "deviates" in told:
            assert SCORED[name]["verdict"] == "deviates", name
        if "holds" in told.split() and "deviates" not in told:
            assert SCORED[name]["verdict"] != "deviates", name
        for number in re.findall(r"\d+\.\d+", told):
            assert has(name, number), f"{name}: {number}"


def page(module, name):
    """The text of a page of a module."""
    return (ROOT / "contrib" / module / "doc" / f"{name}.rst").read_text()


def test_the_tables_of_idempotent_have_the_values_of_the_reproduction():
    """Published and simulated cycles, their ratio, and bold where that is within 15 %."""
    cells = re.findall(
        r"\* - (\w+)\n +- (2D grid|3D grid|fat tree)\n +- .*\n +- (\S.*)\n +- (\S.*)", page("idempotent", "idempotent")
    )
    assert len(cells) == 12
    for benchmark, topology, *told in cells:
        short = {"2D grid": "2D", "3D grid": "3D", "fat tree": "FT"}[topology]
        for letter, text in zip("ab", told, strict=True):
            row = SCORED[f"E-T2{letter}-{benchmark}-{short}-idem"]
            ratio = float(row["simulated"]) / float(row["published"])
            plain = f"{row['published']} / {row['simulated']} ({ratio:.2f})"
            assert text == (plain if row["verdict"] == "deviates" else f"**{plain}**"), (benchmark, topology, letter)


def test_table_3_of_parastation_has_the_values_of_the_reproduction():
    """Throughput and N/2 of each host and layer, and latencies that are scored."""
    hosts = {"Pentium II": "PII-350", "Alpha 500": "A21164-500", "Alpha 600": "A21164-600"}
    lines = re.findall(
        r"^(Pentium II|Alpha \d00|) +(HAL|Ports|TCP|MPI|PVM) +(\S+ / \S+).*?(\S+ / \S+) \(.*?(\S+ / \S+) \(",
        page("parastation", "parastation"),
        re.MULTILINE,
    )
    assert len(lines) == 15
    host, compared = "", 0
    for named, layer, *told in lines:
        host = hosts.get(named, host)
        for measure, text in zip(("lat", "bw", "n2"), told, strict=True):
            row = SCORED.get(f"A-T3-{host}-{layer}-{measure}")
            if row:
                published, simulated = (float(value) for value in text.split(" / "))
                assert published == float(row["published"]), (host, layer, measure)
                assert simulated == pytest.approx(float(row["simulated"]), rel=6e-3), (host, layer, measure)
                compared += 1
    assert compared >= 30


@pytest.mark.parametrize("name", ["C-21", "C-23", "C-24"])
def test_micro_benchmarks_of_mpi_ranks_have_the_numbers_of_the_reproduction(name):
    """The last two numbers with a decimal before a claim's id."""
    before = page("mpi-ranks", "mpi-ranks").partition("Mean of the sizes to 64 bytes")[2].partition(f"({name}")[0]
    numbers = re.findall(r"\d+\.\d", before)[-2:]
    assert len(numbers) == 2 and all(has(name, number) for number in numbers), numbers
