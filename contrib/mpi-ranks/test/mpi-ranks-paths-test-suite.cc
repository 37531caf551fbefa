/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-notebook.h"

#include "ns3/messaging-scenario.h"
#include "ns3/mpi-ranks-cluster.h"
#include "ns3/mpi-ranks-collectives.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Ranks whose frames take several paths over the verbs: reordering and its repair.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{
namespace
{

using messaging::Verdict;

/** Attributes by name, as text. */
using Attributes = std::vector<std::pair<std::string, std::string>>;

/** @return a cluster. @param attributes names and values; later ones replace earlier ones */
Ptr<RankCluster>
MakeCluster(const Attributes& attributes)
{
    const auto cluster = CreateObject<RankCluster>();
    for (const auto& [name, value] : attributes)
    {
        cluster->SetAttribute(name, StringValue(value));
    }
    return cluster;
}

/** @return number of an event at all ranks. @param group the ranks @param event the event */
uint64_t
Count(const RankGroup& group, Event event)
{
    uint64_t count = 0;
    for (Peer self = 0; self < group.GetNRanks(); ++self)
    {
        count += group.GetCore(self).GetCounters().Get(event);
    }
    return count;
}

/** C-13, figure 3: over several paths FIN overtakes its write, over one it does not. */
class EarlyFinTestCase : public TestCase
{
  public:
    EarlyFinTestCase()
        : TestCase("C-13: FIN before its data over the verbs")
    {
    }

  private:
    static constexpr uint32_t MESSAGES = 20;   ///< Number of messages.
    static constexpr uint32_t BYTES = 1 << 18; ///< Length of a message [bytes].
    /**
     * Pause between two messages: all writes of one have ended, but a computing rank has not been
     * declared lost after 50 retries [ns].
     */
    static constexpr Ticks PAUSE = 2'000'000;

    /** Expected counts. */
    struct Expected
    {
        bool early;   ///< FINs arrive before their data.
        bool nacked;  ///< The data arrive after the timeout.
        bool refused; ///< Writes arrive twice, and the second is refused.
    };

    /** @param rank the rank @return the program */
    RankTask<> Main(Rank rank)
    {
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            if (rank.GetIndex() == 0)
            {
                co_await rank.Compute(PAUSE);
                co_await rank.Send(1, BYTES, 0, 1000 + i);
            }
            else
            {
                const RankRequest receive = co_await rank.Irecv(0);
                const RankStatus status = co_await rank.Wait(receive);
                m_wrong += status.contents != 1000 + i || status.bytes != BYTES;
            }
        }
    }

    /**
     * Run the program. @param attributes attributes of the cluster @param expected expected counts
     */
    void Run(const Attributes& attributes, const Expected& expected)
    {
        Attributes all{{"Nodes", "2"}, {"RanksPerNode", "1"}, {"Lmc", "1"}};
        all.insert(all.end(), attributes.begin(), attributes.end());
        std::string name;
        for (const auto& [key, value] : attributes)
        {
            name += " " + key + "=" + value;
        }
        const auto cluster = MakeCluster(all);
        NS_TEST_ASSERT_MSG_EQ(cluster->Check(), "", name);
        const auto system = cluster->Build(2);
        NS_TEST_ASSERT_MSG_EQ(system.error, "", name);
        m_wrong = 0;
        system.group->Start([this](Rank rank) { return Main(rank); });
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        const auto [verdict, reason] = system.group->Audit();
        const auto count = [&system](Event event) { return Count(*system.group, event); };
        NS_TEST_EXPECT_MSG_EQ(verdict, Verdict::COMPLETED, name << ": " << reason);
        NS_TEST_EXPECT_MSG_EQ(m_wrong, 0, name << ": the data are right");
        NS_TEST_EXPECT_MSG_EQ((count(Event::EARLY_FIN) > 0), expected.early, name << ": FIN first");
        NS_TEST_EXPECT_MSG_EQ((count(Event::DATA_NACK) > 0), expected.nacked, name << ": NACK");
        NS_TEST_EXPECT_MSG_EQ((count(Event::DATA_RESENT) > 0), expected.nacked, name << ": again");
        NS_TEST_EXPECT_MSG_EQ((count(Event::LATE_WRITE) > 0), expected.refused, name << ": late");
        system.group->Dispose();
        Simulator::Destroy();
    }

    void DoRun() override
    {
        const std::pair<std::string, std::string> uc{"Transport", "UC"};
        const std::pair<std::string, std::string> rc{"Transport", "RC"};
        const std::pair<std::string, std::string> two{"Paths", "2"};
        const std::pair<std::string, std::string> reliable{"Reliability", "Reliable"};
        // A write takes 0.26 ms on the link.
        const std::pair<std::string, std::string> hasty{"Timeout", "60000"};
        const std::pair<std::string, std::string> patient{"Timeout", "5000000"};
        Run({uc}, {false, false, false});
        Run({uc, reliable}, {false, false, false});
        Run({rc, reliable, two}, {false, false, false});
        Run({uc, two}, {true, false, false});
        Run({uc, reliable, two}, {true, false, false});
        Run({uc, reliable, two, hasty}, {true, true, true});
        Run({uc, reliable, two, patient, {"PacketLoss", "0.002"}}, {true, true, false});
    }

    uint64_t m_wrong{0}; ///< Messages with wrong data.
};

/**
 * RC and UC use one queue pair for each peer, UD one for all (C-04); none has a shared receive
 * queue (C-15).
 */
class QueuePairsTestCase : public TestCase
{
  public:
    QueuePairsTestCase()
        : TestCase("C-04, C-15: queue pairs of a rank, each with its own receives")
    {
    }

  private:
    static constexpr uint32_t RANKS = 5; ///< Number of ranks, one on each node.

    void DoRun() override
    {
        using infiniband::Transport;
        for (const auto transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            for (const bool reliable : {false, true})
            {
                const auto clock = CreateObject<messaging::TickClock>();
                const auto verbs = CreateObject<infiniband::Verbs>();
                const std::string error =
                    verbs->Open(clock, CreateObject<infiniband::Engine>(), RANKS);
                NS_TEST_ASSERT_MSG_EQ(error, "", "verbs");
                const auto config = MakeConfig(transport, reliable);
                const auto link = CreateObject<VerbsRankLink>(verbs, transport, config, RANKS, 1);
                const auto group = CreateObject<RankGroup>();
                group->SetAttribute("RanksPerNode", UintegerValue(1));
                group->Connect(clock, link, config);
                group->Start([](Rank rank) -> RankTask<> {
                    for (Peer to = 0; to < RANKS; ++to)
                    {
                        if (to != rank.GetIndex())
                        {
                            rank.Free(co_await rank.Isend(to, 100));
                        }
                    }
                    for (Peer from = 0; from < RANKS; ++from)
                    {
                        if (from != rank.GetIndex())
                        {
                            co_await rank.Wait(co_await rank.Irecv(from));
                        }
                    }
                });
                Simulator::Stop(Seconds(1));
                Simulator::Run();
                const auto [verdict, reason] = group->Audit();
                NS_TEST_EXPECT_MSG_EQ(verdict, Verdict::COMPLETED, reason);
                const uint32_t each = transport == Transport::UD ? 1 : RANKS - 1;
                NS_TEST_EXPECT_MSG_EQ(verbs->GetNQps(),
                                      RANKS * each,
                                      "C-04: for each peer, or one");
                for (infiniband::Qpn qp = 0; qp < verbs->GetNQps(); ++qp)
                {
                    NS_TEST_EXPECT_MSG_GT(verbs->GetNPostedReceives(qp), 0, "C-15: receives");
                    NS_TEST_EXPECT_MSG_EQ(verbs->PostRecv(qp, infiniband::RecvWr(), 0),
                                          true,
                                          "C-15: of its own, or the queue pair would refuse more");
                }
                group->Dispose();
                Simulator::Destroy();
            }
        }
    }
};

/** If frames arrive out of order over several paths, MPI's order and data are still right. */
class PathsTestCase : public TestCase
{
  public:
    PathsTestCase()
        : TestCase("C-03, C-17: six configurations over four paths")
    {
    }

  private:
    static constexpr uint32_t RANKS = 8;    ///< Number of ranks, one on each node, with two nodes
                                            ///< per switch.
    static constexpr uint32_t ROUNDS = 6;   ///< Number of all-to-all exchanges.
    static constexpr uint32_t MESSAGES = 4; ///< Concurrent messages of a pair.

    /**
     * Exchange many messages at once, and check their order. @param rank the rank @return the
     * program
     */
    RankTask<> Main(Rank rank)
    {
        const Peer self = rank.GetIndex();
        std::vector<RankRequest> receives;
        for (uint32_t round = 0; round < ROUNDS; ++round)
        {
            receives.clear();
            for (uint32_t k = 0; k < MESSAGES * RANKS; ++k)
            {
                const Peer from = k % RANKS;
                receives.push_back(from == self ? 0 : co_await rank.Irecv(from));
            }
            for (uint32_t k = 0; k < MESSAGES * RANKS; ++k)
            {
                const Peer to = k % RANKS;
                if (to != self)
                {
                    const uint32_t bytes = k % 3 == 0 ? 20000 : 3000;
                    rank.Free(co_await rank.Isend(to, bytes, 0, 1000 * self + k / RANKS));
                }
            }
            for (uint32_t k = 0; k < MESSAGES * RANKS; ++k)
            {
                const Peer from = k % RANKS;
                if (from != self)
                {
                    const RankStatus status = co_await rank.Wait(receives[k]);
                    m_wrong += status.contents != 1000 * from + k / RANKS;
                }
            }
        }
        co_await Allreduce(rank, 0, 0);
    }

    /**
     * Run the program.
     * @param transport transport
     * @param reliability mode
     * @param paths paths
     * @return number of overtaken frames
     */
    uint64_t Run(const std::string& transport,
                 const std::string& reliability,
                 const std::string& paths)
    {
        const std::string name = transport + " " + reliability + " " + paths;
        const auto cluster = MakeCluster({{"Transport", transport},
                                          {"Reliability", reliability},
                                          {"Nodes", std::to_string(RANKS)},
                                          {"RanksPerNode", "1"},
                                          {"SwitchPorts", "4"},
                                          {"Lmc", "2"},
                                          {"Paths", paths}});
        const auto system = cluster->Build(RANKS);
        NS_TEST_EXPECT_MSG_EQ(system.error, "", name);
        m_wrong = 0;
        system.group->Start([this](Rank rank) { return Main(rank); });
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        const auto [verdict, reason] = system.group->Audit();
        NS_TEST_EXPECT_MSG_EQ(verdict, Verdict::COMPLETED, name << ": " << reason);
        NS_TEST_EXPECT_MSG_EQ(m_wrong, 0, name << ": MPI's order holds");
        NS_TEST_EXPECT_MSG_EQ(Count(*system.group, Event::HOLE), 0, name << ": nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(Count(*system.group, Event::RETRANSMITTED), 0, name << ": nor late");
        const uint64_t held = Count(*system.group, Event::HELD);
        system.group->Dispose();
        Simulator::Destroy();
        return held;
    }

    void DoRun() override
    {
        for (const char* reliability : {"Native", "Reliable"})
        {
            for (const char* transport : {"RC", "UC", "UD"})
            {
                const std::string name = std::string(transport) + " " + reliability;
                const bool reorders = std::string(transport) != "RC";
                NS_TEST_EXPECT_MSG_EQ(Run(transport, reliability, "1"), 0, name << ": one path");
                NS_TEST_EXPECT_MSG_EQ((Run(transport, reliability, "4") > 0),
                                      reorders,
                                      name << ": C-03, only RC promises order");
            }
        }
    }

    uint64_t m_wrong{0}; ///< Messages with wrong data.
};

/** More paths than LIDs of a host are refused. */
class RefusedPathsTestCase : public TestCase
{
  public:
    RefusedPathsTestCase()
        : TestCase("Paths beyond 2^Lmc are refused")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MakeCluster({{"Paths", "3"}, {"Lmc", "1"}})->Check(),
                              "Paths is 3, but with Lmc 1 a host has 2; Paths must be at most "
                              "2^Lmc.",
                              "too many");
        NS_TEST_EXPECT_MSG_EQ(MakeCluster({{"Paths", "2"}, {"Lmc", "1"}})->Check(), "", "as many");
    }
};

/** Ranks over several paths. */
class RanksPathsTestSuite : public TestSuite
{
  public:
    RanksPathsTestSuite()
        : TestSuite("mpi-ranks-paths", Type::UNIT)
    {
        AddTestCase(new EarlyFinTestCase, TestCase::Duration::QUICK);
        AddTestCase(new QueuePairsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PathsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RefusedPathsTestCase, TestCase::Duration::QUICK);
    }
};

/** Registers the suite. */
RanksPathsTestSuite g_ranksPathsTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
