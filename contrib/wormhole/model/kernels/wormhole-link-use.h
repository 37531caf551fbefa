/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LINK_USE_H
#define WORMHOLE_LINK_USE_H

#include "ns3/wormhole-types.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Packets on each link of a buffered network, and in each ring of a torus.
 */

namespace ns3
{
namespace wormhole
{

/** Packets with flits on each link, and the link that each packet waits for. */
class LinkUse
{
  public:
    /**
     * Begin with idle links.
     * @param nLinks number of links
     */
    void Reset(std::size_t nLinks)
    {
        m_holders.assign(nLinks, {});
    }

    /**
     * Record a new packet.
     * @param number the packet
     */
    void Begin(uint32_t number)
    {
        if (number >= m_trails.size())
        {
            m_trails.resize(number + 1);
        }
        m_trails[number] = Trail{++m_serial, NO_LINK};
    }

    /**
     * Record that a packet was dropped.
     * @param number the packet
     */
    void End(uint32_t number)
    {
        m_trails[number] = Trail{};
    }

    /**
     * Record that a packet waits.
     * @param number the packet
     * @param link the link that it waits for
     */
    void Wait(uint32_t number, Link link)
    {
        m_trails[number].awaited = link;
    }

    /**
     * Get the link that a packet waits for.
     * @param number the packet
     * @return a link, or NO_LINK
     */
    Link GetAwaited(uint32_t number) const
    {
        return m_trails[number].awaited;
    }

    /**
     * Record that the head of a packet enters a link.
     * @param link the link
     * @param number the packet
     * @param now the cycle
     * @param until cycle in which its tail has left, or NEVER while unknown
     */
    void Enter(Link link, uint32_t number, Ticks now, Ticks until)
    {
        m_trails[number].awaited = NO_LINK;
        std::erase_if(m_holders[link], [now](const Holder& h) { return h.until <= now; });
        m_holders[link].push_back(Holder{number, m_trails[number].serial, now, until});
    }

    /**
     * Record when the tail of a packet leaves a link.
     * @param link the link
     * @param number the packet
     * @param until the cycle
     */
    void Leave(Link link, uint32_t number, Ticks until)
    {
        Find(link, number).until = until;
    }

    /**
     * Get the cycle in which the head of a packet entered a link that the packet still occupies.
     * @param link the link
     * @param number the packet
     * @return the cycle
     */
    Ticks GetSince(Link link, uint32_t number)
    {
        return Find(link, number).since;
    }

    /**
     * Call a function with the number of each packet with flits on a link.
     * @param link the link
     * @param now the cycle
     * @param f the function
     */
    template <class F>
    void ForEach(Link link, Ticks now, F&& f) const
    {
        for (const Holder& holder : m_holders[link])
        {
            if (holder.until > now && m_trails[holder.packet].serial == holder.serial)
            {
                f(holder.packet);
            }
        }
    }

  private:
    /** A packet in flight. */
    struct Trail
    {
        uint64_t serial{0};    ///< Serial number; 0 if the packet no longer exists.
        Link awaited{NO_LINK}; ///< Link that it waits for, or NO_LINK.
    };

    /** A packet with flits on a link. */
    struct Holder
    {
        uint32_t packet; ///< The packet.
        uint64_t serial; ///< Its serial number.
        Ticks since;     ///< Cycle in which its head entered.
        Ticks until;     ///< Cycle in which its tail has left; NEVER while unknown.
    };

    /**
     * Find a packet on a link.
     * @param link the link
     * @param number the packet, which occupies the link
     * @return its record
     */
    Holder& Find(Link link, uint32_t number)
    {
        return *std::find_if(m_holders[link].begin(), m_holders[link].end(), [&](const Holder& h) {
            return h.packet == number && h.serial == m_trails[number].serial;
        });
    }

    std::vector<Trail> m_trails;                ///< Trails by packet.
    std::vector<std::vector<Holder>> m_holders; ///< Holders by link.
    uint64_t m_serial{0};                       ///< Last serial number.
};

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
     * @param poked extended by the links of the ring that it leaves
     */
    void Move(Link held, Link link, std::vector<Link>& poked)
    {
        const uint32_t from = held == NO_LINK ? NO_LINK : m_topology.GetRing(held);
        const uint32_t to = link == NO_LINK ? NO_LINK : m_topology.GetRing(link);
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
                poked.push_back(m_topology.GetRingLink(from, n));
            }
        }
    }

  private:
    const Topology& m_topology;      ///< The shape.
    std::vector<uint32_t> m_packets; ///< Number of packets by ring.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_LINK_USE_H
