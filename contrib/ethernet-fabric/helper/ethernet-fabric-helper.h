/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_HELPER_H
#define ETHERNET_FABRIC_HELPER_H

#include "ns3/ethernet-fabric-channel.h"
#include "ns3/ethernet-fabric-network.h"
#include "ns3/messaging-network-device-helper.h"

/**
 * @file
 * @ingroup ethernet-fabric
 * Installation of fabrics on nodes.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * Builds a fabric, and a device on each node.
 *
 * @code
 *   FabricHelper fabric;
 *   fabric.SetNetworkAttribute("Topology", StringValue("fat-tree"));
 *   NetDeviceContainer devices = fabric.Install(nodes);
 * @endcode
 *
 * The network has as many hosts as the container has nodes.
 */
class FabricHelper : public messaging::NetworkDeviceHelper<FabricNetwork, FabricChannel>
{
  public:
    // Makes them visible to Python in an object as well as in the class.
    using NetworkDeviceHelper::AssignStreams;
    using NetworkDeviceHelper::GetNetwork;
    using NetworkDeviceHelper::Install;
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_HELPER_H
