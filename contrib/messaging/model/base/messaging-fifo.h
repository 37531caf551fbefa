/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FIFO_H
#define MESSAGING_FIFO_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A queue in contiguous memory.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A queue in contiguous memory, which is allocated on first use and then kept.
 *
 * Removed items stay in front until the queue is empty or its capacity is used up, so that an item
 * moves once on average, whatever the length. Two queues are equal if they hold equal items.
 *
 * @tparam Item type of the items
 */
template <class Item>
class Fifo
{
  public:
    /** @return true if nothing is queued. */
    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /** @return the number of queued items. */
    std::size_t GetN() const
    {
        return m_items.size() - m_first;
    }

    /** @return the oldest item. */
    const Item& Front() const
    {
        return m_items[m_first];
    }

    /**
     * @param index position, 0 for the oldest item
     * @return the item there
     */
    const Item& operator[](std::size_t index) const
    {
        return m_items[m_first + index];
    }

    /** @copydoc operator[] */
    Item& operator[](std::size_t index)
    {
        return m_items[m_first + index];
    }

    /**
     * Add an item.
     * @param item the item
     */
    void Push(const Item& item)
    {
        if (m_items.size() == m_items.capacity() && 2 * m_first >= m_items.size())
        {
            m_items.erase(m_items.begin(), m_items.begin() + m_first);
            m_first = 0;
        }
        m_items.push_back(item);
    }

    /**
     * Add an item ahead of others.
     * @param item the item
     * @param isBehind given a queued item, returns whether it stays behind the new one
     */
    template <class Predicate>
    void Insert(const Item& item, Predicate isBehind)
    {
        const auto first = m_items.begin() + m_first;
        const auto at = std::find_if(first, m_items.end(), isBehind);
        if (m_first == 0)
        {
            m_items.insert(at, item);
            return;
        }
        *std::move(first, at, first - 1) = item;
        --m_first;
    }

    /** Remove the oldest item. @return the item */
    Item Pop()
    {
        Item item = m_items[m_first];
        if (++m_first == m_items.size())
        {
            m_items.clear();
            m_first = 0;
        }
        return item;
    }

    /** @return the oldest item. */
    auto begin() const
    {
        return m_items.begin() + m_first;
    }

    /** @return the end of the items. */
    auto end() const
    {
        return m_items.end();
    }

    /** @return allocated memory [bytes]. */
    std::size_t GetMemory() const
    {
        return m_items.capacity() * sizeof(Item);
    }

  private:
    std::vector<Item> m_items; ///< Removed items, then queued items.
    uint32_t m_first{0};       ///< Index of the oldest queued item.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FIFO_H
