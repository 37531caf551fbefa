#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Usage: cmake/alone.sh [NS3_HEADERS]
#
# Reads every source and every header of the repository alone, with gcc and, where it is installed, with clang: without
# precompiled header, without other sources in front, and without making code. So each includes what it uses. With
# NS3_HEADERS, such as build/include of an ns-3 source tree that has been configured, gcc reads them with these headers
# instead of those of the wheel.

set -euo pipefail

if (($#)); then
    headers=$(cd "$1" && pwd)
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    cmake/bootstrap.sh alone build-alone "-DRELNET_ALONE_INCLUDE=$headers"
    exit
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cmake/bootstrap.sh alone
clang=$(cmake/clang.sh)
if [[ -n "$clang" ]]; then
    CXX=$clang cmake/bootstrap.sh alone build-clang
else
    echo "relnet: read by one compiler, as there is no clang++ of version 16 or later (sudo apt install clang-16)"
fi
