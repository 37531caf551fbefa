/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_BUILDER_H
#define MESSAGING_TRAFFIC_GOAL_BUILDER_H

#include "messaging-traffic-goal.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * GOAL schedules written as an MPI program.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Builder of a GOAL schedule, call by call, as ranks of MPI would call: what a rank does next
 * begins when its call before has ended.
 *
 * @code
 * GoalBuilder program(16);
 * for (uint32_t rank = 0; rank < 16; ++rank)
 * {
 *     program.Compute(rank, 100000);
 *     program.Exchange(rank, (rank + 1) % 16, 4096, (rank + 15) % 16, 4096);
 * }
 * program.Allreduce(8);
 * program.Write("ring.goal");
 * @endcode
 *
 * Collective operations are those of the ranks of SetGroup, at first of all. As in MPI, a length is
 * that of one rank's block in a gather, scatter, allgather, reduce-scatter and all-to-all, and that
 * of the whole data in the others. They stay collective operations in the schedule;
 * ExpandGoal replaces them by their messages.
 *
 * A rank that does not exist is a std::out_of_range, in Python an exception.
 */
class GoalBuilder
{
  public:
    /// Construct. @param ranks number of ranks
    explicit GoalBuilder(uint32_t ranks);

    /// Compute. @param rank the rank @param time duration [GOAL time units]
    void Compute(uint32_t rank, uint64_t time);

    /**
     * Send a message, and wait until it has left.
     *
     * @param rank the rank
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     */
    void Send(uint32_t rank, uint32_t to, uint64_t bytes, uint32_t tag = 0);

    /**
     * Wait for a message.
     *
     * @param rank the rank
     * @param from source, or GOAL_ANY_SOURCE
     * @param bytes length [bytes]
     * @param tag tag, or GOAL_ANY_TAG
     */
    void Receive(uint32_t rank, uint32_t from, uint64_t bytes, uint32_t tag = 0);

    /**
     * Send one message and receive another at the same time, and wait for both.
     *
     * @param rank the rank
     * @param to destination
     * @param sent length of the message to it [bytes]
     * @param from source
     * @param received length of the message from it [bytes]
     * @param tag tag of both
     */
    void Exchange(uint32_t rank,
                  uint32_t to,
                  uint64_t sent,
                  uint32_t from,
                  uint64_t received,
                  uint32_t tag = 0);

    /// Set the ranks of the next collective operations. @param ranks the ranks, each once
    void SetGroup(const std::vector<uint32_t>& ranks);

    /// Wait until all ranks of the group have come here.
    void Barrier();

    /// Send data to all. @param root the rank that has them @param bytes their length [bytes]
    void Broadcast(uint32_t root, uint64_t bytes);

    /// Reduce data. @param root the rank that gets the result @param bytes length [bytes]
    void Reduce(uint32_t root, uint64_t bytes);

    /// Reduce data, with the result at all. @param bytes length [bytes]
    void Allreduce(uint64_t bytes);

    /// Reduce data, with a block of the result at each. @param bytes length of a block [bytes]
    void ReduceScatter(uint64_t bytes);

    /// Collect a block of each. @param root the rank that gets them @param bytes length [bytes]
    void Gather(uint32_t root, uint64_t bytes);

    /// Send a block to each. @param root the rank that has them @param bytes length [bytes]
    void Scatter(uint32_t root, uint64_t bytes);

    /// Collect a block of each at all. @param bytes length of a block [bytes]
    void Allgather(uint64_t bytes);

    /// Send a block from each to each. @param bytes length of a block [bytes]
    void Alltoall(uint64_t bytes);

    /**
     * Send blocks of any lengths from each to each, all at once.
     *
     * @param bytes length of the block by sender and receiver, in the order of the group [bytes]
     * @param tag tag of the messages
     */
    void Alltoallv(const std::vector<std::vector<uint64_t>>& bytes, uint32_t tag = 0);

    /// Reduce the data of each rank and of those before it. @param bytes length [bytes]
    void Scan(uint64_t bytes);

    /// @return the schedule so far.
    GoalSchedule GetSchedule() const;

    /**
     * Write the schedule so far to a file.
     *
     * @param path name of the file
     * @return an empty text, or one sentence
     */
    std::string Write(const std::string& path) const;

  private:
    /// A rank.
    struct Rank
    {
        std::vector<GoalOperation> operations;    ///< Its operations.
        std::vector<GoalDependency> dependencies; ///< Their dependencies, by number in the rank.
        std::vector<uint32_t> before;             ///< Operations of its last call.
    };

    /// Add a call of a rank. @param rank the rank @param operations what it begins
    void Add(uint32_t rank, std::vector<GoalOperation> operations);

    /**
     * Add a collective operation of the group.
     *
     * @param kind its kind
     * @param bytes length of all data [bytes]
     * @param root the root, or GOAL_ANY_SOURCE
     */
    void AddCollective(CollectiveKind kind, uint64_t bytes, uint32_t root = GOAL_ANY_SOURCE);

    std::vector<Rank> m_ranks;     ///< All ranks.
    std::vector<uint32_t> m_group; ///< Ranks of the next collective operations.
    uint32_t m_collectives{0};     ///< Collective operations so far.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_BUILDER_H
