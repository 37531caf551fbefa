/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/string.h"
#include "ns3/wormhole-tables.h"
#include "ns3/wormhole-uniform-traffic.h"

#include <iostream>

/**
 * @file
 * @ingroup wormhole
 * Where a grid is hot: prints the use of the channels that leave each node under uniform traffic,
 * in per cent.
 */

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string router = "lossy";
    uint32_t side = 8;
    double load = 0.1;
    CommandLine cmd(__FILE__);
    cmd.AddValue("router", "Kind of the routers: lossy, buffered or hybrid", router);
    cmd.AddValue("side", "Nodes along each side", side);
    cmd.AddValue("load", "Offered load [flits/node/cycle]", load);
    cmd.Parse(argc, argv);

    auto network = CreateObject<wormhole::WormholeNetwork>();
    network->SetAttribute("Router", StringValue(router));
    network->SetAttribute("Shape", StringValue(std::to_string(side) + "x" + std::to_string(side)));
    network->SetAttribute("Observe", BooleanValue(true));
    constexpr messaging::Ticks CYCLES = 20000;
    wormhole::UniformTraffic traffic(network, 8);
    traffic.Run(load, CYCLES);

    const auto table = wormhole::MakeLinkTable(*network, CYCLES);
    std::vector<int64_t> origin;
    std::vector<double> use;
    for (const auto& column : table->GetColumns())
    {
        if (column.name == "from")
        {
            origin = std::get<std::vector<int64_t>>(column.cells);
        }
        if (column.name == "utilization")
        {
            use = std::get<std::vector<double>>(column.cells);
        }
    }
    std::vector<double> heat(network->GetNPeers());
    std::vector<double> links(network->GetNPeers());
    for (std::size_t n = 0; n < origin.size(); ++n)
    {
        heat[origin[n]] += use[n];
        links[origin[n]] += 1;
    }
    for (uint32_t node = 0; node < network->GetNPeers(); ++node)
    {
        std::cout.width(4);
        std::cout << static_cast<int>(100 * heat[node] / links[node] + 0.5)
                  << (node % side == side - 1 ? "\n" : "");
    }
    const auto& counters = network->GetCounters();
    std::cout << "delivered " << counters.delivered << ", dropped " << counters.GetAllDrops()
              << "\n";
    return 0;
}
