/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-loopback-port.h"
#include "ns3/mpi-ranks-collectives.h"
#include "ns3/mpi-ranks-group-port.h"
#include "ns3/mpi-ranks-group.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

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

/** Ranks over a port that is a delay. */
struct Job
{
    /** Constructor. @param ranks how many @param reliability in software @param perNode ranks a
     * node
     */
    explicit Job(uint32_t ranks, bool reliability = false, uint32_t perNode = 1)
        : group(CreateObject<RankGroup>())
    {
        const auto port = CreateObject<LoopbackPort>();
        port->SetAttribute("Mtu", UintegerValue(1 << 30));
        port->Connect(clock, ranks);
        RankConfig config;
        config.traits = GetTraits(port->Info());
        config.traits.mtu = 0;
        config.reliability = reliability;
        group->SetAttribute("RanksPerNode", UintegerValue(perNode));
        group->Connect(clock, CreateObject<PortRankLink<LoopbackPort>>(port, SIGNALED), config);
    }

    ~Job()
    {
        group->Dispose();
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
};

/** Collective operations give every rank the right data. */
class CollectivesTestCase : public TestCase
{
  public:
    /** Constructor. @param ranks number of ranks */
    explicit CollectivesTestCase(uint32_t ranks)
        : TestCase("collective operations among " + std::to_string(ranks)),
          m_ranks(ranks)
    {
    }

  private:
    /**
     * Every operation once.
     * @param rank the rank
     * @param bytes length of messages [bytes]
     * @return the program
     */
    RankTask<> Main(Rank rank, uint32_t bytes)
    {
        const Peer self = rank.GetIndex();
        co_await rank.Compute(1000 * ((self * 7) % 5));
        co_await Barrier(rank);
        for (Peer root = 0; root < m_ranks; ++root)
        {
            const uint64_t got = co_await Broadcast(rank, root, bytes, 100 + self);
            NS_TEST_EXPECT_MSG_EQ(got, 100 + root, "the root's data at " << self);
        }
        const uint64_t sum = co_await Allreduce(rank, bytes, uint64_t{self} * self + 1);
        NS_TEST_EXPECT_MSG_EQ(sum, m_sum, "the sum at " << self);
        std::vector<uint64_t> send(m_ranks);
        std::vector<uint64_t> receive(m_ranks, 0);
        for (Peer to = 0; to < m_ranks; ++to)
        {
            send[to] = uint64_t{self} << 32 | to;
        }
        co_await Alltoall(rank, bytes, send.data(), receive.data());
        for (Peer from = 0; from < m_ranks; ++from)
        {
            NS_TEST_EXPECT_MSG_EQ(receive[from], (uint64_t{from} << 32 | self), "all to all");
        }
    }

    void DoRun() override
    {
        for (Peer self = 0; self < m_ranks; ++self)
        {
            m_sum += uint64_t{self} * self + 1;
        }
        for (const uint32_t bytes : {8, 20000})
        {
            Job job(m_ranks, false, 4);
            job.Run([this, bytes](Rank rank) { return Main(rank, bytes); });
            NS_TEST_EXPECT_MSG_EQ(job.group->GetNDone(), m_ranks, "all programs end");
        }
    }

    uint32_t m_ranks;  ///< Number of ranks.
    uint64_t m_sum{0}; ///< What all-reduce has to give.
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
            AddTestCase(new CollectivesTestCase(ranks), TestCase::Duration::QUICK);
        }
    }
};

/** Registers the suite. */
RanksTestSuite g_ranksTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
