/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-mapper.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetMapper");

namespace
{

/** Search for routes to one destination at a time. */
class Search
{
  public:
    /**
     * Construct.
     * @param topology the network
     * @param kind the permitted routes
     */
    Search(const Topology& topology, RouteKind kind)
        : m_topology(topology),
          m_updown(kind == RouteKind::UPDOWN)
    {
        const auto& channels = topology.GetChannels();
        const uint32_t vertices = topology.GetNHosts() + topology.GetNSwitches();
        m_incoming.resize(vertices);
        for (ChannelId channel = 0; channel < channels.size(); ++channel)
        {
            const auto& end = channels[channel];
            m_incoming[end.to].push_back(channel);
            m_up.push_back(end.from < topology.GetNHosts() || IsAbove(end.to, end.from));
        }
        m_distance.resize(2 * static_cast<std::size_t>(vertices));
    }

    /**
     * Compute the distances of all vertices to a destination, before and after the route has turned
     * down.
     * @param to the destination
     */
    void Measure(Peer to)
    {
        std::fill(m_distance.begin(), m_distance.end(), UNREACHED);
        std::vector<std::pair<uint32_t, uint32_t>> queue{{to, 1}, {to, 0}};
        m_distance[Index(to, 0)] = 0;
        m_distance[Index(to, 1)] = 0;
        for (std::size_t n = 0; n < queue.size(); ++n)
        {
            const auto [vertex, phase] = queue[n];
            for (const ChannelId channel : m_incoming[vertex])
            {
                const uint32_t origin = m_topology.GetChannels()[channel].from;
                if (Turned(channel) != phase || IsOtherHost(origin, to))
                {
                    continue;
                }
                for (uint32_t before = 0; before <= phase; ++before)
                {
                    uint32_t& distance = m_distance[Index(origin, before)];
                    if (distance == UNREACHED)
                    {
                        distance = m_distance[Index(vertex, phase)] + 1;
                        queue.emplace_back(origin, before);
                    }
                }
            }
        }
    }

    /**
     * Get the route from a host to the destination of the last Measure.
     * @param from the host
     * @param to the destination
     * @return its channels
     */
    std::vector<ChannelId> GetRoute(Peer from, Peer to) const
    {
        std::vector<ChannelId> route{m_topology.GetOutgoing(from)[0]};
        uint32_t vertex = m_topology.GetChannels()[route[0]].to;
        uint32_t phase = 0;
        uint32_t choice = to;
        std::vector<ChannelId> best;
        while (vertex != to)
        {
            best.clear();
            for (const ChannelId channel : m_topology.GetOutgoing(vertex))
            {
                const uint32_t target = m_topology.GetChannels()[channel].to;
                const uint32_t after = Turned(channel);
                if (after >= phase && !IsOtherHost(target, to) &&
                    m_distance[Index(target, after)] + 1 == m_distance[Index(vertex, phase)])
                {
                    best.push_back(channel);
                }
            }
            // Choices depend on the destination, which spreads routes of equal length.
            const auto choices = static_cast<uint32_t>(best.size());
            const ChannelId taken = best[choice % choices];
            choice /= choices;
            route.push_back(taken);
            phase = Turned(taken);
            vertex = m_topology.GetChannels()[taken].to;
        }
        return route;
    }

  private:
    static constexpr uint32_t UNREACHED =
        std::numeric_limits<uint32_t>::max() - 1; ///< Distance of an unreachable vertex.

    /**
     * @param vertex a vertex
     * @param phase 1 once the route has turned down
     * @return index of its distance
     */
    static std::size_t Index(uint32_t vertex, uint32_t phase)
    {
        return 2 * static_cast<std::size_t>(vertex) + phase;
    }

    /**
     * @param a a switch
     * @param b another switch, or a host
     * @return whether a is above b
     */
    bool IsAbove(uint32_t a, uint32_t b) const
    {
        return a >= m_topology.GetNHosts() &&
               std::pair(m_topology.GetRank(a), a) < std::pair(m_topology.GetRank(b), b);
    }

    /**
     * @param channel a channel
     * @return 1 if a route can only go down after the channel
     */
    uint32_t Turned(ChannelId channel) const
    {
        return m_updown && !m_up[channel] ? 1 : 0;
    }

    /**
     * @param vertex a vertex
     * @param to the destination
     * @return whether the vertex is a host other than the destination
     */
    bool IsOtherHost(uint32_t vertex, Peer to) const
    {
        return vertex < m_topology.GetNHosts() && vertex != to;
    }

    const Topology& m_topology;                     ///< The network.
    bool m_updown;                                  ///< Routes go up and then down.
    std::vector<bool> m_up;                         ///< Direction of each channel: true for up.
    std::vector<std::vector<ChannelId>> m_incoming; ///< Incoming channels by vertex.
    std::vector<uint32_t> m_distance;               ///< Distances by vertex and phase.
};

} // namespace

Routes::Routes(const Topology& topology, RouteKind kind)
    : m_nHosts(topology.GetNHosts())
{
    Search search(topology, kind);
    // The search is by destination, the table by source.
    std::vector<std::vector<ChannelId>> found(static_cast<std::size_t>(m_nHosts) * m_nHosts);
    for (Peer to = 0; to < m_nHosts; ++to)
    {
        search.Measure(to);
        for (Peer from = 0; from < m_nHosts; ++from)
        {
            found[static_cast<std::size_t>(from) * m_nHosts + to] = search.GetRoute(from, to);
        }
    }
    NS_LOG_INFO("The mapper has " << (kind == RouteKind::UPDOWN ? "up and then down" : "shortest")
                                  << " routes of " << m_nHosts << " hosts to each other");
    m_first.reserve(found.size() + 1);
    m_first.push_back(0);
    for (const auto& route : found)
    {
        m_channels.insert(m_channels.end(), route.begin(), route.end());
        m_first.push_back(m_channels.size());
    }
}

} // namespace myrinet
} // namespace ns3
