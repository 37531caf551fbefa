/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * One pass of Table 2a at published scale, with the delivery audit: twelve cells on the lossy and
 * on the buffered network. If RELNET_BENCH_CELLS is set, the program prints each run to standard
 * error.
 */

#include "bench-scenario.h"

using namespace ns3::bench;

/** Target time of such a pass [s]. */
static constexpr double TARGET = 15;

int
main()
{
    double all = 0;
    for (const std::string router : {"lossy", "buffered"})
    {
        double seconds = 0;
        double hops = 0;
        for (const std::string benchmark : {"add", "reverse", "quicksort", "nbody"})
        {
            for (const std::string topology : {"grid2d", "grid3d", "fattree"})
            {
                const auto run = RunScenario({{"Benchmark", benchmark},
                                              {"Topology", topology},
                                              {"Router", router},
                                              {"SendTable", "16"},
                                              {"ReceiveTable", "32"}},
                                             {"Hops", "Cycles"});
                run.Require(benchmark + " on " + topology + ", " + router);
                if (std::getenv("RELNET_BENCH_CELLS"))
                {
                    std::cerr << benchmark << " " << topology << " " << router << " " << run.seconds
                              << " s " << run.results.at("Cycles") << " cycles "
                              << run.results.at("Hops") / run.seconds / 1e6 << " M hops/s\n";
                }
                seconds += run.seconds;
                hops += run.results.at("Hops");
            }
        }
        all += seconds;
        Report("Table 2a, " + router + " cells", seconds, "s");
        Report("Table 2a, " + router + " cells, rate", hops / seconds / 1e6, "M hops/s");
    }
    Report("Table 2a, one pass", all, "s", "target", TARGET);
    return 0;
}
