/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-port-link.h"

#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-traffic-goal-patterns.h"
#include "ns3/messaging-traffic-goal.h"
#include "ns3/mpi-ranks-collectives.h"
#include "ns3/mpi-ranks-goal.h"
#include "ns3/mpi-ranks-group.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Ranks, their programs and collective operations.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{
namespace
{

using messaging::LoopbackPort;
using messaging::TickClock;

/** Ranks over a port with a constant delay. */
struct Job
{
    /**
     * Constructor.
     * @param ranks number of ranks
     * @param reliability reliability in software
     * @param perNode ranks of each node
     */
    explicit Job(uint32_t ranks, bool reliability = false, uint32_t perNode = 1)
        : group(CreateObject<RankGroup>())
    {
        const auto port =
            Create<LoopbackPort>(clock, ranks, messaging::LoopbackOptions{.mtu = 1 << 30});
        latency = port->Distance(0, 0);
        RankConfig config;
        config.traits = port->GetInfo();
        config.traits.mtu = 0;
        config.reliability = reliability;
        group->SetAttribute("RanksPerNode", UintegerValue(perNode));
        group->Connect(clock, CreateObject<PortRankLink<LoopbackPort>>(port, SIGNALED), config);
    }

    ~Job()
    {
        if (group)
        {
            group->Dispose();
        }
        Simulator::Destroy();
    }

    /** Run a program to its end. @param main the program */
    void Run(RankMain main)
    {
        group->Start(std::move(main));
        Simulator::Run();
    }

    Ptr<TickClock> clock{CreateObject<TickClock>()}; ///< Counts nanoseconds.
    Ptr<RankGroup> group;                            ///< The ranks.
    Ticks latency{0};                                ///< Latency of the port [ns].
};

/** A job that is disposed of while its clock goes on. */
class DisposedGroupTestCase : public TestCase
{
  public:
    DisposedGroupTestCase()
        : TestCase("ranks that are disposed of in a run are called no more by their clock")
    {
    }

  private:
    void DoRun() override
    {
        // The first events of the ranks, messages between nodes, and messages in the memory of one.
        for (const int64_t at : {0, 100, 1000})
        {
            for (const uint32_t perNode : {1U, 2U})
            {
                uint32_t ended = 0;
                Job job(2, false, perNode);
                job.group->Start([&ended](Rank rank) -> RankTask<> {
                    for (uint32_t round = 0; round < 100; ++round)
                    {
                        co_await Broadcast(rank, round % 2, 8, round, ~uint64_t{0});
                    }
                    ++ended;
                });
                Simulator::Stop(NanoSeconds(at));
                Simulator::Run();
                job.group->Dispose();
                job.group = nullptr;
                Simulator::Run();
                NS_TEST_EXPECT_MSG_EQ(ended, 0, "programs that end, from " << at << " ns");
            }
        }
    }
};

/** Collective operations give every rank the right data, by both of their algorithms. */
class CollectivesTestCase : public TestCase
{
  public:
    /** Constructor. @param ranks number of ranks @param ringBytes length from which rings are used
     */
    CollectivesTestCase(uint32_t ranks, uint64_t ringBytes)
        : TestCase("collective operations among " + std::to_string(ranks) +
                   (ringBytes == 0 ? ", rings" : ", trees")),
          m_ranks(ranks),
          m_ringBytes(ringBytes)
    {
    }

  private:
    /** @return the data of a rank. @param rank its number */
    static uint64_t GetData(Peer rank)
    {
        return uint64_t{rank} * rank + 1;
    }

    /** @return the block of one rank for another. @param from the one @param to the other */
    static uint64_t GetBlock(Peer from, Peer to)
    {
        return uint64_t{from} << 32 | to;
    }

    /** @return the sum of the data of the first ranks. @param count their number */
    static uint64_t GetSum(uint32_t count)
    {
        uint64_t sum = 0;
        for (Peer rank = 0; rank < count; ++rank)
        {
            sum += GetData(rank);
        }
        return sum;
    }

    /** Operations with a root. @param rank the rank @param bytes length @return the program */
    RankTask<> RunRooted(Rank rank, uint32_t bytes)
    {
        const Peer self = rank.GetIndex();
        std::vector<uint64_t> blocks(m_ranks);
        for (Peer root = 0; root < m_ranks; ++root)
        {
            const uint64_t got = co_await Broadcast(rank, root, bytes, 100 + self, m_ringBytes);
            NS_TEST_EXPECT_MSG_EQ(got, 100 + root, "broadcast at " << self);
            const uint64_t sum = co_await Reduce(rank, root, bytes, GetData(self), m_ringBytes);
            NS_TEST_EXPECT_MSG_EQ(sum, (self == root ? GetSum(m_ranks) : 0), "reduce at " << self);
            co_await Gather(rank, root, bytes, GetData(self), blocks);
            for (Peer from = 0; self == root && from < m_ranks; ++from)
            {
                NS_TEST_EXPECT_MSG_EQ(blocks[from], GetData(from), "gather at " << root);
            }
            for (Peer to = 0; to < m_ranks; ++to)
            {
                blocks[to] = GetBlock(self, to);
            }
            const uint64_t own = co_await Scatter(rank, root, bytes, blocks);
            NS_TEST_EXPECT_MSG_EQ(own, GetBlock(root, self), "scatter at " << self);
        }
    }

    /** Operations of all alike. @param rank the rank @param bytes length @return the program */
    RankTask<> RunSymmetric(Rank rank, uint32_t bytes)
    {
        const Peer self = rank.GetIndex();
        co_await Barrier(rank);
        const uint64_t sum = co_await Allreduce(rank, bytes, GetData(self), m_ringBytes);
        NS_TEST_EXPECT_MSG_EQ(sum, GetSum(m_ranks), "allreduce at " << self);
        const uint64_t prefix = co_await Scan(rank, bytes, GetData(self));
        NS_TEST_EXPECT_MSG_EQ(prefix, GetSum(self + 1), "scan at " << self);
        std::vector<uint64_t> send(m_ranks);
        std::vector<uint64_t> lengths(m_ranks);
        std::vector<uint64_t> receive(m_ranks, 0);
        uint64_t shares = 0;
        for (Peer other = 0; other < m_ranks; ++other)
        {
            send[other] = GetBlock(self, other);
            lengths[other] = bytes + other;
            shares += GetBlock(other, self);
        }
        const uint64_t share = co_await ReduceScatter(rank, bytes, send, m_ringBytes);
        NS_TEST_EXPECT_MSG_EQ(share, shares, "reduce-scatter at " << self);
        co_await Allgather(rank, bytes, GetData(self), receive, m_ringBytes);
        for (Peer from = 0; from < m_ranks; ++from)
        {
            NS_TEST_EXPECT_MSG_EQ(receive[from], GetData(from), "allgather at " << self);
        }
        co_await Alltoall(rank, bytes, send, receive);
        for (Peer from = 0; from < m_ranks; ++from)
        {
            NS_TEST_EXPECT_MSG_EQ(receive[from], GetBlock(from, self), "alltoall at " << self);
        }
        std::ranges::fill(receive, 0);
        co_await Alltoallv(rank, lengths, send, receive);
        for (Peer from = 0; from < m_ranks; ++from)
        {
            NS_TEST_EXPECT_MSG_EQ(receive[from], GetBlock(from, self), "alltoallv at " << self);
        }
    }

    /** Run every operation. @param rank the rank @param bytes length @return the program */
    RankTask<> Main(Rank rank, uint32_t bytes)
    {
        co_await rank.Compute(1000 * ((rank.GetIndex() * 7) % 5));
        co_await RunRooted(rank, bytes);
        co_await RunSymmetric(rank, bytes);
    }

    void DoRun() override
    {
        for (const uint32_t bytes : {8, 20000})
        {
            Job job(m_ranks, false, 4);
            job.Run([this, bytes](Rank rank) { return Main(rank, bytes); });
            NS_TEST_EXPECT_MSG_EQ(job.group->GetNDone(), m_ranks, "all programs end");
        }
    }

    uint32_t m_ranks;     ///< Number of ranks.
    uint64_t m_ringBytes; ///< Length from which rings are used [bytes].
};

/** No rank leaves a barrier before the last has come. */
class BarrierTestCase : public TestCase
{
  public:
    BarrierTestCase()
        : TestCase("a barrier ends after the last rank has begun it")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t RANKS = 6;
        constexpr Ticks LATE = 1'000'000;
        Job job(RANKS);
        std::vector<Ticks> ends(RANKS);
        job.Run([&ends](Rank rank) -> RankTask<> {
            const Peer self = rank.GetIndex();
            co_await rank.Compute(self == 4 ? LATE : 0);
            co_await Barrier(rank);
            ends[self] = rank.GetTime();
        });
        for (Peer self = 0; self < RANKS; ++self)
        {
            NS_TEST_EXPECT_MSG_GT(ends[self], LATE, "rank " << self << " waits for rank 4");
        }
        NS_TEST_EXPECT_MSG_EQ(job.group->GetComputed(4), LATE, "time of computation");
    }
};

/** Trace sources of programs, operations and collective operations. */
class TraceTestCase : public TestCase
{
  public:
    TraceTestCase()
        : TestCase("traces of programs, sends, receives and collective operations")
    {
    }

  private:
    void DoRun() override
    {
        Job job(2);
        const auto connect = [&job](const std::string& name, auto callback) {
            const bool connected = job.group->TraceConnectWithoutContext(name, callback);
            NS_ABORT_MSG_UNLESS(connected, name);
        };
        connect("ProgramBegin", MakeCallback(&TraceTestCase::BeginProgram, this));
        connect("ProgramEnd", MakeCallback(&TraceTestCase::EndProgram, this));
        connect("OperationBegin", MakeCallback(&TraceTestCase::BeginOperation, this));
        connect("OperationEnd", MakeCallback(&TraceTestCase::EndOperation, this));
        connect("CollectiveBegin", MakeCallback(&TraceTestCase::BeginCollective, this));
        connect("CollectiveEnd", MakeCallback(&TraceTestCase::EndCollective, this));
        job.Run([](Rank rank) -> RankTask<> {
            if (rank.GetIndex() == 0)
            {
                co_await rank.Send(1, 150, 7);
            }
            else
            {
                co_await rank.Recv(ANY_SOURCE, ANY_TAG);
            }
            co_await Broadcast(rank, 1, 30, 0);
        });
        const std::vector<std::string> expected{"begin",
                                                "send 150 to 1",
                                                "sent",
                                                "bcast 30 begins",
                                                "receive",
                                                "received 30 from 1",
                                                "bcast ends",
                                                "end"};
        NS_TEST_ASSERT_MSG_EQ(m_lines[0].size(), expected.size(), "lines of rank 0");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(m_lines[0][i], expected[i], "line " << i << " of rank 0");
        }
        NS_TEST_ASSERT_MSG_GT(m_lines[1].size(), 3, "lines of rank 1");
        NS_TEST_EXPECT_MSG_EQ(m_lines[1][1], "receive", "of any rank");
        NS_TEST_EXPECT_MSG_EQ(m_lines[1][2], "received 150 from 0", "the message found");
    }

    /** @param self the rank */
    void BeginProgram(Peer self, Ticks /* time */)
    {
        m_lines[self].emplace_back("begin");
    }

    /** @param self the rank */
    void EndProgram(Peer self, Ticks /* time */)
    {
        m_lines[self].emplace_back("end");
    }

    /** @param self the rank @param operation a send or receive */
    void BeginOperation(Peer self, const RankOperation& operation)
    {
        m_lines[self].push_back(operation.receives ? "receive"
                                                   : "send " + std::to_string(operation.bytes) +
                                                         " to " + std::to_string(operation.peer));
    }

    /** @param self the rank @param operation a send or receive */
    void EndOperation(Peer self, const RankOperation& operation)
    {
        m_lines[self].push_back(operation.receives ? "received " + std::to_string(operation.bytes) +
                                                         " from " + std::to_string(operation.peer)
                                                   : "sent");
    }

    /** @param self the rank @param kind the operation @param bytes its length */
    void BeginCollective(Peer self, messaging::CollectiveKind kind, uint64_t bytes)
    {
        m_lines[self].push_back(std::string(messaging::GetCollectiveWord(kind)) + " " +
                                std::to_string(bytes) + " begins");
    }

    /** @param self the rank @param kind the operation @param time its duration */
    void EndCollective(Peer self, messaging::CollectiveKind kind, Ticks time)
    {
        NS_TEST_EXPECT_MSG_GT(time, 0, "it takes time");
        m_lines[self].push_back(std::string(messaging::GetCollectiveWord(kind)) + " ends");
    }

    std::array<std::vector<std::string>, 2> m_lines; ///< Lines of each rank.
};

/** Costs of calls; a computing rank handles no arrivals. */
class CallsTestCase : public TestCase
{
  public:
    CallsTestCase()
        : TestCase("C-07: times of calls in closed form; arrivals wait for a call")
    {
    }

  private:
    /** Computation of the receiver [ns]. */
    static constexpr Ticks LONG = 1'000'000;

    /** Exchange an early and a late message. @param rank the rank @return the program */
    RankTask<> Main(Rank rank)
    {
        if (rank.GetIndex() == 0)
        {
            co_await rank.Send(1, 150, 7, 42);
            m_sent = rank.GetTime();
            rank.Free(co_await rank.Isend(1, 150, 8, 43));
            co_return;
        }
        const RankStatus status = co_await rank.Recv(ANY_SOURCE, ANY_TAG);
        m_received = rank.GetTime();
        NS_TEST_EXPECT_MSG_EQ(status.contents, 42, "data");
        NS_TEST_EXPECT_MSG_EQ(status.tag, 7, "tag");
        NS_TEST_EXPECT_MSG_EQ(status.source, 0, "source");
        NS_TEST_EXPECT_MSG_EQ(status.bytes, 150, "length");
        const RankRequest receive = co_await rank.Irecv(0, 8);
        co_await rank.Compute(LONG);
        m_early = rank.GetTime();
        const bool ended = co_await rank.Test(receive);
        NS_TEST_EXPECT_MSG_EQ(ended, true, "it had arrived, and is handled now");
        m_late = rank.GetTime();
        co_await rank.Wait(receive);
    }

    void DoRun() override
    {
        Job job(2);
        const RankCosts costs;
        job.Run([this](Rank rank) { return Main(rank); });
        const Ticks copy = 150 * 1000 / 1500;
        NS_TEST_EXPECT_MSG_EQ(m_sent,
                              costs.call + costs.header + copy + costs.post,
                              "the sender goes on when the request is posted");
        const Ticks handled = costs.poll + costs.header + costs.match + copy;
        NS_TEST_EXPECT_MSG_EQ(m_received, m_sent + job.latency + handled, "an idle latency");
        NS_TEST_EXPECT_MSG_EQ(m_late, m_early + handled, "nothing was done before (C-07)");
    }

    Ticks m_sent{0};     ///< End of the send [ns].
    Ticks m_received{0}; ///< Receipt of the first message [ns].
    Ticks m_early{0};    ///< End of the receiver's computation [ns].
    Ticks m_late{0};     ///< Receipt of the second message [ns].
};

/** Timer interrupts, and copies that share a memory. */
class HostsTestCase : public TestCase
{
  public:
    HostsTestCase()
        : TestCase("timer interrupts lengthen computations; copies of a node share its memory")
    {
    }

  private:
    void DoRun() override
    {
        // 20 ms have 20 interrupts, at other times on each rank.
        constexpr Ticks LONG = 20'000'000;
        constexpr Ticks INTERRUPT = 7'000;
        Job noisy(3);
        noisy.group->SetAttribute("TimerInterrupt", UintegerValue(INTERRUPT));
        std::vector<Ticks> middle(3);
        noisy.Run([&](Rank rank) -> RankTask<> {
            co_await rank.Compute(LONG / 40);
            middle[rank.GetIndex()] = rank.GetTime();
            co_await rank.Compute(LONG - LONG / 40);
        });
        for (Peer self = 0; self < 3; ++self)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(noisy.group->GetTime(self),
                                      LONG + 20 * INTERRUPT,
                                      INTERRUPT,
                                      "1000 interrupts a second");
        }
        NS_TEST_EXPECT_MSG_EQ(middle[0], LONG / 40, "none in the first half millisecond of one");
        NS_TEST_EXPECT_MSG_EQ(middle[1], LONG / 40 + INTERRUPT, "one in that of another");

        // Ranks 0 to 3 copy 60000 bytes each to ranks of their node at the same time: the node's
        // memory takes 20.3 us for each copy, one after the other.
        constexpr uint32_t BYTES = 60'000;
        Job job(8, false, 8);
        std::vector<Ticks> sent(4);
        job.Run([&](Rank rank) -> RankTask<> {
            const Peer self = rank.GetIndex();
            if (self >= 4)
            {
                co_await rank.Recv(self - 4, 1);
                co_return;
            }
            co_await rank.Send(self + 4, BYTES, 1, 0);
            sent[self] = rank.GetTime();
        });
        const RankCosts costs;
        const Ticks begin = costs.call + costs.header;
        const Ticks alone = BYTES * 1000 / 1500;
        const Ticks share = BYTES * 1000 / 2950;
        for (Peer self = 0; self < 4; ++self)
        {
            NS_TEST_EXPECT_MSG_EQ(sent[self],
                                  begin + std::max(alone, (self + 1) * share),
                                  "rank " << self);
        }
    }
};

/** Cost of a retransmission. */
class ResendTestCase : public TestCase
{
  public:
    ResendTestCase()
        : TestCase("retransmissions are not copied again")
    {
    }

  private:
    /** Length of the message; copying it takes 4 us [bytes]. */
    static constexpr uint32_t LENGTH = 6000;

    /** Initial computation of the receiver [ns]. */
    static constexpr Ticks COMPUTE = RankConfig().timeout * 3 / 2 - 2000;

    /** Exchange a message and its late answer. @param rank the rank @return the program */
    RankTask<> Main(Rank rank)
    {
        const Peer other = 1 - rank.GetIndex();
        if (rank.GetIndex() == 0)
        {
            co_await rank.Send(other, LENGTH);
            co_await rank.Recv(other);
            m_received = rank.GetTime();
            co_return;
        }
        co_await rank.Compute(COMPUTE);
        co_await rank.Recv(other);
        co_await rank.Send(other, 0);
        m_answered = rank.GetTime();
    }

    void DoRun() override
    {
        // The message is retransmitted at the third half of t_timeout, just before the answer
        // arrives.
        Job job(2, true);
        const RankCosts costs;
        job.Run([this](Rank rank) { return Main(rank); });
        NS_TEST_EXPECT_MSG_EQ(job.group->GetCounts().frames,
                              5,
                              "the message twice, the answer, and two ACKs");
        NS_TEST_EXPECT_MSG_EQ(m_received - m_answered - job.latency,
                              costs.poll + costs.header + costs.match + costs.reliability,
                              "the processor is free when the answer arrives");
    }

    Ticks m_received{0}; ///< Receipt of the answer [ns].
    Ticks m_answered{0}; ///< Send time of the answer [ns].
};

/** Verdicts of runs, and their reasons. */
class AuditTestCase : public TestCase
{
  public:
    AuditTestCase()
        : TestCase("the audit names ranks that wait for ever, and messages that have failed")
    {
    }

  private:
    /** @param rank the rank @param missing rank that does not send @return the program */
    static RankTask<> Main(Rank rank, Peer missing)
    {
        const Peer other = 1 - rank.GetIndex();
        const RankRequest receive = co_await rank.Irecv(other);
        if (rank.GetIndex() != missing)
        {
            co_await rank.Send(other, 8);
        }
        co_await rank.Wait(receive);
    }

    void DoRun() override
    {
        for (const Peer missing : {0U, 1U, 2U})
        {
            Job job(2);
            job.Run([missing](Rank rank) { return Main(rank, missing); });
            const auto [verdict, reason] = job.group->Audit();
            const bool sound = missing == 2;
            NS_TEST_EXPECT_MSG_EQ(
                verdict,
                (sound ? messaging::Verdict::COMPLETED : messaging::Verdict::DEADLOCK),
                reason);
            NS_TEST_EXPECT_MSG_EQ(reason,
                                  (sound ? "" : "No event is left, and 1 programs have not ended."),
                                  missing);
        }
    }
};

/** GOAL schedules keep their dependencies and deliver all messages. */
class GoalTestCase : public TestCase
{
  public:
    GoalTestCase()
        : TestCase("GOAL schedules on ranks")
    {
    }

  private:
    /** @return its end [ns]. @param schedule the schedule @param messages expected messages */
    Ticks Run(messaging::GoalSchedule schedule, uint64_t messages)
    {
        GoalProgram::FitTags(schedule);
        Job job(schedule.ranks);
        GoalProgram program(&schedule);
        job.Run([&program](Rank rank) { return program.Main(rank); });
        const bool cyclic = !messaging::FindGoalCycle(schedule).empty();
        NS_TEST_EXPECT_MSG_EQ(job.group->GetNDone(),
                              schedule.ranks - cyclic,
                              "all but a cycle end");
        NS_TEST_EXPECT_MSG_EQ(job.group->GetCounts().messages, messages, "messages");
        return job.group->GetEnd();
    }

    void DoRun() override
    {
        const auto parsed = messaging::ParseGoal("num_ranks 2\nrank 0 {\n"
                                                 "a: recv 8b from 1 tag 3\nb: calc 1000\n"
                                                 "b requires a\nc: send 8b to 1\nc requires b\n}\n"
                                                 "rank 1 {\nd: calc 2000\ne: send 8b to 0 tag 3\n"
                                                 "e requires d\nf: recv 8b from -1 tag -1\n}\n");
        NS_TEST_ASSERT_MSG_EQ(parsed.error, "", "it is sound");
        NS_TEST_EXPECT_MSG_GT(Run(parsed.schedule, 2), 3000, "one after the other");
        Run(messaging::MakeLinearAlltoall(9, 8), 72);
        Run(messaging::MakePairwiseAlltoall(8, 20000), 56);
        // A tag of collective operations of the ranks gets another number.
        Run(messaging::ParseGoal("num_ranks 2\nrank 0 {\nsend 8b to 1 tag 2147483647\n}\n"
                                 "rank 1 {\nrecv 8b from 0 tag 2147483647\n}\n")
                .schedule,
            1);
        // half_cycle: the rank with the cycle does not end.
        Run(messaging::ParseGoal("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 5\nc: calc 5\n"
                                 "b requires c\nc requires b\nd: send 8b to 1\nd requires b\n}\n"
                                 "rank 1 {\nsend 8b to 0\n}\n")
                .schedule,
            1);
    }
};

/** Ranks. */
class RanksTestSuite : public TestSuite
{
  public:
    RanksTestSuite()
        : TestSuite("mpi-ranks-group", Type::UNIT)
    {
        for (const uint32_t ranks : {1, 2, 3, 5, 8, 13, 16})
        {
            AddTestCase(new CollectivesTestCase(ranks, NO_RINGS), TestCase::Duration::QUICK);
            AddTestCase(new CollectivesTestCase(ranks, 0), TestCase::Duration::QUICK);
        }
        AddTestCase(new BarrierTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedGroupTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TraceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CallsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HostsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ResendTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AuditTestCase, TestCase::Duration::QUICK);
        AddTestCase(new GoalTestCase, TestCase::Duration::QUICK);
    }
};

/** Registers the suite. */
RanksTestSuite g_ranksTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
