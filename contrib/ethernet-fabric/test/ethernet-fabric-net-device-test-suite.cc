/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/ethernet-fabric-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-unicast-net-device.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

/** Routes of flows. */
class FlowRouteTestCase : public TestCase
{
  public:
    FlowRouteTestCase()
        : TestCase("a flow of packets takes one route, and flows spread over routes and planes")
    {
    }

  private:
    /** How the packets of a run differ. */
    enum class Kind : uint8_t
    {
        PORTS,      ///< By the source port of UDP over IPv4.
        SAME,       ///< Not at all.
        FRAGMENTS,  ///< By source port, in second fragments.
        OTHER,      ///< By their first bytes after an Ethernet header of no known protocol.
        LABELS,     ///< By the flow label of IPv6, with equal ports.
        SAME_LABEL, ///< By source port, with equal labels.
        PORTS_6,    ///< By source port over IPv6, without a label.
        TCP_6       ///< The same with TCP.
    };

    /** What a run has shown. */
    struct Seen
    {
        std::vector<uint64_t> routes; ///< Packets by route.
        Time last;                    ///< Time of the last arrival.
    };

    static constexpr uint32_t PACKETS = 64; ///< Packets of a run.
    static constexpr uint32_t SPINES = 4;   ///< Routes in a plane.

    /**
     * Make a packet.
     * @param kind how packets differ
     * @param number its number
     * @return the packet from its IP header on, and its EtherType
     */
    static std::pair<Ptr<Packet>, uint16_t> MakePacket(Kind kind, uint32_t number)
    {
        constexpr uint32_t PAYLOAD = 1000;
        constexpr uint8_t UDP = 17;
        constexpr uint8_t TCP = 6;
        constexpr uint16_t EXPERIMENT = 0x88b5;
        const auto packet = Create<Packet>(PAYLOAD);
        const bool sameLabel = kind == Kind::SAME || kind == Kind::LABELS;
        const auto port = static_cast<uint16_t>(sameLabel ? PORT : PORT + number);
        if (kind == Kind::TCP_6)
        {
            TcpHeader tcp;
            tcp.SetSourcePort(port);
            packet->AddHeader(tcp);
        }
        else
        {
            UdpHeader udp;
            udp.SetSourcePort(port);
            packet->AddHeader(udp);
        }
        if (kind == Kind::OTHER)
        {
            return {packet, EXPERIMENT};
        }
        if (kind <= Kind::FRAGMENTS)
        {
            Ipv4Header ip;
            ip.SetSource("10.0.0.1");
            ip.SetDestination("10.0.0.2");
            ip.SetProtocol(UDP);
            ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
            ip.SetFragmentOffset(kind == Kind::FRAGMENTS ? PAYLOAD : 0);
            packet->AddHeader(ip);
            return {packet, Ipv4L3Protocol::PROT_NUMBER};
        }
        Ipv6Header ip;
        ip.SetSource("2001:db8::1");
        ip.SetDestination("2001:db8::2");
        ip.SetNextHeader(kind == Kind::TCP_6 ? TCP : UDP);
        ip.SetPayloadLength(static_cast<uint16_t>(packet->GetSize()));
        ip.SetFlowLabel(kind == Kind::LABELS ? number + 1 : kind == Kind::SAME_LABEL ? 1 : 0);
        packet->AddHeader(ip);
        return {packet, Ipv6L3Protocol::PROT_NUMBER};
    }

    /**
     * Send packets from one leaf to another.
     * @param kind how they differ
     * @param paths number of path values
     * @param planes number of planes
     * @return what was seen
     */
    Seen Send(Kind kind, uint32_t paths, uint32_t planes = 1)
    {
        const NodeContainer nodes(2);
        FabricHelper helper;
        helper.SetNetworkAttribute("HostsPerLeaf", UintegerValue(1));
        helper.SetNetworkAttribute("Spines", UintegerValue(SPINES));
        helper.SetNetworkAttribute("HostRate", StringValue("1Gbps"));
        helper.SetNetworkAttribute("Paths", UintegerValue(paths));
        helper.SetNetworkAttribute("Planes", UintegerValue(planes));
        const auto devices = helper.Install(nodes);
        Seen seen;
        uint32_t arrived = 0;
        devices.Get(1)->SetReceiveCallback(
            Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>(
                [&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                    ++arrived;
                    seen.last = Simulator::Now();
                    return true;
                }));
        for (uint32_t number = 0; number < PACKETS; ++number)
        {
            const auto [packet, type] = MakePacket(kind, number);
            devices.Get(0)->Send(packet, devices.Get(1)->GetAddress(), type);
        }
        Simulator::Run();
        FabricEngine& engine = FabricHelper::GetNetwork(devices)->GetNativePort()->GetEngine();
        const FabricTopology& topology = engine.GetTopology();
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            for (uint32_t spine = 0; spine < SPINES; ++spine)
            {
                const std::string at = planes > 1 ? messaging::ToText('@', plane) : "";
                const auto name = messaging::ToText("leaf0", at, "-spine", spine, at);
                seen.routes.push_back(engine.GetPortCounters(topology.FindLink(name)).frames);
            }
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(arrived, PACKETS, "each packet arrives");
        return seen;
    }

    /** @param seen what a run has shown @return the number of routes in use. */
    static std::size_t CountRoutes(const Seen& seen)
    {
        return seen.routes.size() - std::ranges::count(seen.routes, uint64_t{0});
    }

    void DoRun() override
    {
        constexpr uint32_t PATHS = 256;
        for (const Kind one : {Kind::SAME, Kind::FRAGMENTS, Kind::OTHER, Kind::SAME_LABEL})
        {
            NS_TEST_EXPECT_MSG_EQ(CountRoutes(Send(one, PATHS)), 1, "one flow, one route");
        }
        for (const Kind many : {Kind::PORTS, Kind::LABELS, Kind::PORTS_6, Kind::TCP_6})
        {
            NS_TEST_EXPECT_MSG_EQ(CountRoutes(Send(many, PATHS)), SPINES, "flows take all routes");
        }
        NS_TEST_EXPECT_MSG_EQ(CountRoutes(Send(Kind::PORTS, 1)), 1, "one path value, one route");

        const Seen one = Send(Kind::PORTS, PATHS);
        const Seen two = Send(Kind::PORTS, PATHS, 2);
        NS_TEST_EXPECT_MSG_EQ(CountRoutes(two), 2 * SPINES, "flows take both planes");
        const double ratio = two.last.GetSeconds() / one.last.GetSeconds();
        NS_TEST_EXPECT_MSG_LT(ratio, 0.7, "two planes have more room than one");
        NS_TEST_EXPECT_MSG_GT(ratio, 0.5, "but not more than twice as much");
        const Seen alone = Send(Kind::SAME, PATHS, 2);
        NS_TEST_EXPECT_MSG_EQ(alone.last, one.last, "a flow has the rate of one plane");
    }

    static constexpr uint16_t PORT = 9; ///< A port.
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
        AddTestCase(new FlowRouteTestCase, TestCase::Duration::QUICK);
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
