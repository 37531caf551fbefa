# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("sdr-example", "True", "True"),
    ("sdr-example --scheme=xor --loss=0.01", "True", "False"),
    ("sdr-example --scheme=selective-repeat --loss=0.01", "True", "False"),
]

python_examples = []
