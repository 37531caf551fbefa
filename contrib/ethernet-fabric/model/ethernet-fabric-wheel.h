/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_WHEEL_H
#define ETHERNET_FABRIC_WHEEL_H

#include "ethernet-fabric-types.h"

#include "ns3/messaging-large-pages.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Events of a fabric in the order of their times.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * A hierarchical timing wheel over the items of an array, each of which waits for one time at most.
 *
 * The items have the members `when`, `next` and `previous`, so that an event is in the cache line
 * of its item and nothing is allocated. The lowest level has slots of 2 ns; the items of a slot
 * are sorted when the slot is reached. Items of one time come in random order: no port precedes
 * another, and a seed determines the order.
 *
 * @tparam Item class of the items
 */
template <class Item>
class FabricWheel
{
  public:
    FabricWheel()
        : m_fine(FINE_SLOTS, NONE)
    {
        for (auto& level : m_coarse)
        {
            level.fill(NONE);
        }
    }

    /**
     * Set the seed of the order of ties.
     * @param seed the seed, not zero
     */
    void SetSeed(uint64_t seed)
    {
        m_random = seed;
    }

    /**
     * Let an item wait that does not.
     * @param items the array
     * @param index the item
     * @param when the time, not before that of the last item taken [ps]
     */
    void Place(messaging::LargeVector<Item>& items, uint32_t index, Instant when)
    {
        items[index].when = when;
        const uint64_t slot = when >> GRAIN_BITS;
        if (slot <= m_slot) [[unlikely]]
        {
            PlaceNow(index, when);
            return;
        }
        const uint64_t apart = slot ^ m_slot;
        if (apart < FINE_SLOTS)
        {
            const uint64_t place = slot % FINE_SLOTS;
            Link(items, m_fine[place], index);
            m_used[place / WORD] |= uint64_t{1} << (place % WORD);
            m_usedWords[place / WORD / WORD] |= uint64_t{1} << (place / WORD % WORD);
            return;
        }
        const unsigned level = GetLevel(apart);
        const uint64_t place = GetPlace(slot, level);
        Link(items, m_coarse[level][place], index);
        m_coarseUsed[level][place / WORD] |= uint64_t{1} << (place % WORD);
    }

    /**
     * Remove an item that waits.
     * @param items the array
     * @param index the item
     */
    void Remove(messaging::LargeVector<Item>& items, uint32_t index)
    {
        Item& item = items[index];
        const uint64_t slot = item.when >> GRAIN_BITS;
        item.when = NEVER;
        if (slot <= m_slot)
        {
            // Its entry in the sorted slot is skipped.
            return;
        }
        if (item.next != NONE)
        {
            items[item.next].previous = item.previous;
        }
        if (item.previous != NONE)
        {
            items[item.previous].next = item.next;
            return;
        }
        const uint64_t apart = slot ^ m_slot;
        if (apart < FINE_SLOTS)
        {
            const uint64_t place = slot % FINE_SLOTS;
            m_fine[place] = item.next;
            if (item.next == NONE)
            {
                ClearFine(place);
            }
            return;
        }
        const unsigned level = GetLevel(apart);
        const uint64_t place = GetPlace(slot, level);
        m_coarse[level][place] = item.next;
        if (item.next == NONE)
        {
            m_coarseUsed[level][place / WORD] &= ~(uint64_t{1} << (place % WORD));
        }
    }

    /**
     * Take the next item.
     * @param items the array
     * @param end the time up to which items are taken, inclusive [ps]
     * @param when set to its time [ps]
     * @return the item, or NONE if none waits until then
     */
    uint32_t Take(messaging::LargeVector<Item>& items, Instant end, Instant& when)
    {
        while (true)
        {
            while (m_cursor < m_sorted.size())
            {
                const Entry& entry = m_sorted[m_cursor];
                if (entry.when > end)
                {
                    return NONE;
                }
                ++m_cursor;
                LoadNext(items);
                if (items[entry.index].when == entry.when)
                {
                    items[entry.index].when = NEVER;
                    when = entry.when;
                    return entry.index;
                }
            }
            if (!Enter(items, end >> GRAIN_BITS))
            {
                return NONE;
            }
        }
    }

    /**
     * Look ahead.
     * @param distance 0 for the item that Take takes next, 1 for the one after it, ...
     * @return the item, which may have been removed, or NONE if it is not known yet
     */
    uint32_t Peek(std::size_t distance) const
    {
        const std::size_t entry = m_cursor + distance;
        return entry < m_sorted.size() ? m_sorted[entry].index : NONE;
    }

    /** @return whether the item that was taken last is the first one of those that Peek knows. */
    bool IsFresh() const
    {
        return m_cursor == 1;
    }

    /** @return a time up to which no item waits, at most 2 ns before the next in the near future;
     * NEVER if no item waits [ps]. */
    Instant GetNext() const
    {
        if (m_cursor < m_sorted.size())
        {
            return m_sorted[m_cursor].when;
        }
        const uint64_t slot = FindSlot();
        return slot == NEVER ? NEVER : slot << GRAIN_BITS;
    }

  private:
    static constexpr unsigned GRAIN_BITS = 11; ///< log2 of the length of a slot [ps].
    static constexpr unsigned FINE_BITS = 16;  ///< log2 of the slots of the lowest level.
    static constexpr unsigned COARSE_BITS = 8; ///< log2 of the slots of a level above.
    static constexpr unsigned LEVELS = 5;      ///< Levels above; they cover 64-bit times.
    static constexpr uint64_t FINE_SLOTS = uint64_t{1} << FINE_BITS;     ///< Slots, lowest level.
    static constexpr uint64_t COARSE_SLOTS = uint64_t{1} << COARSE_BITS; ///< Slots of a level.
    static constexpr uint64_t WORD = 64; ///< Slots in a word of a map.

    static constexpr std::size_t DENSE = 4; ///< Items of a slot before the next one is loaded.

    /** An item of the current slot. */
    struct Entry
    {
        Instant when;   ///< Its time [ps].
        uint32_t tie;   ///< Random order among items of one time.
        uint32_t index; ///< The item.

        /** @param other another entry @return whether it comes later */
        bool operator<(const Entry& other) const
        {
            return when != other.when ? when < other.when : tie < other.tie;
        }
    };

    /** @param apart difference of a slot from the current one @return its level above the lowest */
    static unsigned GetLevel(uint64_t apart)
    {
        return (std::bit_width(apart) - 1 - FINE_BITS) / COARSE_BITS;
    }

    /** @param slot a slot of the lowest level @param level a level @return its place there */
    static uint64_t GetPlace(uint64_t slot, unsigned level)
    {
        return (slot >> (FINE_BITS + level * COARSE_BITS)) % COARSE_SLOTS;
    }

    /** Find the items of the next slot, if the current one has many. */
    void FindNext()
    {
        m_next = NONE;
        const uint64_t slot = m_sorted.size() < DENSE ? NEVER : FindSlot();
        if (slot != NEVER && (slot ^ m_slot) < FINE_SLOTS)
        {
            m_next = m_fine[slot % FINE_SLOTS];
        }
    }

    /** Load another item of the next slot into the processor's caches: a list of distant items is
     * slow to follow at once. It may have been removed meanwhile. @param items the array */
    void LoadNext(const messaging::LargeVector<Item>& items)
    {
        if (m_next != NONE)
        {
            const uint32_t item = m_next;
            m_next = items[item].next;
            __builtin_prefetch(&items[m_next == NONE ? item : m_next]);
        }
    }

    /** @return a random number. */
    uint32_t Draw()
    {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        return static_cast<uint32_t>(m_random >> 32);
    }

    /** Put an item in front of a list. @param items the array @param first first of the list,
     * changed @param index the item */
    static void Link(messaging::LargeVector<Item>& items, uint32_t& first, uint32_t index)
    {
        items[index].next = first;
        items[index].previous = NONE;
        if (first != NONE)
        {
            items[first].previous = index;
        }
        first = index;
    }

    /** Add an item to the current slot. @param index the item @param when its time [ps] */
    void PlaceNow(uint32_t index, Instant when)
    {
        const Entry entry{when, Draw(), index};
        m_sorted.insert(std::lower_bound(m_sorted.begin() + m_cursor, m_sorted.end(), entry),
                        entry);
    }

    /** Mark a slot as empty. @param place its place */
    void ClearFine(uint64_t place)
    {
        uint64_t& word = m_used[place / WORD];
        word &= ~(uint64_t{1} << (place % WORD));
        if (word == 0)
        {
            m_usedWords[place / WORD / WORD] &= ~(uint64_t{1} << (place / WORD % WORD));
        }
    }

    /**
     * Find the next slot in use after the current one.
     * @return the slot, or the first one of a slot above that is in use; NEVER if there is none
     */
    uint64_t FindSlot() const
    {
        const uint64_t block = m_slot / FINE_SLOTS * FINE_SLOTS;
        const uint64_t place = m_slot % FINE_SLOTS + 1;
        if (place < FINE_SLOTS)
        {
            const uint64_t word = place / WORD;
            if (const uint64_t used = m_used[word] & (~uint64_t{0} << (place % WORD)))
            {
                return block + word * WORD + std::countr_zero(used);
            }
            for (uint64_t group = (word + 1) / WORD; group < m_usedWords.size(); ++group)
            {
                const uint64_t from = group == (word + 1) / WORD ? (word + 1) % WORD : 0;
                if (const uint64_t used = m_usedWords[group] & (~uint64_t{0} << from))
                {
                    const uint64_t found = group * WORD + std::countr_zero(used);
                    return block + found * WORD + std::countr_zero(m_used[found]);
                }
            }
        }
        for (unsigned level = 0; level < LEVELS; ++level)
        {
            for (uint64_t next = GetPlace(m_slot, level) + 1; next < COARSE_SLOTS;
                 next = (next / WORD + 1) * WORD)
            {
                const uint64_t used =
                    m_coarseUsed[level][next / WORD] & (~uint64_t{0} << (next % WORD));
                if (used)
                {
                    const uint64_t found = next / WORD * WORD + std::countr_zero(used);
                    const unsigned shift = FINE_BITS + level * COARSE_BITS;
                    const unsigned above = shift + COARSE_BITS;
                    return (m_slot >> above << above) | found << shift;
                }
            }
        }
        return NEVER;
    }

    /**
     * Go on to the next slot in use, and sort its items.
     * @param items the array
     * @param end the last slot that may be entered
     * @return false if there is none
     */
    bool Enter(messaging::LargeVector<Item>& items, uint64_t end)
    {
        const uint64_t slot = FindSlot();
        if (slot == NEVER || slot > end)
        {
            return false;
        }
        m_sorted.clear();
        m_cursor = 0;
        const uint64_t apart = slot ^ m_slot;
        m_slot = slot;
        if (apart >= FINE_SLOTS)
        {
            Spread(items, GetLevel(apart));
            return true;
        }
        const uint64_t place = slot % FINE_SLOTS;
        for (uint32_t index = m_fine[place]; index != NONE; index = items[index].next)
        {
            m_sorted.push_back({items[index].when, Draw(), index});
        }
        m_fine[place] = NONE;
        ClearFine(place);
        if (m_sorted.size() > 1)
        {
            std::sort(m_sorted.begin(), m_sorted.end());
        }
        FindNext();
        return true;
    }

    /**
     * Move the items of the slot of a level above that the position has entered.
     * @param items the array
     * @param level the level
     */
    void Spread(messaging::LargeVector<Item>& items, unsigned level)
    {
        const uint64_t place = GetPlace(m_slot, level);
        uint32_t index = std::exchange(m_coarse[level][place], NONE);
        m_coarseUsed[level][place / WORD] &= ~(uint64_t{1} << (place % WORD));
        while (index != NONE)
        {
            const uint32_t next = items[index].next;
            Place(items, index, items[index].when);
            index = next;
        }
    }

    uint64_t m_slot{0};                               ///< The current slot; earlier ones are empty.
    std::size_t m_cursor{0};                          ///< The next entry of the current slot.
    uint32_t m_next{NONE};                            ///< Item of the next slot to be loaded.
    std::vector<Entry> m_sorted;                      ///< Items of the current slot.
    uint64_t m_random{1};                             ///< State of the random order.
    std::vector<uint32_t> m_fine;                     ///< First item by slot.
    std::array<uint64_t, FINE_SLOTS / WORD> m_used{}; ///< Slots in use.
    std::array<uint64_t, FINE_SLOTS / WORD / WORD> m_usedWords{};    ///< Words of that map in use.
    std::array<std::array<uint32_t, COARSE_SLOTS>, LEVELS> m_coarse; ///< The levels above.
    std::array<std::array<uint64_t, COARSE_SLOTS / WORD>, LEVELS>
        m_coarseUsed{}; ///< Their slots in use.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_WHEEL_H
