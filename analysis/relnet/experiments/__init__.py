# SPDX-License-Identifier: GPL-2.0-only
"""
What the reproductions of all papers have in common.

`definitions` has papers, experiments and their outcomes, and `claims` the published values and their verdicts.
`selection` selects runs, `searches` and `sensitivity` are experiments of every paper, and `costs` compares times of
several papers.
"""
