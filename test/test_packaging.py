# SPDX-License-Identifier: GPL-2.0-only
"""Form of source files, module folders and the build."""

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(path.parent.name for path in ROOT.glob("contrib/*/CMakeLists.txt"))
# Namespaces shorter than the name of their module.
NAMESPACES = {
    "broadcast-ethernet": "ethernet",
    "ethernet-fabric": "fabric",
    "mpi-ranks": "ranks",
    **dict.fromkeys(("messaging-traffic", "messaging-scenario", "messaging-search", "messaging-live"), "messaging"),
}
WHEEL = Path(sysconfig.get_path("purelib")) / "ns3"
SOURCES = (".cc", ".h", ".py", ".cmake", ".sh")
SOURCE_NAMES = ("CMakeLists.txt", "Makefile", "wscript", "run")

sys.path.insert(0, str(ROOT / "cmake"))
import wscripts  # noqa: E402


@cache
def tracked() -> tuple[Path, ...]:
    """All files of the project, without ignored ones."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(path for name in names.split("\0") if name and (path := ROOT / name).is_file())


def sources() -> list[Path]:
    """All source files."""
    return [path for path in tracked() if path.suffix in SOURCES or path.name in SOURCE_NAMES]


def cpp(module: str, *folders: str) -> list[Path]:
    """C++ files in folders of a module, in all of them by default."""
    top = ROOT / "contrib" / module
    return [
        path
        for path in tracked()
        if path.is_relative_to(top)
        and path.suffix in (".cc", ".h")
        and (not folders or path.relative_to(top).parts[0] in folders)
    ]


def camel(module: str) -> str:
    """A module's name as log components and group names spell it."""
    return "".join(part.capitalize() for part in module.split("-"))


def namespace(module: str) -> str:
    """The namespace of a module's code, inside ns3."""
    return NAMESPACES.get(module, module.replace("-", "_"))


def code(path: Path) -> str:
    """The text of a C++ file without comments."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def named(paths: list[Path]) -> list[str]:
    """Paths, for a failed assertion."""
    return [str(path.relative_to(ROOT)) for path in paths]


def matches(pattern: str, paths: list[Path]) -> list[str]:
    """The paths whose code matches a pattern."""
    return named([path for path in paths if re.search(pattern, code(path))])


def all_cpp() -> list[Path]:
    return [path for path in tracked() if path.suffix in (".cc", ".h")]


def test_sources_name_their_licence():
    marker = "SPDX-License-Identifier: GPL-2.0-only"
    without = [path for path in sources() if marker not in path.read_text()[:400]]
    assert not named(without)


def test_text_is_ascii():
    textual = {".md", ".rst", ".csv", ".toml", ".txt", ".ipynb", *SOURCES}
    checked = [path for path in tracked() if path.suffix in textual]
    assert not named([path for path in checked if not path.read_bytes().isascii()])


def test_nothing_is_left_to_do():
    words = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b")
    assert not named([path for path in sources() if words.search(path.read_text())])


def test_no_namespace_is_opened_in_a_header():
    headers = [path for path in all_cpp() if path.suffix == ".h"]
    assert not matches(r"\busing\s+namespace\b", headers)


def test_forms_that_do_not_hold_on_all_releases_are_absent():
    """ns-3 3.45 made Object's GetInstanceTypeId final, and 3.46 removed the unscoped test enumerators."""
    chunk = re.compile(r"\bpublic (ns3::)?(Header|Trailer|Tag)\b")
    objects = [path for path in all_cpp() if path.suffix == ".h" and not chunk.search(code(path))]
    assert not matches(r"\bGetInstanceTypeId\s*\(\s*\)\s*const\b", objects)
    assert not matches(r"\bTestCase::(QUICK|EXTENSIVE|TAKES_FOREVER)\b", all_cpp())
    assert not matches(r"\bTestSuite::(UNIT|SYSTEM|EXAMPLE|PERFORMANCE)\b", all_cpp())
    assert not matches(r"\bIsRunning\s*\(", all_cpp())
    assert not matches(r"\bWriteHtols", all_cpp())


def test_event_id_is_included_where_it_is_used():
    """Since ns-3 3.47, nstime.h no longer brings it."""
    users = [path for path in all_cpp() if re.search(r"\bEventId\b", code(path))]
    for path in users:
        header = path.with_suffix(".h")
        texts = [path.read_text()] + ([header.read_text()] if header.exists() else [])
        assert any('"ns3/event-id.h"' in text for text in texts), path


def test_time_resolution_is_left_alone():
    assert not matches(r"\bTime::SetResolution\b", all_cpp())


def test_trace_sources_name_a_signature_that_exists():
    """Only documentation uses these names, so no other test detects a wrong one."""
    headers = "\n".join(code(path) for path in all_cpp() if path.suffix == ".h")
    wrong = []
    for path in all_cpp():
        # The binder of attributes passes on the name that its caller gives.
        text = code(path) if path.name != "messaging-attributes.h" else ""
        for match in re.finditer(r"\.AddTraceSource\(", text):
            signature = re.search(r'"ns3::([\w:]+)"\s*\)', text[match.end() :])[1]
            name = signature.rpartition("::")[2]
            ours = not signature.startswith(("Packet::", "TracedCallback::", "TracedValueCallback::"))
            if ours and not (name.endswith("TracedCallback") and f"typedef void (*{name})(" in headers):
                wrong.append(f"{path.name}: {signature}")
    assert not wrong


def test_random_numbers_come_from_ns3_streams():
    models = [path for module in MODULES for path in cpp(module, "model", "helper")]
    assert not matches(r"\b(s?rand\s*\(|random_device|mt19937|minstd_rand)", models)


def test_classes_that_draw_assign_streams():
    models = [path for module in MODULES for path in cpp(module, "model", "helper")]
    headers = [path for path in models if path.suffix == ".h"]
    drawing = [path for path in headers if re.search(r"Ptr<\w*RandomVariable\w*>\s+m_", code(path))]
    assert not [name for name in named(drawing) if "AssignStreams" not in (ROOT / name).read_text()]


@pytest.mark.parametrize("module", MODULES)
def test_module_has_the_layout_of_ns3(module):
    top = ROOT / "contrib" / module
    for folder in ("model", "test", "examples", "doc"):
        assert any((top / folder).iterdir()), folder
    assert (top / "examples" / "CMakeLists.txt").exists()
    assert (top / "test" / "examples-to-run.py").exists()
    assert list((top / "doc").glob("*.rst"))


@pytest.mark.parametrize("module", MODULES)
def test_lists_name_every_source(module):
    top = ROOT / "contrib" / module
    (library,) = wscripts.calls((top / "CMakeLists.txt").read_text(), "build_lib")
    listed = [
        file
        for key in ("SOURCE_FILES", "HEADER_FILES", "PRIVATE_HEADER_FILES", "TEST_SOURCES")
        for file in library.get(key, [])
    ]
    present = {str(path.relative_to(top)) for path in cpp(module, "model", "helper", "test")}
    assert not set(listed) - present
    unlisted = sorted(present - set(listed))
    assert not [file for file in unlisted if not file.endswith(".h")]
    # A header may be internal if no published one needs it.
    published = "".join((top / file).read_text() for file in listed if file.endswith(".h"))
    assert not [file for file in unlisted if f'"{Path(file).name}"' in published]
    programs = wscripts.calls((top / "examples/CMakeLists.txt").read_text(), "build_lib_example")
    listed = [file for program in programs for file in program["SOURCE_FILES"]]
    assert sorted(listed) == sorted(path.name for path in cpp(module, "examples") if path.suffix == ".cc")


@pytest.mark.parametrize("module", MODULES)
def test_public_names_carry_the_prefix_of_the_module(module):
    files = cpp(module, "model", "helper")
    assert not [path.name for path in files if not f"{path.stem}-".startswith(f"{module}-")]
    for path in cpp(module):
        for component in re.findall(r"NS_LOG_COMPONENT_DEFINE\s*\(\s*\"(\w+)\"", code(path)):
            assert component.startswith(camel(module)), f"{path.name}: {component}"


@pytest.mark.parametrize("module", MODULES)
def test_type_ids_carry_the_nested_name_and_the_group(module):
    scope = f"ns3::{namespace(module)}::"
    for path in cpp(module, "model", "helper"):
        text = code(path)
        for match in re.finditer(r"\bTypeId\s*(?:\w+\s*)?\(\s*\"([^\"]+)\"\s*\)", text):
            # To the first semicolon that is not in a string.
            definition = re.match(r'(?:"(?:\\.|[^"\\])*"|[^";])*', text[match.start() :])[0]
            assert match[1].startswith(scope), f"{path.name}: {match[1]}"
            assert f'SetGroupName("{camel(module)}")' in definition, f"{path.name}: {match[1]}"


@pytest.mark.parametrize("module", MODULES)
def test_code_lives_in_the_namespace_of_the_module(module):
    """A plain C interface for other languages has no namespace."""
    opening = re.compile(rf"\bnamespace (ns3::)?{namespace(module)}\b|\bextern \"C\"")
    files = cpp(module, "model", "helper", "test")
    assert not named([path for path in files if not opening.search(code(path))])


def test_headers_do_not_hide_those_of_ns3():
    """An existing name would be skipped silently."""
    known = {path.name for path in (WHEEL / "include" / "ns3").iterdir()}
    ours = [path.name for module in MODULES for path in cpp(module, "model", "helper")]
    headers = [name for name in ours if name.endswith(".h")]
    assert len(known) > 500
    assert not known & set(headers)
    assert not [name for name, count in Counter(headers).items() if count > 1]


def test_log_components_are_unique():
    """A duplicate is fatal at load, so no string of the wheel's libraries may equal one of ours."""
    pattern = r"NS_LOG_COMPONENT_DEFINE\s*\(\s*\"(\w+)\"\s*\)"
    components = Counter(name for path in all_cpp() for name in re.findall(pattern, code(path)))
    libraries = [path.read_bytes() for path in (WHEEL / "lib64").glob("libns3*.so")]
    assert libraries
    assert not [name for name, count in components.items() if count > 1]
    taken = [name for name in components if any(b"\0%b\0" % name.encode() in text for text in libraries)]
    assert not taken


def test_log_components_of_classes_may_exist_already():
    """A class with a summary has a component, which another file can make first when ns-3 is one library."""
    classes = r"SetSummary\(\s*TypeId\(\s*\"ns3::(\w+)::(\w+)\""
    files = [path for path in all_cpp() if path.suffix == ".cc"]
    parts = [found for path in files for found in re.findall(classes, code(path))]
    heads = [(space[:1].upper() + space[1:], name) for space, name in parts]
    of_classes = {name if name.startswith(head) else head + name for head, name in heads}
    assert len(of_classes) > 40
    pattern = r"NS_LOG_COMPONENT_DEFINE\s*\(\s*\"(\w+)\"\s*\)"
    assert not of_classes & {name for path in files for name in re.findall(pattern, code(path))}


def test_log_components_log():
    """A component without a statement would never log."""
    silent = [
        path
        for path in all_cpp()
        if "NS_LOG_COMPONENT_DEFINE" in code(path) and not re.search(r"\bNS_LOG_(?!COMPONENT)\w+\(", code(path))
    ]
    assert not named(silent)


def test_constants_of_a_source_are_used():
    """Compilers warn of the file that they are given alone, not of what it includes: sources compiled as one."""
    pattern = r"(?m)^(?:static )?const(?:expr)? [\w:]+(?:<.*>)?[ *&]+(\w+)(?:\[\w*\])*(?: =|\{|\()"
    constants = [
        (path, name, text)
        for path in all_cpp()
        if path.suffix == ".cc" and (text := code(path))
        for name in re.findall(pattern, text)
    ]
    assert len(constants) > 200
    assert not [(path.name, name) for path, name, text in constants if len(re.findall(rf"\b{name}\b", text)) == 1]


def test_columns_with_shares_say_so():
    """The catalog has the units of results; only the code that fills columns has theirs."""
    pattern = r'\bAdd(?:Column)?\(\s*"[^"]*([Ss]hare|[Uu]tili[sz]ation|Saved)[^"]*",\s*"(?!fraction")'
    assert not matches(pattern, all_cpp())


def test_wscripts_are_current_and_valid():
    expected = wscripts.wscripts(ROOT)
    assert len(expected) >= len(MODULES)
    for path, text in expected.items():
        assert path.exists() and path.read_text() == text, f"{path}: run `make format`"
        ast.parse(text)


def test_modules_are_copied_into_a_waf_based_tree(tmp_path):
    """No form of a later release is left, and each source is compiled once."""
    core = tmp_path / "src" / "core" / "model"
    internet = tmp_path / "src" / "internet" / "model"
    for folder in (core, internet, tmp_path / "contrib", tmp_path / "scratch"):
        folder.mkdir(parents=True)
    (tmp_path / "wscript").touch()
    (core / "simulation-singleton.h").write_text("  SimulationSingleton<T> (void);\n")
    (internet / "tcp-cubic.cc").write_text("    .SetParent<TcpSocketBase> ()\n")
    script = [sys.executable, ROOT / "wscript-notes" / "copy.py", tmp_path]
    run = subprocess.run(script, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert (core / "simulation-singleton.h").read_text() == "  SimulationSingleton (void);\n"
    assert (internet / "tcp-cubic.cc").read_text() == "    .SetParent<TcpCongestionOps> ()\n"
    copies = {path.name for path in (tmp_path / "contrib").iterdir()}
    assert copies == set(MODULES) - {"messaging-wifi"}
    later = re.compile(
        r"(?<!waf::)\b(Callback<[^;{}]*?>\(|MakeCallback\(|Simulator::Schedule(Now|WithContext)?\(|EnumValue[(<])"
        r"|\bIsPending\b|\bDuration::"
    )
    sources = [path for path in tmp_path.glob("[cs]*/**/*.[ch]*") if path.name != "messaging-waf.h"]
    assert len(sources) > 500
    assert not [str(path.relative_to(tmp_path)) for path in sources if later.search(code(path))]
    for name in copies:
        module = tmp_path / "contrib" / name
        ast.parse((module / "wscript").read_text())
        for listed in (module / "examples").glob("wscript"):
            ast.parse(listed.read_text())
            programs = re.findall(r'"(.+\.cc)"', listed.read_text())
            assert set(programs) == {path.name for path in listed.parent.glob("*.cc")}
        groups = re.findall(r"'(\w+/united-\d+\.cc)'", (module / "wscript").read_text())
        compiled = [
            line for group in groups for line in re.findall(r'include "\.\./(.+)"', (module / group).read_text())
        ]
        (library,) = wscripts.calls((ROOT / "contrib" / name / "CMakeLists.txt").read_text(), "build_lib")
        assert compiled == library["SOURCE_FILES"] + library.get("TEST_SOURCES", [])


TOOLS = "bash sh make dirname basename cat cut grep head sort sha256sum rm mkdir env uname"


def host_tools(folder: Path, *without: str) -> dict[str, str]:
    """An environment whose PATH has a shell's tools, a compiler and Python, except some."""
    wanted = {name: shutil.which(name) for name in TOOLS.split()}
    wanted |= {"python3": sys.executable, "g++": shutil.which("g++") or shutil.which("c++")}
    for name, target in wanted.items():
        if target and name not in without:
            (folder / name).symlink_to(target)
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("CXX", "PYTHON", "MAKE", "MFLAGS"))}
    return kept | {"PATH": str(folder)}


@pytest.mark.parametrize(
    ("tool", "sentence"),
    [("g++", "sudo apt install g++"), ("python3", "sudo apt install python3 python3-venv")],
)
def test_missing_tool_is_named_with_its_remedy(tmp_path, tool, sentence):
    environment = host_tools(tmp_path, tool)
    run = subprocess.run(["make", "build"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    lines = [line for line in run.stderr.splitlines() if line.startswith("relnet: ")]
    assert len(lines) == 1 and sentence in lines[0]
    assert not run.stdout.strip()


@pytest.mark.parametrize(
    ("modules", "sentence"),
    [
        (["nosuch"], "has no module nosuch"),
        (["wormhole"], "contrib/wormhole is a copy"),
        ([], "contrib/wormhole is a copy"),
    ],
)
def test_drop_in_refuses_in_one_sentence_and_touches_nothing(tmp_path, modules, sentence):
    for folder in ("contrib/wormhole", "scratch"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "VERSION").write_text("3.44\n")
    program = tmp_path / "scratch" / "relnet-pcode.cc"
    program.write_text("")
    run = subprocess.run(
        [ROOT / "cmake" / "dropin.sh", tmp_path, *modules], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1 and sentence in run.stderr
    assert program.exists() and list((tmp_path / "contrib").iterdir()) == [tmp_path / "contrib" / "wormhole"]


def test_an_object_has_a_typeid_of_its_own():
    """ns-3.48 makes no object of a class that derives from Object and has only its TypeId."""
    without = [
        f"{path.name}: {found[2]}"
        for path in ROOT.glob("contrib/**/*.[hc]*")
        for found in re.finditer(
            r"^( *)class (\w+) : public (?:ns3::)?Object\b(.*?)^\1};", path.read_text(), re.M | re.S
        )
        if "GetTypeId" not in found[3]
    ]
    assert without == []


def test_every_source_and_header_is_read_alone():
    rules = (ROOT / "build" / "build.ninja").read_text()
    lines = re.findall(r"^build \S+/relnet-alone\.dir/\S+\.o: \S+ (\S+)", rules, re.M)
    # A header is read by a source of one line.
    headers = str(ROOT / "build" / "cmake" / "alone" / "headers")
    read = {
        Path(line.replace(headers, str(ROOT)).removesuffix(".cc" if line.startswith(headers) else "")) for line in lines
    }
    # The header for waf-based trees needs ns-3 3.35.
    ours = {path for path in tracked() if path.suffix in (".cc", ".h")}
    assert read == ours - {ROOT / "wscript-notes" / "messaging-waf.h"}


def test_second_build_does_nothing():
    subprocess.run(["make", "build"], cwd=ROOT, capture_output=True, check=True)
    run = subprocess.run(["make", "build"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "no work to do" in run.stdout
    assert "installing" not in run.stdout


def test_a_reproduction_builds_the_suites_that_it_runs(tmp_path):
    """Suites of older modules from another build are not used."""
    rules = ["rule touch", "  command = touch $out"]
    for target in ("relnet-modules", "relnet-test-runner"):
        rules += [f"build {target}.made: touch", f"build {target}: phony {target}.made"]
    (tmp_path / "build.ninja").write_text("\n".join([*rules, ""]))
    subprocess.run(["cmake/bootstrap.sh", "modules", tmp_path], cwd=ROOT, capture_output=True, check=True)
    assert sorted(path.stem for path in tmp_path.glob("*.made")) == ["relnet-modules", "relnet-test-runner"]


def test_build_names_a_listed_file_that_is_missing(tmp_path):
    """One sentence with the module and the file, instead of CMake's internals."""
    (tmp_path / "contrib" / "probe").mkdir(parents=True)
    for name in ("CMakeLists.txt", "cmake"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "contrib" / "probe" / "CMakeLists.txt").write_text(
        "build_lib(LIBNAME probe SOURCE_FILES model/probe-absent.cc LIBRARIES_TO_LINK ${libcore})\n"
    )
    run = subprocess.run(
        ["cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-Dns3_DIR={WHEEL}/lib64/cmake/ns3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode != 0
    assert "lists model/probe-absent.cc, which does not exist" in " ".join(run.stderr.split())
