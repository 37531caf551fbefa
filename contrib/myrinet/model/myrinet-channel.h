/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_CHANNEL_H
#define MYRINET_CHANNEL_H

#include "myrinet-port.h"

#include "ns3/channel.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/packet.h"

#include <map>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * A Myrinet as an ns-3 channel.
 */

namespace ns3
{
namespace myrinet
{

class MyrinetNetDevice;

/**
 * @ingroup myrinet
 * A Myrinet that carries ns-3 packets between devices, one device a host.
 *
 * The port itself moves frames; the packets lie here until their frame arrives or is lost.
 */
class MyrinetChannel : public ns3::Channel, private messaging::PortUser
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
     * Attach the device of the next host.
     * @param device the device
     * @return number of the host
     */
    Peer Attach(Ptr<MyrinetNetDevice> device);

    /**
     * Send a packet.
     * @param from the host that sends
     * @param to the host that is to receive it
     * @param packet the packet with its Ethernet header
     * @return false if the host's send engine is busy; the device's Resume is called later
     */
    bool Send(Peer from, Peer to, Ptr<const ns3::Packet> packet);

    /**
     * Free a receive buffer.
     * @param host whose
     */
    void Release(Peer host);

    /** @return the buffers of each interface's send ring. */
    uint32_t GetSendBuffers() const;

    /**
     * Look for a node.
     * @param address an address
     * @return the node whose device has it, or NO_PEER
     */
    Peer Find(Mac48Address address) const;

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

    /**
     * Take a packet that was carried.
     * @param number its number, which is free again
     * @return the packet
     */
    Ptr<const ns3::Packet> Take(uint32_t number);

    /**
     * Make the frame of a packet.
     * @param packet the packet
     * @return the frame
     */
    static Frame MakeFrame(Ptr<const ns3::Packet> packet);

    Ptr<MyrinetPort> m_port;                       ///< The network.
    Ptr<messaging::TickClock> m_clock;             ///< Its clock.
    std::vector<Ptr<MyrinetNetDevice>> m_devices;  ///< By node.
    std::map<Mac48Address, Peer> m_nodes;          ///< Nodes by address.
    std::vector<Ptr<const ns3::Packet>> m_carried; ///< Packets on their way, by number.
    std::vector<uint32_t> m_free;                  ///< Free numbers.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_CHANNEL_H
