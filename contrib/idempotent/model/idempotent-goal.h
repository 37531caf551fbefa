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

#include "idempotent-trace.h"

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

/// How a GOAL schedule becomes a trace.
struct GoalConfig
{
    uint32_t headerBytes{12};    ///< added to each message, as routing and IDs take [bytes]
    uint32_t maxPayloadBytes{0}; ///< a longer message is cut; 0: never [bytes]
    uint32_t cyclesPerUnit{1};   ///< length of a GOAL time unit [cycles]
    uint32_t sendTime{0};        ///< a send, before its rank goes on [cycles]
    uint32_t recvTime{0};        ///< a receive, after its message has arrived [cycles]

    /// @return empty if the values can be used, else one sentence
    std::string Check() const;
};

/**
 * Translates a schedule. Operations that one event starts share a block; the arrival of a message
 * that something waits for begins another.
 *
 * Receives from any source or of any tag are refused: their match depends on timing, and a
 * block-structured trace is of deterministic programs (section 3.2 of the paper). A node is
 * multithreaded (section 3.1).
 *
 * @param schedule the schedule
 * @param config how
 * @return the trace, or one sentence that names the line or the operation
 */
TraceOrError CompileGoal(const GoalSchedule& schedule, const GoalConfig& config = GoalConfig());

/**
 * Reads a GOAL schedule from a file and translates it.
 *
 * @param path name of the file
 * @param config how to translate it
 * @return the trace, or one sentence that names the file and the line
 */
TraceOrError ReadGoalTrace(const std::string& path, const GoalConfig& config = GoalConfig());

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_GOAL_H
