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

/** Receives: runs, completions with the global route header. */
class VerbsReceivesTestCase : public TestCase
{
  public:
    VerbsReceivesTestCase()
        : TestCase("receives are taken in order")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
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
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        QpInitAttr attr;
        attr.transport = Transport::UD;
        attr.sendCq = attr.recvCq = verbs.CreateCq(0, this, 42);
        const Qpn qp = verbs.CreateQp(0, attr);
        verbs.ConnectQps(qp, bench.Create(Transport::UD, 1));
        const auto arrive = [&] {
            verbs.CompleteReceive(qp, {7, 100}, bench.Request(1), qp, WcStatus::SUCCESS);
        };
        arrive();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "nobody has asked");
        verbs.ReqNotifyCq(attr.recvCq);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "never from inside the call");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "what waits calls in the same tick");
        NS_TEST_EXPECT_MSG_EQ(m_cookie, 42, "with the cookie");
        std::vector<WorkCompletion> wcs(100);
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 100, wcs.data()), 1, "the one");
        verbs.ReqNotifyCq(attr.recvCq);
        for (unsigned n = 0; n < 42; ++n)
        {
            arrive();
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

    unsigned m_calls{0};  ///< Number of calls.
    uint64_t m_cookie{0}; ///< Cookie of the last call.
};

/** Remote memory: keys, ranges, rights. */
class VerbsMemoryTestCase : public TestCase
{
  public:
    VerbsMemoryTestCase()
        : TestCase("remote operations: keys, ranges, rights")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        const auto qps = bench.CreateConnected(Transport::RC);
        for (const uint8_t access : {0, 1, 2, 3})
        {
            const MemoryKey key = verbs.RegMr(1, 64, access);
            for (const WrOpcode opcode : OPCODES)
            {
                SendWr wr = bench.Request(1, opcode);
                wr.remoteKey = key;
                const bool allowed =
                    opcode <= WrOpcode::SEND_WITH_IMM ||
                    (opcode <= WrOpcode::RDMA_WRITE_WITH_IMM && (access & REMOTE_WRITE)) ||
                    (opcode == WrOpcode::RDMA_READ && (access & REMOTE_READ));
                NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                                      (allowed ? WcStatus::SUCCESS : WcStatus::REM_ACCESS_ERR),
                                      Text(static_cast<unsigned>(opcode), unsigned{access}));
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
    }
};

/** Memory of the queue pairs of 512 ranks. */
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
        VerbsBench bench;
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

/** Arrays in large pages. */
class LargePagesTestCase : public TestCase
{
  public:
    LargePagesTestCase()
        : TestCase("an array that grows over a large page keeps what it holds, aligned")
    {
    }

  private:
    /** A type with more than the usual alignment. */
    struct alignas(64) Line
    {
        uint64_t number; ///< Content.
    };

    void DoRun() override
    {
        LargeVector<Line> lines;
        bool aligned = true;
        for (uint64_t n = 0; n < 100'000; ++n)
        {
            lines.push_back({n});
            aligned = aligned && reinterpret_cast<uintptr_t>(lines.data()) % alignof(Line) == 0;
        }
        NS_TEST_EXPECT_MSG_EQ(aligned, true, "short or long");
        const auto copy = lines;
        bool kept = copy.size() == 100'000;
        for (uint64_t n = 0; n < copy.size(); ++n)
        {
            kept = kept && copy[n].number == n;
        }
        NS_TEST_EXPECT_MSG_EQ(kept, true, "in order, in a copy too");
    }
};

/** Errors of Open. */
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
        const auto plain = CreateObject<Verbs>();
        NS_TEST_EXPECT_MSG_EQ(plain->Open(clock, CreateObject<Engine>()), "", "no number");
        NS_TEST_EXPECT_MSG_EQ(plain->GetNHosts(), 70, "as many hosts as the attribute Nodes says");
        plain->Dispose();
        engine->SetAttribute("Mtu", UintegerValue(1500));
        NS_TEST_EXPECT_MSG_EQ(
            verbs->Open(clock, engine, 2),
            "There is no Mtu of 1500 bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.",
            "MTU");
        engine->SetAttribute("Mtu", UintegerValue(4096));
        engine->SetAttribute("BufferBytes", UintegerValue(4096));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2).empty(), false, "a small buffer");
        engine->SetAttribute("BufferBytes", UintegerValue(8192));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2), "", "a good one");
    }
};

/** A program that creates queue pairs whenever a completion is written. */
class VerbsReplaceTestCase : public TestCase, private CqUser
{
  public:
    VerbsReplaceTestCase()
        : TestCase("queue pairs are created within calls of a failing queue pair")
    {
    }

  private:
    void OnCompletion(CqNumber cq, uint64_t) override
    {
        WorkCompletion wc;
        while (m_verbs->PollCq(cq, 1, &wc) == 1)
        {
            m_statuses.push_back(wc.status);
        }
        // More than the array of queue pairs has room for, so that it moves.
        for (const uint32_t before = m_verbs->GetNQps(); m_verbs->GetNQps() <= 2 * before;)
        {
            m_verbs->CreateQp(0, m_attr);
        }
        m_verbs->ReqNotifyCq(cq);
    }

    void DoRun() override
    {
        for (const Transport transport : TRANSPORTS)
        {
            VerbsBench bench;
            m_verbs = PeekPointer(bench.verbs);
            m_statuses.clear();
            m_attr.transport = transport;
            m_attr.sendCq = m_attr.recvCq = m_verbs->CreateCq(0, this);
            const Qpn qp = m_verbs->CreateQp(0, m_attr);
            m_verbs->ConnectQps(qp, bench.Create(transport, 1));
            const SendWr wr = bench.Request(1);
            for (unsigned n = 0; n < 3; ++n)
            {
                m_verbs->PostRecv(qp, {n, 100});
                m_verbs->PostSend(qp, wr);
            }
            m_verbs->ReqNotifyCq(m_attr.sendCq);
            m_verbs->CompleteSend(qp, WcStatus::RETRY_EXC_ERR);
            std::vector<WcStatus> expected(transport == Transport::RC ? 6 : 3,
                                           WcStatus::WR_FLUSH_ERR);
            expected[0] = WcStatus::RETRY_EXC_ERR;
            NS_TEST_EXPECT_MSG_EQ((m_statuses == expected), true, transport << ": flushed once");
        }
    }

    Verbs* m_verbs{nullptr};          ///< The verbs.
    QpInitAttr m_attr;                ///< Attributes of all queue pairs.
    std::vector<WcStatus> m_statuses; ///< Statuses of the completions.
};

/** Queues, memory and room. */
class InfinibandVerbsQueuesTestSuite : public TestSuite
{
  public:
    InfinibandVerbsQueuesTestSuite()
        : TestSuite("infiniband-verbs-queues", Type::UNIT)
    {
        AddTestCase(new VerbsReceivesTestCase, Duration::QUICK);
        AddTestCase(new VerbsEventsTestCase, Duration::QUICK);
        AddTestCase(new VerbsReplaceTestCase, Duration::QUICK);
        AddTestCase(new VerbsMemoryTestCase, Duration::QUICK);
        AddTestCase(new VerbsFootprintTestCase, Duration::QUICK);
        AddTestCase(new LargePagesTestCase, Duration::QUICK);
        AddTestCase(new VerbsOpenTestCase, Duration::QUICK);
    }
};

static InfinibandVerbsQueuesTestSuite g_infinibandVerbsQueuesTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
