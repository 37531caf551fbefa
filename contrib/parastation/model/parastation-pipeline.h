/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PIPELINE_H
#define PARASTATION_PIPELINE_H

#include "parastation-group.h"

#include "ns3/messaging-host.h"
#include "ns3/messaging-table.h"
#include "ns3/nstime.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * Times of figure 2's steps.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Recorder of the steps of figure 2, connected to the traces of a group and of its machines.
 *
 * For each step it records the count and the service time of its resource. With one message in
 * flight at a time, as in a ping-pong, it also records the step's part of the latency, from the
 * begin of the step to the begin of the next.
 */
class PipelineRecorder
{
  public:
    /**
     * Connect the traces.
     * @param group the group
     * @param hosts its hosts
     * @param interfaces its network interfaces
     */
    void Connect(Ptr<ParastationGroup> group,
                 const std::vector<Ptr<messaging::HostModel>>& hosts,
                 const std::vector<Ptr<messaging::HostModel>>& interfaces);

    /** Record the delivery of a message to the application. */
    void EndMessage();

    /** @return the time of the last event. */
    Time GetLastActivity() const
    {
        return m_last;
    }

    /**
     * Get the steps as a table.
     * @param elapsed the time of the run
     * @param onWay whether one message was in flight at a time
     * @return a row for each step
     */
    Ptr<messaging::Table> MakeTable(Time elapsed, bool onWay) const;

  private:
    /** Record an event. @param peer the host @param event the event */
    void OnEvent(messaging::Peer peer, Event event);

    /**
     * Record the work of a step.
     * @param process its process
     * @param work the work
     * @param begin its begin
     * @param end its end
     */
    void OnWork(messaging::ProcessId process, const messaging::Work& work, Time begin, Time end);

    /** @param index a part of a step, or of a layer @return its mean service time [us] */
    double GetService(std::size_t index) const;

    /** @param step a step of figure 2, or deliveries @return the mean time of its begin [us] */
    double GetMeanTime(std::size_t step) const;

    /** @return each row's part of the latency [us]; zeros unless each message made every step. */
    std::vector<double> MakeWay() const;

    std::array<uint64_t, N_STEPS + 1> m_counts{}; ///< Begins of each step; last, deliveries.
    std::array<int64_t, N_STEPS + 1> m_sums{};    ///< Sum of their times [ns].
    std::array<uint64_t, N_PARTS + 2> m_works{};  ///< Count of each part, then of the layers.
    std::array<Time, N_PARTS + 2> m_service;      ///< Service time of the same parts.
    uint32_t m_hosts{0};                          ///< Number of hosts.
    Time m_last;                                  ///< Time of the last event.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PIPELINE_H
