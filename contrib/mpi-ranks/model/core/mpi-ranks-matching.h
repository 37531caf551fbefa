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

/** A message or a receive, as matching sees it. */
struct Envelope
{
    Delivery delivery;        ///< The message; of a receive the request, source and tag.
    uint32_t departure{NONE}; ///< The sender's entry if only an RTS has arrived, or NONE.

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const Envelope&) const = default;
};

/**
 * @ingroup mpi-ranks
 * A queue of messages or of receives that finds the oldest match.
 *
 * Two such queues make a rank's matching: the posted receives, which may have ANY_SOURCE and
 * ANY_TAG, and the unexpected messages, which are searched with ANY_SOURCE and ANY_TAG. Since the
 * oldest wins on both sides, messages of one source do not overtake each other where they match the
 * same receive (MPI 1.1, section 3.5).
 *
 * Entries are hashed by source; those of ANY_SOURCE have a chain of their own. One more list holds
 * all entries by age.
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
     * @param source of the message, or ANY_SOURCE
     * @param tag of the message, or ANY_TAG
     * @param envelope the entry, changed if there is one
     * @return false if there is none
     */
    bool Take(Peer source, uint32_t tag, Envelope& envelope);

    /** Prefetch what every call touches: all but the chains. */
    void Expect() const
    {
        __builtin_prefetch(this, 1);
        __builtin_prefetch(&m_size, 1);
    }

    /** @return the number of entries. */
    uint32_t GetSize() const
    {
        return m_size;
    }

    /**
     * Encode the entries, oldest first.
     * @param encoder collects them
     */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of the representation. @return True if all is equal. */
    bool operator==(const MatchQueue&) const = default;

  private:
    /** Links of one list. */
    struct Links
    {
        uint32_t before{NONE}; ///< The next older entry.
        uint32_t after{NONE};  ///< The next younger entry.

        /** Equality of both. @return True if both are equal. */
        bool operator==(const Links&) const = default;
    };

    /** Ends of one list. */
    struct Ends
    {
        uint32_t oldest{NONE};   ///< First entry.
        uint32_t youngest{NONE}; ///< Last entry.

        /** Equality of both. @return True if both are equal. */
        bool operator==(const Ends&) const = default;
    };

    /** An entry in its lists. */
    struct Node
    {
        Envelope envelope; ///< The entry.
        uint64_t age{0};   ///< Lower is older.
        Links chain;       ///< Among those with the same hash.
        Links all;         ///< Among all.

        /** Equality of every field. @return True if all are equal. */
        bool operator==(const Node&) const = default;
    };

    static constexpr uint32_t CHAINS = 64; ///< Chains of hashed sources.

    /**
     * Find the oldest entry that matches.
     * @param source of the message, or ANY_SOURCE
     * @param tag of the message, or ANY_TAG
     * @return its place, or NONE
     */
    uint32_t Search(Peer source, uint32_t tag);

    /**
     * Find the oldest entry that matches in one list.
     * @param place the first entry of the search
     * @param links the list
     * @param source of the message, or ANY_SOURCE
     * @param tag of the message, or ANY_TAG
     * @return its place, or NONE
     */
    uint32_t SearchList(uint32_t place, Links Node::* links, Peer source, uint32_t tag);

    /**
     * Append an entry to a list.
     * @param ends the list's ends
     * @param links the list
     * @param place the entry
     */
    void Append(Ends& ends, Links Node::* links, uint32_t place);

    /**
     * Take an entry out of a list.
     * @param ends the list's ends
     * @param links the list
     * @param place the entry
     */
    void Remove(Ends& ends, Links Node::* links, uint32_t place);

    /** @return the chain of a source. @param source the source, or ANY_SOURCE */
    Ends& GetChain(Peer source)
    {
        return source == ANY_SOURCE ? m_any : m_chains[source % CHAINS];
    }

    std::vector<Node> m_nodes;         ///< Entries and free places.
    Ends m_all;                        ///< All entries by age.
    Ends m_any;                        ///< Those of ANY_SOURCE.
    uint64_t m_nextAge{0};             ///< Age of the next entry.
    uint32_t m_free{NONE};             ///< First free place.
    uint32_t m_size{0};                ///< Number of entries.
    std::array<Ends, CHAINS> m_chains; ///< All others, hashed by source.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_MATCHING_H
