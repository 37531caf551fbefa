/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_GRAPH_H
#define WORMHOLE_GRAPH_H

#include "ns3/messaging-text-file.h"
#include "ns3/wormhole-channels.h"

#include <istream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Networks of any shape, from a file.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Any graph of routers.
 *
 * If routers drop packets, all channels on a shortest route are productive, in the order of the
 * file. If routers store packets, a packet first moves up, towards the root of a spanning tree, and
 * then down (up*-down* routing), since other routes can deadlock.
 */
class Graph
{
  public:
    /** Channel representation. */
    using Channels = BundledChannels;

    /** Routes up and then down form no ring. */
    static constexpr bool HAS_RINGS = false;

    /** A head in flight. */
    struct Head
    {
        uint32_t node;   ///< Router that it has reached.
        uint32_t packet; ///< Number of the packet.
        uint32_t to;     ///< The destination.
        uint16_t cycles; ///< Length of the packet [cycles].
        uint16_t down;   ///< 1 after its first step down, else 0.
    };

    /** Maximum number of routers; the distances of all pairs are stored. */
    static constexpr uint32_t MAX_ROUTERS = 4096;

    /**
     * Read a graph.
     *
     * Each line is empty, a comment from #, or one of
     *     node NAME                 a router with a processor
     *     router NAME               a router without
     *     link NAME NAME [COUNT]    channels in both directions, COUNT of them in each (default 1)
     *     channel NAME NAME [COUNT] channels in one direction
     * Nodes are numbered in the order of their lines. Every node has to be reachable from every
     * other. ReadGraphFile describes a second format, that of BookSim's anynet.
     *
     * @param in the text
     * @param name name of the text, for errors
     * @param upDown whether to route so that stored packets cannot deadlock
     * @param error set to one sentence with the line number on failure
     * @return the graph, or nullptr
     */
    static std::unique_ptr<Graph> Read(std::istream& in,
                                       const std::string& name,
                                       bool upDown,
                                       std::string& error);

    /** @return the number of nodes that send and receive. */
    uint32_t GetNNodes() const
    {
        return m_nNodes;
    }

    /** @return the number of routers. */
    uint32_t GetNRouters() const
    {
        return static_cast<uint32_t>(m_firstLink.size() - 1);
    }

    /** @return the number of links. */
    uint32_t GetNLinks() const
    {
        return static_cast<uint32_t>(m_links.size());
    }

    /**
     * Get the number of parallel channels of a link.
     * @param link the link
     * @return the number
     */
    uint32_t GetChannels(Link link) const
    {
        return m_links[link].channels;
    }

    /** @return the diameter [hops]. */
    uint32_t GetDiameter() const
    {
        return m_diameter;
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
        return Head{from, packet, to, static_cast<uint16_t>(cycles), 0};
    }

    /**
     * Get the remaining distance of a head.
     * @param head the head
     * @return the distance [hops]
     */
    uint32_t GetDistance(const Head& head) const
    {
        return DistanceFrom(head.node, head.down, head.to);
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
     * Call a function with each productive link in the order of the file, until it returns true.
     * @param head a head
     * @param f the function
     * @return whether the function has returned true
     */
    template <class F>
    bool ForProductive(const Head& head, F&& f) const
    {
        const uint32_t distance = GetDistance(head);
        for (Link link = m_firstLink[head.node]; link < m_firstLink[head.node + 1]; ++link)
        {
            const LinkEnd& end = m_links[link];
            if (!(m_upDown && head.down && end.up) &&
                DistanceFrom(end.target, Phase(end), head.to) < distance && f(link))
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
        for (Link link = m_firstLink[head.node]; link < m_firstLink[head.node + 1]; ++link)
        {
            if (f(link))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Get the first productive link.
     * @param head a head
     * @return the link, or any if it is at its destination
     */
    Link GetPreferred(const Head& head) const
    {
        Link preferred = 0;
        ForProductive(head, [&preferred](Link link) {
            preferred = link;
            return true;
        });
        return preferred;
    }

    /**
     * Move a head over a link.
     * @param head the head
     * @param link a link from the head's router
     */
    void Advance(Head& head, Link link) const
    {
        head.node = m_links[link].target;
        head.down = Phase(m_links[link]);
    }

    /**
     * Take a free productive channel, and move the head over it.
     * @param head the head, not at its destination
     * @param channels the channels
     * @param now the cycle
     * @param strict whether only the first productive link may be taken
     * @return whether the head has moved
     */
    bool TryAdvance(Head& head, Channels& channels, Cycle now, bool strict) const
    {
        Link taken = NO_LINK;
        ForProductive(head, [&](Link link) {
            if (channels.Take(link, now, head.cycles))
            {
                taken = link;
                return true;
            }
            return strict;
        });
        if (taken == NO_LINK)
        {
            return false;
        }
        Advance(head, taken);
        return true;
    }

    /**
     * Get the router to which a link leads.
     * @param link the link
     * @return the router
     */
    uint32_t GetTarget(Link link) const
    {
        return m_links[link].target;
    }

    /**
     * Get the router from which a link leads.
     * @param link the link
     * @return the router
     */
    uint32_t GetOrigin(Link link) const
    {
        return m_links[link].origin;
    }

  private:
    /** A link. */
    struct LinkEnd
    {
        uint32_t origin;   ///< Router at its start.
        uint32_t target;   ///< Router at its end.
        uint32_t channels; ///< Parallel channels.
        bool up;           ///< It leads towards the root.
    };

    static constexpr uint16_t UNREACHED = std::numeric_limits<uint16_t>::max(); ///< No distance.

    Graph() = default;

    /**
     * Add the links of a topology file.
     * @param text the file
     * @return links by their target
     */
    std::vector<std::vector<Link>> AddLinks(const messaging::GraphText& text);

    /**
     * Compute the distances to all nodes.
     * @param incoming links by their target
     * @return two nodes, the first of which cannot reach the second; or twice NO_PEER
     */
    std::pair<Peer, Peer> MeasureAll(const std::vector<std::vector<Link>>& incoming);

    /**
     * Get the distance of a router to a node.
     * @param router the router
     * @param phase 1 if only links down are permitted
     * @param to the node
     * @return the distance [hops]
     */
    uint16_t DistanceFrom(uint32_t router, uint16_t phase, Peer to) const
    {
        return m_distance[(static_cast<std::size_t>(phase) * m_nNodes + to) * GetNRouters() +
                          router];
    }

    /**
     * Get the phase of a packet that has passed a link.
     * @param link the link
     * @return 1 if it may only move down from there
     */
    uint16_t Phase(const LinkEnd& link) const
    {
        return m_upDown && !link.up ? 1 : 0;
    }

    /**
     * Orient the links: up leads to the router closer to router 0; ties go to the lower number.
     */
    void Orient();

    /**
     * Compute the distances to a node.
     * @param to the node
     * @param incoming links by their target
     */
    void Measure(Peer to, const std::vector<std::vector<Link>>& incoming);

    uint32_t m_nNodes{0};             ///< Number of nodes, which are the first routers.
    uint32_t m_diameter{0};           ///< Diameter [hops].
    bool m_upDown{false};             ///< Routes lead up and then down.
    std::vector<Link> m_firstLink;    ///< First link by router, and the end.
    std::vector<LinkEnd> m_links;     ///< Links by number.
    std::vector<uint16_t> m_distance; ///< Distances by phase, node and router.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_GRAPH_H
