/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-graph.h"

#include "ns3/wormhole-graph-file.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{

std::unique_ptr<Graph>
Graph::Read(std::istream& in, const std::string& name, bool upDown, std::string& error)
{
    const messaging::GraphText text = ReadGraphFile(in, name, MAX_ROUTERS, error);
    if (!error.empty())
    {
        return nullptr;
    }

    std::unique_ptr<Graph> graph(new Graph);
    const auto isNode = [](const auto& vertex) { return vertex.kind == NODE; };
    graph->m_nNodes = static_cast<uint32_t>(std::ranges::count_if(text.vertices, isNode));
    if (graph->m_nNodes == 0)
    {
        error = name + " has no line \"node NAME\"; a network needs at least one.";
        return nullptr;
    }

    graph->m_upDown = upDown;
    const auto incoming = graph->AddLinks(text);
    graph->Orient();
    const auto [from, to] = graph->MeasureAll(incoming);
    if (to != messaging::NO_PEER)
    {
        error = name + ": node " + text.vertices[to].name + " cannot be reached from node " +
                text.vertices[from].name + "; every node has to be reachable from every other.";
        return nullptr;
    }
    return graph;
}

std::vector<std::vector<Link>>
Graph::AddLinks(const messaging::GraphText& text)
{
    std::vector<std::vector<LinkEnd>> outgoing(text.vertices.size());
    for (const auto& link : text.links)
    {
        const auto channels = static_cast<uint32_t>(link.number);
        outgoing[link.from].push_back(LinkEnd{link.from, link.to, channels, false});
        if (link.kind == LINK)
        {
            outgoing[link.to].push_back(LinkEnd{link.to, link.from, channels, false});
        }
    }
    std::vector<std::vector<Link>> incoming(text.vertices.size());
    for (const auto& links : outgoing)
    {
        m_firstLink.push_back(GetNLinks());
        for (const LinkEnd& link : links)
        {
            incoming[link.target].push_back(GetNLinks());
            m_links.push_back(link);
        }
    }
    m_firstLink.push_back(GetNLinks());
    return incoming;
}

std::pair<Peer, Peer>
Graph::MeasureAll(const std::vector<std::vector<Link>>& incoming)
{
    m_distance.assign(static_cast<std::size_t>(2) * m_nNodes * GetNRouters(), UNREACHED);
    for (Peer to = 0; to < m_nNodes; ++to)
    {
        Measure(to, incoming);
        for (Peer from = 0; from < m_nNodes; ++from)
        {
            const uint16_t distance = DistanceFrom(from, 0, to);
            if (distance == UNREACHED)
            {
                return {from, to};
            }
            m_diameter = std::max<uint32_t>(m_diameter, distance);
        }
    }
    return {messaging::NO_PEER, messaging::NO_PEER};
}

void
Graph::Orient()
{
    std::vector<uint32_t> depth(GetNRouters(), messaging::NO_PEER);
    std::vector<uint32_t> queue{0};
    depth[0] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        for (Link link = m_firstLink[queue[at]]; link < m_firstLink[queue[at] + 1]; ++link)
        {
            const uint32_t target = m_links[link].target;
            if (depth[target] == messaging::NO_PEER)
            {
                depth[target] = depth[queue[at]] + 1;
                queue.push_back(target);
            }
        }
    }
    for (LinkEnd& link : m_links)
    {
        const auto from = std::make_pair(depth[link.origin], link.origin);
        const auto to = std::make_pair(depth[link.target], link.target);
        link.up = to < from;
    }
}

void
Graph::Measure(Peer to, const std::vector<std::vector<Link>>& incoming)
{
    const uint32_t nRouters = GetNRouters();
    const auto at = [this, to, nRouters](uint32_t router, uint16_t phase) -> uint16_t& {
        return m_distance[(static_cast<std::size_t>(phase) * m_nNodes + to) * nRouters + router];
    };
    std::vector<std::pair<uint32_t, uint16_t>> queue;
    for (uint16_t phase = 0; phase < 2; ++phase)
    {
        at(to, phase) = 0;
        queue.emplace_back(to, phase);
    }
    // Search backwards from the destination. A packet that is in some phase after a link was in
    // phase 0 before it, or also in phase 1 if the link leads down.
    for (std::size_t n = 0; n < queue.size(); ++n)
    {
        const auto [router, phase] = queue[n];
        for (const Link link : incoming[router])
        {
            const LinkEnd& end = m_links[link];
            if (Phase(end) != phase)
            {
                continue;
            }
            for (uint16_t before = 0; before <= phase; ++before)
            {
                uint16_t& distance = at(end.origin, before);
                if (distance == UNREACHED)
                {
                    distance = at(router, phase) + 1;
                    queue.emplace_back(end.origin, before);
                }
            }
        }
    }
}

} // namespace wormhole
} // namespace ns3
