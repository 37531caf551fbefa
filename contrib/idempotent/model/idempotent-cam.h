/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CAM_H
#define IDEMPOTENT_CAM_H

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
 * Keys lie densely beside the entries, so that a search reads one or two cache lines at the sizes
 * that the paper finds sufficient. Memory is taken as entries are first needed and then kept.
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
     * Find the first entry with a key.
     * @param key the key
     * @param from index at which the search begins
     * @return its index, or NONE
     */
    uint32_t Find(uint64_t key, uint32_t from = 0) const
    {
        const auto size = GetSize();
        const uint64_t* const keys = m_keys.data();
        uint32_t i = from;
        // Most searches look through all keys; one branch for four of them.
        while (i + 4 <= size && !((keys[i] == key) | (keys[i + 1] == key) | (keys[i + 2] == key) |
                                  (keys[i + 3] == key)))
        {
            i += 4;
        }
        for (; i < size; ++i)
        {
            if (keys[i] == key)
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
        return GetSize() - 1;
    }

    /**
     * Remove an entry; the last one takes its index.
     * @param index its index
     */
    void Erase(uint32_t index)
    {
        m_keys[index] = m_keys.back();
        m_entries[index] = m_entries.back();
        m_keys.pop_back();
        m_entries.pop_back();
    }

    /** @return memory taken from the heap [bytes]. */
    std::size_t GetMemory() const
    {
        return m_keys.capacity() * sizeof(uint64_t) + m_entries.capacity() * sizeof(Entry);
    }

    /** Equality of entries and their order. @return True if equal. */
    bool operator==(const Cam&) const = default;

  private:
    std::vector<uint64_t> m_keys; ///< Keys, in the order of the entries.
    std::vector<Entry> m_entries; ///< Entries.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CAM_H
