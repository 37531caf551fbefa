/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * All-to-all broadcast on workstations on an Ethernet, by PCODE and by TCP, as in Figures 6 to 9 of
 * the paper.
 *
 * Here: `build/bin/relnet-pcode --nodes=8 --size=20`. In an ns-3 tree, with the modules in
 * contrib/ and this file in scratch/: `./ns3 run "relnet-pcode --nodes=8 --size=20"`.
 */

#include "ns3/core-module.h"
#include "ns3/messaging-scenario.h"
#include "ns3/pcode-module.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

/**
 * Run the scenario once.
 * @param parameters name and value of each parameter
 * @return the time per call [ms]
 */
static double
RunScenario(const std::map<std::string, std::string>& parameters)
{
    auto scenario = CreateObject<pcode::PcodeScenario>();
    if (const auto refused = messaging::SetParameters(*scenario, parameters); !refused.empty())
    {
        std::cerr << refused << std::endl;
        std::exit(2);
    }
    scenario->Run();
    DoubleValue time;
    scenario->GetAttribute("TimePerCall", time);
    std::cout << parameters.at("System") << ": " << scenario->GetVerdictName() << ", " << time.Get()
              << " ms per call" << std::endl;
    return time.Get();
}

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Nodes", "16"},
                                                  {"Size", "1024"},
                                                  {"Rounds", "50"}};
    CommandLine cmd(__FILE__);
    cmd.AddValue("nodes", "Number of workstations", parameters["Nodes"]);
    cmd.AddValue("size", "Size of a message [bytes]", parameters["Size"]);
    cmd.AddValue("rounds", "Number of rounds", parameters["Rounds"]);
    cmd.Parse(argc, argv);

    parameters["System"] = "tcp";
    const double tcp = RunScenario(parameters);
    parameters["System"] = "pcode";
    const double pcode = RunScenario(parameters);
    std::cout << "TCP takes " << tcp / pcode << " times as long" << std::endl;
    return 0;
}
