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
 * Division by a constant number.
 */

namespace ns3
{
namespace wormhole
{

/**
 * A divisor that is constant after a network is built. Dividing by it takes a multiplication, which
 * is several times faster than a division.
 */
class Divisor
{
  public:
    /**
     * Create a divisor.
     * @param value the number to divide by, at least 1
     */
    explicit Divisor(uint32_t value = 1)
        : m_inverse(std::numeric_limits<uint64_t>::max() / value)
    {
    }

    /**
     * Divide exactly, for every number. The inverse is below 2^64 / value by at most 1, so its
     * product with n + 1 is below (n + 1) / value, but by less than 1 / value.
     * @param n the dividend
     * @return n / value, rounded down
     */
    uint32_t Divide(uint32_t n) const
    {
        __extension__ using Product = unsigned __int128;
        return static_cast<uint32_t>((Product{m_inverse} * (uint64_t{n} + 1)) >> 64);
    }

  private:
    uint64_t m_inverse; ///< (2^64 - 1) / value, rounded down.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_DIVISOR_H
