# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("eqa-example", "True", "True"),
    ("eqa-example --simple=true --loss=0.1 --nodes=3", "True", "False"),
    ("eqa-wifi", "True", "False"),
    ("eqa-wifi --simple=true", "True", "False"),
    ("eqa-wifi --network=csma", "True", "False"),
    ("eqa-wifi --network=csma --simple=true", "True", "False"),
]

python_examples = []
