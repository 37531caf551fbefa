/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-tables.h"
#include "ns3/wormhole-uniform-traffic-scenario.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{
namespace tests
{

namespace
{

/**
 * Get the cells of a column.
 * @tparam T what the cells are
 * @param table a table
 * @param name of the column
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

/**
 * Get a table of a scenario.
 * @param scenario the scenario
 * @param name of the table
 * @return the table
 */
Ptr<messaging::Table>
GetTable(Ptr<messaging::Scenario> scenario, const std::string& name)
{
    PointerValue value;
    scenario->GetAttribute(name, value);
    return value.Get<messaging::Table>();
}

} // namespace

/** Latency and throughput against load. */
class UniformTrafficTestCase : public TestCase
{
  public:
    UniformTrafficTestCase()
        : TestCase("latency and throughput under uniform traffic, lossy beside buffered, past "
                   "saturation")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<double> first;
        for (unsigned repetition = 0; repetition < 2; ++repetition)
        {
            auto scenario = CreateObject<UniformTrafficScenario>();
            for (const auto& [name, value] : Settings{{"Nodes", "64"},
                                                      {"Points", "6"},
                                                      {"MaxLoad", "0.51"},
                                                      {"Cycles", "4000"},
                                                      {"SourceBusy", "drop"},
                                                      {"CreditDelay", "0"},
                                                      {"TimelineLength", "50"}})
            {
                scenario->SetAttribute(name, StringValue(value));
            }
            NS_TEST_ASSERT_MSG_EQ(scenario->Check(), "", "the parameters go together");
            scenario->Run();
            NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "completed", scenario->GetFailure());
            const auto curve = GetTable(scenario, "Curve");
            NS_TEST_ASSERT_MSG_EQ(curve->GetNRows(), 12, "two routers at six loads");
            const auto router = Cells<std::string>(curve, "router");
            const auto offered = Cells<double>(curve, "offered");
            const auto accepted = Cells<double>(curve, "accepted");
            const auto latency = Cells<double>(curve, "latency");
            const auto dropped = Cells<double>(curve, "dropped");
            NS_TEST_EXPECT_MSG_EQ(router[0] + router[6], "lossybuffered", "one after the other");
            // The mean distance on 8x8 is 2 (64 - 1) / (3 * 8) = 5.25, and packets have 8 flits.
            NS_TEST_EXPECT_MSG_EQ_TOL(latency[0], 13.25, 0.4, "lossy at next to no load");
            NS_TEST_EXPECT_MSG_EQ_TOL(latency[6], 13.25, 0.4, "buffered at next to no load");
            for (unsigned n = 1; n < 6; ++n)
            {
                NS_TEST_EXPECT_MSG_GT(dropped[n], dropped[n - 1], "more load, more drops");
                NS_TEST_EXPECT_MSG_GT(latency[6 + n], latency[5 + n], "more load, more latency");
                NS_TEST_EXPECT_MSG_EQ(dropped[6 + n], 0, "the buffered network never drops");
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(accepted[7],
                                      offered[7],
                                      0.01,
                                      "all is accepted below saturation");
            NS_TEST_EXPECT_MSG_LT(accepted[11], 0.35, "a mesh of 8x8 cannot carry 0.51");
            NS_TEST_EXPECT_MSG_GT(accepted[11],
                                  0.2,
                                  "past saturation the buffered network keeps its throughput");
            NS_TEST_EXPECT_MSG_LT(latency[5], 20, "what a lossy network delivers has not waited");

            const auto map = GetTable(scenario, "HeatMap");
            NS_TEST_ASSERT_MSG_EQ(map->GetNRows(), 4 * 8 * 7, "links of an 8x8 mesh");
            const auto utilization = Cells<double>(map, "utilization");
            const auto x = Cells<int64_t>(map, "x");
            const auto direction = Cells<std::string>(map, "direction");
            double middle = 0;
            double rim = 0;
            for (std::size_t n = 0; n < utilization.size(); ++n)
            {
                if (direction[n] == "+x")
                {
                    middle += x[n] == 3 ? utilization[n] : 0;
                    rim += x[n] == 0 ? utilization[n] : 0;
                }
            }
            // Of all packets 4 * 4 / 64 pass from x = 3 to 4, and 1 * 7 / 64 from 0 to 1.
            NS_TEST_EXPECT_MSG_EQ_TOL(middle / rim, 16.0 / 7, 0.6, "the middle is the hottest");
            NS_TEST_EXPECT_MSG_EQ(GetTable(scenario, "Timeline")->GetNRows(),
                                  50,
                                  "as long as asked for");
            if (repetition > 0)
            {
                NS_TEST_EXPECT_MSG_EQ((accepted == first), true, "the same seed, the same result");
            }
            first = accepted;
            scenario->Dispose();
            Simulator::Destroy();
        }
        auto wrong = CreateObject<UniformTrafficScenario>();
        wrong->SetAttribute("MinLoad", DoubleValue(0.5));
        NS_TEST_EXPECT_MSG_EQ(wrong->Check(), "MaxLoad has to be at least MinLoad.", "checked");
    }
};

/** What fails during uniform traffic. */
class FailingTrafficTestCase : public TestCase
{
  public:
    FailingTrafficTestCase()
        : TestCase("failures by a plan and at random are counted by reason, and can be repeated")
    {
    }

  private:
    /**
     * Run traffic at one load on 64 nodes.
     * @param settings further attributes
     * @return the scenario
     */
    Ptr<UniformTrafficScenario> Run(const Settings& settings)
    {
        auto scenario = CreateObject<UniformTrafficScenario>();
        Settings all{{"Nodes", "64"},
                     {"Points", "1"},
                     {"MinLoad", "0.1"},
                     {"Cycles", "4000"},
                     {"WarmUp", "0"}};
        all.insert(settings.begin(), settings.end());
        for (const auto& [name, value] : all)
        {
            scenario->SetAttribute(name, StringValue(value));
        }
        scenario->Run();
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdictName(), "completed", scenario->GetFailure());
        return scenario;
    }

    /**
     * Count dropped packets.
     * @param scenario a scenario that has run
     * @param router kind of router
     * @param reason why
     * @return how many
     */
    int64_t Count(Ptr<UniformTrafficScenario> scenario,
                  const std::string& router,
                  const std::string& reason)
    {
        const auto table = GetTable(scenario, "Drops");
        const auto routers = Cells<std::string>(table, "router");
        const auto reasons = Cells<std::string>(table, "reason");
        for (std::size_t row = 0; row < table->GetNRows(); ++row)
        {
            if (routers[row] == router && reasons[row] == reason)
            {
                return Cells<int64_t>(table, "drops")[row];
            }
        }
        return -1;
    }

    void DoRun() override
    {
        UintegerValue failed;
        auto whole = Run({});
        whole->GetAttribute("Failed", failed);
        NS_TEST_EXPECT_MSG_EQ(failed.Get(), 0, "nothing fails by default");
        for (const std::string router : {"lossy", "buffered"})
        {
            NS_TEST_EXPECT_MSG_EQ(Count(whole, router, "no-route"), 0, router);
            NS_TEST_EXPECT_MSG_EQ(Count(whole, router, "cut"), 0, router);
        }

        auto broken = Run({{"Failures", "1000 down 9; 3000 up 9; 2000 down 20-21"}});
        broken->GetAttribute("Failed", failed);
        NS_TEST_EXPECT_MSG_EQ(failed.Get(), 2 * 3, "a router and two directions, on two networks");
        for (const std::string router : {"lossy", "buffered"})
        {
            // For half of the time a 64th of 64 * 4000 * 0.1 / 8 packets are for the router.
            const auto drops = Count(broken, router, "no-route");
            NS_TEST_EXPECT_MSG_GT(drops, 20, router);
            NS_TEST_EXPECT_MSG_LT(drops, 500, router);
            NS_TEST_EXPECT_MSG_GT(Count(broken, router, "cut"), 0, router);
        }

        const Settings random{{"LinkFailureRate", "1e-5"}, {"RouterFailureRate", "1e-5"}};
        auto once = Run(random);
        once->GetAttribute("Failed", failed);
        // 224 links and 64 routers in 4000 cycles, 4 % less for repairs, on two networks.
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * failed.Get(), 2 * 11.5, 12, "the rate is kept");
        const auto again = Run(random);
        NS_TEST_EXPECT_MSG_EQ((Cells<int64_t>(GetTable(once, "Drops"), "drops") ==
                               Cells<int64_t>(GetTable(again, "Drops"), "drops")),
                              true,
                              "the same seed, the same run");

        auto wrong = CreateObject<UniformTrafficScenario>();
        wrong->SetAttribute("Nodes", UintegerValue(16));
        wrong->SetAttribute("Failures", StringValue("5 down 16"));
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
        : TestCase("use of channels and timeline of packets")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork({{"Shape", "3x1"}, {"Observe", "true"}});
        Timeline timeline(network, 10);
        Traffic traffic(network);
        traffic.Pass(5);
        traffic.Send(0, 2, 12);
        traffic.Send(0, 1, 12);
        traffic.Drain();
        traffic.Pass(100);
        const auto links = MakeLinkTable(*network, 100);
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
        const auto table = timeline.MakeTable();
        NS_TEST_ASSERT_MSG_EQ(table->GetNRows(), 2, "two packets have ended");
        NS_TEST_EXPECT_MSG_EQ(Cells<std::string>(table, "fate")[0],
                              "source-port",
                              "the second was dropped at once");
        NS_TEST_EXPECT_MSG_EQ(Cells<std::string>(table, "fate")[1],
                              "delivered",
                              "the first arrived");
        NS_TEST_EXPECT_MSG_EQ(Cells<int64_t>(table, "sent")[1], 5, "sent");
        NS_TEST_EXPECT_MSG_EQ(Cells<int64_t>(table, "ended")[1], 5 + 2 + 4, "arrived");
        NS_TEST_EXPECT_MSG_EQ(Cells<int64_t>(table, "hops")[1], 2, "hops");
    }
};

/** The test suite of scenario and tables. */
class ScenarioTestSuite : public TestSuite
{
  public:
    ScenarioTestSuite()
        : TestSuite("wormhole-scenario", Type::SYSTEM)
    {
        AddTestCase(new UniformTrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FailingTrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TableTestCase, TestCase::Duration::QUICK);
    }
};

static ScenarioTestSuite g_scenarioTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
