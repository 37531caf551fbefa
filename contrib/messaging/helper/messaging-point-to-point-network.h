/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_POINT_TO_POINT_NETWORK_H
#define MESSAGING_POINT_TO_POINT_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/messaging-network.h"
#include "ns3/nstime.h"

/**
 * @file
 * @ingroup messaging
 * The point-to-point link of ns-3 as a network for any protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Two peers on one point-to-point link of ns-3.
 */
class PointToPointNetwork : public Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PointToPointNetwork();
    ~PointToPointNetwork() override;

    PortInfo Describe() const override;
    std::string Check(uint32_t peers) const override;

  protected:
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    DataRate m_dataRate; ///< Rate of the link.
    Time m_delay;        ///< Propagation delay.
    uint32_t m_queue{0}; ///< Packets that wait in a device.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_POINT_TO_POINT_NETWORK_H
