# SPDX-License-Identifier: GPL-2.0-only
"""
Reports as one self-contained HTML file, with text, tables, figures and the origin of each number.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import pandas as pd

from relnet.experiments import claims
from relnet.records import files

_STYLE = """
:root { --ink: #1d2733; --soft: #5c6773; --line: #dfe4ea; --wash: #f5f7f9; --blue: #0072b2; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 28px 22px 80px; color: var(--ink); background: #fff;
       font: 15px/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7em; margin: 1.6em 0 .2em; line-height: 1.2; }
h1:first-child { margin-top: .2em; } .group { padding-top: 1.1em; } .group .soft { font-weight: normal; }
a { color: var(--blue); } td a, th a { text-decoration: none; }
h2 { font-size: 1.25em; margin: 2.4em 0 .5em; padding-top: .5em; border-top: 1px solid var(--line); }
h3 { font-size: 1.02em; margin: 1.6em 0 .4em; }
p { max-width: 78ch; margin: .5em 0; }
.soft, figcaption, .source { color: var(--soft); font-size: .88em; }
nav { columns: 2; font-size: .92em; margin: 1em 0; }
nav a { display: block; color: var(--blue); text-decoration: none; }
figure { margin: 1em 0; } figure img { max-width: 100%; height: auto; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87em; margin: .8em 0; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; border-bottom: 2px solid var(--line); padding: .3em .7em .3em 0;
     vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); padding: .28em .7em .28em 0; vertical-align: top; }
td.n, th.n { text-align: right; } td.n { white-space: nowrap; }
tr:hover td { background: var(--wash); }
code, pre { font: .88em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; background: var(--wash); border-radius: 3px; }
code { padding: .08em .3em; overflow-wrap: anywhere; } pre { padding: .7em .9em; overflow-x: auto; }
details { margin: .6em 0; } summary { cursor: pointer; color: var(--blue); }
.chip { display: inline-block; border-radius: 9px; padding: .05em .65em; font-size: .85em; white-space: nowrap;
        background: #e8ebef; }
.predicted { background: #d3eee3; } .deviates { background: #fbe0cf; } .calibrated { background: #dcebf7; }
.matched-after-seen { background: #cfe3f5; } .undecidable { background: #e3e3e3; }
.rule-tested { background: #e6f3d8; } .contradicts-itself { background: #f3dcec; } .not-yet { background: #fdf3cd; }
.broken { background: #c00000; color: #fff; }
.banner { background: #fdf3cd; border-radius: 4px; padding: .6em .9em; }
"""


_HOVER = """
const cells = JSON.parse(document.getElementById("cells").textContent);
for (const figure of document.querySelectorAll("figure[data-panels]")) {
  const panels = JSON.parse(figure.dataset.panels), image = figure.querySelector("img");
  image.addEventListener("mousemove", (event) => {
    const box = image.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width, y = (event.clientY - box.top) / box.height;
    const at = panels.findIndex(([left, top, width, height]) =>
      x >= left && x < left + width && y >= top && y < top + height);
    if (at < 0) { image.title = ""; return; }
    const [left, top, width, height] = panels[at];
    const row = Math.floor((y - top) / height * cells.rows), column = Math.floor((x - left) / width * cells.columns);
    const text = cells.texts[at][row * cells.columns + column];
    if (image.title !== text) image.title = text;
  });
}
"""
"""Script that shows the text of the cell under the mouse."""

_MEANING = (
    "<p>A published value is <em>predicted</em> if the simulated one is within its tolerance, and all defaults and "
    "readings behind it were decided before the value was seen. It is <em>matched after seen</em> if one was decided "
    "with the value in view, or if another value of such a default reverses the verdict. It <em>deviates</em> if it is "
    "outside the tolerance. It is <em>undecidable</em> if the test could not have failed, repeats another claim, or "
    "depends on unpublished numbers. A value used for calibration is <em>calibrated</em>. A rule is "
    "<em>rule-tested</em> if the tests with its id ran with this report and passed. A value that the paper states in "
    "two ways <em>contradicts itself</em>. <em>Context</em> is not judged, or follows from judged values. A claim "
    "without a run, or without one at the published scale, is <em>not-yet</em>.</p>"
)


@dataclass
class Section:
    """
    A table or figure of a report.

    Attributes
    ----------
    key, title, source : str
        Anchor; heading; section of the paper.
    text : sequence of str
        Paragraphs.
    table : pandas.DataFrame or None
        The table.
    image : str
        Data URI of the figure; empty without one.
    files : sequence of str
        Names of its files in the folder of the report.
    origin : str
        Code version, configuration and seeds, in one line.
    commands : sequence of str
        Command lines that repeat it.
    place : tuple of float
        Sort key among the sections of its chapter.
    folded : str
        Summary line of a folded table; empty to show the table.
    panels : sequence of tuple
        Heat maps of the figure, whose cells have a text: left, top, width and height of each, as shares of the figure.
    cells : mapping or None
        These texts, for all figures of the page with the same cells: `rows`, `columns` and `texts`.
    """

    key: str
    title: str
    source: str
    text: Sequence[str] = ()
    table: pd.DataFrame | None = None
    image: str = ""
    files: Sequence[str] = ()
    origin: str = ""
    commands: Sequence[str] = ()
    place: tuple[float, ...] = ()
    folded: str = ""
    panels: Sequence[tuple[float, float, float, float]] = ()
    cells: Mapping[str, object] | None = None


@dataclass
class Chapter:
    """
    The chapter of a report on one paper.

    Attributes
    ----------
    key, title, citation : str
        Anchor; the paper's title; its authors and publication.
    sections : list of Section
        Sections, sorted by `place`.
    verdicts : pandas.DataFrame
        Verdicts, from `claims.judge`.
    parameters : pandas.DataFrame or None
        Model parameters with their values and origins.
    pending : sequence of str
        Titles of tables and figures that are not computed yet.
    costs : pandas.DataFrame
        Claims on the cost of reliability with their findings, from `claims.excerpt`.
    remarks : sequence of str
        Paragraphs on the calibration of the model.
    """

    key: str
    title: str
    citation: str
    sections: list[Section] = field(default_factory=list)
    verdicts: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=list(claims.COLUMNS)))
    parameters: pd.DataFrame | None = None
    pending: Sequence[str] = ()
    costs: pd.DataFrame = field(default_factory=pd.DataFrame)
    remarks: Sequence[str] = ()


def _cell(value: object) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return "<td></td>"
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return f"<td>{'yes' if value else 'no'}</td>"
    if isinstance(value, float):
        return f'<td class="n">{claims.number_text(value)}</td>'
    if isinstance(value, int):
        return f'<td class="n">{value}</td>'
    text = str(value)
    if text in claims.VERDICTS or text == "broken":
        return f'<td><span class="chip {text}">{text}</span></td>'
    return f"<td>{escape(text)}</td>"


def table_html(frame: pd.DataFrame) -> str:
    """
    Format a data frame as an HTML table: numbers right-aligned, non-integers with three digits.

    Parameters
    ----------
    frame : pandas.DataFrame
        The data frame; its index is not printed.
    """
    heads = []
    for name in frame.columns:
        right = ' class="n"' if pd.api.types.is_numeric_dtype(frame[name]) else ""
        heads.append(f"<th{right}>{escape(str(name))}</th>")
    rows = ["<tr>" + "".join(map(_cell, row)) + "</tr>" for row in frame.itertuples(index=False, name=None)]
    body = "\n".join(rows)
    return f'<div class="wide"><table><thead><tr>{"".join(heads)}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def _group_html(chapter: Chapter, columns: int) -> str:
    """The heading row of a paper in a table of all papers."""
    link = f'<a href="#{escape(chapter.key)}">{escape(chapter.title)}</a>'
    by = f'<span class="soft">{escape(chapter.citation)}</span>'
    return f'<tr><th class="group" colspan="{columns}">{link} {by}</th></tr>'


def _costs_html(chapters: Sequence[Chapter], ratios: Section | None) -> str:
    """Claims on the cost of reliability with their findings, then the ratios of all papers."""
    told = [chapter for chapter in chapters if len(chapter.costs)]
    if not told:
        return ""
    names = list(told[0].costs.columns)
    rows = ["<tr>" + "".join(f"<th>{escape(name)}</th>" for name in names) + "</tr>"]
    for chapter in told:
        rows.append(_group_html(chapter, len(names)))
        rows += ["<tr>" + "".join(map(_cell, row)) + "</tr>" for row in chapter.costs.itertuples(index=False)]
    return (
        '<h2 id="cost">Cost of reliability in software over an unreliable network</h2>\n'
        "<p>Claims of each paper on this cost, and the simulated values. The cost is in time, packets, processor time "
        "or memory. Some protocols are faster than those that they replace.</p>\n"
        f'<div class="wide"><table>{"".join(rows)}</table></div>' + (_section_html(ratios) if ratios else "")
    )


def _verdicts_html(chapters: Sequence[Chapter]) -> str:
    """Number of claims of each paper by verdict."""
    rows = []
    for chapter in chapters:
        counts = chapter.verdicts["verdict"].value_counts()
        cells = "".join(f'<td class="n">{counts.get(name, 0)}</td>' for name in claims.VERDICTS)
        link = f'<a href="#{escape(chapter.key)}-claims">{escape(chapter.title)}</a>'
        rows.append(f'<tr><td>{link}</td>{cells}<td class="n">{len(chapter.verdicts)}</td></tr>')
    heads = "".join(f'<th class="n"><span class="chip {name}">{name}</span></th>' for name in claims.VERDICTS)
    return (
        '<h2 id="verdicts">Claims by verdict</h2>\n'
        f'{_MEANING}\n<div class="wide"><table><tr><th>paper</th>{heads}<th class="n">all</th></tr>'
        f"{''.join(rows)}</table></div>"
    )


def _section_html(section: Section) -> str:
    parts = [f'<h2 id="{escape(section.key)}">{escape(section.title)}</h2>']
    if section.source:
        parts.append(f'<p class="source">Paper: {escape(section.source)}</p>')
    parts += [f"<p>{escape(paragraph)}</p>" for paragraph in section.text]
    caption = f"<figcaption>{escape(section.origin)}</figcaption>" if section.origin else ""
    if section.image:
        spots = f" data-panels='{json.dumps(section.panels)}'" if section.panels else ""
        parts.append(f'<figure{spots}><img alt="{escape(section.title)}" src="{section.image}">{caption}</figure>')
    if section.cells:
        # A text within the data must not end the element.
        data = json.dumps(section.cells).replace("</", "<\\/")
        parts.append(f'<script type="application/json" id="cells">{data}</script>')
    if section.table is not None and len(section.table):
        shown = table_html(section.table)
        fold = f"<details><summary>{escape(section.folded)}</summary>{shown}</details>"
        parts.append(fold if section.folded else shown)
    if caption and not section.image:
        parts.append(f'<p class="soft">{escape(section.origin)}</p>')
    if section.files:
        links = ", ".join(f'<a href="{escape(name)}">{escape(name)}</a>' for name in section.files)
        parts.append(f'<p class="soft">Data and figure: {links}</p>')
    if section.commands:
        lines = escape("\n".join(section.commands))
        parts.append(f"<details><summary>Repeat these runs</summary><pre>{lines}</pre></details>")
    return "\n".join(parts)


def _counts_html(verdicts: pd.DataFrame) -> str:
    counts = verdicts["verdict"].value_counts()
    chips = [f'<span class="chip {name}">{counts[name]} {name}</span>' for name in claims.VERDICTS if name in counts]
    return f"<p>{len(verdicts)} published values and statements: {' '.join(chips)}</p>\n<p>{score(verdicts)}</p>"


def score(verdicts: pd.DataFrame) -> str:
    """A sentence with the number of claims by scored verdict."""
    counts = claims.count(verdicts)
    told = ", ".join(f"{count} {name.replace('-', ' ')}" for name, count in counts.items())
    return f"Of {sum(counts.values())} claims on results: {told}."


def _claims_html(chapter: Chapter) -> str:
    verdicts = chapter.verdicts
    parts = [f'<h2 id="{escape(chapter.key)}-claims">Every claim</h2>', _counts_html(verdicts)]
    columns = ["id", "section", "claim", "published", "simulated", "ratio", "verdict", "decided", "note"]
    for name in claims.VERDICTS:
        chosen = verdicts.loc[verdicts["verdict"] == name, columns]
        if len(chosen):
            opened = " open" if name in claims.SCORED else ""
            parts.append(f"<details{opened}><summary>{name}: {len(chosen)}</summary>{table_html(chosen)}</details>")
    return "\n".join(parts)


def _chapter_html(chapter: Chapter) -> str:
    parts = [f'<h1 id="{escape(chapter.key)}">{escape(chapter.title)}</h1>']
    parts.append(f'<p class="soft">{escape(chapter.citation)}</p>')
    parts.append(_counts_html(chapter.verdicts))
    parts += [f"<p>{escape(line)}</p>" for line in chapter.remarks]
    links = [(section.key, section.title) for section in chapter.sections]
    links.append((f"{chapter.key}-claims", "Every claim"))
    if chapter.parameters is not None:
        links.append((f"{chapter.key}-parameters", "Model parameters and their origin"))
    parts.append("<nav>" + "".join(f'<a href="#{escape(key)}">{escape(title)}</a>' for key, title in links) + "</nav>")
    if chapter.pending:
        parts.append(f'<p class="banner">Not computed yet: {escape(", ".join(chapter.pending))}.</p>')
    parts += [_section_html(section) for section in chapter.sections]
    parts.append(_claims_html(chapter))
    if chapter.parameters is not None:
        parts.append(f'<h2 id="{escape(chapter.key)}-parameters">Model parameters and their origin</h2>')
        counts = chapter.parameters["origin"].value_counts()
        told = ", ".join(f"{origin} {count}" for origin, count in counts.items())
        parts.append(
            "<p>Origins as the scenario declares them: a source, a reading of an open point of the paper, general "
            "knowledge, calibrated against the stated values, unknown, an input of the run, or a default of this "
            f"project. {escape(told[0].upper() + told[1:])}.</p>"
        )
        parts.append(table_html(chapter.parameters))
    return "\n".join(parts)


def render(
    chapters: Sequence[Chapter],
    facts: Mapping[str, str],
    quick: bool = False,
    ratios: Section | None = None,
    matrix: Sequence[Section] = (),
    protocols: Section | None = None,
) -> str:
    """
    Render the page: costs of protocols, costs and claims of the papers, then the chapters and the fault matrix.

    Parameters
    ----------
    chapters : sequence of Chapter
        One chapter per paper.
    facts : mapping of str to str
        Names and values of common facts: code version, scale, seeds.
    quick : bool
        Whether the scale is reduced.
    ratios : Section, optional
        Comparison of times with and without reliability in software.
    matrix : sequence of Section
        The fault matrix.
    protocols : Section, optional
        What each protocol costs.
    """
    listed = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts.items())
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    body = "\n".join(_chapter_html(chapter) for chapter in chapters)
    tail = "\n".join(map(_section_html, matrix))
    link = ', <a href="#matrix">the fault matrix</a>' if matrix else ""
    left = sum(len(chapter.pending) for chapter in chapters)
    banners = []
    if left:
        banners.append(f"Not computed yet: {left} tables and figures.")
    if quick:
        banners.append(
            "Reduced scale: these numbers do not predict the published ones, and claims that depend on the scale have "
            "no verdict. Run without --quick for verdicts."
        )
    head = "".join(f'<p class="banner">{text}</p>\n' for text in banners)
    hover = f"<script>{_HOVER}</script>\n" if any(section.cells for section in matrix) else ""
    repeated = sorted({line for chapter in chapters for section in chapter.sections for line in section.commands})
    again = escape("\n".join(repeated))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>relnet: reproduction</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>Reliable messaging over unreliable interconnects, reproduced</h1>\n"
        f'<p class="soft">relnet {escape(facts.get("Code version", ""))}, {now}. <a href="#origin">Origin of the '
        f'numbers</a>, <a href="#repeat">commands of all runs</a>, <a href="claims.csv">all claims as CSV</a>'
        f"{link}.</p>"
        f"\n{head}{_section_html(protocols) if protocols else ''}\n{_costs_html(chapters, ratios)}\n"
        f"{_verdicts_html(chapters) if chapters else ''}\n{body}\n{tail}\n"
        f'<h2 id="repeat">Commands of all runs</h2><p>Each run is one command. The same parameters and seed give the '
        f"same result, bit for bit.</p><pre>{again}</pre>\n"
        f'<h2 id="origin">Origin of the numbers</h2><table>{listed}</table>\n'
        f'<p class="soft">Written by relnet on {now}.</p>\n{hover}</body></html>\n'
    )


def write(
    path: Path,
    chapters: Sequence[Chapter],
    facts: Mapping[str, str],
    quick: bool = False,
    ratios: Section | None = None,
    matrix: Sequence[Section] = (),
    protocols: Section | None = None,
) -> None:
    """Write the page, whole or not at all; see `render`."""
    files.replace_file(path, render(chapters, facts, quick, ratios, matrix, protocols).encode("utf-8"))
