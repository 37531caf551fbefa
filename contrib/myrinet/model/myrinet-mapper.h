/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_MAPPER_H
#define MYRINET_MAPPER_H

#include "myrinet-topology.h"

#include <span>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Source routes between all hosts.
 */

namespace ns3
{
namespace myrinet
{

/**
 * Source routes from a mapper: the channels of the route of each pair of hosts.
 *
 * An up*-down* route goes up, towards switches of smaller rank, and then down; the mapper takes the
 * shortest of these. No channels can then wait for one another in a ring. Routes of equal length
 * are spread over the destinations. The route of a host to itself passes through its switch.
 */
class Routes
{
  public:
    /**
     * Map a network.
     * @param topology the network, in which every host is reachable from every other
     * @param kind the permitted routes
     */
    Routes(const Topology& topology, RouteKind kind);

    /**
     * Get a route.
     * @param from source
     * @param to destination
     * @return the channels of the route; a packet has a route byte for each but the first
     */
    std::span<const ChannelId> Get(Peer from, Peer to) const
    {
        const std::size_t pair = static_cast<std::size_t>(from) * m_nHosts + to;
        return {m_channels.data() + m_first[pair], m_first[pair + 1] - m_first[pair]};
    }

  private:
    uint32_t m_nHosts{0};              ///< Hosts.
    std::vector<std::size_t> m_first;  ///< Begin of each pair's route, and the end of the last.
    std::vector<ChannelId> m_channels; ///< Channels of all routes.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_MAPPER_H
