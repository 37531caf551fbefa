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
 * Items by the cycle in which they are due.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Items by the cycle in which they are due, first come first served within a cycle. It grows to the
 * longest time ahead that has occurred, and to the most items of a cycle, and allocates nothing
 * after that.
 * @tparam T a small type
 */
template <class T>
class Calendar
{
  public:
    /**
     * Put an item.
     * @param now the current cycle
     * @param when the cycle in which it is due, not before the current one [cycles]
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
     * Take all items of a cycle. Each cycle in which any is due has to be taken.
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

    /** @return whether nothing is due at any time. */
    bool IsEmpty() const
    {
        return m_size == 0;
    }

  private:
    /**
     * Make room for items further ahead.
     * @param now the current cycle
     * @param ahead how far ahead the furthest one is due [cycles]
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

    std::vector<std::vector<T>> m_slots{64}; ///< By cycle modulo their number, a power of two.
    std::vector<T> m_taken;                  ///< The items of the cycle taken last.
    std::size_t m_size{0};                   ///< Number of items.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CALENDAR_H
