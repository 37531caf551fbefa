#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The documentation site, into out/doc: pages by hand, notebooks with their outputs, the systems with the figures that
# `make reproduce` has left in out/ or those kept in doc/figures, the modules' documentation, Python, and C++ where doxygen is installed. Inside an
# ns-3 tree the modules' pages join ns-3's own model library. A warning of Sphinx is an error, and so is a fault of a page: a missing link or text of a
# picture; with Chromium also sideways scrolling at 400 pixels, contrast, and errors of scripts.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
sources=build/doc
export RELNET_CACHE=${RELNET_CACHE:-$PWD/build/doc-cache}

python -c 'import furo, ipykernel, myst_nb, nbclient, sphinx, sphinx_design' 2>/dev/null ||
    python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[docs]'

mkdir -p "$sources/extra"
rm -rf "$sources/extra/cpp"
if command -v doxygen >/dev/null; then
    {
        printf 'PROJECT_NAME = relnet\nOUTPUT_DIRECTORY = %s/extra\nHTML_OUTPUT = cpp\n' "$sources"
        printf 'INPUT = %s\n' "$(echo contrib/*/model contrib/*/helper)"
        printf 'RECURSIVE = YES\nGENERATE_LATEX = NO\nQUIET = YES\nWARNINGS = NO\nWARN_IF_UNDOCUMENTED = NO\nEXTRACT_PRIVATE = NO\n'
        printf 'STRIP_FROM_PATH = .\nHAVE_DOT = NO\nGENERATE_TREEVIEW = YES\n'
    } | doxygen -
else
    echo "relnet: doxygen was not found, so the site is built without the C++ reference (sudo apt install doxygen)"
fi
python cmake/pages.py "$sources"
rm -rf out/doc
sphinx-build -q -W --keep-going -b html "$sources" out/doc
python test/site_checks.py out/doc
echo "relnet: documentation is in out/doc/index.html"
