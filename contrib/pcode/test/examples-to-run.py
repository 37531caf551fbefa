# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("pcode-example", "True", "True"),
    ("pcode-example --workstations=3 --loss=0.2", "True", "False"),
    ("pcode-wifi", "True", "False"),
    ("pcode-wifi --protocol=p1", "True", "False"),
    ("pcode-wifi --protocol=p0 --rounds=5", "True", "False"),
    ("pcode-wifi --network=csma", "True", "False"),
    ("pcode-wifi --network=csma --protocol=p1", "True", "False"),
    ("pcode-wifi --network=csma --protocol=p0", "True", "False"),
]

python_examples = []
