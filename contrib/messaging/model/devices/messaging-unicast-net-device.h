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
 * Node of a network without broadcast as an ns-3 NetDevice.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Node of a network without broadcast as a NetDevice for ns-3's IP stack and applications.
 *
 * ns-3's ARP accepts only devices that can broadcast. The device therefore sends a frame to a group
 * address as a copy to each other node in turn. It does not send ARP and IPv6 neighbour discovery
 * requests, but answers them from the addresses of the channel's devices with a permanent entry in
 * the neighbour cache.
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
     * Receive a packet from the network.
     * @param packet the packet with its Ethernet header
     */
    void Arrive(Ptr<Packet> packet)
    {
        Receive(packet);
    }

    /** Report a packet that the network has damaged. @param packet the packet */
    void Reject(Ptr<const Packet> packet)
    {
        m_phyRxDrop(packet);
    }

    /** Resume sending: the network accepts packets again. */
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

  private:
    /**
     * Get the receiver of the packet at the port, or of its next copy.
     * @return the node, or NO_PEER if no receiver is left
     */
    Peer GetNextReceiver();

    /** Finish the packet at the port after its last copy. */
    void EndTransmission();

    Ptr<UnicastChannel> m_channel; ///< The network.
    Ptr<Packet> m_current;         ///< The packet at the port.
    Peer m_peer{NO_PEER};          ///< Number in the network.
    uint32_t m_copies{0};          ///< Next node of a packet to a group.
    bool m_sending{false};         ///< The packet or a copy of it is being sent.
    bool m_begun{false};           ///< The packet or a copy of it was sent.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_UNICAST_NET_DEVICE_H
