# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("wormhole-udp", "True", "True"),
    ("wormhole-udp --router=buffered --topology=fattree --packets=20", "True", "False"),
    ("wormhole-heat-map", "True", "True"),
    ("wormhole-heat-map --shape=16x4 --router=hybrid --torus --load=0.1", "True", "False"),
]

python_examples = []
