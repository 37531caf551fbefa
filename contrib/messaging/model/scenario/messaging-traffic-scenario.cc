/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-scenario.h"

#include "ns3/messaging-scenario-results.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(TrafficScenario);

TypeId
TrafficScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = TrafficScenario;
        TypeId type = TypeId("ns3::messaging::TrafficScenario")
                          .SetParent<Scenario>()
                          .SetGroupName("Messaging");
        ScenarioResults results(type);
        results.AddReal("OfferedRate", "Payload offered [MB/s/host; result].", &S::m_offeredRate);
        results.AddReal("Throughput",
                        "Payload that has arrived within Duration [MB/s/host; result].",
                        &S::m_throughput);
        results.AddReal("Latency",
                        "Mean latency, the wait at the host included [us; result].",
                        &S::m_latency);
        results.AddReal("Latency99",
                        "Latency that 99 % do not exceed [us; result].",
                        &S::m_latency99);
        results.AddReal("LatencyWorst", "Largest latency [us; result].", &S::m_worst);
        results.AddReal("End",
                        "When the last packet had arrived or was lost [us; result].",
                        &S::m_end);
        results.AddCount("Offered",
                         "Packets that hosts have offered [packets; result].",
                         &S::m_offered);
        results.AddCount("Delivered",
                         "Packets that have arrived [packets; result].",
                         &S::m_delivered);
        results.AddCount("Left",
                         "Packets that neither arrived nor were lost [packets; result].",
                         &S::m_left);
        results.AddCount("Hops", "Links entered by packets [hops; result].", &S::m_hops);
        return type;
    }();
    return tid;
}

TrafficScenario::TrafficScenario() = default;

TrafficScenario::~TrafficScenario() = default;

void
TrafficScenario::TakeOutcome(TrafficOutcome outcome)
{
    const double perHost = 1e-6 / outcome.duration.GetSeconds() / outcome.hosts;
    m_offered = outcome.offered;
    m_delivered = outcome.delivered;
    m_left = outcome.left;
    m_hops = outcome.hops;
    m_offeredRate = static_cast<double>(outcome.offered * outcome.payload) * perHost;
    m_throughput = static_cast<double>(outcome.bytes) * perHost;
    m_end = static_cast<double>(Simulator::Now().GetNanoSeconds()) / 1e3;
    auto& latencies = outcome.latencies;
    if (!latencies.empty())
    {
        m_latency = std::accumulate(latencies.begin(), latencies.end(), 0.0) /
                    static_cast<double>(latencies.size()) / 1e3;
        const auto most =
            latencies.begin() + static_cast<std::ptrdiff_t>((latencies.size() - 1) * 99 / 100);
        std::nth_element(latencies.begin(), most, latencies.end());
        m_latency99 = static_cast<double>(*most) / 1e3;
        m_worst = static_cast<double>(*std::max_element(most, latencies.end())) / 1e3;
    }
}

} // namespace messaging
} // namespace ns3
