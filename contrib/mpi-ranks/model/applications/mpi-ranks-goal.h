/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GOAL_H
#define MPI_RANKS_GOAL_H

#include "ns3/messaging-traffic-goal.h"
#include "ns3/mpi-ranks-program.h"

#include <string>
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
 * occupies its rank's processor.
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
     * Check whether a schedule can be run.
     * @param schedule the schedule
     * @return an empty text, or one sentence on an operation that cannot be run
     */
    static std::string Check(const messaging::GoalSchedule& schedule);

    /** @return program of a rank. @param rank the rank */
    RankTask<> Main(Rank rank);

  private:
    /**
     * Find operations that can begin after an event of another one.
     * @param operation the other one
     * @param start true if it has started, false if it has ended
     * @param ready extended by the operations
     */
    void Happen(uint32_t operation, bool start, std::vector<uint32_t>& ready);

    const messaging::GoalSchedule* m_schedule; ///< The schedule.
    /// Dependencies, by required operation.
    std::vector<std::vector<messaging::GoalDependency>> m_dependants;
    std::vector<uint32_t> m_missing;              ///< Unmet dependencies, by operation.
    std::vector<std::vector<uint32_t>> m_initial; ///< Operations without dependencies, by rank.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GOAL_H
