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
 * A Myrinet interface as an ns-3 NetDevice.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * A Myrinet interface as a NetDevice. Packets carry an Ethernet header, as under Myricom's driver.
 *
 * With a LANai, packets pass the network interface's processor and DMA engine on their way between
 * the host and the send and receive rings; without, that costs nothing.
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
     * Have packets go through a network interface; without one they take no time.
     * @param lanai its processor and host DMA engine
     */
    void SetLanai(Ptr<MyrinetLanai> lanai)
    {
        m_lanai = lanai;
    }

    /**
     * A packet for this device was lost because its CRC was bad.
     * @param packet the packet
     */
    void Reject(Ptr<const ns3::Packet> packet);

    void Arrive(Ptr<ns3::Packet> packet) override;

  protected:
    void DoDispose() override;
    void Transmit() override;
    Ptr<ns3::Packet> TakeNext() override;

  private:
    /** Make the network interface fetch packets, up to the size of its send ring. */
    void Fetch();

    /** @return the network, null if the channel has been disposed of. */
    Ptr<MyrinetNetwork> GetNetwork() const;

    Ptr<MyrinetLanai> m_lanai;              ///< Processor and host DMA engine, or null.
    std::deque<Ptr<ns3::Packet>> m_fetched; ///< Packets in the send ring, to be sent.
    uint32_t m_fetching{0};                 ///< Packets on their way into the send ring.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NET_DEVICE_H
