/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-topology.h"

#include "ns3/log.h"
#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandTopology");

namespace
{

/**
 * Get the least number of switches of a level to which the level below connects evenly: each switch
 * below has equally many links to each of them.
 * @param below number of switches below
 * @param links links up of each switch below
 * @param ports ports of a switch above
 * @return the number of switches, a divisor of links
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

/** Scanner of a line, from left to right. */
class Cursor
{
  public:
    /**
     * Construct.
     * @param text the line
     */
    explicit Cursor(std::string_view text)
        : m_text(text)
    {
        SkipSpace();
    }

    /** @return whether the line is consumed. */
    bool AtEnd() const
    {
        return m_text.empty();
    }

    /**
     * Consume a text and the space after it.
     * @param text the text
     * @return whether the text was next
     */
    bool Take(std::string_view text)
    {
        if (!m_text.starts_with(text))
        {
            return false;
        }
        m_text.remove_prefix(text.size());
        SkipSpace();
        return true;
    }

    /**
     * Consume a number.
     * @param value set to it
     * @param base base of the digits
     * @return whether a number was next
     */
    template <class Number>
    bool TakeNumber(Number& value, int base = 10)
    {
        const auto [at, problem] =
            std::from_chars(m_text.data(), m_text.data() + m_text.size(), value, base);
        if (problem != std::errc())
        {
            return false;
        }
        m_text.remove_prefix(static_cast<std::size_t>(at - m_text.data()));
        SkipSpace();
        return true;
    }

    /**
     * Consume a text in quotation marks.
     * @param value set to it
     * @return whether one was next
     */
    bool TakeQuoted(std::string& value)
    {
        const std::size_t end = m_text.find('"', 1);
        if (!m_text.starts_with('"') || end == std::string_view::npos)
        {
            return false;
        }
        value = m_text.substr(1, end - 1);
        m_text.remove_prefix(end + 1);
        SkipSpace();
        return true;
    }

    /** @return the next word, which is consumed. */
    std::string TakeWord()
    {
        const std::size_t end = std::min(m_text.find_first_of(" \t"), m_text.size());
        const std::string word(m_text.substr(0, end));
        m_text.remove_prefix(end);
        SkipSpace();
        return word;
    }

  private:
    /** Consume white space. */
    void SkipSpace()
    {
        m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\r"), m_text.size()));
    }

    std::string_view m_text; ///< Remaining text.
};

/** Possible widths of a link. */
constexpr std::array<uint8_t, 5> WIDTHS{1, 2, 4, 8, 12};

/** What ibnetdiscover prints for an unknown width, and for an unknown rate. */
constexpr std::string_view UNKNOWN_WIDTH = "??";
constexpr std::string_view UNKNOWN_RATE = "???";

/** Width and rate of a link at one of its ends, as far as they are known. */
struct StatedSpeed
{
    std::optional<uint8_t> width; ///< Lanes.
    std::optional<LinkRate> rate; ///< Rate of a lane.
};

/**
 * Read the width and rate of a link.
 * @param word such as 4xSDR, or ?? or ??? in place of what is unknown
 * @param speed set to what is known
 * @return whether the word is valid
 */
bool
ReadSpeed(std::string_view word, StatedSpeed& speed)
{
    if (word.starts_with(UNKNOWN_WIDTH))
    {
        word.remove_prefix(UNKNOWN_WIDTH.size());
    }
    else
    {
        const std::size_t cross = word.find('x');
        uint8_t width = 0;
        if (!messaging::ReadNumber(word.substr(0, cross), 0, UINT8_MAX, width) ||
            std::find(WIDTHS.begin(), WIDTHS.end(), width) == WIDTHS.end())
        {
            return false;
        }
        speed.width = width;
        word.remove_prefix(cross + 1);
    }
    if (word == UNKNOWN_RATE)
    {
        return true;
    }
    const auto* const name = std::find(RATE_NAMES.begin(), RATE_NAMES.end(), word);
    if (name == RATE_NAMES.end())
    {
        return false;
    }
    speed.rate = static_cast<LinkRate>(name - RATE_NAMES.begin());
    return true;
}

/** @return whether a word of a comment states a speed. @param word the word */
bool
IsSpeed(std::string_view word)
{
    const bool number = !word.empty() && word.front() >= '0' && word.front() <= '9';
    return word.starts_with(UNKNOWN_WIDTH) ||
           (number && word.find('x') != std::string_view::npos && !word.starts_with("0x"));
}

/** @return what is known, with question marks for the rest. @param speed a speed */
std::string
Describe(const StatedSpeed& speed)
{
    const std::string width =
        speed.width ? std::to_string(*speed.width) + "x" : std::string(UNKNOWN_WIDTH);
    return width +
           (speed.rate ? RATE_NAMES[static_cast<uint8_t>(*speed.rate)] : UNKNOWN_RATE.data());
}

} // namespace

std::string
GetSpeedName(LinkSpeed speed)
{
    return Describe({speed.width, speed.rate});
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
    vertex.firstPort = static_cast<PortId>(m_ports.size());
    vertex.nPorts = ports;
    vertex.kind = kind;
    m_vertices.push_back(vertex);
    m_ports.resize(m_ports.size() + ports, Port{NO_PORT, number, {}});
    m_nHosts += kind == Kind::HOST;
    return number;
}

uint32_t
Topology::AddAll(Kind kind, const std::string& name, uint32_t count, uint32_t ports)
{
    const auto first = static_cast<uint32_t>(m_vertices.size());
    for (uint32_t n = 0; n < count; ++n)
    {
        Add(kind, name + std::to_string(n), ports);
    }
    return first;
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
    const LinkSpeed speed{.rate = rate};
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
        [[fallthrough]];
    case TopologyKind::FAT_TREE:
        topology.MakeFatTree(config, speed, error);
        break;
    case TopologyKind::FILE: {
        std::ifstream in;
        if (config.file.empty())
        {
            error = "Topology file needs TopologyFile, a file as ibnetdiscover prints it.";
            break;
        }
        error = messaging::OpenTextFile(config.file, in);
        if (!error.empty())
        {
            error = "TopologyFile " + error;
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
    // connected to all spines, by several cables if few spines suffice. Three levels: pods of k/2
    // leaves and `up` middle switches; the n-th middle switches of all pods share their core
    // switches.
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
                " times as many ports down as up; at least one port has to lead up, and one down.";
        return;
    }
    if (config.hosts > three)
    {
        error = "A fat tree of three levels of switches with " + std::to_string(k) + " ports, " +
                std::to_string(down) + " down from a leaf, takes at most " + std::to_string(three) +
                " hosts, not " + std::to_string(config.hosts) +
                "; use a larger SwitchPorts or Oversubscription.";
        return;
    }
    uint32_t levels = 3;
    if (config.hosts <= k)
    {
        levels = 1;
    }
    else if (config.hosts <= two)
    {
        levels = 2;
    }
    const uint32_t perLeaf = levels == 1 ? k : down;
    const uint32_t leaves = (config.hosts + perLeaf - 1) / perLeaf;
    AddAll(Kind::HOST, "h", config.hosts, 1);
    const uint32_t leaf =
        AddAll(Kind::SWITCH, config.kind == TopologyKind::SWITCH ? "s" : "leaf", leaves, k);
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
    const uint32_t spine = AddAll(Kind::SWITCH, "spine", pods * spines, k);
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
    // Down ports of a middle switch; it has as many up ports, at most half of all.
    const uint32_t middleUp = std::min(half, perPod * (up / spines));
    const uint32_t cores = CountAbove(pods, middleUp, k);
    const uint32_t core = AddAll(Kind::SWITCH, "core", spines * cores, k);
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

/** Collects the records of a file, then builds the topology. */
class TopologyReader
{
  public:
    /**
     * Construct.
     * @param rate rate of links whose ends both have none
     */
    explicit TopologyReader(LinkRate rate)
        : m_speed{.rate = rate}
    {
    }

    /**
     * Read one line.
     * @param text the line
     * @param number its number, from 1
     * @return the error, or an empty text
     */
    std::string Read(const std::string& text, uint32_t number)
    {
        Cursor at(text);
        if (at.AtEnd() || at.Take("#"))
        {
            return "";
        }
        if (at.Take("["))
        {
            return ReadPort(at, number);
        }
        for (const auto& [word, kind] : {std::pair("Switch", Topology::Kind::SWITCH),
                                         std::pair("Ca", Topology::Kind::HOST),
                                         std::pair("Hca", Topology::Kind::HOST),
                                         std::pair("Rt", Topology::Kind::ROUTER)})
        {
            Cursor record(text);
            if (record.TakeWord() == word)
            {
                return ReadRecord(record, kind);
            }
        }
        for (const char* known : {"vendid=",
                                  "devid=",
                                  "sysimgguid=",
                                  "switchguid=",
                                  "caguid=",
                                  "rtguid=",
                                  "Chassis ",
                                  "Non-Chassis Nodes",
                                  "DR path"})
        {
            if (at.Take(known))
            {
                return "";
            }
        }
        const std::string word = at.TakeWord();
        return "\"" + word + "\" begins no record of Switch, Ca or Rt and no port in []";
    }

    /**
     * Build the topology from all lines read.
     * @param topology set to the topology
     * @param line set to the number of the faulty line, or 0
     * @return the error, or an empty text
     */
    std::string Finish(Topology& topology, uint32_t& line)
    {
        line = 0;
        for (const bool hosts : {true, false})
        {
            for (Node& node : m_nodes)
            {
                if ((node.kind == Topology::Kind::HOST) == hosts)
                {
                    AddVertices(topology, node);
                }
            }
        }
        if (topology.m_nHosts == 0)
        {
            return "no channel adapter (a record that begins with Ca) has a cable";
        }
        for (const Node& node : m_nodes)
        {
            for (const auto& [number, cable] : node.cables)
            {
                line = cable.line;
                if (const std::string problem = Connect(topology, node, number, cable);
                    !problem.empty())
                {
                    return problem;
                }
            }
        }
        return "";
    }

  private:
    /** A port, as described by a line. */
    struct Cable
    {
        std::string peer;   ///< Node at the other end.
        uint32_t peerPort;  ///< Port number at the other end.
        uint32_t line;      ///< Line number of this description.
        StatedSpeed speed;  ///< Width and rate.
        Lid lid{0};         ///< LID of this port, of an adapter or router, or 0.
        uint8_t lmc{0};     ///< LMC of this port.
        uint32_t vertex{0}; ///< Vertex in the topology.
        uint32_t atPort{0}; ///< Port number at that vertex.
    };

    /** A record. */
    struct Node
    {
        std::string id;                   ///< S-, H- or R- and the GUID.
        std::string name;                 ///< Node description.
        Topology::Kind kind;              ///< Kind.
        uint32_t ports{0};                ///< Number of ports.
        Lid lid{0};                       ///< LID of a switch, or 0.
        std::map<uint32_t, Cable> cables; ///< Cables by port.
    };

    /**
     * Read the first line of a record.
     * @param at position after its first word
     * @param kind kind of the vertex
     * @return the error, or an empty text
     */
    std::string ReadRecord(Cursor& at, Topology::Kind kind)
    {
        Node node;
        node.kind = kind;
        if (!at.TakeNumber(node.ports) || !at.TakeQuoted(node.id))
        {
            return "a record has the form Switch|Ca|Rt PORTS \"ID\" # \"NAME\" ...";
        }
        const uint32_t most = kind == Topology::Kind::SWITCH ? Topology::MAX_SWITCH_PORTS : 255;
        if (node.ports == 0 || node.ports > most)
        {
            return node.id + " has " + std::to_string(node.ports) + " ports; 1 to " +
                   std::to_string(most) + " are allowed";
        }
        node.name = node.id;
        if (at.Take("#"))
        {
            at.TakeQuoted(node.name);
            while (!at.AtEnd())
            {
                if (at.TakeWord() == "lid" && !at.TakeNumber(node.lid))
                {
                    return "a number has to follow lid";
                }
            }
        }
        if (kind == Topology::Kind::HOST &&
            node.name.find(Topology::AGGREGATION) != std::string::npos)
        {
            node.kind = Topology::Kind::ROUTER;
        }
        if (!m_numbers.emplace(node.id, m_nodes.size()).second)
        {
            return "there is a record of " + node.id + " already";
        }
        m_nodes.push_back(node);
        return "";
    }

    /**
     * Read the line of a port.
     * @param at position after its [
     * @param line line number
     * @return the error, or an empty text
     */
    std::string ReadPort(Cursor& at, uint32_t line)
    {
        if (m_nodes.empty())
        {
            return "a port comes before the first record of Switch, Ca or Rt";
        }
        Node& node = m_nodes.back();
        Cable cable;
        cable.line = line;
        uint32_t number = 0;
        // The external port and the GUID of an end have no effect.
        const auto skipExtras = [&at] {
            uint64_t value = 0;
            return (!at.Take("[ext") || (at.TakeNumber(value) && at.Take("]"))) &&
                   (!at.Take("(") || (at.TakeNumber(value, 16) && at.Take(")")));
        };
        if (!at.TakeNumber(number) || !at.Take("]") || !skipExtras() ||
            !at.TakeQuoted(cable.peer) || !at.Take("[") || !at.TakeNumber(cable.peerPort) ||
            !at.Take("]") || !skipExtras() || (!at.AtEnd() && !at.Take("#")))
        {
            return "a port has the form [PORT](GUID) \"ID\"[PORT] # ...";
        }
        if (number == 0 || number > node.ports)
        {
            return node.id + " has no port " + std::to_string(number) + ", only 1 to " +
                   std::to_string(node.ports);
        }
        if (const std::string problem = ReadComment(at, cable); !problem.empty())
        {
            return problem;
        }
        if (!node.cables.emplace(number, cable).second)
        {
            return "port " + std::to_string(number) + " of " + node.id + " has a cable already";
        }
        return "";
    }

    /**
     * Read the comment of a port: for adapters and routers LID and LMC of the port, then the name
     * and LID of the other end, and the speed.
     * @param at position after its #
     * @param cable completed
     * @return the error, or an empty text
     */
    static std::string ReadComment(Cursor& at, Cable& cable)
    {
        bool own = true;
        while (!at.AtEnd())
        {
            std::string name;
            if (at.TakeQuoted(name))
            {
                own = false;
                continue;
            }
            const std::string word = at.TakeWord();
            if (word == "lid" || word == "lmc")
            {
                uint32_t value = 0;
                if (!at.TakeNumber(value))
                {
                    return "a number has to follow " + word;
                }
                if (own && word == "lid")
                {
                    cable.lid = value;
                }
                else if (own)
                {
                    cable.lmc = static_cast<uint8_t>(std::min(value, LARGEST_BYTE));
                }
            }
            if (IsSpeed(word) && !ReadSpeed(word, cable.speed))
            {
                return "\"" + word +
                       "\" is no width and rate of a link: 1x, 2x, 4x, 8x or 12x, and SDR, DDR, "
                       "QDR, "
                       "FDR10, FDR, EDR, HDR, NDR or XDR";
            }
        }
        return "";
    }

    /**
     * Add a node to the topology: a switch as one vertex, other nodes as one vertex for each port
     * with a cable.
     * @param topology the topology
     * @param node the node
     */
    static void AddVertices(Topology& topology, Node& node)
    {
        const bool whole = node.kind == Topology::Kind::SWITCH;
        const uint32_t vertex = whole ? topology.Add(node.kind, node.name, node.ports) : 0;
        for (auto& [number, cable] : node.cables)
        {
            if (whole)
            {
                cable.vertex = vertex;
                cable.atPort = number;
                continue;
            }
            cable.vertex = topology.Add(node.kind, node.name, 1);
            cable.atPort = 1;
            topology.m_vertices[cable.vertex].lid = cable.lid;
            topology.m_vertices[cable.vertex].lmc = cable.lmc;
        }
        if (whole)
        {
            topology.m_vertices[vertex].lid = node.lid;
        }
    }

    /**
     * Add a cable if its ends lead to each other.
     * @param topology the topology
     * @param node one end
     * @param number its port
     * @param cable its description at that end
     * @return the error, or an empty text
     */
    std::string Connect(Topology& topology,
                        const Node& node,
                        uint32_t number,
                        const Cable& cable) const
    {
        const auto found = m_numbers.find(cable.peer);
        if (found == m_numbers.end())
        {
            return "there is no record of " + cable.peer;
        }
        const Node& peer = m_nodes[found->second];
        const auto back = peer.cables.find(cable.peerPort);
        if (back == peer.cables.end() || back->second.peer != node.id ||
            back->second.peerPort != number)
        {
            return "port " + std::to_string(cable.peerPort) + " of " + cable.peer +
                   " does not lead back to port " + std::to_string(number) + " of " + node.id;
        }
        if (node.kind != Topology::Kind::SWITCH && peer.kind != Topology::Kind::SWITCH)
        {
            return "a cable joins " + node.id + " and " + peer.id +
                   "; one of its ends has to be a switch";
        }
        if (&node == &peer)
        {
            return "a cable leads from " + node.id + " to itself";
        }
        topology.Join(cable.vertex,
                      cable.atPort,
                      back->second.vertex,
                      back->second.atPort,
                      Agree(cable.speed, back->second.speed));
        return "";
    }

    /**
     * Find the speed of a cable from what its ends state: the smaller width and rate of both, what
     * one of them states, or the default.
     * @param here what one end states
     * @param there what the other end states
     * @return the speed
     */
    LinkSpeed Agree(const StatedSpeed& here, const StatedSpeed& there) const
    {
        const LinkSpeed speed{GetSmaller(here.width, there.width, m_speed.width),
                              GetSmaller(here.rate, there.rate, m_speed.rate)};
        const bool known = (here.width || there.width) && (here.rate || there.rate);
        const bool equal = (!here.width || !there.width || here.width == there.width) &&
                           (!here.rate || !there.rate || here.rate == there.rate);
        if (!known || !equal)
        {
            NS_LOG_WARN("A cable with " << Describe(here) << " and " << Describe(there)
                                        << " at its ends gets " << GetSpeedName(speed) << ".");
        }
        return speed;
    }

    /**
     * Find the smaller of two values, as far as they are known.
     * @param one a value, or nothing
     * @param other another one
     * @param unknown the result if there is none
     * @return the smaller value
     */
    template <class Value>
    static Value GetSmaller(const std::optional<Value>& one,
                            const std::optional<Value>& other,
                            Value unknown)
    {
        if (one && other)
        {
            return std::min(*one, *other);
        }
        return one.value_or(other.value_or(unknown));
    }

    static constexpr uint32_t LARGEST_BYTE = 255; ///< Largest value of a field of a byte.

    LinkSpeed m_speed;                            ///< Default width and rate.
    std::vector<Node> m_nodes;                    ///< Nodes in the order of the file.
    std::map<std::string, std::size_t> m_numbers; ///< Nodes by id.
};

Topology
Topology::Read(std::istream& in, const std::string& name, LinkRate rate, std::string& error)
{
    error.clear();
    TopologyReader reader(rate);
    error = messaging::ReadLines(in, name, [&reader](const std::string& line, uint32_t number) {
        return reader.Read(line, number);
    });
    if (!error.empty())
    {
        return Topology();
    }
    Topology topology;
    uint32_t line = 0;
    if (const std::string problem = reader.Finish(topology, line); !problem.empty())
    {
        error = name + (line > 0 ? ", line " + std::to_string(line) : "") + ": " + problem + ".";
        return Topology();
    }
    if (topology.m_nHosts > MAX_HOSTS)
    {
        error = name + " has " + std::to_string(topology.m_nHosts) + " hosts; at most " +
                std::to_string(MAX_HOSTS) + " are allowed.";
        return Topology();
    }
    return topology;
}

} // namespace infiniband
} // namespace ns3
