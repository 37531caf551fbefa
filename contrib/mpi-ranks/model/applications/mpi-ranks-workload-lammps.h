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
 * The pattern of LAMMPS: spatial decomposition.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * The pattern of LAMMPS: every rank has a box of a periodic grid.
 *
 * A time step has several exchanges, forward and reverse in turn, with a part of the computation
 * before each. An exchange goes through the three dimensions in order, in each to both sides, with
 * MPI_Irecv, a blocking MPI_Send and MPI_Wait; the reverse one goes through them backwards. In
 * every tenth step a reduction over all ranks follows (thermodynamics). The x neighbours are on the
 * same node, so that 4 of 6 neighbours are reached over the network; reductions by recursive
 * doubling add 4 partners on 64 nodes of 8. Where the paper counts more peers, the nearest other
 * boxes are further peers, whose messages do not wait for each other: atoms that change places
 * (chain), and the transposes of a distributed Fourier transform (rhodo). With the share OneWay of
 * them, a rank sends to one and receives from the opposite one, as in a transpose in one direction.
 */
class LammpsWorkload : public RankWorkload
{
  public:
    /**
     * Constructor.
     * @param set the data set
     * @param config parameters of the generator
     * @param random a uniform variable
     */
    LammpsWorkload(const DataSet& set,
                   const WorkloadConfig& config,
                   Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    double GetMessagesPerStep() const override;

    /** @return number of further peers that a rank sends to. */
    uint32_t GetNFurther() const
    {
        return static_cast<uint32_t>(m_further.size());
    }

  private:
    /** From a box to another: distance in boxes in each dimension, round the grid. */
    using Offset = std::array<uint32_t, 3>;

    /** @return the rank of the box at an offset. @param self a rank @param offset the offset */
    Peer GetRank(Peer self, const Offset& offset) const;

    /** @return the offset in the other direction. @param offset an offset */
    Offset Reverse(const Offset& offset) const;

    /**
     * Get a neighbour.
     * @param dimension the dimension
     * @param up the direction
     * @return its offset
     */
    Offset GetNeighbour(unsigned dimension, bool up) const;

    /** Choose further peers. @param wanted number of peers of a rank in all */
    void ChooseFurther(uint32_t wanted);

    /** Make a share of the further peers one-way. @param share the share */
    void TurnFurther(double share);

    /**
     * One exchange with the neighbours.
     * @param rank the rank
     * @param phase number of the exchange in the step
     * @return the program
     */
    RankTask<> ExchangeNeighbours(Rank rank, uint32_t phase);

    /**
     * Messages to the further peers and from them.
     * @param rank the rank
     * @return the program
     */
    RankTask<> ExchangeFurther(Rank rank);

    /** @return length of a message [bytes]. @param self its sender @param index its number */
    uint32_t GetSize(Peer self, uint32_t index) const
    {
        return m_sizes[self * m_perRank + index];
    }

    std::array<uint32_t, 3> m_grid{1, 1, 1}; ///< Boxes along each side.
    std::vector<Offset> m_further;           ///< Offsets of the further peers.
    std::vector<uint32_t> m_sizes;           ///< Lengths of all messages [bytes].
    uint32_t m_phases;                       ///< Exchanges of a step.
    uint32_t m_furtherEvery;                 ///< Steps between messages to further peers.
    uint32_t m_furtherTimes;                 ///< Messages to each of them then.
    uint32_t m_perRank{0};                   ///< Different messages of a rank.
    double m_remote{0};                      ///< Mean number of neighbours on other nodes, of 6.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_LAMMPS_H
