/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup uet
 * Ultra Ethernet over a lossy fabric of leaves and spines: all hosts send to one, over switches
 * that trim packets, or drop them.
 */

#include "ns3/command-line.h"
#include "ns3/ethernet-fabric-network.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uet-protocol.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <set>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string mode = "rud";
    std::string spraying = "oblivious";
    bool trimming = true;
    uint32_t hosts = 16;
    CommandLine cmd(__FILE__);
    cmd.AddValue("mode", "Delivery mode: rud or rod", mode);
    cmd.AddValue("spraying", "Choice of paths: single, oblivious, bitmap or reps", spraying);
    cmd.AddValue("trimming", "Switches trim packets, instead of dropping them", trimming);
    cmd.AddValue("hosts", "Number of hosts", hosts);
    cmd.Parse(argc, argv);
    const std::set<std::string> modes{"rud", "rod"};
    const std::set<std::string> choices{"single", "oblivious", "bitmap", "reps"};
    if (hosts < 2 || !modes.contains(mode) || !choices.contains(spraying))
    {
        std::cerr << "The arguments must be mode rud or rod, spraying single, oblivious, bitmap or "
                     "reps, and at least two hosts."
                  << std::endl;
        return 2;
    }

    auto network = CreateObject<fabric::FabricNetwork>();
    network->SetAttribute("HostsPerLeaf", UintegerValue(4));
    network->SetAttribute("Spines", UintegerValue(4));
    network->SetAttribute("Paths", UintegerValue(64));
    network->SetAttribute("Buffer", UintegerValue(100000));
    if (trimming)
    {
        network->SetAttribute("Admission", StringValue("trim"));
        network->SetAttribute("TrimThreshold", UintegerValue(50000));
    }
    network->Build(hosts);

    auto protocol = CreateObject<uet::UetProtocol>();
    protocol->SetAttribute("Mode", StringValue(mode));
    protocol->SetAttribute("Spraying", StringValue(spraying));
    protocol->SetAttribute("CongestionControl", StringValue("window"));
    const auto group = protocol->Connect(
        messaging::Site{.clock = network->GetClock(), .port = network->GetPort()});

    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    messaging::BenchmarkHelper helper("hot-spot");
    helper.SetAttribute("Size", UintegerValue(100000));
    helper.SetAttribute("Rounds", UintegerValue(5));
    const auto session = helper.Install(audit);
    Simulator::Run();

    const bool isSound = audit->Finish();
    std::cout << audit->GetCounts().delivered << " messages, " << session->GetBandwidth() / 1e9
              << " GB/s";
    for (const auto& [event, count] : protocol->GetCounts())
    {
        std::cout << ", " << event << ' ' << count;
    }
    std::cout << std::endl;
    if (!isSound)
    {
        std::cerr << audit->GetFirstViolation() << std::endl;
    }
    network->Dispose();
    Simulator::Destroy();
    return isSound ? 0 : 1;
}
