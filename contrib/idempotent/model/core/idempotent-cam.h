/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CAM_H
#define IDEMPOTENT_CAM_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * The content addressable memory of section 2.4 of paper 1.
 */

namespace ns3
{
namespace idempotent
{

/**
 * A content addressable memory: entries with a 64-bit key.
 *
 * Keys, entries and, for nine entries or more, a hash table of the keys are in one block of memory,
 * since a million nodes have two such memories each. Up to eight keys are searched linearly. The
 * hash table is sparse, so most searches end at the first slot. Most of them fail: their message
 * was acknowledged before its timer expired. Memory grows on demand and is never released.
 *
 * @tparam Entry value of a key: plain data
 */
template <class Entry>
class Cam
{
    static_assert(std::is_trivially_copyable_v<Entry> && alignof(Entry) <= alignof(uint64_t));

  public:
    /** Index of no entry. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** @return the number of entries. */
    uint32_t GetSize() const
    {
        return m_size;
    }

    /**
     * Find an entry.
     * @param key its key
     * @return its index, or NONE
     */
    uint32_t Find(uint64_t key) const
    {
        return Find(key, [](const Entry&) { return true; });
    }

    /**
     * Find an entry among several with the same key.
     * @param key its key
     * @param matches predicate for an entry with the key
     * @return its index, or NONE
     */
    template <class Matches>
    uint32_t Find(uint64_t key, Matches&& matches) const
    {
        const uint64_t* const keys = Keys();
        if (IsHashed())
        {
            uint32_t slot = GetHome(key);
            uint32_t i = Slots()[slot];
            while (i != FREE && (keys[i] != key || !matches(Entries()[i])))
            {
                slot = GetNext(slot);
                i = Slots()[slot];
            }
            return i == FREE ? NONE : i;
        }
        for (uint32_t i = 0; i < m_size; ++i)
        {
            if (keys[i] == key && matches(Entries()[i]))
            {
                return i;
            }
        }
        return NONE;
    }

    /**
     * Find the first entry that meets a condition, whatever its key.
     * @param matches the condition
     * @return its index, or NONE
     */
    template <class Matches>
    uint32_t FindFirst(Matches&& matches) const
    {
        const Entry* const found = std::find_if(Entries(), Entries() + m_size, matches);
        return found == Entries() + m_size ? NONE : static_cast<uint32_t>(found - Entries());
    }

    /**
     * @param index an entry's index
     * @return its key
     */
    uint64_t GetKey(uint32_t index) const
    {
        return Keys()[index];
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    Entry& operator[](uint32_t index)
    {
        return Entries()[index];
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    const Entry& operator[](uint32_t index) const
    {
        return Entries()[index];
    }

    /**
     * Add an entry.
     * @param key its key
     * @param entry the entry, not a reference into this memory
     * @return its index, valid until the next Erase
     */
    uint32_t Insert(uint64_t key, const Entry& entry)
    {
        if (m_size == m_capacity) [[unlikely]]
        {
            Grow();
        }
        const uint32_t index = m_size++;
        Keys()[index] = key;
        Entries()[index] = entry;
        if (IsHashed())
        {
            Place(index);
        }
        return index;
    }

    /**
     * Remove an entry; the last one takes its index.
     * @param index its index
     */
    void Erase(uint32_t index)
    {
        const uint32_t last = m_size - 1;
        if (IsHashed())
        {
            Displace(index);
            if (index != last)
            {
                Slots()[GetSlot(last)] = static_cast<uint16_t>(index);
            }
        }
        Keys()[index] = Keys()[last];
        Entries()[index] = Entries()[last];
        --m_size;
    }

    /** @return memory taken from the heap [bytes]. */
    std::size_t GetMemory() const
    {
        return m_block.capacity();
    }

  private:
    /** Maximum number of entries without a hash table: their keys fill one cache line. */
    static constexpr uint32_t MOST_UNHASHED = 8;

    /** Slots of the hash table per entry of capacity. */
    static constexpr uint32_t ROOM = 4;

    /** Slot without an entry, and the limit of the number of entries. */
    static constexpr uint16_t FREE = UINT16_MAX;

    /** @return the keys, in the order of the entries. */
    uint64_t* Keys()
    {
        return reinterpret_cast<uint64_t*>(m_block.data());
    }

    /** @return the keys, in the order of the entries. */
    const uint64_t* Keys() const
    {
        return reinterpret_cast<const uint64_t*>(m_block.data());
    }

    /** @return the entries. */
    Entry* Entries()
    {
        return reinterpret_cast<Entry*>(m_block.data() + m_capacity * sizeof(uint64_t));
    }

    /** @return the entries. */
    const Entry* Entries() const
    {
        return reinterpret_cast<const Entry*>(m_block.data() + m_capacity * sizeof(uint64_t));
    }

    /** @return the hash table of indices, if IsHashed. */
    uint16_t* Slots()
    {
        return reinterpret_cast<uint16_t*>(m_block.data() + m_capacity * BYTES);
    }

    /** @return the hash table of indices, if IsHashed. */
    const uint16_t* Slots() const
    {
        return reinterpret_cast<const uint16_t*>(m_block.data() + m_capacity * BYTES);
    }

    /** @return whether there is a hash table. */
    bool IsHashed() const
    {
        return m_capacity > MOST_UNHASHED;
    }

    /** Double the capacity. */
    [[gnu::noinline]] void Grow()
    {
        Cam larger;
        larger.m_size = m_size;
        larger.m_capacity = std::max(1U, 2 * m_capacity);
        const std::size_t slots = larger.IsHashed() ? std::size_t{ROOM} * larger.m_capacity : 0;
        larger.m_block.resize(larger.m_capacity * BYTES + slots * sizeof(uint16_t));
        std::copy_n(Keys(), m_size, larger.Keys());
        std::copy_n(Entries(), m_size, larger.Entries());
        std::fill_n(larger.Slots(), slots, FREE);
        for (uint32_t i = 0; larger.IsHashed() && i < m_size; ++i)
        {
            larger.Place(i);
        }
        *this = std::move(larger);
    }

    /**
     * @param key a key
     * @return the slot where the search for it begins
     */
    uint32_t GetHome(uint64_t key) const
    {
        // The upper bits of the product with 2^64 / golden ratio depend on all bits of the key.
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15) >> 40) & (ROOM * m_capacity - 1);
    }

    /**
     * @param slot a slot
     * @return the next slot of the search
     */
    uint32_t GetNext(uint32_t slot) const
    {
        return (slot + 1) & (ROOM * m_capacity - 1);
    }

    /**
     * @param index an entry's index
     * @return its slot
     */
    uint32_t GetSlot(uint32_t index) const
    {
        uint32_t slot = GetHome(Keys()[index]);
        while (Slots()[slot] != index)
        {
            slot = GetNext(slot);
        }
        return slot;
    }

    /**
     * Insert an entry into the hash table.
     * @param index its index
     */
    void Place(uint32_t index)
    {
        uint32_t slot = GetHome(Keys()[index]);
        while (Slots()[slot] != FREE)
        {
            slot = GetNext(slot);
        }
        Slots()[slot] = static_cast<uint16_t>(index);
    }

    /**
     * Remove an entry from the hash table, and move entries that it had displaced.
     * @param index its index
     */
    void Displace(uint32_t index)
    {
        const uint32_t mask = ROOM * m_capacity - 1;
        uint16_t* const slots = Slots();
        uint32_t hole = GetSlot(index);
        for (uint32_t slot = GetNext(hole); slots[slot] != FREE; slot = GetNext(slot))
        {
            const uint32_t home = GetHome(Keys()[slots[slot]]);
            // Its home is not between the hole and this slot, in search order.
            if (((slot - home) & mask) >= ((slot - hole) & mask))
            {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = FREE;
    }

    /** Size of an entry and its key. */
    static constexpr std::size_t BYTES = sizeof(uint64_t) + sizeof(Entry);

    std::vector<std::byte> m_block; ///< Keys, entries and slots.
    uint32_t m_size{0};             ///< Number of entries.
    uint32_t m_capacity{0};         ///< Capacity in entries: 0 or a power of two.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CAM_H
