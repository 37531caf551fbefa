/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_FIFO_H
#define PARASTATION_FIFO_H

#include <cstddef>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * A line of waiting things in one piece of memory.
 */

namespace ns3
{
namespace parastation
{

/**
 * First in, first out. Grows as it must and never shrinks, so that a line in use costs no heap
 * traffic; two lines are equal if they hold the same.
 *
 * @tparam T what waits
 */
template <class T>
class Fifo
{
  public:
    /** @return whether nothing waits. */
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    /** @return how many wait. */
    std::size_t GetN() const
    {
        return m_count;
    }

    /** Append. @param value what */
    void Push(const T& value)
    {
        if (m_count == m_ring.size())
        {
            std::vector<T> larger(m_ring.empty() ? 4 : 2 * m_ring.size());
            for (std::size_t i = 0; i < m_count; ++i)
            {
                larger[i] = (*this)[i];
            }
            m_ring.swap(larger);
            m_head = 0;
        }
        m_ring[(m_head + m_count) % m_ring.size()] = value;
        ++m_count;
    }

    /** Take the first. @return it */
    T Pop()
    {
        const T value = m_ring[m_head];
        m_head = (m_head + 1) % m_ring.size();
        --m_count;
        return value;
    }

    /** @param index position, 0 being the first @return what waits there */
    const T& operator[](std::size_t index) const
    {
        return m_ring[(m_head + index) % m_ring.size()];
    }

    /** @param index position, 0 being the first @return what waits there, to be changed */
    T& operator[](std::size_t index)
    {
        return m_ring[(m_head + index) % m_ring.size()];
    }

    /** Equality of what waits. @param other another @return True if it is the same, in order */
    bool operator==(const Fifo& other) const
    {
        bool same = m_count == other.m_count;
        for (std::size_t i = 0; same && i < m_count; ++i)
        {
            same = (*this)[i] == other[i];
        }
        return same;
    }

  private:
    std::vector<T> m_ring;  ///< The memory.
    std::size_t m_head{0};  ///< Where the first is.
    std::size_t m_count{0}; ///< How many there are.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_FIFO_H
