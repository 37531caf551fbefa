#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: MINUTES=10 cmake/fuzz.sh [TARGET...]
#
# Lets libFuzzer try the readers and the protocol cores (fuzz/) for some minutes in all, under AddressSanitizer and
# UndefinedBehaviorSanitizer. What it has found before is in build-sanitize/fuzz; an input that ends the program is in
# build-sanitize/found, from where it belongs into fuzz/corpus/TARGET once it is mended: a test runs those again.
# JOBS is the number of processes.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
[[ -n "$(cmake/clang.sh)" ]] || { echo "relnet: libFuzzer needs clang of 16 or later; install it with: sudo apt install clang-16" >&2; exit 2; }
jobs=${JOBS:-$(nproc)}
cmake/sanitize.sh configure
ninja -C build-sanitize -j "$jobs" relnet-fuzz
# libFuzzer links libstdc++ ahead of the sanitizers' library.
export ASAN_OPTIONS=verify_asan_link_order=0
export UBSAN_OPTIONS=print_stacktrace=1
export fuzzer=build-sanitize/bin/relnet-fuzz
(($#)) || mapfile -t targets < <("$fuzzer" --list)
(($#)) && targets=("$@")
export seconds=$((${MINUTES:-10} * 60 * jobs / ${#targets[@]}))
# Fuzz one target, and print a line of a table.
run() {
    local grown=build-sanitize/fuzz/$1 found=build-sanitize/found/$1 kept=() result=clean
    mkdir -p "$grown" "$found"
    [[ ! -d fuzz/corpus/$1 ]] || kept=("fuzz/corpus/$1")
    "$fuzzer" "--target=$1" -max_total_time="$seconds" -max_len=4096 -len_control=0 -timeout=30 -dict=fuzz/words.dict -print_final_stats=1 \
        -artifact_prefix="$found/" "$grown" "${kept[@]}" >"$found.log" 2>&1 || result="FOUND: $found.log"
    awk -v name="$1" -v result="$result" -v seconds="$seconds" '
        match($0, /ft: [0-9]+/) { features = substr($0, RSTART + 4, RLENGTH - 4) }
        /number_of_executed_units/ { runs = $2 }
        END { printf "%-28s %10d runs %8.0f /s %8d features  %s\n", name, runs, runs / seconds, features, result }' "$found.log"
    [[ $result == clean ]]
}
export -f run
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'run {}'
