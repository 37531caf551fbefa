/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_GOAL_PATTERNS_H
#define MESSAGING_GOAL_PATTERNS_H

/**
 * @file
 * @ingroup messaging
 * GOAL schedules of common patterns, to compare with other simulators.
 */

#include "ns3/messaging-goal.h"

#include <cstdint>

namespace ns3
{
namespace messaging
{

/**
 * Every rank sends to all others at once, nearest above first, as schedgen's linear_alltoall does:
 * no operation requires another.
 *
 * @param ranks number of ranks
 * @param bytes length of each message [bytes]
 * @return the schedule
 */
GoalSchedule MakeLinearAlltoall(uint32_t ranks, uint32_t bytes);

/**
 * All-to-all in rounds: in round k each rank exchanges a message with rank XOR k if the number of
 * ranks is a power of two, else sends k ranks up and receives from k ranks down. A round starts on
 * a rank once both its messages of the round before are through.
 *
 * @param ranks number of ranks
 * @param bytes length of each message [bytes]
 * @return the schedule
 */
GoalSchedule MakePairwiseAlltoall(uint32_t ranks, uint32_t bytes);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_GOAL_PATTERNS_H
