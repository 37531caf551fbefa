/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SERVICE_LIST_H
#define WORMHOLE_SERVICE_LIST_H

#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-types.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Heads in flight, and the order of their service.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Spread consecutive cycles over all numbers, by the multipliers of SplitMix64 (Steele, Lea and
 * Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
 * @param cycle the cycle
 * @return a pseudo-random number
 */
inline uint32_t
SpreadCycle(uint64_t cycle)
{
    constexpr uint64_t GOLDEN_GAMMA = 0x9e3779b97f4a7c15ULL;
    constexpr uint64_t MIX_FACTOR = 0xbf58476d1ce4e5b9ULL;
    cycle = (cycle ^ (cycle >> 31)) * GOLDEN_GAMMA;
    cycle = (cycle ^ (cycle >> 29)) * MIX_FACTOR;
    return static_cast<uint32_t>(cycle >> 32);
}

/**
 * Heads in flight, in a dense array that each cycle reads once and rewrites.
 * @tparam Head type of a head
 */
template <class Head>
class ServiceList
{
  public:
    /**
     * Number of heads in the direction of service that can be read beyond the current one.
     */
    static constexpr std::ptrdiff_t AHEAD = 24;

    /**
     * Add a head, to be served in the next call of Serve.
     * @param head the head
     */
    void Add(const Head& head)
    {
        m_new.push_back(head);
    }

    /** @return whether there are no heads. */
    bool IsEmpty() const
    {
        return m_count == 0 && m_new.empty();
    }

    /**
     * Serve all heads once.
     * @param now the cycle
     * @param order the order of service
     * @param random used for a random order
     * @param visit called as visit(const Head* head, std::ptrdiff_t step, Head& out) -> bool; it
     * stores the head in out and returns true if the head stays in the list. head[n * step] is the
     * head served n calls later, or a stale one, for n up to AHEAD
     * @return the number of heads that stay
     */
    template <class Visit>
    std::size_t Serve(Ticks now, ServiceOrder order, UniformRandomVariable& random, Visit&& visit)
    {
        const std::size_t n = m_count + m_new.size();
        if (n == 0)
        {
            return 0;
        }
        if (m_heads.size() < n + 2 * AHEAD)
        {
            m_heads.resize(2 * n + 2 * AHEAD);
            m_next.resize(m_heads.size());
        }
        std::copy(m_new.begin(), m_new.end(), m_heads.begin() + AHEAD + m_count);
        m_new.clear();

        std::size_t start = 0;
        bool backwards = false;
        switch (order)
        {
        case ServiceOrder::ROTATING: {
            const uint32_t spread = SpreadCycle(now);
            start = static_cast<std::size_t>((static_cast<uint64_t>(spread >> 1) * n) >> 31);
            backwards = spread & 1;
            break;
        }
        case ServiceOrder::RANDOM:
            for (std::size_t i = n - 1; i > 0; --i)
            {
                std::swap(m_heads[AHEAD + i],
                          m_heads[AHEAD + random.GetInteger(0, static_cast<uint32_t>(i))]);
            }
            break;
        case ServiceOrder::OLDEST:
            break;
        case ServiceOrder::YOUNGEST:
            backwards = true;
            break;
        }
        const Head* const begin = m_heads.data() + AHEAD;
        const Head* const split = begin + start;
        const Head* const end = begin + n;
        Head* out = m_next.data() + AHEAD;
        const auto run = [&](const Head* head, const Head* last, std::ptrdiff_t step) {
            for (; head != last; head += step)
            {
                // The next head overwrites one that does not stay.
                out += visit(head, step, *out) ? 1 : 0;
            }
        };
        if (backwards)
        {
            run(split - 1, begin - 1, -1);
            run(end - 1, split - 1, -1);
        }
        else
        {
            run(split, end, 1);
            run(begin, split, 1);
        }
        if (order == ServiceOrder::YOUNGEST)
        {
            std::reverse(m_next.data() + AHEAD, out);
        }
        m_count = static_cast<std::size_t>(out - m_next.data() - AHEAD);
        std::swap(m_heads, m_next);
        return m_count;
    }

  private:
    std::vector<Head> m_heads; ///< Heads in flight, from index AHEAD on.
    std::vector<Head> m_next;  ///< Heads of the next cycle, under construction.
    std::vector<Head> m_new;   ///< Heads added since the last cycle.
    std::size_t m_count{0};    ///< Number of heads in flight.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_SERVICE_LIST_H
