/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-test-traffic.h"

#include "ns3/messaging-list-text.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <tuple>

namespace ns3
{
namespace wormhole
{
namespace tests
{

using messaging::tests::FirstDifference;
using messaging::tests::ListText;

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
            NS_TEST_EXPECT_MSG_LT_OR_EQ(slip, info.maxSlip, "no frame slips by more than T");
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
                            NS_TEST_EXPECT_MSG_EQ(FirstDifference(traffic.arrivals, arrivals),
                                                  "",
                                                  topology << " " << router << " " << order
                                                           << ", Observe " << observe);
                            NS_TEST_EXPECT_MSG_EQ(CountersText(port->GetCounters()),
                                                  CountersText(counters),
                                                  "the counters are equal");
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
                // LossyKernel moves its window before the cycle 0xc0000000 of the window.
                constexpr Ticks MOVE{0xc0000000U};
                for (const Ticks start : {Ticks{0}, MOVE - 200, Ticks{0x200000000U}})
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
                    if (start == 0)
                    {
                        first = traffic.arrivals;
                    }
                    NS_TEST_EXPECT_MSG_EQ(FirstDifference(traffic.arrivals, first),
                                          "",
                                          topology << " " << router << ", begun in cycle "
                                                   << start);
                }
                NS_TEST_EXPECT_MSG_GT(first.size(), 100, "frames arrive");
            }
        }
    }
};

/** A single connected trace source is enough for its events to be traced. */
class TracesTestCase : public TestCase
{
  public:
    TracesTestCase()
        : TestCase("each trace source fires whether or not others are connected; drops and "
                   "deliveries also if connected after the first use")
    {
    }

  private:
    void DoRun() override
    {
        CheckHops();
        for (const bool used : {false, true})
        {
            CheckDrops(used);
            CheckDeliveries(used);
        }
    }

    /** @return a network of 16 nodes. @param used whether it has been used */
    static Ptr<WormholeNetwork> MakeGrid(bool used)
    {
        const auto network = MakeNetwork({{"Topology", "grid2d"}, {"Nodes", "16"}});
        if (used)
        {
            network->GetNativePort()->GetNInFlight(); // The first use creates the routers.
        }
        return network;
    }

    /** Run random traffic. @param network the network @return its counters */
    static Counters Run(Ptr<WormholeNetwork> network)
    {
        Traffic traffic(network);
        traffic.SendUniform(200, 0.05, 8, 64);
        return network->GetNativePort()->GetCounters();
    }

    /** Trace only hops. */
    void CheckHops()
    {
        const auto network = MakeGrid(false);
        uint64_t traced = 0;
        network->TraceConnectWithoutContext(
            "Hop",
            Callback<void, const Packet&, Link, Ticks>(
                [&traced](const Packet&, Link, Ticks) { ++traced; }));
        const Counters counters = Run(network);
        NS_TEST_EXPECT_MSG_EQ(traced, counters.hops, "every hop is traced");
        NS_TEST_EXPECT_MSG_GT(traced, 0, "heads move");
    }

    /** Trace only drops. @param used whether the network has been used before */
    void CheckDrops(bool used)
    {
        const auto network = MakeGrid(used);
        uint64_t traced = 0;
        network->TraceConnectWithoutContext(
            "Drop",
            Callback<void, const Packet&, DropReason, uint32_t, Ticks>(
                [&traced](const Packet&, DropReason, uint32_t, Ticks) { ++traced; }));
        const Counters counters = Run(network);
        NS_TEST_EXPECT_MSG_EQ(traced, counters.GetAllDrops(), "every drop is traced");
        NS_TEST_EXPECT_MSG_GT(traced, 0, "packets are dropped");
    }

    /** Trace only deliveries. @param used whether the network has been used before */
    void CheckDeliveries(bool used)
    {
        const auto network = MakeGrid(used);
        uint64_t traced = 0;
        network->TraceConnectWithoutContext(
            "Delivery",
            Callback<void, const Packet&, Ticks>([&traced](const Packet&, Ticks) { ++traced; }));
        const Counters counters = Run(network);
        NS_TEST_EXPECT_MSG_EQ(traced, counters.delivered, "every delivery is traced");
        NS_TEST_EXPECT_MSG_GT(traced, 0, "packets are delivered");
    }
};

/** Routing at a lossy router whose preferred channel is busy. */
class ProductiveRoutingTestCase : public TestCase
{
  public:
    ProductiveRoutingTestCase()
        : TestCase("E-21: dimension order is preferred, any productive channel is allowed")
    {
    }

  private:
    void DoRun() override
    {
        // 0 1 2
        // 3 4 5
        // Node 0 sends to 2, and two cycles later 1 to 5: its preferred channel is busy, the other
        // one is free.
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
            if (routing == "strict")
            {
                NS_TEST_EXPECT_MSG_EQ(counters.delivered, 1, "the packet to 2");
                NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::SOURCE_CHANNEL),
                                      1,
                                      "the packet to 5, whose only channel is busy");
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, 2, "both packets");
            NS_TEST_EXPECT_MSG_EQ(counters.GetAllDrops(), 0, "no drop");
            NS_TEST_EXPECT_MSG_EQ(
                ListText(watch.path),
                "0:0, 1:4, 2:6, 3:16",
                "cycle and link of each hop: the packet to 5 begins in the second "
                "dimension");
        }
    }
};

/** A packet that is blocked after its source. */
class BlockedPacketTestCase : public TestCase
{
  public:
    BlockedPacketTestCase()
        : TestCase("E-21: a blocked packet is dropped; what it has taken stays busy until its tail "
                   "has passed")
    {
    }

  private:
    void DoRun() override
    {
        // A line has no alternative: the second packet is dropped where the first one blocks it.
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
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().flitsDrained, 5, "its 5 flits drain");
        traffic.Send(0, 1, 4);
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().GetDrops(DropReason::SOURCE_PORT),
                              1,
                              "its flits still occupy the port of node 0");
        while (traffic.now < 6)
        {
            traffic.Step();
        }
        traffic.SendAndDrain(0, 1, 4);
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered,
                              2,
                              "5 flits from cycle 1 on: the port is free in cycle 6");
    }
};

/** Two heads that request the same channel. */
class ServiceOrderTestCase : public TestCase
{
  public:
    ServiceOrderTestCase()
        : TestCase("ServiceOrder decides between a head that passes and one that begins")
    {
    }

  private:
    void DoRun() override
    {
        // The head of 0 reaches node 1 in the cycle in which node 1 sends.
        const std::vector<std::pair<std::string, Peer>> winners{{"oldest", 0}, {"youngest", 1}};
        for (const auto& [order, winner] : winners)
        {
            Traffic traffic(MakeNetwork({{"Shape", "3x1"}, {"ServiceOrder", order}}));
            traffic.Send(0, 2, 8);
            traffic.Step();
            traffic.Send(1, 2, 8);
            traffic.Drain();
            NS_TEST_ASSERT_MSG_EQ(traffic.arrivals.size(), 1, "the other packet is dropped");
            NS_TEST_EXPECT_MSG_EQ(traffic.arrivals[0].from, winner, "sender, served " << order);
        }
    }
};

/** Two packets that reach a node in the same cycle. */
class EjectionPortsTestCase : public TestCase
{
  public:
    EjectionPortsTestCase()
        : TestCase("a node receives as many packets at a time as it has ejection ports")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t ports : {1, 2})
        {
            const auto network =
                MakeNetwork({{"Shape", "3x1"}, {"EjectionPorts", std::to_string(ports)}});
            Traffic traffic(network);
            traffic.Send(0, 1, 8);
            traffic.Send(2, 1, 8);
            traffic.Drain();
            const Counters& counters = network->GetNativePort()->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(counters.delivered, ports, "one packet for each port");
            NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::EJECTION),
                                  2 - ports,
                                  "the other ones are dropped");
        }
    }
};

/** A busy source of a lossy network. */
class SourceBusyTestCase : public TestCase
{
  public:
    SourceBusyTestCase()
        : TestCase("SourceBusy wait: a busy source refuses frames, and calls OnReady once")
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
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(0, 3, 16), false, "the port is still busy");
            traffic.Step();
            NS_TEST_EXPECT_MSG_EQ(traffic.Send(1, 3, 16), true, "the head has not reached node 1");
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
    }
};

/** A source that is busy although the network is idle. */
class IdleNetworkTestCase : public TestCase
{
  public:
    IdleNetworkTestCase()
        : TestCase("IsBusy of a node in an idle network wakes the clock, so that OnReady follows")
    {
    }

  private:
    void DoRun() override
    {
        // The long packet of 0 is dropped at 1 while most of its flits are still at its port.
        const auto network = MakeNetwork({{"Shape", "3x1"}, {"SourceBusy", "wait"}});
        const auto port = network->GetNativePort();
        const auto clock = CreateObject<messaging::TickClock>();
        network->SetClock(clock);
        Traffic traffic(network);
        traffic.Send(1, 2, 40);
        traffic.Send(0, 2, 400);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(port->GetNInFlight(), 0, "the network is idle");
        NS_TEST_EXPECT_MSG_EQ(port->IsBusy(0), true, "101 flits leave the port");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(traffic.ready.size(), 1, "the port has become free");
        network->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** A full queue of a buffered network. */
class QueueLimitTestCase : public TestCase
{
  public:
    QueueLimitTestCase()
        : TestCase("QueueLimit: a full queue of a buffered network refuses frames")
    {
    }

  private:
    void DoRun() override
    {
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
            if (arrival.from == 0)
            {
                ++count.first;
            }
            else
            {
                ++count.second;
            }
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
        : TestCase("loss and corruption have the given rates, and are counted by reason")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t HOPS = 4;
        constexpr double RATE = 0.05;
        CheckRate("Loss", RATE, DropReason::LOST);
        CheckRate("Corruption", 1 - std::pow(1 - RATE, HOPS), DropReason::CORRUPTED);
    }

    /**
     * Send packets along a line of four hops, and compare the number of drops with its mean.
     * @param attribute the attribute, which is set to 0.05
     * @param probability probability of the drop of a packet
     * @param reason its reason
     */
    void CheckRate(const std::string& attribute, double probability, DropReason reason)
    {
        constexpr uint32_t PACKETS = 20000;
        const auto network = MakeNetwork({{"Shape", "5x1"}, {attribute, "0.05"}});
        const auto port = network->GetNativePort();
        Traffic traffic(network);
        for (uint32_t n = 0; n < PACKETS; ++n)
        {
            traffic.SendAndDrain(0, 4, 8);
        }
        const auto drops = static_cast<double>(port->GetCounters().GetDrops(reason));
        NS_TEST_EXPECT_MSG_EQ_TOL(drops,
                                  PACKETS * probability,
                                  5 * std::sqrt(PACKETS * probability * (1 - probability)),
                                  attribute << " within five standard deviations");
        NS_TEST_EXPECT_MSG_EQ(port->GetCounters().delivered + drops, PACKETS, "all others arrive");
    }
};

/** Networks that state that they lose nothing. */
class LosslessTestCase : public TestCase
{
  public:
    LosslessTestCase()
        : TestCase("E-35: a network is lossless if its routers store packets and Loss is 0")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string router : {"lossy", "buffered", "hybrid"})
        {
            for (const std::string loss : {"0", "0.1"})
            {
                NS_TEST_EXPECT_MSG_EQ(
                    MakeNetwork({{"Router", router}, {"Loss", loss}})->GetInfo().lossless,
                    (router == "buffered" && loss == "0"),
                    router << ", Loss " << loss);
            }
        }
    }
};

/** Random streams, including the first one, determine a run. */
class StreamsTestCase : public TestCase
{
  public:
    StreamsTestCase()
        : TestCase("the same random stream loses the same packets, another stream loses others")
    {
    }

  private:
    /** @param stream a random stream @return the packets that arrive */
    static std::string Run(int64_t stream)
    {
        const auto network = MakeNetwork({{"Shape", "2x1"}, {"Loss", "0.5"}});
        network->AssignStreams(stream);
        Traffic traffic(network);
        for (uint32_t n = 0; n < 100; ++n)
        {
            traffic.SendAndDrain(0, 1, 8);
        }
        return ListText(traffic.arrivals);
    }

    void DoRun() override
    {
        const std::string first = Run(0);
        NS_TEST_EXPECT_MSG_EQ(Run(0), first, "the same stream, the same losses");
        NS_TEST_EXPECT_MSG_NE(Run(50), first, "another stream, other losses");
    }
};

/** A hybrid router stores a packet, then drops it. */
class HybridRouterTestCase : public TestCase
{
  public:
    HybridRouterTestCase()
        : TestCase("E-11: a hybrid router stores a packet for HoldLimit cycles, then drops it")
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
            NS_TEST_EXPECT_MSG_EQ(network->GetInfo().ordered, false, "the network reorders");
        }
    }
};

/** A hybrid router drops a packet at the end of its lifetime. */
class TimeToLiveTestCase : public TestCase
{
  public:
    TimeToLiveTestCase()
        : TestCase("E-11: a packet whose time to live ends while it is stored is dropped")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = MakeNetwork(
            {{"Shape", "3x1"}, {"Router", "hybrid"}, {"HoldLimit", "1000"}, {"TimeToLive", "6"}});
        Traffic traffic(network);
        traffic.Send(1, 2, 40);
        traffic.Step();
        traffic.SendAndDrain(0, 2, 8);
        NS_TEST_EXPECT_MSG_EQ(network->GetNativePort()->GetCounters().GetDrops(DropReason::EXPIRED),
                              1,
                              "the packet from 0, which waits for that from 1");
    }
};

/** The bound of reordering that a network states, T of paper 1. */
class SlipTestCase : public TestCase
{
  public:
    SlipTestCase()
        : TestCase("E-11: T follows from lifetime, storage time, misroutes and ports")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Ticks LONGEST = 1025; // Flits of 4096 bytes, and the checksum.
        constexpr Ticks DIAMETER = 2;
        constexpr Ticks DETOUR = 4; // Two hops for each of two misroutes.
        const Settings hybrid{{"Shape", "3x1"}, {"Router", "hybrid"}};
        const std::vector<std::tuple<Settings, Settings, Ticks>> rows{
            {hybrid, {{"HoldLimit", "8"}}, (DIAMETER + 1) * 8},
            {hybrid, {{"HoldLimit", "1000"}, {"TimeToLive", "6"}}, 6},
            {hybrid,
             {{"HoldLimit", "1000"}, {"TimeToLive", "6"}, {"InjectionPorts", "2"}},
             6 + LONGEST},
            {hybrid,
             {{"HoldLimit", "10"}, {"InjectionPorts", "2"}, {"MisrouteLimit", "2"}},
             LONGEST + DETOUR + (DIAMETER + DETOUR + 1) * 10},
            {{{"Shape", "3x1"}},
             {{"InjectionPorts", "2"}, {"MisrouteLimit", "2"}},
             LONGEST + DETOUR},
            // Routers that drop nothing have no time to live.
            {{{"Router", "buffered"}},
             {{"EjectionPorts", "2"}, {"TimeToLive", "6"}},
             messaging::NEVER}};
        for (const auto& [base, more, expected] : rows)
        {
            Settings settings = base;
            settings.insert(more.begin(), more.end());
            NS_TEST_EXPECT_MSG_EQ(MakeNetwork(settings)->GetInfo().maxSlip,
                                  expected,
                                  "T with " << ListText(settings));
        }
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
        AddTestCase(new ProductiveRoutingTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BlockedPacketTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ServiceOrderTestCase, TestCase::Duration::QUICK);
        AddTestCase(new EjectionPortsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SourceBusyTestCase, TestCase::Duration::QUICK);
        AddTestCase(new IdleNetworkTestCase, TestCase::Duration::QUICK);
        AddTestCase(new QueueLimitTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ArbitrationTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LossTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LosslessTestCase, TestCase::Duration::QUICK);
        AddTestCase(new StreamsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HybridRouterTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TimeToLiveTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SlipTestCase, TestCase::Duration::QUICK);
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
