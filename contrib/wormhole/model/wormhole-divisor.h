/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_DIVISOR_H
#define WORMHOLE_DIVISOR_H

#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup wormhole
 * Division by a number that stays the same.
 */

namespace ns3
{
namespace wormhole
{

/**
 * A divisor that is fixed when a network is built. To divide by it takes a multiplication, which
 * processors do several times faster than a division.
 */
class Divisor
{
  public:
    /**
     * Create a divisor.
     * @param value the number to divide by, at least 1
     */
    explicit Divisor(uint32_t value = 1)
        : m_inverse(value > 1 ? std::numeric_limits<uint64_t>::max() / value + 1 : 0)
    {
    }

    /**
     * Divide, exactly for every number: the inverse is 2^64 / value rounded up, so the product is
     * too large by less than n / 2^64, and a quotient lies at least 1 / value below the next.
     * @param n the number to be divided
     * @return n / value, rounded down
     */
    uint32_t Divide(uint32_t n) const
    {
        __extension__ using Product = unsigned __int128;
        return m_inverse ? static_cast<uint32_t>((Product{m_inverse} * n) >> 64) : n;
    }

  private:
    uint64_t m_inverse; ///< 2^64 / value rounded up, or 0 for a value of 1.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_DIVISOR_H
