/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-adapter-scenario.h"

#include "ns3/infiniband-engine.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-row-table.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandAdapterScenario");
NS_OBJECT_ENSURE_REGISTERED(AdapterScenario);

namespace
{

/** Column titles of the parts. */
constexpr std::array<const char*, HcaCounters::N_PARTS>
    PART_NAMES{"send", "ack in", "receive", "ack out", "dma read", "dma write", "link"};

/**
 * @param counters counters of an adapter
 * @return whether the adapter was used
 */
bool
IsUsed(const HcaCounters& counters)
{
    return std::any_of(counters.parts.begin(), counters.parts.end(), [](const auto& part) {
        return part.waits > 0;
    });
}

/**
 * @param a numerator
 * @param b denominator
 * @return a divided by b, 0 if b is 0
 */
double
GetShare(uint64_t a, uint64_t b)
{
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

} // namespace

TypeId
AdapterScenario::GetTypeId()
{
    using S = AdapterScenario;
    static TypeId tid =
        messaging::Attributes<AdapterScenario>(TypeId("ns3::infiniband::AdapterScenario")
                                                   .SetParent<Scenario>()
                                                   .SetGroupName("Infiniband"))
            .AddResult("LinkLoad",
                       "Share of the time that an adapter's outgoing link is busy, mean of the "
                       "used adapters [fraction; result].",
                       &S::m_linkLoad)
            .AddResult("BusiestEngine",
                       "Largest busy share of any engine of any adapter [fraction; result].",
                       &S::m_busiest)
            .AddResult("Adapters",
                       "Load, waiting times and cache use of each used adapter [table; result].",
                       &S::m_adapters);
    return tid;
}

void
AdapterScenario::AddAdapters(const Engine& engine, Ticks duration)
{
    m_duration += duration;
    m_counters.resize(std::max<std::size_t>(m_counters.size(), engine.GetNHosts()));
    m_engineTime.resize(m_counters.size());
    for (HostId host = 0; host < engine.GetNHosts(); ++host)
    {
        m_counters[host] += engine.GetHcaCounters(host);
        m_engineTime[host] += engine.GetEngineTime(host);
    }
}

void
AdapterScenario::TakeAdapterResults()
{
    NS_LOG_FUNCTION(this);
    std::vector<std::size_t> used;
    Ticks linkTime = 0;
    for (std::size_t host = 0; host < m_counters.size(); ++host)
    {
        linkTime += m_counters[host].parts[HcaCounters::LINK].busy;
        if (IsUsed(m_counters[host]))
        {
            used.push_back(host);
        }
    }
    m_linkLoad = GetShare(linkTime, m_duration * used.size());
    const auto busiest = std::max_element(m_engineTime.begin(), m_engineTime.end());
    m_busiest = busiest == m_engineTime.end() ? 0 : GetShare(*busiest, m_duration);
    messaging::RowTable table(used);
    table.Add("host", "", [](std::size_t host) { return host; });
    for (std::size_t part = 0; part < HcaCounters::N_PARTS; ++part)
    {
        const std::string name = PART_NAMES[part];
        table.Add(name + " load", "fraction", [&](std::size_t host) {
            return GetShare(m_counters[host].parts[part].busy, m_duration);
        });
        table.Add(name + " wait", "us", [&](std::size_t host) {
            const auto& use = m_counters[host].parts[part];
            return GetShare(use.waited, use.waits) / 1e3;
        });
    }
    const auto count = [&](const char* name, uint64_t HcaCounters::* member) {
        table.Add(name, "lines", [&](std::size_t host) { return m_counters[host].*member; });
    };
    count("context touches", &HcaCounters::touches);
    count("context misses", &HcaCounters::misses);
    count("context write-backs", &HcaCounters::writeBacks);
    m_adapters = table.Get();
}

} // namespace infiniband
} // namespace ns3
