/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-subnet-manager.h"

#include "ns3/infiniband-packet.h"

#include <algorithm>
#include <array>
#include <bit>

namespace ns3
{
namespace infiniband
{

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
    error = GiveLids();
}

std::string
SubnetManager::GiveLids()
{
    const auto& vertices = m_topology->GetVertices();
    const auto nVertices = static_cast<uint32_t>(vertices.size());
    m_lids.assign(nVertices, 0);
    m_owners.assign(MULTICAST_LID, nVertices);
    const auto take = [this, &vertices](uint32_t vertex, Lid lid) {
        const Lid count = vertices[vertex].kind == Topology::Kind::SWITCH ? 1 : Lid{GetNPaths()};
        const auto free = [this](uint32_t owner) { return owner == m_lids.size(); };
        if (lid == 0 || lid % count != 0 || lid + count > MULTICAST_LID ||
            !std::all_of(m_owners.begin() + lid, m_owners.begin() + lid + count, free))
        {
            return false;
        }
        std::fill_n(m_owners.begin() + lid, count, vertex);
        m_lids[vertex] = lid;
        m_span = std::max(m_span, lid + count);
        return true;
    };
    for (uint32_t vertex = 0; vertex < nVertices; ++vertex)
    {
        const bool same =
            vertices[vertex].kind == Topology::Kind::SWITCH || vertices[vertex].lmc == m_config.lmc;
        if (vertices[vertex].lid != 0 && same)
        {
            take(vertex, vertices[vertex].lid);
        }
    }
    Lid next = 1;
    for (uint32_t vertex = 0; vertex < nVertices; ++vertex)
    {
        while (m_lids[vertex] == 0 && !take(vertex, next))
        {
            if (++next >= MULTICAST_LID)
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
        m_up[port] = up;
        m_up[peer] = up;
    }
}

void
SubnetManager::Survey()
{
    const auto& vertices = m_topology->GetVertices();
    m_links.assign(vertices.size(), 0);
    m_ends.clear();
    m_leaves.clear();
    uint32_t widest = 0;
    for (uint32_t vertex = m_topology->GetNHosts(); vertex < vertices.size(); ++vertex)
    {
        if (vertices[vertex].kind != Topology::Kind::SWITCH)
        {
            continue;
        }
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
                m_links[vertex] |= PortSet{1} << (number - 1);
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
    const auto nSwitches = m_topology->GetVertices().size() - std::size_t{m_topology->GetNHosts()};
    Survey();
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
    m_tables.assign(nSwitches * m_span, NO_WAY);
    m_loads.assign(m_topology->GetPorts().size(), 0);
    FillTables();
    if (m_config.routing == Routing::UP_DOWN && !CheckRoutes().empty())
    {
        // With several roots some pairs may lack a route of the form up, then down; with a single
        // root none does.
        RankFromRoots(true);
        std::fill(m_tables.begin(), m_tables.end(), NO_WAY);
        std::fill(m_loads.begin(), m_loads.end(), 0);
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
    // Hosts at one switch have the same routes, so checking one per leaf and LID suffices.
    const auto& vertices = m_topology->GetVertices();
    const HostId nHosts = m_topology->GetNHosts();
    std::vector<std::vector<HostId>> hostsAt(vertices.size());
    std::vector<HostId> cut;
    for (HostId host = 0; host < nHosts; ++host)
    {
        const PortId port = vertices[host].firstPort;
        if (m_up[port])
        {
            hostsAt[GetPeer(host, 1)].push_back(host);
        }
        else
        {
            cut.push_back(host);
        }
    }
    uint64_t missing = 0;
    HostId from = 0;
    HostId to = 0;
    const auto note = [&missing, &from, &to](HostId a, HostId b, uint64_t count) {
        if (missing == 0)
        {
            from = a;
            to = b;
        }
        missing += count;
    };
    for (HostId host = 0; host < nHosts; ++host)
    {
        if (!m_up[vertices[host].firstPort])
        {
            note(host == 0 ? 1 : 0, host, nHosts - 1);
            continue;
        }
        if (!cut.empty())
        {
            note(cut.front(), host, cut.size());
        }
        for (const uint32_t leaf : m_leaves)
        {
            const auto& sources = hostsAt[leaf];
            const bool own = GetPeer(host, 1) == leaf;
            if (sources.size() <= (own ? 1U : 0U))
            {
                continue;
            }
            const HostId source = sources[0] == host ? sources[1] : sources[0];
            for (uint8_t path = 0; path < GetNPaths(); ++path)
            {
                if (GetRoute(source, GetLid(host, path)).empty())
                {
                    note(source, host, sources.size() - own);
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

void
SubnetManager::RankFromRoots(bool single)
{
    // A root is a switch with the least distance to its farthest leaf. With a single root, ties go
    // to the lowest number.
    const auto nVertices = static_cast<uint32_t>(m_topology->GetVertices().size());
    const auto search = [this, nVertices](const std::vector<uint32_t>& from) {
        std::vector<uint32_t> distance(nVertices, FAR);
        std::vector<uint32_t> queue = from;
        for (const uint32_t vertex : from)
        {
            distance[vertex] = 0;
        }
        for (std::size_t at = 0; at < queue.size(); ++at)
        {
            for (PortSet set = m_links[queue[at]]; set != 0; set &= set - 1)
            {
                const uint32_t peer =
                    GetPeer(queue[at], static_cast<uint32_t>(std::countr_zero(set)) + 1);
                if (distance[peer] == FAR)
                {
                    distance[peer] = distance[queue[at]] + 1;
                    queue.push_back(peer);
                }
            }
        }
        return distance;
    };
    std::vector<uint32_t> roots;
    uint64_t best = UINT64_MAX;
    for (uint32_t vertex = m_topology->GetNHosts(); vertex < nVertices; ++vertex)
    {
        if (m_topology->GetVertices()[vertex].kind != Topology::Kind::SWITCH)
        {
            continue;
        }
        const auto distance = search({vertex});
        uint64_t cost = 0;
        for (const uint32_t leaf : m_leaves)
        {
            // Unreachable leaves outweigh any distance.
            cost = std::max<uint64_t>(cost, distance[leaf]);
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
    m_rank = search(roots);
}

std::string
SubnetManager::RankFromLeaves()
{
    const auto nVertices = static_cast<uint32_t>(m_topology->GetVertices().size());
    std::vector<uint32_t> level(nVertices, FAR);
    std::vector<uint32_t> queue = m_leaves;
    for (const uint32_t leaf : m_leaves)
    {
        level[leaf] = 0;
    }
    uint32_t top = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        const uint32_t vertex = queue[at];
        top = level[vertex];
        for (PortSet set = m_links[vertex]; set != 0; set &= set - 1)
        {
            const auto number = static_cast<uint32_t>(std::countr_zero(set)) + 1;
            const uint32_t peer = GetPeer(vertex, number);
            if (level[peer] == FAR)
            {
                level[peer] = level[vertex] + 1;
                queue.push_back(peer);
            }
            else if (level[peer] == level[vertex])
            {
                return "Routing fat-tree needs a fat tree: the cable at " +
                       m_topology->GetPortName(GetPort(vertex, number)) +
                       " connects two switches of the same level; use up-down or min-hop.";
            }
        }
    }
    m_rank.assign(nVertices, FAR);
    m_divisor.assign(top + 2, 1);
    std::vector<uint32_t> widest(top + 1, 1);
    for (const uint32_t vertex : queue)
    {
        m_rank[vertex] = top - level[vertex];
        uint32_t up = 0;
        for (PortSet set = m_links[vertex]; set != 0; set &= set - 1)
        {
            const uint32_t peer = GetPeer(vertex, static_cast<uint32_t>(std::countr_zero(set)) + 1);
            up += level[peer] == level[vertex] + 1;
        }
        widest[level[vertex]] = std::max(widest[level[vertex]], up);
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
    const auto nVertices = m_topology->GetVertices().size();
    ways.down.assign(nVertices, FAR);
    ways.total.assign(nVertices, FAR);
    ways.down[leaf] = 0;
    const bool free = m_rank.empty();
    std::vector<uint32_t> queue{leaf};
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        for (PortSet set = m_links[queue[at]]; set != 0; set &= set - 1)
        {
            const uint32_t peer =
                GetPeer(queue[at], static_cast<uint32_t>(std::countr_zero(set)) + 1);
            if (ways.down[peer] == FAR && (free || IsAbove(queue[at], peer)))
            {
                ways.down[peer] = ways.down[queue[at]] + 1;
                queue.push_back(peer);
            }
        }
    }
    ways.total = ways.down;
    if (free)
    {
        return;
    }
    // From the top down: a switch without a route down takes the shortest one up.
    for (const uint32_t vertex : m_order)
    {
        if (ways.down[vertex] != FAR)
        {
            continue;
        }
        for (PortSet set = m_links[vertex]; set != 0; set &= set - 1)
        {
            const uint32_t peer = GetPeer(vertex, static_cast<uint32_t>(std::countr_zero(set)) + 1);
            if (IsAbove(vertex, peer) && ways.total[peer] != FAR)
            {
                ways.total[vertex] = std::min(ways.total[vertex], ways.total[peer] + 1);
            }
        }
    }
}

SubnetManager::PortSet
SubnetManager::GetCandidates(uint32_t vertex, const Ways& ways) const
{
    PortSet candidates = 0;
    const bool down = ways.down[vertex] != FAR;
    for (PortSet set = m_links[vertex]; set != 0; set &= set - 1)
    {
        const auto bit = static_cast<uint32_t>(std::countr_zero(set));
        const uint32_t peer = GetPeer(vertex, bit + 1);
        const bool nearer =
            down ? ways.down[peer] != FAR && ways.down[peer] + 1 == ways.down[vertex] &&
                       (m_rank.empty() || IsAbove(peer, vertex))
                 : ways.total[peer] != FAR && ways.total[peer] + 1 == ways.total[vertex] &&
                       IsAbove(vertex, peer);
        candidates |= nearer ? PortSet{1} << bit : 0;
    }
    return candidates;
}

uint32_t
SubnetManager::ChooseLeast(uint32_t vertex, PortSet candidates, PortSet& taken)
{
    // Other paths to the same end prefer other switches, then other ports.
    PortSet others = 0;
    for (PortSet set = candidates; set != 0; set &= set - 1)
    {
        const auto bit = static_cast<uint32_t>(std::countr_zero(set));
        bool met = false;
        for (PortSet before = taken; before != 0; before &= before - 1)
        {
            met |= GetPeer(vertex, static_cast<uint32_t>(std::countr_zero(before)) + 1) ==
                   GetPeer(vertex, bit + 1);
        }
        others |= met ? 0 : PortSet{1} << bit;
    }
    PortSet choice = others != 0 ? others : (candidates & ~taken);
    choice = choice != 0 ? choice : candidates;
    uint32_t best = 0;
    for (PortSet set = choice; set != 0; set &= set - 1)
    {
        const auto number = static_cast<uint32_t>(std::countr_zero(set)) + 1;
        if (best == 0 || m_loads[GetPort(vertex, number)] < m_loads[GetPort(vertex, best)])
        {
            best = number;
        }
    }
    taken |= PortSet{1} << (best - 1);
    return best;
}

void
SubnetManager::OrderWaysUp()
{
    m_waysUp.assign(m_links.size(), {});
    for (const uint32_t vertex : m_order)
    {
        // Links before this one to the same peer, the peer, and the port: first one link to each
        // peer.
        std::vector<std::array<uint32_t, 3>> order;
        for (PortSet set = m_links[vertex]; set != 0; set &= set - 1)
        {
            const auto number = static_cast<uint32_t>(std::countr_zero(set)) + 1;
            const uint32_t peer = GetPeer(vertex, number);
            if (IsAbove(vertex, peer))
            {
                const auto parallel =
                    std::ranges::count(order, peer, [](const auto& way) { return way[1]; });
                order.push_back({static_cast<uint32_t>(parallel), peer, number});
            }
        }
        std::ranges::sort(order);
        for (const auto& way : order)
        {
            m_waysUp[vertex].push_back(static_cast<uint8_t>(way[2]));
        }
    }
}

uint32_t
SubnetManager::GetWayUp(uint32_t vertex, PortSet candidates, const End& end, uint32_t path) const
{
    const auto isCandidate = [candidates](uint8_t number) {
        return (candidates >> (number - 1) & 1) != 0;
    };
    const auto count = std::ranges::count_if(m_waysUp[vertex], isCandidate);
    if (count == 0)
    {
        return 0;
    }
    const uint32_t divisor = m_divisor[m_rank[vertex]];
    auto turn = (end.position / divisor + (path + divisor - 1) / divisor) % count;
    for (const uint8_t number : m_waysUp[vertex])
    {
        if (isCandidate(number) && turn-- == 0)
        {
            return number;
        }
    }
    return 0;
}

uint32_t
SubnetManager::ChooseByPlace(uint32_t vertex,
                             PortSet candidates,
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
    const auto& ports = m_topology->GetPorts();
    std::vector<uint32_t> numbers;
    for (PortSet set = candidates; set != 0; set &= set - 1)
    {
        const auto number = static_cast<uint32_t>(std::countr_zero(set)) + 1;
        const uint32_t below = GetPeer(vertex, number);
        const uint32_t up = GetWayUp(below, m_links[below], end, path);
        if (up != 0 && GetPort(below, up) == ports[GetPort(vertex, number)].peer)
        {
            return number;
        }
        numbers.push_back(number);
    }
    return numbers[(end.position + path) % numbers.size()];
}

void
SubnetManager::FillTables()
{
    m_order.clear();
    for (uint32_t vertex = m_topology->GetNHosts(); vertex < m_links.size(); ++vertex)
    {
        if (m_topology->GetVertices()[vertex].kind == Topology::Kind::SWITCH)
        {
            m_order.push_back(vertex);
        }
    }
    if (!m_rank.empty())
    {
        std::sort(m_order.begin(), m_order.end(), [this](uint32_t a, uint32_t b) {
            return IsAbove(b, a);
        });
    }
    if (m_config.routing == Routing::FAT_TREE)
    {
        OrderWaysUp();
    }
    Ways ways;
    uint32_t measured = FAR;
    std::vector<PortSet> candidates(m_links.size(), 0);
    std::vector<PortSet> taken(m_links.size(), 0);
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
        std::fill(taken.begin(), taken.end(), 0);
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
                else if (candidates[vertex] == 0)
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
    m_multicast.assign(m_links.size(), 0);
    if (m_leaves.empty())
    {
        return;
    }
    const uint32_t root = m_rank.empty() ? m_leaves.front() : m_order.front();
    std::vector<uint32_t> queue{root};
    std::vector<bool> seen(m_links.size(), false);
    std::vector<PortId> parent(m_links.size(), NO_PORT);
    seen[root] = true;
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        for (PortSet set = m_links[queue[at]]; set != 0; set &= set - 1)
        {
            const auto number = static_cast<uint32_t>(std::countr_zero(set)) + 1;
            const uint32_t peer = GetPeer(queue[at], number);
            if (!seen[peer])
            {
                seen[peer] = true;
                parent[peer] = GetPort(queue[at], number);
                queue.push_back(peer);
            }
        }
    }
    for (const End& end : m_ends)
    {
        if (m_topology->GetVertices()[end.vertex].kind == Topology::Kind::HOST)
        {
            m_multicast[end.leaf] |= PortSet{1} << (end.port - 1);
        }
    }
    const auto& ports = m_topology->GetPorts();
    for (auto vertex = queue.rbegin(); vertex != queue.rend(); ++vertex)
    {
        const PortId port = parent[*vertex];
        if (m_multicast[*vertex] != 0 && port != NO_PORT)
        {
            m_multicast[*vertex] |= PortSet{1} << (m_topology->GetNumber(ports[port].peer) - 1);
            m_multicast[ports[port].vertex] |= PortSet{1} << (m_topology->GetNumber(port) - 1);
        }
    }
}

} // namespace infiniband
} // namespace ns3
