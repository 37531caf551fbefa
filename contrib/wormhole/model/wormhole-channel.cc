/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-channel.h"

#include "wormhole-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeChannel");
NS_OBJECT_ENSURE_REGISTERED(WormholeChannel);

TypeId
WormholeChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::wormhole::WormholeChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormholeChannel>();
    return tid;
}

WormholeChannel::WormholeChannel() = default;

WormholeChannel::~WormholeChannel() = default;

void
WormholeChannel::DoDispose()
{
    if (m_network)
    {
        m_network->SetUser(nullptr);
        m_network->TraceDisconnectWithoutContext("Drop",
                                                 MakeCallback(&WormholeChannel::OnDrop, this));
        m_network->Dispose();
        m_clock->Dispose();
    }
    m_network = nullptr;
    m_clock = nullptr;
    m_devices.clear();
    m_carried.clear();
    Channel::DoDispose();
}

void
WormholeChannel::SetNetwork(Ptr<WormholeNetwork> network, Ptr<messaging::TickClock> clock)
{
    m_network = network;
    m_clock = clock;
    network->TraceConnectWithoutContext("Drop", MakeCallback(&WormholeChannel::OnDrop, this));
    network->SetClock(clock);
    network->SetUser(this);
}

Ptr<WormholeNetwork>
WormholeChannel::GetNetwork() const
{
    return m_network;
}

Ptr<messaging::TickClock>
WormholeChannel::GetClock() const
{
    return m_clock;
}

Peer
WormholeChannel::Attach(Ptr<WormholeNetDevice> device)
{
    const auto node = static_cast<Peer>(m_devices.size());
    NS_ABORT_MSG_IF(node >= m_network->GetNPeers(),
                    "The network has " << m_network->GetNPeers()
                                       << " nodes, and a device each already.");
    m_devices.push_back(device);
    return node;
}

void
WormholeChannel::UpdateAddress(Peer node, Mac48Address address)
{
    std::erase_if(m_nodes, [node](const auto& entry) { return entry.second == node; });
    m_nodes[address] = node;
}

Peer
WormholeChannel::Find(Mac48Address address) const
{
    const auto found = m_nodes.find(address);
    return found == m_nodes.end() ? messaging::NO_PEER : found->second;
}

Frame
WormholeChannel::MakeFrame(Ptr<const ns3::Packet> packet)
{
    Frame frame;
    frame.id = packet->GetUid();
    frame.payload = packet->GetSize();
    return frame;
}

Time
WormholeChannel::GetWireTime(Ptr<const ns3::Packet> packet) const
{
    return m_clock->GetTickLength() * static_cast<int64_t>(m_network->WireTicks(MakeFrame(packet)));
}

bool
WormholeChannel::Send(Peer from, Peer to, Ptr<const ns3::Packet> packet)
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
    if (m_network->Send(from, to, frame))
    {
        return true;
    }
    m_carried[number] = nullptr;
    m_free.push_back(number);
    return false;
}

void
WormholeChannel::OnFrame(Peer self, Peer, const Frame& frame)
{
    const Ptr<const ns3::Packet> packet = m_carried[frame.contents];
    m_carried[frame.contents] = nullptr;
    m_free.push_back(static_cast<uint32_t>(frame.contents));
    const Ptr<WormholeNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &WormholeNetDevice::Receive,
                                   device,
                                   packet->Copy());
}

void
WormholeChannel::OnReady(Peer self)
{
    const Ptr<WormholeNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &WormholeNetDevice::Resume,
                                   device);
}

void
WormholeChannel::OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks)
{
    NS_LOG_LOGIC("packet " << packet.frame.id << " dropped at router " << router << ": " << reason);
    m_carried[packet.frame.contents] = nullptr;
    m_free.push_back(static_cast<uint32_t>(packet.frame.contents));
}

std::size_t
WormholeChannel::GetNDevices() const
{
    return m_devices.size();
}

Ptr<NetDevice>
WormholeChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace wormhole
} // namespace ns3
