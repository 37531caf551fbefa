/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_H
#define MPI_RANKS_WORKLOAD_H

#include "ns3/mpi-ranks-program.h"
#include "ns3/random-variable-stream.h"

#include <memory>
#include <string>
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

/** Application of a data set. */
enum class Application : uint8_t
{
    NAMD,  ///< Patches and computes, driven by messages.
    LAMMPS ///< Spatial decomposition, exchanges with neighbours.
};

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

/** Published properties of a data set (tables 2 and 3, figure 6b), and additions. */
struct DataSet
{
    const char* name;        ///< Name in the paper.
    Application application; ///< Its application.
    double rate;             ///< MPI message rate [messages/s/process].
    double volume;           ///< MPI volume rate [MB/s/process].
    uint32_t peers;          ///< Communicating peers of a process.
    double large;            ///< Share of messages above 8 KB; 0 where none is published.
    // Additions of the generator.
    uint32_t phases;       ///< LAMMPS: exchanges with the neighbours in a time step.
    uint32_t furtherEvery; ///< LAMMPS: time steps between messages to the further peers.
    uint32_t furtherTimes; ///< LAMMPS: messages to each of them then.
};

/**
 * Get a data set.
 * @param name its name
 * @return the data set
 */
const DataSet& GetDataSet(DataSetName name);

/**
 * Lengths of messages with a known mean and, perhaps, a known share above 8 KB.
 *
 * The distribution has the largest entropy: exponential, and with a known share, two pieces of one
 * exponential, below and above 8 KB. Lengths are drawn from equally likely strata, so that a finite
 * number of them has the mean.
 */
class MessageSizes
{
  public:
    /**
     * Constructor.
     * @param mean mean length [bytes]
     * @param large share above the boundary; 0 for an exponential distribution's own
     */
    MessageSizes(double mean, double large);

    /**
     * Get a quantile.
     * @param share share of messages that are shorter, from 0 to 1
     * @return the length [bytes]
     */
    double GetQuantile(double share) const;

    /**
     * Draw lengths.
     * @param n number of lengths
     * @param random a uniform variable
     * @param longest number of them that have LONGEST bytes, apart from the distribution
     * @return the lengths, in random order [bytes]
     */
    std::vector<uint32_t> Draw(std::size_t n,
                               Ptr<UniformRandomVariable> random,
                               std::size_t longest = 0) const;

    static constexpr double BOUNDARY = 8192;    ///< 8 KB, as figure 6b has it.
    static constexpr uint32_t LONGEST = 131072; ///< 65 datagrams [bytes].

  private:
    /** @return the mean of the two pieces. @param scale of both [bytes] */
    double GetMean(double scale) const;

    double m_scale{0}; ///< Of the exponential pieces [bytes].
    double m_large{0}; ///< Share above the boundary.
};

/** Parameters of the generator beside the data set. */
struct WorkloadConfig
{
    uint32_t ranks{512};      ///< Ranks.
    uint32_t ranksPerNode{8}; ///< Those of one node, which exchange through its memory.
    uint32_t steps{0};        ///< Time steps.
    uint32_t burst{40};       ///< NAMD: messages of a rank in a time step.
    Ticks compute{0};         ///< Computation of a rank in a time step [ns].
    uint32_t together{1};     ///< NAMD: messages that a computation needs before it begins.
    uint32_t bunch{1};        ///< NAMD: messages of a step to one partner.
    double oneSided{0.5};     ///< NAMD: share of messages that are not answered to their sender.
    double persistent{0.5};   ///< NAMD: share of partners that stay the same.
    double overlap{0.15};     ///< NAMD: share of the computation that needs no messages.
    double longShare{0};      ///< NAMD: share of messages of MessageSizes::LONGEST bytes.
    double imbalance{0.05};   ///< Largest deviation of a computation from the mean.
    double oneWay{0};         ///< LAMMPS: share of one-way further peers.
};

/**
 * @ingroup mpi-ranks
 * A synthetic application on all ranks.
 */
class RankWorkload
{
  public:
    virtual ~RankWorkload() = default;

    /**
     * Make an application.
     * @param set the data set
     * @param config parameters of the generator
     * @param random the only source of random numbers, uniform
     * @return the application
     */
    static std::unique_ptr<RankWorkload> Make(const DataSet& set,
                                              const WorkloadConfig& config,
                                              Ptr<UniformRandomVariable> random);

    /**
     * Program of a rank.
     * @param rank the rank
     * @return the program
     */
    virtual RankTask<> Main(Rank rank) = 0;

    /** @return mean number of messages of a rank to other nodes in a time step. */
    virtual double GetMessagesPerStep() const = 0;

    /** Set the length of a run. @param compute computation of a step [ns] @param steps time steps
     */
    void SetRun(Ticks compute, uint32_t steps)
    {
        m_config.compute = compute;
        m_config.steps = steps;
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

    WorkloadConfig m_config; ///< The parameters.

  private:
    std::vector<float> m_noise; ///< Relative deviations of computations.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_H
