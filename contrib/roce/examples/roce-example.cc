/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup roce
 * RoCE or IRN over a network of ns-3: a stream of messages between two hosts on a csma channel that
 * loses frames.
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/node-container.h"
#include "ns3/roce-protocols.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <set>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string name = "irn";
    std::string control = "none";
    uint32_t messages = 200;
    double loss = 0.01;
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "irn or roce", name);
    cmd.AddValue("control", "Congestion control: none, window, dcqcn or swift", control);
    cmd.AddValue("messages", "Messages from host 0 to host 1", messages);
    cmd.AddValue("loss", "Probability that a frame is lost", loss);
    cmd.Parse(argc, argv);
    const std::set<std::string> names{"irn", "roce"};
    const std::set<std::string> controls{"none", "window", "dcqcn", "swift"};
    if (messages == 0 || !(loss >= 0 && loss < 1) || !names.contains(name) ||
        !controls.contains(control))
    {
        std::cerr
            << "The arguments must be irn or roce, none, window, dcqcn or swift, at least one "
               "message, and a loss from 0 to below 1."
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
    const auto faulty = Create<Port>(clock, devices, faults);

    Ptr<messaging::Protocol> protocol = CreateObject<roce::IrnProtocol>();
    if (name == "roce")
    {
        protocol = CreateObject<roce::RoceProtocol>();
    }
    protocol->SetAttribute("CongestionControl", StringValue(control));
    const auto group = protocol->Connect(
        messaging::Site{.clock = clock, .port = Create<messaging::ErasedPort<Port>>(faulty)});

    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    messaging::BenchmarkHelper helper("stream");
    helper.SetAttribute("Size", UintegerValue(8000));
    helper.SetAttribute("Rounds", UintegerValue(messages));
    auto session = helper.Install(audit);
    Simulator::Run();

    const bool sound = audit->Finish();
    std::cout << audit->GetCounts().delivered << " of " << messages << " messages of 8000 bytes, "
              << session->GetBandwidth() / 1e6 << " MB/s";
    for (const auto& [event, count] : protocol->GetCounts())
    {
        std::cout << ", " << event << " " << count;
    }
    std::cout << std::endl;
    if (!sound)
    {
        std::cerr << audit->GetFirstViolation() << std::endl;
    }
    Simulator::Destroy();
    return sound ? 0 : 1;
}
