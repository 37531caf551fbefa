/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CHANNEL_H
#define WORMHOLE_CHANNEL_H

#include "ns3/messaging-network-channel.h"
#include "ns3/wormhole-port.h"

/**
 * @file
 * @ingroup wormhole
 * A wormhole network as an ns-3 channel.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * A wormhole network that carries ns-3 packets between devices, one device for each node of the
 * network.
 */
class WormholeChannel : public messaging::NetworkChannel<WormholePort>
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void SetNetwork(Ptr<messaging::Network> network, Ptr<WormholePort> port) override;

  private:
    void OnSend(Peer from, const Frame& frame) override;

    /**
     * Forget the packet of a dropped frame.
     * @param packet the network's packet
     * @param reason reason of the drop
     * @param router router that dropped it
     * @param now the cycle
     */
    void OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks now);
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CHANNEL_H
