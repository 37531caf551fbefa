/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-bench.h"

#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/**
 * Audit a run over RC: every message has to be delivered once, in order and intact, and completed
 * in order.
 * @param bench the run, ended
 * @param expected requests that host 1 should receive, in order
 * @param nSends number of requests posted by host 0, numbered from zero
 * @return an empty text, or the error
 */
std::string
AuditReliable(PacketBench& bench, const std::vector<SendWr>& expected, uint64_t nSends)
{
    std::ostringstream os;
    const auto received = bench.Poll(1);
    const auto sent = bench.Poll(0);
    if (received.size() != expected.size())
    {
        os << received.size() << " receives, not " << expected.size();
        return os.str();
    }
    for (std::size_t n = 0; n < received.size(); ++n)
    {
        if (received[n].status != WcStatus::SUCCESS || !(received[n].data == expected[n].data) ||
            received[n].bytes != expected[n].bytes)
        {
            os << "receive " << n << " is of message " << received[n].data.id << ", "
               << received[n].status;
            return os.str();
        }
    }
    if (sent.size() != nSends)
    {
        os << sent.size() << " sends completed, not " << nSends;
        return os.str();
    }
    for (uint64_t n = 0; n < nSends; ++n)
    {
        if (sent[n].status != WcStatus::SUCCESS || sent[n].wrId != n)
        {
            os << "send " << n << " completed as " << sent[n].wrId << ", " << sent[n].status;
            return os.str();
        }
    }
    if (bench.engine->GetNMessages() != 0)
    {
        os << bench.engine->GetNMessages() << " messages are never forgotten";
    }
    return os.str();
}

} // namespace

/** Packet sequence numbers wrap. */
class PsnTestCase : public TestCase
{
  public:
    PsnTestCase()
        : TestCase("packet sequence numbers wrap at 24 bits")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(GetPsnDistance(0, PSN_MASK), 1, "from the last PSN to the first");
        NS_TEST_EXPECT_MSG_EQ(GetPsnDistance(PSN_MASK, 0), -1, "from the first PSN to the last");
        NS_TEST_EXPECT_MSG_EQ(GetPsnDistance(5, 3), 2, "a later PSN");
        NS_TEST_EXPECT_MSG_EQ(GetPsnDistance(1U << 23, 0),
                              -(1 << 23),
                              "a PSN half way round counts as earlier");
        NS_TEST_EXPECT_MSG_EQ(sizeof(TransportHeader),
                              16,
                              "size of the header, which a packet of the fabric stores");
    }
};

/** RC under every fate of its first packets. */
class ReliableExhaustiveTestCase : public TestCase
{
  public:
    /** @param depth packets that meet every fate @param psn the first packet's number */
    ReliableExhaustiveTestCase(unsigned depth, uint32_t psn)
        : TestCase("C-03, C-06: RC is exactly once and in order under every fate of the first " +
                   std::to_string(depth) + " packets, from PSN " + std::to_string(psn)),
          m_depth(depth),
          m_psn(psn)
    {
    }

  private:
    void DoRun() override
    {
        unsigned runs = 1;
        for (unsigned n = 0; n < m_depth; ++n)
        {
            runs *= 3;
        }
        for (unsigned fates = 0; fates < runs; ++fates)
        {
            PacketBench bench({}, FAST);
            bench.Connect(Transport::RC, m_psn);
            unsigned left = fates;
            unsigned number = 0;
            bench.wire->decide = [&](const TransportHeader&, uint32_t) -> int64_t {
                if (number++ >= m_depth)
                {
                    return 0;
                }
                constexpr std::array<int64_t, 3> FATES{0, ScriptedWire::LOSE, ScriptedWire::LATE};
                const int64_t fate = FATES.at(left % FATES.size());
                left /= FATES.size();
                return fate;
            };
            bench.verbs->PostRecv(bench.qps[1], {0, 1024}, 3);
            const std::vector<SendWr> requests{bench.Request(0, 300),
                                               bench.Request(1, 600, WrOpcode::RDMA_READ),
                                               bench.Request(2, 257, WrOpcode::RDMA_WRITE_WITH_IMM),
                                               bench.Request(3, 0)};
            for (const SendWr& wr : requests)
            {
                bench.Send(wr);
            }
            Simulator::Run();
            const std::string wrong =
                AuditReliable(bench, {requests[0], requests[2], requests[3]}, requests.size());
            NS_TEST_ASSERT_MSG_EQ(wrong, "", "fates " << fates);
        }
    }

    unsigned m_depth; ///< Number of packets with a chosen fate.
    uint32_t m_psn;   ///< First PSN.
};

/** Atomic operations under every fate of their packets. */
class AtomicExactlyOnceTestCase : public TestCase
{
  public:
    AtomicExactlyOnceTestCase()
        : TestCase("RC executes an atomic operation once under every fate of the first 6 packets")
    {
    }

  private:
    void DoRun() override
    {
        constexpr unsigned DEPTH = 6;
        constexpr std::array<int64_t, 3> FATES{0, ScriptedWire::LOSE, ScriptedWire::LATE};
        constexpr unsigned RUNS = 729; // 3^6.
        for (unsigned fates = 0; fates < RUNS; ++fates)
        {
            PacketBench bench({}, FAST);
            bench.Connect(Transport::RC);
            unsigned left = fates;
            unsigned number = 0;
            bench.wire->decide = [&](const TransportHeader&, uint32_t) -> int64_t {
                if (number++ >= DEPTH)
                {
                    return 0;
                }
                const int64_t fate = FATES.at(left % FATES.size());
                left /= FATES.size();
                return fate;
            };
            bench.verbs->SetWord(bench.keys[1], 8, 40);
            for (uint64_t id = 0; id < 3; ++id)
            {
                SendWr wr = bench.Request(id, 8);
                wr.SetAtomic(WrOpcode::ATOMIC_FETCH_AND_ADD, {.compareAdd = 1});
                wr.remoteAddress = 8;
                bench.Send(wr);
            }
            Simulator::Run();
            const auto wcs = bench.Poll(0);
            NS_TEST_ASSERT_MSG_EQ(wcs.size(), 3, "completions with fates " << fates);
            for (uint64_t id = 0; id < 3; ++id)
            {
                NS_TEST_ASSERT_MSG_EQ(wcs[id].status,
                                      WcStatus::SUCCESS,
                                      "status of completion " << id << " with fates " << fates);
                NS_TEST_ASSERT_MSG_EQ(wcs[id].data.contents,
                                      40 + id,
                                      "old value of operation " << id << " with fates " << fates);
            }
            NS_TEST_ASSERT_MSG_EQ(bench.verbs->GetWord(bench.keys[1], 8),
                                  43,
                                  "sum with fates " << fates);
            NS_TEST_ASSERT_MSG_EQ(bench.engine->GetNMessages(),
                                  0,
                                  "messages left with fates " << fates);
        }
    }
};

/** RC under random losses and reordering. */
class ReliableRandomTestCase : public TestCase
{
  public:
    ReliableRandomTestCase()
        : TestCase("C-03: RC is exactly once and in order under random losses and reordering")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        uint64_t retries = 0;
        for (unsigned run = 0; run < 60; ++run)
        {
            HcaConfig hca = FAST;
            hca.requestDepth = run % 5 ? 16 : 1;
            PacketBench bench({{"PacketLoss", run % 4 ? "0" : "0.02"}}, hca);
            bench.Connect(Transport::RC, PSN_MASK - 100);
            const double loss = 0.01 * (run % 7);
            const double late = 0.01 * (run % 11);
            bench.wire->decide = [&](const TransportHeader&, uint32_t) -> int64_t {
                if (random->GetValue() < loss)
                {
                    return ScriptedWire::LOSE;
                }
                return random->GetValue() < late ? random->GetInteger(0, 30000) : 0;
            };
            bench.verbs->PostRecv(bench.qps[1], {0, 4096}, 150);
            std::vector<SendWr> expected;
            constexpr uint64_t SENDS = 200;
            for (uint64_t id = 0; id < SENDS; ++id)
            {
                const auto opcode = static_cast<WrOpcode>(random->GetInteger(0, 4));
                const SendWr wr = bench.Request(id, random->GetInteger(0, 1500), opcode);
                bench.Send(wr);
                if (TakesReceive(opcode))
                {
                    expected.push_back(wr);
                }
            }
            // Some receives are posted only after RNR NAKs.
            Simulator::Schedule(MicroSeconds(200),
                                [&bench] { bench.verbs->PostRecv(bench.qps[1], {0, 4096}, 100); });
            Simulator::Run();
            const std::string wrong = AuditReliable(bench, expected, SENDS);
            NS_TEST_ASSERT_MSG_EQ(wrong, "", "run " << run);
            retries += bench.engine->GetCounters().retries;
        }
        NS_TEST_EXPECT_MSG_GT(retries, 500, "retries of all runs");
    }
};

/** Errors that end a connection, and the completion that its sender gets. */
class ReliableErrorsTestCase : public TestCase
{
  public:
    ReliableErrorsTestCase()
        : TestCase("RC: retries, RNR retries, access, length: the status and both states")
    {
    }

  private:
    /**
     * Send two requests; the first one fails.
     * @param hca constants of the adapters
     * @param prepare posts receives and sets the wire
     * @param wr the request
     * @param status expected status of the first
     * @param remote expected state of the remote queue pair
     */
    template <class F>
    void Expect(const HcaConfig& hca,
                F prepare,
                const std::function<SendWr(const PacketBench&)>& wr,
                WcStatus status,
                QpState remote)
    {
        PacketBench bench({}, hca);
        bench.Connect(Transport::RC);
        prepare(bench);
        bench.Send(wr(bench));
        bench.Send(bench.Request(1, 10));
        Simulator::Run();
        const auto wcs = bench.Poll(0);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 2, status << ": completions");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status, status, status << ": the request that fails");
        NS_TEST_EXPECT_MSG_EQ(wcs[1].status,
                              WcStatus::WR_FLUSH_ERR,
                              status << ": the request behind it");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(bench.qps[0]),
                              QpState::ERR,
                              status << ": state of the requester");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(bench.qps[1]),
                              remote,
                              status << ": state of the responder");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetNMessages(), 0, status << ": messages left");
        m_sent = bench.wire->sent.size();
    }

    void DoRun() override
    {
        const auto post = [](PacketBench& bench) {
            bench.verbs->PostRecv(bench.qps[1], {0, 100}, 5);
        };
        HcaConfig few = FAST;
        few.retryCount = 3;
        Expect(
            few,
            [](PacketBench& bench) {
                bench.wire->decide = [](const TransportHeader&, uint32_t) {
                    return ScriptedWire::LOSE;
                };
            },
            [](const PacketBench& bench) { return bench.Request(0, 10); },
            WcStatus::RETRY_EXC_ERR,
            QpState::RTS);
        NS_TEST_EXPECT_MSG_EQ(m_sent, 8, "packets sent: two, once and three times again");
        HcaConfig twice = FAST;
        twice.rnrRetryCount = 2;
        Expect(
            twice,
            [](PacketBench&) {},
            [](const PacketBench& bench) { return bench.Request(0, 10); },
            WcStatus::RNR_RETRY_EXC_ERR,
            QpState::RTS);
        Expect(
            FAST,
            post,
            [](const PacketBench& bench) {
                SendWr wr = bench.Request(0, 8);
                wr.SetAtomic(WrOpcode::ATOMIC_FETCH_AND_ADD, {1});
                wr.remoteAddress = 4;
                return wr;
            },
            WcStatus::REM_INV_REQ_ERR,
            QpState::ERR);
        Expect(
            FAST,
            post,
            [](const PacketBench& bench) {
                SendWr wr = bench.Request(0, 10, WrOpcode::RDMA_WRITE);
                wr.remoteAddress = PacketBench::REGION;
                return wr;
            },
            WcStatus::REM_ACCESS_ERR,
            QpState::ERR);
        Expect(
            FAST,
            post,
            [](const PacketBench& bench) { return bench.Request(0, 101); },
            WcStatus::REM_INV_REQ_ERR,
            QpState::ERR);

        // Receives of the failed side: its own error first, then flushes.
        PacketBench bench({}, FAST);
        bench.Connect(Transport::RC);
        post(bench);
        bench.Send(bench.Request(0, 1000));
        Simulator::Run();
        const auto wcs = bench.Poll(1);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 5, "completions of all receives");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status,
                              WcStatus::LOC_LEN_ERR,
                              "the receive that is too short");
        NS_TEST_EXPECT_MSG_EQ(wcs[4].status, WcStatus::WR_FLUSH_ERR, "the last receive is flushed");
    }

    std::size_t m_sent{0}; ///< Packets of the last run.
};

/** A rule of RC. */
class ReliableRuleTestCase : public TestCase
{
  public:
    /** A method that checks a rule. */
    using Rule = void (ReliableRuleTestCase::*)();

    /** @param name the rule @param rule its check */
    ReliableRuleTestCase(const std::string& name, Rule rule)
        : TestCase("RC: " + name),
          m_rule(rule)
    {
    }

    /** Rule: one NAK a gap, and go-back-N. */
    void Gaps()
    {
        for (const unsigned gaps : {1, 2})
        {
            // Ten packets: the third is lost, and the retransmission of the seventh.
            PacketBench bench;
            bench.Connect(Transport::RC);
            std::array<unsigned, 10> attempts{};
            bench.wire->decide = [&](const TransportHeader& header, uint32_t) -> int64_t {
                if (header.kind != PacketKind::REQUEST)
                {
                    return 0;
                }
                const int32_t place = GetPsnDistance(header.psn, 0);
                const unsigned attempt = ++attempts.at(place);
                const bool lost =
                    (place == 2 && attempt == 1) || (place == 6 && attempt == 2 && gaps == 2);
                return lost ? ScriptedWire::LOSE : 0;
            };
            bench.verbs->PostRecv(bench.qps[1], {0, 4096});
            bench.Send(bench.Request(0, 2560));
            Simulator::Run();
            const std::string wrong = AuditReliable(bench, {bench.Request(0, 2560)}, 1);
            NS_TEST_EXPECT_MSG_EQ(wrong, "", "messages are intact");
            NS_TEST_EXPECT_MSG_EQ(Count(bench, PacketKind::ACK, Syndrome::NAK_SEQUENCE),
                                  gaps,
                                  "NAKs: one for each gap");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(Count(bench, PacketKind::REQUEST),
                                        (gaps == 1 ? 18 : 22),
                                        "requests: go-back-N repeats no more");
            NS_TEST_EXPECT_MSG_EQ(bench.engine->GetCounters().retries,
                                  gaps,
                                  "retries: one for each gap");
            NS_TEST_EXPECT_MSG_LT(Simulator::Now(),
                                  MilliSeconds(68),
                                  "end of the run, before any timeout");
        }
    }

    /** Rule: an RNR NAK stops the sender for RnrTimeout. */
    void Rnr()
    {
        // No receive: the sender waits for rnrTimeout, even if one is posted meanwhile, then
        // retries.
        PacketBench bench({}, {.rnrTimeout = 100'000});
        bench.Connect(Transport::RC);
        bench.Send(bench.Request(0, 10));
        Simulator::Schedule(MicroSeconds(20), [&bench] { bench.Send(bench.Request(1, 10)); });
        Simulator::Schedule(MicroSeconds(50),
                            [&bench] { bench.verbs->PostRecv(bench.qps[1], {0, 100}, 2); });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const std::string wrong =
            AuditReliable(bench, {bench.Request(0, 10), bench.Request(1, 10)}, 2);
        NS_TEST_EXPECT_MSG_EQ(wrong, "", "messages are delivered");
        NS_TEST_EXPECT_MSG_EQ(Count(bench, PacketKind::ACK, Syndrome::RNR_NAK), 1, "RNR NAKs");
        NS_TEST_EXPECT_MSG_EQ(Count(bench, PacketKind::REQUEST),
                              3,
                              "requests: the first message twice, the second once");
    }

    /** Rule: RequestDepth and ReadDepth limit the messages in flight. */
    void Depth()
    {
        for (const bool reads : {false, true})
        {
            // Without an answer, at most requestDepth messages are sent.
            PacketBench bench({}, {.requestDepth = 5, .readDepth = 3});
            bench.Connect(Transport::RC);
            bench.wire->decide = [](const TransportHeader&, uint32_t) {
                return ScriptedWire::LOSE;
            };
            for (uint64_t id = 0; id < 10; ++id)
            {
                bench.Send(bench.Request(id, 8, reads ? WrOpcode::RDMA_READ : WrOpcode::SEND));
            }
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.wire->sent.size(),
                                  (reads ? 3 : 5),
                                  "packets before the limit of reads in flight");
        }
    }

    /** Rule: an ACK after lost responses of a read repeats the read. */
    void LostResponses()
    {
        for (const bool lose : {false, true})
        {
            // A read, then a send: the ACK does not overtake the responses. If they are lost, it
            // reveals this, and the read is repeated before it completes.
            PacketBench bench;
            bench.Connect(Transport::RC);
            bench.wire->decide = [lose, first = true](const TransportHeader& header,
                                                      uint32_t) mutable -> int64_t {
                const bool hit = lose && first && header.kind == PacketKind::READ_RESPONSE;
                first = first && header.kind != PacketKind::ACK;
                return hit ? ScriptedWire::LOSE : 0;
            };
            bench.verbs->PostRecv(bench.qps[1], {0, 100});
            bench.Send(bench.Request(0, 1024, WrOpcode::RDMA_READ));
            bench.Send(bench.Request(1, 10));
            Simulator::Run();
            const std::string wrong = AuditReliable(bench, {bench.Request(1, 10)}, 2);
            NS_TEST_EXPECT_MSG_EQ(wrong, "", "responses are intact, lost: " << lose);
            NS_TEST_EXPECT_MSG_EQ(bench.engine->GetCounters().retries,
                                  (lose ? 1 : 0),
                                  "retries, lost: " << lose);
            NS_TEST_EXPECT_MSG_EQ(Count(bench, PacketKind::READ_RESPONSE),
                                  (lose ? 8 : 4),
                                  "response packets, lost: " << lose);
            NS_TEST_EXPECT_MSG_LT(bench.engine->GetCounters().events, 200, "events: no timeout");
        }
    }

    /** Rule: a queue pair in ERR does not answer. */
    void Error()
    {
        // A queue pair in ERR does not answer; its receives are flushed, including the one
        // being filled.
        PacketBench bench(BenchSettings{{"RetryCount", "1"}, {"AckTimeout", "50000"}});
        bench.Connect(Transport::RC);
        bench.verbs->PostRecv(bench.qps[1], {7, 100'000}, 3);
        bench.Send(bench.Request(0, 100'000));
        Simulator::Schedule(MicroSeconds(20),
                            [&bench] { bench.verbs->ModifyQp(bench.qps[1], {QpState::ERR}); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(1).size(),
                              3,
                              "completions of the receiver, which are flushed");
        const auto wcs = bench.Poll(0);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, "completions of the sender");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status, WcStatus::RETRY_EXC_ERR, "status without an answer");
    }

    /** Rule: in SQD begun requests end, and others wait for RTS in the order posted. */
    void Drain()
    {
        PacketBench bench;
        bench.Connect(Transport::RC);
        bench.verbs->PostRecv(bench.qps[1], {0, 100'000}, 3);
        bench.Send(bench.Request(0, 100'000));
        bench.Send(bench.Request(1, 10));
        Simulator::Schedule(MicroSeconds(20),
                            [&bench] { bench.verbs->ModifyQp(bench.qps[0], {QpState::SQD}); });
        Simulator::Schedule(MicroSeconds(500), [&bench] { bench.Send(bench.Request(2, 20)); });
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 1, "completion of the first request");
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(1).size(), 1, "arrival of the first request");
        bench.verbs->ModifyQp(bench.qps[0], {QpState::RTS});
        Simulator::Stop(MilliSeconds(1));
        Simulator::Run();
        const auto arrived = bench.Poll(1);
        NS_TEST_ASSERT_MSG_EQ(arrived.size(), 2, "arrivals of the other requests after SQD");
        NS_TEST_EXPECT_MSG_EQ(arrived[0].bytes, 10, "first the request posted before SQD");
        NS_TEST_EXPECT_MSG_EQ(arrived[1].bytes, 20, "then the request posted in SQD");
    }

    /** Rule: an ACK that waits for the engine acknowledges up to AckCoalescing messages. */
    void Coalescing()
    {
        constexpr uint32_t MESSAGES = 20;
        std::map<uint32_t, std::size_t> acks;
        for (const uint32_t limit : {1U, 8U})
        {
            HcaConfig hca{.sendProcessing = 10, .receiveProcessing = 10, .ackProcessing = 5000};
            hca.ackCoalescing = limit;
            PacketBench bench({}, hca);
            bench.Connect(Transport::RC);
            bench.verbs->PostRecv(bench.qps[1], {0, 100}, MESSAGES);
            for (uint64_t id = 0; id < MESSAGES; ++id)
            {
                bench.Send(bench.Request(id, 8));
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), MESSAGES, "completions");
            acks[limit] = Count(bench, PacketKind::ACK);
            uint32_t most = 0;
            uint32_t last = PSN_MASK;
            for (const TransportHeader& header : bench.wire->sent)
            {
                if (header.kind == PacketKind::ACK)
                {
                    most = std::max(most, (header.psn - last) & PSN_MASK);
                    last = header.psn;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(most, limit, "largest number of messages that an ACK covers");
            NS_TEST_EXPECT_MSG_EQ(last, MESSAGES - 1, "the last message is acknowledged");
        }
        NS_TEST_EXPECT_MSG_EQ(acks[1], MESSAGES, "ACKs with coalescing of 1: one for each message");
        NS_TEST_EXPECT_MSG_LT(acks[8], 12, "ACKs with coalescing of 8");
    }

    /** Rule: the limit of RNR retries counts those without progress only. */
    void RnrProgress()
    {
        PacketBench bench({}, {.rnrRetryCount = 1, .rnrTimeout = 20'000});
        bench.Connect(Transport::RC);
        for (uint64_t id = 0; id < 3; ++id)
        {
            // A receive arrives during each wait.
            bench.Send(bench.Request(id, 10));
            Simulator::Schedule(MicroSeconds(10 + 30 * id),
                                [&bench] { bench.verbs->PostRecv(bench.qps[1], {0, 100}); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 3, "completions");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(bench.qps[0]),
                              QpState::RTS,
                              "state of the sender");
        NS_TEST_EXPECT_MSG_GT(bench.engine->GetCounters().notReady,
                              1,
                              "RNR NAKs, more than RNR retries");
    }

  private:
    /**
     * Count packets of a kind.
     * @param bench the run
     * @param kind the kind
     * @param syndrome of an ACK
     * @return their number
     */
    static std::size_t Count(const PacketBench& bench,
                             PacketKind kind,
                             Syndrome syndrome = Syndrome::ACK)
    {
        return std::count_if(bench.wire->sent.begin(),
                             bench.wire->sent.end(),
                             [kind, syndrome](const TransportHeader& header) {
                                 return header.kind == kind && header.syndrome == syndrome;
                             });
    }

    void DoRun() override
    {
        (this->*m_rule)();
    }

    Rule m_rule; ///< The check.
};

/** The transports over packets. */
class InfinibandTransportTestSuite : public TestSuite
{
  public:
    InfinibandTransportTestSuite()
        : TestSuite("infiniband-transport", Type::UNIT)
    {
        AddTestCase(new PsnTestCase, Duration::QUICK);
        AddTestCase(new ReliableExhaustiveTestCase(8, 0), Duration::QUICK);
        AddTestCase(new ReliableExhaustiveTestCase(10, PSN_MASK - 2), Duration::EXTENSIVE);
        AddTestCase(new ReliableRandomTestCase, Duration::QUICK);
        AddTestCase(new ReliableErrorsTestCase, Duration::QUICK);
        const auto add = [this](const std::string& name, ReliableRuleTestCase::Rule rule) {
            AddTestCase(new ReliableRuleTestCase(name, rule), Duration::QUICK);
        };
        add("one NAK a gap, and go-back-N", &ReliableRuleTestCase::Gaps);
        add("an RNR NAK stops the sender for RnrTimeout", &ReliableRuleTestCase::Rnr);
        add("RequestDepth and ReadDepth limit the messages in flight",
            &ReliableRuleTestCase::Depth);
        add("an ACK after lost responses of a read repeats the read",
            &ReliableRuleTestCase::LostResponses);
        add("a queue pair in ERR does not answer", &ReliableRuleTestCase::Error);
        add("in SQD begun requests end, and no other begins", &ReliableRuleTestCase::Drain);
        add("an ACK that waits acknowledges up to AckCoalescing messages",
            &ReliableRuleTestCase::Coalescing);
        add("the limit of RNR retries counts those without progress",
            &ReliableRuleTestCase::RnrProgress);
        AddTestCase(new AtomicExactlyOnceTestCase, Duration::QUICK);
    }
};

static InfinibandTransportTestSuite g_infinibandTransportTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
