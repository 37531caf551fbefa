#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every check of `make test`, after the build: formats and pytest, which runs
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

check "ruff check" ruff check --quiet .
check "ruff format" ruff format --check --quiet .
check "clang-format" cpp_format
# The files differ much in length, so a process that has run out of tests takes some of another's.
# Slow tests are left out, unless an argument (-m slow) or RELNET_EXTENSIVE has them run.
marks=("-m" "not slow")
[[ -z "${RELNET_EXTENSIVE:-}" ]] || marks=()
check "suites and pytest" python -m pytest -q --numprocesses "${JOBS:-$(nproc)}" --dist worksteal "${marks[@]}" test "$@"

if ((${#failed[@]})); then
    printf 'relnet: failed: %s\n' "${failed[@]}" >&2
    exit 1
fi
