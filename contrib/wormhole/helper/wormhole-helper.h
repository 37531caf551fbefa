/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_HELPER_H
#define WORMHOLE_HELPER_H

#include "ns3/messaging-network-device-helper.h"
#include "ns3/wormhole-channel.h"
#include "ns3/wormhole-network.h"

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
class WormholeHelper : public messaging::NetworkDeviceHelper<WormholeNetwork, WormholeChannel>
{
  public:
    WormholeHelper();

    // Makes them visible to Python in an object as well as in the class.
    using NetworkDeviceHelper::AssignStreams;
    using NetworkDeviceHelper::GetNetwork;
    using NetworkDeviceHelper::Install;
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_HELPER_H
