/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"
#include "wormhole-uniform-traffic.h"

#include "ns3/messaging-list-text.h"
#include "ns3/test.h"

namespace ns3
{
namespace wormhole
{
namespace tests
{

using messaging::tests::ListText;

namespace
{

/**
 * Get the cells of a column.
 * @tparam T type of the cells
 * @param table a table
 * @param name name of the column
 * @return the cells
 */
template <class T>
std::vector<T>
Cells(Ptr<messaging::Table> table, const std::string& name)
{
    for (const auto& column : table->GetColumns())
    {
        if (column.name == name)
        {
            return std::get<std::vector<T>>(column.cells);
        }
    }
    return {};
}

} // namespace

/** Latency and throughput as functions of load. */
class UniformTrafficTestCase : public TestCase
{
  public:
    UniformTrafficTestCase()
        : TestCase("latency and throughput under uniform traffic, lossy beside buffered, past "
                   "saturation")
    {
    }

  private:
    /** Number of loads. */
    static constexpr unsigned LOADS = 6;

    /**
     * Measure a mesh of 8x8 at each load.
     * @param router kind of its routers
     * @return the measured values
     */
    static std::vector<UniformTraffic::Result> Measure(const std::string& router)
    {
        std::vector<UniformTraffic::Result> curve;
        for (unsigned n = 0; n < LOADS; ++n)
        {
            UniformTraffic traffic(
                {{"Nodes", "64"}, {"Router", router}, {"SourceBusy", "drop"}, {"CreditDelay", "0"}},
                8);
            curve.push_back(traffic.Measure(0.01 + 0.1 * n, 2000, 4000));
        }
        return curve;
    }

    void DoRun() override
    {
        const auto lossy = Measure("lossy");
        const auto buffered = Measure("buffered");
        // The mean distance on 8x8 is 2 (64 - 1) / (3 * 8) = 5.25, and packets have 8 flits.
        NS_TEST_EXPECT_MSG_EQ_TOL(lossy[0].latency, 13.25, 0.4, "lossy at next to no load");
        NS_TEST_EXPECT_MSG_EQ_TOL(buffered[0].latency, 13.25, 0.4, "buffered at next to no load");
        for (unsigned n = 1; n < LOADS; ++n)
        {
            NS_TEST_EXPECT_MSG_GT(lossy[n].dropped, lossy[n - 1].dropped, "more load, more drops");
            NS_TEST_EXPECT_MSG_GT(buffered[n].latency,
                                  buffered[n - 1].latency,
                                  "more load, more latency");
            NS_TEST_EXPECT_MSG_EQ(buffered[n].dropped, 0, "the buffered network never drops");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(buffered[1].accepted,
                                  0.11,
                                  0.01,
                                  "all is accepted below saturation");
        NS_TEST_EXPECT_MSG_LT(buffered[5].accepted, 0.35, "a mesh of 8x8 cannot carry 0.51");
        NS_TEST_EXPECT_MSG_GT(buffered[5].accepted,
                              0.2,
                              "past saturation the buffered network keeps its throughput");
        NS_TEST_EXPECT_MSG_LT(lossy[5].latency, 20, "a lossy network delivers without waiting");
        NS_TEST_EXPECT_MSG_EQ(Measure("lossy")[5].accepted,
                              lossy[5].accepted,
                              "the same seed, the same result");
    }
};

/** Use of the channels of a mesh. */
class HeatMapTestCase : public TestCase
{
  public:
    HeatMapTestCase()
        : TestCase("the channels in the middle of a mesh carry most of uniform traffic")
    {
    }

  private:
    void DoRun() override
    {
        UniformTraffic traffic({{"Nodes", "64"}, {"Observe", "true"}}, 8);
        traffic.Measure(0.05, 2000, 4000);
        const auto map = traffic.GetNetwork()->GetTables().front().second;
        NS_TEST_ASSERT_MSG_EQ(map->GetNRows(), 4 * 8 * 7, "links of an 8x8 mesh");
        const auto utilization = Cells<double>(map, "utilization");
        const auto x = Cells<int64_t>(map, "x");
        const auto direction = Cells<std::string>(map, "direction");
        double middle = 0;
        double rim = 0;
        for (std::size_t n = 0; n < utilization.size(); ++n)
        {
            if (direction[n] == "+x" && x[n] == 3)
            {
                middle += utilization[n];
            }
            if (direction[n] == "+x" && x[n] == 0)
            {
                rim += utilization[n];
            }
        }
        // A share of 4 * 4 / 64 of all packets passes from x = 3 to 4, and 1 * 7 / 64 from 0 to 1.
        NS_TEST_EXPECT_MSG_EQ_TOL(middle / rim, 16.0 / 7, 0.6, "use of the middle to the rim");
    }
};

/** Failures during uniform traffic. */
class FailingTrafficTestCase : public TestCase
{
  public:
    FailingTrafficTestCase()
        : TestCase("drops by planned and random failures are counted by reason")
    {
    }

  private:
    /** Drops and failures in a run. */
    struct Outcome
    {
        std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Dropped packets by reason.
        uint64_t failed{0};                           ///< Number of failures.

        /** @param reason a reason @return packets dropped for it */
        uint64_t Get(DropReason reason) const
        {
            return drops[static_cast<std::size_t>(reason)];
        }
    };

    /**
     * Run traffic at one load on 64 nodes.
     * @param router kind of the routers
     * @param settings additional attributes
     * @return drops and failures
     */
    static Outcome Run(const std::string& router, Settings settings)
    {
        settings["Nodes"] = "64";
        settings["Router"] = router;
        UniformTraffic traffic(settings, 8);
        const auto result = traffic.Measure(0.1, 0, 4000);
        return {result.drops, traffic.GetNetwork()->GetFaults()->GetNFailures()};
    }

    void DoRun() override
    {
        uint64_t failed = 0;
        for (const std::string router : {"lossy", "buffered"})
        {
            const Outcome whole = Run(router, {});
            NS_TEST_EXPECT_MSG_EQ(whole.failed, 0, "nothing fails by default");
            NS_TEST_EXPECT_MSG_EQ(whole.Get(DropReason::NO_ROUTE), 0, router);
            NS_TEST_EXPECT_MSG_EQ(whole.Get(DropReason::CUT), 0, router);

            const Outcome broken =
                Run(router, {{"Failures", "1000 down 9; 3000 up 9; 2000 down 20-21"}});
            NS_TEST_EXPECT_MSG_EQ(broken.failed, 3, "a router and two directions of a link");
            // During half of the time, one 64th of 64 * 4000 * 0.1 / 8 packets is for the router.
            NS_TEST_EXPECT_MSG_GT(broken.Get(DropReason::NO_ROUTE), 20, router);
            NS_TEST_EXPECT_MSG_LT(broken.Get(DropReason::NO_ROUTE), 500, router);
            NS_TEST_EXPECT_MSG_GT(broken.Get(DropReason::CUT), 0, router);

            const Settings random{{"LinkFailureRate", "1e-5"}, {"RouterFailureRate", "1e-5"}};
            const Outcome once = Run(router, random);
            failed += once.failed;
            const Outcome again = Run(router, random);
            NS_TEST_EXPECT_MSG_EQ(again.failed, once.failed, "failures of the same seed");
            NS_TEST_EXPECT_MSG_EQ(ListText(again.drops), ListText(once.drops), "drops, too");
        }
        // 224 links and 64 routers in 4000 cycles, minus 4 % for repairs, on two networks.
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * failed, 2 * 11.5, 12, "failures at random");

        const auto wrong = MakeNetwork({{"Nodes", "16"}, {"Failures", "5 down 16"}});
        NS_TEST_EXPECT_MSG_EQ(wrong->Check(),
                              "Failures names router 16; the network has routers 0 to 15.",
                              "checked against the network");
    }
};

/** Tables of a run. */
class TableTestCase : public TestCase
{
  public:
    TableTestCase()
        : TestCase("use of channels and drops by reason")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork({{"Shape", "3x1"}, {"Observe", "true"}});
        const auto port = network->GetNativePort();
        Traffic traffic(network);
        traffic.Pass(5);
        traffic.Send(0, 2, 12);
        traffic.Send(0, 1, 12);
        traffic.Drain();
        traffic.Pass(100);
        const auto links = port->MakeLinkTable(100);
        const auto from = Cells<int64_t>(links, "from");
        const auto to = Cells<int64_t>(links, "to");
        const auto utilization = Cells<double>(links, "utilization");
        NS_TEST_ASSERT_MSG_EQ(links->GetNRows(), 4, "two links in each direction");
        for (std::size_t n = 0; n < 4; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(utilization[n],
                                      (from[n] < to[n] ? 0.04 : 0),
                                      1e-9,
                                      "4 flits in 100 cycles");
        }
        const auto tables = network->GetTables();
        NS_TEST_ASSERT_MSG_EQ(tables.size(), 1, "an observed network has a table");
        NS_TEST_EXPECT_MSG_EQ(tables[0].first, "HeatMap", "name of the table");
        const auto drops = port->MakeDropTable();
        NS_TEST_EXPECT_MSG_EQ(Cells<std::string>(drops, "reason")[0],
                              "source-port",
                              "the first reason");
        NS_TEST_EXPECT_MSG_EQ(Cells<int64_t>(drops, "drops")[0],
                              1,
                              "the second packet, whose port is busy");
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered, 1, "the first packet");
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().hops, 2, "hops");
    }
};

/** The test suite of traffic and tables. */
class TrafficTestSuite : public TestSuite
{
  public:
    TrafficTestSuite()
        : TestSuite("wormhole-traffic", Type::SYSTEM)
    {
        AddTestCase(new UniformTrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HeatMapTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FailingTrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TableTestCase, TestCase::Duration::QUICK);
    }
};

static TrafficTestSuite g_trafficTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
