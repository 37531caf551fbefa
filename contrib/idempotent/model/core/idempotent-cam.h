/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CAM_H
#define IDEMPOTENT_CAM_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
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
 * Each key has a tag of one byte. A search compares the tags, eight at a time, and a key only where
 * its tag is equal: it reads one line of the cache for 64 entries, and another one if it finds the
 * entry. Tags, keys and entries are in one block of memory, since a million nodes have two such
 * memories each. Memory grows on demand and is never released.
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
        const uint64_t sought = LANES * GetTag(key);
        for (uint32_t first = 0; first < m_size; first += WORD_TAGS)
        {
            // The top bit of each byte that is equal; after the first one, also of some others.
            const uint64_t different = m_block[first / WORD_TAGS] ^ sought;
            uint64_t equal = (different - LANES) & ~different & TOP_BITS;
            for (; equal != 0; equal &= equal - 1)
            {
                const uint32_t i =
                    first + static_cast<uint32_t>(std::countr_zero(equal)) / TAG_BITS;
                if (i < m_size && Cells()[i].key == key && matches(Cells()[i].entry))
                {
                    return i;
                }
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
        const Cell* const found =
            std::ranges::find_if(Cells(), Cells() + m_size, matches, &Cell::entry);
        if (found == Cells() + m_size)
        {
            return NONE;
        }
        return static_cast<uint32_t>(found - Cells());
    }

    /**
     * @param index an entry's index
     * @return its key
     */
    uint64_t GetKey(uint32_t index) const
    {
        return Cells()[index].key;
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    Entry& operator[](uint32_t index)
    {
        return Cells()[index].entry;
    }

    /**
     * @param index an entry's index
     * @return the entry
     */
    const Entry& operator[](uint32_t index) const
    {
        return Cells()[index].entry;
    }

    /**
     * Add an entry.
     * @param key its key
     * @param entry the entry, not a reference into this memory
     * @return its index, valid until the next Erase
     */
    uint32_t Insert(uint64_t key, const Entry& entry)
    {
        if (m_size == GetCapacity()) [[unlikely]]
        {
            Grow();
        }
        Put(m_size, Cell{key, entry});
        return m_size++;
    }

    /**
     * Remove an entry; the last one takes its index.
     * @param index its index
     */
    void Erase(uint32_t index)
    {
        Put(index, Cells()[--m_size]);
    }

    /** @return memory taken from the heap [bytes]. */
    std::size_t GetMemory() const
    {
        return m_block.capacity() * sizeof(uint64_t);
    }

  private:
    /** A key and its entry. */
    struct Cell
    {
        uint64_t key; ///< Key.
        Entry entry;  ///< Entry.
    };

    /** Bits of a tag. */
    static constexpr uint32_t TAG_BITS = 8;
    /** Tags of a word. */
    static constexpr uint32_t WORD_TAGS = 64 / TAG_BITS;
    /** The lowest bit of each tag of a word. */
    static constexpr uint64_t LANES = 0x0101010101010101;
    /** The highest bit of each tag of a word. */
    static constexpr uint64_t TOP_BITS = LANES << (TAG_BITS - 1);
    /** 2^64 / golden ratio: a multiplier by which all bits of a key reach the highest ones. */
    static constexpr uint64_t HASH_FACTOR = 0x9e3779b97f4a7c15;

    /**
     * @param key a key
     * @return its tag, which depends on all its bits
     */
    static constexpr uint64_t GetTag(uint64_t key)
    {
        return (key * HASH_FACTOR) >> (64 - TAG_BITS);
    }

    /** @return the number of entries that there is memory for: 0 or a power of two. */
    std::size_t GetCapacity() const
    {
        return (m_block.size() - m_tags) * sizeof(uint64_t) / sizeof(Cell);
    }

    /** @return the cells, after the tags. */
    Cell* Cells()
    {
        return reinterpret_cast<Cell*>(m_block.data() + m_tags);
    }

    /** @return the cells, after the tags. */
    const Cell* Cells() const
    {
        return reinterpret_cast<const Cell*>(m_block.data() + m_tags);
    }

    /**
     * Set a cell and its tag.
     * @param index its index
     * @param cell its value
     */
    void Put(uint32_t index, const Cell& cell)
    {
        const unsigned shift = index % WORD_TAGS * TAG_BITS;
        uint64_t& tags = m_block[index / WORD_TAGS];
        tags = (tags & ~(uint64_t{0xff} << shift)) | (GetTag(cell.key) << shift);
        Cells()[index] = cell;
    }

    /** Double the capacity. */
    [[gnu::noinline]] void Grow()
    {
        Cam larger;
        const std::size_t capacity = std::max<std::size_t>(1, 2 * GetCapacity());
        larger.m_tags = static_cast<uint32_t>((capacity + WORD_TAGS - 1) / WORD_TAGS);
        larger.m_block.resize(larger.m_tags + capacity * sizeof(Cell) / sizeof(uint64_t));
        for (; larger.m_size < m_size; ++larger.m_size)
        {
            larger.Put(larger.m_size, Cells()[larger.m_size]);
        }
        *this = std::move(larger);
    }

    std::vector<uint64_t> m_block; ///< Tags, then cells.
    uint32_t m_size{0};            ///< Number of entries.
    uint32_t m_tags{0};            ///< Number of words that hold tags.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CAM_H
