/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-channel.h"

#include "ns3/log.h"
#include "ns3/messaging-unicast-net-device.h"

namespace ns3
{
namespace fabric
{

NS_LOG_COMPONENT_DEFINE("EthernetFabricChannel");
NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

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
FabricChannel::OnSend(Peer from, const Frame& frame)
{
    // Rounded down: the port keeps a packet until the one before it has left.
    const Time tick = GetNetwork()->GetClock()->GetTickLength();
    const auto ticks = static_cast<int64_t>(m_port->WireTicks(frame));
    ScheduleEndSend(from, tick * (ticks - 1));
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
