/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-datagram-protocol.h"

#include "messaging-queue-discs.h"
#include "messaging-udp-port.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-segmenting-core.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(NoneProtocol);
NS_OBJECT_ENSURE_REGISTERED(UdpProtocol);

namespace
{

/** Largest UDP datagram over IPv4 [bytes; RFC 768, RFC 791]. */
constexpr uint32_t LARGEST_DATAGRAM = 65507;

/** Default of both buffers of a UDP socket [bytes; Linux, rmem_default and wmem_default]. */
constexpr uint32_t DEFAULT_BUFFER = 212992;

/** Smallest receive buffer [bytes; Linux, SOCK_MIN_RCVBUF]. */
constexpr uint32_t LEAST_BUFFER = 2304;

/**
 * Get the largest datagram of a port.
 * @param receiveBuffer receive buffer of its sockets [bytes]
 * @return its size, the port's header included [bytes]
 */
uint32_t
GetDatagramLimit(uint32_t receiveBuffer)
{
    return std::min(LARGEST_DATAGRAM, receiveBuffer);
}

/**
 * Make a group whose messages are the frames of a port.
 * @param clock counts the ticks of the port
 * @param port the port
 * @return the group
 */
template <DatagramPort Port>
Ptr<MessageGroup>
MakeGroup(Ptr<TickClock> clock, Ptr<Port> port)
{
    using Core = SegmentingCore<DatagramCore>;
    auto group = CreateObject<CoreGroup<Core, Port>>();
    const uint32_t largest = port->GetInfo().mtu;
    group->Connect(clock, port, [largest](Peer) {
        return MakeLayered<Core>(DatagramCore(largest));
    });
    return group;
}

} // namespace

TypeId
NoneProtocol::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::NoneProtocol"),
                                   "No protocol: a message is a frame, or as many as it fills.")
                            .SetParent<Protocol>()
                            .SetGroupName("Messaging")
                            .AddConstructor<NoneProtocol>();
    return tid;
}

Promise
NoneProtocol::GetPromise(const PortInfo& info) const
{
    return Promise{.complete = info.lossless,
                   .once = false,
                   .ordered = info.ordered,
                   .confirms = false};
}

Ptr<MessageGroup>
NoneProtocol::DoConnect(const Site& site)
{
    return MakeGroup(site.clock, site.port);
}

uint32_t
NoneProtocol::GetLargestWhole(Ptr<AnyPort> port) const
{
    return port->GetInfo().mtu;
}

TypeId
UdpProtocol::GetTypeId()
{
    static TypeId tid =
        Attributes<UdpProtocol>(
            SetSummary(TypeId("ns3::messaging::UdpProtocol"),
                       "UDP of ns-3: a message is a datagram, or as many as it fills.")
                .SetParent<Protocol>()
                .SetGroupName("Messaging")
                .AddConstructor<UdpProtocol>())
            .AddAttribute("SendBuffer",
                          "Memory of a node's packets in its queue disc, with 576 bytes for each "
                          "beside its size, from which on a sender waits [bytes; Linux, "
                          "wmem_default].",
                          &UdpProtocol::m_sendBuffer,
                          DEFAULT_BUFFER,
                          1)
            .AddAttribute("ReceiveBuffer",
                          "Bytes of datagrams that wait to be read; further datagrams are dropped. "
                          "It also limits the largest datagram [bytes; Linux, rmem_default].",
                          &UdpProtocol::m_receiveBuffer,
                          DEFAULT_BUFFER,
                          LEAST_BUFFER)
            .AddAttribute("QueueDisc",
                          "Queue disc of each node, a class of ns-3 such as pfifo_fast or "
                          "fq_codel, or none [name; Linux, default_qdisc].",
                          &UdpProtocol::m_queueDisc,
                          "pfifo_fast");
    return tid;
}

std::string
UdpProtocol::Check(const PortInfo&, uint32_t) const
{
    if (m_queueDisc == NO_QUEUE_DISC && m_sendBuffer != DEFAULT_BUFFER)
    {
        return "SendBuffer limits the packets in the queue disc, and QueueDisc is none; set one of "
               "them to another value.";
    }
    return CheckQueueDisc(m_queueDisc);
}

Promise
UdpProtocol::GetPromise(const PortInfo& info) const
{
    // Even on a lossless network, a full receive buffer drops packets.
    return Promise{.complete = false, .once = false, .ordered = info.ordered, .confirms = false};
}

Ptr<MessageGroup>
UdpProtocol::DoConnect(const Site& site)
{
    auto clock = CreateObject<TickClock>();
    auto port = CreateObject<UdpPort>();
    InstallQueueDisc(site.nodes, m_queueDisc);
    port->SetBuffers(m_sendBuffer, m_receiveBuffer);
    port->SetChargesCalls();
    port->Connect(clock, site.nodes, site.addresses, Address(), GetDatagramLimit(m_receiveBuffer));
    port->TraceConnectWithoutContext(
        "Loss",
        Callback<void, const std::string&, uint64_t>(
            [losses = m_losses](const std::string& place, uint64_t copies) {
                losses->Add(place, copies);
            }));
    return MakeGroup(clock, port);
}

uint32_t
UdpProtocol::GetLargestWhole(Ptr<AnyPort>) const
{
    return GetDatagramLimit(m_receiveBuffer) - FrameHeader::SIZE;
}

} // namespace messaging
} // namespace ns3
