/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/messaging-scenario-reliability.h"

#include <iostream>

/**
 * @file
 * @ingroup messaging
 * A scenario in a program: TCP of ns-3, or UDP, over a csma segment that loses packets, with an
 * audit of all messages. The program fails if the protocol has broken its promise.
 *
 *     ./ns3 run "messaging-scenario-example --protocol=udp --loss=0.1"
 */

using namespace ns3;
using namespace ns3::messaging;

int
main(int argc, char* argv[])
{
    std::string protocol = "tcp";
    std::string loss = "0.01";
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "Protocol: tcp, udp or none", protocol);
    cmd.AddValue("loss", "Probability of a loss", loss);
    cmd.Parse(argc, argv);

    const auto scenario = CreateObject<ReliabilityScenario>();
    const std::string error = SetParameters(
        *scenario,
        {{"Network", "csma"}, {"Protocol", protocol}, {"Loss", loss}, {"Nodes", "4"}});
    if (!error.empty())
    {
        std::cerr << error << std::endl;
        return 1;
    }
    scenario->Run();
    for (const char* name : {"Verdict", "Outcome", "Promise", "Delivered", "Lost", "Latency"})
    {
        TypeId::AttributeInformation result;
        scenario->GetInstanceTypeId().LookupAttributeByName(name, &result);
        const auto value = result.checker->Create();
        scenario->GetAttribute(name, *value);
        std::cout << name << ": " << value->SerializeToString(result.checker) << std::endl;
    }
    return 0;
}
