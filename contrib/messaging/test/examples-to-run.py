# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("messaging-example", "True", "True"),
    ("messaging-journey", "True", "True"),
    ("messaging-device-check", "True", "False"),
    ("messaging-device-check --device=simple", "True", "False"),
    ("messaging-device-check --device=host", "True", "False"),
    ("messaging-example --peers=8 --messages=50 --loss=0.3", "True", "False"),
]

python_examples = []
