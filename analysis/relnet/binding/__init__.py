# SPDX-License-Identifier: GPL-2.0-only
"""
ns-3 and the modules of relnet in this process.

`loader` loads libraries, and `user_code` lists what the user has loaded. `introspection` calls scenarios through C
functions, `support` counts random numbers and enables logs. `namespace` and `callbacks` give Python access to ns-3's
classes.
"""
