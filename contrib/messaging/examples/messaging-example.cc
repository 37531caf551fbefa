/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup messaging
 * A user-defined protocol over a network of ns-3: it repeats messages until acknowledged, over csma
 * devices that lose frames. The same core runs over any other port, and in an Explorer without a
 * simulator.
 */

#include "messaging-example-core.h"

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <iostream>

using namespace ns3;
using namespace ns3::messaging;
using ns3::messaging::examples::RepeatCore;

int
main(int argc, char* argv[])
{
    uint32_t peers = 4;
    uint32_t messages = 100;
    double loss = 0.1;
    CommandLine cmd(__FILE__);
    cmd.AddValue("peers", "number of nodes on the segment", peers);
    cmd.AddValue("messages", "messages of each node", messages);
    cmd.AddValue("loss", "probability that a frame is lost", loss);
    cmd.Parse(argc, argv);
    if (peers == 0 || !(loss >= 0 && loss < 1))
    {
        std::cerr << "The arguments must be at least one node, and a loss from 0 to below 1."
                  << std::endl;
        return 2;
    }

    NodeContainer nodes;
    nodes.Create(peers);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    auto clock = CreateObject<TickClock>();
    auto devices = CreateObject<NetDevicePort>();
    devices->Connect(clock, csma.Install(nodes));

    auto faults = CreateObject<FaultPlan>();
    faults->SetAttribute("Loss", DoubleValue(loss));
    using Port = FaultyPort<NetDevicePort>;
    auto group = CreateObject<CoreGroup<RepeatCore, Port>>();
    group->Connect(clock, Create<Port>(clock, devices, faults), [peers](Peer) {
        return RepeatCore(peers);
    });

    auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    auto endpoints = CreateObject<GroupEndpoints>();
    endpoints->Connect(audit);
    endpoints->Aggregate(nodes);
    for (Peer peer = 0; peer < peers; ++peer)
    {
        auto endpoint = nodes.Get(peer)->GetObject<MessageEndpoint>();
        for (uint32_t i = 0; i < messages; ++i)
        {
            const Request request{.id = i,
                                  .contents = i,
                                  .to = (peer + 1 + i) % peers,
                                  .bytes = 1000};
            // A refused or stalled message is not sent. RepeatCore stalls none. With a protocol
            // that stalls, post again in the callback given to SetReadyCallback.
            Simulator::Schedule(MicroSeconds(200 * i),
                                [endpoint, request]() { endpoint->Post(request); });
        }
    }
    Simulator::Run();

    const AuditCounts& counts = audit->GetCounts();
    const bool clean = audit->Finish() && counts.refused + counts.stalled == 0;
    std::cout << counts.delivered << " of " << counts.posted << " messages delivered by "
              << Simulator::Now().As(Time::MS) << ", " << faults->GetCount("lost")
              << " frames lost; "
              << (audit->IsClean() ? "each message arrived once and intact"
                                   : audit->GetFirstViolation());
    if (counts.refused + counts.stalled > 0)
    {
        std::cout << "; " << counts.refused << " posts were refused and " << counts.stalled
                  << " stalled: they were not sent";
    }
    std::cout << std::endl;

    endpoints->Dispose();
    audit->Dispose();
    group->Dispose();
    devices->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return clean ? 0 : 1;
}
