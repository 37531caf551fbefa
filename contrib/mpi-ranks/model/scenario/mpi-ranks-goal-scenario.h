/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GOAL_SCENARIO_H
#define MPI_RANKS_GOAL_SCENARIO_H

#include "ns3/messaging-traffic-goal.h"
#include "ns3/mpi-ranks-scenario.h"

#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * A GOAL schedule on a cluster.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Runs a GOAL schedule from a file on the ranks of a cluster.
 */
class MpiGoalScenario : public RankScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    mutable messaging::GoalOrError m_read; ///< Schedule of Check for the next run.

    std::string m_file;      ///< Path of the schedule.
    uint64_t m_ringBytes{0}; ///< Size from which a collective uses a ring [bytes].
    double m_time{0};        ///< Result Time [s].
    uint64_t m_messages{0};  ///< Result Messages [messages].
    uint64_t m_local{0};     ///< Result LocalMessages [messages].
    uint64_t m_ranks{0};     ///< Result Ranks [ranks].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GOAL_SCENARIO_H
