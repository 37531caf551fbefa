#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/bootstrap.sh configure|modules|wheel|bench|suites|alone|run|test [BUILD_DIRECTORY [CMAKE_ARGUMENT...]]
#
# Checks the tools that the host has to bring, installs the pinned Python packages into .venv (with `test` and `suites`
# those of the tests too, with `wheel` those that make a wheel), configures, and builds: with `configure` nothing, with
# `run` and `wheel` the libraries that Python loads, with `modules` these and the suites whose tests carry claims, with
# `bench` the libraries and the benchmarks, with `suites` the runner of the suites, with `test` everything; with `alone`
# every source and header is read alone, without making code. What is up to date is left as it is: the packages when the
# files that name them have not changed, the configuration when CMake finds it current, the rest by Ninja.

set -euo pipefail

level=${1:-run}
build=${2:-build}
shift $(($# < 2 ? $# : 2))

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
venv=$root/.venv

# Name what is missing in one sentence, with the command that installs it.
missing() {
    echo "relnet: $1; install it with: $2" >&2
    exit 2
}

# The first Python of at least 3.10, or nothing.
find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.10; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

# The first compiler that takes C++20 concepts, or nothing.
find_compiler() {
    local name
    for name in ${CXX:-} c++ g++ clang++; do
        if echo 'template <class T> concept Any = requires { sizeof(T); }; static_assert(Any<int>);' |
            "$name" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

# Whether a program is there in at least the given version: at_least PROGRAM MAJOR.MINOR.
at_least() {
    local version
    version=$("$1" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+' | head -n 1) || return 1
    [[ -n "$version" && "$(printf '%s\n' "$2" "$version" | sort -V | head -n 1)" == "$2" ]]
}

python=$(find_python)
[[ -n "$python" ]] || missing "Python 3.10 or later was not found" "sudo apt install python3 python3-venv python3-dev"
compiler=$(find_compiler)
[[ -n "$compiler" ]] || missing "a compiler for C++20 was not found" "sudo apt install g++"

# Two builds of one folder at a time would spoil each other's records.
mkdir -p "$build"
if command -v flock >/dev/null; then
    exec 9>"$build/.lock"
    flock -n 9 || { echo "relnet: waiting for another build of $build" && flock 9; }
fi

export PATH="$venv/bin:$PATH"
# The packages of `wheel` are those of `run` and more, those of `test` are all.
case $level in
    test | suites) extras="[test]" sets=(test) ;;
    wheel) extras="[wheel]" sets=(wheel test) ;;
    *) extras="" sets=(run wheel test) ;;
esac
key=$(cat pyproject.toml constraints.txt | sha256sum | cut -d ' ' -f 1)
installed=
packages=
for set in "${sets[@]}"; do
    [[ "$(cat "$venv/.relnet-$set" 2>/dev/null)" != "$key" ]] || installed=1
done
if [[ -z "$installed" ]]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        missing "the venv module of Python was not found" "sudo apt install python3-venv"
    # The Python binding that the ns3 wheel depends on is compiled on installation.
    "$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
        missing "the header files of Python were not found" "sudo apt install python3-dev"
    [[ -x "$venv/bin/python" ]] || "$python" -m venv "$venv"
    tools=()
    at_least cmake 3.21 || tools+=(cmake)
    at_least ninja 1.8 || tools+=(ninja)
    echo "relnet: installing the packages that pyproject.toml names into .venv (one to two minutes)"
    # The flags that Python was compiled with may ask for debugging information, a fifth of the binding's compile time.
    pip=(env CXXFLAGS="-DNDEBUG -fwrapv ${CXXFLAGS:-}" "$venv/bin/python" -m pip install --quiet)
    pip+=(--disable-pip-version-check --constraint constraints.txt)
    # The build needs ns-3 alone, so it does not wait for the binding.
    "${pip[@]}" --no-deps ns3 "${tools[@]}"
    { "${pip[@]}" --editable ".$extras" && echo "$key" >"$venv/.relnet-${sets[0]}"; } &
    packages=$!
fi

# The installation of the packages ends before this script does; an interruption ends it too.
finish() {
    local status=$?
    if [[ -n "$packages" ]]; then
        ((status < 128)) || kill "$packages" 2>/dev/null || true
        wait "$packages" || status=$((status > 0 ? status : 1))
    fi
    exit "$status"
}
trap finish EXIT

if [[ ! -f "$build/build.ninja" || $# -gt 0 ]]; then
    CXX=${CXX:-$compiler} cmake -S . -B "$build" -G Ninja "$@" >"$build/configure.log" 2>&1 || {
        cat "$build/configure.log" >&2
        exit 1
    }
fi
[[ "$level" != configure ]] || exit 0
targets=()
keep=()
case $level in
    # A reproduction runs the suites that carry claims, so they have to be those of these modules.
    modules) targets+=(relnet-modules relnet-test-runner) ;;
    run | wheel) targets+=(relnet-modules) ;;
    bench) targets+=(relnet-bench) ;;
    suites) targets+=(relnet-test-runner) ;;
    alone) targets+=(relnet-alone) keep+=(-k 0) ;;
esac
NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "${JOBS:-$(nproc)}" "${keep[@]}" "${targets[@]}"
