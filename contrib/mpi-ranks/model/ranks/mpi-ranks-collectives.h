/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_COLLECTIVES_H
#define MPI_RANKS_COLLECTIVES_H

#include "ns3/mpi-ranks-program.h"

/**
 * @file
 * @ingroup mpi-ranks
 * Collective operations over point-to-point messages, by the algorithms of MPICH, for any number of
 * ranks. All ranks call them in the same order.
 */

namespace ns3
{
namespace ranks
{

/** Lowest tag of collective operations; programs use lower ones. */
inline constexpr uint32_t COLLECTIVE_TAGS = 0x7fff0000;

/**
 * MPI_Bcast down a binomial tree.
 * @param rank the rank
 * @param root the rank that has the data
 * @param bytes length [bytes]
 * @param contents represents the data; used at the root only
 * @return the root's data
 */
RankTask<uint64_t> Broadcast(Rank rank, Peer root, uint32_t bytes, uint64_t contents);

/**
 * MPI_Allreduce by recursive doubling. If the number of ranks is no power of two, the first ranks
 * form pairs, and the odd rank of a pair acts for both.
 * @param rank the rank
 * @param bytes length [bytes]
 * @param contents represents the rank's data
 * @return the sum over all ranks, modulo 2^64
 */
RankTask<uint64_t> Allreduce(Rank rank, uint32_t bytes, uint64_t contents);

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_COLLECTIVES_H
