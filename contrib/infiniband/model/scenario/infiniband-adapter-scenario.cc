/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-adapter-scenario.h"

#include "ns3/infiniband-engine.h"
#include "ns3/messaging-scenario-results.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(AdapterScenario);

namespace
{

/** Heads of the columns of the parts. */
constexpr std::array<const char*, HcaCounters::N_PARTS>
    PART_NAMES{"send", "ack in", "receive", "ack out", "dma read", "dma write", "link"};

/**
 * @param counters of an adapter
 * @return whether it has had anything to do
 */
bool
IsUsed(const HcaCounters& counters)
{
    return std::any_of(counters.parts.begin(), counters.parts.end(), [](const auto& part) {
        return part.waits > 0;
    });
}

/**
 * @param a some
 * @param b how many
 * @return a of b, nothing if there are none
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
    static TypeId tid = [] {
        using S = AdapterScenario;
        TypeId type = TypeId("ns3::infiniband::AdapterScenario")
                          .SetParent<Scenario>()
                          .SetGroupName("Infiniband");
        messaging::ScenarioResults results(type);
        results.AddReal("LinkLoad",
                        "Share of the time that an adapter's link carries packets out, mean of the "
                        "adapters in use [fraction; result].",
                        &S::m_linkLoad);
        results.AddReal("BusiestEngine",
                        "Largest share of the time that one engine of one adapter works [fraction; "
                        "result].",
                        &S::m_busiest);
        results.AddTable("Adapters",
                         "Load of each adapter in use, waits, and its cache [table; result].",
                         &S::m_adapters);
        return type;
    }();
    return tid;
}

void
AdapterScenario::DoDispose()
{
    m_adapters = nullptr;
    Scenario::DoDispose();
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
    HcaCounters all;
    uint64_t used = 0;
    for (const HcaCounters& counters : m_counters)
    {
        all += counters;
        used += IsUsed(counters);
    }
    m_linkLoad = GetShare(all.parts[HcaCounters::LINK].busy, m_duration * used);
    const auto busiest = std::max_element(m_engineTime.begin(), m_engineTime.end());
    m_busiest = busiest == m_engineTime.end() ? 0 : GetShare(*busiest, m_duration);
    MakeTable();
}

void
AdapterScenario::MakeTable()
{
    std::vector<int64_t> hosts;
    std::array<std::vector<double>, HcaCounters::N_PARTS> loads;
    std::array<std::vector<double>, HcaCounters::N_PARTS> waits;
    std::vector<int64_t> touches;
    std::vector<int64_t> misses;
    std::vector<int64_t> writeBacks;
    for (std::size_t host = 0; host < m_counters.size(); ++host)
    {
        const HcaCounters& counters = m_counters[host];
        if (!IsUsed(counters))
        {
            continue;
        }
        hosts.push_back(static_cast<int64_t>(host));
        for (std::size_t part = 0; part < HcaCounters::N_PARTS; ++part)
        {
            const auto& use = counters.parts[part];
            loads[part].push_back(GetShare(use.busy, m_duration));
            waits[part].push_back(GetShare(use.waited, use.waits) / 1e3);
        }
        touches.push_back(static_cast<int64_t>(counters.touches));
        misses.push_back(static_cast<int64_t>(counters.misses));
        writeBacks.push_back(static_cast<int64_t>(counters.writeBacks));
    }
    m_adapters = CreateObject<messaging::Table>();
    m_adapters->AddColumn("host", "", std::move(hosts));
    for (std::size_t part = 0; part < HcaCounters::N_PARTS; ++part)
    {
        const std::string name = PART_NAMES[part];
        m_adapters->AddColumn(name + " load", "fraction", std::move(loads[part]));
        m_adapters->AddColumn(name + " wait", "us", std::move(waits[part]));
    }
    m_adapters->AddColumn("context touches", "lines", std::move(touches));
    m_adapters->AddColumn("context misses", "lines", std::move(misses));
    m_adapters->AddColumn("context write-backs", "lines", std::move(writeBacks));
}

} // namespace infiniband
} // namespace ns3
