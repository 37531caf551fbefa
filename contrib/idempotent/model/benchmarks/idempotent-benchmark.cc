/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-benchmark.h"

#include "idempotent-benchmark-add.h"
#include "idempotent-benchmark-nbody.h"
#include "idempotent-benchmark-quicksort.h"
#include "idempotent-benchmark-reverse.h"

#include "ns3/log.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentBenchmark");

namespace
{

/// Maximum number of nodes of a micro-benchmark: sixteen times a million.
constexpr uint32_t MOST_NODES = uint32_t{1} << 24;

/// Maximum number of messages, and of words of data, of a micro-benchmark; they have to fit in
/// memory.
constexpr uint64_t MOST_WORDS = uint64_t{1} << 29;

/// A micro-benchmark.
struct Program
{
    const char* name; ///< Its name.
    uint32_t nodes;   ///< Published number of nodes (section 4.1).
    uint32_t density; ///< Published number of entries per node (section 4.1).
    TraceOrError (*record)(const BenchmarkParameters&); ///< Records it.
};

/// @param kind a micro-benchmark @return its description
const Program&
GetProgram(BenchmarkKind kind)
{
    static constexpr std::array<Program, 4> PROGRAMS{{{"add", 4096, 0, RecordAdd},
                                                      {"reverse", 1024, 16, RecordReverse},
                                                      {"quicksort", 1024, 32, RecordQuicksort},
                                                      {"nbody", 256, 0, RecordNbody}}};
    return PROGRAMS.at(static_cast<std::size_t>(kind));
}

/**
 * Estimates the size of a recording.
 *
 * @param p complete parameters
 * @return number of messages or of words of data, whichever is larger
 */
uint64_t
CountWords(const BenchmarkParameters& p)
{
    switch (p.kind)
    {
    case BenchmarkKind::ADD:
        return uint64_t{p.nodes} * 5;
    case BenchmarkKind::REVERSE:
        return uint64_t{p.nodes} * 3 + uint64_t{p.entries} * 2;
    case BenchmarkKind::QUICKSORT: {
        // Each entry moves about three times per two halvings of the nodes, with a reply each.
        const uint64_t moves = uint64_t{p.entries} * 3 * std::bit_width(p.nodes);
        return std::max(moves, (uint64_t{p.entries} + p.nodes) * p.recordWords * 3);
    }
    default: {
        const uint64_t sent = uint64_t{2} * p.iterations * (uint64_t{2} * p.storesPerPeer + 1);
        const uint64_t body = uint64_t{p.storesPerPeer} * p.wordsPerStore;
        return std::max(sent, 2 * body + FORCE_WORDS) * GetSide(p.nodes) * p.nodes;
    }
    }
}

/// Largest constant: the blocks of programs of the published size then fit a trace.
constexpr uint32_t MAX_CONSTANT = 65535;

/**
 * Finds the constants of the programs and their machine.
 *
 * @param p parameters of a program
 * @return the constants by name
 */
std::map<std::string, uint32_t*>
FindConstants(BenchmarkParameters& p)
{
    return {{"LoadWords", &p.machine.loadWords},
            {"LoadReplyWords", &p.machine.loadReplyWords},
            {"StoreWords", &p.machine.storeWords},
            {"StoreReplyWords", &p.machine.storeReplyWords},
            {"ForkWords", &p.machine.forkWords},
            {"JoinWords", &p.machine.joinWords},
            {"FurtherWord", &p.machine.furtherWord},
            {"LocalReferenceTime", &p.machine.localReferenceTime},
            {"ForkTime", &p.machine.forkTime},
            {"ThreadStartTime", &p.machine.threadStartTime},
            {"ReverseStoresPerWait", &p.reverseStoresPerWait},
            {"RecordWords", &p.recordWords},
            {"QuicksortStoresPerWait", &p.quicksortStoresPerWait},
            {"CountTime", &p.countTime},
            {"MoveTime", &p.moveTime},
            {"LocalSortTime", &p.localSortTime},
            {"Iterations", &p.iterations},
            {"StoresPerPeer", &p.storesPerPeer},
            {"WordsPerStore", &p.wordsPerStore},
            {"StoreInterval", &p.storeInterval},
            {"ComputeTime", &p.computeTime}};
}

/**
 * Overrides constants.
 *
 * @param parameters the parameters of a program, with a text of overrides; changed
 * @return empty, or the first invalid part of the text
 */
std::string
Override(BenchmarkParameters& parameters)
{
    const auto known = FindConstants(parameters);
    std::istringstream text(parameters.constants);
    for (std::string part; text >> part;)
    {
        const std::size_t sign = part.find('=');
        const auto found = known.find(part.substr(0, sign));
        const std::string_view number = std::string_view(part).substr(sign + 1);
        if (found == known.end() || !messaging::ReadNumber(number, 0, MAX_CONSTANT, *found->second))
        {
            return part;
        }
    }
    return "";
}

} // namespace

BenchmarkParameters
BenchmarkParameters::Complete() const
{
    BenchmarkParameters complete = *this;
    Override(complete);
    const Program& program = GetProgram(kind);
    if (nodes == 0)
    {
        complete.nodes = program.nodes;
    }
    if (entries == 0)
    {
        complete.entries = program.density * complete.nodes;
    }
    return complete;
}

std::string
BenchmarkParameters::Check() const
{
    BenchmarkParameters overridden = *this;
    if (const std::string wrong = Override(overridden); !wrong.empty())
    {
        return "Constants has \"" + wrong +
               "\"; it has to be the name of a constant, =, and a whole number up to " +
               std::to_string(MAX_CONSTANT) + ".";
    }
    const BenchmarkParameters p = Complete();
    const std::string needs = std::string("Benchmark ") + GetProgram(kind).name + " needs ";
    const bool nbody = kind == BenchmarkKind::NBODY;
    const uint64_t body = uint64_t{p.storesPerPeer} * p.wordsPerStore;
    if (p.nodes > MOST_NODES)
    {
        return needs + "up to " + std::to_string(MOST_NODES) + " nodes, not " +
               std::to_string(p.nodes) + ".";
    }
    if (kind == BenchmarkKind::ADD && arity < 2)
    {
        return needs + "trees of arity 2 or more.";
    }
    const bool hasTrees = kind != BenchmarkKind::REVERSE || threads == ThreadCreation::FORKED;
    if (hasTrees && (arity == 0 || (arity == 1 && p.nodes > 4096)))
    {
        return needs + "trees of arity 1 or more, and 2 or more beyond 4096 nodes.";
    }
    if (kind == BenchmarkKind::QUICKSORT && (p.recordWords < 2 || p.recordWords > 1024))
    {
        return needs + "records of 2 to 1024 words.";
    }
    if (nbody && uint64_t{GetSide(p.nodes)} * GetSide(p.nodes) != p.nodes)
    {
        return needs + "a square number of nodes, not " + std::to_string(p.nodes) + ".";
    }
    if (nbody && p.iterations == 0)
    {
        return needs + "at least one iteration.";
    }
    if (nbody && (body < BODY_WORDS || body > 1024))
    {
        return needs + "8 to 1024 words for all stores of a body, not " + std::to_string(body) +
               ".";
    }
    if (const uint64_t words = CountWords(p); words > MOST_WORDS)
    {
        return needs + std::to_string(words) + " messages or words of data; at most " +
               std::to_string(MOST_WORDS) + " can be recorded.";
    }
    return p.machine.Check();
}

TraceOrError
Record(const BenchmarkParameters& parameters)
{
    std::string error = parameters.Check();
    if (!error.empty())
    {
        return {.trace = {}, .error = std::move(error)};
    }
    TraceOrError recorded = GetProgram(parameters.kind).record(parameters.Complete());
    NS_LOG_INFO("Has recorded " << recorded.trace.blocks.size() << " blocks and "
                                << recorded.trace.messages.size() << " messages of "
                                << recorded.trace.nodes << " nodes");
    return recorded;
}

std::vector<NodeTree::Range>
NodeTree::Cut(Range range, uint32_t arity)
{
    std::vector<Range> runs;
    const uint32_t parts = std::min(arity, range.count);
    uint32_t first = range.first;
    for (uint32_t part = 0; part < parts; ++part)
    {
        uint32_t count = range.count / parts;
        if (part < range.count % parts)
        {
            ++count;
        }
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
