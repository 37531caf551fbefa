/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-helper.h"

#include "ns3/log.h"
#include "ns3/messaging-host.h"
#include "ns3/node.h"

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetHelper");

NetDeviceContainer
MyrinetHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, m_networkFactory.Create<MyrinetNetwork>());
}

NetDeviceContainer
MyrinetHelper::Install(const NodeContainer& nodes, Ptr<MyrinetNetwork> network) const
{
    const NetDeviceContainer devices = NetworkDeviceHelper::Install(nodes, network);
    for (Peer peer = 0; peer < nodes.GetN(); ++peer)
    {
        const auto lanai = network->GetNativePort()->GetLanai(peer);
        const auto host = nodes.Get(peer)->GetObject<messaging::HostModel>();
        if (lanai && host)
        {
            NS_LOG_INFO("The LANai of node " << peer << " is on the bus of its host");
            lanai->ShareBus(*host);
        }
    }
    return devices;
}

} // namespace myrinet
} // namespace ns3
