#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/wheel.sh DIRECTORY [BUILD_DIRECTORY]
#
# Packs the libraries of a build, their headers, the Python package, the published data and the notebooks into a wheel in
# DIRECTORY. What is built already is not compiled again. The wheel's tag names the oldest glibc that has all symbols
# that the libraries need; the libraries of ns-3 stay outside, since the ns3 wheel has them.

set -euo pipefail

target=$(mkdir -p "$1" && cd "$1" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${2:-$root/build}" && pwd)
export PATH="$root/.venv/bin:$PATH"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

RELNET_BUILD=$build python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "$made" "$root"
auditwheel repair --exclude 'libns3*' --wheel-dir "$made/tagged" "$made"/relnet-*.whl >"$made/audit.log" 2>&1 || {
    cat "$made/audit.log" >&2
    exit 1
}
rm -f "$target"/relnet-*.whl
mv "$made"/tagged/relnet-*.whl "$target"
ls "$target"/relnet-*.whl
