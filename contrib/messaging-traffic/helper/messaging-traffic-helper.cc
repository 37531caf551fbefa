/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-helper.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-traffic-application.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficHelper");

BenchmarkHelper::BenchmarkHelper(const std::string& pattern)
{
    TypeId application;
    NS_ABORT_MSG_UNLESS(FindByName(BenchmarkApplication::GetTypeId(), pattern, application),
                        "There is no traffic pattern " << pattern << ".");
    m_factory.SetTypeId(application);
}

Ptr<BenchmarkSession>
BenchmarkHelper::Install(Ptr<MessageGroup> group, const NodeContainer& nodes)
{
    const uint32_t peers = group->GetNPeers();
    NS_ABORT_MSG_IF(nodes.GetN() > 0 && nodes.GetN() != peers,
                    "There are " << nodes.GetN() << " nodes for " << peers << " peers.");
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
    NS_LOG_INFO("Installs " << m_factory.GetTypeId().GetName() << " at " << peers << " peers");
    m_applications = ApplicationContainer();
    for (Peer self = 0; self < peers; ++self)
    {
        const auto application = m_factory.Create<BenchmarkApplication>();
        if (m_like)
        {
            messaging::CopyAttributes(m_like, application);
        }
        if (peers < 2)
        {
            const std::string error = application->Check(peers);
            NS_ABORT_MSG_UNLESS(error.empty(), error);
        }
        if (!application->TakesPart(self, peers))
        {
            continue;
        }
        application->Join(session, endpoints->Get(self));
        m_applications.Add(application);
        if (nodes.GetN() > 0)
        {
            nodes.Get(self)->AddApplication(application);
        }
        else
        {
            // Without a node, the simulator must start and dispose of it.
            Simulator::ScheduleNow(&BenchmarkApplication::Initialize, application);
            Simulator::ScheduleDestroy(&BenchmarkApplication::Dispose, application);
        }
    }
    return session;
}

} // namespace messaging
} // namespace ns3
