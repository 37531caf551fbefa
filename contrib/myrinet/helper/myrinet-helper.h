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
 * The network has as many hosts as the container has nodes; a graph needs the same number.
 */
class MyrinetHelper : public messaging::NetworkDeviceHelper<MyrinetNetwork, MyrinetChannel>
{
  public:
    // Makes them visible to Python in an object as well as in the class.
    using NetworkDeviceHelper::AssignStreams;
    using NetworkDeviceHelper::GetNetwork;
    using NetworkDeviceHelper::Install;
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_HELPER_H
