/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_GOAL_H
#define IDEMPOTENT_GOAL_H

/**
 * @file
 * @ingroup idempotent
 * GOAL schedules as text, the format that LogGOPSim's tools write.
 *
 * @verbatim
 * num_ranks 2                      comments: // to the line's end, or between slash-star pairs
 * rank 0 {
 * l1: calc 100                     labels are optional; `cpu N` and `nic N` may follow
 * l2: send 8b to 1 tag 5
 * l2 requires l1                   l2 starts after l1 has ended; `irequires`: has started
 * }
 * rank 1 {
 * recv 8b from 0 tag 5
 * }
 * @endverbatim
 */

#include "idempotent-goal-schedule.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ns3
{
namespace idempotent
{

/// A GOAL schedule, or the sentence why there is none.
struct GoalOrError
{
    GoalSchedule schedule{0}; //!< the schedule; empty if there is an error
    std::string error;        //!< empty, or what is wrong and in which line
};

/**
 * Reads a GOAL schedule.
 *
 * @param text what a file holds
 * @return the schedule, or one sentence that names the line
 */
GoalOrError ParseGoal(std::string_view text);

/**
 * Writes a GOAL schedule. Labels are `l` and the operation's number in its rank.
 *
 * @param schedule the schedule
 * @return the text
 */
std::string FormatGoal(const GoalSchedule& schedule);

/**
 * Reads a GOAL schedule from a file and translates it.
 *
 * @param path name of the file
 * @param config how to translate it
 * @return the trace, or one sentence that names the file and the line
 */
TraceOrError ReadGoalFile(const std::string& path, const GoalConfig& config = GoalConfig());

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_GOAL_H
