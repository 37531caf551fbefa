# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("messaging-scenario-example", "True", "False"),
    ("messaging-scenario-example --protocol=udp --loss=0.1", "True", "False"),
]

python_examples = []
