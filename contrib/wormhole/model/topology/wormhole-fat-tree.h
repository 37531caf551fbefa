/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_FAT_TREE_H
#define WORMHOLE_FAT_TREE_H

#include "ns3/wormhole-channels.h"

#include <bit>

/**
 * @file
 * @ingroup wormhole
 * Fat tree (paper 1, section 4.2).
 */

namespace ns3
{
namespace wormhole
{

/**
 * A fat tree: the nodes are its leaves, and bandwidth doubles with each step up (section 4.2).
 *
 * Routers are numbered level by level, the leaves first. Router r has two links, 2r to its parent
 * and 2r + 1 from its parent; each is a bundle of parallel channels.
 */
class FatTree
{
  public:
    /** Channel representation. */
    using Channels = BundledChannels;

    /** Routes up and down a tree form no ring. */
    static constexpr bool HAS_RINGS = false;

    /** A head in flight. */
    struct Head
    {
        uint32_t node;   ///< Router that it has reached.
        uint32_t packet; ///< Number of the packet.
        uint32_t to;     ///< The destination.
        uint16_t cycles; ///< Length of the packet [cycles].
        uint8_t level;   ///< Level of that router, 0 for a leaf.
        uint8_t up;      ///< Remaining steps up.
    };

    /**
     * Create a fat tree.
     * @param leaves number of nodes
     * @param arity children of each router
     * @param channelsPerLeaf bandwidth of a leaf [channels]
     */
    FatTree(uint32_t leaves, uint32_t arity, uint32_t channelsPerLeaf)
        : m_leaves(leaves),
          m_channelsPerLeaf(channelsPerLeaf)
    {
        uint32_t size = leaves;
        uint64_t bandwidth = 1;
        uint64_t span = 1;
        for (;;)
        {
            const auto top = m_levels.empty() ? 0 : m_levels.back().first + m_levels.back().size;
            m_levels.push_back(Level{top, size, static_cast<uint32_t>(bandwidth), span});
            if (size == 1)
            {
                break;
            }
            size = (size + arity - 1) / arity;
            bandwidth = std::min<uint64_t>(bandwidth * 2, MAX_BANDWIDTH);
            span *= arity;
        }
        m_shift = std::has_single_bit(arity) ? std::countr_zero(arity) : 0;
    }

    /** @return the number of nodes that send and receive. */
    uint32_t GetNNodes() const
    {
        return m_leaves;
    }

    /** @return the number of routers, the leaves included. */
    uint32_t GetNRouters() const
    {
        return m_levels.back().first + 1;
    }

    /** @return the number of links; those of the root lead nowhere. */
    uint32_t GetNLinks() const
    {
        return 2 * GetNRouters();
    }

    /**
     * Get the number of parallel channels of a link.
     * @param link the link
     * @return the number
     */
    uint32_t GetChannels(Link link) const
    {
        return m_levels[GetLevel(RouterBelow(link))].bandwidth * m_channelsPerLeaf;
    }

    /** @return the diameter [hops]. */
    uint32_t GetDiameter() const
    {
        return 2 * static_cast<uint32_t>(m_levels.size() - 1);
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
        uint8_t up = 0;
        for (Peer a = from, b = to; a != b; ++up)
        {
            a = Divide(a, 1);
            b = Divide(b, 1);
        }
        return Head{from, packet, to, static_cast<uint16_t>(cycles), 0, up};
    }

    /**
     * Get the remaining distance of a head.
     * @param head the head
     * @return the distance [hops]
     */
    static uint32_t GetDistance(const Head& head)
    {
        return 2U * head.up + head.level;
    }

    /**
     * Check whether a head has arrived.
     * @param head the head
     * @return whether it is at its destination
     */
    static bool HasArrived(const Head& head)
    {
        return head.node == head.to;
    }

    /**
     * Get the next link of a head; there is only one.
     * @param head a head
     * @return the link, or the one up from a head at its destination
     */
    Link GetPreferred(const Head& head) const
    {
        const bool movesUp = head.up > 0 || head.level == 0;
        return movesUp ? UpLink(head.node) : DownLink(Below(head));
    }

    /**
     * Call a function with each productive link.
     * @param head a head that is not at its destination
     * @param f the function
     * @return the result of the function
     */
    template <class F>
    bool ForProductive(const Head& head, F&& f) const
    {
        return f(GetPreferred(head));
    }

    /**
     * Call a function with each link that a head may take; a tree has no detours.
     * @param head a head that is not at its destination
     * @param f the function
     * @return the result of the function
     */
    template <class F>
    bool ForAll(const Head& head, F&& f) const
    {
        return f(GetPreferred(head));
    }

    /**
     * Move a head over a link.
     * @param head the head
     * @param link a link from the head's router
     */
    void Advance(Head& head, Link link) const
    {
        if (LeadsDown(link))
        {
            head.node = RouterBelow(link);
            --head.level;
        }
        else
        {
            head.node = GetParent(head.node, head.level);
            ++head.level;
            if (head.up > 0)
            {
                --head.up;
            }
        }
    }

    /**
     * Take a free productive channel, and move the head over it.
     * @param head the head, not at its destination
     * @param channels the channels
     * @param now the cycle
     * @return whether the head has moved
     */
    bool TryAdvance(Head& head, Channels& channels, Cycle now, bool) const
    {
        const Link link = GetPreferred(head);
        if (!channels.Take(link, now, head.cycles))
        {
            return false;
        }
        Advance(head, link);
        return true;
    }

    /**
     * Get the router to which a link leads.
     * @param link the link
     * @return the router, or NO_PEER above the root
     */
    uint32_t GetTarget(Link link) const
    {
        const uint32_t router = RouterBelow(link);
        const bool isRoot = router + 1 == GetNRouters();
        if (isRoot)
        {
            return messaging::NO_PEER;
        }
        return LeadsDown(link) ? router : GetParent(router, GetLevel(router));
    }

    /**
     * Get the router from which a link leads.
     * @param link a link that leads to a router
     * @return the router
     */
    uint32_t GetOrigin(Link link) const
    {
        const uint32_t router = RouterBelow(link);
        return LeadsDown(link) ? GetParent(router, GetLevel(router)) : router;
    }

    /**
     * Get the level of a router.
     * @param router the router
     * @return 0 for a leaf
     */
    uint32_t GetLevel(uint32_t router) const
    {
        uint32_t level = 0;
        while (router >= m_levels[level].first + m_levels[level].size)
        {
            ++level;
        }
        return level;
    }

  private:
    /** One level of the tree. */
    struct Level
    {
        uint32_t first;     ///< First router.
        uint32_t size;      ///< Number of routers.
        uint32_t bandwidth; ///< Bandwidth of each link to the level above, in links of a leaf.
        uint64_t span;      ///< Leaves below each router.
    };

    static constexpr uint64_t MAX_BANDWIDTH = 1U << 16; ///< Bandwidth at which doubling stops.

    /** @param router a router @return its link to the parent. */
    static Link UpLink(uint32_t router)
    {
        return 2 * router;
    }

    /** @param router a router @return its link from the parent. */
    static Link DownLink(uint32_t router)
    {
        return 2 * router + 1;
    }

    /** @param link a link @return whether it leads away from the root. */
    static bool LeadsDown(Link link)
    {
        return link & 1;
    }

    /** @param link a link @return the router at its lower end. */
    static uint32_t RouterBelow(Link link)
    {
        return link / 2;
    }

    /**
     * Divide a position by a power of the arity.
     * @param position a position within a level
     * @param levels the power
     * @return the position of the ancestor at that height
     */
    uint32_t Divide(uint32_t position, uint32_t levels) const
    {
        return m_shift ? position >> (m_shift * levels)
                       : static_cast<uint32_t>(position / m_levels[levels].span);
    }

    /**
     * Get the parent of a router.
     * @param router the router
     * @param level its level
     * @return the parent
     */
    uint32_t GetParent(uint32_t router, uint32_t level) const
    {
        return m_levels[level + 1].first + Divide(router - m_levels[level].first, 1);
    }

    /**
     * Get the child towards the destination.
     * @param head a head that moves down
     * @return the router
     */
    uint32_t Below(const Head& head) const
    {
        const uint32_t level = head.level - 1U;
        return m_levels[level].first + Divide(head.to, level);
    }

    uint32_t m_leaves;           ///< Number of nodes.
    uint32_t m_channelsPerLeaf;  ///< Bandwidth of a leaf [channels].
    std::vector<Level> m_levels; ///< The levels, leaves first.
    uint32_t m_shift{0};         ///< log2 of the arity, or 0 if it is not a power of two.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_FAT_TREE_H
