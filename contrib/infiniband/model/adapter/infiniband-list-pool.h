/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_LIST_POOL_H
#define INFINIBAND_LIST_POOL_H

#include "infiniband-large-pages.h"

#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup infiniband
 * Many short queues in one array.
 */

namespace ns3
{
namespace infiniband
{

/** No place in a ListPool. */
inline constexpr uint32_t NO_PLACE = std::numeric_limits<uint32_t>::max();

/** A queue whose elements lie in a ListPool: eight bytes as long as it is empty. */
struct PooledList
{
    uint32_t head{NO_PLACE}; ///< First element.
    uint32_t tail{NO_PLACE}; ///< Last element.

    /** @return true if it holds nothing. */
    bool IsEmpty() const
    {
        return head == NO_PLACE;
    }
};

/**
 * @ingroup infiniband
 * The elements of many queues. Places are used again, so that nothing is allocated once the pool
 * has seen its busiest moment.
 * @tparam T what the queues hold
 */
template <class T>
class ListPool
{
  public:
    /**
     * Append to a queue.
     * @param list the queue, changed
     * @param value what to append
     * @return its place, valid until it is taken off
     */
    uint32_t PushBack(PooledList& list, const T& value)
    {
        uint32_t place = m_free;
        if (place == NO_PLACE)
        {
            place = static_cast<uint32_t>(m_nodes.size());
            m_nodes.push_back({value, NO_PLACE});
        }
        else
        {
            m_free = m_nodes[place].next;
            m_nodes[place] = {value, NO_PLACE};
        }
        (list.IsEmpty() ? list.head : m_nodes[list.tail].next) = place;
        list.tail = place;
        return place;
    }

    /**
     * Take off the first element of a queue.
     * @param list the queue, not empty, changed
     */
    void PopFront(PooledList& list)
    {
        const uint32_t place = list.head;
        list.head = m_nodes[place].next;
        if (list.head == NO_PLACE)
        {
            list.tail = NO_PLACE;
        }
        m_nodes[place].next = m_free;
        m_free = place;
    }

    /**
     * Empty a queue.
     * @param list the queue, changed
     */
    void Clear(PooledList& list)
    {
        if (!list.IsEmpty())
        {
            m_nodes[list.tail].next = m_free;
            m_free = list.head;
            list = PooledList{};
        }
    }

    /** @return an element. @param place its place */
    T& operator[](uint32_t place)
    {
        return m_nodes[place].value;
    }

    /** @return an element. @param place its place */
    const T& operator[](uint32_t place) const
    {
        return m_nodes[place].value;
    }

    /** @return the place behind, or NO_PLACE. @param place a place */
    uint32_t GetNext(uint32_t place) const
    {
        return m_nodes[place].next;
    }

    /** Bring the first element of a queue into the processor's caches. @param list the queue */
    void Expect(const PooledList& list) const
    {
        if (!list.IsEmpty())
        {
            __builtin_prefetch(&m_nodes[list.head], 1);
        }
    }

    /** @return bytes that the pool holds. */
    uint64_t GetMemory() const
    {
        return m_nodes.capacity() * sizeof(Node);
    }

  private:
    /** A place. */
    struct Node
    {
        T value;       ///< The element.
        uint32_t next; ///< Place behind in its queue, or in the list of free places.
    };

    LargeVector<Node> m_nodes; ///< All places.
    uint32_t m_free{NO_PLACE}; ///< First free place.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_LIST_POOL_H
