/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-test-network.h"

#include "ns3/test.h"

namespace ns3
{
namespace myrinet
{
namespace tests
{

/**
 * On an idle network a packet takes, from Send to OnFrame, the delay of each cable, the
 * fall-through time of each switch, one character for the receive engine, and its length on the
 * last link.
 */
class IdleLatencyTestCase : public TestCase
{
  public:
    IdleLatencyTestCase()
        : TestCase("latency of an idle network by hops and sizes")
    {
    }

  private:
    void DoRun() override
    {
        struct Way
        {
            Peer to;           ///< Destination, from host 0.
            uint32_t switches; ///< On the way.
        };

        for (const Way& way : {Way{1, 1}, Way{0, 1}, Way{15, 3}, Way{127, 5}})
        {
            for (const uint32_t bytes : {0U, 1U, 4U, 13U, 64U, 1000U, 4096U})
            {
                TestNetwork network({{"Topology", "clos"}, {"Nodes", "128"}, {"Cable", "10"}});
                network.Send(100, 0, way.to, bytes);
                network.Run();
                // Payload and the packet type, padded to 8 bytes, and the CRC.
                const uint64_t chars = (2 + bytes + 7) / 8 * 8 + 1;
                const uint64_t picoseconds =
                    (way.switches + 1) * 49000 + way.switches * 125000 + 6250 + chars * 6250;
                NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(), 1, "it arrives");
                NS_TEST_EXPECT_MSG_EQ(network.arrivals[0].when,
                                      100 + (picoseconds + 999) / 1000,
                                      bytes << " bytes over " << way.switches << " switches");
                NS_TEST_EXPECT_MSG_EQ(
                    network.port->GetIdleLatency(0, way.to, network.arrivals[0].frame),
                    (picoseconds + 999) / 1000,
                    "what the port says");
                NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().hops,
                                      way.switches + 1,
                                      "links passed");
                NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().stops, 0, "nothing stops");
            }
        }
    }
};

/**
 * Random traffic with each failure on, and with all: every packet is delivered or lost for a named
 * reason, and nothing is left in the network.
 */
class ConservationTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param name what is on
     * @param settings attributes
     * @param reasons for which packets are lost
     */
    ConservationTestCase(const std::string& name,
                         const Settings& settings,
                         const std::vector<DropReason>& reasons)
        : TestCase("conservation: " + name),
          m_settings(settings),
          m_reasons(reasons)
    {
    }

  private:
    void DoRun() override
    {
        Settings settings{{"Topology", "clos"}, {"Nodes", "32"}};
        settings.insert(m_settings.begin(), m_settings.end());
        TestNetwork network(settings);
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(100);
        for (Peer from = 0; from < 32; ++from)
        {
            for (unsigned n = 0; n < 60; ++n)
            {
                // Half of all go to four hosts, so that heads are blocked.
                const Peer to = random->GetInteger(0, random->GetInteger(0, 1) ? 31 : 3);
                const uint32_t bytes = n % 3 ? random->GetInteger(0, 4096) : 16;
                network.Send(random->GetInteger(0, 500000), from, to, bytes);
            }
        }
        network.Run();
        const Counters& c = network.port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(c.offered, 32 * 60, "all are sent");
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, "each is accounted for");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetNInFlight(), 0, "nothing is left");
        NS_TEST_EXPECT_MSG_EQ(network.port->FindDeadlock(), "", "nothing waits in a ring");
        NS_TEST_EXPECT_MSG_GT(c.blocks, 100, "heads were blocked");
        NS_TEST_EXPECT_MSG_GT(c.stops, 100, "links were stopped");
        NS_TEST_EXPECT_MSG_EQ(c.stops, c.gos, "and went on");
        NS_TEST_EXPECT_MSG_LT(network.GetFullest(), 80 + 1, "no slack buffer overflows");
        for (const auto reason :
             {DropReason::CRC, DropReason::BUFFER, DropReason::NRES, DropReason::OVERWRITE})
        {
            const bool expected =
                std::find(m_reasons.begin(), m_reasons.end(), reason) != m_reasons.end();
            NS_TEST_EXPECT_MSG_EQ((c.GetDrops(reason) > 0), expected, "lost for " << reason);
        }
        for (Peer host = 0; host < 32; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.port->GetFreeBuffers(host),
                                  std::stoul(m_settings.contains("ReceiveBuffers")
                                                 ? m_settings.at("ReceiveBuffers")
                                                 : "32"),
                                  "all buffers are free again");
        }
    }

    Settings m_settings;               ///< Attributes.
    std::vector<DropReason> m_reasons; ///< For which packets are lost.
};

/** The test suite of what moves in a network. */
class FabricTestSuite : public TestSuite
{
  public:
    FabricTestSuite()
        : TestSuite("myrinet-fabric", Type::UNIT)
    {
        AddTestCase(new IdleLatencyTestCase, TestCase::Duration::QUICK);
        const Settings none;
        const Settings corruption{{"Corruption", "1e-5"}};
        const Settings timeout{{"Timeout", "62.5ms"}, {"StallRate", "50"}, {"StallLength", "80ms"}};
        const Settings overwrite{{"Overwrite", "0.5"}, {"StallRate", "2000"}};
        Settings all{{"OverwriteDamage", "0.3"}, {"CrcMiss", "0.1"}};
        all.insert(corruption.begin(), corruption.end());
        all.insert(timeout.begin(), timeout.end());
        all.insert(overwrite.begin(), overwrite.end());
        const auto add = [this](const std::string& name,
                                const Settings& settings,
                                const std::vector<DropReason>& reasons) {
            AddTestCase(new ConservationTestCase(name, settings, reasons),
                        TestCase::Duration::QUICK);
        };
        add("nothing fails", none, {});
        add("links corrupt", corruption, {DropReason::CRC});
        add("NRES timeout", timeout, {DropReason::NRES});
        add("pending packets overwritten", overwrite, {DropReason::OVERWRITE});
        add("everything", all, {DropReason::CRC, DropReason::NRES, DropReason::OVERWRITE});
    }
};

static FabricTestSuite g_fabricTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
