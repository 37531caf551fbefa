/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_LIST_POOL_H
#define INFINIBAND_LIST_POOL_H

#include "ns3/messaging-large-pages.h"

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

/** No slot of a ListPool. */
inline constexpr uint32_t NO_PLACE = std::numeric_limits<uint32_t>::max();

/** A queue whose elements are in a ListPool; it takes eight bytes. */
struct PooledList
{
    uint32_t head{NO_PLACE}; ///< Slot of the first element.
    uint32_t tail{NO_PLACE}; ///< Slot of the last element.

    /** @return true if the queue is empty. */
    bool IsEmpty() const
    {
        return head == NO_PLACE;
    }
};

/**
 * @ingroup infiniband
 * Elements of many queues. Slots are reused, so the pool allocates only when it exceeds its
 * previous maximum.
 * @tparam T type of the elements
 */
template <class T>
class ListPool
{
  public:
    /**
     * Append to a queue.
     * @param list the queue, changed
     * @param value the element
     */
    void PushBack(PooledList& list, const T& value)
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
        uint32_t& link = list.IsEmpty() ? list.head : m_nodes[list.tail].next;
        link = place;
        list.tail = place;
    }

    /**
     * Remove the first element of a queue.
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
        while (!list.IsEmpty())
        {
            PopFront(list);
        }
    }

    /** @return an element. @param place its slot */
    T& operator[](uint32_t place)
    {
        return m_nodes[place].value;
    }

    /** @return an element. @param place its slot */
    const T& operator[](uint32_t place) const
    {
        return m_nodes[place].value;
    }

    /** @return the slot of the next element, or NO_PLACE. @param place a slot */
    uint32_t GetNext(uint32_t place) const
    {
        return m_nodes[place].next;
    }

    /** Prefetch the first element of a queue. @param list the queue */
    void Expect(const PooledList& list) const
    {
        if (!list.IsEmpty())
        {
            __builtin_prefetch(&m_nodes[list.head], 1);
        }
    }

    /** Prefetch the second element of a queue. @param list the queue, not empty */
    void ExpectNext(const PooledList& list) const
    {
        if (list.head != list.tail)
        {
            __builtin_prefetch(&m_nodes[m_nodes[list.head].next], 1);
        }
    }

    /** @return memory of the pool [bytes]. */
    uint64_t GetMemory() const
    {
        return m_nodes.capacity() * sizeof(Node);
    }

  private:
    /** A slot. */
    struct Node
    {
        T value;       ///< The element.
        uint32_t next; ///< Next slot of its queue, or of the free list.
    };

    messaging::LargeVector<Node> m_nodes; ///< All slots.
    uint32_t m_free{NO_PLACE};            ///< First free slot.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_LIST_POOL_H
