/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-graph.h"

#include <charconv>
#include <map>
#include <sstream>

namespace ns3
{
namespace wormhole
{

namespace
{

/** Largest number of parallel channels of one line. */
constexpr uint32_t MAX_CHANNELS = 65536;

/** A link as a line gives it. */
struct Line
{
    uint32_t from;     ///< Its origin, in the order of the lines.
    uint32_t to;       ///< Its target.
    uint32_t channels; ///< Parallel channels.
};

/** What a text says, line by line. */
class Reader
{
  public:
    std::vector<bool> isNode; ///< By router in the order of the lines, whether it has a processor.
    std::vector<std::string> names; ///< By router in the order of the lines.
    std::vector<Line> lines;        ///< Links in the order of the lines, one direction each.

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
        if (words[0] == "node" || words[0] == "router")
        {
            return ReadRouter(words);
        }
        if (words[0] == "link" || words[0] == "channel")
        {
            return ReadLink(words);
        }
        return "\"" + words[0] + "\" is not one of node, router, link and channel";
    }

  private:
    /**
     * Read a line that adds a router.
     * @param words its words
     * @return what is wrong with it, or an empty text
     */
    std::string ReadRouter(const std::vector<std::string>& words)
    {
        if (words.size() != 2)
        {
            return words[0] + " takes one name";
        }
        if (!m_routers.emplace(words[1], isNode.size()).second)
        {
            return "the name " + words[1] + " is taken already";
        }
        isNode.push_back(words[0] == "node");
        names.push_back(words[1]);
        return isNode.size() > Graph::MAX_ROUTERS
                   ? "there are more than " + std::to_string(Graph::MAX_ROUTERS) + " routers"
                   : "";
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
            return words[0] + " takes two names and perhaps a number of channels";
        }
        std::array<uint32_t, 2> ends{};
        for (unsigned n = 0; n < 2; ++n)
        {
            const auto found = m_routers.find(words[1 + n]);
            if (found == m_routers.end())
            {
                return "there is no router " + words[1 + n] + " above this line";
            }
            ends[n] = found->second;
        }
        if (ends[0] == ends[1])
        {
            return words[0] + " leads from " + words[1] + " to itself";
        }
        uint32_t channels = 1;
        if (words.size() == 4)
        {
            const char* const end = words[3].data() + words[3].size();
            const auto [at, problem] = std::from_chars(words[3].data(), end, channels);
            if (problem != std::errc() || at != end || channels == 0 || channels > MAX_CHANNELS)
            {
                return "\"" + words[3] + "\" is not a number of channels from 1 to " +
                       std::to_string(MAX_CHANNELS);
            }
        }
        lines.push_back(Line{ends[0], ends[1], channels});
        if (words[0] == "link")
        {
            lines.push_back(Line{ends[1], ends[0], channels});
        }
        return "";
    }

    std::map<std::string, uint32_t> m_routers; ///< Routers by name, in the order of the lines.
};

} // namespace

std::unique_ptr<Graph>
Graph::Read(std::istream& in, const std::string& name, bool upDown, std::string& error)
{
    Reader reader;
    uint32_t number = 0;
    for (std::string line; std::getline(in, line);)
    {
        ++number;
        if (const std::string problem = reader.Read(line); !problem.empty())
        {
            error = name + ", line " + std::to_string(number) + ": " + problem + ".";
            return nullptr;
        }
    }

    const auto nRouters = static_cast<uint32_t>(reader.isNode.size());
    std::vector<uint32_t> numbers(nRouters);
    std::vector<std::string> names(nRouters);
    uint32_t next = 0;
    std::unique_ptr<Graph> graph(new Graph);
    for (const bool nodes : {true, false})
    {
        for (uint32_t router = 0; router < nRouters; ++router)
        {
            if (reader.isNode[router] == nodes)
            {
                names[next] = reader.names[router];
                numbers[router] = next++;
            }
        }
        graph->m_nNodes = nodes ? next : graph->m_nNodes;
    }
    if (graph->m_nNodes == 0)
    {
        error = name + " has no line that says node NAME; a network needs at least one.";
        return nullptr;
    }

    std::vector<std::vector<LinkEnd>> outgoing(nRouters);
    for (const Line& line : reader.lines)
    {
        const uint32_t from = numbers[line.from];
        outgoing[from].push_back(LinkEnd{from, numbers[line.to], line.channels, false});
    }
    std::vector<std::vector<Link>> incoming(nRouters);
    for (const auto& links : outgoing)
    {
        graph->m_firstLink.push_back(graph->GetNLinks());
        for (const LinkEnd& link : links)
        {
            incoming[link.target].push_back(graph->GetNLinks());
            graph->m_links.push_back(link);
        }
    }
    graph->m_firstLink.push_back(graph->GetNLinks());
    graph->m_upDown = upDown;
    graph->m_distance.assign(static_cast<std::size_t>(2) * graph->m_nNodes * nRouters, UNREACHED);
    graph->Orient();
    for (Peer to = 0; to < graph->m_nNodes; ++to)
    {
        graph->Measure(to, incoming);
        for (Peer from = 0; from < graph->m_nNodes; ++from)
        {
            const uint16_t distance = graph->DistanceFrom(from, 0, to);
            if (distance == UNREACHED)
            {
                error = name + ": node " + names[to] + " cannot be reached from node " +
                        names[from] + "; every node has to be reachable from every other.";
                return nullptr;
            }
            graph->m_diameter = std::max<uint32_t>(graph->m_diameter, distance);
        }
    }
    return graph;
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
    // Backwards from the destination: a packet that is in a phase after a link was, before it, in
    // phase 0, or in phase 1 as well if the link leads down.
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
