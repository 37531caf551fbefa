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
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6-header.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/messaging-tcp-protocol.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of endpoints, and of messages over ns-3's TCP.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Calls recorded by one endpoint. */
struct EndpointRecorder
{
    std::vector<Delivery> deliveries; ///< Delivered messages.
    std::vector<RequestId> ended;     ///< Completed requests.
    std::vector<Completion> how;      ///< Their completions.
    uint32_t ready{0};                ///< Calls of the ready callback.
    uint32_t traced{0};               ///< Calls of the trace sinks.

    /**
     * Record a delivery.
     * @param delivery the message
     */
    void OnDeliver(const Delivery& delivery)
    {
        deliveries.push_back(delivery);
    }

    /**
     * Record a completion.
     * @param id the request
     * @param completion the completion
     */
    void OnComplete(RequestId id, Completion completion)
    {
        ended.push_back(id);
        how.push_back(completion);
    }

    /** Record a call of the ready callback. */
    void OnReady()
    {
        ++ready;
    }

    /** Record a call of a trace sink. */
    void OnTrace(const Delivery&)
    {
        ++traced;
    }

    /**
     * Record the callbacks and traces of an endpoint.
     * @param endpoint the endpoint
     */
    void Attach(Ptr<MessageEndpoint> endpoint)
    {
        endpoint->SetDeliverCallback(MakeCallback(&EndpointRecorder::OnDeliver, this));
        endpoint->SetCompleteCallback(MakeCallback(&EndpointRecorder::OnComplete, this));
        endpoint->SetReadyCallback(MakeCallback(&EndpointRecorder::OnReady, this));
        endpoint->TraceConnectWithoutContext("Deliver",
                                             MakeCallback(&EndpointRecorder::OnTrace, this));
    }
};

/** Endpoints call back their own peer, and are aggregated to its node. */
class EndpointCase : public TestCase
{
  public:
    EndpointCase()
        : TestCase("an endpoint is a peer's view of its group")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        auto port = Create<LoopbackPort>(clock, 3);
        auto group = CreateObject<CoreGroup<AlternatingBit, LoopbackPort>>();
        group->Connect(clock, port, [](Peer peer) {
            return AlternatingBit(peer, 3, Flaw::NONE, 100);
        });
        NodeContainer nodes;
        nodes.Create(3);
        auto endpoints = CreateObject<GroupEndpoints>();
        endpoints->Connect(group);
        endpoints->Aggregate(nodes);
        NS_TEST_ASSERT_MSG_EQ(endpoints->GetN(), 3, "one for each peer");
        std::vector<EndpointRecorder> recorded(3);
        for (Peer peer = 0; peer < 3; ++peer)
        {
            auto endpoint = nodes.Get(peer)->GetObject<MessageEndpoint>();
            NS_TEST_ASSERT_MSG_EQ(endpoint,
                                  endpoints->Get(peer),
                                  "the endpoint is aggregated to the node of its peer");
            NS_TEST_EXPECT_MSG_EQ(endpoint->GetPeer(), peer, "peer of the endpoint");
            recorded[peer].Attach(endpoint);
        }
        auto sender = endpoints->Get(2);
        NS_TEST_EXPECT_MSG_EQ(sender->Post(Request{7, 70, 1, 10, 700, 0}),
                              Acceptance::ACCEPTED,
                              "the first message is accepted");
        NS_TEST_EXPECT_MSG_EQ(sender->Post(Request{8, 80, 1, 10, 800, 0}),
                              Acceptance::STALLED,
                              "the group takes one message at a time");
        NS_TEST_EXPECT_MSG_EQ(sender->Post(Request{9, 90, 3, 10, 900, 0}),
                              Acceptance::REFUSED,
                              "a message to a peer that does not exist is refused");
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(recorded[1].deliveries.size(), 1, "deliveries at the receiver");
        NS_TEST_EXPECT_MSG_EQ(recorded[1].deliveries[0].from, 2, "sender of the delivery");
        NS_TEST_EXPECT_MSG_EQ(recorded[1].deliveries[0].tag, 700, "tag of the delivery");
        NS_TEST_EXPECT_MSG_EQ(recorded[1].traced, 1, "deliveries traced at the receiver");
        NS_TEST_EXPECT_MSG_EQ(ListText(recorded[2].ended), "7", "requests completed at the sender");
        NS_TEST_EXPECT_MSG_EQ(recorded[2].ready, 1, "calls of the sender's ready callback");
        NS_TEST_EXPECT_MSG_EQ(recorded[0].deliveries.size() + recorded[0].ended.size() +
                                  recorded[0].ready,
                              0,
                              "calls at the peer that takes no part");
        endpoints->Dispose();
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** Hosts execute the work requested by cores. */
class HostsCase : public TestCase, private GroupUser
{
  public:
    HostsCase()
        : TestCase("cores on one host wait for each other's work")
    {
    }

  private:
    void DoRun() override
    {
        Broadcast(false);
        NS_TEST_EXPECT_MSG_EQ(m_when[1], NanoSeconds(10), "without hosts, work takes no time");
        NS_TEST_EXPECT_MSG_EQ(m_when[2],
                              NanoSeconds(10),
                              "work of one peer does not delay the other without hosts");
        Broadcast(true);
        NS_TEST_EXPECT_MSG_EQ(m_when[1], NanoSeconds(10 + Announcer::PROCESSING_TIME), "the first");
        NS_TEST_EXPECT_MSG_EQ(m_when[2],
                              NanoSeconds(10 + 700 + 2 * Announcer::PROCESSING_TIME),
                              "the second waits for the first and for the change of process");
    }

    /**
     * Let peer 0 broadcast a message.
     * @param hosts whether there are hosts; peers 1 and 2 share one
     */
    void Broadcast(bool hosts)
    {
        auto clock = CreateObject<TickClock>();
        auto port = Create<LoopbackPort>(clock, 3);
        auto group = CreateObject<CoreGroup<Announcer, LoopbackPort>>();
        group->Connect(clock, port, [](Peer peer) { return Announcer(peer, 3); });
        auto own = CreateObject<HostModel>();
        auto shared =
            CreateObjectWithAttributes<HostModel>("ContextSwitch", TimeValue(NanoSeconds(700)));
        if (hosts)
        {
            group->SetHosts({own, shared, shared});
        }
        m_when.assign(3, Time());
        auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        audit->SetUser(this);
        NS_TEST_EXPECT_MSG_EQ(audit->Post(0, Request{1, 2, NO_PEER, 100, 3, 0}),
                              Acceptance::ACCEPTED,
                              "the broadcast is accepted");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().completed, 1, "the broadcast is completed");
        audit->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }

    void OnDeliver(Peer self, const Delivery&) override
    {
        m_when[self] = Simulator::Now();
    }

    void OnComplete(Peer, RequestId, Completion) override
    {
    }

    void OnReady(Peer) override
    {
    }

    std::vector<Time> m_when; ///< Time of the delivery by peer.
};

/** Base of the cases over TCP: four nodes on a csma segment. */
class SocketCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the case
     */
    explicit SocketCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * Build the nodes and the group.
     * @param loss loss probability of a frame
     */
    void Build(double loss)
    {
        NodeContainer nodes;
        nodes.Create(4);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
        csma.SetChannelAttribute("Delay", StringValue("5us"));
        const auto devices = csma.Install(nodes);
        for (uint32_t i = 0; i < 4; ++i)
        {
            auto errors = CreateObject<RateErrorModel>();
            errors->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
            errors->SetAttribute("ErrorRate", DoubleValue(loss));
            errors->AssignStreams(10 + i);
            devices.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        InternetStackHelper internet;
        internet.Install(nodes);
        internet.AssignStreams(nodes, 100);
        csma.AssignStreams(devices, 200);
        const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);
        std::vector<Address> addresses;
        for (uint32_t i = 0; i < 4; ++i)
        {
            addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), 4000));
        }
        m_group = CreateObject<SocketGroup>();
        m_group->Connect(nodes, addresses);
        m_audit = CreateObject<DeliveryAudit>();
        m_audit->SetAttribute("Ordered", BooleanValue(true));
        m_audit->SetGroup(m_group);
    }

    void DoTeardown() override
    {
        m_audit->Dispose();
        m_group->Dispose();
        m_audit = nullptr;
        m_group = nullptr;
        Simulator::Destroy();
    }

    Ptr<SocketGroup> m_group;   ///< Group under test.
    Ptr<DeliveryAudit> m_audit; ///< Audit of the group.
};

/** Segments of the protocol tcp over IPv6. */
class Ipv6SegmentCase : public TestCase
{
  public:
    Ipv6SegmentCase()
        : TestCase("a segment of TCP fills a packet of IPv6, and no packet is fragmented")
    {
    }

  private:
    void DoRun() override
    {
        const NodeContainer nodes(2);
        const auto devices = CsmaHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv6AddressHelper addresses("2001:db8::", Ipv6Prefix(64));
        const auto interfaces = addresses.Assign(devices);
        Site site{.nodes = nodes};
        uint32_t largest = 0;
        uint32_t fragments = 0;
        const Callback<void, Ptr<const Packet>, Ptr<Ipv6>, uint32_t> look(
            [&](Ptr<const Packet> packet, Ptr<Ipv6>, uint32_t) {
                Ipv6Header header;
                packet->PeekHeader(header);
                fragments += header.GetNextHeader() == Ipv6Header::IPV6_EXT_FRAGMENTATION;
                largest = std::max(largest, packet->GetSize());
            });
        for (uint32_t i = 0; i < nodes.GetN(); ++i)
        {
            site.addresses.push_back(Inet6SocketAddress(interfaces.GetAddress(i, 1), 4000));
            nodes.Get(i)->GetObject<Ipv6L3Protocol>()->TraceConnectWithoutContext("Tx", look);
        }
        const auto protocol = CreateObject<TcpProtocol>();
        const auto audit = CreateObject<DeliveryAudit>();
        Ptr<MessageGroup> group;
        // Addresses are usable after their duplicates were looked for.
        Simulator::Schedule(Seconds(3), [&] {
            group = protocol->Connect(site);
            audit->SetGroup(group);
            audit->Post(0, Request{.to = 1, .bytes = 20000});
        });
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, 1, "the message arrives");
        NS_TEST_EXPECT_MSG_EQ(fragments, 0, "no fragment");
        NS_TEST_EXPECT_MSG_EQ(largest, 1500, "a packet of the MTU");
        audit->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }
};

/** Messages of all sizes among all peers, including a peer itself, over a lossy segment. */
class StreamCase : public SocketCase, private GroupUser
{
  public:
    StreamCase()
        : SocketCase("messages of all sizes over TCP, with losses")
    {
    }

  private:
    void OnDeliver(Peer, const Delivery&) override
    {
    }

    void OnComplete(Peer self, RequestId, Completion completion) override
    {
        if (completion == Completion::SENT)
        {
            ++m_sent;
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(completion, Completion::DELIVERED, "TCP delivers");
        OnReady(self);
    }

    void OnReady(Peer self) override
    {
        while (m_next[self] < MESSAGES)
        {
            const uint64_t n = m_next[self];
            const uint32_t bytes = n % 7 == 6 ? 300000 : static_cast<uint32_t>(n * n * 13 % 3000);
            const auto acceptance =
                m_audit->Post(self, Request{n, n, static_cast<Peer>((self + n) % 4), bytes, 5, 0});
            if (acceptance != Acceptance::ACCEPTED)
            {
                m_stalls += acceptance == Acceptance::STALLED ? 1 : 0;
                return;
            }
            ++m_next[self];
        }
    }

    void DoRun() override
    {
        Build(0.01);
        m_audit->SetUser(this);
        m_group->SetAttribute("QueueLimit", StringValue("100000"));
        for (Peer peer = 0; peer < 4; ++peer)
        {
            Simulator::Schedule(MicroSeconds(100), [this, peer]() { OnReady(peer); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(), true, m_audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().delivered,
                              4 * MESSAGES,
                              "all messages are delivered");
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().completed,
                              4 * MESSAGES,
                              "all messages are completed");
        NS_TEST_EXPECT_MSG_EQ(m_sent,
                              4 * MESSAGES,
                              "SENT is reported for each message that the sockets have taken");
        NS_TEST_EXPECT_MSG_GT(m_stalls, 0, "posts are stalled while the send buffers are full");
        NS_TEST_EXPECT_MSG_EQ(m_audit->Post(0, Request{0, 0, 4, 1, 0, 0}),
                              Acceptance::REFUSED,
                              "there is no peer 4");
    }

    static constexpr uint64_t MESSAGES = 60; ///< Messages of each peer.
    uint64_t m_next[4]{};                    ///< Messages posted by each peer.
    uint64_t m_stalls{0};                    ///< Posts that were stalled.
    uint64_t m_sent{0};                      ///< Messages reported as SENT.
};

/** A peer that does not listen. */
class UnreachableCase : public SocketCase, private GroupUser
{
  public:
    UnreachableCase()
        : SocketCase("a peer that does not listen is unreachable")
    {
    }

  private:
    void OnDeliver(Peer, const Delivery&) override
    {
        ++m_delivered;
    }

    void OnComplete(Peer, RequestId id, Completion completion) override
    {
        if (m_audit->IsFinal(completion))
        {
            m_ends.emplace_back(id, completion);
        }
    }

    void OnReady(Peer) override
    {
    }

    void DoRun() override
    {
        Build(0);
        m_audit->SetUser(this);
        m_group->Close(3);
        m_audit->Post(0, Request{1, 1, 3, 100, 0, 0});
        m_audit->Post(0, Request{2, 2, 3, 100, 0, 0});
        m_audit->Post(0, Request{3, 3, 2, 100, 0, 0});
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(m_ends.size(), 3, "all three requests end");
        for (const auto& [id, completion] : m_ends)
        {
            NS_TEST_EXPECT_MSG_EQ(completion,
                                  (id == 3 ? Completion::DELIVERED : Completion::UNREACHABLE),
                                  "completion of request " << id);
        }
        NS_TEST_EXPECT_MSG_EQ(m_delivered, 1, "the message to the peer that listens is delivered");
        NS_TEST_EXPECT_MSG_EQ(m_audit->Finish(), true, m_audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(m_audit->GetCounts().abandoned, 2, "messages given up");
    }

    std::vector<std::pair<RequestId, Completion>> m_ends; ///< Completions of all requests.
    uint32_t m_delivered{0};                              ///< Delivered messages.
};

/** A core that restarts a timer, cancels another, and draws a number and the time at each. */
class TimerCore
{
  public:
    /** Arm timers. @param out actions @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request&, Out& out)
    {
        out.Arm(RESTARTED, EARLY);
        out.Arm(RESTARTED, LATE);
        out.Arm(CANCELLED, EARLY);
        out.Cancel(CANCELLED);
        return Acceptance::ACCEPTED;
    }

    /** Record a timer. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(TimerId timer, Out& out)
    {
        m_fired.emplace_back(timer, out.Now());
        m_drawn.push_back(out.Random(BOUND));
    }

    /** No frames arrive. */
    template <class Out>
    void OnFrame(Peer, const Frame&, Out&)
    {
    }

    /** The core requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** The core sends nothing. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** The core is not searched. */
    void Encode(Encoder&) const
    {
    }

    static constexpr TimerId RESTARTED = 1; ///< A timer that is restarted.
    static constexpr TimerId CANCELLED = 2; ///< A timer that is cancelled.
    static constexpr Ticks EARLY = 10;      ///< First delay of both [ticks].
    static constexpr Ticks LATE = 20;       ///< Delay after the restart [ticks].
    static constexpr uint32_t BOUND = 1000; ///< Bound of the random numbers.

    std::vector<std::pair<TimerId, Ticks>> m_fired; ///< Timers and the time when they fired.
    std::vector<uint32_t> m_drawn;                  ///< Random numbers.
};

/** Timers, time and random numbers of cores in a group. */
class ActionsCase : public TestCase
{
  public:
    ActionsCase()
        : TestCase("a group suppresses stale timers by default, and has a random stream")
    {
    }

  private:
    /**
     * Run a group with one timer that is restarted, and one that is cancelled.
     * @param stale whether stale timers fire
     * @param stream random stream of the group
     * @return the core after the run
     */
    static TimerCore RunGroup(bool stale, int64_t stream)
    {
        auto clock = CreateObject<TickClock>();
        const auto port = Create<LoopbackPort>(clock, 1);
        const auto group = CreateObject<CoreGroup<TimerCore, LoopbackPort>>();
        group->Connect(clock, port, [](Peer) { return TimerCore(); });
        group->AssignStreams(stream);
        group->SetFiresStaleTimers(stale);
        group->Post(0, Request{});
        Simulator::Run();
        const TimerCore core = std::as_const(*group).GetCore(0);
        group->Dispose();
        Simulator::Destroy();
        return core;
    }

    void DoRun() override
    {
        using Fired = std::vector<std::pair<TimerId, Ticks>>;
        const TimerCore calm = RunGroup(false, 1);
        const Fired live{{TimerCore::RESTARTED, TimerCore::LATE}};
        NS_TEST_EXPECT_MSG_EQ(ListText(calm.m_fired),
                              ListText(live),
                              "stale timers are suppressed by default");
        const TimerCore stale = RunGroup(true, 1);
        const Fired all{{TimerCore::RESTARTED, TimerCore::EARLY},
                        {TimerCore::CANCELLED, TimerCore::EARLY},
                        {TimerCore::RESTARTED, TimerCore::LATE}};
        NS_TEST_EXPECT_MSG_EQ(ListText(stale.m_fired),
                              ListText(all),
                              "stale timers expire if the core asks for all");
        NS_TEST_EXPECT_MSG_EQ(ListText(RunGroup(true, 1).m_drawn),
                              ListText(stale.m_drawn),
                              "the same stream gives the same numbers");
        NS_TEST_EXPECT_MSG_NE(ListText(RunGroup(true, 2).m_drawn),
                              ListText(stale.m_drawn),
                              "another stream gives other numbers");
        for (const uint32_t number : stale.m_drawn)
        {
            NS_TEST_EXPECT_MSG_LT(number, TimerCore::BOUND, "a random number is below its bound");
        }
    }
};

/** A group that is disposed of in a run, while its clock goes on. */
class DisposedGroupCase : public TestCase
{
  public:
    DisposedGroupCase()
        : TestCase("a group that is disposed of in a run gets neither its timers nor its work")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool isFreed : {false, true})
        {
            auto clock = CreateObject<TickClock>();
            const auto port = Create<LoopbackPort>(clock, 1);
            auto group = CreateObject<CoreGroup<TimerCore, LoopbackPort>>();
            group->Connect(clock, port, [](Peer) { return TimerCore(); });
            group->AssignStreams(1);
            uint32_t fired = 0;
            group->TraceConnectWithoutContext(
                "TimerFire",
                Callback<void, Peer, TimerId>([&fired](Peer, TimerId) { ++fired; }));
            group->SetFiresStaleTimers(true);
            group->Post(0, Request{});
            Simulator::Schedule(NanoSeconds(TimerCore::EARLY + 1), [&group, isFreed] {
                group->Dispose();
                if (isFreed)
                {
                    group = nullptr;
                }
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(fired, 2, "timers that fire before the disposal, and no other");
            Simulator::Destroy();
        }
    }
};

/** A port that ends in a run, while its clock goes on with frames in flight. */
class DisposedPortCase : public TestCase
{
  public:
    DisposedPortCase()
        : TestCase("a port that ends in a run is called no more by its clock")
    {
    }

  private:
    void DoRun() override
    {
        const auto clock = CreateObject<TickClock>();
        auto port = Create<LoopbackPort>(clock, 2);
        port->Send(0, 1, Frame{.id = 1});
        port = nullptr;
        // Other contents of its memory, so that a call does not go unnoticed.
        const std::vector<std::vector<char>> others(100, std::vector<char>(200, 'x'));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0, "the frame was dropped");
        Simulator::Destroy();
    }
};

/** The suite. */
class EndpointTestSuite : public TestSuite
{
  public:
    EndpointTestSuite()
        : TestSuite("messaging-endpoint", Type::UNIT)
    {
        AddTestCase(new EndpointCase, TestCase::Duration::QUICK);
        AddTestCase(new HostsCase, TestCase::Duration::QUICK);
        AddTestCase(new ActionsCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedGroupCase, TestCase::Duration::QUICK);
        AddTestCase(new DisposedPortCase, TestCase::Duration::QUICK);
        AddTestCase(new Ipv6SegmentCase, TestCase::Duration::QUICK);
        AddTestCase(new StreamCase, TestCase::Duration::QUICK);
        AddTestCase(new UnreachableCase, TestCase::Duration::QUICK);
    }
};

EndpointTestSuite g_endpointTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
