/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_POOL_H
#define INFINIBAND_POOL_H

#include "infiniband-list-pool.h"

#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Values in one array whose places are used again.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Values by place.
 * @tparam T the values
 */
template <class T>
class Pool
{
  public:
    /** @return the place of a new value. */
    uint32_t New()
    {
        ++m_used;
        if (m_free.empty())
        {
            m_values.emplace_back();
            return static_cast<uint32_t>(m_values.size() - 1);
        }
        const uint32_t place = m_free.back();
        m_free.pop_back();
        m_values[place] = T{};
        return place;
    }

    /**
     * Forget a value.
     * @param place its place
     */
    void Free(uint32_t place)
    {
        --m_used;
        m_free.push_back(place);
    }

    /** @return a value, until the next call of New. @param place its place */
    T& operator[](uint32_t place)
    {
        return m_values[place];
    }

    /** @return a value, until the next call of New. @param place its place */
    const T& operator[](uint32_t place) const
    {
        return m_values[place];
    }

    /** Bring a value into the processor's caches. @param place its place */
    void Expect(uint32_t place) const
    {
        const auto* begin = reinterpret_cast<const char*>(&m_values[place]);
        for (std::size_t offset = 0; offset < sizeof(T); offset += 64)
        {
            __builtin_prefetch(begin + offset, 1);
        }
    }

    /** @return values that are not forgotten. */
    uint32_t GetNUsed() const
    {
        return m_used;
    }

  private:
    LargeVector<T> m_values;      ///< By place.
    std::vector<uint32_t> m_free; ///< Places to be used again, last given back first.
    uint32_t m_used{0};           ///< Places in use.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_POOL_H
