/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-channel.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"

namespace ns3
{
namespace fabric
{

NS_LOG_COMPONENT_DEFINE("EthernetFabricChannel");
NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

namespace
{

/**
 * Set the mark of congestion (CE) in an IP header, if the sender understands it [RFC 3168].
 * @param packet the packet from its IP header on, changed
 * @tparam Header the IP header
 */
template <class Header>
void
MarkHeader(Ptr<Packet> packet)
{
    Header header;
    if constexpr (requires { header.EnableChecksum(); })
    {
        if (Node::ChecksumEnabled())
        {
            header.EnableChecksum();
        }
    }
    packet->RemoveHeader(header);
    if (header.GetEcn() != Header::ECN_NotECT)
    {
        header.SetEcn(Header::ECN_CE);
    }
    packet->AddHeader(header);
}

/** @param packet a packet with its Ethernet header @return the packet with a mark, if it is one of
 * IP */
Ptr<Packet>
Mark(Ptr<const Packet> packet)
{
    const Ptr<Packet> marked = packet->Copy();
    EthernetHeader ethernet(false);
    marked->RemoveHeader(ethernet);
    if (ethernet.GetLengthType() == Ipv4L3Protocol::PROT_NUMBER)
    {
        MarkHeader<Ipv4Header>(marked);
    }
    else if (ethernet.GetLengthType() == Ipv6L3Protocol::PROT_NUMBER)
    {
        MarkHeader<Ipv6Header>(marked);
    }
    marked->AddHeader(ethernet);
    return marked;
}

} // namespace

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::fabric::FabricChannel")
                            .SetParent<Channel>()
                            .SetGroupName("EthernetFabric")
                            .AddConstructor<FabricChannel>();
    return tid;
}

void
FabricChannel::SetNetwork(Ptr<messaging::Network> network, Ptr<FabricPort> port)
{
    NetworkChannel::SetNetwork(network, port);
    network->TraceConnectWithoutContext("Drop", MakeCallback(&FabricChannel::OnDrop, this));
    port->CarryPackets();
}

void
FabricChannel::OnFrame(Peer self, Peer from, const Frame& frame)
{
    if (frame.marks & messaging::MARK_CONGESTION)
    {
        NS_LOG_LOGIC("packet " << frame.id << " is marked");
        NetworkChannel::OnFrame(self, from, Keep(Mark(Take(frame.aux))));
        return;
    }
    NetworkChannel::OnFrame(self, from, frame);
}

void
FabricChannel::OnSend(Peer from, const Frame& frame)
{
    // Rounded down: the port keeps a packet until the one before it has left.
    const Time tick = GetNetwork()->GetClock()->GetTickLength();
    const auto ticks = static_cast<int64_t>(m_port->WireTicks(frame));
    ScheduleEndSend(from, tick * (ticks - 1));
}

void
FabricChannel::OnDrop(const LossEvent& loss, const Frame& frame)
{
    NS_LOG_LOGIC("packet " << frame.id << " lost: " << loss.reason);
    const Ptr<const Packet> packet = Take(frame.aux);
    if (loss.reason == LossReason::DAMAGE)
    {
        GetPeerDevice(loss.to)->Reject(packet);
    }
}

} // namespace fabric
} // namespace ns3
