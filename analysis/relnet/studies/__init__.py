# SPDX-License-Identifier: GPL-2.0-only
"""
Studies made of many runs, or of a run with more than results.

`recording` records messages and frames of a run, `exploration` searches all states of a protocol, `fault_matrix`
compares all protocols and networks under all faults, and `torture` runs random cases.
"""
