/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_COLLECTIVES_H
#define PCODE_COLLECTIVES_H

#include "ns3/pcode-program.h"

/**
 * @file
 * @ingroup pcode
 * Collective communication as calls of a global program.
 */

namespace ns3
{
namespace pcode
{

/**
 * Appends collective operations (sections 1 and 6.2) to a global program: for each operation the
 * calls of every node, as an SPMD statement does.
 *
 * All are correct programs by Assumption 1, except AllToAllAtOnce.
 */
class Collectives
{
  public:
    /**
     * Constructor.
     * @param program the program, which must outlive this
     */
    explicit Collectives(GlobalProgram& program);

    /**
     * Constructor for operations among some of the nodes.
     * @param program the program, which must outlive this
     * @param members the participants
     */
    Collectives(GlobalProgram& program, const TargetSet& members);

    /**
     * One-to-all broadcast.
     * @param root the sender
     * @param bytes size of the message [bytes]
     */
    void OneToAll(messaging::Peer root, uint32_t bytes)
    {
        m_program.MatchedMulticast(root, bytes, Others(root));
    }

    /**
     * All-to-all broadcast, first implementation of section 6.2: each node multicasts in turn, and
     * the others call the matching request.
     * @param bytes size of a message [bytes]
     */
    void AllToAllInTurn(uint32_t bytes);

    /**
     * All-to-all broadcast, second implementation of section 6.2: each node first multicasts, and
     * then requests from each other node, its successor first.
     *
     * It is not correct by Assumption 1, since multicasts have the same index, but can be run: the
     * k-th request of a node to a source has the target set of the source's k-th multicast to it.
     * @param bytes size of a message [bytes]
     */
    void AllToAllAtOnce(uint32_t bytes);

    /**
     * Gather: each other node sends a message to the root.
     * @param root the receiver
     * @param bytes size of a message [bytes]
     */
    void Gather(messaging::Peer root, uint32_t bytes);

    /**
     * Scatter: the root sends a different message to each other node.
     * @param root the sender
     * @param bytes size of a message [bytes]
     */
    void Scatter(messaging::Peer root, uint32_t bytes);

    /**
     * Global combine: all operands go to the root, and the result to all.
     * @param root the node that combines
     * @param bytes size of operand and result [bytes]
     */
    void Combine(messaging::Peer root, uint32_t bytes);

    /** Barrier: no node leaves it before all have entered; a combine of 0 bytes. */
    void Barrier();

  private:
    /**
     * Get all other members.
     * @param peer a member
     * @return the other members
     */
    TargetSet Others(messaging::Peer peer) const;

    GlobalProgram& m_program; ///< The program.
    TargetSet m_members;      ///< Participants.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_COLLECTIVES_H
