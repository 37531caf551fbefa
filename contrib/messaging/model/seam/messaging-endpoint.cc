/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-endpoint.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingEndpoint");
NS_OBJECT_ENSURE_REGISTERED(MessageEndpoint);

TypeId
MessageEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::MessageEndpoint")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddTraceSource("Post",
                            "A message is posted; the message and its acceptance.",
                            MakeTraceSourceAccessor(&MessageEndpoint::m_postTrace),
                            "ns3::messaging::MessageEndpoint::PostTracedCallback")
            .AddTraceSource("Deliver",
                            "A message arrives.",
                            MakeTraceSourceAccessor(&MessageEndpoint::m_deliverTrace),
                            "ns3::messaging::MessageEndpoint::DeliverTracedCallback")
            .AddTraceSource("Complete",
                            "A posted message has ended; the request and its completion.",
                            MakeTraceSourceAccessor(&MessageEndpoint::m_completeTrace),
                            "ns3::messaging::MessageEndpoint::CompleteTracedCallback");
    return tid;
}

void
MessageEndpoint::DoDispose()
{
    m_group = nullptr;
    m_deliver = DeliverCallback();
    m_complete = CompleteCallback();
    m_ready = ReadyCallback();
    Object::DoDispose();
}

Acceptance
MessageEndpoint::Post(const Request& request)
{
    NS_ABORT_MSG_UNLESS(m_group, "An endpoint has no group before GroupEndpoints::Connect.");
    const Acceptance acceptance = m_group->Post(m_peer, request);
    NS_LOG_DEBUG("peer " << m_peer << " posts request " << request.id << ": " << acceptance);
    m_postTrace(request, acceptance);
    return acceptance;
}

void
GroupEndpoints::DoDispose()
{
    if (m_group)
    {
        m_group->SetUser(nullptr);
        m_group = nullptr;
    }
    for (auto& endpoint : m_endpoints)
    {
        endpoint->Dispose();
    }
    m_endpoints.clear();
    Object::DoDispose();
}

void
GroupEndpoints::Connect(Ptr<MessageGroup> group)
{
    NS_ABORT_MSG_IF(m_group, "These endpoints already belong to a group.");
    m_group = group;
    m_group->SetUser(this);
    for (Peer peer = 0; peer < group->GetNPeers(); ++peer)
    {
        auto endpoint = CreateObject<MessageEndpoint>();
        endpoint->m_group = group;
        endpoint->m_peer = peer;
        m_endpoints.push_back(endpoint);
    }
}

void
GroupEndpoints::Aggregate(const NodeContainer& nodes)
{
    NS_ABORT_MSG_IF(nodes.GetN() != GetN(),
                    GetN() << " endpoints need as many nodes, not " << nodes.GetN() << ".");
    for (Peer peer = 0; peer < GetN(); ++peer)
    {
        nodes.Get(peer)->AggregateObject(m_endpoints[peer]);
    }
}

void
GroupEndpoints::OnDeliver(Peer self, const Delivery& delivery)
{
    const auto& endpoint = m_endpoints[self];
    endpoint->m_deliverTrace(delivery);
    if (!endpoint->m_deliver.IsNull())
    {
        endpoint->m_deliver(delivery);
    }
}

void
GroupEndpoints::OnComplete(Peer self, RequestId id, Completion completion)
{
    const auto& endpoint = m_endpoints[self];
    endpoint->m_completeTrace(id, completion);
    if (!endpoint->m_complete.IsNull())
    {
        endpoint->m_complete(id, completion);
    }
}

void
GroupEndpoints::OnReady(Peer self)
{
    if (!m_endpoints[self]->m_ready.IsNull())
    {
        m_endpoints[self]->m_ready();
    }
}

} // namespace messaging
} // namespace ns3
