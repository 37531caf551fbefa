/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * What a request ends with when the other side cannot or may not carry it out, and what happens to
 * work in flight when a queue pair is reset.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

constexpr uint32_t REGION = 4096; ///< Length of the regions [bytes].
constexpr uint32_t RECEIVE = 64;  ///< Length of the posted receives [bytes].

/** Two hosts with a queue pair each. */
struct ErrorBench
{
    /**
     * Begin.
     * @param transport type of the queue pairs
     * @param access remote access rights at the second one
     */
    ErrorBench(Transport transport, uint8_t access = ALL_ACCESS)
    {
        engine->SetAttribute("RetryCount", StringValue("1"));
        engine->SetAttribute("AckTimeout", StringValue("100000"));
        verbs->Open(clock, engine, 2);
        for (const HostId host : {0U, 1U})
        {
            QpInitAttr attr;
            attr.transport = transport;
            attr.sendCq = attr.recvCq = cqs[host] = verbs->CreateCq(host);
            qps[host] = verbs->CreateQp(host, attr);
            keys[host] = verbs->RegMr(host, REGION, ALL_ACCESS);
        }
        for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            verbs->ModifyQp(qps[0], {state, qps[1]});
            verbs->ModifyQp(qps[1], {state, qps[0], 0, 0, 0, access});
        }
    }

    ~ErrorBench()
    {
        Simulator::Destroy();
        verbs->Dispose();
        clock->Dispose();
    }

    ErrorBench(const ErrorBench&) = delete;
    ErrorBench& operator=(const ErrorBench&) = delete;

    /** @return a signalled request of 8 bytes of host 0. @param opcode its operation */
    SendWr Request(WrOpcode opcode) const
    {
        SendWr wr;
        wr.wrId = 1;
        wr.opcode = opcode;
        wr.bytes = 8;
        wr.localKey = keys[0];
        wr.remoteKey = keys[1];
        wr.to = {1, qps[1], 0};
        wr.flags = SIGNALED;
        return wr;
    }

    /** Replace host 1's region by one that is shorter than its receives. */
    void ShortenRegion()
    {
        keys[1] = verbs->RegMr(1, RECEIVE - 1, ALL_ACCESS);
    }

    /** @return statuses of a host's requests, in order. @param host the host */
    std::string Poll(HostId host)
    {
        std::ostringstream os;
        for (WorkCompletion wc; verbs->PollCq(cqs[host], 1, &wc) == 1;)
        {
            os << (os.str().empty() ? "" : " ") << wc.status;
        }
        return os.str();
    }

    Ptr<messaging::TickClock> clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< Verbs.
    Ptr<Engine> engine = CreateObject<Engine>();                            ///< Engine.
    std::array<CqNumber, 2> cqs{};                                          ///< Queues by host.
    std::array<Qpn, 2> qps{};                                               ///< Pairs by host.
    std::array<MemoryKey, 2> keys{};                                        ///< Keys by host.
};

/** Errors of the responder (InfiniBand architecture, volume 1, table 56). */
class RemoteErrorsTestCase : public TestCase
{
  public:
    RemoteErrorsTestCase()
        : TestCase("RC: a responder that cannot or may not carry out a request answers with a NAK")
    {
    }

  private:
    /** A single error. */
    struct Fault
    {
        std::string what;                               ///< Name.
        WrOpcode opcode;                                ///< Operation of the request.
        uint8_t access;                                 ///< Access rights of the queue pair.
        std::function<void(ErrorBench&, SendWr&)> make; ///< Causes the error.
        std::string sender;                             ///< Completions at the sender.
        std::string receiver;                           ///< Completions at the receiver.
    };

    void DoRun() override
    {
        const auto none = [](ErrorBench&, SendWr&) {};
        const std::vector<Fault> faults{
            {"a queue pair without remote writes",
             WrOpcode::RDMA_WRITE,
             REMOTE_READ,
             none,
             "REM_INV_REQ_ERR",
             "WR_FLUSH_ERR"},
            {"a queue pair without remote reads",
             WrOpcode::RDMA_READ,
             REMOTE_WRITE,
             none,
             "REM_INV_REQ_ERR",
             "WR_FLUSH_ERR"},
            {"a region of another host",
             WrOpcode::RDMA_WRITE,
             ALL_ACCESS,
             [](ErrorBench& bench, SendWr& wr) { wr.remoteKey = bench.keys[0]; },
             "REM_ACCESS_ERR",
             "WR_FLUSH_ERR"},
            {"more than the region has",
             WrOpcode::RDMA_WRITE,
             ALL_ACCESS,
             [](ErrorBench&, SendWr& wr) { wr.remoteAddress = REGION - 7; },
             "REM_ACCESS_ERR",
             "WR_FLUSH_ERR"},
            {"a receive that is too short",
             WrOpcode::SEND,
             ALL_ACCESS,
             [](ErrorBench&, SendWr& wr) { wr.bytes = RECEIVE + 1; },
             "REM_INV_REQ_ERR",
             "LOC_LEN_ERR"},
            {"a receive without memory",
             WrOpcode::SEND,
             ALL_ACCESS,
             [](ErrorBench& bench, SendWr&) { bench.ShortenRegion(); },
             "REM_OP_ERR",
             "LOC_PROT_ERR"},
            {"nothing", WrOpcode::SEND, ALL_ACCESS, none, "SUCCESS", "SUCCESS"},
            {"nothing, in a write", WrOpcode::RDMA_WRITE, REMOTE_WRITE, none, "SUCCESS", ""},
            {"nothing, in a read", WrOpcode::RDMA_READ, REMOTE_READ, none, "SUCCESS", ""},
        };
        for (const Fault& fault : faults)
        {
            ErrorBench bench(Transport::RC, fault.access);
            SendWr wr = bench.Request(fault.opcode);
            fault.make(bench, wr);
            bench.verbs->PostRecv(bench.qps[1], {2, RECEIVE, bench.keys[1]});
            bench.verbs->PostSend(bench.qps[0], wr);
            Simulator::Run();
            const bool failed = fault.sender != "SUCCESS";
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0),
                                  fault.sender,
                                  fault.what << ": completions of the sender");
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(1),
                                  fault.receiver,
                                  fault.what << ": completions of the receiver");
            for (const Qpn qp : bench.qps)
            {
                NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(qp),
                                      (failed ? QpState::ERR : QpState::RTS),
                                      fault.what << ": state");
            }
        }
    }
};

/** UC and UD do not report remote errors; a local error of the receiver ends its queue pair. */
class UnreliableErrorsTestCase : public TestCase
{
  public:
    UnreliableErrorsTestCase()
        : TestCase("UC and UD: errors of a receiver are not reported to the sender")
    {
    }

  private:
    void DoRun() override
    {
        for (const Transport transport : {Transport::UC, Transport::UD})
        {
            ErrorBench bench(transport);
            bench.ShortenRegion();
            bench.verbs->PostRecv(bench.qps[1], {2, RECEIVE, bench.keys[1]}, 2);
            bench.verbs->PostSend(bench.qps[0], bench.Request(WrOpcode::SEND));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(0),
                                  "SUCCESS",
                                  transport << ": the send has left its host");
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(1),
                                  "LOC_PROT_ERR WR_FLUSH_ERR",
                                  transport << ": completions of the receiver");
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(bench.qps[1]),
                                  QpState::ERR,
                                  transport << ": state of the receiver");
        }
        ErrorBench bench(Transport::UC, REMOTE_READ);
        bench.verbs->PostRecv(bench.qps[1], {2, RECEIVE});
        bench.verbs->PostSend(bench.qps[0], bench.Request(WrOpcode::RDMA_WRITE_WITH_IMM));
        bench.verbs->PostSend(bench.qps[0], bench.Request(WrOpcode::SEND));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0),
                              "SUCCESS SUCCESS",
                              "both requests have left their host");
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(1), "SUCCESS", "only the send was allowed");
    }
};

/** A queue pair is reset while its messages are in flight. */
class ResetUnderWayTestCase : public TestCase
{
  public:
    ResetUnderWayTestCase()
        : TestCase("RESET ends a queue pair with messages in flight without further completions")
    {
    }

  private:
    void DoRun() override
    {
        for (const HostId host : {0U, 1U})
        {
            for (const Ticks when : {0U, 500U, 1000U, 2000U, 3000U, 5000U, 20000U})
            {
                ErrorBench bench(Transport::RC);
                bench.verbs->PostRecv(bench.qps[1], {2, REGION}, 8);
                SendWr wr = bench.Request(WrOpcode::SEND);
                wr.bytes = REGION;
                for (unsigned n = 0; n < 4; ++n)
                {
                    bench.verbs->PostSend(bench.qps[0], wr);
                }
                bool reset = false;
                std::string before;
                bench.clock->At(when, bench.clock->Register(&m_call), host, 0);
                m_call.call = [&] {
                    before = bench.Poll(host);
                    reset = bench.verbs->ModifyQp(bench.qps[host], {QpState::RESET});
                };
                Simulator::Run();
                const std::string what =
                    "host " + std::to_string(host) + " at " + std::to_string(when);
                NS_TEST_EXPECT_MSG_EQ(reset, true, what << ": the queue pair takes RESET");
                NS_TEST_EXPECT_MSG_EQ(bench.Poll(host),
                                      "",
                                      what << ": no completion follows RESET");
                if (host == 1)
                {
                    // A requester that waits for an answer times out.
                    const std::string end = when == 20000 ? "SUCCESS" : "RETRY_EXC_ERR";
                    const std::string sent = bench.Poll(0);
                    NS_TEST_EXPECT_MSG_NE(sent.find(end),
                                          std::string::npos,
                                          what << ": the sender ends with " << end << ", not "
                                               << sent);
                }
                else
                {
                    NS_TEST_EXPECT_MSG_EQ(bench.verbs->GetState(bench.qps[1]),
                                          QpState::RTS,
                                          what << ": state of the receiver");
                }
            }
        }
    }

    /** Calls a function at a tick. */
    struct Call : messaging::TickUser
    {
        void OnTick(messaging::Peer, uint64_t) override
        {
            call();
        }

        std::function<void()> call; ///< The function.
    };

    Call m_call; ///< Resets the queue pair.
};

/** Errors between two queue pairs. */
class InfinibandRemoteErrorsTestSuite : public TestSuite
{
  public:
    InfinibandRemoteErrorsTestSuite()
        : TestSuite("infiniband-remote-errors", Type::UNIT)
    {
        AddTestCase(new RemoteErrorsTestCase, Duration::QUICK);
        AddTestCase(new UnreliableErrorsTestCase, Duration::QUICK);
        AddTestCase(new ResetUnderWayTestCase, Duration::QUICK);
    }
};

static InfinibandRemoteErrorsTestSuite g_infinibandRemoteErrorsTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace infiniband
} // namespace ns3
