/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Corrupted packets: where they are dropped, their number, and the return of their credits. */
class InfinibandCorruptionTestCase : public TestCase
{
  public:
    InfinibandCorruptionTestCase()
        : TestCase("corruption: VCRC, ICRC, rate")
    {
    }

  private:
    void DoRun() override
    {
        // The packet into the switch is corrupted. A long one leaves the switch before its tail
        // has arrived, and is dropped at the host; a short one is complete before it could leave.
        // The head waits for 200 ns in the switch, a byte takes 1 ns.
        for (const uint16_t bytes : {100, 200, 201, 1000})
        {
            TestFabric test({{"Topology", "switch"}, {"Nodes", "3"}}, {});
            const PortId input = test.subnet->GetTopology().GetPorts()[0].peer;
            test.fabric->CorruptNext(input);
            test.Plan(100, 0, 1, bytes);
            test.Run();
            NS_TEST_ASSERT_MSG_EQ(test.lost.size(), 1, bytes << " bytes: lost packets");
            NS_TEST_EXPECT_MSG_EQ(test.reasons.front(), DropReason::VCRC, "reason of the loss");
            NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(input).symbolErrors,
                                  1,
                                  "symbol errors of the port at the damaged link");
            NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(bytes <= 200 ? input : 1).rcvErrors,
                                  1,
                                  "errors of the port where the packet is first stored as a whole");
            NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                  "",
                                  "packets and credits are conserved");
        }
        Behind();
        const auto rate = Count({{"Corruption", "0.01"}});
        NS_TEST_EXPECT_MSG_EQ(rate.second[static_cast<int>(DropReason::ICRC)],
                              0,
                              "errors of links are found by the VCRC");
        // Two links each: 1 - 0.99^2 of 20000, with five standard deviations.
        NS_TEST_EXPECT_MSG_EQ_TOL(double(rate.first),
                                  20000 * 0.0199,
                                  5 * 20,
                                  "losses by corruption of links");
        const auto icrc = Count({{"SwitchCorruption", "0.02"}});
        NS_TEST_EXPECT_MSG_EQ_TOL(double(icrc.second[static_cast<int>(DropReason::ICRC)]),
                                  20000 * 0.02,
                                  5 * 20,
                                  "losses by corruption in switches, found by the ICRC at the end");
        NS_TEST_EXPECT_MSG_EQ(icrc.first,
                              icrc.second[static_cast<int>(DropReason::ICRC)],
                              "corruption in switches is found only by the ICRC");
    }

    /** A corrupted packet that waits is dropped where it waits. */
    void Behind()
    {
        TestFabric test({{"Topology", "switch"}, {"Nodes", "3"}}, {});
        // Host 2 keeps host 1's link busy; of host 0's two packets the second waits in the switch.
        for (uint32_t n = 0; n < 4; ++n)
        {
            test.Plan(0, 2, 1, 2074);
        }
        const PortId input = test.subnet->GetTopology().GetPorts()[0].peer;
        // Both packets of host 0 are corrupted; the second leaves when the first has left.
        const auto corrupt = [&test, input] { test.fabric->CorruptNext(input); };
        corrupt();
        Simulator::Schedule(NanoSeconds(1000), corrupt);
        test.Plan(0, 0, 1, 2074);
        test.Plan(0, 0, 1, 2074);
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.lost.size(), 2, "lost packets");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(input).rcvErrors,
                              1,
                              "errors of the input of the switch");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(1).rcvErrors,
                              1,
                              "errors of the port of the host");
    }

    /**
     * Send 20000 packets over one switch.
     * @param settings attributes of the fabric
     * @return number of lost packets, and by reason
     */
    std::pair<uint64_t, std::array<uint64_t, N_DROP_REASONS>> Count(const Settings& settings)
    {
        TestFabric test({{"Topology", "switch"}, {"Nodes", "8"}}, settings);
        for (uint32_t n = 0; n < 20000; ++n)
        {
            test.Plan(0, n % 8, (n + 3) % 8, 100);
        }
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.arrivals.size() + test.lost.size(),
                              20000,
                              "each packet arrives or is lost");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetCounters().GetNInFlight(),
                              0,
                              "packets in flight at the end");
        return {test.lost.size(), test.fabric->GetCounters().drops};
    }
};

/** A link fails under a packet: losses, their location, and the recovery. */
class InfinibandLinkDownTestCase : public TestCase
{
  public:
    InfinibandLinkDownTestCase()
        : TestCase("links that go down and come up, to the nanosecond")
    {
    }

  private:
    void DoRun() override
    {
        // Host 0 sends 1000 bytes at 0: on its link until 1025, on host 1's from 225 to 1250.
        for (const auto& [host, down, lost] : {std::tuple(0U, Ticks{1}, true),
                                               std::tuple(0U, Ticks{1024}, true),
                                               std::tuple(0U, Ticks{1025}, false),
                                               std::tuple(1U, Ticks{225}, true),
                                               std::tuple(1U, Ticks{226}, true),
                                               std::tuple(1U, Ticks{1249}, true),
                                               std::tuple(1U, Ticks{1250}, false)})
        {
            TestFabric test({{"Topology", "switch"}, {"Nodes", "3"}}, {{"SweepDelay", "-1ns"}});
            const PortId port = host == 0 ? test.subnet->GetTopology().GetPorts()[0].peer : 1;
            test.fabric->PlanLink(port, false, down);
            test.fabric->PlanLink(port, true, 5000);
            test.Plan(0, 0, 1, 1000);
            test.Plan(6000, 0, 1, 1000);
            test.Run();
            NS_TEST_EXPECT_MSG_EQ((test.GetArrival(0) == NEVER),
                                  lost,
                                  "loss of the packet, whose link at host " << host << " fails at "
                                                                            << down);
            NS_TEST_EXPECT_MSG_EQ(test.GetArrival(1),
                                  7250,
                                  "the next packet leaves when the link is repaired");
            if (lost)
            {
                NS_TEST_EXPECT_MSG_EQ(test.reasons.at(0),
                                      (down == 225 ? DropReason::PORT_DOWN : DropReason::LINK_DOWN),
                                      "reason of the loss");
            }
            NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                  "",
                                  "packets and credits are conserved");
        }
        // The first packet is dropped when its head is in the switch, whose buffer it fills until
        // the arrival of its tail at 2125; its credits return 50 later.
        TestFabric test({{"Topology", "switch"}, {"Nodes", "3"}},
                        {{"SweepDelay", "-1ns"}, {"BufferBytes", "2176"}});
        test.fabric->PlanLink(1, false, 100);
        test.Plan(0, 0, 1, 2100);
        test.Plan(0, 0, 2, 2100);
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.reasons.at(0),
                              DropReason::PORT_DOWN,
                              "reason of the loss of the first packet");
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(1),
                              2175 + 25 + 200 + 2100 + 25,
                              "the second packet waits for the repair");
    }
};

/** After a sweep, packets avoid a failed link; before, they are lost. */
class InfinibandRerouteTestCase : public TestCase
{
  public:
    InfinibandRerouteTestCase()
        : TestCase("the sweep after a failure")
    {
    }

  private:
    void DoRun() override
    {
        TestFabric test({{"Nodes", "70"}}, {{"SweepDelay", "100us"}});
        const auto route =
            test.subnet->GetManager().GetRoute(0, test.subnet->GetManager().GetLid(69));
        test.fabric->PlanLink(route[1], false, 10000);
        const auto before = test.Plan(0, 0, 69, 1000);
        const auto meanwhile = test.Plan(50000, 0, 69, 1000);
        const auto after = test.Plan(150000, 0, 69, 1000);
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(before), 1700, "a packet before the failure");
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(meanwhile), NEVER, "a packet before the sweep");
        NS_TEST_EXPECT_MSG_EQ(test.reasons.at(0), DropReason::PORT_DOWN, "reason of the loss");
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(after),
                              151700,
                              "a packet after the sweep takes another way");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(route[1]).xmitDiscards,
                              1,
                              "discards of the failed port");
    }
};

/** All faults together, with several routing engines: counters balance, and no packet is stuck. */
class InfinibandFaultSoakTestCase : public TestCase
{
  public:
    InfinibandFaultSoakTestCase()
        : TestCase("all faults at once: conservation")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 0; seed < 6; ++seed)
        {
            TestFabric test({{"Nodes", "32"},
                             {"SwitchPorts", "8"},
                             {"Routing", seed % 2 ? "up-down" : "fat-tree"}},
                            {{"Corruption", "0.003"},
                             {"SwitchCorruption", "0.002"},
                             {"BufferBytes", "4416"},
                             {"SweepDelay", seed % 3 ? "20us" : "-1ns"}});
            Draw draw(seed);
            PlanRandomFailures(*test.fabric, draw, 3000, 30000, 300000);
            test.fabric->PlanLink(5, false, 30000);
            test.fabric->PlanLink(5, true, 90000);
            uint64_t state = seed + 1;
            const auto below = [&state](uint32_t limit) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                return static_cast<uint32_t>((state >> 33) % limit);
            };
            constexpr uint32_t PACKETS = 5000;
            for (uint32_t n = 0; n < PACKETS; ++n)
            {
                const HostId from = below(32);
                const auto bytes = static_cast<uint16_t>(26 + below(2049));
                const Ticks when = below(300000);
                if (n % 100 == 0)
                {
                    test.PlanLid(when, from, MULTICAST_LID, bytes);
                }
                else
                {
                    test.Plan(when, from, (from + 1 + below(31)) % 32, bytes);
                }
            }
            for (Ticks at = 1000; at < 300000; at += 1777)
            {
                test.Run(at);
                NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                      "",
                                      "packets and credits are conserved during the run");
            }
            test.Run();
            const auto& counters = test.fabric->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.injected, PACKETS, "packets sent");
            NS_TEST_EXPECT_MSG_EQ(test.fabric->GetCounters().GetNInFlight(),
                                  0,
                                  "packets in flight at the end");
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, test.arrivals.size(), "delivered");
            NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(), test.lost.size(), "lost");
            for (const DropReason reason :
                 {DropReason::VCRC, DropReason::ICRC, DropReason::LINK_DOWN, DropReason::PORT_DOWN})
            {
                NS_TEST_EXPECT_MSG_GT(counters.drops[static_cast<std::size_t>(reason)],
                                      0,
                                      "losses for " << reason);
            }
            NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                  "",
                                  "packets and credits are conserved");
        }
    }
};

/** The test suite of a fabric's faults. */
class InfinibandFabricFaultTestSuite : public TestSuite
{
  public:
    InfinibandFabricFaultTestSuite()
        : TestSuite("infiniband-fabric-fault", Type::UNIT)
    {
        AddTestCase(new InfinibandCorruptionTestCase, Duration::QUICK);
        AddTestCase(new InfinibandLinkDownTestCase, Duration::QUICK);
        AddTestCase(new InfinibandRerouteTestCase, Duration::QUICK);
        AddTestCase(new InfinibandFaultSoakTestCase, Duration::QUICK);
    }
};

static InfinibandFabricFaultTestSuite g_infinibandFabricFaultTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
