/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_UNICAST_NET_DEVICE_H
#define MESSAGING_UNICAST_NET_DEVICE_H

#include "ns3/messaging-plain-net-device.h"
#include "ns3/messaging-unicast-channel.h"

/**
 * @file
 * @ingroup messaging
 * A node of a network without broadcast as an ns-3 NetDevice.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A node of a network without broadcast as a NetDevice, on which ns-3's IP stack and applications
 * run.
 *
 * ns-3's ARP accepts only devices that can broadcast; so the device sends a frame to a group
 * address as a copy to each other node in turn. Requests of ARP and of IPv6 neighbour discovery are
 * not sent: the device answers them itself from the addresses of the channel's devices, and the
 * answer stays in the neighbour cache for good. So caches fill as they are used.
 */
class UnicastNetDevice : public PlainNetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Attach the device to the next node of a network.
     * @param channel the network
     */
    void Attach(Ptr<UnicastChannel> channel);

    /** @return the number of this node in the network. */
    Peer GetPeer() const
    {
        return m_peer;
    }

    /**
     * The network delivers a packet.
     * @param packet the packet with its Ethernet header
     */
    virtual void Arrive(Ptr<Packet> packet)
    {
        Receive(packet);
    }

    /** The network takes packets again. */
    void Resume()
    {
        Transmit();
    }

    /** End a transmission. */
    void EndSend();

    Ptr<Channel> GetChannel() const override
    {
        return m_channel;
    }

    void SetAddress(Address address) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocol) override;

  protected:
    void DoDispose() override;
    void Transmit() override;

    /** @return the next packet to be sent, null if there is none: that of the queue. */
    virtual Ptr<Packet> TakeNext()
    {
        return Dequeue();
    }

    /** @return whether a packet is at the port. */
    bool HasCurrent() const
    {
        return m_current != nullptr;
    }

  private:
    /**
     * Find the receiver of the packet at the port, or of its next copy.
     * @return the node, or NO_PEER if no receiver is left
     */
    Peer GetNextReceiver();

    /** The packet at the port, and all its copies, have left. */
    void EndTransmission();

    Ptr<UnicastChannel> m_channel; ///< The network.
    Ptr<Packet> m_current;         ///< The packet at the port.
    Peer m_peer{NO_PEER};          ///< Number in the network.
    uint32_t m_copies{0};          ///< Nodes to which it was sent, if it goes to a group.
    bool m_sending{false};         ///< It, or a copy of it, is leaving.
    bool m_begun{false};           ///< It, or a copy of it, has been sent.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_UNICAST_NET_DEVICE_H
