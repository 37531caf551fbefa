#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The model documentation of all modules as HTML, into out/doc. Inside an ns-3 tree the same files join ns-3's own
# model library.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
sources=build/doc
rm -rf "$sources"
mkdir -p "$sources" out/doc
[[ -x .venv/bin/sphinx-build ]] ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt sphinx

{
    printf 'relnet\n======\n\n.. toctree::\n   :maxdepth: 2\n\n'
    for folder in contrib/*/doc; do
        module=$(basename "$(dirname "$folder")")
        cp -r "$folder" "$sources/$module"
        for page in "$folder"/*.rst; do
            [[ -e "$page" ]] && echo "   $module/$(basename "$page" .rst)"
        done
    done
} >"$sources/index.rst"
.venv/bin/sphinx-build -q -W --keep-going -C -D project=relnet -D html_theme=alabaster -b html \
    "$sources" out/doc
echo "relnet: documentation is in out/doc/index.html"
