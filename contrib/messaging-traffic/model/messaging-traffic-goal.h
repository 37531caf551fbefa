/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_H
#define MESSAGING_TRAFFIC_GOAL_H

#include "messaging-traffic-collective.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * GOAL schedules in memory, as text and in binary form, the formats of LogGOPSim's tools.
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
 * coll allreduce 64b 0 7 -1        as in ATLAHS: kind, bytes, group, instance, root or -1
 * }
 * @endverbatim
 *
 * An operation or dependency ends with its line, or with the brace that closes its rank; line ends
 * have no other meaning. As in LogGOPSim, amounts have 64 bits, and a tag its lowest 32.
 */

namespace ns3
{
namespace messaging
{

/// Value of GoalOperation::peer for a receive from any rank, or a collective without a root.
inline constexpr uint32_t GOAL_ANY_SOURCE = UINT32_MAX;

/// Value of GoalOperation::tag for a receive with any tag.
inline constexpr uint32_t GOAL_ANY_TAG = UINT32_MAX;

/// Largest computation: 146 years, so that no time of a run overflows [GOAL time units].
inline constexpr uint64_t GOAL_MAX_CALC = (uint64_t{1} << 62) - 1;

/// Largest message: 256 TiB [bytes].
inline constexpr uint64_t GOAL_MAX_BYTES = uint64_t{1} << 48;

/// Kinds of operations of a GOAL schedule.
enum class GoalKind : uint8_t
{
    SEND, ///< Send; ends when the message has left.
    RECV, ///< Receive; ends when the message has arrived and its requirements have ended.
    CALC, ///< Computation of a given time.
    COLL  ///< Part of its rank in a collective operation.
};

/// Operation of a GOAL schedule.
struct GoalOperation
{
    GoalKind kind{GoalKind::CALC};                      ///< Kind.
    CollectiveKind collective{CollectiveKind::BARRIER}; ///< Kind of a collective.
    uint32_t rank{0};                                   ///< Rank of the operation.
    uint32_t peer{0};   ///< Destination of a send, source of a receive, root of a collective.
    uint32_t tag{0};    ///< Tag of a send or receive, instance of a collective.
    uint64_t amount{0}; ///< Message length [bytes] or computation [GOAL time units].
    uint32_t line{0};   ///< Line in the file; 0 if there is none.
    uint32_t group{0};  ///< Group of a collective; with its instance, the same at all its ranks.
};

/// Dependency of a GOAL schedule.
struct GoalDependency
{
    uint32_t operation{0}; ///< The waiting operation.
    uint32_t required{0};  ///< The required operation.
    bool start{false}; ///< It waits for the start (`irequires`) instead of the end (`requires`).
};

/**
 * GOAL schedule: for each rank, a partial order of sends, receives, computations and collectives.
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
 * @param text the contents of a text file
 * @return the schedule, or one sentence that names the line
 */
GoalOrError ParseGoal(std::string_view text);

/**
 * Reads a GOAL schedule in the binary form that txt2bin of LogGOPSim writes.
 *
 * @param bytes the contents of a file
 * @return the schedule, or one sentence
 */
GoalOrError ParseBinaryGoal(std::string_view bytes);

/**
 * Describes an operation.
 *
 * @param operation the operation
 * @return its text in a schedule, without its label
 */
std::string DescribeGoalOperation(const GoalOperation& operation);

/**
 * Writes a GOAL schedule. Labels are `l` and the operation's number in its rank, from 1.
 *
 * @param schedule the schedule
 * @return the text
 */
std::string FormatGoal(const GoalSchedule& schedule);

/**
 * Checks for the cookie of a binary schedule.
 *
 * @param bytes the contents of a file
 * @return true if they are no text, but a binary schedule or one that LogGOPSim has invalidated
 */
bool IsBinaryGoal(std::string_view bytes);

/**
 * Reads a GOAL schedule from a file, text or binary.
 *
 * @param path name of the file
 * @return the schedule, or one sentence that names the file and the line
 */
GoalOrError ReadGoalFile(const std::string& path);

/**
 * Finds operations that wait for each other.
 *
 * @param schedule a schedule
 * @return an empty text, or one sentence with rank and lines of a cycle of dependencies
 */
std::string FindGoalCycle(const GoalSchedule& schedule);

/**
 * Describes where an operation is.
 *
 * @param schedule a schedule
 * @param operation index of the operation
 * @return its line, or its number at its rank if there is none
 */
std::string GetGoalPlace(const GoalSchedule& schedule, uint32_t operation);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_H
