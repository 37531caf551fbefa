# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("roce-example", "True", "True"),
    ("roce-example --protocol=roce --loss=0.05", "True", "False"),
    ("roce-example --control=dcqcn", "True", "False"),
    ("roce-irn-trace", "True", "True"),
]

python_examples = []
