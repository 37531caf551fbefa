/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/double.h"
#include "ns3/infiniband-traffic-scenario.h"
#include "ns3/pointer.h"
#include "ns3/test.h"

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/**
 * Run the scenario.
 * @param settings its attributes
 * @return the scenario that has run
 */
Ptr<InfinibandTrafficScenario>
RunWith(const Settings& settings)
{
    auto scenario = CreateObject<InfinibandTrafficScenario>();
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
 * @param name the result, a count
 * @return its value
 */
uint64_t
GetCount(Ptr<InfinibandTrafficScenario> scenario, const std::string& name)
{
    UintegerValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

/**
 * Get a result.
 * @param scenario a scenario that has run
 * @param name the result, a real number
 * @return its value
 */
double
GetReal(Ptr<InfinibandTrafficScenario> scenario, const std::string& name)
{
    DoubleValue value;
    scenario->GetAttribute(name, value);
    return value.Get();
}

} // namespace

/** Each pattern at low and at full load: all arrive, once, and at the rate there has to be. */
class InfinibandPatternsTestCase : public TestCase
{
  public:
    InfinibandPatternsTestCase()
        : TestCase("patterns: conservation, throughput, idle latency (C-05)")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string pattern : {"uniform", "all-to-all", "incast", "permutation"})
        {
            for (const std::string load : {"0.05", "1.2"})
            {
                const auto run = RunWith(
                    {{"Pattern", pattern}, {"Load", load}, {"Nodes", "48"}, {"Duration", "500us"}});
                NS_TEST_EXPECT_MSG_EQ(run->GetVerdictName(), "completed", pattern << " " << load);
                NS_TEST_EXPECT_MSG_EQ(GetCount(run, "Delivered"),
                                      GetCount(run, "Offered"),
                                      "nothing is lost for want of room");
                NS_TEST_EXPECT_MSG_EQ(GetCount(run, "Overtaken"), 0, "one path keeps order");
                const double full = 1000.0 * 2048 / 2074;
                if (pattern == "incast" && load == "1.2")
                {
                    // One receiver's link, shared by all.
                    NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(run, "Throughput") * 48,
                                              full,
                                              10,
                                              "one link");
                }
                if (pattern == "permutation" && load == "1.2")
                {
                    // Only the fat tree's own contention is in the way; a fixed number of packets
                    // offered beyond the link's rate waits at the hosts.
                    NS_TEST_EXPECT_MSG_GT(GetReal(run, "Throughput"), 0.4 * full, "most links");
                }
            }
        }
        // Nothing waits: over three switches, four cables and the packet once; half of the pairs of
        // 24 hosts share a switch.
        const auto idle = RunWith(
            {{"Load", "0.0001"}, {"Nodes", "24"}, {"Topology", "switch"}, {"Duration", "50ms"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(GetReal(idle, "Latency"), 2.324, 0.005, "idle latency");
    }
};

/**
 * A crossbar with first-come queues at its inputs and random destinations saturates by head-of-line
 * blocking: 0.618 of the links' rate with 8 ports (Karol, Hluchyj and Morgan 1987, table I).
 */
class InfinibandSaturationTestCase : public TestCase
{
  public:
    InfinibandSaturationTestCase()
        : TestCase("saturation of one switch by head-of-line blocking")
    {
    }

  private:
    void DoRun() override
    {
        const auto run = RunWith({{"Topology", "switch"},
                                  {"Nodes", "8"},
                                  {"Load", "1.5"},
                                  {"Payload", "2048"},
                                  {"Duration", "20ms"}});
        const double share = GetReal(run, "Throughput") / (1000.0 * 2048 / 2074);
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.618, 0.02, "beside theory");
    }
};

/** Faults and several paths; the same settings give the same results. */
class InfinibandTrafficFaultsTestCase : public TestCase
{
  public:
    InfinibandTrafficFaultsTestCase()
        : TestCase("faults, paths, repetition")
    {
    }

  private:
    void DoRun() override
    {
        const Settings settings{{"Nodes", "70"},
                                {"Lmc", "2"},
                                {"Load", "0.6"},
                                {"Corruption", "0.001"},
                                {"SwitchCorruption", "0.001"},
                                {"FailureRate", "500"},
                                {"SweepDelay", "50us"}};
        const auto first = RunWith(settings);
        const auto second = RunWith(settings);
        NS_TEST_EXPECT_MSG_EQ(first->GetVerdictName(), "completed", "books balance");
        NS_TEST_EXPECT_MSG_GT(GetCount(first, "Overtaken"), 0, "paths differ");
        NS_TEST_EXPECT_MSG_GT(GetCount(first, "Sweeps"), 1, "failures");
        uint64_t lost = 0;
        for (const std::string name :
             {"LostVcrc", "LostIcrc", "LostLinkDown", "LostPortDown", "LostNoRoute"})
        {
            NS_TEST_EXPECT_MSG_EQ(GetCount(first, name), GetCount(second, name), name << " again");
            lost += GetCount(first, name);
        }
        NS_TEST_EXPECT_MSG_EQ(GetCount(first, "Delivered") + lost,
                              GetCount(first, "Offered"),
                              "each is accounted for");
        NS_TEST_EXPECT_MSG_EQ(GetReal(first, "Latency"), GetReal(second, "Latency"), "again");
        PointerValue ports;
        first->GetAttribute("Ports", ports);
        NS_TEST_EXPECT_MSG_EQ(ports.Get<messaging::Table>()->GetNRows(), 284, "two ends a cable");
    }
};

/** A ring of switches with shortest ways and small buffers comes to a halt, and says why. */
class InfinibandDeadlockTestCase : public TestCase
{
  public:
    InfinibandDeadlockTestCase()
        : TestCase("deadlock by a credit loop, none with up-down")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("ring.txt");
        std::ofstream(file) << MakeRingFile(5, 3);
        for (const std::string routing : {"min-hop", "up-down"})
        {
            const auto run = RunWith({{"Topology", "file"},
                                      {"TopologyFile", file},
                                      {"Routing", routing},
                                      {"Load", "1"},
                                      {"BufferBytes", "2176"},
                                      {"Duration", "5ms"}});
            if (routing == "up-down")
            {
                NS_TEST_EXPECT_MSG_EQ(run->GetVerdictName(), "completed", "no loop");
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(run->GetVerdictName(), "deadlock", "a loop");
            NS_TEST_EXPECT_MSG_NE(run->GetFailure().find("Packets can wait in a ring"),
                                  std::string::npos,
                                  run->GetFailure());
        }
    }
};

/** What cannot be run is told in one sentence. */
class InfinibandTrafficCheckTestCase : public TestCase
{
  public:
    InfinibandTrafficCheckTestCase()
        : TestCase("parameters that cannot be")
    {
    }

  private:
    void DoRun() override
    {
        const std::string file = CreateTempDirFilename("parts.txt");
        std::ofstream(file) << "Switch 4 \"S-1\"\n[1] \"H-1\"[1]\nSwitch 4 \"S-2\"\n[1] "
                               "\"H-2\"[1]\nCa 1 \"H-1\"\n[1] \"S-1\"[1]\nCa 1 \"H-2\"\n[1] "
                               "\"S-2\"[1]\n";
        const std::vector<std::pair<Settings, std::string>> cases{
            {{{"Mtu", "1500"}},
             "There is no Mtu of 1500 bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096."},
            {{{"Payload", "2049"}}, "Payload is 2049 bytes; a packet has at most Mtu, 2048 bytes."},
            {{{"Topology", "switch"}},
             "One switch of 24 ports takes at most as many hosts, not 70; use a larger SwitchPorts "
             "or Topology fat-tree."},
            {{{"Topology", "file"}, {"TopologyFile", file}},
             "2 of 2 pairs of hosts have no way from the one to the other, H-2 to H-1 for one."},
            {{{"TopologyFile", "x"}},
             "TopologyFile has no effect where Topology is fat-tree; it is read if that "
             "is file."},
            {{{"Topology", "file"}, {"TopologyFile", file}, {"Nodes", "2"}},
             "Nodes has no effect where Topology is file."},
            {{{"Topology", "switch"}, {"Nodes", "9"}, {"Oversubscription", "2"}},
             "Oversubscription has no effect where Topology is switch."},
            {{{"CorruptionBurst", "3"}}, "CorruptionBurst has no effect where Corruption is 0."},
            {{{"SweepDelay", "2ms"}}, "SweepDelay has no effect where FailureRate is 0."}};
        for (const auto& [settings, sentence] : cases)
        {
            auto scenario = CreateObject<InfinibandTrafficScenario>();
            for (const auto& [name, value] : settings)
            {
                scenario->SetAttribute(name, StringValue(value));
            }
            NS_TEST_EXPECT_MSG_EQ(scenario->Check(), sentence, "one sentence");
        }
    }
};

/** The test suite of the scenario infiniband-traffic. */
class InfinibandTrafficTestSuite : public TestSuite
{
  public:
    InfinibandTrafficTestSuite()
        : TestSuite("infiniband-traffic", Type::SYSTEM)
    {
        AddTestCase(new InfinibandPatternsTestCase, Duration::QUICK);
        AddTestCase(new InfinibandSaturationTestCase, Duration::QUICK);
        AddTestCase(new InfinibandTrafficFaultsTestCase, Duration::QUICK);
        AddTestCase(new InfinibandDeadlockTestCase, Duration::QUICK);
        AddTestCase(new InfinibandTrafficCheckTestCase, Duration::QUICK);
    }
};

static InfinibandTrafficTestSuite g_infinibandTrafficTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
