# SPDX-License-Identifier: GPL-2.0-only
"""
Runs of scenarios and functions.

`single` runs a scenario once, and `sweeps` over a `grid` of parameters; `pairs` checks which parameters are valid
together. `store` keeps results on disk, and `history` finds them there. `progress` and `display` show them.
"""
