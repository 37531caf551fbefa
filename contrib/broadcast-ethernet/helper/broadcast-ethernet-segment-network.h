/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SEGMENT_NETWORK_H
#define BROADCAST_ETHERNET_SEGMENT_NETWORK_H

#include "ns3/broadcast-ethernet-segment.h"
#include "ns3/messaging-network.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * The shared segment as a network of the `reliability` scenario.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * A network card on each node and a shared segment with CSMA/CD, whose attributes it has.
 */
class SegmentNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    SegmentNetwork();

    messaging::PortInfo Describe() const override;
    std::string Check(uint32_t peers) const override;

    /**
     * Get the tables of a run.
     * @return Stations: frames, collisions and losses by reason of each card; Attempts: frames by
     * the attempts that they needed; Use: share of the data rate in frames, and with preambles and
     * gaps
     */
    std::vector<NamedTable> GetTables() const override;

    int64_t AssignStreams(int64_t stream) override;

  protected:
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    Ptr<EthernetSegment> m_parameters; ///< Holds the segment's attributes.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SEGMENT_NETWORK_H
