/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup parastation
 * ParaStation2 or a rival over a Myrinet, without a scenario: hosts and network interfaces as in
 * table 3, a Clos network, and the failures of section 2 of the paper, one or all of them.
 */

#include "ns3/boolean.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/myrinet-network.h"
#include "ns3/parastation-helper.h"
#include "ns3/parastation-settings.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    const std::map<std::string, parastation::ProtocolKind> protocols{
        {"parastation2", parastation::ProtocolKind::PARASTATION2},
        {"am2", parastation::ProtocolKind::AM2},
        {"vmmc2", parastation::ProtocolKind::VMMC2},
        {"backblocking", parastation::ProtocolKind::BACKBLOCKING},
        {"fm", parastation::ProtocolKind::FM},
        {"lfc", parastation::ProtocolKind::LFC},
        {"none", parastation::ProtocolKind::NONE}};
    std::string protocol = "parastation2";
    std::string failure = "all";
    uint32_t nodes = 4;
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "parastation2, am2, vmmc2, backblocking, fm, lfc or none", protocol);
    cmd.AddValue("failure", "corruption, buffers, timeout, overwrite, all or none", failure);
    cmd.AddValue("nodes", "Number of nodes, 2 to 128", nodes);
    cmd.Parse(argc, argv);
    const std::set<std::string> failures{"corruption",
                                         "buffers",
                                         "timeout",
                                         "overwrite",
                                         "all",
                                         "none"};
    if (!protocols.contains(protocol) || !failures.contains(failure) || nodes < 2 || nodes > 128)
    {
        std::cerr << "There is no protocol '" << protocol << "', no failure '" << failure
                  << "', or there are not 2 to 128 nodes." << std::endl;
        return 2;
    }

    auto settings = CreateObject<parastation::ParastationSettings>();
    auto network = CreateObject<myrinet::MyrinetNetwork>();
    network->SetAttribute("Topology", StringValue("clos"));
    network->SetNodes(nodes);
    if (failure == "corruption" || failure == "all") // Section 2, item 1.
    {
        network->SetAttribute("Corruption", DoubleValue(1e-6));
    }
    if (failure == "buffers" || failure == "all") // Section 2, item 2.
    {
        // Each peer needs a credit.
        settings->SetAttribute("ReceiveRing",
                               UintegerValue(protocol == "lfc" ? std::max(4U, nodes) : 4));
        settings->SetAttribute("HostBuffers", UintegerValue(protocol == "fm" ? nodes : 2));
    }
    if (failure == "timeout") // Section 2, item 3.
    {
        network->SetAttribute("Timeout", StringValue("62.5ms"));
        network->SetAttribute("StallRate", DoubleValue(20));
        network->SetAttribute("StallLength", StringValue("100ms"));
    }
    if (failure == "overwrite" || failure == "all") // Section 2, item 4.
    {
        network->SetAttribute("Timeout", StringValue("62.5ms"));
        network->SetAttribute("StallRate", DoubleValue(200));
        network->SetAttribute("StallLength", StringValue("200us"));
        network->SetAttribute("Overwrite", DoubleValue(0.5));
    }
    auto clock = CreateObject<messaging::TickClock>();
    const parastation::Config config = settings->GetConfig(nodes, protocol == "fm");
    network->SetAttribute("Mtu", UintegerValue(config.packetBytes + config.header));
    network->SetAttribute("SendBuffers", UintegerValue(config.sendRing));
    network->SetAttribute("ReceiveBuffers", UintegerValue(config.receiveRing));
    if (const std::string error = network->Check(); !error.empty())
    {
        std::cerr << error << std::endl;
        return 2;
    }
    network->SetClock(clock);
    network->AssignStreams(1);

    auto machine = CreateObject<parastation::ParastationMachine>();
    machine->SetAttribute("Platform", StringValue("pentium2-350"));
    parastation::ParastationHelper parastation(protocols.at(protocol), machine);
    auto group = parastation.Install(clock, network->GetPort(), config);
    group->AssignStreams(100);

    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(protocol != "am2"));
    audit->SetAttribute("Reliable", BooleanValue(true));
    audit->SetGroup(group);
    messaging::BenchmarkHelper benchmark("all-to-all");
    benchmark.SetAttribute("Size", UintegerValue(8000));
    benchmark.SetAttribute("Rounds", UintegerValue(50));
    auto session = benchmark.Install(audit);
    Simulator::Stop(Seconds(5));
    Simulator::Run();

    const bool sound = audit->Finish();
    const auto& counters = network->GetNativePort()->GetCounters();
    std::cout << protocol << ": " << audit->GetCounts().delivered << " messages delivered, "
              << counters.GetDrops(myrinet::DropReason::CRC) << " packets lost to bad CRCs, "
              << counters.GetDrops(myrinet::DropReason::NRES) << " to the timeout, "
              << counters.GetDrops(myrinet::DropReason::OVERWRITE) << " overwritten, "
              << group->GetEventCount(parastation::Event::SHORT_OF_SLOTS) << " rejected, "
              << group->GetEventCount(parastation::Event::RETRANSMITTED) << " sent again"
              << std::endl;
    if (sound && session->IsFinished())
    {
        std::cout << "every message once, intact; " << session->GetBandwidth() / 1e6 << " MB/s"
                  << std::endl;
    }
    else
    {
        std::cout << (sound ? "the senders hang" : audit->GetFirstViolation()) << std::endl;
    }
    Simulator::Destroy();
    return 0;
}
