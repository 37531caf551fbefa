# SPDX-License-Identifier: GPL-2.0-only
"""`python -m relnet` is `relnet`."""

import sys

from relnet.cli import main

sys.exit(main())
