/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_NAMD_START_H
#define MPI_RANKS_WORKLOAD_NAMD_START_H

#include "ns3/mpi-ranks-workload-namd-plan.h"

/**
 * @file
 * @ingroup mpi-ranks
 * The start-up of NAMD 2.6: rank 0 distributes the input.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Messages of NAMD's start-up, as Charm++ sends them over MPI.
 *
 * @verbatim
                 0              Groups, streams and announcements go down a tree of four children;
          /    |   |    \       a rank forwards each message when it has received it. Quiescence
        1      2   3     4      goes down and up. Maps go down a tree of two children. Patches go
     / | | \                    from rank 0 to their homes, and proxies announce themselves there.
    5  6 7  8  ...
   @endverbatim
 *
 * No message of a stream is answered, so its receiver returns credits by explicit ACKs.
 */
class NamdStart
{
  public:
    static constexpr uint32_t BUFFER = 4096;        ///< Contents of a stream's buffer [bytes].
    static constexpr uint32_t BUFFER_HEADER = 55;   ///< Its headers [bytes].
    static constexpr uint32_t SETTINGS = 6200;      ///< Simulation parameters [bytes].
    static constexpr uint32_t FORCE_FIELD = 50'000; ///< Parameters of the force field [bytes].
    static constexpr uint32_t GROUPS = 12;          ///< Groups of objects, created by broadcasts.

    /**
     * Constructor.
     * @param deck the input
     * @param plan the decomposition, not owned
     */
    NamdStart(const NamdDeck& deck, const NamdPlan* plan);

    /**
     * Program of a rank: the start-up.
     * @param rank the rank
     * @return ends when the rank begins its time steps
     */
    RankTask<> Main(Rank rank) const;

    /** @return length of the description of the molecule [bytes]. */
    uint64_t GetMoleculeBytes() const
    {
        return m_molecule;
    }

    /** @return length of the maps of patches and computes [bytes]. @param ranks number of ranks */
    uint32_t GetMapBytes(uint32_t ranks) const;

  private:
    /**
     * Broadcast from rank 0.
     * @param rank the rank
     * @param bytes length of a message [bytes]
     * @param times number of messages
     * @return ends when the rank has forwarded them
     */
    RankTask<> Broadcast(Rank rank, uint32_t bytes, uint32_t times = 1) const;

    /** Report to rank 0. @param rank the rank @return ends when the rank has reported */
    RankTask<> Report(Rank rank) const;

    /** Detect quiescence, and begin the next phase. @param rank it @return ends in that phase */
    RankTask<> NextPhase(Rank rank) const;

    /** Broadcast a stream. @param rank the rank @param bytes its length @return ends after it */
    RankTask<> Stream(Rank rank, uint64_t bytes) const;

    /** Distribute the maps. @param rank the rank @return ends when the rank has forwarded them */
    RankTask<> SendMaps(Rank rank) const;

    /** Send patches to their homes. @param rank the rank @return ends when the rank has its own */
    RankTask<> SendPatches(Rank rank) const;

    /** Announce proxies at the homes. @param rank the rank @return ends when it knows its own */
    RankTask<> RegisterProxies(Rank rank) const;

    const NamdPlan* m_plan; ///< The decomposition, not owned.
    uint64_t m_molecule;    ///< Description of the molecule [bytes].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_NAMD_START_H
