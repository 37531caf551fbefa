/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_MATCHING_H
#define MPI_RANKS_MATCHING_H

#include "ns3/mpi-ranks-types.h"

#include <array>
#include <bit>
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

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const Envelope&) const = default;
};

/**
 * @ingroup mpi-ranks
 * A queue of messages or of receives that finds the oldest match.
 *
 * Two such queues make a rank's matching: the posted receives, which may have ANY_SOURCE and
 * ANY_TAG, and the unexpected messages, which are searched with ANY_SOURCE and ANY_TAG. Since the
 * oldest entry wins on both sides, messages of one source that match the same receive do not
 * overtake each other (MPI 1.1, section 3.5).
 *
 * Entries are hashed by source; those of ANY_SOURCE have a separate chain. Each chain is ordered by
 * age.
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

    /** Prefetch the members that every call uses: all but the chains. */
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
    /** A chain. */
    struct Ends
    {
        uint32_t oldest{NONE};   ///< Oldest entry.
        uint32_t youngest{NONE}; ///< Youngest entry.

        /** Equality of both. @return True if both are equal. */
        bool operator==(const Ends&) const = default;
    };

    /** An entry in its chain. It has the size of a cache line. */
    struct alignas(64) Node
    {
        Envelope envelope;     ///< The entry.
        uint64_t age{0};       ///< Order of arrival; lower is older.
        uint32_t before{NONE}; ///< Next older entry of its chain.
        uint32_t after{NONE};  ///< Next younger entry of its chain, or next free one.

        /** Equality of every field. @return True if all are equal. */
        bool operator==(const Node&) const = default;
    };

    static constexpr uint32_t CHAINS = 64; ///< Chains of hashed sources.

    /**
     * Find the oldest entry that matches.
     * @param source source of the message, or ANY_SOURCE
     * @param tag tag of the message, or ANY_TAG
     * @return its index, or NONE
     */
    uint32_t Search(Peer source, uint32_t tag);

    /**
     * Find the oldest entry that matches in one chain.
     * @param chain the chain
     * @param source source of the message, or ANY_SOURCE
     * @param tag tag of the message, or ANY_TAG
     * @return its index, or NONE
     */
    uint32_t SearchChain(const Ends& chain, Peer source, uint32_t tag) const;

    /** @return the older of two entries. @param a one, or NONE @param b another, or NONE */
    uint32_t GetOlder(uint32_t a, uint32_t b) const
    {
        return a == NONE || (b != NONE && m_nodes[b].age < m_nodes[a].age) ? b : a;
    }

    /**
     * Find the oldest among the entries that a function finds in each chain.
     * @tparam F the function's type
     * @param find the function: returns an entry of a chain, or NONE
     * @return its index, or NONE
     */
    template <class F>
    uint32_t FindOldest(F find) const
    {
        uint32_t oldest = find(m_any);
        for (uint64_t used = m_used; used != 0; used &= used - 1)
        {
            oldest = GetOlder(oldest, find(m_chains[std::countr_zero(used)]));
        }
        return oldest;
    }

    /** @return the chain of a source. @param source the source, or ANY_SOURCE */
    Ends& GetChain(Peer source)
    {
        return source == ANY_SOURCE ? m_any : m_chains[source % CHAINS];
    }

    std::vector<Node> m_nodes;         ///< Entries and free slots.
    uint64_t m_used{0};                ///< Bit mask of the hashed chains with entries.
    Ends m_any;                        ///< Chain of ANY_SOURCE.
    uint64_t m_nextAge{0};             ///< Age of the next entry.
    uint32_t m_free{NONE};             ///< First free slot.
    uint32_t m_size{0};                ///< Number of entries.
    std::array<Ends, CHAINS> m_chains; ///< Chains of all other sources, hashed.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_MATCHING_H
