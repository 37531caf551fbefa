/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-subnet-manager.h"

#include "infiniband-packet.h"

#include <algorithm>
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
        // Several roots can leave pairs without a way up and then down; one root does not.
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
    // Hosts at one switch have the same ways, so one walk a leaf and LID suffices.
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
           " pairs of hosts have no way from the one to the other, " + vertices[from].name +
           " to " + vertices[to].name + " for one.";
}

std::string
SubnetManager::FindCreditLoop() const
{
    // A buffer at the end of a link waits for those links by which a packet in it can leave. Hosts
    // always take what arrives, so only links between switches can be on a ring.
    const auto& ports = m_topology->GetPorts();
    const auto& vertices = m_topology->GetVertices();
    std::vector<PortSet> next(ports.size(), 0);
    std::vector<Lid> seen(vertices.size(), 0);
    for (Lid lid = 1; lid < m_span; ++lid)
    {
        const uint32_t end = m_owners[lid];
        if (end == vertices.size() || vertices[end].kind == Topology::Kind::SWITCH)
        {
            continue;
        }
        for (const uint32_t leaf : m_leaves)
        {
            uint32_t vertex = leaf;
            PortId last = NO_PORT;
            while (true)
            {
                const uint8_t out = GetOut(vertex, lid);
                if (out == NO_WAY)
                {
                    break;
                }
                if (last != NO_PORT)
                {
                    next[last] |= PortSet{1} << (out - 1);
                }
                if (seen[vertex] == lid)
                {
                    break;
                }
                seen[vertex] = lid;
                last = GetPort(vertex, out);
                vertex = ports[ports[last].peer].vertex;
                if (vertices[vertex].kind != Topology::Kind::SWITCH)
                {
                    break;
                }
            }
        }
    }
    enum class State : uint8_t
    {
        NEW,
        OPEN,
        DONE
    };
    std::vector<State> state(ports.size(), State::NEW);
    std::vector<PortId> path;
    for (PortId first = 0; first < ports.size(); ++first)
    {
        if (state[first] != State::NEW)
        {
            continue;
        }
        path.assign(1, first);
        state[first] = State::OPEN;
        while (!path.empty())
        {
            const PortId at = path.back();
            if (next[at] == 0)
            {
                state[at] = State::DONE;
                path.pop_back();
                continue;
            }
            const auto number = static_cast<uint32_t>(std::countr_zero(next[at])) + 1;
            next[at] &= next[at] - 1;
            const PortId to = GetPort(ports[ports[at].peer].vertex, number);
            if (state[to] == State::OPEN)
            {
                std::string ring;
                for (auto link = std::find(path.begin(), path.end(), to); link != path.end();
                     ++link)
                {
                    ring += m_topology->GetPortName(*link) + ", ";
                }
                return "Packets can wait in a ring for the credits of " + ring +
                       "and again the first.";
            }
            if (state[to] == State::NEW)
            {
                state[to] = State::OPEN;
                path.push_back(to);
            }
        }
    }
    return "";
}

} // namespace infiniband
} // namespace ns3
