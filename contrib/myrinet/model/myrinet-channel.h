/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_CHANNEL_H
#define MYRINET_CHANNEL_H

#include "myrinet-port.h"

#include "ns3/messaging-network-channel.h"

/**
 * @file
 * @ingroup myrinet
 * Myrinet as an ns-3 channel.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Myrinet that carries ns-3 packets between devices, one for each host.
 */
class MyrinetChannel : public messaging::NetworkChannel<MyrinetPort>
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void SetNetwork(Ptr<messaging::Network> network, Ptr<MyrinetPort> port) override;

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnSend(Peer from, const Frame& frame) override;

    /**
     * Let a device send its next packet, once one has left its host. With a LANai, a packet in the
     * send ring does not delay the next one.
     * @param packet the network's packet
     */
    void OnSent(const myrinet::Packet& packet);

    /**
     * Remove a lost packet; on a bad CRC, notify the receiver's device.
     * @param packet the network's packet
     * @param reason the reason
     * @param channel the channel
     * @param when the time [ps]
     */
    void OnDrop(const myrinet::Packet& packet, DropReason reason, ChannelId channel, Instant when);
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_CHANNEL_H
