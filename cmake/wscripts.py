# SPDX-License-Identifier: GPL-2.0-only
"""Write the wscript of every module from its CMakeLists.txt.

Usage: wscripts.py [--check]

Waf-based ns-3 trees need the source lists of a module in a wscript, which is derived from
CMakeLists.txt: wscript-notes/MODULE/wscript and, for a module with examples,
wscript-notes/MODULE/examples/wscript. With --check nothing is written; the exit status states
whether the files are current.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# SPDX-License-Identifier: GPL-2.0-only\n# Derived from CMakeLists.txt by cmake/wscripts.py.\n"
KEYWORDS = [
    "LIBNAME",
    "NAME",
    "SOURCE_FILES",
    "HEADER_FILES",
    "PRIVATE_HEADER_FILES",
    "LIBRARIES_TO_LINK",
    "TEST_SOURCES",
]


def calls(text: str, function: str) -> list[dict[str, list[str]]]:
    """The keyword arguments of every call of a CMake function, ${libNAME} as NAME."""
    text = re.sub(r"#.*", "", text)
    found = []
    for body in re.findall(rf"\b{function}\s*\(([^)]*)\)", text):
        arguments: dict[str, list[str]] = {}
        current: list[str] = []
        for word in body.split():
            if word in KEYWORDS:
                current = arguments.setdefault(word, [])
            else:
                current.append(re.sub(r"^\$\{lib(.+)\}$", r"\1", word.strip('"')))
        found.append(arguments)
    return found


def listing(items: list[str]) -> str:
    """A Python list, one item a line, at the depth of a function body."""
    return "[\n" + "".join(f'        "{item}",\n' for item in items) + "    ]"


def module_wscript(arguments: dict[str, list[str]], has_examples: bool) -> str:
    """The wscript of a module."""
    name = arguments["LIBNAME"][0]
    headers = arguments.get("HEADER_FILES", []) + arguments.get("PRIVATE_HEADER_FILES", [])
    libraries = listing(arguments["LIBRARIES_TO_LINK"])
    text = f"{HEADER}\n\ndef build(bld):\n"
    text += f'    module = bld.create_ns3_module("{name}", {libraries})\n'
    text += f"    module.source = {listing(arguments['SOURCE_FILES'])}\n"
    if arguments.get("TEST_SOURCES"):
        text += f'\n    module_test = bld.create_ns3_module_test_library("{name}")\n'
        text += f"    module_test.source = {listing(arguments['TEST_SOURCES'])}\n"
    text += f'\n    headers = bld(features="ns3header")\n    headers.module = "{name}"\n'
    text += f"    headers.source = {listing(headers)}\n"
    if has_examples:
        text += '\n    if bld.env["ENABLE_EXAMPLES"]:\n        bld.recurse("examples")\n'
    return text


def examples_wscript(examples: list[dict[str, list[str]]]) -> str:
    """The wscript of a module's examples."""
    text = f"{HEADER}\n\ndef build(bld):\n"
    for number, example in enumerate(examples):
        name = example["NAME"][0]
        libraries = listing(example["LIBRARIES_TO_LINK"])
        text += "\n" * (number > 0)
        text += f'    program = bld.create_ns3_program("{name}", {libraries})\n'
        text += f"    program.source = {listing(example['SOURCE_FILES'])}\n"
    return text


def wscripts(root: Path = ROOT) -> dict[Path, str]:
    """Path and text of every wscript that the modules below a folder need."""
    texts = {}
    for lists in sorted((root / "contrib").glob("*/CMakeLists.txt")):
        target = root / "wscript-notes" / lists.parent.name
        example_lists = lists.parent / "examples" / "CMakeLists.txt"
        examples = calls(example_lists.read_text(), "build_lib_example") if example_lists.exists() else []
        (library,) = calls(lists.read_text(), "build_lib")
        texts[target / "wscript"] = module_wscript(library, bool(examples))
        if examples:
            texts[target / "examples" / "wscript"] = examples_wscript(examples)
    return texts


def main(arguments: list[str]) -> int:
    """Write or check; return the number of files that differ from what they should be."""
    check = arguments == ["--check"]
    stale = 0
    for path, text in wscripts().items():
        if path.exists() and path.read_text() == text:
            continue
        if check:
            print(f"{path.relative_to(ROOT)} is not current; run: make format")
            stale += 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return stale


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
