/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-unicast-channel.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingUnicastChannel");

namespace
{

/**
 * Schedule a call of a device in the context of its node.
 * @param device the device
 * @param delay time until the call
 * @param function its function
 * @param arguments arguments of the function
 */
template <class Function, class... Arguments>
void
Call(Ptr<UnicastNetDevice> device, Time delay, Function function, Arguments... arguments)
{
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   delay,
                                   function,
                                   device,
                                   arguments...);
}

} // namespace

UnicastChannel::UnicastChannel() = default;

UnicastChannel::~UnicastChannel() = default;

void
UnicastChannel::DoDispose()
{
    m_devices.clear();
    m_carried = {};
    Channel::DoDispose();
}

Peer
UnicastChannel::Attach(Ptr<UnicastNetDevice> device)
{
    const auto node = static_cast<Peer>(m_devices.size());
    NS_ABORT_MSG_IF(node >= GetNPeers(),
                    "The network has " << GetNPeers() << " nodes, and a device each already.");
    NS_LOG_INFO("Device " << device->GetAddress() << " becomes node " << node);
    m_devices.push_back(device);
    return node;
}

void
UnicastChannel::UpdateAddress(Peer node, Mac48Address address)
{
    std::erase_if(m_nodes, [node](const auto& entry) { return entry.second == node; });
    m_nodes[address] = node;
}

Peer
UnicastChannel::Find(Mac48Address address) const
{
    const auto found = m_nodes.find(address);
    return found == m_nodes.end() ? NO_PEER : found->second;
}

Frame
UnicastChannel::Keep(Ptr<const Packet> packet)
{
    const uint32_t number = m_carried.Put(packet);
    Frame frame;
    frame.id = packet->GetUid();
    frame.payload = packet->GetSize();
    frame.contents = number;
    frame.aux = number;
    return frame;
}

void
UnicastChannel::OnFrame(Peer self, Peer from, const Frame& frame)
{
    NS_LOG_LOGIC("A packet of " << frame.payload << " bytes from node " << from
                                << " arrives at node " << self);
    Call(m_devices[self], Time(0), &UnicastNetDevice::Arrive, Take(frame.aux)->Copy());
}

void
UnicastChannel::OnReady(Peer self)
{
    Call(m_devices[self], Time(0), &UnicastNetDevice::Resume);
}

void
UnicastChannel::ScheduleEndSend(Peer node, Time delay) const
{
    Call(m_devices[node], delay, &UnicastNetDevice::EndSend);
}

Ptr<NetDevice>
UnicastChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

Ptr<UnicastNetDevice>
UnicastChannel::GetPeerDevice(Peer node) const
{
    return m_devices[node];
}

} // namespace messaging
} // namespace ns3
