/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * A run of the idempotent messaging protocol on a lossy network, compared with the same program on
 * a lossless buffered network (section 4.5 of the paper).
 *
 * Here: `build/bin/relnet-idempotent --benchmark=reverse --topology=grid3d --nodes=64`. In an ns-3
 * tree, with the modules in contrib/ and this file in scratch/:
 * `./ns3 run "relnet-idempotent --benchmark=reverse --topology=grid3d --nodes=64"`.
 */

#include "ns3/core-module.h"
#include "ns3/idempotent-module.h"
#include "ns3/messaging-scenario.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

/**
 * Run the scenario once.
 * @param parameters name and value of each parameter
 * @return the execution time [cycles]
 */
static uint64_t
RunScenario(const std::map<std::string, std::string>& parameters)
{
    auto scenario = CreateObject<idempotent::IdempotentScenario>();
    if (const auto refused = messaging::SetParameters(*scenario, parameters); !refused.empty())
    {
        std::cerr << refused << std::endl;
        std::exit(2);
    }
    scenario->Run();
    UintegerValue cycles;
    scenario->GetAttribute("Cycles", cycles);
    std::cout << parameters.at("Router") << ": " << scenario->GetVerdictName() << " after "
              << cycles.Get() << " cycles" << std::endl;
    return cycles.Get();
}

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Benchmark", "reverse"},
                                                  {"Topology", "grid2d"},
                                                  {"Nodes", "64"}};
    CommandLine cmd(__FILE__);
    cmd.AddValue("benchmark", "add, reverse, quicksort or nbody", parameters["Benchmark"]);
    cmd.AddValue("topology", "grid2d, grid3d or fattree", parameters["Topology"]);
    cmd.AddValue("nodes", "Number of nodes", parameters["Nodes"]);
    cmd.Parse(argc, argv);

    parameters["Router"] = "buffered";
    const auto buffered = RunScenario(parameters);
    parameters["Router"] = "lossy";
    const auto lossy = RunScenario(parameters);
    std::cout << "slow-down: " << static_cast<double>(lossy) / buffered << std::endl;
    return 0;
}
