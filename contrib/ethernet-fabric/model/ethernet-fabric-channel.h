/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_CHANNEL_H
#define ETHERNET_FABRIC_CHANNEL_H

#include "ethernet-fabric-port.h"

#include "ns3/messaging-network-channel.h"

/**
 * @file
 * @ingroup ethernet-fabric
 * A fabric as an ns-3 channel.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * A fabric that carries ns-3 packets between devices, one for each host.
 */
class FabricChannel : public messaging::NetworkChannel<FabricPort>
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void SetNetwork(Ptr<messaging::Network> network, Ptr<FabricPort> port) override;

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnSend(Peer from, const Frame& frame) override;

    /**
     * Remove a lost packet; after a bit error, notify the receiver's device.
     * @param loss the loss
     * @param frame the frame
     */
    void OnDrop(const LossEvent& loss, const Frame& frame);
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_CHANNEL_H
