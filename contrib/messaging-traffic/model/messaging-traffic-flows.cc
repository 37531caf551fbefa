/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-flows.h"

#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace ns3
{
namespace messaging
{

namespace
{

/** Largest size of a flow [bytes]. */
constexpr uint32_t LARGEST_FLOW = std::numeric_limits<uint32_t>::max();

/** Largest start of a flow in a file [s]. */
constexpr double LATEST_START = 1e6;

/** Microseconds of a second. */
constexpr double MICROSECONDS = 1e6;

/** Words of a flow of HPCC's simulator. */
constexpr std::size_t HPCC_WORDS = 6;

/** @param random the source @param limit a limit @return a random number below it */
uint32_t
DrawBelow(const Ptr<UniformRandomVariable>& random, uint32_t limit)
{
    return static_cast<uint32_t>(random->GetInteger(0, limit - 1));
}

/**
 * Read a flow of HPCC's simulator.
 * @param words words of its line
 * @param hosts number of hosts
 * @return the flow, or none
 */
std::optional<TrafficFlow>
ReadHpccFlow(const std::vector<std::string>& words, uint32_t hosts)
{
    TrafficFlow flow;
    double start = 0;
    if (words.size() != HPCC_WORDS || !ReadNumber(words[0], 0, hosts - 1, flow.from) ||
        !ReadNumber(words[1], 0, hosts - 1, flow.to) ||
        !ReadNumber(words[4], 0, LARGEST_FLOW, flow.bytes) ||
        !ReadNumber(words[5], 0, LATEST_START, start))
    {
        return std::nullopt;
    }
    flow.start = Seconds(start);
    return flow;
}

/**
 * Read a connection of htsim, such as `3->5 id 7 start 0 size 2000000`.
 * @param words words of its line
 * @param hosts number of hosts
 * @return the flow, or none
 */
std::optional<TrafficFlow>
ReadConnection(const std::vector<std::string>& words, uint32_t hosts)
{
    const std::string arrow = "->";
    const auto middle = words[0].find(arrow);
    TrafficFlow flow;
    if (middle == std::string::npos || words.size() % 2 == 0 ||
        !ReadNumber(words[0].substr(0, middle), 0, hosts - 1, flow.from) ||
        !ReadNumber(words[0].substr(middle + arrow.size()), 0, hosts - 1, flow.to))
    {
        return std::nullopt;
    }
    bool hasStart = false;
    bool hasSize = false;
    for (std::size_t i = 1; i < words.size(); i += 2)
    {
        const std::string& value = words[i + 1];
        double start = 0;
        if (words[i] == "start" && ReadNumber(value, 0, LATEST_START * MICROSECONDS, start))
        {
            flow.start = Seconds(start / MICROSECONDS);
            hasStart = true;
        }
        else if (words[i] == "size" && ReadNumber(value, 0, LARGEST_FLOW, flow.bytes))
        {
            hasSize = true;
        }
        else if (words[i] != "id" && words[i] != "prio")
        {
            return std::nullopt;
        }
    }
    return hasStart && hasSize ? std::optional(flow) : std::nullopt;
}

} // namespace

std::vector<TrafficFlow>
MakePoissonFlows(Ptr<UniformRandomVariable> random,
                 uint32_t hosts,
                 uint32_t count,
                 const FlowSizes& sizes,
                 const FlowLoad& load)
{
    const double gap = sizes.GetMean() / (load.load * load.rate * hosts);
    double now = 0;
    std::vector<TrafficFlow> flows;
    flows.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        now -= gap * std::log1p(-random->GetValue(0, 1));
        TrafficFlow flow{.start = Seconds(now), .from = DrawBelow(random, hosts)};
        flow.to = DrawBelow(random, hosts - 1);
        if (flow.to >= flow.from)
        {
            ++flow.to;
        }
        flow.bytes = sizes.Get(random->GetValue(0, 1));
        flows.push_back(flow);
    }
    return flows;
}

std::vector<TrafficFlow>
MakeIncast(Ptr<UniformRandomVariable> random, uint32_t hosts, uint32_t senders, uint64_t bytes)
{
    // The first hosts of a random order: the receiver, then the senders.
    std::vector<Peer> order(hosts);
    std::iota(order.begin(), order.end(), 0);
    for (uint32_t i = 0; i <= senders; ++i)
    {
        std::swap(order[i], order[i + DrawBelow(random, hosts - i)]);
    }
    std::vector<TrafficFlow> flows;
    for (uint32_t i = 1; i <= senders; ++i)
    {
        const uint64_t part = bytes * i / senders - bytes * (i - 1) / senders;
        flows.push_back({.start = Time(),
                         .from = order[i],
                         .to = order[0],
                         .bytes = static_cast<uint32_t>(part)});
    }
    return flows;
}

std::vector<TrafficFlow>
MakePermutation(Ptr<UniformRandomVariable> random, uint32_t hosts, uint32_t bytes)
{
    // Sattolo's algorithm: one cycle of all, so that no host sends to itself.
    std::vector<Peer> to(hosts);
    std::iota(to.begin(), to.end(), 0);
    for (uint32_t i = hosts - 1; i > 0; --i)
    {
        std::swap(to[i], to[DrawBelow(random, i)]);
    }
    std::vector<TrafficFlow> flows;
    for (Peer from = 0; from < hosts; ++from)
    {
        flows.push_back({.start = Time(), .from = from, .to = to[from], .bytes = bytes});
    }
    return flows;
}

std::vector<TrafficFlow>
MakeAllToAll(uint32_t hosts, uint32_t bytes)
{
    std::vector<TrafficFlow> flows;
    for (uint32_t step = 1; step < hosts; ++step)
    {
        for (Peer from = 0; from < hosts; ++from)
        {
            flows.push_back(
                {.start = Time(), .from = from, .to = (from + step) % hosts, .bytes = bytes});
        }
    }
    return flows;
}

std::string
ReadFlows(const std::string& path, uint32_t hosts, std::vector<TrafficFlow>& flows)
{
    std::ifstream file;
    if (auto error = OpenTextFile(path, file); !error.empty())
    {
        return error;
    }
    std::vector<TrafficFlow> found;
    std::optional<uint64_t> count;
    bool isMatrix = false;
    auto error = ReadLines(file, path, [&](const std::string& line, uint32_t) -> std::string {
        const auto words = SplitWords(line);
        if (words.empty())
        {
            return "";
        }
        const bool isPair = words.size() == 2;
        uint64_t number = 0;
        if (!count && isPair && words[0] == "Nodes" &&
            ReadNumber(words[1], 1, LARGEST_FLOW, number))
        {
            isMatrix = true;
            return "";
        }
        const bool isCount = isMatrix ? isPair && words[0] == "Connections" : words.size() == 1;
        if (!count && isCount && ReadNumber(words.back(), 0, LARGEST_FLOW, number))
        {
            count = number;
            return "";
        }
        const auto flow = isMatrix ? ReadConnection(words, hosts) : ReadHpccFlow(words, hosts);
        if (!count || !flow || flow->from == flow->to)
        {
            return ToText('"', line, "\" is not a flow between two of ", hosts, " hosts");
        }
        found.push_back(*flow);
        return "";
    });
    if (error.empty() && found.size() != count.value_or(0))
    {
        error =
            ToText(path, " has ", found.size(), " flows, and announces ", count.value_or(0), '.');
    }
    if (error.empty())
    {
        std::stable_sort(found.begin(), found.end(), [](const auto& one, const auto& other) {
            return one.start < other.start;
        });
        flows = std::move(found);
    }
    return error;
}

} // namespace messaging
} // namespace ns3
