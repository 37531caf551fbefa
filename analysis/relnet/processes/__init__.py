# SPDX-License-Identifier: GPL-2.0-only
"""
ns-3 in child processes.

`pool` starts a fork server (`server`), which forks a child (`worker`) for each run; they exchange messages over sockets
(`wire`). `isolation` calls a user's function in a child.
"""
