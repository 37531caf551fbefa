#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/dropin.sh NS3_TREE [MODULE ...]
#
# Proves that the modules drop into an ns-3 source tree unchanged: links them into NS3_TREE, and the scratch programs if no
# module is named (each module needs those that it links with), configures only what they need, builds with ns-3's own
# macros and warnings as errors, and runs their suites with ns-3's test-runner, the examples that test/examples-to-run.py
# names and the scratch programs.
# Nothing in the modules may differ between the two worlds, so nothing is copied or edited. PROFILE=debug builds in half the
# time, and runs slower.

set -euo pipefail

(($# >= 1)) || { echo "usage: cmake/dropin.sh NS3_TREE [MODULE ...]" >&2; exit 2; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tree=$(cd "$1" && pwd)
shift
[[ -f "$tree/VERSION" && -d "$tree/contrib" ]] || { echo "relnet: $tree is not an ns-3 source tree" >&2; exit 2; }

modules=("$@")
programs=()
if ((${#modules[@]} == 0)); then
    for list in "$root"/contrib/*/CMakeLists.txt; do
        modules+=("$(basename "$(dirname "$list")")")
    done
    programs=("$root"/scratch/*.cc)
fi
for module in "${modules[@]}"; do
    [[ -f "$root/contrib/$module/CMakeLists.txt" ]] || { echo "relnet: contrib/ has no module $module" >&2; exit 2; }
    [[ -L "$tree/contrib/$module" || ! -e "$tree/contrib/$module" ]] ||
        { echo "relnet: $tree/contrib/$module is a copy; remove it first" >&2; exit 2; }
done

# ns-3 builds every program in scratch/ against the modules that are enabled, so none may be left from another call.
for program in "$root"/scratch/*.cc; do
    rm -f "$tree/scratch/$(basename "$program")"
done
for program in "${programs[@]}"; do
    ln -s "$program" "$tree/scratch/"
done
for module in "${modules[@]}"; do
    ln -sfn "$root/contrib/$module" "$tree/contrib/$module"
    # ns-3 publishes a header by one that includes it, and leaves that as it is when the header has moved.
    for published in "$tree/build/include/ns3/$module"-*.h; do
        [[ -e "$published" ]] || continue
        header=$(sed -n 's/^#include "\(\/.*\)"$/\1/p' "$published")
        [[ -z "$header" || -e "$header" ]] || rm "$published"
    done
done

# ns-3 adds what a module links with to the enabled modules, but leaves out an example whose modules are not enabled.
examples=()
for module in "${modules[@]}"; do
    list=$root/contrib/$module/examples/CMakeLists.txt
    [[ -e "$list" ]] && mapfile -t -O "${#examples[@]}" examples < <(grep -oP '\$\{lib\K[a-z-]+' "$list" | sort -u)
done

# Semicolons separate the items of a CMake list.
tested=$(IFS=';' && echo "${modules[*]}")
enabled=$(IFS=';' && echo "${modules[*]};${examples[*]:-}")
cache=$tree/cmake-cache
cmake -S "$tree" -B "$cache" -G Ninja "-DCMAKE_BUILD_TYPE=${PROFILE:-release}" -DNS3_ASSERT=ON -DNS3_LOG=ON \
    -DNS3_TESTS=ON -DNS3_EXAMPLES=ON -DNS3_WARNINGS_AS_ERRORS=ON "-DNS3_ENABLED_MODULES=$enabled" \
    "-DNS3_FILTER_MODULE_EXAMPLES_AND_TESTS=$tested" >"$tree/dropin-configure.log" ||
    { cat "$tree/dropin-configure.log" >&2; exit 1; }
ninja -C "$cache" ${JOBS:+-j "$JOBS"}

python3 "$root/cmake/dropin_run.py" "$tree" "${modules[@]}"
