/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_GOAL_SCHEDULE_H
#define IDEMPOTENT_GOAL_SCHEDULE_H

/**
 * @file
 * @ingroup idempotent
 * GOAL schedules in memory, and their translation to block-structured traces.
 */

#include "idempotent-trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace idempotent
{

/// What an operation of a GOAL schedule does.
enum class GoalKind : uint8_t
{
    SEND, //!< sends a message; over as soon as the message has left
    RECV, //!< receives a message; over when it has arrived and what it requires is over
    CALC, //!< computes for a time
};

/// One operation of a GOAL schedule.
struct GoalOperation
{
    GoalKind kind{GoalKind::CALC}; //!< what it does
    uint32_t rank{0};              //!< rank that does it
    uint32_t peer{0};              //!< destination of a send, source of a receive
    uint32_t tag{0};               //!< tag of a send or receive
    uint32_t amount{0};            //!< message length [bytes] or computation [GOAL time units]
    uint32_t line{0};              //!< line of the file it stands in; 0 if there is none
};

/// One dependency of a GOAL schedule.
struct GoalDependency
{
    uint32_t operation{0}; //!< the operation that waits
    uint32_t required{0};  //!< the operation it waits for
    bool start{false};     //!< waits for the other's start (`irequires`), not its end (`requires`)
};

/// How a GOAL schedule becomes a trace.
struct GoalConfig
{
    uint32_t headerBytes{12};    //!< added to each message, as routing and IDs take [bytes]
    uint32_t maxPayloadBytes{0}; //!< a longer message is cut; 0: never [bytes]
    uint32_t cyclesPerUnit{1};   //!< length of a GOAL time unit [cycles]
    uint32_t sendTime{0};        //!< a send, before its rank goes on [cycles]
    uint32_t recvTime{0};        //!< a receive, after its message has arrived [cycles]

    /// @return empty if the values can be used, else one sentence
    std::string Check() const;
};

/**
 * A GOAL schedule: per rank a partial order of sends, receives and computations.
 *
 * A receive gets the messages of its source with its tag in the order in which they stand in the
 * file. Receives from any source or of any tag are refused: their match depends on timing, and
 * a block-structured trace is of deterministic programs (section 3.2 of the paper). Processors and
 * network interfaces of a rank are not told apart; a node is multithreaded (section 3.1).
 */
class GoalSchedule
{
  public:
    /// @param ranks number of ranks
    explicit GoalSchedule(uint32_t ranks);

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
    uint32_t Add(const GoalOperation& operation);

    /// @param dependency a dependency between two operations of one rank
    void Add(const GoalDependency& dependency);

    /**
     * Translates the schedule. Operations that one event starts share a block; the arrival of a
     * message that something waits for begins another.
     *
     * @param config how
     * @return the trace, or one sentence that names the line or the operation
     */
    TraceOrError Compile(const GoalConfig& config = GoalConfig()) const;

  private:
    uint32_t m_ranks;                           //!< number of ranks
    std::vector<GoalOperation> m_operations;    //!< all operations
    std::vector<GoalDependency> m_dependencies; //!< all dependencies
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_GOAL_SCHEDULE_H
