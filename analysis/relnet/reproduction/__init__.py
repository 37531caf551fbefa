# SPDX-License-Identifier: GPL-2.0-only
"""
Reproductions of papers.

`reproduce` runs the experiments and writes a `report`; `durations` estimates the remaining time.
"""
