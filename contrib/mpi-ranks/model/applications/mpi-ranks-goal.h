/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GOAL_H
#define MPI_RANKS_GOAL_H

#include "ns3/messaging-goal.h"
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
 * Runs a GOAL schedule: each rank begins its operations as soon as what they require has happened,
 * in the order of the schedule. A send has ended when its request has, a receive when its message
 * is there; a computation keeps the rank's processor, of which it has one.
 */
class GoalProgram
{
  public:
    /**
     * Constructor.
     * @param schedule the schedule, not owned
     * @param unit length of its unit of time [ns]
     */
    GoalProgram(const messaging::GoalSchedule* schedule, Ticks unit);

    /** @return an empty text, or one sentence that names an operation that cannot be. */
    std::string Check() const;

    /** @return the program of a rank. @param rank the rank */
    RankTask<> Main(Rank rank);

  private:
    /**
     * What requires an event of an operation can begin if it requires nothing else.
     * @param operation the operation
     * @param start whether it has started; otherwise it has ended
     * @param ready what can begin, changed
     */
    void Happen(uint32_t operation, bool start, std::vector<uint32_t>& ready);

    /** An operation that requires another one. */
    struct Dependant
    {
        uint32_t operation{0}; ///< The one that waits.
        bool start{false};     ///< It waits for the other's start, not for its end.
    };

    const messaging::GoalSchedule* m_schedule; ///< The schedule.
    Ticks m_unit;                              ///< Unit of time [ns].
    std::vector<uint32_t> m_first;       ///< Per operation: its first in m_dependants; one more.
    std::vector<Dependant> m_dependants; ///< By the operation that is required.
    std::vector<uint32_t> m_missing;     ///< Per operation: what it waits for.
    std::vector<std::vector<uint32_t>> m_initial; ///< Per rank: operations that wait for nothing.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GOAL_H
