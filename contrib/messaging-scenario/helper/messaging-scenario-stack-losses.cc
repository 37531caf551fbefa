/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-stack-losses.h"

#include "ns3/arp-l3-protocol.h"
#include "ns3/messaging-host-net-device.h"
#include "ns3/messaging-text.h"
#include "ns3/node.h"
#include "ns3/object-map.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/udp-l4-protocol.h"

#include <array>
#include <string>

namespace ns3
{
namespace messaging
{

namespace
{

/**
 * Name a reason of IP.
 * @param reason the reason
 * @return its name
 */
std::string
NameReason(Ipv4L3Protocol::DropReason reason)
{
    // By number, from 1.
    constexpr std::array NAMES{"time to live",
                               "no route",
                               "checksum",
                               "interface down",
                               "route error",
                               "incomplete datagram",
                               "duplicate"};
    const auto number = static_cast<std::size_t>(reason);
    return number >= 1 && number <= NAMES.size() ? NAMES[number - 1] : "other";
}

} // namespace

void
StackLosses::Observe(const NodeContainer& nodes)
{
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        const Ptr<Node> node = nodes.Get(n);
        const auto connect = [&](Ptr<Object> part, const char* source, const std::string& place) {
            if (part)
            {
                part->TraceConnectWithoutContext(source,
                                                 MakeCallback(&StackLosses::OnDrop, this, place));
            }
        };
        if (const auto ip = node->GetObject<Ipv4L3Protocol>())
        {
            ip->TraceConnectWithoutContext("Drop", MakeCallback(&StackLosses::OnIpDrop, this, n));
        }
        connect(node->GetObject<ArpL3Protocol>(), "Drop", ToText("ARP of node ", n));
        connect(node->GetObject<TrafficControlLayer>(),
                "TcDrop",
                ToText("traffic control of node ", n));
        if (const auto udp = node->GetObject<UdpL4Protocol>())
        {
            ObjectMapValue sockets;
            udp->GetAttribute("SocketList", sockets);
            for (auto at = sockets.Begin(); at != sockets.End(); ++at)
            {
                connect(at->second, "Drop", ToText("receive buffer of a socket of node ", n));
            }
        }
        for (uint32_t device = 0; device < node->GetNDevices(); ++device)
        {
            ObserveDevice(n, node->GetDevice(device));
        }
    }
}

void
StackLosses::ObserveDevice(uint32_t node, Ptr<NetDevice> device)
{
    const auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    if (const auto disc = control ? control->GetRootQueueDiscOnDevice(device) : nullptr)
    {
        for (const char* source : {"DropBeforeEnqueue", "DropAfterDequeue"})
        {
            disc->TraceConnectWithoutContext(source,
                                             MakeCallback(&StackLosses::OnDiscDrop, this, node));
        }
    }
    if (const auto host = DynamicCast<HostNetDevice>(device))
    {
        for (const std::string source : {"MacTxDrop", "MacRxDrop"})
        {
            const std::string place = source == "MacTxDrop" ? "transmit queue" : "receive ring";
            host->TraceConnectWithoutContext(
                source,
                MakeCallback(&StackLosses::OnDrop,
                             this,
                             ToText("host ", place, " of node ", node)));
        }
    }
}

void
StackLosses::OnDiscDrop(uint32_t node, Ptr<const QueueDiscItem>, const char* reason)
{
    m_counts.Add(ToText("queue disc of node ", node, ": ", reason), 1);
}

void
StackLosses::OnIpDrop(uint32_t node,
                      const Ipv4Header&,
                      Ptr<const Packet>,
                      Ipv4L3Protocol::DropReason reason,
                      Ptr<Ipv4>,
                      uint32_t)
{
    m_counts.Add(ToText("IP of node ", node, ": ", NameReason(reason)), 1);
}

void
StackLosses::OnDrop(std::string place, Ptr<const Packet>)
{
    m_counts.Add(place, 1);
}

} // namespace messaging
} // namespace ns3
