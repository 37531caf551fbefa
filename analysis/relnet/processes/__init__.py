# SPDX-License-Identifier: GPL-2.0-only
"""
ns-3 in this process and in child processes.

`loaded` lists the user's libraries, headers and modules of ns-3. `native` loads libraries and calls scenarios through C
functions; `kernel` and `callbacks` give Python access to ns-3's classes. `pool` starts a fork server (`server`), which
forks a child (`worker`) for each run; they exchange `tasks` over sockets (`wire`). Users call `loading` and
`isolation`.
"""
