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
 * The routes that a mapper has given to the hosts: for each pair, the channels on the way.
 *
 * An up*-down* route goes up, towards switches of smaller rank, and then down, and is the shortest
 * of those; so no channels can wait for one another in a ring. Where several are equally short,
 * they are spread over the destinations. A host reaches itself by way of its switch.
 */
class Routes
{
  public:
    /** No routes. */
    Routes() = default;

    /**
     * Map a network.
     * @param topology the network
     * @param kind which routes are allowed
     * @param error set to one sentence if there is no route between two hosts
     */
    Routes(const Topology& topology, RouteKind kind, std::string& error);

    /**
     * Get a route.
     * @param from source
     * @param to destination
     * @return the channels on the way; a packet has a route byte for each but the first
     */
    std::span<const ChannelId> Get(Peer from, Peer to) const
    {
        const std::size_t pair = static_cast<std::size_t>(from) * m_nHosts + to;
        return {m_channels.data() + m_first[pair], m_first[pair + 1] - m_first[pair]};
    }

    /** @return the channels on the longest route. */
    uint32_t GetLongest() const
    {
        return m_longest;
    }

  private:
    uint32_t m_nHosts{0};              ///< Hosts.
    uint32_t m_longest{0};             ///< Channels on the longest route.
    std::vector<std::size_t> m_first;  ///< By pair, where its route begins; one more at the end.
    std::vector<ChannelId> m_channels; ///< The routes.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_MAPPER_H
