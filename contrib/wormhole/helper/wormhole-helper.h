/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_HELPER_H
#define WORMHOLE_HELPER_H

#include "ns3/messaging-network-device-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/wormhole-channel.h"

/**
 * @file
 * @ingroup wormhole
 * Builds wormhole networks on nodes.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * Builds a wormhole network and a device on each of its nodes.
 *
 * @code
 *   WormholeHelper wormhole;
 *   wormhole.SetNetworkAttribute("Topology", StringValue("grid2d"));
 *   wormhole.SetNetworkAttribute("Router", StringValue("buffered"));
 *   NetDeviceContainer devices = wormhole.Install(nodes);
 * @endcode
 *
 * The network gets one node for each node of the container; attribute Shape, if set, has to agree.
 */
class WormholeHelper : public messaging::NetworkDeviceHelper<WormholeNetwork>
{
  public:
    WormholeHelper();

    // Lets Python find these overloads in an object, too.
    using NetworkDeviceHelper::AssignStreams;
    using NetworkDeviceHelper::GetNetwork;

    /**
     * Build a network.
     * @param nodes the nodes, in the order of the network's nodes
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Attach devices to a network.
     * @param nodes the nodes, in the order of the network's nodes
     * @param network the unused network
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes, Ptr<WormholeNetwork> network) const;
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_HELPER_H
