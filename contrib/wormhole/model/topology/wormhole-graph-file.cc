/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-graph-file.h"

#include "ns3/messaging-text.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ns3
{
namespace wormhole
{

using messaging::GraphText;
using messaging::ToText;

namespace
{

/** Largest number of parallel channels of one line. */
constexpr uint32_t MAX_CHANNELS = 65536;

/** Largest latency of a channel of anynet [cycles]. */
constexpr uint32_t MAX_LATENCY = 1024;

/** Words of anynet by GraphKind. */
constexpr std::array<const char*, 2> ANYNET_WORDS{"node", "router"};

/** @return the kinds of lines of a topology file, by GraphKind. */
std::vector<GraphText::Kind>
GetLines()
{
    const std::string channels = "a number of channels";
    return {{"node"},
            {"router"},
            {"link", true, channels, 1, 1, MAX_CHANNELS},
            {"channel", true, channels, 1, 1, MAX_CHANNELS}};
}

/** @return the error of a graph that is too large. @param routers its routers @param most limit */
std::string
CheckSize(std::size_t routers, uint32_t most)
{
    return routers > most ? ToText("there are more than ", most, " routers") : "";
}

/** A network of BookSim's anynet. */
class Anynet
{
  public:
    /** @param most largest number of routers */
    explicit Anynet(uint32_t most)
        : m_maxRouters(most)
    {
    }

    /** @return whether a line is one of anynet. @param words its words */
    static bool Accepts(const std::vector<std::string>& words)
    {
        return words.size() > 2 && FindKind(words[0]) && FindKind(words[2]);
    }

    /** @return the error of a line, or empty. @param words its words */
    std::string ReadLine(const std::vector<std::string>& words)
    {
        if (words.empty())
        {
            return "";
        }
        std::size_t at = 0;
        Vertex first;
        std::string error = ReadVertex(words, at, first);
        while (error.empty() && at < words.size())
        {
            Vertex other;
            error = ReadVertex(words, at, other);
            uint32_t latency = 1;
            if (error.empty() && at < words.size() && !FindKind(words[at]))
            {
                if (!messaging::ReadNumber(words[at], 1, MAX_LATENCY, latency))
                {
                    return ToText('"', words[at], "\" is not a latency from 1 to ", MAX_LATENCY);
                }
                ++at;
            }
            if (error.empty())
            {
                error = Connect(first, other, latency);
            }
        }
        return error;
    }

    /**
     * Make the graph.
     * @param error set on failure to what is wrong, without the name of the file
     * @return the graph
     */
    GraphText MakeGraph(std::string& error) const
    {
        GraphText graph;
        for (uint32_t node = 0; node < m_attachments.size(); ++node)
        {
            if (!m_attachments.contains(node))
            {
                error = ToText("has ", m_attachments.size(), " nodes, but no node ", node);
                return graph;
            }
            graph.vertices.push_back({ToText(node), NODE, 0});
        }
        const auto first = static_cast<uint32_t>(graph.vertices.size());
        for (uint32_t router = 0; router < m_routers.size(); ++router)
        {
            if (!m_routers.contains(router))
            {
                error = ToText("has ", m_routers.size(), " routers, but no router ", router);
                return graph;
            }
            graph.vertices.push_back({ToText("router ", router), ROUTER, 0});
        }
        for (const auto& [node, attachment] : m_attachments)
        {
            AddChannel(graph, node, first + attachment.router, attachment.latency);
            AddChannel(graph, first + attachment.router, node, attachment.latency);
        }
        for (const auto& [ends, latency] : m_latencies)
        {
            AddChannel(graph, first + ends.first, first + ends.second, latency);
        }
        error = CheckSize(graph.vertices.size(), m_maxRouters);
        if (!error.empty())
        {
            error = "is too large: " + error + ", with one for each node and further cycle";
        }
        return graph;
    }

  private:
    /** A node or router. */
    struct Vertex
    {
        GraphKind kind{NODE}; ///< Which of both.
        uint32_t number{0};   ///< Its number.
    };

    /** Router of a node. */
    struct Attachment
    {
        uint32_t router;  ///< Its number.
        uint32_t latency; ///< Latency of both directions [cycles].
    };

    /** @return the kind of a word, or nothing. @param word the word */
    static std::optional<GraphKind> FindKind(const std::string& word)
    {
        for (const GraphKind kind : {NODE, ROUTER})
        {
            if (word == ANYNET_WORDS[kind])
            {
                return kind;
            }
        }
        return std::nullopt;
    }

    /** @return the error, or empty. @param words words of the line @param at place of the vertex,
     * moved beyond it @param vertex set to it */
    std::string ReadVertex(const std::vector<std::string>& words,
                           std::size_t& at,
                           Vertex& vertex) const
    {
        const auto kind = FindKind(words[at]);
        const bool good = kind && at + 1 < words.size() &&
                          messaging::ReadNumber(words[at + 1], 0, m_maxRouters - 1, vertex.number);
        if (!good)
        {
            return ToText('"',
                          words[at],
                          "\" does not begin a node or router and its number from 0 to ",
                          m_maxRouters - 1);
        }
        vertex.kind = *kind;
        at += 2;
        return "";
    }

    /** @return the error, or empty. @param from first word of the line @param to what it is
     * connected to @param latency the latency [cycles] */
    std::string Connect(const Vertex& from, const Vertex& to, uint32_t latency)
    {
        for (const Vertex& end : {from, to})
        {
            if (end.kind == ROUTER)
            {
                m_routers.insert(end.number);
            }
        }
        if (from.kind == ROUTER && to.kind == ROUTER)
        {
            if (from.number == to.number)
            {
                return ToText("router ", from.number, " is connected to itself");
            }
            m_latencies[{from.number, to.number}] = latency;
            m_latencies.emplace(std::pair(to.number, from.number), 1);
            return "";
        }
        if (from.kind == to.kind)
        {
            return ToText("node ", from.number, " is connected to a node");
        }
        const bool fromNode = from.kind == NODE;
        const uint32_t node = fromNode ? from.number : to.number;
        const uint32_t router = fromNode ? to.number : from.number;
        const auto [attachment, fresh] = m_attachments.emplace(node, Attachment{router, latency});
        if (!fresh && attachment->second.router != router)
        {
            return ToText("node ",
                          node,
                          " is connected to routers ",
                          attachment->second.router,
                          " and ",
                          router);
        }
        attachment->second.latency = latency;
        return "";
    }

    /** Add a channel. @param graph the graph @param from its start @param to its end @param latency
     * its latency [cycles] */
    static void AddChannel(GraphText& graph, uint32_t from, uint32_t to, uint32_t latency)
    {
        for (uint32_t cycle = 1; cycle < latency; ++cycle)
        {
            const auto between = static_cast<uint32_t>(graph.vertices.size());
            graph.vertices.push_back({"", ROUTER, 0});
            graph.links.push_back({from, between, CHANNEL, 1});
            from = between;
        }
        graph.links.push_back({from, to, CHANNEL, 1});
    }

    uint32_t m_maxRouters;                                         ///< Largest number of routers.
    std::set<uint32_t> m_routers;                                  ///< Routers.
    std::map<uint32_t, Attachment> m_attachments;                  ///< Routers of nodes.
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_latencies; ///< Between routers [cycles].
};

/** @return whether a text is one of anynet, by its first line. @param in the text, rewound */
bool
IsAnynet(std::istream& in)
{
    bool anynet = false;
    messaging::ReadLines(in, "", [&anynet](const std::string& line, uint32_t) -> std::string {
        const auto words = messaging::SplitWords(line);
        anynet = Anynet::Accepts(words);
        return words.empty() ? "" : "found";
    });
    in.clear();
    in.seekg(0);
    return anynet;
}

} // namespace

GraphText
ReadGraphFile(std::istream& in, const std::string& name, uint32_t most, std::string& error)
{
    GraphText graph;
    if (IsAnynet(in))
    {
        Anynet anynet(most);
        error = messaging::ReadLines(in, name, [&anynet](const std::string& line, uint32_t) {
            return anynet.ReadLine(messaging::SplitWords(line));
        });
        if (error.empty())
        {
            graph = anynet.MakeGraph(error);
            if (!error.empty())
            {
                error = name + ' ' + error + '.';
            }
        }
        return graph;
    }
    error = graph.Read(in, name, GetLines(), "router", [most](const GraphText& read) {
        return CheckSize(read.vertices.size(), most);
    });
    return graph;
}

} // namespace wormhole
} // namespace ns3
