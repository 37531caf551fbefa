/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-flow-results.h"

#include "ns3/messaging-row-table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace ns3
{
namespace fabric
{

namespace
{

/** Largest sizes of the rows of the table by size, but for the last one [bytes]. */
constexpr std::array<uint32_t, 5> DECADES{1000, 10'000, 100'000, 1'000'000, 10'000'000};

/** A row of the table by size. */
struct SizeRow
{
    uint64_t low{0};        ///< The flows are longer [bytes].
    uint64_t high{0};       ///< The flows are at most as long [bytes].
    uint64_t flows{0};      ///< Number of flows.
    Distribution slowdowns; ///< Their slowdowns.
    Distribution times;     ///< Their completion times [us].
};

/**
 * Get a percentile.
 * @param sorted the values in rising order, at least one
 * @param share the share
 * @return the least value that at least this share of the values does not exceed
 */
double
GetPercentile(const std::vector<double>& sorted, double share)
{
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

} // namespace

Distribution
Summarize(std::vector<double> values)
{
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {.mean = sum / static_cast<double>(values.size()),
            .median = GetPercentile(values, 0.5),
            .p99 = GetPercentile(values, 0.99),
            .p999 = GetPercentile(values, 0.999),
            .least = values.front(),
            .most = values.back()};
}

void
FlowResults::Finish()
{
    std::vector<double> times;
    std::vector<double> slowdowns;
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    double sum = 0;
    double squares = 0;
    for (const DeliveredFlow& flow : m_flows)
    {
        const double start = flow.flow.start.ToDouble(Time::US);
        first = std::min(first, start);
        last = std::max(last, start + flow.time);
        times.push_back(flow.time);
        slowdowns.push_back(flow.GetSlowdown());
        const double rate = 1 / flow.GetSlowdown();
        sum += rate;
        squares += rate * rate;
    }
    m_fairness = sum * sum / (squares * static_cast<double>(m_flows.size()));
    m_span = m_flows.empty() ? 0 : last - first;
    m_times = Summarize(std::move(times));
    m_slowdowns = Summarize(std::move(slowdowns));
}

Ptr<messaging::Table>
FlowResults::MakeSizeTable() const
{
    std::vector<SizeRow> rows;
    uint64_t low = 0;
    for (std::size_t decade = 0; decade <= DECADES.size(); ++decade)
    {
        const bool isLast = decade == DECADES.size();
        const uint64_t high = isLast ? std::numeric_limits<uint32_t>::max() : DECADES[decade];
        std::vector<double> times;
        std::vector<double> slowdowns;
        for (const DeliveredFlow& flow : m_flows)
        {
            const bool isLong = decade == 0 || flow.flow.bytes > low;
            if (isLong && flow.flow.bytes <= high)
            {
                times.push_back(flow.time);
                slowdowns.push_back(flow.GetSlowdown());
            }
        }
        if (!times.empty())
        {
            rows.push_back({.low = low,
                            .high = high,
                            .flows = times.size(),
                            .slowdowns = Summarize(std::move(slowdowns)),
                            .times = Summarize(std::move(times))});
        }
        low = high;
    }
    return messaging::RowTable(rows)
        .Add("above", "bytes", &SizeRow::low)
        .Add("upTo", "bytes", &SizeRow::high)
        .Add("flows", "flows", &SizeRow::flows)
        .Add("slowdown", "", [](const SizeRow& row) { return row.slowdowns.mean; })
        .Add("slowdownMedian", "", [](const SizeRow& row) { return row.slowdowns.median; })
        .Add("slowdown99", "", [](const SizeRow& row) { return row.slowdowns.p99; })
        .Add("slowdown999", "", [](const SizeRow& row) { return row.slowdowns.p999; })
        .Add("fct", "us", [](const SizeRow& row) { return row.times.mean; })
        .Add("fctMedian", "us", [](const SizeRow& row) { return row.times.median; })
        .Add("fct99", "us", [](const SizeRow& row) { return row.times.p99; })
        .Add("fct999", "us", [](const SizeRow& row) { return row.times.p999; })
        .Get();
}

Ptr<messaging::Table>
FlowResults::MakeFlowTable() const
{
    return messaging::RowTable(m_flows)
        .Add("from", "", [](const DeliveredFlow& flow) { return flow.flow.from; })
        .Add("to", "", [](const DeliveredFlow& flow) { return flow.flow.to; })
        .Add("bytes", "bytes", [](const DeliveredFlow& flow) { return flow.flow.bytes; })
        .Add("start",
             "us",
             [](const DeliveredFlow& flow) { return flow.flow.start.ToDouble(Time::US); })
        .Add("fct", "us", &DeliveredFlow::time)
        .Add("confirmed", "us", &DeliveredFlow::confirmed)
        .Add("ideal", "us", &DeliveredFlow::ideal)
        .Add("slowdown", "", &DeliveredFlow::GetSlowdown)
        .Get();
}

} // namespace fabric
} // namespace ns3
