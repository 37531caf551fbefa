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

/**
 * Enter the address of each interface permanently into the neighbour caches of all others. ARP
 * itself holds three packets at most for an address that it asks for.
 * @param interfaces interfaces on one network
 */
void FillNeighbourCaches(const Ipv4InterfaceContainer& interfaces);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NEIGHBOURS_H
