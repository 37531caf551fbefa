/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-channel.h"

#include "ns3/log.h"

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
                            .SetParent<messaging::UnicastChannel>()
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
    UnicastChannel::DoDispose();
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

uint32_t
WormholeChannel::GetNPeers() const
{
    return m_network->GetNPeers();
}

bool
WormholeChannel::Send(Peer from, Peer to, Ptr<const ns3::Packet> packet)
{
    const Frame frame = Keep(from, packet);
    if (!m_network->Send(from, to, frame))
    {
        Take(frame.aux);
        return false;
    }
    // The packet occupies its injection port for as long as this at least.
    ScheduleEndSend(from,
                    m_clock->GetTickLength() * static_cast<int64_t>(m_network->WireTicks(frame)));
    return true;
}

void
WormholeChannel::OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks)
{
    NS_LOG_LOGIC("packet " << packet.frame.id << " dropped at router " << router << ": " << reason);
    Take(packet.frame.aux);
}

} // namespace wormhole
} // namespace ns3
