/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_NET_DEVICE_H
#define WORMHOLE_NET_DEVICE_H

#include "ns3/messaging-unicast-net-device.h"
#include "ns3/wormhole-channel.h"

/**
 * @file
 * @ingroup wormhole
 * A node of a wormhole network as an ns-3 NetDevice.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * A node of a wormhole network as a NetDevice. Packets carry an Ethernet header.
 */
class WormholeNetDevice : public messaging::UnicastNetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WormholeNetDevice();
    ~WormholeNetDevice() override;
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_NET_DEVICE_H
