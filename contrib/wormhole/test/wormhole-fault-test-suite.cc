/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-faults.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace ns3
{
namespace wormhole
{
namespace tests
{

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
                const bool survives = when > 20;
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.size(),
                                      (survives ? 1 : 0),
                                      router << " " << when);
                NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(),
                                      (survives ? 0 : 1),
                                      router << " " << when);
                const auto reason = when == 1 ? DropReason::NO_ROUTE : DropReason::CUT;
                NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(reason),
                                      (survives ? 0 : 1),
                                      router << " " << when);
                NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                                      counters.flitsDelivered + counters.flitsDrained,
                                      "flits are conserved");
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 3), false, "the only way is broken");
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(3, 0), true, "the other direction is not");

                traffic.Pass(50);
                traffic.Send(0, 3, bytes);
                traffic.Drain();
                NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::NO_ROUTE),
                                      (when == 1 ? 2 : 1),
                                      router << " no way on");
                port->SetLinkUp(link, true);
                NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 3), true, "repaired");
                traffic.Pass(50);
                traffic.Send(0, 3, bytes);
                traffic.Drain();
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.size(),
                                      (survives ? 2 : 1),
                                      router << " repaired");
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
                NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(), 2, router << " " << later);
                NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                                      counters.flitsDelivered + counters.flitsDrained,
                                      "flits are conserved");
                NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "nothing is left");
            }
        }
    }
};

/** Routers that fail, one after the other. */
class RoutersTestCase : public TestCase
{
  public:
    RoutersTestCase()
        : TestCase("a failing router, with a node or without, is passed by none, and loses what it "
                   "holds")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const auto tree =
                MakeNetwork({{"Nodes", "16"}, {"Topology", "fattree"}, {"Router", router}});
            tree->GetNativePort()->EnableFaults();
            for (uint32_t number = 0; number < tree->GetNativePort()->GetShape().GetNRouters();
                 ++number)
            {
                tree->GetNativePort()->SetRouterUp(number, false);
                // Up to the root and down again, via the routers of the first and the last four.
                const bool between = number == 16 || number == 19 || number == 20;
                NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->CanReach(0, 15),
                                      (number > 0 && number != 15 && !between),
                                      router << ": one way leads past " << number);
                tree->GetNativePort()->SetRouterUp(number, true);
                NS_TEST_EXPECT_MSG_EQ(tree->GetNativePort()->CanReach(0, 15),
                                      true,
                                      router << ": repaired");
            }
        }
        // The router of a node that sends to itself holds its packet, although it is on no link.
        const auto line = MakeNetwork({{"Shape", "4x1"}, {"Router", "buffered"}});
        line->GetNativePort()->EnableFaults();
        Traffic own(line);
        own.Pass(100);
        own.Send(2, 2, 40);
        own.Pass(2);
        line->GetNativePort()->SetRouterUp(2, false);
        own.Drain();
        NS_TEST_EXPECT_MSG_EQ(line->GetNativePort()->GetCounters().GetDrops(DropReason::CUT),
                              1,
                              "it is cut");
    }
};

/** Misroutes around a failure. */
class MisrouteTestCase : public TestCase
{
  public:
    MisrouteTestCase()
        : TestCase("productive routing cannot pass every fault, misrouting can, and where none "
                   "helps the verdict "
                   "is unreachable")
    {
    }

  private:
    void DoRun() override
    {
        // 0 1 2     Nodes of one row have no productive route around a failure in the row. 3 4 5
        for (const std::string limit : {"0", "1"})
        {
            const auto network = MakeNetwork({{"Shape", "3x2"}, {"MisrouteLimit", limit}});
            const auto port = network->GetNativePort();
            port->EnableFaults();
            Traffic traffic(network);
            port->SetLinkUp(FindLink(*port, 1, 2), false);
            const bool around = limit == "1";
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), around, "with limit " << limit);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 5), true, "through the other row");
            traffic.Send(0, 2, 8);
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered,
                                  (around ? 1 : 0),
                                  "with limit " << limit);
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().misroutes, (around ? 1 : 0), "counted");
            if (around)
            {
                NS_TEST_EXPECT_MSG_EQ(traffic.arrivals[0].when, 4 + 3, "two hops more");
            }
            traffic.Pass(10);
            traffic.Send(0, 5, 8);
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered, (around ? 2 : 1), "the other row");

            port->SetRouterUp(5, false);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), false, "cut off");
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 5), false, "a node that has failed");
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(3, 4), true, "the rest works");
            traffic.Pass(10);
            traffic.Send(0, 2, 8);
            traffic.Send(3, 4, 8);
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered,
                                  (around ? 3 : 2),
                                  "only one arrives");
            port->SetRouterUp(5, true);
            NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), around, "repaired");
        }
    }
};

/** Packets of a buffered network do not route around a failure. */
class BufferedReachTestCase : public TestCase
{
  public:
    BufferedReachTestCase()
        : TestCase("a buffered network does not misroute, and says so")
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
        NS_TEST_EXPECT_MSG_EQ(port->CanReach(0, 2), false, "the only way is broken");
        traffic.Send(0, 2, 8);
        traffic.Drain();
        const Counters& counters = port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counters.delivered, 0, "so it does not arrive");
        NS_TEST_EXPECT_MSG_EQ(counters.injected, 1, "it was on its way");
        NS_TEST_EXPECT_MSG_EQ(counters.flitsDrained, 2, "and has drained");
        traffic.Send(1, 2, 8);
        traffic.Drain();
        NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::NO_ROUTE), 2, "another, at its node");
        NS_TEST_EXPECT_MSG_EQ(counters.injected, 1, "has never left it");
        NS_TEST_EXPECT_MSG_EQ(counters.flitsDrained, 2, "so nothing has drained");
    }
};

/** Durations of random failures. */
class RepairTimeTestCase : public TestCase
{
  public:
    RepairTimeTestCase()
        : TestCase("random failures last as long as RepairTime says in the mean")
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
        double lasted = 0;
        faults->TraceConnectWithoutContext(
            "Change",
            Callback<void, bool, uint32_t, bool>([&](bool, uint32_t, bool up) {
                const auto now = static_cast<double>(clock->Now());
                lasted += up ? now : -now;
            }));
        faults->Start(network->GetNativePort(), clock);
        RunUntil(*clock, 19999);
        faults->EndRandomFailures();
        Simulator::Run();
        const auto failures = static_cast<double>(faults->GetNFailures());
        NS_TEST_EXPECT_MSG_GT(failures, 350, "of 224 links, twice each but for those down already");
        NS_TEST_EXPECT_MSG_EQ_TOL(lasted / failures, 500, 100, "four standard deviations");

        const auto planned = CreateObject<WormholeFaults>();
        planned->SetAttribute("Failures",
                              StringValue(std::to_string(clock->Now() + 10) + " down 9"));
        const auto whole = MakeNetwork({{"Nodes", "64"}});
        const Ticks begin = clock->Now();
        planned->Start(whole->GetNativePort(), clock);
        RunUntil(*clock, begin + 9);
        NS_TEST_EXPECT_MSG_EQ(planned->GetNFailures(), 0, "not before its time");
        RunUntil(*clock, begin + 10);
        NS_TEST_EXPECT_MSG_EQ(planned->GetNFailures(), 1, "at its time");

        // 224 links, each failing every cycle in the mean: the times are rounded to one cycle.
        const auto often = CreateObject<WormholeFaults>();
        often->SetAttribute("LinkFailureRate", DoubleValue(1));
        often->SetAttribute("RepairTime", DoubleValue(0));
        often->AssignStreams(1);
        const auto failing = MakeNetwork({{"Nodes", "64"}});
        const Ticks start = clock->Now();
        often->Start(failing->GetNativePort(), clock);
        RunUntil(*clock, start);
        NS_TEST_EXPECT_MSG_EQ(often->GetNFailures(), 0, "none in the cycle of the start");
        RunUntil(*clock, start + 1);
        NS_TEST_EXPECT_MSG_EQ(often->GetNFailures(), 1, "one in the first");
        Simulator::Destroy();
    }

    /** Run the simulator through a tick. @param clock a clock @param tick the tick */
    static void RunUntil(const messaging::TickClock& clock, Ticks tick)
    {
        Simulator::Stop(clock.GetTickLength() * static_cast<int64_t>(tick) - Simulator::Now());
        Simulator::Run();
    }
};

/** Faults at given times and at random. */
class FaultScheduleTestCase : public TestCase
{
  public:
    FaultScheduleTestCase()
        : TestCase("faults follow their schedule, random ones their rates; traffic goes on and is "
                   "accounted for")
    {
    }

  private:
    /**
     * Record a change of a link or router.
     * @param isRouter whether it is a router
     * @param number its number
     * @param up whether it is up now
     */
    void OnChange(bool isRouter, uint32_t number, bool up)
    {
        m_changes.emplace_back(m_clock->Now(), isRouter, number, up);
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
        NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "everything has ended");
        source->Dispose();
        network->Dispose();
        m_clock->Dispose();
        m_clock = nullptr;
        Simulator::Destroy();
        return counters;
    }

    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            for (const std::string topology : {"grid2d", "fattree"})
            {
                const Settings settings{{"Nodes", "64"},
                                        {"Topology", topology},
                                        {"Router", router}};
                const std::string link = topology == "grid2d" ? "10-11" : "0-64";
                const Counters counters = Run(
                    settings,
                    {{"Failures", "1000 down " + link + "; 5000 down 9; 9000 up " + link + ";"}});
                NS_TEST_ASSERT_MSG_EQ(m_changes.size(),
                                      5,
                                      "two directions fail and are repaired, a router fails");
                NS_TEST_EXPECT_MSG_EQ(std::get<0>(m_changes[0]), 1000, "when");
                NS_TEST_EXPECT_MSG_EQ(std::get<0>(m_changes[2]), 5000, "when");
                NS_TEST_EXPECT_MSG_EQ(std::get<1>(m_changes[2]), true, "a router");
                NS_TEST_EXPECT_MSG_EQ(std::get<2>(m_changes[2]), 9, "which");
                NS_TEST_EXPECT_MSG_EQ(std::get<3>(m_changes[4]), true, "repaired");
                NS_TEST_EXPECT_MSG_GT(counters.GetDrops(DropReason::NO_ROUTE),
                                      100,
                                      "no way to node 9");
                NS_TEST_EXPECT_MSG_GT(counters.delivered, 10000, "the rest of the traffic goes on");

                const Settings random{{"LinkFailureRate", "5e-6"},
                                      {"RouterFailureRate", "2.5e-6"},
                                      {"RepairTime", "500"}};
                const Counters once = Run(settings, random);
                const std::size_t links = topology == "grid2d" ? 224 : 168;
                std::size_t failures = 0;
                for (const auto& change : m_changes)
                {
                    failures += !std::get<1>(change) && !std::get<3>(change) ? 1 : 0;
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * failures, links * 0.1, 15, "failures of links");
                std::map<std::pair<bool, uint32_t>, int> down;
                std::array<int, 2> repairs{};
                for (const auto& [when, isRouter, number, up] : m_changes)
                {
                    down[{isRouter, number}] += up ? -1 : 1;
                    repairs[isRouter] += up ? 1 : 0;
                }
                for (const auto& [part, times] : down)
                {
                    NS_TEST_EXPECT_MSG_EQ(times,
                                          0,
                                          "what has failed was repaired: " << part.second);
                }
                NS_TEST_EXPECT_MSG_GT(repairs[0], 0, "links");
                NS_TEST_EXPECT_MSG_GT(repairs[1], 0, "and routers");
                NS_TEST_EXPECT_MSG_GT(once.GetDrops(DropReason::CUT), 0, "some packets are cut");
                NS_TEST_EXPECT_MSG_EQ(once.flitsInjected,
                                      once.flitsDelivered + once.flitsDrained,
                                      "conserved");
                NS_TEST_EXPECT_MSG_EQ((Run(settings, random) == once),
                                      true,
                                      "the same seed, the same run");
            }
        }
    }

    std::vector<std::tuple<Ticks, bool, uint32_t, bool>> m_changes; ///< Changes: time, whether it
                                                                    ///< is a router, number,
                                                                    ///< whether it is up.
    Ptr<messaging::TickClock> m_clock;                              ///< The clock.
};

/** Invalid attributes. */
class FaultCheckTestCase : public TestCase
{
  public:
    FaultCheckTestCase()
        : TestCase("a plan that cannot be read, names what does not exist, or changes nothing")
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
        : TestCase("FreeOnDrop: what a dropped packet occupies is free in the next cycle")
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
            const auto first = std::pair<Ticks, Peer>(frees ? 4 : 22, 1);
            const auto second = std::pair<Ticks, Peer>(frees ? 4 : 21, 0);
            const auto notified = [&traffic](const std::pair<Ticks, Peer>& call) {
                return std::find(traffic.ready.begin(), traffic.ready.end(), call) !=
                       traffic.ready.end();
            };
            NS_TEST_EXPECT_MSG_EQ(notified(first), true, "node 1, when the link is free");
            NS_TEST_EXPECT_MSG_EQ(notified(second), true, "node 0, when its port is free");
            NS_TEST_EXPECT_MSG_EQ(traffic.ready.size(), 2, "each is notified once");
            const auto busy = port->GetLinkBusy();
            uint64_t all = 0;
            for (const uint64_t cycles : busy)
            {
                all += cycles;
            }
            NS_TEST_EXPECT_MSG_EQ(all,
                                  2 * 30 + (frees ? 3 + 2 : 2 * 20),
                                  "cycles for which links have been in use");
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 2, 4), true, "nothing stays taken");
            traffic.Drain();
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered, 2, "the first and the last");
        }
        // Short packets, whose tail would leave their port in the next cycle or later.
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
                const uint64_t way =
                    frees ? std::min<Ticks>(flits, 3) + std::min<Ticks>(flits, 2) : 2 * flits;
                NS_TEST_EXPECT_MSG_EQ(std::accumulate(busy.begin(), busy.end(), uint64_t{0}),
                                      2 * 30 + way + (taken ? 0 : 2),
                                      flits << " flits, free on drop: " << frees);
            }
        }
        const auto hybrid = CreateObject<WormholeNetwork>();
        hybrid->SetAttribute("Router", StringValue("hybrid"));
        hybrid->SetAttribute("FreeOnDrop", StringValue("true"));
        NS_TEST_EXPECT_MSG_EQ(hybrid->Check().empty(), false, "a hybrid router stores flits");
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
        AddTestCase(new CutTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CutTwiceTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RoutersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new MisrouteTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BufferedReachTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RepairTimeTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultScheduleTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultCheckTestCase, TestCase::Duration::QUICK);
    }
};

static FaultTestSuite g_faultTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
