# SPDX-License-Identifier: GPL-2.0-only
"""Random valid runs have plausible results."""

import plausibility


def test_results_of_random_runs_are_plausible():
    ran, found = plausibility.check(12, 1)
    assert ran >= 12 and found == []
