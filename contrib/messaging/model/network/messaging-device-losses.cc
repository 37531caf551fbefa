/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-device-losses.h"

#include "ns3/ethernet-header.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"

#include <utility>

namespace ns3
{
namespace messaging
{

DeviceLosses::DeviceLosses(const NetDeviceContainer& devices, Sink sink)
    : m_sink(std::move(sink))
{
    for (uint32_t node = 0; node < devices.GetN(); ++node)
    {
        m_devices.push_back(PeekPointer(devices.Get(node)));
        const std::string number = std::to_string(node);
        m_stations.push_back({.queue = "transmit queue of node " + number,
                              .transmission = "transmission of node " + number,
                              .reception = "reception at node " + number,
                              .link = "link of node " + number + " down",
                              .refusal = "device of node " + number + " refuses"});
    }
}

void
DeviceLosses::Start()
{
    const Ptr<DeviceLosses> self(this);
    for (uint32_t node = 0; node < m_devices.size(); ++node)
    {
        NetDevice* const device = m_devices[node];
        PointerValue queue;
        if (device->GetAttributeFailSafe("TxQueue", queue) && queue.GetObject())
        {
            queue.GetObject()->TraceConnectWithoutContext(
                "Drop",
                MakeCallback(&DeviceLosses::OnQueueDrop, self, node));
        }
        device->TraceConnectWithoutContext("MacTxDrop",
                                           MakeCallback(&DeviceLosses::OnRefusal, self, node));
        device->TraceConnectWithoutContext("PhyTxDrop",
                                           MakeCallback(&DeviceLosses::OnTransmitDrop, self, node));
        if (!device->TraceConnectWithoutContext(
                "RxLoss",
                MakeCallback(&DeviceLosses::OnReceiveLoss, self, node)))
        {
            device->TraceConnectWithoutContext(
                "PhyRxDrop",
                MakeCallback(&DeviceLosses::OnReceiveDrop, self, node));
        }
    }
}

uint64_t
DeviceLosses::GetNReceivers(const Packet& packet, uint32_t devices)
{
    EthernetHeader header(false);
    if (packet.GetSize() < header.GetSerializedSize())
    {
        return 1;
    }
    packet.PeekHeader(header);
    return header.GetDestination().IsGroup() ? devices - 1 : 1;
}

void
DeviceLosses::OnQueueDrop(uint32_t node, Ptr<const Packet> packet)
{
    // The device reports the same packet.
    m_stations[node].refused = PeekPointer(packet);
    Report(m_stations[node].queue, GetNReceivers(*packet, GetN()));
}

void
DeviceLosses::OnRefusal(uint32_t node, Ptr<const Packet> packet)
{
    Station& station = m_stations[node];
    if (std::exchange(station.refused, nullptr) == PeekPointer(packet))
    {
        return;
    }
    const bool up = m_devices[node]->IsLinkUp();
    Report(up ? station.refusal : station.link, GetNReceivers(*packet, GetN()));
}

void
DeviceLosses::OnTransmitDrop(uint32_t node, Ptr<const Packet> packet)
{
    Report(m_stations[node].transmission, GetNReceivers(*packet, GetN()));
}

void
DeviceLosses::OnReceiveDrop(uint32_t node, Ptr<const Packet> packet)
{
    const NetDevice* const device = m_devices[node];
    EthernetHeader header(false);
    if (!device->IsPointToPoint() && packet->GetSize() >= header.GetSerializedSize())
    {
        packet->PeekHeader(header);
        const Mac48Address to = header.GetDestination();
        if (!to.IsGroup() && to != Mac48Address::ConvertFrom(device->GetAddress()))
        {
            return;
        }
    }
    OnReceiveLoss(node, packet);
}

void
DeviceLosses::OnReceiveLoss(uint32_t node, Ptr<const Packet>)
{
    Report(m_stations[node].reception, 1);
}

} // namespace messaging
} // namespace ns3
