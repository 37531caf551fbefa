/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-socket-group.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSocketGroup");
NS_OBJECT_ENSURE_REGISTERED(SocketGroup);

TypeId
SocketGroup::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::SocketGroup")
                            .SetParent<MessageGroup>()
                            .SetGroupName("Messaging")
                            .AddConstructor<SocketGroup>();
    return tid;
}

SocketGroup::SocketGroup() = default;

SocketGroup::~SocketGroup() = default;

void
SocketGroup::DoDispose()
{
    for (auto& endpoint : m_endpoints)
    {
        endpoint->Dispose();
    }
    m_endpoints.clear();
    m_user = nullptr;
    MessageGroup::DoDispose();
}

void
SocketGroup::Connect(const NodeContainer& nodes, const std::vector<Address>& addresses)
{
    NS_ABORT_MSG_IF(nodes.GetN() != addresses.size(), "A group needs one address for each node.");
    m_addresses = addresses;
    for (Peer peer = 0; peer < nodes.GetN(); ++peer)
    {
        auto endpoint = CreateObject<SocketEndpoint>();
        endpoint->Open(nodes.Get(peer), peer, m_addresses, this);
        m_endpoints.push_back(endpoint);
    }
}

void
SocketGroup::OnDeliver(Peer self, const Delivery& delivery)
{
    if (m_user)
    {
        m_user->OnDeliver(self, delivery);
    }
}

void
SocketGroup::OnComplete(Peer self, RequestId id, Completion completion)
{
    if (m_user)
    {
        m_user->OnComplete(self, id, completion);
    }
}

void
SocketGroup::OnReady(Peer self)
{
    if (m_user)
    {
        m_user->OnReady(self);
    }
}

} // namespace messaging
} // namespace ns3
