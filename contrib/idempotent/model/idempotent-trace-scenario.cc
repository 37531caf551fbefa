/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-scenario.h"

#include "idempotent-goal.h"
#include "idempotent-trace-file.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cctype>
#include <fstream>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentTraceScenario");
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
        TypeId type = TypeId("ns3::idempotent::TraceScenario")
                          .SetParent<messaging::Scenario>()
                          .SetGroupName("Idempotent");
        const auto number = [&type](const char* name,
                                    const char* help,
                                    uint32_t initial,
                                    uint32_t TraceScenario::* member,
                                    uint32_t least = 0) {
            type.AddAttribute(name,
                              help,
                              UintegerValue(initial),
                              MakeUintegerAccessor(member),
                              MakeUintegerChecker<uint32_t>(least));
        };
        const RecorderConfig machine;
        const AddParameters add;
        const ReverseParameters reverse;
        const QuicksortParameters quicksort;
        const NbodyParameters nbody;
        using S = TraceScenario;

        type.AddAttribute("Benchmark",
                          "Micro-benchmark, or file for a block-structured trace, or goal for a "
                          "GOAL schedule [-; section 4.1].",
                          EnumValue(BenchmarkKind::REVERSE),
                          MakeEnumAccessor<BenchmarkKind>(&S::m_benchmark),
                          MakeEnumChecker(BenchmarkKind::ADD,
                                          "add",
                                          BenchmarkKind::REVERSE,
                                          "reverse",
                                          BenchmarkKind::QUICKSORT,
                                          "quicksort",
                                          BenchmarkKind::NBODY,
                                          "nbody",
                                          BenchmarkKind::FILE,
                                          "file",
                                          BenchmarkKind::GOAL,
                                          "goal"));
        type.AddAttribute("TraceFile",
                          "Name of the file of benchmarks file and goal [-; user].",
                          StringValue(""),
                          MakeStringAccessor(&S::m_traceFile),
                          MakeStringChecker());
        number("Nodes",
               "Number of nodes; 0 for the published one: add 4096, reverse and quicksort 1024, "
               "nbody 256 [nodes; section 4.1].",
               0,
               &S::m_nodes);
        number("Entries",
               "Length of the vector of reverse or quicksort; 0 for the published 16 or 32 a node "
               "[entries; section 4.1].",
               0,
               &S::m_entries);
        type.AddAttribute("DataSeed",
                          "Where the benchmark's random data start [-; calibrated to the buffered "
                          "column of Table 2a].",
                          UintegerValue(quicksort.seed),
                          MakeUintegerAccessor(&S::m_dataSeed),
                          MakeUintegerChecker<uint64_t>());
        number("ThreadArity",
               "Children of each thread in trees of threads [threads; calibrated to the buffered "
               "column of Table 2a].",
               add.arity,
               &S::m_arity,
               1);
        type.AddAttribute("AddVariant",
                          "Passes of add: sum up a tree, or prefix sums [-; calibrated to the "
                          "buffered column of Table 2a].",
                          EnumValue(add.variant),
                          MakeEnumAccessor<AddVariant>(&S::m_addVariant),
                          MakeEnumChecker(AddVariant::SUM, "sum", AddVariant::PREFIX, "prefix"));
        number("AdditionTime",
               "One addition of add [cycles; default].",
               add.additionTime,
               &S::m_additionTime);
        type.AddAttribute("ReverseThreads",
                          "Whether the threads of reverse exist at time zero or are forked "
                          "[-; calibrated to Table 2a].",
                          EnumValue(reverse.threads),
                          MakeEnumAccessor<ThreadCreation>(&S::m_reverseThreads),
                          MakeEnumChecker(ThreadCreation::PRELOADED,
                                          "preloaded",
                                          ThreadCreation::FORKED,
                                          "forked"));
        number("ReverseStoresPerWait",
               "Stores of reverse between waits; 0 for one wait at the end [stores; calibrated to "
               "the buffered column of Table 2a].",
               reverse.storesPerWait,
               &S::m_reverseStoresPerWait);
        number("RecordWords",
               "Length of an entry of quicksort [words; calibrated to the buffered column of Table "
               "2a].",
               quicksort.recordWords,
               &S::m_recordWords,
               2);
        number("QuicksortStoresPerWait",
               "Stores of quicksort between waits; 0 for one wait at the end [stores; calibrated "
               "to the buffered column of Table 2a].",
               quicksort.storesPerWait,
               &S::m_quicksortStoresPerWait);
        number("CountTime",
               "Comparing an entry of quicksort with the pivot [cycles; calibrated to the buffered "
               "column of Table 2a].",
               quicksort.countTime,
               &S::m_countTime);
        number(
            "MoveTime",
            "Moving an entry of quicksort [cycles; calibrated to the buffered column of Table 2a].",
            quicksort.moveTime,
            &S::m_moveTime);
        number("LocalSortTime",
               "Sequential sort of quicksort, per entry and halving [cycles; calibrated to the "
               "buffered column of Table 2a].",
               quicksort.localSortTime,
               &S::m_localSortTime);
        number("Iterations",
               "Time steps of nbody [steps; calibrated to the buffered column of Table 2a].",
               nbody.iterations,
               &S::m_iterations,
               1);
        number("StoresPerPeer",
               "Stores of nbody that carry a body [stores; calibrated to the buffered column of "
               "Table 2a].",
               nbody.storesPerPeer,
               &S::m_storesPerPeer,
               1);
        number(
            "WordsPerStore",
            "Data of each store of nbody [words; calibrated to the buffered column of Table 2a].",
            nbody.wordsPerStore,
            &S::m_wordsPerStore,
            1);
        number("StoreInterval",
               "Time between the stores of a broadcast of nbody [cycles; calibrated to the "
               "buffered column of Table 2a].",
               nbody.storeInterval,
               &S::m_storeInterval);
        number("ComputeTime",
               "Forces of an iteration of nbody on one node [cycles; calibrated to the buffered "
               "column of Table 2a].",
               nbody.computeTime,
               &S::m_computeTime);
        type.AddAttribute(
            "PeerOrder",
            "Order in which nodes of nbody send to their peers: all to the k-th at "
            "once, or each to its own k-th [-; calibrated to the buffered column of Table 2a].",
            EnumValue(nbody.order),
            MakeEnumAccessor<PeerOrder>(&S::m_peerOrder),
            MakeEnumChecker(PeerOrder::SYNCHRONISED,
                            "synchronised",
                            PeerOrder::STAGGERED,
                            "staggered"));
        type.AddAttribute("BroadcastOrder",
                          "Whether the nodes of nbody send to row and column in turn, or to the "
                          "whole row first [-; calibrated to the buffered column of Table 2a].",
                          EnumValue(nbody.broadcast),
                          MakeEnumAccessor<BroadcastOrder>(&S::m_broadcastOrder),
                          MakeEnumChecker(BroadcastOrder::INTERLEAVED,
                                          "interleaved",
                                          BroadcastOrder::ROW_FIRST,
                                          "row-first"));
        type.AddAttribute(
            "PhaseControl",
            "How the threads of nbody keep in step [-; calibrated to the buffered column of Table "
            "2a].",
            EnumValue(nbody.control),
            MakeEnumAccessor<PhaseControl>(&S::m_phaseControl),
            MakeEnumChecker(PhaseControl::BARRIERS, "barriers", PhaseControl::FORKED, "forked"));
        number("LoadWords",
               "Request of a load, without checksum [words; calibrated to the buffered column of "
               "Table 2a].",
               machine.loadWords,
               &S::m_loadWords,
               1);
        number("LoadReplyWords",
               "Reply of a load with one word of data [words; calibrated to the buffered column of "
               "Table 2a].",
               machine.loadReplyWords,
               &S::m_loadReplyWords,
               1);
        number("StoreWords",
               "Store of one word of data [words; calibrated to the buffered column of Table 2a].",
               machine.storeWords,
               &S::m_storeWords,
               1);
        number("StoreReplyWords",
               "Completion of a store [words; calibrated to the buffered column of Table 2a].",
               machine.storeReplyWords,
               &S::m_storeReplyWords,
               1);
        number("ForkWords",
               "Fork: entry point, node and copied registers [words; calibrated to the buffered "
               "column of Table 2a].",
               machine.forkWords,
               &S::m_forkWords,
               1);
        number("JoinWords",
               "Join with one word of data [words; calibrated to the buffered column of Table 2a].",
               machine.joinWords,
               &S::m_joinWords,
               1);
        number("FurtherWord",
               "Length added by each word of data after the first [words; calibrated to the "
               "buffered column of Table 2a].",
               machine.furtherWord,
               &S::m_furtherWord);
        number("LocalReferenceTime",
               "Reference to local memory, per word [cycles; calibrated to the buffered column of "
               "Table 2a].",
               machine.localReferenceTime,
               &S::m_localReferenceTime);
        number(
            "ForkTime",
            "The parent's time for a fork [cycles; calibrated to the buffered column of Table 2a].",
            machine.forkTime,
            &S::m_forkTime);
        number("ThreadStartTime",
               "From the arrival of a fork to the first instruction [cycles; calibrated to the "
               "buffered column of Table 2a].",
               machine.threadStartTime,
               &S::m_threadStartTime);
        number("IssueTime",
               "Issue of a load, store or join [cycles; calibrated to the buffered column of Table "
               "2a].",
               machine.issueTime,
               &S::m_issueTime);
        number("ServiceTime",
               "A remote reference at its home [cycles; calibrated to the buffered column of Table "
               "2a].",
               machine.serviceTime,
               &S::m_serviceTime);
        number("GoalCyclesPerUnit",
               "Length of a GOAL schedule's unit of time [cycles; default].",
               1,
               &S::m_goalCyclesPerUnit,
               1);
        number("GoalHeaderBytes",
               "Header added to each message of a GOAL schedule [bytes; Figure 2].",
               12,
               &S::m_goalHeaderBytes);
        return type;
    }();
    return tid;
}

TraceScenario::TraceScenario() = default;

TraceScenario::~TraceScenario() = default;

uint32_t
TraceScenario::GetNNodes() const
{
    switch (m_benchmark)
    {
    case BenchmarkKind::ADD:
        return m_nodes ? m_nodes : AddParameters().nodes;
    case BenchmarkKind::REVERSE:
        return m_nodes ? m_nodes : ReverseParameters().nodes;
    case BenchmarkKind::QUICKSORT:
        return m_nodes ? m_nodes : QuicksortParameters().nodes;
    case BenchmarkKind::NBODY:
        return m_nodes ? m_nodes : NbodyParameters().nodes;
    case BenchmarkKind::FILE:
    case BenchmarkKind::GOAL:
        break;
    }
    return ReadFile().trace.GetNodes();
}

RecorderConfig
TraceScenario::MakeMachine() const
{
    RecorderConfig machine;
    machine.loadWords = m_loadWords;
    machine.loadReplyWords = m_loadReplyWords;
    machine.storeWords = m_storeWords;
    machine.storeReplyWords = m_storeReplyWords;
    machine.forkWords = m_forkWords;
    machine.joinWords = m_joinWords;
    machine.furtherWord = m_furtherWord;
    machine.localReferenceTime = m_localReferenceTime;
    machine.forkTime = m_forkTime;
    machine.threadStartTime = m_threadStartTime;
    machine.issueTime = m_issueTime;
    machine.serviceTime = m_serviceTime;
    return machine;
}

AddParameters
TraceScenario::MakeAdd() const
{
    AddParameters parameters;
    parameters.nodes = GetNNodes();
    parameters.arity = m_arity;
    parameters.variant = m_addVariant;
    parameters.additionTime = m_additionTime;
    parameters.seed = m_dataSeed;
    parameters.machine = MakeMachine();
    return parameters;
}

ReverseParameters
TraceScenario::MakeReverse() const
{
    ReverseParameters parameters;
    const uint32_t density = parameters.entries / parameters.nodes;
    parameters.nodes = GetNNodes();
    parameters.entries = m_entries ? m_entries : density * parameters.nodes;
    parameters.threads = m_reverseThreads;
    parameters.arity = m_arity;
    parameters.storesPerWait = m_reverseStoresPerWait;
    parameters.seed = m_dataSeed;
    parameters.machine = MakeMachine();
    return parameters;
}

QuicksortParameters
TraceScenario::MakeQuicksort() const
{
    QuicksortParameters parameters;
    const uint32_t density = parameters.entries / parameters.nodes;
    parameters.nodes = GetNNodes();
    parameters.entries = m_entries ? m_entries : density * parameters.nodes;
    parameters.recordWords = m_recordWords;
    parameters.arity = m_arity;
    parameters.storesPerWait = m_quicksortStoresPerWait;
    parameters.countTime = m_countTime;
    parameters.moveTime = m_moveTime;
    parameters.localSortTime = m_localSortTime;
    parameters.seed = m_dataSeed;
    parameters.machine = MakeMachine();
    return parameters;
}

NbodyParameters
TraceScenario::MakeNbody() const
{
    NbodyParameters parameters;
    parameters.nodes = GetNNodes();
    parameters.iterations = m_iterations;
    parameters.storesPerPeer = m_storesPerPeer;
    parameters.wordsPerStore = m_wordsPerStore;
    parameters.storeInterval = m_storeInterval;
    parameters.computeTime = m_computeTime;
    parameters.arity = m_arity;
    parameters.order = m_peerOrder;
    parameters.broadcast = m_broadcastOrder;
    parameters.control = m_phaseControl;
    parameters.seed = m_dataSeed;
    parameters.machine = MakeMachine();
    return parameters;
}

std::string
TraceScenario::Check() const
{
    switch (m_benchmark)
    {
    case BenchmarkKind::ADD:
        return MakeSentence(MakeAdd().Check());
    case BenchmarkKind::REVERSE:
        return MakeSentence(MakeReverse().Check());
    case BenchmarkKind::QUICKSORT:
        return MakeSentence(MakeQuicksort().Check());
    case BenchmarkKind::NBODY:
        return MakeSentence(MakeNbody().Check());
    case BenchmarkKind::FILE:
    case BenchmarkKind::GOAL:
        break;
    }
    if (m_traceFile.empty())
    {
        return "TraceFile has to name the file that holds the trace or the schedule.";
    }
    if (!std::ifstream(m_traceFile))
    {
        return "TraceFile " + Quoted(m_traceFile) + " cannot be read; an existing file is allowed.";
    }
    if (m_nodes != 0)
    {
        return "Nodes is given, but the file tells the number of nodes; 0 is allowed.";
    }
    return MakeSentence(ReadFile().error);
}

const RecordedBenchmark&
TraceScenario::ReadFile() const
{
    const bool isGoal = m_benchmark == BenchmarkKind::GOAL;
    const FileKey key{m_traceFile, isGoal, m_goalCyclesPerUnit, m_goalHeaderBytes};
    if (m_fileKey != key)
    {
        GoalConfig goal;
        goal.cyclesPerUnit = m_goalCyclesPerUnit;
        goal.headerBytes = m_goalHeaderBytes;
        auto read = isGoal ? ReadGoalTrace(m_traceFile, goal) : ReadTraceFile(m_traceFile);
        m_file = RecordedBenchmark{std::move(read.trace),
                                   read.error.empty() ? "" : "TraceFile " + read.error,
                                   true,
                                   "the file holds a valid trace"};
        m_fileKey = key;
    }
    return m_file;
}

RecordedBenchmark
TraceScenario::MakeTrace() const
{
    RecordedBenchmark recorded;
    switch (m_benchmark)
    {
    case BenchmarkKind::ADD:
        recorded = RecordAdd(MakeAdd());
        break;
    case BenchmarkKind::REVERSE:
        recorded = RecordReverse(MakeReverse());
        break;
    case BenchmarkKind::QUICKSORT:
        recorded = RecordQuicksort(MakeQuicksort());
        break;
    case BenchmarkKind::NBODY:
        recorded = RecordNbody(MakeNbody());
        break;
    case BenchmarkKind::FILE:
    case BenchmarkKind::GOAL:
        recorded = ReadFile();
        break;
    }
    recorded.error = MakeSentence(recorded.error);
    return recorded;
}

} // namespace idempotent
} // namespace ns3
