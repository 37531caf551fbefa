/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-scripted-engine.h"

#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

constexpr std::array STATES{QpState::RESET,
                            QpState::INIT,
                            QpState::RTR,
                            QpState::RTS,
                            QpState::SQD,
                            QpState::SQE,
                            QpState::ERR};

constexpr std::array TRANSPORTS{Transport::RC, Transport::UC, Transport::UD};

constexpr std::array OPCODES{WrOpcode::SEND,
                             WrOpcode::SEND_WITH_IMM,
                             WrOpcode::RDMA_WRITE,
                             WrOpcode::RDMA_WRITE_WITH_IMM,
                             WrOpcode::RDMA_READ,
                             WrOpcode::ATOMIC_COMPARE_AND_SWAP,
                             WrOpcode::ATOMIC_FETCH_AND_ADD};

constexpr uint64_t REGION_BYTES = 1 << 20; ///< Length of the regions of the tests [bytes].

/** Two hosts with verbs over a scripted engine. */
struct Bench
{
    Bench()
    {
        error = verbs->Open(clock, engine, 2);
        cqs = {verbs->CreateCq(0), verbs->CreateCq(1)};
        keys = {verbs->RegisterMemory(0, REGION_BYTES, 0),
                verbs->RegisterMemory(1, REGION_BYTES, REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC)};
    }

    ~Bench()
    {
        verbs->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }

    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /**
     * Create a queue pair.
     * @param transport its type
     * @param host its host
     * @return its number
     */
    Qpn Create(Transport transport, HostId host = 0)
    {
        QpInitAttr attr;
        attr.transport = transport;
        attr.sendCq = cqs[host];
        attr.recvCq = cqs[host];
        return verbs->CreateQp(host, attr);
    }

    /**
     * Create a connected pair, or two datagram queue pairs, in RTS.
     * @param transport their type
     * @return the one of host 0, then the one of host 1
     */
    std::array<Qpn, 2> CreateConnected(Transport transport)
    {
        const std::array<Qpn, 2> qps{Create(transport, 0), Create(transport, 1)};
        verbs->ConnectQps(qps[0], qps[1]);
        return qps;
    }

    /**
     * Make a signalled request of a few bytes.
     * @param wrId its number
     * @param opcode its operation
     * @return the request
     */
    SendWr Request(uint64_t wrId, WrOpcode opcode = WrOpcode::SEND) const
    {
        SendWr wr;
        wr.wrId = wrId;
        wr.opcode = opcode;
        wr.bytes = 8;
        wr.localKey = keys[0];
        wr.remoteKey = keys[1];
        wr.flags = SIGNALED;
        wr.to = {1, 1, 0};
        return wr;
    }

    /**
     * Bring a connected queue pair to a state.
     * @param qp the queue pair, in RESET
     * @param other the other one
     * @param state the state
     */
    void Bring(Qpn qp, Qpn other, QpState state)
    {
        for (const QpState next : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            if (state != QpState::RESET && (state > QpState::RTS || next <= state))
            {
                verbs->ModifyQp(qp, {next, other, 0});
            }
        }
        if (state == QpState::SQD || state == QpState::ERR)
        {
            verbs->ModifyQp(qp, {state, NO_QP, 0});
        }
        else if (state == QpState::SQE)
        {
            SendWr wr = Request(99);
            wr.localKey = NO_KEY;
            verbs->PostSend(qp, wr);
            Poll(0);
        }
    }

    /**
     * Take all completions of a host.
     * @param host the host
     * @return the completions
     */
    std::vector<WorkCompletion> Poll(HostId host)
    {
        std::vector<WorkCompletion> wcs(1000);
        wcs.resize(verbs->PollCq(cqs[host], 1000, wcs.data()));
        return wcs;
    }

    Ptr<messaging::TickClock> clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<ScriptedEngine> engine = CreateObject<ScriptedEngine>();            ///< Engine.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< What is tested.
    std::string error;                                                      ///< What Open has said.
    std::array<CqNumber, 2> cqs{};                                          ///< A queue a host.
    std::array<MemoryKey, 2> keys{};                                        ///< A region a host.
};

/**
 * Print values.
 * @tparam T their types
 * @param values what to print
 * @return the text
 */
template <class... T>
std::string
Text(const T&... values)
{
    std::ostringstream os;
    ((os << values << " "), ...);
    return os.str();
}

} // namespace

/** Which transition is possible from which state: every pair of states. */
class VerbsTransitionsTestCase : public TestCase
{
  public:
    VerbsTransitionsTestCase()
        : TestCase("state machine: every state x ModifyQp to every state")
    {
    }

  private:
    void DoRun() override
    {
        // Columns as STATES: RESET INIT RTR RTS SQD SQE ERR.
        const std::map<QpState, std::string> table{
            {QpState::RESET, "xx....."},
            {QpState::INIT, "xxx...x"},
            {QpState::RTR, "x..x..x"},
            {QpState::RTS, "x..xx.x"},
            {QpState::SQD, "x..xx.x"},
            {QpState::SQE, "x..x..x"},
            {QpState::ERR, "x.....x"},
        };
        for (const Transport transport : TRANSPORTS)
        {
            for (const auto& [from, row] : table)
            {
                if (from == QpState::SQE && transport == Transport::RC)
                {
                    continue;
                }
                for (std::size_t to = 0; to < STATES.size(); ++to)
                {
                    Bench bench;
                    const Qpn qp = bench.Create(transport);
                    const Qpn other = bench.Create(transport, 1);
                    bench.Bring(qp, other, from);
                    const std::string what = Text(transport, from, STATES[to]);
                    NS_TEST_ASSERT_MSG_EQ(bench.verbs->GetState(qp), from, what);
                    const bool done = bench.verbs->ModifyQp(qp, {STATES[to], other, 0});
                    NS_TEST_EXPECT_MSG_EQ(done, (row[to] == 'x'), what);
                    NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(qp),
                                          (done ? STATES[to] : from),
                                          what);
                }
            }
        }
    }
};

/** What PostSend and PostRecv do in every state. */
class VerbsPostsTestCase : public TestCase
{
  public:
    VerbsPostsTestCase()
        : TestCase("state machine: every state x PostSend, PostRecv")
    {
    }

  private:
    /** What becomes of a posted work request. */
    enum class Fate
    {
        REFUSED,
        KEPT,
        HANDED,
        FLUSHED
    };

    void DoRun() override
    {
        const std::map<QpState, std::pair<Fate, Fate>> table{
            // State, PostSend, PostRecv.
            {QpState::RESET, {Fate::REFUSED, Fate::REFUSED}},
            {QpState::INIT, {Fate::REFUSED, Fate::KEPT}},
            {QpState::RTR, {Fate::REFUSED, Fate::KEPT}},
            {QpState::RTS, {Fate::HANDED, Fate::KEPT}},
            {QpState::SQD, {Fate::KEPT, Fate::KEPT}},
            {QpState::SQE, {Fate::FLUSHED, Fate::KEPT}},
            {QpState::ERR, {Fate::FLUSHED, Fate::FLUSHED}},
        };
        for (const Transport transport : TRANSPORTS)
        {
            for (const auto& [state, fates] : table)
            {
                if (state == QpState::SQE && transport == Transport::RC)
                {
                    continue;
                }
                const std::string what = Text(transport, state);
                Bench bench;
                const Qpn qp = bench.Create(transport);
                const Qpn other = bench.Create(transport, 1);
                bench.Bring(qp, other, state);
                const bool sent = bench.verbs->PostSend(qp, bench.Request(1));
                NS_TEST_EXPECT_MSG_EQ(sent, (fates.first != Fate::REFUSED), "PostSend " << what);
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                      (fates.first == Fate::HANDED ? 1 : 0),
                                      "PostSend " << what);
                NS_TEST_EXPECT_MSG_EQ(IsFlushed(bench, 1),
                                      (fates.first == Fate::FLUSHED),
                                      "PostSend " << what);
                const bool received = bench.verbs->PostRecv(qp, {2, 64}, 3);
                NS_TEST_EXPECT_MSG_EQ(received,
                                      (fates.second != Fate::REFUSED),
                                      "PostRecv " << what);
                NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedReceives(qp),
                                      (fates.second == Fate::KEPT ? 3 : 0),
                                      "PostRecv " << what);
                NS_TEST_EXPECT_MSG_EQ(IsFlushed(bench, 3),
                                      (fates.second == Fate::FLUSHED),
                                      "PostRecv " << what);
            }
        }
    }

    /**
     * Look whether the completions since last time are so many flushed requests.
     * @param bench the verbs
     * @param n how many
     * @return true if they are
     */
    static bool IsFlushed(Bench& bench, std::size_t n)
    {
        const auto wcs = bench.Poll(0);
        return wcs.size() == n && std::all_of(wcs.begin(), wcs.end(), [](const WorkCompletion& wc) {
                   return wc.status == WcStatus::WR_FLUSH_ERR;
               });
    }
};

/** Which type of queue pair has which operation: Table 1's rows on RDMA and on large messages,
 * C-03, C-04. */
class VerbsOperationsTestCase : public TestCase
{
  public:
    VerbsOperationsTestCase()
        : TestCase("C-03, C-04, Table 1: every type x operation, and lengths at the MTU")
    {
    }

  private:
    void DoRun() override
    {
        const std::map<Transport, std::string> table{{Transport::RC, "xxxxxxx"},
                                                     {Transport::UC, "xxxx..."},
                                                     {Transport::UD, "xx....."}};
        for (const auto& [transport, row] : table)
        {
            for (std::size_t n = 0; n < OPCODES.size(); ++n)
            {
                const std::string what = Text(transport, OPCODES[n]);
                Bench bench;
                const auto qps = bench.CreateConnected(transport);
                NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(7, OPCODES[n])),
                                      true,
                                      what);
                const bool allowed = row[n] == 'x';
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(), (allowed ? 1 : 0), what);
                const auto wcs = bench.Poll(0);
                NS_TEST_ASSERT_MSG_EQ(wcs.size(), (allowed ? 0 : 1), what);
                if (!allowed)
                {
                    NS_TEST_EXPECT_MSG_EQ(wcs[0].status, WcStatus::LOC_QP_OP_ERR, what);
                    NS_TEST_EXPECT_MSG_EQ(wcs[0].wrId, 7, what);
                    NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(qps[0]), QpState::SQE, what);
                }
            }
            for (const uint32_t bytes : {0U, 2048U, 2049U, 1U << 20})
            {
                Bench bench;
                const auto qps = bench.CreateConnected(transport);
                SendWr wr = bench.Request(7);
                wr.bytes = bytes;
                bench.verbs->PostSend(qps[0], wr);
                const bool allowed = transport != Transport::UD || bytes <= 2048;
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                      (allowed ? 1 : 0),
                                      Text(transport, bytes));
                const auto wcs = bench.Poll(0);
                NS_TEST_EXPECT_MSG_EQ((!wcs.empty() && wcs[0].status == WcStatus::LOC_LEN_ERR),
                                      !allowed,
                                      Text(transport, bytes));
            }
        }
    }
};

/** Local errors of work requests, one by one. */
class VerbsLocalErrorsTestCase : public TestCase
{
  public:
    VerbsLocalErrorsTestCase()
        : TestCase("work requests that are refused, and those that end in an error")
    {
    }

  private:
    /**
     * Post a request on a fresh connection.
     * @param change what is wrong with it
     * @param transport type of the queue pair
     * @return its status; SUCCESS if the engine got it
     */
    template <class F>
    static WcStatus Try(F change, Transport transport = Transport::RC)
    {
        Bench bench;
        const auto qps = bench.CreateConnected(transport);
        SendWr wr = bench.Request(1);
        change(wr, bench);
        bench.verbs->PostSend(qps[0], wr);
        const auto wcs = bench.Poll(0);
        return wcs.empty() ? WcStatus::SUCCESS : wcs[0].status;
    }

    void DoRun() override
    {
        using W = SendWr;
        using B = Bench;
        NS_TEST_EXPECT_MSG_EQ(Try([](W&, B&) {}), WcStatus::SUCCESS, "a good request");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.localKey = NO_KEY; }),
                              WcStatus::LOC_PROT_ERR,
                              "without a region");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) { wr.localKey = b.keys[1]; }),
                              WcStatus::LOC_PROT_ERR,
                              "with another host's region");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) { b.verbs->DeregisterMemory(wr.localKey); }),
                              WcStatus::LOC_PROT_ERR,
                              "with a region that was given back");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) {
                                  b.verbs->DeregisterMemory(wr.localKey);
                                  b.verbs->RegisterMemory(0, REGION_BYTES, 0);
                              }),
                              WcStatus::LOC_PROT_ERR,
                              "an old key, although its place is taken again");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.bytes = REGION_BYTES + 1; }),
                              WcStatus::LOC_PROT_ERR,
                              "longer than the region");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) {
                                  wr.flags |= INLINE;
                                  wr.localKey = NO_KEY;
                              }),
                              WcStatus::SUCCESS,
                              "inline data needs no region");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.bytes = (1U << 31) + 1; }),
                              WcStatus::LOC_LEN_ERR,
                              "longer than 2^31");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) {
                                  wr.opcode = WrOpcode::ATOMIC_FETCH_AND_ADD;
                                  wr.bytes = 4;
                              }),
                              WcStatus::LOC_LEN_ERR,
                              "an atomic operation on 4 bytes");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.to.host = 2; }, Transport::UD),
                              WcStatus::LOC_QP_OP_ERR,
                              "a datagram to a host that does not exist");

        Bench bench;
        const auto qps = bench.CreateConnected(Transport::RC);
        SendWr wr = bench.Request(1);
        wr.flags |= INLINE;
        wr.bytes = 129;
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], wr), false, "129 bytes inline");
        wr = bench.Request(1, WrOpcode::RDMA_READ);
        wr.flags |= INLINE;
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], wr), false, "an inline read");
        for (unsigned n = 0; n < 128; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(n)), true, n);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(128)),
                              false,
                              "a full send queue");
        bench.verbs->CompleteSend(qps[0], bench.engine->posted[0].second, WcStatus::SUCCESS);
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(128)),
                              true,
                              "a place is free again");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostRecv(qps[0], {1, 8}, 128), true, "all receives");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostRecv(qps[0], {1, 8}), false, "one too many");
        for (const Transport transport : {Transport::UC, Transport::UD})
        {
            QpInitAttr attr;
            attr.transport = transport;
            attr.srq = bench.verbs->CreateSrq(0, 10);
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->CreateQp(0, attr),
                                  NO_QP,
                                  "a shared receive queue on " << transport);
        }
        NS_TEST_EXPECT_MSG_EQ(
            bench.verbs->ConnectQps(bench.Create(Transport::RC), bench.Create(Transport::UC, 1)),
            false,
            "RC to UC");
    }
};

/** Errors and flushes come in the order of the posts; SQD keeps, SQE goes on. */
class VerbsOrderTestCase : public TestCase
{
  public:
    VerbsOrderTestCase()
        : TestCase("completions of a send queue come in order, errors and flushes included")
    {
    }

  private:
    void DoRun() override
    {
        for (const Transport transport : TRANSPORTS)
        {
            Bench bench;
            const auto qps = bench.CreateConnected(transport);
            bench.verbs->PostRecv(qps[0], {50, 64}, 2);
            SendWr quiet = bench.Request(0);
            quiet.flags = 0;
            SendWr bad = bench.Request(2);
            bad.localKey = NO_KEY;
            bench.verbs->PostSend(qps[0], quiet);
            bench.verbs->PostSend(qps[0], bench.Request(1));
            bench.verbs->PostSend(qps[0], bad);
            bench.verbs->PostSend(qps[0], bench.Request(3));
            NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(), 2, "the bad one stops the queue");
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 0, "nothing overtakes the first");
            const auto posted = bench.engine->posted;
            bench.verbs->CompleteSend(qps[0], posted[0].second, WcStatus::SUCCESS);
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 0, "not signalled");
            bench.verbs->CompleteSend(qps[0], posted[1].second, WcStatus::SUCCESS);
            const auto wcs = bench.Poll(0);
            const bool connected = transport == Transport::RC;
            NS_TEST_ASSERT_MSG_EQ(wcs.size(), (connected ? 5 : 3), Text(transport));
            NS_TEST_EXPECT_MSG_EQ(wcs[0].status, WcStatus::SUCCESS, Text(transport));
            NS_TEST_EXPECT_MSG_EQ(wcs[1].wrId, 2, Text(transport));
            NS_TEST_EXPECT_MSG_EQ(wcs[1].status, WcStatus::LOC_PROT_ERR, Text(transport));
            NS_TEST_EXPECT_MSG_EQ(wcs[2].wrId, 3, Text(transport));
            NS_TEST_EXPECT_MSG_EQ(wcs[2].status, WcStatus::WR_FLUSH_ERR, Text(transport));
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedReceives(qps[0]),
                                  (connected ? 0 : 2),
                                  "only a reliable connection loses its receives");
            NS_TEST_EXPECT_MSG_EQ(bench.engine->states.back().second,
                                  (connected ? QpState::ERR : QpState::SQE),
                                  Text(transport));
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedSends(qps[0]), 0, Text(transport));
        }

        Bench bench;
        const auto qps = bench.CreateConnected(Transport::RC);
        bench.verbs->ModifyQp(qps[0], {QpState::SQD, NO_QP, 0});
        bench.verbs->PostSend(qps[0], bench.Request(1));
        bench.verbs->PostSend(qps[0], bench.Request(2));
        NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(), 0, "SQD begins nothing");
        bench.verbs->ModifyQp(qps[0], {QpState::RTS, NO_QP, 0});
        NS_TEST_ASSERT_MSG_EQ(bench.engine->posted.size(), 2, "RTS goes on");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->posted[0].second.wrId, 1, "in order");
        bench.verbs->CompleteSend(qps[0], bench.engine->posted[0].second, WcStatus::RETRY_EXC_ERR);
        const auto wcs = bench.Poll(0);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 2, "an error of the engine flushes the rest");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status, WcStatus::RETRY_EXC_ERR, "the engine's status");
        NS_TEST_EXPECT_MSG_EQ(wcs[1].status, WcStatus::WR_FLUSH_ERR, "the rest");
        bench.verbs->ModifyQp(qps[0], {QpState::RESET, NO_QP, 0});
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRemote(qps[0]), NO_QP, "RESET forgets");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->ConnectQps(qps[0], qps[1]),
                              false,
                              "the other end is still in RTS");
    }
};

/** Receives: runs, shared queues, completions with the global route header. */
class VerbsReceivesTestCase : public TestCase
{
  public:
    VerbsReceivesTestCase()
        : TestCase("receives are taken in order, from the queue pair or a shared queue")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench;
        auto& verbs = *bench.verbs;
        const auto qps = bench.CreateConnected(Transport::UD);
        verbs.PostRecv(qps[1], {1, 100}, 2);
        verbs.PostRecv(qps[1], {1, 100});
        verbs.PostRecv(qps[1], {2, 200});
        RecvWr wr;
        for (const uint64_t expected : {1U, 1U, 1U, 2U})
        {
            NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(qps[1], wr), true, "receives are posted");
            NS_TEST_EXPECT_MSG_EQ(wr.wrId, expected, "in order");
        }
        NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(qps[1], wr), false, "none is left");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetNReceiverNotReady(), 1, "and that is counted");

        SendWr sent = bench.Request(3, WrOpcode::SEND_WITH_IMM);
        sent.immediate = 77;
        sent.data.contents = 4711;
        verbs.CompleteReceive(qps[1], wr, sent, qps[0], WcStatus::SUCCESS);
        const auto wcs = bench.Poll(1);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, "one completion");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].bytes, 8 + GRH_BYTES, "with the global route header's room");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].source, qps[0], "from whom");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].immediate, 77, "immediate data");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].data.contents, 4711, "the bytes");

        QpInitAttr attr;
        attr.sendCq = attr.recvCq = bench.cqs[1];
        attr.srq = verbs.CreateSrq(1, 2);
        const std::array<Qpn, 2> shared{verbs.CreateQp(1, attr), verbs.CreateQp(1, attr)};
        verbs.ConnectQps(shared[0], bench.Create(Transport::RC));
        NS_TEST_EXPECT_MSG_EQ(verbs.PostRecv(shared[0], {1, 8}), false, "posted to the SRQ only");
        NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {5, 8}, 2), true, "two");
        NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {5, 8}), false, "and no more");
        NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(shared[0], wr), true, "the one");
        NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(shared[1], wr), true, "the other");
        NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(shared[0], wr), false, "none is left");

        const auto connected = bench.CreateConnected(Transport::RC);
        verbs.PostRecv(connected[1], {9, 4}, 3);
        verbs.TakeReceive(connected[1], wr);
        verbs.CompleteReceive(connected[1], wr, sent, connected[0], WcStatus::LOC_LEN_ERR);
        const auto failed = bench.Poll(1);
        NS_TEST_ASSERT_MSG_EQ(failed.size(), 3, "a receive that is too short ends the connection");
        NS_TEST_EXPECT_MSG_EQ(failed[0].status, WcStatus::LOC_LEN_ERR, "first its own error");
        NS_TEST_EXPECT_MSG_EQ(failed[2].status, WcStatus::WR_FLUSH_ERR, "then the flush");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetState(connected[1]), QpState::ERR, "state");
    }
};

/** Completion queues with events. */
class VerbsEventsTestCase : public TestCase, private CqUser
{
  public:
    VerbsEventsTestCase()
        : TestCase("completion queues call once for each request, and grow")
    {
    }

  private:
    void OnCompletion(CqNumber, uint64_t cookie) override
    {
        ++m_calls;
        m_cookie = cookie;
    }

    void DoRun() override
    {
        Bench bench;
        auto& verbs = *bench.verbs;
        QpInitAttr attr;
        attr.transport = Transport::UD;
        attr.sendCq = attr.recvCq = verbs.CreateCq(0, this, 42);
        const Qpn qp = verbs.CreateQp(0, attr);
        verbs.ConnectQps(qp, bench.Create(Transport::UD, 1));
        const auto arrive = [&](uint8_t flags) {
            SendWr sent = bench.Request(1);
            sent.flags = flags;
            verbs.CompleteReceive(qp, {7, 100}, sent, qp, WcStatus::SUCCESS);
        };
        arrive(0);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "nobody has asked");
        verbs.ReqNotifyCq(attr.recvCq);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "never from inside the call");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "what waits calls in the same tick");
        NS_TEST_EXPECT_MSG_EQ(m_cookie, 42, "with the cookie");
        std::vector<WorkCompletion> wcs(100);
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 100, wcs.data()), 1, "the one");
        verbs.ReqNotifyCq(attr.recvCq, true);
        arrive(0);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "not solicited");
        arrive(SOLICITED);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "solicited");
        for (unsigned n = 0; n < 40; ++n)
        {
            arrive(SOLICITED);
        }
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "one call a request");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 10, wcs.data()), 10, "ten of them");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 100, wcs.data()), 32, "the others");
        verbs.ReqNotifyCq(attr.recvCq);
        SendWr bad = bench.Request(1);
        bad.localKey = NO_KEY;
        verbs.PostSend(qp, bad);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "a local error does not call from inside PostSend");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 3, "but in the same tick");
    }

    unsigned m_calls{0};  ///< Calls.
    uint64_t m_cookie{0}; ///< Of the last one.
};

/** Remote memory: keys, ranges, rights, atomic operations. */
class VerbsMemoryTestCase : public TestCase
{
  public:
    VerbsMemoryTestCase()
        : TestCase("remote operations: keys, ranges, rights; atomic operations")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench;
        auto& verbs = *bench.verbs;
        const auto qps = bench.CreateConnected(Transport::RC);
        for (const uint8_t access : {0, 1, 2, 4, 7})
        {
            const MemoryKey key = verbs.RegisterMemory(1, 64, access);
            for (const WrOpcode opcode : OPCODES)
            {
                SendWr wr = bench.Request(1, opcode);
                wr.remoteKey = key;
                const bool allowed =
                    opcode <= WrOpcode::SEND_WITH_IMM ||
                    (opcode <= WrOpcode::RDMA_WRITE_WITH_IMM && (access & REMOTE_WRITE)) ||
                    (opcode == WrOpcode::RDMA_READ && (access & REMOTE_READ)) ||
                    (opcode > WrOpcode::RDMA_READ && (access & REMOTE_ATOMIC));
                NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                                      (allowed ? WcStatus::SUCCESS : WcStatus::REM_ACCESS_ERR),
                                      Text(opcode, unsigned{access}));
            }
        }
        SendWr wr = bench.Request(1, WrOpcode::RDMA_WRITE);
        wr.bytes = 1000;
        wr.remoteAddress = REGION_BYTES - 1000;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr), WcStatus::SUCCESS, "to the end");
        ++wr.remoteAddress;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr), WcStatus::REM_ACCESS_ERR, "beyond");
        wr.remoteAddress = ~uint64_t{0} - 10;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr), WcStatus::REM_ACCESS_ERR, "wrapped");
        wr.remoteAddress = 0;
        wr.remoteKey = bench.keys[0];
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::REM_ACCESS_ERR,
                              "a region of another host");

        SendWr add = bench.Request(1, WrOpcode::ATOMIC_FETCH_AND_ADD);
        add.compareAdd = 5;
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(add), 0, "memory begins with zeros");
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(add), 5, "once more");
        SendWr swap = bench.Request(1, WrOpcode::ATOMIC_COMPARE_AND_SWAP);
        swap.compareAdd = 9;
        swap.swap = 100;
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(swap), 10, "unequal: nothing is written");
        swap.compareAdd = 10;
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(swap), 10, "equal: swapped");
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(add), 100, "what was written");
        add.remoteAddress = 4;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], add),
                              WcStatus::REM_INV_REQ_ERR,
                              "atomic operations are on multiples of 8");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetRegistrationTime(1), 30'300, "one page");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetRegistrationTime(8193), 30'900, "three pages");
    }
};

/** Room for the queue pairs of 512 ranks. */
class VerbsFootprintTestCase : public TestCase
{
  public:
    VerbsFootprintTestCase()
        : TestCase("a queue pair with 80 posted receives takes at most 128 bytes")
    {
    }

  private:
    void DoRun() override
    {
        Bench bench;
        constexpr uint32_t PAIRS = 1 << 14;
        for (uint32_t n = 0; n < PAIRS; ++n)
        {
            const Qpn qp = bench.Create(Transport::RC);
            bench.verbs->ModifyQp(qp, {QpState::INIT, NO_QP, 0});
            bench.verbs->PostRecv(qp, {0, 8192}, 80);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bench.verbs->GetMemory() / PAIRS, 128, "bytes a queue pair");
    }
};

/** What cannot be opened. */
class VerbsOpenTestCase : public TestCase
{
  public:
    VerbsOpenTestCase()
        : TestCase("an MTU that does not exist is refused with one sentence")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<messaging::TickClock>();
        auto verbs = CreateObject<Verbs>();
        auto engine = CreateObject<ScriptedEngine>();
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 0).empty(), false, "no host");
        engine->SetAttribute("Mtu", UintegerValue(1500));
        NS_TEST_EXPECT_MSG_EQ(
            verbs->Open(clock, engine, 2),
            "An MTU of 1500 bytes does not exist; InfiniBand has 256, 512, 1024, 2048 and 4096.",
            "MTU");
        engine->SetAttribute("Mtu", UintegerValue(4096));
        engine->SetAttribute("BufferBytes", UintegerValue(4096));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2).empty(), false, "a small buffer");
        engine->SetAttribute("BufferBytes", UintegerValue(8192));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2), "", "a good one");
    }
};

/** The verbs. */
class InfinibandVerbsTestSuite : public TestSuite
{
  public:
    InfinibandVerbsTestSuite()
        : TestSuite("infiniband-verbs", Type::UNIT)
    {
        AddTestCase(new VerbsTransitionsTestCase, Duration::QUICK);
        AddTestCase(new VerbsPostsTestCase, Duration::QUICK);
        AddTestCase(new VerbsOperationsTestCase, Duration::QUICK);
        AddTestCase(new VerbsLocalErrorsTestCase, Duration::QUICK);
        AddTestCase(new VerbsOrderTestCase, Duration::QUICK);
        AddTestCase(new VerbsReceivesTestCase, Duration::QUICK);
        AddTestCase(new VerbsEventsTestCase, Duration::QUICK);
        AddTestCase(new VerbsMemoryTestCase, Duration::QUICK);
        AddTestCase(new VerbsFootprintTestCase, Duration::QUICK);
        AddTestCase(new VerbsOpenTestCase, Duration::QUICK);
    }
};

static InfinibandVerbsTestSuite g_infinibandVerbsTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
