#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/waf.sh [FOLDER]
#
# Runs the recipe of wscript-notes/README.md as it is written, in an empty FOLDER or in one that is removed afterwards: it fetches
# ns-3 3.35, copies the modules, builds, and runs the suites. JOBS is the number of processes, as waf has it. Where the recipe's
# address cannot be reached, git's url.<base>.insteadOf names another one.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if (($#)); then
    folder=$(mkdir -p "$1" && cd "$1" && pwd)
    [[ -z "$(ls -A "$folder")" ]] || { echo "relnet: $folder is not empty" >&2; exit 2; }
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

# The indented lines between the heading of the recipe and the next one.
recipe=$(sed -n '/^## Recipe$/,/^## /s/^    //p' "$root/wscript-notes/README.md")
[[ -n "$recipe" ]] || { echo "relnet: wscript-notes/README.md has no recipe" >&2; exit 1; }
cd "$folder"
RELNET=$root bash -euxo pipefail -c "$recipe"
