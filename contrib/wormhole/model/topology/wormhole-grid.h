/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_GRID_H
#define WORMHOLE_GRID_H

#include "ns3/wormhole-channels.h"
#include "ns3/wormhole-divisor.h"

#include <array>
#include <cstdlib>

/**
 * @file
 * @ingroup wormhole
 * Mesh and torus of two or three dimensions (paper 1, section 4.2).
 */

namespace ns3
{
namespace wormhole
{

/**
 * A grid: nodes in row-major order, the first dimension fastest, and two links from each node per
 * dimension.
 * @tparam D number of dimensions
 * @tparam TORUS whether the ends of each dimension are connected
 */
template <unsigned D, bool TORUS>
class Grid
{
  public:
    /** Channel representation. */
    using Channels = SingleChannels;

    /** Whether packets round a ring can deadlock. */
    static constexpr bool HAS_RINGS = TORUS;

    /** Links from each node. */
    static constexpr unsigned DEGREE = 2 * D;

    /** A head in flight. */
    struct Head
    {
        uint32_t node;                 ///< Router that it has reached.
        uint32_t packet;               ///< Number of the packet.
        std::array<int16_t, 3> offset; ///< Remaining distance in each dimension [hops].
        uint16_t cycles;               ///< Length of the packet [cycles].
    };

    /**
     * Create a grid.
     * @param sides number of nodes along each dimension
     */
    explicit Grid(const std::array<uint32_t, D>& sides)
        : m_sides(sides)
    {
        for (unsigned d = 0; d < D; ++d)
        {
            m_stride[d] = m_nNodes;
            m_nNodes *= m_sides[d];
            m_divisors[d] = Divisor(m_sides[d]);
        }
    }

    /** @return the number of nodes that send and receive. */
    uint32_t GetNNodes() const
    {
        return m_nNodes;
    }

    /** @return the number of routers. */
    uint32_t GetNRouters() const
    {
        return m_nNodes;
    }

    /** @return the number of links, including the missing ones at the rim of a mesh. */
    uint32_t GetNLinks() const
    {
        return m_nNodes * DEGREE;
    }

    /** @return one channel, for every link. */
    static uint32_t GetChannels(Link)
    {
        return 1;
    }

    /** @return the diameter [hops]. */
    uint32_t GetDiameter() const
    {
        uint32_t diameter = 0;
        for (const uint32_t side : m_sides)
        {
            diameter += TORUS ? side / 2 : side - 1;
        }
        return diameter;
    }

    /**
     * Create the head of a new packet.
     * @param from its source
     * @param to its destination
     * @param packet its number
     * @param cycles its length [cycles]
     * @return its head
     */
    Head MakeHead(Peer from, Peer to, uint32_t packet, uint32_t cycles) const
    {
        Head head{from, packet, {}, static_cast<uint16_t>(cycles)};
        [[maybe_unused]] const bool odd = TORUS && IsOdd(from) != IsOdd(to);
        for (unsigned d = 0; d < D; ++d)
        {
            const auto side = static_cast<int32_t>(m_sides[d]);
            // The quotient for the last dimension is less than its side.
            const uint32_t fromRest = d + 1 < D ? m_divisors[d].Divide(from) : 0;
            const uint32_t toRest = d + 1 < D ? m_divisors[d].Divide(to) : 0;
            const auto fromAt = static_cast<int32_t>(from - fromRest * m_sides[d]);
            const auto toAt = static_cast<int32_t>(to - toRest * m_sides[d]);
            auto offset = toAt - fromAt;
            [[maybe_unused]] const bool turn = odd != (toAt % 2 == 1);
            from = fromRest;
            to = toRest;
            if constexpr (TORUS)
            {
                if (2 * std::abs(offset) > side)
                {
                    offset += offset < 0 ? side : -side;
                }
                else if (2 * std::abs(offset) == side)
                {
                    // Both directions are equally long; alternate pairs of nodes take different
                    // ones.
                    offset = turn ? -side / 2 : side / 2;
                }
            }
            head.offset[d] = static_cast<int16_t>(offset);
        }
        return head;
    }

    /**
     * Get the remaining distance of a head.
     * @param head the head
     * @return the distance [hops]
     */
    static uint32_t GetDistance(const Head& head)
    {
        uint32_t distance = 0;
        for (unsigned d = 0; d < D; ++d)
        {
            distance += static_cast<uint32_t>(std::abs(head.offset[d]));
        }
        return distance;
    }

    /**
     * Check whether a head has arrived.
     * @param head the head
     * @return whether it is at its destination
     */
    static bool HasArrived(const Head& head)
    {
        int16_t any = 0;
        for (unsigned d = 0; d < D; ++d)
        {
            any |= head.offset[d];
        }
        return any == 0;
    }

    /**
     * Call a function with each productive link in dimension order, until it returns true.
     * @param head a head
     * @param f the function
     * @return whether the function has returned true
     */
    template <class F>
    bool ForProductive(const Head& head, F&& f) const
    {
        for (unsigned d = 0; d < D; ++d)
        {
            if (head.offset[d] != 0 && f(LinkOf(head, d)))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Call a function with each link that leads from a head's router, until it returns true.
     * @param head a head
     * @param f the function
     * @return whether the function has returned true
     */
    template <class F>
    bool ForAll(const Head& head, F&& f) const
    {
        for (Link link = head.node * DEGREE; link < (head.node + 1) * DEGREE; ++link)
        {
            if (GetTarget(link) != messaging::NO_PEER && f(link))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Get the link that dimension order prefers.
     * @param head a head that is not at its destination
     * @return the link
     */
    Link GetPreferred(const Head& head) const
    {
        unsigned d = 0;
        while (d + 1 < D && head.offset[d] == 0)
        {
            ++d;
        }
        return LinkOf(head, d);
    }

    /**
     * Move a head over a link.
     * @param head the head
     * @param link a link from the head's router
     */
    void Advance(Head& head, Link link) const
    {
        const unsigned direction = link - head.node * DEGREE;
        const int16_t sign = (direction & 1) ? -1 : 1;
        Move(head, direction >> 1, sign);
    }

    /**
     * Take the first free productive channel, and move the head over it.
     * @param head the head, not at its destination
     * @param channels the channels
     * @param now the cycle
     * @param strict whether only the link that dimension order prefers may be taken
     * @return whether the head has moved
     */
    bool TryAdvance(Head& head, Channels& channels, Cycle now, bool strict) const
    {
        for (unsigned d = 0; d < D; ++d)
        {
            const int16_t offset = head.offset[d];
            if (offset == 0)
            {
                continue;
            }
            if (channels.Take(LinkOf(head, d), now, head.cycles))
            {
                Move(head, d, offset < 0 ? -1 : 1);
                return true;
            }
            if (strict)
            {
                return false;
            }
        }
        return false;
    }

    /**
     * Get the router to which a link leads.
     * @param link the link
     * @return the router, or NO_PEER where a mesh ends
     */
    uint32_t GetTarget(Link link) const
    {
        const uint32_t node = link / DEGREE;
        const unsigned d = (link % DEGREE) / 2;
        const uint32_t at = node / m_stride[d] % m_sides[d];
        const bool down = link % 2;
        const bool last = at == (down ? 0 : m_sides[d] - 1);
        if (last && (!TORUS || m_sides[d] == 1))
        {
            return messaging::NO_PEER;
        }
        const uint32_t wrap = m_stride[d] * (m_sides[d] - 1);
        if (last)
        {
            return down ? node + wrap : node - wrap;
        }
        return down ? node - m_stride[d] : node + m_stride[d];
    }

    /**
     * Get the router from which a link leads.
     * @param link the link
     * @return the router
     */
    uint32_t GetOrigin(Link link) const
    {
        return link / DEGREE;
    }

    /**
     * Get the ring to which a link belongs.
     * @param link the link
     * @return number of the ring, equal to the lowest number of its links
     */
    uint32_t GetRing(Link link) const
    {
        const uint32_t node = link / DEGREE;
        const unsigned d = (link % DEGREE) / 2;
        return link - DEGREE * m_stride[d] * (node / m_stride[d] % m_sides[d]);
    }

    /**
     * Get the number of links of a ring.
     * @param link a link of the ring
     * @return the number
     */
    uint32_t GetRingLength(Link link) const
    {
        return m_sides[(link % DEGREE) / 2];
    }

    /**
     * Get a link of a ring.
     * @param ring the ring
     * @param n index of the link in the ring
     * @return the link
     */
    Link GetRingLink(uint32_t ring, uint32_t n) const
    {
        return ring + DEGREE * m_stride[(ring % DEGREE) / 2] * n;
    }

  private:
    /**
     * Get the productive link of a dimension.
     * @param head a head with a remaining distance in the dimension
     * @param d the dimension
     * @return the link
     */
    Link LinkOf(const Head& head, unsigned d) const
    {
        return head.node * DEGREE + 2 * d + (head.offset[d] < 0 ? 1 : 0);
    }

    /**
     * Colour the nodes like a chessboard.
     * @param node a node
     * @return whether the sum of its coordinates is odd
     */
    bool IsOdd(Peer node) const
    {
        uint32_t sum = 0;
        for (const uint32_t side : m_sides)
        {
            sum += node % side;
            node /= side;
        }
        return sum % 2;
    }

    /**
     * Move a head by one hop.
     * @param head the head
     * @param d the dimension
     * @param sign the direction
     */
    void Move(Head& head, unsigned d, int16_t sign) const
    {
        if constexpr (TORUS)
        {
            head.node = GetTarget(head.node * DEGREE + 2 * d + (sign < 0 ? 1 : 0));
        }
        else
        {
            head.node += static_cast<uint32_t>(sign * static_cast<int32_t>(m_stride[d]));
        }
        head.offset[d] -= sign;
    }

    std::array<uint32_t, D> m_sides;    ///< Nodes along each dimension.
    std::array<uint32_t, D> m_stride{}; ///< Difference of the numbers of neighbours by dimension.
    std::array<Divisor, D> m_divisors;  ///< Divisors for the sides.
    uint32_t m_nNodes{1};               ///< Number of nodes.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_GRID_H
