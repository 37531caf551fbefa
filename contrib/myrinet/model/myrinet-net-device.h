/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_NET_DEVICE_H
#define MYRINET_NET_DEVICE_H

#include "myrinet-channel.h"
#include "myrinet-lanai.h"

#include "ns3/messaging-unicast-net-device.h"

#include <deque>

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
 * With a LANai, packets pass through the network interface's processor and DMA engine between the
 * host and the send and receive rings. Without a LANai, this transfer takes no time.
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
     * Set the processor and host DMA engine of the network interface.
     * @param lanai the LANai, or nullptr for transfers that take no time
     */
    void SetLanai(Ptr<MyrinetLanai> lanai)
    {
        m_lanai = lanai;
    }

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

    /** @return the network, or null after the disposal of the channel. */
    Ptr<MyrinetNetwork> GetNetwork() const;

    Ptr<MyrinetLanai> m_lanai;              ///< Processor and host DMA engine, or null.
    std::deque<Ptr<ns3::Packet>> m_fetched; ///< Packets in the send ring.
    uint32_t m_fetching{0};                 ///< Packets being transferred to the send ring.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NET_DEVICE_H
