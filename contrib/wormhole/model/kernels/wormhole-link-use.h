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
     * Begin with nothing on any link.
     * @param nLinks number of links
     */
    void Reset(std::size_t nLinks)
    {
        m_holders.assign(nLinks, {});
    }

    /**
     * A packet begins its way.
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
     * A packet ends its way before its destination.
     * @param number the packet
     */
    void End(uint32_t number)
    {
        m_trails[number] = Trail{};
    }

    /**
     * A packet begins to wait.
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
     * The head of a packet sets out over a link.
     * @param link the link
     * @param number the packet
     * @param now the cycle
     * @param until when its tail will have left, or NEVER as long as that is open [cycles]
     */
    void Enter(Link link, uint32_t number, Ticks now, Ticks until)
    {
        m_trails[number].awaited = NO_LINK;
        std::erase_if(m_holders[link], [now](const Holder& h) { return h.until <= now; });
        m_holders[link].push_back(Holder{number, m_trails[number].serial, now, until});
    }

    /**
     * The time at which the tail of a packet leaves a link is known.
     * @param link the link
     * @param number the packet
     * @param until when
     */
    void Leave(Link link, uint32_t number, Ticks until)
    {
        Find(link, number).until = until;
    }

    /**
     * Get when the head of a packet set out over a link on which it still is.
     * @param link the link
     * @param number the packet
     * @return when
     */
    Ticks GetSince(Link link, uint32_t number)
    {
        return Find(link, number).since;
    }

    /**
     * Call a function with the number of each packet that has flits on a link.
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
    /** A packet that is on its way. */
    struct Trail
    {
        uint64_t serial{0};    ///< Serial number; 0 if there is no such packet any more.
        Link awaited{NO_LINK}; ///< Link that it waits for, or none.
    };

    /** A packet that has flits on a link. */
    struct Holder
    {
        uint32_t packet; ///< The packet.
        uint64_t serial; ///< Its serial number.
        Ticks since;     ///< When its head has set out.
        Ticks until;     ///< When its tail has left; NEVER as long as that is open.
    };

    /**
     * Find a packet on a link.
     * @param link the link
     * @param number the packet, which is on it
     * @return its record there
     */
    Holder& Find(Link link, uint32_t number)
    {
        return *std::find_if(m_holders[link].begin(), m_holders[link].end(), [&](const Holder& h) {
            return h.packet == number && h.serial == m_trails[number].serial;
        });
    }

    std::vector<Trail> m_trails;                ///< By packet.
    std::vector<std::vector<Holder>> m_holders; ///< By link.
    uint64_t m_serial{0};                       ///< Serial number given last.
};

/**
 * Counts the packets in each ring of a torus, so that none fills up (bubble flow control). Packets
 * that follow each other round a full ring would wait for each other for ever.
 * @tparam Topology the shape
 */
template <class Topology>
class RingUse
{
  public:
    /**
     * Begin with no packet in any ring.
     * @param topology the shape
     */
    explicit RingUse(const Topology& topology)
        : m_topology(topology),
          m_packets(Topology::HAS_RINGS ? topology.GetNLinks() : 0, 0)
    {
    }

    /**
     * Check whether a packet may enter a link.
     * @param held the link at whose end the packet is, or NO_LINK
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
     * A packet moves from one link to the next.
     * @param held where it was, or NO_LINK
     * @param link where it goes, or NO_LINK if it leaves the last ring
     * @param poked the links of a ring that it leaves are appended here
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
    std::vector<uint32_t> m_packets; ///< By ring.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_LINK_USE_H
