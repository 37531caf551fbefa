/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_LAMMPS_H
#define MPI_RANKS_WORKLOAD_LAMMPS_H

#include "ns3/mpi-ranks-workload.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Spatial decomposition: the pattern of LAMMPS.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * The pattern of LAMMPS: every rank has a box of a periodic grid.
 *
 * A time step has a number of exchanges, forward and reverse in turn, with a part of the
 * computation before each. An exchange goes through the three dimensions one after the other, in
 * each to both sides, with MPI_Irecv, a blocking MPI_Send and MPI_Wait; the reverse one goes
 * through them backwards. Every few steps a reduction over all ranks follows (thermodynamics). The
 * x neighbours are on the same node, so that of 6 neighbours 4 are reached over the network;
 * reductions by recursive doubling add 4 partners on 64 nodes of 8. Where the paper counts more
 * peers, the nearest other boxes are made further peers, which get messages without waiting for
 * each other: atoms that change places (chain), and the transposes of a distributed Fourier
 * transform (rhodo). Of the share OneWay of them, a rank sends to one and gets from the opposite
 * one, as a transpose does that is done in one direction only.
 */
class LammpsWorkload : public RankWorkload
{
  public:
    /**
     * Constructor.
     * @param set what is known
     * @param config what else is asked for
     * @param random a uniform variable
     */
    LammpsWorkload(const DataSet& set,
                   const WorkloadConfig& config,
                   Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    double GetMessagesPerStep() const override;

    /** @return boxes along each side of the grid, x first. */
    const std::array<uint32_t, 3>& GetGrid() const
    {
        return m_grid;
    }

    /** @return how many further peers a rank sends to. */
    uint32_t GetNFurther() const
    {
        return static_cast<uint32_t>(m_further.size());
    }

  private:
    /** From a box to another: so many boxes further on in each dimension, round the grid. */
    using Offset = std::array<uint32_t, 3>;

    /** @return the rank of the box at an offset. @param self a rank @param offset the offset */
    Peer GetRank(Peer self, const Offset& offset) const;

    /** @return the offset in the other direction. @param offset an offset */
    Offset Reverse(const Offset& offset) const;

    /**
     * @param dimension in which
     * @param up in which direction
     * @return the offset of the neighbour.
     */
    Offset GetNeighbour(unsigned dimension, bool up) const;

    /** Choose further peers. @param wanted how many peers a rank has in all */
    void ChooseFurther(uint32_t wanted);

    /** Have messages to a share of the further peers go one way. @param share the share */
    void TurnFurther(double share);

    /**
     * One exchange with the neighbours.
     * @param rank the rank
     * @param phase which exchange of the step
     * @return the program
     */
    RankTask<> ExchangeNeighbours(Rank rank, uint32_t phase);

    /**
     * Messages to the further peers and from them.
     * @param rank the rank
     * @return the program
     */
    RankTask<> ExchangeFurther(Rank rank);

    /** @return the length of a message [bytes]. @param self its sender @param index which one */
    uint32_t GetSize(Peer self, uint32_t index) const
    {
        return m_sizes[self * m_perRank + index];
    }

    std::array<uint32_t, 3> m_grid{1, 1, 1}; ///< Boxes along each side.
    std::vector<Offset> m_further;           ///< Where the further peers are.
    std::vector<uint32_t> m_sizes;           ///< Lengths of all messages [bytes].
    uint32_t m_phases;                       ///< Exchanges of a step.
    uint32_t m_furtherEvery;                 ///< Steps between messages to further peers.
    uint32_t m_furtherTimes;                 ///< Messages to each of them then.
    uint32_t m_perRank{0};                   ///< Different messages of a rank.
    double m_remote{0};                      ///< Of 6 neighbours, those on other nodes, on average.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_LAMMPS_H
