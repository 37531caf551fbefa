/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CAM_H
#define IDEMPOTENT_CAM_H

#include <bit>
#include <cstddef>
#include <cstdint>
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
 * A content addressable memory: entries found by a 64-bit key.
 *
 * Keys lie densely beside the entries. A few are searched one by one; a memory that grows beyond
 * one cache line of them gets a hash table, so sparse that a search mostly ends at its first slot,
 * which is where most end in vain: those for a message that has been acknowledged before its timer
 * fires. Memory is taken as entries are first needed and then kept.
 *
 * @tparam Entry what is stored with a key
 */
template <class Entry>
class Cam
{
  public:
    /** No entry has this index. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** @return the number of entries. */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_keys.size());
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
     * Find an entry of several that have the same key.
     * @param key its key
     * @param matches tells whether an entry with the key is the one
     * @return its index, or NONE
     */
    template <class Matches>
    uint32_t Find(uint64_t key, Matches&& matches) const
    {
        if (!m_slots.empty())
        {
            uint32_t slot = GetHome(key);
            uint32_t i = m_slots[slot];
            while (i != FREE && (m_keys[i] != key || !matches(m_entries[i])))
            {
                slot = GetNext(slot);
                i = m_slots[slot];
            }
            return i == FREE ? NONE : i;
        }
        const auto size = GetSize();
        for (uint32_t i = 0; i < size; ++i)
        {
            if (m_keys[i] == key && matches(m_entries[i]))
            {
                return i;
            }
        }
        return NONE;
    }

    /**
     * @param index an entry's index
     * @return its key
     */
    uint64_t GetKey(uint32_t index) const
    {
        return m_keys[index];
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    Entry& operator[](uint32_t index)
    {
        return m_entries[index];
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    const Entry& operator[](uint32_t index) const
    {
        return m_entries[index];
    }

    /**
     * Add an entry.
     * @param key its key
     * @param entry the entry
     * @return its index, valid until the next Erase
     */
    uint32_t Insert(uint64_t key, const Entry& entry)
    {
        m_keys.push_back(key);
        m_entries.push_back(entry);
        const uint32_t index = GetSize() - 1;
        if (ROOM * GetSize() > (m_slots.empty() ? ROOM * MOST_UNHASHED : m_slots.size()))
        {
            m_slots.assign(2 * ROOM * std::bit_ceil(GetSize()), FREE);
            for (uint32_t i = 0; i < index; ++i)
            {
                Place(i);
            }
        }
        if (!m_slots.empty())
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
        if (!m_slots.empty())
        {
            Displace(index);
            if (index != GetSize() - 1)
            {
                m_slots[GetSlot(GetSize() - 1)] = static_cast<uint16_t>(index);
            }
        }
        m_keys[index] = m_keys.back();
        m_entries[index] = m_entries.back();
        m_keys.pop_back();
        m_entries.pop_back();
    }

    /** @return memory taken from the heap [bytes]. */
    std::size_t GetMemory() const
    {
        return m_keys.capacity() * sizeof(uint64_t) + m_entries.capacity() * sizeof(Entry) +
               m_slots.capacity() * sizeof(uint16_t);
    }

    /** Equality of entries and their order. @param other another memory @return True if equal. */
    bool operator==(const Cam& other) const
    {
        return m_keys == other.m_keys && m_entries == other.m_entries;
    }

  private:
    /** Most entries without a hash table: their keys fill one cache line. */
    static constexpr uint32_t MOST_UNHASHED = 8;

    /** Slots of the hash table for each entry, at least. */
    static constexpr uint32_t ROOM = 4;

    /** A slot without an entry; so a memory has fewer entries than this. */
    static constexpr uint16_t FREE = UINT16_MAX;

    /**
     * @param key a key
     * @return the slot where the search for it begins
     */
    uint32_t GetHome(uint64_t key) const
    {
        // The upper bits of the product with 2^64 / golden ratio: they depend on all bits of the
        // key.
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15) >> 40) & (m_slots.size() - 1);
    }

    /**
     * @param slot a slot
     * @return the slot that is searched after it
     */
    uint32_t GetNext(uint32_t slot) const
    {
        return (slot + 1) & (m_slots.size() - 1);
    }

    /**
     * @param index an entry's index
     * @return its slot
     */
    uint32_t GetSlot(uint32_t index) const
    {
        uint32_t slot = GetHome(m_keys[index]);
        while (m_slots[slot] != index)
        {
            slot = GetNext(slot);
        }
        return slot;
    }

    /**
     * Put an entry into the hash table.
     * @param index its index
     */
    void Place(uint32_t index)
    {
        uint32_t slot = GetHome(m_keys[index]);
        while (m_slots[slot] != FREE)
        {
            slot = GetNext(slot);
        }
        m_slots[slot] = static_cast<uint16_t>(index);
    }

    /**
     * Take an entry out of the hash table, and move up those that it kept from their home.
     * @param index its index
     */
    void Displace(uint32_t index)
    {
        uint32_t hole = GetSlot(index);
        for (uint32_t slot = GetNext(hole); m_slots[slot] != FREE; slot = GetNext(slot))
        {
            const uint32_t home = GetHome(m_keys[m_slots[slot]]);
            // Its home is not between the hole and here, in the order of the search.
            if (((slot - home) & (m_slots.size() - 1)) >= ((slot - hole) & (m_slots.size() - 1)))
            {
                m_slots[hole] = m_slots[slot];
                hole = slot;
            }
        }
        m_slots[hole] = FREE;
    }

    std::vector<uint64_t> m_keys;  ///< Keys, in the order of the entries.
    std::vector<Entry> m_entries;  ///< Entries.
    std::vector<uint16_t> m_slots; ///< Indices of entries by hash of their keys, or none at all.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CAM_H
