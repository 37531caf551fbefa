/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GOAL_H
#define MPI_RANKS_GOAL_H

#include "ns3/messaging-traffic-goal.h"
#include "ns3/mpi-ranks-program.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * GOAL schedules as programs of ranks.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Runs a GOAL schedule: each rank begins an operation as soon as its dependencies are met, in the
 * order of the schedule. A send ends with its request, a receive with its message; a computation
 * occupies its rank's processor. A rank whose operations wait for each other never ends.
 */
class GoalProgram
{
  public:
    /**
     * Constructor.
     * @param schedule the schedule, not owned; its unit of time is 1 ns, as in LogGOPSim
     */
    explicit GoalProgram(const messaging::GoalSchedule* schedule);

    /**
     * Number tags anew that ranks cannot use.
     * @param schedule the schedule, without collectives and long messages; changed
     */
    static void FitTags(messaging::GoalSchedule& schedule);

    /** @return program of a rank. @param rank the rank */
    RankTask<> Main(Rank rank);

  private:
    /**
     * Find operations that can begin after an event of another one.
     * @param operation the other one
     * @param start true if it has started, false if it has ended
     * @param ready extended by the operations
     */
    void ReleaseDependants(uint32_t operation, bool start, std::vector<uint32_t>& ready);

    const messaging::GoalSchedule* m_schedule; ///< The schedule.
    /// Dependencies, by required operation.
    std::vector<std::vector<messaging::GoalDependency>> m_dependants;
    std::vector<uint32_t> m_missing;              ///< Unmet dependencies, by operation.
    std::vector<uint32_t> m_left;                 ///< Operations that have not ended, by rank.
    std::vector<std::vector<uint32_t>> m_initial; ///< Operations without dependencies, by rank.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GOAL_H
