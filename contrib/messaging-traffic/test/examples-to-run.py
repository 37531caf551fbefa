# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("messaging-tcp-cpu-cost", "True", "False"),
]

python_examples = []
