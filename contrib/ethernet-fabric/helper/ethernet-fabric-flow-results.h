/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_FLOW_RESULTS_H
#define ETHERNET_FABRIC_FLOW_RESULTS_H

#include "ns3/messaging-table.h"
#include "ns3/messaging-traffic-flows.h"

#include <limits>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Statistics of flow completion times.
 */

namespace ns3
{
namespace fabric
{

/** Mean and percentiles of a quantity; not a number without values. */
struct Distribution
{
    double mean{std::numeric_limits<double>::quiet_NaN()};   ///< Mean.
    double median{std::numeric_limits<double>::quiet_NaN()}; ///< Median.
    double p99{std::numeric_limits<double>::quiet_NaN()};    ///< 99th percentile.
    double p999{std::numeric_limits<double>::quiet_NaN()};   ///< 99.9th percentile.
    double least{std::numeric_limits<double>::quiet_NaN()};  ///< Smallest value.
    double most{std::numeric_limits<double>::quiet_NaN()};   ///< Largest value.
};

/**
 * Summarize values. A percentile is the least value that the share of all values does not exceed.
 * @param values the values, in any order
 * @return mean and percentiles
 */
Distribution Summarize(std::vector<double> values);

/** A flow that has been delivered. */
struct DeliveredFlow
{
    messaging::TrafficFlow flow; ///< The flow.
    double time{0};              ///< From its start to its delivery [us].
    double confirmed{0};         ///< From its start to the last completion at its sender; not a
                                 ///< number without one [us].
    double ideal{0};             ///< The same on an idle fabric [us].

    /** @return the time relative to that on an idle fabric. */
    double GetSlowdown() const
    {
        return time / ideal;
    }
};

/**
 * @ingroup ethernet-fabric
 * Completion times of flows.
 */
class FlowResults
{
  public:
    /** @param flow a delivered flow */
    void Add(const DeliveredFlow& flow)
    {
        m_flows.push_back(flow);
    }

    /** Summarize all flows. */
    void Finish();

    /** @return completion times of all flows [us]. */
    const Distribution& GetTimes() const
    {
        return m_times;
    }

    /** @return slowdowns of all flows. */
    const Distribution& GetSlowdowns() const
    {
        return m_slowdowns;
    }

    /** @return Jain's index of the flows' rates, each relative to that on an idle fabric: the
     * square of their sum by their number and the sum of their squares; not a number without flows.
     */
    double GetFairness() const
    {
        return m_fairness;
    }

    /** @return time from the first start to the last delivery [us]. */
    double GetSpan() const
    {
        return m_span;
    }

    /** @return a table with slowdowns and times by decades of the size. */
    Ptr<messaging::Table> MakeSizeTable() const;

    /** @return a table with a row for each flow. */
    Ptr<messaging::Table> MakeFlowTable() const;

  private:
    std::vector<DeliveredFlow> m_flows;                          ///< The flows.
    Distribution m_times;                                        ///< Their completion times [us].
    Distribution m_slowdowns;                                    ///< Their slowdowns.
    double m_fairness{std::numeric_limits<double>::quiet_NaN()}; ///< Jain's index.
    double m_span{0}; ///< From the first start to the last delivery [us].
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_FLOW_RESULTS_H
