/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-traffic-goal-patterns.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <fstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of GOAL schedules: their text, and the pattern that runs them.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** A test of schedules. */
class GoalTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Run a schedule over a port without contention.
     * @param text the schedule
     * @param end its expected time with a latency of 100 units
     */
    void Expect(const std::string& text, int64_t end)
    {
        const GoalOrError parsed = ParseGoal(text);
        NS_TEST_ASSERT_MSG_EQ(parsed.error, "", text);
        const std::string file = CreateTempDirFilename("schedule.goal");
        std::ofstream(file) << text;
        const auto clock = CreateObject<TickClock>();
        const auto port =
            Create<LoopbackPort>(clock, parsed.schedule.ranks, LoopbackOptions{.latency = 100});
        const auto group = CreateObject<CoreGroup<DatagramCore, LoopbackPort>>();
        group->Connect(clock, port, [](Peer) { return DatagramCore(1000); });
        BenchmarkHelper helper("goal");
        helper.SetAttribute("File", StringValue(file));
        const auto session = helper.Install(group);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(session->GetFailure(), "", text);
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), true, text);
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetNanoSeconds(), end, text);
        Simulator::Destroy();
    }
};

/** Meaning of operations and dependencies. */
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
        // Operations without dependencies start at once.
        Expect("num_ranks 2\nrank 0 {\nsend 8b to 1\ncalc 30\n}\nrank 1 {\nrecv 8b from 0\n}\n",
               100);
        // A send after a computation, a computation after its arrival, and another one in parallel.
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
        Expect(chain, 135);
        // A computation that starts with another one, and a send that starts with that.
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
               150);
        // A receive ends when its message has arrived and its dependencies are met.
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
               304);
        // Two computations and two arrivals before the next operation; labels may follow their use.
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
               161);
    }
};

/** Matching of receives and messages. */
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
        Expect(sends + "r1\n}\n", 620);
        Expect(sends + "r2\n}\n", 600);
        // A receive takes no message of another source, though this rank needs few operations and
        // nothing waits for the receive. The messages of ranks 4 and 0 arrive at 150 and 100.
        Expect("num_ranks 8\n"
               "rank 4 {\nw: calc 50\na: send 8b to 1\na requires w\n}\n"
               "rank 0 {\nsend 8b to 1\n}\n"
               "rank 1 {\n"
               "recv 8b from 4\n"
               "w: calc 300\n"
               "r: recv 8b from 0\n"
               "r requires w\n"
               "x: calc 5\n"
               "x requires r\n"
               "}\n"
               "rank 2 {\n}\nrank 3 {\n}\nrank 5 {\n}\nrank 6 {\n}\nrank 7 {\n}\n",
               305);
        Expect(sends + "r3\n}\n", 640);
        // Another message leaves at 10. Of the receives that match a message, the first gets it.
        const auto expect = [&](const std::string& receives, const std::string& last, int64_t end) {
            const std::string others = "rank 2 {\n"
                                       "w: calc 10\n"
                                       "s: send 8b to 1 tag 1\n"
                                       "s requires w\n"
                                       "}\n";
            const auto begin = sends.find("rank 0");
            const auto end1 = sends.find("r1: ");
            Expect("num_ranks 3\n" + others + sends.substr(begin, end1 - begin) + receives +
                       "x: calc 500\nx requires " + last + "\n}\n",
                   end);
        };
        const std::string any = "a: recv 8b from -1 tag 1\n";
        const std::string own = "b: recv 8b from 0 tag 1\n";
        const std::string rest = "c: recv 8b from 0 tag -1\n"
                                 "d: recv 8b from -1 tag -1\n";
        for (const auto& [last, end] : {std::pair{"a", 600}, {"b", 640}, {"c", 620}, {"d", 610}})
        {
            expect(any + own + rest, last, end);
        }
        for (const auto& [last, end] : {std::pair{"a", 610}, {"b", 600}, {"c", 620}, {"d", 640}})
        {
            expect(own + any + rest, last, end);
        }
        // The only receive of a source does not overtake one of any source.
        expect(any + own, "a", 600);
        // A receive joins a list that its last one has left before the others.
        expect("c: recv 8b from 0 tag 2\nb: recv 8b from 0 tag 1\ne: recv 8b from 0 tag 1\n"
               "e requires b\n",
               "e",
               640);
        // The messages of others wait, for a receive that starts later too.
        expect("a: recv 8b from 2 tag 1\n", "a", 610);
        expect("w: calc 300\na: recv 8b from 2 tag -1\na requires w\n", "a", 800);
    }
};

/** Texts of schedules. */
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
               100);
        Expect("num_ranks 5\n", 0);
        const std::string text = FormatGoal(MakePairwiseAlltoall(5, 12));
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(ParseGoal(text).schedule), text, "written and read");
        const std::string path = CreateTempDirFilename("written.goal");
        std::ofstream(path) << text;
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(ReadGoalFile(path).schedule), text, "file");
        std::ofstream(path) << "num_ranks 1\nrank 0 {\nsend\n}\n";
        NS_TEST_EXPECT_MSG_EQ(ReadGoalFile(path).error.find(path + ": line 3: "),
                              0,
                              "the file and the line are named");
        NS_TEST_EXPECT_MSG_EQ(ReadGoalFile("no/such/file").error,
                              "no/such/file cannot be read",
                              "no file");
    }
};

/** Malformed schedules. */
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
            {"", "line 1: \"num_ranks\" is expected, not the end of the line"},
            {"num_ranks two\n", "line 1: the number of ranks must be a number"},
            {"num_ranks -1\n", "line 1: the number of ranks must be a number"},
            {"num_ranks 0\n", "line 1: a schedule has from 1 to 16777216 ranks, not 0"},
            {"num_ranks 4000000000\n", "line 1: a schedule has from 1 to 16777216 ranks"},
            {"num_ranks 1 1\n", "line 1: the end of the line is expected, not \"1\""},
            {"num_ranks 1\nsend\n", "line 2: \"rank\" is expected, not \"send\""},
            {"num_ranks 1\nrank 1 {\n}\n", "line 2: rank 1, but there are only 1 ranks"},
            {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "line 4: rank 0 is defined a second time"},
            {"num_ranks 1\nrank 0\n", "line 2: \"{\" is expected"},
            {head, "line 2: rank 0 is not closed by \"}\""},
            {head + "/* never closed\n", "line 3: a comment is not closed"},
            {head + "?\n", "line 3: an operation, a dependency or \"}\" is expected, not \"?\""},
            {head + "l1\n",
             "line 3: \":\", \"requires\" or \"irequires\" is expected after a label"},
            {head + "l1: work 3\n", "line 3: \"send\", \"recv\" or \"calc\" is expected"},
            {head + "calc -5\n", "line 3: a computation must be a number"},
            {head + "calc 5 tag 3\n", "line 3: \"tag\", \"cpu\" or \"nic\" is expected"},
            {head + "send 8 to 1\n", "line 3: \"b\" is expected, not \"to\""},
            {head + "send 8b from 1\n", "line 3: \"to\" is expected, not \"from\""},
            {head + "send 8b to 2\n", "line 3: rank 2, but there are only 2 ranks"},
            {head + "send 99999999999b to 1\n", "line 3: a message length must be a number"},
            {head + "a: calc 1\na: calc 1\n", "line 4: label a is defined a second time"},
            {head + "a: calc 1\na requires b\n}\n", "line 4: there is no label b in this rank"},
            {head + "a: calc 1\nb irequires a\n}\n", "line 4: there is no label b in this rank"},
            {head + "a: calc 1\na requires\n", "line 4: a label is expected"},
        };
        for (const auto& [text, part] : faults)
        {
            const std::string error = ParseGoal(text).error;
            NS_TEST_EXPECT_MSG_NE(error.find(part), std::string::npos, error << " | " << part);
            NS_TEST_EXPECT_MSG_EQ(error.starts_with("line "), true, error);
        }
    }
};

/** Altered schedules. */
class AlteredCase : public GoalTestCase
{
  public:
    AlteredCase()
        : GoalTestCase("an altered or truncated schedule is refused, or can be written again")
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
        NS_TEST_EXPECT_MSG_GT(refused, 4 * text.size(), "most are refused");
    }

    /**
     * Read a text that may not be a schedule.
     * @param text the text
     * @param refused incremented if it is not
     */
    void Check(const std::string& text, uint32_t& refused)
    {
        const GoalOrError result = ParseGoal(text);
        refused += result.error.empty() ? 0 : 1;
        const GoalOrError again = ParseGoal(FormatGoal(result.schedule));
        NS_TEST_ASSERT_MSG_EQ((!result.error.empty() || again.error.empty()), true, text);
    }
};

/** Patterns compared with other simulators. */
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
        for (const uint32_t ranks : {2, 3, 8, 20})
        {
            const GoalSchedule linear = MakeLinearAlltoall(ranks, 8);
            const GoalSchedule rounds = MakePairwiseAlltoall(ranks, 8);
            for (const auto* schedule : {&linear, &rounds})
            {
                uint32_t sends = 0;
                for (const auto& operation : schedule->operations)
                {
                    sends += operation.kind == GoalKind::SEND ? 1 : 0;
                }
                NS_TEST_EXPECT_MSG_EQ(sends, ranks * (ranks - 1), "one message for each pair");
            }
            Expect(FormatGoal(linear), 100);
            Expect(FormatGoal(rounds), 100 * (ranks - 1));
        }
        uint32_t next = 1;
        const GoalSchedule four = MakeLinearAlltoall(4, 8);
        for (const auto& operation : four.operations)
        {
            if (operation.kind == GoalKind::SEND && operation.rank == 1)
            {
                next = next % 4 + 1;
                NS_TEST_EXPECT_MSG_EQ(operation.peer, next % 4, "the next rank first");
            }
        }
    }
};

/** The suite. */
class GoalTestSuite : public TestSuite
{
  public:
    GoalTestSuite()
        : TestSuite("messaging-goal", Type::UNIT)
    {
        AddTestCase(new MeaningCase, TestCase::Duration::QUICK);
        AddTestCase(new MatchCase, TestCase::Duration::QUICK);
        AddTestCase(new SyntaxCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusalCase, TestCase::Duration::QUICK);
        AddTestCase(new AlteredCase, TestCase::Duration::QUICK);
        AddTestCase(new PatternCase, TestCase::Duration::QUICK);
    }
};

GoalTestSuite g_goalTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
