/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-test-fabric.h"

#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/**
 * Attributes of one switch with some hosts. @param hosts number of hosts @return the attributes
 */
Settings
OneSwitch(uint32_t hosts)
{
    return {{"Topology", "switch"}, {"Nodes", std::to_string(hosts)}};
}

} // namespace

/**
 * The closed form of latency on an idle fabric: with n switches on the route and equal links, (n +
 * 1) cables, n switches and the packet's bytes once.
 */
class InfinibandIdleLatencyTestCase : public TestCase
{
  public:
    InfinibandIdleLatencyTestCase()
        : TestCase("latency on an idle fabric, over 1, 3 and 5 switches")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string rate : {"SDR", "DDR"})
        {
            for (const uint16_t bytes : {26, 27, 290, 2074, 4122})
            {
                const Ticks wire = rate == "SDR" ? bytes : (bytes + 1) / 2;
                CheckLatency(70, rate, bytes, 1, 2 * 25 + 200 + wire);
                CheckLatency(70, rate, bytes, 69, 4 * 25 + 3 * 200 + wire);
                CheckLatency(512, rate, bytes, 511, 6 * 25 + 5 * 200 + wire);
            }
        }
        // From 1 GB/s to 2 GB/s the head waits until the tail can follow without a gap; and back.
        const std::string file = CreateTempDirFilename("rates.txt");
        std::ofstream(file) << "Switch 4 \"S-1\"\n[1] \"H-1\"[1]\n[2] \"H-2\"[1] # 4xDDR\n"
                               "Ca 1 \"H-1\"\n[1] \"S-1\"[1]\nCa 1 \"H-2\"\n"
                               "[1] \"S-1\"[2] # 4xDDR\n";
        TestFabric test({{"Topology", "file"}, {"TopologyFile", file}, {"Routing", "min-hop"}}, {});
        NS_TEST_ASSERT_MSG_EQ(test.error, "", "the file has no error");
        test.Plan(0, 0, 1, 2000);
        test.Plan(0, 1, 0, 2000);
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(0), 25 + 2000 + 25, "the tail goes straight through");
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(1), 25 + 200 + 2000 + 25, "the slower link counts");
        NS_TEST_EXPECT_MSG_EQ(
            test.fabric->GetIdleLatency(0, test.subnet->GetManager().GetLid(1), 2000),
            2050,
            "GetIdleLatency over the faster link");
        NS_TEST_EXPECT_MSG_EQ(
            test.fabric->GetIdleLatency(1, test.subnet->GetManager().GetLid(0), 2000),
            2250,
            "GetIdleLatency over the slower link");
    }

    /**
     * Check one packet.
     * @param hosts hosts of the fat tree
     * @param rate of the links
     * @param bytes length on the wire [bytes]
     * @param to receiver; host 0 sends
     * @param expected latency
     */
    void CheckLatency(uint32_t hosts,
                      const std::string& rate,
                      uint16_t bytes,
                      HostId to,
                      Ticks expected)
    {
        TestFabric test({{"Nodes", std::to_string(hosts)}}, {{"LinkRate", rate}});
        NS_TEST_ASSERT_MSG_EQ(test.error, "", "the tree has no error");
        test.Plan(1000, 0, to, bytes);
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(0) - 1000,
                              expected,
                              "latency of " << bytes << " bytes at " << rate);
        NS_TEST_EXPECT_MSG_EQ(
            test.fabric->GetIdleLatency(0, test.subnet->GetManager().GetLid(to), bytes),
            expected,
            "GetIdleLatency of " << bytes << " bytes at " << rate);
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
    }
};

/**
 * Credits computed by hand. C-05: no packet is lost for lack of buffers; packets wait for credits,
 * block by block.
 */
class InfinibandCreditTestCase : public TestCase
{
  public:
    InfinibandCreditTestCase()
        : TestCase("credits: how many are sent, and when again (C-05)")
    {
    }

  private:
    void DoRun() override
    {
        Stream();
        OneBuffer();
        Shortened();
        Hold();
        TwoIntoOne();
    }

    /** One sender keeps its link busy without a gap. */
    void Stream()
    {
        for (const uint16_t bytes : {64, 1050, 2074})
        {
            TestFabric test({{"Nodes", "70"}}, {});
            for (uint32_t n = 0; n < 200; ++n)
            {
                test.Plan(0, 0, 69, bytes);
            }
            test.Run();
            NS_TEST_ASSERT_MSG_EQ(test.arrivals.size(), 200, "arrivals");
            NS_TEST_EXPECT_MSG_EQ(test.arrivals.back().when - test.arrivals.front().when,
                                  Ticks{199} * bytes,
                                  "packets follow each other without a gap");
        }
    }

    /** Buffers of one packet: the next packet leaves a round trip later. */
    void OneBuffer()
    {
        TestFabric test(OneSwitch(2), {{"BufferBytes", "320"}, {"Mtu", "256"}});
        for (uint32_t n = 0; n < 20; ++n)
        {
            test.Plan(0, 0, 1, 290);
        }
        test.Run();
        NS_TEST_ASSERT_MSG_EQ(test.arrivals.size(), 20, "arrivals");
        // Over the cable and through the switch to its last byte, and the credits back.
        NS_TEST_EXPECT_MSG_EQ(test.arrivals[11].when - test.arrivals[10].when,
                              25 + 200 + 290 + 50,
                              "a packet without credits waits for a round trip");
        // 19 round trips during which the host had a packet, minus the time of sending.
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(0).xmitWait,
                              Ticks{19} * (25 + 200 + 50),
                              "this wait is counted as xmitWait");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
    }

    /** Credits return in order, even if their delay becomes shorter. */
    void Shortened()
    {
        TestFabric test(OneSwitch(2), {}, {.bufferBytes = 2176, .creditDelay = 20000});
        for (const uint16_t bytes : {2100, 26, 2176})
        {
            test.Plan(0, 0, 1, bytes);
        }
        Simulator::Schedule(NanoSeconds(1000), [&test] {
            LinkConfig link = test.fabric->GetLinkConfig();
            link.creditDelay = 1;
            test.fabric->SetLinkConfig(link);
        });
        test.Run();
        // The last packet needs the buffers of both others; the first has left the switch at 2325.
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(2),
                              22325 + 25 + 200 + 2176 + 25,
                              "arrival of the last packet, after the credits of both others");
    }

    /** A receiver that empties no buffer stops all traffic, exactly when all buffers are full. */
    void Hold()
    {
        TestFabric test(OneSwitch(3), {{"BufferBytes", "16384"}});
        test.emptyAt = 300000;
        // Each packet of 2074 bytes takes 33 blocks of 256: seven fit.
        for (uint32_t n = 0; n < 30; ++n)
        {
            test.Plan(0, 0, 1, 2074);
        }
        const auto other = test.Plan(200000, 2, 0, 2074);
        test.Run(250000);
        NS_TEST_EXPECT_MSG_EQ(test.arrivals.size(),
                              7 + 1,
                              "packets that fill the buffer of host 1, and the packet of host 2");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetPortCounters(0).xmitPackets,
                              14,
                              "packets sent into this buffer and that of the switch");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
        NS_TEST_EXPECT_MSG_EQ(test.GetArrival(other),
                              200000 + 2324,
                              "a packet to another host does not wait");
        test.Run();
        NS_TEST_ASSERT_MSG_EQ(test.arrivals.size(),
                              31,
                              "all packets arrive when the host empties its buffer");
        NS_TEST_EXPECT_MSG_EQ(test.arrivals[8].when,
                              300000 + 50 + 2074 + 25,
                              "the next packet arrives as soon as there are credits");
    }

    /** Two senders share a receiver evenly, and both are slowed down. */
    void TwoIntoOne()
    {
        TestFabric test(OneSwitch(3), {});
        for (uint32_t n = 0; n < 200; ++n)
        {
            test.Plan(0, 0, 2, 2074);
            test.Plan(0, 1, 2, 2074);
        }
        test.Run(200 * 2074);
        std::map<HostId, uint32_t> count;
        for (const auto& arrival : test.arrivals)
        {
            ++count[arrival.from];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(double(count[0]),
                                  double(count[1]),
                                  1,
                                  "packets of both hosts, in turn");
        NS_TEST_EXPECT_MSG_EQ_TOL(double(count[0] + count[1]), 199, 1.5, "both fill the link");
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.arrivals.size(), 400, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
    }
};

/** A blocked packet blocks later ones on its virtual lane, and none on another. */
class InfinibandBlockingTestCase : public TestCase
{
  public:
    InfinibandBlockingTestCase()
        : TestCase("head-of-line blocking, and virtual lanes against it")
    {
    }

  private:
    void DoRun() override
    {
        // The first unused LID is dropped at the switch.
        TestFabric lost(OneSwitch(4), {});
        lost.PlanLid(0, 0, lost.subnet->GetManager().GetSpan(), 100);
        lost.Run();
        NS_TEST_ASSERT_MSG_EQ(lost.reasons.size(), 1, "lost packets");
        NS_TEST_EXPECT_MSG_EQ(lost.reasons[0], DropReason::NO_ROUTE, "reason of the loss");
        for (const char* lanes : {"1", "2"})
        {
            TestFabric test(OneSwitch(4), {{"Lanes", lanes}});
            // Host 1 sends to 2 for a long time; host 0 has a packet to 2, followed by one to 3.
            for (uint32_t n = 0; n < 20; ++n)
            {
                test.Plan(0, 1, 2, 4000);
            }
            test.Plan(1000, 0, 2, 4000);
            const auto victim = test.Plan(1001, 0, 3, 100, 0, 1);
            test.Run();
            // Without blocking, it follows the first on host 0's link.
            const Ticks alone = 1000 + 4000 + 25 + 200 + 100 + 25;
            if (test.fabric->GetLinkConfig().lanes == 1)
            {
                NS_TEST_EXPECT_MSG_GT(test.GetArrival(victim),
                                      alone + 2000,
                                      "on one lane, the packet waits behind blocked ones");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(test.GetArrival(victim),
                                      alone,
                                      "on a lane of its own, the packet does not wait");
            }
            NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                  "",
                                  "packets and credits are conserved");
        }
    }
};

/** One path keeps order; several overtake, as paper 4's Figure 3 needs. */
class InfinibandPathsTestCase : public TestCase
{
  public:
    InfinibandPathsTestCase()
        : TestCase("order on one path, overtaking on several (LMC)")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool several : {false, true})
        {
            TestFabric test({{"Nodes", "70"}, {"Lmc", "2"}}, {});
            // Other hosts load the route of the first path.
            const auto& manager = test.subnet->GetManager();
            const auto busy = manager.GetRoute(0, manager.GetLid(69, 0))[1];
            for (HostId other = 1; other < 12; ++other)
            {
                for (HostId to = 60; to < 69; ++to)
                {
                    if (manager.GetRoute(other, manager.GetLid(to, 0))[1] == busy)
                    {
                        for (uint32_t n = 0; n < 30; ++n)
                        {
                            test.Plan(0, other, to, 2074);
                        }
                    }
                }
            }
            for (uint8_t other = 1; other < 4; ++other)
            {
                // They are at the receiver's leaf together only over other cables.
                NS_TEST_EXPECT_MSG_NE(manager.GetRoute(0, manager.GetLid(69, other))[1],
                                      busy,
                                      "another LID of host 69 has another way");
            }
            // Congest the first route itself: hosts 1 to 3 also send to 69 over it.
            for (HostId from = 1; from < 4; ++from)
            {
                for (uint32_t n = 0; n < 20; ++n)
                {
                    test.Plan(0, from, 69, 2074, 0);
                }
            }
            std::vector<uint64_t> numbers;
            for (uint32_t n = 0; n < 40; ++n)
            {
                numbers.push_back(
                    test.Plan(5000 + n, 0, 69, 300, several ? static_cast<uint8_t>(n % 4) : 0));
            }
            test.Run();
            uint32_t overtaken = 0;
            uint64_t last = 0;
            for (const auto& arrival : test.arrivals)
            {
                if (arrival.from == 0 && arrival.at == 69)
                {
                    overtaken += arrival.number < last;
                    last = std::max(last, arrival.number);
                }
            }
            if (several)
            {
                NS_TEST_EXPECT_MSG_GT(overtaken, 0, "packets of several paths overtake each other");
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(overtaken, 0, "packets of one path keep their order");
            }
            NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                  "",
                                  "packets and credits are conserved");
        }
    }
};

/**
 * Random traffic: every packet arrives once, in order for each pair and path; credits return.
 * Reading counters, which serves internal events earlier, has no effect.
 */
class InfinibandRandomTrafficTestCase : public TestCase
{
  public:
    InfinibandRandomTrafficTestCase()
        : TestCase("random traffic: conservation, order, and the same if counters are read or runs "
                   "are stopped")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t seed = 0; seed < 6; ++seed)
        {
            const auto plain = Run(seed, false, false);
            const auto looked = Run(seed, true, false);
            const auto stopped = Run(seed, false, true);
            NS_TEST_EXPECT_MSG_EQ(FindDifference(plain, looked),
                                  plain.size(),
                                  "reads of counters change no arrival");
            NS_TEST_EXPECT_MSG_EQ(FindDifference(plain, stopped),
                                  plain.size(),
                                  "stops of the run change no arrival");
        }
    }

    /**
     * Compare arrival times.
     * @param one arrival times by packet
     * @param other those of another run
     * @return the first packet that differs, or the number of packets if none does
     */
    static std::size_t FindDifference(const std::vector<Ticks>& one,
                                      const std::vector<Ticks>& other)
    {
        const auto differs = std::ranges::mismatch(one, other);
        return static_cast<std::size_t>(differs.in1 - one.begin());
    }

    /**
     * Run a seed.
     * @param seed seed of the traffic
     * @param readCounters whether to read counters at each arrival
     * @param stop whether to stop the simulator often, and read counters
     * @return arrival times by packet
     */
    std::vector<Ticks> Run(uint32_t seed, bool readCounters, bool stop)
    {
        const Settings subnet{{"Nodes", "32"}, {"SwitchPorts", "8"}, {"Lmc", "1"}};
        TestFabric test(subnet,
                        {{"BufferBytes", seed % 2 ? "4416" : "16384"},
                         {"Lanes", seed % 3 ? "1" : "3"},
                         {"LinkRate", seed % 4 < 2 ? "SDR" : "DDR"}});
        test.readCounters = readCounters;
        Draw draw(seed);
        constexpr uint32_t PACKETS = 3000;
        for (uint32_t n = 0; n < PACKETS; ++n)
        {
            const HostId from = draw.Below(32);
            const HostId to = (from + 1 + draw.Below(31)) % 32;
            const uint32_t path = draw.Below(2);
            test.Plan(draw.Below(60000),
                      from,
                      to,
                      static_cast<uint16_t>(26 + draw.Below(2049)),
                      static_cast<uint8_t>(path),
                      static_cast<uint8_t>(n % 3));
        }
        if (stop)
        {
            for (Ticks at = 13; at < 200000; at += 131)
            {
                test.Run(at);
                NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                                      "",
                                      "packets and credits are conserved during the run");
            }
        }
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(test.arrivals.size(), PACKETS, "arrivals");
        NS_TEST_EXPECT_MSG_EQ(test.GetNWaiting(), 0, "packets left at hosts");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetCounters().GetNInFlight(),
                              0,
                              "packets in flight at the end");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
        std::vector<Ticks> when(PACKETS, NEVER);
        for (const auto& arrival : test.arrivals)
        {
            NS_TEST_EXPECT_MSG_EQ(when[arrival.number],
                                  NEVER,
                                  "packet " << arrival.number << " arrives once");
            when[arrival.number] = arrival.when;
        }
        return when;
    }
};

/** A multicast packet reaches every other host once, also past slow ones. */
class InfinibandMulticastTestCase : public TestCase
{
  public:
    InfinibandMulticastTestCase()
        : TestCase("multicast: each other host once")
    {
    }

  private:
    void DoRun() override
    {
        Rates();
        TestFabric test({{"Nodes", "70"}}, {});
        for (uint32_t n = 0; n < 10; ++n)
        {
            test.PlanLid(0, n, MULTICAST_LID, 2074);
            test.Plan(0, n + 20, n + 30, 2074);
        }
        test.Run();
        std::map<uint64_t, std::multiset<HostId>> receivers;
        for (const auto& arrival : test.arrivals)
        {
            receivers[arrival.number].insert(arrival.at);
        }
        for (uint64_t number = 0; number < 20; number += 2)
        {
            NS_TEST_EXPECT_MSG_EQ(receivers[number].size(),
                                  69,
                                  "copies of packet " << number << " arrive at all other hosts");
            NS_TEST_EXPECT_MSG_EQ(receivers[number].count(static_cast<HostId>(number / 2)),
                                  0,
                                  "copies of packet " << number << " at its sender");
            NS_TEST_EXPECT_MSG_EQ(
                std::set<HostId>(receivers[number].begin(), receivers[number].end()).size(),
                69,
                "hosts with a copy of packet " << number);
        }
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetCounters().copies, 680, "copies that switches make");
        NS_TEST_EXPECT_MSG_EQ(CheckConservation(*test.fabric),
                              "",
                              "packets and credits are conserved");
        NS_TEST_EXPECT_MSG_EQ(test.fabric->GetCounters().GetNInFlight(),
                              0,
                              "packets in flight at the end");
    }

    /**
     * From 1 GB/s to 2 GB/s and to 1 GB/s: the copies leave when each can follow without a gap.
     */
    void Rates()
    {
        const std::string file = CreateTempDirFilename("multicast.txt");
        std::ofstream(file) << "Switch 4 \"S-1\"\n[1] \"H-1\"[1]\n[2] \"H-2\"[1] # 4xDDR\n"
                               "[3] \"H-3\"[1]\nCa 1 \"H-1\"\n[1] \"S-1\"[1]\n"
                               "Ca 1 \"H-2\"\n[1] \"S-1\"[2] # 4xDDR\n"
                               "Ca 1 \"H-3\"\n[1] \"S-1\"[3]\n";
        TestFabric test({{"Topology", "file"}, {"TopologyFile", file}, {"Routing", "min-hop"}}, {});
        NS_TEST_ASSERT_MSG_EQ(test.error, "", "the file has no error");
        test.PlanLid(0, 0, MULTICAST_LID, 2000);
        test.Run();
        NS_TEST_ASSERT_MSG_EQ(test.arrivals.size(), 2, "both other hosts receive the packet");
        NS_TEST_EXPECT_MSG_EQ(test.arrivals[0].when,
                              25 + 2000 + 25,
                              "the tail goes straight through");
        NS_TEST_EXPECT_MSG_EQ(test.arrivals[1].when,
                              25 + 1000 + 2000 + 25,
                              "the copy over the slower link");
    }
};

/** Impossible topologies are refused in one sentence. */
class InfinibandFabricCheckTestCase : public TestCase
{
  public:
    InfinibandFabricCheckTestCase()
        : TestCase("MTUs that do not exist, buffers too small")
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = CreateObject<Fabric>();
        const auto check = [&fabric](const LinkConfig& link) {
            fabric->SetLinkConfig(link);
            return fabric->Check();
        };
        LinkConfig link;
        NS_TEST_EXPECT_MSG_EQ(check(link), "", "the defaults are valid");
        link.mtu = 1500;
        NS_TEST_EXPECT_MSG_EQ(
            check(link),
            "There is no Mtu of 1500 bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.",
            "an MTU that does not exist");
        link.mtu = 2048;
        link.bufferBytes = 2100;
        NS_TEST_EXPECT_MSG_EQ(check(link),
                              "BufferBytes has to hold a packet of Mtu 2048 with its headers, 2176 "
                              "bytes, not 2100.",
                              "buffers smaller than a packet");
        link.bufferBytes = 2176;
        link.lanes = MAX_LANES + 1;
        NS_TEST_EXPECT_MSG_EQ(check(link),
                              "There are 1 to 15 virtual lanes for data, not 16.",
                              "too many virtual lanes");
    }
};

/** The trace sources agree with the counters, and a port's state with its buffers. */
class InfinibandFabricTracesTestCase : public TestCase
{
  public:
    InfinibandFabricTracesTestCase()
        : TestCase("trace sources Inject, Forward, Deliver, Blocked, LinkState; state of a lane")
    {
    }

  private:
    /** Trace sink. @param port the port */
    void OnInject(Ticks, const infiniband::Packet&, PortId port)
    {
        ++m_injected;
        m_lastPort = port;
    }

    /** Trace sink. */
    void OnForward(Ticks, const infiniband::Packet&, PortId)
    {
        ++m_forwarded;
    }

    /** Trace sink. @param when the time */
    void OnDeliver(Ticks when, const infiniband::Packet&, PortId)
    {
        m_delivered.push_back(when);
    }

    /** Trace sink. @param when the time @param blocks credits that are needed */
    void OnBlocked(Ticks when, PortId, uint8_t, uint32_t blocks)
    {
        m_blocked.emplace_back(when, blocks);
    }

    /** Trace sink. @param port the port @param up its state */
    void OnLink(PortId port, bool up)
    {
        m_links.emplace_back(port, up);
    }

    void DoRun() override
    {
        TestFabric test(OneSwitch(3), {{"BufferBytes", "4352"}});
        using T = InfinibandFabricTracesTestCase;
        Fabric& fabric = *test.fabric;
        fabric.TraceConnectWithoutContext("Inject", MakeCallback(&T::OnInject, this));
        fabric.TraceConnectWithoutContext("Forward", MakeCallback(&T::OnForward, this));
        fabric.TraceConnectWithoutContext("Deliver", MakeCallback(&T::OnDeliver, this));
        fabric.TraceConnectWithoutContext("Blocked", MakeCallback(&T::OnBlocked, this));
        fabric.TraceConnectWithoutContext("LinkState", MakeCallback(&T::OnLink, this));
        // A buffer has 68 blocks, a packet needs 33: the receiver holds two, and the switch two.
        test.emptyAt = 100'000;
        for (uint32_t n = 0; n < 6; ++n)
        {
            test.Plan(0, 0, 1, 2074);
        }
        test.Run(50'000);
        const PortId toHost = test.subnet->GetTopology().GetPorts()[1].peer;
        const PortId input = test.subnet->GetTopology().GetPorts()[0].peer;
        NS_TEST_EXPECT_MSG_EQ(fabric.GetLaneState(toHost).credits, 2, "credits left of 68");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetLaneState(input).queuedPackets, 2, "packets in the switch");
        NS_TEST_EXPECT_MSG_EQ(fabric.GetLaneState(input).queuedBlocks, 66, "their blocks");
        NS_TEST_EXPECT_MSG_EQ(m_delivered.size(), 2, "packets at the receiver");
        NS_TEST_ASSERT_MSG_EQ(m_blocked.empty(), false, "whether no output waits for credits");
        NS_TEST_EXPECT_MSG_EQ(m_blocked[0].second, 33, "blocks of the packet that waits");
        test.Run();
        NS_TEST_EXPECT_MSG_EQ(m_injected, 6, "packets injected");
        NS_TEST_EXPECT_MSG_EQ(m_lastPort, 0, "port of the last injected packet");
        NS_TEST_EXPECT_MSG_EQ(m_forwarded, fabric.GetCounters().hops, "hops");
        NS_TEST_ASSERT_MSG_EQ(m_delivered.size(), test.arrivals.size(), "arrivals");
        NS_TEST_EXPECT_MSG_EQ(m_delivered.back(),
                              test.arrivals.back().when,
                              "time of the last delivery");
        fabric.SetLinkUp(1, false);
        NS_TEST_ASSERT_MSG_EQ(m_links.size(), 1, "traced changes of links");
        NS_TEST_EXPECT_MSG_EQ(m_links[0].first, 1, "port of the failed link");
        NS_TEST_EXPECT_MSG_EQ(m_links[0].second, false, "whether it is up");
    }

    uint64_t m_injected{0};                            ///< Injected packets.
    uint64_t m_forwarded{0};                           ///< Hops.
    PortId m_lastPort{NO_PORT};                        ///< Port of the last injection.
    std::vector<Ticks> m_delivered;                    ///< Times of deliveries.
    std::vector<std::pair<Ticks, uint32_t>> m_blocked; ///< Waits for credits.
    std::vector<std::pair<PortId, bool>> m_links;      ///< Changes of links.
};

/** The test suite of the fabric. */
class InfinibandFabricTestSuite : public TestSuite
{
  public:
    InfinibandFabricTestSuite()
        : TestSuite("infiniband-fabric", Type::UNIT)
    {
        AddTestCase(new InfinibandIdleLatencyTestCase, Duration::QUICK);
        AddTestCase(new InfinibandCreditTestCase, Duration::QUICK);
        AddTestCase(new InfinibandBlockingTestCase, Duration::QUICK);
        AddTestCase(new InfinibandPathsTestCase, Duration::QUICK);
        AddTestCase(new InfinibandRandomTrafficTestCase, Duration::QUICK);
        AddTestCase(new InfinibandMulticastTestCase, Duration::QUICK);
        AddTestCase(new InfinibandFabricCheckTestCase, Duration::QUICK);
        AddTestCase(new InfinibandFabricTracesTestCase, Duration::QUICK);
    }
};

static InfinibandFabricTestSuite g_infinibandFabricTestSuite; ///< The test suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
