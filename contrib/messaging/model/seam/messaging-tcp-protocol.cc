/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-tcp-protocol.h"

#include "messaging-socket-group.h"

#include "ns3/config.h"
#include "ns3/net-device.h"
#include "ns3/tcp-socket.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(TcpProtocol);

namespace
{

/** Headers of IPv4 and TCP with timestamps [bytes; RFC 791, RFC 9293, RFC 7323]. */
constexpr uint32_t HEADERS = 20 + 20 + 12;

/** Attribute of all TCP sockets of ns-3. */
constexpr const char* SEGMENT_SIZE = "ns3::TcpSocket::SegmentSize";

} // namespace

TypeId
TcpProtocol::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::TcpProtocol"),
                                   "TCP of ns-3: a stream between each pair of peers.")
                            .SetParent<Protocol>()
                            .SetGroupName("Messaging")
                            .AddConstructor<TcpProtocol>();
    return tid;
}

TcpProtocol::~TcpProtocol()
{
    RestoreSegmentSize();
}

void
TcpProtocol::RestoreSegmentSize()
{
    if (m_previous)
    {
        Config::SetDefault(SEGMENT_SIZE, *m_previous);
        m_previous = nullptr;
    }
}

Protocol::Carrier
TcpProtocol::GetCarrier() const
{
    return Carrier::SOCKETS;
}

Promise
TcpProtocol::GetPromise(const PortInfo&) const
{
    return {};
}

Ptr<MessageGroup>
TcpProtocol::Connect(const Site& site)
{
    uint32_t mtu = 1500;
    for (uint32_t i = 0; i < site.nodes.GetN(); ++i)
    {
        // Device 0 is the one of the peer; the loopback device comes with the IP stack.
        mtu = std::min<uint32_t>(mtu, site.nodes.Get(i)->GetDevice(0)->GetMtu());
    }
    const uint32_t size = std::max<uint32_t>(mtu, HEADERS + 64) - HEADERS;
    // Nothing but the default reaches the socket of an accepted connection.
    RestoreSegmentSize();
    TypeId::AttributeInformation segmentSize;
    TcpSocket::GetTypeId().LookupAttributeByName("SegmentSize", &segmentSize);
    m_previous = segmentSize.initialValue;
    Config::SetDefault(SEGMENT_SIZE, UintegerValue(size));
    auto group = CreateObject<SocketGroup>();
    group->Connect(site.nodes, site.addresses);
    return group;
}

} // namespace messaging
} // namespace ns3
