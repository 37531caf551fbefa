# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("broadcast-ethernet-udp --duration=200ms", "True", "True"),
    ("broadcast-ethernet-udp --stations=16 --interval=2ms --spacing=50 --ring=4", "True", "False"),
]

python_examples = []
