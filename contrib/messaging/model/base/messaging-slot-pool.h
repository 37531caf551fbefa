/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SLOT_POOL_H
#define MESSAGING_SLOT_POOL_H

#include "messaging-large-pages.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Values in one array whose slots are reused.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Values by slot number, such as a port's frames in flight: an event carries only the slot.
 *
 * The most recently freed slot is reused first. The pool allocates only when the number of values
 * exceeds its previous maximum.
 *
 * @tparam T type of the values
 */
template <class T>
class SlotPool
{
  public:
    /**
     * Store a value.
     * @tparam V its type, which can be assigned to a T
     * @param value the value
     * @return its slot
     */
    template <class V = T>
    uint32_t Put(V&& value = V())
    {
        if (m_free.empty())
        {
            m_values.push_back(std::forward<V>(value));
            return static_cast<uint32_t>(m_values.size() - 1);
        }
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        m_values[slot] = std::forward<V>(value);
        return slot;
    }

    /**
     * Get a slot whose value the caller sets, which is faster than Put for members of different
     * sizes.
     * @return the slot, with the value of its last use
     */
    uint32_t Claim()
    {
        if (m_free.empty())
        {
            m_values.emplace_back();
            return static_cast<uint32_t>(m_values.size() - 1);
        }
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        return slot;
    }

    /**
     * Free a slot.
     * @param slot a slot in use
     */
    void Free(uint64_t slot)
    {
        m_free.push_back(static_cast<uint32_t>(slot));
    }

    /**
     * Remove a value.
     * @param slot its slot
     * @return the value
     */
    T Take(uint64_t slot)
    {
        Free(slot);
        return std::move(m_values[slot]);
    }

    /**
     * @param slot a slot in use
     * @return its value, valid until the next Put
     */
    T& operator[](uint64_t slot)
    {
        return m_values[slot];
    }

    /** @copydoc operator[] */
    const T& operator[](uint64_t slot) const
    {
        return m_values[slot];
    }

    /** @return the number of slots in use. */
    std::size_t GetN() const
    {
        return m_values.size() - m_free.size();
    }

    /** @return the number of slots, in use or free. */
    std::size_t GetNSlots() const
    {
        return m_values.size();
    }

    /** @return allocated memory [bytes]. */
    std::size_t GetMemory() const
    {
        return m_values.capacity() * sizeof(T) + m_free.capacity() * sizeof(uint32_t);
    }

  private:
    LargeVector<T> m_values;      ///< Values by slot.
    std::vector<uint32_t> m_free; ///< Free slots, the most recently freed last.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SLOT_POOL_H
