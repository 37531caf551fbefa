# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("uet-example", "True", "True"),
    ("uet-example --mode=rod", "True", "False"),
    ("uet-example --trimming=false --spraying=reps", "True", "False"),
]

python_examples = []
