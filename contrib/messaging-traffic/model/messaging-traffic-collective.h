/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_COLLECTIVE_H
#define MESSAGING_TRAFFIC_COLLECTIVE_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Collective operations as schedules of point-to-point messages, for GOAL schedules, ranks of MPI
 * and patterns.
 */

namespace ns3
{
namespace messaging
{

/// Kinds of collective operations, those of MPI.
enum class CollectiveKind : uint8_t
{
    BARRIER,        ///< All have begun before any ends.
    BCAST,          ///< The root's data to all.
    REDUCE,         ///< The reduction of all data to the root.
    ALLREDUCE,      ///< The reduction of all data to all.
    REDUCE_SCATTER, ///< A block of the reduction to each.
    ALLGATHER,      ///< The blocks of all to all.
    GATHER,         ///< The blocks of all to the root.
    SCATTER,        ///< A block of the root's data to each.
    ALLTOALL,       ///< A block from each to each.
    SCAN            ///< To each the reduction of its own data and of those before it.
};

/// Get the keyword of a kind. @param kind a kind @return the word in a GOAL schedule
std::string_view GetCollectiveWord(CollectiveKind kind);

/**
 * Find a kind by its keyword.
 *
 * @param word the keyword
 * @param kind set to the kind, if there is one
 * @return whether there is one
 */
bool FindCollectiveKind(std::string_view word, CollectiveKind& kind);

/// Check for a root. @param kind a kind @return whether one member is the root
constexpr bool
HasRoot(CollectiveKind kind)
{
    return kind == CollectiveKind::BCAST || kind == CollectiveKind::REDUCE ||
           kind == CollectiveKind::GATHER || kind == CollectiveKind::SCATTER;
}

/**
 * Collective operation of members 0 to n - 1.
 *
 * The data are one block, or n blocks of equal length, of which block i is that of member i; the
 * first blocks are a byte longer if the length is no multiple of n. The algorithms are those of
 * MPICH and Open MPI:
 *
 * | collective     | fewest steps              | ring: fewest bytes                    |
 * |----------------|---------------------------|---------------------------------------|
 * | barrier        | dissemination             | the same                              |
 * | bcast          | binomial tree             | scatter by a tree, allgather by a ring|
 * | reduce         | binomial tree             | reduce by a ring, gather by a tree    |
 * | allreduce      | recursive doubling        | reduce and allgather by a ring        |
 * | reduce_scatter | recursive halving (Bruck) | ring                                  |
 * | allgather      | dissemination (Bruck)     | ring                                  |
 * | gather, scatter| binomial tree             | the same                              |
 * | alltoall       | pairwise exchange         | the same                              |
 * | scan           | doubled distances         | the same                              |
 */
struct Collective
{
    CollectiveKind kind{CollectiveKind::BARRIER}; ///< Kind.
    uint32_t members{1};                          ///< Number of members.
    uint32_t root{0};                             ///< The root, where there is one.
    uint64_t bytes{0};                            ///< Length of all blocks together [bytes].
    bool ring{false};                             ///< Fewest bytes instead of fewest steps.

    /// @return the number of blocks: 1 if every message has the whole data.
    uint32_t GetNBlocks() const;
};

/// Message of one member in a collective operation.
struct CollectiveMessage
{
    uint32_t step{0};   ///< Step; its messages begin when those of the step before have ended.
    uint32_t member{0}; ///< Destination of a send, source of a receive.
    uint32_t block{0};  ///< First block; for alltoall, the number of the other member.
    uint32_t blocks{1}; ///< Number of blocks; the first follows the last.
    uint64_t bytes{0};  ///< Length [bytes].
    bool sends{false};  ///< It is sent, not received.
    bool adds{false};   ///< Its blocks are added to the receiver's, and do not replace them.
};

/**
 * List the messages of a member in a collective operation.
 *
 * @param collective the operation
 * @param self the member
 * @return its messages in the order in which they begin
 */
std::vector<CollectiveMessage> MakeCollective(const Collective& collective, uint32_t self);

/**
 * List the messages of a member that sends each other one a block, of any lengths (MPI_Alltoallv):
 * all in one step, first the receives, from its successor on.
 *
 * @param self the member
 * @param sent length of the block for each member [bytes]
 * @param received length of the block from each member [bytes]
 * @return its messages in the order in which they begin
 */
std::vector<CollectiveMessage> MakeAlltoallv(uint32_t self,
                                             std::span<const uint64_t> sent,
                                             std::span<const uint64_t> received);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_COLLECTIVE_H
