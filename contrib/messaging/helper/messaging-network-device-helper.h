/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NETWORK_DEVICE_HELPER_H
#define MESSAGING_NETWORK_DEVICE_HELPER_H

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/messaging-network-channel.h"
#include "ns3/messaging-plain-net-device-helper.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <algorithm>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Base of the helpers that install the devices of a relnet network.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Makes networks and their devices.
 *
 * @tparam N class of the network
 * @tparam C class of its channel, a NetworkChannel
 */
template <class N, class C>
class NetworkDeviceHelper : public PlainNetDeviceHelper
{
  public:
    NetworkDeviceHelper()
        : PlainNetDeviceHelper(UnicastNetDevice::GetTypeId())
    {
        m_networkFactory.SetTypeId(N::GetTypeId());
    }

    /**
     * Set an attribute of the networks to build.
     * @param name name of the attribute
     * @param value its value
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value)
    {
        m_networkFactory.Set(name, value);
    }

    /**
     * Build a network.
     * @param nodes the nodes, in the order of the network's nodes
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const
    {
        return Install(nodes, m_networkFactory.Create<N>());
    }

    /**
     * Attach devices to a network.
     * @param nodes the nodes, in the order of the network's nodes
     * @param network the unused network
     * @return their devices, in the same order
     */
    NetDeviceContainer Install(const NodeContainer& nodes, Ptr<N> network) const
    {
        network->SetNodes(nodes.GetN());
        const std::string error = network->Check(nodes.GetN());
        NS_ABORT_MSG_UNLESS(error.empty(), error);
        network->Build(nodes.GetN());
        const auto channel = CreateObject<C>();
        channel->SetNetwork(network, network->GetNativePort());
        // A frame also contains the header of the device's packets.
        const uint32_t frame = network->GetInfo().mtu;
        const uint32_t most = frame - std::min(frame, EthernetHeader().GetSerializedSize());
        NetDeviceContainer devices;
        for (auto node = nodes.Begin(); node != nodes.End(); ++node)
        {
            const auto device = MakeDevice<UnicastNetDevice>(*node);
            device->Attach(channel);
            device->SetMtu(static_cast<uint16_t>(std::min<uint32_t>(device->GetMtu(), most)));
            devices.Add(device);
        }
        return devices;
    }

    /**
     * Get the network that devices belong to.
     * @param devices devices returned by Install
     * @return the network
     */
    static Ptr<N> GetNetwork(const NetDeviceContainer& devices)
    {
        return DynamicCast<N>(DynamicCast<C>(devices.Get(0)->GetChannel())->GetNetwork());
    }

    /**
     * Assign random streams.
     * @param devices devices returned by Install
     * @param stream first stream
     * @return number of streams assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream)
    {
        return GetNetwork(devices)->AssignStreams(stream);
    }

  protected:
    ObjectFactory m_networkFactory; ///< Makes networks.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NETWORK_DEVICE_HELPER_H
