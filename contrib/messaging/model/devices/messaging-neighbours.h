/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NEIGHBOURS_H
#define MESSAGING_NEIGHBOURS_H

#include "ns3/net-device.h"
#include "ns3/packet.h"

/**
 * @file
 * @ingroup messaging
 * Address resolution on a network without broadcast.
 */

namespace ns3
{
namespace messaging
{

/**
 * Answer a request of ARP or of IPv6 neighbour discovery that a device is to send to a group, from
 * the addresses of the nodes on its channel, with a permanent entry in the neighbour cache.
 * @param device the device that is to send the request
 * @param packet the request
 * @param protocol its EtherType
 * @param receive passes packets to the device's node
 * @return whether the packet was such a request; without an owner of the address, there is no
 * answer
 */
bool AnswerNeighbourRequest(Ptr<NetDevice> device,
                            Ptr<const ns3::Packet> packet,
                            uint16_t protocol,
                            const NetDevice::ReceiveCallback& receive);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NEIGHBOURS_H
