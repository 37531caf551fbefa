# SPDX-License-Identifier: GPL-2.0-only
"""
Scenarios, networks, protocols and patterns, as their TypeIds declare them.

`lookup` finds them by name. A `scenario` has `parameters`, of which `overview` lists the most important ones.
`extensions` loads the user's libraries.
"""
