/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Parallel prefix on a million nodes, with protocol and audit, run to its end.
 */

#include "bench-scenario.h"

using namespace ns3::bench;

/** Target time of a run [s]. */
static constexpr double TARGET_TIME = 300;

/** Target memory of a node, in total [bytes]. */
static constexpr double TARGET_MEMORY = 1024;

int
main()
{
    struct Case
    {
        std::string name;
        std::string nodes;
        std::map<std::string, std::string> settings;
    };

    const Case cases[] = {
        {"1024x1024 grid", "1048576", {{"Topology", "grid2d"}, {"Shape", "1024x1024"}}},
        {"100x100x100 grid", "1000000", {{"Topology", "grid3d"}, {"Shape", "100x100x100"}}},
        {"fat tree of 4^10", "1048576", {{"Topology", "fattree"}, {"Arity", "4"}}},
    };
    for (const auto& [name, nodes, network] : cases)
    {
        for (const std::string variant : {"sum", "prefix"})
        {
            auto settings = network;
            settings.insert({{"Benchmark", "add"}, {"AddVariant", variant}, {"Nodes", nodes}});
            const std::string title = "add (" + variant + "), " + name;
            const auto run = RunScenario(settings, {"Hops", "Cycles", "SimulationBytesPerNode"});
            run.Require(title);
            Report(title, run.seconds, "s", "target", TARGET_TIME);
            Report(title + ", all told",
                   run.peakBytes / std::stod(nodes),
                   "bytes/node",
                   "target",
                   TARGET_MEMORY);
            Report(title + ", tables and trace",
                   run.results.at("SimulationBytesPerNode"),
                   "bytes/node",
                   "target",
                   TARGET_MEMORY);
        }
    }
    return 0;
}
