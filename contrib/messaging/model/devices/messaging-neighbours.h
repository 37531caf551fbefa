/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NEIGHBOURS_H
#define MESSAGING_NEIGHBOURS_H

#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device.h"
#include "ns3/packet.h"

/**
 * @file
 * @ingroup messaging
 * Address resolution without requests on the network.
 */

namespace ns3
{
namespace messaging
{

/**
 * Answer an ARP or IPv6 neighbour discovery request, which a device would send to a group, from the
 * addresses of the nodes on its channel. The answer becomes a permanent entry in the neighbour
 * cache.
 * @param device the device that would send the request
 * @param packet the request
 * @param protocol its EtherType
 * @param receive callback that passes packets to the device's node
 * @return whether the packet is such a request; it has no answer if no device owns the address
 */
bool AnswerNeighbourRequest(Ptr<NetDevice> device,
                            Ptr<const ns3::Packet> packet,
                            uint16_t protocol,
                            const NetDevice::ReceiveCallback& receive);

/**
 * Add the address of each interface permanently to the neighbour caches of all others. ARP itself
 * queues at most three packets for an unresolved address.
 * @param interfaces interfaces on one network
 */
void FillNeighbourCaches(const Ipv4InterfaceContainer& interfaces);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NEIGHBOURS_H
