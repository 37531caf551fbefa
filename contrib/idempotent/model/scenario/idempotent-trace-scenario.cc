/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-scenario.h"

#include "ns3/idempotent-trace-file.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-text-file.h"

#include <cctype>
#include <map>
#include <sstream>
#include <string_view>
#include <type_traits>

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(TraceScenario);

namespace
{

/** Largest constant: the blocks of programs of the published size then fit a trace. */
constexpr uint32_t MAX_CONSTANT = 65535;

/**
 * Find the constants of a program and its machine.
 * @param p parameters of the program
 * @return the constants by name
 */
template <class Parameters>
std::map<std::string, uint32_t*>
FindConstants(Parameters& p)
{
    std::map<std::string, uint32_t*> found{{"LoadWords", &p.machine.loadWords},
                                           {"LoadReplyWords", &p.machine.loadReplyWords},
                                           {"StoreWords", &p.machine.storeWords},
                                           {"StoreReplyWords", &p.machine.storeReplyWords},
                                           {"ForkWords", &p.machine.forkWords},
                                           {"JoinWords", &p.machine.joinWords},
                                           {"FurtherWord", &p.machine.furtherWord},
                                           {"LocalReferenceTime", &p.machine.localReferenceTime},
                                           {"ForkTime", &p.machine.forkTime},
                                           {"ThreadStartTime", &p.machine.threadStartTime}};
    if constexpr (std::is_same_v<Parameters, ReverseParameters>)
    {
        found.insert({"ReverseStoresPerWait", &p.storesPerWait});
    }
    else if constexpr (std::is_same_v<Parameters, QuicksortParameters>)
    {
        found.insert({{"RecordWords", &p.recordWords},
                      {"QuicksortStoresPerWait", &p.storesPerWait},
                      {"CountTime", &p.countTime},
                      {"MoveTime", &p.moveTime},
                      {"LocalSortTime", &p.localSortTime}});
    }
    else if constexpr (std::is_same_v<Parameters, NbodyParameters>)
    {
        found.insert({{"Iterations", &p.iterations},
                      {"StoresPerPeer", &p.storesPerPeer},
                      {"WordsPerStore", &p.wordsPerStore},
                      {"StoreInterval", &p.storeInterval},
                      {"ComputeTime", &p.computeTime}});
    }
    return found;
}

/**
 * @param name name of a constant
 * @param parameters of programs
 * @return whether one of them has it
 */
template <class... Parameters>
bool
IsConstant(const std::string& name, Parameters... parameters)
{
    return (FindConstants(parameters).contains(name) || ...);
}

/**
 * Convert a clause to a sentence.
 * @param clause the clause, may be empty
 * @return the clause with a capital letter and a full stop
 */
std::string
MakeSentence(std::string clause)
{
    if (!clause.empty())
    {
        clause.front() =
            static_cast<char>(std::toupper(static_cast<unsigned char>(clause.front())));
        clause += clause.back() == '.' ? "" : ".";
    }
    return clause;
}

} // namespace

TypeId
TraceScenario::GetTypeId()
{
    using S = TraceScenario;
    static TypeId tid =
        messaging::Attributes<S>(TypeId("ns3::idempotent::TraceScenario")
                                     .SetParent<messaging::Scenario>()
                                     .SetGroupName("Idempotent"))
            .AddAttribute("Benchmark",
                          "Micro-benchmark, or file for a block-structured trace from TraceFile "
                          "[name; section 4.1].",
                          &S::m_benchmark,
                          BenchmarkKind::REVERSE,
                          {{BenchmarkKind::REVERSE, "reverse"},
                           {BenchmarkKind::ADD, "add"},
                           {BenchmarkKind::QUICKSORT, "quicksort"},
                           {BenchmarkKind::NBODY, "nbody"},
                           {BenchmarkKind::FILE, "file"}})
            .AddAttribute("TraceFile",
                          "Trace file of benchmark file [file; user].",
                          &S::m_traceFile,
                          "")
            .AddAttribute("Nodes",
                          "Number of nodes; 0 for the published one: add 4096, reverse and "
                          "quicksort 1024, nbody 256 [nodes; section 4.1].",
                          &S::m_nodes,
                          0)
            .AddAttribute("Entries",
                          "Length of the vector of reverse or quicksort; 0 for the published 16 "
                          "or 32 per node [entries; section 4.1].",
                          &S::m_entries,
                          0)
            .AddAttribute("DataSeed",
                          "Seed of the benchmark's random data [number; calibrated to the buffered "
                          "column of Table 2a].",
                          &S::m_dataSeed,
                          QuicksortParameters().seed)
            .AddAttribute("ThreadArity",
                          "Children of each thread in trees of threads [threads; calibrated to the "
                          "buffered column of Table 2a].",
                          &S::m_arity,
                          AddParameters().arity,
                          1)
            .AddAttribute("Constants",
                          "Overridden constants of the programs and of their machine, as in "
                          "\"StoreWords=7 CountTime=40\" [name=number; user].",
                          &S::m_constants,
                          "")
            .In(&S::m_add)
            .AddAttribute("AddVariant",
                          "Passes of add: sum only, or prefix sums [name; calibrated to the "
                          "buffered column of "
                          "Table 2a].",
                          &AddParameters::variant,
                          {{AddVariant::SUM, "sum"}, {AddVariant::PREFIX, "prefix"}})
            .In(&S::m_reverse)
            .AddAttribute(
                "ReverseThreads",
                "Threads of reverse: forked, or at each node from time zero [name; "
                "calibrated to Table 2a].",
                &ReverseParameters::threads,
                {{ThreadCreation::FORKED, "forked"}, {ThreadCreation::PRELOADED, "preloaded"}})
            .In(&S::m_nbody)
            .AddAttribute("BroadcastOrder",
                          "Order of the stores of nbody: row and column in turn, or the whole row "
                          "first [name; calibrated to the buffered column of Table 2a].",
                          &NbodyParameters::broadcast,
                          {{BroadcastOrder::INTERLEAVED, "interleaved"},
                           {BroadcastOrder::ROW_FIRST, "row-first"}})
            .AddAttribute("PhaseControl",
                          "Synchronisation of nbody: forked phases, or barriers [name; section "
                          "3.1].",
                          &NbodyParameters::control,
                          {{PhaseControl::FORKED, "forked"}, {PhaseControl::BARRIERS, "barriers"}});
    return tid;
}

template <class Parameters>
std::string
TraceScenario::SetConstants(Parameters& parameters) const
{
    const auto own = FindConstants(parameters);
    std::istringstream text(m_constants);
    for (std::string part; text >> part;)
    {
        const std::size_t sign = part.find('=');
        uint32_t value = 0;
        const std::string name = part.substr(0, sign);
        const std::string_view number = std::string_view(part).substr(sign + 1);
        if (!messaging::ReadNumber(number, 0, MAX_CONSTANT, value) ||
            !IsConstant(name, ReverseParameters(), QuicksortParameters(), NbodyParameters()))
        {
            return part;
        }
        if (const auto found = own.find(name); found != own.end())
        {
            *found->second = value;
        }
    }
    return "";
}

template <class Parameters>
Parameters
TraceScenario::Complete(Parameters parameters) const
{
    parameters.nodes = m_nodes ? m_nodes : Parameters().nodes;
    parameters.arity = m_arity;
    parameters.seed = m_dataSeed;
    if constexpr (requires { parameters.entries; })
    {
        const uint32_t density = Parameters().entries / Parameters().nodes;
        parameters.entries = m_entries ? m_entries : density * parameters.nodes;
    }
    SetConstants(parameters);
    return parameters;
}

template <class F>
auto
TraceScenario::Visit(F&& f) const
{
    switch (m_benchmark)
    {
    case BenchmarkKind::ADD:
        return f(Complete(m_add));
    case BenchmarkKind::QUICKSORT:
        return f(Complete(QuicksortParameters()));
    case BenchmarkKind::NBODY:
        return f(Complete(m_nbody));
    default:
        return f(Complete(m_reverse));
    }
}

uint32_t
TraceScenario::GetNNodes() const
{
    return m_benchmark == BenchmarkKind::FILE
               ? ReadFile().trace.nodes
               : Visit([](const auto& parameters) { return parameters.nodes; });
}

std::string
TraceScenario::Check() const
{
    ReverseParameters any;
    if (const std::string wrong = SetConstants(any); !wrong.empty())
    {
        return "Constants has \"" + wrong +
               "\"; it has to be the name of a constant, =, and a whole number up to " +
               std::to_string(MAX_CONSTANT) + ".";
    }
    if (m_benchmark != BenchmarkKind::FILE)
    {
        if (!m_traceFile.empty())
        {
            return "TraceFile has no effect where Benchmark is not file.";
        }
        return MakeSentence(Visit([](const auto& parameters) { return parameters.Check(); }));
    }
    if (m_traceFile.empty())
    {
        return "TraceFile has to name the trace file.";
    }
    if (const std::string& wrong = ReadFile().error; wrong.empty() && m_nodes != 0)
    {
        return "Nodes has to be 0, since the file sets the number of nodes.";
    }
    return ReadFile().error;
}

const RecordedBenchmark&
TraceScenario::ReadFile() const
{
    if (m_fileRead != m_traceFile)
    {
        auto read = ReadTraceFile(m_traceFile);
        m_file = RecordedBenchmark{std::move(read.trace),
                                   read.error.empty() ? "" : "TraceFile " + read.error,
                                   true,
                                   "the file holds a valid trace"};
        m_fileRead = m_traceFile;
    }
    return m_file;
}

RecordedBenchmark
TraceScenario::MakeTrace() const
{
    RecordedBenchmark recorded =
        m_benchmark == BenchmarkKind::FILE
            ? ReadFile()
            : Visit([](const auto& parameters) { return Record(parameters); });
    recorded.error = MakeSentence(recorded.error);
    return recorded;
}

} // namespace idempotent
} // namespace ns3
