# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("ethernet-fabric-incast", "True", "True"),
    ("ethernet-fabric-incast --admission=pfc", "True", "False"),
]

python_examples = []
