/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_UNICAST_CHANNEL_H
#define MESSAGING_UNICAST_CHANNEL_H

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"

#include <map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Network without broadcast as an ns-3 channel.
 */

namespace ns3
{
namespace messaging
{

class UnicastNetDevice;

/**
 * @ingroup messaging
 * Network that carries ns-3 packets from one device to another, with one device for each node.
 *
 * The network itself moves frames; the packets are stored here until their frame arrives or is
 * lost.
 */
class UnicastChannel : public Channel, protected PortUser
{
  public:
    UnicastChannel();
    ~UnicastChannel() override;

    /** @return the number of the network's nodes. */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * Send a packet. The device's EndSend is called when another packet can follow.
     * @param from the sending node
     * @param to the receiving node
     * @param packet the packet with its Ethernet header
     * @return false if the node's port is busy; the device's Resume is called later
     */
    virtual bool Send(Peer from, Peer to, Ptr<const Packet> packet) = 0;

    /**
     * Attach the device of the next node.
     * @param device the device
     * @return number of the node
     */
    Peer Attach(Ptr<UnicastNetDevice> device);

    /**
     * Find a node.
     * @param address an address
     * @return the node whose device has the address, or NO_PEER
     */
    Peer Find(Mac48Address address) const;

    /**
     * Update the address of a device.
     * @param node the device's node
     * @param address its new address
     */
    void UpdateAddress(Peer node, Mac48Address address);

    std::size_t GetNDevices() const override
    {
        return m_devices.size();
    }

    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;
    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    /**
     * Make a frame for a packet, and store the packet.
     * @param packet the packet
     * @return the frame; contents and aux are the packet's number
     */
    Frame Keep(Ptr<const Packet> packet);

    /**
     * Remove a stored packet.
     * @param number its number, free after the call
     * @return the packet
     */
    Ptr<const Packet> Take(uint32_t number)
    {
        return m_carried.Take(number);
    }

    /**
     * Get a device.
     * @param node its node
     * @return the device
     */
    Ptr<UnicastNetDevice> GetPeerDevice(Peer node) const;

    /**
     * Schedule the end of a device's transmission.
     * @param node its node
     * @param delay time until the end
     */
    void ScheduleEndSend(Peer node, Time delay) const;

  private:
    std::vector<Ptr<UnicastNetDevice>> m_devices; ///< Devices by node.
    std::map<Mac48Address, Peer> m_nodes;         ///< Nodes by address.
    SlotPool<Ptr<const Packet>> m_carried;        ///< Packets in flight.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_UNICAST_CHANNEL_H
