/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup messaging-wifi-examples
 * Bare frames, UDP and TCP over an ad hoc network, with additional losses.
 */

#include "ns3/command-line.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-wifi-network.h"
#include "ns3/string.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Nodes", "4"}, {"Loss", "0"}};
    CommandLine command(__FILE__);
    command.AddValue("nodes", "Number of nodes", parameters["Nodes"]);
    command.AddValue("loss", "Probability that a packet is lost", parameters["Loss"]);
    command.Parse(argc, argv);

    // The library of the network registers it.
    parameters["Network"] = messaging::GetName(messaging_wifi::WifiNetwork::GetTypeId(),
                                               messaging::Network::GetTypeId());
    for (const std::string protocol : {"none", "udp", "tcp"})
    {
        parameters["Protocol"] = protocol;
        auto scenario = CreateObject<messaging::ReliabilityScenario>();
        if (const auto refused = messaging::SetParameters(*scenario, parameters); !refused.empty())
        {
            std::cerr << refused << std::endl;
            return 2;
        }
        scenario->Run();
        StringValue outcome;
        StringValue latency;
        scenario->GetAttribute("Outcome", outcome);
        scenario->GetAttribute("LatencyMedian", latency);
        std::cout << std::left << std::setw(6) << protocol << std::setw(8) << outcome.Get()
                  << "median latency " << latency.Get() << " us" << std::endl;
    }
    return 0;
}
