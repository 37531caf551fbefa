/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/messaging-module.h"
#include "ns3/mpi-ranks-core-group.h"
#include "ns3/network-module.h"

#include <iostream>

/**
 * @file
 * @ingroup mpi-ranks
 * Paper 4's point-to-point protocol over ns-3's csma with lost frames, with and without reliability
 * in software.
 */

using namespace ns3;
using namespace ns3::ranks;

namespace
{

using Port = messaging::FaultyPort<messaging::NetDevicePort>; ///< Csma that loses frames.

/**
 * Run random traffic.
 * @param ranks number of ranks
 * @param messages number of messages
 * @param loss probability that a frame is lost
 * @param reliability reliability in software
 * @return false if a promise was broken
 */
bool
Run(uint32_t ranks, uint32_t messages, double loss, bool reliability)
{
    NodeContainer nodes(ranks);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    const auto devices = csma.Install(nodes);
    csma.AssignStreams(devices, 1);
    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto faults = CreateObject<messaging::FaultPlan>();
    faults->SetAttribute("Loss", DoubleValue(loss));
    faults->AssignStreams(100);

    RankConfig config;
    config.traits = port->GetInfo();
    config.reliability = reliability;
    config.timeout = 20'000'000;
    const auto group = CreateObject<RankCoreGroup<Port>>();
    const std::string wrong = group->Connect(clock, Create<Port>(clock, port, faults), config);
    if (!wrong.empty())
    {
        std::cerr << wrong << "\n";
        return false;
    }
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetAttribute("Reliable", BooleanValue(reliability || loss == 0));
    audit->SetGroup(group);
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(200);
    for (uint32_t i = 0; i < messages; ++i)
    {
        const Peer from = random->GetInteger(0, ranks - 1);
        const Peer to = (from + random->GetInteger(1, ranks - 1)) % ranks;
        const Request request{.id = i, .to = to, .bytes = random->GetInteger(1, 16000)};
        Simulator::Schedule(MicroSeconds(random->GetInteger(0, 500'000)),
                            [audit, from, request] { audit->Post(from, request); });
    }
    Simulator::Stop(Seconds(30));
    Simulator::Run();
    const bool clean = audit->Finish();
    std::cout << (reliability ? "Reliable: " : "Native: ") << audit->GetCounts().delivered << " of "
              << audit->GetCounts().posted << " messages have arrived, "
              << group->GetEventCount(Event::RETRANSMITTED) << " segments were sent again, "
              << group->GetEventCount(Event::RELIABILITY_ACK) << " reliability ACKs and "
              << group->GetEventCount(Event::FLOW_ACK) << " flow-control ACKs.\n";
    if (!clean)
    {
        std::cout << "  The audit: " << audit->GetFirstViolation() << "\n";
    }
    audit->Dispose();
    group->Dispose();
    port->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return clean || !reliability;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t ranks = 8;
    uint32_t messages = 2000;
    double loss = 0.01;
    CommandLine cmd(__FILE__);
    cmd.AddValue("ranks", "Number of ranks, at least 2", ranks);
    cmd.AddValue("messages", "Number of messages", messages);
    cmd.AddValue("loss", "Probability that a frame is lost", loss);
    cmd.Parse(argc, argv);
    if (ranks < 2 || loss < 0 || loss >= 1)
    {
        std::cerr << "The arguments must be at least 2 ranks, and a loss from 0 to below 1.\n";
        return 2;
    }
    const bool native = Run(ranks, messages, loss, false);
    const bool reliable = Run(ranks, messages, loss, true);
    return native && reliable ? 0 : 1;
}
