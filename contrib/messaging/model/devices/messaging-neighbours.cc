/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-neighbours.h"

#include "ns3/arp-cache.h"
#include "ns3/arp-header.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/channel.h"
#include "ns3/icmpv6-header.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ipv4-interface.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-interface.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/ndisc-cache.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

namespace
{

/**
 * Find the device with an IP address.
 * @tparam Stack Ipv4L3Protocol or Ipv6L3Protocol
 * @param channel the channel of the device
 * @param address the address
 * @return the device, or nullptr
 */
template <class Stack, class IpAddress>
Ptr<NetDevice>
FindOwner(Ptr<Channel> channel, const IpAddress& address)
{
    for (std::size_t n = 0; n < channel->GetNDevices(); ++n)
    {
        const Ptr<NetDevice> device = channel->GetDevice(n);
        const Ptr<Stack> stack = device->GetNode()->GetObject<Stack>();
        const int32_t interface = stack ? stack->GetInterfaceForDevice(device) : -1;
        for (uint32_t i = 0; interface >= 0 && i < stack->GetNAddresses(interface); ++i)
        {
            if (stack->GetAddress(interface, i).GetAddress() == address)
            {
                return device;
            }
        }
    }
    return nullptr;
}

/**
 * Pass an ARP reply to a node, and make its entry permanent.
 * @param device the node's device
 * @param request the request
 * @param owner the device with the requested address
 * @param receive passes packets to the node
 */
void
ReplyArp(Ptr<NetDevice> device,
         const ArpHeader& request,
         Ptr<NetDevice> owner,
         const NetDevice::ReceiveCallback& receive)
{
    ArpHeader reply;
    reply.SetReply(owner->GetAddress(),
                   request.GetDestinationIpv4Address(),
                   request.GetSourceHardwareAddress(),
                   request.GetSourceIpv4Address());
    auto packet = Create<ns3::Packet>();
    packet->AddHeader(reply);
    receive(device, packet, ArpL3Protocol::PROT_NUMBER, owner->GetAddress());
    const auto ipv4 = device->GetNode()->GetObject<Ipv4L3Protocol>();
    const auto cache = ipv4->GetInterface(ipv4->GetInterfaceForDevice(device))->GetArpCache();
    ArpCache::Entry* const entry =
        cache ? cache->Lookup(request.GetDestinationIpv4Address()) : nullptr;
    if (entry && entry->IsAlive())
    {
        entry->MarkPermanent();
    }
}

/**
 * Pass a neighbour advertisement to a node, and make its entry permanent.
 * @param device the node's device
 * @param from the address of the node
 * @param target the requested address
 * @param owner the device with that address
 * @param receive passes packets to the node
 */
void
ReplyNdisc(Ptr<NetDevice> device,
           Ipv6Address from,
           Ipv6Address target,
           Ptr<NetDevice> owner,
           const NetDevice::ReceiveCallback& receive)
{
    constexpr uint8_t OVERRIDE = 1;
    constexpr uint8_t SOLICITED = 2;
    Address address = owner->GetAddress();
    const auto node = device->GetNode();
    const auto [packet, header] =
        node->GetObject<Icmpv6L4Protocol>()->ForgeNA(target, from, &address, OVERRIDE | SOLICITED);
    packet->AddHeader(header);
    receive(device, packet, Ipv6L3Protocol::PROT_NUMBER, address);
    const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
    const auto cache = ipv6->GetInterface(ipv6->GetInterfaceForDevice(device))->GetNdiscCache();
    NdiscCache::Entry* const entry = cache ? cache->Lookup(target) : nullptr;
    if (entry && entry->IsReachable())
    {
        entry->MarkPermanent();
    }
}

} // namespace

bool
AnswerNeighbourRequest(Ptr<NetDevice> device,
                       Ptr<const ns3::Packet> packet,
                       uint16_t protocol,
                       const NetDevice::ReceiveCallback& receive)
{
    if (protocol == ArpL3Protocol::PROT_NUMBER)
    {
        ArpHeader request;
        if (packet->PeekHeader(request) == 0 || !request.IsRequest())
        {
            return false;
        }
        const auto owner =
            FindOwner<Ipv4L3Protocol>(device->GetChannel(), request.GetDestinationIpv4Address());
        if (owner && owner != device)
        {
            Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                           Time(0),
                                           &ReplyArp,
                                           device,
                                           request,
                                           owner,
                                           receive);
        }
        return true;
    }
    if (protocol == Ipv6L3Protocol::PROT_NUMBER)
    {
        const Ptr<ns3::Packet> copy = packet->Copy();
        Ipv6Header header;
        Icmpv6NS solicitation;
        copy->RemoveHeader(header);
        Icmpv6Header type;
        if (header.GetNextHeader() != Icmpv6L4Protocol::PROT_NUMBER ||
            copy->GetSize() < solicitation.GetSerializedSize() || copy->PeekHeader(type) == 0 ||
            type.GetType() != Icmpv6Header::ICMPV6_ND_NEIGHBOR_SOLICITATION)
        {
            return false;
        }
        copy->PeekHeader(solicitation);
        const Ipv6Address target = solicitation.GetIpv6Target();
        const auto owner = FindOwner<Ipv6L3Protocol>(device->GetChannel(), target);
        // A request without a source address checks for duplicates (RFC 4862).
        if (owner && owner != device && !header.GetSource().IsAny())
        {
            Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                           Time(0),
                                           &ReplyNdisc,
                                           device,
                                           header.GetSource(),
                                           target,
                                           owner,
                                           receive);
        }
        return true;
    }
    return false;
}

void
FillNeighbourCaches(const Ipv4InterfaceContainer& interfaces)
{
    for (uint32_t i = 0; i < interfaces.GetN(); ++i)
    {
        const auto [ip, number] = interfaces.Get(i);
        const auto cache = DynamicCast<Ipv4L3Protocol>(ip)->GetInterface(number)->GetArpCache();
        for (uint32_t k = 0; cache && k < interfaces.GetN(); ++k)
        {
            if (k != i)
            {
                const auto [other, interface] = interfaces.Get(k);
                const auto device = DynamicCast<Ipv4L3Protocol>(other)->GetNetDevice(interface);
                ArpCache::Entry* entry = cache->Add(interfaces.GetAddress(k));
                entry->SetMacAddress(device->GetAddress());
                entry->MarkPermanent();
            }
        }
    }
}

} // namespace messaging
} // namespace ns3
