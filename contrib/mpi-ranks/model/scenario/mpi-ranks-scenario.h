/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_SCENARIO_H
#define MPI_RANKS_SCENARIO_H

#include "ns3/infiniband-adapter-scenario.h"
#include "ns3/mpi-ranks-cluster.h"

#include <functional>

/**
 * @file
 * @ingroup mpi-ranks
 * Common part of the scenarios of this module.
 */

namespace ns3
{
namespace ranks
{

/** Nanoseconds of a second. */
inline constexpr double NS_PER_S = 1e9;

/**
 * @ingroup mpi-ranks
 * A scenario with programs on the ranks of a cluster: holds the parameters of the cluster, and runs
 * a program to its end.
 */
class RankScenario : public infiniband::AdapterScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RankScenario();

  protected:
    /** Reads the results of a finished system. */
    using TakeResults = std::function<void(const RankCluster::System& system)>;

    /**
     * Run a program on a new system, and set the verdict.
     * @param cluster the cluster
     * @param ranks number of ranks
     * @param main the program
     * @param take called before the system is disposed of; skipped if it could not be built
     */
    void RunRanks(const RankCluster& cluster,
                  uint32_t ranks,
                  const RankMain& main,
                  const TakeResults& take);

    /**
     * Set the results of the adapters, and the common ones.
     * @param system the system after the run
     * @param local messages inside nodes to be included in EventsPerMessage
     */
    void TakeCommon(const RankCluster::System& system, uint64_t local = 0);

    Ptr<RankCluster> m_cluster; ///< Holds the parameters of the cluster.

  private:
    double m_misses{0}; ///< Result ContextMisses [1/message].
    double m_events{0}; ///< Result EventsPerMessage [1/message].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_SCENARIO_H
