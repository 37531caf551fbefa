/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-tcp-protocol.h"

#include "messaging-socket-group.h"

#include "ns3/net-device.h"
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

/** Retransmissions of a segment before its connection is closed [Linux, tcp_retries2]. The default
 * of ns-3, 6, takes 63 s, while RFC 1122, 4.2.3.5, requires at least 100 s. */
constexpr uint32_t DATA_RETRIES = 15;

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

Promise
TcpProtocol::GetPromise(const PortInfo& info) const
{
    // After DATA_RETRIES losses of a segment in a row, TCP ends the connection with an error.
    return {.complete = info.lossless, .reported = true};
}

Ptr<MessageGroup>
TcpProtocol::Connect(const Site& site)
{
    uint32_t mtu = 1500;
    for (uint32_t i = 0; i < site.nodes.GetN(); ++i)
    {
        // Device 0 is the peer's; the IP stack adds the loopback device.
        mtu = std::min<uint32_t>(mtu, site.nodes.Get(i)->GetDevice(0)->GetMtu());
    }
    const uint32_t size = std::max<uint32_t>(mtu, HEADERS + 64) - HEADERS;
    m_defaults.Set("ns3::TcpSocket", "SegmentSize", UintegerValue(size));
    m_defaults.Set("ns3::TcpSocket", "DataRetries", UintegerValue(DATA_RETRIES));
    auto group = CreateObject<SocketGroup>();
    group->Connect(site.nodes, site.addresses);
    return group;
}

} // namespace messaging
} // namespace ns3
