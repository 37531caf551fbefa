/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_NET_DEVICE_H
#define MYRINET_NET_DEVICE_H

#include "myrinet-channel.h"

#include "ns3/messaging-host.h"
#include "ns3/messaging-unicast-net-device.h"

#include <deque>
#include <functional>

/**
 * @file
 * @ingroup myrinet
 * Myrinet interface as an ns-3 NetDevice.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Myrinet interface as a NetDevice. Packets have an Ethernet header, as with Myricom's driver.
 *
 * With a LANai 4, packets pass through the network interface's processor and host DMA engine
 * between the host and the send and receive rings: a 32-bit processor without cache at the clock of
 * the PCI bus, and an engine that moves packets over the host's bus. They run in parallel with each
 * other and with the send and receive engines of MyrinetNetwork. Without a LANai, this transfer
 * takes no time.
 */
class MyrinetNetDevice : public messaging::UnicastNetDevice
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Give the network interface a LANai.
     * @param host the host on whose bus it is, or nullptr for a bus of its own
     */
    void SetLanai(Ptr<messaging::HostModel> host);

    /**
     * Report a packet for this device that was lost because of a bad CRC.
     * @param packet the packet
     */
    void Reject(Ptr<const ns3::Packet> packet);

    void Arrive(Ptr<ns3::Packet> packet) override;

  protected:
    void DoDispose() override;
    void Transmit() override;
    Ptr<ns3::Packet> TakeNext() override;

  private:
    /** Fetch packets from the host, up to the size of the send ring. */
    void Fetch();

    /**
     * Run the firmware for a packet and move it between the host's memory and the SRAM.
     * @param bytes its size
     * @param done completion callback
     */
    void Move(uint32_t bytes, std::function<void()> done);

    /** @return the network, or null after the disposal of the channel. */
    Ptr<MyrinetNetwork> GetNetwork() const;

    Ptr<messaging::HostModel> m_lanai;      ///< Processor and host DMA engine, or null.
    uint32_t m_packetInstructions{0};       ///< Firmware's cost of a packet [instructions].
    std::deque<Ptr<ns3::Packet>> m_fetched; ///< Packets in the send ring.
    uint32_t m_fetching{0};                 ///< Packets being transferred to the send ring.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NET_DEVICE_H
