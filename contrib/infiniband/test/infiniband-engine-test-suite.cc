/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Adapters count their load, and links fail.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

namespace
{

/** Attributes by name. */
using EngineSettings = std::map<std::string, std::string>;

/** Hosts on a fat tree of small switches; messages from host 0 to the last. */
struct EngineBench
{
    static constexpr HostId HOSTS = 8; ///< Four leaves of four ports, below two spines.

    /**
     * Begin.
     * @param transport type of the queue pairs
     * @param settings attributes of the engine
     */
    explicit EngineBench(Transport transport, const EngineSettings& settings = {})
    {
        engine->SetAttribute("SwitchPorts", UintegerValue(4));
        engine->SetAttribute("ContextCache", UintegerValue(0));
        for (const auto& [name, value] : settings)
        {
            engine->SetAttribute(name, StringValue(value));
        }
        error = verbs->Open(clock, engine, HOSTS);
        if (!error.empty())
        {
            return;
        }
        for (const unsigned end : {0U, 1U})
        {
            const HostId host = end == 0 ? 0 : HOSTS - 1;
            QpInitAttr attr;
            attr.transport = transport;
            attr.maxSendWr = attr.maxRecvWr = 10000;
            attr.sendCq = attr.recvCq = cqs[end] = verbs->CreateCq(host);
            qps[end] = verbs->CreateQp(host, attr);
        }
        key = verbs->RegMr(0, 1 << 20, 0);
        verbs->ConnectQps(qps[0], qps[1]);
        verbs->PostRecv(qps[1], {0, 1 << 20}, 10000);
    }

    ~EngineBench()
    {
        Simulator::Destroy();
        verbs->Dispose();
        clock->Dispose();
    }

    EngineBench(const EngineBench&) = delete;
    EngineBench& operator=(const EngineBench&) = delete;

    /**
     * Post messages.
     * @param count number of messages
     * @param bytes length of each [bytes]
     * @param gap time between them; 0 to post all now [ns]
     */
    void Post(uint32_t count, uint32_t bytes, Ticks gap)
    {
        for (uint32_t n = 0; n < count; ++n)
        {
            SendWr wr;
            wr.wrId = n;
            wr.data.id = n;
            wr.bytes = bytes;
            wr.localKey = key;
            wr.to = {HOSTS - 1, qps[1], 0};
            Simulator::Schedule(NanoSeconds(n * gap), [this, wr] { verbs->PostSend(qps[0], wr); });
        }
    }

    /** @return the completions of one end. @param end 0 or 1 */
    std::vector<WorkCompletion> Poll(unsigned end)
    {
        std::vector<WorkCompletion> wcs;
        for (WorkCompletion wc; verbs->PollCq(cqs[end], 1, &wc) == 1;)
        {
            wcs.push_back(wc);
        }
        return wcs;
    }

    /** @return the output ports of messages, the host's first. */
    std::vector<PortId> GetRoute() const
    {
        const SubnetManager& manager = engine->GetSubnet()->GetManager();
        return manager.GetRoute(0, manager.GetLid(HOSTS - 1));
    }

    Ptr<messaging::TickClock> clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< Verbs.
    Ptr<Engine> engine = CreateObject<Engine>();                            ///< Engine.
    std::string error;                                                      ///< Error of Open.
    MemoryKey key{NO_KEY};                                                  ///< Region of host 0.
    std::array<CqNumber, 2> cqs{};                                          ///< By end.
    std::array<Qpn, 2> qps{};                                               ///< By end.
};

/** Counters of adapters, in closed form. */
class HcaLoadTestCase : public TestCase
{
  public:
    HcaLoadTestCase()
        : TestCase("adapters count their load and waits")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t COUNT = 50;
        constexpr uint32_t BYTES = 5000; // Length of a message of three packets [bytes].
        for (const Transport transport : {Transport::RC, Transport::UC})
        {
            for (const Ticks gap : {Ticks{0}, Ticks{100'000}})
            {
                EngineBench bench(transport);
                const std::string what =
                    std::to_string(static_cast<int>(transport)) + " " + std::to_string(gap);
                bench.Post(COUNT, BYTES, gap);
                Simulator::Run();
                const HcaConfig& hca = bench.engine->GetHcaConfig();
                const HcaCounters& from = bench.engine->GetHcaCounters(0);
                const HcaCounters& to = bench.engine->GetHcaCounters(EngineBench::HOSTS - 1);
                const Ticks message = hca.sendProcessing + 3 * hca.packetProcessing;
                const Ticks acks = transport == Transport::RC ? COUNT * hca.ackProcessing : 0;
                using enum HcaCounters::Part;
                const Ticks data = 1366 + 1366 + 603; // Transfer of 5000 bytes at 1.5 GB/s [ns].
                const Ticks wqe = 43;                 // Transfer of 64 bytes [ns].
                const Ticks cqe = 22;                 // Transfer of 32 bytes [ns].
                NS_TEST_EXPECT_MSG_EQ(from.parts[SEND].busy,
                                      COUNT * message,
                                      what << ": requester's send engine");
                NS_TEST_EXPECT_MSG_EQ(to.parts[RECEIVE].busy,
                                      COUNT * message,
                                      what << ": receiver's receive engine");
                NS_TEST_EXPECT_MSG_EQ(from.parts[ACK_IN].busy,
                                      acks,
                                      what << ": ACKs at the requester");
                NS_TEST_EXPECT_MSG_EQ(to.parts[ACK_OUT].busy,
                                      acks,
                                      what << ": ACKs at the receiver");
                NS_TEST_EXPECT_MSG_EQ(from.parts[READ].busy,
                                      COUNT * (data + wqe),
                                      what << ": requests and data that the requester reads");
                NS_TEST_EXPECT_MSG_EQ(from.parts[WRITE].busy,
                                      0,
                                      what << ": the requester writes no completions");
                NS_TEST_EXPECT_MSG_EQ(to.parts[READ].busy,
                                      COUNT * wqe,
                                      what << ": receives that the receiver reads");
                NS_TEST_EXPECT_MSG_EQ(to.parts[WRITE].busy,
                                      COUNT * (data + cqe),
                                      what << ": data and completions that the receiver writes");
                NS_TEST_EXPECT_MSG_EQ(from.parts[LINK].busy,
                                      COUNT * (BYTES + 3 * 26),
                                      what << ": 1 byte a nanosecond");
                NS_TEST_EXPECT_MSG_EQ(from.parts[SEND].waits,
                                      COUNT,
                                      what << ": requests at the send engine");
                const uint64_t answers = acks > 0 ? COUNT : 0;
                NS_TEST_EXPECT_MSG_EQ(from.parts[READ].waits,
                                      3 * COUNT,
                                      what << ": reads of the requester");
                NS_TEST_EXPECT_MSG_EQ(from.parts[LINK].waits,
                                      3 * COUNT,
                                      what << ": packets on the requester's link");
                NS_TEST_EXPECT_MSG_EQ(to.parts[RECEIVE].waits,
                                      3 * COUNT,
                                      what << ": packets at the receive engine");
                NS_TEST_EXPECT_MSG_EQ(to.parts[WRITE].waits,
                                      3 * COUNT,
                                      what << ": writes of the receiver");
                NS_TEST_EXPECT_MSG_EQ(to.parts[ACK_OUT].waits,
                                      answers,
                                      what << ": answers of the receiver");
                NS_TEST_EXPECT_MSG_EQ(from.parts[ACK_IN].waits,
                                      answers,
                                      what << ": answers at the requester");
                NS_TEST_EXPECT_MSG_EQ(to.parts[LINK].waits,
                                      answers,
                                      what << ": answers on the receiver's link");
                NS_TEST_EXPECT_MSG_EQ(bench.engine->GetEngineTime(0),
                                      COUNT * message + acks,
                                      what << ": its requester, for requests and their ACKs");
                NS_TEST_EXPECT_MSG_EQ((from.parts[SEND].waited > 0),
                                      (gap == 0),
                                      what << ": only requests without a gap wait for the engine");
                NS_TEST_EXPECT_MSG_EQ(to.parts[ACK_OUT].waited, 0, what << ": ACKs do not wait");
                NS_TEST_EXPECT_MSG_EQ(bench.engine->GetHcaCounters(1).parts[LINK].waits,
                                      0,
                                      what << ": another host has sent nothing");
            }
        }
        // Two requests at once: the second waits until the engine has finished the first.
        EngineBench bench(Transport::UC);
        bench.Post(2, 64, 0);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetHcaCounters(0).parts[HcaCounters::SEND].waited,
                              710,
                              "the time of one message");
        // Both adapters together.
        HcaCounters sum;
        sum.touches = 7;
        sum.misses = 5;
        sum.writeBacks = 3;
        for (uint32_t n = 0; n < HcaCounters::N_PARTS; ++n)
        {
            sum.parts[n] = {.busy = n + 1, .waited = n + 2, .waits = n + 3};
        }
        sum += HcaCounters(sum);
        for (uint32_t n = 0; n < HcaCounters::N_PARTS; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(sum.parts[n].busy, 2 * (n + 1), n);
            NS_TEST_EXPECT_MSG_EQ(sum.parts[n].waited, 2 * (n + 2), n);
            NS_TEST_EXPECT_MSG_EQ(sum.parts[n].waits, 2 * (n + 3), n);
        }
        NS_TEST_EXPECT_MSG_EQ(sum.touches, 14, "lines looked for");
        NS_TEST_EXPECT_MSG_EQ(sum.misses, 10, "lines fetched");
        NS_TEST_EXPECT_MSG_EQ(sum.writeBacks, 6, "lines written back");
    }
};

/** The trace sources agree with the counters. */
class HcaTracesTestCase : public TestCase
{
  public:
    HcaTracesTestCase()
        : TestCase("trace sources Work and ContextMiss")
    {
    }

  private:
    /**
     * Trace sink. @param host the adapter @param part the part @param begin start @param end end
     */
    void OnWork(HostId host, HcaCounters::Part part, Ticks begin, Ticks end)
    {
        const auto engine = std::pair{host, HcaCounters::GetEngine(part)};
        m_overlaps += begin < m_until[engine];
        m_until[engine] = end;
        m_busy[engine] += end - begin;
    }

    /** Trace sink. @param host the adapter @param writesBack whether a context was written back */
    void OnMiss(HostId host, Qpn, ContextKind, bool writesBack)
    {
        ++m_misses[host];
        m_writeBacks[host] += writesBack;
    }

    void DoRun() override
    {
        EngineBench bench(Transport::RC, {{"ContextCache", "3"}});
        bench.engine->TraceConnectWithoutContext("Work",
                                                 MakeCallback(&HcaTracesTestCase::OnWork, this));
        bench.engine->TraceConnectWithoutContext("ContextMiss",
                                                 MakeCallback(&HcaTracesTestCase::OnMiss, this));
        bench.Post(20, 2048, 1000);
        Simulator::Run();
        uint64_t misses = 0;
        for (const HostId host : {0U, EngineBench::HOSTS - 1})
        {
            const HcaCounters& counters = bench.engine->GetHcaCounters(host);
            for (const auto engine : {HcaCounters::REQUESTER, HcaCounters::RESPONDER})
            {
                NS_TEST_EXPECT_MSG_EQ((m_busy[{host, engine}]),
                                      counters.GetEngineTime(engine),
                                      "busy time of engine " << engine << " of host " << host);
            }
            NS_TEST_EXPECT_MSG_EQ(m_misses[host], counters.misses, "misses of host " << host);
            NS_TEST_EXPECT_MSG_EQ(m_writeBacks[host],
                                  counters.writeBacks,
                                  "write-backs of host " << host);
            misses += m_misses[host];
        }
        NS_TEST_EXPECT_MSG_EQ(m_overlaps, 0, "work that overlaps at one engine");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetNContextMisses(), misses, "misses of all adapters");
        NS_TEST_EXPECT_MSG_GT(misses, 0, "the first touches miss");
    }

    /** An engine of an adapter. */
    using Of = std::pair<HostId, HcaCounters::Engine>;

    std::map<Of, Ticks> m_until;             ///< End of the last work by engine.
    std::map<Of, Ticks> m_busy;              ///< Busy time by engine.
    std::map<HostId, uint64_t> m_misses;     ///< Lines fetched.
    std::map<HostId, uint64_t> m_writeBacks; ///< Lines written back.
    unsigned m_overlaps{0};                  ///< Number of overlapping works.
};

/** The two engines of an adapter do not wait for each other. */
class TwoEnginesTestCase : public TestCase
{
  public:
    TwoEnginesTestCase()
        : TestCase("what an adapter sends does not wait for what it receives")
    {
    }

  private:
    void DoRun() override
    {
        // Host 0 sends UC messages while as many arrive; each direction takes the same time as
        // alone.
        std::array<Ticks, 2> end{};
        for (const bool both : {false, true})
        {
            EngineBench bench(Transport::UC);
            bench.verbs->PostRecv(bench.qps[0], {0, 64}, 10000);
            bench.Post(40, 64, 0);
            for (uint32_t n = 0; both && n < 40; ++n)
            {
                SendWr wr;
                wr.bytes = 64;
                wr.flags = INLINE;
                bench.verbs->PostSend(bench.qps[1], wr);
            }
            Simulator::Run();
            const HcaCounters& counters = bench.engine->GetHcaCounters(0);
            end[both] = counters.parts[HcaCounters::SEND].waited;
            NS_TEST_EXPECT_MSG_EQ(counters.parts[HcaCounters::RECEIVE].waits,
                                  (both ? 40 : 0),
                                  "packets at the receive engine");
        }
        NS_TEST_EXPECT_MSG_EQ(end[true],
                              end[false],
                              "end of the requests, with and without arriving messages");
    }
};

/** One engine for both directions. */
class SharedEngineTestCase : public TestCase
{
  public:
    SharedEngineTestCase()
        : TestCase("SharedEngine: what an adapter sends waits for what it receives")
    {
    }

  private:
    void DoRun() override
    {
        std::map<std::string, Ticks> waited;
        for (const std::string shared : {"false", "true"})
        {
            EngineBench bench(Transport::UC, {{"SharedEngine", shared}});
            bench.verbs->PostRecv(bench.qps[0], {0, 64}, 10000);
            bench.Post(40, 64, 0);
            for (uint32_t n = 0; n < 40; ++n)
            {
                SendWr wr;
                wr.bytes = 64;
                wr.flags = INLINE;
                bench.verbs->PostSend(bench.qps[1], wr);
            }
            Simulator::Run();
            const HcaCounters& counters = bench.engine->GetHcaCounters(0);
            waited[shared] = counters.parts[HcaCounters::SEND].waited;
            const Ticks requester = counters.GetEngineTime(HcaCounters::REQUESTER);
            const Ticks responder = counters.GetEngineTime(HcaCounters::RESPONDER);
            const Ticks expected =
                shared == "true" ? requester + responder : std::max(requester, responder);
            NS_TEST_EXPECT_MSG_EQ(bench.engine->GetEngineTime(0),
                                  expected,
                                  "busy time, SharedEngine " << shared);
        }
        NS_TEST_EXPECT_MSG_GT(waited["true"], waited["false"], "waits of the requests");
    }
};

/** Further lines of a context. */
class ContextLinesTestCase : public TestCase
{
  public:
    ContextLinesTestCase()
        : TestCase("ContextLines: RC reads them for each kind of work, UC does not")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t COUNT = 10;
        for (const Transport transport : {Transport::RC, Transport::UC})
        {
            for (const uint32_t lines : {0U, 2U})
            {
                EngineBench bench(
                    transport,
                    {{"ContextCache", "1000"}, {"ContextLines", std::to_string(lines)}});
                bench.Post(COUNT, 16, 100'000);
                Simulator::Run();
                // Sends and arriving ACKs at the requester, messages and ACKs at the responder.
                const uint32_t kinds = transport == Transport::RC ? 2 : 0;
                const uint32_t acks = transport == Transport::RC ? COUNT : 0;
                const HcaCounters& from = bench.engine->GetHcaCounters(0);
                const HcaCounters& to = bench.engine->GetHcaCounters(EngineBench::HOSTS - 1);
                NS_TEST_EXPECT_MSG_EQ(from.touches,
                                      3 * COUNT + acks + kinds * COUNT * lines,
                                      transport << ", " << lines
                                                << " lines: accesses of the sender");
                NS_TEST_EXPECT_MSG_EQ(from.misses,
                                      2 + kinds * lines,
                                      transport << ", " << lines << " lines: misses of the sender");
                NS_TEST_EXPECT_MSG_EQ(to.touches,
                                      3 * COUNT + acks + kinds * COUNT * lines,
                                      transport << ", " << lines
                                                << " lines: accesses of the receiver");
            }
        }
    }
};

/** Queue pairs with a shared receive queue share the translation of its receives. */
class SharedTranslationTestCase : public TestCase
{
  public:
    SharedTranslationTestCase()
        : TestCase("a shared receive queue has one translation for all its queue pairs")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PAIRS = 5;
        std::map<bool, uint64_t> misses;
        for (const bool shared : {false, true})
        {
            EngineBench bench(Transport::RC, {{"ContextCache", "1000"}});
            constexpr HostId TO = EngineBench::HOSTS - 1;
            QpInitAttr attr;
            attr.sendCq = attr.recvCq = bench.cqs[1];
            attr.srq = shared ? bench.verbs->CreateSrq(TO, PAIRS) : NO_SRQ;
            if (shared)
            {
                bench.verbs->PostSrqRecv(attr.srq, {0, 64}, PAIRS);
            }
            for (uint32_t n = 0; n < PAIRS; ++n)
            {
                QpInitAttr sender;
                sender.sendCq = sender.recvCq = bench.cqs[0];
                const Qpn from = bench.verbs->CreateQp(0, sender);
                const Qpn to = bench.verbs->CreateQp(TO, attr);
                bench.verbs->ConnectQps(from, to);
                if (!shared)
                {
                    bench.verbs->PostRecv(to, {0, 64});
                }
                SendWr wr;
                wr.bytes = 64;
                wr.flags = INLINE;
                bench.verbs->PostSend(from, wr);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(bench.Poll(1).size(), PAIRS, "messages that arrive");
            misses[shared] = bench.engine->GetHcaCounters(TO).misses;
        }
        NS_TEST_EXPECT_MSG_EQ(misses[false], 3 * PAIRS, "context, queue and buffer of each");
        NS_TEST_EXPECT_MSG_EQ(misses[true], PAIRS + 2, "contexts, one queue and one buffer");
    }
};

/** Packets to the own host. */
class LoopbackTestCase : public TestCase
{
  public:
    LoopbackTestCase()
        : TestCase("a packet to the own host loops back in the adapter")
    {
    }

  private:
    void DoRun() override
    {
        EngineBench bench(Transport::RC);
        QpInitAttr attr;
        attr.sendCq = attr.recvCq = bench.cqs[0];
        const Qpn from = bench.verbs->CreateQp(0, attr);
        const Qpn to = bench.verbs->CreateQp(0, attr);
        bench.verbs->ConnectQps(from, to);
        bench.verbs->PostRecv(to, {0, 64});
        SendWr wr;
        wr.bytes = 64;
        wr.flags = INLINE | SIGNALED;
        bench.verbs->PostSend(from, wr);
        Ticks arrived = 0;
        bench.verbs->TraceConnectWithoutContext("Completion",
                                                Callback<void, CqNumber, const WorkCompletion&>(
                                                    [&](CqNumber, const WorkCompletion& wc) {
                                                        if (wc.received)
                                                        {
                                                            arrived = bench.clock->Now();
                                                        }
                                                    }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(bench.Poll(0).size(), 2, "the send and the receive");
        NS_TEST_EXPECT_MSG_EQ(arrived, bench.engine->GetIdleLatency(0, 0, 64), "closed form");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetFabric()->GetCounters().injected,
                              0,
                              "packets in the fabric");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetCounters().packets, 2, "the message and its ACK");
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetNMessages(), 0, "no message is left");
    }
};

/** Service levels of queue pairs. */
class ServiceLevelTestCase : public TestCase
{
  public:
    ServiceLevelTestCase()
        : TestCase("a short message passes a blocked one on another virtual lane of its adapter")
    {
    }

  private:
    void DoRun() override
    {
        std::map<uint8_t, Ticks> end;
        for (const uint8_t level : {0, 1})
        {
            EngineBench bench(Transport::RC, {{"Lanes", "2"}});
            // Hosts 0 to 2 send to the last one, so that the lane of level 0 has no credits.
            for (const HostId host : {1U, 2U})
            {
                QpInitAttr attr;
                attr.sendCq = attr.recvCq = bench.verbs->CreateCq(host);
                const Qpn from = bench.verbs->CreateQp(host, attr);
                attr.sendCq = attr.recvCq = bench.cqs[1];
                const Qpn to = bench.verbs->CreateQp(EngineBench::HOSTS - 1, attr);
                bench.verbs->ConnectQps(from, to);
                SendWr wr;
                wr.bytes = 1 << 20;
                wr.localKey = bench.verbs->RegMr(host, 1 << 20, 0);
                bench.verbs->PostRecv(to, {0, 1 << 20}, 2);
                bench.verbs->PostSend(from, wr);
                bench.verbs->PostSend(from, wr);
            }
            bench.Post(4, 1 << 20, 0);
            // To another host, at the given level.
            QpInitAttr attr;
            attr.sendCq = attr.recvCq = bench.cqs[0];
            const Qpn from = bench.verbs->CreateQp(0, attr);
            attr.sendCq = attr.recvCq = bench.verbs->CreateCq(3);
            const Qpn to = bench.verbs->CreateQp(3, attr);
            bench.verbs->ConnectQps(from, to, 0, level);
            bench.verbs->PostRecv(to, {0, 64});
            const CqNumber cq = attr.recvCq;
            bench.verbs->TraceConnectWithoutContext(
                "Completion",
                Callback<void, CqNumber, const WorkCompletion&>(
                    [&end, &bench, cq, level](CqNumber at, const WorkCompletion&) {
                        if (at == cq)
                        {
                            end[level] = bench.clock->Now();
                        }
                    }));
            Simulator::Schedule(MicroSeconds(200), [&bench, from] {
                SendWr wr;
                wr.bytes = 64;
                wr.flags = INLINE;
                bench.verbs->PostSend(from, wr);
            });
            Simulator::Run();
        }
        NS_TEST_EXPECT_MSG_GT(end[0],
                              205'000,
                              "the message behind the blocked one waits for its credits");
        NS_TEST_EXPECT_MSG_LT(end[1], end[0], "the message on another lane does not wait");
    }
};

/** Steps of requester and responder. */
class TransportTracesTestCase : public TestCase
{
  public:
    TransportTracesTestCase()
        : TestCase("trace sources of posts, packets, ACKs, NAKs, retries and completions")
    {
    }

  private:
    /** Counts calls of a trace source. */
    class Counter
    {
      public:
        /**
         * Connect.
         * @tparam T arguments of the trace source
         * @param object its object
         * @param name its name
         */
        template <class... T>
        void Connect(Ptr<Object> object, const std::string& name)
        {
            object->TraceConnectWithoutContext(name, Callback<void, T...>([this, name](T...) {
                                                   ++m_calls[name];
                                               }));
        }

        /** @return the number of calls. @param name name of the trace source */
        uint64_t Get(const std::string& name) const
        {
            const auto found = m_calls.find(name);
            return found == m_calls.end() ? 0 : found->second;
        }

      private:
        std::map<std::string, uint64_t> m_calls; ///< Calls by name.
    };

    void DoRun() override
    {
        Counter counter;
        EngineBench bench(Transport::RC, {{"PacketLoss", "0.05"}, {"AckTimeout", "50000"}});
        bench.engine->AssignStreams(3);
        counter.Connect<HostId, const TransportHeader&, uint32_t>(bench.engine, "PacketTx");
        counter.Connect<HostId, const TransportHeader&, uint32_t>(bench.engine, "PacketRx");
        counter.Connect<Qpn, Syndrome, uint32_t>(bench.engine, "AckSent");
        counter.Connect<Qpn, Syndrome, uint32_t>(bench.engine, "NakSent");
        counter.Connect<Qpn, uint32_t, uint8_t>(bench.engine, "Retry");
        counter.Connect<Qpn, uint32_t, uint8_t>(bench.engine, "RnrRetry");
        counter.Connect<Qpn, const SendWr&>(bench.verbs, "Post");
        counter.Connect<Qpn, SrqNumber, const RecvWr&, uint32_t>(bench.verbs, "PostRecv");
        counter.Connect<CqNumber, const WorkCompletion&>(bench.verbs, "Completion");
        constexpr uint32_t COUNT = 100;
        bench.Post(COUNT, 3000, 1000);
        Simulator::Run();
        const EngineCounters& counters = bench.engine->GetCounters();
        NS_TEST_EXPECT_MSG_EQ(counter.Get("Post"), COUNT, "requests");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("Completion"), COUNT, "receives; sends are unsignalled");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("PacketTx"), counters.packets, "packets sent");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("PacketRx"),
                              counters.packets - counters.lost,
                              "packets that arrive");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("AckSent") + counter.Get("NakSent"),
                              counters.acks,
                              "ACKs and NAKs");
        NS_TEST_EXPECT_MSG_GT(counter.Get("NakSent"), 0, "gaps");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("Retry"), counters.retries, "retries");
        NS_TEST_EXPECT_MSG_GT(counters.retries, 0, "losses need retries");
        NS_TEST_EXPECT_MSG_EQ(counter.Get("RnrRetry"), 0, "there are receives");
        bench.verbs->PostRecv(bench.qps[0], {0, 64});
        NS_TEST_EXPECT_MSG_EQ(counter.Get("PostRecv"), 1, "a posted receive");
    }
};

/** Contexts, translations, and evictions. */
class EvictionTestCase : public TestCase
{
  public:
    EvictionTestCase()
        : TestCase("contexts and translations: how many reads, and write-back of what makes room")
    {
    }

  private:
    void DoRun() override
    {
        // One message after the other: context and send queue at one end, context, receive queue
        // and buffer at the other. Each buffer of 1 MiB has its own translation, which evicts the
        // previous one if there are three lines, or the context if there are two.
        constexpr uint32_t COUNT = 10;
        for (const uint32_t lines : {2U, 3U})
        {
            EngineBench bench(Transport::UC, {{"ContextCache", std::to_string(lines)}});
            bench.Post(COUNT, 16, 100'000);
            Simulator::Run();
            const HcaCounters& from = bench.engine->GetHcaCounters(0);
            const HcaCounters& to = bench.engine->GetHcaCounters(EngineBench::HOSTS - 1);
            NS_TEST_EXPECT_MSG_EQ(from.touches, 3 * COUNT, "context twice, send queue");
            NS_TEST_EXPECT_MSG_EQ(from.misses, 2, "misses: both stay");
            NS_TEST_EXPECT_MSG_EQ(from.writeBacks, 0, "write-backs: no line makes room");
            const uint32_t again = lines == 2 ? COUNT : 1;
            NS_TEST_EXPECT_MSG_EQ(to.touches,
                                  3 * COUNT,
                                  "accesses: context, receive queue and buffer");
            NS_TEST_EXPECT_MSG_EQ(to.misses,
                                  COUNT + 2 * again,
                                  "misses with " << lines << " lines");
            NS_TEST_EXPECT_MSG_EQ(to.writeBacks,
                                  (lines == 2 ? COUNT : 0),
                                  "write-backs with " << lines << " lines");
            using enum HcaCounters::Part;
            const Ticks receive = 43;     // Transfer of 64 bytes at 1.5 GB/s [ns].
            const Ticks context = 192;    // Transfer of 288 bytes [ns].
            const Ticks translation = 86; // Transfer of 128 bytes [ns].
            NS_TEST_EXPECT_MSG_EQ(to.parts[READ].busy,
                                  COUNT * (receive + translation) + again * (context + translation),
                                  "receives, contexts and translations, of " << lines);
            NS_TEST_EXPECT_MSG_EQ(to.parts[WRITE].busy,
                                  COUNT * (11 + 22) + to.writeBacks * context,
                                  "data, completions and contexts, of " << lines);
        }
    }
};

/** Links that fail during messages. */
class LinkFailuresTestCase : public TestCase
{
  public:
    LinkFailuresTestCase()
        : TestCase("links that fail: what is lost, how RC recovers, and what the sweep repairs")
    {
    }

  private:
    void DoRun() override
    {
        // A message each microsecond; the link is down from 100 us until the sweep at 150 us.
        {
            EngineBench bench(Transport::UC, {{"SweepDelay", "50us"}});
            bench.engine->GetFabric()->PlanLink(bench.GetRoute()[1], false, 100'000);
            bench.Post(300, 64, 1000);
            Simulator::Run();
            const std::size_t arrived = bench.Poll(1).size();
            NS_TEST_EXPECT_MSG_EQ(arrived + bench.engine->GetCounters().lost,
                                  300,
                                  "each message has arrived or is lost");
            NS_TEST_EXPECT_MSG_EQ_TOL(arrived, 250, 1U, "arrivals; 50 messages are lost");
        }
        const auto run = [&](const EngineSettings& settings, std::size_t hop, Ticks repair) {
            EngineSettings all{{"AckTimeout", "200000"}, {"RetryCount", "3"}};
            all.insert(settings.begin(), settings.end());
            EngineBench bench(Transport::RC, all);
            bench.engine->GetFabric()->PlanLink(bench.GetRoute()[hop], false, 100'000);
            if (repair > 0)
            {
                bench.engine->GetFabric()->PlanLink(bench.GetRoute()[hop], true, repair);
            }
            bench.Post(300, 3000, 1000);
            Simulator::Run();
            const auto wcs = bench.Poll(1);
            bool ordered = true;
            for (std::size_t n = 0; n < wcs.size() && wcs[n].status == WcStatus::SUCCESS; ++n)
            {
                ordered &= wcs[n].data.id == n;
            }
            NS_TEST_EXPECT_MSG_EQ(ordered, true, "messages arrive in order");
            const auto sent = bench.Poll(0);
            const WcStatus end = sent.empty() ? WcStatus::SUCCESS : sent.front().status;
            const bool whole = wcs.size() == 300;
            NS_TEST_EXPECT_MSG_EQ(whole,
                                  (end == WcStatus::SUCCESS),
                                  "all messages arrive, or the last one ends with an error");
            return end;
        };
        NS_TEST_EXPECT_MSG_EQ(run({{"SweepDelay", "50us"}}, 1, 0),
                              WcStatus::SUCCESS,
                              "RC goes around the link after the sweep");
        NS_TEST_EXPECT_MSG_EQ(run({{"SweepDelay", "-1ns"}}, 1, 350'000),
                              WcStatus::SUCCESS,
                              "RC repeats until the link is repaired");
        NS_TEST_EXPECT_MSG_EQ(run({{"SweepDelay", "-1ns"}}, 1, 0),
                              WcStatus::RETRY_EXC_ERR,
                              "RC gives up at the end of its retries");
        NS_TEST_EXPECT_MSG_EQ(run({{"SweepDelay", "50us"}}, 0, 0),
                              WcStatus::RETRY_EXC_ERR,
                              "there is no way around a host's own link");
        NS_TEST_EXPECT_MSG_EQ(run({{"SweepDelay", "50us"}}, 2, 0),
                              WcStatus::SUCCESS,
                              "a link from a spine down: RC goes around it after the sweep");

        EngineBench all(Transport::RC, {{"FailedLinks", "1000"}});
        NS_TEST_EXPECT_MSG_EQ(all.error.substr(0, 34),
                              "FailedLinks is 1000, but only 8 li",
                              "more failures than links");
        EngineBench planned(Transport::UC,
                            {{"FailedLinks", "8"},
                             {"FailureTime", "50us"},
                             {"RepairTime", "100us"},
                             {"SweepDelay", "-1ns"}});
        NS_TEST_ASSERT_MSG_EQ(planned.error, "", "as many failures as links between switches");
        planned.Post(300, 64, 1000);
        Simulator::Run();
        const std::size_t through = planned.Poll(1).size();
        NS_TEST_EXPECT_MSG_EQ_TOL(through,
                                  200,
                                  1U,
                                  "messages that arrive while all links are down for 100 us");
    }
};

/** The suite. */
class InfinibandEngineTestSuite : public TestSuite
{
  public:
    InfinibandEngineTestSuite()
        : TestSuite("infiniband-engine", Type::UNIT)
    {
        AddTestCase(new HcaLoadTestCase, Duration::QUICK);
        AddTestCase(new HcaTracesTestCase, Duration::QUICK);
        AddTestCase(new TwoEnginesTestCase, Duration::QUICK);
        AddTestCase(new SharedEngineTestCase, Duration::QUICK);
        AddTestCase(new ContextLinesTestCase, Duration::QUICK);
        AddTestCase(new SharedTranslationTestCase, Duration::QUICK);
        AddTestCase(new LoopbackTestCase, Duration::QUICK);
        AddTestCase(new ServiceLevelTestCase, Duration::QUICK);
        AddTestCase(new TransportTracesTestCase, Duration::QUICK);
        AddTestCase(new EvictionTestCase, Duration::QUICK);
        AddTestCase(new LinkFailuresTestCase, Duration::QUICK);
    }
};

static InfinibandEngineTestSuite g_infinibandEngineTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace infiniband
} // namespace ns3
