# SPDX-License-Identifier: GPL-2.0-only

# Each entry: command line, whether to run it, whether to run it under valgrind.
cpp_examples = [
    ("parastation-example", "True", "True"),
    ("parastation-example --loss=0.3 --messages=50", "True", "False"),
    ("parastation-myrinet", "True", "True"),
    ("parastation-myrinet --protocol=fm", "True", "False"),
    ("parastation-myrinet --protocol=lfc", "True", "False"),
    ("parastation-myrinet --failure=timeout", "True", "False"),
]

python_examples = []
