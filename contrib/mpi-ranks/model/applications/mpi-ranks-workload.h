/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_H
#define MPI_RANKS_WORKLOAD_H

#include "ns3/mpi-ranks-program.h"
#include "ns3/random-variable-stream.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Synthetic applications, generated from the published properties of paper 4's data sets.
 */

namespace ns3
{
namespace ranks
{

/** The seven data sets of section 8.3. */
enum class DataSetName : uint8_t
{
    APOA1,    ///< NAMD.
    ER_GRE,   ///< NAMD.
    FLATPASE, ///< NAMD.
    JAC2000,  ///< NAMD.
    CHAIN,    ///< LAMMPS.
    EAM,      ///< LAMMPS.
    RHODO     ///< LAMMPS.
};

/** @return true if a data set belongs to LAMMPS, not to NAMD. @param name the data set */
constexpr bool
IsLammps(DataSetName name)
{
    return name >= DataSetName::CHAIN;
}

/** Length above which a message is large in figures 5b and 6b [bytes]. */
inline constexpr uint32_t LARGE_MESSAGE = 8192;

/** Parameters of the generator in addition to the data set. */
struct WorkloadConfig
{
    uint32_t ranks{512};      ///< Number of ranks.
    uint32_t ranksPerNode{8}; ///< Ranks of a node, which communicate through its memory.
    uint32_t steps{0};        ///< Time steps.
    Ticks compute{0};         ///< Computation of a rank in a time step [ns].
    double imbalance{0.05};   ///< Largest deviation of a computation from the mean.
    bool startUp{true};       ///< Messages of the start-up come before the time steps.
};

/**
 * @ingroup mpi-ranks
 * A synthetic application on all ranks.
 */
class RankWorkload
{
  public:
    /** Begin of the time steps, after the start-up traffic. */
    struct Start
    {
        Ticks time{0};        ///< Time [ns].
        uint64_t messages{0}; ///< Messages between nodes so far.
        uint64_t bytes{0};    ///< Their length [bytes].
    };

    virtual ~RankWorkload() = default;

    /**
     * Program of a rank.
     * @param rank the rank
     * @return the program
     */
    virtual RankTask<> Main(Rank rank) = 0;

    /** @return mean number of messages of a rank in a time step; 0 without calibration. */
    virtual double GetMessagesPerStep() const
    {
        return 0;
    }

    /** @return computation of a time step [ns]; 0 if the message rate calibrates it. */
    virtual Ticks GetStepCompute() const
    {
        return 0;
    }

    /** @return begin of the time steps. */
    const Start& GetStart() const
    {
        return m_start;
    }

    /**
     * Set the length of a run.
     * @param compute computation of a step [ns]
     * @param steps time steps
     * @param startUp true if the messages of the start-up come before them
     */
    void SetRun(Ticks compute, uint32_t steps, bool startUp)
    {
        m_config.compute = compute;
        m_config.steps = steps;
        m_config.startUp = startUp;
        m_start = {};
        m_startAcks = {};
        m_early = {};
    }

    /** Explicit ACKs of all ranks. */
    struct Acks
    {
        uint64_t flow{0};        ///< Of the flow control.
        uint64_t reliability{0}; ///< Of the reliability layer.
    };

    /** @return the explicit ACKs in the start-up. */
    const Acks& GetStartAcks() const
    {
        return m_startAcks;
    }

    /**
     * Get the explicit ACKs in the start-up and the first half of the time steps.
     * @return the ACKs; none if the application does not record them
     */
    const Acks& GetEarlyAcks() const
    {
        return m_early;
    }

    /** @return the parameters. */
    const WorkloadConfig& GetConfig() const
    {
        return m_config;
    }

  protected:
    /** Constructor. @param config the parameters @param random a uniform variable */
    RankWorkload(const WorkloadConfig& config, Ptr<UniformRandomVariable> random);

    /**
     * Get a computation of a rank, which varies within the imbalance.
     * @param self the rank
     * @param step the time step
     * @param share share of the step's computation
     * @return the time [ns]
     */
    Ticks GetCompute(Peer self, uint32_t step, double share) const;

    /** Begin the time steps, after all ranks have synchronised. @param rank a rank */
    void Begin(Rank rank);

    /** Record the ACKs of a rank after its start-up. @param rank the rank */
    void NoteStart(Rank rank)
    {
        AddAcks(rank, m_startAcks);
    }

    /** Record the ACKs of a rank after half of its time steps. @param rank the rank */
    void NoteHalf(Rank rank)
    {
        AddAcks(rank, m_early);
    }

    WorkloadConfig m_config; ///< The parameters.

  private:
    /** Add the explicit ACKs of a rank. @param rank the rank @param acks receives them */
    static void AddAcks(Rank rank, Acks& acks)
    {
        acks.flow += rank.GetCounters().Get(Event::FLOW_ACK);
        acks.reliability += rank.GetCounters().Get(Event::RELIABILITY_ACK);
    }

    Start m_start;              ///< Begin of the time steps.
    std::vector<float> m_noise; ///< Relative deviations of computations.
    Acks m_startAcks;           ///< Explicit ACKs of the start-up.
    Acks m_early;               ///< Explicit ACKs until half of the time steps.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_H
