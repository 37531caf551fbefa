/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-test-network.h"

#include "ns3/test.h"

#include <numeric>

namespace ns3
{
namespace myrinet
{
namespace tests
{

namespace
{

/** NRES timeout of the tests, the minimum of the hardware [ps]. */
constexpr Instant TIMEOUT = 62'500'000'000;

/**
 * Delay from Send until a packet over one switch requests its receiver: two cables of 3 m, the
 * switch and one character [ps].
 */
constexpr Instant TO_RECEIVER = 2 * 14700 + 125000 + 6250;

} // namespace

/**
 * Three packets by hand: the second waits for the output held by the first, stops its sender, and
 * keeps the third from a free output.
 *
 * A character takes 6.25 ns, a cable 14.7 ns, a switch 125 ns. 1000 bytes are 1009 characters after
 * the switch. The first head arrives at the switch at 14.7 and leaves it from 139.7 to 6445.95; GAP
 * ends at 6452.2. The second arrives at 114.7, STOP is sent when 56 characters have arrived, at
 * 464.7, and arrives at 479.4, during the 61st character. When its route byte is taken, at 6452.2,
 * 60 are left; the 20th of them begins to leave at 6570.95, at a level of 40, so GO arrives at
 * 6585.65 and the remaining 949 characters leave the sender until 12516.9. Those in the buffer last
 * until then: the second leaves the switch until 12758.45. The third is sent at 12517, after the
 * GAP at 12523.15, and reaches the front of the buffer when the second has left it, so its route is
 * known at 12883.45. 100 bytes are 105 characters. Each arrives a cable and a character after it
 * has left.
 */
class ThreeWormsTestCase : public TestCase
{
  public:
    ThreeWormsTestCase()
        : TestCase("three packets by hand: one is blocked, and blocks the one behind it")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network(Settings{{"Nodes", "4"}});
        network.Send(0, 0, 2, 1000);
        network.Send(100, 1, 2, 1000);
        network.Send(101, 1, 3, 100);
        network.Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(), 3, "all packets arrive");
        const std::array<Ticks, 3> expected{6467, 12780, 13561};
        for (std::size_t n = 0; n < expected.size(); ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(network.arrivals[n].frame.id, n, "in the order of their IDs");
            NS_TEST_EXPECT_MSG_EQ(network.arrivals[n].when,
                                  expected[n],
                                  "arrival of packet " << n << " [ns]");
        }
        NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().stops, 1, "STOPs");
        NS_TEST_EXPECT_MSG_EQ(network.GetFullest(), 61, "highest level of a slack buffer");
    }
};

/**
 * a packet that is not consumed within exactly the timeout is discarded and NRES is
 * set; so is a packet that waits behind it, although every switch, link and host works.
 */
class NresTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param bytes payload of the unconsumed packet
     */
    explicit NresTestCase(uint32_t bytes)
        : TestCase("A-04: NRES after exactly the timeout, " + std::to_string(bytes) + " bytes"),
          m_bytes(bytes)
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network({{"Nodes", "4"}, {"Timeout", "62.5ms"}});
        network.port->SetAccepting(2, false);
        network.Send(0, 0, 2, m_bytes);
        network.Run(MicroSeconds(62400));
        NS_TEST_EXPECT_MSG_EQ(network.losses.size(), 0, "no loss before the timeout");
        network.Run();
        NS_TEST_ASSERT_MSG_EQ(network.losses.size(), 1, "a loss after the timeout");
        const Loss& loss = network.losses[0];
        NS_TEST_EXPECT_MSG_EQ(loss.reason, DropReason::NRES, "reason of the loss");
        NS_TEST_EXPECT_MSG_EQ(loss.when, TO_RECEIVER + TIMEOUT, "time of the loss [ps]");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(2), true, "the receiver's bit");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(0), false, "the sender's bit");
        network.port->GetFabric().ClearNres(2);
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(2), false, "firmware clears it");
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, "each packet is delivered or lost");

        // A packet consumed just in time is kept.
        network.port->SetAccepting(3, false);
        const Ticks now = network.clock->Now();
        network.Send(now, 0, 3, m_bytes);
        network.Run(NanoSeconds(now + (TO_RECEIVER + TIMEOUT) / 1000 - 1));
        network.port->SetAccepting(3, true);
        network.Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals.size(), 1, "the second packet arrives");
        NS_TEST_EXPECT_MSG_EQ(network.losses.size(), 1, "only the first is lost");
    }

    uint32_t m_bytes; ///< Payload.
};

/** back-blocking alone causes it, although all components work. */
class BackBlockingTestCase : public TestCase
{
  public:
    BackBlockingTestCase()
        : TestCase("A-04: NRES on a link that is merely busy")
    {
    }

  private:
    void DoRun() override
    {
        // Host 0's packet is left pending; host 1's waits behind it in the switch.
        TestNetwork network({{"Nodes", "4"}, {"Timeout", "62.5ms"}});
        network.port->SetAccepting(2, false);
        network.Send(0, 0, 2, 4096);
        network.Send(10000, 1, 2, 4096);
        network.Send(20000, 1, 3, 16);
        network.Run(MilliSeconds(62));
        NS_TEST_EXPECT_MSG_EQ(network.losses.size(), 0, "no loss before the timeout");
        network.Run();
        // The first is discarded, but before its 4096 bytes have drained, the second has also
        // waited for the timeout, for a busy link.
        NS_TEST_ASSERT_MSG_EQ(network.losses.size(), 2, "both packets to host 2 are lost");
        NS_TEST_EXPECT_MSG_EQ(network.losses[0].when,
                              TO_RECEIVER + TIMEOUT,
                              "the first, at its receiver [ps]");
        NS_TEST_EXPECT_MSG_EQ(network.losses[1].packet.from, 1, "sender of the second");
        NS_TEST_EXPECT_MSG_EQ(network.losses[1].when,
                              10'000'000 + 14700 + 125000 + TIMEOUT,
                              "the second, at the switch [ps]");
        NS_TEST_EXPECT_MSG_EQ(network.losses[1].reason, DropReason::NRES, "reason of the second");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(1), true, "its sender's bit");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().nresBits, 2, "one NRES for each");
        NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(), 1, "the packet to host 3 arrives");
        NS_TEST_EXPECT_MSG_GT(network.arrivals[0].when, TIMEOUT / PS_PER_NS, "after the timeout");
    }
};

/** packets whose routes wait for each other need no stall. */
class RingNresTestCase : public TestCase
{
  public:
    RingNresTestCase()
        : TestCase("A-04: NRES resolves the deadlock of a ring")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork ring({{"Topology", "ring"},
                          {"Nodes", "5"},
                          {"Switches", "5"},
                          {"Routes", "shortest"},
                          {"Timeout", "62.5ms"}});
        for (Peer host = 0; host < 5; ++host)
        {
            ring.Send(0, host, (host + 2) % 5, host == 0 ? 16 : 4096);
            ring.Send(host == 0 ? 1 : 1000000, host, (host + 2) % 5, 4096);
        }
        ring.Run();
        NS_TEST_EXPECT_MSG_GT(ring.port->GetCounters().GetDrops(DropReason::NRES),
                              0,
                              "discarded packets");
        NS_TEST_EXPECT_MSG_EQ(ring.IsConserved(), true, "each packet is delivered or lost");
        NS_TEST_EXPECT_MSG_EQ(ring.port->GetFabric().GetNInFlight(), 0, "no packet is left");
    }
};

/**
 * a stall shorter than the timeout loses the pending data or control packet without a trace,
 * but only if another packet arrives behind it.
 */
class OverwriteTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param bytes payload of the packets
     * @param other whether the second packet comes from another host
     */
    OverwriteTestCase(uint32_t bytes, bool other)
        : TestCase("A-05: overwritten between consecutive packets, " + std::to_string(bytes) +
                   " bytes" + (other ? ", two senders" : "")),
          m_bytes(bytes),
          m_other(other)
    {
    }

  private:
    /**
     * Run one stall.
     * @param overwrite probability of loss
     * @param damage share of damage
     * @param second time of the second packet [ns], 0 for none
     * @return the number of arrivals
     */
    std::size_t Stall(const std::string& overwrite, const std::string& damage, Ticks second)
    {
        TestNetwork network({{"Nodes", "4"},
                             {"Timeout", "62.5ms"},
                             {"SendQueue", "2"},
                             {"Overwrite", overwrite},
                             {"OverwriteDamage", damage}});
        network.port->SetAccepting(2, false);
        network.Send(0, 3, 2, m_bytes);
        if (second > 0)
        {
            network.Send(second, m_other ? 1 : 3, 2, m_bytes);
        }
        network.Run(MicroSeconds(100));
        network.port->SetAccepting(2, true);
        network.Run();
        for (const Loss& loss : network.losses)
        {
            NS_TEST_EXPECT_MSG_EQ(loss.reason,
                                  (damage == "1" ? DropReason::CRC : DropReason::OVERWRITE),
                                  "reason of the loss");
            NS_TEST_EXPECT_MSG_EQ(loss.packet.from, 3, "the pending packet is lost");
        }
        for (Peer host = 0; host < 4; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(host),
                                  false,
                                  "NRES of host " << host);
        }
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, "each packet is delivered or lost");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNInFlight(), 0, "no packet is left");
        return network.arrivals.size();
    }

    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(Stall("0", "0", 5000), 2, "Overwrite 0: both arrive");
        NS_TEST_EXPECT_MSG_EQ(Stall("1", "0", 0), 1, "without a second packet, the first arrives");
        NS_TEST_EXPECT_MSG_EQ(Stall("1", "0", 5000), 1, "the first is lost");
        NS_TEST_EXPECT_MSG_EQ(Stall("1", "0", 10), 1, "also if the second follows at once");
        NS_TEST_EXPECT_MSG_EQ(Stall("1", "1", 5000), 1, "the first is damaged");
    }

    uint32_t m_bytes; ///< Payload.
    bool m_other;     ///< The second packet has another sender.
};

/** Packets that reach a receiver that stalls: which are delivered, damaged or lost. */
struct Pending
{
    std::string name;               ///< Name.
    std::vector<uint32_t> payloads; ///< Payloads of the packets, in order of arrival [bytes].
    std::vector<uint64_t> arrive;   ///< Those that arrive, in order.
    uint64_t overwritten;           ///< Packets lost without a sign.
    uint64_t damaged;               ///< Packets that arrive with a wrong CRC.
};

/**
 * a receiver that stalls for less than the timeout sends no STOP, so any number of packets
 * can be sent to it. The characters that its slack buffer cannot hold overwrite the oldest.
 *
 * A payload of 14 bytes has 17 characters at the receiver, one of 54 bytes 57, of 70 bytes 73, of
 * 78 bytes 81, and of 4096 bytes 4105. The slack buffer holds 80.
 */
class StallTestCase : public TestCase
{
  public:
    StallTestCase()
        : TestCase("A-05: a stalled receiver that sends no STOP loses or damages pending packets")
    {
    }

  private:
    /**
     * Let packets reach a receiver during a stall.
     * @param row the packets
     * @param stop attribute StopWhilePending
     * @param end end of the stall
     */
    void Stall(const Pending& row, const std::string& stop, Time end)
    {
        TestNetwork network({{"Nodes", "4"}, {"Timeout", "62.5ms"}, {"StopWhilePending", stop}});
        network.port->SetAccepting(2, false);
        for (std::size_t n = 0; n < row.payloads.size(); ++n)
        {
            network.Send(10 * n, 3, 2, row.payloads[n]);
        }
        network.Run(end);
        network.port->SetAccepting(2, true);
        network.Run();
        std::vector<uint64_t> arrived;
        for (const Arrival& arrival : network.arrivals)
        {
            arrived.push_back(arrival.frame.id);
        }
        const Counters& counters = network.port->GetCounters();
        NS_TEST_EXPECT_MSG_EQ((arrived == row.arrive), true, row.name << ": arrivals");
        NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::OVERWRITE),
                              row.overwritten,
                              row.name << ": lost");
        NS_TEST_EXPECT_MSG_EQ(counters.GetDrops(DropReason::CRC),
                              row.damaged,
                              row.name << ": wrong CRC");
        NS_TEST_EXPECT_MSG_EQ(counters.damaged, row.damaged, row.name << ": damaged");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetNres(2), false, row.name << ": NRES");
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, row.name << ": conservation");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(network.GetFullest(), 80, row.name << ": slack buffers");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetFreeBuffers(2),
                              FabricConfig().buffers,
                              row.name << ": free buffers");
    }

    void DoRun() override
    {
        const std::vector<Pending> rows{
            {"a packet that fits", {70}, {0}, 0, 0},
            {"one character too many", {78}, {}, 0, 1},
            {"a long packet", {4096}, {}, 0, 1},
            {"the second overwrites part of the first", {54, 54}, {1}, 0, 1},
            {"the third the rest, and part of the second", {54, 54, 54}, {2}, 1, 1},
            {"four short packets fit", {14, 14, 14, 14}, {0, 1, 2, 3}, 0, 0},
            {"the fifth does not", {14, 14, 14, 14, 14}, {1, 2, 3, 4}, 0, 1},
            {"a long one overwrites all before it and itself", {14, 14, 4096}, {}, 2, 1},
            {"two long ones", {4096, 4096}, {}, 1, 1},
        };
        for (const Pending& row : rows)
        {
            Stall(row, "false", MicroSeconds(200));
            Pending held = row;
            held.name += ", with STOP";
            held.arrive.resize(row.payloads.size());
            std::iota(held.arrive.begin(), held.arrive.end(), 0);
            held.overwritten = 0;
            held.damaged = 0;
            Stall(held, "true", MicroSeconds(200));
        }
        // The head reaches the receiver after 160 ns, and the 81st character half a microsecond
        // later.
        Stall({"a stall that ends in time", {4096}, {0}, 0, 0}, "false", NanoSeconds(600));
        Stall({"a stall that does not", {4096}, {}, 0, 1}, "false", NanoSeconds(700));
    }
};

/** Stalls that are too rare for a run. */
class RareStallTestCase : public TestCase
{
  public:
    RareStallTestCase()
        : TestCase("a receiver whose stalls are rarer than any time does not stall")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* rate : {"1e-9", "1e-12", "1e-300", "1e-310"})
        {
            TestNetwork network({{"Nodes", "2"}, {"StallRate", rate}, {"StallLength", "1s"}});
            network.Send(0, 0, 1, 100);
            network.Run(MilliSeconds(1));
            NS_TEST_EXPECT_MSG_EQ(network.arrivals.size(), 1, "StallRate " << rate);
        }
    }
};

/** A-02, item 2 of section 2: receive buffers. */
class BufferTestCase : public TestCase
{
  public:
    BufferTestCase()
        : TestCase("A-02: a packet without a free receive buffer blocks the network, or is dropped")
    {
    }

  private:
    /**
     * Let four packets arrive at two buffers, which are not freed for some time.
     * @param full attribute ReceiveFull
     * @param expected expected total number of arrivals
     */
    void Fill(const std::string& full, std::size_t expected)
    {
        TestNetwork network({{"Nodes", "4"}, {"ReceiveBuffers", "2"}, {"ReceiveFull", full}});
        network.port->SetRetain(true);
        for (Ticks n = 0; n < 4; ++n)
        {
            network.Send(1000 * n, 0, 1, 16);
        }
        network.Run(MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(network.arrivals.size(), 2, "one arrival for each buffer");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetFreeBuffers(1), 0, "free buffers");
        network.port->Release(1);
        network.port->Release(1);
        network.Run();
        NS_TEST_EXPECT_MSG_EQ(network.arrivals.size(), expected, "arrivals with " << full);
        NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().GetDrops(DropReason::BUFFER),
                              4 - expected,
                              "losses without a free buffer");
        NS_TEST_EXPECT_MSG_EQ(network.IsConserved(), true, "each packet is delivered or lost");
    }

    void DoRun() override
    {
        Fill("block", 4);
        Fill("drop", 2);
    }
};

/** A-02, item 1 of section 2: corruption and the CRC. */
class CrcTestCase : public TestCase
{
  public:
    CrcTestCase()
        : TestCase("A-02: the CRC detects corrupted packets, except for a share of CrcMiss")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string miss : {"0", "1"})
        {
            TestNetwork network({{"Nodes", "4"}, {"Corruption", "0.1"}, {"CrcMiss", miss}});
            network.Send(0, 0, 1, 1000);
            network.Run();
            NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().corrupted,
                                  2,
                                  "once on each of two links");
            NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(),
                                  std::stoul(miss),
                                  "arrivals with CrcMiss " << miss);
            NS_TEST_EXPECT_MSG_EQ(network.port->GetFabric().GetFreeBuffers(1),
                                  FabricConfig().buffers,
                                  "the buffer is free again");
            if (miss == "1")
            {
                NS_TEST_EXPECT_MSG_NE(network.arrivals[0].frame.contents, 0, "wrong contents");
            }
        }
    }
};

/** A-02, item 1 of section 2: corrupted packets without payload. */
class CorruptHeaderTestCase : public TestCase
{
  public:
    CorruptHeaderTestCase()
        : TestCase("A-02: a corrupted packet without payload has a wrong header")
    {
    }

  private:
    void DoRun() override
    {
        TestNetwork network({{"Nodes", "4"}, {"Corruption", "0.05"}, {"CrcMiss", "1"}});
        constexpr uint64_t CONTROLS = 20;
        for (uint64_t n = 0; n < CONTROLS; ++n)
        {
            network.Send(1000 * n, 0, 1, 0);
        }
        network.Run();
        NS_TEST_ASSERT_MSG_EQ(network.arrivals.size(), CONTROLS, "all pass the CRC");
        uint64_t wrong = 0;
        for (uint64_t n = 0; n < CONTROLS; ++n)
        {
            if (network.arrivals[n].frame.id != n)
            {
                ++wrong;
            }
        }
        NS_TEST_EXPECT_MSG_GT(wrong, 0, "corrupted packets");
        NS_TEST_EXPECT_MSG_EQ(network.port->GetCounters().undetected, wrong, "all are counted");
    }
};

/** Contradictory parameters are refused in one sentence. */
class CheckTestCase : public TestCase
{
  public:
    CheckTestCase()
        : TestCase("attributes that contradict each other are refused by one sentence")
    {
    }

  private:
    void DoRun() override
    {
        struct Case
        {
            Settings settings;   ///< Attributes.
            std::string mention; ///< Required part of the sentence; empty if valid.
        };

        const std::vector<Case> cases{
            {{}, ""},
            {{{"ReceiveBuffers", "64"}}, "do not fit into an SRAM of 262144 bytes"},
            {{{"ReceiveBuffers", "64"}, {"Sram", "1048576"}}, ""},
            {{{"Sram", "248832"}}, ""},
            {{{"Sram", "248831"}}, "do not fit"},
            {{{"Timeout", "62ms"}}, "62.5 ms to 4 s"},
            {{{"Timeout", "62.5ms"}}, ""},
            {{{"Cable", "16"}}, "26 characters arrive after STOP is sent"},
            {{{"Cable", "14.5"}}, ""},
            {{{"GoLevel", "55"}}, "two characters below STOP"},
            {{{"FallThrough", "6ns"}}, "FallThrough has to be at least"},
            {{{"LinkRate", "0b/s"}}, "LinkRate has to be larger than zero"},
            {{{"Nodes", "9"}}, "One switch of 8 ports takes at most as many hosts"},
            {{{"Topology", "clos"}, {"Nodes", "128"}}, ""},
            {{{"Topology", "clos"}, {"Nodes", "129"}}, "at most 128 hosts, not 129"},
            {{{"Topology", "clos"}, {"SwitchPorts", "7"}}, "an even number of ports"},
            {{{"Topology", "ring"}, {"Nodes", "40"}}, "do not fit"},
            {{{"Topology", "graph"}}, "needs TopologyFile"},
            {{{"Topology", "graph"}, {"TopologyFile", "/nowhere/at/all"}}, "cannot be read"}};
        for (const Case& one : cases)
        {
            auto network = CreateObject<MyrinetNetwork>();
            std::string names;
            for (const auto& [name, value] : one.settings)
            {
                Set(network, name, value);
                names += name + "=" + value + " ";
            }
            const std::string sentence = network->Check();
            NS_TEST_EXPECT_MSG_EQ(sentence.empty(), one.mention.empty(), names << sentence);
            NS_TEST_EXPECT_MSG_NE(sentence.find(one.mention), std::string::npos, sentence);
        }
    }
};

/** The test suite of the four sources of unreliability. */
class FailureTestSuite : public TestSuite
{
  public:
    FailureTestSuite()
        : TestSuite("myrinet-failure", Type::UNIT)
    {
        const auto quick = TestCase::Duration::QUICK;
        AddTestCase(new ThreeWormsTestCase, quick);
        AddTestCase(new NresTestCase(16), quick);
        AddTestCase(new NresTestCase(4096), quick);
        AddTestCase(new BackBlockingTestCase, quick);
        AddTestCase(new RingNresTestCase, quick);
        for (const uint32_t bytes : {16U, 4096U})
        {
            AddTestCase(new OverwriteTestCase(bytes, false), quick);
            AddTestCase(new OverwriteTestCase(bytes, true), quick);
        }
        AddTestCase(new StallTestCase, quick);
        AddTestCase(new RareStallTestCase, quick);
        AddTestCase(new BufferTestCase, quick);
        AddTestCase(new CrcTestCase, quick);
        AddTestCase(new CorruptHeaderTestCase, quick);
        AddTestCase(new CheckTestCase, quick);
    }
};

static FailureTestSuite g_failureTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
