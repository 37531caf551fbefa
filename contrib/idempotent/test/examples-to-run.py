# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("idempotent-example", "True", "True"),
    ("idempotent-example --benchmark=add --nodes=256", "True", "False"),
    ("idempotent-example --benchmark=nbody --nodes=16 --loss=0.1", "True", "False"),
    ("idempotent-socket-example", "True", "True"),
    ("idempotent-socket-example --loss=0.3", "True", "False"),
]

python_examples = []
