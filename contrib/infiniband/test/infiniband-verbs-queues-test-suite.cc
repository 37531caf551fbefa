/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-verbs-bench.h"

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
        NS_TEST_ASSERT_MSG_EQ(wcs.size(), 1, "completions");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].bytes, 8 + GRH_BYTES, "length with the global route header");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].source, qps[0], "queue pair of the sender");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].immediate, 77, "immediate data");
        NS_TEST_EXPECT_MSG_EQ(wcs[0].data.contents, 4711, "contents");

        const auto connected = bench.CreateConnected(Transport::RC);
        verbs.PostRecv(connected[1], {9, 4}, 3);
        verbs.TakeReceive(connected[1], wr);
        verbs.CompleteReceive(connected[1], wr, sent, connected[0], WcStatus::LOC_LEN_ERR);
        const auto failed = bench.Poll(1);
        NS_TEST_ASSERT_MSG_EQ(failed.size(), 3, "a receive that is too short ends the connection");
        NS_TEST_EXPECT_MSG_EQ(failed[0].status,
                              WcStatus::LOC_LEN_ERR,
                              "status of the receive that is too short");
        NS_TEST_EXPECT_MSG_EQ(failed[2].status,
                              WcStatus::WR_FLUSH_ERR,
                              "status of the other receives");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetState(connected[1]),
                              QpState::ERR,
                              "state of the connection");
    }
};

/** Shared receive queues. */
class VerbsSharedReceivesTestCase : public TestCase
{
  public:
    VerbsSharedReceivesTestCase()
        : TestCase("queue pairs of RC and UD take receives from a shared queue, in order")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        for (const Transport transport : {Transport::RC, Transport::UD})
        {
            QpInitAttr attr;
            attr.transport = transport;
            attr.sendCq = attr.recvCq = bench.cqs[1];
            attr.srq = verbs.CreateSrq(1, 3);
            const std::array<Qpn, 2> pairs{verbs.CreateQp(1, attr), verbs.CreateQp(1, attr)};
            verbs.ConnectQps(pairs[0], bench.Create(transport));
            verbs.ConnectQps(pairs[1], bench.Create(transport));
            NS_TEST_EXPECT_MSG_EQ(verbs.PostRecv(pairs[0], {1, 8}),
                                  false,
                                  "a receive for a queue pair with a shared queue");
            NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {5, 8}, 2),
                                  true,
                                  "two receives for the shared queue");
            NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {6, 8}), true, "a third one");
            NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {7, 8}), false, "the queue is full");
            NS_TEST_EXPECT_MSG_EQ(verbs.GetNPostedReceives(pairs[1]), 3, "posted for both");
            RecvWr wr;
            using Taken = std::pair<uint32_t, uint64_t>;
            for (const auto& [pair, id] : {Taken{0, 5}, Taken{1, 5}, Taken{0, 6}})
            {
                NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(pairs[pair], wr), true, "pair " << pair);
                NS_TEST_EXPECT_MSG_EQ(wr.wrId, id, "pair " << pair);
            }
            NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(pairs[1], wr), false, "the queue is empty");

            // The receives outlive a queue pair that fails.
            verbs.PostSrqRecv(attr.srq, {8, 8});
            verbs.ModifyQp(pairs[0], {QpState::ERR});
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(1).size(), 0, "no receive is flushed");
            NS_TEST_EXPECT_MSG_EQ(verbs.TakeReceive(pairs[1], wr), true, "it is for the other one");
        }
        QpInitAttr attr;
        attr.sendCq = attr.recvCq = bench.cqs[0];
        attr.transport = Transport::UC;
        attr.srq = verbs.CreateSrq(0, 3);
        NS_TEST_EXPECT_MSG_EQ(verbs.CreateQp(0, attr), NO_QP, "UC has no shared receive queues");
        attr.transport = Transport::RC;
        attr.srq = verbs.CreateSrq(1, 3);
        NS_TEST_EXPECT_MSG_EQ(verbs.CreateQp(0, attr), NO_QP, "a queue of another host");
        NS_TEST_EXPECT_MSG_EQ(verbs.CreateSrq(2, 3), NO_SRQ, "no such host");
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
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "calls without a request");
        verbs.ReqNotifyCq(attr.recvCq);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "calls from inside the request");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "a call in the same tick, for a completion that waits");
        NS_TEST_EXPECT_MSG_EQ(m_cookie, 42, "cookie of the call");
        std::vector<WorkCompletion> wcs(100);
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 100, wcs.data()),
                              1,
                              "completions in the queue");
        verbs.ReqNotifyCq(attr.recvCq);
        for (unsigned n = 0; n < 42; ++n)
        {
            arrive();
        }
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "one call for each request");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 10, wcs.data()),
                              10,
                              "the first ten completions");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.recvCq, 100, wcs.data()),
                              32,
                              "the other completions");
        verbs.ReqNotifyCq(attr.recvCq);
        SendWr bad = bench.Request(1);
        bad.localKey = NO_KEY;
        verbs.PostSend(qp, bad);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "calls from inside PostSend");
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 3, "a call in the same tick, for the local error");
    }

    unsigned m_calls{0};  ///< Number of calls.
    uint64_t m_cookie{0}; ///< Cookie of the last call.
};

/** Verbs that are disposed of while their clock goes on. */
class VerbsDisposedTestCase : public TestCase, private CqUser
{
  public:
    VerbsDisposedTestCase()
        : TestCase("verbs that are disposed of in a run, with adapters and fabric, do nothing more")
    {
    }

  private:
    void OnCompletion(CqNumber, uint64_t) override
    {
        ++m_calls;
    }

    void DoRun() override
    {
        // Events of the verbs, of the sending adapter, of the fabric, and of the receiving adapter.
        for (const int64_t at : {0, 100, 500, 1000, 2000})
        {
            const auto clock = CreateObject<messaging::TickClock>();
            auto verbs = CreateObject<Verbs>();
            NS_TEST_ASSERT_MSG_EQ(verbs->Open(clock, CreateObject<Engine>(), 2), "", "parameters");
            const CqNumber cq = verbs->CreateCq(1, this, 0);
            QpInitAttr attr;
            attr.transport = Transport::RC;
            attr.sendCq = attr.recvCq = verbs->CreateCq(0);
            const Qpn from = verbs->CreateQp(0, attr);
            attr.sendCq = attr.recvCq = cq;
            const Qpn to = verbs->CreateQp(1, attr);
            verbs->ConnectQps(from, to);
            verbs->PostRecv(to, {1, REGION_BYTES});
            verbs->ReqNotifyCq(cq);
            SendWr wr;
            wr.bytes = REGION_BYTES;
            wr.localKey = verbs->RegMr(0, REGION_BYTES, 0);
            NS_TEST_EXPECT_MSG_EQ(verbs->PostSend(from, wr), true, "a request");
            Simulator::Stop(NanoSeconds(at));
            Simulator::Run();
            verbs->Dispose();
            verbs = nullptr;
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "calls, from " << at << " ns");
            Simulator::Destroy();
        }
    }

    unsigned m_calls{0}; ///< Number of calls.
};

/** Solicited events. */
class VerbsSolicitedTestCase : public TestCase, private CqUser
{
  public:
    VerbsSolicitedTestCase()
        : TestCase("an event for solicited completions ignores others, but not errors")
    {
    }

  private:
    void OnCompletion(CqNumber, uint64_t) override
    {
        ++m_calls;
    }

    void DoRun() override
    {
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        QpInitAttr attr;
        attr.transport = Transport::UD;
        attr.sendCq = attr.recvCq = verbs.CreateCq(0, this);
        const Qpn qp = verbs.CreateQp(0, attr);
        verbs.ConnectQps(qp, bench.Create(Transport::UD, 1));
        const auto arrive = [&](uint8_t flags) {
            SendWr sent = bench.Request(1);
            sent.flags = flags;
            verbs.CompleteReceive(qp, {7, 100}, sent, qp, WcStatus::SUCCESS);
        };
        arrive(0);
        verbs.ReqNotifyCq(attr.recvCq, true);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "calls for a completion in the queue before the request");
        arrive(0);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 0, "calls for a completion that is not solicited");
        arrive(SOLICITED);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "calls for a solicited completion");
        arrive(SOLICITED);
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "one call for each request");
        WorkCompletion wc;
        while (verbs.PollCq(attr.recvCq, 1, &wc) == 1)
        {
        }
        verbs.ReqNotifyCq(attr.recvCq, true);
        verbs.PostRecv(qp, {8, 100});
        verbs.ModifyQp(qp, {QpState::ERR});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_calls, 2, "calls for an error");
    }

    unsigned m_calls{0}; ///< Number of events.
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
        for (uint8_t access = 0; access <= ALL_ACCESS; ++access)
        {
            const MemoryKey key = verbs.RegMr(1, 64, access);
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
                                      Text(static_cast<unsigned>(opcode), unsigned{access}));
            }
        }
        SendWr wr = bench.Request(1, WrOpcode::RDMA_WRITE);
        wr.bytes = 1000;
        wr.remoteAddress = REGION_BYTES - 1000;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::SUCCESS,
                              "the last bytes of a region");
        ++wr.remoteAddress;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::REM_ACCESS_ERR,
                              "beyond the end of a region");
        wr.remoteAddress = ~uint64_t{0} - 10;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::REM_ACCESS_ERR,
                              "an address that overflows");
        wr.remoteAddress = 0;
        wr.remoteKey = bench.keys[0];
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::REM_ACCESS_ERR,
                              "a region of another host");
    }
};

/** Atomic operations on words of memory. */
class VerbsAtomicTestCase : public TestCase
{
  public:
    VerbsAtomicTestCase()
        : TestCase("compare and swap, fetch and add: values, alignment, deregistration")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        const auto qps = bench.CreateConnected(Transport::RC);
        const MemoryKey key = bench.keys[1];
        SendWr wr = bench.Request(1);

        wr.SetAtomic(WrOpcode::ATOMIC_FETCH_AND_ADD, {.compareAdd = 5});
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(wr), 0, "memory begins with zeros");
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(wr), 5, "the original value");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetWord(key, 0), 10, "the sum");
        wr.SetAtomic(WrOpcode::ATOMIC_CMP_AND_SWP, {.compareAdd = 9, .swap = 100});
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(wr), 10, "the original value");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetWord(key, 0), 10, "unequal: nothing is written");
        wr.SetAtomic(WrOpcode::ATOMIC_CMP_AND_SWP, {.compareAdd = 10, .swap = 100});
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(wr), 10, "the original value");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetWord(key, 0), 100, "equal: swapped");
        NS_TEST_EXPECT_MSG_EQ(verbs.GetWord(key, 8), 0, "another word");
        NS_TEST_EXPECT_MSG_EQ(verbs.SetWord(key, 8, 7), true, "the processor writes a word");
        wr.remoteAddress = 8;
        NS_TEST_EXPECT_MSG_EQ(verbs.DoAtomic(wr), 7, "an operation reads it");
        wr.remoteAddress = 4;
        NS_TEST_EXPECT_MSG_EQ(verbs.CheckAccess(qps[1], wr),
                              WcStatus::REM_INV_REQ_ERR,
                              "an address that is no multiple of 8");
        verbs.DeregMr(key);
        NS_TEST_EXPECT_MSG_EQ(verbs.GetWord(key, 0), 0, "deregistered memory has no words");
        NS_TEST_EXPECT_MSG_EQ(verbs.SetWord(key, 0, 1), false, "it takes none");
    }
};

/** Processor time of a registration. */
class VerbsRegistrationTestCase : public TestCase
{
  public:
    VerbsRegistrationTestCase()
        : TestCase(
              "a registration costs RegisterBase, and RegisterPage for each page of 4096 bytes")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRegistrationTime(1), 30'300, "one page");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRegistrationTime(8192), 30'600, "two pages");
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRegistrationTime(8193), 30'900, "three pages");
        bench.verbs->SetAttribute("RegisterBase", UintegerValue(7));
        bench.verbs->SetAttribute("RegisterPage", UintegerValue(2));
        NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetRegistrationTime(8192),
                              11,
                              "two pages at other costs");
    }
};

/** Permitted destructions; calls for which libibverbs returns EBUSY or EINVAL. */
class VerbsDestroyTestCase : public TestCase
{
  public:
    VerbsDestroyTestCase()
        : TestCase("destroy and deregister: what is in use stays, and what is gone is refused")
    {
    }

  private:
    void DoRun() override
    {
        VerbsBench bench;
        auto& verbs = *bench.verbs;
        QpInitAttr attr;
        attr.sendCq = verbs.CreateCq(0);
        attr.recvCq = verbs.CreateCq(0);
        attr.srq = verbs.CreateSrq(0, 4);
        const Qpn qp = verbs.CreateQp(0, attr);
        const Qpn other = bench.Create(Transport::RC, 1);
        verbs.ConnectQps(qp, other);
        verbs.PostSend(qp, bench.Request(1));
        verbs.PostSrqRecv(attr.srq, {5, 8}, 2);

        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(attr.sendCq),
                              false,
                              "the completion queue of its sends is in use");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(attr.recvCq),
                              false,
                              "the completion queue of its receives is in use");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroySrq(attr.srq),
                              false,
                              "its shared receive queue is in use");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(qp), true, "a queue pair with a send in flight");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->posted.size(), 0, "the engine discards the send");
        WorkCompletion wc;
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.sendCq, 1, &wc),
                              0,
                              "completions of the discarded send");

        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(qp), false, "use after destroy: DestroyQp");
        NS_TEST_EXPECT_MSG_EQ(verbs.ModifyQp(qp, {QpState::INIT}), false, "ModifyQp");
        NS_TEST_EXPECT_MSG_EQ(verbs.PostSend(qp, bench.Request(1)), false, "PostSend");
        NS_TEST_EXPECT_MSG_EQ(verbs.PostRecv(qp, {1, 8}), false, "PostRecv");
        NS_TEST_EXPECT_MSG_EQ(verbs.ConnectQps(bench.Create(Transport::RC, 1), qp),
                              false,
                              "ConnectQps");

        NS_TEST_EXPECT_MSG_EQ(verbs.DestroySrq(attr.srq), true, "a shared queue with receives");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroySrq(attr.srq), false, "use after destroy: DestroySrq");
        NS_TEST_EXPECT_MSG_EQ(verbs.PostSrqRecv(attr.srq, {5, 8}), false, "PostSrqRecv");
        NS_TEST_EXPECT_MSG_EQ(verbs.CreateQp(0, attr), NO_QP, "CreateQp");
        attr.srq = NO_SRQ;
        const Qpn next = verbs.CreateQp(0, attr);
        NS_TEST_EXPECT_MSG_EQ(next, qp + 3, "numbers are not used again");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(attr.sendCq),
                              false,
                              "a completion queue that is in use again");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(next), true, "a queue pair in RESET");

        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(attr.sendCq),
                              true,
                              "a completion queue that no queue pair uses");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(attr.sendCq), false, "use after destroy: DestroyCq");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(attr.sendCq, 1, &wc), 0, "PollCq");
        NS_TEST_EXPECT_MSG_EQ(verbs.CreateQp(0, attr), NO_QP, "CreateQp");

        constexpr uint32_t NEVER_CREATED = 99;
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(NEVER_CREATED),
                              false,
                              "a queue pair that does not exist");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyCq(NEVER_CREATED),
                              false,
                              "a completion queue that does not exist");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroySrq(NEVER_CREATED),
                              false,
                              "a shared receive queue that does not exist");
        NS_TEST_EXPECT_MSG_EQ(verbs.PollCq(NEVER_CREATED, 1, &wc),
                              0,
                              "no completion queue to poll");

        const Qpn member = bench.Create(Transport::UD);
        verbs.AttachMcast(member);
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(member), false, "a member of the multicast group");
        NS_TEST_EXPECT_MSG_EQ(verbs.DetachMcast(member), true, "the member leaves the group");
        NS_TEST_EXPECT_MSG_EQ(verbs.DetachMcast(member), false, "it cannot leave twice");
        NS_TEST_EXPECT_MSG_EQ(verbs.DestroyQp(member),
                              true,
                              "a queue pair that has left its group");
        NS_TEST_EXPECT_MSG_EQ(verbs.AttachMcast(member), false, "use after destroy: AttachMcast");

        NS_TEST_EXPECT_MSG_EQ(verbs.DeregMr(bench.keys[0]), true, "a region is deregistered");
        NS_TEST_EXPECT_MSG_EQ(verbs.DeregMr(bench.keys[0]), false, "use after DeregMr: DeregMr");
        NS_TEST_EXPECT_MSG_EQ(verbs.DeregMr(NO_KEY), false, "a region that does not exist");
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
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bench.verbs->GetMemory() / PAIRS, 128, "bytes of a queue pair");
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
        messaging::LargeVector<Line> lines;
        bool aligned = true;
        for (uint64_t n = 0; n < 100'000; ++n)
        {
            lines.push_back({n});
            aligned = aligned && reinterpret_cast<uintptr_t>(lines.data()) % alignof(Line) == 0;
        }
        NS_TEST_EXPECT_MSG_EQ(aligned, true, "arrays of all lengths are aligned");
        const auto copy = lines;
        bool kept = copy.size() == 100'000;
        for (uint64_t n = 0; n < copy.size(); ++n)
        {
            kept = kept && copy[n].number == n;
        }
        NS_TEST_EXPECT_MSG_EQ(kept, true, "elements keep their order, in a copy too");
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
        NS_TEST_EXPECT_MSG_EQ(plain->Open(clock, CreateObject<Engine>()),
                              "",
                              "verbs of the attribute's number of hosts");
        NS_TEST_EXPECT_MSG_EQ(plain->GetNHosts(), 70, "hosts of the attribute Nodes");
        plain->Dispose();
        engine->SetAttribute("Mtu", UintegerValue(1500));
        NS_TEST_EXPECT_MSG_EQ(
            verbs->Open(clock, engine, 2),
            "There is no Mtu of 1500 bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.",
            "an MTU that does not exist");
        engine->SetAttribute("Mtu", UintegerValue(4096));
        engine->SetAttribute("BufferBytes", UintegerValue(4096));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2).empty(), false, "a small buffer");
        engine->SetAttribute("BufferBytes", UintegerValue(8192));
        NS_TEST_EXPECT_MSG_EQ(verbs->Open(clock, engine, 2), "", "a valid configuration");
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
            NS_TEST_ASSERT_MSG_EQ(m_statuses.size(), expected.size(), transport << ": completions");
            for (std::size_t n = 0; n < expected.size(); ++n)
            {
                NS_TEST_EXPECT_MSG_EQ(m_statuses[n],
                                      expected[n],
                                      transport << ": completion " << n);
            }
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
        AddTestCase(new VerbsDisposedTestCase, Duration::QUICK);
        AddTestCase(new VerbsReplaceTestCase, Duration::QUICK);
        AddTestCase(new VerbsMemoryTestCase, Duration::QUICK);
        AddTestCase(new VerbsSharedReceivesTestCase, Duration::QUICK);
        AddTestCase(new VerbsSolicitedTestCase, Duration::QUICK);
        AddTestCase(new VerbsAtomicTestCase, Duration::QUICK);
        AddTestCase(new VerbsRegistrationTestCase, Duration::QUICK);
        AddTestCase(new VerbsDestroyTestCase, Duration::QUICK);
        AddTestCase(new VerbsFootprintTestCase, Duration::QUICK);
        AddTestCase(new LargePagesTestCase, Duration::QUICK);
        AddTestCase(new VerbsOpenTestCase, Duration::QUICK);
    }
};

static InfinibandVerbsQueuesTestSuite g_infinibandVerbsQueuesTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
