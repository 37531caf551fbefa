/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_GALOIS_H
#define SDR_GALOIS_H

#include <array>
#include <cstdint>

/**
 * @file
 * @ingroup sdr
 * The field of 256 elements, in which parity is computed.
 */

namespace ns3
{
namespace sdr
{

/**
 * @ingroup sdr
 * The field GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. Addition is XOR.
 */
class Galois
{
  public:
    /** @param a an element @param b another @return their product. */
    static constexpr uint8_t Multiply(uint8_t a, uint8_t b)
    {
        return a == 0 || b == 0 ? 0 : TABLES.power[TABLES.logarithm[a] + TABLES.logarithm[b]];
    }

    /** @param a an element, not zero @return its inverse. */
    static constexpr uint8_t Invert(uint8_t a)
    {
        return TABLES.power[ORDER - TABLES.logarithm[a]];
    }

    /**
     * Multiply each byte of a word.
     * @param factor an element
     * @param word eight elements
     * @return the eight products
     */
    static constexpr uint64_t MultiplyWord(uint8_t factor, uint64_t word)
    {
        if (factor <= 1)
        {
            return factor * word;
        }
        uint64_t product = 0;
        for (uint32_t shift = 0; shift < WORD_BITS; shift += BYTE_BITS)
        {
            const auto byte = static_cast<uint8_t>(word >> shift);
            product |= uint64_t{Multiply(factor, byte)} << shift;
        }
        return product;
    }

  private:
    static constexpr uint32_t ORDER = 255;        ///< Elements other than zero.
    static constexpr uint32_t POLYNOMIAL = 0x11d; ///< Coefficients of the polynomial.
    static constexpr uint32_t BYTE_BITS = 8;      ///< Bits of an element.
    static constexpr uint32_t WORD_BITS = 64;     ///< Bits of a word.

    /** Powers and logarithms of the element x. */
    struct Tables
    {
        std::array<uint8_t, 2 * ORDER> power{};     ///< Powers, twice.
        std::array<uint8_t, ORDER + 1> logarithm{}; ///< Logarithms; none of zero.
    };

    /** @return the tables. */
    static constexpr Tables MakeTables()
    {
        Tables tables;
        uint32_t element = 1;
        for (uint32_t exponent = 0; exponent < ORDER; ++exponent)
        {
            tables.power[exponent] = static_cast<uint8_t>(element);
            tables.power[exponent + ORDER] = static_cast<uint8_t>(element);
            tables.logarithm[element] = static_cast<uint8_t>(exponent);
            element <<= 1;
            if (element > ORDER)
            {
                element ^= POLYNOMIAL;
            }
        }
        return tables;
    }

    static const Tables TABLES; ///< The tables.
};

inline constexpr Galois::Tables Galois::TABLES = Galois::MakeTables();

} // namespace sdr
} // namespace ns3

#endif // SDR_GALOIS_H
