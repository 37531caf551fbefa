/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-goal-patterns.h"

#include <bit>

namespace ns3
{
namespace messaging
{

GoalSchedule
MakeLinearAlltoall(uint32_t ranks, uint32_t bytes)
{
    GoalSchedule schedule(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (uint32_t step = 1; step < ranks; ++step)
        {
            schedule.Add(GoalOperation{.kind = GoalKind::SEND,
                                       .rank = rank,
                                       .peer = (rank + step) % ranks,
                                       .amount = bytes});
            schedule.Add(GoalOperation{.kind = GoalKind::RECV,
                                       .rank = rank,
                                       .peer = (rank + ranks - step) % ranks,
                                       .amount = bytes});
        }
    }
    return schedule;
}

GoalSchedule
MakePairwiseAlltoall(uint32_t ranks, uint32_t bytes)
{
    GoalSchedule schedule(ranks);
    const bool mirror = std::has_single_bit(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (uint32_t step = 1; step < ranks; ++step)
        {
            const uint32_t send =
                schedule.Add(GoalOperation{.kind = GoalKind::SEND,
                                           .rank = rank,
                                           .peer = mirror ? rank ^ step : (rank + step) % ranks,
                                           .amount = bytes});
            const uint32_t receive = schedule.Add(
                GoalOperation{.kind = GoalKind::RECV,
                              .rank = rank,
                              .peer = mirror ? rank ^ step : (rank + ranks - step) % ranks,
                              .amount = bytes});
            for (const uint32_t now : {send, receive})
            {
                for (uint32_t before = step == 1 ? send : send - 2; before < send; ++before)
                {
                    schedule.Add(GoalDependency{.operation = now, .required = before});
                }
            }
        }
    }
    return schedule;
}

} // namespace messaging
} // namespace ns3
