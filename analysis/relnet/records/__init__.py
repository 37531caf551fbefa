# SPDX-License-Identifier: GPL-2.0-only
"""
Input and output of a run, as plain values.

`tasks` are runs and their records. `frames` converts records to pandas, `pickles` values to bytes, and `files` writes
tables. `fingerprint` identifies a user's function.
"""
