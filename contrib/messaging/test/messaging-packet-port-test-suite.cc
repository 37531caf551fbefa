/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"
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
    /**
     * Make a packet of a frame, and read it.
     * @param payload size of its payload [bytes]
     * @param header size of its header [bytes], or 0
     * @param words number of its words
     * @param trafficClass its class of traffic
     */
    void Survive(uint32_t payload, uint16_t header, uint32_t words, uint8_t trafficClass)
    {
        Frame frame{.id = 0x123456789abcdef0,
                    .contents = 0xfedcba9876543210,
                    .payload = payload,
                    .aux = 0xabcdef01,
                    .header = header,
                    .path = 0xfedc,
                    .kind = 3,
                    .flags = 0x81,
                    .trafficClass = trafficClass};
        for (uint32_t i = 0; i < words; ++i)
        {
            frame.words.push_back(0x89abcdef + i);
        }
        auto packet = MakePacket(frame);
        const uint32_t fields = 36 + 4 * words;
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(),
                              (header == 0 ? fields : header) + payload,
                              "size on the wire");
        NS_TEST_EXPECT_MSG_EQ(GetHeaderBytes(frame),
                              packet->GetSize() - payload,
                              "bytes of the header");
        packet->AddPaddingAtEnd(10);
        const auto read = ReadPacket(packet);
        NS_TEST_ASSERT_MSG_EQ(read.has_value(), true, "the packet can be read");
        NS_TEST_EXPECT_MSG_EQ((read->frame == frame), true, "every field of the frame is restored");
        NS_TEST_EXPECT_MSG_EQ(read->intact, true, "the frame is intact");
    }

    /**
     * Change a bit of each byte of a packet in turn.
     * @param frame the frame of the packet, whose header is long enough for its fields
     */
    void Damage(const Frame& frame)
    {
        const auto packet = MakePacket(frame);
        const uint32_t header = packet->GetSize() - frame.payload;
        const uint32_t fields = 36 + 4 * frame.words.size();
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            auto damaged = bytes;
            damaged[i] ^= static_cast<uint8_t>(1 << (i % 8));
            const auto read =
                ReadPacket(Create<Packet>(damaged.data(), static_cast<uint32_t>(damaged.size())));
            const bool ofFields = i < fields;
            const bool ofPayload = i >= header;
            NS_TEST_ASSERT_MSG_EQ(read.has_value(),
                                  !ofFields,
                                  "the packet can be read after damage of byte " << i);
            if (ofPayload)
            {
                NS_TEST_EXPECT_MSG_EQ(read->intact,
                                      false,
                                      "the frame is not intact after damage of byte " << i);
                NS_TEST_EXPECT_MSG_NE(read->frame.contents,
                                      frame.contents,
                                      "the contents differ after damage of byte " << i);
            }
        }
        for (std::size_t size = 0; size < bytes.size(); ++size)
        {
            const auto read = ReadPacket(Create<Packet>(bytes.data(), static_cast<uint32_t>(size)));
            NS_TEST_EXPECT_MSG_EQ(read.has_value(),
                                  false,
                                  "a packet cut off after " << size << " bytes cannot be read");
        }
    }

    void DoRun() override
    {
        for (const uint32_t payload : {0U, 1U, 7U, 8U, 9U, 100U, 1400U})
        {
            for (const uint16_t header : {0, 1, 16, 35, 36, 100})
            {
                for (const uint32_t words : {0U, 1U, 2U, 40U, 5000U})
                {
                    Survive(payload, header, words, words == 2 ? 200 : 15);
                }
            }
        }
        const Frame frame{.id = 42,
                          .contents = 43,
                          .payload = 50,
                          .aux = 2,
                          .header = 40,
                          .kind = 1};
        Damage(frame);
        Frame listed = frame;
        listed.words = {7, 0, 0xffffffff};
        listed.header = 60;
        listed.path = 3;
        listed.trafficClass = 2;
        Damage(listed);
        listed.header = 0;
        Damage(listed);
        for (const uint32_t words : {0U, 3U})
        {
            DamageBrief(words);
        }
    }

    /**
     * Change a bit of each byte of a packet whose header is too short for the fields.
     * @param words number of words of the frame
     */
    void DamageBrief(uint32_t words)
    {
        Frame brief{.id = 42, .contents = 43, .payload = 20, .aux = 2, .header = 16, .kind = 1};
        for (uint32_t i = 0; i < words; ++i)
        {
            brief.words.push_back(i);
        }
        const auto packet = MakePacket(brief);
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
            NS_TEST_EXPECT_MSG_EQ((read.has_value() && read->intact),
                                  false,
                                  "the frame is not intact after damage of byte " << i);
        }
        const auto head = [](const Frame& frame) {
            std::vector<uint8_t> written(frame.header);
            MakePacket(frame)->CopyData(written.data(), frame.header);
            return written;
        };
        // Each field, and the length of the list.
        std::vector<Frame> others(10, brief);
        others[0].id = 46;
        others[1].contents = 47;
        others[2].payload = 24;
        others[3].aux = 6;
        others[4].kind = 5;
        others[5].flags = 4;
        others[6].path = 1;
        others[7].trafficClass = 1;
        others[8].words.push_back(0);
        others[9].words.push_back(1);
        for (std::size_t i = 0; i < others.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_NE(ListText(head(others[i])),
                                  ListText(head(brief)),
                                  "the header depends on field " << i);
        }
        for (uint32_t size = 0; size < packet->GetSize(); ++size)
        {
            const auto read = ReadPacket(packet->CreateFragment(0, size));
            NS_TEST_EXPECT_MSG_EQ(read.has_value(),
                                  false,
                                  "a packet cut off after " << size << " bytes cannot be read");
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
        const Frame frame{.id = 1, .contents = 2, .payload = 1000, .header = 36};
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().mtu,
                              1500 - 36,
                              "the largest frame leaves room for the header");
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().broadcast, true, "csma can broadcast");
        NS_TEST_EXPECT_MSG_EQ(port->Distance(0, 1), 2000, "2 us of delay in ns");
        NS_TEST_EXPECT_MSG_EQ(port->WireTicks(frame),
                              1036 * 80,
                              "time of a frame on the wire, 80 ns a byte");

        for (Peer from = 0; from < 4; ++from)
        {
            for (Peer to = 0; to < 4; ++to)
            {
                Simulator::Schedule(MicroSeconds(200 * (4 * from + to)), [=]() {
                    port->Send(
                        from,
                        to,
                        Frame{.id = from * 10 + to, .contents = 5, .payload = 1000, .header = 36});
                });
            }
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(receiver.m_frames.size(),
                              16,
                              "every peer has received from every other");
        for (uint32_t i = 0; i < 16; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(receiver.m_from[i].first, i % 4, "receiver of arrival " << i);
            NS_TEST_EXPECT_MSG_EQ(receiver.m_from[i].second, i / 4, "sender of arrival " << i);
            NS_TEST_EXPECT_MSG_EQ(receiver.m_frames[i].id,
                                  (i / 4) * 10 + i % 4,
                                  "frame of arrival " << i);
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
        NS_TEST_EXPECT_MSG_GT_OR_EQ(accepted, 5, "frames that the queue accepts at least");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(
            accepted,
            9,
            "frames accepted at most, eight in the queue and one on the wire");
        NS_TEST_EXPECT_MSG_EQ(receiver.m_ready.empty(),
                              true,
                              "no sender is called back within its call");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(receiver.m_frames.size(), accepted, "all accepted frames arrive");
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
                              where << ": messages delivered");
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
        NS_TEST_EXPECT_MSG_EQ(alone->GetInfo().broadcast,
                              false,
                              "no broadcast without a broadcast address");
        alone->Dispose();

        auto port = CreateObject<UdpPort>();
        port->Connect(clock, nodes, addresses, InetSocketAddress("10.0.0.255", 4711));
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().broadcast,
                              true,
                              "broadcast with a broadcast address");
        Receiver receiver;
        port->SetUser(&receiver);
        Simulator::Schedule(Seconds(1), [port] {
            port->Send(1, NO_PEER, Frame{.id = 5, .contents = 7, .payload = 100});
        });
        Simulator::Run();
        std::sort(receiver.m_from.begin(), receiver.m_from.end());
        const std::vector<std::pair<Peer, Peer>> expected{{0, 1}, {2, 1}, {3, 1}};
        NS_TEST_EXPECT_MSG_EQ(ListText(receiver.m_from),
                              ListText(expected),
                              "a broadcast reaches each other peer once");
        Simulator::Destroy();
    }
};

/** A frame that the device refuses is counted and traced. */
class RefusalCase : public TestCase
{
  public:
    RefusalCase()
        : TestCase("a frame that a device refuses is counted and traced")
    {
    }

  private:
    /**
     * Record a refused frame.
     * @param self its sender
     * @param to its receiver
     */
    void OnRefuse(Peer self, Peer to, Ptr<const Packet>)
    {
        m_refused.emplace_back(self, to);
    }

    void DoRun() override
    {
        NodeContainer nodes;
        nodes.Create(2);
        const auto devices = SimpleNetDeviceHelper().Install(nodes);
        auto clock = CreateObject<TickClock>();
        auto port = CreateObject<NetDevicePort>();
        port->Connect(clock, devices);
        port->TraceConnectWithoutContext("Refuse", MakeCallback(&RefusalCase::OnRefuse, this));
        Receiver receiver;
        port->SetUser(&receiver);
        // The port has read the MTU of the device before.
        devices.Get(0)->SetMtu(200);
        Simulator::Schedule(Seconds(1), [port] {
            port->Send(0, 1, Frame{.payload = 100});
            port->Send(0, 1, Frame{.payload = 500});
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(receiver.m_from.size(), 1, "the other frame arrives");
        NS_TEST_EXPECT_MSG_EQ(port->GetNRefused(), 1, "frames counted as refused");
        NS_TEST_ASSERT_MSG_EQ(m_refused.size(), 1, "frames traced as refused");
        NS_TEST_EXPECT_MSG_EQ(m_refused[0].first, 0, "sender of the refused frame");
        NS_TEST_EXPECT_MSG_EQ(m_refused[0].second, 1, "receiver of the refused frame");
        port->Dispose();
        Simulator::Destroy();
    }

    std::vector<std::pair<Peer, Peer>> m_refused; ///< Sender and receiver of refused frames.
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
        AddTestCase(new RefusalCase, TestCase::Duration::QUICK);
        AddTestCase(new UdpBroadcastCase, TestCase::Duration::QUICK);
    }
};

PacketPortTestSuite g_packetPortTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
