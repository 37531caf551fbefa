/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-bare-loop.h"
#include "wormhole-bench-traffic.h"

#include "ns3/string.h"

#include <algorithm>
#include <cstdio>

/**
 * @file
 * The lossy network alone under uniform traffic, beside the bare loop at the same number of heads.
 */

using namespace ns3;
using namespace ns3::wormhole;

/**
 * Measure a network.
 * @param side nodes along each side
 * @param load offered load [flits a node and cycle]
 * @param heads set to the mean number of heads in flight
 * @return hops a second
 */
static double
Measure(uint32_t side, double load, uint32_t& heads)
{
    auto network = CreateObject<WormholeNetwork>();
    network->SetAttribute("Shape", StringValue(std::to_string(side) + "x" + std::to_string(side)));
    BenchTraffic traffic(*network, load);
    traffic.Run(3 * side);
    const uint64_t before = network->GetCounters().hops;
    const Ticks start = traffic.GetNow();
    const double seconds = traffic.RunFor(0.6, std::max(1U, 20000 / side));
    const uint64_t hops = network->GetCounters().hops - before;
    heads = static_cast<uint32_t>(hops / (traffic.GetNow() - start));
    return static_cast<double>(hops) / seconds;
}

int
main()
{
    for (const auto& [side, load] : {std::pair{32U, 0.05}, std::pair{1000U, 0.001}})
    {
        double best = 0;
        double bare = 0;
        for (unsigned repetition = 0; repetition < 3; ++repetition)
        {
            uint32_t heads = 0;
            best = std::max(best, Measure(side, load, heads));
            bare = std::max(bare, BareLoop(side, heads, 8, 0.4));
        }
        std::printf("{\"name\": \"lossy network %ux%u, uniform load %g\", \"value\": %.4g, "
                    "\"unit\": \"M head-hops/s\", "
                    "\"baseline\": \"bare loop\", \"baseline_value\": %.4g, \"ratio\": %.3g}\n",
                    side,
                    side,
                    load,
                    best / 1e6,
                    bare / 1e6,
                    best / bare);
    }
    return 0;
}
