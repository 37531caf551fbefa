/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * MPI over InfiniBand's three transports, with and without reliability in software (paper 4, figure
 * 4): latency and rate of messages of one length.
 *
 * Here: `build/bin/relnet-mpi-infiniband --size=8 --peers=32`. In an ns-3 tree, with the modules in
 * contrib/ and this file in scratch/: `./ns3 run "relnet-mpi-infiniband --size=8 --peers=32"`.
 */

#include "ns3/core-module.h"
#include "ns3/messaging-scenario.h"
#include "ns3/mpi-ranks-module.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::map<std::string, std::string> parameters{{"Sizes", "8"},
                                                  {"Pairs", "1"},
                                                  {"Peers", "1"},
                                                  {"LinkRate", "SDR"},
                                                  {"ContextCache", "128"}};
    CommandLine cmd(__FILE__);
    cmd.AddValue("size", "Size of a message [bytes]", parameters["Sizes"]);
    cmd.AddValue("pairs", "Number of sending processes, up to 8", parameters["Pairs"]);
    cmd.AddValue("peers", "Receivers of each sending process", parameters["Peers"]);
    cmd.AddValue("rate", "SDR or DDR", parameters["LinkRate"]);
    cmd.AddValue("cache", "Contexts in the cache of an adapter", parameters["ContextCache"]);
    cmd.Parse(argc, argv);

    for (const char* transport : {"RC", "UC", "UD"})
    {
        for (const char* reliability : {"Native", "Reliable"})
        {
            auto scenario = CreateObject<ranks::MpiOsuScenario>();
            scenario->SetAttribute("Transport", StringValue(transport));
            scenario->SetAttribute("Reliability", StringValue(reliability));
            if (const auto refused = messaging::SetParameters(*scenario, parameters);
                !refused.empty())
            {
                std::cerr << refused << std::endl;
                return 2;
            }
            scenario->Run();
            std::cout << transport << "-" << reliability;
            const char* separator = ": ";
            const std::map<std::string, std::string> results{{"Latency", "us"},
                                                             {"Bandwidth", "MB/s"},
                                                             {"MessageRate", "million messages/s"},
                                                             {"ContextMisses", "misses a message"}};
            for (const auto& [name, unit] : results)
            {
                DoubleValue value;
                scenario->GetAttribute(name, value);
                std::cout << separator << value.Get() << " " << unit;
                separator = ", ";
            }
            std::cout << std::endl;
            if (scenario->GetVerdict() != messaging::Verdict::COMPLETED)
            {
                std::cerr << scenario->GetVerdictName() << ": " << scenario->GetFailure()
                          << std::endl;
                return 1;
            }
        }
    }
    return 0;
}
