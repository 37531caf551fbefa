/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_APPLICATION_SCENARIO_H
#define MPI_RANKS_APPLICATION_SCENARIO_H

#include "ns3/infiniband-adapter-scenario.h"
#include "ns3/mpi-ranks-cluster.h"
#include "ns3/mpi-ranks-workload.h"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup mpi-ranks
 * The applications of paper 4, section 8.3.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Runs a synthetic application on all ranks of a cluster, in one of the six configurations, for a
 * fixed number of time steps, so that what is faster ends earlier.
 *
 * The computation of a step is found by running RC-Native for some steps until its message rate is
 * the published one (C-amb-14), or is given. If it cannot be found, the run fails: nothing would
 * compare with the paper.
 */
class MpiApplicationScenario : public infiniband::AdapterScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MpiApplicationScenario();
    ~MpiApplicationScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;
    void DoDispose() override;

  private:
    /** What a run gives. */
    struct Outcome
    {
        double seconds{0};  ///< How long it took [s].
        double messages{0}; ///< Messages of a rank to other nodes.
    };

    /** Set what the generator is asked for. @param value the value */
    template <auto Field>
    void SetWorkload(std::decay_t<decltype(std::declval<WorkloadConfig>().*Field)> value)
    {
        m_workload.*Field = value;
    }

    /** @return what the generator is asked for. */
    template <auto Field>
    auto GetWorkload() const
    {
        return m_workload.*Field;
    }

    /** @return the application; the run's seed decides about it. */
    std::unique_ptr<RankWorkload> MakeWorkload() const;

    /**
     * Run time steps.
     * @param cluster on what
     * @param workload what
     * @param report whether its results are the scenario's
     * @return what it gave; no time if the verdict tells why
     */
    Outcome RunSteps(const RankCluster& cluster, RankWorkload& workload, bool report);

    /**
     * Find the computation of a step.
     * @param workload whose
     * @return the computation [ns]; 0 if the verdict tells why there is none
     */
    Ticks Calibrate(RankWorkload& workload);

    /**
     * Take the results of a run.
     * @param system what has run
     * @param outcome what it gave
     */
    void TakeResults(const RankCluster::System& system, const Outcome& outcome);

    /** Make the table of message lengths. @param group the ranks */
    void MakeHistogram(const RankGroup& group);

    Ptr<RankCluster> m_cluster;        ///< Holds the cluster's parameters.
    DataSetName m_dataSet{};           ///< Data set.
    WorkloadConfig m_workload;         ///< What the generator is asked for.
    double m_duration{0};              ///< How long RC-Native shall take [s].
    double m_rateScale{0};             ///< Published rate times this is aimed at.
    Ticks m_compute{0};                ///< Computation of a step; 0 to find it [ns].
    double m_time{0};                  ///< Result [s].
    double m_messageRate{0};           ///< Result [messages/s/process].
    double m_volumeRate{0};            ///< Result [MB/s/process].
    double m_flowAcks{0};              ///< Result [frames/process].
    double m_reliabilityAcks{0};       ///< Result [frames/process].
    double m_memory{0};                ///< Result [MB/process].
    double m_queue{0};                 ///< Result [entries/process].
    double m_messages{0};              ///< Result [messages/process].
    double m_retransmissions{0};       ///< Result [segments/process].
    double m_reordered{0};             ///< Result [frames/process].
    double m_earlyFins{0};             ///< Result [frames/process].
    double m_outOfCredits{0};          ///< Result [messages/process].
    double m_peers{0};                 ///< Result [peers/process].
    double m_misses{0};                ///< Result [1/message].
    double m_large{0};                 ///< Result [1].
    double m_computing{0};             ///< Result [1].
    double m_calibrated{0};            ///< Result [ns].
    double m_deviation{0};             ///< Result [%].
    double m_events{0};                ///< Result [1/message].
    uint64_t m_steps{0};               ///< Result [steps].
    Ptr<messaging::Table> m_histogram; ///< Result.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_APPLICATION_SCENARIO_H
