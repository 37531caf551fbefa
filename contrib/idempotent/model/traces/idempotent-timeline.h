/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_TIMELINE_H
#define IDEMPOTENT_TIMELINE_H

#include "ns3/idempotent-replayer.h"
#include "ns3/messaging-scenario.h"
#include "ns3/simple-ref-count.h"

#include <vector>

/**
 * @file
 * @ingroup idempotent
 * Times of each message of a replay.
 */

namespace ns3
{
namespace idempotent
{

/**
 * @ingroup idempotent
 * Records when each message of a replay was posted, delivered and acknowledged.
 */
class Timeline : public SimpleRefCount<Timeline>
{
  public:
    /**
     * Trace a replay that has not begun.
     * @param trace its trace, which has to outlive this
     * @param replayer the replayer
     * @param clock its clock
     */
    Timeline(const Trace& trace,
             Ptr<TraceReplayer> replayer,
             Ptr<const messaging::TickClock> clock);

    /** @return a row for each message that entered the network, in the order of the trace. */
    Ptr<messaging::Table> MakeTable() const;

  private:
    /** A message was accepted. @param message its index */
    void OnPosted(uint32_t message);

    /** A message was delivered. @param message its index */
    void OnDelivered(uint32_t message);

    /** A message has ended at its sender. @param message its index */
    void OnCompleted(uint32_t message);

    const Trace& m_trace;                    ///< The trace.
    Ptr<const messaging::TickClock> m_clock; ///< Clock of the replay.
    std::vector<int64_t> m_posted;           ///< By message; -1 for never [cycles].
    std::vector<int64_t> m_delivered;        ///< By message; -1 for never [cycles].
    std::vector<int64_t> m_completed;        ///< By message; -1 for never [cycles].
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_TIMELINE_H
