/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_STABILITY_H
#define PCODE_STABILITY_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Messages that each node is known to have.
 */

namespace ns3
{
namespace pcode
{

/**
 * Knowledge of one node about the messages of all: for each pair of a witness and a source,
 * the number up to which the witness has all messages of the source.
 *
 * A message is stable once all have it. Numbers count from one, and only ever grow.
 */
class Stability
{
  public:
    /**
     * Constructor; nobody has anything.
     * @param nPeers the number of nodes
     */
    explicit Stability(uint32_t nPeers)
        : m_has(std::size_t{nPeers} * nPeers),
          m_known(nPeers),
          m_stable(nPeers),
          m_nPeers(nPeers)
    {
    }

    /**
     * A witness has messages.
     * @param witness the witness
     * @param source their source
     * @param upTo up to this number
     */
    void Raise(messaging::Peer witness, messaging::Peer source, uint32_t upTo)
    {
        auto& has = m_has[std::size_t{witness} * m_nPeers + source];
        if (upTo <= has)
        {
            return;
        }
        const bool wasLowest = has == m_stable[source];
        has = upTo;
        m_known[source] = std::max(m_known[source], upTo);
        if (wasLowest)
        {
            uint32_t lowest = m_known[source];
            for (messaging::Peer peer = 0; peer < m_nPeers; ++peer)
            {
                lowest = std::min(lowest, m_has[std::size_t{peer} * m_nPeers + source]);
            }
            m_stable[source] = lowest;
        }
    }

    /**
     * A message is known to exist.
     * @param source its source
     * @param number its number
     */
    void Know(messaging::Peer source, uint32_t number)
    {
        m_known[source] = std::max(m_known[source], number);
    }

    /** @return number up to which a witness has all. @param witness it @param source the source */
    uint32_t Get(messaging::Peer witness, messaging::Peer source) const
    {
        return m_has[std::size_t{witness} * m_nPeers + source];
    }

    /** @return the highest number known to exist. @param source the source */
    uint32_t GetKnown(messaging::Peer source) const
    {
        return m_known[source];
    }

    /** @return number up to which all have all. @param source the source */
    uint32_t GetStable(messaging::Peer source) const
    {
        return m_stable[source];
    }

    /** @return true if all that is known to exist is everywhere. */
    bool IsAllStable() const
    {
        return m_known == m_stable;
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(messaging::Encoder& encoder) const
    {
        for (const auto has : m_has)
        {
            encoder.Put(has);
        }
        for (const auto known : m_known)
        {
            encoder.Put(known);
        }
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Stability&) const = default;

  private:
    std::vector<uint32_t> m_has;    ///< By witness and source.
    std::vector<uint32_t> m_known;  ///< Highest number known to exist, by source.
    std::vector<uint32_t> m_stable; ///< Lowest number of all witnesses, by source.
    uint32_t m_nPeers;              ///< Nodes.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_STABILITY_H
