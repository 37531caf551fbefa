#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every check of `make test`, after the build: formats, warnings of a second compiler, and pytest, which runs
# the ns-3 test suites too and whose closing lines come last. RELNET_EXTENSIVE=1 adds the long tests.
# JOBS is the number of processes, that of the processors if it is not set. Arguments go to pytest.

set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH="$PWD/.venv/bin:$PATH"
# The tests start Python hundreds of times, and without byte code each would compile the package anew.
unset PYTHONDONTWRITEBYTECODE
failed=()

# Run one check; what fails is named again at the end: check NAME COMMAND...
check() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name"
    if "$@"; then
        echo "-- $name: passed ($((SECONDS - start)) s)"
    else
        echo "-- $name: FAILED"
        failed+=("$name")
    fi
}

cpp_format() {
    git ls-files -z --cached --others --exclude-standard '*.cc' '*.h' | xargs -0 -r clang-format --dry-run -Werror
}

# Only the warnings matter here, so sources are read without making objects or linking: a file that is touched says which were
# read, and an empty one stands for a library. The precompiled header is made all the same. Benchmarks are read
# here only.
clang_warnings() {
    CXX=$1 cmake/bootstrap.sh test build-clang -DCMAKE_BUILD_TYPE=None -DRELNET_UNITE=0 \
        "-DCMAKE_CXX_COMPILE_OBJECT=<CMAKE_CXX_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -fsyntax-only -Xclang -o -Xclang <OBJECT> \
<SOURCE>;touch <OBJECT>" \
        "-DCMAKE_CXX_CREATE_SHARED_LIBRARY=touch <TARGET>" "-DCMAKE_CXX_LINK_EXECUTABLE=touch <TARGET>" &&
        CXX=$1 cmake/bootstrap.sh bench build-clang
}

check "ruff check" ruff check --quiet .
check "ruff format" ruff format --check --quiet .
check "clang-format" cpp_format
clang=$(cmake/clang.sh)
if [[ -n "$clang" ]]; then
    check "warnings of $clang" clang_warnings "$clang"
else
    echo "== warnings of clang: SKIPPED, no clang++ of version 16 or later (sudo apt install clang-16)"
fi
# The files differ much in length, so a process that has run out of tests takes some of another's.
check "suites and pytest" python -m pytest -q --numprocesses "${JOBS:-$(nproc)}" --dist worksteal test "$@"

if ((${#failed[@]})); then
    printf 'relnet: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
