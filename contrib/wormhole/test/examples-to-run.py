# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("wormhole-udp", "True", "True"),
    ("wormhole-udp --router=buffered --topology=fattree", "True", "False"),
    ("wormhole-heat-map", "True", "True"),
    ("wormhole-heat-map --side=16 --load=0.1 --router=buffered", "True", "False"),
]

python_examples = []
