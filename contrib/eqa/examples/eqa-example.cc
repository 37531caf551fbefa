/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/eqa-group.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/simulator.h"

#include <iostream>

/**
 * @file
 * @ingroup eqa
 * Push-Pull Broadcast without a scenario: nodes on a switch that loses frames, each with a host
 * with two CPUs, and one late receiver. The program prints the protocol's counters.
 */

using namespace ns3;
using namespace ns3::eqa;

/** Prints each delivery. */
class Printer : public messaging::GroupUser
{
  public:
    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override
    {
        std::cout << Simulator::Now().As(Time::US) << ": node " << self << " has " << delivery.bytes
                  << " bytes\n";
    }

    void OnComplete(messaging::Peer, messaging::RequestId, messaging::Completion) override
    {
        std::cout << Simulator::Now().As(Time::US) << ": all have acknowledged\n";
    }

    void OnReady(messaging::Peer) override
    {
    }
};

int
main(int argc, char* argv[])
{
    uint32_t count = 5;
    uint32_t bytes = 20000;
    double loss = 0.02;
    bool simple = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("nodes", "Number of nodes", count);
    cmd.AddValue("bytes", "Size of the message", bytes);
    cmd.AddValue("loss", "Probability that the switch loses a copy of a frame", loss);
    cmd.AddValue("simple", "Use Simple Broadcast instead of Push-Pull Broadcast", simple);
    cmd.Parse(argc, argv);
    if (count < 2 || bytes > MAX_MESSAGE || !(loss >= 0 && loss < 1))
    {
        std::cerr << "The arguments must be at least 2 nodes, at most " << MAX_MESSAGE
                  << " bytes, and a loss from 0 to below 1." << std::endl;
        return 2;
    }

    NodeContainer nodes(count);
    const auto lan = CreateObject<ethernet::EthernetSwitch>();
    lan->SetAttribute("Loss", DoubleValue(loss));
    const NetDeviceContainer devices = ethernet::EthernetHelper().Install(nodes, lan);
    ethernet::EthernetHelper::AssignStreams(devices, 1);
    messaging::HostHelper host;
    host.SetCpus(2);
    host.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(1)));
    host.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(5)));
    std::vector<Ptr<messaging::HostModel>> hosts;
    for (uint32_t i = 0; i < count; ++i)
    {
        hosts.push_back(host.InstallHost(nodes.Get(i)));
    }

    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto group = CreateObject<EqaGroup>();
    group->SetAttribute("Broadcast",
                        EnumValue(simple ? BroadcastKind::SIMPLE : BroadcastKind::PUSH_PULL));
    group->Connect(clock, messaging::MakeAnyPort(port), hosts);
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    Printer printer;
    audit->SetUser(&printer);

    for (messaging::Peer leaf = 1; leaf < count; ++leaf)
    {
        const Time when = leaf + 1 == count ? MilliSeconds(2) : Time(0);
        Simulator::Schedule(when, [group, leaf] { group->PostReceive(leaf, 0, true); });
    }
    messaging::Request request;
    request.to = messaging::NO_PEER;
    request.bytes = bytes;
    Simulator::Schedule(MicroSeconds(100), [audit, request] { audit->Post(0, request); });
    Simulator::Stop(Seconds(10));
    Simulator::Run();

    for (std::size_t i = 0; i < EVENTS; ++i)
    {
        const auto event = static_cast<Event>(i);
        if (group->GetEventCount(event) > 0)
        {
            std::cout << event << ": " << group->GetEventCount(event) << "\n";
        }
    }
    const bool sound = audit->Finish() && audit->GetCounts().abandoned == 0;
    std::cout << (sound ? "every leaf has the message once"
                        : "violation: " + audit->GetFirstViolation())
              << std::endl;
    audit->Dispose();
    group->Dispose();
    Simulator::Destroy();
    return sound ? 0 : 1;
}
