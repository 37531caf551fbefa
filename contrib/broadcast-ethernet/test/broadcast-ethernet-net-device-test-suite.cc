/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/broadcast-ethernet-networks.h"
#include "ns3/double.h"
#include "ns3/ethernet-header.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-latency-conformance.h"
#include "ns3/messaging-list-text.h"
#include "ns3/messaging-loss-conformance.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/packet-socket-address.h"
#include "ns3/packet-socket-client.h"
#include "ns3/packet-socket-factory.h"
#include "ns3/packet-socket-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Tests of the network card: conformance, rings, counters, and what runs over it.
 */

namespace ns3
{
namespace ethernet
{
namespace tests
{
namespace
{

/** EtherType of the tests, reserved for experiments. */
constexpr uint16_t PROTOCOL = 0x88b5;

/**
 * Count how often a trace source fires.
 * @param device the device
 * @param source the source
 * @param count the counter, which lives as long as the simulation
 */
void
Count(Ptr<NetDevice> device, const std::string& source, uint32_t& count)
{
    device->TraceConnectWithoutContext(
        source,
        Callback<void, Ptr<const Packet>>([&count](Ptr<const Packet>) { ++count; }));
}

/**
 * Get a device with its type.
 * @param devices devices
 * @param index its index
 * @return the device
 */
Ptr<EthernetNetDevice>
GetCard(const NetDeviceContainer& devices, uint32_t index)
{
    return DynamicCast<EthernetNetDevice>(devices.Get(index));
}

/** Conformance checks of a NetDevice, including UDP and TCP over IPv4 and IPv6. */
class ConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param spacing length of the cable between neighbours [m]
     * @param host whether a HostNetDevice precedes the device
     */
    ConformanceTestCase(uint32_t spacing, bool host)
        : TestCase("the device conforms on a segment, stations " + std::to_string(spacing) +
                   " m apart" + (host ? ", behind a host that charges" : "")),
          m_spacing(spacing),
          m_host(host)
    {
    }

  private:
    void DoRun() override
    {
        messaging::NetDeviceConformance conformance{[this] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(4);
            EthernetHelper helper;
            helper.SetSegmentAttribute("Spacing", DoubleValue(m_spacing));
            network.devices = helper.Install(network.nodes);
            if (m_host)
            {
                messaging::HostHelper host;
                host.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(20)));
                host.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(10)));
                host.SetHostAttribute("CopyRate", StringValue("256Mbps"));
                host.SetDeviceAttribute("SendSystemCalls", UintegerValue(1));
                host.SetDeviceAttribute("SendCopies", UintegerValue(1));
                host.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
                host.SetDeviceAttribute("ReceiveCopies", UintegerValue(1));
                network.devices = host.Install(network.devices);
            }
            return network;
        }};
        conformance.SetPcapHelper<EthernetHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            NetDeviceContainer cards;
            for (uint32_t i = 0; i < network.nodes.GetN(); ++i)
            {
                cards.Add(network.nodes.Get(i)->GetDevice(0));
            }
            return EthernetHelper::AssignStreams(cards, stream);
        };
        if (!m_host)
        {
            conformance.setLink = [](Ptr<NetDevice> device, bool up) {
                DynamicCast<EthernetNetDevice>(device)->SetLinkUp(up);
            };
        }
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms");
        }
    }

    uint32_t m_spacing; ///< Length of the cable between neighbours [m].
    bool m_host;        ///< Whether a HostNetDevice precedes the device.
};

/** Frames are padded to 64 bytes with the FCS; the wire is busy for them and the preamble. */
class FormatTestCase : public TestCase
{
  public:
    FormatTestCase()
        : TestCase("length of frames, and when they arrive")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& [payload, bytes] :
             std::vector<std::pair<uint32_t, uint32_t>>{{0, 64},
                                                        {1, 64},
                                                        {46, 64},
                                                        {47, 65},
                                                        {1500, 1518}})
        {
            NodeContainer nodes(2);
            const auto devices = EthernetHelper().Install(nodes);
            Time arrival;
            uint32_t size = 0;
            uint16_t type = 0;
            devices.Get(1)->SetReceiveCallback(
                [&](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address&) {
                    arrival = Simulator::Now();
                    size = packet->GetSize();
                    type = protocol;
                    return true;
                });
            devices.Get(0)->Send(Create<Packet>(payload), devices.Get(1)->GetAddress(), PROTOCOL);
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(arrival,
                                  NanoSeconds(100 * (64 + 8 * bytes)) + MicroSeconds(1),
                                  "arrival after preamble, frame, and the delay of the segment");
            NS_TEST_EXPECT_MSG_EQ(size,
                                  bytes - HEADER_BYTES - FCS_BYTES,
                                  "size of the packet, with its padding");
            NS_TEST_EXPECT_MSG_EQ(type, PROTOCOL, "EtherType");
            NS_TEST_EXPECT_MSG_EQ(GetCard(devices, 0)->GetCounters().sent, 1, "sent");
            NS_TEST_EXPECT_MSG_EQ(GetCard(devices, 1)->GetCounters().received, 1, "received");
            Simulator::Destroy();
        }
    }
};

/** The transmit ring holds as many frames as descriptors, and counts refused frames. */
class RingTestCase : public TestCase
{
  public:
    RingTestCase()
        : TestCase("a transmit ring that overflows")
    {
    }

  private:
    void DoRun() override
    {
        // 16 descriptors, and the frame on the medium.
        NodeContainer nodes(2);
        const auto devices = EthernetHelper().Install(nodes);
        uint32_t taken = 0;
        for (uint32_t n = 0; n < 30; ++n)
        {
            taken +=
                devices.Get(0)->Send(Create<Packet>(100), devices.Get(1)->GetAddress(), PROTOCOL);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(taken,
                              17,
                              "frames taken: the descriptors of the ring, and one on the wire");
        NS_TEST_EXPECT_MSG_EQ(GetCard(devices, 0)->GetCounters().txRingDrops,
                              13,
                              "frames dropped by the full ring");
        NS_TEST_EXPECT_MSG_EQ(GetCard(devices, 1)->GetCounters().received,
                              17,
                              "frames that arrive");
        Simulator::Destroy();
    }
};

/** Collisions, as counted by a card. */
class CollisionTestCase : public TestCase
{
  public:
    CollisionTestCase()
        : TestCase("collisions, frames given up, and their traces")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t limit : {1U, 16U})
        {
            NodeContainer nodes(3);
            EthernetHelper helper;
            helper.SetSegmentAttribute("AttemptLimit", UintegerValue(limit));
            const auto devices = helper.Install(nodes);
            EthernetHelper::AssignStreams(devices, 1);
            uint32_t begins = 0;
            uint32_t ends = 0;
            uint32_t drops = 0;
            uint32_t sniffed = 0;
            uint32_t foreign = 0;
            std::vector<uint32_t> collisions;
            for (uint32_t n = 0; n < 2; ++n)
            {
                Count(devices.Get(n), "PhyTxBegin", begins);
                Count(devices.Get(n), "PhyTxEnd", ends);
                Count(devices.Get(n), "PhyTxDrop", drops);
                Count(devices.Get(n), "Sniffer", sniffed);
                const uint32_t id = nodes.Get(n)->GetId();
                devices.Get(n)->TraceConnectWithoutContext(
                    "PhyTxDrop",
                    Callback<void, Ptr<const Packet>>([&foreign, id](Ptr<const Packet>) {
                        foreign += Simulator::GetContext() != id;
                    }));
                devices.Get(n)->TraceConnectWithoutContext(
                    "Collision",
                    Callback<void, Ptr<const Packet>, uint32_t>(
                        [&](Ptr<const Packet>, uint32_t attempt) {
                            collisions.push_back(attempt);
                        }));
                devices.Get(n)->Send(Create<Packet>(100), devices.Get(2)->GetAddress(), PROTOCOL);
            }
            Simulator::Run();
            const auto& first = GetCard(devices, 0)->GetCounters();
            const auto& second = GetCard(devices, 1)->GetCounters();
            NS_TEST_EXPECT_MSG_EQ(first.collisions + second.collisions,
                                  collisions.size(),
                                  "traced collisions");
            NS_TEST_EXPECT_MSG_EQ(ends, (limit == 1 ? 0 : 2), "sent");
            NS_TEST_EXPECT_MSG_EQ(drops, (limit == 1 ? 2 : 0), "given up");
            NS_TEST_EXPECT_MSG_EQ(first.excessiveCollisions + second.excessiveCollisions,
                                  drops,
                                  "counted");
            NS_TEST_EXPECT_MSG_EQ(begins,
                                  collisions.size() + ends,
                                  "traced begins: those of all collisions and of frames sent");
            NS_TEST_EXPECT_MSG_EQ(foreign, 0, "calls in the context of another node");
            NS_TEST_EXPECT_MSG_EQ(sniffed, 2, "a sniffer sees each frame once");
            NS_TEST_EXPECT_MSG_EQ(collisions[0], 1, "number of the first collision");
            NS_TEST_EXPECT_MSG_EQ(GetCard(devices, 2)->GetCounters().received, ends, "received");
            Simulator::Destroy();
        }
    }
};

/** An application of ns-3 on packet sockets, from all nodes to one at once. */
class PacketSocketTestCase : public TestCase
{
  public:
    PacketSocketTestCase()
        : TestCase("PacketSocketClient, from four stations at once")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(5);
        const auto devices = EthernetHelper().Install(nodes);
        EthernetHelper::AssignStreams(devices, 1);
        PacketSocketHelper().Install(nodes);
        PacketSocketAddress local;
        local.SetSingleDevice(devices.Get(0)->GetIfIndex());
        local.SetPhysicalAddress(devices.Get(0)->GetAddress());
        local.SetProtocol(PROTOCOL);
        const auto server = Socket::CreateSocket(nodes.Get(0), PacketSocketFactory::GetTypeId());
        server->Bind(local);
        uint32_t received = 0;
        server->SetRecvCallback([&received](Ptr<Socket> socket) {
            while (socket->Recv())
            {
                ++received;
            }
        });
        for (uint32_t n = 1; n < 5; ++n)
        {
            PacketSocketAddress remote;
            remote.SetSingleDevice(devices.Get(n)->GetIfIndex());
            remote.SetPhysicalAddress(devices.Get(0)->GetAddress());
            remote.SetProtocol(PROTOCOL);
            const auto client = CreateObject<PacketSocketClient>();
            client->SetRemote(remote);
            client->SetAttribute("PacketSize", UintegerValue(1000));
            client->SetAttribute("Interval", TimeValue(MilliSeconds(5)));
            client->SetAttribute("MaxPackets", UintegerValue(100));
            nodes.Get(n)->AddApplication(client);
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received, 400, "packets that arrive, at two thirds of the capacity");
        NS_TEST_EXPECT_MSG_GT(EthernetHelper::GetSegment(devices)->GetCounters().collided,
                              0,
                              "collisions of stations that begin at the same time");
        Simulator::Destroy();
    }
};

/** Counts frames of a messaging port. */
class FrameCounter : public messaging::PortUser
{
  public:
    void OnFrame(messaging::Peer self,
                 messaging::Peer /* from */,
                 const messaging::Frame& frame) override
    {
        ++received[self];
        intact = intact && frame.payload == 700 && frame.contents == 42;
    }

    void OnReady(messaging::Peer /* self */) override
    {
    }

    std::map<messaging::Peer, uint32_t> received; ///< Frames by receiver.
    bool intact{true};                            ///< All frames are unmodified.
};

/** The ports of the module messaging: a broadcast is one frame on the wire. */
class PortTestCase : public TestCase
{
  public:
    PortTestCase()
        : TestCase("NetDevicePort and UdpPort broadcast in one frame")
    {
    }

  private:
    /**
     * Broadcast a frame, and check its receivers.
     * @param port the port
     * @param segment the segment
     */
    template <class Port>
    void Broadcast(Ptr<Port> port, Ptr<EthernetSegment> segment)
    {
        FrameCounter counter;
        port->SetUser(&counter);
        const messaging::Frame frame{.contents = 42, .payload = 700, .header = 20};
        Simulator::Schedule(MilliSeconds(1), [&] { port->Send(2, messaging::NO_PEER, frame); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(messaging::tests::ListText(counter.received),
                              "0:1, 1:1, 3:1",
                              "each other peer receives it once");
        NS_TEST_EXPECT_MSG_EQ(counter.intact, true, "its fields are intact");
        NS_TEST_EXPECT_MSG_EQ(segment->GetCounters().sent, 1, "frames on the segment");
        Simulator::Destroy();
    }

    void DoRun() override
    {
        {
            NodeContainer nodes(4);
            const auto devices = EthernetHelper().Install(nodes);
            const auto clock = CreateObject<messaging::TickClock>();
            const auto port = CreateObject<messaging::NetDevicePort>();
            port->Connect(clock, devices);
            Broadcast(port, EthernetHelper::GetSegment(devices));
        }
        NodeContainer nodes(4);
        const auto devices = EthernetHelper().Install(nodes);
        InternetStackHelper internet;
        internet.SetIpv6StackInstall(false);
        internet.Install(nodes);
        const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        std::vector<Address> addresses;
        for (uint32_t n = 0; n < 4; ++n)
        {
            addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(n), 4711));
        }
        const auto clock = CreateObject<messaging::TickClock>();
        const auto port = CreateObject<messaging::UdpPort>();
        port->Connect(clock, nodes, addresses, InetSocketAddress(Ipv4Address("10.0.0.255"), 4711));
        Broadcast(port, EthernetHelper::GetSegment(devices));
    }
};

/** The test suite of the device. */
class NetDeviceTestSuite : public TestSuite
{
  public:
    NetDeviceTestSuite()
        : TestSuite("broadcast-ethernet-net-device", Type::SYSTEM)
    {
        using messaging::tests::CalmLatencyTestCase;
        using messaging::tests::LossTestCase;
        std::vector<messaging::tests::CalmLatency> segment;
        std::vector<messaging::tests::CalmLatency> lan;
        for (const uint32_t bytes : {20, 1000, 1400})
        {
            // Preamble, header, payload of at least 46 bytes, and checksum.
            const double bits =
                PREAMBLE_BITS + 8 * (HEADER_BYTES + std::max(bytes, 46U) + FCS_BYTES);
            const double shared = bits * 100 + 1000;
            segment.push_back({.name = "segment",
                               .bytes = bytes,
                               .frame = shared,
                               .packet = shared,
                               .tolerance = 1,
                               .header = 16});
            const double switched = 2 * (bits * 10 + 100) + 10000;
            lan.push_back({.name = "switch",
                           .attributes = {{"DataRate", "100Mbps"},
                                          {"Delay", "100ns"},
                                          {"ForwardingLatency", "10us"}},
                           .bytes = bytes,
                           .frame = switched,
                           .packet = switched,
                           .tolerance = 1,
                           .header = 16});
        }
        AddTestCase(new CalmLatencyTestCase<SegmentNetwork>(segment), Duration::QUICK);
        AddTestCase(new CalmLatencyTestCase<SwitchNetwork>(lan), Duration::QUICK);
        AddTestCase(new LossTestCase<SegmentNetwork>({{.name = "collisions"},
                                                      {.name = "few attempts",
                                                       .attributes = {{"AttemptLimit", "2"}},
                                                       .place = "transmission of node",
                                                       .peers = 8},
                                                      {.name = "late collisions",
                                                       .attributes = {{"Delay", "60us"}},
                                                       .place = "transmission of node",
                                                       .broadcast = true}}),
                    Duration::QUICK);
        AddTestCase(
            new LossTestCase<SwitchNetwork>(
                {{.name = "overload",
                  .attributes = {{"BufferSize", "4"}},
                  .place = "switch 0 port 0: "},
                 {.name = "broadcast",
                  .attributes = {{"BufferSize", "4"}, {"BufferSharing", "complete"}},
                  .place = "switch 0 port",
                  .broadcast = true},
                 {.name = "trunks",
                  .attributes = {{"BufferSize", "4"}, {"Switches", "3"}, {"TrunkRate", "10Mbps"}},
                  .place = "switch 3 port",
                  .peers = 9,
                  .broadcast = true},
                 {.name = "loss",
                  .attributes = {{"Loss", "0.1"}},
                  .place = "switch 0 port 1: loss",
                  .broadcast = true}}),
            Duration::QUICK);
        AddTestCase(new ConformanceTestCase(0, false), TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase(100, false), TestCase::Duration::QUICK);
        AddTestCase(new ConformanceTestCase(100, true), TestCase::Duration::QUICK);
        AddTestCase(new FormatTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RingTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CollisionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PacketSocketTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PortTestCase, TestCase::Duration::QUICK);
    }
};

NetDeviceTestSuite g_netDeviceTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace ethernet
} // namespace ns3
