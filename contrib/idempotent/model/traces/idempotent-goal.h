/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_GOAL_H
#define IDEMPOTENT_GOAL_H

/**
 * @file
 * @ingroup idempotent
 * The translation of GOAL schedules to block-structured traces.
 */

#include "ns3/idempotent-trace.h"
#include "ns3/messaging-goal.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace idempotent
{

using messaging::FormatGoal;
using messaging::GoalDependency;
using messaging::GoalKind;
using messaging::GoalOperation;
using messaging::GoalOrError;
using messaging::GoalSchedule;
using messaging::ParseGoal;

/// Header added to each message of a schedule: routing and IDs (Figure 2) [bytes].
inline constexpr uint32_t GOAL_HEADER_BYTES = 12;

/**
 * Translates a schedule. Operations that one event starts share a block; the arrival of a message
 * that something waits for begins another. A unit of time is a cycle, and sends and receives take
 * none.
 *
 * Receives from any source or of any tag are refused: their match depends on timing, and a
 * block-structured trace is of deterministic programs (section 3.2 of the paper). A node is
 * multithreaded (section 3.1).
 *
 * @param schedule the schedule
 * @return the trace, or one sentence that names the line or the operation
 */
TraceOrError CompileGoal(const GoalSchedule& schedule);

/**
 * Reads a GOAL schedule from a file and translates it.
 *
 * @param path name of the file
 * @return the trace, or one sentence that names the file and the line
 */
TraceOrError ReadGoalTrace(const std::string& path);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_GOAL_H
