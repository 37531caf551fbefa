/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/infiniband-engine-traffic.h"
#include "ns3/infiniband-message-engine.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/** What a run of EngineTraffic gave. */
struct Ran
{
    uint64_t posted;              ///< Messages.
    std::vector<Ticks> latencies; ///< Of those that have arrived [ns].
    uint64_t disordered;          ///< Out of order.
    uint64_t lost;                ///< Packets.
    uint64_t resent;              ///< Messages begun again.
    Ticks idle;                   ///< What the engine says of an idle network [ns].
};

/**
 * Send messages.
 * @param load what
 * @param hosts how many
 * @param loss probability of a packet
 * @param train most packets of a train
 * @return what came of it
 */
Ran
RunTraffic(const EngineLoad& load, HostId hosts, double loss, uint32_t train)
{
    auto clock = CreateObject<messaging::TickClock>();
    auto engine = CreateObject<MessageEngine>();
    engine->SetAttribute("ContextCache", UintegerValue(0));
    engine->SetAttribute("PacketLoss", DoubleValue(loss));
    engine->SetAttribute("TrainPackets", UintegerValue(train));
    engine->AssignStreams(3);
    Ran ran{};
    {
        EngineTraffic traffic(clock, engine, hosts, load);
        traffic.AssignStreams(1);
        if (traffic.Start().empty())
        {
            Simulator::Run();
        }
        ran = {traffic.GetNPosted(),
               traffic.GetLatencies(),
               traffic.GetNDisordered(),
               engine->GetNLost(),
               engine->GetNResent(),
               engine->GetIdleLatency(0, hosts - 1, load.bytes)};
    }
    engine->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return ran;
}

/** Two hosts with verbs over the engine. */
struct Pair
{
    /**
     * Construct.
     * @param entries lines of each cache of contexts
     */
    explicit Pair(uint32_t entries = 0)
    {
        engine->SetAttribute("ContextCache", UintegerValue(entries));
        engine->SetAttribute("ContextLines", UintegerValue(0));
        verbs->Open(clock, engine, 2);
        for (HostId host : {0, 1})
        {
            cqs[host] = verbs->CreateCq(host);
            keys[host] = verbs->RegMr(host, 1 << 20, REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC);
        }
    }

    ~Pair()
    {
        engine->Dispose();
        verbs->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }

    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    /**
     * Connect two queue pairs.
     * @param transport their type
     * @return that of host 0; the other one's number is one more
     */
    Qpn Connect(Transport transport)
    {
        std::array<Qpn, 2> qps{};
        for (HostId host : {0, 1})
        {
            QpInitAttr attr;
            attr.transport = transport;
            attr.sendCq = attr.recvCq = cqs[host];
            qps[host] = verbs->CreateQp(host, attr);
        }
        verbs->ConnectQps(qps[0], qps[1]);
        return qps[0];
    }

    /**
     * Post a request of host 0 later.
     * @param when when [ns]
     * @param qp where
     * @param opcode what
     * @param bytes how much
     */
    void Post(Ticks when, Qpn qp, WrOpcode opcode, uint32_t bytes)
    {
        SendWr wr;
        wr.wrId = ++posted;
        wr.opcode = opcode;
        wr.bytes = bytes;
        wr.flags = SIGNALED;
        wr.localKey = keys[0];
        wr.remoteKey = keys[1];
        wr.compareAdd = 5;
        Simulator::Schedule(NanoSeconds(when), [this, qp, wr] { verbs->PostSend(qp, wr); });
    }

    /**
     * @param host a host
     * @return its completions
     */
    std::vector<WorkCompletion> Poll(HostId host)
    {
        std::vector<WorkCompletion> all(64);
        all.resize(verbs->PollCq(cqs[host], 64, all.data()));
        return all;
    }

    Ptr<messaging::TickClock> clock{CreateObject<messaging::TickClock>()}; ///< Counts nanoseconds.
    Ptr<MessageEngine> engine{CreateObject<MessageEngine>()};              ///< Under test.
    Ptr<Verbs> verbs{CreateObject<Verbs>()};                               ///< Over it.
    std::array<CqNumber, 2> cqs{};                                         ///< By host.
    std::array<MemoryKey, 2> keys{};                                       ///< By host.
    uint64_t posted{0};                                                    ///< Requests so far.
};

} // namespace

/** The latency of a message that meets nothing is the closed form's. */
class MessageLatencyTestCase : public TestCase
{
  public:
    MessageLatencyTestCase()
        : TestCase("latency on an idle network is the closed form's, packet by packet")
    {
    }

  private:
    void DoRun() override
    {
        EngineLoad load;
        load.pattern = EnginePattern::PING;
        load.messages = 2;
        for (const auto transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            load.transport = transport;
            const bool datagram = load.transport == Transport::UD;
            for (const uint32_t bytes : {0, 1, 128, 129, 2047, 2048, 2049, 6000, 8192, 1 << 20})
            {
                load.bytes = bytes;
                if (datagram && bytes > 2048)
                {
                    continue;
                }
                for (const HostId hosts : {2, 70})
                {
                    const Ran ran = RunTraffic(load, hosts, 0, 1U << 20);
                    NS_TEST_ASSERT_MSG_EQ(ran.latencies.size(), 2, "both arrive");
                    NS_TEST_EXPECT_MSG_EQ(ran.latencies[1],
                                          ran.idle + (datagram ? DETH_BYTES : 0),
                                          load.transport << " " << bytes << " bytes");
                }
            }
        }
    }
};

/** Every message arrives once and in order over RC, whatever is lost. */
class MessageReliabilityTestCase : public TestCase
{
  public:
    MessageReliabilityTestCase()
        : TestCase("RC delivers once and in order under loss; UC and UD lose whole messages")
    {
    }

  private:
    void DoRun() override
    {
        EngineLoad load;
        load.messages = 100;
        load.pattern = EnginePattern::PERMUTATION;
        load.bytes = 2048;
        const Ran crowded = RunTraffic(load, 32, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(crowded.latencies.size(), crowded.posted, "all arrive");
        NS_TEST_EXPECT_MSG_EQ(crowded.resent,
                              0,
                              "trains and ACKs that share links keep their order");
        load.messages = 300;
        for (const auto transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            load.transport = transport;
            const bool datagram = load.transport == Transport::UD;
            for (const uint32_t packets : {1, 5})
            {
                load.bytes = 2048 * packets;
                if (datagram && packets > 1)
                {
                    continue;
                }
                for (const auto pattern : {EnginePattern::UNIFORM,
                                           EnginePattern::INCAST,
                                           EnginePattern::BURSTS,
                                           EnginePattern::STREAM})
                {
                    load.pattern = pattern;
                    for (const double loss : {0.0, 0.02})
                    {
                        const Ran ran = RunTraffic(load, 5, loss, 2);
                        NS_TEST_EXPECT_MSG_EQ(ran.disordered, 0, "order");
                        NS_TEST_EXPECT_MSG_EQ((ran.lost > 0), (loss > 0), "losses are drawn");
                        const uint64_t missing = ran.posted - ran.latencies.size();
                        if (load.transport == Transport::RC)
                        {
                            NS_TEST_EXPECT_MSG_EQ(missing, 0, "RC repeats what is lost");
                        }
                        else if (packets == 1)
                        {
                            NS_TEST_EXPECT_MSG_EQ(missing, ran.lost, "a loss is a message");
                        }
                        else
                        {
                            // Few messages lose two of their packets.
                            NS_TEST_EXPECT_MSG_EQ(
                                (missing <= ran.lost && 2 * missing >= ran.lost),
                                true,
                                "a message with a hole is dropped, wherever the hole is");
                        }
                    }
                }
            }
        }
    }
};

/** Misses of the caches of contexts, against a sequence worked out by hand. */
class MessageContextTestCase : public TestCase
{
  public:
    MessageContextTestCase()
        : TestCase("lines touched and missed are those of a sequence worked out by hand")
    {
    }

  private:
    /**
     * Send four messages over two queue pairs: the first, the first, the second, the first.
     * @param transport their type
     * @param entries of each cache
     * @param touches that this makes
     * @param misses that this makes
     */
    void Look(Transport transport, uint32_t entries, uint64_t touches, uint64_t misses)
    {
        Pair pair(entries);
        const Qpn one = pair.Connect(transport);
        const Qpn two = pair.Connect(transport);
        pair.verbs->PostRecv(one + 1, {0, 100}, 3);
        pair.verbs->PostRecv(two + 1, {0, 100}, 1);
        for (const Qpn qp : {one, one, two, one})
        {
            pair.Post(pair.posted * 100'000, qp, WrOpcode::SEND, 8);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.Poll(1).size(), 4, "all have arrived");
        NS_TEST_EXPECT_MSG_EQ(pair.engine->GetNContextTouches(), touches, "lines touched");
        NS_TEST_EXPECT_MSG_EQ(pair.engine->GetNContextMisses(), misses, "lines missed");
    }

    void DoRun() override
    {
        // At each end: miss, hit, miss, miss. RC's ACKs touch what has just been touched.
        Look(Transport::UC, 1, 8, 6);
        Look(Transport::RC, 1, 16, 6);
        Look(Transport::UC, 2, 8, 4);
        Look(Transport::RC, 2, 16, 4);
        Look(Transport::RC, 0, 16, 0);
    }
};

/** RDMA, atomic operations and receives that are not there. */
class MessageOperationsTestCase : public TestCase
{
  public:
    MessageOperationsTestCase()
        : TestCase("writes, reads, atomics, and receives that come too late")
    {
    }

  private:
    void DoRun() override
    {
        {
            Pair pair;
            const Qpn qp = pair.Connect(Transport::RC);
            pair.verbs->PostRecv(qp + 1, {7, 100});
            pair.Post(0, qp, WrOpcode::RDMA_READ, 50'000);
            pair.Post(0, qp, WrOpcode::RDMA_WRITE, 3000);
            pair.Post(0, qp, WrOpcode::RDMA_WRITE_WITH_IMM, 5000);
            pair.Post(0, qp, WrOpcode::ATOMIC_FETCH_AND_ADD, 8);
            pair.Post(0, qp, WrOpcode::ATOMIC_FETCH_AND_ADD, 8);
            Simulator::Run();
            const auto sent = pair.Poll(0);
            NS_TEST_ASSERT_MSG_EQ(sent.size(), 5, "all end");
            for (std::size_t n = 0; n < sent.size(); ++n)
            {
                NS_TEST_EXPECT_MSG_EQ(sent[n].wrId, n + 1, "in the order posted");
                NS_TEST_EXPECT_MSG_EQ(sent[n].status, WcStatus::SUCCESS, "as asked");
            }
            NS_TEST_EXPECT_MSG_EQ(sent[4].atomic - sent[3].atomic, 5, "one adds to the other");
            const auto received = pair.Poll(1);
            NS_TEST_ASSERT_MSG_EQ(received.size(), 1, "only immediate data makes a completion");
            NS_TEST_EXPECT_MSG_EQ((received[0].opcode == WcOpcode::RECV_RDMA_WITH_IMM),
                                  true,
                                  "its kind");
            NS_TEST_EXPECT_MSG_EQ(received[0].wrId, 7, "its receive");
        }
        for (const Transport transport : {Transport::RC, Transport::UC})
        {
            const bool reliable = transport == Transport::RC;
            Pair pair;
            const Qpn qp = pair.Connect(transport);
            pair.Post(0, qp, WrOpcode::SEND, 3000);
            Simulator::Schedule(MicroSeconds(100),
                                [&pair, qp] { pair.verbs->PostRecv(qp + 1, {7, 4000}); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(pair.Poll(1).size(), reliable, "sent again after the RNR NAK");
            NS_TEST_EXPECT_MSG_EQ(pair.Poll(0).size(), 1, "the sender hears");
            NS_TEST_EXPECT_MSG_EQ(pair.verbs->GetNReceiverNotReady(), 1, "once was none there");
        }
        {
            // Nobody answers: the queue pair gives up, and what waits behind is flushed.
            Pair pair;
            pair.engine->SetAttribute("PacketLoss", DoubleValue(1));
            pair.engine->SetAttribute("RetryCount", UintegerValue(2));
            const Qpn qp = pair.Connect(Transport::RC);
            pair.Post(0, qp, WrOpcode::SEND, 10);
            pair.Post(0, qp, WrOpcode::SEND, 10);
            Simulator::Run();
            const auto sent = pair.Poll(0);
            NS_TEST_ASSERT_MSG_EQ(sent.size(), 2, "both end");
            NS_TEST_EXPECT_MSG_EQ(sent[0].status, WcStatus::RETRY_EXC_ERR, "after all retries");
            NS_TEST_EXPECT_MSG_EQ(sent[1].status, WcStatus::WR_FLUSH_ERR, "behind it");
            NS_TEST_EXPECT_MSG_EQ(pair.verbs->GetState(qp), QpState::ERR, "state");
        }
        {
            // The other side's memory may not be written.
            Pair pair;
            const Qpn qp = pair.Connect(Transport::RC);
            pair.verbs->DeregMr(pair.keys[1]);
            pair.Post(0, qp, WrOpcode::RDMA_WRITE, 10);
            Simulator::Run();
            const auto sent = pair.Poll(0);
            NS_TEST_ASSERT_MSG_EQ(sent.size(), 1, "it ends");
            NS_TEST_EXPECT_MSG_EQ(sent[0].status, WcStatus::REM_ACCESS_ERR, "refused");
        }
    }
};

/** Without any answer, no more than the depths goes out. */
class MessageDepthTestCase : public TestCase
{
  public:
    MessageDepthTestCase()
        : TestCase("RequestDepth and ReadDepth bound what waits for answers")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool reads : {false, true})
        {
            Pair pair;
            pair.engine->SetAttribute("PacketLoss", DoubleValue(1));
            pair.engine->SetAttribute("RequestDepth", UintegerValue(5));
            pair.engine->SetAttribute("ReadDepth", UintegerValue(3));
            const Qpn qp = pair.Connect(Transport::RC);
            for (uint32_t n = 0; n < 10; ++n)
            {
                pair.Post(0, qp, reads ? WrOpcode::RDMA_READ : WrOpcode::RDMA_WRITE, 8);
            }
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(pair.engine->GetNLost(), (reads ? 3 : 5), "depth");
        }
    }
};

/** What is missing is asked for once, and again when something else is. */
class MessageGapTestCase : public TestCase
{
  public:
    MessageGapTestCase()
        : TestCase("one NAK a gap")
    {
    }

  private:
    void DoRun() override
    {
        Pair pair;
        uint32_t answers = 0;
        const Callback<void, HostId, HcaCounters::Part, Ticks, Ticks> count(
            [&answers](HostId host, HcaCounters::Part part, Ticks, Ticks) {
                answers += host == 1 && part == HcaCounters::ACKNOWLEDGE;
            });
        pair.engine->TraceConnectWithoutContext("Work", count);
        const Qpn qp = pair.Connect(Transport::RC);
        for (const Ticks begin : {0, 200000})
        {
            // The first of four messages is lost, and the others come without it.
            const Ticks rest = begin + 100000;
            Simulator::Schedule(NanoSeconds(begin), [&pair] {
                pair.engine->SetAttribute("PacketLoss", DoubleValue(1));
            });
            Simulator::Schedule(NanoSeconds(rest), [&pair] {
                pair.engine->SetAttribute("PacketLoss", DoubleValue(0));
            });
            for (const Ticks when : {begin, rest, rest, rest})
            {
                pair.Post(when, qp, WrOpcode::RDMA_WRITE, 8);
            }
        }
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.engine->GetNLost(), 2, "two gaps");
        NS_TEST_EXPECT_MSG_EQ(pair.Poll(0).size(), 8, "all have ended, long before a timeout");
        NS_TEST_EXPECT_MSG_EQ(answers, 2 + 8, "a NAK a gap, and an ACK a message");
    }
};

/** The message engine. */
class MessageEngineTestSuite : public TestSuite
{
  public:
    MessageEngineTestSuite()
        : TestSuite("infiniband-message-engine", Type::UNIT)
    {
        AddTestCase(new MessageLatencyTestCase, Duration::QUICK);
        AddTestCase(new MessageReliabilityTestCase, Duration::QUICK);
        AddTestCase(new MessageContextTestCase, Duration::QUICK);
        AddTestCase(new MessageOperationsTestCase, Duration::QUICK);
        AddTestCase(new MessageDepthTestCase, Duration::QUICK);
        AddTestCase(new MessageGapTestCase, Duration::QUICK);
    }
};

static MessageEngineTestSuite g_messageEngineTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
