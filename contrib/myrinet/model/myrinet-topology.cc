/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-topology.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

namespace ns3
{
namespace myrinet
{

namespace
{

/** Longest cable that a file may name [m]. */
constexpr double MAX_CABLE = 10000;

/** Most ports of a switch: a route byte has seven bits for the port. */
constexpr uint32_t MAX_PORTS = 128;

/**
 * Read a whole number.
 * @param text the text
 * @param most the largest that is allowed
 * @param value set to the number
 * @return whether it is a number from 1 to most
 */
bool
ReadCount(const std::string& text, uint32_t most, uint32_t& value)
{
    const char* const end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && at == end && value >= 1 && value <= most;
}

/**
 * Read a length.
 * @param text the text
 * @param value set to the length [m]
 * @return whether it is a number from 0 to MAX_CABLE
 */
bool
ReadLength(const std::string& text, double& value)
{
    const char* const end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && at == end && value >= 0 && value <= MAX_CABLE;
}

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

/** A host or switch of a file. */
struct FileVertex
{
    std::string name;  ///< Its name.
    uint32_t ports{1}; ///< Its ports.
    uint32_t used{0};  ///< Ports that have a link.
    bool host{false};  ///< It is a host.
};

/** A link of a file. */
struct FileLink
{
    uint32_t from; ///< One end, in the order of the lines.
    uint32_t to;   ///< The other.
    double cable;  ///< Length [m].
};

/** What a file says, line by line. */
class Reader
{
  public:
    /**
     * Construct.
     * @param config for what lines leave out
     */
    explicit Reader(const TopologyConfig& config)
        : m_config(config)
    {
    }

    std::vector<FileVertex> vertices; ///< In the order of the lines.
    std::vector<FileLink> links;      ///< In the order of the lines.
    uint32_t hosts{0};                ///< How many of the vertices are hosts.

    /**
     * Read one line.
     * @param text the line
     * @return what is wrong with it, or an empty text
     */
    std::string Read(std::string text)
    {
        text.resize(std::min(text.size(), text.find('#')));
        std::istringstream in(text);
        std::vector<std::string> words;
        for (std::string word; in >> word;)
        {
            words.push_back(word);
        }
        if (words.empty())
        {
            return "";
        }
        if (words[0] == "host" || words[0] == "switch")
        {
            return ReadVertex(words);
        }
        if (words[0] == "link")
        {
            return ReadLink(words);
        }
        return "\"" + words[0] + "\" is not one of host, switch and link";
    }

  private:
    /**
     * Read a line that adds a host or a switch.
     * @param words its words
     * @return what is wrong with it, or an empty text
     */
    std::string ReadVertex(const std::vector<std::string>& words)
    {
        FileVertex vertex;
        vertex.host = words[0] == "host";
        if (words.size() != 2 && (vertex.host || words.size() != 3))
        {
            return vertex.host ? "host takes one name"
                               : "switch takes a name and perhaps a number of ports";
        }
        vertex.name = words[1];
        vertex.ports = vertex.host ? 1 : m_config.switchPorts;
        if (words.size() == 3 && !ReadCount(words[2], MAX_PORTS, vertex.ports))
        {
            return "\"" + words[2] + "\" is not a number of ports from 1 to " +
                   std::to_string(MAX_PORTS);
        }
        if (!m_numbers.emplace(vertex.name, vertices.size()).second)
        {
            return "the name " + vertex.name + " is taken already";
        }
        hosts += vertex.host;
        if (hosts > Topology::MAX_HOSTS ||
            vertices.size() - hosts + 1 > Topology::MAX_SWITCHES + uint32_t{1})
        {
            return "there are more than " + std::to_string(Topology::MAX_HOSTS) + " hosts or " +
                   std::to_string(Topology::MAX_SWITCHES) + " switches";
        }
        vertices.push_back(vertex);
        return "";
    }

    /**
     * Read a line that adds a link.
     * @param words its words
     * @return what is wrong with it, or an empty text
     */
    std::string ReadLink(const std::vector<std::string>& words)
    {
        if (words.size() != 3 && words.size() != 4)
        {
            return "link takes two names and perhaps a length in metres";
        }
        std::array<uint32_t, 2> ends{};
        for (unsigned n = 0; n < 2; ++n)
        {
            const auto found = m_numbers.find(words[1 + n]);
            if (found == m_numbers.end())
            {
                return "there is no host or switch " + words[1 + n] + " above this line";
            }
            ends[n] = found->second;
        }
        if (ends[0] == ends[1])
        {
            return "the link leads from " + words[1] + " to itself";
        }
        if (vertices[ends[0]].host && vertices[ends[1]].host)
        {
            return "a link joins a host to a switch or two switches, not the hosts " + words[1] +
                   " and " + words[2];
        }
        double cable = m_config.cable;
        if (words.size() == 4 && !ReadLength(words[3], cable))
        {
            return "\"" + words[3] + "\" is not a length from 0 to 10000 metres";
        }
        for (const uint32_t end : ends)
        {
            FileVertex& vertex = vertices[end];
            if (++vertex.used > vertex.ports)
            {
                return vertex.name + " has " + std::to_string(vertex.ports) +
                       (vertex.ports == 1 ? " port, which has its link already"
                                          : " ports, which have their links already");
            }
        }
        links.push_back(FileLink{ends[0], ends[1], cable});
        return "";
    }

    const TopologyConfig& m_config;            ///< For what lines leave out.
    std::map<std::string, uint32_t> m_numbers; ///< Vertices by name, in the order of the lines.
};

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
        AddVertex(MakeName("h", host), 0);
    }
}

Topology
Topology::Make(const TopologyConfig& config, std::string& error)
{
    error.clear();
    Topology topology;
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
        std::ifstream in(config.file);
        if (!in)
        {
            error = config.file.empty()
                        ? "Topology graph needs TopologyFile, a file of hosts, switches and links."
                        : "The topology file " + config.file + " cannot be read.";
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
    // A switch has k ports, half of them down. One level serves k hosts, two levels k*k/2, and
    // three levels k*k*k/4: leaves, then k/2 pods' switches each, then a core.
    const uint32_t k = config.switchPorts;
    const uint32_t half = k / 2;
    const uint64_t two = uint64_t{k} * half;
    const uint64_t three = two * half;
    if (k % 2 != 0 || config.nodes > three)
    {
        error = k % 2 != 0
                    ? "A Clos network needs switches with an even number of ports, not " +
                          std::to_string(k) + "."
                    : "A Clos network of three levels of switches with " + std::to_string(k) +
                          " ports takes at most " + std::to_string(three) + " hosts, not " +
                          std::to_string(config.nodes) + "; use a larger SwitchPorts.";
        return;
    }
    AddHosts(config.nodes);
    const auto add = [this](const char* kind, uint32_t number, uint32_t rank) {
        return AddVertex(MakeName(kind, number), rank);
    };
    const uint32_t levels = config.nodes <= k ? 1 : config.nodes <= two ? 2 : 3;
    const uint32_t perLeaf = levels == 1 ? k : half;
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
        AddVertex(MakeName("s", n), 0);
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
    error.clear();
    Reader reader(config);
    uint32_t number = 0;
    for (std::string line; std::getline(in, line);)
    {
        ++number;
        if (const std::string problem = reader.Read(line); !problem.empty())
        {
            error = name + ", line " + std::to_string(number) + ": " + problem + ".";
            return Topology();
        }
    }
    if (reader.hosts == 0)
    {
        error = name + " has no line that says host NAME; a network needs at least one.";
        return Topology();
    }
    Topology topology;
    topology.m_nHosts = reader.hosts;
    std::vector<uint32_t> numbers(reader.vertices.size());
    for (const bool hosts : {true, false})
    {
        for (std::size_t n = 0; n < reader.vertices.size(); ++n)
        {
            if (reader.vertices[n].host == hosts)
            {
                numbers[n] = topology.AddVertex(reader.vertices[n].name, 0);
            }
        }
    }
    for (const FileLink& link : reader.links)
    {
        topology.AddLink(numbers[link.from], numbers[link.to], link.cable);
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
