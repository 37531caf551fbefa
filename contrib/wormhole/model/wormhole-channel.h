/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CHANNEL_H
#define WORMHOLE_CHANNEL_H

#include "wormhole-network.h"

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/packet.h"

#include <map>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * A wormhole network as an ns-3 channel.
 */

namespace ns3
{
namespace wormhole
{

class WormholeNetDevice;

/**
 * @ingroup wormhole
 * A wormhole network that carries ns-3 packets between devices, one device a node of the network.
 *
 * The network itself moves frames; the packets lie here until their frame arrives or is dropped.
 */
class WormholeChannel : public Channel, private messaging::PortUser
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

    /**
     * Attach the device of the next node.
     * @param device the device
     * @return number of the node
     */
    Peer Attach(Ptr<WormholeNetDevice> device);

    /**
     * Send a packet.
     * @param from the node that sends
     * @param to the node that is to receive it
     * @param packet the packet with its Ethernet header
     * @return false if the node's port is busy; the device's Resume is called later
     */
    bool Send(Peer from, Peer to, Ptr<const ns3::Packet> packet);

    /**
     * Look for a node.
     * @param address an address
     * @return the node whose device has it, or NO_PEER
     */
    Peer Find(Mac48Address address) const;

    /**
     * Get for how long a packet occupies its injection port at least.
     * @param packet the packet
     * @return the time
     */
    Time GetWireTime(Ptr<const ns3::Packet> packet) const;

    /**
     * An address of a device has changed.
     * @param node the device's node
     * @param address its new address
     */
    void UpdateAddress(Peer node, Mac48Address address);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    /**
     * A frame has been dropped: forget its packet.
     * @param packet the network's packet
     * @param reason why
     * @param router where
     * @param now the cycle
     */
    void OnDrop(const wormhole::Packet& packet, DropReason reason, uint32_t router, Ticks now);

    /**
     * Make the frame of a packet.
     * @param packet the packet
     * @return the frame
     */
    static Frame MakeFrame(Ptr<const ns3::Packet> packet);

    Ptr<WormholeNetwork> m_network;                ///< The network.
    Ptr<messaging::TickClock> m_clock;             ///< Its clock.
    std::vector<Ptr<WormholeNetDevice>> m_devices; ///< By node.
    std::map<Mac48Address, Peer> m_nodes;          ///< Nodes by address.
    std::vector<Ptr<const ns3::Packet>> m_carried; ///< Packets on their way, by number.
    std::vector<uint32_t> m_free;                  ///< Free numbers.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CHANNEL_H
