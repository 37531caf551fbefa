/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-benchmark-helper.h"

#include "ns3/abort.h"
#include "ns3/messaging-bench-application.h"
#include "ns3/messaging-bench-collectives.h"
#include "ns3/messaging-bench-pairs.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

BenchmarkHelper::BenchmarkHelper(Benchmark benchmark)
    : m_halves(benchmark == MESSAGE_RATE)
{
    switch (benchmark)
    {
    case PING_PONG:
        m_factory.SetTypeId(PingPongApplication::GetTypeId());
        break;
    case STREAM:
    case MESSAGE_RATE:
        m_factory.SetTypeId(StreamApplication::GetTypeId());
        break;
    case EXCHANGE:
        m_factory.SetTypeId(ExchangeApplication::GetTypeId());
        break;
    case ALL_TO_ALL:
        m_factory.SetTypeId(AllToAllApplication::GetTypeId());
        break;
    case BROADCAST:
        m_factory.SetTypeId(BroadcastApplication::GetTypeId());
        break;
    }
}

BenchmarkHelper::BenchmarkHelper(TypeId application)
{
    m_factory.SetTypeId(application);
}

void
BenchmarkHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<BenchmarkSession>
BenchmarkHelper::Install(Ptr<MessageGroup> group, const NodeContainer& nodes)
{
    const uint32_t peers = group->GetNPeers();
    NS_ABORT_MSG_IF(peers < 2, "A benchmark needs two peers at least.");
    NS_ABORT_MSG_IF(nodes.GetN() > 0 && nodes.GetN() != peers,
                    "There are " << nodes.GetN() << " nodes for " << peers << " peers.");
    const uint32_t half = peers / 2;
    const auto session = CreateObject<BenchmarkSession>();
    const auto endpoints = CreateObject<GroupEndpoints>();
    endpoints->Connect(group);
    session->SetEndpoints(endpoints);
    Simulator::ScheduleDestroy(&GroupEndpoints::Dispose, endpoints);
    const bool aggregate = std::none_of(nodes.Begin(), nodes.End(), [](const Ptr<Node>& node) {
        return node->GetObject<MessageEndpoint>();
    });
    if (nodes.GetN() > 0 && aggregate)
    {
        endpoints->Aggregate(nodes);
    }
    m_applications = ApplicationContainer();
    for (Peer self = 0; self < peers; ++self)
    {
        const auto application = m_factory.Create<BenchmarkApplication>();
        if (!application->TakesPart(self, peers))
        {
            continue;
        }
        if (m_halves)
        {
            const Peer partner = self < half ? self + half : self - half;
            application->SetAttribute("Partner", UintegerValue(partner));
        }
        application->Join(session, endpoints->Get(self));
        m_applications.Add(application);
        if (nodes.GetN() > 0)
        {
            nodes.Get(self)->AddApplication(application);
        }
        else
        {
            // Without a node, nothing else starts it or frees it.
            Simulator::ScheduleNow(&BenchmarkApplication::Initialize, application);
            Simulator::ScheduleDestroy(&BenchmarkApplication::Dispose, application);
        }
    }
    return session;
}

ApplicationContainer
BenchmarkHelper::GetApplications() const
{
    return m_applications;
}

} // namespace messaging
} // namespace ns3
