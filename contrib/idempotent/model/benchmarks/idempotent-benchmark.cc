/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark.h"

#include "ns3/messaging-frame-header.h"

#include <algorithm>

namespace ns3
{
namespace idempotent
{

std::string
CheckSize(const std::string& name, uint32_t nodes, uint64_t words, const RecorderConfig& machine)
{
    if (nodes == 0 || nodes > MOST_NODES)
    {
        return name + " needs from 1 to " + std::to_string(MOST_NODES) + " nodes, not " +
               std::to_string(nodes);
    }
    if (words > MOST_WORDS)
    {
        return name + " of this size takes " + std::to_string(words) +
               " messages or words of data, but at most " + std::to_string(MOST_WORDS) +
               " can be recorded";
    }
    return machine.Check();
}

RecordedBenchmark
FinishBenchmark(Recorder& recorder, const std::string& wrong, const std::string& right)
{
    RecordedBenchmark result;
    result.trace = recorder.Finish();
    result.verified = wrong.empty();
    result.finding = wrong.empty() ? right : wrong;
    return result;
}

std::vector<NodeTree::Range>
NodeTree::Cut(Range range, uint32_t arity)
{
    std::vector<Range> runs;
    const uint32_t parts = std::min(arity, range.count);
    uint32_t first = range.first;
    for (uint32_t part = 0; part < parts; ++part)
    {
        const uint32_t count = range.count / parts + (part < range.count % parts ? 1 : 0);
        runs.push_back({.first = first, .count = count});
        first += count;
    }
    return runs;
}

std::vector<NodeTree::Range>
NodeTree::Split(Range range, uint32_t arity)
{
    return Cut({.first = range.first + 1, .count = range.count - 1}, arity);
}

NodeTree::NodeTree(uint32_t nodes, uint32_t arity)
    : m_children(nodes)
{
    std::vector<Range> open{{.first = 0, .count = nodes}};
    while (!open.empty())
    {
        const Range range = open.back();
        open.pop_back();
        for (const Range& child : Split(range, arity))
        {
            m_children[range.first].push_back(child.first);
            open.push_back(child);
        }
    }
}

uint64_t
DataGenerator::Next()
{
    m_state += 0x9e3779b97f4a7c15;
    return messaging::SpreadBits(m_state);
}

double
DataGenerator::NextReal()
{
    return static_cast<double>(Next() >> 11) * 0x1.0p-53;
}

} // namespace idempotent
} // namespace ns3
