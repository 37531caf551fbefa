/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_WHEEL_H
#define INFINIBAND_FABRIC_WHEEL_H

#include "ns3/infiniband-types.h"

#include <bit>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * The events inside a fabric, by tick.
 */

namespace ns3
{
namespace infiniband
{

/**
 * A timing wheel of a fixed number of items, each of which waits for one tick at most.
 *
 * An item is its own link in the list of its slot: placing it writes two words and nothing is ever
 * allocated. The wheel reaches a bounded time ahead, which the fabric knows: no cable, packet or
 * switch takes longer.
 */
class FabricWheel
{
  public:
    /** No item. */
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /**
     * Make room.
     * @param items how many items there are
     * @param reach how far ahead of the position one is placed at most [ticks]
     */
    void Start(uint32_t items, Ticks reach)
    {
        const Ticks slots = std::bit_ceil(reach + 1 < WORD ? WORD : reach + 1);
        m_mask = slots - 1;
        m_first.assign(slots, NONE);
        m_used.assign(slots / WORD, 0);
        m_items.assign(items, Item());
    }

    /** @return how far ahead of the position an item can be placed [ticks]. */
    Ticks GetReach() const
    {
        return m_mask;
    }

    /** @return the tick before which everything is served [ticks]. */
    Ticks GetPosition() const
    {
        return m_position;
    }

    /**
     * Go on, with nothing waiting before.
     * @param position the tick before which everything is served [ticks]
     */
    void SetPosition(Ticks position)
    {
        m_position = position;
    }

    /**
     * @param item an item
     * @return the tick it waits for, or NEVER
     */
    Ticks GetWhen(uint32_t item) const
    {
        return m_items[item].when;
    }

    /**
     * Let an item wait that does not.
     * @param item the item
     * @param when the tick, not before the position and within reach [ticks]
     */
    void Place(uint32_t item, Ticks when)
    {
        const Ticks slot = when & m_mask;
        uint64_t& used = m_used[slot / WORD];
        const uint64_t bit = uint64_t{1} << (slot % WORD);
        // The map is in the processor's caches, an empty slot need not be.
        m_items[item] = {when, used & bit ? m_first[slot] : NONE};
        m_first[slot] = item;
        used |= bit;
        ++m_waiting;
    }

    /**
     * Remove an item that waits.
     * @param item an item that waits
     */
    void Remove(uint32_t item)
    {
        const Ticks slot = m_items[item].when & m_mask;
        uint32_t* at = &m_first[slot];
        while (*at != item)
        {
            at = &m_items[*at].next;
        }
        *at = m_items[item].next;
        if (m_first[slot] == NONE)
        {
            m_used[slot / WORD] &= ~(uint64_t{1} << (slot % WORD));
        }
        m_items[item].when = NEVER;
        --m_waiting;
    }

    /** @return the first tick for which an item waits, or NEVER [ticks]. */
    Ticks GetNext() const
    {
        const uint64_t used = m_used[(m_position & m_mask) / WORD] & ~uint64_t{0}
                                                                         << (m_position % WORD);
        return used ? m_position / WORD * WORD + std::countr_zero(used) : GetNextBeyond();
    }

    /**
     * Take all items that wait for a tick, of which there is one at least.
     * @param when the tick
     * @return the first of them; Pass leads to the others
     */
    uint32_t Take(Ticks when)
    {
        const Ticks slot = when & m_mask;
        m_used[slot / WORD] &= ~(uint64_t{1} << (slot % WORD));
        return m_first[slot];
    }

    /**
     * Pass an item that has been taken; it can be placed again.
     * @param item the item
     * @return the next of its tick, or NONE
     */
    uint32_t Pass(uint32_t item)
    {
        --m_waiting;
        m_items[item].when = NEVER;
        return m_items[item].next;
    }

  private:
    /** @return the same where the word of the position has nothing from it on [ticks]. */
    [[gnu::noinline]] Ticks GetNextBeyond() const
    {
        if (m_waiting == 0)
        {
            return NEVER;
        }
        Ticks next = m_position / WORD * WORD;
        uint64_t used = 0;
        while (used == 0)
        {
            next += WORD;
            used = m_used[(next & m_mask) / WORD];
        }
        return next + std::countr_zero(used);
    }

    /** What can wait. */
    struct Item
    {
        Ticks when{NEVER};   ///< Tick that it waits for, or NEVER.
        uint32_t next{NONE}; ///< Next item of the slot.
    };

    static constexpr Ticks WORD = 64; ///< Slots in a word of the map.

    Ticks m_mask{0};               ///< Number of slots, less one.
    Ticks m_position{0};           ///< Everything before is served.
    uint64_t m_waiting{0};         ///< Items that wait.
    std::vector<uint32_t> m_first; ///< First item by slot, if it has any.
    std::vector<uint64_t> m_used;  ///< Which slots have items.
    std::vector<Item> m_items;     ///< By number.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_WHEEL_H
