/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_COLLECTIVES_H
#define MPI_RANKS_COLLECTIVES_H

#include "ns3/messaging-traffic-collective.h"
#include "ns3/mpi-ranks-program.h"

#include <limits>
#include <span>

/**
 * @file
 * @ingroup mpi-ranks
 * Collective operations of ranks, for any number of ranks. All ranks call them in the same order.
 *
 * Their messages are those of messaging::MakeCollective, which GOAL schedules use too. A step of
 * one message is MPI_Send or MPI_Recv, and one of a send and a receive MPI_Sendrecv.
 *
 * A word represents the data of a rank, or of a block; the sum modulo 2^64 is the reduction. A
 * length is that of the operand of one rank in Broadcast, Reduce, Allreduce and Scan, and of one
 * block in the others. Arguments that are arrays have an entry for each rank.
 */

namespace ns3
{
namespace ranks
{

/** Lowest tag of collective operations; programs use lower ones. */
inline constexpr uint32_t COLLECTIVE_TAGS = 0x7fff0000;

/** Size from which operations use rings, to use none [bytes]. */
inline constexpr uint64_t NO_RINGS = std::numeric_limits<uint64_t>::max();

/**
 * MPI_Barrier.
 * @param rank the rank
 * @return ends when all ranks have begun
 */
RankTask<> Barrier(Rank rank);

/**
 * MPI_Bcast.
 * @param rank the rank
 * @param root the rank that has the data
 * @param bytes length [bytes]
 * @param contents represents the data; used at the root only
 * @param ringBytes length from which a scatter and a ring replace the binomial tree [bytes]
 * @return the root's data
 */
RankTask<uint64_t> Broadcast(Rank rank,
                             Peer root,
                             uint32_t bytes,
                             uint64_t contents,
                             uint64_t ringBytes = NO_RINGS);

/**
 * MPI_Reduce.
 * @param rank the rank
 * @param root the rank that gets the result
 * @param bytes length [bytes]
 * @param contents represents the rank's data
 * @param ringBytes length from which a ring and a gather replace the binomial tree [bytes]
 * @return the sum over all ranks at the root, 0 elsewhere
 */
RankTask<uint64_t> Reduce(Rank rank,
                          Peer root,
                          uint32_t bytes,
                          uint64_t contents,
                          uint64_t ringBytes = NO_RINGS);

/**
 * MPI_Allreduce.
 * @param rank the rank
 * @param bytes length [bytes]
 * @param contents represents the rank's data
 * @param ringBytes length from which rings replace recursive doubling [bytes]
 * @return the sum over all ranks
 */
RankTask<uint64_t> Allreduce(Rank rank,
                             uint32_t bytes,
                             uint64_t contents,
                             uint64_t ringBytes = NO_RINGS);

/**
 * MPI_Scan.
 * @param rank the rank
 * @param bytes length [bytes]
 * @param contents represents the rank's data
 * @return the sum over the ranks up to this one
 */
RankTask<uint64_t> Scan(Rank rank, uint32_t bytes, uint64_t contents);

/**
 * MPI_Reduce_scatter, with blocks of one length.
 * @param rank the rank
 * @param bytes length of a block [bytes]
 * @param send represents the rank's blocks, one for each rank
 * @param ringBytes length of all blocks from which a ring replaces recursive halving [bytes]
 * @return the sum over the blocks that all ranks have for this one
 */
RankTask<uint64_t> ReduceScatter(Rank rank,
                                 uint32_t bytes,
                                 std::span<const uint64_t> send,
                                 uint64_t ringBytes = NO_RINGS);

/**
 * MPI_Gather.
 * @param rank the rank
 * @param root the rank that gets the blocks
 * @param bytes length of a block [bytes]
 * @param contents represents the rank's block
 * @param receive set to the blocks of all ranks; used at the root only
 * @return ends when the rank's part has ended
 */
RankTask<> Gather(Rank rank,
                  Peer root,
                  uint32_t bytes,
                  uint64_t contents,
                  std::span<uint64_t> receive);

/**
 * MPI_Scatter.
 * @param rank the rank
 * @param root the rank that has the blocks
 * @param bytes length of a block [bytes]
 * @param send represents the blocks for all ranks; used at the root only
 * @return the rank's block
 */
RankTask<uint64_t> Scatter(Rank rank, Peer root, uint32_t bytes, std::span<const uint64_t> send);

/**
 * MPI_Allgather.
 * @param rank the rank
 * @param bytes length of a block [bytes]
 * @param contents represents the rank's block
 * @param receive set to the blocks of all ranks
 * @param ringBytes length of all blocks from which a ring replaces dissemination [bytes]
 * @return ends when all blocks have arrived
 */
RankTask<> Allgather(Rank rank,
                     uint32_t bytes,
                     uint64_t contents,
                     std::span<uint64_t> receive,
                     uint64_t ringBytes = NO_RINGS);

/**
 * MPI_Alltoall, pairwise.
 * @param rank the rank
 * @param bytes length of a block [bytes]
 * @param send represents the block for each rank
 * @param receive set to the block from each rank
 * @return ends with the exchange
 */
RankTask<> Alltoall(Rank rank,
                    uint32_t bytes,
                    std::span<const uint64_t> send,
                    std::span<uint64_t> receive);

/**
 * MPI_Alltoallv, all messages at once.
 * @param rank the rank
 * @param bytes length of the block for each rank [bytes]
 * @param send represents the block for each rank
 * @param receive set to the block from each rank
 * @return ends with the exchange
 */
RankTask<> Alltoallv(Rank rank,
                     std::span<const uint64_t> bytes,
                     std::span<const uint64_t> send,
                     std::span<uint64_t> receive);

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_COLLECTIVES_H
