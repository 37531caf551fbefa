/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-toy-cores.h"

#include "ns3/boolean.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/node-container.h"
#include "ns3/pointer.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of frames as packets: the codec, the port over devices, the port over UDP.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Records arrivals. */
class Receiver : public PortUser
{
  public:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        m_from.emplace_back(self, from);
        m_frames.push_back(frame);
    }

    void OnReady(Peer self) override
    {
        m_ready.push_back(self);
    }

    std::vector<std::pair<Peer, Peer>> m_from; ///< Receivers and senders of all arrivals.
    std::vector<Frame> m_frames;               ///< All arrivals.
    std::vector<Peer> m_ready;                 ///< All upcalls of OnReady.
};

/** Frames are encoded into packets and decoded, and any damage is detected. */
class CodecCase : public TestCase
{
  public:
    CodecCase()
        : TestCase("a frame survives as a packet, and every damaged byte shows")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t payload : {0U, 1U, 7U, 8U, 9U, 100U, 1400U})
        {
            for (const uint16_t header : {0, 1, 16, 35, 36, 100})
            {
                const Frame frame{0x123456789abcdef0,
                                  0xfedcba9876543210,
                                  7,
                                  payload,
                                  0xabcdef01,
                                  header,
                                  3,
                                  0x81};
                auto packet = MakePacket(frame);
                NS_TEST_EXPECT_MSG_EQ(packet->GetSize(),
                                      (header == 0 ? 36 : header) + payload,
                                      "size on the wire");
                packet->AddPaddingAtEnd(10);
                const auto read = ReadPacket(packet);
                NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "readable");
                NS_TEST_EXPECT_MSG_EQ((read->frame == frame), true, "every field");
                NS_TEST_EXPECT_MSG_EQ(read->intact, true, "and intact");
            }
        }
        const Frame frame{42, 43, 1, 50, 2, 40, 1, 0};
        auto packet = MakePacket(frame);
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            auto damaged = bytes;
            damaged[i] ^= static_cast<uint8_t>(1 << (i % 8));
            const auto read =
                ReadPacket(Create<Packet>(damaged.data(), static_cast<uint32_t>(damaged.size())));
            if (i < FrameHeader::SIZE)
            {
                NS_TEST_EXPECT_MSG_EQ(read.has_value(),
                                      false,
                                      "byte " << i << " belongs to the header");
            }
            else if (i >= 40)
            {
                NS_TEST_ASSERT_MSG_EQ(read.has_value(),
                                      true,
                                      "byte " << i << " belongs to the payload");
                NS_TEST_EXPECT_MSG_EQ(read->intact, false, "byte " << i << " is damaged");
                NS_TEST_EXPECT_MSG_NE(read->frame.contents,
                                      frame.contents,
                                      "and the contents differ");
            }
        }
        // The same with a header too short for the fields, which then follow it.
        const Frame brief{42, 43, 1, 20, 2, 16, 1, 0};
        packet = MakePacket(brief);
        for (uint32_t i = 0; i < packet->GetSize(); ++i)
        {
            uint8_t byte = 0;
            packet->CreateFragment(i, 1)->CopyData(&byte, 1);
            byte ^= static_cast<uint8_t>(1 << (i % 8));
            auto damaged = packet->CreateFragment(0, i);
            damaged->AddAtEnd(Create<Packet>(&byte, 1));
            damaged->AddAtEnd(packet->CreateFragment(i + 1, packet->GetSize() - i - 1));
            const auto read = ReadPacket(damaged);
            NS_TEST_EXPECT_MSG_EQ(read.has_value(), (i >= brief.header), "damage of byte " << i);
            NS_TEST_EXPECT_MSG_EQ((read.has_value() && read->intact), false, "byte " << i);
        }
        const auto head = [](const Frame& frame) {
            std::vector<uint8_t> written(frame.header);
            MakePacket(frame)->CopyData(written.data(), frame.header);
            return written;
        };
        for (const Frame& other : {Frame{46, 43, 1, 20, 2, 16, 1, 0},
                                   Frame{42, 47, 1, 20, 2, 16, 1, 0},
                                   Frame{42, 43, 5, 20, 2, 16, 1, 0},
                                   Frame{42, 43, 1, 24, 2, 16, 1, 0},
                                   Frame{42, 43, 1, 20, 6, 16, 1, 0},
                                   Frame{42, 43, 1, 20, 2, 16, 5, 0},
                                   Frame{42, 43, 1, 20, 2, 16, 1, 4}})
        {
            NS_TEST_EXPECT_MSG_EQ((head(other) == head(brief)),
                                  false,
                                  "the bytes follow from every field");
        }
        for (uint32_t size = 0; size < packet->GetSize(); ++size)
        {
            const auto read = ReadPacket(packet->CreateFragment(0, size));
            NS_TEST_EXPECT_MSG_EQ(read.has_value(), false, "cut off after " << size << " bytes");
        }
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            const auto read = ReadPacket(Create<Packet>(bytes.data(), static_cast<uint32_t>(size)));
            NS_TEST_EXPECT_MSG_EQ(read.has_value(), false, "cut off after " << size << " bytes");
        }
    }
};

/** A port over csma: all to all, broadcast, to itself, and a full queue. */
class CsmaCase : public TestCase
{
  public:
    CsmaCase()
        : TestCase("frames over csma devices")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes;
        nodes.Create(4);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
        csma.SetChannelAttribute("Delay", StringValue("2us"));
        csma.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("8p"));
        const auto devices = csma.Install(nodes);
        auto clock = CreateObject<TickClock>();
        auto port = CreateObject<NetDevicePort>();
        port->Connect(clock, devices);
        Receiver receiver;
        port->SetUser(&receiver);
        const Frame frame{1, 2, 0, 1000, 0, 36, 0, 0};
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().mtu, 1500 - 36, "room for the header");
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().broadcast, true, "csma can broadcast");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 2000, "2 us of delay in ns");
        NS_TEST_EXPECT_MSG_EQ(port->WireTicks(frame), 1036 * 80, "80 ns a byte");

        for (Peer from = 0; from < 4; ++from)
        {
            for (Peer to = 0; to < 4; ++to)
            {
                Simulator::Schedule(MicroSeconds(200 * (4 * from + to)), [=]() {
                    port->Send(from, to, Frame{from * 10 + to, 5, from, 1000, 0, 36, 0, 0});
                });
            }
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(receiver.m_frames.size(),
                              16,
                              "every peer has received from every other");
        for (uint32_t i = 0; i < 16; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(receiver.m_from[i].first, i % 4, "receiver");
            NS_TEST_EXPECT_MSG_EQ(receiver.m_from[i].second, i / 4, "sender");
            NS_TEST_EXPECT_MSG_EQ(receiver.m_frames[i].id, (i / 4) * 10 + i % 4, "frame");
        }

        port->Send(2, NO_PEER, frame);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(receiver.m_frames.size(), 19, "a broadcast reaches the three others");

        receiver.m_frames.clear();
        uint32_t accepted = 0;
        while (accepted < 100 && port->Send(0, 1, frame))
        {
            ++accepted;
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(accepted, 5, "the queue takes some");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(accepted, 9, "eight at most, and one on the wire");
        NS_TEST_EXPECT_MSG_EQ(receiver.m_ready.empty(), true, "no sender is called back at once");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(receiver.m_frames.size(), accepted, "nothing that was taken is lost");
        NS_TEST_EXPECT_MSG_EQ(receiver.m_ready.size(), 1, "a busy sender is called back once");
        port->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** Posts messages from peer 0 to all others, and from them to peer 0. */
class Source : public GroupUser
{
  public:
    void OnDeliver(Peer, const Delivery&) override
    {
    }

    void OnComplete(Peer self, RequestId, Completion) override
    {
        OnReady(self);
    }

    void OnReady(Peer self) override
    {
        while (m_left[self] > 0)
        {
            const Peer to = self > 0 ? 0 : 1 + m_left[self] % (m_group->GetNPeers() - 1);
            const Request request{m_left[self],
                                  3 * m_left[self] + self,
                                  to,
                                  m_left[self] * 7,
                                  self,
                                  0};
            if (m_group->Post(self, request) != Acceptance::ACCEPTED)
            {
                return;
            }
            --m_left[self];
        }
    }

    Ptr<MessageGroup> m_group;                        ///< The group.
    std::vector<uint32_t> m_left{100, 100, 100, 100}; ///< Remaining messages by peer.
};

/**
 * Run a protocol over a port until everything is delivered.
 * @param clock the clock
 * @param port the port
 * @return the audit, finished
 */
Ptr<DeliveryAudit>
RunProtocol(Ptr<TickClock> clock, Ptr<PacketPort> port)
{
    auto group = CreateObject<CoreGroup<AlternatingBit, PacketPort>>();
    const auto n = port->GetNPeers();
    group->Connect(clock, port, [n](Peer peer) {
        return AlternatingBit(peer, n, Flaw::NONE, 1000000);
    });
    auto audit = CreateObject<DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(true));
    audit->SetGroup(group);
    Source source;
    source.m_group = audit;
    audit->SetUser(&source);
    for (Peer peer = 0; peer < n; ++peer)
    {
        Simulator::Schedule(MilliSeconds(1), [&source, peer]() { source.OnReady(peer); });
    }
    Simulator::Run();
    audit->Finish();
    source.m_group = nullptr;
    audit->Dispose();
    group->Dispose();
    port->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return audit;
}

/** A protocol core over devices and over UDP, with a device that drops. */
class ProtocolCase : public TestCase
{
  public:
    ProtocolCase()
        : TestCase("a protocol core over csma, SimpleNetDevice and UDP, with losses")
    {
    }

  private:
    /**
     * Expect a clean audit.
     * @param audit the audit
     * @param messages number of messages
     * @param where name of the network
     */
    void ExpectClean(Ptr<DeliveryAudit> audit, uint64_t messages, const std::string& where)
    {
        NS_TEST_EXPECT_MSG_EQ(audit->IsClean(), true, where << ": " << audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered,
                              messages,
                              where << ": all have arrived");
    }

    void DoRun() override
    {
        {
            NodeContainer nodes;
            nodes.Create(4);
            CsmaHelper csma;
            csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
            const auto devices = csma.Install(nodes);
            auto errors = CreateObject<RateErrorModel>();
            errors->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
            errors->SetAttribute("ErrorRate", DoubleValue(0.1));
            errors->AssignStreams(1);
            devices.Get(0)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            auto clock = CreateObject<TickClock>();
            auto port = CreateObject<NetDevicePort>();
            port->Connect(clock, devices);
            ExpectClean(RunProtocol(clock, port), 400, "csma");
        }
        {
            NodeContainer nodes;
            nodes.Create(2);
            SimpleNetDeviceHelper link;
            const auto devices = link.Install(nodes);
            auto clock = CreateObject<TickClock>();
            auto port = CreateObject<NetDevicePort>();
            port->Connect(clock, devices);
            ExpectClean(RunProtocol(clock, port), 200, "SimpleNetDevice");
        }
        {
            NodeContainer nodes;
            nodes.Create(4);
            CsmaHelper csma;
            const auto devices = csma.Install(nodes);
            InternetStackHelper().Install(nodes);
            Ipv4AddressHelper ip("10.0.0.0", "255.255.255.0");
            const auto interfaces = ip.Assign(devices);
            std::vector<Address> addresses;
            for (uint32_t i = 0; i < 4; ++i)
            {
                addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), 4711));
            }
            auto clock = CreateObject<TickClock>();
            auto port = CreateObject<UdpPort>();
            port->Connect(clock, nodes, addresses);
            ExpectClean(RunProtocol(clock, port), 400, "UDP");
        }
    }
};

/** A frame to all others reaches each of them once over UDP, and not its sender. */
class UdpBroadcastCase : public TestCase
{
  public:
    UdpBroadcastCase()
        : TestCase("a broadcast over UDP reaches all others once")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes;
        nodes.Create(4);
        const auto devices = CsmaHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        std::vector<Address> addresses;
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), 4711));
        }
        auto clock = CreateObject<TickClock>();
        auto alone = CreateObject<UdpPort>();
        alone->Connect(clock, nodes, addresses);
        NS_TEST_EXPECT_MSG_EQ(alone->GetInfo().broadcast, false, "no address to broadcast to");
        alone->Dispose();

        auto port = CreateObject<UdpPort>();
        port->Connect(clock, nodes, addresses, InetSocketAddress("10.0.0.255", 4711));
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().broadcast, true, "an address to broadcast to");
        Receiver receiver;
        port->SetUser(&receiver);
        Simulator::Schedule(Seconds(1), [port] {
            port->Send(1, NO_PEER, Frame{.id = 5, .contents = 7, .source = 1, .payload = 100});
        });
        Simulator::Run();
        std::sort(receiver.m_from.begin(), receiver.m_from.end());
        const std::vector<std::pair<Peer, Peer>> expected{{0, 1}, {2, 1}, {3, 1}};
        NS_TEST_EXPECT_MSG_EQ((receiver.m_from == expected), true, "each other peer once");
        Simulator::Destroy();
    }
};

/** The suite. */
class PacketPortTestSuite : public TestSuite
{
  public:
    PacketPortTestSuite()
        : TestSuite("messaging-packet-port", Type::UNIT)
    {
        AddTestCase(new CodecCase, TestCase::Duration::QUICK);
        AddTestCase(new CsmaCase, TestCase::Duration::QUICK);
        AddTestCase(new ProtocolCase, TestCase::Duration::QUICK);
        AddTestCase(new UdpBroadcastCase, TestCase::Duration::QUICK);
    }
};

PacketPortTestSuite g_packetPortTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
