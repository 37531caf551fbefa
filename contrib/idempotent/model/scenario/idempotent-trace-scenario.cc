/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-scenario.h"

#include "ns3/idempotent-trace-file.h"
#include "ns3/messaging-attributes.h"

#include <cctype>

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(TraceScenario);

namespace
{

/**
 * Make a sentence of a clause.
 * @param clause the clause, may be empty
 * @return it with a capital letter and a full stop
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
    static TypeId tid = [] {
        using messaging::Range;
        using S = TraceScenario;
        constexpr uint32_t MOST = std::numeric_limits<uint32_t>::max();
        TypeId type = TypeId("ns3::idempotent::TraceScenario")
                          .SetParent<messaging::Scenario>()
                          .SetGroupName("Idempotent");
        messaging::Attributes<S> attributes(type);
        attributes
            .AddAttribute("Benchmark",
                          "Micro-benchmark, or file for a block-structured trace [name; section "
                          "4.1].",
                          &S::m_benchmark,
                          BenchmarkKind::REVERSE,
                          {{BenchmarkKind::REVERSE, "reverse"},
                           {BenchmarkKind::ADD, "add"},
                           {BenchmarkKind::QUICKSORT, "quicksort"},
                           {BenchmarkKind::NBODY, "nbody"},
                           {BenchmarkKind::FILE, "file"}})
            .AddAttribute("TraceFile", "File of benchmark file [file; user].", &S::m_traceFile, "")
            .AddAttribute("Nodes",
                          "Number of nodes; 0 for the published one: add 4096, reverse and "
                          "quicksort 1024, nbody 256 [nodes; section 4.1].",
                          &S::m_nodes,
                          0)
            .AddAttribute("Entries",
                          "Length of the vector of reverse or quicksort; 0 for the published 16 or "
                          "32 a node [entries; section 4.1].",
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
                          1);
        attributes.In(&S::m_add).AddAttribute(
            "AddVariant",
            "Passes of add: sum up a tree, or prefix sums [name; calibrated to the buffered column "
            "of Table 2a].",
            &AddParameters::variant,
            {{AddVariant::SUM, "sum"}, {AddVariant::PREFIX, "prefix"}});
        attributes.In(&S::m_reverse)
            .AddAttribute(
                "ReverseThreads",
                "Threads of reverse: forked, or at each node from time zero [name; "
                "calibrated to Table 2a].",
                &ReverseParameters::threads,
                {{ThreadCreation::FORKED, "forked"}, {ThreadCreation::PRELOADED, "preloaded"}});
        attributes.In(&S::m_nbody)
            .AddAttribute("StoresPerPeer",
                          "Stores of nbody that carry a body [stores; calibrated to the buffered "
                          "column of Table 2a].",
                          &NbodyParameters::storesPerPeer,
                          Range(1U, MOST))
            .AddAttribute("WordsPerStore",
                          "Data of each store of nbody [words; calibrated to the buffered column "
                          "of Table 2a].",
                          &NbodyParameters::wordsPerStore,
                          Range(1U, MOST))
            .AddAttribute("StoreInterval",
                          "Time between the stores of a broadcast of nbody [cycles; calibrated to "
                          "the buffered column of Table 2a].",
                          &NbodyParameters::storeInterval)
            .AddAttribute("BroadcastOrder",
                          "Order of the stores of nbody: row and column in turn, or the whole row "
                          "first [name; calibrated to the buffered column of Table 2a].",
                          &NbodyParameters::broadcast,
                          {{BroadcastOrder::INTERLEAVED, "interleaved"},
                           {BroadcastOrder::ROW_FIRST, "row-first"}})
            .AddAttribute("PhaseControl",
                          "Phases of nbody: forked, or kept apart by barriers [name; calibrated to "
                          "the buffered column of Table 2a].",
                          &NbodyParameters::control,
                          {{PhaseControl::FORKED, "forked"}, {PhaseControl::BARRIERS, "barriers"}});
        return type;
    }();
    return tid;
}

TraceScenario::TraceScenario() = default;

TraceScenario::~TraceScenario() = default;

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
               ? ReadFile().trace.GetNodes()
               : Visit([](const auto& parameters) { return parameters.nodes; });
}

std::string
TraceScenario::Check() const
{
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
        return "TraceFile has to name the file that holds the trace.";
    }
    if (const std::string& wrong = ReadFile().error; wrong.empty() && m_nodes != 0)
    {
        return "Nodes is given, but the file has its own number of nodes; 0 is allowed.";
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
