/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_CHANNEL_H
#define MYRINET_CHANNEL_H

#include "myrinet-port.h"

#include "ns3/messaging-tick-clock.h"
#include "ns3/messaging-unicast-channel.h"

/**
 * @file
 * @ingroup myrinet
 * A Myrinet as an ns-3 channel.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * A Myrinet that carries ns-3 packets between devices, one device a host.
 */
class MyrinetChannel : public messaging::UnicastChannel
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetChannel();
    ~MyrinetChannel() override;

    /**
     * Set the port; once, before any device is attached.
     * @param port the port
     * @param clock its clock
     */
    void SetPort(Ptr<MyrinetPort> port, Ptr<messaging::TickClock> clock);

    /** @return the port. */
    Ptr<MyrinetPort> GetPort() const;

    /** @return the port's clock. */
    Ptr<messaging::TickClock> GetClock() const;

    /**
     * Free a receive buffer.
     * @param host whose
     */
    void Release(Peer host);

    /** @return the buffers of each interface's send ring. */
    uint32_t GetSendBuffers() const;

    uint32_t GetNPeers() const override;
    bool Send(Peer from, Peer to, Ptr<const ns3::Packet> packet) override;

  protected:
    void DoDispose() override;

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override;

    /**
     * A packet has left its host: the device may send the next.
     * @param packet the network's packet
     */
    void OnSent(const myrinet::Packet& packet);

    /**
     * A packet was lost: forget what it carries, and tell the receiver's device if its CRC was bad.
     * @param packet the network's packet
     * @param reason why
     * @param channel where
     * @param when when [ps]
     */
    void OnDrop(const myrinet::Packet& packet, DropReason reason, ChannelId channel, Instant when);

    Ptr<MyrinetPort> m_port;           ///< The network.
    Ptr<messaging::TickClock> m_clock; ///< Its clock.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_CHANNEL_H
