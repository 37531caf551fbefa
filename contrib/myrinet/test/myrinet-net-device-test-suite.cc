/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-list-text.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/myrinet-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{
namespace tests
{

using messaging::tests::ListText;

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param topology shape of the network
     * @param lanai whether packets pass LANais and the buses of hosts
     */
    ConformanceTestCase(const std::string& topology, bool lanai)
        : TestCase("the device conforms: " + topology + (lanai ? ", LANai" : "")),
          m_topology(topology),
          m_lanai(lanai)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            MyrinetHelper helper;
            helper.SetNetworkAttribute("Topology", StringValue(m_topology));
            helper.SetNetworkAttribute("SwitchPorts", UintegerValue(16));
            helper.SetNetworkAttribute("Lanai", BooleanValue(m_lanai));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // The device answers address requests itself.
        conformance.SetPcapHelper<MyrinetHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return MyrinetHelper::AssignStreams(network.devices, stream);
        };
        conformance.setLink = [](Ptr<NetDevice> device, bool up) {
            DynamicCast<messaging::UnicastNetDevice>(device)->SetLinkUp(up);
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    std::string m_topology; ///< Shape of the network.
    bool m_lanai;           ///< Packets pass LANais.
};

/**
 * A packet of a device crosses the host's bus, the network and the receiver's bus, one after the
 * other, with firmware at both ends. Several packets overlap, so that each takes only the time of
 * the slowest stage, the bus: 125 MB/s instead of the 160 MB/s of the link.
 */
class LanaiTestCase : public TestCase
{
  public:
    LanaiTestCase()
        : TestCase("packets of devices cross the buses of both hosts")
    {
    }

  private:
    static constexpr uint32_t BYTES = 1000;          ///< Size of a packet [bytes].
    static constexpr uint32_t PACKETS = 20;          ///< Number of packets.
    static constexpr int64_t DMA = (BYTES + 14) * 8; ///< Time on a bus, with the header [ns].

    /**
     * Send packets from a host to another.
     * @param helper the helper
     * @param nodes both nodes
     * @return arrival times [ns]
     */
    static std::vector<int64_t> Send(const MyrinetHelper& helper, const NodeContainer& nodes)
    {
        const auto devices = helper.Install(nodes);
        std::vector<int64_t> arrivals;
        devices.Get(1)->SetReceiveCallback(
            [&arrivals](Ptr<NetDevice>, Ptr<const ns3::Packet>, uint16_t, const Address&) {
                arrivals.push_back(Simulator::Now().GetNanoSeconds());
                return true;
            });
        for (uint32_t n = 0; n < PACKETS; ++n)
        {
            devices.Get(0)->Send(Create<ns3::Packet>(BYTES), devices.Get(1)->GetAddress(), 0x800);
        }
        Simulator::Run();
        return arrivals;
    }

    /** @return a helper with LANais of 200 instructions a packet. */
    static MyrinetHelper MakeHelper()
    {
        MyrinetHelper helper;
        helper.SetNetworkAttribute("Lanai", BooleanValue(true));
        helper.SetNetworkAttribute("PacketInstructions", UintegerValue(200));
        return helper;
    }

    void DoRun() override
    {
        const std::vector<int64_t> bare = Send(MyrinetHelper(), NodeContainer(2));
        Simulator::Destroy();
        const std::vector<int64_t> arrivals = Send(MakeHelper(), NodeContainer(2));
        NS_TEST_ASSERT_MSG_EQ(arrivals.size(), PACKETS, "all arrive");
        const int64_t firmware = GetInstructionTime(200);
        NS_TEST_EXPECT_MSG_EQ(arrivals.front() - bare.front(),
                              2 * (firmware + DMA),
                              "the first passes firmware and bus at both ends");
        NS_TEST_EXPECT_MSG_EQ(arrivals.back() - arrivals.front(),
                              (PACKETS - 1) * DMA,
                              "the others follow as fast as the bus");
        Simulator::Destroy();
        ShareBus();
        HoldRing();
    }

    /** The engine competes with the host's own transfers on one bus. */
    void ShareBus()
    {
        const NodeContainer nodes(2);
        const auto host = CreateObject<messaging::HostModel>();
        host->SetAttribute("DmaRate", DataRateValue(DataRate("1Gbps")));
        host->GetBus()->SetBurst(256);
        nodes.Get(0)->AggregateObject(host);
        const uint32_t disk = 100000;
        host->Execute(messaging::KERNEL, {{.amount = disk, .kind = messaging::WorkKind::DMA}}, [] {
        });
        const std::vector<int64_t> arrivals = Send(MakeHelper(), nodes);
        NS_TEST_EXPECT_MSG_EQ(arrivals.size(), PACKETS, "all arrive");
        NS_TEST_EXPECT_MSG_GT(arrivals.back() - arrivals.front(),
                              18 * (PACKETS - 1) * DMA / 10,
                              "two transfers share the bus");
        NS_TEST_EXPECT_MSG_EQ(host->GetBus()->GetBusyTime().GetNanoSeconds(),
                              disk * 8 + PACKETS * DMA,
                              "both are on the host's bus");
        Simulator::Destroy();
    }

    /** Behind a slow link, a LANai fetches what its send ring holds, and leaves the rest queued. */
    void HoldRing()
    {
        const NodeContainer nodes(2);
        MyrinetHelper helper = MakeHelper();
        helper.SetNetworkAttribute("LinkRate", DataRateValue(DataRate("1Mbps")));
        helper.SetNetworkAttribute("FallThrough", TimeValue(MicroSeconds(8)));
        helper.SetNetworkAttribute("SendBuffers", UintegerValue(3));
        const auto devices = helper.Install(nodes);
        const auto queue = DynamicCast<messaging::PlainNetDevice>(devices.Get(0))->GetQueue();
        for (uint32_t n = 0; n < 10; ++n)
        {
            devices.Get(0)->Send(Create<ns3::Packet>(1000), devices.Get(1)->GetAddress(), 0x800);
        }
        uint32_t left = 0;
        Simulator::Schedule(MilliSeconds(1), [&left, queue] { left = queue->GetNPackets(); });
        Simulator::Run();
        // The device holds one that the ring does not take.
        NS_TEST_EXPECT_MSG_EQ(left, 6, "one on the link, two in the ring, one at the device");
        Simulator::Destroy();
    }
};

/** A corrupted packet that passes the CRC is delivered in full, with a wrong last byte. */
class CorruptionTestCase : public TestCase
{
  public:
    CorruptionTestCase()
        : TestCase("a corrupted packet that passes the CRC has one wrong byte")
    {
    }

  private:
    void DoRun() override
    {
        MyrinetHelper helper;
        helper.SetNetworkAttribute("Corruption", DoubleValue(0.1));
        helper.SetNetworkAttribute("CrcMiss", DoubleValue(1));
        const auto devices = helper.Install(NodeContainer(2));
        std::vector<uint8_t> arrived;
        devices.Get(1)->SetReceiveCallback(
            [&](Ptr<NetDevice>, Ptr<const ns3::Packet> packet, uint16_t, const Address&) {
                arrived.resize(packet->GetSize());
                packet->CopyData(arrived.data(), packet->GetSize());
                return true;
            });
        std::vector<uint8_t> bytes(100, 7);
        devices.Get(0)->Send(Create<ns3::Packet>(bytes.data(), 100),
                             devices.Get(1)->GetAddress(),
                             0x800);
        Simulator::Run();
        bytes.back() = 0xff - 7;
        NS_TEST_EXPECT_MSG_EQ(ListText(arrived), ListText(bytes), "all bytes, the last one wrong");
        Simulator::Destroy();
    }
};

/** A packet that fails the CRC. */
class CrcDropTestCase : public TestCase
{
  public:
    CrcDropTestCase()
        : TestCase("a corrupted packet that fails the CRC is a PhyRxDrop of the receiver")
    {
    }

  private:
    void DoRun() override
    {
        MyrinetHelper helper;
        helper.SetNetworkAttribute("Corruption", DoubleValue(0.1));
        const auto devices = helper.Install(NodeContainer(2));
        uint32_t drops = 0;
        devices.Get(1)->TraceConnectWithoutContext(
            "PhyRxDrop",
            Callback<void, Ptr<const ns3::Packet>>([&drops](Ptr<const ns3::Packet>) { ++drops; }));
        devices.Get(0)->Send(Create<ns3::Packet>(100), devices.Get(1)->GetAddress(), 0x800);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(drops, 1, "drops");
        Simulator::Destroy();
    }
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("myrinet-net-device", Type::SYSTEM)
    {
        for (const std::string topology : {"switch", "clos", "ring"})
        {
            AddTestCase(new ConformanceTestCase(topology, false), TestCase::Duration::QUICK);
        }
        AddTestCase(new ConformanceTestCase("clos", true), TestCase::Duration::QUICK);
        AddTestCase(new LanaiTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CrcDropTestCase, TestCase::Duration::QUICK);
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        // Two cables of 10 m, one switch, and the characters at the receiver: type and data, padded
        // to 8, and CRC; one more for the head.
        constexpr double WAY = 2 * 10 * 4.9 + 125;
        constexpr double CHARACTER = 6.25;
        constexpr double FRAME = 1 + 1008 + 1;
        // A device adds an Ethernet header of 14 bytes.
        constexpr double PACKET = 1 + 1016 + 1;
        // With a LANai, 100 instructions and a DMA of 8 ns a byte at either end.
        constexpr double FIRMWARE = 100 * 1000 / LANAI_CLOCK;
        constexpr double BUS = 8;
        AddTestCase(new CalmLatencyTestCase<MyrinetNetwork>(
                        {{.name = "one switch",
                          .attributes = {{"Cable", "10"}},
                          .frame = WAY + FRAME * CHARACTER,
                          .packet = WAY + PACKET * CHARACTER,
                          .tolerance = 1},
                         {.name = "LANai",
                          .attributes = {{"Cable", "10"}, {"Lanai", "true"}},
                          .frame = WAY + FRAME * CHARACTER + 2 * (FIRMWARE + 1000 * BUS),
                          .packet = WAY + PACKET * CHARACTER + 2 * (FIRMWARE + 1014 * BUS),
                          .tolerance = 2}}),
                    TestCase::Duration::QUICK);
        AddTestCase(new LossTestCase<MyrinetNetwork>(
                        {{.name = "overload"},
                         {.name = "overload, LANai", .attributes = {{"Lanai", "true"}}},
                         {.name = "corruption",
                          .attributes = {{"Corruption", "0.0001"}, {"CrcMiss", "0.1"}},
                          .place = "Myrinet: crc"},
                         {.name = "no buffer",
                          .attributes = {{"ReceiveBuffers", "1"}, {"ReceiveFull", "drop"}},
                          .devices = false,
                          .slow = true},
                         {.name = "timeout",
                          .attributes = {{"Timeout", "62.5ms"}},
                          .place = "Myrinet: nres",
                          .devices = false,
                          .slow = true},
                         {.name = "overwriting",
                          .attributes = {{"StallRate", "10000"},
                                         {"StallLength", "100us"},
                                         {"Overwrite", "0.9"}},
                          .place = "Myrinet: overwrite",
                          .peers = 8,
                          .limit = Seconds(1)}}),
                    TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace myrinet
} // namespace ns3
