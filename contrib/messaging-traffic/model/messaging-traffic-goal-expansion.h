/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_EXPANSION_H
#define MESSAGING_TRAFFIC_GOAL_EXPANSION_H

#include "messaging-traffic-goal.h"

/**
 * @file
 * @ingroup messaging
 * GOAL schedules in terms of single messages: collectives by their usual algorithms, and long
 * messages in pieces.
 */

namespace ns3
{
namespace messaging
{

/// Largest message that is sent whole [bytes].
inline constexpr uint64_t GOAL_WHOLE_BYTES = UINT32_MAX;

/// Size of the pieces of a longer message [bytes].
inline constexpr uint32_t GOAL_PIECE_BYTES = uint32_t{1} << 30;

/// Size from which collectives use rings, as allreduce does in Open MPI [bytes].
inline constexpr uint64_t GOAL_RING_BYTES = 10000;

/**
 * Replaces the collectives of a schedule by messages, and messages above GOAL_WHOLE_BYTES by
 * pieces; a schedule without either stays as it is.
 *
 * The ranks that have a collective of the same group and instance take part in it, the n-th of a
 * rank with the n-th of the others. Each becomes the messages of MakeCollective, which has the
 * algorithms. Amounts are those of the whole data, so that a message of a barrier has the amount,
 * and one of alltoall its n-th part; reductions take no time. The messages have tags that the
 * schedule does not use: where there are collectives, all tags are numbered anew.
 *
 * @param schedule the schedule
 * @param ringBytes size from which a collective uses a ring [bytes]
 * @return the schedule, or one sentence on collectives that do not fit together
 */
GoalOrError ExpandGoal(GoalSchedule schedule, uint64_t ringBytes = GOAL_RING_BYTES);

/**
 * Numbers the tags of a schedule anew, from 0, so that equal tags stay equal.
 *
 * @param schedule the schedule, changed
 * @return the number of tags
 */
uint32_t RenumberGoalTags(GoalSchedule& schedule);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_EXPANSION_H
