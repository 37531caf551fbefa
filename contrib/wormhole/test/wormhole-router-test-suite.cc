/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/messaging-tick-clock.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace ns3
{
namespace wormhole
{
namespace tests
{

/** The closed form of latency. */
class IdleLatencyTestCase : public TestCase
{
  public:
    IdleLatencyTestCase()
        : TestCase("idle network: a frame takes distance + flits cycles")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string topology : {"grid2d", "grid3d", "fattree"})
        {
            for (const std::string router : {"lossy", "buffered", "hybrid"})
            {
                for (const std::string observe : {"false", "true"})
                {
                    const auto network = MakeNetwork({{"Topology", topology},
                                                      {"Router", router},
                                                      {"Observe", observe},
                                                      {"Nodes", "64"}});
                    const auto port = network->GetNativePort();
                    Traffic traffic(network);
                    for (Peer from = 0; from < 64; from += 3)
                    {
                        for (Peer to = 0; to < 64; ++to)
                        {
                            const uint32_t bytes = 1 + 7 * to;
                            Frame frame;
                            frame.payload = bytes;
                            const Ticks expected =
                                traffic.now + port->Distance(from, to) + port->WireTicks(frame);
                            traffic.Send(from, to, bytes);
                            traffic.Drain();
                            NS_TEST_ASSERT_MSG_EQ(traffic.arrivals.back().when,
                                                  expected,
                                                  topology << " " << router << " " << from << " to "
                                                           << to);
                        }
                    }
                }
            }
        }
    }
};

/** A stream of packets. */
class StreamTestCase : public TestCase
{
  public:
    StreamTestCase()
        : TestCase("packets of one node follow each other without a gap: a flit a cycle")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PACKETS = 30;
        for (const std::string topology : {"grid2d", "fattree"})
        {
            for (const std::string router : {"lossy", "buffered", "hybrid"})
            {
                for (const std::string observe : {"false", "true"})
                {
                    const auto network = MakeNetwork({{"Topology", topology},
                                                      {"Router", router},
                                                      {"Observe", observe},
                                                      {"ChannelsPerLeaf", "1"},
                                                      {"Nodes", "64"}});
                    const auto port = network->GetNativePort();
                    Traffic traffic(network);
                    Frame frame;
                    frame.payload = 16;
                    const Ticks flits = port->WireTicks(frame);
                    for (uint32_t n = 0; n < PACKETS; ++n)
                    {
                        traffic.Send(0, 63, frame.payload);
                        traffic.Pass(flits);
                    }
                    traffic.Drain();
                    NS_TEST_ASSERT_MSG_EQ(traffic.arrivals.size(),
                                          PACKETS,
                                          topology << " " << router);
                    NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.back().when,
                                          port->Distance(0, 63) + PACKETS * flits,
                                          topology << " " << router);
                }
            }
        }
    }
};

/** Flits of a packet. */
class FlitTestCase : public TestCase
{
  public:
    FlitTestCase()
        : TestCase("E-22: flits of 32 bits, a checksum flit if packets can be dropped")
    {
    }

  private:
    void DoRun() override
    {
        Frame ack;
        ack.header = 12;
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({})->GetNativePort()->WireTicks(ack),
                              4,
                              "ACK and CONF of 96 bits");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"Router", "hybrid"}})->GetNativePort()->WireTicks(ack),
                              4,
                              "hybrid");
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Router", "buffered"}})->GetNativePort()->WireTicks(ack),
            3,
            "E-35: no checksum");
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork({{"FlitBits", "40"}})->GetNativePort()->WireTicks(ack),
                              4,
                              "40 bits: 3 + 1");
        ack.header = 0;
        NS_TEST_EXPECT_MSG_EQ(
            MakeNetwork({{"Router", "buffered"}})->GetNativePort()->WireTicks(ack),
            1,
            "never empty");
    }
};

/** Invariants under any traffic. */
class RandomTrafficTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param settings attributes of the network
     * @param name name of the case
     */
    RandomTrafficTestCase(Settings settings, const std::string& name)
        : TestCase(
              "random traffic: flits are conserved, channels carry one packet, order is kept: " +
              name),
          m_settings(std::move(settings))
    {
    }

  private:
    void DoRun() override
    {
        for (const double rate : {0.002, 0.01, 0.05})
        {
            const auto network = MakeNetwork(m_settings);
            const auto port = network->GetNativePort();
            ChannelWatch watch(network);
            Traffic traffic(network);
            traffic.SendUniform(1500, rate, 8, 64);
            const Counters& counters = port->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "everything has ended");
            NS_TEST_EXPECT_MSG_EQ(counters.flitsInjected,
                                  counters.flitsDelivered + counters.flitsDrained,
                                  "every flit is accounted for");
            NS_TEST_EXPECT_MSG_EQ(counters.offered,
                                  counters.delivered + counters.GetAllDrops(),
                                  "every packet is accounted for");
            NS_TEST_EXPECT_MSG_EQ(counters.delivered,
                                  traffic.arrivals.size(),
                                  "arrivals are counted");
            NS_TEST_EXPECT_MSG_EQ(counters.hops, watch.hops, "every hop is traced");
            // The watch cannot determine when a dropped packet frees a channel.
            if (!m_settings.contains("FreeOnDrop"))
            {
                NS_TEST_EXPECT_MSG_EQ(watch.collisions, 0, "no two packets on a channel at once");
            }

            const messaging::PortInfo info = network->GetInfo();
            std::map<std::pair<Peer, Peer>, uint64_t> last;
            uint64_t overtaken = 0;
            Ticks slip = 0;
            std::map<std::pair<Peer, Peer>, std::vector<Traffic::Arrival>> pairs;
            for (const auto& arrival : traffic.arrivals)
            {
                auto& earlier = pairs[{arrival.from, arrival.to}];
                for (const auto& other : earlier)
                {
                    if (other.id > arrival.id)
                    {
                        ++overtaken;
                        slip = std::max(slip, arrival.when - other.when);
                    }
                }
                earlier.push_back(arrival);
            }
            if (info.ordered)
            {
                NS_TEST_EXPECT_MSG_EQ(overtaken, 0, "an ordered network keeps the order");
            }
            NS_TEST_EXPECT_MSG_EQ((slip <= info.maxSlip),
                                  true,
                                  "T is " << info.maxSlip << ", the slip was " << slip);
            if (info.lossless)
            {
                NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(),
                                      0,
                                      "E-35: a buffered network never drops");
            }
            StringValue router;
            network->GetAttribute("Router", router);
            const auto routing = m_settings.find("Routing");
            if (router.Get() == "buffered" ||
                (routing != m_settings.end() && routing->second == "strict"))
            {
                NS_TEST_EXPECT_MSG_EQ(watch.backwards, 0, "E-35: strict dimension order");
            }
        }
    }

    Settings m_settings; ///< Attributes.
};

/** The fast kernel and the complete one behave alike. */
class DifferentialTestCase : public TestCase
{
  public:
    DifferentialTestCase()
        : TestCase("observing a network changes nothing; the same seed gives the same run")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string topology : {"grid2d", "grid3d", "fattree"})
        {
            for (const std::string router : {"lossy", "buffered"})
            {
                for (const std::string order : {"rotating", "random", "oldest", "youngest"})
                {
                    std::vector<Traffic::Arrival> arrivals;
                    Counters counters;
                    for (const std::string observe : {"false", "false", "true"})
                    {
                        const auto network = MakeNetwork({{"Topology", topology},
                                                          {"Router", router},
                                                          {"ServiceOrder", order},
                                                          {"Nodes", "64"},
                                                          {"Observe", observe}});
                        const auto port = network->GetNativePort();
                        Traffic traffic(network);
                        traffic.SendUniform(1000, 0.02, 8, 64);
                        if (!arrivals.empty())
                        {
                            NS_TEST_EXPECT_MSG_EQ((traffic.arrivals == arrivals),
                                                  true,
                                                  topology << " " << router << " " << order << " "
                                                           << observe);
                            NS_TEST_EXPECT_MSG_EQ((port->GetCounters() == counters),
                                                  true,
                                                  "counters");
                        }
                        arrivals = traffic.arrivals;
                        counters = port->GetCounters();
                    }
                }
            }
        }
    }
};

/**
 * Cycles have 32 bits within a window, which moves with time. A rotating order depends on the cycle
 * by definition, and is excluded.
 */
class WindowTestCase : public TestCase
{
  public:
    WindowTestCase()
        : TestCase("a run is the same whenever it begins, and while the window of time is moved")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string topology : {"grid2d", "fattree"})
        {
            for (const std::string router : {"lossy", "buffered"})
            {
                std::vector<Traffic::Arrival> first;
                // The window has 0xc0000000 cycles, and is moved by 0x80000000.
                for (const Ticks start : {Ticks{0}, Ticks{0xc0000000U - 200}, Ticks{0x200000000U}})
                {
                    Traffic traffic(MakeNetwork({{"Topology", topology},
                                                 {"Router", router},
                                                 {"ServiceOrder", "oldest"},
                                                 {"Nodes", "64"}}));
                    traffic.now = start;
                    traffic.SendUniform(400, 0.02, 8, 64);
                    for (auto& arrival : traffic.arrivals)
                    {
                        arrival.when -= start;
                    }
                    first = start == 0 ? traffic.arrivals : first;
                    NS_TEST_EXPECT_MSG_EQ((traffic.arrivals == first),
                                          true,
                                          topology << " " << router << " at " << start);
                }
                NS_TEST_EXPECT_MSG_GT(first.size(), 100, "something arrives");
            }
        }
    }
};

/** A connection to any single trace source makes the network collect its data. */
class TracesTestCase : public TestCase
{
  public:
    TracesTestCase()
        : TestCase("hops, drops and deliveries are traced, whoever else listens; drops and "
                   "deliveries also from the middle of a run")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string source : {"Hop", "Drop", "Delivery"})
        {
            Check(source, false);
        }
        Check("Drop", true);
        Check("Delivery", true);
    }

    /**
     * Trace one source.
     * @param source name of the trace source
     * @param late whether to connect it after the first use of the network
     */
    void Check(const std::string& source, bool late)
    {
        const auto network = MakeNetwork({{"Topology", "grid2d"}, {"Nodes", "16"}});
        const auto port = network->GetNativePort();
        Traffic traffic(network);
        NS_TEST_EXPECT_MSG_EQ((late ? port->GetNInFlight() : 0), 0, "The first use");
        uint64_t traced = 0;
        if (source == "Hop")
        {
            network->TraceConnectWithoutContext(
                source,
                Callback<void, const Packet&, Link, Ticks>(
                    [&traced](const Packet&, Link, Ticks) { ++traced; }));
        }
        else if (source == "Drop")
        {
            network->TraceConnectWithoutContext(
                source,
                Callback<void, const Packet&, DropReason, uint32_t, Ticks>(
                    [&traced](const Packet&, DropReason, uint32_t, Ticks) { ++traced; }));
        }
        else
        {
            network->TraceConnectWithoutContext(source,
                                                Callback<void, const Packet&, Ticks>(
                                                    [&traced](const Packet&, Ticks) { ++traced; }));
        }
        traffic.SendUniform(200, 0.05, 8, 64);
        const auto& counters = port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(traced,
                              (source == "Hop"    ? counters.hops
                               : source == "Drop" ? counters.GetAllDrops()
                                                  : counters.delivered),
                              source);
        NS_TEST_EXPECT_MSG_GT(traced, 0, source);
    }
};

/** Contention at a lossy router. */
class LossyRouterTestCase : public TestCase
{
  public:
    LossyRouterTestCase()
        : TestCase("E-21: dimension order is preferred, any productive channel is allowed, a "
                   "blocked packet "
                   "is dropped")
    {
    }

  private:
    void DoRun() override
    {
        // 0 1 2     0 sends to 2, and two cycles later 1 to 5: its preferred channel is busy, the
        // other is free. 3 4 5
        for (const std::string routing : {"productive", "strict"})
        {
            const auto network = MakeNetwork({{"Shape", "3x2"}, {"Routing", routing}});
            ChannelWatch watch(network);
            Traffic traffic(network);
            traffic.Send(0, 2, 40);
            traffic.Step();
            traffic.Step();
            traffic.Send(1, 5, 8);
            traffic.Drain();
            const Counters& counters = network->GetNativePort()->GetCounters();
            const bool strict = routing == "strict";
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, (strict ? 1 : 2), routing);
            NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::SOURCE_CHANNEL),
                                  (strict ? 1 : 0),
                                  routing);
            if (!strict)
            {
                const std::vector<std::pair<Ticks, Link>> path{{0, 0}, {1, 4}, {2, 6}, {3, 16}};
                NS_TEST_EXPECT_MSG_EQ((watch.path == path),
                                      true,
                                      "one hop a cycle, the second dimension first");
            }
        }
        // A line has no alternative: the second packet is dropped where it meets the first, and the
        // previous channel stays busy until its tail has passed.
        const auto network = MakeNetwork({{"Shape", "4x1"}});
        const auto port = network->GetNativePort();
        Traffic traffic(network);
        traffic.Send(1, 3, 40);
        traffic.Step();
        traffic.Send(0, 3, 16);
        traffic.Step();
        traffic.Step();
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::BLOCKED),
                              1,
                              "blocked at node 1");
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().flitsDrained, 5, "it drains");
        NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 1, 4), true, "an attempt");
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::SOURCE_PORT),
                              1,
                              "it still leaves");
        while (traffic.now < 6)
        {
            traffic.Step();
        }
        traffic.Send(0, 1, 4);
        traffic.Drain();
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered, 2, "sent in 1, 5 flits: free in 6");
        // The head of 0 reaches node 1 when that sends: the order of service decides.
        for (const std::string order : {"oldest", "youngest"})
        {
            Traffic meeting(MakeNetwork({{"Shape", "3x1"}, {"ServiceOrder", order}}));
            meeting.Send(0, 2, 8);
            meeting.Step();
            meeting.Send(1, 2, 8);
            meeting.Drain();
            NS_TEST_ASSERT_MSG_EQ(meeting.arrivals.size(), 1, "one of them is dropped");
            NS_TEST_EXPECT_MSG_EQ(meeting.arrivals[0].from, (order == "oldest" ? 0 : 1), order);
        }
        // Two packets reach a node together: its single ejection port accepts one of them.
        const auto busy = MakeNetwork({{"Shape", "3x1"}});
        Traffic both(busy);
        both.Send(0, 1, 8);
        both.Send(2, 1, 8);
        both.Drain();
        NS_TEST_EXPECT_MSG_EQ(busy->GetNativePort()->GetCounters().GetDrops(DropReason::EJECTION),
                              1,
                              "port busy");
        const auto two = MakeNetwork({{"Shape", "3x1"}, {"EjectionPorts", "2"}});
        Traffic parallel(two);
        parallel.Send(0, 1, 8);
        parallel.Send(2, 1, 8);
        parallel.Drain();
        NS_TEST_EXPECT_MSG_EQ(two->GetNativePort()->GetCounters().delivered, 2, "two ports");
    }
};

/** A busy source. */
class SourceBusyTestCase : public TestCase
{
  public:
    SourceBusyTestCase()
        : TestCase("a busy source drops a frame or has it wait for OnReady")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string observe : {"false", "true"})
        {
            const auto network =
                MakeNetwork({{"Shape", "4x1"}, {"SourceBusy", "wait"}, {"Observe", observe}});
            Traffic traffic(network);
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), true, "the port is free");
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), false, "the port is busy");
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), false, "and still");
            traffic.Step();
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(1, 3, 16), true, "the head has not come so far");
            traffic.Drain();
            NS_TEST_ASSERT_MSG_EQ(traffic.ready.size(),
                                  1,
                                  "one OnReady, however often it was refused");
            NS_TEST_EXPECT_MSG_EQ(traffic.ready[0].first, 5, "when the port is free");
            NS_TEST_EXPECT_MSG_EQ(traffic.ready[0].second, 0, "at the node that waits");
            NS_TEST_EXPECT_MSG_EQ(network->GetNativePort()->GetCounters().refused,
                                  2,
                                  "refused frames are counted");
        }
        // The packet of 0 is dropped at 1, and leaves its port when the network is idle: a node
        // that asks then is notified all the same.
        {
            const auto network = MakeNetwork({{"Shape", "3x1"}, {"SourceBusy", "wait"}});
            const auto port = network->GetNativePort();
            const auto clock = CreateObject<messaging::TickClock>();
            network->SetClock(clock);
            Traffic traffic(network);
            traffic.Send(1, 2, 40);
            traffic.Send(0, 2, 400);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "idle");
            NS_TEST_EXPECT_MSG_EQ(port->IsBusy(0), true, "101 flits leave the port");
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(traffic.ready.size(), 1, "it is free");
            network->Dispose();
            clock->Dispose();
            Simulator::Destroy();
        }
        const auto buffered =
            MakeNetwork({{"Shape", "4x1"}, {"Router", "buffered"}, {"QueueLimit", "1"}});
        Traffic traffic(buffered);
        NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), true, "to the port");
        NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), true, "into the queue");
        NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), false, "the queue is full");
        traffic.Drain();
        NS_TEST_ASSERT_MSG_EQ(traffic.ready.size(), 1, "notified once");
        NS_TEST_EXPECT_MSG_EQ(traffic.ready[0].first, 5, "after the first has left, in cycle 4");
        NS_TEST_EXPECT_MSG_EQ(traffic.arrivals.size(), 2, "both arrive");
    }
};

/** Arbitration. */
class ArbitrationTestCase : public TestCase
{
  public:
    ArbitrationTestCase()
        : TestCase("arbitration: through traffic before injection, oldest first, and fairness")
    {
    }

  private:
    /**
     * Let two nodes of a line send to a third as fast as possible.
     * @param settings attributes
     * @return number of packets that have arrived from the far and the near one
     */
    static std::pair<uint32_t, uint32_t> Contend(Settings settings)
    {
        settings["Shape"] = "3x1";
        settings["Router"] = "buffered";
        settings["CreditDelay"] = "0";
        const auto network = MakeNetwork(settings);
        Traffic traffic(network);
        for (unsigned n = 0; n < 100; ++n)
        {
            traffic.Send(0, 2, 32);
            traffic.Send(1, 2, 32);
        }
        for (unsigned n = 0; n < 900; ++n)
        {
            traffic.Step();
        }
        std::pair<uint32_t, uint32_t> count{0, 0};
        for (const auto& arrival : traffic.arrivals)
        {
            ++(arrival.from == 0 ? count.first : count.second);
        }
        return count;
    }

    void DoRun() override
    {
        const auto through = Contend({{"ThroughFirst", "true"}});
        NS_TEST_EXPECT_MSG_GT(through.first, 90, "through traffic goes first");
        for (const std::string arbitration : {"first-come", "round-robin", "oldest", "random"})
        {
            const auto fair = Contend({{"ThroughFirst", "false"}, {"Arbitration", arbitration}});
            NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * fair.first, fair.second, 12, arbitration << " is fair");
        }
    }
};

/** Loss and corruption. */
class LossTestCase : public TestCase
{
  public:
    LossTestCase()
        : TestCase("loss and corruption come at the given rates and have their reasons")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PACKETS = 20000;
        for (const std::string name : {"Loss", "Corruption"})
        {
            const auto network = MakeNetwork({{"Shape", "5x1"}, {name, "0.05"}});
            const auto port = network->GetNativePort();
            Traffic traffic(network);
            for (uint32_t n = 0; n < PACKETS; ++n)
            {
                traffic.Send(0, 4, 8);
                traffic.Drain();
            }
            const bool loss = name == "Loss";
            const double p = loss ? 0.05 : 1 - std::pow(0.95, 4);
            const double drops =
                port->GetCounters().GetDrops(loss ? DropReason::LOST : DropReason::CORRUPTED);
            NS_TEST_EXPECT_MSG_EQ_TOL(drops,
                                      PACKETS * p,
                                      5 * std::sqrt(PACKETS * p * (1 - p)),
                                      name << " within five standard deviations");
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered + drops,
                                  PACKETS,
                                  "all others arrive");
        }
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            for (const std::string loss : {"0", "0.1"})
            {
                NS_TEST_EXPECT_MSG_EQ(
                    MakeNetwork({{"Router", router}, {"Loss", loss}})->GetInfo().lossless,
                    (router == "buffered" && loss == "0"),
                    "E-35: what stores blocked packets, and whose links do not lose any");
            }
        }
        // Random streams, including the first one, determine a run.
        const auto lose = [](int64_t stream) {
            const auto network = MakeNetwork({{"Shape", "2x1"}, {"Loss", "0.5"}});
            network->AssignStreams(stream);
            Traffic traffic(network);
            for (uint32_t n = 0; n < 100; ++n)
            {
                traffic.Send(0, 1, 8);
                traffic.Drain();
            }
            return traffic.arrivals;
        };
        const auto first = lose(0);
        NS_TEST_EXPECT_MSG_EQ((lose(0) == first), true, "the same stream, the same losses");
        NS_TEST_EXPECT_MSG_EQ((lose(50) == first), false, "another stream, others");
    }
};

/** A hybrid router stores a packet, then drops it. */
class HybridRouterTestCase : public TestCase
{
  public:
    HybridRouterTestCase()
        : TestCase("E-11: a hybrid router stores a packet for HoldLimit cycles, then drops it; T "
                   "follows")
    {
    }

  private:
    void DoRun() override
    {
        // The first packet occupies the last channel for 11 cycles, from cycle 0 on.
        for (const uint32_t hold : {8U, 9U})
        {
            const auto network = MakeNetwork(
                {{"Shape", "3x1"}, {"Router", "hybrid"}, {"HoldLimit", std::to_string(hold)}});
            const auto port = network->GetNativePort();
            Traffic traffic(network);
            traffic.Send(1, 2, 40);
            traffic.Step();
            traffic.Send(0, 2, 8);
            traffic.Drain();
            const bool arrives = hold == 9;
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered,
                                  (arrives ? 2 : 1),
                                  "hold " << hold);
            NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::HELD_TOO_LONG),
                                  (arrives ? 0 : 1),
                                  "hold " << hold);
            NS_TEST_EXPECT_MSG_EQ(network->GetInfo().ordered, false, "it reorders");
            NS_TEST_EXPECT_MSG_EQ(network->GetInfo().maxSlip,
                                  3 * hold,
                                  "T: two hops and the ejection");
        }
        const auto expiring = MakeNetwork(
            {{"Shape", "3x1"}, {"Router", "hybrid"}, {"HoldLimit", "1000"}, {"TimeToLive", "6"}});
        Traffic traffic(expiring);
        traffic.Send(1, 2, 40);
        traffic.Step();
        traffic.Send(0, 2, 8);
        traffic.Drain();
        NS_TEST_EXPECT_MSG_EQ(
            expiring->GetNativePort()->GetCounters().GetDrops(DropReason::EXPIRED),
            1,
            "time to live");
        NS_TEST_EXPECT_MSG_EQ(expiring->GetInfo().maxSlip, 6, "T from the time to live");
        expiring->SetAttribute("InjectionPorts", UintegerValue(2));
        NS_TEST_EXPECT_MSG_EQ(expiring->GetInfo().maxSlip,
                              6 + 1025,
                              "and the longest packet, which another port may overtake");
        const Settings ports{{"Shape", "3x1"}, {"InjectionPorts", "2"}, {"MisrouteLimit", "2"}};
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork(ports)->GetInfo().maxSlip,
                              1025 + 4,
                              "two hops per misroute");
        Settings held = ports;
        held["Router"] = "hybrid";
        held["HoldLimit"] = "10";
        NS_TEST_EXPECT_MSG_EQ(MakeNetwork(held)->GetInfo().maxSlip,
                              1025 + 4 + (2 + 4 + 1) * 10,
                              "and a wait at each hop");
        const auto buffered =
            MakeNetwork({{"Router", "buffered"}, {"EjectionPorts", "2"}, {"TimeToLive", "6"}});
        NS_TEST_EXPECT_MSG_EQ(buffered->GetInfo().maxSlip,
                              messaging::NEVER,
                              "routers that drop nothing know no time to live");
    }
};

/** The test suite of routers. */
class RouterTestSuite : public TestSuite
{
  public:
    RouterTestSuite()
        : TestSuite("wormhole-router", Type::UNIT)
    {
        AddTestCase(new IdleLatencyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new StreamTestCase, TestCase::Duration::QUICK);
        AddTestCase(new FlitTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DifferentialTestCase, TestCase::Duration::QUICK);
        AddTestCase(new WindowTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TracesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LossyRouterTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SourceBusyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ArbitrationTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LossTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HybridRouterTestCase, TestCase::Duration::QUICK);
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            const std::vector<Settings> shapes{
                {{"Shape", "8x8"}},
                {{"Shape", "8x6"}, {"Torus", "true"}},
                {{"Shape", "4x4x4"}, {"Topology", "grid3d"}},
                {{"Shape", "3x4x5"}, {"Topology", "grid3d"}, {"Torus", "true"}},
                {{"Nodes", "64"}, {"Topology", "fattree"}},
            };
            for (auto settings : shapes)
            {
                const auto& side =
                    settings.contains("Shape") ? settings["Shape"] : settings["Nodes"];
                const std::string name =
                    router + " " + side + (settings.contains("Torus") ? " torus" : "");
                settings["Router"] = router;
                AddTestCase(new RandomTrafficTestCase(settings, name), TestCase::Duration::QUICK);
                settings["InjectionPorts"] = "0";
                settings["EjectionPorts"] = "2";
                AddTestCase(new RandomTrafficTestCase(settings, name + ", more ports"),
                            TestCase::Duration::QUICK);
            }
        }
        AddTestCase(
            new RandomTrafficTestCase({{"Shape", "8x8"}, {"Routing", "random"}}, "random routing"),
            TestCase::Duration::QUICK);
        AddTestCase(
            new RandomTrafficTestCase({{"Shape", "8x8"}, {"FreeOnDrop", "true"}}, "free on drop"),
            TestCase::Duration::QUICK);
        AddTestCase(
            new RandomTrafficTestCase({{"Shape", "8x8"}, {"Routing", "strict"}}, "strict routing"),
            TestCase::Duration::QUICK);
        AddTestCase(
            new RandomTrafficTestCase({{"Shape", "8x8"}, {"MisrouteLimit", "4"}}, "misrouting"),
            TestCase::Duration::QUICK);
        AddTestCase(new RandomTrafficTestCase({{"Shape", "8x8"},
                                               {"Router", "hybrid"},
                                               {"HoldLimit", "300"},
                                               {"TimeToLive", "40"}},
                                              "hybrid with a time to live"),
                    TestCase::Duration::QUICK);
    }
};

static RouterTestSuite g_routerTestSuite; ///< The test suite.

} // namespace tests
} // namespace wormhole
} // namespace ns3
