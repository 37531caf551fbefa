/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/myrinet-traffic-scenario.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>

namespace ns3
{
namespace myrinet
{
namespace tests
{

namespace
{

/** Attributes by name, as texts. */
using Settings = std::map<std::string, std::string>;

/**
 * Run the scenario.
 * @param settings its attributes
 * @return the scenario that has run
 */
Ptr<MyrinetTrafficScenario>
RunWith(const Settings& settings)
{
    auto scenario = CreateObject<MyrinetTrafficScenario>();
    for (const auto& [name, value] : settings)
    {
        scenario->SetAttribute(name, StringValue(value));
    }
    scenario->Run();
    return scenario;
}

/**
 * Get a result.
 * @param scenario a scenario that has run
 * @param name the result
 * @return its value
 */
uint64_t
GetCount(Ptr<MyrinetTrafficScenario> scenario, const std::string& name)
{
    UintegerValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a result.
 * @param scenario a scenario that has run
 * @param name the result
 * @return its value
 */
double
GetReal(Ptr<MyrinetTrafficScenario> scenario, const std::string& name)
{
    DoubleValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

} // namespace

/** Results of the scenario, alike in each run. */
class TrafficTestCase : public TestCase
{
  public:
    TrafficTestCase()
        : TestCase("throughput, latency and losses by cause")
    {
    }

  private:
    void DoRun() override
    {
        const Settings quiet{{"Load", "0.05"}, {"Pattern", "shift"}, {"Duration", "2ms"}};
        const auto idle = RunWith(quiet);
        NS_TEST_EXPECT_MSG_EQ(idle->GetVerdictName(), "completed", "verdict");
        NS_TEST_EXPECT_MSG_EQ(GetCount(idle, "Delivered"), GetCount(idle, "Offered"), "all arrive");
        // Nobody shares a receiver: payload of 1024 bytes takes 129 * 8 + 1 characters, a switch
        // and two cables; a few wait behind one another at their host.
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(idle, "Latency"), 6.62, 0.5, "latency");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(idle, "Throughput"), 0.05 * 160, 1, "throughput");

        const Settings broken{{"Topology", "clos"},
                              {"Nodes", "32"},
                              {"Pattern", "hot-spot"},
                              {"Duration", "1ms"},
                              {"Corruption", "1e-6"},
                              {"Timeout", "62.5ms"},
                              {"StallRate", "20"},
                              {"StallLength", "70ms"},
                              {"Overwrite", "0.02"}};
        const auto first = RunWith(broken);
        const auto second = RunWith(broken);
        NS_TEST_EXPECT_MSG_EQ(first->GetVerdictName(), "completed", "verdict");
        uint64_t lost = 0;
        for (const std::string name : {"LostCrc", "LostBuffer", "LostNres", "LostOverwrite"})
        {
            NS_TEST_EXPECT_MSG_EQ(GetCount(first, name), GetCount(second, name), name << " again");
            lost += GetCount(first, name);
        }
        for (const std::string name : {"LostCrc", "LostNres", "LostOverwrite"})
        {
            NS_TEST_EXPECT_MSG_GT(GetCount(first, name), 0, name);
        }
        NS_TEST_EXPECT_MSG_EQ(GetReal(first, "Latency"), GetReal(second, "Latency"), "again");
        NS_TEST_EXPECT_MSG_EQ(GetCount(first, "Delivered") + lost,
                              GetCount(first, "Offered"),
                              "each is accounted for");
        PointerValue links;
        first->GetAttribute("Links", links);
        NS_TEST_EXPECT_MSG_EQ(links.Get<messaging::Table>()->GetNRows(),
                              2 * (32 + 8 * 4),
                              "a row a direction");
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
            const auto scenario = RunWith({{"Nodes", "8"},
                                           {"Load", "1.5"},
                                           {"Payload", "4096"},
                                           {"Duration", "100ms"},
                                           {"Arbitration", arbitration}});
            NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(scenario, "Throughput") / 160,
                                      0.6184,
                                      0.02,
                                      arbitration);
        }
    }
};

/** A network that deadlocks ends with the verdict and the ring; parameters that do not go together
 * are refused. */
class VerdictTestCase : public TestCase
{
  public:
    VerdictTestCase()
        : TestCase("deadlock, and what is refused")
    {
    }

  private:
    void DoRun() override
    {
        Settings ring{{"Topology", "ring"},
                      {"Nodes", "7"},
                      {"Switches", "7"},
                      {"Pattern", "shift"},
                      {"Shift", "3"},
                      {"Payload", "4096"},
                      {"Duration", "2ms"},
                      {"Routes", "shortest"}};
        const auto stuck = RunWith(ring);
        NS_TEST_EXPECT_MSG_EQ(stuck->GetVerdictName(), "deadlock", "verdict");
        NS_TEST_EXPECT_MSG_EQ(stuck->GetFailure(),
                              "Packets hold links that wait for one another: s0->s1, s1->s2, "
                              "s2->s3, s3->s4, s4->s5, s5->s6, s6->s0, and that for the first.",
                              "the ring");
        NS_TEST_EXPECT_MSG_GT(GetCount(stuck, "Left"), 0, "packets are left");
        ring["Timeout"] = "62.5ms";
        const auto freed = RunWith(ring);
        NS_TEST_EXPECT_MSG_EQ(freed->GetVerdictName(), "completed", "a timeout ends it");
        NS_TEST_EXPECT_MSG_GT(GetCount(freed, "LostNres"), 0, "at a cost");
        ring.erase("Timeout");
        ring["Routes"] = "updown";
        NS_TEST_EXPECT_MSG_EQ(RunWith(ring)->GetVerdictName(), "completed", "up and down");

        const auto failed = RunWith({{"Payload", "5000"}, {"Load", "0.1"}});
        NS_TEST_EXPECT_MSG_EQ(failed->GetVerdictName(), "failed", "verdict");
        NS_TEST_EXPECT_MSG_EQ(failed->GetFailure(),
                              "Payload is 5000 bytes; a packet has at most Mtu, 4160 bytes.",
                              "why");
        NS_TEST_EXPECT_MSG_EQ(RunWith({{"Nodes", "9"}, {"Load", "0.1"}})->GetVerdictName(),
                              "failed",
                              "the network's own check");
    }
};

/** The test suite of the scenario. */
class ScenarioTestSuite : public TestSuite
{
  public:
    ScenarioTestSuite()
        : TestSuite("myrinet-scenario", Type::SYSTEM)
    {
        AddTestCase(new TrafficTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HeadOfLineTestCase, TestCase::Duration::QUICK);
        AddTestCase(new VerdictTestCase, TestCase::Duration::QUICK);
    }
};

static ScenarioTestSuite g_scenarioTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
