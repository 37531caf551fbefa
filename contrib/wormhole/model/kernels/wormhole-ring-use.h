/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_RING_USE_H
#define WORMHOLE_RING_USE_H

#include "ns3/wormhole-types.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Packets in each ring of a torus.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Counts the packets in each ring of a torus, so that none fills up (bubble flow control). Packets
 * in a full ring would deadlock.
 * @tparam Topology the shape
 */
template <class Topology>
class RingUse
{
  public:
    /**
     * Begin with empty rings.
     * @param topology the shape
     */
    explicit RingUse(const Topology& topology)
        : m_topology(topology),
          m_packets(Topology::HAS_RINGS ? topology.GetNLinks() : 0, 0)
    {
    }

    /**
     * Check whether a packet may enter a link.
     * @param held the link whose end holds the packet, or NO_LINK
     * @param link the link
     * @return whether it stays in its ring, or leaves a channel of its new ring free
     */
    bool MayEnter(Link held, Link link) const
    {
        const uint32_t ring = m_topology.GetRing(link);
        return (held != NO_LINK && m_topology.GetRing(held) == ring) ||
               m_packets[ring] + 2 <= std::max(2U, m_topology.GetRingLength(link));
    }

    /**
     * Record that a packet moves from one link to the next.
     * @param held its previous link, or NO_LINK
     * @param link its next link, or NO_LINK if it leaves the last ring
     * @param retried extended by the links of the ring that it leaves
     */
    void Move(Link held, Link link, std::vector<Link>& retried)
    {
        const uint32_t from = RingOf(held);
        const uint32_t to = RingOf(link);
        if (from == to)
        {
            return;
        }
        if (to != NO_LINK)
        {
            ++m_packets[to];
        }
        if (from != NO_LINK)
        {
            --m_packets[from];
            for (uint32_t n = 0; n < m_topology.GetRingLength(from); ++n)
            {
                retried.push_back(m_topology.GetRingLink(from, n));
            }
        }
    }

  private:
    /**
     * Get the ring of a link.
     * @param link the link, or NO_LINK
     * @return its ring, or NO_LINK
     */
    uint32_t RingOf(Link link) const
    {
        if (link == NO_LINK)
        {
            return NO_LINK;
        }
        return m_topology.GetRing(link);
    }

    const Topology& m_topology;      ///< The shape.
    std::vector<uint32_t> m_packets; ///< Number of packets by ring.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_RING_USE_H
