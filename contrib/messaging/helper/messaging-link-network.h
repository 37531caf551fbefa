/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LINK_NETWORK_H
#define MESSAGING_LINK_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/messaging-csma-receivers.h"
#include "ns3/messaging-network.h"
#include "ns3/nstime.h"

/**
 * @file
 * @ingroup messaging
 * The csma channel and the point-to-point link of ns-3 as networks for any protocol.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of the networks that consist of one channel of ns-3.
 */
class LinkNetwork : public Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PortInfo GetInfo() const override;
    std::string Check(uint32_t peers) const override;

    /** @return the host of the years of Fast Ethernet. */
    HostKind GetHostKind() const override
    {
        return HostKind::PENTIUM2_1999;
    }

  protected:
    /**
     * Install devices on nodes with a helper of ns-3.
     * @tparam Helper CsmaHelper or PointToPointHelper
     * @param helper the helper, with the rate set
     * @param nodes the nodes
     * @return the devices
     */
    template <class Helper>
    NetDeviceContainer Install(Helper& helper, const NodeContainer& nodes) const;

    DataRate m_dataRate; ///< Rate of the channel.

  private:
    Time m_delay;        ///< Propagation delay.
    uint32_t m_queue{0}; ///< Capacity of a device's transmit queue [packets].
};

/**
 * @ingroup messaging
 * All peers on one csma channel of ns-3: Ethernet without collisions.
 *
 * A frame reaches its receivers only (CsmaReceivers), unless the attribute Promiscuous asks for the
 * channel's own way.
 */
class CsmaNetwork : public LinkNetwork
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~CsmaNetwork() override;

    int64_t AssignStreams(int64_t stream) override;

  protected:
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;
    void DoDispose() override;

  private:
    Ptr<CsmaReceivers> m_receivers; ///< Filter of the channel; nullptr if promiscuous.
    bool m_promiscuous{false};      ///< All stations receive all frames.
};

/**
 * @ingroup messaging
 * Two peers on one point-to-point link of ns-3.
 */
class PointToPointNetwork : public LinkNetwork
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check(uint32_t peers) const override;

  protected:
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LINK_NETWORK_H
