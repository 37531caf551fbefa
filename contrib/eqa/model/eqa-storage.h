/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_STORAGE_H
#define EQA_STORAGE_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * Memory of queues and buffers, of which every byte is allocated and can be counted.
 *
 * The simulation keeps a packet's contents as one word, so the room behind an entry for the
 * packet's bytes stays empty; it is there all the same, since Figure 6 is about it.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * A ring of slots of equal size, each with an entry and the room behind it.
 * @tparam T the entry
 */
template <class T>
class SlotRing
{
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
                  "An entry is bytes without gaps, so that equal ones have equal bytes.");

  public:
    /**
     * Allocate the memory.
     * @param bytes size of all slots [bytes]
     * @param slot size of a slot, made to hold an entry at least [bytes]
     */
    explicit SlotRing(uint32_t bytes, uint32_t slot = sizeof(T))
        : m_slot(std::max<uint32_t>(slot, sizeof(T))),
          m_count(bytes / m_slot),
          m_storage(bytes)
    {
    }

    /** @return the number of slots. */
    uint32_t GetNSlots() const
    {
        return m_count;
    }

    /** @return the memory allocated [bytes]. */
    uint64_t GetBytes() const
    {
        return m_storage.size();
    }

    /**
     * Read an entry.
     * @param index number of the entry; the slots are used in turn
     * @return the entry
     */
    T Get(uint64_t index) const
    {
        T entry;
        std::memcpy(&entry, m_storage.data() + index % m_count * m_slot, sizeof(T));
        return entry;
    }

    /**
     * Write an entry.
     * @param index number of the entry
     * @param entry the entry
     */
    void Put(uint64_t index, const T& entry)
    {
        std::memcpy(m_storage.data() + index % m_count * m_slot, &entry, sizeof(T));
    }

    /** Equality of every byte. @return True if all bytes are equal. */
    bool operator==(const SlotRing&) const = default;

  private:
    uint32_t m_slot;                  ///< Size of a slot [bytes].
    uint32_t m_count;                 ///< Number of slots.
    std::vector<std::byte> m_storage; ///< The memory.
};

/**
 * @ingroup eqa
 * A ring of bytes in which entries lie one behind the other, each followed by as much room as it
 * needs.
 * @tparam T the entry
 */
template <class T>
class ByteRing
{
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
                  "An entry is bytes without gaps, so that equal ones have equal bytes.");

  public:
    /**
     * Allocate the memory.
     * @param bytes its size [bytes]
     */
    explicit ByteRing(uint32_t bytes)
        : m_storage(bytes)
    {
    }

    /** @return the memory allocated [bytes]. */
    uint64_t GetBytes() const
    {
        return m_storage.size();
    }

    /** @return the memory in use [bytes]. */
    uint64_t GetUsed() const
    {
        return m_end - m_begin;
    }

    /** @return true if there is no entry. */
    bool IsEmpty() const
    {
        return m_begin == m_end;
    }

    /**
     * Look for room.
     * @param room bytes behind the entry
     * @return true if it fits
     */
    bool Fits(uint32_t room) const
    {
        return GetUsed() + sizeof(T) + room <= m_storage.size();
    }

    /**
     * Append an entry, which fits.
     * @param entry the entry
     * @param room bytes behind it
     */
    void Push(const T& entry, uint32_t room)
    {
        const auto* bytes = reinterpret_cast<const std::byte*>(&entry);
        for (std::size_t i = 0; i < sizeof(T); ++i)
        {
            m_storage[(m_end + i) % m_storage.size()] = bytes[i];
        }
        m_end += sizeof(T) + room;
    }

    /** @return the first entry. */
    T Front() const
    {
        T entry;
        auto* bytes = reinterpret_cast<std::byte*>(&entry);
        for (std::size_t i = 0; i < sizeof(T); ++i)
        {
            bytes[i] = m_storage[(m_begin + i) % m_storage.size()];
        }
        return entry;
    }

    /**
     * Remove the first entry.
     * @param room bytes behind it
     */
    void Pop(uint32_t room)
    {
        m_begin += sizeof(T) + room;
    }

    /** Equality of every byte. @return True if all bytes are equal. */
    bool operator==(const ByteRing&) const = default;

  private:
    std::vector<std::byte> m_storage; ///< The memory.
    uint64_t m_begin{0};              ///< Bytes removed so far.
    uint64_t m_end{0};                ///< Bytes appended so far.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_STORAGE_H
