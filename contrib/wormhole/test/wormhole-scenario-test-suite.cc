/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/double.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
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
        AddTestCase(new TableTestCase, TestCase::Duration::QUICK);
    }
};

static ScenarioTestSuite g_scenarioTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
