# SPDX-License-Identifier: GPL-2.0-only
"""
Checks of a protocol or a network for bugs: `relnet check`.

`searching` searches a protocol within growing bounds. `checks` does so first, then runs it under faults, at random and
over sockets, and gives one verdict.
"""
