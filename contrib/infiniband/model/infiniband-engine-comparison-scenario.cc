/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine-comparison-scenario.h"

#include "infiniband-packet-engine.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(InfinibandEngineComparisonScenario);

namespace
{

/** Random streams of the engines, and behind them those of the traffic. */
constexpr int64_t ENGINE_STREAM = 10;

/** Random streams of the traffic, the same for both engines. */
constexpr int64_t TRAFFIC_STREAM = 20;

/**
 * @param value what was measured
 * @param reference what it is measured against
 * @return the deviation [%]
 */
double
GetDeviation(double value, double reference)
{
    return reference == 0 ? 0 : 100 * (value / reference - 1);
}

/**
 * Keep the larger of two deviations.
 * @param worst the largest so far, changed
 * @param deviation another
 */
void
Keep(double& worst, double deviation)
{
    worst = std::max(worst, std::abs(deviation));
}

} // namespace

TypeId
InfinibandEngineComparisonScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = InfinibandEngineComparisonScenario;
        TypeId type =
            SetSummary(TypeId("ns3::infiniband::InfinibandEngineComparisonScenario"),
                       "The same messages over the message engine and over the packet engine.")
                .SetParent<Scenario>()
                .SetGroupName("Infiniband")
                .AddConstructor<InfinibandEngineComparisonScenario>();
        type.AddAttribute(
            "Transport",
            "Type of the queue pairs [name; section 4.2].",
            EnumValue(Transport::RC),
            MakeEnumAccessor<Transport>(&S::m_transport),
            MakeEnumChecker(Transport::RC, "RC", Transport::UC, "UC", Transport::UD, "UD"));
        const auto number = [&type](const char* name,
                                    const char* help,
                                    uint32_t initial,
                                    uint32_t S::* member,
                                    uint32_t min,
                                    uint32_t max) {
            type.AddAttribute(name,
                              help,
                              UintegerValue(initial),
                              MakeUintegerAccessor(member),
                              MakeUintegerChecker<uint32_t>(min, max));
        };
        number("Nodes", "Hosts, for patterns [hosts; default].", 32, &S::m_nodes, 2, 4096);
        number("Bytes",
               "Length of each message, for patterns; at most Mtu over UD [bytes; default].",
               2048,
               &S::m_bytes,
               0,
               1U << 20);
        number(
            "Messages",
            "Messages of each host, for patterns; to each other host an eighth of them [messages; "
            "default].",
            200,
            &S::m_messages,
            8,
            1'000'000);
        number("Burst",
               "Messages that a host posts at once, for bursts [messages; default].",
               20,
               &S::m_burst,
               1,
               10'000);
        type.AddAttribute("MaxLoad",
                          "Largest share of a link that each host offers [fraction; default].",
                          DoubleValue(0.6),
                          MakeDoubleAccessor(&S::m_maxLoad),
                          MakeDoubleChecker<double>(1e-6, 10));
        number("Points",
               "Number of loads, evenly spread [loads; default].",
               3,
               &S::m_points,
               1,
               100);
        messaging::ScenarioResults results(type);
        results.AddReal("WorstLatency",
                        "Largest deviation of a latency between two hosts [%; result].",
                        &S::m_worstLatency);
        results.AddReal("WorstBandwidth",
                        "Largest deviation of a bandwidth between two hosts [%; result].",
                        &S::m_worstBandwidth);
        results.AddReal("WorstMean",
                        "Largest deviation of the mean latency under a pattern [%; result].",
                        &S::m_worstMean);
        results.AddReal(
            "WorstEnd",
            "Largest deviation of the time until all messages have arrived under a pattern [%; "
            "result].",
            &S::m_worstEnd);
        results.AddReal("MessageEvents",
                        "Events of the message engine under patterns [events/message; result].",
                        &S::m_messageEvents);
        results.AddReal(
            "PacketEvents",
            "Events of the packet engine under patterns, without its fabric's [events/message; "
            "result].",
            &S::m_packetEvents);
        results.AddTable("Pairs", "Two hosts, a row a length [table; result].", &S::m_pairTable);
        results.AddTable("Patterns",
                         "All hosts, a row a pattern and load [table; result].",
                         &S::m_patternTable);
        // Memory is registered before anything is measured.
        messaging::ForwardAttributes(type,
                                     MessageEngine::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_engine;
                                     },
                                     {"RegisterBase", "RegisterPage"});
        return type;
    }();
    return tid;
}

InfinibandEngineComparisonScenario::InfinibandEngineComparisonScenario()
    : m_engine(CreateObject<MessageEngine>())
{
}

InfinibandEngineComparisonScenario::~InfinibandEngineComparisonScenario() = default;

void
InfinibandEngineComparisonScenario::DoDispose()
{
    m_engine = nullptr;
    m_pairTable = nullptr;
    m_patternTable = nullptr;
    Scenario::DoDispose();
}

std::string
InfinibandEngineComparisonScenario::Check() const
{
    if (m_transport == Transport::UD && m_bytes > m_engine->GetLinkConfig().mtu)
    {
        return "Over UD a message is one packet: Bytes has to be at most Mtu.";
    }
    const auto subnet = CreateObject<Subnet>();
    subnet->SetAttribute("Nodes", UintegerValue(m_nodes));
    const std::string error = subnet->Check();
    return error.empty() ? m_engine->Check() : error;
}

InfinibandEngineComparisonScenario::Outcome
InfinibandEngineComparisonScenario::Measure(bool packet, const EngineLoad& load, HostId hosts)
{
    auto clock = CreateObject<messaging::TickClock>();
    Ptr<Engine> engine;
    if (packet)
    {
        auto made = CreateObject<PacketEngine>();
        made->AssignStreams(ENGINE_STREAM);
        engine = made;
    }
    else
    {
        auto made = CreateObject<MessageEngine>();
        made->AssignStreams(ENGINE_STREAM);
        messaging::CopyAttributes(m_engine, made);
        engine = made;
    }
    CopyEngineAttributes(m_engine, engine);
    Outcome outcome;
    {
        EngineTraffic traffic(clock, engine, hosts, load);
        traffic.AssignStreams(TRAFFIC_STREAM);
        m_failed = traffic.Start();
        if (m_failed.empty())
        {
            Simulator::Run();
        }
        outcome.posted = traffic.GetNPosted();
        auto latencies = traffic.GetLatencies();
        outcome.arrived = latencies.size();
        if (!latencies.empty())
        {
            const auto count = static_cast<double>(latencies.size());
            outcome.last = static_cast<double>(latencies.back()) / 1e3;
            outcome.mean = std::accumulate(latencies.begin(), latencies.end(), 0.0) / count / 1e3;
            const auto most =
                latencies.begin() + static_cast<std::ptrdiff_t>((latencies.size() - 1) * 99 / 100);
            std::nth_element(latencies.begin(), most, latencies.end());
            outcome.most = static_cast<double>(*most) / 1e3;
            outcome.end = static_cast<double>(traffic.GetEnd()) / 1e3;
            outcome.events = static_cast<double>(engine->GetNEvents()) / count;
            outcome.misses = static_cast<double>(engine->GetNContextMisses()) / count;
        }
    }
    engine->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return outcome;
}

void
InfinibandEngineComparisonScenario::ComparePairs()
{
    const bool datagram = m_transport == Transport::UD;
    std::vector<int64_t> lengths;
    std::vector<std::vector<double>> columns(6);
    for (uint32_t bytes = 1; bytes <= 1U << 20; bytes *= 4)
    {
        if (datagram && bytes > m_engine->GetLinkConfig().mtu)
        {
            break;
        }
        EngineLoad load;
        load.transport = m_transport;
        load.bytes = bytes;
        load.pattern = EnginePattern::PING;
        // The first message finds no context in the caches.
        load.messages = 2;
        const double message = Measure(false, load, 2).last;
        const double packet = Measure(true, load, 2).last;
        load.pattern = EnginePattern::STREAM;
        load.messages = 64;
        const double sent = static_cast<double>(load.messages) * bytes;
        const double messageRate = sent / Measure(false, load, 2).end;
        const double packetRate = sent / Measure(true, load, 2).end;
        lengths.push_back(bytes);
        const double latency = GetDeviation(message, packet);
        const double bandwidth = GetDeviation(messageRate, packetRate);
        Keep(m_worstLatency, latency);
        Keep(m_worstBandwidth, bandwidth);
        for (std::size_t n = 0;
             const double value : {message, packet, latency, messageRate, packetRate, bandwidth})
        {
            columns[n++].push_back(value);
        }
    }
    m_pairTable = CreateObject<messaging::Table>();
    m_pairTable->AddColumn("length", "bytes", std::move(lengths));
    m_pairTable->AddColumn("latency of messages", "us", std::move(columns[0]));
    m_pairTable->AddColumn("latency of packets", "us", std::move(columns[1]));
    m_pairTable->AddColumn("deviation of latency", "%", std::move(columns[2]));
    m_pairTable->AddColumn("bandwidth of messages", "MB/s", std::move(columns[3]));
    m_pairTable->AddColumn("bandwidth of packets", "MB/s", std::move(columns[4]));
    m_pairTable->AddColumn("deviation of bandwidth", "%", std::move(columns[5]));
}

void
InfinibandEngineComparisonScenario::ComparePatterns()
{
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns(11);
    const std::vector<std::pair<EnginePattern, const char*>> patterns{
        {EnginePattern::UNIFORM, "uniform"},
        {EnginePattern::PERMUTATION, "permutation"},
        {EnginePattern::INCAST, "incast"},
        {EnginePattern::BURSTS, "bursts"},
        {EnginePattern::ALL_TO_ALL, "all-to-all"}};
    double messages = 0;
    for (const auto& [pattern, name] : patterns)
    {
        // All to all has no load: everything is posted at once.
        const bool all = pattern == EnginePattern::ALL_TO_ALL;
        for (uint32_t point = 1; point <= (all ? 1 : m_points); ++point)
        {
            EngineLoad load;
            load.pattern = pattern;
            load.transport = m_transport;
            load.bytes = m_bytes;
            load.burst = m_burst;
            load.messages = all ? m_messages / 8 : m_messages;
            load.load = m_maxLoad * point / m_points;
            const Outcome message = Measure(false, load, m_nodes);
            const Outcome packet = Measure(true, load, m_nodes);
            if (!m_failed.empty())
            {
                return;
            }
            if (message.arrived != message.posted || packet.arrived != packet.posted)
            {
                m_failed = std::string(name) + ": of " + std::to_string(message.posted) +
                           " messages " + std::to_string(message.arrived) + " and " +
                           std::to_string(packet.arrived) + " have arrived.";
            }
            names.emplace_back(name);
            const double mean = GetDeviation(message.mean, packet.mean);
            const double end = GetDeviation(message.end, packet.end);
            Keep(m_worstMean, mean);
            Keep(m_worstEnd, end);
            const auto count = static_cast<double>(message.arrived);
            messages += count;
            m_messageEvents += message.events * count;
            m_packetEvents += packet.events * count;
            for (std::size_t n = 0; const double value : {all ? 1.0 : load.load,
                                                          message.mean,
                                                          packet.mean,
                                                          mean,
                                                          message.most,
                                                          packet.most,
                                                          message.end,
                                                          packet.end,
                                                          end,
                                                          message.misses,
                                                          packet.misses})
            {
                columns[n++].push_back(value);
            }
            ReportProgress(static_cast<double>(names.size()), 4.0 * m_points + 1, "runs");
        }
    }
    m_messageEvents /= messages;
    m_packetEvents /= messages;
    m_patternTable = CreateObject<messaging::Table>();
    m_patternTable->AddColumn("pattern", "", std::move(names));
    const std::vector<std::pair<const char*, const char*>> headings{
        {"load", "fraction"},
        {"mean latency of messages", "us"},
        {"mean latency of packets", "us"},
        {"deviation of mean latency", "%"},
        {"99 % latency of messages", "us"},
        {"99 % latency of packets", "us"},
        {"end of messages", "us"},
        {"end of packets", "us"},
        {"deviation of end", "%"},
        {"misses of messages", "lines/message"},
        {"misses of packets", "lines/message"}};
    for (std::size_t n = 0; n < headings.size(); ++n)
    {
        m_patternTable->AddColumn(headings[n].first, headings[n].second, std::move(columns[n]));
    }
}

void
InfinibandEngineComparisonScenario::DoRun()
{
    ComparePairs();
    ComparePatterns();
    if (!m_failed.empty())
    {
        SetVerdict(messaging::Verdict::FAILED, m_failed);
    }
}

} // namespace infiniband
} // namespace ns3
