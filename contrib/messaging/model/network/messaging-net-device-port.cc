/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-port.h"

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

namespace
{

/** EtherType of the frames [IEEE 802, local experimental EtherType 1]. */
constexpr uint16_t FRAME_PROTOCOL = 0x88b5;

/** EtherType of the frames on point-to-point devices: that of IPv4. */
constexpr uint16_t PPP_PROTOCOL = 0x0800;

/**
 * Get an attribute of a device, or of its channel if the device has none.
 * @param device the device
 * @param name the attribute's name
 * @param value set to the value if the attribute exists
 */
void
ReadAttribute(Ptr<NetDevice> device, const std::string& name, AttributeValue& value)
{
    if (!device->GetAttributeFailSafe(name, value) && device->GetChannel())
    {
        device->GetChannel()->GetAttributeFailSafe(name, value);
    }
}

} // namespace

void
NetDevicePort::DoDispose()
{
    for (auto& station : m_stations)
    {
        if (auto node = station.device->GetNode())
        {
            node->UnregisterProtocolHandler(station.handler);
        }
        if (station.queue)
        {
            station.queue->TraceDisconnectWithoutContext("Dequeue", station.onDequeue);
        }
        else if (station.flow)
        {
            station.flow->SetWakeCallback(MakeNullCallback<void>());
        }
    }
    m_stations.clear();
    PacketPort::DoDispose();
}

void
NetDevicePort::Connect(Ptr<TickClock> clock, const NetDeviceContainer& devices)
{
    NS_ABORT_MSG_IF(devices.GetN() == 0, "A port needs at least one device.");
    uint32_t mtu = devices.Get(0)->GetMtu();
    bool broadcast = true;
    m_protocol = devices.Get(0)->IsPointToPoint() ? PPP_PROTOCOL : FRAME_PROTOCOL;
    for (Peer peer = 0; peer < devices.GetN(); ++peer)
    {
        Station station;
        station.device = devices.Get(peer);
        mtu = std::min<uint32_t>(mtu, station.device->GetMtu());
        broadcast = broadcast && station.device->IsBroadcast();
        m_peers[station.device->GetAddress()] = peer;
        station.handler = MakeCallback(&NetDevicePort::OnReceive, this, peer);
        station.device->GetNode()->RegisterProtocolHandler(station.handler,
                                                           m_protocol,
                                                           station.device);
        if (auto interface = station.device->GetObject<NetDeviceQueueInterface>())
        {
            station.flow = interface->GetTxQueue(0);
        }
        PointerValue queue;
        if (station.device->GetAttributeFailSafe("TxQueue", queue))
        {
            station.queue = queue.Get<QueueBase>();
        }
        if (station.queue)
        {
            station.onDequeue = MakeCallback(&NetDevicePort::OnDequeue, this, peer);
            station.queue->TraceConnectWithoutContext("Dequeue", station.onDequeue);
        }
        else if (station.flow)
        {
            station.flow->SetWakeCallback(MakeCallback(&NetDevicePort::Retry, this, peer));
        }
        m_stations.push_back(station);
    }
    DataRateValue rate(DataRate(0));
    TimeValue latency(Time(0));
    ReadAttribute(devices.Get(0), "DataRate", rate);
    ReadAttribute(devices.Get(0), "Delay", latency);
    SetTiming(rate.Get(), latency.Get());
    Begin(clock, devices.GetN(), mtu, broadcast);
}

bool
NetDevicePort::IsReady(Peer self)
{
    const auto& station = m_stations[self];
    if (station.flow)
    {
        return !station.flow->IsStopped();
    }
    return !station.queue || station.queue->GetCurrentSize() < station.queue->GetMaxSize();
}

void
NetDevicePort::Transmit(Peer self, Peer to, Ptr<Packet> packet)
{
    const auto& device = m_stations[self].device;
    const Address address =
        to == NO_PEER ? device->GetBroadcast() : m_stations[to].device->GetAddress();
    if (!device->Send(packet, address, m_protocol))
    {
        NotifyRefusal(self, to, packet);
    }
}

void
NetDevicePort::OnReceive(Peer self,
                         Ptr<NetDevice>,
                         Ptr<const Packet> packet,
                         uint16_t,
                         const Address& from,
                         const Address&,
                         NetDevice::PacketType)
{
    Arrive(self, from, packet);
}

void
NetDevicePort::OnDequeue(Peer self, Ptr<const Packet>)
{
    Retry(self);
}

} // namespace messaging
} // namespace ns3
