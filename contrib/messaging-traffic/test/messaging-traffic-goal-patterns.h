/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_PATTERNS_H
#define MESSAGING_TRAFFIC_GOAL_PATTERNS_H

/**
 * @file
 * @ingroup messaging
 * GOAL schedules of all-to-all exchanges and their binary form, for tests and benchmarks of any
 * module.
 */

#include "ns3/messaging-traffic-goal.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace messaging
{

/**
 * Every rank sends to all others at once, beginning with the next higher rank, as in schedgen's
 * linear_alltoall: no operation requires another.
 *
 * @param ranks number of ranks
 * @param bytes length of each message [bytes]
 * @return the schedule
 */
inline GoalSchedule
MakeLinearAlltoall(uint32_t ranks, uint32_t bytes)
{
    GoalSchedule schedule{.ranks = ranks};
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

/**
 * All-to-all in rounds: in round k each rank exchanges a message with rank XOR k if the number of
 * ranks is a power of two, else sends k ranks up and receives from k ranks down. A round starts on
 * a rank when both its messages of the previous round are complete.
 *
 * @param ranks number of ranks
 * @param bytes length of each message [bytes]
 * @return the schedule
 */
inline GoalSchedule
MakePairwiseAlltoall(uint32_t ranks, uint32_t bytes)
{
    GoalSchedule schedule{.ranks = ranks};
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
                    schedule.dependencies.push_back({.operation = now, .required = before});
                }
            }
        }
    }
    return schedule;
}

/**
 * Writes a number, little-endian.
 *
 * @param bytes extended by the number
 * @param number the number
 * @param size its size [bytes]
 */
inline void
AppendNumber(std::string& bytes, uint64_t number, std::size_t size)
{
    for (; size > 0; --size, number >>= 8)
    {
        bytes += static_cast<char>(number & 0xff);
    }
}

/**
 * Writes a GOAL schedule in binary form.
 *
 * @param schedule the schedule, its operations ordered by rank
 * @return the contents of a file
 */
inline std::string
FormatBinaryGoal(const GoalSchedule& schedule)
{
    constexpr std::size_t COOKIE_BYTES = 8;
    // The file has bcast as kind 10, and has no barrier.
    constexpr int BEFORE_COLLECTIVES = 9;
    const std::vector<GoalOperation>& operations = schedule.operations;
    std::string bytes;
    AppendNumber(bytes, 4223, COOKIE_BYTES);
    AppendNumber(bytes, schedule.ranks, 4);
    AppendNumber(bytes, 0, 2);
    std::string parts;
    const std::size_t head = bytes.size() - COOKIE_BYTES + std::size_t{16} * schedule.ranks;
    std::size_t first = 0;
    for (uint32_t rank = 0; rank < schedule.ranks; ++rank)
    {
        std::size_t end = first;
        while (end < operations.size() && operations[end].rank == rank)
        {
            ++end;
        }
        AppendNumber(bytes, head + parts.size(), 8);
        AppendNumber(parts, end - first, 4);
        AppendNumber(parts, 0, 4);
        std::string indices;
        for (std::size_t i = first; i < end; ++i)
        {
            const GoalOperation& it = operations[i];
            const bool collective = it.kind == GoalKind::COLL;
            const auto kind = collective ? BEFORE_COLLECTIVES + static_cast<uint8_t>(it.collective)
                                         : 1 + static_cast<uint8_t>(it.kind);
            AppendNumber(parts, 0, 4);
            AppendNumber(parts, kind, 1);
            AppendNumber(parts, collective ? it.group | it.peer << 16 : it.peer, 4);
            AppendNumber(parts, it.amount, 8);
            AppendNumber(parts, it.tag, 4);
            AppendNumber(parts, 0, 2);
            for (const bool start : {false, true})
            {
                const std::size_t begin = indices.size();
                for (const GoalDependency& dependency : schedule.dependencies)
                {
                    if (dependency.required == i && dependency.start == start)
                    {
                        AppendNumber(indices, dependency.operation - first, 4);
                    }
                }
                AppendNumber(parts, (indices.size() - begin) / 4, 4);
                AppendNumber(parts, begin / 4, 4);
            }
        }
        parts += indices;
        AppendNumber(bytes, head + parts.size(), 8);
        first = end;
    }
    return bytes + parts;
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_PATTERNS_H
