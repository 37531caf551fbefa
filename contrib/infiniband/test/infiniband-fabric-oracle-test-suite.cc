/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"
#include "infiniband-test-oracle.h"

#include "ns3/test.h"

namespace ns3
{
namespace infiniband
{
namespace tests
{

/**
 * Comparison with a second simulator that evaluates every port in every nanosecond: each packet
 * arrives at the same nanosecond in both.
 */
class InfinibandOracleTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param packets packets of each run
     * @param seeds number of runs of each case
     */
    InfinibandOracleTestCase(uint32_t packets, uint32_t seeds)
        : TestCase("to the nanosecond as a simulator without events: " + std::to_string(packets)),
          m_packets(packets),
          m_seeds(seeds)
    {
    }

  private:
    void DoRun() override
    {
        const std::string ring = CreateTempDirFilename("oracle-ring.txt");
        std::string text = MakeRingFile(4, 2);
        // One faster cable, so that heads wait for their tails.
        for (std::size_t at = 0, n = 0; (at = text.find("4xSDR", at)) != std::string::npos; ++at)
        {
            // The cable between the first two switches appears at both of its ends.
            text.replace(at, 5, n == 0 || n == 5 ? "4xDDR" : "4xSDR");
            ++n;
        }
        std::ofstream(ring) << text;
        const std::vector<std::pair<Settings, Settings>> cases{
            {{{"Topology", "switch"}, {"Nodes", "6"}, {"SwitchPorts", "6"}},
             {{"BufferBytes", "2176"}}},
            {{{"Topology", "switch"}, {"Nodes", "6"}, {"SwitchPorts", "6"}},
             {{"Lanes", "3"}, {"LinkRate", "DDR"}}},
            {{{"Nodes", "16"}, {"SwitchPorts", "8"}, {"Lmc", "1"}}, {{"BufferBytes", "4416"}}},
            {{{"Nodes", "16"}, {"SwitchPorts", "8"}}, {{"Lanes", "2"}}},
            {{{"Topology", "file"}, {"TopologyFile", ring}, {"Routing", "up-down"}},
             {{"BufferBytes", "2176"}, {"SwitchDelay", "140"}}}};
        for (std::size_t n = 0; n < cases.size(); ++n)
        {
            for (uint32_t seed = 0; seed < m_seeds; ++seed)
            {
                Compare(cases[n].first, cases[n].second, n * 10 + seed);
            }
        }
    }

    /**
     * Run both.
     * @param subnet attributes of the subnet
     * @param settings attributes of the fabric
     * @param seed seed of the traffic
     */
    void Compare(const Settings& subnet, const Settings& settings, uint64_t seed)
    {
        // Hosts queue in their outputs, so that lanes do not block each other above them.
        TestFabric test(subnet,
                        settings,
                        {.creditDelay = seed % 2 == 0 ? 50U : 333U, .sourceQueue = 100'000});
        NS_TEST_ASSERT_MSG_EQ(test.error, "", "the subnet has no error");
        FabricOracle oracle(*test.subnet, test.fabric->GetLinkConfig());
        const HostId hosts = test.subnet->GetNHosts();
        const SubnetManager& manager = test.subnet->GetManager();
        Draw draw(seed);
        Ticks when = 0;
        for (uint32_t n = 0; n < m_packets; ++n)
        {
            when += draw.Below(2 * 1100 / hosts);
            const HostId from = draw.Below(hosts);
            // Half of the packets go to host 0, so that credits run out.
            HostId to = draw.Below(2) ? 0 : draw.Below(hosts);
            to = to == from ? (from + 1) % hosts : to;
            const auto bytes = static_cast<uint16_t>(26 + draw.Below(2049));
            const auto path = static_cast<uint8_t>(draw.Below(manager.GetNPaths()));
            const auto level = static_cast<uint8_t>(draw.Below(3));
            const uint8_t lane = test.fabric->GetLane(level);
            test.Plan(when, from, to, bytes, path, level);
            oracle.Offer(from, FabricOracle::Item{n, manager.GetLid(to, path), bytes, lane, when});
        }
        const auto expected = oracle.Run(10000000);
        test.Run();
        NS_TEST_ASSERT_MSG_EQ(test.arrivals.size(), m_packets, "arrivals in the fabric");
        uint32_t alike = 0;
        for (const auto& arrival : test.arrivals)
        {
            alike += arrival.when == expected[arrival.number];
        }
        NS_TEST_EXPECT_MSG_EQ(alike,
                              m_packets,
                              "packets that arrive at the time of the oracle, seed " << seed);
    }

    uint32_t m_packets; ///< Packets of each run.
    uint32_t m_seeds;   ///< Runs of each case.
};

/** The test suite of a fabric against a second simulator. */
class InfinibandFabricOracleTestSuite : public TestSuite
{
  public:
    InfinibandFabricOracleTestSuite()
        : TestSuite("infiniband-fabric-oracle", Type::SYSTEM)
    {
        AddTestCase(new InfinibandOracleTestCase(120, 2), Duration::QUICK);
        AddTestCase(new InfinibandOracleTestCase(600, 5), Duration::EXTENSIVE);
    }
};

static InfinibandFabricOracleTestSuite g_infinibandFabricOracleTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
