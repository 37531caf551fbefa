/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_COUNTERS_H
#define PCODE_COUNTERS_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * GlobalCounter (paper 3, sections 5.1 and 5.2).
 */

namespace ns3
{
namespace pcode
{

/**
 * GlobalCounter of one node, its vector gcv, and the list of counters above a gap.
 *
 * An *original* counter is on a message of the node that incremented its GlobalCounter to this
 * value. A counter on a PROGRESS message is not original, and raises only its sender's entry in
 * gcv. A counter above the next one has a gap below it: it is kept on the list until the gap
 * closes.
 *
 * In section 5.1, the counter of a message counts when the message is delivered. Here it counts
 * when the message is accepted in order, which is the same event for a node outside of the target
 * set.
 */
class GlobalCounters
{
  public:
    /**
     * Constructor.
     * @param nNodes the number of nodes
     * @param self the node
     */
    GlobalCounters(uint32_t nNodes, messaging::Peer self)
        : m_gcv(nNodes),
          m_self(self)
    {
    }

    /** @return the GlobalCounter. */
    uint32_t Get() const
    {
        return m_gcv[m_self];
    }

    /**
     * Get an entry of the vector.
     * @param i a node
     * @return gcv[i]
     */
    uint32_t GetGcv(messaging::Peer i) const
    {
        return m_gcv[i];
    }

    /** @return the difference between the maximum and the minimum of gcv (section 5.2). */
    uint32_t GetSpread() const
    {
        const auto [low, high] = std::minmax_element(m_gcv.begin(), m_gcv.end());
        return *high - *low;
    }

    /** @return the number of counters on the list. */
    std::size_t GetNHeld() const
    {
        return m_held.size();
    }

    /** @return the lowest original counter on the list, 0 if there is none. */
    uint32_t GetLowestHeld() const
    {
        const auto held = std::ranges::find(m_held, true, &Held::original);
        if (held == m_held.end())
        {
            return 0;
        }
        return held->counter;
    }

    /**
     * Increment the counter for an outgoing message (section 5.1).
     * @return the counter
     */
    uint32_t Originate()
    {
        const uint32_t counter = ++m_gcv[m_self];
        Release();
        return counter;
    }

    /**
     * Process a received counter.
     * @param i its sender
     * @param counter the counter
     * @param original whether it is on a message of its originator
     * @return false if it is on the list
     */
    bool Take(messaging::Peer i, uint32_t counter, bool original)
    {
        const Held held{counter, i, original};
        if (Apply(held))
        {
            Release();
            return true;
        }
        const auto place = std::lower_bound(m_held.begin(), m_held.end(), held);
        if (place == m_held.end() || !(*place == held))
        {
            m_held.insert(place, held);
        }
        return false;
    }

    /**
     * Encode the canonical form of the state.
     * @param e the encoder
     */
    void Encode(messaging::Encoder& e) const
    {
        for (const auto counter : m_gcv)
        {
            e.Put(counter);
        }
        e.Put(m_held.size());
        for (const auto& held : m_held)
        {
            e.Put(uint64_t{held.counter} << 32 | held.source << 1 | uint64_t{held.original});
        }
    }

  private:
    /** A counter on the list. */
    struct Held
    {
        uint32_t counter{0};       ///< The counter.
        messaging::Peer source{0}; ///< Sender of its message.
        bool original{false};      ///< The sender is its originator.

        /** The order of the list. @return the order of all fields */
        auto operator<=>(const Held&) const = default;
    };

    /**
     * Count a counter, unless there is a gap below it.
     * @param held the counter
     * @return true if it was counted
     */
    bool Apply(const Held& held)
    {
        uint32_t& own = m_gcv[m_self];
        if (held.original && held.counter == own + 1)
        {
            own = held.counter;
        }
        if (held.counter > own)
        {
            return false;
        }
        m_gcv[held.source] = std::max(m_gcv[held.source], held.counter);
        return true;
    }

    /** Count the counters on the list that have no gap below them. */
    void Release()
    {
        std::size_t counted = 0;
        do
        {
            // Each of them may close the gap below others.
            counted = std::erase_if(m_held, [this](const Held& held) { return Apply(held); });
        } while (counted > 0);
    }

    std::vector<uint32_t> m_gcv; ///< gcv; its own entry is the GlobalCounter.
    std::vector<Held> m_held;    ///< The list, in ascending order.
    messaging::Peer m_self;      ///< The node.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_COUNTERS_H
