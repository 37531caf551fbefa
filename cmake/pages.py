# SPDX-License-Identifier: GPL-2.0-only
"""Assembles the sources of the documentation site, written pages and pages generated from code and results.

Usage: pages.py TARGET

- pages of `doc/` and of the modules, documents of the top folder, and linked files;
- notebooks of `examples/`, executed, with a gallery;
- figures of each system from `out/`, if there is a reproduction, and its claims from `doc/scored.csv`;
- tables of all parameters, from the TypeIds, and the help of all commands.
"""

import argparse
import base64
import csv
import json
import re
import shutil
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import relnet
from relnet import papers
from relnet.catalog.parameters import Parameter
from relnet.cli.parser import make_parser
from relnet.experiments import claims

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGES.md", "RELEASE_NOTES.md")
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)")


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
            shutil.copy(source, place)
            if place.suffix == ".md":
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
        pictures = []
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
            # A removed progress bar, and the remains of its widget.
            cell["outputs"] = [one for one in cell.get("outputs", ()) if one.get("name") != "stderr"]
            for output in cell["outputs"]:
                pictures += [data["image/png"]] if "image/png" in (data := output.get("data", {})) else []
            if cell.cell_type != "code":
                del cell["outputs"]
        notebook.metadata.pop("widgets", None)
        nbformat.write(notebook, folder / path.name)
        title, text = re.match(r"# (.*)\n+((?:.+\n?)*)", notebook.cells[0].source).groups()
        card = [f":::{{grid-item-card}} {title}", f":link: {path.stem}", ":link-type: doc"]
        if pictures:
            (folder / f"{path.stem}.png").write_bytes(base64.b64decode(pictures[0]))
            card.append(f":img-top: {path.stem}.png")
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


def systems(target: Path) -> None:
    """For each paper its figures and its claims, as parts of the pages by hand; and the counts of all."""
    rows = scored()
    out = ROOT / "out"
    origin = json.loads((out / "origin.json").read_text()) if (out / "origin.json").exists() else {}
    summary = []
    for paper in papers.modelled():
        own = [claim for claim in claims.read(paper.name) if claim.id in rows]
        verdicts = [rows[claim.id]["verdict"] for claim in own]
        counts = [verdicts.count(name) for name in claims.SCORED]
        title = f"[{paper.name}]({paper.name}.md)"
        summary.append([title, plain(paper.title), *map(str, counts), str(len(own))])
        parts = [f"*{plain(paper.title)}.* {plain(paper.citation)}", "", "## Figures", ""]
        drawn = sorted(paper.experiments, key=lambda experiment: experiment.place)
        drawn = [one for one in drawn if (out / paper.name / f"{one.key}.svg").exists()]
        if drawn and origin:
            parts += [f"Drawn by relnet {origin['Code version']}, scale: {origin['Scale']}.", ""]
            for experiment in drawn:
                image = f"{paper.name}-{experiment.key}.svg"
                shutil.copy(out / paper.name / f"{experiment.key}.svg", target / "systems" / image)
                parts += [
                    f"### {plain(experiment.title)}",
                    "",
                    f"```{{image}} {image}",
                    f":alt: {experiment.title}",
                    "```",
                    "",
                ]
                parts += [f"Paper: {plain(experiment.section)}.", ""]
        else:
            parts += [
                "This site was built without figures: run `make reproduce`, then `make docs`.",
                "",
            ]
        parts += ["## Claims", "", f"{len(own)} claims on results, of which:", ""]
        for verdict, count in zip(claims.SCORED, counts, strict=True):
            if not count:
                continue
            chosen = [claim for claim in own if rows[claim.id]["verdict"] == verdict]
            cells = [
                [
                    f"`{claim.id}`",
                    plain(claim.section),
                    plain(paper.names.get(claim.id, claim.text)),
                    plain(number(rows[claim.id]["published"])),
                    plain(number(rows[claim.id]["simulated"])),
                    plain(rows[claim.id]["note"]),
                ]
                for claim in chosen
            ]
            opened = ["", ":open:"] if verdict == "deviates" else [""]
            parts += [
                f":::{{dropdown}} {count} {verdict.replace('-', ' ').replace('deviates', 'deviate')}",
                *opened[1:],
                "",
            ]
            parts += [table(["id", "where", "claim", "published", "simulated", "note"], cells), ":::", ""]
        write(target / "systems" / f"{paper.name}.inc", "\n".join(parts))
    heads = ["system", "paper", *(name.replace("-", " ") for name in claims.SCORED), "all"]
    write(target / "systems" / "summary.inc", table(heads, summary))


def registered() -> list[dict]:
    """Every class of the modules with its attributes that can be set; runs in a process of its own."""
    _ = relnet.ns.messaging
    found = []
    settable = relnet.ns.TypeId.ATTR_SET | relnet.ns.TypeId.ATTR_CONSTRUCT
    for index in range(relnet.ns.TypeId.GetRegisteredN()):
        tid = relnet.ns.TypeId.GetRegistered(index)
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
        if attributes:
            found.append({"name": str(tid.GetName()), "group": str(tid.GetGroupName()), "attributes": attributes})
    return found


def parameter_rows(parameters: list[Parameter]) -> str:
    """A table of parameters."""
    rows = []
    for one in parameters:
        unit = "" if one.kind in ("time", "rate") else one.unit
        default = one.text(one.default)
        rows.append(
            [
                f"`{one.name}`",
                f"`{default}`" if default else "",
                plain(unit),
                plain(one.allowed),
                plain(one.help),
                plain(one.source),
            ]
        )
    return table(["parameter", "default", "unit", "allowed", "meaning", "source"], rows)


def parameters(target: Path) -> None:
    """Tables of the parameters of scenarios, of what a scenario is made of, and of the other classes of the modules."""
    folder = target / "reference" / "parameters"
    names = ["scenarios"]
    parts = ["# Scenarios", "", '`relnet run NAME` and `relnet.run("NAME")`; names in any case.', ""]
    kinds = {}
    for scenario in relnet.scenarios():
        parts += [f"## {scenario.name}", "", plain(scenario.summary), "", parameter_rows(scenario.parameters)]
        results = [[f"`{one.name}`", plain(one.unit), plain(one.help)] for one in (*scenario.results, *scenario.tables)]
        parts += ["", ":::{dropdown} Results", "", table(["result", "unit", "meaning"], results), ":::", ""]
        kinds |= {f"{part.prefix}s": part for part in scenario.parts}
    write(folder / "scenarios.md", "\n".join(parts))
    described = {scenario.type for scenario in relnet.scenarios()}
    for kind, part in kinds.items():
        names.append(kind)
        parts = [
            f"# {kind.capitalize()}",
            "",
            f"`{part.prefix}=NAME`, with parameters as `{part.prefix}.PARAMETER`.",
            "",
        ]
        for choice in part.choices:
            described.add(choice.type)
            parts += [f"## {choice.name}", "", plain(choice.summary), ""]
            parts += [parameter_rows(choice.parameters) if choice.parameters else "It has no parameters.", ""]
        write(folder / f"{kind}.md", "\n".join(parts))
    groups: dict[str, list[dict]] = {}
    own = {"".join(word.capitalize() for word in path.name.split("-")): path.name for path in ROOT.glob("contrib/*")}
    for found in relnet.isolated(registered):
        if found["group"] in own and found["name"] not in described:
            groups.setdefault(own[found["group"]], []).append(found)
    parts = [
        "# Other classes",
        "",
        "Attributes of devices, channels, ports and other objects, for your own programs.",
        "",
    ]
    for module, found in sorted(groups.items()):
        parts += [f"## {module}", ""]
        for one in found:
            rows = [Parameter.from_attribute(attribute) for attribute in one["attributes"]]
            parts += [f"### {one['name'].removeprefix('ns3::')}", "", parameter_rows(rows), ""]
    write(folder / "classes.md", "\n".join(parts))
    head = "# Parameters\n\nEvery attribute that can be set, with its default, unit, range and source.\n\n"
    write(folder / "index.md", head + "\n".join(["```{toctree}", ":maxdepth: 2", "", *names, "classes", "```", ""]))


def commands(target: Path) -> None:
    """The help of the command line."""
    parser = make_parser()
    (several,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))
    parts = ["# Commands", "", "```text", parser.format_help().rstrip(), "```", ""]
    for name, one in several.choices.items():
        parts += [f"## relnet {name}", "", "```text", one.format_help().rstrip(), "```", ""]
    parts += ["Exit status: 0 for a result, 1 for a run that failed, 2 for bad input, 130 for an interruption.", ""]
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
    shutil.copytree(ROOT / "doc", target, dirs_exist_ok=True)
    for name in DOCUMENTS:
        shutil.copy(ROOT / name, target)
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
