/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_H
#define MESSAGING_TRAFFIC_GOAL_H

/**
 * @file
 * @ingroup messaging
 * GOAL schedules in memory and as text, the output format of LogGOPSim's tools.
 *
 * @verbatim
 * num_ranks 2                      comments: // to the line's end, or between slash-star pairs
 * rank 0 {
 * l1: calc 100                     labels are optional; `cpu N` and `nic N` may follow
 * l2: send 8b to 1 tag 5
 * l2 requires l1                   l2 starts after l1 has ended; `irequires`: has started
 * }
 * rank 1 {
 * recv 8b from 0 tag 5             from -1, tag -1: any
 * }
 * @endverbatim
 */

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace messaging
{

/// Value of GoalOperation::peer for a receive from any rank.
inline constexpr uint32_t GOAL_ANY_SOURCE = UINT32_MAX;

/// Value of GoalOperation::tag for a receive with any tag.
inline constexpr uint32_t GOAL_ANY_TAG = UINT32_MAX;

/// Kinds of operations of a GOAL schedule.
enum class GoalKind : uint8_t
{
    SEND, ///< Send; ends when the message has left.
    RECV, ///< Receive; ends when the message has arrived and its requirements have ended.
    CALC, ///< Computation of a given time.
};

/// Operation of a GOAL schedule.
struct GoalOperation
{
    GoalKind kind{GoalKind::CALC}; ///< Kind.
    uint32_t rank{0};              ///< Rank of the operation.
    uint32_t peer{0};              ///< Destination of a send, source of a receive.
    uint32_t tag{0};               ///< Tag of a send or receive.
    uint32_t amount{0};            ///< Message length [bytes] or computation [GOAL time units].
    uint32_t line{0};              ///< Line in the file; 0 if there is none.
};

/// Dependency of a GOAL schedule.
struct GoalDependency
{
    uint32_t operation{0}; ///< The waiting operation.
    uint32_t required{0};  ///< The required operation.
    bool start{false}; ///< It waits for the start (`irequires`) instead of the end (`requires`).
};

/**
 * GOAL schedule: for each rank, a partial order of sends, receives and computations.
 *
 * Messages of the same source and tag match receives in the order of the file. Processors and
 * network interfaces of a rank are not distinguished.
 */
struct GoalSchedule
{
    uint32_t ranks{0};                          ///< Number of ranks.
    std::vector<GoalOperation> operations{};    ///< All operations, those of a rank in order.
    std::vector<GoalDependency> dependencies{}; ///< All dependencies, each inside of a rank.

    /// Adds an operation. @param operation the operation @return its index
    uint32_t Add(const GoalOperation& operation)
    {
        operations.push_back(operation);
        return static_cast<uint32_t>(operations.size() - 1);
    }
};

/// GOAL schedule, or an error.
struct GoalOrError
{
    GoalSchedule schedule; ///< The schedule; empty after an error.
    std::string error;     ///< Empty, or the error with its line.
};

/**
 * Reads a GOAL schedule.
 *
 * @param text the contents of a file
 * @return the schedule, or one sentence that names the line
 */
GoalOrError ParseGoal(std::string_view text);

/**
 * Reads a GOAL schedule from a file.
 *
 * @param path name of the file
 * @return the schedule, or one sentence that names the file and the line
 */
GoalOrError ReadGoalFile(const std::string& path);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_H
