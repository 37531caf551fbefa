#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Copy the modules into a waf-based ns-3 tree, in the form that ns-3 3.35 compiles.

Usage: copy.py NS3_TREE [MODULE ...]

Without modules, copies all that such a tree can have, and the scratch programs. Each copy replaces an earlier one.
The modules use what later releases of ns-3 accept. messaging-waf.h has it for 3.35, and the copies are edited to use
that header.
"""

import re
import shutil
import sys
from pathlib import Path

NOTES = Path(__file__).resolve().parent
CONTRIB = NOTES.parent / "contrib"
SCRATCH = NOTES.parent / "scratch"

# Wi-Fi of ns-3 3.44 or later is needed, or NeighborCacheHelper.
UNAVAILABLE = {"messaging-wifi"}
UNAVAILABLE_EXAMPLES = ["eqa-wifi", "pcode-wifi", "broadcast-ethernet-udp"]

COMPATIBILITY = NOTES / "messaging-waf.h"
COMPATIBILITY_FOLDER = "model/base"

# Edits of C++ sources: a pattern and what replaces it.
EDITS = [
    (r"\bSimulator::(Schedule(?:Now|WithContext)?)\(", r"waf::\1("),
    (r"&Simulator::Stop\b", "&waf::Stop"),
    (r"\bMakeCallback\(", "waf::MakeCallback("),
    (
        r"\b(?:NetDevice::)?((?:Promisc)?ReceiveCallback)\((?=\s*\[|receive\b)",
        r"waf::MakeFunctionCallback<NetDevice::\1>(",
    ),
    (r"\bEnumValue(?:<\w+>)?\(", "waf::MakeEnumValue("),
    (r"\bMakeEnum(Accessor|Checker)(<\w+>)?\(", r"waf::MakeEnum\1\2("),
    (r"\bEnumChecker<", "waf::EnumChecker<"),
    (r"value->Set\((m_find\(.*\))\);", r"*value = MakeAttributeValue(\1);"),
    (r"\bTypeId\((?=std::string\(|(?:type|name)\))", "waf::MakeTypeId("),
    (r"\bconst ApplicationContainer\b&?", "ApplicationContainer"),
    (r"\.IsPending\(\)", ".IsRunning()"),
    (r"\b(?:TestCase::)?Duration::(QUICK|EXTENSIVE)\b", r"TestCase::\1"),
    (r"\bTestCase::Duration\b", "TestCase::TestDuration"),
    (r"\bDuration duration\b", "TestDuration duration"),
]

# Edits of one file: a text and what replaces it.
FILE_EDITS = {
    # ns-3's Application has it in later releases.
    "messaging-traffic-application.h": (
        "static TypeId GetTypeId();",
        "static TypeId GetTypeId();\n\n    virtual int64_t AssignStreams(int64_t) { return 0; }",
    ),
    # Its use is for the Python layer, which such a tree does not have.
    "messaging-scenario-introspection.cc": ("    ns3::RngSeedManager::ResetNextStreamIndex();\n", ""),
    "messaging-host-net-device-test-suite.cc": ("SetSendCallback(fill)", "SetSendCallback(waf::Function(fill))"),
    # Cases that ns-3 3.35 itself does not pass; README.md has the reasons.
    "messaging-endpoint-test-suite.cc": ("        AddTestCase(new StreamCase, TestCase::Duration::QUICK);\n", ""),
    "ethernet-fabric-net-device-test-suite.cc": (
        "        AddTestCase(new IpMarkTestCase, TestCase::Duration::QUICK);\n",
        "",
    ),
    "messaging-socket-test-suite.cc": (
        '        NS_TEST_EXPECT_MSG_EQ(server->GetLost(), 0, "Lost datagrams over " << candidate.name);\n',
        "",
    ),
}

# Sources that are compiled as one, as in CMake's build of this repository: it reads their headers once.
UNITED = 12


def closing(text: str, begin: int, brackets: str) -> int:
    """The position of the bracket that closes what begins at a position."""
    depth = 1
    while depth:
        depth += (text[begin] == brackets[0]) - (text[begin] == brackets[1])
        begin += 1
    return begin - 1


def replace_callbacks(text: str, everywhere: bool) -> str:
    """Let callbacks be those of the header: everywhere, or aliases and callbacks that are made of function objects."""
    parts, done = [], 0
    for found in re.finditer(r"(= )?\b(Callback<)", text):
        made = text[closing(text, found.end(), "<>") + 1] == "("
        if everywhere or found[1] or made:
            parts += [text[done : found.start(2)], "waf::"]
            done = found.start(2)
    return "".join(parts) + text[done:]


def replace_receivers(text: str) -> str:
    """Convert function objects that are set as callbacks of sockets and devices."""
    setter = r"\bSet(?:Recv|Receive|PromiscReceive|Accept|Connect)Callback\((?:[\w<>:&,\s]|\(\))*(?=\[)"
    parts, done = [], 0
    for found in re.finditer(setter, text):
        end = closing(text, found.end(), "()")
        parts += [text[done : found.end()], "waf::Function(", text[found.end() : end], ")"]
        done = end
    return "".join(parts) + text[done:]


def edit(path: Path) -> str:
    """The text of a C++ source in the form for ns-3 3.35."""
    text = path.read_text().replace(*FILE_EDITS.get(path.name, ("", "")))
    for pattern, replacement in EDITS:
        text = re.sub(pattern, replacement, text)
    # In a header, a callback may be the parameter of a function of ns-3 that is overridden.
    text = replace_receivers(replace_callbacks(text, everywhere=path.suffix == ".cc"))
    if "waf::" in text:
        text = text.replace("#include", f'#include "ns3/{COMPATIBILITY.name}"\n#include', 1)
    return text


def drop_examples(module: Path) -> None:
    """Remove the examples that such a tree cannot have."""
    for name in UNAVAILABLE_EXAMPLES:
        source = module / "examples" / f"{name}.cc"
        if source.exists():
            source.unlink()
            wscript = module / "examples" / "wscript"
            entry = rf'    program = bld.create_ns3_program\("{name}".*?\]\)\n    program.source = \[.*?\]\n'
            text = re.sub(entry, "", wscript.read_text(), flags=re.DOTALL)
            wscript.write_text(text if "program" in text else text + "    pass\n")


def unite(module: Path) -> None:
    """Group the sources that a module's wscript lists into files that include them."""
    wscript = module / "wscript"

    def group(found: re.Match) -> str:
        sources = re.findall(r'"(.+)"', found[2])
        folder = "test" if found[1] == "module_test" else "model"
        names = []
        for number, first in enumerate(range(0, len(sources), UNITED)):
            lines = ["// SPDX-License-Identifier: GPL-2.0-only", '#pragma GCC diagnostic ignored "-Wsubobject-linkage"']
            for place, source in enumerate(sources[first : first + UNITED]):
                # Each source has its own log component.
                lines += ["#undef g_log", f"#define g_log g_log{place}", f'#include "../{source}"']
            names.append(f"{folder}/united-{number}.cc")
            (module / names[-1]).write_text("\n".join(lines) + "\n")
        return f"{found[1]}.source = {names}"

    wscript.write_text(re.sub(r"(module|module_test)\.source = \[(.*?)\]", group, wscript.read_text(), flags=re.DOTALL))


def copy(name: str, tree: Path) -> None:
    """Copy a module into a tree, with its wscripts."""
    target = tree / "contrib" / name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(CONTRIB / name, target)
    shutil.copytree(NOTES / name, target, dirs_exist_ok=True)
    for path in (*target.rglob("*.cc"), *target.rglob("*.h")):
        path.write_text(edit(path))
    if name == "messaging":
        shutil.copy(COMPATIBILITY, target / COMPATIBILITY_FOLDER)
        wscript = target / "wscript"
        entry = f'headers.source = [\n        "{COMPATIBILITY_FOLDER}/{COMPATIBILITY.name}",'
        wscript.write_text(wscript.read_text().replace("headers.source = [", entry))
    drop_examples(target)
    unite(target)


# Edits of the tree itself: a file, a text and what replaces it.
MENDS = [
    # C++20 rejects a constructor with template arguments.
    ("src/core/model/simulation-singleton.h", "SimulationSingleton<T> (", "SimulationSingleton ("),
    # Later releases corrected the parent, without which the class is no congestion control.
    ("src/internet/model/tcp-cubic.cc", ".SetParent<TcpSocketBase> ()", ".SetParent<TcpCongestionOps> ()"),
]


def mend(tree: Path) -> None:
    """Correct what the modules cannot do without in a tree."""
    for name, old, new in MENDS:
        path = tree / name
        path.write_text(path.read_text().replace(old, new))


def main(arguments: list[str]) -> int:
    """Copy the modules that are named, or all."""
    if not arguments:
        print("usage: copy.py NS3_TREE [MODULE ...]", file=sys.stderr)
        return 2
    tree = Path(arguments[0])
    known = sorted(path.parent.name for path in CONTRIB.glob("*/CMakeLists.txt"))
    modules = arguments[1:] or [name for name in known if name not in UNAVAILABLE]
    if not (tree / "wscript").exists():
        print(f"relnet: {tree} is not a waf-based ns-3 tree", file=sys.stderr)
        return 2
    for name in modules:
        if name not in known or name in UNAVAILABLE:
            print(f"relnet: there is no module {name} for such a tree", file=sys.stderr)
            return 2
    mend(tree)
    for name in modules:
        copy(name, tree)
    if not arguments[1:]:
        for program in SCRATCH.glob("*.cc"):
            (tree / "scratch" / program.name).write_text(edit(program))
    print(f"copied {', '.join(modules)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
