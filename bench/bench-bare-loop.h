/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_BARE_LOOP_H
#define BENCH_BARE_LOOP_H

#include "bench-common.h"

/**
 * @file
 * Maximum rate of packet heads on one core.
 */

namespace ns3
{
namespace bench
{

/**
 * Only advances heads over a busy-until array: uniform traffic on a square mesh, with the first
 * dimension preferred and any productive channel permitted. A head that arrives or finds no free
 * channel restarts between two random nodes, so that their number is constant. There are no
 * packets, ports, timers, counters by reason or events.
 */
class BareLoop
{
  public:
    /**
     * Create heads.
     * @param side side of the mesh [nodes]
     * @param heads number of heads
     * @param flits length of each packet
     */
    BareLoop(uint32_t side, uint32_t heads, uint32_t flits)
        : m_side(side),
          m_flits(flits),
          m_busy(4UL * side * side),
          m_heads(heads + AHEAD)
    {
        std::generate(m_heads.begin(), m_heads.end(), [this] { return Begin(); });
    }

    /**
     * Advance all heads.
     * @tparam PREFETCH whether to prefetch channels some heads ahead
     * @param cycles duration [cycles]
     * @return the number of hops
     */
    template <bool PREFETCH = false>
    uint64_t Run(uint32_t cycles)
    {
        uint64_t hops = 0;
        for (const uint32_t end = m_now + cycles; m_now < end; ++m_now)
        {
            for (std::size_t i = 0; i < m_heads.size() - AHEAD; ++i)
            {
                if constexpr (PREFETCH)
                {
                    __builtin_prefetch(&m_busy[4UL * m_heads[i + AHEAD].node], 1);
                }
                Head& head = m_heads[i];
                if (Take(head.node, head.x, 0, 1) ||
                    Take(head.node, head.y, 2, static_cast<int32_t>(m_side)))
                {
                    ++hops;
                }
                else
                {
                    head = Begin();
                }
            }
        }
        return hops;
    }

    /**
     * Measure.
     * @tparam PREFETCH as in Run
     * @param cycles duration [cycles]
     * @return hops per second of processor time
     */
    template <bool PREFETCH = false>
    double Measure(uint32_t cycles)
    {
        const double start = GetCpuTime();
        const uint64_t hops = Run<PREFETCH>(cycles);
        return static_cast<double>(hops) / (GetCpuTime() - start);
    }

    /**
     * Measure the faster loop: with prefetch if the channels do not fit into a cache of 1 MiB.
     * @param cycles duration [cycles]
     * @return hops per second of processor time
     */
    double MeasureBetter(uint32_t cycles)
    {
        return m_busy.size() * sizeof(uint32_t) > (1U << 20) ? Measure<true>(cycles)
                                                             : Measure<false>(cycles);
    }

  private:
    /** A head. */
    struct Head
    {
        uint32_t node; ///< Current node.
        int32_t x;     ///< Remaining hops in the first dimension.
        int32_t y;     ///< Remaining hops in the second dimension.
    };

    static constexpr std::size_t AHEAD = 24; ///< Distance of a prefetch [heads].

    /** @return a head between two random nodes. */
    Head Begin()
    {
        const auto place = [this] { return static_cast<int32_t>(m_random.Below(m_side)); };
        const int32_t x = place();
        const int32_t y = place();
        return Head{static_cast<uint32_t>(x) + m_side * static_cast<uint32_t>(y),
                    place() - x,
                    place() - y};
    }

    /**
     * Advance by one hop in one dimension.
     * @param node node of the head
     * @param left remaining hops in the dimension
     * @param channel the channel upwards in the dimension; the next one leads down
     * @param stride difference of neighbours in the dimension
     * @return whether there was a free productive channel
     */
    bool Take(uint32_t& node, int32_t& left, uint32_t channel, int32_t stride)
    {
        if (left == 0)
        {
            return false;
        }
        const int32_t down = left < 0 ? 1 : 0;
        uint32_t& busy = m_busy[4UL * node + channel + static_cast<uint32_t>(down)];
        if (busy > m_now)
        {
            return false;
        }
        busy = m_now + m_flits;
        const int32_t direction = 1 - 2 * down;
        node += static_cast<uint32_t>(direction * stride);
        left -= direction;
        return true;
    }

    uint32_t m_side;              ///< Side of the mesh.
    uint32_t m_flits;             ///< Length of each packet.
    uint32_t m_now{0};            ///< Current cycle.
    Random m_random;              ///< Draws nodes.
    std::vector<uint32_t> m_busy; ///< Busy-until time by channel.
    std::vector<Head> m_heads;    ///< Heads, followed by padding for prefetches.
};

} // namespace bench
} // namespace ns3

#endif // BENCH_BARE_LOOP_H
