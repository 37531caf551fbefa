/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-subnet-manager.h"

#include "ns3/infiniband-packet.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandSubnetManager");

SubnetManager::SubnetManager(const Topology& topology,
                             const SubnetConfig& config,
                             std::string& error)
    : m_topology(&topology),
      m_config(config)
{
    const auto& ports = topology.GetPorts();
    m_up.resize(ports.size());
    for (PortId port = 0; port < ports.size(); ++port)
    {
        m_up[port] = ports[port].peer != NO_PORT;
    }
    for (uint32_t vertex = topology.GetNHosts(); vertex < topology.GetVertices().size(); ++vertex)
    {
        if (topology.GetVertices()[vertex].kind == Topology::Kind::SWITCH)
        {
            m_switches.push_back(vertex);
        }
    }
    error = AssignLids();
}

bool
SubnetManager::AssignLid(uint32_t vertex, Lid lid)
{
    const auto nVertices = static_cast<uint32_t>(m_lids.size());
    const bool isSwitch = m_topology->GetVertices()[vertex].kind == Topology::Kind::SWITCH;
    const Lid count = isSwitch ? 1 : Lid{GetNPaths()};
    if (lid == 0 || lid % count != 0 || lid > MULTICAST_LID - count)
    {
        return false;
    }
    const auto first = m_owners.begin() + lid;
    if (std::any_of(first, first + count, [&](uint32_t owner) { return owner != nVertices; }))
    {
        return false;
    }
    std::fill_n(first, count, vertex);
    m_lids[vertex] = lid;
    m_span = std::max(m_span, lid + count);
    return true;
}

std::string
SubnetManager::AssignLids()
{
    const auto& vertices = m_topology->GetVertices();
    const auto nVertices = static_cast<uint32_t>(vertices.size());
    m_span = 1;
    m_lids.assign(nVertices, 0);
    m_owners.assign(MULTICAST_LID, nVertices);
    for (uint32_t vertex = 0; vertex < nVertices; ++vertex)
    {
        const Topology::Vertex& at = vertices[vertex];
        const bool fits = at.kind == Topology::Kind::SWITCH || at.lmc == m_config.lmc;
        if (at.lid != 0 && !(fits && AssignLid(vertex, at.lid)))
        {
            NS_LOG_WARN(at.name << " cannot keep LID " << at.lid
                                << " of the file, which is taken or does not fit Lmc "
                                << int{m_config.lmc});
        }
    }
    Lid next = 1;
    for (uint32_t vertex = 0; vertex < nVertices; ++vertex)
    {
        while (m_lids[vertex] == 0 && !AssignLid(vertex, next))
        {
            ++next;
            if (next >= MULTICAST_LID)
            {
                return "A subnet has " + std::to_string(MULTICAST_LID - 1) +
                       " unicast LIDs; with Lmc " + std::to_string(m_config.lmc) + ", " +
                       std::to_string(m_topology->GetNHosts()) + " hosts and " +
                       std::to_string(nVertices - m_topology->GetNHosts()) + " switches need more.";
            }
        }
    }
    m_owners.resize(m_span);
    return "";
}

void
SubnetManager::SetLinkUp(PortId port, bool up)
{
    const PortId peer = m_topology->GetPorts()[port].peer;
    if (peer != NO_PORT)
    {
        NS_LOG_INFO("The link of " << m_topology->GetPortName(port) << " and "
                                   << m_topology->GetPortName(peer) << (up ? " is up" : " is down")
                                   << "; tables follow at the next sweep");
        m_up[port] = up;
        m_up[peer] = up;
    }
}

void
SubnetManager::Survey()
{
    const auto& vertices = m_topology->GetVertices();
    m_links.assign(vertices.size(), {});
    m_ends.clear();
    m_leaves.clear();
    uint32_t widest = 0;
    for (const uint32_t vertex : m_switches)
    {
        uint32_t here = 0;
        for (uint32_t number = 1; number <= vertices[vertex].nPorts; ++number)
        {
            if (!m_up[GetPort(vertex, number)])
            {
                continue;
            }
            const uint32_t peer = GetPeer(vertex, number);
            if (vertices[peer].kind == Topology::Kind::SWITCH)
            {
                m_links[vertex].push_back({number, peer});
                continue;
            }
            if (here == 0)
            {
                m_leaves.push_back(vertex);
            }
            m_ends.push_back(End{peer, vertex, number, here++});
        }
        widest = std::max(widest, here);
    }
    uint32_t leaf = 0;
    for (std::size_t n = 0; n < m_ends.size(); ++n)
    {
        leaf += n > 0 && m_ends[n].leaf != m_ends[n - 1].leaf;
        m_ends[n].position += leaf * widest;
    }
}

std::string
SubnetManager::Sweep()
{
    Survey();
    NS_LOG_INFO("Sweep: " << m_switches.size() << " switches, " << m_ends.size()
                          << " hosts and routers with a link, " << m_span - 1 << " LIDs");
    switch (m_config.routing)
    {
    case Routing::MIN_HOP:
        m_rank.clear();
        break;
    case Routing::UP_DOWN:
        RankFromRoots(false);
        break;
    case Routing::FAT_TREE:
        if (std::string problem = RankFromLeaves(); !problem.empty())
        {
            return problem;
        }
        break;
    }
    FillTables();
    if (m_config.routing == Routing::UP_DOWN && !CheckRoutes().empty())
    {
        // With several roots some pairs may lack a route of the form up, then down; with a single
        // root none does.
        NS_LOG_INFO("Some pairs have no route up and down over several roots: one root is used");
        RankFromRoots(true);
        FillTables();
    }
    GrowMulticastTree();
    return "";
}

std::vector<PortId>
SubnetManager::GetRoute(HostId from, Lid lid) const
{
    const auto& ports = m_topology->GetPorts();
    const auto& vertices = m_topology->GetVertices();
    std::vector<PortId> route;
    PortId port = vertices[from].firstPort;
    while (m_up[port] && route.size() <= vertices.size())
    {
        route.push_back(port);
        const uint32_t vertex = ports[ports[port].peer].vertex;
        if (vertex == GetVertex(lid))
        {
            return route;
        }
        if (vertices[vertex].kind != Topology::Kind::SWITCH || lid >= m_span ||
            GetOut(vertex, lid) == NO_WAY)
        {
            break;
        }
        port = GetPort(vertex, GetOut(vertex, lid));
    }
    return {};
}

std::string
SubnetManager::CheckRoutes() const
{
    // Hosts at one switch have the same routes, so checking one per switch and LID suffices. Hosts
    // without a link are at none.
    constexpr uint32_t NOWHERE = 0;
    const auto& vertices = m_topology->GetVertices();
    const HostId nHosts = m_topology->GetNHosts();
    const auto getLeaf = [this, &vertices](HostId host) {
        return m_up[vertices[host].firstPort] ? GetPeer(host, 1) : NOWHERE;
    };
    std::map<uint32_t, std::vector<HostId>> hostsAt;
    for (HostId host = 0; host < nHosts; ++host)
    {
        hostsAt[getLeaf(host)].push_back(host);
    }
    uint64_t missing = 0;
    HostId from = 0;
    HostId to = 0;
    for (HostId host = 0; host < nHosts; ++host)
    {
        for (const auto& [leaf, sources] : hostsAt)
        {
            const std::size_t others = sources.size() - (getLeaf(host) == leaf ? 1 : 0);
            if (others == 0)
            {
                continue;
            }
            const HostId source = sources[0] == host ? sources[1] : sources[0];
            for (uint8_t path = 0; path < GetNPaths(); ++path)
            {
                if (GetRoute(source, GetLid(host, path)).empty())
                {
                    from = missing == 0 ? source : from;
                    to = missing == 0 ? host : to;
                    missing += others;
                    break;
                }
            }
        }
    }
    if (missing == 0)
    {
        return "";
    }
    return std::to_string(missing) + " of " + std::to_string(uint64_t{nHosts} * (nHosts - 1)) +
           " pairs of hosts have no route, " + vertices[from].name + " to " + vertices[to].name +
           " for one.";
}

template <class Leads>
std::vector<uint32_t>
SubnetManager::Spread(std::vector<uint32_t>& queue, Leads leads) const
{
    std::vector<uint32_t> distance(m_links.size(), FAR);
    for (const uint32_t vertex : queue)
    {
        distance[vertex] = 0;
    }
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        const uint32_t vertex = queue[at];
        for (const Link& link : m_links[vertex])
        {
            if (distance[link.peer] == FAR && leads(vertex, link))
            {
                distance[link.peer] = distance[vertex] + 1;
                queue.push_back(link.peer);
            }
        }
    }
    return distance;
}

void
SubnetManager::RankFromRoots(bool single)
{
    // A root is a switch with the least distance to its farthest leaf. With a single root, ties go
    // to the lowest number.
    const auto always = [](uint32_t, const Link&) { return true; };
    std::vector<uint32_t> roots;
    uint32_t best = UINT32_MAX;
    for (const uint32_t vertex : m_switches)
    {
        std::vector<uint32_t> queue{vertex};
        const auto distance = Spread(queue, always);
        uint32_t cost = 0;
        for (const uint32_t leaf : m_leaves)
        {
            // Unreachable leaves outweigh any distance.
            cost = std::max(cost, distance[leaf]);
        }
        if (cost < best)
        {
            best = cost;
            roots.clear();
        }
        if (cost == best && (!single || roots.empty()))
        {
            roots.push_back(vertex);
        }
    }
    m_rank = Spread(roots, always);
}

std::string
SubnetManager::RankFromLeaves()
{
    std::vector<uint32_t> queue = m_leaves;
    const auto level = Spread(queue, [](uint32_t, const Link&) { return true; });
    for (const uint32_t vertex : queue)
    {
        for (const auto& [number, peer] : m_links[vertex])
        {
            if (level[peer] == level[vertex])
            {
                return "Routing fat-tree needs a fat tree: the cable at " +
                       m_topology->GetPortName(GetPort(vertex, number)) +
                       " connects two switches of the same level; use up-down or min-hop.";
            }
        }
    }
    const uint32_t top = queue.empty() ? 0 : level[queue.back()];
    m_rank.assign(m_links.size(), FAR);
    m_divisor.assign(top + 2, 1);
    std::vector<uint32_t> widest(top + 1, 1);
    for (const uint32_t vertex : queue)
    {
        m_rank[vertex] = top - level[vertex];
        const auto up = std::ranges::count_if(m_links[vertex], [&](const Link& link) {
            return level[link.peer] == level[vertex] + 1;
        });
        widest[level[vertex]] = std::max(widest[level[vertex]], static_cast<uint32_t>(up));
    }
    for (uint32_t n = 0; n <= top; ++n)
    {
        // Indexed by rank, which counts from the top.
        m_divisor[top - n] = n == 0 ? 1 : m_divisor[top - n + 1] * widest[n - 1];
    }
    return "";
}

void
SubnetManager::Measure(uint32_t leaf, Ways& ways) const
{
    std::vector<uint32_t> queue{leaf};
    ways.down = Spread(queue, [this](uint32_t vertex, const Link& link) {
        return m_rank.empty() || IsAbove(vertex, link.peer);
    });
    ways.total = ways.down;
    // From the top down: a switch without a route down takes the shortest one up.
    for (const uint32_t vertex : m_order)
    {
        if (ways.down[vertex] != FAR)
        {
            continue;
        }
        for (const Link& link : m_waysUp[vertex])
        {
            ways.total[vertex] = std::min(ways.total[vertex], ways.total[link.peer] + 1);
        }
    }
}

SubnetManager::Links
SubnetManager::GetCandidates(uint32_t vertex, const Ways& ways) const
{
    const bool down = ways.down[vertex] != FAR;
    const auto& distance = down ? ways.down : ways.total;
    Links candidates;
    for (const Link& link : down ? m_links[vertex] : m_waysUp[vertex])
    {
        if (distance[link.peer] + 1 == distance[vertex] &&
            (!down || m_rank.empty() || IsAbove(link.peer, vertex)))
        {
            candidates.push_back(link);
        }
    }
    return candidates;
}

uint32_t
SubnetManager::ChooseLeast(uint32_t vertex, const Links& candidates, Links& taken)
{
    // Other paths to the same end prefer other switches, then other ports.
    const auto getRank = [&](const Link& link) {
        return std::tuple(std::ranges::count(taken, link.peer, &Link::peer) > 0,
                          std::ranges::count(taken, link.number, &Link::number) > 0,
                          m_loads[GetPort(vertex, link.number)],
                          link.number);
    };
    taken.push_back(*std::ranges::min_element(candidates, {}, getRank));
    return taken.back().number;
}

void
SubnetManager::OrderWaysUp()
{
    for (const uint32_t vertex : m_order)
    {
        // Links before this one to the same peer, and the link: first one link to each peer.
        std::vector<std::tuple<std::ptrdiff_t, uint32_t, uint32_t>> order;
        for (const auto& [number, peer] : m_links[vertex])
        {
            if (IsAbove(vertex, peer))
            {
                order.emplace_back(std::ranges::count(m_waysUp[vertex], peer, &Link::peer),
                                   peer,
                                   number);
                m_waysUp[vertex].push_back({number, peer});
            }
        }
        std::ranges::sort(order);
        for (std::size_t n = 0; n < order.size(); ++n)
        {
            m_waysUp[vertex][n] = {std::get<2>(order[n]), std::get<1>(order[n])};
        }
    }
}

uint32_t
SubnetManager::GetWayUp(uint32_t vertex, const Links& ways, const End& end, uint32_t path) const
{
    if (ways.empty())
    {
        return 0;
    }
    const uint32_t divisor = m_divisor[m_rank[vertex]];
    return ways[(end.position / divisor + (path + divisor - 1) / divisor) % ways.size()].number;
}

uint32_t
SubnetManager::ChooseByPlace(uint32_t vertex,
                             const Links& candidates,
                             const Ways& ways,
                             const End& end,
                             uint32_t path) const
{
    if (ways.down[vertex] == FAR)
    {
        return GetWayUp(vertex, candidates, end, path);
    }
    // Down by the cable by which the switch below would send up to the same position, so that each
    // cable serves as few positions down as up.
    for (const auto& [number, below] : candidates)
    {
        const uint32_t up = GetWayUp(below, m_waysUp[below], end, path);
        if (up != 0 && GetPort(below, up) == m_topology->GetPorts()[GetPort(vertex, number)].peer)
        {
            return number;
        }
    }
    return candidates[(end.position + path) % candidates.size()].number;
}

void
SubnetManager::FillTables()
{
    m_tables.assign((m_links.size() - m_topology->GetNHosts()) * m_span, NO_WAY);
    m_loads.assign(m_topology->GetPorts().size(), 0);
    m_order = m_switches;
    m_waysUp.assign(m_links.size(), {});
    if (!m_rank.empty())
    {
        std::sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) {
            return IsAbove(b, a);
        });
        OrderWaysUp();
    }
    Ways ways;
    uint32_t measured = FAR;
    std::vector<Links> candidates(m_links.size());
    std::vector<Links> taken(m_links.size());
    for (const End& end : m_ends)
    {
        if (end.leaf != measured)
        {
            measured = end.leaf;
            Measure(end.leaf, ways);
            for (const uint32_t vertex : m_order)
            {
                candidates[vertex] = GetCandidates(vertex, ways);
            }
        }
        for (Links& links : taken)
        {
            links.clear();
        }
        for (uint8_t path = 0; path < GetNPaths(); ++path)
        {
            const Lid lid = m_lids[end.vertex] + path;
            for (const uint32_t vertex : m_order)
            {
                uint32_t number = NO_WAY;
                if (vertex == end.leaf)
                {
                    number = end.port;
                }
                else if (candidates[vertex].empty())
                {
                    continue;
                }
                else if (m_config.routing == Routing::FAT_TREE)
                {
                    number = ChooseByPlace(vertex, candidates[vertex], ways, end, path);
                }
                else
                {
                    number = ChooseLeast(vertex, candidates[vertex], taken[vertex]);
                }
                m_tables[GetTable(vertex) + lid] = static_cast<uint8_t>(number);
                ++m_loads[GetPort(vertex, number)];
            }
        }
    }
}

void
SubnetManager::GrowMulticastTree()
{
    // The root is the first switch of the top rank, or the first leaf if there are no ranks.
    // Branches without hosts are pruned.
    m_multicast.assign(m_links.size(), PortSet());
    if (m_leaves.empty())
    {
        return;
    }
    const uint32_t root = m_rank.empty() ? m_leaves.front() : m_order.front();
    std::vector<uint32_t> queue{root};
    std::vector<PortId> parent(m_links.size(), NO_PORT);
    Spread(queue, [this, &parent](uint32_t vertex, const Link& link) {
        parent[link.peer] = GetPort(vertex, link.number);
        return true;
    });
    for (const End& end : m_ends)
    {
        if (m_topology->GetVertices()[end.vertex].kind == Topology::Kind::HOST)
        {
            m_multicast[end.leaf].Add(end.port - 1);
        }
    }
    const auto& ports = m_topology->GetPorts();
    for (auto vertex = queue.rbegin(); vertex != queue.rend(); ++vertex)
    {
        const PortId port = parent[*vertex];
        if (!m_multicast[*vertex].IsEmpty() && port != NO_PORT)
        {
            m_multicast[*vertex].Add(m_topology->GetNumber(ports[port].peer) - 1);
            m_multicast[ports[port].vertex].Add(m_topology->GetNumber(port) - 1);
        }
    }
}

} // namespace infiniband
} // namespace ns3
