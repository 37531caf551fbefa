/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * ParaStation2 and its rivals on a Myrinet that loses packets, one run each (paper 2, sections 2
 * and 3), with deliveries and verdicts.
 *
 * Here: `build/bin/relnet-parastation2 --loss=0.01 --nodes=4`. In an ns-3 tree, with the modules in
 * contrib/ and this file in scratch/: `./ns3 run "relnet-parastation2 --loss=0.01 --nodes=4"`.
 */

#include "ns3/core-module.h"
#include "ns3/messaging-scenario.h"
#include "ns3/parastation-module.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Pattern", "alltoall"},
                                                  {"Nodes", "4"},
                                                  {"Size", "4096"},
                                                  {"Loss", "0.01"}};
    CommandLine cmd(__FILE__);
    cmd.AddValue("nodes", "Number of nodes, up to 8", parameters["Nodes"]);
    cmd.AddValue("size", "Size of a message [bytes]", parameters["Size"]);
    cmd.AddValue("loss", "Probability that a packet is lost", parameters["Loss"]);
    cmd.Parse(argc, argv);

    for (const char* protocol :
         {"parastation2", "am2", "vmmc2", "backblocking", "fm", "lfc", "none"})
    {
        auto scenario = CreateObject<parastation::Parastation2Scenario>();
        scenario->SetAttribute("Protocol", StringValue(protocol));
        if (const auto refused = messaging::SetParameters(*scenario, parameters); !refused.empty())
        {
            std::cerr << refused << std::endl;
            return 2;
        }
        scenario->Run();
        StringValue outcome;
        scenario->GetAttribute("Outcome", outcome);
        DoubleValue throughput;
        scenario->GetAttribute("Throughput", throughput);
        const auto failure = scenario->GetFailure();
        std::cout << protocol << ": " << outcome.Get() << ", " << throughput.Get() << " MB/s"
                  << (failure.empty() ? "" : "; ") << failure << std::endl;
    }
    return 0;
}
