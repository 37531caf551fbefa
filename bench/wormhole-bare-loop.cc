/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-bare-loop.h"

#include <algorithm>
#include <cstdio>

/**
 * @file
 * The bare loop by itself, the yardstick of the other benchmarks of wormhole networks.
 */

int
main()
{
    for (const uint32_t side : {32U, 1000U})
    {
        double best = 0;
        for (unsigned repetition = 0; repetition < 3; ++repetition)
        {
            best = std::max(best, BareLoop(side, side * side / 8, 8, 0.4));
        }
        std::printf("{\"name\": \"bare loop %ux%u\", \"value\": %.4g, \"unit\": \"M head-hops/s\", "
                    "\"baseline\": "
                    "null, \"baseline_value\": null, \"ratio\": null}\n",
                    side,
                    side,
                    best / 1e6);
    }
    return 0;
}
