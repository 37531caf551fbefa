/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_HELPER_H
#define MYRINET_HELPER_H

#include "ns3/messaging-network-device-helper.h"
#include "ns3/myrinet-channel.h"
#include "ns3/myrinet-network.h"

/**
 * @file
 * @ingroup myrinet
 * Installation of Myrinets on nodes.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Builds a Myrinet, and a device on each node.
 *
 * @code
 *   MyrinetHelper myrinet;
 *   myrinet.SetNetworkAttribute("Topology", StringValue("clos"));
 *   NetDeviceContainer devices = myrinet.Install(nodes);
 * @endcode
 *
 * The network has as many hosts as the container has nodes; a graph needs the same number. With the
 * network's attribute Lanai, the host DMA engines use the bus of the HostModel of their node, if it
 * has one before Install, and compete there with the host's own transfers.
 */
class MyrinetHelper : public messaging::NetworkDeviceHelper<MyrinetNetwork, MyrinetChannel>
{
  public:
    // Makes them visible to Python in an object as well as in the class.
    using NetworkDeviceHelper::AssignStreams;
    using NetworkDeviceHelper::GetNetwork;

    /**
     * Build a network.
     * @param nodes the nodes, in the order of the network's hosts
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const;

    /**
     * Attach devices to a network.
     * @param nodes the nodes, in the order of the network's hosts
     * @param network the unused network
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes, Ptr<MyrinetNetwork> network) const;
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_HELPER_H
