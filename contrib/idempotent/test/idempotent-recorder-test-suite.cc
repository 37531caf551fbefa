/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-replay.h"

#include "ns3/idempotent-recorder.h"
#include "ns3/idempotent-trace-file.h"
#include "ns3/nstime.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Tests of the recording library (Table 1, sections 3.1, 3.3 and 3.4 of the paper).
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

/// A test that compares the trace of a program with one written by hand.
class RecorderTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Ends a recording and compares its trace.
     *
     * @param recorder the recorder after its program
     * @param nodes number of nodes
     * @param body expected blocks and messages, in the text format
     * @return the trace
     */
    Trace Expect(Recorder& recorder, uint32_t nodes, const std::string& body)
    {
        const Trace trace = recorder.Finish();
        NS_TEST_EXPECT_MSG_EQ(trace.Validate(), "", "the trace is sound");
        const std::string expected = "trace 1\nnodes " + std::to_string(nodes) + "\n" + body;
        std::ostringstream text;
        WriteTrace(text, trace);
        NS_TEST_EXPECT_MSG_EQ(text.str(), expected, "the blocks and messages");
        return trace;
    }
};

/// Figure 7: a load of another node's memory.
class RemoteLoadCase : public RecorderTestCase
{
  public:
    RemoteLoadCase()
        : RecorderTestCase("E-15: a remote load is a request, a block with the reply at its home, "
                           "and a continuation")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder(3);
        const uint32_t data = recorder.Allocate(4);
        recorder.Poke({2, data + 1}, 77);
        recorder.Start(1);
        recorder.Time(5);
        NS_TEST_EXPECT_MSG_EQ(recorder.Load({2, data + 1}), 77, "the value");
        recorder.Time(3);
        const Trace trace = Expect(recorder,
                                   3,
                                   "block 0 node 1 thread 0 signals 0 duration 5\n"
                                   "  load to 2 bytes 16 at 5 target 1\n"
                                   "block 1 node 2 thread - signals 1 duration 0\n"
                                   "  load-reply to 1 bytes 20 at 0 target 2\n"
                                   "block 2 node 1 thread 0 signals 1 duration 3\n");
        NS_TEST_EXPECT_MSG_EQ(ReplayTrace(trace, 40).end, 88, "there, back, and the rest");
    }
};

/// Figure 7: a load from the own node's memory, and the cost of further words.
class LocalLoadCase : public RecorderTestCase
{
  public:
    LocalLoadCase()
        : RecorderTestCase("E-15: a local load or store takes a fixed time a word and no message")
    {
    }

  private:
    void DoRun() override
    {
        RecorderConfig config;
        config.localReferenceTime = 7;
        Recorder recorder(2, config);
        const uint32_t data = recorder.Allocate(8);
        recorder.Start(0);
        recorder.Store({0, data}, 5);
        NS_TEST_EXPECT_MSG_EQ(recorder.Load({0, data}), 5, "the value stored");
        std::array<Word, 3> words{1, 2, 3};
        recorder.Store({0, data + 1}, words);
        recorder.Store({1, data}, words);
        recorder.Load({1, data + 2}, std::span(words).first(2));
        NS_TEST_EXPECT_MSG_EQ(words[0], 3, "the last word stored there");
        Expect(recorder,
               2,
               "block 0 node 0 thread 0 signals 0 duration 35\n"
               "  store to 1 bytes 32 at 35 target 1\n"
               "block 1 node 1 thread - signals 1 duration 0\n"
               "  store-reply to 0 bytes 12 at 0 target 2\n"
               "block 2 node 0 thread 0 signals 1 duration 0\n"
               "  load to 1 bytes 16 at 0 target 3\n"
               "block 3 node 1 thread - signals 1 duration 0\n"
               "  load-reply to 0 bytes 24 at 0 target 4\n"
               "block 4 node 0 thread 0 signals 1 duration 0\n");
    }
};

/// Section 3.1: split-phase stores and the wait instruction.
class StoreWaitCase : public RecorderTestCase
{
  public:
    StoreWaitCase()
        : RecorderTestCase("E-13: stores are split-phase, and Wait waits for all of them")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder(3);
        const uint32_t data = recorder.Allocate(2);
        recorder.Start(0);
        recorder.Store({1, data}, 1);
        recorder.Time(10);
        recorder.Store({2, data}, 2);
        recorder.Time(90);
        recorder.Wait();
        recorder.Wait();
        recorder.Time(1);
        NS_TEST_EXPECT_MSG_EQ(recorder.Peek({2, data}), 2, "the memory holds what was stored");
        const Trace trace = Expect(recorder,
                                   3,
                                   "block 0 node 0 thread 0 signals 0 duration 100\n"
                                   "  store to 1 bytes 24 at 0 target 1\n"
                                   "  store to 2 bytes 24 at 10 target 2\n"
                                   "  signal to 0 bytes 0 at 100 target 3\n"
                                   "block 1 node 1 thread - signals 1 duration 0\n"
                                   "  store-reply to 0 bytes 12 at 0 target 3\n"
                                   "block 2 node 2 thread - signals 1 duration 0\n"
                                   "  store-reply to 0 bytes 12 at 0 target 3\n"
                                   "block 3 node 0 thread 0 signals 3 duration 1\n");
        NS_TEST_EXPECT_MSG_EQ(ReplayTrace(trace, 20).activated[3], 100, "replies come earlier");
        NS_TEST_EXPECT_MSG_EQ(ReplayTrace(trace, 60).activated[3], 130, "a reply comes later");
    }
};

/// A load waits only for conflicting stores of its thread.
class ConflictCase : public RecorderTestCase
{
  public:
    ConflictCase()
        : RecorderTestCase("E-13: a load waits for outstanding stores to its words only")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder(3);
        const uint32_t data = recorder.Allocate(8);
        const std::array<Word, 3> words{4, 5, 6};
        recorder.Start(0);
        recorder.Store({1, data + 2}, words);
        recorder.Store({2, data + 4}, 9);
        recorder.Load({1, data + 5});
        NS_TEST_EXPECT_MSG_EQ(recorder.Load({1, data + 4}), 6, "the last of the words stored");
        recorder.Wait();
        Expect(recorder,
               3,
               // The first load conflicts with no store, so it leaves together with the stores.
               "block 0 node 0 thread 0 signals 0 duration 0\n"
               "  store to 1 bytes 32 at 0 target 1\n"
               "  store to 2 bytes 24 at 0 target 2\n"
               "  load to 1 bytes 16 at 0 target 3\n"
               "block 1 node 1 thread - signals 1 duration 0\n"
               "  store-reply to 0 bytes 12 at 0 target 4\n"
               "block 2 node 2 thread - signals 1 duration 0\n"
               "  store-reply to 0 bytes 12 at 0 target 6\n"
               "block 3 node 1 thread - signals 1 duration 0\n"
               "  load-reply to 0 bytes 20 at 0 target 4\n"
               // The second load conflicts with one store; Wait collects the other.
               "block 4 node 0 thread 0 signals 2 duration 0\n"
               "  load to 1 bytes 16 at 0 target 5\n"
               "block 5 node 1 thread - signals 1 duration 0\n"
               "  load-reply to 0 bytes 20 at 0 target 6\n"
               "block 6 node 0 thread 0 signals 2 duration 0\n");
    }
};

/// Two threads of one node wait for their own stores.
class ThreadsCase : public RecorderTestCase
{
  public:
    ThreadsCase()
        : RecorderTestCase("E-13: nodes are multithreaded, and a thread waits for itself alone")
    {
    }

  private:
    void DoRun() override
    {
        Recorder recorder(2);
        const uint32_t data = recorder.Allocate(2);
        const uint32_t first = recorder.Start(0);
        recorder.Store({1, data}, 1);
        const uint32_t second = recorder.Start(0);
        recorder.Store({1, data + 1}, 2);
        recorder.Switch(first);
        recorder.Wait();
        recorder.Switch(second);
        recorder.Time(6);
        Expect(recorder,
               2,
               "block 0 node 0 thread 0 signals 0 duration 0\n"
               "  store to 1 bytes 24 at 0 target 1\n"
               "block 1 node 1 thread - signals 1 duration 0\n"
               "  store-reply to 0 bytes 12 at 0 target 4\n"
               "block 2 node 0 thread 1 signals 0 duration 6\n"
               "  store to 1 bytes 24 at 0 target 3\n"
               "block 3 node 1 thread - signals 1 duration 0\n"
               "  store-reply to 0 bytes 12 at 0 target -\n"
               "block 4 node 0 thread 0 signals 1 duration 0\n");
    }
};

/**
 * Figure 6's SumThread.
 *
 * @param recorder the machine
 * @param nodes number of nodes to sum, from the current one on
 * @param data offset of each node's word
 * @param result capability for the sum
 */
void
SumThread(Recorder& recorder, uint32_t nodes, uint32_t data, JoinCapability result)
{
    const uint32_t node = recorder.GetNode();
    if (nodes > 1)
    {
        const uint32_t n = nodes / 2;
        const JoinCapability j1 = recorder.NewJoinCapability();
        const JoinCapability j2 = recorder.NewJoinCapability();
        recorder.Fork(node, [&] { SumThread(recorder, n, data, j1); });
        recorder.Fork(node + n, [&] { SumThread(recorder, nodes - n, data, j2); });
        const Word sum = recorder.Sync(j1);
        recorder.Join(result, sum + recorder.Sync(j2));
    }
    else
    {
        recorder.Join(result, recorder.Load({node, data}));
    }
}

/**
 * Figure 6's ComputeSum.
 *
 * @param recorder the machine
 * @param data offset of each node's word
 * @return the sum over all nodes
 */
Word
ComputeSum(Recorder& recorder, uint32_t data)
{
    const JoinCapability j = recorder.NewJoinCapability();
    recorder.Fork(0, [&] { SumThread(recorder, recorder.GetNodes(), data, j); });
    return recorder.Sync(j);
}

/// The paper's sample program.
class SampleProgramCase : public RecorderTestCase
{
  public:
    SampleProgramCase()
        : RecorderTestCase("E-13, E-14: Figure 6's program sums, and leaves the blocks it should")
    {
    }

  private:
    /**
     * Runs the program on nodes that hold 1, 2, 4, ...
     *
     * @param recorder the machine
     * @return the sum
     */
    static Word Run(Recorder& recorder)
    {
        const uint32_t data = recorder.Allocate(1);
        for (uint32_t node = 0; node < recorder.GetNodes(); ++node)
        {
            recorder.Poke({node, data}, 1U << node);
        }
        recorder.Start(0);
        return ComputeSum(recorder, data);
    }

    void DoRun() override
    {
        const std::string forks = "block 0 node 0 thread 0 signals 0 duration 14\n"
                                  "  fork to 0 bytes 48 at 14 target 1\n"
                                  "  signal to 0 bytes 0 at 14 target ";
        const std::string threads = "block 1 node 0 thread 1 signals 1 duration 36\n"
                                    "  fork to 0 bytes 48 at 22 target 2\n"
                                    "  fork to 1 bytes 48 at 36 target 3\n"
                                    "  signal to 0 bytes 0 at 36 target 4\n"
                                    "block 2 node 0 thread 2 signals 1 duration 10\n"
                                    "  join to 0 bytes 24 at 10 target 4\n"
                                    "block 3 node 1 thread 3 signals 1 duration 10\n"
                                    "  join to 0 bytes 24 at 10 target ";
        Recorder merged(2);
        NS_TEST_EXPECT_MSG_EQ(Run(merged), 3, "the sum of two words");
        const Trace two = Expect(merged,
                                 2,
                                 forks + "5\n" + threads +
                                     "4\n"
                                     "block 4 node 0 thread 1 signals 3 duration 0\n"
                                     "  join to 0 bytes 24 at 0 target 5\n"
                                     "block 5 node 0 thread 0 signals 2 duration 0\n");
        for (const uint64_t latency : {0, 1, 50, 1000})
        {
            // Two consecutive forks, transmission of the second, its thread, and the reply.
            const uint64_t path = 14 + 8 + 2 * 14 + latency + 8 + 2 + latency;
            NS_TEST_EXPECT_MSG_EQ(ReplayTrace(two, latency).end, path, "the critical path");
        }
        for (const uint32_t nodes : {1, 3, 20})
        {
            Recorder recorder(nodes);
            NS_TEST_EXPECT_MSG_EQ(Run(recorder), (1U << nodes) - 1, "the sum of " << nodes);
            const Trace trace = recorder.Finish();
            NS_TEST_EXPECT_MSG_EQ(trace.Validate(), "", "the trace is sound");
            NS_TEST_EXPECT_MSG_EQ(trace.GetNetworkMessages(), 2 * (nodes - 1), "out and back");
            NS_TEST_EXPECT_MSG_EQ(ReplayTrace(trace, 9).delivered, trace.messages.size(), "all");
        }
    }
};

/// Figure 8: Sync with a continuation, called after the Join and before it.
class ContinuationCase : public RecorderTestCase
{
  public:
    ContinuationCase()
        : RecorderTestCase("E-13: Sync with a continuation runs it in either order (Figure 8)")
    {
    }

  private:
    void DoRun() override
    {
        const std::string joiner = "  join to 1 bytes 28 at 30 target ";
        // (a) Join comes first: the data are available when node 1's thread needs them.
        {
            Recorder recorder(2);
            const uint32_t owner = recorder.Start(1);
            const JoinCapability j = recorder.NewJoinCapability();
            recorder.Start(0);
            recorder.Time(30);
            recorder.Join(j, std::array<Word, 2>{41, 42});
            recorder.Switch(owner);
            recorder.Time(4);
            Word got = 0;
            recorder.SyncThen(j, [&](std::span<const Word> data) {
                got = data[1];
                recorder.Time(7);
            });
            NS_TEST_EXPECT_MSG_EQ(got, 42, "invoked by Sync, with all words");
            Expect(recorder,
                   2,
                   "block 0 node 1 thread 0 signals 0 duration 4\n"
                   "  signal to 1 bytes 0 at 4 target 2\n"
                   "block 1 node 0 thread 1 signals 0 duration 30\n" +
                       joiner +
                       "2\n"
                       "block 2 node 1 thread 0 signals 2 duration 7\n");
        }
        // (b) Sync comes first: Join finds the continuation and runs it.
        {
            Recorder recorder(2);
            recorder.Start(1);
            const JoinCapability j = recorder.NewJoinCapability();
            recorder.Time(4);
            Word got = 0;
            uint32_t node = 0;
            recorder.SyncThen(j, [&](std::span<const Word> data) {
                got = data[1];
                node = recorder.GetNode();
                recorder.Time(7);
            });
            NS_TEST_EXPECT_MSG_EQ(got, 0, "not invoked yet");
            recorder.Start(0);
            recorder.Time(30);
            recorder.Join(j, std::array<Word, 2>{41, 42});
            NS_TEST_EXPECT_MSG_EQ(got, 42, "invoked by Join");
            NS_TEST_EXPECT_MSG_EQ(node, 1, "on the node that waits");
            NS_TEST_EXPECT_MSG_EQ(recorder.GetNode(), 0, "which then leaves the joiner alone");
            recorder.Time(5);
            Expect(recorder,
                   2,
                   "block 0 node 1 thread 0 signals 0 duration 4\n"
                   "  signal to 1 bytes 0 at 4 target 2\n"
                   "block 1 node 0 thread 1 signals 0 duration 35\n" +
                       joiner +
                       "2\n"
                       "block 2 node 1 thread 0 signals 2 duration 7\n");
        }
    }
};

/// Lengths of messages have bounds.
class ConfigCase : public RecorderTestCase
{
  public:
    ConfigCase()
        : RecorderTestCase("a message has 1 to 65535 words")
    {
    }

  private:
    void DoRun() override
    {
        RecorderConfig config;
        NS_TEST_EXPECT_MSG_EQ(config.Check(), "", "the defaults are valid");
        config.joinWords = 0;
        NS_TEST_EXPECT_MSG_EQ(config.Check(),
                              "A message length is 0 words, but must be from 1 to 65535.",
                              "no word");
    }
};

/// The suite.
class RecorderTestSuite : public TestSuite
{
  public:
    RecorderTestSuite()
        : TestSuite("idempotent-recorder", Type::UNIT)
    {
        AddTestCase(new RemoteLoadCase, TestCase::Duration::QUICK);
        AddTestCase(new LocalLoadCase, TestCase::Duration::QUICK);
        AddTestCase(new StoreWaitCase, TestCase::Duration::QUICK);
        AddTestCase(new ConflictCase, TestCase::Duration::QUICK);
        AddTestCase(new ThreadsCase, TestCase::Duration::QUICK);
        AddTestCase(new SampleProgramCase, TestCase::Duration::QUICK);
        AddTestCase(new ContinuationCase, TestCase::Duration::QUICK);
        AddTestCase(new ConfigCase, TestCase::Duration::QUICK);
    }
};

RecorderTestSuite g_recorderTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
