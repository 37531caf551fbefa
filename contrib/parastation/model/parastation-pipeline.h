/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_PIPELINE_H
#define PARASTATION_PIPELINE_H

#include "parastation-group.h"

#include "ns3/messaging-host.h"
#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * Where each microsecond goes: figure 2's steps, observed.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Listens to a group and to its machines, and tells how long each step of figure 2 has taken.
 *
 * Of each step it knows how often it was done, how long its resource served it, and, while one
 * message at a time is under way as in a ping-pong, which part of the way of a message it is: from
 * its begin to the begin of the next step on that way.
 */
class PipelineRecorder : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PipelineRecorder();
    ~PipelineRecorder() override;

    /**
     * Listen.
     * @param group the group
     * @param hosts its hosts
     * @param interfaces its network interfaces
     */
    void Connect(Ptr<ParastationGroup> group,
                 const std::vector<Ptr<messaging::HostModel>>& hosts,
                 const std::vector<Ptr<messaging::HostModel>>& interfaces);

    /** A message was delivered to the application: the end of its way. */
    void EndMessage();

    /** @return when anything has happened last. */
    Time GetLastActivity() const
    {
        return m_last;
    }

    /**
     * Get the steps as a table.
     * @param elapsed the time of the run
     * @param onWay whether one message at a time was under way
     * @return a row for each step
     */
    Ptr<messaging::Table> MakeTable(Time elapsed, bool onWay) const;

  private:
    /** An event was noted. @param peer where @param event what */
    void OnEvent(messaging::Peer peer, Event event);

    /**
     * Some work is done.
     * @param process where
     * @param work what
     * @param begin when it began
     * @param end when it ended
     */
    void OnWork(messaging::ProcessId process, const messaging::Work& work, Time begin, Time end);

    /** @param part a part of a step @return its mean service time [us] */
    double GetService(Part part) const;

    std::array<uint64_t, N_STEPS + 1> m_counts{}; ///< How often each step began; last, deliveries.
    std::array<int64_t, N_STEPS + 1> m_sums{};    ///< Sum of those moments [ns].
    std::array<uint64_t, N_PARTS> m_works{};      ///< How often each part was done.
    std::array<Time, N_PARTS> m_service;          ///< How long that took.
    uint32_t m_hosts{0};                          ///< How many hosts there are.
    Time m_last;                                  ///< When anything has happened last.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_PIPELINE_H
