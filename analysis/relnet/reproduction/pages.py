# SPDX-License-Identifier: GPL-2.0-only
"""
The site of a report: a start page, a page a paper, and pages of claims, costs, searches, traces and the fault matrix.

Pages need neither a server nor a network. Figures and data are the files of the results beside the site's folder; the
library that draws curves is copied into it.
"""

from __future__ import annotations

import collections
import datetime
import functools
import itertools
import json
import re
import shutil
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
from markupsafe import Markup, escape

from relnet.errors import RelnetError
from relnet.experiments import claims
from relnet.records import files
from relnet.reproduction import report, tables
from relnet.reproduction.report import Chapter, Playback, Report, Section

FOLDER = "report"
"""Folder of the pages in the folder of the results."""
START = "report.html"
"""File in the folder of the results that leads to the start page."""
LIBRARY = "plotly.min.js"
"""File that draws curves, from the package plotly."""
_WORST_FIRST = ("deviates", *(name for name in claims.SCORED if name != "deviates"))
"""Verdicts on results, in the order of a page."""
_HERE = Path(__file__).parent
_SHOWN = (*_WORST_FIRST, *(name for name in claims.DOCUMENTED if name not in claims.SCORED))
"""Verdicts on results that a paper's page lists."""
_WORST = 3
"""Number of deviating claims of each paper on the start page."""
_OPEN_ROWS = 24
"""Number of rows of a table that is not folded."""
_LONG_ORIGIN = 200
"""Number of letters of an origin whose parameters are folded."""
_WIDE_TABLE = 10
"""Number of columns from which on a table is set in smaller type."""
_MOST_ROWS = 400
"""Number of rows of a table on a page; its file has all."""
_TESTS = re.compile(r"(?:Tested by|Run with this report|No test has this id|Only a clone has)")
"""Where the tests of a claim begin in its note."""


@dataclass(frozen=True)
class Link:
    """
    An entry of the contents.

    Attributes
    ----------
    file, title, hint : str
        Page; its title; a remark such as a number of claims.
    group : str
        Heading under which it is listed.
    """

    file: str
    title: str
    hint: str = ""
    group: str = ""


@functools.lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    """The templates."""
    loader = jinja2.FileSystemLoader(_HERE / "templates")
    made = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    made.filters["code"] = _code
    made.filters["data"] = _data
    made.filters["words"] = lambda verdict: verdict.replace("-", " ")
    made.filters["verb"] = _verb
    made.filters["thousands"] = lambda number: f"{number:,}".replace(",", "\u202f")
    made.globals |= {
        "draw": _draw,
        "fit": tables.fit,
        "sentence": _sentence,
        "SCORED": claims.SCORED,
        "WORST_FIRST": _WORST_FIRST,
        "SHOWN": _SHOWN,
        "VERDICTS": claims.VERDICTS,
        "OPEN_ROWS": _OPEN_ROWS,
        "LONG_ORIGIN": _LONG_ORIGIN,
        "WIDE_TABLE": _WIDE_TABLE,
        "MOST_ROWS": _MOST_ROWS,
        "score": report.score,
    }
    return made


def _code(text: str) -> Markup:
    """A text whose words between backquotes are code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _data(value: Any) -> Markup:
    """A value as JSON within a script element, which a text of the value must not end."""
    return Markup(json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"))


_drawn: weakref.WeakKeyDictionary[Section | Playback, Markup] = weakref.WeakKeyDictionary()
"""Sections that were drawn before: a report is written after each experiment, and most of it stays."""


def _draw(one: Section | Playback, *arguments: Any) -> Markup:
    """A section or playback, drawn once."""
    if one not in _drawn:
        module = _environment().get_template("parts.html").module
        macro = module.section if isinstance(one, Section) else module.playback
        _drawn[one] = Markup(macro(one, *arguments))
    return _drawn[one]


def _verb(verdict: str, count: int) -> str:
    """A verdict after a number of claims."""
    return verdict.replace("-", " ").replace("deviates", "deviates" if count == 1 else "deviate")


def _sentence(row: Mapping[str, Any], column: str, unit: str = "") -> Markup:
    """A value of a claim, with its unit."""
    text = escape(row[column])
    if unit == "byte" and text != "1":
        unit = "bytes"
    return Markup(f"{text} <span class='unit'>{escape(unit)}</span>") if text and unit else Markup(text)


def _unit(claim: str) -> str:
    """The unit at the end of a claim that is a number."""
    found = re.search(r"\[([^\[\]]+)\]$", claim)
    return found[1] if found else ""


def claim_rows(chapter: Chapter) -> list[dict[str, str]]:
    """Claims of a paper, each with its unit and its tests apart from its text."""
    rows = []
    for row in chapter.verdicts.to_dict("records"):
        unit = _unit(row["claim"])
        text = row["claim"].removesuffix(f"[{unit}]").rstrip() if unit else row["claim"]
        # A statement has no unit beside "holds".
        shown = unit if any(letter.isdigit() for letter in row["published"]) else ""
        note, tests = _split(row["note"])
        rows.append({**row, "claim": text, "unit": shown, "paper": chapter.key, "note": note, "tests": tests})
    return rows


def claims_table(rows: Sequence[Mapping[str, str]], name: str) -> str:
    """
    A table of claims in HTML, as in a report.

    Parameters
    ----------
    rows : sequence of mapping
        Claims, as from `claim_rows`.
    name : str
        Name of the table for screen readers.
    """
    return _environment().get_template("parts.html").module.claims(rows, name)


def _split(note: str) -> tuple[str, str]:
    """The finding of a claim, and its tests."""
    found = _TESTS.search(note)
    return (note[: found.start()].rstrip(), note[found.start() :]) if found else (note, "")


def counts(chapters: Iterable[Chapter]) -> dict[str, int]:
    """Number of claims by verdict."""
    verdicts = [chapter.verdicts["verdict"] for chapter in chapters]
    found = pd.concat(verdicts).value_counts() if verdicts else {}
    return {name: int(found.get(name, 0)) for name in claims.VERDICTS}


def _contents(whole: Report) -> list[Link]:
    """The pages of a report, in order."""
    links = [Link("index.html", "Overview"), Link("claims.html", "Claims", str(sum(counts(whole.chapters).values())))]
    if whole.ratios or whole.protocols or any(len(chapter.costs) for chapter in whole.chapters):
        links.append(Link("costs.html", "Cost of reliability"))
    for chapter in whole.chapters:
        deviating = counts([chapter])["deviates"]
        hint = f"{deviating} deviate" if deviating else ""
        links.append(Link(f"{chapter.key}.html", chapter.key, hint, "Papers"))
    if whole.matrix:
        links.append(Link("matrix.html", "Fault matrix", "", "Checks"))
    if any(chapter.searches or chapter.counterexamples for chapter in whole.chapters):
        links.append(Link("searches.html", "Searches", "", "Checks"))
    if whole.traces:
        links.append(Link("traces.html", "Recorded runs", "", "Checks"))
    links.append(Link("origin.html", "Origin and commands", "", "Data"))
    return links


def _banners(whole: Report) -> list[str]:
    """Warnings about a report that is not complete."""
    left = sum(len(chapter.pending) for chapter in whole.chapters)
    found = [f"Not computed yet: {left} tables and figures."] if left else []
    if whole.quick:
        found.append(
            "Reduced scale: these numbers do not predict the published ones, and claims that depend on the scale have "
            "no verdict. Run without --quick for verdicts."
        )
    return found


def _commands(whole: Report) -> list[tuple[str, list[str]]]:
    """Command lines of all runs, by paper."""
    found = []
    for chapter in whole.chapters:
        sections = (*chapter.sections, *chapter.searches)
        found.append((chapter.key, sorted({line for section in sections for line in section.commands})))
    others = [section for section in (whole.ratios, whole.protocols, *whole.curves) if section]
    found.append(("all papers", sorted({line for section in others for line in section.commands})))
    return [(name, lines) for name, lines in found if lines]


def render(whole: Report) -> dict[str, str]:
    """
    Make the pages of a report.

    Parameters
    ----------
    whole : Report
        The report.

    Returns
    -------
    dict of str to str
        Pages by the name of their file.
    """
    links = _contents(whole)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    groups = [(name, list(own)) for name, own in itertools.groupby(links, key=lambda link: link.group)]
    common = {"report": whole, "groups": groups, "banners": _banners(whole), "now": now, "counts": counts}
    rows = {chapter.key: claim_rows(chapter) for chapter in whole.chapters}

    def page(template: str, file: str, **values: Any) -> str:
        return _environment().get_template(template).render(common | {"file": file} | values)

    pages = {
        "index.html": page("index.html", "index.html", worst=_worst(whole, rows), totals=_totals(whole)),
        "claims.html": page("claims.html", "claims.html", rows=_sorted(rows)),
        "origin.html": page("origin.html", "origin.html", commands=_commands(whole)),
    }
    pages |= {
        f"{chapter.key}.html": page("paper.html", f"{chapter.key}.html", chapter=chapter, rows=rows[chapter.key])
        for chapter in whole.chapters
    }
    for name in ("costs", "matrix", "searches", "traces"):
        if any(link.file == f"{name}.html" for link in links):
            pages[f"{name}.html"] = page(f"{name}.html", f"{name}.html")
    return pages


def _sorted(rows: Mapping[str, Sequence[Mapping[str, str]]]) -> list[Mapping[str, str]]:
    """The claims of all papers: the largest deviations first, then by verdict."""
    order = (*_WORST_FIRST, *(name for name in claims.VERDICTS if name not in _WORST_FIRST))
    every = [row for own in rows.values() for row in own]
    return sorted(every, key=lambda row: (order.index(row["verdict"]), -report.deviation(row["ratio"])))


def _worst(whole: Report, rows: Mapping[str, Sequence[Mapping[str, str]]]) -> list[Mapping[str, str]]:
    """The largest deviations of each paper, the largest of all first."""
    by_id = {(row["paper"], row["id"]): row for own in rows.values() for row in own}
    left = collections.Counter({chapter.key: _WORST for chapter in whole.chapters})
    found = []
    for chapter, row in report.worst(whole.chapters):
        if left[chapter.key]:
            left[chapter.key] -= 1
            found.append(by_id[chapter.key, row["id"]])
    return found


def _totals(whole: Report) -> list[tuple[int, str, str]]:
    """What was done: number, unit, and page."""
    sections = sum(len(chapter.sections) for chapter in whole.chapters)
    searches = [section.table for chapter in whole.chapters for section in chapter.searches]
    states = int(sum(table["states"].sum() for table in searches))
    found = [
        (len(whole.chapters), "papers", ""),
        (sections, "tables and figures", ""),
        (sum(chapter.runs for chapter in whole.chapters), "simulated runs", "origin.html"),
        (len(whole.matrix.cells["cells"]) if whole.matrix else 0, "cells of the fault matrix", "matrix.html"),
        (states, "states in searches", "searches.html"),
    ]
    return [one for one in found if one[0]]


def _library() -> Path:
    """The library that draws curves."""
    found = find_spec("plotly")
    if found is None or not found.submodule_search_locations:
        raise RelnetError(
            "The package plotly is missing, whose curves a report has; install it with: pip install plotly"
        )
    return Path(found.submodule_search_locations[0]) / "package_data" / LIBRARY


def write(folder: Path, whole: Report) -> None:
    """
    Write the site of a report into the folder of its results.

    A page that has not changed is left as it is, and one of an earlier report that this one lacks is deleted.

    Parameters
    ----------
    folder : pathlib.Path
        Folder of the results.
    whole : Report
        The report.
    """
    assets = files.make_folder(folder / FOLDER / "assets")
    for source in sorted((_HERE / "assets").iterdir()):
        _replace(assets / source.name, source.read_bytes())
    pages = render(whole)
    library = assets / LIBRARY
    if any("data-chart" in text for text in pages.values()) and not library.exists():
        shutil.copy(_library(), library)
    for path in (folder / FOLDER).glob("*.html"):
        if path.name not in pages:
            path.unlink()
    for name, text in pages.items():
        _replace(folder / FOLDER / name, text.encode("utf-8"))
    start = _environment().get_template("start.html").render(folder=FOLDER)
    _replace(folder / START, start.encode("utf-8"))


def _replace(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all, if its content is another."""
    if not path.exists() or path.read_bytes() != content:
        files.replace_file(path, content)
