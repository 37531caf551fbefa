/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-channel.h"

#include "ns3/log.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetChannel");
NS_OBJECT_ENSURE_REGISTERED(MyrinetChannel);

TypeId
MyrinetChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::myrinet::MyrinetChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Myrinet")
                            .AddConstructor<MyrinetChannel>();
    return tid;
}

void
MyrinetChannel::SetNetwork(Ptr<messaging::Network> network, Ptr<MyrinetPort> port)
{
    NetworkChannel::SetNetwork(network, port);
    network->TraceConnectWithoutContext("Sent", MakeCallback(&MyrinetChannel::OnSent, this));
    network->TraceConnectWithoutContext("Drop", MakeCallback(&MyrinetChannel::OnDrop, this));
    port->SetRetain(true);
}

void
MyrinetChannel::OnFrame(Peer self, Peer, const Frame& frame)
{
    NS_LOG_LOGIC("Packet " << frame.id << " of " << frame.payload << " bytes arrives at node "
                           << self);
    Ptr<ns3::Packet> packet = Take(frame.aux)->Copy();
    if (frame.contents != frame.aux)
    {
        // A corrupted packet that has passed the CRC: its last byte is wrong.
        uint8_t last = 0;
        packet->CreateFragment(packet->GetSize() - 1, 1)->CopyData(&last, 1);
        last = ~last;
        packet->RemoveAtEnd(1);
        packet->AddAtEnd(Create<ns3::Packet>(&last, 1));
    }
    // The driver takes the packet out of its receive buffer.
    const auto take = [channel = Ptr<MyrinetChannel>(this), self, packet] {
        if (channel->m_port)
        {
            channel->m_port->Release(self);
            channel->GetPeerDevice(self)->Arrive(packet);
        }
    };
    Simulator::ScheduleWithContext(GetPeerDevice(self)->GetNode()->GetId(), Time(0), take);
}

void
MyrinetChannel::OnSend(Peer from, const Frame&)
{
    if (m_port->GetLanai(from))
    {
        ScheduleEndSend(from, Time(0));
    }
}

void
MyrinetChannel::OnSent(const myrinet::Packet& packet)
{
    if (!m_port->GetLanai(packet.from))
    {
        ScheduleEndSend(packet.from, Time(0));
    }
}

void
MyrinetChannel::OnDrop(const myrinet::Packet& packet, DropReason reason, ChannelId, Instant)
{
    NS_LOG_INFO("Packet " << packet.frame.id << " from node " << packet.from << " to " << packet.to
                          << " is lost: " << reason);
    const Ptr<const ns3::Packet> lost = Take(packet.frame.aux);
    if (reason == DropReason::CRC)
    {
        GetPeerDevice(packet.to)->Reject(lost);
    }
}

} // namespace myrinet
} // namespace ns3
