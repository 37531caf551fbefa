/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_BARE_LOOP_H
#define WORMHOLE_BARE_LOOP_H

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

/**
 * @file
 * A loop that does nothing but advance heads over a busy-until array: what one core can do.
 */

/** Numbers that look random, at next to no cost. */
class CheapRandom
{
  public:
    /**
     * Draw a number.
     * @param n how many there are to choose from
     * @return a number below n
     */
    uint32_t operator()(uint32_t n)
    {
        m_state ^= m_state << 13;
        m_state ^= m_state >> 7;
        m_state ^= m_state << 17;
        return static_cast<uint32_t>(((m_state >> 32) * n) >> 32);
    }

  private:
    uint64_t m_state{88172645463325252ULL}; ///< State.
};

/**
 * Advance heads over a square mesh. A head that arrives or is blocked is replaced by one between
 * random nodes.
 * @param side nodes along each side
 * @param heads number of heads
 * @param flits length of each packet
 * @param seconds for how long
 * @return hops a second
 */
inline double
BareLoop(uint32_t side, uint32_t heads, uint32_t flits, double seconds)
{
    struct Head
    {
        uint32_t node;
        int16_t x;
        int16_t y;
    };

    CheapRandom random;
    const auto fresh = [&random, side] {
        const auto x = static_cast<int32_t>(random(side));
        const auto y = static_cast<int32_t>(random(side));
        return Head{static_cast<uint32_t>(x) + static_cast<uint32_t>(y) * side,
                    static_cast<int16_t>(static_cast<int32_t>(random(side)) - x),
                    static_cast<int16_t>(static_cast<int32_t>(random(side)) - y)};
    };
    std::vector<uint32_t> busy(static_cast<std::size_t>(side) * side * 4);
    std::vector<Head> flying(heads);
    for (Head& head : flying)
    {
        head = fresh();
    }
    uint64_t hops = 0;
    const auto begin = std::chrono::steady_clock::now();
    double elapsed = 0;
    for (uint32_t now = 1; elapsed < seconds; ++now)
    {
        for (Head& head : flying)
        {
            const bool alongX = head.x != 0;
            const int16_t way = alongX ? head.x : head.y;
            uint32_t& until = busy[4 * head.node + (alongX ? 0 : 2) + (way < 0)];
            if (way == 0 || until > now)
            {
                head = fresh();
                continue;
            }
            until = now + flits;
            const int16_t sign = way < 0 ? -1 : 1;
            (alongX ? head.x : head.y) -= sign;
            head.node += static_cast<uint32_t>(sign * (alongX ? 1 : static_cast<int32_t>(side)));
            ++hops;
        }
        if (now % 16 == 0)
        {
            elapsed =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
    }
    return static_cast<double>(hops) / elapsed;
}

#endif // WORMHOLE_BARE_LOOP_H
