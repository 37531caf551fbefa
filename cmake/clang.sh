#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Prints the name of the newest clang++ of at least 16, the first that takes all of the C++20 that gcc 12 takes, or nothing.

for name in clang++ clang++-{21,20,19,18,17,16}; do
    if [[ "$("$name" -dumpversion 2>/dev/null | cut -d . -f 1)" -ge 16 ]]; then
        echo "$name"
        exit
    fi
done
