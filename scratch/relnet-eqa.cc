/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Four broadcasts of a message on a cluster with switched Fast Ethernet, as in section 4.1 of the
 * paper: Push-Pull Broadcast, Simple Broadcast, and MPICH's tree over TCP and over push-pull
 * messaging.
 *
 * Here: `build/bin/relnet-eqa --nodes=8 --size=256`. In an ns-3 tree, with the modules in contrib/
 * and this file in scratch/: `./ns3 run "relnet-eqa --nodes=8 --size=256"`.
 */

#include "ns3/core-module.h"
#include "ns3/eqa-module.h"
#include "ns3/messaging-scenario.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Nodes", "8"},
                                                  {"Size", "256"},
                                                  {"Late", "0s"},
                                                  {"Loss", "0"},
                                                  {"Rounds", "100"}};
    CommandLine cmd(__FILE__);
    cmd.AddValue("nodes", "Number of nodes", parameters["Nodes"]);
    cmd.AddValue("size", "Size of the message [bytes]", parameters["Size"]);
    cmd.AddValue("late", "Mean delay of the receivers", parameters["Late"]);
    cmd.AddValue("loss", "Probability that the switch loses a copy", parameters["Loss"]);
    cmd.AddValue("rounds", "Number of repetitions", parameters["Rounds"]);
    cmd.Parse(argc, argv);

    std::cout << "               last leaf  root returns  reply from the last child [us]\n"
              << std::fixed << std::setprecision(1);
    for (const std::string system : {"ppbcast", "sbcast", "mpich", "mpich-pushpull"})
    {
        auto scenario = CreateObject<eqa::EqaScenario>();
        scenario->SetAttribute("System", StringValue(system));
        if (const auto refused = messaging::SetParameters(*scenario, parameters); !refused.empty())
        {
            std::cerr << refused << std::endl;
            return 2;
        }
        scenario->Run();
        std::cout << std::left << std::setw(15) << system << std::right;
        for (const std::string metric : {"LastLeaf", "RootReturn", "Reply"})
        {
            DoubleValue time;
            scenario->GetAttribute(metric, time);
            std::cout << std::setw(11) << time.Get();
        }
        std::cout << "  " << scenario->GetVerdictName() << std::endl;
    }
    return 0;
}
