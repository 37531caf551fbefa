# SPDX-License-Identifier: GPL-2.0-only
"""Assembles the sources of the documentation site, written pages and pages generated from code and results.

Usage: pages.py TARGET

- pages of `doc/` and of the modules, documents of the top folder, and linked files;
- notebooks of `examples/`, executed, with a gallery;
- figures of each system from `out/`, or from `doc/figures` without a reproduction; its claims from `doc/scored.csv`;
- tables of the parameters of each module, from the TypeIds, with a search, and the help of all commands.
"""

import argparse
import base64
import csv
import itertools
import json
import re
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import relnet
from relnet import papers
from relnet.catalog.parameters import Parameter
from relnet.cli.parser import make_parser
from relnet.experiments import claims
from relnet.experiments.definitions import Experiment, Paper
from relnet.reproduction.pages import claims_table

ROOT = Path(__file__).resolve().parents[1]
HERO = ("protocol-costs.svg", "protocol-costs-narrow.svg")
"""Figures of the start page."""
KEPT = ROOT / "doc" / "figures"
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGES.md", "RELEASE_NOTES.md")
WIDE = ("---", "hide-toc: true", "---", "")
"""Beginning of a page that uses the width of its contents too."""
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")
MODULE_PAGE = re.compile(r"(?<=\]\()((?:\.\./)*)contrib/([\w-]+)/doc/")
"""Link to a page of a module, which the site has in its folder `modules`."""


def write(path: Path, text: str) -> None:
    """Write a page; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def copy_linked(target: Path) -> None:
    """Copy the files of the repository that pages link to, at their places; pages that link on are followed."""
    waiting = list(target.rglob("*.md"))
    while waiting:
        page = waiting.pop()
        for link in LINK.findall(page.read_text(encoding="utf-8")):
            place = (page.parent / link).resolve()
            source = ROOT / place.relative_to(target.resolve()) if place.is_relative_to(target.resolve()) else None
            if source is None or place.exists() or not source.is_file():
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.suffix != ".md":
                shutil.copy(source, place)
                continue
            write(place, MODULE_PAGE.sub(r"\1modules/\2/", source.read_text(encoding="utf-8")))
            waiting.append(place)


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""

    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    return "\n".join([line(heads), "|" + "---|" * len(heads), *map(line, rows)]) + "\n"


def plain(text: str) -> str:
    """A text in which Markdown sees no markup."""
    return re.sub(r"([\\`*_{}\[\]<>#$~^])", r"\\\1", text)


def modules(target: Path) -> None:
    """The pages of the modules, each module's main page before the others."""
    lines = [
        "# Modules",
        "",
        "The models of each ns-3 module: scope and limitations, usage, and validation.",
        "",
    ]
    lines += ["```{toctree}", ":maxdepth: 1", ""]
    for folder in sorted(ROOT.glob("contrib/*/doc")):
        module = folder.parent.name
        shutil.copytree(folder, target / "modules" / module)
        pages = sorted((page.stem for page in folder.glob("*.rst")), key=lambda stem: (stem != module, stem))
        lines += [f"{module}/{stem}" for stem in pages]
    write(target / "modules" / "index.md", "\n".join([*lines, "```", ""]))


def gallery(target: Path) -> None:
    """The notebooks with their outputs, and a page with a picture of each."""
    folder = target / "examples"
    cards, names = [], []
    for path in sorted((ROOT / "examples").glob("*.ipynb"), key=lambda path: (path.stem != "reliability", path.stem)):
        notebook = nbformat.read(path, as_version=4)
        print(f"relnet: executing {path.name}", flush=True)
        resources = {"metadata": {"path": str(path.parent)}}
        client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources=resources)
        client.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
        client.execute()
        title, text = re.match(r"# (.*)\n+((?:.+\n?)*)", notebook.cells[0].source).groups()
        name = title
        pictures = []
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
            # A removed progress bar, and the remains of its widget.
            cell["outputs"] = [one for one in cell.get("outputs", ()) if one.get("name") != "stderr"]
            for output in cell["outputs"]:
                pictures += [data["image/png"]] if "image/png" in (data := output.get("data", {})) else []
            if cell.cell_type != "code":
                del cell["outputs"]
            if cell.cell_type == "markdown":
                title = next(iter(re.findall(r"^#+ (.*)$", cell.source, re.MULTILINE)[-1:]), title)
            cell.metadata["mystnb"] = {"image": {"alt": f"Figure: {title}"}}
        notebook.metadata.pop("widgets", None)
        nbformat.write(notebook, folder / path.name)
        card = [f":::{{grid-item-card}} {name}", f":link: {path.stem}", ":link-type: doc"]
        if pictures:
            (folder / f"{path.stem}.png").write_bytes(base64.b64decode(pictures[0]))
            card += [f":img-top: {path.stem}.png", f":img-alt: First figure of the notebook {name}"]
        cards += [*card, "", " ".join(text.split()), ":::", ""]
        names.append(path.stem)
    head = "# Gallery\n\nNotebooks, executed when this site was built. `relnet examples` copies them into a folder.\n\n"
    body = "\n".join(["::::{grid} 1 1 2 2", ":gutter: 3", "", *cards, "::::", ""])
    hidden = "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])
    write(folder / "index.md", head + body + hidden)


def scored() -> dict[str, dict[str, str]]:
    """The verdicts on claims of the last whole reproduction, by id."""
    with open(ROOT / "doc" / "scored.csv", newline="", encoding="utf-8") as source:
        return {row["id"]: row for row in csv.DictReader(source)}


def number(text: str) -> str:
    """A number with few digits; another text as it is."""
    try:
        return claims.number_text(float(text))
    except ValueError:
        return text


def drawn(paper: Paper) -> tuple[list[tuple[Experiment, Path]], str]:
    """Figures of a paper, of `out/` or else those kept in `doc/figures`, and a sentence on their origin."""
    out = ROOT / "out"
    if (out / "origin.json").exists():
        origin = json.loads((out / "origin.json").read_text())
        folder, told = out / paper.name, f"Drawn by relnet {origin['Code version']}, scale: {origin['Scale']}."
    else:
        folder, told = KEPT / paper.name, "Figures of the paper and of studies, from the last reproduction."
    experiments = sorted(paper.experiments, key=lambda experiment: experiment.place)
    found = [(one, folder / f"{one.key}.svg") for one in experiments]
    return [(one, path) for one, path in found if path.exists()], told


def figures(paper: Paper, target: Path) -> list[str]:
    """Lines with the figures of a paper, which are copied into a folder."""
    found, told = drawn(paper)
    if not found:
        return [f"No figures are kept. `make reproduce ARGS={paper.name}`, then `make docs`, draws them.", ""]
    lines = [told, ""]
    for experiment, path in found:
        image = f"{paper.name}-{experiment.key}.svg"
        shutil.copy(path, target / image)
        lines += [
            f"### {plain(experiment.title)}",
            "",
            f"```{{figure}} {image}",
            f":alt: {experiment.title}",
            "```",
            "",
        ]
        paper_section = "" if experiment.section.startswith("Not in") else "Paper: "
        lines += [f"{paper_section}{plain(experiment.section)}.", ""]
    return lines


def claim_row(paper: Paper, claim: claims.Claim, row: dict[str, str]) -> dict[str, str]:
    """A claim of the last whole reproduction, as a table of claims has it."""
    kept = {"claim": paper.names.get(claim.id, claim.text), "section": claim.section, "unit": claim.unit, "tests": ""}
    return row | kept | {name: number(row[name]) for name in ("published", "simulated")} | {"ratio": ""}


def systems(target: Path) -> None:
    """For each paper its figures and its claims, as parts of the pages by hand; and the counts of all."""
    rows = scored()
    summary = []
    for paper in papers.modelled():
        own = [claim for claim in claims.read(paper.name) if claim.id in rows]
        verdicts = [rows[claim.id]["verdict"] for claim in own]
        counts = [verdicts.count(name) for name in claims.DOCUMENTED]
        counted = sum(counts[: len(claims.SCORED)])
        title = f"[{paper.name}]({paper.name}.md)"
        summary.append([title, plain(paper.title), *map(str, counts), str(counted)])
        parts = [f"*{plain(paper.title)}.* {plain(paper.citation)}", "", "## Figures", ""]
        parts += figures(paper, target / "systems")
        parts += ["## Claims", "", f"{counted} claims on results; those that are guaranteed are not counted.", ""]
        for verdict, count in zip(claims.DOCUMENTED, counts, strict=True):
            if not count:
                continue
            chosen = [claim_row(paper, claim, rows[claim.id]) for claim in own if rows[claim.id]["verdict"] == verdict]
            title = f"{count} {verdict.replace('-', ' ').replace('deviates', 'deviate')}"
            parts += [f":::{{dropdown}} {title}", *[":open:"] * (verdict == "deviates"), ""]
            # A line that is empty would end the HTML.
            lines = [line for line in claims_table(chosen, title).splitlines() if line.strip()]
            parts += ["```{raw} html", *lines, "```", ":::", ""]
        write(target / "systems" / f"{paper.name}.inc", "\n".join(parts))
    heads = ["system", "paper", *(name.replace("-", " ") for name in claims.DOCUMENTED), "counted"]
    write(target / "systems" / "summary.inc", table(heads, summary))


def registered(groups: set[str]) -> dict[str, dict]:
    """Group and settable attributes of every class of some groups; runs in a process of its own."""
    _ = relnet.ns.messaging
    found = {}
    settable = relnet.ns.TypeId.ATTR_SET | relnet.ns.TypeId.ATTR_CONSTRUCT
    for index in range(relnet.ns.TypeId.GetRegisteredN()):
        tid = relnet.ns.TypeId.GetRegistered(index)
        # An attribute of ns-3's own classes may have a checker that ends the process.
        if str(tid.GetGroupName()) not in groups:
            continue
        attributes = []
        for place in range(tid.GetAttributeN()):
            one = tid.GetAttribute(place)
            if one.flags & settable:
                attributes.append(
                    {
                        "name": str(one.name),
                        "help": str(one.help),
                        "value": str(one.checker.GetValueTypeName()),
                        "checker": str(one.checker.GetUnderlyingTypeInformation()),
                        "default": str(one.initialValue.SerializeToString(one.checker)),
                    }
                )
        found[str(tid.GetName())] = {"group": str(tid.GetGroupName()), "attributes": attributes}
    return found


@dataclass
class Owner:
    """
    What has parameters: a scenario, a part of one, or another class.

    Attributes
    ----------
    kind : str
        Heading under which it is listed.
    name, summary, usage : str
        Name; what it is; how a command line chooses it.
    parameters : list of Parameter
        Its parameters.
    results : list
        Results of a scenario.
    """

    kind: str
    name: str
    summary: str
    usage: str
    parameters: list[Parameter]
    results: list = field(default_factory=list)


def owners() -> dict[str, list[Owner]]:
    """Everything that has parameters, by module."""
    modules = {
        "".join(word.capitalize() for word in path.name.split("-")): path.name for path in ROOT.glob("contrib/*")
    }
    classes = relnet.isolated(registered, {*modules})
    found: dict[str, list[Owner]] = {}
    described = set()

    def add(type_name: str, owner: Owner) -> None:
        described.add(type_name)
        if type_name in classes:
            found.setdefault(modules[classes[type_name]["group"]], []).append(owner)

    parts = {}
    for scenario in relnet.scenarios():
        results = [*scenario.results, *scenario.tables]
        usage = f"relnet run {scenario.name}"
        add(scenario.type, Owner("Scenarios", scenario.name, scenario.summary, usage, scenario.parameters, results))
        parts |= {part.prefix: part for part in scenario.parts}
    for prefix, part in parts.items():
        for choice in part.choices:
            usage = f"{prefix}={choice.name}, parameters as {prefix}.NAME"
            add(choice.type, Owner(f"{prefix.capitalize()}s", choice.name, choice.summary, usage, choice.parameters))
    for name, one in classes.items():
        if name not in described and one["attributes"]:
            rows = [Parameter.from_attribute(attribute) for attribute in one["attributes"]]
            add(name, Owner("Other classes", name.removeprefix("ns3::"), "", "", rows))
    return dict(sorted(found.items()))


def parameter_row(one: Parameter) -> list[str]:
    """A row of a table of parameters."""
    unit = "" if one.kind in ("time", "rate") else plain(one.unit)
    default = one.text(one.default)
    source = f" ({plain(one.source)})" if one.source else ""
    shown = f"`{default}` {unit}" if default else unit
    allowed = f" Allowed: {plain(one.allowed)}." if one.allowed else ""
    return [f"`{one.name}`", shown.strip(), plain(one.help) + source + allowed]


def module_page(module: str, own: list[Owner]) -> str:
    """The page with the parameters of a module."""
    lines = [*WIDE, f"# {module}", ""]
    for kind, chosen in itertools.groupby(own, key=lambda owner: owner.kind):
        lines += [f"## {kind}", ""]
        for owner in chosen:
            lines += [f"({anchor(module, owner)})=", f"### {owner.name}", ""]
            lines += [
                line for text in (plain(owner.summary), f"`{owner.usage}`" * bool(owner.usage)) for line in (text, "")
            ]
            if owner.parameters:
                rows = table(["parameter", "default", "meaning"], [parameter_row(one) for one in owner.parameters])
                lines += ["```{table}", ":class: parameters", "", rows.rstrip(), "```", ""]
            else:
                lines += ["It has no parameters.", ""]
            if owner.results:
                rows = [[f"`{one.name}`", plain(one.unit), plain(one.help)] for one in owner.results]
                lines += [":::{dropdown} Results", "", table(["result", "unit", "meaning"], rows), ":::", ""]
    return "\n".join(lines)


def anchor(module: str, owner: Owner) -> str:
    """Anchor of what has parameters."""
    return re.sub(r"[^a-z0-9]+", "-", f"parameters {module} {owner.kind} {owner.name}".lower())


def listed_name(owner: Owner, others: list[Owner]) -> str:
    """The name of an owner, with its kind if another one has the same name."""
    same = sum(other.name == owner.name for other in others)
    return f"{owner.name} ({owner.kind.lower().removesuffix('s')})" if same > 1 else owner.name


def parameters(target: Path) -> None:
    """A page of parameters for each module, and one with a search over all of them."""
    folder = target / "reference" / "parameters"
    found = owners()
    index, rows = [], []
    for module, own in found.items():
        write(folder / f"{module}.md", module_page(module, own))
        count = sum(len(owner.parameters) for owner in own)
        used = [owner for owner in own if owner.usage]
        named = ", ".join(f"[{plain(listed_name(owner, used))}](#{anchor(module, owner)})" for owner in used)
        rows.append([f"[{module}]({module}.md)", str(count), named])
        for owner in own:
            place = f"{module}.html#{anchor(module, owner)}"
            index += [[one.name, owner.name, module, one.help, place] for one in owner.parameters]
    data = json.dumps(index, separators=(",", ":"))
    write(target / "_static" / "parameters-index.js", f"const PARAMETERS = {data};\n")
    page = [
        *WIDE,
        "# Parameters",
        "",
        "Every attribute that can be set, with its default, unit, range and source, by module.",
        "",
        "```{raw} html",
        (ROOT / "cmake" / "parameters.html").read_text(encoding="utf-8").rstrip(),
        "```",
        "",
        table(["module", "number", "scenarios and their parts"], rows),
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *found,
        "```",
        "",
    ]
    write(folder / "index.md", "\n".join(page))


def commands(target: Path) -> None:
    """The help of the command line."""
    parser = make_parser()
    (several,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    parts = ["# Commands", "", "```text", parser.format_help().rstrip(), "```", ""]
    for name, one in several.choices.items():
        parts += [f"## relnet {name}", "", "```text", one.format_help().rstrip(), "```", ""]
    write(target / "reference" / "command-line.md", "\n".join(parts))


def cpp(target: Path, documented: bool) -> None:
    """The page that leads to Doxygen's."""
    text = "# C++\n\n"
    if documented:
        text += 'Every class, method and member of the modules: <a href="../cpp/index.html">C++ reference</a>.\n'
    else:
        text += (
            "This site was built without Doxygen, which makes the C++ reference: `sudo apt install doxygen`, and "
            "`make docs` again.\n"
        )
    write(target / "reference" / "cpp.md", text)


def main(target: Path) -> None:
    """Assemble the sources in a folder that is made anew; what Doxygen has put into its `extra` stays."""
    for path in target.glob("*"):
        if path.name != "extra":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    (target / "extra").mkdir(parents=True, exist_ok=True)
    shutil.copytree(ROOT / "doc", target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("figures"))
    for name in HERO:
        shutil.copy(ROOT / "doc" / name, target / "_static")
    for name in DOCUMENTS:
        # Pages of `doc/` are at the top of the site.
        text = (ROOT / name).read_text(encoding="utf-8").replace("](doc/", "](")
        write(target / name, MODULE_PAGE.sub(r"\1modules/\2/", text))
    (target / "examples").mkdir()
    shutil.copy(ROOT / "wscript-notes" / "README.md", target / "how-to" / "waf.inc")
    for source in (*ROOT.glob("examples/*.cc"), *ROOT.glob("examples/*.py")):
        shutil.copy(source, target / "examples")
    modules(target)
    gallery(target)
    systems(target)
    parameters(target)
    commands(target)
    cpp(target, (target / "extra" / "cpp").exists())
    copy_linked(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
