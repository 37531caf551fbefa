/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_GOAL_H
#define MESSAGING_GOAL_H

/**
 * @file
 * @ingroup messaging
 * GOAL schedules in memory and as text, the format that LogGOPSim's tools write.
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

#include "ns3/messaging-types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace messaging
{

/// As GoalOperation::peer of a receive: from any rank.
inline constexpr uint32_t GOAL_ANY_SOURCE = UINT32_MAX;

/// As GoalOperation::tag of a receive: with any tag.
inline constexpr uint32_t GOAL_ANY_TAG = UINT32_MAX;

/// What an operation of a GOAL schedule does.
enum class GoalKind : uint8_t
{
    SEND, ///< sends a message; over as soon as the message has left
    RECV, ///< receives a message; over when it has arrived and what it requires is over
    CALC, ///< computes for a time
};

/// One operation of a GOAL schedule.
struct GoalOperation
{
    GoalKind kind{GoalKind::CALC}; ///< what it does
    uint32_t rank{0};              ///< rank that does it
    uint32_t peer{0};              ///< destination of a send, source of a receive
    uint32_t tag{0};               ///< tag of a send or receive
    uint32_t amount{0};            ///< message length [bytes] or computation [GOAL time units]
    uint32_t line{0};              ///< line of the file it stands in; 0 if there is none
};

/// One dependency of a GOAL schedule.
struct GoalDependency
{
    uint32_t operation{0}; ///< the operation that waits
    uint32_t required{0};  ///< the operation it waits for
    bool start{false};     ///< waits for the other's start (`irequires`), not its end (`requires`)
};

/**
 * A GOAL schedule: per rank a partial order of sends, receives and computations.
 *
 * A receive gets the messages of its source with its tag in the order in which they stand in the
 * file. Processors and network interfaces of a rank are not distinguished.
 */
class GoalSchedule
{
  public:
    /// @param ranks number of ranks
    explicit GoalSchedule(uint32_t ranks)
        : m_ranks(ranks)
    {
    }

    /// @return number of ranks
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /// @return all operations, in the order they were added
    const std::vector<GoalOperation>& GetOperations() const
    {
        return m_operations;
    }

    /// @return all dependencies, in the order they were added
    const std::vector<GoalDependency>& GetDependencies() const
    {
        return m_dependencies;
    }

    /**
     * Adds an operation.
     *
     * @param operation the operation
     * @return its index
     */
    uint32_t Add(const GoalOperation& operation)
    {
        m_operations.push_back(operation);
        return static_cast<uint32_t>(m_operations.size() - 1);
    }

    /// @param dependency a dependency between two operations of one rank
    void Add(const GoalDependency& dependency)
    {
        m_dependencies.push_back(dependency);
    }

  private:
    uint32_t m_ranks;                           ///< number of ranks
    std::vector<GoalOperation> m_operations;    ///< all operations
    std::vector<GoalDependency> m_dependencies; ///< all dependencies
};

/// A GOAL schedule, or the sentence why there is none.
struct GoalOrError
{
    GoalSchedule schedule{0}; ///< the schedule; empty if there is an error
    std::string error;        ///< empty, or what is wrong and in which line
};

/**
 * Reads a GOAL schedule.
 *
 * @param text what a file holds
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

#endif // MESSAGING_GOAL_H
