/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs-bench.h"

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

/** Possible transitions: every pair of states. */
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
                    VerbsBench bench;
                    const Qpn qp = bench.Create(transport);
                    const Qpn other = bench.Create(transport, 1);
                    bench.Bring(qp, other, from);
                    const std::string what = Text(transport, from, STATES[to]);
                    NS_TEST_ASSERT_MSG_EQ(bench.verbs->GetState(qp),
                                          from,
                                          what << ": state before");
                    const bool done = bench.verbs->ModifyQp(qp, {STATES[to], other, 0});
                    NS_TEST_EXPECT_MSG_EQ(done,
                                          (row[to] == 'x'),
                                          what << ": the change is accepted");
                    NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(qp),
                                          (done ? STATES[to] : from),
                                          what << ": state after");
                }
            }
        }
    }
};

/** PostSend and PostRecv in every state. */
class VerbsPostsTestCase : public TestCase
{
  public:
    VerbsPostsTestCase()
        : TestCase("state machine: every state x PostSend, PostRecv")
    {
    }

  private:
    /** Outcome of a posted work request. */
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
            {QpState::SQD, {Fate::HANDED, Fate::KEPT}},
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
                VerbsBench bench;
                const Qpn qp = bench.Create(transport);
                const Qpn other = bench.Create(transport, 1);
                bench.Bring(qp, other, state);
                const bool sent = bench.verbs->PostSend(qp, bench.Request(1));
                NS_TEST_EXPECT_MSG_EQ(sent,
                                      (fates.first != Fate::REFUSED),
                                      "PostSend is accepted, " << what);
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                      (fates.first == Fate::HANDED ? 1 : 0),
                                      "PostSend reaches the engine, " << what);
                NS_TEST_EXPECT_MSG_EQ(IsFlushed(bench, 1),
                                      (fates.first == Fate::FLUSHED),
                                      "the send is flushed, " << what);
                const bool received = bench.verbs->PostRecv(qp, {2, 64}, 3);
                NS_TEST_EXPECT_MSG_EQ(received,
                                      (fates.second != Fate::REFUSED),
                                      "PostRecv is accepted, " << what);
                NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedReceives(qp),
                                      (fates.second == Fate::KEPT ? 3 : 0),
                                      "receives that are kept, " << what);
                NS_TEST_EXPECT_MSG_EQ(IsFlushed(bench, 3),
                                      (fates.second == Fate::FLUSHED),
                                      "the receive is flushed, " << what);
            }
        }
    }

    /**
     * Check that the completions since the last call are flushed requests.
     * @param bench the verbs
     * @param n their number
     * @return true if they are
     */
    static bool IsFlushed(VerbsBench& bench, std::size_t n)
    {
        const auto wcs = bench.Poll(0);
        return wcs.size() == n && std::all_of(wcs.begin(), wcs.end(), [](const WorkCompletion& wc) {
                   return wc.status == WcStatus::WR_FLUSH_ERR;
               });
    }
};

/**
 * Operations of each type of queue pair: Table 1's rows on RDMA and on large messages, C-03, C-04.
 */
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
                const std::string what = Text(transport, n);
                VerbsBench bench;
                const auto qps = bench.CreateConnected(transport);
                NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(7, OPCODES[n])),
                                      true,
                                      what << ": the request is accepted");
                const bool allowed = row[n] == 'x';
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                      (allowed ? 1 : 0),
                                      what << ": requests at the engine");
                const auto wcs = bench.Poll(0);
                NS_TEST_ASSERT_MSG_EQ(wcs.size(),
                                      (allowed ? 0 : 1),
                                      what << ": completions with an error");
                if (!allowed)
                {
                    NS_TEST_EXPECT_MSG_EQ(wcs[0].status,
                                          WcStatus::LOC_QP_OP_ERR,
                                          what << ": status");
                    NS_TEST_EXPECT_MSG_EQ(wcs[0].wrId, 7, what << ": request of the completion");
                    NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(qps[0]),
                                          QpState::SQE,
                                          what << ": state");
                }
            }
            for (const uint32_t bytes : {0U, 2048U, 2049U, 1U << 20})
            {
                VerbsBench bench;
                const auto qps = bench.CreateConnected(transport);
                SendWr wr = bench.Request(7);
                wr.bytes = bytes;
                bench.verbs->PostSend(qps[0], wr);
                const bool allowed = transport != Transport::UD || bytes <= 2048;
                NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                      (allowed ? 1 : 0),
                                      "requests at the engine, " << Text(transport, bytes));
                const auto wcs = bench.Poll(0);
                const WcStatus status = wcs.empty() ? WcStatus::SUCCESS : wcs[0].status;
                NS_TEST_EXPECT_MSG_EQ(status,
                                      (allowed ? WcStatus::SUCCESS : WcStatus::LOC_LEN_ERR),
                                      "status, " << Text(transport, bytes));
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
     * @param change makes the request invalid
     * @param transport type of the queue pair
     * @return its status; SUCCESS if the engine got it
     */
    template <class F>
    static WcStatus Try(F change, Transport transport = Transport::RC)
    {
        VerbsBench bench;
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
        using B = VerbsBench;
        NS_TEST_EXPECT_MSG_EQ(Try([](W&, B&) {}), WcStatus::SUCCESS, "a valid request");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.localKey = NO_KEY; }),
                              WcStatus::LOC_PROT_ERR,
                              "without a region");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) { wr.localKey = b.keys[1]; }),
                              WcStatus::LOC_PROT_ERR,
                              "with another host's region");
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
                                  wr.bytes = 1U << 31;
                                  wr.flags |= INLINE;
                              }),
                              WcStatus::SUCCESS,
                              "2^31 are not too long");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) { b.verbs->DeregMr(wr.localKey); }),
                              WcStatus::LOC_PROT_ERR,
                              "with a region that was deregistered");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B& b) {
                                  b.verbs->DeregMr(wr.localKey);
                                  b.verbs->RegMr(0, REGION_BYTES, 0);
                              }),
                              WcStatus::LOC_PROT_ERR,
                              "with its key, which a new region does not get");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) {
                                  wr.SetAtomic(WrOpcode::ATOMIC_FETCH_AND_ADD, {1});
                                  wr.bytes = 4;
                              }),
                              WcStatus::LOC_LEN_ERR,
                              "an atomic operation on 4 bytes");
        NS_TEST_EXPECT_MSG_EQ(Try([](W& wr, B&) { wr.to.host = 2; }, Transport::UD),
                              WcStatus::LOC_QP_OP_ERR,
                              "a datagram to a host that does not exist");

        VerbsBench bench;
        const auto qps = bench.CreateConnected(Transport::RC);
        SendWr wr = bench.Request(1);
        wr.flags |= INLINE;
        wr.bytes = 129;
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], wr), false, "129 bytes inline");
        wr = bench.Request(1, WrOpcode::RDMA_READ);
        wr.flags |= INLINE;
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], wr), false, "inline data of a read");
        for (unsigned n = 0; n < 128; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(n)),
                                  true,
                                  "send " << n);
        }
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(128)),
                              false,
                              "a full send queue");
        bench.verbs->CompleteSend(qps[0], WcStatus::SUCCESS);
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(qps[0], bench.Request(128)),
                              true,
                              "a send after a completion");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostRecv(qps[0], {1, 8}, 128),
                              true,
                              "as many receives as the queue holds");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostRecv(qps[0], {1, 8}), false, "a receive too many");
        NS_TEST_EXPECT_MSG_EQ(
            bench.verbs->ConnectQps(bench.Create(Transport::RC), bench.Create(Transport::UC, 1)),
            false,
            "a connection of RC to UC");
    }
};

/** In SQD, an invalid request waits for RTS like a valid one. */
class VerbsDrainTestCase : public TestCase
{
  public:
    VerbsDrainTestCase()
        : TestCase("no request ends in SQD, not even in an error")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        const auto qps = bench.CreateConnected(Transport::RC);
        bench.verbs->ModifyQp(qps[0], {QpState::SQD});
        SendWr invalid = bench.Request(1);
        invalid.localKey = NO_KEY;
        bench.verbs->PostSend(qps[0], invalid);
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 0, "completions in SQD");
        bench.verbs->ModifyQp(qps[0], {QpState::RTS});
        const auto wcs = bench.Poll(0);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, "completions in RTS");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status, WcStatus::LOC_PROT_ERR, "status of the request");
    }
};

/** Errors and flushes are in the order of the posts; SQE continues. */
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
            VerbsBench bench;
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
            NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(),
                                  2,
                                  "requests at the engine: not those behind the invalid one");
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(),
                                  0,
                                  "completions before that of the first request");
            bench.verbs->CompleteSend(qps[0], WcStatus::SUCCESS);
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(),
                                  0,
                                  "completions of the first request, which is not signalled");
            bench.verbs->CompleteSend(qps[0], WcStatus::SUCCESS);
            const auto wcs = bench.Poll(0);
            const bool connected = transport == Transport::RC;
            NS_TEST_ASSERT_MSG_EQ(wcs.size(),
                                  (connected ? 5 : 3),
                                  Text(transport) << ": completions");
            NS_TEST_EXPECT_MSG_EQ(wcs[0].status,
                                  WcStatus::SUCCESS,
                                  Text(transport) << ": status of the first");
            NS_TEST_EXPECT_MSG_EQ(wcs[1].wrId, 2, Text(transport) << ": the invalid request");
            NS_TEST_EXPECT_MSG_EQ(wcs[1].status,
                                  WcStatus::LOC_PROT_ERR,
                                  Text(transport) << ": its status");
            NS_TEST_EXPECT_MSG_EQ(wcs[2].wrId, 3, Text(transport) << ": the request behind it");
            NS_TEST_EXPECT_MSG_EQ(wcs[2].status,
                                  WcStatus::WR_FLUSH_ERR,
                                  Text(transport) << ": its status");
            NS_TEST_EXPECT_MSG_EQ(
                bench.verbs->GetNPostedReceives(qps[0]),
                (connected ? 0 : 2),
                Text(transport) << ": receives left; only a reliable connection flushes them");
            NS_TEST_EXPECT_MSG_EQ(bench.engine->states.back().second,
                                  (connected ? QpState::ERR : QpState::SQE),
                                  Text(transport) << ": state");
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetNPostedSends(qps[0]),
                                  0,
                                  Text(transport) << ": sends left");
        }

        VerbsBench bench;
        const auto qps = bench.CreateConnected(Transport::RC);
        bench.verbs->PostSend(qps[0], bench.Request(1));
        bench.verbs->PostSend(qps[0], bench.Request(2));
        SendWr invalid = bench.Request(3);
        invalid.localKey = NO_KEY;
        bench.verbs->PostSend(qps[0], invalid);
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(),
                              0,
                              "completions before that of the first request");
        NS_TEST_ASSERT_MSG_EQ(bench.engine->posted.size(), 2, "valid requests at the engine");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->posted[0].second.wrId,
                              1,
                              "the first request at the engine");
        bench.verbs->CompleteSend(qps[0], WcStatus::RETRY_EXC_ERR);
        const auto wcs = bench.Poll(0);
        NS_TEST_ASSERT_MSG_EQ(wcs.size(),
                              3,
                              "completions: an error of the engine flushes the others");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].status,
                              WcStatus::RETRY_EXC_ERR,
                              "status of the first request, by the engine");
        NS_TEST_EXPECT_MSG_EQ(wcs[1].status,
                              WcStatus::WR_FLUSH_ERR,
                              "status of the valid request behind it");
        NS_TEST_EXPECT_MSG_EQ(wcs[2].status,
                              WcStatus::WR_FLUSH_ERR,
                              "status of the invalid request");
        bench.verbs->ModifyQp(qps[0], {QpState::RESET, NO_QP, 0});
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRemote(qps[0]),
                              NO_QP,
                              "a queue pair in RESET has no remote one");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->ConnectQps(qps[0], qps[1]),
                              false,
                              "the other end is still in RTS");
    }
};

/** The number that a user gives to a queue pair. */
class VerbsContextTestCase : public TestCase
{
  public:
    VerbsContextTestCase()
        : TestCase("a queue pair keeps the context of its attributes, through RESET too")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t CONTEXT = 0x89abcdef;
        VerbsBench bench;
        QpInitAttr attr;
        attr.sendCq = bench.cqs[0];
        attr.recvCq = bench.cqs[0];
        const Qpn plain = bench.verbs->CreateQp(0, attr);
        attr.context = CONTEXT;
        const Qpn named = bench.verbs->CreateQp(0, attr);
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetContext(plain), 0, "the default");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetContext(named), CONTEXT, "that of its attributes");
        bench.verbs->ModifyQp(named, {QpState::INIT});
        bench.verbs->ModifyQp(named, {QpState::RESET});
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetContext(named), CONTEXT, "after RESET");
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
        AddTestCase(new VerbsDrainTestCase, Duration::QUICK);
        AddTestCase(new VerbsOrderTestCase, Duration::QUICK);
        AddTestCase(new VerbsContextTestCase, Duration::QUICK);
    }
};

static InfinibandVerbsTestSuite g_infinibandVerbsTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
