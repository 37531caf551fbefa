# SPDX-License-Identifier: GPL-2.0-only
"""
Reproductions of papers.

`reproduce` runs the experiments (`execution`) and the test suites of claims (`suites`), and writes a `report` in which
each number has its origin (`provenance`), as a site (`pages`) with `tables`, `interactive` curves, and counterexamples
and recorded runs to play (`playback`). `durations` estimates the remaining time.
"""
