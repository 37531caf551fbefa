/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Cost of the lossy network as a function of its size: uniform traffic on square meshes of 2^8 to
 * 2^20 nodes, compared with the bare loop at each size.
 */

#include "bench-bare-loop.h"
#include "bench-uniform-traffic.h"

using namespace ns3;
using namespace ns3::bench;

int
main()
{
    for (uint32_t power = 8; power <= 20; power += 2)
    {
        const uint32_t side = 1U << (power / 2);
        const uint32_t nodes = side * side;
        const uint32_t heads = nodes / NODES_PER_HEAD;
        const uint32_t cycles = 20000000 / heads;
        const std::string size = " at 2^" + std::to_string(power) + " nodes";
        BareLoop bare(side, heads, LOSSY_FLITS);
        bare.Run(cycles);
        ClockedNetwork lossy(MakeMesh(side));
        const UniformTraffic traffic(lossy, LOSSY_FLITS, heads, 0);
        lossy.Measure(cycles);
        const uint64_t before = lossy.network->GetNativePort()->GetCounters().hops;
        constexpr int ROUNDS = 3;
        const Pair pair(
            ROUNDS,
            [&] { return lossy.Measure(cycles); },
            [&] { return bare.MeasureBetter(cycles); });
        const double hops =
            static_cast<double>(lossy.network->GetNativePort()->GetCounters().hops - before);
        const double hopsPerCycle = hops / (ROUNDS * static_cast<double>(cycles));
        Report("lossy network" + size,
               pair.value / 1e6,
               "M hops/s",
               "bare loop",
               pair.beside / 1e6,
               pair.ratio,
               nodes);
        Report("lossy network" + size + ", cycles",
               pair.value / hopsPerCycle,
               "cycles/s",
               "",
               0,
               0,
               nodes);
        Simulator::Destroy();
    }
    return 0;
}
