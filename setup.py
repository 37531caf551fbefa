# SPDX-License-Identifier: GPL-2.0-only
"""
Makes the wheel: the Python package, and what CMake installs from a finished build.

`make wheel` runs it. `RELNET_BUILD` names the build folder, `build` by default. An editable installation has no use for
any of this.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

BUILD = Path(os.environ.get("RELNET_BUILD") or Path(__file__).resolve().parent / "build").resolve()


class PackageWithModules(build_py):
    """Adds libraries, headers, published data and examples to the package."""

    def run(self):
        super().run()
        if self.editable_mode:
            return
        if not (BUILD / "cmake_install.cmake").exists():
            raise SystemExit(f"relnet: there are no compiled modules in {BUILD}; run `make wheel`.")
        target = Path(self.build_lib).resolve() / "relnet"
        subprocess.run(
            ["cmake", "--install", BUILD, "--prefix", target, "--strip"], stdout=subprocess.DEVNULL, check=True
        )


class AnyPython(bdist_wheel):
    """Python calls the libraries through a C interface, so one wheel serves all of its versions."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibraries(Distribution):
    """A package that is not pure Python."""

    def has_ext_modules(self):
        return True


# The usual folder, build/, is CMake's.
scratch = tempfile.TemporaryDirectory(prefix="relnet-wheel-")
setup(
    distclass=WithLibraries,
    cmdclass={"build_py": PackageWithModules, "bdist_wheel": AnyPython},
    options={"build": {"build_base": scratch.name}},
)
