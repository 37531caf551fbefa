/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-topology.h"

#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace ns3
{
namespace myrinet
{

namespace
{

/** Longest cable in a file [m]. */
constexpr double MAX_CABLE = 10000;

/** Largest number of ports of a switch, as a route byte has seven bits for the port. */
constexpr uint32_t MAX_PORTS = 128;

/** Kinds of lines in the file of a graph. */
enum LineKind : uint32_t
{
    HOST,   ///< A host.
    SWITCH, ///< A switch.
    LINK    ///< A cable.
};

/**
 * Check the last vertex of a graph.
 * @param graph the graph
 * @param hosts number of hosts before it, updated
 * @return the error, or empty
 */
std::string
CheckVertex(const messaging::GraphText& graph, uint32_t& hosts)
{
    if (graph.vertices.back().kind == HOST)
    {
        ++hosts;
    }
    if (hosts > Topology::MAX_HOSTS || graph.vertices.size() - hosts > Topology::MAX_SWITCHES)
    {
        return "there are more than " + std::to_string(Topology::MAX_HOSTS) + " hosts or " +
               std::to_string(Topology::MAX_SWITCHES) + " switches";
    }
    return "";
}

/**
 * Check the last link of a graph.
 * @param graph the graph
 * @param used number of links by vertex, updated
 * @return the error, or empty
 */
std::string
CheckLink(const messaging::GraphText& graph, std::map<uint32_t, uint32_t>& used)
{
    const auto& link = graph.links.back();
    if (graph.vertices[link.from].kind == HOST && graph.vertices[link.to].kind == HOST)
    {
        return "a link joins a host to a switch or two switches, not the hosts " +
               graph.vertices[link.from].name + " and " + graph.vertices[link.to].name;
    }
    for (const uint32_t end : {link.from, link.to})
    {
        const auto& vertex = graph.vertices[end];
        const uint32_t ports = vertex.kind == HOST ? 1 : static_cast<uint32_t>(vertex.number);
        if (++used[end] > ports)
        {
            return vertex.name + " has " + std::to_string(ports) +
                   (ports == 1 ? " port, which has its link already"
                               : " ports, which have their links already");
        }
    }
    return "";
}

} // namespace

std::string
Topology::GetChannelName(ChannelId channel) const
{
    return m_names[m_channels[channel].from] + "->" + m_names[m_channels[channel].to];
}

double
Topology::GetLongestCable() const
{
    double longest = 0;
    for (const End& end : m_channels)
    {
        longest = std::max(longest, end.cable);
    }
    return longest;
}

uint32_t
Topology::AddVertex(const std::string& name, uint32_t rank)
{
    m_names.push_back(name);
    m_rank.push_back(rank);
    m_outgoing.emplace_back();
    return static_cast<uint32_t>(m_names.size() - 1);
}

void
Topology::AddLink(uint32_t a, uint32_t b, double cable)
{
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
    {
        m_outgoing[from].push_back(static_cast<ChannelId>(m_channels.size()));
        m_channels.push_back(End{from, to, cable});
    }
}

void
Topology::AddHosts(uint32_t hosts)
{
    m_nHosts = hosts;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        AddVertex(messaging::ToText("h", host), 0);
    }
}

Topology
Topology::Make(const TopologyConfig& config, std::string& error)
{
    error.clear();
    Topology topology;
    if (config.kind != TopologyKind::GRAPH && !config.file.empty())
    {
        error = "TopologyFile has no effect where Topology is not graph.";
        return topology;
    }
    switch (config.kind)
    {
    case TopologyKind::SWITCH:
        if (config.nodes > config.switchPorts)
        {
            error = "One switch of " + std::to_string(config.switchPorts) +
                    " ports takes at most as many hosts, not " + std::to_string(config.nodes) +
                    "; use a larger SwitchPorts or Topology clos.";
            break;
        }
        topology.AddHosts(config.nodes);
        topology.AddVertex("s0", 0);
        for (uint32_t host = 0; host < config.nodes; ++host)
        {
            topology.AddLink(host, config.nodes, config.cable);
        }
        break;
    case TopologyKind::CLOS:
        topology.MakeClos(config, error);
        break;
    case TopologyKind::RING:
        topology.MakeRing(config, error);
        break;
    case TopologyKind::GRAPH: {
        std::ifstream in;
        if (config.file.empty())
        {
            error = "Topology graph needs TopologyFile, a file of hosts, switches and links.";
            break;
        }
        error = messaging::OpenTextFile(config.file, in);
        if (!error.empty())
        {
            error = "TopologyFile " + error;
            break;
        }
        return Read(in, config.file, config, error);
    }
    }
    return error.empty() ? topology : Topology();
}

void
Topology::MakeClos(const TopologyConfig& config, std::string& error)
{
    // Half of the k ports of a switch lead down. One level serves k hosts, two levels k*k/2, and
    // three levels k*k*k/4: leaves, then spines of pods with k/2 leaves each, then a core.
    const uint32_t ports = config.switchPorts;
    const uint32_t half = ports / 2;
    const uint64_t two = uint64_t{ports} * half;
    const uint64_t three = two * half;
    if (ports % 2 != 0)
    {
        error = "A Clos network needs switches with an even number of ports, not " +
                std::to_string(ports) + ".";
        return;
    }
    if (config.nodes > three)
    {
        error = "A Clos network of three levels of switches with " + std::to_string(ports) +
                " ports takes at most " + std::to_string(three) + " hosts, not " +
                std::to_string(config.nodes) + "; use a larger SwitchPorts.";
        return;
    }
    AddHosts(config.nodes);
    const auto add = [this](const std::string& kind, uint32_t number, uint32_t rank) {
        return AddVertex(kind + std::to_string(number), rank);
    };
    uint32_t levels = 3;
    if (config.nodes <= two)
    {
        levels = config.nodes <= ports ? 1 : 2;
    }
    const uint32_t perLeaf = levels == 1 ? ports : half;
    const uint32_t leaves = (config.nodes + perLeaf - 1) / perLeaf;
    std::vector<uint32_t> leaf;
    for (uint32_t n = 0; n < leaves; ++n)
    {
        leaf.push_back(add("leaf", n, levels - 1));
    }
    for (uint32_t host = 0; host < config.nodes; ++host)
    {
        AddLink(host, leaf[host / perLeaf], config.cable);
    }
    if (levels == 1)
    {
        return;
    }
    const uint32_t perPod = levels == 2 ? leaves : half;
    const uint32_t pods = (leaves + perPod - 1) / perPod;
    std::vector<uint32_t> spine;
    for (uint32_t n = 0; n < pods * half; ++n)
    {
        spine.push_back(add("spine", n, levels - 2));
    }
    for (uint32_t n = 0; n < leaves; ++n)
    {
        for (uint32_t up = 0; up < half; ++up)
        {
            AddLink(leaf[n], spine[n / perPod * half + up], config.cable);
        }
    }
    if (levels == 2)
    {
        return;
    }
    for (uint32_t n = 0; n < half * half; ++n)
    {
        const uint32_t core = add("core", n, 0);
        for (uint32_t pod = 0; pod < pods; ++pod)
        {
            AddLink(core, spine[pod * half + n / half], config.cable);
        }
    }
}

void
Topology::MakeRing(const TopologyConfig& config, std::string& error)
{
    const uint32_t perSwitch = (config.nodes + config.switches - 1) / config.switches;
    if (config.switches < 3 || config.nodes < config.switches || perSwitch + 2 > config.switchPorts)
    {
        error = "A ring needs three switches at least, a host or more at each, and two ports of "
                "each switch for the ring: " +
                std::to_string(config.nodes) + " hosts at " + std::to_string(config.switches) +
                " switches of " + std::to_string(config.switchPorts) + " ports do not fit.";
        return;
    }
    AddHosts(config.nodes);
    for (uint32_t n = 0; n < config.switches; ++n)
    {
        AddVertex(messaging::ToText("s", n), 0);
    }
    for (uint32_t host = 0; host < config.nodes; ++host)
    {
        AddLink(host, config.nodes + host % config.switches, config.cable);
    }
    for (uint32_t n = 0; n < config.switches; ++n)
    {
        AddLink(config.nodes + n, config.nodes + (n + 1) % config.switches, config.cable);
    }
    RankByDistance();
}

Topology
Topology::Read(std::istream& in,
               const std::string& name,
               const TopologyConfig& config,
               std::string& error)
{
    uint32_t hosts = 0;
    std::map<uint32_t, uint32_t> used;
    messaging::GraphText graph;
    error = graph.Read(
        in,
        name,
        {{"host"},
         {"switch", false, "a number of ports", double(config.switchPorts), 1, MAX_PORTS},
         {"link", true, "a length", config.cable, 0, MAX_CABLE, "metres"}},
        "host or switch",
        [&hosts](const auto& text) { return CheckVertex(text, hosts); },
        [&used](const auto& text) { return CheckLink(text, used); });
    if (error.empty() && hosts == 0)
    {
        error = name + " has no line host NAME; a network needs at least one host.";
    }
    if (!error.empty())
    {
        return Topology();
    }
    Topology topology;
    topology.m_nHosts = hosts;
    for (const auto& vertex : graph.vertices)
    {
        topology.AddVertex(vertex.name, 0);
    }
    for (const auto& link : graph.links)
    {
        topology.AddLink(link.from, link.to, link.number);
    }
    for (uint32_t host = 0; host < topology.m_nHosts; ++host)
    {
        if (topology.m_outgoing[host].empty())
        {
            error = name + ": host " + topology.m_names[host] +
                    " has no link; every host has one, to a switch.";
            return Topology();
        }
    }
    const auto distances = topology.GetDistances(topology.m_channels[topology.m_outgoing[0][0]].to);
    for (uint32_t host = 0; host < topology.m_nHosts; ++host)
    {
        if (distances[host] == topology.m_names.size())
        {
            error = name + ": host " + topology.m_names[host] + " cannot be reached from host " +
                    topology.m_names[0] + "; every host has to be reachable from every other.";
            return Topology();
        }
    }
    topology.RankByDistance();
    return topology;
}

std::vector<uint32_t>
Topology::GetDistances(uint32_t from) const
{
    const auto unreached = static_cast<uint32_t>(m_names.size());
    std::vector<uint32_t> distance(m_names.size(), unreached);
    std::vector<uint32_t> queue{from};
    distance[from] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
    {
        for (const ChannelId channel : m_outgoing[queue[at]])
        {
            const uint32_t to = m_channels[channel].to;
            if (distance[to] == unreached)
            {
                distance[to] = distance[queue[at]] + 1;
                queue.push_back(to);
            }
        }
    }
    return distance;
}

void
Topology::RankByDistance()
{
    const auto unreached = static_cast<uint32_t>(m_names.size());
    uint32_t best = unreached;
    for (uint32_t root = m_nHosts; root < m_names.size(); ++root)
    {
        const auto distance = GetDistances(root);
        uint32_t farthest = 0;
        for (uint32_t host = 0; host < m_nHosts; ++host)
        {
            farthest = std::max(farthest, distance[host]);
        }
        if (farthest < best)
        {
            best = farthest;
            m_rank = distance;
        }
    }
}

} // namespace myrinet
} // namespace ns3
