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
#include "ns3/nstime.h"
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
 * Answer an ARP request, and make its entry permanent.
 * @param device the device that would send the request
 * @param packet the request
 * @param receive passes packets to the device's node
 * @return false if it is no request
 */
bool
AnswerArp(Ptr<NetDevice> device,
          Ptr<const ns3::Packet> packet,
          const NetDevice::ReceiveCallback& receive)
{
    ArpHeader request;
    if (packet->PeekHeader(request) == 0 || !request.IsRequest())
    {
        return false;
    }
    const Ipv4Address target = request.GetDestinationIpv4Address();
    const auto owner = FindOwner<Ipv4L3Protocol>(device->GetChannel(), target);
    if (!owner || owner == device)
    {
        return true;
    }
    const auto node = device->GetNode();
    Simulator::ScheduleWithContext(node->GetId(), Time(0), [=] {
        ArpHeader reply;
        reply.SetReply(owner->GetAddress(),
                       target,
                       request.GetSourceHardwareAddress(),
                       request.GetSourceIpv4Address());
        auto answer = Create<ns3::Packet>();
        answer->AddHeader(reply);
        receive(device, answer, ArpL3Protocol::PROT_NUMBER, owner->GetAddress());
        const auto ipv4 = node->GetObject<Ipv4L3Protocol>();
        const auto cache = ipv4->GetInterface(ipv4->GetInterfaceForDevice(device))->GetArpCache();
        ArpCache::Entry* const entry = cache ? cache->Lookup(target) : nullptr;
        if (entry && entry->IsAlive())
        {
            entry->MarkPermanent();
        }
    });
    return true;
}

/**
 * Answer a neighbour solicitation, and make its entry permanent.
 * @param device the device that would send the solicitation
 * @param packet the solicitation
 * @param receive passes packets to the device's node
 * @return false if it is no solicitation
 */
bool
AnswerNdisc(Ptr<NetDevice> device,
            Ptr<const ns3::Packet> packet,
            const NetDevice::ReceiveCallback& receive)
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
    const Ipv6Address from = header.GetSource();
    const Ipv6Address target = solicitation.GetIpv6Target();
    const auto owner = FindOwner<Ipv6L3Protocol>(device->GetChannel(), target);
    // A request without a source address checks for duplicates (RFC 4862).
    if (!owner || owner == device || from.IsAny())
    {
        return true;
    }
    const auto node = device->GetNode();
    Simulator::ScheduleWithContext(node->GetId(), Time(0), [=] {
        constexpr uint8_t OVERRIDE = 1;
        constexpr uint8_t SOLICITED = 2;
        Address address = owner->GetAddress();
        const auto icmp = node->GetObject<Icmpv6L4Protocol>();
        const auto [answer, outer] = icmp->ForgeNA(target, from, &address, OVERRIDE | SOLICITED);
        answer->AddHeader(outer);
        receive(device, answer, Ipv6L3Protocol::PROT_NUMBER, address);
        const auto ipv6 = node->GetObject<Ipv6L3Protocol>();
        const auto cache = ipv6->GetInterface(ipv6->GetInterfaceForDevice(device))->GetNdiscCache();
        NdiscCache::Entry* const entry = cache ? cache->Lookup(target) : nullptr;
        if (entry && entry->IsReachable())
        {
            entry->MarkPermanent();
        }
    });
    return true;
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
        return AnswerArp(device, packet, receive);
    }
    return protocol == Ipv6L3Protocol::PROT_NUMBER && AnswerNdisc(device, packet, receive);
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
