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
from relnet.reproduction import report

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
    return {verdict: chosen.count(verdict) for verdict in claims.DOCUMENTED}


def is_cell(name):
    """Whether a claim is a cell of Tables 2 and 3 of the paper on InfiniBand."""
    return name.startswith(("C-T2", "C-T3"))


def size(name):
    """Size of a deviation; 0 without a ratio."""
    left, right = (row.split("; ") for row in (SCORED[name]["published"], SCORED[name]["simulated"]))
    try:
        pairs = [(float(one), float(other)) for one, other in zip(left, right, strict=True)]
    except ValueError:
        return 0.0
    return report.deviation("; ".join(f"{other / one:.3f}" for one, other in pairs if one))


def has(name, number):
    """Whether the data of a claim contain a number."""
    row = SCORED[name]
    text = next(claim.text for paper in papers.names() for claim in claims.read(paper) if claim.id == name)
    return number in NUMBER.findall(" ".join([row["published"], row["simulated"], row["note"], text]))


def test_scored_claims_are_those_of_the_published_data():
    known = {claim.id for paper in papers.names() for claim in claims.read(paper)}
    assert SCORED and set(SCORED) <= known
    assert {row["verdict"] for row in SCORED.values()} <= set(claims.DOCUMENTED)


def test_readme_counts_claims_by_verdict():
    """Claims, deviates, predicted, matched after seen, undecidable; and guaranteed, which is not counted."""
    order = ("deviates", "predicted", "matched-after-seen", "undecidable", "guaranteed")
    counts = {paper: [counted(paper)[verdict] for verdict in order] for paper in papers.names()}
    assert {paper: [sum(row[:-1]), *row] for paper, row in counts.items()} == COUNTS
    assert "| name | claims | deviates | predicted | matched after seen | undecidable | guaranteed |" in README


def test_readme_has_the_worst_first():
    shares = [counts[1] / max(counts[0], 1) for counts in COUNTS.values()]
    assert shares == sorted(shares, reverse=True)
    deviating = [paper for paper, counts in COUNTS.items() if counts[1] > 0]
    assert list(dict.fromkeys(paper for paper, *_ in DEVIATIONS)) == deviating


def test_readme_lists_all_deviations():
    """All but cells of Tables 2 and 3 of the paper on InfiniBand, of which it has the largest and the number."""
    missed = {name for name, row in SCORED.items() if row["verdict"] == "deviates"}
    listed = [name for _, name, *_ in DEVIATIONS]
    assert len(listed) == len(set(listed))
    assert {name for name in listed if not is_cell(name)} == {name for name in missed if not is_cell(name)}
    cells = sorted(filter(is_cell, missed), key=size, reverse=True)
    shown = [name for name in listed if is_cell(name)]
    assert set(shown) == set(cells[: len(shown)])
    assert f"the {['no', 'one', 'two', 'three'][len(shown)]} largest of the {len(cells)} cells" in README
    for paper in COUNTS:
        sizes = [size(name) for one, name, *_ in DEVIATIONS if one == paper]
        assert sizes == sorted(sizes, reverse=True), paper


def test_every_number_has_the_verdict_that_its_distance_gives():
    """The verdict in `scored.csv` is the one of the claim's test, for numbers that it has with three digits."""
    known = {claim.id: claim for paper in papers.names() for claim in claims.read(paper)}
    compared = 0
    for name, row in SCORED.items():
        claim = known[name]
        if claim.tolerance is None or " to " in row["published"] or claim.test == "holds":
            continue
        published, simulated = (
            tuple(float(value) for value in row[column].split("; ")) for column in ("published", "simulated")
        )
        # The numbers have three digits, so the exact one may be on the other side of the limit.
        near = {
            claims.within(claim.test, claim.tolerance, published, tuple(value * (1 + change) for value in simulated))
            for change in (-0.002, 0, 0.002)
        }
        if row["verdict"] in ("predicted", "matched-after-seen", "guaranteed"):
            assert True in near, name
            compared += 1
        elif row["verdict"] == "deviates" and len(published) == 1 and not is_cell(name):
            assert False in near, name
            compared += 1
    assert compared >= 80


def test_shares_are_those_of_joint_samples():
    """The share of claims on the pages of papers whose runs are cheap."""
    shares = {name: row["share"] for name, row in SCORED.items() if row["share"]}
    assert all(re.fullmatch(r"\d+ of 64", share) for share in shares.values())
    assert {row["paper"] for row in SCORED.values() if row["share"]} == {"001", "002", "003", "004"}


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
    host, compared, least = "", 0, (0.0, 0.0)
    for named, layer, *told in lines:
        host = hosts.get(named, host)
        if layer == "HAL":
            least = tuple(float(value) for value in told[0].replace("(", "").replace(")", "").split(" / "))
        for measure, text in zip(("lat", "bw", "n2"), told, strict=True):
            row = SCORED.get(f"A-T3-{host}-{layer}-{measure}")
            if row:
                published, simulated = (float(value) for value in text.split(" / "))
                if measure == "lat":
                    # Judged is what a layer adds to the HAL.
                    added = simulated - least[1]
                    assert published - least[0] == pytest.approx(float(row["published"])), (host, layer)
                    assert added == pytest.approx(float(row["simulated"]), abs=0.11), (host, layer)
                    continue
                assert published == float(row["published"]), (host, layer, measure)
                assert simulated == pytest.approx(float(row["simulated"]), rel=6e-3), (host, layer, measure)
                compared += 1
    assert compared >= 30


def test_numbers_beside_published_ones_are_those_of_the_reproduction():
    """A number before `(published ..., ID)` on any page of a module is the simulated one of this claim, rounded."""
    compared = 0
    for path in sorted(ROOT.glob("contrib/*/doc/*.rst")):
        for found in re.finditer(r"(\d+\.\d+)[^().]{0,40}\(published[^()]*?\b([A-E]-\d\d)\b", path.read_text()):
            told, row = found[1], SCORED[found[2]]
            values = [float(value) for value in NUMBER.findall(f"{row['simulated']} {row['note']}")]
            digits = len(told.partition(".")[2])
            assert any(f"{value:.{digits}f}" == told for value in values), (path.name, found[0])
            compared += 1
    assert compared >= 3


@pytest.mark.parametrize("module", ["eqa", "mpi-ranks", "parastation", "pcode"])
def test_shares_on_the_pages_are_those_of_the_reproduction(module):
    """`ID NUMBER` in a paragraph on the experiment `joint`."""
    texts = [path.read_text() for path in (ROOT / "contrib" / module / "doc").glob("*.rst")]
    told = [found[0] for text in texts for found in re.finditer(r"so many of 64 samples:.*?\n\n", text, re.DOTALL)]
    pairs = [pair for one in told for pair in re.findall(r"([A-E]-[\w-]+)\s+(\d+)", one)]
    assert len(told) == 1 and len(pairs) >= 7
    assert {name: SCORED[name]["share"] for name, _ in pairs} == {name: f"{holds} of 64" for name, holds in pairs}


@pytest.mark.parametrize("name", ["C-21", "C-23", "C-24"])
def test_micro_benchmarks_of_mpi_ranks_have_the_numbers_of_the_reproduction(name):
    """The last two numbers with a decimal before a claim's id."""
    before = page("mpi-ranks", "mpi-ranks").partition("Mean of the sizes to 64 bytes")[2].partition(f"({name}")[0]
    numbers = re.findall(r"\d+\.\d", before)[-2:]
    assert len(numbers) == 2 and all(has(name, number) for number in numbers), numbers
