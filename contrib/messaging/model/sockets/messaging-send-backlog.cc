/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-send-backlog.h"

#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv6-queue-disc-item.h"
#include "ns3/log.h"
#include "ns3/queue-disc.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"

#include <optional>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSendBacklog");
NS_OBJECT_ENSURE_REGISTERED(SendBacklog);

namespace
{

/** Memory of a packet beside its bytes: sk_buff and skb_shared_info of a 64-bit kernel [bytes;
 * Linux, SKB_TRUESIZE]. */
constexpr uint32_t PACKET_OVERHEAD = 256 + 320;

/** Segment of TCP in a queue disc. */
struct Segment
{
    uint16_t port{0};    ///< Local port.
    uint32_t payload{0}; ///< Payload [bytes].
};

/** @param item a packet @return its segment, if it is one */
std::optional<Segment>
GetSegment(Ptr<const QueueDiscItem> item)
{
    uint8_t protocol = 0;
    if (const auto v4 = DynamicCast<const Ipv4QueueDiscItem>(item))
    {
        protocol = v4->GetHeader().GetProtocol();
    }
    else if (const auto v6 = DynamicCast<const Ipv6QueueDiscItem>(item))
    {
        protocol = v6->GetHeader().GetNextHeader();
    }
    if (protocol != TcpL4Protocol::PROT_NUMBER)
    {
        return std::nullopt;
    }
    TcpHeader header;
    const uint32_t size = item->GetPacket()->PeekHeader(header);
    return Segment{header.GetSourcePort(), item->GetPacket()->GetSize() - size};
}

} // namespace

TypeId
SendBacklog::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::SendBacklog")
                            .SetParent<Object>()
                            .SetGroupName("Messaging")
                            .AddConstructor<SendBacklog>();
    return tid;
}

Ptr<SendBacklog>
SendBacklog::Install(Ptr<Node> node)
{
    if (const auto present = node->GetObject<SendBacklog>())
    {
        return present;
    }
    auto backlog = CreateObject<SendBacklog>();
    node->AggregateObject(backlog);
    const auto layer = node->GetObject<TrafficControlLayer>();
    for (uint32_t i = 0; layer && i < node->GetNDevices(); ++i)
    {
        if (const auto disc = layer->GetRootQueueDiscOnDevice(node->GetDevice(i)))
        {
            const auto enqueue = MakeCallback(&SendBacklog::OnEnqueue, PeekPointer(backlog));
            const auto dequeue = MakeCallback(&SendBacklog::OnDequeue, PeekPointer(backlog));
            disc->TraceConnectWithoutContext("Enqueue", enqueue);
            disc->TraceConnectWithoutContext("Dequeue", dequeue);
        }
    }
    return backlog;
}

void
SendBacklog::DoDispose()
{
    m_drained = nullptr;
    Object::DoDispose();
}

uint32_t
SendBacklog::GetSegmentBytes(uint16_t port) const
{
    const auto found = m_segments.find(port);
    return found == m_segments.end() ? 0 : found->second;
}

void
SendBacklog::OnEnqueue(Ptr<const QueueDiscItem> item)
{
    m_memory += item->GetSize() + PACKET_OVERHEAD;
    NS_LOG_LOGIC("Packet is queued, " << m_memory << " bytes of memory");
    if (const auto segment = GetSegment(item))
    {
        m_segments[segment->port] += segment->payload;
    }
}

void
SendBacklog::OnDequeue(Ptr<const QueueDiscItem> item)
{
    m_memory -= item->GetSize() + PACKET_OVERHEAD;
    NS_LOG_LOGIC("Packet leaves the queue, " << m_memory << " bytes of memory");
    if (const auto segment = GetSegment(item))
    {
        m_segments[segment->port] -= segment->payload;
    }
    if (m_drained)
    {
        m_drained();
    }
}

} // namespace messaging
} // namespace ns3
