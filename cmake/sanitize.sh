#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/sanitize.sh [configure | PATTERN...]
#
# Runs the ns-3 suites and the examples of all modules under AddressSanitizer, with leaks, and UndefinedBehaviorSanitizer,
# and the suites of the exhaustive search, which has threads, under ThreadSanitizer. With `configure`, only the first build folder is
# configured: `make fuzz` uses it too, so that clang counts coverage there. A pattern such as "pcode or eqa" chooses
# suites and examples of the first kind. JOBS is the number of processes.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
compiler=$(cmake/clang.sh)
if [[ -n "$compiler" ]]; then
    # The modules are shared libraries, so the sanitizers have to be one, too.
    coverage=,fuzzer-no-link
    flags=-shared-libsan
    export LDFLAGS="-Wl,-rpath,$("$compiler" -print-runtime-dir)"
else
    # With sanitizers, gcc warns of what cannot be.
    coverage=
    flags=-Wno-error
fi

# Optimisation would take most of the time: with it, a suite's checks compile for 55 s of processor time and not for 8 s.
# prepare LEVEL BUILD_DIRECTORY SANITIZERS [CMAKE_ARGUMENT...]
prepare() {
    local all="-O0 -g1 -fno-omit-frame-pointer -fsanitize=$3 -fno-sanitize-recover=undefined $flags"
    CXX=${compiler:-${CXX:-}} cmake/bootstrap.sh "$1" "$2" -DCMAKE_BUILD_TYPE=None -DRELNET_PRECOMPILE=ON "-DCMAKE_CXX_FLAGS=$all" "${@:4}"
}

if [[ "${1:-}" == configure ]]; then
    prepare configure build-sanitize "address,undefined$coverage"
    exit
fi

prepare suites build-sanitize "address,undefined$coverage"
ninja -C build-sanitize -j "${JOBS:-$(nproc)}" relnet-programs
prepare suites build-sanitize-threads thread "-DRELNET_ENABLED_MODULES=messaging;messaging-traffic;messaging-scenario;messaging-search"
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1
pytest=(.venv/bin/python -m pytest -q --numprocesses "${JOBS:-$(nproc)}" --dist worksteal test/test_ns3_suites.py)
RELNET_BUILD=build-sanitize-threads "${pytest[@]}" -k "test_suite and explorer"
RELNET_BUILD=build-sanitize "${pytest[@]}" -k "(test_suite or test_example and not refuses)${*:+ and ($*)}"
