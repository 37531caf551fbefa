/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CSMA_NETWORK_H
#define MESSAGING_CSMA_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/messaging-network.h"
#include "ns3/nstime.h"

/**
 * @file
 * @ingroup messaging
 * The csma channel of ns-3 as a network for any protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * All peers on one csma channel of ns-3: Ethernet without collisions.
 */
class CsmaNetwork : public Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CsmaNetwork();
    ~CsmaNetwork() override;

    PortInfo Describe() const override;
    std::string Check(uint32_t peers) const override;
    int64_t AssignStreams(int64_t stream) override;

  protected:
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    DataRate m_dataRate; ///< Rate of the channel.
    Time m_delay;        ///< Propagation delay.
    uint32_t m_queue{0}; ///< Packets that wait in a device.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CSMA_NETWORK_H
