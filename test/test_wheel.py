# SPDX-License-Identifier: GPL-2.0-only
"""
The wheel, installed outside the clone and used without a compiler.

The environment has the packages of this one as hard links, instead of downloads; with RELNET_EXTENSIVE=1 pip installs
them from the registry, and the wheels of the packages that it has as sources only from `dist/`.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import relnet
from relnet import build

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
EXTENSIVE = bool(os.environ.get("RELNET_EXTENSIVE"))
COMPILERS = ("c++", "g++", "gcc", "cc", "clang", "clang++", "cmake", "ninja", "make")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of the build that is tested."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [ROOT / "cmake" / "wheel.sh", folder, build.build_folder()]
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    (found,) = folder.iterdir()
    return found


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel and a folder of results; its PATH has a shell's tools, but no compiler."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    options = ["--find-links", str(ROOT / "dist"), "--constraint", str(ROOT / "constraints.txt")]
    if not EXTENSIVE:
        words = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        packages = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        ignored = shutil.ignore_patterns("*relnet*", "__pycache__")
        present = sysconfig.get_path("purelib")
        shutil.copytree(present, packages, copy_function=_link, ignore=ignored, symlinks=True, dirs_exist_ok=True)
        shutil.copytree(Path(sys.prefix, "include"), folder / "venv" / "include", dirs_exist_ok=True)
        options = ["--no-index"]
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-compile",
        *options,
        wheel,
    ]
    # With the clone's packages on the path, pip would take relnet for installed.
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(install, capture_output=True, text=True, check=False, env=own)
    assert done.returncode == 0, done.stderr
    tools = folder / "tools"
    tools.mkdir()
    for name in ("sh", "sed", "ldd", "uname"):
        (tools / name).symlink_to(shutil.which(name))
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RELNET", "PYTHON", "CXX"))}
    cache = {"RELNET_CACHE": str(folder / "cache"), "PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{tools}"}
    assert not any(shutil.which(name, path=cache["PATH"]) for name in COMPILERS)
    return folder, kept | cache


@pytest.fixture
def run(installed):
    """Run a program of the environment outside the clone, without error output; return its output."""
    folder, environment = installed

    def run(*words, **options):
        command = [folder / "venv" / "bin" / words[0], *words[1:]]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False, **options
        )
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout

    return run


def test_one_wheel_serves_every_python(wheel, tmp_path):
    _, version, python, interface, platform = wheel.name.removesuffix(".whl").split("-")
    assert (version, python, interface) == (relnet.__version__, "py3", "none")
    assert platform.startswith("manylinux_2_")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        archive.extractall(tmp_path)
    for wanted in ("modules/include/ns3/messaging-module.h", "published/idempotent.csv", "examples/reliability.ipynb"):
        assert f"relnet/{wanted}" in names
    libraries = sorted((tmp_path / "relnet" / "modules" / "lib").iterdir())
    ours = {Path(path).name for path in build.module_libraries()}
    assert {path.name for path in libraries} == ours | {build.support_library().name}
    for path in libraries:
        told = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
        assert "libpython" not in told
        (searched,) = (line.split("[")[1].rstrip("]") for line in told.splitlines() if "(RUNPATH)" in line)
        assert all(folder.startswith("$ORIGIN") for folder in searched.split(":"))


def test_every_header_of_the_wheel_finds_the_others(wheel, tmp_path):
    """A header that a published one includes is in the wheel as well."""
    with zipfile.ZipFile(wheel) as archive:
        headers = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".h")}
    theirs = {path.name for path in (build.ns3_folder() / "include" / "ns3").iterdir()}
    for name, text in headers.items():
        included = [line.split('"')[1] for line in text.splitlines() if line.startswith('#include "')]
        assert {Path(one).name for one in included} <= headers.keys() | theirs, name


def test_it_is_the_wheel_that_is_used(run, installed):
    told = run("python", "-c", "import relnet.build as build; print(build.clone(), build.build_folder())")
    package = run("python", "-c", "import relnet; print(relnet.__path__[0])").strip()
    assert told.split() == ["None", f"{package}/modules"]
    assert str(installed[0]) in told and str(ROOT) not in told


def test_scenario_and_sweep(run):
    words = ("reliability", "network=csma", "protocol=idempotent", "nodes=2", "messages=20")
    assert "Verdict" in run("relnet", "run", *words, "loss=0.1")
    assert run("relnet", "sweep", *words, "loss=0,0.1").splitlines()[-1].startswith("computed ")


def test_reproduction(run, installed):
    """Of one figure, with its claims; with RELNET_EXTENSIVE=1 of the whole paper."""
    script = """
from dataclasses import replace
from relnet import papers
from relnet.reproduction.reproduce import reproduce
paper = papers.find("pcode")
figure = next(one for one in paper.experiments if one.key == "figure-8")
papers.find = lambda name: replace(paper, experiments=(figure,))
raise SystemExit(reproduce(["pcode"], quick=True, out="out"))
"""
    if EXTENSIVE:
        run("relnet", "reproduce", "--quick", "pcode", "--out", "out")
    else:
        run("python", "-c", script)
    made = {path.name for path in (installed[0] / "out").rglob("*") if path.is_file()}
    assert {"report.html", "pcode.html", "report.css", "claims.csv"} <= made


def test_ns3_in_python(run):
    script = "from relnet import ns; print(ns.NodeContainer(3).GetN(), ns.messaging.Verdict.LIVELOCK != 0)"
    assert run("python", "-c", script) == "3 True\n"


def test_library_of_ones_own(run, installed):
    """Compiled with the headers and libraries of the wheel; the run itself has no compiler."""
    folder, _ = installed
    example = run("python", "-c", "import relnet.build as build; print(build.data_folder('examples'))").strip()
    flags = run("python", "-m", "relnet.build").strip()
    assert str(ROOT) not in flags
    compiler = os.environ.get("CXX") or "c++"
    subprocess.run(f"{compiler} -O0 {example}/own_scenario.cc -o {folder}/libown.so {flags}", shell=True, check=True)
    assert "TransmissionsPerMessage" in run("relnet", "--load", "libown.so", "run", "stop-and-wait", "loss=0.3")
