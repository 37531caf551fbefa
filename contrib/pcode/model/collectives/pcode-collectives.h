/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_COLLECTIVES_H
#define PCODE_COLLECTIVES_H

#include "ns3/pcode-program.h"

/**
 * @file
 * @ingroup pcode
 * Collective communication, written once as calls of a global program.
 */

namespace ns3
{
namespace pcode
{

/**
 * Writes collective operations (sections 1 and 6.2) into a global program. Each is an SPMD
 * statement: it appends what every node has to call.
 *
 * All are correct programs by Assumption 1, except AllToAllAtOnce.
 */
class Collectives
{
  public:
    /**
     * Constructor.
     * @param program the program that is written; it outlives this
     */
    explicit Collectives(GlobalProgram& program);

    /**
     * Constructor for operations among some of the nodes.
     * @param program the program that is written; it outlives this
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
     * All-to-all broadcast, the first implementation of section 6.2: each in turn multicasts, and
     * the others call the matching request.
     * @param bytes size of a message [bytes]
     */
    void AllToAllInTurn(uint32_t bytes);

    /**
     * All-to-all broadcast, the second implementation of section 6.2: each first multicasts, and
     * then requests from each of the others, itself + 1 first.
     *
     * Not correct by Assumption 1, since two multicasts have the same index; it runs where
     * GlobalProgram::GetRoomNeeded finds room.
     * @param bytes size of a message [bytes]
     */
    void AllToAllAtOnce(uint32_t bytes);

    /**
     * Gather: each sends a message of its own to the root.
     * @param root the receiver
     * @param bytes size of a message [bytes]
     */
    void Gather(messaging::Peer root, uint32_t bytes);

    /**
     * Scatter: the root sends a message of its own to each.
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

    /** Barrier: nobody leaves it before all have entered; a combine of no bytes. */
    void Barrier();

  private:
    /**
     * Get all others.
     * @param peer a member
     * @return the other members
     */
    TargetSet Others(messaging::Peer peer) const;

    GlobalProgram& m_program; ///< The program that is written.
    TargetSet m_members;      ///< Participants.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_COLLECTIVES_H
