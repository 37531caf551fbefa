/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_FIFO_H
#define IDEMPOTENT_FIFO_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * A queue in one piece of memory.
 */

namespace ns3
{
namespace idempotent
{

/**
 * A queue in one piece of memory, which is taken as it is first needed and then kept.
 *
 * Items that have left stay in front until the queue is empty, or until the room behind is used up:
 * so an item is moved once on average, however long the queue is.
 *
 * @tparam Item what is queued
 */
template <class Item>
class Fifo
{
  public:
    /** @return whether nothing is queued. */
    bool IsEmpty() const
    {
        return m_items.empty();
    }

    /** @return the item that has been queued for longest. */
    const Item& Front() const
    {
        return m_items[m_first];
    }

    /**
     * Add an item.
     * @param item the item
     */
    void Push(const Item& item)
    {
        if (m_items.size() == m_items.capacity() && 2 * m_first >= m_items.size())
        {
            m_items.erase(m_items.begin(), begin());
            m_first = 0;
        }
        m_items.push_back(item);
    }

    /**
     * Add an item ahead of others.
     * @param item the item
     * @param isBehind told of a queued item, whether it is to stay behind the new one
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

    /** Remove the item that has been queued for longest. */
    void Pop()
    {
        if (++m_first == m_items.size())
        {
            m_items.clear();
            m_first = 0;
        }
    }

    /** @return the first item. */
    auto begin() const
    {
        return m_items.begin() + m_first;
    }

    /** @return the end of the items. */
    auto end() const
    {
        return m_items.end();
    }

    /** @return memory taken from the heap [bytes]. */
    std::size_t GetMemory() const
    {
        return m_items.capacity() * sizeof(Item);
    }

    /** Equality of items and their order. @param other another queue @return True if equal. */
    bool operator==(const Fifo& other) const
    {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

  private:
    std::vector<Item> m_items; ///< Items that have left, and those that are queued.
    uint32_t m_first{0};       ///< Index of the first that is queued.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_FIFO_H
