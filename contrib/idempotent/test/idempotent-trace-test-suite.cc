/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-replay.h"

#include "ns3/idempotent-benchmark-add.h"
#include "ns3/idempotent-benchmark-nbody.h"
#include "ns3/idempotent-trace-file.h"
#include "ns3/idempotent-trace.h"
#include "ns3/test.h"

#include <fstream>
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
 * A message for a builder.
 *
 * @param destination its destination
 * @param offset its departure [cycles]
 * @param target block it signals
 * @param kind what it is for
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
 * A trace of three nodes in which block 2 waits for two messages.
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
    builder.SetDuration(0, 20);
    builder.SetDuration(1, 5);
    builder.SetDuration(2, 7);
    builder.AddMessage(0, Message(1, 4, 1));
    builder.AddMessage(0, Message(2, 20, 2));
    builder.AddMessage(1, Message(2, 5, 2));
    return builder.Finish();
}

/// Messages are grouped by block and ordered by offset, whatever the order they come in.
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
        builder.SetDuration(0, 9);
        builder.SetDuration(1, 9);
        builder.AddMessage(1, Message(2, 3));
        builder.AddMessage(0, Message(1, 9));
        builder.AddMessage(1, Message(3, 1));
        const uint32_t late = builder.AddMessage(0, Message(1, 2));
        builder.SetTarget(late, 1);
        builder.AddMessage(0, Message(2, 2));
        const Trace trace = builder.Finish();

        NS_TEST_ASSERT_MSG_EQ(trace.Validate(), "", "the trace is sound");
        NS_TEST_ASSERT_MSG_EQ(trace.GetBlocks(), 2, "two blocks");
        NS_TEST_ASSERT_MSG_EQ(trace.GetMessages(), 5, "five messages");
        NS_TEST_EXPECT_MSG_EQ(trace.GetEnd(0), 3, "three messages in block 0");
        NS_TEST_EXPECT_MSG_EQ(trace.GetFirst(1), 3, "block 1's follow");
        NS_TEST_EXPECT_MSG_EQ(trace.GetOffset(0), 2, "the earliest first");
        NS_TEST_EXPECT_MSG_EQ(trace.GetTarget(0), 1, "of equal offsets the first one added");
        NS_TEST_EXPECT_MSG_EQ(trace.GetDestination(1), 2, "then the second one");
        NS_TEST_EXPECT_MSG_EQ(trace.GetOffset(2), 9, "the latest last");
        NS_TEST_EXPECT_MSG_EQ(trace.GetDestination(3), 3, "block 1's earliest");
        NS_TEST_EXPECT_MSG_EQ(trace.GetSignals(1), 1, "one message targets block 1");
        NS_TEST_EXPECT_MSG_EQ(trace.GetBlockOf(2), 0, "block of a message");
        NS_TEST_EXPECT_MSG_EQ(trace.GetBlockOf(3), 1, "block of a message");
        NS_TEST_EXPECT_MSG_EQ(trace.GetThreads(), 1, "block 1 belongs to no thread");
        NS_TEST_EXPECT_MSG_EQ(builder.GetBlocks(), 0, "the builder is empty afterwards");
    }
};

/// The rules of activation, on a trace small enough to replay by hand.
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

/// A fault of a trace, and what its sentence must say.
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
     * @param part what its sentence must hold
     */
    void Expect(const Trace& trace, const std::string& part)
    {
        const std::string error = trace.Validate();
        NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, "\"" << error << "\"");
    }

    /**
     * A trace of two blocks on two nodes with one message.
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
        builder.SetDuration(0, duration);
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
     * @param part what the sentence must hold
     */
    void Expect(const std::string& body, const std::string& part)
    {
        const std::string error = ParseTrace("trace 1\nnodes 2\n" + body).error;
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
               "cycle of 1: 0");
        Expect(first + "data to 1 bytes 4 at 1 target 1\n"
                       "block 1 node 1 thread 1 signals 2 duration 9\n"
                       "data to 0 bytes 4 at 1 target 2\n"
                       "block 2 node 0 thread 0 signals 1 duration 9\n"
                       "data to 1 bytes 4 at 1 target 1\n",
               "blocks wait for one another in a cycle of 2: ");
    }
};

/// Both forms give back what they were given, and what follows by hand.
class RoundTripCase : public TestCase
{
  public:
    RoundTripCase()
        : TestCase("a trace is the same after a round trip through either form")
    {
    }

  private:
    /**
     * Sends a trace through both forms and through files.
     *
     * @param trace a trace
     */
    void Check(const Trace& trace)
    {
        const TraceOrError binary = DecodeTrace(EncodeTrace(trace));
        NS_TEST_EXPECT_MSG_EQ(binary.error, "", "the binary form is right");
        NS_TEST_EXPECT_MSG_EQ((binary.trace == trace), true, "the binary form keeps all");
        const TraceOrError text = ParseTrace(FormatTrace(trace));
        NS_TEST_EXPECT_MSG_EQ(text.error, "", "the text form is right");
        NS_TEST_EXPECT_MSG_EQ((text.trace == trace), true, "the text form keeps all");
        for (const char* name : {"trace.blk", "trace.txt"})
        {
            const std::string path = CreateTempDirFilename(name);
            NS_TEST_EXPECT_MSG_EQ(WriteTraceFile(trace, path), "", "the file is written");
            const TraceOrError file = ReadTraceFile(path);
            NS_TEST_EXPECT_MSG_EQ(file.error, "", "the file is right");
            NS_TEST_EXPECT_MSG_EQ((file.trace == trace), true, "the file keeps all");
        }
    }

    void DoRun() override
    {
        Check(TraceBuilder(1).Finish());
        Check(Fork2Join());
        AddParameters add;
        add.nodes = 53;
        add.variant = AddVariant::PREFIX;
        Check(Record(add).trace);
        NbodyParameters nbody;
        nbody.nodes = 9;
        Check(Record(nbody).trace);
        TraceBuilder far(NO_INDEX - 1);
        far.AddBlock(NO_INDEX - 2, NO_INDEX - 1);
        far.SetDuration(0, NO_INDEX);
        far.AddMessage(0,
                       {.destination = 0,
                        .bytes = NO_INDEX - 3,
                        .offset = NO_INDEX,
                        .kind = MessageKind::JOIN});
        const Trace extremes = far.Finish();
        const TraceOrError decoded = DecodeTrace(EncodeTrace(extremes));
        NS_TEST_EXPECT_MSG_EQ(decoded.error, "", "the largest numbers fit");
        NS_TEST_EXPECT_MSG_EQ((decoded.trace == extremes), true, "the largest numbers are kept");

        const std::vector<uint8_t> bytes = EncodeTrace(Record(NbodyParameters()).trace);
        const uint32_t messages = DecodeTrace(bytes).trace.GetMessages();
        NS_TEST_EXPECT_MSG_LT(bytes.size() / messages, 12, "bytes a message, blocks included");
        NS_TEST_EXPECT_MSG_EQ(ReadTraceFile("no/such/file").error,
                              "no/such/file: the file cannot be read",
                              "a file that is not there");
        NS_TEST_EXPECT_MSG_EQ(WriteTraceFile(extremes, "no/such/file"),
                              "no/such/file: the file cannot be written",
                              "a folder that is not there");
    }
};

/// No truncated or altered binary file is taken for a trace, and none does harm.
class DamageCase : public TestCase
{
  public:
    DamageCase()
        : TestCase("a truncated or altered file is refused, naming the offset or the block")
    {
    }

  private:
    void DoRun() override
    {
        NbodyParameters parameters;
        parameters.nodes = 4;
        parameters.iterations = 1;
        const std::vector<uint8_t> bytes = EncodeTrace(Record(parameters).trace);
        for (std::size_t length = 0; length < bytes.size(); ++length)
        {
            const std::string error = DecodeTrace(std::span(bytes).first(length)).error;
            NS_TEST_ASSERT_MSG_EQ(error.starts_with("offset "), true, length << ": " << error);
        }
        std::vector<uint8_t> damaged = bytes;
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            for (uint32_t flip = 1; flip < 256; ++flip)
            {
                damaged[i] = bytes[i] ^ static_cast<uint8_t>(flip);
                NS_TEST_ASSERT_MSG_NE(DecodeTrace(damaged).error, "", "byte " << i << " altered");
            }
            damaged[i] = bytes[i];
        }
        damaged.push_back(0);
        NS_TEST_EXPECT_MSG_NE(DecodeTrace(damaged).error, "", "a byte too many");
        NS_TEST_EXPECT_MSG_EQ(DecodeTrace(std::vector<uint8_t>{'b', 'l', 'x'}).error,
                              "offset 2: this is not a trace file",
                              "another file");
        damaged = bytes;
        damaged[7] = 9;
        NS_TEST_EXPECT_MSG_EQ(DecodeTrace(damaged).error,
                              "offset 7: the format's version is 9, but only version 1 can be read",
                              "another version");
    }
};

/// Faults of the text form.
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
            {"", "line 1: the first line must be \"trace 1\""},
            {"trace 12\n", "line 1: the first line must be"},
            {title, "line 1: \"nodes\" is due"},
            {title + "nodes\n", "line 2: nodes must be a number"},
            {title + "nodes -3\n", "line 2: nodes must be a number"},
            {title + "nodes 4294967296\n", "line 2: nodes must be a number"},
            {title + "nodes 2 3\n", "line 2: nothing may follow here, not \"3\""},
            {head + "nonsense\n", "line 5: a line must begin with"},
            {head + "data to 1 bytes 4 at 0 target -\n", "line 5: a message must follow a block"},
            {head + "block 1\n", "line 5: block 0 is due, not 1"},
            {head + "block 0 thread 1\n", "line 5: \"node\" is due, not \"thread\""},
            {head + "block 0 node -\n", "line 5: node must be a number"},
            {head + block + "fork at 0\n", "line 6: \"to\" is due, not \"at\""},
            {head + block + block, "line 6: block 1 is due, not 0"},
            {head + block + "fork to 1 bytes 4 at 0 target x\n", "line 6: target must be a number"},
        };
        for (const auto& [text, part] : faults)
        {
            const std::string error = ParseTrace(text).error;
            NS_TEST_EXPECT_MSG_EQ(error.starts_with(part), true, error << " | " << part);
        }
        const TraceOrError right = ParseTrace(head + block + "  data to 1 bytes 4 at 9 target -");
        NS_TEST_EXPECT_MSG_EQ(right.error, "", "comments, blanks and a last line without its end");
        NS_TEST_EXPECT_MSG_EQ(right.trace.GetMessages(), 1, "one message");

        const std::string path = CreateTempDirFilename("damaged.txt");
        std::ofstream(path) << head << "nonsense\n";
        NS_TEST_EXPECT_MSG_EQ(ReadTraceFile(path).error.find(path + ": "), 0, "the file is named");
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

TraceTestSuite g_traceTestSuite; ///< registers itself

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
