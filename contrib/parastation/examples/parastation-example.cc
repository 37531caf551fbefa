/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup parastation
 * ParaStation2's protocol over a network of ns-3: hosts on a csma channel that loses frames. Only
 * the network takes time; see Parastation2Scenario for hosts and Myrinet.
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/node-container.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-protocol.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint32_t messages = 200;
    double loss = 0.05;
    CommandLine cmd(__FILE__);
    cmd.AddValue("messages", "Messages from host 0 to host 1", messages);
    cmd.AddValue("loss", "Probability that a frame is lost", loss);
    cmd.Parse(argc, argv);
    if (messages == 0 || !(loss >= 0 && loss < 1))
    {
        std::cerr << "The arguments must be at least one message, and a loss from 0 to below 1."
                  << std::endl;
        return 2;
    }

    NodeContainer nodes;
    nodes.Create(2);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    auto clock = CreateObject<messaging::TickClock>();
    auto devices = CreateObject<messaging::NetDevicePort>();
    devices->Connect(clock, csma.Install(nodes));
    auto faults = CreateObject<messaging::FaultPlan>();
    faults->SetAttribute("Loss", DoubleValue(loss));

    using Port = messaging::FaultyPort<messaging::NetDevicePort>;
    parastation::Config config;
    config.packetBytes = 1024;
    auto group = CreateObject<parastation::NicGroup<parastation::Core, Port>>();
    group->Connect(clock, Create<Port>(clock, devices, faults), config);

    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    messaging::BenchmarkHelper helper("stream");
    helper.SetAttribute("Size", UintegerValue(8000));
    helper.SetAttribute("Rounds", UintegerValue(messages));
    auto session = helper.Install(audit);
    Simulator::Run();

    const bool sound = audit->Finish();
    std::cout << audit->GetCounts().delivered << " of " << messages << " messages of 8000 bytes, "
              << session->GetBandwidth() / 1e6 << " MB/s, "
              << group->GetEventCount(parastation::Event::RETRANSMITTED) << " packets sent again, "
              << group->GetEventCount(parastation::Event::TIMED_OUT) << " timeouts" << std::endl;
    if (!sound)
    {
        std::cerr << audit->GetFirstViolation() << std::endl;
    }
    Simulator::Destroy();
    return sound ? 0 : 1;
}
