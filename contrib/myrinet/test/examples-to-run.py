# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("myrinet-tcp", "True", "True"),
    ("myrinet-tcp --topology=switch --nodes=4 --corruption=1e-6", "True", "False"),
    ("myrinet-deadlock", "True", "True"),
    ("myrinet-deadlock --timeout=62.5ms", "True", "False"),
]

python_examples = []
