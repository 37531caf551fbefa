/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-replay.h"

#include "ns3/idempotent-benchmark.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Tests of the micro-benchmarks (section 4.1 of the paper): their results and their messages.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

/// A test of recorded programs.
class BenchmarkTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Checks that a program computed the right result and can be replayed to its end.
     *
     * @param recorded the program's trace
     * @param name its name
     * @return the cycles of its replay with a latency of 100 cycles
     */
    uint64_t Check(const TraceOrError& recorded, const std::string& name)
    {
        const Trace& trace = recorded.trace;
        NS_TEST_EXPECT_MSG_EQ(recorded.error, "", name);
        NS_TEST_EXPECT_MSG_EQ(trace.Validate(), "", name);
        const Replay replay = ReplayTrace(trace, LATENCY);
        NS_TEST_EXPECT_MSG_EQ(replay.delivered, trace.messages.size(), name << ": all messages");
        const auto never = std::count(replay.activated.begin(), replay.activated.end(), UINT64_MAX);
        NS_TEST_EXPECT_MSG_EQ(never, 0, name << ": all blocks are activated");
        return replay.end;
    }

    /**
     * Counts the messages of a kind that enter the network.
     *
     * @param trace a trace
     * @param kind the kind
     * @return the number
     */
    static uint32_t Count(const Trace& trace, MessageKind kind)
    {
        uint32_t count = 0;
        for (uint32_t block = 0; block < trace.blocks.size(); ++block)
        {
            for (uint32_t i = trace.blocks[block].first; i < trace.blocks[block].end; ++i)
            {
                const bool local = trace.messages[i].destination == trace.blocks[block].node;
                count += !local && trace.messages[i].kind == kind ? 1 : 0;
            }
        }
        return count;
    }

    static constexpr uint64_t LATENCY = 100; ///< Latency of the replays [cycles].
};

/// Parallel prefix addition.
class AddCase : public BenchmarkTestCase
{
  public:
    AddCase()
        : BenchmarkTestCase("E-16: add sums 4096 nodes' words with a fork and a join for each")
    {
    }

  private:
    void DoRun() override
    {
        const TraceOrError add = Record({.kind = BenchmarkKind::ADD});
        const uint64_t end = Check(add, "add");
        NS_TEST_EXPECT_MSG_EQ(add.trace.nodes, 4096, "the published size");
        NS_TEST_EXPECT_MSG_EQ(add.trace.GetNetworkMessages(), 8190, "out and back");
        NS_TEST_EXPECT_MSG_EQ(Count(add.trace, MessageKind::FORK), 4095, "a fork for each node");
        // Six levels of four consecutive forks; a thread starts, its fork and join cross the
        // network, and its parent makes three additions. A thread at the bottom loads its word
        // instead.
        const uint64_t level = 8 + 4 * 14 + 3 + 2 * LATENCY;
        NS_TEST_EXPECT_MSG_EQ(end, 6 * level - 8 + 8 + 2, "the critical path");

        BenchmarkParameters parameters{.kind = BenchmarkKind::ADD};
        for (const uint32_t nodes : {1, 2, 3, 5, 63, 64, 100, 1000})
        {
            for (const uint32_t arity : {2, 3, 4, 7})
            {
                for (const AddVariant variant : {AddVariant::SUM, AddVariant::PREFIX})
                {
                    parameters.nodes = nodes;
                    parameters.arity = arity;
                    parameters.addVariant = variant;
                    const TraceOrError odd = Record(parameters);
                    const std::string name =
                        std::to_string(nodes) + " nodes, arity " + std::to_string(arity);
                    Check(odd, name);
                    NS_TEST_EXPECT_MSG_EQ(odd.trace.GetNetworkMessages(),
                                          (nodes - 1) * (variant == AddVariant::SUM ? 2 : 3),
                                          name << ": one message a pass and node");
                }
            }
        }
        parameters.nodes = 16777217;
        NS_TEST_EXPECT_MSG_EQ(Record(parameters).error,
                              "Benchmark add needs up to 16777216 nodes, not 16777217.",
                              "too many");
        parameters.nodes = 9;
        parameters.arity = 1;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "a chain is refused");
        parameters.arity = 4;
        parameters.machine.forkWords = 0;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "an empty message is refused");
    }
};

/// Reversal of a vector.
class ReverseCase : public BenchmarkTestCase
{
  public:
    ReverseCase()
        : BenchmarkTestCase("E-17: reverse sends each of 16K entries across 1024 nodes")
    {
    }

  private:
    void DoRun() override
    {
        BenchmarkParameters parameters{.kind = BenchmarkKind::REVERSE};
        parameters.threads = ThreadCreation::PRELOADED;
        const TraceOrError reverse = Record(parameters);
        const uint64_t end = Check(reverse, "reverse");
        const Trace& trace = reverse.trace;
        NS_TEST_EXPECT_MSG_EQ(trace.nodes, 1024, "the published size");
        NS_TEST_EXPECT_MSG_EQ(trace.GetNetworkMessages(), 32768, "stores and replies");
        NS_TEST_EXPECT_MSG_EQ(Count(trace, MessageKind::STORE), 16384, "word by word");
        NS_TEST_EXPECT_MSG_EQ(end, 16 * 2 + 2 * LATENCY, "16 loads, and the last store's way");
        uint32_t crossing = 0;
        for (uint32_t block = 0; block < trace.blocks.size(); ++block)
        {
            for (uint32_t i = trace.blocks[block].first; i < trace.blocks[block].end; ++i)
            {
                crossing +=
                    (trace.messages[i].destination < 512) != (trace.blocks[block].node < 512) ? 1
                                                                                              : 0;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(crossing, 32768, "all cross the bisection");

        for (const ThreadCreation threads : {ThreadCreation::PRELOADED, ThreadCreation::FORKED})
        {
            for (const uint32_t nodes : {1, 2, 7, 64})
            {
                for (const uint32_t entries : {1, 6, 64, 1001})
                {
                    parameters.threads = threads;
                    parameters.nodes = nodes;
                    parameters.entries = entries;
                    parameters.reverseStoresPerWait = entries % 5;
                    Check(Record(parameters),
                          std::to_string(entries) + " entries on " + std::to_string(nodes));
                }
            }
        }
        parameters.entries = 4000000000;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "more words than memory");
        parameters.entries = 4;
        parameters.arity = 0;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "no arity");
    }
};

/// Sorting of a vector.
class QuicksortCase : public BenchmarkTestCase
{
  public:
    QuicksortCase()
        : BenchmarkTestCase("E-18: quicksort sorts 32K random entries on 1024 nodes")
    {
    }

  private:
    void DoRun() override
    {
        const TraceOrError sort = Record({.kind = BenchmarkKind::QUICKSORT});
        Check(sort, "quicksort");
        const Trace& trace = sort.trace;
        NS_TEST_EXPECT_MSG_EQ(trace.nodes, 1024, "the published size");
        NS_TEST_EXPECT_MSG_EQ(Count(trace, MessageKind::STORE),
                              Count(trace, MessageKind::STORE_REPLY),
                              "a reply for each store");
        // A partition moves nearly all entries; ten halvings reach single nodes, and random pivots
        // need about 1.39 times as many.
        const double moves = Count(trace, MessageKind::STORE) / 32768.0;
        NS_TEST_EXPECT_MSG_GT(moves, 9, "moves of an entry");
        NS_TEST_EXPECT_MSG_LT(moves, 14, "moves of an entry");

        BenchmarkParameters parameters{.kind = BenchmarkKind::QUICKSORT};
        for (const uint32_t nodes : {1, 2, 7, 64})
        {
            for (const uint32_t entries : {1, 2, 63, 500})
            {
                parameters.nodes = nodes;
                parameters.entries = entries;
                parameters.recordWords = 2 + entries % 4;
                parameters.quicksortStoresPerWait = entries % 5;
                parameters.seed = nodes + entries;
                Check(Record(parameters),
                      std::to_string(entries) + " entries on " + std::to_string(nodes));
            }
        }
        const TraceOrError one = Record(parameters);
        const TraceOrError again = Record(parameters);
        NS_TEST_EXPECT_MSG_EQ((one.trace == again.trace), true, "the same seed, the same trace");
        ++parameters.seed;
        NS_TEST_EXPECT_MSG_EQ((Record(parameters).trace == one.trace),
                              false,
                              "another seed, other data");
        parameters.entries = 1U << 31;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "more words than memory");
        parameters.recordWords = 1;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "no room for a record");
    }
};

/// Motion of bodies.
class NbodyCase : public BenchmarkTestCase
{
  public:
    NbodyCase()
        : BenchmarkTestCase("E-19: nbody broadcasts 256 bodies along rows and columns of 16 nodes")
    {
    }

  private:
    void DoRun() override
    {
        const TraceOrError standard = Record({.kind = BenchmarkKind::NBODY});
        Check(standard, "nbody");
        NS_TEST_EXPECT_MSG_EQ(standard.trace.nodes, 256, "the published size");

        BenchmarkParameters parameters{.kind = BenchmarkKind::NBODY};
        parameters.iterations = 8;
        parameters.storesPerPeer = 4;
        parameters.wordsPerStore = 4;
        parameters.storeInterval = 15;
        parameters.computeTime = 2200;
        parameters.control = PhaseControl::BARRIERS;
        const TraceOrError nbody = Record(parameters);
        const uint64_t end = Check(nbody, "nbody");
        const Trace& trace = nbody.trace;
        // Eight times: four stores to each of 30 peers and a force to each of 15, all with their
        // replies, and two barriers up and down a tree.
        NS_TEST_EXPECT_MSG_EQ(trace.GetNetworkMessages(),
                              8 * (256 * (30 * 4 + 15) * 2 + 2 * 2 * 255),
                              "messages");
        // 120 stores 15 cycles apart, forces, and four levels of the tree. The round trip of a
        // store may extend both phases, as may stores to the own node.
        const uint64_t least = 8 * (120 * 15 + 2200 + 2 * 2 * 4 * LATENCY);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(end, least, "the critical path");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(end, least + 8 * (2 * 2 * LATENCY + 200), "the critical path");
        for (uint32_t block = 0; block < trace.blocks.size(); ++block)
        {
            const uint32_t node = trace.blocks[block].node;
            for (uint32_t i = trace.blocks[block].first; i < trace.blocks[block].end; ++i)
            {
                const uint32_t to = trace.messages[i].destination;
                const bool store = trace.messages[i].kind == MessageKind::STORE;
                NS_TEST_ASSERT_MSG_EQ((!store || to / 16 == node / 16 || to % 16 == node % 16),
                                      true,
                                      "stores stay in a row or column");
            }
        }

        for (const PhaseControl control : {PhaseControl::BARRIERS, PhaseControl::FORKED})
        {
            for (const uint32_t nodes : {1, 4, 9, 49})
            {
                parameters.nodes = nodes;
                parameters.control = control;
                parameters.storesPerPeer = nodes % 3 + 2;
                Check(Record(parameters), std::to_string(nodes) + " bodies");
            }
        }
        parameters.nodes = 48;
        NS_TEST_EXPECT_MSG_EQ(Record(parameters).error,
                              "Benchmark nbody needs a square number of nodes, not 48.",
                              "no square");
        parameters.nodes = 65536;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error.find("can be recorded"),
                              std::string::npos,
                              "more messages than memory");
        parameters.nodes = 49;
        parameters.wordsPerStore = 1;
        NS_TEST_EXPECT_MSG_NE(Record(parameters).error, "", "no room for a body");
    }
};

/// A million nodes.
class ScaleCase : public BenchmarkTestCase
{
  public:
    ScaleCase()
        : BenchmarkTestCase("add on a million nodes takes less than 100 bytes of trace a node")
    {
    }

  private:
    void DoRun() override
    {
        BenchmarkParameters parameters{.kind = BenchmarkKind::ADD};
        parameters.nodes = 1U << 20;
        const TraceOrError add = Record(parameters);
        Check(add, "add");
        NS_TEST_EXPECT_MSG_LT(add.trace.GetMemory() / parameters.nodes, 100, "bytes a node");
    }
};

/// The suite.
class BenchmarkTestSuite : public TestSuite
{
  public:
    BenchmarkTestSuite()
        : TestSuite("idempotent-benchmark", Type::UNIT)
    {
        AddTestCase(new AddCase, TestCase::Duration::QUICK);
        AddTestCase(new ReverseCase, TestCase::Duration::QUICK);
        AddTestCase(new QuicksortCase, TestCase::Duration::QUICK);
        AddTestCase(new NbodyCase, TestCase::Duration::QUICK);
        AddTestCase(new ScaleCase, TestCase::Duration::EXTENSIVE);
    }
};

BenchmarkTestSuite g_benchmarkTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
