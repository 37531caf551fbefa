/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-helper.h"

#include "ns3/abort.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace wormhole
{

WormholeHelper::WormholeHelper()
    : NetworkDeviceHelper(messaging::UnicastNetDevice::GetTypeId())
{
    // A device has its own queue, so the network need not drop or queue at the source.
    m_networkFactory.Set("SourceBusy", StringValue("wait"), "QueueLimit", UintegerValue(1));
}

NetDeviceContainer
WormholeHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, m_networkFactory.Create<WormholeNetwork>());
}

NetDeviceContainer
WormholeHelper::Install(const NodeContainer& nodes, Ptr<WormholeNetwork> network) const
{
    network->SetAttribute("Nodes", UintegerValue(nodes.GetN()));
    const std::string error = network->Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    TimeValue cycle;
    network->GetAttribute("Cycle", cycle);
    const auto clock = CreateObject<messaging::TickClock>();
    clock->SetAttribute("TickLength", cycle);
    const auto channel = CreateObject<WormholeChannel>();
    channel->SetNetwork(network, clock);
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = MakeDevice<messaging::UnicastNetDevice>(*node);
        device->Attach(channel);
        devices.Add(device);
    }
    return devices;
}

} // namespace wormhole
} // namespace ns3
