/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/double.h"
#include "ns3/messaging-list-text.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-faults.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{
namespace wormhole
{
namespace tests
{

using messaging::tests::ListText;

/**
 * Find a link.
 * @param network the network
 * @param from its first router
 * @param to its second router
 * @return the link
 */
static Link
FindLink(const WormholePort& port, uint32_t from, uint32_t to)
{
    for (Link link = 0; link < port.GetShape().GetNLinks(); ++link)
    {
        if (port.GetShape().GetOrigin(link) == from && port.GetShape().GetTarget(link) == to)
        {
            return link;
        }
    }
    return NO_LINK;
}

/** A link that fails under a packet. */
class CutTestCase : public TestCase
{
  public:
    CutTestCase()
        : TestCase("a failing link cuts the packets on it; a repaired one carries others")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            // The packet of 20 flits sent in cycle 0 has flits on the link from 1 to 2 in cycles 1
            // to 20.
            for (const Ticks when : {1U, 2U, 10U, 20U, 22U, 30U})
            {
                const auto network = MakeNetwork({{"Shape", "4x1"}, {"Router", router}});
                const auto port = network->GetNativePort();
                // 20 flits; routers that drop packets add a checksum flit.
                const uint32_t bytes = router == "buffered" ? 80 : 76;
                port->EnableFaults();
                Traffic traffic(network);
                const Link link = FindLink(*port, 1, 2);
                traffic.Send(0, 3, bytes);
                while (traffic.now < when)
                {
                    traffic.Step();
                }
                port->SetLinkUp(link, false);
                traffic.Drain();
                const Counters& counters = port->GetCounters();
                const uint32_t cut = when <= 20 ? 1 : 0;
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.size(),
                                      1 - cut,
                                      router << ": arrivals, cut in cycle " << when);
                NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(),
                                      cut,
                                      router << ": drops, cut in cycle " << when);
                // In cycle 1, the head has not taken the link yet.
                const auto reason = when == 1 ? DropReason::NO_ROUTE : DropReason::CUT;
                NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(reason),
                                      cut,
                                      router << ": drops for " << reason);
                NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                                      counters.flitsDelivered + counters.flitsDrained,
                                      "flits are conserved");
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 3), false, "the only route is cut");
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(3, 0), true, "the other direction is not");

                const uint64_t unrouted = counters.GetDrops(DropReason::NO_ROUTE);
                traffic.Pass(50);
                traffic.SendAndDrain(0, 3, bytes);
                NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::NO_ROUTE),
                                      unrouted + 1,
                                      router << ": a packet without a route is dropped");
                const std::size_t arrived = traffic.arrivals.size();
                port->SetLinkUp(link, true);
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 3), true, "the link is repaired");
                traffic.Pass(50);
                traffic.SendAndDrain(0, 3, bytes);
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.size(),
                                      arrived + 1,
                                      router << ": the repaired link carries a packet");
            }
        }
    }
};

/** Packets under which several links fail. */
class CutTwiceTestCase : public TestCase
{
  public:
    CutTwiceTestCase()
        : TestCase("a packet is lost once, however many links fail under it, now or later")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            for (const Ticks later : {0, 1, 5})
            {
                const auto network = MakeNetwork({{"Shape", "4x1"}, {"Router", router}});
                const auto port = network->GetNativePort();
                port->EnableFaults();
                Traffic traffic(network);
                // The second packet waits at 2 for the link of the first, if routers store packets.
                traffic.Send(2, 3, 116);
                traffic.Send(0, 3, 76);
                traffic.Pass(10);
                port->SetLinkUp(FindLink(*port, 2, 3), false);
                traffic.Pass(later);
                port->SetLinkUp(FindLink(*port, 1, 2), false);
                port->SetLinkUp(FindLink(*port, 0, 1), false);
                traffic.Drain();
                const Counters& counters = port->GetCounters();
                NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(),
                                      2,
                                      router << ": each packet once, second failure " << later
                                             << " cycles later");
                NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                                      counters.flitsDelivered + counters.flitsDrained,
                                      "flits are conserved");
                NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "no packet is left");
            }
        }
    }
};

/** Routers that fail, one after the other. */
class RoutersTestCase : public TestCase
{
  public:
    RoutersTestCase()
        : TestCase("no route leads through a failed router, with a node or without")
    {
    }

  private:
    void DoRun() override
    {
        // From 0 up to the root and down to 15, via the routers of the first and the last four.
        const std::set<uint32_t> route{0, 16, 20, 19, 15};
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const auto tree =
                MakeNetwork({{"Nodes", "16"}, {"Topology", "fattree"}, {"Router", router}});
            const auto port = tree->GetNativePort();
            port->EnableFaults();
            for (uint32_t failed = 0; failed < port->GetShape().GetNRouters(); ++failed)
            {
                port->SetRouterUp(failed, false);
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 15),
                                      !route.contains(failed),
                                      router << ": router " << failed << " has failed");
                port->SetRouterUp(failed, true);
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 15),
                                      true,
                                      router << ": router " << failed << " is repaired");
            }
        }
    }
};

/** A failing router with a packet on none of its links. */
class OwnPacketTestCase : public TestCase
{
  public:
    OwnPacketTestCase()
        : TestCase("a failing router loses the packet of a node that sends to itself")
    {
    }

  private:
    void DoRun() override
    {
        const auto line = MakeNetwork({{"Shape", "4x1"}, {"Router", "buffered"}});
        const auto port = line->GetNativePort();
        port->EnableFaults();
        Traffic traffic(line);
        traffic.Pass(100);
        traffic.Send(2, 2, 40);
        traffic.Pass(2);
        port->SetRouterUp(2, false);
        traffic.Drain();
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::CUT),
                              1,
                              "the packet is cut");
    }
};

/** Misroutes around a failure. */
class MisrouteTestCase : public TestCase
{
  public:
    MisrouteTestCase()
        : TestCase("packets pass a failure by misroutes where no productive route is left")
    {
    }

  private:
    void DoRun() override
    {
        // 0 1 2
        // 3 4 5
        // Nodes of one row have no productive route around a failure in the row.
        for (const uint32_t limit : {0, 1})
        {
            const auto network =
                MakeNetwork({{"Shape", "3x2"}, {"MisrouteLimit", std::to_string(limit)}});
            const auto port = network->GetNativePort();
            port->EnableFaults();
            const Counters& counters = port->GetCounters();
            Traffic traffic(network);
            port->SetLinkUp(FindLink(*port, 1, 2), false);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), (limit > 0), "MisrouteLimit " << limit);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 5), true, "a route through the other row");
            traffic.SendAndDrain(0, 2, 8);
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, limit, "delivered around the failure");
            NS_TEST_EXPECT_MSG_EQ(counters.misroutes, limit, "one misroute");
            if (limit > 0)
            {
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals[0].when,
                                      2 + 2 + 3,
                                      "two hops more than the distance, and three flits");
            }
            traffic.Pass(10);
            traffic.SendAndDrain(0, 5, 8);
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, limit + 1, "delivered in the other row");

            port->SetRouterUp(5, false);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), false, "both links to node 2 are down");
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 5), false, "node 5 has failed");
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(3, 4), true, "other nodes are connected");
            traffic.Pass(10);
            traffic.Send(0, 2, 8);
            traffic.Send(3, 4, 8);
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, limit + 2, "only the packet to 4 is");
            port->SetRouterUp(5, true);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), (limit > 0), "as before the failure of 5");
        }
    }
};

/** Packets of a buffered network do not route around a failure. */
class BufferedReachTestCase : public TestCase
{
  public:
    BufferedReachTestCase()
        : TestCase("a buffered network does not misroute, whatever its MisrouteLimit")
    {
    }

  private:
    void DoRun() override
    {
        const auto network =
            MakeNetwork({{"Shape", "3x2"}, {"Router", "buffered"}, {"MisrouteLimit", "1"}});
        const auto port = network->GetNativePort();
        port->EnableFaults();
        Traffic traffic(network);
        port->SetLinkUp(FindLink(*port, 1, 2), false);
        NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), false, "the only route is cut");
        traffic.SendAndDrain(0, 2, 8);
        const Counters& counters = port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.delivered, 0, "the packet is dropped at node 1");
        NS_TEST_EXPECT_MSG_EQ(counters.injected, 1, "after it has left its source");
        NS_TEST_EXPECT_MSG_EQ(counters.flitsDrained, 2, "its flits drain");
        traffic.SendAndDrain(1, 2, 8);
        NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::NO_ROUTE),
                              2,
                              "a packet of node 1 is dropped at its source");
        NS_TEST_EXPECT_MSG_EQ(counters.injected, 1, "it never leaves the source");
        NS_TEST_EXPECT_MSG_EQ(counters.flitsDrained, 2, "none of its flits drains");
    }
};

/** Run the simulator through a tick. @param clock a clock @param tick the tick */
static void
RunUntil(const messaging::TickClock& clock, Ticks tick)
{
    Simulator::Stop(clock.GetTickLength() * static_cast<int64_t>(tick) - Simulator::Now());
    Simulator::Run();
}

/** Durations of random failures. */
class RepairTimeTestCase : public TestCase
{
  public:
    RepairTimeTestCase()
        : TestCase("the mean duration of random failures is RepairTime")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork({{"Nodes", "64"}});
        const auto faults = CreateObject<WormholeFaults>();
        faults->SetAttribute("LinkFailureRate", DoubleValue(1e-4));
        faults->SetAttribute("RepairTime", DoubleValue(500));
        faults->AssignStreams(1);
        const auto clock = CreateObject<messaging::TickClock>();
        double duration = 0; // Of all failures [cycles]: ends minus begins.
        faults->TraceConnectWithoutContext(
            "Change",
            Callback<void, bool, uint32_t, bool>([&](bool, uint32_t, bool up) {
                const auto now = static_cast<double>(clock->Now());
                duration += up ? now : -now;
            }));
        faults->Start(network->GetNativePort(), clock);
        RunUntil(*clock, 19999);
        faults->EndRandomFailures();
        Simulator::Run();
        const auto failures = static_cast<double>(faults->GetNFailures());
        NS_TEST_EXPECT_MSG_GT(failures, 350, "of 224 links, twice each but for those down already");
        NS_TEST_EXPECT_MSG_EQ_TOL(duration / failures, 500, 100, "four standard deviations");
        Simulator::Destroy();
    }
};

/** The cycle of a planned failure. */
class PlannedFailureTestCase : public TestCase
{
  public:
    PlannedFailureTestCase()
        : TestCase("a planned failure occurs in its cycle")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork({{"Nodes", "64"}});
        const auto clock = CreateObject<messaging::TickClock>();
        const auto faults = CreateObject<WormholeFaults>();
        faults->SetAttribute("Failures", StringValue("10 down 9"));
        faults->Start(network->GetNativePort(), clock);
        RunUntil(*clock, 9);
        NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 0, "not before");
        RunUntil(*clock, 10);
        NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 1, "in its cycle");
        Simulator::Destroy();
    }
};

/** Failures that are planned for a time after the disposal. */
class DisposedFaultsTestCase : public TestCase
{
  public:
    DisposedFaultsTestCase()
        : TestCase("a plan that is disposed of in a run changes nothing any more")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork({{"Nodes", "64"}});
        const auto clock = CreateObject<messaging::TickClock>();
        const auto faults = CreateObject<WormholeFaults>();
        faults->SetAttribute("Failures", StringValue("10 down 9; 30 down 10"));
        faults->Start(network->GetNativePort(), clock);
        RunUntil(*clock, 20);
        faults->Dispose();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 1, "the one before the disposal");
        Simulator::Destroy();
    }
};

/** The first cycles of frequent random failures. */
class FrequentFailureTestCase : public TestCase
{
  public:
    FrequentFailureTestCase()
        : TestCase("random failures begin one cycle after the start, at most one in each cycle")
    {
    }

  private:
    void DoRun() override
    {
        // 224 links, each failing every cycle in the mean: the times are rounded to one cycle.
        const auto network = MakeNetwork({{"Nodes", "64"}});
        const auto clock = CreateObject<messaging::TickClock>();
        const auto faults = CreateObject<WormholeFaults>();
        faults->SetAttribute("LinkFailureRate", DoubleValue(1));
        faults->SetAttribute("RepairTime", DoubleValue(0));
        faults->AssignStreams(1);
        faults->Start(network->GetNativePort(), clock);
        RunUntil(*clock, 0);
        NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 0, "none in the cycle of the start");
        RunUntil(*clock, 1);
        NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 1, "one in the next cycle");
        Simulator::Destroy();
    }
};

/** Failures that are too rare for a run. */
class RareFailureTestCase : public TestCase
{
  public:
    RareFailureTestCase()
        : TestCase("failures whose mean time no clock can represent do not occur")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string rate : {"LinkFailureRate", "RouterFailureRate"})
        {
            for (const double value : {1e-19, 1e-30, 1e-300})
            {
                const auto network = MakeNetwork({{"Nodes", "64"}});
                const auto clock = CreateObject<messaging::TickClock>();
                const auto faults = CreateObject<WormholeFaults>();
                faults->SetAttribute(rate, DoubleValue(value));
                faults->AssignStreams(1);
                faults->Start(network->GetNativePort(), clock);
                RunUntil(*clock, 1000);
                NS_TEST_EXPECT_MSG_EQ(faults->GetNFailures(), 0, rate << " of " << value);
                Simulator::Destroy();
            }
        }
    }
};

/** Faults at given times and at random. */
class FaultScheduleTestCase : public TestCase
{
  public:
    FaultScheduleTestCase()
        : TestCase("faults follow their plan, random ones their rates; other traffic is delivered")
    {
    }

  private:
    /** A change of a link or router. */
    struct Change
    {
        Ticks when;      ///< Cycle.
        bool isRouter;   ///< Whether it is a router.
        uint32_t number; ///< Its number.
        bool up;         ///< Whether it is up now.
    };

    /**
     * Record a change of a link or router.
     * @param isRouter whether it is a router
     * @param number its number
     * @param up whether it is up now
     */
    void OnChange(bool isRouter, uint32_t number, bool up)
    {
        m_changes.push_back({m_clock->Now(), isRouter, number, up});
    }

    /** A clock's user that sends a frame from each node every 40 cycles. */
    class Sender : public messaging::TickUser
    {
      public:
        void OnTick(Peer peer, uint64_t) override
        {
            Frame frame;
            frame.payload = 16;
            network->GetNativePort()->Send(peer,
                                           (7 * peer + 13 * clock->Now()) %
                                               network->GetNativePort()->GetNPeers(),
                                           frame);
            if (clock->Now() < 20000)
            {
                clock->At(clock->Now() + 40, number, peer, 0);
            }
            else
            {
                faults->EndRandomFailures();
            }
        }

        Ptr<WormholeNetwork> network;    ///< The network.
        Ptr<WormholeFaults> faults;      ///< Its faults.
        Ptr<messaging::TickClock> clock; ///< Its clock.
        uint32_t number{0};              ///< User number at the clock.
    };

    /**
     * Run traffic and faults.
     * @param settings attributes of the network
     * @param faults attributes of the faults
     * @return the counters
     */
    Counters Run(const Settings& settings, const Settings& faults)
    {
        m_changes.clear();
        auto network = MakeNetwork(settings);
        const auto port = network->GetNativePort();
        m_clock = CreateObject<messaging::TickClock>();
        network->SetClock(m_clock);
        auto source = CreateObject<WormholeFaults>();
        for (const auto& [name, value] : faults)
        {
            source->SetAttribute(name, StringValue(value));
        }
        source->AssignStreams(7);
        source->TraceConnectWithoutContext("Change",
                                           MakeCallback(&FaultScheduleTestCase::OnChange, this));
        source->Start(port, m_clock);
        Sender sender;
        sender.network = network;
        sender.faults = source;
        sender.clock = m_clock;
        sender.number = m_clock->Register(&sender);
        for (Peer peer = 0; peer < port->GetNPeers(); ++peer)
        {
            m_clock->At(peer, sender.number, peer, 0);
        }
        Simulator::Run();
        const Counters counters = port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "no packet is left");
        source->Dispose();
        network->Dispose();
        m_clock->Dispose();
        m_clock = nullptr;
        Simulator::Destroy();
        return counters;
    }

    /** @return the changes of the last run, a line for each; links without their number. */
    std::vector<std::string> DescribeChanges() const
    {
        std::vector<std::string> lines;
        for (const Change& change : m_changes)
        {
            const std::string what =
                change.isRouter ? "router " + std::to_string(change.number) : "link";
            lines.push_back(std::to_string(change.when) + (change.up ? " up " : " down ") + what);
        }
        return lines;
    }

    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const Settings grid{{"Nodes", "64"}, {"Topology", "grid2d"}, {"Router", router}};
            CheckPlan(grid, "10-11");
            CheckRandom(grid, 224);
            const Settings tree{{"Nodes", "64"}, {"Topology", "fattree"}, {"Router", router}};
            CheckPlan(tree, "0-64");
            CheckRandom(tree, 168);
        }
    }

    /**
     * Let a link and a router fail.
     * @param settings attributes of the network
     * @param link routers at the ends of the link, as in "10-11"
     */
    void CheckPlan(const Settings& settings, const std::string& link)
    {
        const Counters counters =
            Run(settings,
                {{"Failures", "1000 down " + link + "; 5000 down 9; 9000 up " + link + ";"}});
        NS_TEST_EXPECT_MSG_EQ(
            ListText(DescribeChanges()),
            "1000 down link, 1000 down link, 5000 down router 9, 9000 up link, 9000 up link",
            "both directions of the link, and the router");
        NS_TEST_EXPECT_MSG_GT(counters.GetDrops(DropReason::NO_ROUTE),
                              100,
                              "packets to node 9 are dropped");
        NS_TEST_EXPECT_MSG_GT(counters.delivered, 10000, "most other packets are delivered");
    }

    /**
     * Let random links and routers fail.
     * @param settings attributes of the network
     * @param links number of its links
     */
    void CheckRandom(const Settings& settings, std::size_t links)
    {
        const Settings random{{"LinkFailureRate", "5e-6"},
                              {"RouterFailureRate", "2.5e-6"},
                              {"RepairTime", "500"}};
        const Counters counters = Run(settings, random);
        std::map<std::pair<bool, uint32_t>, int> down;
        std::map<bool, std::size_t> failures;
        std::map<bool, std::size_t> repairs;
        for (const Change& change : m_changes)
        {
            down[{change.isRouter, change.number}] += change.up ? -1 : 1;
            auto& count = change.up ? repairs : failures;
            ++count[change.isRouter];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * failures[false],
                                  links * 20000 * 5e-6,
                                  15,
                                  "failures of links in 20000 cycles");
        for (const auto& [part, times] : down)
        {
            NS_TEST_EXPECT_MSG_EQ(times, 0, "a repair follows each failure of " << part.second);
        }
        NS_TEST_EXPECT_MSG_GT(repairs[false], 0, "links are repaired");
        NS_TEST_EXPECT_MSG_GT(repairs[true], 0, "routers are repaired");
        NS_TEST_EXPECT_MSG_GT(counters.GetDrops(DropReason::CUT), 0, "some packets are cut");
        NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                              counters.flitsDelivered + counters.flitsDrained,
                              "flits are conserved");
        NS_TEST_EXPECT_MSG_EQ(CountersText(Run(settings, random)),
                              CountersText(counters),
                              "the same seed, the same run");
    }

    std::vector<Change> m_changes;     ///< Changes of the last run.
    Ptr<messaging::TickClock> m_clock; ///< The clock.
};

/** Invalid attributes. */
class FaultCheckTestCase : public TestCase
{
  public:
    FaultCheckTestCase()
        : TestCase("a plan that is malformed, names no part of the network, or changes nothing, is "
                   "refused")
    {
    }

  private:
    void DoRun() override
    {
        const std::string form = "; each change has to be CYCLE up or down, and a ROUTER or "
                                 "FROM-TO.";
        const auto network = MakeNetwork({{"Shape", "4x4"}});
        const std::vector<std::pair<Settings, std::string>> cases{
            {{{"Failures", ""}}, ""},
            {{{"Failures", "2 up 3; 1 down 3;"}}, ""},
            {{{"Failures", "1 down 0-1; 1 down 1; 2 up 1-0"}}, ""},
            {{{"Failures", "1 down"}}, "Failures has \"1 down\"" + form},
            {{{"Failures", "-5 down 3"}}, "Failures has \"-5 down 3\"" + form},
            {{{"Failures", "1ms down 3"}}, "Failures has \"1ms down 3\"" + form},
            {{{"Failures", "1 sideways 3"}}, "Failures has \"1 sideways 3\"" + form},
            {{{"Failures", "1 down 3 4"}}, "Failures has \"1 down 3 4\"" + form},
            {{{"Failures", "1 down 2; 3 up 3-"}}, "Failures has \" 3 up 3-\"" + form},
            {{{"Failures", "1 down 16"}},
             "Failures names router 16; the network has routers 0 to 15."},
            {{{"Failures", "1 down 0-5"}},
             "Failures names the link 0-5; a link has to join two neighbouring routers."},
            {{{"Failures", "7 up 4"}}, "Failures has router 4 repaired in cycle 7, when it works."},
            {{{"Failures", "5 down 4-5; 7 down 5-4"}},
             "Failures has the link 5-4 fail in cycle 7, when it is down already."},
            {{{"RepairTime", "7"}},
             "RepairTime has no effect where LinkFailureRate and RouterFailureRate are both 0."},
            {{{"RouterFailureRate", "1e-3"}, {"RepairTime", "7"}}, ""}};
        for (const auto& [settings, sentence] : cases)
        {
            auto faults = CreateObject<WormholeFaults>();
            for (const auto& [name, value] : settings)
            {
                faults->SetAttribute(name, StringValue(value));
            }
            NS_TEST_EXPECT_MSG_EQ(faults->Check(network->GetNativePort()->GetShape()),
                                  sentence,
                                  settings.begin()->second);
        }
        auto faults = CreateObject<WormholeFaults>();
        NS_TEST_EXPECT_MSG_EQ(faults->IsAny(), false, "nothing fails by default");
        NS_TEST_EXPECT_MSG_EQ(faults->SetAttributeFailSafe("LinkFailureRate", DoubleValue(1.5)),
                              false,
                              "a link cannot fail more than once a cycle");
    }
};

/** State left behind by a dropped packet. */
class FreeOnDropTestCase : public TestCase
{
  public:
    FreeOnDropTestCase()
        : TestCase("FreeOnDrop: links and port of a dropped packet are free in the next cycle")
    {
    }

  private:
    void DoRun() override
    {
        // 0 1 2 3 4: a packet from 2 occupies the link from 2 to 3. One from 0 to 4, sent in cycle
        // 1, takes two links and is dropped at 2 in cycle 3; one from 1 waits for the second of
        // these links.
        for (const bool frees : {false, true})
        {
            const auto network = MakeNetwork({{"Shape", "5x1"},
                                              {"Observe", "true"},
                                              {"SourceBusy", "wait"},
                                              {"FreeOnDrop", frees ? "true" : "false"}});
            const auto port = network->GetNativePort();
            Traffic traffic(network);
            traffic.Send(2, 4, 116);
            traffic.Step();
            traffic.Send(0, 4, 76);
            traffic.Step();
            traffic.Step();
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(1, 2, 4), false, "20 flits occupy the link");
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 1, 4), false, "and the port of 0");
            traffic.Step();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::BLOCKED), 1, "drop");
            traffic.Pass(25);
            // Links taken in cycles 2 and 1, for 20 cycles each.
            std::sort(traffic.ready.begin(), traffic.ready.end());
            NS_TEST_EXPECT_MSG_EQ(ListText(traffic.ready),
                                  (frees ? "4:0, 4:1" : "21:0, 22:1"),
                                  "cycle:node of OnReady, when the port of 0 and the link of 1 are "
                                  "free");
            const auto busy = port->GetLinkBusy();
            NS_TEST_EXPECT_MSG_EQ(std::accumulate(busy.begin(), busy.end(), uint64_t{0}),
                                  2 * 30 + (frees ? 3 + 2 : 2 * 20),
                                  "busy time of all links");
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 2, 4), true, "nothing stays taken");
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered, 2, "the first and the last");
        }
    }
};

/** State left behind by short packets. */
class FreeShortOnDropTestCase : public TestCase
{
  public:
    FreeShortOnDropTestCase()
        : TestCase("FreeOnDrop of packets whose tail leaves their port soon, or has left it")
    {
    }

  private:
    void DoRun() override
    {
        // As before, with packets whose tail would leave their port in the next cycle or later.
        for (const bool frees : {false, true})
        {
            for (const Ticks flits : {2, 3, 4, 5})
            {
                const auto network = MakeNetwork({{"Shape", "5x1"},
                                                  {"Observe", "true"},
                                                  {"FreeOnDrop", frees ? "true" : "false"}});
                const auto port = network->GetNativePort();
                Traffic traffic(network);
                traffic.Send(2, 4, 116);
                traffic.Step();
                traffic.Send(0, 4, static_cast<uint32_t>(4 * (flits - 1)));
                traffic.Pass(3);
                // Sent in cycle 1 and dropped in 3.
                const bool taken = !frees && 1 + flits > traffic.now;
                traffic.Send(0, 1, 4);
                NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::SOURCE_PORT),
                                      (taken ? 1 : 0),
                                      flits << " flits, free on drop: " << frees);
                traffic.Drain();
                const auto busy = port->GetLinkBusy();
                uint64_t dropped = 2 * flits; // Busy time of the two links of the dropped packet.
                if (frees)
                {
                    dropped = std::min<Ticks>(flits, 3) + std::min<Ticks>(flits, 2);
                }
                NS_TEST_EXPECT_MSG_EQ(std::accumulate(busy.begin(), busy.end(), uint64_t{0}),
                                      2 * 30 + dropped + (taken ? 0 : 2),
                                      flits << " flits, free on drop: " << frees);
            }
        }
    }
};

/** Routers with which FreeOnDrop is allowed. */
class FreeOnDropCheckTestCase : public TestCase
{
  public:
    FreeOnDropCheckTestCase()
        : TestCase("FreeOnDrop is refused with hybrid routers, which store flits")
    {
    }

  private:
    void DoRun() override
    {
        const auto hybrid = CreateObject<WormholeNetwork>();
        hybrid->SetAttribute("Router", StringValue("hybrid"));
        hybrid->SetAttribute("FreeOnDrop", StringValue("true"));
        NS_TEST_EXPECT_MSG_EQ(hybrid->Check(),
                              "FreeOnDrop is allowed with Router lossy only; a hybrid router "
                              "stores flits of dropped packets.",
                              "the sentence names the router");
    }
};

/** The test suite of faults. */
class FaultTestSuite : public TestSuite
{
  public:
    FaultTestSuite()
        : TestSuite("wormhole-faults", Type::UNIT)
    {
        AddTestCase(new FreeOnDropTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FreeShortOnDropTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FreeOnDropCheckTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CutTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CutTwiceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RoutersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OwnPacketTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MisrouteTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BufferedReachTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RepairTimeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PlannedFailureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedFaultsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FrequentFailureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RareFailureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultScheduleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultCheckTestCase, TestCase::Duration::QUICK);
    }
};

static FaultTestSuite g_faultTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
