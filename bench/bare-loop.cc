/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Maximum rate of packet heads on one core: the baseline of the lossy network.
 */

#include "bench-bare-loop.h"
#include "bench-uniform-traffic.h"

using namespace ns3::bench;

int
main()
{
    for (const uint32_t side : {32U, 1000U})
    {
        const uint32_t heads = side * side / NODES_PER_HEAD;
        const uint32_t cycles = 30000000 / heads;
        BareLoop plain(side, heads, LOSSY_FLITS);
        BareLoop fetching(side, heads, LOSSY_FLITS);
        plain.Run(cycles);
        fetching.Run<true>(cycles);
        const Pair pair(
            5,
            [&] { return fetching.Measure<true>(cycles); },
            [&] { return plain.Measure(cycles); });
        const std::string size = std::to_string(side) + "x" + std::to_string(side);
        Report("bare loop, " + size, pair.beside / 1e6, "M hops/s");
        Report("bare loop with prefetch, " + size,
               pair.value / 1e6,
               "M hops/s",
               "bare loop",
               pair.beside / 1e6,
               pair.ratio);
    }
    return 0;
}
