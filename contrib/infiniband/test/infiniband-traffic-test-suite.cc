/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"
#include "infiniband-test-traffic.h"

#include "ns3/test.h"

#include <numeric>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/** A run of traffic. */
struct TrafficRun
{
    std::string broken;      ///< Error of the conservation check; empty without one.
    std::string deadlock;    ///< Empty, or the reason of a deadlock.
    uint64_t offered{0};     ///< Offered packets.
    FabricCounters counters; ///< Counters of the fabric.
    uint64_t overtaken{0};   ///< Packets that arrived after a later one of their pair.
    uint64_t ports{0};       ///< Rows of the table of ports.
    double throughput{0};    ///< Mean payload rate of a host [MB/s].
    double latency{0};       ///< Mean latency [us].
};

/**
 * Run traffic over a fabric.
 * @param settings attributes of subnet and fabric
 * @param config the traffic
 * @param failures failure rate of each link between switches [1/s]
 * @return the results
 */
TrafficRun
RunTraffic(const Settings& settings, const TrafficConfig& config, double failures = 0)
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto subnet = CreateObject<Subnet>();
    const auto fabric = CreateObject<Fabric>();
    for (const auto& [name, value] : settings)
    {
        if (!subnet->SetAttributeFailSafe(name, StringValue(value)))
        {
            fabric->SetAttribute(name, StringValue(value));
        }
    }
    TrafficRun run;
    run.broken = fabric->Check();
    run.broken = run.broken.empty() ? subnet->Build(fabric->GetLinkConfig().rate) : run.broken;
    if (!run.broken.empty())
    {
        return run;
    }
    fabric->AssignStreams(10);
    const HostId hosts = subnet->GetNHosts();
    Traffic traffic(clock, fabric, hosts, config);
    traffic.AssignStreams(20);
    fabric->Start(subnet, clock, &traffic);
    Draw draw(1);
    PlanRandomFailures(*fabric, draw, failures, 100'000, config.duration);
    traffic.Start();
    Simulator::Run();
    run.counters = fabric->GetCounters();
    run.offered = traffic.GetNOffered();
    run.overtaken = traffic.GetNOvertaken();
    run.ports = fabric->MakePortTable()->GetNRows();
    run.throughput = static_cast<double>(traffic.GetBytes()) * 1000 /
                     static_cast<double>(config.duration) / hosts;
    const auto& latencies = traffic.GetLatencies();
    run.latency =
        static_cast<double>(std::accumulate(latencies.begin(), latencies.end(), Ticks{0})) /
        static_cast<double>(std::max<std::size_t>(latencies.size(), 1)) / 1000;
    run.broken = CheckConservation(*fabric);
    run.broken = run.broken.empty() ? traffic.Audit() : run.broken;
    if (traffic.GetNWaiting() + fabric->GetCounters().GetNInFlight() > 0)
    {
        run.deadlock =
            "Nothing moves. " + FindCreditLoop(subnet->GetTopology(), subnet->GetManager());
    }
    fabric->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return run;
}

} // namespace

/** Each pattern at low and full load: all packets arrive once, at the expected rate. */
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
        for (const Pattern pattern :
             {Pattern::UNIFORM, Pattern::ALL_TO_ALL, Pattern::INCAST, Pattern::PERMUTATION})
        {
            for (const double load : {0.05, 1.2})
            {
                const auto run = RunTraffic({{"Nodes", "48"}}, {pattern, 2048, load, 500'000});
                const std::string what =
                    std::to_string(static_cast<int>(pattern)) + " " + std::to_string(load);
                NS_TEST_EXPECT_MSG_EQ(run.broken + run.deadlock,
                                      "",
                                      what << ": no error and no deadlock");
                NS_TEST_EXPECT_MSG_EQ(run.counters.delivered,
                                      run.offered,
                                      what << ": no packet is lost");
                NS_TEST_EXPECT_MSG_EQ(run.overtaken,
                                      0,
                                      what << ": packets out of order on one path");
                const double full = 1000.0 * 2048 / 2074;
                if (pattern == Pattern::INCAST && load > 1)
                {
                    // All share the link of one receiver.
                    NS_TEST_EXPECT_MSG_EQ_TOL(run.throughput * 48,
                                              full,
                                              10,
                                              "throughput of one link");
                }
                if (pattern == Pattern::PERMUTATION && load > 1)
                {
                    // Only the contention of the fat tree limits the rate; packets beyond the
                    // link's rate wait at the hosts.
                    NS_TEST_EXPECT_MSG_GT(run.throughput, 0.4 * full, "throughput of most links");
                }
            }
        }
        // No packet waits: over three switches, four cables and the packet once; half of the pairs
        // of 24 hosts share a switch.
        const auto idle = RunTraffic({{"Nodes", "24"}, {"Topology", "switch"}},
                                     {Pattern::UNIFORM, 2048, 0.0001, 50'000'000});
        NS_TEST_EXPECT_MSG_EQ_TOL(idle.latency, 2.324, 0.005, "idle latency [us]");
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
        const auto run = RunTraffic({{"Topology", "switch"}, {"Nodes", "8"}},
                                    {Pattern::UNIFORM, 2048, 1.5, 20'000'000});
        const double share = run.throughput / (1000.0 * 2048 / 2074);
        NS_TEST_EXPECT_MSG_EQ_TOL(share,
                                  0.618,
                                  0.02,
                                  "share of the rate of eight ports with input queues, in theory");
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
                                {"Corruption", "0.001"},
                                {"SwitchCorruption", "0.001"},
                                {"SweepDelay", "50us"}};
        const TrafficConfig config{Pattern::UNIFORM, 2048, 0.6, 1'000'000};
        const auto first = RunTraffic(settings, config, 500);
        const auto second = RunTraffic(settings, config, 500);
        NS_TEST_EXPECT_MSG_EQ(first.broken + first.deadlock, "", "no error and no deadlock");
        NS_TEST_EXPECT_MSG_GT(first.overtaken, 0, "packets of several paths overtake each other");
        NS_TEST_EXPECT_MSG_GT(first.counters.drops[static_cast<std::size_t>(DropReason::LINK_DOWN)],
                              0,
                              "losses on failed links");
        NS_TEST_EXPECT_MSG_EQ(first.counters.hops, second.counters.hops, "hops of the second run");
        NS_TEST_EXPECT_MSG_EQ(first.counters.delivered,
                              second.counters.delivered,
                              "deliveries of the second run");
        NS_TEST_EXPECT_MSG_EQ(first.counters.GetAllDrops(),
                              second.counters.GetAllDrops(),
                              "losses of the second run");
        NS_TEST_EXPECT_MSG_EQ(first.counters.delivered + first.counters.GetAllDrops(),
                              first.offered,
                              "each packet is delivered or lost");
        NS_TEST_EXPECT_MSG_EQ(first.latency, second.latency, "latency of the second run");
        NS_TEST_EXPECT_MSG_EQ(first.ports, 284, "ports: two for each cable");
    }
};

/** A ring of switches with shortest routes and small buffers deadlocks, and reports the reason. */
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
            const auto run = RunTraffic({{"Topology", "file"},
                                         {"TopologyFile", file},
                                         {"Routing", routing},
                                         {"BufferBytes", "2176"}},
                                        {Pattern::UNIFORM, 2048, 1, 5'000'000});
            NS_TEST_EXPECT_MSG_EQ(run.broken, "", routing << ": no error");
            if (routing == "up-down")
            {
                NS_TEST_EXPECT_MSG_EQ(run.deadlock, "", routing << ": no deadlock");
                continue;
            }
            NS_TEST_EXPECT_MSG_NE(run.deadlock.find("Packets can wait in a ring"),
                                  std::string::npos,
                                  routing << ": a deadlock, not \"" << run.deadlock << "\"");
        }
    }
};

/** Parameters refused in one sentence. */
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
            {{{"Topology", "switch"}},
             "One switch of 24 ports takes at most as many hosts, not 70; use a larger SwitchPorts "
             "or Topology fat-tree."},
            {{{"Topology", "file"}, {"TopologyFile", file}},
             "2 of 2 pairs of hosts have no route, H-2 to H-1 for one."},
            {{{"TopologyFile", "x"}},
             "TopologyFile has no effect where Topology is fat-tree; Topology file reads it."},
            {{{"Topology", "file"}, {"TopologyFile", file}, {"Nodes", "2"}},
             "Nodes has no effect where Topology is file."},
            {{{"Topology", "switch"}, {"Nodes", "9"}, {"Oversubscription", "2"}},
             "Oversubscription has no effect where Topology is switch."}};
        for (const auto& [settings, sentence] : cases)
        {
            NS_TEST_EXPECT_MSG_EQ(RunTraffic(settings, {}).broken,
                                  sentence,
                                  "parameters that contradict each other");
        }
    }
};

/** The test suite of traffic over a fabric. */
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
