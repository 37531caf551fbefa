/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-traffic-goal-expansion.h"
#include "ns3/messaging-traffic-goal-patterns.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
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

/** Latency of the port [units]. */
constexpr uint32_t TRIP = 100;

/**
 * Protocol that reports a message as sent after as many units as it has bytes, and as delivered
 * after ten times that long: the second completion, or the only one of a protocol without SENT.
 */
class SlowCore : public DatagramCore
{
  public:
    /** @param reportsSent whether there is a completion SENT */
    explicit SlowCore(bool reportsSent)
        : DatagramCore(UINT32_MAX),
          m_reportsSent(reportsSent)
    {
    }

    /** @return true: DELIVERED ends a message. */
    bool ConfirmsDelivery() const
    {
        return true;
    }

    /** Post a message. @param request the message @param out its host @return accepted */
    template <Actions Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        out.Send(request.to,
                 Frame{.contents = request.contents, .payload = request.bytes, .aux = request.tag});
        const auto timer = static_cast<TimerId>(2 * request.id);
        out.Arm(timer, TRIP + 10 * request.bytes);
        if (m_reportsSent)
        {
            out.Arm(timer + 1, request.bytes);
        }
        return Acceptance::ACCEPTED;
    }

    /** Complete a message. @param timer that of the message @param out its host */
    template <Actions Out>
    void OnTimer(TimerId timer, Out& out)
    {
        out.Complete(timer / 2, timer % 2 == 0 ? Completion::DELIVERED : Completion::SENT);
    }

  private:
    bool m_reportsSent; ///< Whether there is a completion SENT.
};

/** A test of schedules. */
class GoalTestCase : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Run a schedule over a port without contention.
     * @param text the schedule
     * @param end its expected time
     * @param core the protocol
     */
    template <class Core = DatagramCore>
    void Expect(const std::string& text, int64_t end, const Core& core = Core(UINT32_MAX))
    {
        const GoalOrError parsed = ParseGoal(text);
        NS_TEST_ASSERT_MSG_EQ(parsed.error, "", text);
        const std::string file = CreateTempDirFilename("schedule.goal");
        std::ofstream(file) << text;
        const auto clock = CreateObject<TickClock>();
        const auto port = Create<LoopbackPort>(clock,
                                               parsed.schedule.ranks,
                                               LoopbackOptions{.latency = TRIP, .mtu = UINT32_MAX});
        const auto group = CreateObject<CoreGroup<Core, LoopbackPort>>();
        group->Connect(clock, port, [&core](Peer) { return core; });
        BenchmarkHelper helper("goal");
        helper.SetAttribute("File", StringValue(file));
        const auto session = helper.Install(group);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(session->GetFailure(), "", text);
        NS_TEST_EXPECT_MSG_EQ(session->IsFinished(), true, text);
        m_elapsed = session->GetElapsed().GetNanoSeconds();
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now().GetNanoSeconds(), end, text);
        Simulator::Destroy();
    }

    int64_t m_elapsed{0}; ///< Time of the last run's workload.
};

/** Ends of sends. */
class EndOfSendCase : public GoalTestCase
{
  public:
    EndOfSendCase()
        : GoalTestCase("a send ends with its own first completion")
    {
    }

  private:
    void DoRun() override
    {
        // overtaking_completion: the send of 8 bytes ends long before that of 1000.
        const std::string overtaking = "num_ranks 3\n"
                                       "rank 0 {\n"
                                       "l1: send 1000b to 1 tag 1\n"
                                       "l2: send 8b to 2 tag 2\n"
                                       "l3: send 8b to 2 tag 3\n"
                                       "l3 requires l1\n"
                                       "}\n"
                                       "rank 1 {\nrecv 1000b from 0 tag 1\n}\n"
                                       "rank 2 {\nrecv 8b from 0 tag 2\n"
                                       "r: recv 8b from 0 tag 3\n"
                                       "w: calc 5000\nw requires r\n}\n";
        Expect(overtaking, 10000 + TRIP, SlowCore(true));
        NS_TEST_EXPECT_MSG_EQ(m_elapsed, 1000 + TRIP + 5000, "after SENT of 1000 bytes");
        Expect(overtaking, 10000 + TRIP + TRIP + 5000, SlowCore(false));
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
        // trailing_calc: a computation after the last message counts to the time.
        Expect("num_ranks 2\nrank 0 {\nsend 8b to 1\n}\n"
               "rank 1 {\nl1: recv 8b from 0\nl2: calc 1000000000\nl2 requires l1\n}\n",
               1000000100);
        NS_TEST_EXPECT_MSG_EQ(m_elapsed, 1000000100, "the schedule's own end");
        // long_calc: a computation of more than 32 bits.
        Expect("num_ranks 2\nrank 0 {\nl1: calc 5000000000\nl2: send 8b to 1\n"
               "l2 requires l1\n}\nrank 1 {\nrecv 8b from 0\n}\n",
               5000000100);
        // zero_length: messages without bytes, there and back.
        Expect("num_ranks 2\nrank 0 {\nl1: send 0b to 1 tag 3\nl2: recv 0b from 1 tag 4\n"
               "l2 requires l1\n}\n"
               "rank 1 {\nl1: recv 0b from 0 tag 3\nl2: send 0b to 0 tag 4\nl2 requires l1\n}\n",
               200);
        // self_send: a message to oneself.
        Expect("num_ranks 2\nrank 0 {\nsend 64b to 0 tag 1\nrecv 64b from 0 tag 1\n}\n", 100);
        // A chain of receives of early messages is no chain of calls.
        std::string early = "num_ranks 2\nrank 0 {\n";
        std::string receives = "l0: calc 1000\n";
        constexpr int MESSAGES = 20000;
        for (int i = 1; i <= MESSAGES; ++i)
        {
            early += "send 0b to 1\n";
            receives += "l" + std::to_string(i) + ": recv 0b from 0\nl" + std::to_string(i) +
                        " requires l" + std::to_string(i - 1) + "\n";
        }
        Expect(early + "}\nrank 1 {\n" + receives + "}\n", 1000);
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
        // The grammar of txt2bin: only an operation or dependency ends with its line.
        Expect("num_ranks 3 rank 0 { send 8b to 1 tag 0\n} rank 1 {\n"
               "a:recv 8b from 0\nb: calc 7 cpu 1\nb requires a }\nrank 2 { }\n",
               107);
        // Of a tag, the lowest 32 bits count.
        Expect("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 42949672965\n}\n"
               "rank 1 {\nr: recv 8b from 0 tag 5\nw: calc 1\nw requires r\n}\n",
               101);
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
            {"num_ranks 1 1\n", "line 1: \"rank\" is expected, not \"1\""},
            {"num_ranks 1\nsend\n", "line 2: \"rank\" is expected, not \"send\""},
            {"num_ranks 1\nrank 1 {\n}\n", "line 2: rank 1, but there are only 1 ranks"},
            {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "line 4: rank 0 is defined a second time"},
            {"num_ranks 1\nrank 0\n", "line 2: \"{\" is expected"},
            {head, "line 2: rank 0 is not closed by \"}\""},
            {head + "/* never closed\n", "line 3: a comment is not closed"},
            {head + "?\n", "line 3: an operation, a dependency or \"}\" is expected, not \"?\""},
            {head + "l1\n",
             "line 3: \":\", \"requires\" or \"irequires\" is expected after a label"},
            {head + "l1: work 3\n", "line 3: \"send\", \"recv\", \"calc\" or \"coll\" is expected"},
            {head + "calc -5\n", "line 3: a computation must be a number"},
            {head + "calc 5 tag 3\n", "line 3: \"tag\", \"cpu\" or \"nic\" is expected"},
            {head + "send 8 to 1\n", "line 3: \"b\" is expected, not \"to\""},
            {head + "send 8b from 1\n", "line 3: \"to\" is expected, not \"from\""},
            {head + "send 8b to 2\n", "line 3: rank 2, but there are only 2 ranks"},
            {head + "send 281474976710657b to 1\n",
             "line 3: a message length must be a number from 0 to 281474976710656"},
            {head + "calc 4611686018427387904\n",
             "line 3: a computation must be a number from 0 to 4611686018427387903"},
            {head + "calc 1 calc 1\n", "line 3: \"tag\", \"cpu\" or \"nic\" is expected"},
            {head + "send 8b to 1 tag 4294967295\n", "line 3: the lowest 32 bits of a tag"},
            {head + "send 8b to 1 tag -1\n", "line 3: a tag must be a number"},
            {head + "coll shuffle 8b 0 0 -1\n",
             "line 3: \"shuffle\" is no collective; there are barrier, bcast, reduce, allreduce, "
             "reduce_scatter, allgather, gather, scatter, alltoall, and scan"},
            {head + "coll bcast 8b 0 0 2\n", "line 3: rank 2, but there are only 2 ranks"},
            {head + "coll bcast 8b 0\n", "line 3: an instance must be a number"},
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

/** Binary schedules. */
class BinaryCase : public GoalTestCase
{
  public:
    BinaryCase()
        : GoalTestCase(
              "a binary schedule is read like its text; an altered one is refused, or read")
    {
    }

  private:
    void DoRun() override
    {
        const std::string text = "num_ranks 3\n\n"
                                 "rank 0 {\n"
                                 "l1: calc 5000000000\n"
                                 "l2: send 4294967296b to 1 tag 7\n"
                                 "l3: recv 8b from -1 tag -1\n"
                                 "l2 requires l1\n"
                                 "l3 requires l1\n"
                                 "l3 irequires l2\n"
                                 "}\n\n"
                                 "rank 1 {\n"
                                 "l1: coll allreduce 65536b 3 9 -1\n"
                                 "l2: coll bcast 8b 3 10 2\n"
                                 "}\n\n"
                                 "rank 2 {\n"
                                 "}\n";
        const std::string bytes = FormatBinaryGoal(ParseGoal(text).schedule);
        // 8 bytes of cookie, 6 of the head, 48 of the ranks; 39 of an operation.
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 8 + 6 + 48 + 3 * 8 + 5 * 39 + 3 * 4, "its size");
        NS_TEST_EXPECT_MSG_EQ(ParseBinaryGoal(bytes).error, "", "it is sound");
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(ParseBinaryGoal(bytes).schedule), text, "the same");
        const std::string path = CreateTempDirFilename("schedule.bin");
        std::ofstream(path, std::ios::binary) << bytes;
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(ReadGoalFile(path).schedule), text, "from a file");
        std::string spent = bytes;
        spent.replace(0, 2, "\x26\x09");
        NS_TEST_EXPECT_MSG_EQ(ParseBinaryGoal(spent).error,
                              "the schedule was used up by a run of LogGOPSim with --save-mem",
                              "cookie 2342");
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_NE(ParseBinaryGoal(bytes.substr(0, i)).error, "", "cut at " << i);
            for (const char c : {'\0', '\x01', '\x03', '\x7f', '\xff'})
            {
                std::string altered = bytes;
                altered[i] = c;
                const GoalOrError read = ParseBinaryGoal(altered);
                NS_TEST_EXPECT_MSG_EQ((read.error.empty() || read.schedule.operations.empty()),
                                      true,
                                      "byte " << i);
            }
        }
    }
};

/** Cycles of dependencies. */
class CycleCase : public GoalTestCase
{
  public:
    CycleCase()
        : GoalTestCase("operations that wait for each other are named")
    {
    }

  private:
    void DoRun() override
    {
        const std::string head = "num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\n";
        const std::string begin = "the operations of rank 1 wait for each other in a cycle: ";
        const std::vector<std::pair<std::string, std::string>> rows{
            {"a: calc 1\nb: calc 2\nb requires a\n", ""},
            {"a: calc 1\na requires a\n", "line 6 requires line 6"},
            // half_cycle, and one behind it.
            {"a: calc 1\nb: calc 5\nc: calc 5\nb requires c\nc requires b\nd: calc 1\n"
             "d requires b\n",
             "line 7 requires line 8, which requires line 7"},
            {"a: calc 1\nb: calc 1\nc: calc 1\na irequires b\nb requires c\nc irequires a\n",
             "line 6 requires line 7, which requires line 8, which requires line 6"},
        };
        for (const auto& [operations, cycle] : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(FindGoalCycle(ParseGoal(head + operations + "}\n").schedule),
                                  (cycle.empty() ? "" : begin + cycle),
                                  operations);
        }
        GoalSchedule binary{.ranks = 1, .operations = {{}, {}}, .dependencies = {{0, 1}, {1, 0}}};
        NS_TEST_EXPECT_MSG_EQ(
            FindGoalCycle(binary),
            "the operations of rank 0 wait for each other in a cycle: operation 0 "
            "of rank 0 requires operation 1 of rank 0, which requires operation "
            "0 of rank 0",
            "without lines");
    }
};

/** Collectives and long messages. */
class ExpansionCase : public GoalTestCase
{
  public:
    ExpansionCase()
        : GoalTestCase("collectives become the messages of their algorithms, long messages pieces")
    {
    }

  private:
    /** Messages by sender and receiver: their number and bytes. */
    using Messages = std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint64_t>>;

    /**
     * Make a schedule of one collective.
     * @param ranks number of ranks
     * @param operation the operation of each
     * @return its text
     */
    static std::string Make(uint32_t ranks, const std::string& operation)
    {
        std::string text = "num_ranks " + std::to_string(ranks) + "\n";
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            text += "rank " + std::to_string(rank) + " {\n" + operation + "\n}\n";
        }
        return text;
    }

    /**
     * List the sends or receives of a schedule.
     * @param schedule the schedule
     * @param kind SEND or RECV
     * @return the messages
     */
    static Messages List(const GoalSchedule& schedule, GoalKind kind)
    {
        Messages messages;
        for (const GoalOperation& it : schedule.operations)
        {
            if (it.kind == kind)
            {
                const bool send = kind == GoalKind::SEND;
                auto& [count, bytes] =
                    messages[{send ? it.rank : it.peer, send ? it.peer : it.rank}];
                ++count;
                bytes += it.amount;
            }
        }
        return messages;
    }

    void DoRun() override
    {
        constexpr uint64_t BYTES = 1000;
        // Latencies until the last rank has ended, and bytes that leave all ranks, by the closed
        // forms of the algorithms, where a message takes a latency and its sender no time.
        const auto check = [this](uint32_t p,
                                  const std::string& operation,
                                  uint64_t ring,
                                  int64_t steps,
                                  uint64_t bytes) {
            const std::string name = std::to_string(p) + " " + operation;
            const GoalOrError all = ExpandGoal(ParseGoal(Make(p, operation)).schedule, ring);
            NS_TEST_ASSERT_MSG_EQ(all.error, "", name);
            const Messages sent = List(all.schedule, GoalKind::SEND);
            const bool matched = sent == List(all.schedule, GoalKind::RECV);
            NS_TEST_EXPECT_MSG_EQ(matched, true, name << ": each message has its receive");
            uint64_t sum = 0;
            for (const auto& [pair, amount] : sent)
            {
                sum += amount.second;
            }
            NS_TEST_EXPECT_MSG_EQ(sum, bytes, name << ": bytes");
            if (p > 1)
            {
                Expect(FormatGoal(all.schedule), steps * TRIP);
            }
        };
        for (const uint32_t p : {1, 2, 3, 4, 5, 7, 8, 13, 16})
        {
            const auto log = static_cast<int64_t>(std::bit_width(p - 1));
            const uint32_t extra = p - std::bit_floor(p);
            const uint32_t rounds = std::bit_width(p) - 1;
            const std::string root = " 0 0 " + std::to_string(p / 2);
            const uint64_t share = BYTES * p;
            const std::string size = std::to_string(share) + "b";
            const int64_t ring = p - 1;
            check(p, "coll bcast " + size + root, share + 1, rounds, share * (p - 1));
            check(p, "coll reduce " + size + root, share + 1, rounds, share * (p - 1));
            check(p,
                  "coll allreduce " + size + " 0 0 -1",
                  share + 1,
                  rounds + std::min(extra, 2U),
                  share * (std::bit_floor(p) * rounds + 2 * extra));
            check(p, "coll allgather " + size + " 0 0 -1", share + 1, log, share * (p - 1));
            check(p, "coll reduce_scatter " + size + " 0 0 -1", share + 1, log, share * (p - 1));
            check(p, "coll allgather " + size + " 0 0 -1", share, ring, share * (p - 1));
            check(p, "coll reduce_scatter " + size + " 0 0 -1", share, ring, share * (p - 1));
            check(p, "coll allreduce " + size + " 0 0 -1", share, 2 * ring, 2 * share * (p - 1));
            // Each block travels once for each level of its member in the tree.
            uint64_t levels = 0;
            uint64_t prefixes = 0;
            for (uint32_t number = 0; number < p; ++number)
            {
                levels += std::popcount(number);
            }
            for (uint32_t distance = 1; distance < p; distance *= 2)
            {
                prefixes += p - distance;
            }
            check(p, "coll gather " + size + root, share + 1, rounds, levels * BYTES);
            check(p, "coll scatter " + size + root, share + 1, rounds, levels * BYTES);
            check(p, "coll alltoall " + size + " 0 0 -1", share + 1, ring, share * (p - 1));
            check(p, "coll scan " + size + " 0 0 -1", share + 1, rounds, share * prefixes);
            check(p, "coll barrier 0b 0 0 -1", share + 1, log, 0);
        }
        CheckGroups();
        CheckRefusals();
        CheckPieces();
    }

    /** Collectives of some ranks, in the order of each, beside other messages. */
    void CheckGroups()
    {
        // coll.goal: four ranks in a ring, and a computation behind it.
        const std::string four = Make(4,
                                      "l1: coll allreduce 65536b 0 0 -1 cpu 1 nic 1\n"
                                      "l2: calc 100 cpu 0\nl2 requires l1");
        Expect(four, 6 * TRIP + 100);
        // Ranks 0 and 2 twice in the same group and instance, rank 1 not at all; a message with
        // tag 0 is none of theirs.
        const std::string both = "a: coll allgather 8b 5 0 -1\n"
                                 "b: coll allgather 8b 5 0 -1\nb requires a\n";
        Expect("num_ranks 3\nrank 0 {\n" + both + "send 8b to 2\n}\nrank 1 {\n}\nrank 2 {\n" +
                   both + "r: recv 8b from 0\nc: calc 1000\nc requires r\n}\n",
               TRIP + 1000);
        // What requires the start of a collective does not wait for its messages.
        Expect("num_ranks 2\nrank 0 {\na: coll bcast 8b 0 0 1\nb: calc 300\n"
               "b irequires a\nc: calc 1\nc requires a\n}\nrank 1 {\nd: coll bcast 8b 0 0 1\n}\n",
               300);
    }

    /** Collectives that do not fit together. */
    void CheckRefusals()
    {
        const std::string head = "num_ranks 2\nrank 0 {\ncoll bcast 8b 0 0 1\n}\nrank 1 {\n";
        const std::vector<std::pair<std::string, std::string>> rows{
            {head + "coll bcast 9b 0 0 1\n}\n",
             "line 6: kind, bytes or root of the collective of group 0, instance 0 differ from "
             "those of line 3"},
            {head + "}\n", "line 3: bcast needs one of its ranks as root"},
            {"num_ranks 1\nrank 0 {\ncoll reduce 8b 0 0 -1\n}\n",
             "line 3: reduce needs one of its ranks as root"},
            {head + "coll bcast 8b 0 0 1\nrecv 8b from 0 tag -1\n}\n",
             "line 7: a receive with tag -1 could take a message of a collective"},
        };
        for (const auto& [text, error] : rows)
        {
            NS_TEST_EXPECT_MSG_EQ(ExpandGoal(ParseGoal(text).schedule).error, error, text);
        }
    }

    /** big_message: 4 GiB, in four pieces of 1 GiB. */
    void CheckPieces()
    {
        const std::string text = "num_ranks 2\n"
                                 "rank 0 {\nl1: send 4294967296b to 1 tag 0\n"
                                 "l2: send 8b to 1 tag 0\n}\n"
                                 "rank 1 {\nl0: calc 5\nl1: recv 4294967296b from 0 tag 0\n"
                                 "l1 requires l0\nl2: recv 8b from 0 tag 0\nl2 requires l1\n}\n";
        const GoalSchedule schedule = ExpandGoal(ParseGoal(text).schedule).schedule;
        for (const GoalKind kind : {GoalKind::SEND, GoalKind::RECV})
        {
            const Messages messages = List(schedule, kind);
            NS_TEST_ASSERT_MSG_EQ(messages.size(), 1, "from 0 to 1 only");
            const auto& [count, bytes] = messages.begin()->second;
            NS_TEST_EXPECT_MSG_EQ(count, 5, "four pieces, and the short message");
            NS_TEST_EXPECT_MSG_EQ(bytes, (uint64_t{1} << 32) + 8, "bytes");
        }
        NS_TEST_EXPECT_MSG_EQ(schedule.dependencies.size(), 8, "all pieces wait and are awaited");
        Expect(text, TRIP);
        const std::string whole = "num_ranks 2\nrank 0 {\nsend 4294967295b to 1\n}\n";
        NS_TEST_EXPECT_MSG_EQ(ExpandGoal(ParseGoal(whole).schedule).schedule.operations.size(),
                              1,
                              "as large as a message can be");
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
        AddTestCase(new BinaryCase, TestCase::Duration::QUICK);
        AddTestCase(new CycleCase, TestCase::Duration::QUICK);
        AddTestCase(new EndOfSendCase, TestCase::Duration::QUICK);
        AddTestCase(new ExpansionCase, TestCase::Duration::QUICK);
        AddTestCase(new PatternCase, TestCase::Duration::QUICK);
    }
};

GoalTestSuite g_goalTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
