/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-trace-replay.h"

#include "ns3/idempotent-goal.h"
#include "ns3/idempotent-trace-file.h"
#include "ns3/messaging-goal-patterns.h"
#include "ns3/test.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Tests of the import of GOAL schedules.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::MakeLinearAlltoall;
using messaging::MakePairwiseAlltoall;

/// A test of schedules.
class GoalTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Reads and translates a schedule.
     *
     * @param text the schedule
     * @return the trace, or an error
     */
    static TraceOrError Import(const std::string& text)
    {
        const GoalOrError parsed = ParseGoal(text);
        if (!parsed.error.empty())
        {
            return {.trace = {}, .error = parsed.error};
        }
        return CompileGoal(parsed.schedule);
    }

    /**
     * Expects the time and the number of messages of a schedule.
     *
     * @param text the schedule
     * @param end cycles of its replay with a latency of 100 cycles
     * @param messages messages that enter the network
     * @return the trace
     */
    Trace Expect(const std::string& text, uint64_t end, uint32_t messages)
    {
        const TraceOrError result = Import(text);
        NS_TEST_EXPECT_MSG_EQ(result.error, "", text);
        NS_TEST_EXPECT_MSG_EQ(result.trace.Validate(), "", text);
        const Replay replay = ReplayTrace(result.trace, 100);
        NS_TEST_EXPECT_MSG_EQ(replay.end, end, text);
        NS_TEST_EXPECT_MSG_EQ(replay.delivered, result.trace.GetMessages(), text);
        NS_TEST_EXPECT_MSG_EQ(result.trace.GetNetworkMessages(), messages, text);
        return result.trace;
    }
};

/// What operations and dependencies mean.
class MeaningCase : public GoalTestCase
{
  public:
    MeaningCase()
        : GoalTestCase("operations of a schedule start when what they require has happened")
    {
    }

  private:
    void DoRun() override
    {
        // All that nothing holds back happens at once.
        Expect("num_ranks 2\nrank 0 {\nsend 8b to 1\ncalc 30\n}\nrank 1 {\nrecv 8b from 0\n}\n",
               100,
               1);
        // A send after a computation, a computation after its arrival, and another one beside it.
        const std::string chain = "num_ranks 2\n"
                                  "rank 0 {\n"
                                  "l1: calc 30\n"
                                  "l2: send 8b to 1 tag 7\n"
                                  "l2 requires l1\n"
                                  "}\n"
                                  "rank 1 {\n"
                                  "l1: recv 8b from 0 tag 7\n"
                                  "l2: calc 5\n"
                                  "l3: calc 135\n"
                                  "l2 requires l1\n"
                                  "}\n";
        Expect(chain, 135, 1);
        // A computation that starts when another one starts, and a send when that has started.
        Expect("num_ranks 2\n"
               "rank 0 {\n"
               "a: calc 50\n"
               "b: calc 7\n"
               "b requires a\n"
               "c: send 8b to 1\n"
               "c irequires b\n"
               "}\n"
               "rank 1 {\n"
               "recv 8b from 0\n"
               "}\n",
               150,
               1);
        // A receive is over when its message is there and what it requires is over.
        Expect("num_ranks 2\n"
               "rank 0 {\n"
               "send 8b to 1\n"
               "}\n"
               "rank 1 {\n"
               "w: calc 300\n"
               "r: recv 8b from 0\n"
               "r requires w\n"
               "s: calc 4\n"
               "s requires r\n"
               "}\n",
               304,
               1);
        // Two computations and two arrivals before the next one; labels may come later.
        Expect("num_ranks 3\n"
               "rank 0 {\n"
               "z requires a\nz requires b\nz requires c\nz requires d\n"
               "a: calc 40\n"
               "b: calc 90\n"
               "c: recv 8b from 1\n"
               "d: recv 8b from 2\n"
               "z: calc 1\n"
               "}\n"
               "rank 1 {\nsend 8b to 0\n}\n"
               "rank 2 {\nx: calc 60\ny: send 8b to 0\ny requires x\n}\n",
               161,
               2);
    }
};

/// Which receive gets which message.
class MatchCase : public GoalTestCase
{
  public:
    MatchCase()
        : GoalTestCase("a receive gets the next message of its source with its tag")
    {
    }

  private:
    void DoRun() override
    {
        // The messages leave at 0, 20 and 40; the receive of tag 2 gets the second one.
        const std::string sends = "num_ranks 2\n"
                                  "rank 0 {\n"
                                  "a: send 8b to 1 tag 1\n"
                                  "w: calc 20\n"
                                  "b: send 8b to 1 tag 2\n"
                                  "b requires w\n"
                                  "v: calc 20\n"
                                  "v requires w\n"
                                  "c: send 8b to 1 tag 1\n"
                                  "c requires v\n"
                                  "}\n"
                                  "rank 1 {\n"
                                  "r1: recv 8b from 0 tag 2\n"
                                  "r2: recv 8b from 0 tag 1\n"
                                  "r3: recv 8b from 0 tag 1\n"
                                  "x: calc 500\n"
                                  "x requires ";
        Expect(sends + "r1\n}\n", 620, 3);
        Expect(sends + "r2\n}\n", 600, 3);
        Expect(sends + "r3\n}\n", 640, 3);
        // A rank may send to itself; that message stays on its node.
        Expect("num_ranks 1\nrank 0 {\na: send 8b to 0\nb: recv 8b from 0\nc: calc 3\n"
               "c requires b\n}\n",
               3,
               0);
    }
};

/// Lengths and times of a trace.
class ConfigCase : public GoalTestCase
{
  public:
    ConfigCase()
        : GoalTestCase("lengths and times of a schedule")
    {
    }

  private:
    void DoRun() override
    {
        const std::string text = "num_ranks 2\n"
                                 "rank 0 {\n"
                                 "a: send 10b to 1\n"
                                 "b: send 0b to 1\n"
                                 "b requires a\n"
                                 "}\n"
                                 "rank 1 {\n"
                                 "a: recv 10b from 0\n"
                                 "b: recv 0b from 0\n"
                                 "c: calc 7\n"
                                 "c requires a\n"
                                 "c requires b\n"
                                 "}\n";
        const Trace trace = Expect(text, 107, 2);
        NS_TEST_EXPECT_MSG_EQ(trace.GetBytes(0), 24, "12 + 10 bytes in whole words");
        NS_TEST_EXPECT_MSG_EQ(trace.GetBytes(1), 12, "a header alone");
        NS_TEST_EXPECT_MSG_EQ(trace.GetKind(0), MessageKind::DATA, "kind");

        // Computations that follow one another may outlast the longest block.
        std::string longer = "num_ranks 1\nrank 0 {\nl0: calc 1000000000\n";
        for (int i = 1; i < 10; ++i)
        {
            std::string label(1, 'l');
            label += std::to_string(i);
            longer.append(label).append(": calc 1000000000\n");
            longer.append(label).append(" requires l").append(std::to_string(i - 1)).append("\n");
        }
        Expect(longer + "}\n", 10000000000, 0);
    }
};

/// What a schedule may look like.
class SyntaxCase : public GoalTestCase
{
  public:
    SyntaxCase()
        : GoalTestCase("comments, blanks, options and any order of ranks are read")
    {
    }

  private:
    void DoRun() override
    {
        Expect("/* two\n ranks */ num_ranks 2 // two\n\n"
               "rank 1 {\r\n"
               "\t l_1 : recv 8b from 0 nic 1 tag 4 cpu 2 // last\r\n"
               "}\n\n"
               "rank 0 { // first\n"
               "send 8 b to 1 cpu 0 tag 4 /* on cpu 0 */\n"
               "calc 9 cpu 3\n"
               "}",
               100,
               1);
        Expect("num_ranks 5\n", 0, 0);

        const GoalSchedule schedule = MakePairwiseAlltoall(5, 12);
        const GoalOrError again = ParseGoal(FormatGoal(schedule));
        NS_TEST_EXPECT_MSG_EQ(again.error, "", "what is written can be read");
        NS_TEST_EXPECT_MSG_EQ((CompileGoal(again.schedule).trace == CompileGoal(schedule).trace),
                              true,
                              "and means the same");

        const std::string path = CreateTempDirFilename("schedule.goal");
        std::ofstream(path) << FormatGoal(schedule);
        NS_TEST_EXPECT_MSG_EQ((ReadGoalTrace(path).trace == CompileGoal(schedule).trace),
                              true,
                              "file");
        std::ofstream(path) << "num_ranks 1\nrank 0 {\nsend 1b to 0\n}\n";
        NS_TEST_EXPECT_MSG_EQ(ReadGoalTrace(path).error.find(path + ": line 3: a send from rank 0"),
                              0,
                              "the file and the line are named");
        NS_TEST_EXPECT_MSG_EQ(ReadGoalTrace("no/such/file").error,
                              "no/such/file: the file cannot be read",
                              "no file");
    }
};

/// What a schedule may not look like.
class RefusalCase : public GoalTestCase
{
  public:
    RefusalCase()
        : GoalTestCase("a malformed schedule is refused, naming the line")
    {
    }

  private:
    void DoRun() override
    {
        const std::string head = "num_ranks 2\nrank 0 {\n";
        const std::vector<std::pair<std::string, std::string>> faults{
            {"", "line 1: \"num_ranks\" is due, not the end of the line"},
            {"num_ranks two\n", "line 1: the number of ranks must be a number"},
            {"num_ranks -1\n", "line 1: the number of ranks must be a number"},
            {"num_ranks 0\n", "line 1: a schedule has from 1 to 16777216 ranks, not 0"},
            {"num_ranks 4000000000\n", "line 1: a schedule has from 1 to 16777216 ranks"},
            {"num_ranks 1 1\n", "line 1: nothing may follow here, not \"1\""},
            {"num_ranks 1\nsend\n", "line 2: \"rank\" is due, not \"send\""},
            {"num_ranks 1\nrank 1 {\n}\n", "line 2: rank 1, but there are only 1 ranks"},
            {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "line 4: rank 0 stands here a second time"},
            {"num_ranks 1\nrank 0\n", "line 2: \"{\" is due"},
            {head, "line 2: rank 0 is not closed by \"}\""},
            {head + "/* never closed\n", "line 3: a comment is not closed"},
            {head + "?\n", "line 3: an operation, a dependency or \"}\" is due, not \"?\""},
            {head + "l1\n", "line 3: \":\", \"requires\" or \"irequires\" is due after a label"},
            {head + "l1: work 3\n", "line 3: \"send\", \"recv\" or \"calc\" is due"},
            {head + "calc -5\n", "line 3: a computation must be a number"},
            {head + "calc 5 tag 3\n", "line 3: \"tag\", \"cpu\" or \"nic\" is due"},
            {head + "send 8 to 1\n", "line 3: \"b\" is due, not \"to\""},
            {head + "send 8b from 1\n", "line 3: \"to\" is due, not \"from\""},
            {head + "send 8b to 2\n", "line 3: rank 2, but there are only 2 ranks"},
            {head + "send 99999999999b to 1\n", "line 3: a message length must be a number"},
            {head + "recv 8b from -1\n}\n", "line 3: a receive from any source"},
            {head + "recv 8b from 1 tag -1\n}\n", "line 3: a receive from any source"},
            {head + "a: calc 1\na: calc 1\n", "line 4: label a stands here a second time"},
            {head + "a: calc 1\na requires b\n}\n", "line 4: there is no label b in this rank"},
            {head + "a: calc 1\nb irequires a\n}\n", "line 4: there is no label b in this rank"},
            {head + "a: calc 1\na requires\n", "line 4: a label is due"},
            {head + "send 8b to 1\n}\n",
             "line 3: a send from rank 0 to rank 1 with tag 0 has no matching recv"},
            {head + "recv 8b from 1 tag 3\n}\n",
             "line 3: a recv from rank 1 to rank 0 with tag 3 has no matching send"},
            {head + "send 8b to 1\n}\nrank 1 {\nrecv 8b from 0 tag 1\n}\n",
             "line 3: a send from rank 0 to rank 1 with tag 0 has no matching recv"},
            {head + "calc 2000000000\n}\n", "line 3: a computation takes more than"},
            {head + "send 2000000000b to 1\n}\n", "line 3: a message has more than"},
            {head + "a: calc 1\na requires a\n}\n", "line 3: the operation waits for itself"},
            {head + "a: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
                    "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n",
             "the operation waits for itself, through others or directly"},
        };
        for (const auto& [text, part] : faults)
        {
            const std::string error = Import(text).error;
            NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error << " | " << part);
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("line "), true, error);
        }
    }
};

/// No altered schedule does harm: each is refused or gives a trace that can be replayed.
class AlteredCase : public GoalTestCase
{
  public:
    AlteredCase()
        : GoalTestCase("an altered or truncated schedule is refused, or still makes sense")
    {
    }

  private:
    void DoRun() override
    {
        const std::string text = FormatGoal(MakePairwiseAlltoall(3, 8));
        uint32_t refused = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
        {
            Check(text.substr(0, i), refused);
            for (const char c : {'\0', '\n', ' ', '-', '/', '*', '9', ':', 'a', '{', '}', '\xff'})
            {
                std::string altered = text;
                altered[i] = c;
                Check(altered, refused);
            }
        }
        NS_TEST_EXPECT_MSG_GT(refused, 5 * text.size(), "most are refused");
    }

    /**
     * Imports a text that need not be a schedule.
     *
     * @param text the text
     * @param refused counts those that are not
     */
    void Check(const std::string& text, uint32_t& refused)
    {
        const TraceOrError result = Import(text);
        refused += result.error.empty() ? 0 : 1;
        NS_TEST_ASSERT_MSG_EQ((!result.error.empty() || result.trace.Validate().empty()),
                              true,
                              "a trace that is not sound came of\n"
                                  << text);
    }
};

/// The patterns that are compared with other simulators.
class PatternCase : public GoalTestCase
{
  public:
    PatternCase()
        : GoalTestCase("all-to-all patterns send one message for each pair of ranks")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t ranks : {1, 2, 3, 8, 20, 512})
        {
            const uint32_t pairs = ranks * (ranks - 1);
            const TraceOrError linear = CompileGoal(MakeLinearAlltoall(ranks, 8));
            NS_TEST_EXPECT_MSG_EQ(linear.error, "", "it is sound");
            NS_TEST_EXPECT_MSG_EQ(linear.trace.GetNetworkMessages(), pairs, "linear");
            NS_TEST_EXPECT_MSG_EQ(linear.trace.GetBlocks(), ranks, "one block a rank");
            NS_TEST_EXPECT_MSG_EQ(ReplayTrace(linear.trace, 100).end,
                                  (ranks > 1 ? 100 : 0),
                                  "once");

            const TraceOrError rounds = CompileGoal(MakePairwiseAlltoall(ranks, 8));
            NS_TEST_EXPECT_MSG_EQ(rounds.error, "", "it is sound");
            NS_TEST_EXPECT_MSG_EQ(rounds.trace.Validate(), "", "it is sound");
            NS_TEST_EXPECT_MSG_EQ(rounds.trace.GetNetworkMessages(), pairs, "pairwise");
            NS_TEST_EXPECT_MSG_EQ(ReplayTrace(rounds.trace, 100).end, 100 * (ranks - 1), "rounds");
        }
        const Trace four = CompileGoal(MakeLinearAlltoall(4, 8)).trace;
        for (const auto& [message, destination] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 1}, {2, 3}, {6, 3}, {7, 0}, {11, 2}})
        {
            NS_TEST_EXPECT_MSG_EQ(four.GetDestination(message), destination, "the next rank first");
        }
    }
};

/// The suite.
class GoalTestSuite : public TestSuite
{
  public:
    GoalTestSuite()
        : TestSuite("idempotent-goal", Type::UNIT)
    {
        AddTestCase(new MeaningCase, TestCase::Duration::QUICK);
        AddTestCase(new MatchCase, TestCase::Duration::QUICK);
        AddTestCase(new ConfigCase, TestCase::Duration::QUICK);
        AddTestCase(new SyntaxCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusalCase, TestCase::Duration::QUICK);
        AddTestCase(new AlteredCase, TestCase::Duration::QUICK);
        AddTestCase(new PatternCase, TestCase::Duration::QUICK);
    }
};

GoalTestSuite g_goalTestSuite; ///< registers itself

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
