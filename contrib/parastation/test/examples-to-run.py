# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("parastation-example", "True", "True"),
    ("parastation-example --loss=0.3 --messages=50", "True", "False"),
]

python_examples = []
