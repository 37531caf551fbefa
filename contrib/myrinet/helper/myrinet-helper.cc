/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-helper.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{
namespace myrinet
{

MyrinetHelper::MyrinetHelper()
    : NetworkDeviceHelper(messaging::UnicastNetDevice::GetTypeId())
{
}

NetDeviceContainer
MyrinetHelper::Install(const NodeContainer& nodes) const
{
    return Install(nodes, m_networkFactory.Create<MyrinetNetwork>());
}

NetDeviceContainer
MyrinetHelper::Install(const NodeContainer& nodes, Ptr<MyrinetNetwork> network) const
{
    network->SetNodes(nodes.GetN());
    const std::string error = network->Check(nodes.GetN());
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    const auto channel = CreateObject<MyrinetChannel>();
    channel->SetNetwork(network, CreateObject<messaging::TickClock>());
    // A frame also contains the header of the device's packets.
    const uint32_t frame = network->Info().mtu;
    const uint32_t most = frame - std::min(frame, EthernetHeader().GetSerializedSize());
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        const auto device = MakeDevice<messaging::UnicastNetDevice>(*node);
        device->Attach(channel);
        device->SetMtu(static_cast<uint16_t>(std::min<uint32_t>(device->GetMtu(), most)));
        devices.Add(device);
    }
    return devices;
}

} // namespace myrinet
} // namespace ns3
