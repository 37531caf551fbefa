/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_NET_DEVICE_H
#define INFINIBAND_NET_DEVICE_H

#include "infiniband-channel.h"

#include "ns3/messaging-plain-net-device.h"

/**
 * @file
 * @ingroup infiniband
 * IP over InfiniBand as an ns-3 NetDevice.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * IP over InfiniBand (RFC 4391, datagram mode) as a NetDevice.
 *
 * On the wire, a packet is an unreliable datagram: LRH, BTH, DETH, the four bytes of RFC 4391's
 * header, the payload and the CRCs, and, to a group, a global route header. It passes the adapters
 * at both ends like a frame of a protocol over UD. The MTU is thus four
 * bytes below the link's: 2044. All groups share one multicast LID of all hosts, so ARP and IPv6
 * neighbour discovery work unchanged. In ns-3's packets and in captures an Ethernet header
 * represents the addresses (a queue pair and a GID, named by a Mac48Address) and the type.
 *
 * A device sends only from its own address, since the source of a datagram is its queue pair.
 */
class InfinibandNetDevice : public messaging::PlainNetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Attach the device to the next host of a fabric.
     * @param channel the fabric
     */
    void Attach(Ptr<InfinibandChannel> channel);

    /**
     * Receive a packet from the fabric.
     * @param packet the packet with its Ethernet header
     */
    void Arrive(Ptr<ns3::Packet> packet);

    /**
     * A packet has left.
     * @param packet the packet with its Ethernet header
     */
    void EndSend(Ptr<const ns3::Packet> packet)
    {
        m_phyTxEnd(packet);
    }

    Ptr<Channel> GetChannel() const override;
    void SetAddress(ns3::Address address) override;
    bool SetMtu(const uint16_t mtu) override;
    bool SendFrom(Ptr<ns3::Packet> packet,
                  const ns3::Address& source,
                  const ns3::Address& dest,
                  uint16_t protocol) override;

    bool SupportsSendFrom() const override
    {
        return false;
    }

    void Transmit() override;

  protected:
    void DoDispose() override;

  private:
    Ptr<InfinibandChannel> m_channel;          ///< The fabric.
    HostId m_host{InfinibandChannel::NO_HOST}; ///< Index of the host in the subnet.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_NET_DEVICE_H
