/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/ethernet-fabric-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{
namespace fabric
{
namespace tests
{

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class ConformanceTestCase : public TestCase
{
  public:
    /** Construct. @param topology shape of the network */
    ConformanceTestCase(const std::string& topology)
        : TestCase("the device conforms: " + topology),
          m_topology(topology)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(9);
            FabricHelper helper;
            helper.SetNetworkAttribute("Topology", StringValue(m_topology));
            network.devices = helper.Install(network.nodes);
            return network;
        }};
        // The device answers address requests itself.
        conformance.SetPcapHelper<FabricHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return FabricHelper::AssignStreams(network.devices, stream);
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
};

/** Marks of the fabric in IP headers, and TCP's reaction. */
class IpMarkTestCase : public TestCase
{
  public:
    IpMarkTestCase()
        : TestCase("a marked packet has CE in its IP header; TCP with ECN reacts to it")
    {
    }

  private:
    /** What a run has shown. */
    struct Seen
    {
        uint64_t packets{0};  ///< Packets of data that have arrived.
        uint64_t marked{0};   ///< Those with CE.
        uint64_t echoes{0};   ///< Answers with ECE at a sender.
        uint64_t received{0}; ///< Bytes that the application has received.
    };

    /**
     * Let two hosts send to a third one by TCP.
     * @param ecn whether TCP uses ECN
     * @param low threshold of marks [bytes]
     * @return what was seen
     */
    Seen RunTcp(bool ecn, const std::string& low)
    {
        constexpr uint32_t BYTES = 2'000'000;
        Config::SetDefault("ns3::TcpSocketBase::UseEcn", StringValue(ecn ? "On" : "Off"));
        NodeContainer nodes(3);
        FabricHelper fabric;
        fabric.SetNetworkAttribute("Topology", StringValue("switch"));
        fabric.SetNetworkAttribute("HostRate", StringValue("10Gbps"));
        fabric.SetNetworkAttribute("Ecn", StringValue("step"));
        fabric.SetNetworkAttribute("EcnLow", StringValue(low));
        const auto devices = fabric.Install(nodes);
        InternetStackHelper().Install(nodes);
        const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.0.0.0").Assign(devices);
        Seen seen;
        const auto look = [&seen](const Ipv4Header& header, Ptr<const Packet> packet, uint32_t) {
            TcpHeader tcp;
            packet->PeekHeader(tcp);
            seen.packets += packet->GetSize() > tcp.GetSerializedSize() ? 1 : 0;
            seen.marked += header.GetEcn() == Ipv4Header::ECN_CE ? 1 : 0;
            const bool isAnswer = tcp.GetSourcePort() == PORT;
            const uint8_t syn = TcpHeader::SYN;
            seen.echoes +=
                isAnswer && (tcp.GetFlags() & TcpHeader::ECE) && !(tcp.GetFlags() & syn) ? 1 : 0;
        };
        const Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t> observer(look);
        for (uint32_t node = 0; node < nodes.GetN(); ++node)
        {
            nodes.Get(node)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext("LocalDeliver",
                                                                                     observer);
        }
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        const auto sinks = sink.Install(nodes.Get(0));
        BulkSendHelper bulk("ns3::TcpSocketFactory",
                            InetSocketAddress(interfaces.GetAddress(0), PORT));
        bulk.SetAttribute("MaxBytes", UintegerValue(BYTES));
        bulk.Install(nodes.Get(1));
        bulk.Install(nodes.Get(2));
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        seen.received = DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx();
        Simulator::Destroy();
        Config::Reset();
        NS_TEST_EXPECT_MSG_EQ(seen.received, 2 * BYTES, "all bytes arrive");
        return seen;
    }

    void DoRun() override
    {
        const Seen marked = RunTcp(true, "30000");
        NS_TEST_EXPECT_MSG_GT(marked.marked, 0, "packets are marked");
        NS_TEST_EXPECT_MSG_LT(marked.marked, marked.packets, "not all of them");
        NS_TEST_EXPECT_MSG_GT(marked.echoes, 0, "TCP returns the marks");
        const Seen calm = RunTcp(true, "1000000");
        NS_TEST_EXPECT_MSG_EQ(calm.marked, 0, "short queues do not mark");
        NS_TEST_EXPECT_MSG_EQ(calm.echoes, 0, "nothing is returned");
        const Seen blind = RunTcp(false, "30000");
        NS_TEST_EXPECT_MSG_EQ(blind.marked, 0, "a sender without ECN gets no mark");
    }

    static constexpr uint16_t PORT = 9; ///< Port of the receiver.
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("ethernet-fabric-net-device", Type::SYSTEM)
    {
        for (const std::string topology : {"switch", "leaf-spine", "fat-tree"})
        {
            AddTestCase(new ConformanceTestCase(topology), TestCase::Duration::QUICK);
        }
        AddTestCase(new IpMarkTestCase, TestCase::Duration::QUICK);
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        // At 100 Gb/s a byte takes 80 ps. Each store-and-forward link takes the preamble and the
        // frame, 1000 bytes with 46 of overhead; a packet has an Ethernet header and a checksum.
        constexpr double FRAME = 0.08 * (8 + 1000 + 46);
        constexpr double PACKET = 0.08 * (8 + 1000 + 14 + 4);
        // A head: preamble and 64 bytes.
        constexpr double HEAD = 0.08 * (8 + 64);
        const std::vector<std::pair<std::string, std::string>> slow{{"HostRate", "100Gbps"},
                                                                    {"Delay", "300ns"},
                                                                    {"Latency", "200ns"}};
        const auto with = [&](std::vector<std::pair<std::string, std::string>> more) {
            more.insert(more.end(), slow.begin(), slow.end());
            return more;
        };
        AddTestCase(new CalmLatencyTestCase<FabricNetwork>(
                        {{.name = "one switch",
                          .attributes = with({{"Topology", "switch"}}),
                          .frame = 2 * (300 + FRAME) + 200,
                          .packet = 2 * (300 + PACKET) + 200,
                          .tolerance = 1},
                         {.name = "leaf and spine",
                          .attributes = with({{"HostsPerLeaf", "1"}}),
                          .frame = 4 * (300 + FRAME) + 3 * 200,
                          .packet = 4 * (300 + PACKET) + 3 * 200,
                          .tolerance = 1},
                         {.name = "leaf and spine, cut-through",
                          .attributes = with({{"HostsPerLeaf", "1"}, {"Switching", "cut-through"}}),
                          .frame = 4 * 300 + 3 * (HEAD + 200) + FRAME,
                          .packet = 4 * 300 + 3 * (HEAD + 200) + PACKET,
                          .tolerance = 1},
                         {.name = "fat tree, one host for each leaf and pod",
                          .attributes = with({{"Topology", "fat-tree"}, {"Radix", "2"}}),
                          .frame = 6 * (300 + FRAME) + 5 * 200,
                          .packet = 6 * (300 + PACKET) + 5 * 200,
                          .tolerance = 1,
                          .peers = 2},
                         {.name = "faster trunks",
                          .attributes = with({{"HostsPerLeaf", "1"}, {"TrunkRate", "400Gbps"}}),
                          .frame = 4 * 300 + 2.5 * FRAME + 3 * 200,
                          .packet = 4 * 300 + 2.5 * PACKET + 3 * 200,
                          .tolerance = 1}}),
                    TestCase::Duration::QUICK);
        AddTestCase(
            new LossTestCase<FabricNetwork>(
                {{.name = "overload"},
                 {.name = "small buffers",
                  .attributes = {{"Buffer", "6000"}},
                  .place = "leaf: full queue"},
                 {.name = "shared buffer",
                  .attributes = {{"Buffer", "30000"}, {"Sharing", "dynamic"}},
                  .place = "leaf: full queue"},
                 {.name = "trimming",
                  .attributes = {{"Admission", "trim"},
                                 {"TrimThreshold", "6000"},
                                 {"HeaderQueue", "640"}},
                  .place = "leaf: full queue of headers"},
                 {.name = "trimmed frames",
                  .attributes = {{"Admission", "trim"}, {"TrimThreshold", "6000"}},
                  .place = "host: trimmed frame"},
                 {.name = "PFC",
                  .attributes = {{"Admission", "pfc"}, {"PfcXoff", "5000"}, {"PfcResume", "3000"}}},
                 {.name = "PFC with too little headroom",
                  .attributes = {{"Admission", "pfc"},
                                 {"PfcXoff", "12000"},
                                 {"PfcResume", "3000"},
                                 {"PfcHeadroom", "3000"}},
                  .place = "leaf: headroom exceeded"},
                 {.name = "bit errors",
                  .attributes = {{"BitErrors", "1e-5"}},
                  .place = "leaf: bit error"},
                 {.name = "bit errors, cut-through",
                  .attributes = {{"BitErrors", "1e-5"}, {"Switching", "cut-through"}},
                  .place = "host: bit error"},
                 {.name = "a flapping link",
                  .attributes = {{"Faults", "1us host0 flap 2us 1us 20"}, {"Convergence", "1us"}},
                  .place = "leaf: link down"}}),
            TestCase::Duration::QUICK);
    }
};

static NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace tests
} // namespace fabric
} // namespace ns3
