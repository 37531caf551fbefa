/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GOAL_SCENARIO_H
#define MPI_RANKS_GOAL_SCENARIO_H

#include "ns3/infiniband-adapter-scenario.h"
#include "ns3/messaging-goal.h"
#include "ns3/mpi-ranks-cluster.h"

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
class MpiGoalScenario : public infiniband::AdapterScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MpiGoalScenario();
    ~MpiGoalScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;
    void DoDispose() override;

  private:
    /**
     * Read the schedule and look whether it can be run.
     * @return the schedule, or a sentence
     */
    messaging::GoalOrError Read() const;

    mutable messaging::GoalOrError m_read; ///< What Check has read, for the run that follows.

    Ptr<RankCluster> m_cluster; ///< Holds the cluster's parameters.
    std::string m_file;         ///< Name of the file.
    Ticks m_unit{0};            ///< Unit of time of a schedule [ns].
    double m_time{0};           ///< Result [s].
    double m_events{0};         ///< Result [1/message].
    double m_misses{0};         ///< Result [1/message].
    uint64_t m_messages{0};     ///< Result [messages].
    uint64_t m_local{0};        ///< Result [messages].
    uint64_t m_ranks{0};        ///< Result [ranks].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GOAL_SCENARIO_H
