/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-channel.h"

#include "ns3/ethernet-header.h"
#include "ns3/hash.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/node.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>
#include <string>

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

// Places in a packet [bytes; IEEE 802.3, RFC 791, RFC 8200].
constexpr std::size_t ETHERNET_TYPE = 12;      ///< Type of what follows, after both addresses.
constexpr std::size_t IP = 14;                 ///< Header of IP.
constexpr std::size_t IPV4_FRAGMENT = IP + 6;  ///< Flags and offset of a fragment.
constexpr std::size_t IPV4_PROTOCOL = IP + 9;  ///< Protocol.
constexpr std::size_t IPV4_ADDRESS = IP + 12;  ///< Both addresses.
constexpr std::size_t IPV6_LABEL = IP + 1;     ///< Flow label, in the last 20 of 24 bits.
constexpr std::size_t IPV6_PROTOCOL = IP + 6;  ///< Next header.
constexpr std::size_t IPV6_ADDRESS = IP + 8;   ///< Both addresses.
constexpr std::size_t IPV6_PAYLOAD = IP + 40;  ///< What follows the header.
constexpr std::size_t MOST_IPV4_HEADER = 60;   ///< Length of the longest header.
constexpr std::size_t IPV4_ADDRESSES = 2 * 4;  ///< Length of both addresses.
constexpr std::size_t IPV6_ADDRESSES = 2 * 16; ///< Length of both addresses.
constexpr std::size_t PORTS = 2 * 2;           ///< Length of both ports of TCP and UDP.

/** First bytes of a packet, as far as the ports. */
using PacketHead = std::array<uint8_t, IP + MOST_IPV4_HEADER + PORTS>;

/** @param head first bytes of a packet @param place of a number @return the number of two bytes */
uint32_t
GetNumber(const PacketHead& head, std::size_t place)
{
    return uint32_t{head.at(place)} << 8 | head.at(place + 1);
}

/**
 * Get the fields that all packets of a flow have in common.
 * @param packet a packet with its Ethernet header
 * @return the bytes of the fields: the addresses of Ethernet for what is not IP
 */
std::string
GetFlow(Ptr<const Packet> packet)
{
    constexpr uint8_t TCP = 6;  // RFC 9293
    constexpr uint8_t UDP = 17; // RFC 768
    PacketHead head{};
    packet->CopyData(head.data(), head.size());
    std::string flow;
    const auto add = [&](std::size_t place, std::size_t count) {
        const uint8_t* first = head.data() + place;
        flow.append(first, first + count);
    };
    const auto addPorts = [&](uint8_t protocol, std::size_t place) {
        flow.push_back(static_cast<char>(protocol));
        if (protocol == TCP || protocol == UDP)
        {
            add(place, PORTS);
        }
    };
    const uint32_t type = GetNumber(head, ETHERNET_TYPE);
    if (type == Ipv4L3Protocol::PROT_NUMBER)
    {
        constexpr uint32_t FRAGMENT_BITS = 0x3fff; // more fragments, and the offset
        add(IPV4_ADDRESS, IPV4_ADDRESSES);
        // Only the first fragment has ports, and all have to take the same route.
        const bool isWhole = (GetNumber(head, IPV4_FRAGMENT) & FRAGMENT_BITS) == 0;
        const std::size_t length = 4 * (head[IP] & 0x0f);
        addPorts(isWhole ? head[IPV4_PROTOCOL] : 0, IP + length);
    }
    else if (type == Ipv6L3Protocol::PROT_NUMBER)
    {
        add(IPV6_ADDRESS, IPV6_ADDRESSES);
        // The label, or without one the ports, if they follow the header [RFC 6438].
        head[IPV6_LABEL] &= 0x0f;
        add(IPV6_LABEL, 3);
        const bool hasLabel = head[IPV6_LABEL] != 0 || GetNumber(head, IPV6_LABEL + 1) != 0;
        addPorts(hasLabel ? 0 : head[IPV6_PROTOCOL], IPV6_PAYLOAD);
    }
    else
    {
        add(0, ETHERNET_TYPE);
    }
    return flow;
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

uint16_t
FabricChannel::SelectPath(Ptr<const Packet> packet) const
{
    const uint32_t paths = m_port->GetInfo().paths;
    return paths > 1 ? static_cast<uint16_t>(Hash32(GetFlow(packet)) % paths) : 0;
}

void
FabricChannel::OnSend(Peer from, const Frame& frame)
{
    // The device offers packets at the rate of all planes. Rounded down: the port keeps a packet
    // until the one before it has left.
    const Time tick = GetNetwork()->GetClock()->GetTickLength();
    const auto ticks = static_cast<int64_t>(m_port->WireTicks(frame) / m_port->GetInfo().planes);
    ScheduleEndSend(from, tick * std::max<int64_t>(ticks - 1, 0));
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
