/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CAM_H
#define IDEMPOTENT_CAM_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
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
 * Keys lie densely beside the entries, so that a search reads one or two cache lines at the sizes
 * that the paper finds sufficient; a memory that grows beyond them gets a hash table of its keys.
 * Memory is taken as entries are first needed and then kept.
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
        if (m_slots)
        {
            uint32_t slot = GetHome(key);
            while ((*m_slots)[slot] != NONE &&
                   (m_keys[(*m_slots)[slot]] != key || !matches(m_entries[(*m_slots)[slot]])))
            {
                slot = GetNext(slot);
            }
            return (*m_slots)[slot];
        }
        const auto size = GetSize();
        const uint64_t* const keys = m_keys.data();
        uint32_t i = 0;
        // Most searches look through all keys; one branch for four of them.
        while (i + 4 <= size && !((keys[i] == key) | (keys[i + 1] == key) | (keys[i + 2] == key) |
                                  (keys[i + 3] == key)))
        {
            i += 4;
        }
        for (; i < size; ++i)
        {
            if (keys[i] == key && matches(m_entries[i]))
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
        if (2 * GetSize() > (m_slots ? m_slots->size() : 2 * MOST_UNHASHED))
        {
            m_slots.Assign(4 * std::bit_ceil(GetSize()));
            for (uint32_t i = 0; i < index; ++i)
            {
                Place(i);
            }
        }
        if (m_slots)
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
        if (m_slots)
        {
            Displace(index);
            if (index != GetSize() - 1)
            {
                (*m_slots)[GetSlot(GetSize() - 1)] = index;
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
               (m_slots ? sizeof(*m_slots) + m_slots->capacity() * sizeof(uint32_t) : 0);
    }

    /** Equality of entries and their order. @param other another memory @return True if equal. */
    bool operator==(const Cam& other) const
    {
        return m_keys == other.m_keys && m_entries == other.m_entries;
    }

  private:
    /** A hash table, or none: most memories need none, and it takes one word of them. */
    struct Slots : std::unique_ptr<std::vector<uint32_t>>
    {
        Slots() = default;
        ~Slots() = default;

        /** Copy. @param other whose table to copy */
        Slots(const Slots& other)
            : std::unique_ptr<std::vector<uint32_t>>(
                  other ? std::make_unique<std::vector<uint32_t>>(*other) : nullptr)
        {
        }

        /** Move. */
        Slots(Slots&&) noexcept = default;

        /** Copy. @param other whose table to copy @return this */
        Slots& operator=(const Slots& other)
        {
            return *this = Slots(other);
        }

        /** Move. @return this */
        Slots& operator=(Slots&&) noexcept = default;

        /** Make a table of free slots. @param size how many */
        void Assign(std::size_t size)
        {
            this->reset(new std::vector<uint32_t>(size, NONE));
        }
    };

    /** Most entries without a hash table. */
    static constexpr uint32_t MOST_UNHASHED = 64;

    /**
     * @param key a key
     * @return the slot where the search for it begins
     */
    uint32_t GetHome(uint64_t key) const
    {
        // The upper bits of the product with 2^64 / golden ratio: they depend on all bits of the
        // key.
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15) >> 40) & (m_slots->size() - 1);
    }

    /**
     * @param slot a slot
     * @return the slot that is searched after it
     */
    uint32_t GetNext(uint32_t slot) const
    {
        return (slot + 1) & (m_slots->size() - 1);
    }

    /**
     * @param index an entry's index
     * @return its slot
     */
    uint32_t GetSlot(uint32_t index) const
    {
        uint32_t slot = GetHome(m_keys[index]);
        while ((*m_slots)[slot] != index)
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
        while ((*m_slots)[slot] != NONE)
        {
            slot = GetNext(slot);
        }
        (*m_slots)[slot] = index;
    }

    /**
     * Take an entry out of the hash table, and move up those that it kept from their home.
     * @param index its index
     */
    void Displace(uint32_t index)
    {
        uint32_t hole = GetSlot(index);
        for (uint32_t slot = GetNext(hole); (*m_slots)[slot] != NONE; slot = GetNext(slot))
        {
            const uint32_t home = GetHome(m_keys[(*m_slots)[slot]]);
            // Its home is not between the hole and here, in the order of the search.
            if (((slot - home) & (m_slots->size() - 1)) >= ((slot - hole) & (m_slots->size() - 1)))
            {
                (*m_slots)[hole] = (*m_slots)[slot];
                hole = slot;
            }
        }
        (*m_slots)[hole] = NONE;
    }

    std::vector<uint64_t> m_keys; ///< Keys, in the order of the entries.
    std::vector<Entry> m_entries; ///< Entries.
    Slots m_slots;                ///< Indices of entries by hash of their keys, or none at all.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CAM_H
