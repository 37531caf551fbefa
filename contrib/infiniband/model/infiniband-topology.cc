/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-topology.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

namespace ns3
{
namespace infiniband
{

namespace
{

constexpr uint64_t HOST_GUID = 0x0002c90200000000; ///< GUID of a host built here, less its number.
constexpr uint64_t SWITCH_GUID = 0x0002c90300000000; ///< The same of a switch.

/**
 * Make a name.
 * @param kind what it is
 * @param number which
 * @return the name
 */
std::string
MakeName(const char* kind, uint32_t number)
{
    std::string name = kind;
    name += std::to_string(number);
    return name;
}

/**
 * Get the fewest switches that take links of several others evenly: each of those has as many links
 * to one switch as to another.
 * @param below number of switches below
 * @param links of each of them
 * @param ports of a switch above
 * @return how many switches, a divisor of links
 */
uint32_t
CountAbove(uint32_t below, uint32_t links, uint32_t ports)
{
    for (uint32_t n = 1; n < links; ++n)
    {
        if (links % n == 0 && uint64_t{below} * (links / n) <= ports)
        {
            return n;
        }
    }
    return links;
}

/**
 * Write a number as ibnetdiscover does.
 * @param guid the number
 * @return sixteen hexadecimal digits
 */
std::string
MakeHex(uint64_t guid)
{
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(guid));
    return text.data();
}

} // namespace

std::string
LinkSpeed::GetName() const
{
    return std::to_string(width) + (rate == 1 ? "xSDR" : rate == 2 ? "xDDR" : "xQDR");
}

std::string
Topology::GetPortName(PortId port) const
{
    return m_vertices[m_ports[port].vertex].name + "/" + std::to_string(GetNumber(port));
}

uint32_t
Topology::Add(Kind kind, const std::string& name, uint32_t ports)
{
    const auto number = static_cast<uint32_t>(m_vertices.size());
    Vertex vertex;
    vertex.name = name;
    vertex.guid = kind == Kind::SWITCH ? SWITCH_GUID + number : HOST_GUID + 2 * uint64_t{number};
    vertex.portGuid = kind == Kind::SWITCH ? vertex.guid : vertex.guid + 1;
    vertex.firstPort = static_cast<PortId>(m_ports.size());
    vertex.nPorts = ports;
    vertex.nodePorts = static_cast<uint8_t>(ports);
    vertex.kind = kind;
    m_vertices.push_back(vertex);
    m_ports.resize(m_ports.size() + ports, Port{NO_PORT, number, {}});
    m_nHosts += kind == Kind::HOST;
    return number;
}

void
Topology::Join(uint32_t a, uint32_t portA, uint32_t b, uint32_t portB, LinkSpeed speed)
{
    const PortId one = m_vertices[a].firstPort + portA - 1;
    const PortId other = m_vertices[b].firstPort + portB - 1;
    m_ports[one].peer = other;
    m_ports[other].peer = one;
    m_ports[one].speed = speed;
    m_ports[other].speed = speed;
}

Topology
Topology::Make(const TopologyConfig& config, LinkRate rate, std::string& error)
{
    error.clear();
    Topology topology;
    const LinkSpeed speed{4, static_cast<uint8_t>(rate == LinkRate::SDR ? 1 : 2)};
    switch (config.kind)
    {
    case TopologyKind::SWITCH:
        if (config.hosts > config.switchPorts)
        {
            error = "One switch of " + std::to_string(config.switchPorts) +
                    " ports takes at most as many hosts, not " + std::to_string(config.hosts) +
                    "; use a larger SwitchPorts or Topology fat-tree.";
            break;
        }
        for (HostId host = 0; host < config.hosts; ++host)
        {
            topology.Add(Kind::HOST, MakeName("h", host), 1);
        }
        topology.Add(Kind::SWITCH, "s0", config.switchPorts);
        for (HostId host = 0; host < config.hosts; ++host)
        {
            topology.Join(host, 1, config.hosts, host + 1, speed);
        }
        break;
    case TopologyKind::FAT_TREE:
        topology.MakeFatTree(config, speed, error);
        break;
    case TopologyKind::FILE: {
        std::ifstream in(config.file);
        if (!in)
        {
            error = config.file.empty()
                        ? "Topology file needs TopologyFile, a file as ibnetdiscover prints it."
                        : "The topology file " + config.file + " cannot be read.";
            break;
        }
        return Read(in, config.file, rate, error);
    }
    }
    return error.empty() ? topology : Topology();
}

void
Topology::MakeFatTree(const TopologyConfig& config, LinkSpeed speed, std::string& error)
{
    // A leaf has `down` ports for hosts and `up` for the level above. Two levels: each leaf is
    // joined to all spines, by several cables where few spines suffice. Three levels: pods of k/2
    // leaves and `up` middle switches; the n-th middle switches of all pods share their cores.
    const uint32_t k = config.switchPorts;
    const auto down =
        static_cast<uint32_t>(k * config.oversubscription / (1 + config.oversubscription));
    const uint32_t up = k - down;
    const uint32_t half = k / 2;
    const uint64_t two = uint64_t{k} * down;
    const uint64_t three = uint64_t{k} * half * down;
    if (down == 0 || up == 0)
    {
        error = "A switch of " + std::to_string(k) + " ports cannot have Oversubscription " +
                std::to_string(config.oversubscription) +
                " times as many ports down as up; at least one has to lead each way.";
        return;
    }
    if (config.hosts > three)
    {
        error = "A fat tree of three levels of switches with " + std::to_string(k) + " ports, " +
                std::to_string(down) + " of a leaf down, takes at most " + std::to_string(three) +
                " hosts, not " + std::to_string(config.hosts) +
                "; use a larger SwitchPorts or Oversubscription.";
        return;
    }
    const uint32_t levels = config.hosts <= k ? 1 : config.hosts <= two ? 2 : 3;
    const uint32_t perLeaf = levels == 1 ? k : down;
    const uint32_t leaves = (config.hosts + perLeaf - 1) / perLeaf;
    for (HostId host = 0; host < config.hosts; ++host)
    {
        Add(Kind::HOST, MakeName("h", host), 1);
    }
    const uint32_t leaf = config.hosts;
    for (uint32_t n = 0; n < leaves; ++n)
    {
        Add(Kind::SWITCH, MakeName("leaf", n), k);
    }
    for (HostId host = 0; host < config.hosts; ++host)
    {
        Join(host, 1, leaf + host / perLeaf, host % perLeaf + 1, speed);
    }
    if (levels == 1)
    {
        return;
    }
    const uint32_t perPod = levels == 2 ? leaves : half;
    const uint32_t pods = (leaves + perPod - 1) / perPod;
    const uint32_t spines = CountAbove(perPod, up, levels == 2 ? k : half);
    const uint32_t spine = leaf + leaves;
    for (uint32_t n = 0; n < pods * spines; ++n)
    {
        Add(Kind::SWITCH, MakeName("spine", n), k);
    }
    for (uint32_t n = 0; n < leaves; ++n)
    {
        for (uint32_t link = 0; link < up; ++link)
        {
            Join(leaf + n,
                 down + link + 1,
                 spine + n / perPod * spines + link % spines,
                 n % perPod * (up / spines) + link / spines + 1,
                 speed);
        }
    }
    if (levels == 2)
    {
        return;
    }
    // Ports of a middle switch that lead down; as many lead up, at most the other half.
    const uint32_t middleUp = std::min(half, perPod * (up / spines));
    const uint32_t cores = CountAbove(pods, middleUp, k);
    const uint32_t core = spine + pods * spines;
    for (uint32_t n = 0; n < spines * cores; ++n)
    {
        Add(Kind::SWITCH, MakeName("core", n), k);
    }
    for (uint32_t n = 0; n < pods * spines; ++n)
    {
        for (uint32_t link = 0; link < middleUp; ++link)
        {
            Join(spine + n,
                 half + link + 1,
                 core + n % spines * cores + link % cores,
                 n / spines * (middleUp / cores) + link / cores + 1,
                 speed);
        }
    }
}

uint32_t
Topology::GetDiameter() const
{
    // Hosts at one switch are equally far from all others, so one search a switch suffices.
    std::vector<uint32_t> leaves;
    for (HostId host = 0; host < m_nHosts; ++host)
    {
        const PortId peer = m_ports[m_vertices[host].firstPort].peer;
        if (leaves.empty() || leaves.back() != m_ports[peer].vertex)
        {
            leaves.push_back(m_ports[peer].vertex);
        }
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    uint32_t longest = 0;
    std::vector<uint32_t> distance;
    std::vector<uint32_t> queue;
    for (const uint32_t from : leaves)
    {
        distance.assign(m_vertices.size(), 0);
        queue.assign(1, from);
        distance[from] = 1;
        for (std::size_t at = 0; at < queue.size(); ++at)
        {
            const Vertex& vertex = m_vertices[queue[at]];
            for (PortId port = vertex.firstPort; port < vertex.firstPort + vertex.nPorts; ++port)
            {
                const PortId peer = m_ports[port].peer;
                const uint32_t next = peer == NO_PORT ? from : m_ports[peer].vertex;
                if (m_vertices[next].kind == Kind::SWITCH && distance[next] == 0)
                {
                    distance[next] = distance[queue[at]] + 1;
                    queue.push_back(next);
                }
            }
        }
        for (const uint32_t to : leaves)
        {
            longest = std::max(longest, distance[to]);
        }
    }
    return longest;
}

void
Topology::Write(std::ostream& out) const
{
    const auto id = [](const Vertex& vertex) {
        const std::string guid = MakeHex(vertex.guid);
        return (vertex.kind == Kind::SWITCH ? "\"S-"
                : vertex.kind == Kind::HOST ? "\"H-"
                                            : "\"R-") +
               guid + "\"";
    };
    const auto numberAt = [this](PortId port) {
        const Vertex& vertex = m_vertices[m_ports[port].vertex];
        return vertex.kind == Kind::SWITCH ? GetNumber(port) : vertex.portNumber;
    };
    const auto guidAt = [](const Vertex& vertex) {
        const std::string guid = MakeHex(vertex.portGuid);
        return vertex.kind == Kind::SWITCH ? "" : "(" + guid + ")";
    };
    // Switches first, as ibnetdiscover does.
    for (const bool switches : {true, false})
    {
        for (std::size_t n = 0; n < m_vertices.size(); ++n)
        {
            const Vertex& vertex = m_vertices[n];
            if ((vertex.kind == Kind::SWITCH) != switches)
            {
                continue;
            }
            const bool repeated = n > 0 && !switches && m_vertices[n - 1].guid == vertex.guid;
            if (!repeated)
            {
                const std::string guid = MakeHex(vertex.guid);
                out << "\n"
                    << (switches                    ? "switchguid=0x"
                        : vertex.kind == Kind::HOST ? "caguid=0x"
                                                    : "rtguid=0x")
                    << guid << (switches ? "(" + guid + ")" : "") << "\n"
                    << (switches                    ? "Switch\t"
                        : vertex.kind == Kind::HOST ? "Ca\t"
                                                    : "Rt\t")
                    << uint32_t{vertex.nodePorts} << " " << id(vertex) << "\t\t# \"" << vertex.name
                    << "\"";
                if (switches)
                {
                    out << " base port 0 lid " << vertex.lid << " lmc 0";
                }
                out << "\n";
            }
            for (PortId port = vertex.firstPort; port < vertex.firstPort + vertex.nPorts; ++port)
            {
                const PortId peer = m_ports[port].peer;
                if (peer == NO_PORT)
                {
                    continue;
                }
                const Vertex& other = m_vertices[m_ports[peer].vertex];
                out << "[" << numberAt(port) << "]" << guidAt(vertex) << "\t" << id(other) << "["
                    << numberAt(peer) << "]" << guidAt(other) << "\t\t# ";
                if (!switches)
                {
                    out << "lid " << vertex.lid << " lmc " << uint32_t{vertex.lmc} << " ";
                }
                out << "\"" << other.name << "\" lid " << other.lid << " "
                    << m_ports[port].speed.GetName() << "\n";
            }
        }
    }
}

} // namespace infiniband
} // namespace ns3
