# SPDX-License-Identifier: GPL-2.0-only
"""The modules' documentation is complete and true: attributes, trace sources, suites and examples."""

import re
import sys
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Error

import relnet

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(path.parent.name for path in ROOT.glob("contrib/*/CMakeLists.txt"))

sys.path.insert(0, str(ROOT / "cmake"))
import dropin_run  # noqa: E402
import wscripts  # noqa: E402


def pages(module):
    """Text of all pages of a module's documentation."""
    return "\n".join(page.read_text() for page in sorted((ROOT / "contrib" / module / "doc").glob("*.rst")))


def tables(text, first, second):
    """The rows of all simple tables whose first two headings are given: the first two cells of each."""
    lines = text.splitlines()
    for number, line in enumerate(lines[1:-1], start=1):
        bar = lines[number - 1]
        if re.match(rf"{first}\s+{second}\b", line) and re.fullmatch("[= ]+", bar) and bar == lines[number + 1]:
            starts = [match.start() for match in re.finditer("=+", bar)]
            for row in lines[number + 2 :]:
                if row == bar:
                    break
                yield row[: starts[1]].strip(), row[starts[1] : starts[2] if len(starts) > 2 else None].strip()


def registered():
    """Every class of the modules by the name of its TypeId: its group, attributes, trace sources and bases."""
    _ = relnet.ns.messaging  # loads the libraries of all modules
    found = {}
    for index in range(relnet.ns.TypeId.GetRegisteredN()):
        tid = relnet.ns.TypeId.GetRegistered(index)
        bases = [tid]
        while bases[-1].HasParent() and bases[-1].GetParent() != bases[-1]:
            bases.append(bases[-1].GetParent())
        found[str(tid.GetName())] = {
            "group": str(tid.GetGroupName()),
            "attributes": [str(tid.GetAttribute(n).name) for n in range(tid.GetAttributeN())],
            "settable": {
                str(attribute.name): str(attribute.help)
                for n in range(tid.GetAttributeN())
                if (attribute := tid.GetAttribute(n)).flags & ~relnet.ns.TypeId.ATTR_GET
            },
            "sources": [str(tid.GetTraceSource(n).name) for n in range(tid.GetTraceSourceN())],
            "bases": [str(base.GetName()) for base in bases],
        }
    return found


@pytest.fixture(scope="module")
def classes():
    """All classes that have a TypeId, ns-3's own included."""
    return relnet.isolated(registered)


@pytest.fixture
def own(classes, module):
    """The classes of the module, by name without namespace."""
    group = "".join(part.capitalize() for part in module.split("-"))
    return {name.rpartition("::")[2]: item for name, item in classes.items() if item["group"] == group}


@pytest.mark.parametrize("module", MODULES)
def test_attributes_and_trace_sources_are_documented(module, own):
    """`relnet describe` documents parameters of scenarios and their parts; the module's pages name all others."""
    scenarios = relnet.scenarios()
    choices = [choice for scenario in scenarios for part in scenario.parts for choice in part.choices]
    described = {parameter.name for one in [*scenarios, *choices] for parameter in one.parameters}
    words = set(re.findall(r"\w+", pages(module)))
    assert own
    parts = {name: item for name, item in own.items() if "ns3::messaging::Scenario" not in item["bases"]}
    silent = [
        f"{name}::{word}"
        for name, item in parts.items()
        for word in {*item["attributes"]} - described | {*item["sources"]}
        if word not in words
    ]
    assert not silent


@pytest.mark.parametrize("module", MODULES)
def test_help_texts_end_in_unit_and_source(module, own):
    texts = {f"{name}::{word}": text for name, item in own.items() for word, text in item["settable"].items()}
    assert not {word: text for word, text in texts.items() if not re.search(r"\[[^\[\]]+\]\.?$", text)}


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(("heading", "kind"), [("Attribute", "attributes"), ("Source", "sources")])
def test_documented_attributes_and_trace_sources_exist(module, own, classes, heading, kind):
    name, wrong = "", []
    for first, second in tables(pages(module), "Class", heading):
        name = first or name
        # Some rows describe several classes in words, or several attributes.
        if not name.startswith("``") or second.startswith("("):
            continue
        short = name.strip("`")
        bases = own[short]["bases"] if short in own else []
        known = {word for base in bases for word in classes[base][kind]}
        wrong += [f"{short}::{word}" for word in re.findall(r"[A-Z]\w*", second) if word not in known]
    assert not wrong


@pytest.mark.parametrize("module", MODULES)
def test_suites_and_examples_are_documented(module):
    text = pages(module)
    folder = ROOT / "contrib" / module
    suites = dropin_run.suites(folder)
    programs = wscripts.calls((folder / "examples" / "CMakeLists.txt").read_text(), "build_lib_example")
    examples = [program["NAME"][0] for program in programs]
    assert suites and examples
    assert not [name for name in suites + examples if f"``{name}``" not in text]
    assert not [name for name, _ in tables(text, "Suite", r"\w+") if name and name.strip("`") not in suites]


@pytest.mark.parametrize("page", sorted(ROOT.glob("contrib/*/doc/*.rst")), ids=lambda page: page.name)
def test_blocks_are_in_the_language_of_their_page(page):
    """Blocks in other languages need `code-block`; otherwise highlighting gives a warning."""
    text = page.read_text()
    language = re.search(r"^\.\. highlight:: (\w+)", text, re.M)
    blocks = re.findall(r"^(?!\.\. )[^\n]*::\n\n((?:(?: {2,}[^\n]*)?\n)+)", text, re.M) if language else []
    for block in blocks:
        strange = [word for kind, word in get_lexer_by_name(language[1]).get_tokens(block) if kind is Error]
        assert not strange, block
