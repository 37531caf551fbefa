/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CHANNEL_H
#define WORMHOLE_CHANNEL_H

#include "ns3/messaging-tick-clock.h"
#include "ns3/messaging-unicast-channel.h"
#include "ns3/wormhole-network.h"

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
 * A wormhole network that carries ns-3 packets between devices, one device a node of the network.
 */
class WormholeChannel : public messaging::UnicastChannel
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WormholeChannel();
    ~WormholeChannel() override;

    /**
     * Set the network; once, before any device is attached.
     * @param network the network
     * @param clock its clock
     */
    void SetNetwork(Ptr<WormholeNetwork> network, Ptr<messaging::TickClock> clock);

    /** @return the network. */
    Ptr<WormholeNetwork> GetNetwork() const;

    /** @return the network's clock. */
    Ptr<messaging::TickClock> GetClock() const;

    uint32_t GetNPeers() const override;
    bool Send(Peer from, Peer to, Ptr<const ns3::Packet> packet) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * A frame has been dropped: forget its packet.
     * @param packet the network's packet
     * @param reason why
     * @param router where
     * @param now the cycle
     */
    void OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks now);

    Ptr<WormholeNetwork> m_network;    ///< The network.
    Ptr<messaging::TickClock> m_clock; ///< Its clock.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CHANNEL_H
