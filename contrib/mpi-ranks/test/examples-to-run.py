# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("mpi-ranks-port-example", "True", "True"),
    ("mpi-ranks-port-example --loss=0.2 --messages=200", "True", "False"),
    ("mpi-ranks-program-example", "True", "True"),
    ("mpi-ranks-program-example --transport=UC --reliability=Reliable --bytes=20000", "True", "False"),
]

python_examples = []
