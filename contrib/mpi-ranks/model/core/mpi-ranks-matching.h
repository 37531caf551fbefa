/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_MATCHING_H
#define MPI_RANKS_MATCHING_H

#include "ns3/mpi-ranks-types.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Tag matching.
 */

namespace ns3
{
namespace ranks
{

/** A message or a receive, as used in matching. */
struct Envelope
{
    Delivery delivery;        ///< The message; for a receive its request, source and tag.
    uint32_t departure{NONE}; ///< Number of the sender's entry if only an RTS has arrived, or NONE.
};

/**
 * @ingroup mpi-ranks
 * A queue of messages or of receives that finds the oldest match.
 *
 * Two such queues make a rank's matching: the posted receives, which may have ANY_SOURCE and
 * ANY_TAG, and the unexpected messages, which are searched with ANY_SOURCE and ANY_TAG. Since the
 * oldest entry wins on both sides, messages of one source that match the same receive do not
 * overtake each other (MPI 1.1, section 3.5).
 */
class MatchQueue
{
  public:
    /**
     * Append an entry.
     * @param envelope the entry
     */
    void Add(const Envelope& envelope);

    /**
     * Take the oldest entry that matches.
     * @param source source of the message, or ANY_SOURCE
     * @param tag tag of the message, or ANY_TAG
     * @param envelope set to the entry, if there is one
     * @return false if there is none
     */
    bool Take(Peer source, uint32_t tag, Envelope& envelope);

    /** @return the number of entries. */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_entries.size());
    }

    /**
     * Encode the entries, oldest first.
     * @param encoder collects them
     */
    void Encode(messaging::Encoder& encoder) const;

  private:
    std::vector<Envelope> m_entries; ///< All entries, the oldest first.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_MATCHING_H
