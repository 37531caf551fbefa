/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CALENDAR_H
#define WORMHOLE_CALENDAR_H

#include "ns3/wormhole-types.h"

#include <utility>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Event queue of items by cycle.
 */

namespace ns3
{
namespace wormhole
{

/**
 * A calendar queue of items by cycle, first come first served within a cycle. It allocates only
 * when an item exceeds the previous maximum of time ahead or of items in a cycle.
 * @tparam T type of the items, small
 */
template <class T>
class Calendar
{
  public:
    /**
     * Insert an item.
     * @param now the current cycle
     * @param when its cycle, not before the current one
     * @param item the item
     */
    void Put(Ticks now, Ticks when, T item)
    {
        if (when - now >= m_slots.size())
        {
            Grow(now, when - now);
        }
        m_slots[when & (m_slots.size() - 1)].push_back(item);
        ++m_size;
    }

    /**
     * Remove all items of a cycle. No cycle with items may be skipped.
     * @param now the cycle
     * @return the items, valid until the next call
     */
    const std::vector<T>& Take(Ticks now)
    {
        m_taken.clear();
        std::swap(m_taken, m_slots[now & (m_slots.size() - 1)]);
        m_size -= m_taken.size();
        return m_taken;
    }

    /** @return whether the calendar is empty. */
    bool IsEmpty() const
    {
        return m_size == 0;
    }

  private:
    /**
     * Extend the calendar.
     * @param now the current cycle
     * @param ahead longest time ahead [cycles]
     */
    [[gnu::noinline]] void Grow(Ticks now, Ticks ahead)
    {
        std::size_t size = m_slots.size();
        while (size <= ahead)
        {
            size *= 2;
        }
        std::vector<std::vector<T>> slots(size);
        for (Ticks when = now; when < now + m_slots.size(); ++when)
        {
            std::swap(slots[when & (size - 1)], m_slots[when & (m_slots.size() - 1)]);
        }
        m_slots = std::move(slots);
    }

    std::vector<std::vector<T>> m_slots{64}; ///< Items by cycle modulo the size.
    std::vector<T> m_taken;                  ///< Items of the last taken cycle.
    std::size_t m_size{0};                   ///< Number of items.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CALENDAR_H
