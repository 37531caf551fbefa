/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_APPLICATION_SCENARIO_H
#define MPI_RANKS_APPLICATION_SCENARIO_H

#include "ns3/mpi-ranks-scenario.h"
#include "ns3/mpi-ranks-workload.h"

#include <memory>
#include <string>

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
 * fixed number of time steps.
 *
 * The computation of a step is given, or LAMMPS's published time of an atom, or, for NAMD,
 * calibrated: RC-Native runs for some steps until its message rate is the published one (C-amb-14).
 * If the calibration fails, the run fails too, since its results could not be compared with the
 * paper.
 */
class MpiApplicationScenario : public RankScenario
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
    /** Duration and messages of a part of a run. */
    struct Amount
    {
        double seconds{0};  ///< Duration [s]; 0 if the run has failed.
        double messages{0}; ///< Messages of a rank to other nodes.
        double bytes{0};    ///< Length of these messages [bytes].
    };

    /** Outcome of a run: its time steps. */
    struct Outcome : Amount
    {
        Amount start; ///< The start-up before them.
    };

    /** @return the application, generated from the run's seed. */
    std::unique_ptr<RankWorkload> MakeWorkload() const;

    /**
     * Run time steps.
     * @param cluster the cluster
     * @param workload the application
     * @param report true if its results are the scenario's
     * @return the outcome; without a duration on failure, with the reason in the verdict
     */
    Outcome RunSteps(const RankCluster& cluster, RankWorkload& workload, bool report);

    /**
     * Calibrate the computation of a step.
     * @param workload the application
     * @return the computation [ns]; 0 on failure, with the reason in the verdict
     */
    Ticks Calibrate(RankWorkload& workload);

    /**
     * Collect the results of a run.
     * @param system the system after the run
     * @param outcome its outcome
     */
    void TakeOutcome(const RankCluster::System& system, const Outcome& outcome);

    /** Make the table of message lengths. @param group the ranks */
    void MakeHistogram(const RankGroup& group);

    DataSetName m_dataSet{};           ///< Data set.
    WorkloadConfig m_workload;         ///< Parameters of the generator.
    double m_duration{0};              ///< Target duration of RC-Native [s].
    uint32_t m_runSteps{0};            ///< Time steps of LAMMPS.
    double m_rateScale{0};             ///< Target rate as a multiple of the published one.
    Ticks m_compute{0};                ///< Computation of a step; 0 to calibrate it [ns].
    double m_time{0};                  ///< Result Time [s].
    double m_startTime{0};             ///< Result StartTime [s].
    double m_startMessages{0};         ///< Result StartMessages [messages/process].
    double m_startFlowAcks{0};         ///< Result StartFlowAcks [frames/process].
    double m_startReliabilityAcks{0};  ///< Result StartReliabilityAcks [frames/process].
    double m_messageRate{0};           ///< Result MessageRate [messages/s/process].
    double m_volumeRate{0};            ///< Result VolumeRate [MB/s/process].
    double m_flowAcks{0};              ///< Result FlowAcks [frames/process].
    double m_reliabilityAcks{0};       ///< Result ReliabilityAcks [frames/process].
    double m_flowDrift{0};             ///< Result FlowAcksDrift [%].
    double m_reliabilityDrift{0};      ///< Result ReliabilityAcksDrift [%].
    double m_memory{0};                ///< Result Memory [MB/process].
    double m_queue{0};                 ///< Result QueueLength [entries/process].
    double m_messages{0};              ///< Result Messages [messages/process].
    double m_retransmissions{0};       ///< Result Retransmissions [segments/process].
    double m_reordered{0};             ///< Result Reordered [frames/process].
    double m_earlyFins{0};             ///< Result EarlyFins [frames/process].
    double m_peers{0};                 ///< Result Peers [peers/process].
    double m_large{0};                 ///< Result LargeShare [fraction].
    double m_computing{0};             ///< Result Computing [fraction].
    double m_calibrated{0};            ///< Result StepCompute [ns].
    double m_deviation{0};             ///< Result Deviation [%].
    uint64_t m_steps{0};               ///< Result Steps [steps].
    Ptr<messaging::Table> m_histogram; ///< Result Histogram.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_APPLICATION_SCENARIO_H
