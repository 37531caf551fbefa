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
 *
 * The path value of a packet is a hash of its flow, as the hash of ECMP in a switch: addresses,
 * protocol, and the ports of TCP and UDP over IPv4; addresses and flow label, if there is one, over
 * IPv6 [RFC 6438]. So the packets of a flow take one route, and keep their order.
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
    uint16_t SelectPath(Ptr<const Packet> packet) const override;
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
