# SPDX-License-Identifier: GPL-2.0-only
"""
Claims of the papers, and their verdicts.

The published values are in `analysis/published/`, one row each, with the use of each row. A match is `predicted` only
if all defaults behind it were decided before the value was seen. Calibrated values, and matches with defaults decided
after the value was seen, have other verdicts. A match that any sane model has is `guaranteed` and not counted; a test
without significance is `undecidable`. A rule is `rule-tested` if the tests with its id ran and passed in this
reproduction, or if its searches and runs did. A claim without a run is `not-yet`.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pandas as pd

from relnet import build
from relnet.errors import RelnetError

COLUMNS = (
    "id",
    "paper",
    "section",
    "claim",
    "use",
    "published",
    "simulated",
    "ratio",
    "test",
    "tolerance",
    "verdict",
    "decided",
    "share",
    "note",
)
"""Columns of `claims.csv`."""

VERDICTS = (
    "predicted",
    "matched-after-seen",
    "deviates",
    "undecidable",
    "guaranteed",
    "calibrated",
    "rule-tested",
    "contradicts-itself",
    "context",
    "not-yet",
)
"""All verdicts."""

SCORED = VERDICTS[:4]
"""Verdicts on claimed results, which the score of a reproduction counts."""

BEFORE, AFTER, UNDECIDABLE = "before", "after the value was seen", "undecidable"
"""Times at which the defaults and readings behind a verdict were decided; the text is empty without a decision."""

DOCUMENTED = (*SCORED, "guaranteed")
"""Verdicts on claimed results with which documents are compared."""

_RULE = "rule"
"""Kind of a claim that is a rule of a protocol: its searches and runs test an implementation, and predict nothing."""

_CELL = re.compile(r"(?P<value>\d+(?:\.\d+)?)(?: (?P<unit>[A-Za-z%/ ]+))?")
_ID = re.compile(r"\b[A-Z]+-[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
"""Form of an id: the prefix of its paper, and parts. Other words of this form match no claim and are ignored."""


@dataclass(frozen=True)
class Claim:
    """
    A row of the published data.

    Attributes
    ----------
    id, paper, section, kind, use, test, text : str
        Columns of the file; `text` is the last one.
    tolerance : float or None
        Allowed deviation of a simulated value, as `test` defines it.
    """

    id: str
    paper: str
    section: str
    kind: str
    use: str
    test: str
    tolerance: float | None
    text: str

    @property
    def value(self) -> float | None:
        """The published number; None if the claim is a sentence."""
        found = _CELL.fullmatch(self.text.strip())
        return float(found["value"]) if found else None

    @property
    def unit(self) -> str:
        """The unit of the published number."""
        found = _CELL.fullmatch(self.text.strip())
        return (found["unit"] or "") if found else ""


@dataclass(frozen=True)
class Finding:
    """
    The simulated counterpart of a claim.

    Attributes
    ----------
    simulated : float, bool, str, tuple of float, or None
        A number or several; for a statement, whether it holds; a text if there is nothing to compare; None without a
        run.
    published : tuple
        Numbers of a claim that is a sentence, each a number or an interval (low, high).
    note : str
        One or two sentences.
    scale : bool
        Whether the runs had the published scale, without which there is no verdict.
    holds : bool
        Whether a statement that accompanies the numbers is true.
    seen : bool
        Whether a default was decided after the value was seen; the claim can then deviate, but not be predicted.
    vacuous : str
        Reason why a match has no significance, as a sentence; the claim can then only deviate.
    guaranteed : str
        Reason why a match holds by construction or for any sane model, as a sentence; the claim can then only deviate.
    undecidable : str
        Reason why neither a match nor a deviation has significance, as a sentence.
    """

    simulated: object = None
    published: tuple = ()
    note: str = ""
    scale: bool = True
    holds: bool = True
    seen: bool = False
    vacuous: str = ""
    guaranteed: str = ""
    undecidable: str = ""


@dataclass(frozen=True)
class TestedBy:
    """
    A test with the id of a claim.

    Attributes
    ----------
    file, name : str
        File, relative to the repository, and name.
    suites : tuple of str
        For a C++ test, the ns-3 suites that the file defines.
    """

    file: str
    name: str
    suites: tuple[str, ...] = ()

    __test__ = False

    def __str__(self) -> str:
        return f"{self.name} ({self.file})"


def read(paper: str) -> list[Claim]:
    """
    Read the claims of a paper.

    Parameters
    ----------
    paper : str
        Name of the paper; the claims are in `analysis/published/NAME.csv`.

    Raises
    ------
    RelnetError
        If the file cannot be read.
    """
    path = build.data_folder("published") / f"{paper}.csv"
    try:
        with open(path, newline="", encoding="ascii") as source:
            return [
                Claim(
                    row["id"],
                    row["paper"],
                    row["section"],
                    row["kind"],
                    row["use"],
                    row["test"],
                    float(row["tolerance"]) if row["tolerance"] else None,
                    row["value_or_claim"],
                )
                for row in csv.DictReader(source)
            ]
    except (OSError, KeyError, ValueError) as error:
        raise RelnetError(f"The published data in {path} cannot be read: {error}.") from None


def published_values(paper: str) -> dict[str, float]:
    """Published numbers of a paper by id."""
    return {claim.id: claim.value for claim in read(paper) if claim.value is not None}


def _python_tests(path: Path) -> Iterable[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            for found in _ID.finditer(ast.get_docstring(node) or ""):
                yield found[0], node.name


def _cpp_tests(path: Path) -> Iterable[tuple[str, str]]:
    """Find ids in names of tests; and in comments, for the class that follows or contains the comment."""
    text = path.read_text(encoding="utf-8")
    comments = [found.span() for found in re.finditer(r"/\*.*?\*/|(?:[ \t]*//[^\n]*\n)+", text, re.DOTALL)]
    classes = [(found.start(), found[1]) for found in re.finditer(r"^\s*(?:class|struct)\s+(\w+)", text, re.MULTILINE)]
    for found in _ID.finditer(text):
        position = found.start()
        line = text[text.rfind("\n", 0, position) + 1 : text.find("\n", position)]
        quoted = next((part for part in re.findall(r'"([^"]*)"', line) if found[0] in part), None)
        if quoted is not None:
            yield found[0], quoted
            continue
        end = next((end for start, end in comments if start <= position < end), None)
        after = next(((start, name) for start, name in classes if end is not None and start >= end - 1), None)
        if after is not None and not text[end : after[0]].strip():
            yield found[0], after[1]
        else:
            before = [name for start, name in classes if start < position]
            yield found[0], before[-1] if before else path.stem


@lru_cache(maxsize=1)
def tests() -> Mapping[str, tuple[TestedBy, ...]]:
    """
    Find the tests with ids of claims, in names or comments of C++ tests and in docstrings of Python tests.

    Returns
    -------
    mapping of str to tuple of TestedBy
        Tests by id; empty without the sources, as in a wheel.
    """
    root = build.clone()
    if root is None:
        return {}
    found: dict[str, dict[TestedBy, None]] = {}
    files = [(path, _cpp_tests) for path in sorted(root.glob("contrib/*/test/*.cc"))]
    files += [(path, _python_tests) for path in sorted(root.glob("test/test_*.py"))]
    for path, scan in files:
        suites = tuple(re.findall(r'\bTestSuite\("([^"]+)"', path.read_text(encoding="utf-8")))
        for claim, name in scan(path):
            found.setdefault(claim, {})[TestedBy(str(path.relative_to(root)), name, suites)] = None
    return {claim: tuple(tested) for claim, tested in found.items()}


def number_text(value: float) -> str:
    """Format a number for tables: whole from 100, three digits below."""
    if value != value:
        return ""
    if abs(value) >= 100 or float(value).is_integer():
        return f"{value:.0f}"
    return f"{value:.3g}"


def _interval(value) -> tuple[float, float]:
    return (value[0], value[1]) if isinstance(value, tuple) else (value, value)


def within(test: str, tolerance: float, published: tuple, simulated: tuple[float, ...]) -> bool:
    """
    Whether simulated numbers pass a test against the published ones.

    Parameters
    ----------
    test : str
        `ratio`: simulated / published within 1 +- tolerance. `factor`: within the factor either way, and counts below 1
        within +-1. `points`: at most that many points apart.
    tolerance : float
        Tolerance of the test.
    published : tuple
        Numbers, or intervals (low, high).
    simulated : tuple of float
        As many numbers, or more if the last published one applies to all others.
    """
    for index, value in enumerate(simulated):
        low, high = _interval(published[min(index, len(published) - 1)])
        nearest = min(max(value, low), high)
        if test == "ratio":
            near = nearest != 0 and abs(value / nearest - 1) <= tolerance
        elif test == "points":
            near = abs(value - nearest) <= tolerance
        elif test == "factor":
            if abs(nearest) < 1:
                near = abs(value - nearest) <= 1
            else:
                near = value > 0 and 1 / tolerance <= value / nearest <= tolerance
        else:
            raise RelnetError(f"There is no test {test!r}; there are ratio, factor, points and holds.")
        if not near:
            return False
    return True


def _texts(finding: Finding, published: tuple) -> tuple[str, str, str]:
    """Texts of the columns published, simulated and ratio."""
    left = "; ".join(" to ".join(map(number_text, dict.fromkeys(_interval(value)))) for value in published)
    simulated = finding.simulated
    if simulated is None:
        return left, "", ""
    if isinstance(simulated, bool):
        return "holds", "holds" if simulated else "does not hold", ""
    if isinstance(simulated, str):
        return left, simulated, ""
    values = simulated if isinstance(simulated, tuple) else (simulated,)
    ratios = []
    if len(values) == len(published) and not any(isinstance(value, tuple) for value in published):
        ratios = [f"{value / one:.3f}" for value, one in zip(values, published, strict=True) if one]
    return left, "; ".join(map(number_text, values)), "; ".join(ratios)


def _published(claim: Claim, finding: Finding) -> tuple:
    return finding.published or (() if claim.value is None else (claim.value,))


def met(claim: Claim, finding: Finding) -> bool | None:
    """
    Whether a finding passes the test of its claim.

    Parameters
    ----------
    claim : Claim
        The claim.
    finding : Finding
        Its simulated counterpart.

    Returns
    -------
    bool or None
        None without a run at the published scale, a test, or a published number.
    """
    if finding.simulated is None or not finding.scale:
        return None
    if claim.test == "holds":
        return finding.simulated is True
    published = _published(claim, finding)
    if claim.test == "" or claim.tolerance is None or not published:
        return None
    values = finding.simulated if isinstance(finding.simulated, tuple) else (finding.simulated,)
    return within(claim.test, claim.tolerance, published, values) and finding.holds


def _verdict(claim: Claim, finding: Finding, suites: tuple[str, ...], ran: Mapping[str, bool]) -> str:
    use = claim.use
    if use == "AMB":
        return "contradicts-itself"
    if any(suite in ran and not ran[suite] for suite in suites) and use in ("RULE", "IN"):
        return "deviates"
    if use in ("RULE", "IN") and suites and all(suite in ran for suite in suites):
        return "rule-tested"
    if use == "RULE":
        return "not-yet"
    if use in ("CTX", "-"):
        return "context"
    if finding.simulated is None or not finding.scale:
        return "not-yet"
    if use == "CAL":
        return "calibrated"
    if use in ("CHECK", "IN"):
        return "context"
    passed = met(claim, finding)
    if passed is None:
        return "context"
    if finding.undecidable or (finding.vacuous and passed):
        return "undecidable"
    if not passed:
        return "deviates"
    if claim.kind == _RULE:
        return "rule-tested"
    if finding.guaranteed:
        return "guaranteed"
    return "matched-after-seen" if finding.seen else "predicted"


def _decided(verdict: str, finding: Finding) -> str:
    """Time at which the defaults and readings behind a verdict were decided."""
    if verdict == "undecidable":
        return UNDECIDABLE
    if verdict in ("matched-after-seen", "calibrated"):
        return AFTER
    if verdict == "predicted" or (verdict == "deviates" and finding.simulated is not None):
        return AFTER if finding.seen else BEFORE
    return ""


def turned(claim: Claim, finding: Finding, alternatives: Mapping[str, Mapping[str, Finding]]) -> list[str]:
    """
    Find the settings that reverse the outcome of a claim.

    Parameters
    ----------
    claim : Claim
        The claim.
    finding : Finding
        Its finding with the defaults.
    alternatives : mapping of str to mapping
        Findings by claim, for each alternative to a default or reading that was decided with published values in view.

    Returns
    -------
    list of str
        The settings.
    """
    passed = met(claim, finding)
    if passed is None:
        return []
    others = {setting: met(claim, found[claim.id]) for setting, found in alternatives.items() if claim.id in found}
    return [setting for setting, other in others.items() if other is not None and other != passed]


def judge(
    claims: Iterable[Claim],
    findings: Mapping[str, Finding],
    modelled: bool,
    names: Mapping[str, str] | None = None,
    passed: Mapping[str, bool] | None = None,
    alternatives: Mapping[str, Mapping[str, Finding]] | None = None,
    shares: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """
    Give each claim its verdict.

    Parameters
    ----------
    claims : iterable of Claim
        Claims of one paper.
    findings : mapping of str to Finding
        Findings by id; other claims have no run.
    modelled : bool
        Whether the paper has a model; without one, only context and contradictions have verdicts.
    names : mapping of str to str
        Descriptions of claims that are a number, by id.
    passed : mapping of str to bool
        Test suites that ran, and whether all of their tests passed. A statement without a finding holds if the suites
        with its id passed.
    alternatives : mapping of str to mapping
        Findings with alternative defaults, as for `turned`. A claim whose outcome changes with such a default was
        decided after its value was seen.
    shares : mapping of str to str
        For each claim, the share of samples of all defaults without a source for which it holds, as `47 of 64`.

    Returns
    -------
    pandas.DataFrame
        One row per claim with the columns `COLUMNS`, all texts.
    """
    ran = passed or {}
    rows = []
    for claim in claims:
        finding = findings.get(claim.id, Finding())
        tested = tests().get(claim.id, ()) if modelled else ()
        suites = tuple(dict.fromkeys(suite for one in tested for suite in one.suites))
        run = [suite for suite in suites if suite in ran]
        failed = [suite for suite in run if not ran[suite]]
        if finding.simulated is None and claim.test == "holds" and run:
            finding = replace(finding, simulated=not failed, note=f"Scripted runs that a test checks. {finding.note}")
        other = turned(claim, finding, alternatives or {})
        finding = replace(finding, seen=finding.seen or bool(other))
        left, right, ratio = _texts(finding, _published(claim, finding))
        verdict = _verdict(claim, finding, suites, ran)
        notes = [finding.note.strip()] if finding.note else []
        if other:
            notes.append(
                f"The outcome is the opposite with: {'; '.join(other)}. It was thus decided after it was seen."
            )
        if verdict == "undecidable":
            notes.append(finding.undecidable or finding.vacuous)
        if verdict == "guaranteed":
            notes.append(finding.guaranteed)
        if tested:
            notes.append(f"Tested by {'; '.join(map(str, tested))}.")
        elif claim.use == "RULE" and modelled:
            notes.append("No test has this id." if build.clone() else "Only a clone has the tests of rules.")
        if run:
            told = f"not all pass: {', '.join(failed)}" if failed else "all pass"
            notes.append(f"Run with this report: {', '.join(run)}; {told}.")
        if right and not finding.scale:
            notes.append(f"Not at the published scale, therefore without a verdict: {right}.")
            right = ratio = ""
        text = claim.text
        if claim.value is not None:
            unit = f" [{claim.unit}]" if claim.unit else ""
            text = (names or {}).get(claim.id, claim.id) + unit
        tolerance = "" if claim.tolerance is None else f"{claim.tolerance:g}"
        cells = (claim.id, claim.paper, claim.section, text, claim.use, left, right, ratio, claim.test, tolerance)
        share = (shares or {}).get(claim.id, "") if verdict in DOCUMENTED else ""
        rows.append((*cells, verdict, _decided(verdict, finding), share, " ".join(notes)))
    return pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)


def count(verdicts: pd.DataFrame) -> dict[str, int]:
    """
    Count the scored claims by verdict.

    Parameters
    ----------
    verdicts : pandas.DataFrame
        The return value of `judge`, or `claims.csv`.

    Returns
    -------
    dict of str to int
        Number of claims for each of `SCORED`.
    """
    counts = verdicts["verdict"].value_counts()
    return {name: int(counts.get(name, 0)) for name in SCORED}


def scored(verdicts: pd.DataFrame) -> pd.DataFrame:
    """
    Select the claims on results, in the form that documents are compared with.

    Parameters
    ----------
    verdicts : pandas.DataFrame
        The return value of `judge`.

    Returns
    -------
    pandas.DataFrame
        Columns id, paper, published, simulated, verdict, decided, share and note, without the tests.
    """
    chosen = verdicts[verdicts["verdict"].isin(DOCUMENTED)]
    chosen = chosen[["id", "paper", "published", "simulated", "verdict", "decided", "share", "note"]]
    notes = [re.split(r"(?:Tested by|Run with this report) ?", note)[0].strip() for note in chosen["note"]]
    return chosen.assign(note=notes)


def excerpt(
    ids: Iterable[str], claims: Iterable[Claim], findings: Mapping[str, Finding], verdicts: pd.DataFrame
) -> pd.DataFrame:
    """
    Select claims with their findings, at any scale, for the first table of a report.

    Parameters
    ----------
    ids : iterable of str
        Ids of the claims, in order.
    claims, findings
        As for `judge`.
    verdicts : pandas.DataFrame
        The return value of `judge`.

    Returns
    -------
    pandas.DataFrame
        Columns claim, published, simulated, verdict, finding.
    """
    known = {claim.id: claim for claim in claims}
    judged = verdicts.set_index("id")
    rows = []
    for name in ids:
        finding, row = findings.get(name, Finding()), judged.loc[name]
        left, right, _ = _texts(finding, _published(known[name], finding))
        rows.append((row["claim"], left, right, row["verdict"], finding.note))
    return pd.DataFrame(rows, columns=["claim", "published", "simulated", "verdict", "finding"], dtype=object)
