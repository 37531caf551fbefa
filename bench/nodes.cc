/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Any protocol over any network on many nodes: `reliability` with 50 messages of 1000 bytes a node
 * to random destinations.
 */

#include "bench-scenario.h"

#include "ns3/messaging-scenario-reliability.h"

using namespace ns3::bench;

/** Target time of a run [s]. */
static constexpr double TARGET_TIME = 10;

int
main()
{
    struct Case
    {
        std::string network;
        std::string protocol;
        std::string nodes;
        std::map<std::string, std::string> settings{};
    };

    const Case cases[] = {
        {"loopback", "none", "4096"},
        {"loopback", "idempotent", "4096"},
        {"wormhole", "none", "4096"},
        {"infiniband", "none", "4096", {{"network.SwitchPorts", "36"}}},
        {"infiniband", "parastation2", "4096", {{"network.SwitchPorts", "36"}}},
        {"switch", "none", "4096"},
        {"switch", "parastation2", "4096"},
        {"myrinet", "none", "1024", {{"network.Topology", "clos"}, {"network.SwitchPorts", "16"}}},
        {"segment", "none", "1024"},
        {"csma", "none", "1000", {{"Messages", "10"}}},
    };
    for (const auto& [network, protocol, nodes, settings] : cases)
    {
        std::map<std::string, std::string> all{{"Network", network},
                                               {"Protocol", protocol},
                                               {"Nodes", nodes},
                                               {"Messages", "50"},
                                               {"Size", "1000"}};
        for (const auto& [name, value] : settings)
        {
            all[name] = value;
        }
        const std::string title = protocol + " over " + network + ", " + nodes + " nodes";
        const auto run = RunScenario<ns3::messaging::ReliabilityScenario>(all, {"Delivered"});
        run.Require(title);
        Report(title, run.seconds, "s", "target", TARGET_TIME);
        Report(title + ", memory", run.peakBytes / 1048576, "MiB");
    }
    return 0;
}
