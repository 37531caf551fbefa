# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("infiniband-ipoib", "True", "True"),
    ("infiniband-ipoib --hosts=30 --rate=DDR --sweep=200us", "True", "False"),
    ("infiniband-traces", "True", "True"),
    ("infiniband-traces --interval=100us --rnr-retries=2", "True", "False"),
    ("infiniband-verbs", "True", "True"),
    ("infiniband-verbs --messages=100 --corruption=0", "True", "False"),
]

python_examples = []
