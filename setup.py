# SPDX-License-Identifier: GPL-2.0-only
"""
Makes the wheel: the Python package, and what CMake installs from a finished build.

`make wheel` runs it. `RELNET_BUILD` names the build folder, `build` by default. An unpacked source distribution without
one, which is what pip has, is compiled here, with ns-3 and CMake from PyPI. An editable installation has no use for any
of this.
"""

import importlib.util
import os
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("RELNET_BUILD") or ROOT / "build").resolve()

# The build folder of `make` is there before it calls this script.
COMPILES = (ROOT / "PKG-INFO").exists() and not BUILD.exists()
TOOLS = ["ns3==3.44.post0", "cmake>=3.21", "ninja>=1.8"]

# The usual folder, build/, is CMake's.
scratch = tempfile.TemporaryDirectory(prefix="relnet-wheel-")


def compile_modules() -> Path:
    """Compile the modules with the ns-3 that is installed; return the build folder."""
    build = Path(scratch.name) / "modules"
    (ns3,) = importlib.util.find_spec("ns3").submodule_search_locations
    (config,) = Path(ns3).glob("lib*/cmake/ns3")
    subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", f"-Dns3_DIR={config}"], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "relnet-modules"], check=True)
    return build


class PackageWithModules(build_py):
    """Adds libraries, headers, published data and examples to the package."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        build = compile_modules() if COMPILES else BUILD
        if not (build / "cmake_install.cmake").exists():
            raise SystemExit(f"relnet: there are no compiled modules in {build}; run `make wheel`.")
        target = Path(self.build_lib).resolve() / "relnet"
        subprocess.run(
            ["cmake", "--install", build, "--prefix", target, "--strip"], stdout=subprocess.DEVNULL, check=True
        )


class AnyPython(bdist_wheel):
    """Python calls the libraries through a C interface, so one wheel serves all of its versions."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibraries(Distribution):
    """A package that is not pure Python."""

    def has_ext_modules(self):
        return True


setup(
    distclass=WithLibraries,
    cmdclass={"build_py": PackageWithModules, "bdist_wheel": AnyPython},
    options={"build": {"build_base": scratch.name}},
    setup_requires=TOOLS if COMPILES else [],
)
