/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric-audit.h"
#include "infiniband-packet-bench.h"

#include "ns3/double.h"
#include "ns3/infiniband-perf-scenario.h"
#include "ns3/pointer.h"
#include "ns3/test.h"

#include <algorithm>
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

/** Results of the perf scenario. */
struct Perf
{
    messaging::Verdict verdict; ///< Verdict.
    std::string failure;        ///< Reason.
    double latency;             ///< Latency [us].
    double bandwidth;           ///< Bandwidth [MB/s].
    double rate;                ///< Message rate [1/s].
};

/**
 * Run the perf scenario.
 * @param settings its parameters
 * @return its results
 */
Perf
RunPerf(const BenchSettings& settings)
{
    auto scenario = CreateObject<InfinibandPerfScenario>();
    scenario->SetAttribute("Iterations", UintegerValue(200));
    scenario->SetAttribute("Nodes", UintegerValue(2));
    for (const auto& [name, value] : settings)
    {
        scenario->SetAttribute(name, StringValue(value));
    }
    Perf perf{messaging::Verdict::ERROR, scenario->Check(), 0, 0, 0};
    if (!perf.failure.empty())
    {
        return perf;
    }
    scenario->Run();
    const auto get = [scenario](const std::string& name) {
        DoubleValue value;
        scenario->GetAttribute(name, value);
        return value.Get();
    };
    return {scenario->GetVerdict(),
            scenario->GetFailure(),
            get("Latency"),
            get("Bandwidth"),
            get("MessageRate")};
}

} // namespace

/** One message on an idle network, compared with the closed form. */
class IdleLatencyTestCase : public TestCase
{
  public:
    IdleLatencyTestCase()
        : TestCase("latency on an idle network is the closed form, to the nanosecond")
    {
    }

  private:
    void DoRun() override
    {
        for (const char* rate : {"SDR", "DDR"})
        {
            for (const Transport transport : {Transport::RC, Transport::UC})
            {
                for (const uint32_t bytes : {0U, 1U, 128U, 129U, 2048U, 2049U, 20'000U})
                {
                    PacketBench bench(
                        BenchSettings{{"LinkRate", rate}, {"Mtu", "2048"}, {"ContextCache", "0"}},
                        {},
                        false);
                    NS_TEST_ASSERT_MSG_EQ(bench.error, "", "the verbs are open");
                    bench.Connect(transport);
                    bench.verbs->PostRecv(bench.qps[1], {0, bytes});
                    SendWr wr = bench.Request(0, bytes);
                    wr.flags |= bytes <= 128 ? INLINE : 0;
                    bench.Send(wr);
                    Ticks arrived = 0;
                    for (Ticks until = 1; arrived == 0 && until < 1'000'000; ++until)
                    {
                        Simulator::Stop(NanoSeconds(until) - Simulator::Now());
                        Simulator::Run();
                        arrived = bench.Poll(1).empty() ? 0 : until;
                    }
                    NS_TEST_EXPECT_MSG_EQ(arrived,
                                          bench.engine->GetIdleLatency(0, 1, bytes),
                                          "latency of " << transport << ", " << rate << ", "
                                                        << bytes << " bytes");
                }
            }
        }
        // One small packet, written out.
        PacketBench bench(BenchSettings{{"Mtu", "2048"}}, {}, false);
        const HcaConfig hca;
        const Ticks wire = 34 + 25 + 200 + 25;
        NS_TEST_EXPECT_MSG_EQ(bench.engine->GetIdleLatency(0, 1, 8),
                              hca.doorbell + hca.wqeFetch + hca.sendProcessing +
                                  hca.packetProcessing + wire + hca.packetProcessing +
                                  hca.receiveProcessing + hca.wqeFetch + 6 + hca.completion,
                              "latency of 8 bytes, by its parts");
    }
};

/** The times of the adapter, each set by its attribute. */
class AdapterTimesTestCase : public TestCase
{
  public:
    AdapterTimesTestCase()
        : TestCase("each attribute of the adapter's times delays a message by its share")
    {
    }

  private:
    /** Length of the message [bytes]. */
    static constexpr uint32_t BYTES = 8;

    /** Times of a message. */
    struct Times
    {
        Ticks arrived{0};   ///< The receiver sees its completion.
        Ticks completed{0}; ///< The sender sees its completion.
    };

    /**
     * Send a message over an idle network.
     * @param settings attributes of the adapters
     * @return its times
     */
    Times Measure(BenchSettings settings)
    {
        settings.insert({{"Mtu", "2048"}, {"ContextCache", "0"}});
        PacketBench bench(settings, {}, false);
        NS_TEST_EXPECT_MSG_EQ(bench.error, "", "the verbs are open");
        bench.Connect(Transport::RC);
        bench.verbs->PostRecv(bench.qps[1], {0, BYTES});
        bench.Send(bench.Request(0, BYTES));
        Times times;
        for (Ticks until = 1; until < 100'000 && (times.arrived == 0 || times.completed == 0);
             ++until)
        {
            Simulator::Stop(NanoSeconds(until) - Simulator::Now());
            Simulator::Run();
            if (times.arrived == 0 && !bench.Poll(1).empty())
            {
                times.arrived = until;
            }
            if (times.completed == 0 && !bench.Poll(0).empty())
            {
                times.completed = until;
            }
        }
        return times;
    }

    void DoRun() override
    {
        const HcaConfig hca;
        constexpr Ticks MORE = 100;

        struct Row
        {
            const char* name; ///< Attribute.
            Ticks value;      ///< Its default.
            Ticks arrival;    ///< Further time until the receiver sees the message.
            Ticks completion; ///< Further time until the sender sees its completion.
        };

        const Times usual = Measure({});
        // Request, data and receive are read; a packet is processed at both ends, as is its ACK.
        for (const Row& row : {Row{"Doorbell", hca.doorbell, MORE, MORE},
                               Row{"WqeFetch", hca.wqeFetch, 3 * MORE, 2 * MORE},
                               Row{"SendProcessing", hca.sendProcessing, MORE, MORE},
                               Row{"PacketProcessing", hca.packetProcessing, 2 * MORE, 2 * MORE},
                               Row{"AckProcessing", hca.ackProcessing, 0, 2 * MORE},
                               Row{"CompletionDelay", hca.completion, MORE, MORE}})
        {
            const Times times = Measure({{row.name, std::to_string(row.value + MORE)}});
            NS_TEST_EXPECT_MSG_EQ(times.arrived, usual.arrived + row.arrival, row.name);
            NS_TEST_EXPECT_MSG_EQ(times.completed, usual.completed + row.completion, row.name);
        }
        // 8 bytes take 11 ns at 750 MB/s and 6 ns at the default, 1500 MB/s, at each end.
        const Times slow = Measure({{"DmaRate", "750"}});
        NS_TEST_EXPECT_MSG_EQ(slow.arrived, usual.arrived + 2 * (11 - 6), "DmaRate");

        PacketBench bench({{"InlineLimit", "16"}}, {}, false);
        bench.Connect(Transport::RC);
        for (const uint32_t bytes : {16U, 17U})
        {
            SendWr wr = bench.Request(bytes, bytes);
            wr.flags |= INLINE;
            NS_TEST_EXPECT_MSG_EQ(bench.verbs->PostSend(bench.qps[0], wr),
                                  (bytes <= 16),
                                  "a request with " << bytes << " inline bytes is accepted");
        }
    }
};

/** Calibration ranges of the adapter's constants. */
class PerfBandsTestCase : public TestCase
{
  public:
    PerfBandsTestCase()
        : TestCase("calibration: verbs' latency, bandwidth and message rate lie in their bands")
    {
    }

  private:
    void DoRun() override
    {
        const BenchSettings small{{"MaxBytes", "1"}};
        const auto with = [](BenchSettings settings, const BenchSettings& more) {
            settings.insert(more.begin(), more.end());
            return settings;
        };
        const Perf rc = RunPerf(small);
        NS_TEST_EXPECT_MSG_EQ_TOL(rc.latency, 4.0, 0.5, "latency of an RC send [us]");
        NS_TEST_EXPECT_MSG_EQ_TOL(rc.rate, 1.15e6, 0.35e6, "message rate of one pair of RC [1/s]");
        for (const char* transport : {"UC", "UD"})
        {
            const Perf other = RunPerf(with(small, {{"Transport", transport}}));
            NS_TEST_EXPECT_MSG_EQ_TOL(other.latency, rc.latency, 0.3, "latency of " << transport);
        }
        // A write needs no receive; this one has immediate data, which does.
        const Perf write = RunPerf(with(small, {{"Operation", "write"}}));
        NS_TEST_EXPECT_MSG_EQ_TOL(write.latency - HcaConfig().wqeFetch / 1000.0,
                                  3.15,
                                  0.35,
                                  "latency of an RDMA write without the fetch of its request [us]");
        const BenchSettings large{{"MinBytes", "1048576"}, {"Iterations", "20"}};
        for (const char* operation : {"send", "write", "read"})
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(RunPerf(with(large, {{"Operation", operation}})).bandwidth,
                                      950,
                                      20,
                                      "bandwidth of " << operation << " [MB/s]");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(RunPerf(with(large, {{"LinkRate", "DDR"}})).bandwidth,
                                  1450,
                                  50,
                                  "bandwidth of DDR, bound by PCI Express [MB/s]");
    }
};

/** Contradictory parameters, and losses. */
class PerfErrorsTestCase : public TestCase
{
  public:
    PerfErrorsTestCase()
        : TestCase("perf: impossible parameters in one sentence; losses end a stream of UC")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(RunPerf({{"Transport", "UD"}, {"Operation", "write"}}).failure,
                              "RDMA writes need transport RC or UC, and RDMA reads need RC.",
                              "Table 1: RDMA writes over UD");
        NS_TEST_EXPECT_MSG_EQ(RunPerf({{"Transport", "UC"}, {"Operation", "read"}}).failure,
                              "RDMA writes need transport RC or UC, and RDMA reads need RC.",
                              "Table 1: RDMA reads over UC");
        NS_TEST_EXPECT_MSG_EQ(
            RunPerf({{"Mtu", "1500"}}).failure,
            "There is no Mtu of 1500 bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.",
            "an MTU that does not exist");
        NS_TEST_EXPECT_MSG_EQ(RunPerf({{"To", "2"}}).verdict,
                              messaging::Verdict::ERROR,
                              "a host that does not exist");
        const BenchSettings lossy{{"PacketLoss", "0.05"},
                                  {"MaxBytes", "64"},
                                  {"AckTimeout", "20000"}};
        NS_TEST_EXPECT_MSG_EQ(RunPerf(lossy).verdict,
                              messaging::Verdict::COMPLETED,
                              "RC repairs losses");
        const Perf gaveUp =
            RunPerf({{"PacketLoss", "1"}, {"MaxBytes", "1"}, {"AckTimeout", "20000"}});
        NS_TEST_EXPECT_MSG_EQ(gaveUp.failure,
                              "A work request of 1 bytes has ended with RETRY_EXC_ERR.",
                              "RC gives up at the end of its retries");
        NS_TEST_EXPECT_MSG_EQ(gaveUp.verdict,
                              messaging::Verdict::FAILED,
                              "the verdict of a run in which RC gives up");
        BenchSettings unreliable = lossy;
        unreliable["Transport"] = "UC";
        NS_TEST_EXPECT_MSG_EQ(RunPerf(unreliable).verdict,
                              messaging::Verdict::DEADLOCK,
                              "UC does not repair losses");
    }
};

/** Many hosts over a fabric, without faults and with. */
class FabricTrafficTestCase : public TestCase
{
  public:
    FabricTrafficTestCase()
        : TestCase("C-05: credits lose nothing however crowded; RC repairs what faults lose")
    {
    }

  private:
    /** Outcome of a run. */
    struct Outcome
    {
        uint64_t arrived;   ///< Arrived messages.
        uint64_t disorder;  ///< Messages that arrived after a later one of their sender.
        uint64_t lost;      ///< Lost packets.
        uint64_t retries;   ///< Retries of RC.
        uint64_t failed;    ///< Completions with an error.
        uint64_t forgotten; ///< Messages still stored in the engine.
        std::string wrong;  ///< Error of the fabric's conservation check.
        Ticks end;          ///< Arrival of the last message [ns].
    };

    static constexpr HostId HOSTS = 30;       ///< Hosts of a tree with two levels of switches.
    static constexpr uint64_t MESSAGES = 100; ///< Messages of each sender.

    /**
     * Let all hosts send to host 0.
     * @param transport the transport
     * @param settings attributes of the engine
     * @param corruption corruption probability of each link
     * @param cut whether the receiver's link fails for some time
     * @return the outcome
     */
    static Outcome Run(Transport transport, BenchSettings settings, double corruption, bool cut)
    {
        auto clock = CreateObject<messaging::TickClock>();
        auto verbs = CreateObject<Verbs>();
        auto engine = CreateObject<Engine>();
        const auto fabric = engine->GetFabric();
        engine->SetAttribute("Corruption", DoubleValue(corruption));
        engine->SetAttribute("AckTimeout", UintegerValue(3'000'000));
        for (const auto& [name, value] : settings)
        {
            engine->SetAttribute(name, StringValue(value));
        }
        engine->AssignStreams(5);
        verbs->Open(clock, engine, HOSTS);
        const CqNumber cq = verbs->CreateCq(0);
        std::vector<CqNumber> cqs;
        for (HostId host = 1; host < HOSTS; ++host)
        {
            QpInitAttr attr;
            attr.transport = transport;
            attr.maxSendWr = attr.maxRecvWr = 1000;
            attr.sendCq = attr.recvCq = verbs->CreateCq(host);
            cqs.push_back(attr.sendCq);
            const Qpn from = verbs->CreateQp(host, attr);
            attr.sendCq = attr.recvCq = cq;
            const Qpn to = verbs->CreateQp(0, attr);
            verbs->ConnectQps(from, to);
            verbs->PostRecv(to, {0, 8192}, MESSAGES);
            const MemoryKey key = verbs->RegMr(host, 8192, 0);
            for (uint64_t id = 0; id < MESSAGES; ++id)
            {
                SendWr wr;
                wr.data.id = id;
                wr.data.aux = host;
                wr.bytes = transport == Transport::UD ? 2000 : 5000;
                wr.localKey = key;
                wr.to = {0, to, 0};
                wr.flags = SIGNALED;
                verbs->PostSend(from, wr);
            }
        }
        if (cut)
        {
            fabric->PlanLink(0, false, 100'000);
            fabric->PlanLink(0, true, 500'000);
        }
        Simulator::Run();
        Outcome outcome{};
        std::map<uint32_t, uint64_t> next;
        WorkCompletion wc;
        while (verbs->PollCq(cq, 1, &wc) == 1)
        {
            outcome.failed += wc.status != WcStatus::SUCCESS;
            outcome.disorder += next[wc.data.aux] != wc.data.id;
            next[wc.data.aux] = wc.data.id + 1;
            ++outcome.arrived;
        }
        for (const CqNumber sends : cqs)
        {
            while (verbs->PollCq(sends, 1, &wc) == 1)
            {
                outcome.failed += wc.status != WcStatus::SUCCESS;
            }
        }
        outcome.lost = engine->GetCounters().lost;
        outcome.retries = engine->GetCounters().retries;
        outcome.forgotten = engine->GetNMessages();
        outcome.wrong = CheckConservation(*fabric);
        outcome.end = static_cast<Ticks>(Simulator::Now().GetNanoSeconds());
        Simulator::Destroy();
        verbs->Dispose();
        clock->Dispose();
        return outcome;
    }

    void DoRun() override
    {
        constexpr uint64_t ALL = (HOSTS - 1) * MESSAGES;
        for (const Transport transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            const Outcome outcome =
                Run(transport, {{"BufferBytes", "2240"}, {"AckTimeout", "100000000"}}, 0, false);
            NS_TEST_EXPECT_MSG_EQ(outcome.arrived, ALL, transport << ": arrivals");
            NS_TEST_EXPECT_MSG_EQ(outcome.disorder,
                                  0,
                                  transport << ": messages out of order on one path");
            NS_TEST_EXPECT_MSG_EQ(outcome.lost, 0, transport << ": lost packets");
            NS_TEST_EXPECT_MSG_EQ(outcome.retries, 0, transport << ": retries");
            NS_TEST_EXPECT_MSG_EQ(outcome.forgotten,
                                  0,
                                  transport << ": messages left in the engine");
            NS_TEST_EXPECT_MSG_EQ(outcome.wrong, "", transport << ": messages are intact");
        }
        const Outcome corrupted = Run(Transport::RC, {}, 0.01, false);
        NS_TEST_EXPECT_MSG_EQ(corrupted.arrived, ALL, "RC repairs corruption");
        NS_TEST_EXPECT_MSG_EQ(corrupted.disorder, 0, "messages out of order");
        NS_TEST_EXPECT_MSG_EQ(corrupted.failed, 0, "messages that end with an error");
        NS_TEST_EXPECT_MSG_GT(corrupted.lost, 50, "lost packets");
        NS_TEST_EXPECT_MSG_EQ(corrupted.forgotten, 0, "messages left in the engine");
        const Outcome again = Run(Transport::RC, {}, 0.01, false);
        NS_TEST_EXPECT_MSG_EQ(again.end, corrupted.end, "end of the run with the same seed");
        NS_TEST_EXPECT_MSG_EQ(again.lost, corrupted.lost, "losses of the run with the same seed");
        const Outcome cut = Run(Transport::RC, {}, 0, true);
        NS_TEST_EXPECT_MSG_EQ(cut.arrived, ALL, "RC repairs the failure of a cable");
        NS_TEST_EXPECT_MSG_EQ(cut.disorder, 0, "messages out of order");
        NS_TEST_EXPECT_MSG_GT(cut.retries, 0, "retries after timeouts");
        const Outcome holes = Run(Transport::UC, {}, 0.01, false);
        NS_TEST_EXPECT_MSG_LT(holes.arrived, ALL, "UC repairs nothing");
        NS_TEST_EXPECT_MSG_EQ(holes.forgotten, 0, "messages left in the engine");
    }
};

/** Cost of a miss, and of a datagram's header. */
class ContextMissTestCase : public TestCase
{
  public:
    ContextMissTestCase()
        : TestCase("the time of a message whose contexts and translations are not cached; of a GRH")
    {
    }

  private:
    /**
     * Send 8 bytes on an idle network.
     * @param transport type of the queue pairs
     * @param cache lines of the adapters' caches
     * @param sent number of preceding messages, which are not measured
     * @return the time of the message [ns]
     */
    static Ticks Send(Transport transport, const std::string& cache, unsigned sent = 0)
    {
        PacketBench bench(BenchSettings{{"ContextCache", cache}});
        bench.Connect(transport);
        bench.verbs->PostRecv(bench.qps[1], {0, 100}, 10);
        Ticks begun = 0;
        Ticks until = 0;
        for (unsigned n = 0; n <= sent; ++n)
        {
            until += 50'000;
            Simulator::Stop(NanoSeconds(until) - Simulator::Now());
            Simulator::Run();
            begun = until;
            SendWr wr = bench.Request(n, 8);
            wr.flags |= INLINE;
            bench.Send(wr);
            while (bench.Poll(1).empty() && until < begun + 50'000)
            {
                ++until;
                Simulator::Stop(NanoSeconds(until) - Simulator::Now());
                Simulator::Run();
            }
        }
        return until - begun;
    }

    void DoRun() override
    {
        const HcaConfig hca;
        const Ticks context = hca.contextMiss + 192;        // Transfer of 288 bytes at 1.5 GB/s,
                                                            // and the miss.
        const Ticks translation = 2 * hca.contextMiss + 86; // Transfer of 128 bytes, and two reads.
        for (const Transport transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            const Ticks warm = Send(transport, "0");
            NS_TEST_EXPECT_MSG_EQ(Send(transport, "64") - warm,
                                  2 * context + 3 * translation,
                                  transport
                                      << ": misses of two contexts, both queues and the buffer");
            NS_TEST_EXPECT_MSG_EQ(Send(transport, "64", 1),
                                  warm,
                                  transport << ": the second message misses nothing");
        }
        NS_TEST_EXPECT_MSG_EQ(Send(Transport::UD, "0") - Send(Transport::UC, "0"),
                              32 - 6,
                              "a global route header: 48 bytes at 1.5 GB/s instead of 8");
    }
};

/**
 * An unsignaled request ends at the same time with or without its own event, and with or without
 * room in the queue.
 */
class UnsignaledTestCase : public TestCase
{
  public:
    UnsignaledTestCase()
        : TestCase("requests without a completion hold up none that has one")
    {
    }

  private:
    /** Outcome of a run. */
    struct Outcome
    {
        std::vector<std::pair<uint64_t, int64_t>> completions; ///< Request, time [ns].
        uint64_t events{0};                                    ///< Events of the engine.
        uint32_t left{0};                                      ///< Unfinished requests.
    };

    static constexpr uint64_t COUNT = 60; ///< Number of requests.

    /**
     * Post requests; every fifth one is signaled.
     * @param transport type of the queue pairs
     * @param places capacity of the send queue
     * @return the outcome
     */
    static Outcome RunOnce(Transport transport, uint32_t places)
    {
        PacketBench bench;
        for (const HostId host : {0U, 1U})
        {
            bench.qps[host] = bench.verbs->CreateQp(host,
                                                    {.sendCq = bench.cqs[host],
                                                     .recvCq = bench.cqs[host],
                                                     .maxSendWr = places,
                                                     .transport = transport});
        }
        bench.verbs->ConnectQps(bench.qps[0], bench.qps[1]);
        bench.verbs->PostRecv(bench.qps[1], {0, 256}, COUNT);
        for (uint64_t id = 0; id < COUNT; ++id)
        {
            SendWr wr = bench.Request(id, 10 + static_cast<uint32_t>(id));
            wr.flags = id % 5 == 4 ? SIGNALED : 0;
            bench.Send(wr);
        }
        Outcome outcome;
        for (int64_t now = 0; now < 200'000; now += 20)
        {
            Simulator::Schedule(NanoSeconds(now), [&] {
                for (const WorkCompletion& wc : bench.Poll(0))
                {
                    outcome.completions.emplace_back(wc.wrId, Simulator::Now().GetNanoSeconds());
                }
            });
        }
        Simulator::Run();
        outcome.events = bench.engine->GetCounters().events;
        outcome.left = bench.verbs->GetNPostedSends(bench.qps[0]);
        return outcome;
    }

    void DoRun() override
    {
        for (const Transport transport : {Transport::RC, Transport::UC, Transport::UD})
        {
            const Outcome narrow = RunOnce(transport, COUNT);
            const Outcome wide = RunOnce(transport, 1000);
            NS_TEST_EXPECT_MSG_EQ(narrow.completions.size(),
                                  COUNT / 5,
                                  "completions of signalled requests");
            NS_TEST_EXPECT_MSG_EQ((narrow.completions == wide.completions), true, "the same times");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(wide.events + COUNT / 2,
                                        narrow.events,
                                        "most requests need no event for their completion");
            NS_TEST_EXPECT_MSG_EQ(narrow.left + wide.left, 0, "requests left at the end");
        }
    }
};

/** The packet engine over its fabric. */
class InfinibandPacketEngineTestSuite : public TestSuite
{
  public:
    InfinibandPacketEngineTestSuite()
        : TestSuite("infiniband-packet-engine", Type::UNIT)
    {
        AddTestCase(new IdleLatencyTestCase, Duration::QUICK);
        AddTestCase(new AdapterTimesTestCase, Duration::QUICK);
        AddTestCase(new PerfBandsTestCase, Duration::QUICK);
        AddTestCase(new PerfErrorsTestCase, Duration::QUICK);
        AddTestCase(new FabricTrafficTestCase, Duration::QUICK);
        AddTestCase(new ContextMissTestCase, Duration::QUICK);
        AddTestCase(new UnsignaledTestCase, Duration::QUICK);
    }
};

static InfinibandPacketEngineTestSuite g_infinibandPacketEngineTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
