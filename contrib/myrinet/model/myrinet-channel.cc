/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-channel.h"

#include "myrinet-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetChannel");
NS_OBJECT_ENSURE_REGISTERED(MyrinetChannel);

namespace
{

/**
 * Get the last byte of a packet.
 * @param packet the packet, not empty
 * @return the byte
 */
uint8_t
GetLastByte(Ptr<const ns3::Packet> packet)
{
    uint8_t last = 0;
    packet->CreateFragment(packet->GetSize() - 1, 1)->CopyData(&last, 1);
    return last;
}

} // namespace

TypeId
MyrinetChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::myrinet::MyrinetChannel")
                            .SetParent<ns3::Channel>()
                            .SetGroupName("Myrinet")
                            .AddConstructor<MyrinetChannel>();
    return tid;
}

MyrinetChannel::MyrinetChannel() = default;

MyrinetChannel::~MyrinetChannel() = default;

void
MyrinetChannel::DoDispose()
{
    if (m_port)
    {
        m_port->SetUser(nullptr);
        m_port->TraceDisconnectWithoutContext("Sent", MakeCallback(&MyrinetChannel::OnSent, this));
        m_port->TraceDisconnectWithoutContext("Drop", MakeCallback(&MyrinetChannel::OnDrop, this));
        m_port->Dispose();
        m_clock->Dispose();
    }
    m_port = nullptr;
    m_clock = nullptr;
    m_devices.clear();
    m_carried.clear();
    ns3::Channel::DoDispose();
}

void
MyrinetChannel::SetPort(Ptr<MyrinetPort> port, Ptr<messaging::TickClock> clock)
{
    m_port = port;
    m_clock = clock;
    port->TraceConnectWithoutContext("Sent", MakeCallback(&MyrinetChannel::OnSent, this));
    port->TraceConnectWithoutContext("Drop", MakeCallback(&MyrinetChannel::OnDrop, this));
    port->SetClock(clock);
    port->SetUser(this);
    port->SetRetain(true);
}

Ptr<MyrinetPort>
MyrinetChannel::GetPort() const
{
    return m_port;
}

Ptr<messaging::TickClock>
MyrinetChannel::GetClock() const
{
    return m_clock;
}

Peer
MyrinetChannel::Attach(Ptr<MyrinetNetDevice> device)
{
    const auto host = static_cast<Peer>(m_devices.size());
    NS_ABORT_MSG_IF(host >= m_port->GetNPeers(),
                    "The network has " << m_port->GetNPeers()
                                       << " hosts, and a device each already.");
    m_devices.push_back(device);
    return host;
}

void
MyrinetChannel::UpdateAddress(Peer node, Mac48Address address)
{
    std::erase_if(m_nodes, [node](const auto& entry) { return entry.second == node; });
    m_nodes[address] = node;
}

Peer
MyrinetChannel::Find(Mac48Address address) const
{
    const auto found = m_nodes.find(address);
    return found == m_nodes.end() ? messaging::NO_PEER : found->second;
}

Frame
MyrinetChannel::MakeFrame(Ptr<const ns3::Packet> packet)
{
    Frame frame;
    frame.id = packet->GetUid();
    frame.payload = packet->GetSize();
    return frame;
}

bool
MyrinetChannel::Send(Peer from, Peer to, Ptr<const ns3::Packet> packet)
{
    Frame frame = MakeFrame(packet);
    frame.source = from;
    uint32_t number;
    if (m_free.empty())
    {
        number = static_cast<uint32_t>(m_carried.size());
        m_carried.emplace_back();
    }
    else
    {
        number = m_free.back();
        m_free.pop_back();
    }
    m_carried[number] = packet;
    frame.contents = number;
    frame.aux = number;
    if (m_port->Send(from, to, frame))
    {
        return true;
    }
    Take(number);
    return false;
}

void
MyrinetChannel::Release(Peer host)
{
    m_port->Release(host);
}

uint32_t
MyrinetChannel::GetSendBuffers() const
{
    UintegerValue buffers;
    m_port->GetAttribute("SendBuffers", buffers);
    return static_cast<uint32_t>(buffers.Get());
}

Ptr<const ns3::Packet>
MyrinetChannel::Take(uint32_t number)
{
    const Ptr<const ns3::Packet> packet = m_carried[number];
    m_carried[number] = nullptr;
    m_free.push_back(number);
    return packet;
}

void
MyrinetChannel::OnFrame(Peer self, Peer, const Frame& frame)
{
    Ptr<ns3::Packet> packet = Take(frame.aux)->Copy();
    if (frame.contents != frame.aux)
    {
        // The CRC has let a corrupted packet pass: its last byte is wrong.
        const uint8_t last = ~GetLastByte(packet);
        packet->RemoveAtEnd(1);
        packet->AddAtEnd(Create<ns3::Packet>(&last, 1));
    }
    const Ptr<MyrinetNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &MyrinetNetDevice::Arrive,
                                   device,
                                   packet);
}

void
MyrinetChannel::OnReady(Peer self)
{
    const Ptr<MyrinetNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &MyrinetNetDevice::Resume,
                                   device);
}

void
MyrinetChannel::OnSent(const myrinet::Packet& packet)
{
    OnReady(packet.from);
}

void
MyrinetChannel::OnDrop(const myrinet::Packet& packet, DropReason reason, ChannelId, Instant)
{
    NS_LOG_LOGIC("packet " << packet.frame.id << " lost: " << reason);
    const Ptr<const ns3::Packet> lost = Take(packet.frame.aux);
    if (reason == DropReason::CRC)
    {
        m_devices[packet.to]->Reject(lost);
    }
}

std::size_t
MyrinetChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
MyrinetChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace myrinet
} // namespace ns3
