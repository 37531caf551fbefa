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
                            .SetParent<Channel>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<WormholeChannel>();
    return tid;
}

void
WormholeChannel::SetNetwork(Ptr<messaging::Network> network, Ptr<WormholePort> port)
{
    NetworkChannel::SetNetwork(network, port);
    network->TraceConnectWithoutContext("Drop", MakeCallback(&WormholeChannel::OnDrop, this));
}

void
WormholeChannel::OnSend(Peer from, const Frame& frame)
{
    // Minimum time for which the packet occupies its injection port.
    ScheduleEndSend(from,
                    GetNetwork()->GetClock()->GetTickLength() *
                        static_cast<int64_t>(m_port->WireTicks(frame)));
}

void
WormholeChannel::OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks)
{
    NS_LOG_INFO("Packet " << packet.frame.id << " from node " << packet.from << " to " << packet.to
                          << " is dropped at router " << router << ": " << reason);
    Take(packet.frame.aux);
}

} // namespace wormhole
} // namespace ns3
