/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NETWORK_DEVICE_HELPER_H
#define MESSAGING_NETWORK_DEVICE_HELPER_H

#include "ns3/messaging-network-channel.h"
#include "ns3/messaging-plain-net-device-helper.h"

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
 * Makes networks and their devices. A derived helper provides Install.
 *
 * @tparam N class of the network
 */
template <class N>
class NetworkDeviceHelper : public PlainNetDeviceHelper
{
  public:
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
     * Get the network that devices belong to.
     * @param devices devices returned by Install
     * @return the network
     */
    static Ptr<N> GetNetwork(const NetDeviceContainer& devices)
    {
        return DynamicCast<NetworkChannel<N>>(devices.Get(0)->GetChannel())->GetNetwork();
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
    /** @param device type of the devices, derived from PlainNetDevice */
    explicit NetworkDeviceHelper(TypeId device)
        : PlainNetDeviceHelper(device)
    {
        m_networkFactory.SetTypeId(N::GetTypeId());
    }

    ObjectFactory m_networkFactory; ///< Makes networks.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NETWORK_DEVICE_HELPER_H
