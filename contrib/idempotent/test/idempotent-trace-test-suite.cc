/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-replay.h"

#include "ns3/idempotent-benchmark.h"
#include "ns3/idempotent-trace-file.h"
#include "ns3/idempotent-trace.h"
#include "ns3/test.h"

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Tests of block-structured traces in memory and on disk (section 3.2 of the paper).
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

/**
 * Makes a message for a builder.
 *
 * @param destination its destination
 * @param offset its departure [cycles]
 * @param target block to signal
 * @param kind its purpose
 * @return the message, of two words if it is not a signal
 */
TraceMessage
Message(uint32_t destination,
        uint32_t offset,
        uint32_t target = NO_INDEX,
        MessageKind kind = MessageKind::DATA)
{
    return {.destination = destination,
            .bytes = kind == MessageKind::SIGNAL ? 0U : 8U,
            .offset = offset,
            .target = target,
            .kind = kind};
}

/**
 * Reads a trace.
 *
 * @param text the text
 * @return the trace, or an error about the file "t"
 */
TraceOrError
Read(const std::string& text)
{
    std::istringstream in(text);
    return ReadTrace(in, "t");
}

/**
 * Makes a trace of three nodes in which block 2 waits for two messages.
 *
 * @return the trace
 */
Trace
Fork2Join()
{
    TraceBuilder builder(3);
    builder.AddBlock(0, 0);
    builder.AddBlock(1, 1);
    builder.AddBlock(2, 2);
    builder.GetBlock(0).duration = 20;
    builder.GetBlock(1).duration = 5;
    builder.GetBlock(2).duration = 7;
    builder.AddMessage(0, Message(1, 4, 1));
    builder.AddMessage(0, Message(2, 20, 2));
    builder.AddMessage(1, Message(2, 5, 2));
    return builder.Finish();
}

/// Messages are grouped by block and ordered by offset, independent of the order of addition.
class PackingCase : public TestCase
{
  public:
    PackingCase()
        : TestCase("E-14: messages of a block are contiguous and leave in order of their offsets")
    {
    }

  private:
    void DoRun() override
    {
        TraceBuilder builder(4);
        builder.AddBlock(0, 0);
        builder.AddBlock(1, NO_INDEX);
        builder.GetBlock(0).duration = 9;
        builder.GetBlock(1).duration = 9;
        builder.AddMessage(1, Message(2, 3));
        builder.AddMessage(0, Message(1, 9));
        builder.AddMessage(1, Message(3, 1));
        const uint32_t late = builder.AddMessage(0, Message(1, 2));
        builder.GetMessage(late).target = 1;
        builder.AddMessage(0, Message(2, 2));
        const Trace trace = builder.Finish();

        NS_TEST_ASSERT_MSG_EQ(trace.Validate(), "", "the trace is sound");
        NS_TEST_ASSERT_MSG_EQ(trace.blocks.size(), 2, "two blocks");
        NS_TEST_ASSERT_MSG_EQ(trace.messages.size(), 5, "five messages");
        NS_TEST_EXPECT_MSG_EQ(trace.blocks[0].end, 3, "three messages in block 0");
        NS_TEST_EXPECT_MSG_EQ(trace.blocks[1].first, 3, "block 1's follow");
        NS_TEST_EXPECT_MSG_EQ(trace.messages[0].offset, 2, "the earliest first");
        NS_TEST_EXPECT_MSG_EQ(trace.messages[0].target, 1, "of equal offsets the first one added");
        NS_TEST_EXPECT_MSG_EQ(trace.messages[1].destination, 2, "then the second one");
        NS_TEST_EXPECT_MSG_EQ(trace.messages[2].offset, 9, "the latest last");
        NS_TEST_EXPECT_MSG_EQ(trace.messages[3].destination, 3, "block 1's earliest");
        NS_TEST_EXPECT_MSG_EQ(trace.blocks[1].signals, 1, "one message targets block 1");
        NS_TEST_EXPECT_MSG_EQ(trace.blocks[1].thread, NO_INDEX, "block 1 belongs to no thread");
        NS_TEST_EXPECT_MSG_EQ(builder.GetBlocks(), 0, "the builder is empty afterwards");
    }
};

/// Rules of activation, on a trace small enough to replay by hand.
class ActivationCase : public TestCase
{
  public:
    ActivationCase()
        : TestCase("E-14: a block starts when all messages that target it have been delivered")
    {
    }

  private:
    void DoRun() override
    {
        const Trace trace = Fork2Join();
        NS_TEST_ASSERT_MSG_EQ(trace.Validate(), "", "the trace is sound");
        const Replay slow = ReplayTrace(trace, 100);
        NS_TEST_EXPECT_MSG_EQ(slow.activated[0], 0, "no message targets block 0");
        NS_TEST_EXPECT_MSG_EQ(slow.activated[1], 104, "its offset and the latency");
        NS_TEST_EXPECT_MSG_EQ(slow.activated[2], 209, "the later of two messages, at 120 and 209");
        NS_TEST_EXPECT_MSG_EQ(slow.end, 216, "the end of block 2");
        const Replay fast = ReplayTrace(trace, 10);
        NS_TEST_EXPECT_MSG_EQ(fast.activated[2], 30, "the later of two messages, at 29 and 30");
        NS_TEST_EXPECT_MSG_EQ(fast.delivered, 3, "all messages");
        NS_TEST_EXPECT_MSG_EQ(trace.GetNetworkMessages(), 3, "none of them is local");
    }
};

/// A fault of a trace, and the required sentence.
class FaultCase : public TestCase
{
  public:
    FaultCase()
        : TestCase("E-14: a trace that cannot be replayed is refused in one sentence")
    {
    }

  private:
    /**
     * Expects a sentence.
     *
     * @param trace a trace with a fault
     * @param part required part of the sentence
     */
    void Expect(const Trace& trace, const std::string& part)
    {
        const std::string error = trace.Validate();
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, "\"" << error << "\"");
    }

    /**
     * Makes a trace of two blocks on two nodes with one message.
     *
     * @param message the message
     * @param duration duration of its block [cycles]
     * @return the trace
     */
    static Trace With(const TraceMessage& message, uint32_t duration = 10)
    {
        TraceBuilder builder(2);
        builder.AddBlock(0, 0);
        builder.AddBlock(1, 1);
        builder.GetBlock(0).duration = duration;
        builder.AddMessage(0, message);
        return builder.Finish();
    }

    void DoRun() override
    {
        Expect(TraceBuilder(0).Finish(), "at least one node");
        NS_TEST_EXPECT_MSG_EQ(TraceBuilder(1).Finish().Validate(), "", "nothing to do is sound");
        TraceBuilder builder(2);
        builder.AddBlock(2, 0);
        Expect(builder.Finish(), "block 0 runs on node 2, but there are only 2 nodes");
        Expect(With(Message(7, 1)), "message 0 of block 0 goes to node 7");
        Expect(With(Message(1, 1, 5)), "signals block 5, but there are only 2 blocks");
        Expect(With(Message(1, 11)), "departs at 11");
        Expect(With(Message(0, 1, 1)), "goes to node 0 but signals block 1 on node 1");
    }
};

/// Faults of lengths, kinds, replies and counts.
class FieldFaultCase : public TestCase
{
  public:
    FieldFaultCase()
        : TestCase("E-14: lengths, kinds, replies and signal counts of a trace are checked")
    {
    }

  private:
    /**
     * Expects a sentence for a trace in text.
     *
     * @param body its blocks and messages
     * @param part required part of the sentence
     */
    void Expect(const std::string& body, const std::string& part)
    {
        const std::string error = Read("trace 1\nnodes 2\n" + body).error;
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, "\"" << error << "\"");
    }

    void DoRun() override
    {
        const std::string first = "block 0 node 0 thread 0 signals 0 duration 9\n";
        Expect(first + "data to 1 bytes 6 at 0 target -\n", "6 bytes");
        Expect(first + "data to 1 bytes 0 at 0 target -\n", "0 bytes");
        Expect(first + "signal to 1 bytes 4 at 0 target -\n", "must stay on node 0");
        Expect(first + "load-reply to 1 bytes 4 at 0 target -\n", "is a reply");
        Expect(first + "data to 1 bytes 4 at 0 target 0\n", "goes to node 1 but signals block 0");
        Expect("block 0 node 0 thread 0 signals 1 duration 9\n",
               "block 0 needs 1 signals, but 0 messages target it");
        Expect("block 0 node 0 thread 0 signals 1 duration 9\nsignal to 0 bytes 0 at 3 target 0\n",
               "block 0 is never activated, one of 1: blocks wait for one another in a cycle");
        Expect(first + "data to 1 bytes 4 at 1 target 1\n"
                       "block 1 node 1 thread 1 signals 2 duration 9\n"
                       "data to 0 bytes 4 at 1 target 2\n"
                       "block 2 node 0 thread 0 signals 1 duration 9\n"
                       "data to 1 bytes 4 at 1 target 1\n",
               "block 1 is never activated, one of 2: blocks wait for one another in a cycle");
    }
};

/// Writing and reading returns the same trace.
class RoundTripCase : public TestCase
{
  public:
    RoundTripCase()
        : TestCase("a trace is the same after a round trip through its text")
    {
    }

  private:
    /**
     * Sends a trace through its text and through a file.
     *
     * @param trace a trace
     */
    void Check(const Trace& trace)
    {
        const std::string path = CreateTempDirFilename("trace.txt");
        std::ostringstream text;
        WriteTrace(text, trace);
        std::ofstream(path) << text.str();
        for (const TraceOrError& again : {Read(text.str()), ReadTraceFile(path)})
        {
            NS_TEST_EXPECT_MSG_EQ(again.error, "", "the text is right");
            NS_TEST_EXPECT_MSG_EQ((again.trace == trace), true, "the text keeps all");
        }
    }

    void DoRun() override
    {
        Check(TraceBuilder(1).Finish());
        Check(Fork2Join());
        Check(Record({.kind = BenchmarkKind::ADD, .nodes = 53, .addVariant = AddVariant::PREFIX})
                  .trace);
        Check(Record({.kind = BenchmarkKind::NBODY, .nodes = 9}).trace);
        TraceBuilder far(NO_INDEX - 1);
        far.AddBlock(NO_INDEX - 2, NO_INDEX - 1);
        far.GetBlock(0).duration = NO_INDEX - 1;
        far.AddMessage(0,
                       {.destination = 0,
                        .bytes = NO_INDEX - 3,
                        .offset = NO_INDEX - 1,
                        .kind = MessageKind::JOIN});
        Check(far.Finish());
        NS_TEST_EXPECT_MSG_EQ(ReadTraceFile("no/such/file").error,
                              "no/such/file cannot be read.",
                              "a file that is not there");
    }
};

/// A truncated or altered text is refused, or is a valid trace.
class DamageCase : public TestCase
{
  public:
    DamageCase()
        : TestCase("a truncated or altered text is refused, or is a sound trace")
    {
    }

  private:
    void DoRun() override
    {
        std::ostringstream os;
        WriteTrace(os, Record({.kind = BenchmarkKind::NBODY, .nodes = 4, .iterations = 1}).trace);
        const std::string text = os.str().substr(0, 400);
        uint32_t refused = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            std::vector<std::string> variants{text.substr(0, i)};
            for (const char c : {'\0', '\n', ' ', '-', '#', '9', 'a', '\xff'})
            {
                variants.push_back(text);
                variants.back()[i] = c;
            }
            for (const auto& variant : variants)
            {
                const TraceOrError result = Read(variant);
                refused += result.error.empty() ? 0 : 1;
                NS_TEST_ASSERT_MSG_EQ((!result.error.empty() || result.trace.Validate().empty()),
                                      true,
                                      "a trace that is not sound was read from\n"
                                          << variant);
            }
        }
        NS_TEST_EXPECT_MSG_GT(refused, 5 * text.size(), "most are refused");
    }
};

/// Malformed texts.
class TextFaultCase : public TestCase
{
  public:
    TextFaultCase()
        : TestCase("a malformed text is refused, naming the line")
    {
    }

  private:
    void DoRun() override
    {
        const std::string title = "trace 1\n";
        const std::string head = "# who made it\ntrace 1\n\nnodes 2 # more\n";
        const std::string block = "block 0 node 0 thread - signals 0 duration 9\n";
        const std::vector<std::pair<std::string, std::string>> faults{
            {"", "t is empty."},
            {"trace 12\n", "t, line 1: the first line must be"},
            {title, "t has no line \"nodes COUNT\"."},
            {title + "nodes\n", "t, line 2: nodes must be a number"},
            {title + "nodes -3\n", "t, line 2: nodes must be a number"},
            {title + "nodes 4294967296\n", "t, line 2: nodes must be a number"},
            {title + "nodes 2 3\n", "t, line 2: nothing may follow here, not \"3\""},
            {head + "nonsense\n", "t, line 5: a line must begin with"},
            {head + "data to 1 bytes 4 at 0 target -\n",
             "t, line 5: a message must follow a block"},
            {head + "block 1 node 0 thread 0 signals 0 duration 9\n",
             "t, line 5: block 0 is expected, not 1"},
            {head + "block 0 thread 1\n", "t, line 5: \"node\" is expected, not \"thread\""},
            {head + "block 0 node -\n", "t, line 5: node must be a number"},
            {head + block + "fork at 0\n", "t, line 6: \"to\" is expected, not \"at\""},
            {head + block + block, "t, line 6: block 1 is expected, not 0"},
            {head + block + "fork to 1 bytes 4 at 0 target x\n",
             "t, line 6: target must be a number"},
        };
        for (const auto& [text, part] : faults)
        {
            const std::string error = Read(text).error;
            NS_TEST_EXPECT_MSG_EQ(error.starts_with(part), true, error << " | " << part);
        }
        const TraceOrError right = Read(head + block + "  data to 1 bytes 4 at 9 target -");
        NS_TEST_EXPECT_MSG_EQ(right.error, "", "comments, blanks and a last line without its end");
        NS_TEST_EXPECT_MSG_EQ(right.trace.messages.size(), 1, "one message");

        const std::string path = CreateTempDirFilename("damaged.txt");
        std::ofstream(path) << head << "nonsense\n";
        NS_TEST_EXPECT_MSG_EQ(ReadTraceFile(path).error.find(path + ", line 5: "),
                              0,
                              "the file is named");
    }
};

/// The suite.
class TraceTestSuite : public TestSuite
{
  public:
    TraceTestSuite()
        : TestSuite("idempotent-trace", Type::UNIT)
    {
        AddTestCase(new PackingCase, TestCase::Duration::QUICK);
        AddTestCase(new ActivationCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultCase, TestCase::Duration::QUICK);
        AddTestCase(new FieldFaultCase, TestCase::Duration::QUICK);
        AddTestCase(new RoundTripCase, TestCase::Duration::QUICK);
        AddTestCase(new DamageCase, TestCase::Duration::QUICK);
        AddTestCase(new TextFaultCase, TestCase::Duration::QUICK);
    }
};

TraceTestSuite g_traceTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
