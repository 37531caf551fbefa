/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_STACK_LOSSES_H
#define MESSAGING_SCENARIO_STACK_LOSSES_H

#include "ns3/ipv4-l3-protocol.h"
#include "ns3/messaging-loss-counts.h"
#include "ns3/net-device.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/queue-item.h"

/**
 * @file
 * @ingroup messaging
 * Packets that the IP stacks of nodes lose.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Observer of the packets that IP stacks lose above their devices: in queue discs, without a
 * resolved address or a route, in incomplete datagrams, and in the receive buffers of UDP sockets;
 * and of those that a device in front of another, such as HostNetDevice, loses.
 *
 * It connects to trace sources of ns-3. The sockets have to exist.
 */
class StackLosses
{
  public:
    StackLosses() = default;
    StackLosses(const StackLosses&) = delete;
    StackLosses& operator=(const StackLosses&) = delete;

    /**
     * Connect to the stacks of nodes.
     * @param nodes the nodes, which must not run after the end of this object
     */
    void Observe(const NodeContainer& nodes);

    /** @return lost packets by place. */
    const LossCounts& GetCounts() const
    {
        return m_counts;
    }

  private:
    /**
     * Connect to what is above a device.
     * @param node index of its node
     * @param device the device
     */
    void ObserveDevice(uint32_t node, Ptr<NetDevice> device);

    /**
     * A queue disc has dropped a packet.
     * @param node index of its node
     * @param item the packet
     * @param reason the reason
     */
    void OnDiscDrop(uint32_t node, Ptr<const QueueDiscItem> item, const char* reason);

    /**
     * IP has dropped a packet.
     * @param node index of its node
     * @param header header of the packet
     * @param packet the packet
     * @param reason the reason
     * @param stack the stack
     * @param interface the interface
     */
    void OnIpDrop(uint32_t node,
                  const Ipv4Header& header,
                  Ptr<const Packet> packet,
                  Ipv4L3Protocol::DropReason reason,
                  Ptr<Ipv4> stack,
                  uint32_t interface);

    /**
     * Another part of the stack has dropped a packet.
     * @param place name of the place
     * @param packet the packet
     */
    void OnDrop(std::string place, Ptr<const Packet> packet);

    LossCounts m_counts; ///< Lost packets by place.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_STACK_LOSSES_H
