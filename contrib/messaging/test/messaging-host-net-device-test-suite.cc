/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/csma-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of what HostNetDevice charges TCP: nothing on a free host, and exactly the packets' work on
 * another.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Observations of a run. */
struct TcpRun
{
    std::vector<Time> frames;        ///< Start of each frame on the wire.
    std::vector<Time> answers;       ///< Arrival of each answer at the client.
    std::vector<uint32_t> received;  ///< Bytes at the server after each read of its socket.
    std::vector<uint64_t> sent;      ///< Packets accepted by each device.
    std::vector<uint64_t> handedUp;  ///< Packets passed up by each device.
    std::vector<uint64_t> sentBytes; ///< Bytes of the packets accepted by each device.
    std::vector<Time> busy;          ///< Busy time of the CPUs of each host.
    Time end;                        ///< Arrival of the last byte.
};

/** Two nodes on a csma channel with a TCP connection, with or without a host model. */
class TcpPair
{
  public:
    /**
     * Construct.
     * @param helper sets up the hosts; none for bare devices
     */
    explicit TcpPair(const std::optional<HostHelper>& helper)
    {
        m_nodes.Create(2);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(2)));
        NetDeviceContainer devices = csma.Install(m_nodes);
        csma.AssignStreams(devices, 2000);
        m_run.sent.resize(2);
        m_run.handedUp.resize(2);
        m_run.sentBytes.resize(2);
        for (uint32_t i = 0; i < 2; ++i)
        {
            devices.Get(i)->TraceConnectWithoutContext(
                "PhyTxBegin",
                Callback<void, Ptr<const Packet>>(
                    [this](Ptr<const Packet>) { m_run.frames.push_back(Simulator::Now()); }));
        }
        if (helper)
        {
            devices = helper->Install(devices);
            for (uint32_t i = 0; i < 2; ++i)
            {
                devices.Get(i)->TraceConnectWithoutContext(
                    "MacTx",
                    Callback<void, Ptr<const Packet>>([this, i](Ptr<const Packet> packet) {
                        ++m_run.sent[i];
                        m_run.sentBytes[i] += packet->GetSize();
                    }));
                devices.Get(i)->TraceConnectWithoutContext(
                    "MacRx",
                    Callback<void, Ptr<const Packet>>(
                        [this, i](Ptr<const Packet>) { ++m_run.handedUp[i]; }));
            }
        }
        InternetStackHelper internet;
        internet.Install(m_nodes);
        internet.AssignStreams(m_nodes, 1000);
        m_addresses = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        m_server = Socket::CreateSocket(m_nodes.Get(1), TcpSocketFactory::GetTypeId());
        m_client = Socket::CreateSocket(m_nodes.Get(0), TcpSocketFactory::GetTypeId());
        for (const auto& socket : {m_server, m_client})
        {
            socket->SetAttribute("TcpNoDelay", BooleanValue(true));
            socket->SetAttribute("SegmentSize", UintegerValue(1000));
        }
        m_client->Bind();
        m_server->Bind(InetSocketAddress(Ipv4Address::GetAny(), 9));
        m_server->Listen();
    }

    TcpPair(const TcpPair&) = delete;
    TcpPair& operator=(const TcpPair&) = delete;

    /**
     * Send a stream of bytes from the first node to the second.
     * @param bytes number of bytes
     * @return the observations
     */
    TcpRun Stream(uint32_t bytes)
    {
        Accept([this](Ptr<Socket> socket) {
            while (Ptr<Packet> packet = socket->Recv())
            {
                m_run.received.push_back(packet->GetSize());
                m_run.end = Simulator::Now();
            }
        });
        m_left = bytes;
        const auto fill = [this](Ptr<Socket> socket, uint32_t) {
            while (m_left > 0)
            {
                const int taken = socket->Send(Create<Packet>(std::min<uint32_t>(m_left, 1000)));
                if (taken <= 0)
                {
                    return;
                }
                m_left -= taken;
            }
        };
        m_client->SetSendCallback(fill);
        Connect([fill](Ptr<Socket> socket) { fill(socket, 0); });
        return Finish();
    }

    /**
     * Send small requests, each after the answer to the previous one.
     * @param rounds number of requests
     * @return the observations
     */
    TcpRun PingPong(uint32_t rounds)
    {
        Accept([](Ptr<Socket> socket) {
            while (Ptr<Packet> packet = socket->Recv())
            {
                socket->Send(Create<Packet>(packet->GetSize()));
            }
        });
        m_left = rounds;
        m_client->SetRecvCallback([this](Ptr<Socket> socket) {
            while (socket->Recv())
            {
                m_run.answers.push_back(Simulator::Now());
                if (--m_left > 0)
                {
                    socket->Send(Create<Packet>(REQUEST));
                }
            }
        });
        // The first request follows long after the handshake, whose last packet would delay it.
        Connect([](Ptr<Socket> socket) {
            Simulator::Schedule(MilliSeconds(10),
                                [socket] { socket->Send(Create<Packet>(REQUEST)); });
        });
        return Finish();
    }

    static constexpr uint32_t REQUEST = 100; ///< Size of a request, and of an answer [bytes].

    /** Size of the packet of a request or an answer: TCP header with timestamps, IP header. [bytes]
     */
    static constexpr uint32_t REQUEST_PACKET = REQUEST + 32 + 20;

  private:
    /**
     * Set the receive callback of the server.
     * @param receive called when data can be read
     */
    void Accept(Callback<void, Ptr<Socket>> receive)
    {
        m_server->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                    [receive](Ptr<Socket> connection, const Address&) {
                                        connection->SetRecvCallback(receive);
                                    });
    }

    /**
     * Let the client connect at the start.
     * @param begin called after the connection
     */
    void Connect(Callback<void, Ptr<Socket>> begin)
    {
        m_client->SetConnectCallback(begin, [](Ptr<Socket>) {});
        Simulator::ScheduleWithContext(m_nodes.Get(0)->GetId(), MilliSeconds(1), [this] {
            m_client->Connect(InetSocketAddress(m_addresses.GetAddress(1), 9));
        });
    }

    /**
     * Run the simulation.
     * @return the observations
     */
    TcpRun Finish()
    {
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        for (uint32_t i = 0; i < 2; ++i)
        {
            const auto host = m_nodes.Get(i)->GetObject<HostModel>();
            m_run.busy.push_back(host ? host->GetCpus()->GetBusyTime() : Time());
        }
        Simulator::Destroy();
        return m_run;
    }

    NodeContainer m_nodes;              ///< Client and server.
    Ipv4InterfaceContainer m_addresses; ///< Their addresses.
    Ptr<Socket> m_server;               ///< Listening socket.
    Ptr<Socket> m_client;               ///< Connecting socket.
    TcpRun m_run;                       ///< Observations.
    uint32_t m_left{0};                 ///< Remaining bytes or rounds.
};

/**
 * Configure a host with costs.
 * @return a helper for it
 */
HostHelper
MakeCostlyHost()
{
    HostHelper helper;
    helper.SetHostAttribute("SystemCall", TimeValue(MicroSeconds(11)));
    helper.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(7)));
    helper.SetHostAttribute("CopyRate", StringValue("400Mbps"));
    helper.SetDeviceAttribute("SendSystemCalls", UintegerValue(1));
    helper.SetDeviceAttribute("SendInstructions", TimeValue(MicroSeconds(30)));
    helper.SetDeviceAttribute("SendCopies", UintegerValue(2));
    helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
    helper.SetDeviceAttribute("ReceiveInstructions", TimeValue(MicroSeconds(20)));
    return helper;
}

/** Cost of MakeCostlyHost for a sent packet, without copies. */
const Time SEND_COST = MicroSeconds(11 + 30);

/** Cost of MakeCostlyHost for a received packet. */
const Time RECEIVE_COST = MicroSeconds(7 + 20);

/** Cost of MakeCostlyHost for each sent byte: two copies at 20 ns a byte. */
const Time BYTE_COST = NanoSeconds(40);

} // namespace

/** A host without costs changes nothing. */
class FreeHostTestCase : public TestCase
{
  public:
    FreeHostTestCase()
        : TestCase(
              "On a free host, TCP puts every frame on the wire at the same time as without one")
    {
    }

  private:
    void DoRun() override
    {
        const TcpRun bare = TcpPair(std::nullopt).Stream(200000);
        const TcpRun free = TcpPair(HostHelper()).Stream(200000);
        NS_TEST_EXPECT_MSG_GT(bare.frames.size(), 200, "There are frames to compare");
        const bool same =
            bare.frames == free.frames && bare.received == free.received && bare.end == free.end;
        NS_TEST_EXPECT_MSG_EQ(same, true, "All times are the same");
        NS_TEST_EXPECT_MSG_EQ(free.busy[0] + free.busy[1], Time(), "A free host is never busy");
    }
};

/** A small exchange over TCP takes longer exactly by the CPU time of its packets. */
class CostlyPingPongTestCase : public TestCase
{
  public:
    CostlyPingPongTestCase()
        : TestCase("A round trip over TCP takes longer by exactly its packets' CPU time")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t rounds = 50;
        // An answer without delay finds csma's channel still busy with the request and backs off,
        // so the reference exchange uses a host with a delay of a microsecond.
        const Time little = MicroSeconds(1);
        HostHelper littleHost;
        littleHost.SetDeviceAttribute("ReceiveInstructions", TimeValue(little));
        const TcpRun cheap = TcpPair(littleHost).PingPong(rounds);
        const TcpRun costly = TcpPair(MakeCostlyHost()).PingPong(rounds);
        NS_TEST_ASSERT_MSG_EQ(cheap.answers.size(), rounds, "All answers on cheap hosts");
        NS_TEST_ASSERT_MSG_EQ(costly.answers.size(), rounds, "All answers on costly hosts");
        const Time oneWay =
            SEND_COST + RECEIVE_COST + BYTE_COST * static_cast<int64_t>(TcpPair::REQUEST_PACKET);
        for (uint32_t i = 1; i < rounds; ++i)
        {
            const Time before = cheap.answers[i] - cheap.answers[i - 1];
            const Time after = costly.answers[i] - costly.answers[i - 1];
            NS_TEST_ASSERT_MSG_EQ(after - before, (oneWay - little) * 2, "Round trip " << i);
        }
        for (uint32_t i = 0; i < 2; ++i)
        {
            const Time expected = SEND_COST * static_cast<int64_t>(costly.sent[i]) +
                                  BYTE_COST * static_cast<int64_t>(costly.sentBytes[i]) +
                                  RECEIVE_COST * static_cast<int64_t>(costly.handedUp[i]);
            NS_TEST_EXPECT_MSG_EQ(costly.busy[i],
                                  expected,
                                  "The CPU of node " << i << " did its packets' work");
        }
    }
};

/** The CPU limits a stream over TCP, and spends exactly the packets' costs. */
class CostlyStreamTestCase : public TestCase
{
  public:
    CostlyStreamTestCase()
        : TestCase(
              "A stream over TCP is as fast as the slower CPU, and both do their packets' work")
    {
    }

  private:
    void DoRun() override
    {
        const uint32_t bytes = 1000000;
        const TcpRun bare = TcpPair(std::nullopt).Stream(bytes);
        const TcpRun costly = TcpPair(MakeCostlyHost()).Stream(bytes);
        uint32_t received = 0;
        for (const uint32_t part : costly.received)
        {
            received += part;
        }
        NS_TEST_EXPECT_MSG_EQ(received, bytes, "All bytes arrive");
        for (uint32_t i = 0; i < 2; ++i)
        {
            const Time expected = SEND_COST * static_cast<int64_t>(costly.sent[i]) +
                                  BYTE_COST * static_cast<int64_t>(costly.sentBytes[i]) +
                                  RECEIVE_COST * static_cast<int64_t>(costly.handedUp[i]);
            NS_TEST_EXPECT_MSG_EQ(costly.busy[i],
                                  expected,
                                  "The CPU of node " << i << " did its packets' work");
            NS_TEST_EXPECT_MSG_EQ((costly.end + MilliSeconds(1) > costly.busy[i]),
                                  true,
                                  "A CPU cannot do more");
        }
        NS_TEST_EXPECT_MSG_GT(costly.end, bare.end, "CPU time makes TCP slower");
        // The wire needs only a fraction of the time. ARP's random delays of up to 10 ms at each
        // end, the handshake and the first round trips precede the time in which the CPU is always
        // busy.
        NS_TEST_EXPECT_MSG_EQ_TOL(costly.busy[0].GetSeconds(),
                                  0.0966,
                                  0.0005,
                                  "41 us and 40 ns a byte, and ACKs");
        NS_TEST_EXPECT_MSG_LT(costly.end - costly.busy[0],
                              MilliSeconds(25),
                              "The sender's CPU is the bottleneck");
        NS_TEST_EXPECT_MSG_LT(bare.end, MilliSeconds(40), "Without hosts, the wire is");
    }
};

/** Packets are dropped if the host is too slow. */
class ReceiveRingTestCase : public TestCase
{
  public:
    ReceiveRingTestCase()
        : TestCase("A host that is behind drops what its receive ring cannot hold")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(2);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        HostHelper helper;
        helper.SetDeviceAttribute("ReceiveInstructions", TimeValue(MilliSeconds(1)));
        helper.SetDeviceAttribute("ReceiveRing", UintegerValue(4));
        const NetDeviceContainer devices = helper.Install(csma.Install(nodes));
        uint32_t received = 0;
        uint32_t dropped = 0;
        devices.Get(1)->SetReceiveCallback([&received](auto, auto, auto, const auto&) {
            ++received;
            return true;
        });
        devices.Get(1)->TraceConnectWithoutContext(
            "MacRxDrop",
            Callback<void, Ptr<const Packet>>([&dropped](Ptr<const Packet>) { ++dropped; }));
        for (uint32_t i = 0; i < 10; ++i)
        {
            Simulator::Schedule(MicroSeconds(10 * i), [&devices] {
                devices.Get(0)->Send(Create<Packet>(100), devices.Get(1)->GetAddress(), 0x0800);
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received, 4, "The ring holds four, the one being processed included");
        NS_TEST_EXPECT_MSG_EQ(dropped, 6, "The others are dropped");
        Simulator::Destroy();
    }
};

/** Transfers over the bus, which overlap with the work of the CPU. */
class TransferTestCase : public TestCase
{
  public:
    TransferTestCase()
        : TestCase("Packets cross the bus at both ends, while the CPU works on the next ones")
    {
    }

  private:
    /** Times of a run. */
    struct Arrivals
    {
        std::vector<Time> times; ///< Time of each packet at its receiver.
        Time bus;                ///< Busy time of the receiver's bus.
    };

    /**
     * Send packets from one host to another.
     * @param transfer transfer of each packet at both ends
     * @return when they arrive
     */
    static Arrivals Send(const std::string& transfer)
    {
        NodeContainer nodes(2);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        HostHelper helper;
        helper.SetHostAttribute("DmaRate", StringValue("800Mbps"));
        helper.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(2)));
        helper.SetDeviceAttribute("SendInstructions", TimeValue(MicroSeconds(5)));
        helper.SetDeviceAttribute("SendTransfer", StringValue(transfer));
        helper.SetDeviceAttribute("ReceiveTransfer", StringValue(transfer));
        helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
        const NetDeviceContainer devices = helper.Install(csma.Install(nodes));
        Arrivals arrivals;
        devices.Get(1)->SetReceiveCallback([&arrivals](auto, auto, auto, const auto&) {
            arrivals.times.push_back(Simulator::Now());
            return true;
        });
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            devices.Get(0)->Send(Create<Packet>(BYTES), devices.Get(1)->GetAddress(), 0x0800);
        }
        Simulator::Run();
        arrivals.bus = nodes.Get(1)->GetObject<HostModel>()->GetBus()->GetBusyTime();
        Simulator::Destroy();
        return arrivals;
    }

    void DoRun() override
    {
        const Time crossing = MicroSeconds(10); // 1000 bytes at 800 Mbit/s
        const Arrivals bare = Send("none");
        const Arrivals dma = Send("dma");
        NS_TEST_ASSERT_MSG_EQ(bare.times.size(), PACKETS, "All arrive without transfers");
        NS_TEST_ASSERT_MSG_EQ(dma.times.size(), PACKETS, "All arrive with transfers");
        NS_TEST_EXPECT_MSG_EQ(dma.times[0] - bare.times[0],
                              2 * crossing,
                              "The first crosses two buses");
        for (uint32_t i = 1; i < PACKETS; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(dma.times[i] - dma.times[i - 1],
                                  crossing,
                                  "The bus is slower than CPU and wire: packet " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(dma.bus, PACKETS * crossing, "Each packet occupies the bus");
        NS_TEST_EXPECT_MSG_EQ(bare.bus, Time(), "The bus is idle without transfers");
    }

    static constexpr int64_t PACKETS = 5;   ///< Packets sent.
    static constexpr uint32_t BYTES = 1000; ///< Size of each [bytes].
};

/** Both directions have the CPU in turn. */
class TurnsTestCase : public TestCase
{
  public:
    TurnsTestCase()
        : TestCase("A packet to send does not wait for all that have arrived before it")
    {
    }

  private:
    void DoRun() override
    {
        HostHelper helper;
        for (const std::string path : {"Send", "Receive"})
        {
            helper.SetDeviceAttribute(path + "Instructions", TimeValue(MilliSeconds(1)));
        }
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
        const auto bare = csma.Install(NodeContainer(2));
        const auto devices = helper.Install(bare);
        Time sent;
        bare.Get(1)->TraceConnectWithoutContext(
            "PhyTxBegin",
            Callback<void, Ptr<const Packet>>(
                [&sent](Ptr<const Packet>) { sent = Simulator::Now(); }));
        for (uint32_t i = 0; i < 3; ++i)
        {
            bare.Get(0)->Send(Create<Packet>(100), bare.Get(1)->GetAddress(), 0x0800);
        }
        Simulator::Schedule(MicroSeconds(500), [&devices] {
            devices.Get(1)->Send(Create<Packet>(100), devices.Get(0)->GetAddress(), 0x0800);
        });
        Simulator::Run();
        // The first of three packets takes 1 ms, then it is the turn of the packet to send.
        NS_TEST_EXPECT_MSG_EQ(sent.GetMilliSeconds(), 2, "The second packet waits for its turn");
        Simulator::Destroy();
    }
};

/** Packets wait in the queue disciplines. */
class TransmitQueueTestCase : public TestCase
{
  public:
    TransmitQueueTestCase()
        : TestCase("While the CPU works on a packet, the others wait in TxQueue")
    {
    }

  private:
    void DoRun() override
    {
        HostHelper helper;
        helper.SetDeviceAttribute("SendInstructions", TimeValue(MilliSeconds(1)));
        const auto devices = helper.Install(CsmaHelper().Install(NodeContainer(2)));
        const auto sender = DynamicCast<HostNetDevice>(devices.Get(0));
        for (uint32_t i = 0; i < 5; ++i)
        {
            sender->Send(Create<Packet>(1000), devices.Get(1)->GetAddress(), 0x0800);
        }
        for (uint32_t i = 0; i < 5; ++i)
        {
            Simulator::Schedule(MicroSeconds(1000 * i + 500), [this, sender, i] {
                NS_TEST_EXPECT_MSG_EQ(sender->GetQueue()->GetNPackets(),
                                      4 - i,
                                      "Packets in TxQueue during the work on packet " << i);
            });
        }
        Simulator::Run();
        Simulator::Destroy();
    }
};

/** All tests of HostNetDevice except its conformance. */
class HostNetDeviceTestSuite : public TestSuite
{
  public:
    HostNetDeviceTestSuite()
        : TestSuite("messaging-host-net-device", Type::UNIT)
    {
        AddTestCase(new FreeHostTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CostlyPingPongTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CostlyStreamTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ReceiveRingTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TransferTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TurnsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TransmitQueueTestCase, TestCase::Duration::QUICK);
    }
};

/** The suite, which registers itself. */
static HostNetDeviceTestSuite g_hostNetDeviceTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
