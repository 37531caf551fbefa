/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-test-network.h"

#include "ns3/double.h"
#include "ns3/messaging-list-text.h"
#include "ns3/messaging-scenario-reliability.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{
namespace tests
{

using messaging::tests::ListText;

namespace
{

/** A scenario that has run. */
using Scenario = Ptr<messaging::ReliabilityScenario>;

/**
 * Run bare frames over a Myrinet.
 * @param settings parameters of the scenario
 * @return the scenario after its run
 */
Scenario
RunWith(Settings settings)
{
    auto scenario = CreateObject<messaging::ReliabilityScenario>();
    settings.insert({{"Network", "myrinet"}, {"Protocol", "none"}, {"Host", "free"}});
    for (const auto& [name, value] : settings)
    {
        const std::size_t dot = name.find('.');
        const bool nested = dot != std::string::npos;
        const Ptr<Object> owner =
            nested ? scenario->GetPart(name.substr(0, dot)) : Ptr<Object>(scenario);
        owner->SetAttribute(nested ? name.substr(dot + 1) : name, StringValue(value));
    }
    scenario->Run();
    return scenario;
}

/**
 * Get a count.
 * @param scenario a scenario that has run
 * @param name the result
 * @return its value
 */
uint64_t
GetCount(Scenario scenario, const std::string& name)
{
    UintegerValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a real result.
 * @param scenario a scenario that has run
 * @param name the result
 * @return its value
 */
double
GetReal(Scenario scenario, const std::string& name)
{
    DoubleValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a table of the network.
 * @param scenario a scenario that has run
 * @param name name of the table
 * @return the table
 */
Ptr<messaging::Table>
GetTable(Scenario scenario, const std::string& name)
{
    for (const auto& [each, table] : scenario->GetPartTables())
    {
        if (each == name)
        {
            return table;
        }
    }
    return nullptr;
}

/**
 * Get the counts of a table by name.
 * @param scenario a scenario that has run
 * @param name the table, whose last columns are names and counts
 * @return the counts
 */
std::map<std::string, int64_t>
GetCounts(Scenario scenario, const std::string& name)
{
    const auto& columns = GetTable(scenario, name)->GetColumns();
    const auto& names = std::get<std::vector<std::string>>(columns[columns.size() - 2].cells);
    const auto& counts = std::get<std::vector<int64_t>>(columns.back().cells);
    std::map<std::string, int64_t> counters;
    for (std::size_t row = 0; row < names.size(); ++row)
    {
        counters[names[row]] = counts[row];
    }
    return counters;
}

} // namespace

/** Results of bare frames. */
class TrafficTestCase : public TestCase
{
  public:
    TrafficTestCase()
        : TestCase("throughput and latency of an idle network")
    {
    }

  private:
    void DoRun() override
    {
        const auto idle = RunWith({{"Load", "0.05"},
                                   {"Pattern", "permutation"},
                                   {"pattern.Order", "shift"},
                                   {"Size", "1024"},
                                   {"Messages", "50"}});
        NS_TEST_EXPECT_MSG_EQ(idle->GetVerdictName(), "completed", idle->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(GetCount(idle, "Delivered"), 8 * 50, "all frames are delivered");
        // No receiver is shared: a payload of 1024 bytes takes 129 * 8 + 1 characters, a switch and
        // two cables; a few packets queue at their host.
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(idle, "Latency"), 6.62, 0.5, "latency");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(idle, "Goodput"), 0.05 * 160 * 8, 16, "throughput");
    }
};

/** Losses of bare frames, equal in each run. */
class LossesTestCase : public TestCase
{
  public:
    LossesTestCase()
        : TestCase("losses are counted by cause, and equal in each run")
    {
    }

  private:
    void DoRun() override
    {
        const Settings broken{{"network.Topology", "clos"},
                              {"Nodes", "32"},
                              {"Pattern", "hot-spot"},
                              {"pattern.Share", "0.2"},
                              {"Size", "1024"},
                              {"Load", "0.3"},
                              {"Messages", "50"},
                              {"network.Corruption", "1e-6"},
                              {"network.Timeout", "62.5ms"},
                              {"network.StallRate", "100"},
                              {"network.StallLength", "70ms"},
                              {"network.Overwrite", "0.02"}};
        const auto first = RunWith(broken);
        const auto second = RunWith(broken);
        NS_TEST_EXPECT_MSG_EQ(first->GetVerdictName(), "completed", first->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(ListText(GetCounts(first, "Counters")),
                              ListText(GetCounts(second, "Counters")),
                              "counters of both runs");
        auto losses = GetCounts(first, "Losses");
        int64_t lost = 0;
        for (const std::string reason : {"crc", "buffer", "nres", "overwrite"})
        {
            const int64_t count = losses["Myrinet: " + reason];
            NS_TEST_EXPECT_MSG_EQ((count > 0),
                                  (reason != "buffer"),
                                  count << " losses by " << reason);
            lost += count;
        }
        NS_TEST_EXPECT_MSG_EQ(GetReal(first, "Latency"),
                              GetReal(second, "Latency"),
                              "latency of both runs");
        NS_TEST_EXPECT_MSG_EQ(GetCount(first, "Delivered") + lost,
                              GetCount(first, "Posted"),
                              "each frame is delivered or lost");
        NS_TEST_EXPECT_MSG_EQ(GetTable(first, "Links")->GetNRows(),
                              2 * (32 + 8 * 4),
                              "a row for each direction of a link");
    }
};

/**
 * A crossbar whose inputs are queues, saturated with packets of one length to random outputs,
 * delivers 0.6184 of its links' rate with 8 ports (Karol, Hluchyj and Morgan, 1987).
 */
class HeadOfLineTestCase : public TestCase
{
  public:
    HeadOfLineTestCase()
        : TestCase("saturation of one switch by head-of-line blocking")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string arbitration : {"first-come", "round-robin"})
        {
            const auto scenario = RunWith({{"Size", "4096"},
                                           {"Messages", "3000"},
                                           {"pattern.Window", "4"},
                                           {"network.Arbitration", arbitration}});
            NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(scenario, "Goodput") / 8 / 160,
                                      0.6184,
                                      0.02,
                                      arbitration);
        }
    }
};

/** A ring of switches, each of whose hosts sends over three links. */
class RingDeadlockTestCase : public TestCase
{
  public:
    RingDeadlockTestCase()
        : TestCase("a ring deadlocks with shortest routes, unless a timeout discards packets")
    {
    }

  private:
    static constexpr uint32_t SIZE = 7;     ///< Switches and hosts.
    static constexpr unsigned PACKETS = 20; ///< Packets of each host.

    /** @param more further attributes @return those of the ring. */
    static Settings GetSettings(const Settings& more)
    {
        Settings settings{{"Topology", "ring"},
                          {"Nodes", std::to_string(SIZE)},
                          {"Switches", std::to_string(SIZE)}};
        settings.insert(more.begin(), more.end());
        return settings;
    }

    /** Send the packets. @param network a ring @return its deadlock, or empty */
    static std::string Run(TestNetwork& network)
    {
        for (Peer host = 0; host < SIZE; ++host)
        {
            for (unsigned n = 0; n < PACKETS; ++n)
            {
                network.Send(1, host, (host + 3) % SIZE, 4096);
            }
        }
        network.Run();
        return network.port->FindDeadlock();
    }

    void DoRun() override
    {
        CheckShortest();
        CheckTimeout();
        CheckUpDown();
    }

    /** Shortest routes deadlock. */
    void CheckShortest()
    {
        TestNetwork network(GetSettings({{"Routes", "shortest"}}));
        NS_TEST_EXPECT_MSG_EQ(Run(network),
                              "s0->s1, s1->s2, s2->s3, s3->s4, s4->s5, s5->s6, s6->s0",
                              "links that wait for each other");
        NS_TEST_EXPECT_MSG_GT(network.port->GetFabric().GetNInFlight(), 0, "packets are left");
    }

    /** A timeout resolves the deadlock. */
    void CheckTimeout()
    {
        TestNetwork network(GetSettings({{"Routes", "shortest"}, {"Timeout", "62.5ms"}}));
        NS_TEST_EXPECT_MSG_EQ(Run(network), "", "no deadlock at the end");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNInFlight(), 0, "no packet is left");
        NS_TEST_EXPECT_MSG_GT(network.port->GetCounters().GetDrops(DropReason::NRES),
                              0,
                              "discarded packets");
    }

    /** Routes up and then down cannot deadlock. */
    void CheckUpDown()
    {
        TestNetwork network(GetSettings({{"Routes", "updown"}}));
        NS_TEST_EXPECT_MSG_EQ(Run(network), "", "no deadlock");
        NS_TEST_EXPECT_MSG_EQ(network.arrivals.size(), SIZE * PACKETS, "all packets arrive");
    }
};

/** Parameters that the network refuses. */
class ErrorTestCase : public TestCase
{
  public:
    ErrorTestCase()
        : TestCase("nine nodes do not fit to the default switch of eight ports")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunWith({{"Nodes", "9"}})->GetVerdictName(), "error", "the verdict");
    }
};

/** The test suite of bare frames in the scenario `reliability`. */
class ScenarioTestSuite : public TestSuite
{
  public:
    ScenarioTestSuite()
        : TestSuite("myrinet-scenario", Type::SYSTEM)
    {
        AddTestCase(new TrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HeadOfLineTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LossesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RingDeadlockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorTestCase, TestCase::Duration::QUICK);
    }
};

static ScenarioTestSuite g_scenarioTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
