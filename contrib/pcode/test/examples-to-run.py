# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("pcode-example", "True", "True"),
    ("pcode-example --workstations=3 --loss=0.2", "True", "False"),
]

python_examples = []
